// Made by polywire-build from envoy/service/discovery/v3/discovery.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct DiscoveryRequest {
    /// Field 1: `version_info`
    pub version_info: ::std::string::String,
    /// Field 2: `node`
    pub node: crate::MessageField<super::super::super::config::core::v3::Node>,
    /// Field 3: `resource_names`
    pub resource_names: ::std::vec::Vec<::std::string::String>,
    /// Field 4: `type_url`
    pub type_url: ::std::string::String,
    /// Field 5: `response_nonce`
    pub response_nonce: ::std::string::String,
    /// Field 6: `error_detail`
    pub error_detail: crate::MessageField<super::super::super::super::google::rpc::Status>,
}
impl ::std::fmt::Debug for DiscoveryRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("DiscoveryRequest")
            .field("version_info", &self.version_info)
            .field("node", &self.node)
            .field("resource_names", &self.resource_names)
            .field("type_url", &self.type_url)
            .field("response_nonce", &self.response_nonce)
            .field("error_detail", &self.error_detail)
            .finish()
    }
}
impl DiscoveryRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.discovery.v3.DiscoveryRequest";
}
impl crate::generated::FieldMessage for DiscoveryRequest {}
crate::generated::buffa::impl_default_instance!(DiscoveryRequest);
impl crate::generated::buffa::MessageName for DiscoveryRequest {
    const PACKAGE: &'static str = "envoy.service.discovery.v3";
    const NAME: &'static str = "DiscoveryRequest";
    const FULL_NAME: &'static str = "envoy.service.discovery.v3.DiscoveryRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.discovery.v3.DiscoveryRequest";
}
impl crate::generated::buffa::Message for DiscoveryRequest {
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
        if !self.version_info.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.version_info) as u64;
        }
        if self.node.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.node.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.resource_names {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(v) as u64;
        }
        if !self.type_url.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.type_url) as u64;
        }
        if !self.response_nonce.is_empty() {
            size
                += 1u64
                    + crate::generated::buffa::types::string_encoded_len(&self.response_nonce) as u64;
        }
        if self.error_detail.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.error_detail.compute_size(__cache);
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
        if !self.version_info.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.version_info, buf);
        }
        if self.node.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.node.write_to(__cache, buf);
        }
        for v in &self.resource_names {
            crate::generated::buffa::types::put_string_field(3u32, v, buf);
        }
        if !self.type_url.is_empty() {
            crate::generated::buffa::types::put_string_field(4u32, &self.type_url, buf);
        }
        if !self.response_nonce.is_empty() {
            crate::generated::buffa::types::put_string_field(5u32, &self.response_nonce, buf);
        }
        if self.error_detail.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                6u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.error_detail.write_to(__cache, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.version_info, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.node.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = crate::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.resource_names.push(__elem);
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.type_url, buf)?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.response_nonce, buf)?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.error_detail.get_or_insert_default(),
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
        self.version_info.clear();
        self.node = crate::MessageField::none();
        self.resource_names.clear();
        self.type_url.clear();
        self.response_nonce.clear();
        self.error_detail = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct DiscoveryResponse {
    /// Field 1: `version_info`
    pub version_info: ::std::string::String,
    /// Field 2: `resources`
    pub resources: ::std::vec::Vec<crate::wkt::Any>,
    /// Field 4: `type_url`
    pub type_url: ::std::string::String,
    /// Field 5: `nonce`
    pub nonce: ::std::string::String,
}
impl ::std::fmt::Debug for DiscoveryResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("DiscoveryResponse")
            .field("version_info", &self.version_info)
            .field("resources", &self.resources)
            .field("type_url", &self.type_url)
            .field("nonce", &self.nonce)
            .finish()
    }
}
impl DiscoveryResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.discovery.v3.DiscoveryResponse";
}
impl crate::generated::FieldMessage for DiscoveryResponse {}
crate::generated::buffa::impl_default_instance!(DiscoveryResponse);
impl crate::generated::buffa::MessageName for DiscoveryResponse {
    const PACKAGE: &'static str = "envoy.service.discovery.v3";
    const NAME: &'static str = "DiscoveryResponse";
    const FULL_NAME: &'static str = "envoy.service.discovery.v3.DiscoveryResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.discovery.v3.DiscoveryResponse";
}
impl crate::generated::buffa::Message for DiscoveryResponse {
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
        if !self.version_info.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.version_info) as u64;
        }
        for v in &self.resources {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.type_url.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.type_url) as u64;
        }
        if !self.nonce.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.nonce) as u64;
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
        if !self.version_info.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.version_info, buf);
        }
        for v in &self.resources {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if !self.type_url.is_empty() {
            crate::generated::buffa::types::put_string_field(4u32, &self.type_url, buf);
        }
        if !self.nonce.is_empty() {
            crate::generated::buffa::types::put_string_field(5u32, &self.nonce, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.version_info, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.resources.push(elem);
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.type_url, buf)?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.nonce, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.version_info.clear();
        self.resources.clear();
        self.type_url.clear();
        self.nonce.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Resource {
    /// Field 2: `resource`
    pub resource: crate::MessageField<crate::wkt::Any>,
    /// Field 3: `name`
    pub name: ::std::string::String,
}
impl ::std::fmt::Debug for Resource {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Resource")
            .field("resource", &self.resource)
            .field("name", &self.name)
            .finish()
    }
}
impl Resource {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.discovery.v3.Resource";
}
impl crate::generated::FieldMessage for Resource {}
crate::generated::buffa::impl_default_instance!(Resource);
impl crate::generated::buffa::MessageName for Resource {
    const PACKAGE: &'static str = "envoy.service.discovery.v3";
    const NAME: &'static str = "Resource";
    const FULL_NAME: &'static str = "envoy.service.discovery.v3.Resource";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.discovery.v3.Resource";
}
impl crate::generated::buffa::Message for Resource {
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
        if self.resource.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.resource.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
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
        if self.resource.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.resource.write_to(__cache, buf);
        }
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(3u32, &self.name, buf);
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
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.resource.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            3u32 => {
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
        self.resource = crate::MessageField::none();
        self.name.clear();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.service.discovery.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(DiscoveryRequest, "envoy.service.discovery.v3.DiscoveryRequest", POOL, buffers { one version_info; one node; each resource_names; one type_url; one response_nonce; one error_detail; });
crate::generated::message!(DiscoveryResponse, "envoy.service.discovery.v3.DiscoveryResponse", POOL, buffers { one version_info; one type_url; one nonce; });
crate::generated::message!(Resource, "envoy.service.discovery.v3.Resource", POOL, buffers { one name; });
