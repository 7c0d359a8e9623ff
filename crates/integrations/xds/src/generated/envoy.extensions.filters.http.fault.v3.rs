// Made by polywire-build from envoy/extensions/filters/http/fault/v3/fault.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct FaultAbort {
    /// Field 3: `percentage`
    pub percentage: crate::MessageField<super::super::super::super::super::r#type::v3::FractionalPercent>,
    pub error_type: ::std::option::Option<__buffa::oneof::fault_abort::ErrorType>,
}
impl ::std::fmt::Debug for FaultAbort {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("FaultAbort")
            .field("percentage", &self.percentage)
            .field("error_type", &self.error_type)
            .finish()
    }
}
impl FaultAbort {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.http.fault.v3.FaultAbort";
}
impl crate::generated::FieldMessage for FaultAbort {}
crate::generated::buffa::impl_default_instance!(FaultAbort);
impl crate::generated::buffa::MessageName for FaultAbort {
    const PACKAGE: &'static str = "envoy.extensions.filters.http.fault.v3";
    const NAME: &'static str = "FaultAbort";
    const FULL_NAME: &'static str = "envoy.extensions.filters.http.fault.v3.FaultAbort";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.http.fault.v3.FaultAbort";
}
impl crate::generated::buffa::Message for FaultAbort {
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
        if let ::std::option::Option::Some(ref v) = self.error_type {
            match v {
                __buffa::oneof::fault_abort::ErrorType::HttpStatus(v) => {
                    size += 1u64 + crate::generated::buffa::types::uint32_encoded_len(*v) as u64;
                }
                __buffa::oneof::fault_abort::ErrorType::HeaderAbort(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::fault_abort::ErrorType::GrpcStatus(v) => {
                    size += 1u64 + crate::generated::buffa::types::uint32_encoded_len(*v) as u64;
                }
            }
        }
        if self.percentage.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.percentage.compute_size(__cache);
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
        if let ::std::option::Option::Some(ref v) = self.error_type {
            match v {
                __buffa::oneof::fault_abort::ErrorType::HttpStatus(x) => {
                    crate::generated::buffa::types::put_uint32_field(2u32, *x, buf);
                }
                __buffa::oneof::fault_abort::ErrorType::HeaderAbort(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        4u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::fault_abort::ErrorType::GrpcStatus(x) => {
                    crate::generated::buffa::types::put_uint32_field(5u32, *x, buf);
                }
            }
        }
        if self.percentage.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.percentage.write_to(__cache, buf);
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
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.error_type = ::std::option::Option::Some(
                    __buffa::oneof::fault_abort::ErrorType::HttpStatus(
                        crate::generated::buffa::types::decode_uint32(buf)?,
                    ),
                );
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::fault_abort::ErrorType::HeaderAbort(ref mut existing),
                ) = self.error_type
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.error_type = ::std::option::Option::Some(
                        __buffa::oneof::fault_abort::ErrorType::HeaderAbort(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.error_type = ::std::option::Option::Some(
                    __buffa::oneof::fault_abort::ErrorType::GrpcStatus(
                        crate::generated::buffa::types::decode_uint32(buf)?,
                    ),
                );
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.percentage.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.error_type = ::std::option::Option::None;
        self.percentage = crate::MessageField::none();
    }
}
pub mod fault_abort {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct HeaderAbort {}
    impl ::std::fmt::Debug for HeaderAbort {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("HeaderAbort").finish()
        }
    }
    impl HeaderAbort {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.http.fault.v3.FaultAbort.HeaderAbort";
    }
    impl crate::generated::FieldMessage for HeaderAbort {}
    crate::generated::buffa::impl_default_instance!(HeaderAbort);
    impl crate::generated::buffa::MessageName for HeaderAbort {
        const PACKAGE: &'static str = "envoy.extensions.filters.http.fault.v3";
        const NAME: &'static str = "FaultAbort.HeaderAbort";
        const FULL_NAME: &'static str = "envoy.extensions.filters.http.fault.v3.FaultAbort.HeaderAbort";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.http.fault.v3.FaultAbort.HeaderAbort";
    }
    impl crate::generated::buffa::Message for HeaderAbort {
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
            let size = 0u64;
            crate::generated::buffa::saturate_size(size)
        }
        fn write_to(
            &self,
            _cache: &mut crate::generated::buffa::SizeCache,
            _buf: &mut impl crate::generated::buffa::EncodeSink,
        ) {
            #[allow(unused_imports)]
            use crate::generated::buffa::Enumeration as _;
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
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {}
    }
    #[doc(inline)]
    pub use super::__buffa::oneof::fault_abort::ErrorType;
}
#[derive(Clone, PartialEq, Default)]
pub struct HTTPFault {
    /// Field 1: `delay`
    pub delay: crate::MessageField<super::super::super::common::fault::v3::FaultDelay>,
    /// Field 2: `abort`
    pub abort: crate::MessageField<FaultAbort>,
    /// Field 6: `max_active_faults`
    pub max_active_faults: crate::MessageField<crate::wkt::UInt32Value>,
}
impl ::std::fmt::Debug for HTTPFault {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HTTPFault")
            .field("delay", &self.delay)
            .field("abort", &self.abort)
            .field("max_active_faults", &self.max_active_faults)
            .finish()
    }
}
impl HTTPFault {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault";
}
impl crate::generated::FieldMessage for HTTPFault {}
crate::generated::buffa::impl_default_instance!(HTTPFault);
impl crate::generated::buffa::MessageName for HTTPFault {
    const PACKAGE: &'static str = "envoy.extensions.filters.http.fault.v3";
    const NAME: &'static str = "HTTPFault";
    const FULL_NAME: &'static str = "envoy.extensions.filters.http.fault.v3.HTTPFault";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault";
}
impl crate::generated::buffa::Message for HTTPFault {
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
        if self.delay.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.delay.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.abort.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.abort.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.max_active_faults.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.max_active_faults.compute_size(__cache);
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
        if self.delay.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.delay.write_to(__cache, buf);
        }
        if self.abort.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.abort.write_to(__cache, buf);
        }
        if self.max_active_faults.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                6u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.max_active_faults.write_to(__cache, buf);
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
                crate::generated::buffa::Message::merge_length_delimited(
                    self.delay.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.abort.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.max_active_faults.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.delay = crate::MessageField::none();
        self.abort = crate::MessageField::none();
        self.max_active_faults = crate::MessageField::none();
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
        pub mod fault_abort {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum ErrorType {
                HttpStatus(u32),
                HeaderAbort(
                    ::std::boxed::Box<
                        super::super::super::fault_abort::HeaderAbort,
                    >,
                ),
                GrpcStatus(u32),
            }
            impl crate::generated::buffa::Oneof for ErrorType {}
            impl From<super::super::super::fault_abort::HeaderAbort> for ErrorType {
                fn from(v: super::super::super::fault_abort::HeaderAbort) -> Self {
                    Self::HeaderAbort(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::fault_abort::HeaderAbort>
            for ::std::option::Option<ErrorType> {
                fn from(v: super::super::super::fault_abort::HeaderAbort) -> Self {
                    Self::Some(ErrorType::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.extensions.filters.http.fault.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(FaultAbort, "envoy.extensions.filters.http.fault.v3.FaultAbort", POOL);
crate::generated::message!(fault_abort::HeaderAbort, "envoy.extensions.filters.http.fault.v3.FaultAbort.HeaderAbort", POOL);
crate::generated::message!(HTTPFault, "envoy.extensions.filters.http.fault.v3.HTTPFault", POOL);
