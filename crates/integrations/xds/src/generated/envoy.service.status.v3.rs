// Made by polywire-build from envoy/service/status/v3/csds.proto; changes are lost.

/// Which clients are meant: not supported.
#[derive(Clone, PartialEq, Default)]
pub struct NodeMatcher {}
impl ::std::fmt::Debug for NodeMatcher {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("NodeMatcher").finish()
    }
}
impl NodeMatcher {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.status.v3.NodeMatcher";
}
impl crate::generated::FieldMessage for NodeMatcher {}
crate::generated::buffa::impl_default_instance!(NodeMatcher);
impl crate::generated::buffa::MessageName for NodeMatcher {
    const PACKAGE: &'static str = "envoy.service.status.v3";
    const NAME: &'static str = "NodeMatcher";
    const FULL_NAME: &'static str = "envoy.service.status.v3.NodeMatcher";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.status.v3.NodeMatcher";
}
impl crate::generated::buffa::Message for NodeMatcher {
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
#[derive(Clone, PartialEq, Default)]
pub struct ClientStatusRequest {
    /// Field 1: `node_matchers`
    pub node_matchers: ::std::vec::Vec<NodeMatcher>,
    /// Field 3: `exclude_resource_contents`
    pub exclude_resource_contents: bool,
}
impl ::std::fmt::Debug for ClientStatusRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ClientStatusRequest")
            .field("node_matchers", &self.node_matchers)
            .field("exclude_resource_contents", &self.exclude_resource_contents)
            .finish()
    }
}
impl ClientStatusRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.status.v3.ClientStatusRequest";
}
impl crate::generated::FieldMessage for ClientStatusRequest {}
crate::generated::buffa::impl_default_instance!(ClientStatusRequest);
impl crate::generated::buffa::MessageName for ClientStatusRequest {
    const PACKAGE: &'static str = "envoy.service.status.v3";
    const NAME: &'static str = "ClientStatusRequest";
    const FULL_NAME: &'static str = "envoy.service.status.v3.ClientStatusRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.status.v3.ClientStatusRequest";
}
impl crate::generated::buffa::Message for ClientStatusRequest {
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
        for v in &self.node_matchers {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.exclude_resource_contents {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
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
        for v in &self.node_matchers {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.exclude_resource_contents {
            crate::generated::buffa::types::put_bool_field(3u32, self.exclude_resource_contents, buf);
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
                self.node_matchers.push(elem);
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.exclude_resource_contents = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.node_matchers.clear();
        self.exclude_resource_contents = false;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ClientConfig {
    /// Field 1: `node`
    pub node: crate::MessageField<super::super::super::config::core::v3::Node>,
    /// Field 3: `generic_xds_configs`
    pub generic_xds_configs: ::std::vec::Vec<client_config::GenericXdsConfig>,
    /// Field 4: `client_scope`
    pub client_scope: ::std::string::String,
}
impl ::std::fmt::Debug for ClientConfig {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ClientConfig")
            .field("node", &self.node)
            .field("generic_xds_configs", &self.generic_xds_configs)
            .field("client_scope", &self.client_scope)
            .finish()
    }
}
impl ClientConfig {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.status.v3.ClientConfig";
}
impl crate::generated::FieldMessage for ClientConfig {}
crate::generated::buffa::impl_default_instance!(ClientConfig);
impl crate::generated::buffa::MessageName for ClientConfig {
    const PACKAGE: &'static str = "envoy.service.status.v3";
    const NAME: &'static str = "ClientConfig";
    const FULL_NAME: &'static str = "envoy.service.status.v3.ClientConfig";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.status.v3.ClientConfig";
}
impl crate::generated::buffa::Message for ClientConfig {
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
        if self.node.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.node.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.generic_xds_configs {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.client_scope.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.client_scope) as u64;
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
        if self.node.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.node.write_to(__cache, buf);
        }
        for v in &self.generic_xds_configs {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if !self.client_scope.is_empty() {
            crate::generated::buffa::types::put_string_field(4u32, &self.client_scope, buf);
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.generic_xds_configs.push(elem);
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.client_scope, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.node = crate::MessageField::none();
        self.generic_xds_configs.clear();
        self.client_scope.clear();
    }
}
pub mod client_config {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct GenericXdsConfig {
        /// Field 1: `type_url`
        pub type_url: ::std::string::String,
        /// Field 2: `name`
        pub name: ::std::string::String,
        /// Field 3: `version_info`
        pub version_info: ::std::string::String,
        /// Field 4: `xds_config`
        pub xds_config: crate::MessageField<crate::wkt::Any>,
        /// Field 5: `last_updated`
        pub last_updated: crate::MessageField<crate::wkt::Timestamp>,
        /// Field 7: `client_status`
        pub client_status: crate::EnumValue<
            super::super::super::super::admin::v3::ClientResourceStatus,
        >,
        /// Field 8: `error_state`
        pub error_state: crate::MessageField<super::super::super::super::admin::v3::UpdateFailureState>,
    }
    impl ::std::fmt::Debug for GenericXdsConfig {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("GenericXdsConfig")
                .field("type_url", &self.type_url)
                .field("name", &self.name)
                .field("version_info", &self.version_info)
                .field("xds_config", &self.xds_config)
                .field("last_updated", &self.last_updated)
                .field("client_status", &self.client_status)
                .field("error_state", &self.error_state)
                .finish()
        }
    }
    impl GenericXdsConfig {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.status.v3.ClientConfig.GenericXdsConfig";
    }
    impl crate::generated::FieldMessage for GenericXdsConfig {}
    crate::generated::buffa::impl_default_instance!(GenericXdsConfig);
    impl crate::generated::buffa::MessageName for GenericXdsConfig {
        const PACKAGE: &'static str = "envoy.service.status.v3";
        const NAME: &'static str = "ClientConfig.GenericXdsConfig";
        const FULL_NAME: &'static str = "envoy.service.status.v3.ClientConfig.GenericXdsConfig";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.status.v3.ClientConfig.GenericXdsConfig";
    }
    impl crate::generated::buffa::Message for GenericXdsConfig {
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
            if !self.type_url.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.type_url) as u64;
            }
            if !self.name.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
            }
            if !self.version_info.is_empty() {
                size
                    += 1u64
                        + crate::generated::buffa::types::string_encoded_len(&self.version_info) as u64;
            }
            if self.xds_config.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.xds_config.compute_size(__cache);
                __cache.set(__slot, inner_size);
                size
                    += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                        + inner_size as u64;
            }
            if self.last_updated.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.last_updated.compute_size(__cache);
                __cache.set(__slot, inner_size);
                size
                    += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                        + inner_size as u64;
            }
            {
                let val = self.client_status.to_i32();
                if val != 0 {
                    size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
                }
            }
            if self.error_state.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.error_state.compute_size(__cache);
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
            if !self.type_url.is_empty() {
                crate::generated::buffa::types::put_string_field(1u32, &self.type_url, buf);
            }
            if !self.name.is_empty() {
                crate::generated::buffa::types::put_string_field(2u32, &self.name, buf);
            }
            if !self.version_info.is_empty() {
                crate::generated::buffa::types::put_string_field(3u32, &self.version_info, buf);
            }
            if self.xds_config.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    4u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.xds_config.write_to(__cache, buf);
            }
            if self.last_updated.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    5u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.last_updated.write_to(__cache, buf);
            }
            {
                let val = self.client_status.to_i32();
                if val != 0 {
                    crate::generated::buffa::types::put_int32_field(7u32, val, buf);
                }
            }
            if self.error_state.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    8u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.error_state.write_to(__cache, buf);
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
                    crate::generated::buffa::types::merge_string(&mut self.type_url, buf)?;
                }
                2u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
                }
                3u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.version_info, buf)?;
                }
                4u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::Message::merge_length_delimited(
                        self.xds_config.get_or_insert_default(),
                        buf,
                        ctx,
                    )?;
                }
                5u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::Message::merge_length_delimited(
                        self.last_updated.get_or_insert_default(),
                        buf,
                        ctx,
                    )?;
                }
                7u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::Varint,
                    )?;
                    self.client_status = crate::EnumValue::from(
                        crate::generated::buffa::types::decode_int32(buf)?,
                    );
                }
                8u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::Message::merge_length_delimited(
                        self.error_state.get_or_insert_default(),
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
            self.type_url.clear();
            self.name.clear();
            self.version_info.clear();
            self.xds_config = crate::MessageField::none();
            self.last_updated = crate::MessageField::none();
            self.client_status = crate::EnumValue::from(0);
            self.error_state = crate::MessageField::none();
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ClientStatusResponse {
    /// Field 1: `config`
    pub config: ::std::vec::Vec<ClientConfig>,
}
impl ::std::fmt::Debug for ClientStatusResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ClientStatusResponse").field("config", &self.config).finish()
    }
}
impl ClientStatusResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.status.v3.ClientStatusResponse";
}
impl crate::generated::FieldMessage for ClientStatusResponse {}
crate::generated::buffa::impl_default_instance!(ClientStatusResponse);
impl crate::generated::buffa::MessageName for ClientStatusResponse {
    const PACKAGE: &'static str = "envoy.service.status.v3";
    const NAME: &'static str = "ClientStatusResponse";
    const FULL_NAME: &'static str = "envoy.service.status.v3.ClientStatusResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.service.status.v3.ClientStatusResponse";
}
impl crate::generated::buffa::Message for ClientStatusResponse {
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
        for v in &self.config {
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
        for v in &self.config {
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
                self.config.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.config.clear();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.service.status.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(NodeMatcher, "envoy.service.status.v3.NodeMatcher", POOL);
crate::generated::message!(ClientStatusRequest, "envoy.service.status.v3.ClientStatusRequest", POOL);
crate::generated::message!(ClientConfig, "envoy.service.status.v3.ClientConfig", POOL, buffers { one node; each generic_xds_configs; one client_scope; });
crate::generated::message!(client_config::GenericXdsConfig, "envoy.service.status.v3.ClientConfig.GenericXdsConfig", POOL, buffers { one type_url; one name; one version_info; one error_state; });
crate::generated::message!(ClientStatusResponse, "envoy.service.status.v3.ClientStatusResponse", POOL, buffers { each config; });
