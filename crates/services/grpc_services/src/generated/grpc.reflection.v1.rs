// Made by polywire-build from grpc/reflection/v1/reflection.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct ServerReflectionRequest {
    /// Comes back in `valid_host`; nothing else is made of it.
    ///
    /// Field 1: `host`
    pub host: ::std::string::String,
    pub message_request: ::std::option::Option<
        __buffa::oneof::server_reflection_request::MessageRequest,
    >,
}
impl ::std::fmt::Debug for ServerReflectionRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ServerReflectionRequest")
            .field("host", &self.host)
            .field("message_request", &self.message_request)
            .finish()
    }
}
impl ServerReflectionRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ServerReflectionRequest";
}
impl crate::generated::FieldMessage for ServerReflectionRequest {}
crate::generated::buffa::impl_default_instance!(ServerReflectionRequest);
impl crate::generated::buffa::MessageName for ServerReflectionRequest {
    const PACKAGE: &'static str = "grpc.reflection.v1";
    const NAME: &'static str = "ServerReflectionRequest";
    const FULL_NAME: &'static str = "grpc.reflection.v1.ServerReflectionRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ServerReflectionRequest";
}
impl crate::generated::buffa::Message for ServerReflectionRequest {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, __cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if !self.host.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.host) as u64;
        }
        if let ::std::option::Option::Some(ref v) = self.message_request {
            match v {
                __buffa::oneof::server_reflection_request::MessageRequest::FileByFilename(
                    x,
                ) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::server_reflection_request::MessageRequest::FileContainingSymbol(
                    x,
                ) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::server_reflection_request::MessageRequest::FileContainingExtension(
                    x,
                ) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::server_reflection_request::MessageRequest::AllExtensionNumbersOfType(
                    x,
                ) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::server_reflection_request::MessageRequest::ListServices(
                    x,
                ) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
            }
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if !self.host.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.host, buf);
        }
        if let ::std::option::Option::Some(ref v) = self.message_request {
            match v {
                __buffa::oneof::server_reflection_request::MessageRequest::FileByFilename(
                    x,
                ) => {
                    crate::generated::buffa::types::put_string_field(3u32, x, buf);
                }
                __buffa::oneof::server_reflection_request::MessageRequest::FileContainingSymbol(
                    x,
                ) => {
                    crate::generated::buffa::types::put_string_field(4u32, x, buf);
                }
                __buffa::oneof::server_reflection_request::MessageRequest::FileContainingExtension(
                    x,
                ) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        5u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::server_reflection_request::MessageRequest::AllExtensionNumbersOfType(
                    x,
                ) => {
                    crate::generated::buffa::types::put_string_field(6u32, x, buf);
                }
                __buffa::oneof::server_reflection_request::MessageRequest::ListServices(
                    x,
                ) => {
                    crate::generated::buffa::types::put_string_field(7u32, x, buf);
                }
            }
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.host, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.message_request = ::std::option::Option::Some(
                    __buffa::oneof::server_reflection_request::MessageRequest::FileByFilename(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.message_request = ::std::option::Option::Some(
                    __buffa::oneof::server_reflection_request::MessageRequest::FileContainingSymbol(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::server_reflection_request::MessageRequest::FileContainingExtension(
                        ref mut existing,
                    ),
                ) = self.message_request
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.message_request = ::std::option::Option::Some(
                        __buffa::oneof::server_reflection_request::MessageRequest::FileContainingExtension(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.message_request = ::std::option::Option::Some(
                    __buffa::oneof::server_reflection_request::MessageRequest::AllExtensionNumbersOfType(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.message_request = ::std::option::Option::Some(
                    __buffa::oneof::server_reflection_request::MessageRequest::ListServices(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.host.clear();
        self.message_request = ::std::option::Option::None;
    }
}
pub mod server_reflection_request {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::server_reflection_request::MessageRequest;
}
#[derive(Clone, PartialEq, Default)]
pub struct ExtensionRequest {
    /// Full name of the message that is extended.
    ///
    /// Field 1: `containing_type`
    pub containing_type: ::std::string::String,
    /// Field 2: `extension_number`
    pub extension_number: i32,
}
impl ::std::fmt::Debug for ExtensionRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ExtensionRequest")
            .field("containing_type", &self.containing_type)
            .field("extension_number", &self.extension_number)
            .finish()
    }
}
impl ExtensionRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ExtensionRequest";
}
impl crate::generated::FieldMessage for ExtensionRequest {}
crate::generated::buffa::impl_default_instance!(ExtensionRequest);
impl crate::generated::buffa::MessageName for ExtensionRequest {
    const PACKAGE: &'static str = "grpc.reflection.v1";
    const NAME: &'static str = "ExtensionRequest";
    const FULL_NAME: &'static str = "grpc.reflection.v1.ExtensionRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ExtensionRequest";
}
impl crate::generated::buffa::Message for ExtensionRequest {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if !self.containing_type.is_empty() {
            size
                += 1u64
                    + crate::generated::buffa::types::string_encoded_len(&self.containing_type) as u64;
        }
        if self.extension_number != 0i32 {
            size
                += 1u64
                    + crate::generated::buffa::types::int32_encoded_len(self.extension_number) as u64;
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if !self.containing_type.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.containing_type, buf);
        }
        if self.extension_number != 0i32 {
            crate::generated::buffa::types::put_int32_field(2u32, self.extension_number, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.containing_type, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.extension_number = crate::generated::buffa::types::decode_int32(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.containing_type.clear();
        self.extension_number = 0i32;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ServerReflectionResponse {
    /// Field 1: `valid_host`
    pub valid_host: ::std::string::String,
    /// Field 2: `original_request`
    pub original_request: crate::MessageField<ServerReflectionRequest>,
    pub message_response: ::std::option::Option<
        __buffa::oneof::server_reflection_response::MessageResponse,
    >,
}
impl ::std::fmt::Debug for ServerReflectionResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ServerReflectionResponse")
            .field("valid_host", &self.valid_host)
            .field("original_request", &self.original_request)
            .field("message_response", &self.message_response)
            .finish()
    }
}
impl ServerReflectionResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ServerReflectionResponse";
}
impl crate::generated::FieldMessage for ServerReflectionResponse {}
crate::generated::buffa::impl_default_instance!(ServerReflectionResponse);
impl crate::generated::buffa::MessageName for ServerReflectionResponse {
    const PACKAGE: &'static str = "grpc.reflection.v1";
    const NAME: &'static str = "ServerReflectionResponse";
    const FULL_NAME: &'static str = "grpc.reflection.v1.ServerReflectionResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ServerReflectionResponse";
}
impl crate::generated::buffa::Message for ServerReflectionResponse {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, __cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if !self.valid_host.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.valid_host) as u64;
        }
        if self.original_request.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.original_request.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if let ::std::option::Option::Some(ref v) = self.message_response {
            match v {
                __buffa::oneof::server_reflection_response::MessageResponse::FileDescriptorResponse(
                    x,
                ) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::server_reflection_response::MessageResponse::AllExtensionNumbersResponse(
                    x,
                ) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::server_reflection_response::MessageResponse::ListServicesResponse(
                    x,
                ) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::server_reflection_response::MessageResponse::ErrorResponse(
                    x,
                ) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
            }
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if !self.valid_host.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.valid_host, buf);
        }
        if self.original_request.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.original_request.write_to(__cache, buf);
        }
        if let ::std::option::Option::Some(ref v) = self.message_response {
            match v {
                __buffa::oneof::server_reflection_response::MessageResponse::FileDescriptorResponse(
                    x,
                ) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        4u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::server_reflection_response::MessageResponse::AllExtensionNumbersResponse(
                    x,
                ) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        5u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::server_reflection_response::MessageResponse::ListServicesResponse(
                    x,
                ) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        6u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::server_reflection_response::MessageResponse::ErrorResponse(
                    x,
                ) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        7u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
            }
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.valid_host, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.original_request.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::server_reflection_response::MessageResponse::FileDescriptorResponse(
                        ref mut existing,
                    ),
                ) = self.message_response
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.message_response = ::std::option::Option::Some(
                        __buffa::oneof::server_reflection_response::MessageResponse::FileDescriptorResponse(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::server_reflection_response::MessageResponse::AllExtensionNumbersResponse(
                        ref mut existing,
                    ),
                ) = self.message_response
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.message_response = ::std::option::Option::Some(
                        __buffa::oneof::server_reflection_response::MessageResponse::AllExtensionNumbersResponse(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::server_reflection_response::MessageResponse::ListServicesResponse(
                        ref mut existing,
                    ),
                ) = self.message_response
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.message_response = ::std::option::Option::Some(
                        __buffa::oneof::server_reflection_response::MessageResponse::ListServicesResponse(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::server_reflection_response::MessageResponse::ErrorResponse(
                        ref mut existing,
                    ),
                ) = self.message_response
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.message_response = ::std::option::Option::Some(
                        __buffa::oneof::server_reflection_response::MessageResponse::ErrorResponse(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.valid_host.clear();
        self.original_request = crate::MessageField::none();
        self.message_response = ::std::option::Option::None;
    }
}
pub mod server_reflection_response {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::server_reflection_response::MessageResponse;
}
#[derive(Clone, PartialEq, Default)]
pub struct FileDescriptorResponse {
    /// Each an encoded google.protobuf.FileDescriptorProto: the file asked for, then those it imports which this stream has
    /// not yet brought.
    ///
    /// Field 1: `file_descriptor_proto`
    pub file_descriptor_proto: ::std::vec::Vec<::std::vec::Vec<u8>>,
}
impl ::std::fmt::Debug for FileDescriptorResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("FileDescriptorResponse")
            .field("file_descriptor_proto", &self.file_descriptor_proto)
            .finish()
    }
}
impl FileDescriptorResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.FileDescriptorResponse";
}
impl crate::generated::FieldMessage for FileDescriptorResponse {}
crate::generated::buffa::impl_default_instance!(FileDescriptorResponse);
impl crate::generated::buffa::MessageName for FileDescriptorResponse {
    const PACKAGE: &'static str = "grpc.reflection.v1";
    const NAME: &'static str = "FileDescriptorResponse";
    const FULL_NAME: &'static str = "grpc.reflection.v1.FileDescriptorResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.FileDescriptorResponse";
}
impl crate::generated::buffa::Message for FileDescriptorResponse {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        for v in &self.file_descriptor_proto {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        for v in &self.file_descriptor_proto {
            crate::generated::buffa::types::put_shared_bytes_field(1u32, v, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = crate::generated::buffa::types::decode_bytes(buf)?;
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.file_descriptor_proto.push(__elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.file_descriptor_proto.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ExtensionNumberResponse {
    /// Field 1: `base_type_name`
    pub base_type_name: ::std::string::String,
    /// Field 2: `extension_number`
    pub extension_number: ::std::vec::Vec<i32>,
}
impl ::std::fmt::Debug for ExtensionNumberResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ExtensionNumberResponse")
            .field("base_type_name", &self.base_type_name)
            .field("extension_number", &self.extension_number)
            .finish()
    }
}
impl ExtensionNumberResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ExtensionNumberResponse";
}
impl crate::generated::FieldMessage for ExtensionNumberResponse {}
crate::generated::buffa::impl_default_instance!(ExtensionNumberResponse);
impl crate::generated::buffa::MessageName for ExtensionNumberResponse {
    const PACKAGE: &'static str = "grpc.reflection.v1";
    const NAME: &'static str = "ExtensionNumberResponse";
    const FULL_NAME: &'static str = "grpc.reflection.v1.ExtensionNumberResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ExtensionNumberResponse";
}
impl crate::generated::buffa::Message for ExtensionNumberResponse {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if !self.base_type_name.is_empty() {
            size
                += 1u64
                    + crate::generated::buffa::types::string_encoded_len(&self.base_type_name) as u64;
        }
        if !self.extension_number.is_empty() {
            let payload: u64 = self
                .extension_number
                .iter()
                .map(|&v| crate::generated::buffa::types::int32_encoded_len(v) as u64)
                .sum::<u64>();
            size += 1u64 + crate::generated::buffa::encoding::varint_len(payload) as u64 + payload;
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if !self.base_type_name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.base_type_name, buf);
        }
        if !self.extension_number.is_empty() {
            let payload: u64 = self
                .extension_number
                .iter()
                .map(|&v| crate::generated::buffa::types::int32_encoded_len(v) as u64)
                .sum::<u64>();
            crate::generated::buffa::types::put_len_delimited_header(2u32, payload, buf);
            for &v in &self.extension_number {
                crate::generated::buffa::types::encode_int32(v, buf);
            }
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.base_type_name, buf)?;
            }
            2u32 => {
                if tag.wire_type() == crate::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = crate::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| crate::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            crate::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        crate::generated::buffa::types::extend_packed_int32(
                            &buf.chunk()[..len],
                            &mut self.extension_number,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.extension_number.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.extension_number
                                .push(crate::generated::buffa::types::decode_int32_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == crate::generated::buffa::encoding::WireType::Varint {
                    self.extension_number.push(crate::generated::buffa::types::decode_int32(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        crate::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.base_type_name.clear();
        self.extension_number.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ListServiceResponse {
    /// Field 1: `service`
    pub service: ::std::vec::Vec<ServiceResponse>,
}
impl ::std::fmt::Debug for ListServiceResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ListServiceResponse").field("service", &self.service).finish()
    }
}
impl ListServiceResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ListServiceResponse";
}
impl crate::generated::FieldMessage for ListServiceResponse {}
crate::generated::buffa::impl_default_instance!(ListServiceResponse);
impl crate::generated::buffa::MessageName for ListServiceResponse {
    const PACKAGE: &'static str = "grpc.reflection.v1";
    const NAME: &'static str = "ListServiceResponse";
    const FULL_NAME: &'static str = "grpc.reflection.v1.ListServiceResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ListServiceResponse";
}
impl crate::generated::buffa::Message for ListServiceResponse {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, __cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        for v in &self.service {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        for v in &self.service {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.service.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.service.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ServiceResponse {
    /// Field 1: `name`
    pub name: ::std::string::String,
}
impl ::std::fmt::Debug for ServiceResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ServiceResponse").field("name", &self.name).finish()
    }
}
impl ServiceResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ServiceResponse";
}
impl crate::generated::FieldMessage for ServiceResponse {}
crate::generated::buffa::impl_default_instance!(ServiceResponse);
impl crate::generated::buffa::MessageName for ServiceResponse {
    const PACKAGE: &'static str = "grpc.reflection.v1";
    const NAME: &'static str = "ServiceResponse";
    const FULL_NAME: &'static str = "grpc.reflection.v1.ServiceResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ServiceResponse";
}
impl crate::generated::buffa::Message for ServiceResponse {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ErrorResponse {
    /// A number of gRPC's status codes.
    ///
    /// Field 1: `error_code`
    pub error_code: i32,
    /// Field 2: `error_message`
    pub error_message: ::std::string::String,
}
impl ::std::fmt::Debug for ErrorResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ErrorResponse")
            .field("error_code", &self.error_code)
            .field("error_message", &self.error_message)
            .finish()
    }
}
impl ErrorResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ErrorResponse";
}
impl crate::generated::FieldMessage for ErrorResponse {}
crate::generated::buffa::impl_default_instance!(ErrorResponse);
impl crate::generated::buffa::MessageName for ErrorResponse {
    const PACKAGE: &'static str = "grpc.reflection.v1";
    const NAME: &'static str = "ErrorResponse";
    const FULL_NAME: &'static str = "grpc.reflection.v1.ErrorResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.reflection.v1.ErrorResponse";
}
impl crate::generated::buffa::Message for ErrorResponse {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if self.error_code != 0i32 {
            size += 1u64 + crate::generated::buffa::types::int32_encoded_len(self.error_code) as u64;
        }
        if !self.error_message.is_empty() {
            size
                += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.error_message) as u64;
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if self.error_code != 0i32 {
            crate::generated::buffa::types::put_int32_field(1u32, self.error_code, buf);
        }
        if !self.error_message.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.error_message, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.error_code = crate::generated::buffa::types::decode_int32(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.error_message, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.error_code = 0i32;
        self.error_message.clear();
    }
}
#[allow(
    non_camel_case_types,
    dead_code,
    unused_imports,
    unused_qualifications,
    clippy::derivable_impls,
    clippy::match_single_binding,
    clippy::uninlined_format_args,
    clippy::doc_lazy_continuation,
    clippy::module_inception
)]
pub mod __buffa {
    #[allow(unused_imports)]
    use super::*;
    pub mod oneof {
        #[allow(unused_imports)]
        use super::*;
        pub mod server_reflection_request {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum MessageRequest {
                FileByFilename(::std::string::String),
                FileContainingSymbol(::std::string::String),
                FileContainingExtension(
                    ::std::boxed::Box<super::super::super::ExtensionRequest>,
                ),
                AllExtensionNumbersOfType(::std::string::String),
                ListServices(::std::string::String),
            }
            impl crate::generated::buffa::Oneof for MessageRequest {}
            impl From<super::super::super::ExtensionRequest> for MessageRequest {
                fn from(v: super::super::super::ExtensionRequest) -> Self {
                    Self::FileContainingExtension(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::ExtensionRequest>
            for ::std::option::Option<MessageRequest> {
                fn from(v: super::super::super::ExtensionRequest) -> Self {
                    Self::Some(MessageRequest::from(v))
                }
            }
        }
        pub mod server_reflection_response {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum MessageResponse {
                FileDescriptorResponse(
                    ::std::boxed::Box<
                        super::super::super::FileDescriptorResponse,
                    >,
                ),
                AllExtensionNumbersResponse(
                    ::std::boxed::Box<
                        super::super::super::ExtensionNumberResponse,
                    >,
                ),
                ListServicesResponse(
                    ::std::boxed::Box<super::super::super::ListServiceResponse>,
                ),
                ErrorResponse(
                    ::std::boxed::Box<super::super::super::ErrorResponse>,
                ),
            }
            impl crate::generated::buffa::Oneof for MessageResponse {}
            impl From<super::super::super::FileDescriptorResponse> for MessageResponse {
                fn from(v: super::super::super::FileDescriptorResponse) -> Self {
                    Self::FileDescriptorResponse(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::FileDescriptorResponse>
            for ::std::option::Option<MessageResponse> {
                fn from(v: super::super::super::FileDescriptorResponse) -> Self {
                    Self::Some(MessageResponse::from(v))
                }
            }
            impl From<super::super::super::ExtensionNumberResponse> for MessageResponse {
                fn from(v: super::super::super::ExtensionNumberResponse) -> Self {
                    Self::AllExtensionNumbersResponse(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::ExtensionNumberResponse>
            for ::std::option::Option<MessageResponse> {
                fn from(v: super::super::super::ExtensionNumberResponse) -> Self {
                    Self::Some(MessageResponse::from(v))
                }
            }
            impl From<super::super::super::ListServiceResponse> for MessageResponse {
                fn from(v: super::super::super::ListServiceResponse) -> Self {
                    Self::ListServicesResponse(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::ListServiceResponse>
            for ::std::option::Option<MessageResponse> {
                fn from(v: super::super::super::ListServiceResponse) -> Self {
                    Self::Some(MessageResponse::from(v))
                }
            }
            impl From<super::super::super::ErrorResponse> for MessageResponse {
                fn from(v: super::super::super::ErrorResponse) -> Self {
                    Self::ErrorResponse(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::ErrorResponse>
            for ::std::option::Option<MessageResponse> {
                fn from(v: super::super::super::ErrorResponse) -> Self {
                    Self::Some(MessageResponse::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("grpc.reflection.v1.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(ServerReflectionRequest, "grpc.reflection.v1.ServerReflectionRequest", POOL, buffers { one host; });
crate::generated::message!(ExtensionRequest, "grpc.reflection.v1.ExtensionRequest", POOL, buffers { one containing_type; });
crate::generated::message!(ServerReflectionResponse, "grpc.reflection.v1.ServerReflectionResponse", POOL, buffers { one valid_host; one original_request; });
crate::generated::message!(FileDescriptorResponse, "grpc.reflection.v1.FileDescriptorResponse", POOL, buffers { each file_descriptor_proto; });
crate::generated::message!(ExtensionNumberResponse, "grpc.reflection.v1.ExtensionNumberResponse", POOL, buffers { one base_type_name; });
crate::generated::message!(ListServiceResponse, "grpc.reflection.v1.ListServiceResponse", POOL, buffers { each service; });
crate::generated::message!(ServiceResponse, "grpc.reflection.v1.ServiceResponse", POOL, buffers { one name; });
crate::generated::message!(ErrorResponse, "grpc.reflection.v1.ErrorResponse", POOL, buffers { one error_message; });

/// What a server's services and messages look like, for tools.
///
/// Service `grpc.reflection.v1.ServerReflection`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `grpc.reflection.v1.ServerReflection`",
    note = "write `impl ServerReflection for {Self}` with its methods: `server_reflection_info`"
)]
pub trait ServerReflection: Send + Sync + 'static {
    /// Answers each request with one response, in order.
    ///
    /// Method `ServerReflectionInfo`, which takes and answers with a stream. To be written as
    /// `async fn server_reflection_info(…) -> Result<impl Stream<Item = Result<ServerReflectionResponse, Status>>, Status>`.
    fn server_reflection_info(
        &self,
        cx: &crate::Context,
        incoming: crate::Streaming<ServerReflectionRequest>,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl crate::Stream<Item = Result<ServerReflectionResponse, crate::Status>> + Send,
            crate::Status,
        >,
    > + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> crate::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        crate::Service::new("grpc.reflection.v1.ServerReflection", DESCRIPTOR_SET)
            .bidi_streaming::<server_reflection::ServerReflectionInfo<Self>>(&service)
    }
}

/// The methods of [`ServerReflection`], each as a type.
pub mod server_reflection {
    /// `grpc.reflection.v1.ServerReflection/ServerReflectionInfo`.
    pub struct ServerReflectionInfo<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::ServerReflection> crate::generated::BidiStreaming for ServerReflectionInfo<Impl> {
        type Service = Impl;
        type Request = super::ServerReflectionRequest;
        type Response = super::ServerReflectionResponse;
        const NAME: &'static str = "ServerReflectionInfo";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            incoming: crate::Streaming<Self::Request>,
        ) -> impl ::std::future::Future<
            Output = Result<
                impl crate::Stream<Item = Result<Self::Response, crate::Status>> + Send,
                crate::Status,
            >,
        > + Send {
            super::ServerReflection::server_reflection_info(service, cx, incoming)
        }
    }
}

/// What a server's services and messages look like, for tools.
///
/// Calls `grpc.reflection.v1.ServerReflection` over a channel.
#[derive(Clone)]
pub struct ServerReflectionClient {
    channel: crate::Channel,
}

impl ServerReflectionClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: crate::AnyChannel<P>) -> Self {
        Self { channel: channel.retyped() }
    }

    /// Answers each request with one response, in order.
    ///
    /// Method `ServerReflectionInfo`: awaited, it is a stream each way.
    #[inline]
    pub fn server_reflection_info(&self) -> crate::StreamingCall<crate::Duplex<ServerReflectionRequest, ServerReflectionResponse>> {
        crate::generated::streaming(&self.channel, crate::Target::fixed("grpc.reflection.v1.ServerReflection", "ServerReflectionInfo").at(0))
    }
}
