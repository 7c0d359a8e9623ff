// Made by polywire-build from envoy/config/route/v3/route.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct RouteConfiguration {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `virtual_hosts`
    pub virtual_hosts: ::std::vec::Vec<VirtualHost>,
    /// Field 12: `cluster_specifier_plugins`
    pub cluster_specifier_plugins: ::std::vec::Vec<ClusterSpecifierPlugin>,
}
impl ::std::fmt::Debug for RouteConfiguration {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RouteConfiguration")
            .field("name", &self.name)
            .field("virtual_hosts", &self.virtual_hosts)
            .field("cluster_specifier_plugins", &self.cluster_specifier_plugins)
            .finish()
    }
}
impl RouteConfiguration {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteConfiguration";
}
impl crate::generated::FieldMessage for RouteConfiguration {}
crate::generated::buffa::impl_default_instance!(RouteConfiguration);
impl crate::generated::buffa::MessageName for RouteConfiguration {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "RouteConfiguration";
    const FULL_NAME: &'static str = "envoy.config.route.v3.RouteConfiguration";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteConfiguration";
}
impl crate::generated::buffa::Message for RouteConfiguration {
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
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        for v in &self.virtual_hosts {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.cluster_specifier_plugins {
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
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        for v in &self.virtual_hosts {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        for v in &self.cluster_specifier_plugins {
            crate::generated::buffa::types::put_len_delimited_header(
                12u32,
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
                crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
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
                self.virtual_hosts.push(elem);
            }
            12u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.cluster_specifier_plugins.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.virtual_hosts.clear();
        self.cluster_specifier_plugins.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ClusterSpecifierPlugin {
    /// Field 1: `extension`
    pub extension: crate::MessageField<super::super::core::v3::TypedExtensionConfig>,
    /// Field 2: `is_optional`
    pub is_optional: bool,
}
impl ::std::fmt::Debug for ClusterSpecifierPlugin {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ClusterSpecifierPlugin")
            .field("extension", &self.extension)
            .field("is_optional", &self.is_optional)
            .finish()
    }
}
impl ClusterSpecifierPlugin {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.ClusterSpecifierPlugin";
}
impl crate::generated::FieldMessage for ClusterSpecifierPlugin {}
crate::generated::buffa::impl_default_instance!(ClusterSpecifierPlugin);
impl crate::generated::buffa::MessageName for ClusterSpecifierPlugin {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "ClusterSpecifierPlugin";
    const FULL_NAME: &'static str = "envoy.config.route.v3.ClusterSpecifierPlugin";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.ClusterSpecifierPlugin";
}
impl crate::generated::buffa::Message for ClusterSpecifierPlugin {
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
        if self.extension.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.extension.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.is_optional {
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
        if self.extension.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.extension.write_to(__cache, buf);
        }
        if self.is_optional {
            crate::generated::buffa::types::put_bool_field(2u32, self.is_optional, buf);
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
                    self.extension.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.is_optional = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.extension = crate::MessageField::none();
        self.is_optional = false;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct VirtualHost {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `domains`
    pub domains: ::std::vec::Vec<::std::string::String>,
    /// Field 3: `routes`
    pub routes: ::std::vec::Vec<Route>,
    /// Field 15: `typed_per_filter_config`
    pub typed_per_filter_config: crate::Map<
        ::std::string::String,
        crate::wkt::Any,
    >,
    /// Field 16: `retry_policy`
    pub retry_policy: crate::MessageField<RetryPolicy>,
}
impl ::std::fmt::Debug for VirtualHost {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("VirtualHost")
            .field("name", &self.name)
            .field("domains", &self.domains)
            .field("routes", &self.routes)
            .field("typed_per_filter_config", &self.typed_per_filter_config)
            .field("retry_policy", &self.retry_policy)
            .finish()
    }
}
impl VirtualHost {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.VirtualHost";
}
impl crate::generated::FieldMessage for VirtualHost {}
crate::generated::buffa::impl_default_instance!(VirtualHost);
impl crate::generated::buffa::MessageName for VirtualHost {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "VirtualHost";
    const FULL_NAME: &'static str = "envoy.config.route.v3.VirtualHost";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.VirtualHost";
}
impl crate::generated::buffa::Message for VirtualHost {
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
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        for v in &self.domains {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(v) as u64;
        }
        for v in &self.routes {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        size
            += crate::generated::buffa::map_codec::message_field_len::<
                crate::generated::buffa::map_codec::Str,
                _,
                _,
            >(&self.typed_per_filter_config, 1u64, __cache);
        if self.retry_policy.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.retry_policy.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
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
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        for v in &self.domains {
            crate::generated::buffa::types::put_string_field(2u32, v, buf);
        }
        for v in &self.routes {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        crate::generated::buffa::map_codec::write_message_field::<
            crate::generated::buffa::map_codec::Str,
            _,
            _,
        >(&self.typed_per_filter_config, 15u32, __cache, buf);
        if self.retry_policy.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                16u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.retry_policy.write_to(__cache, buf);
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
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = crate::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.domains.push(__elem);
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
                self.routes.push(elem);
            }
            15u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::map_codec::merge_entry::<
                    crate::generated::buffa::map_codec::Str,
                    crate::generated::buffa::map_codec::Msg<_>,
                    _,
                >(&mut self.typed_per_filter_config, buf, ctx)?;
            }
            16u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.retry_policy.get_or_insert_default(),
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
        self.name.clear();
        self.domains.clear();
        self.routes.clear();
        crate::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.typed_per_filter_config);
        self.retry_policy = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct RedirectAction {}
impl ::std::fmt::Debug for RedirectAction {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RedirectAction").finish()
    }
}
impl RedirectAction {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RedirectAction";
}
impl crate::generated::FieldMessage for RedirectAction {}
crate::generated::buffa::impl_default_instance!(RedirectAction);
impl crate::generated::buffa::MessageName for RedirectAction {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "RedirectAction";
    const FULL_NAME: &'static str = "envoy.config.route.v3.RedirectAction";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RedirectAction";
}
impl crate::generated::buffa::Message for RedirectAction {
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
pub struct DirectResponseAction {}
impl ::std::fmt::Debug for DirectResponseAction {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("DirectResponseAction").finish()
    }
}
impl DirectResponseAction {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.DirectResponseAction";
}
impl crate::generated::FieldMessage for DirectResponseAction {}
crate::generated::buffa::impl_default_instance!(DirectResponseAction);
impl crate::generated::buffa::MessageName for DirectResponseAction {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "DirectResponseAction";
    const FULL_NAME: &'static str = "envoy.config.route.v3.DirectResponseAction";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.DirectResponseAction";
}
impl crate::generated::buffa::Message for DirectResponseAction {
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
pub struct FilterAction {}
impl ::std::fmt::Debug for FilterAction {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("FilterAction").finish()
    }
}
impl FilterAction {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.FilterAction";
}
impl crate::generated::FieldMessage for FilterAction {}
crate::generated::buffa::impl_default_instance!(FilterAction);
impl crate::generated::buffa::MessageName for FilterAction {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "FilterAction";
    const FULL_NAME: &'static str = "envoy.config.route.v3.FilterAction";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.FilterAction";
}
impl crate::generated::buffa::Message for FilterAction {
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
pub struct NonForwardingAction {}
impl ::std::fmt::Debug for NonForwardingAction {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("NonForwardingAction").finish()
    }
}
impl NonForwardingAction {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.NonForwardingAction";
}
impl crate::generated::FieldMessage for NonForwardingAction {}
crate::generated::buffa::impl_default_instance!(NonForwardingAction);
impl crate::generated::buffa::MessageName for NonForwardingAction {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "NonForwardingAction";
    const FULL_NAME: &'static str = "envoy.config.route.v3.NonForwardingAction";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.NonForwardingAction";
}
impl crate::generated::buffa::Message for NonForwardingAction {
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
pub struct Route {
    /// Field 1: `match`
    pub r#match: crate::MessageField<RouteMatch>,
    /// Field 13: `typed_per_filter_config`
    pub typed_per_filter_config: crate::Map<
        ::std::string::String,
        crate::wkt::Any,
    >,
    /// Field 14: `name`
    pub name: ::std::string::String,
    pub action: ::std::option::Option<__buffa::oneof::route::Action>,
}
impl ::std::fmt::Debug for Route {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Route")
            .field("match", &self.r#match)
            .field("typed_per_filter_config", &self.typed_per_filter_config)
            .field("name", &self.name)
            .field("action", &self.action)
            .finish()
    }
}
impl Route {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.Route";
}
impl crate::generated::FieldMessage for Route {}
crate::generated::buffa::impl_default_instance!(Route);
impl crate::generated::buffa::MessageName for Route {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "Route";
    const FULL_NAME: &'static str = "envoy.config.route.v3.Route";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.Route";
}
impl crate::generated::buffa::Message for Route {
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
        if self.r#match.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.r#match.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if let ::std::option::Option::Some(ref v) = self.action {
            match v {
                __buffa::oneof::route::Action::Route(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::route::Action::Redirect(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::route::Action::DirectResponse(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::route::Action::FilterAction(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 2u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::route::Action::NonForwardingAction(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 2u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
            }
        }
        size
            += crate::generated::buffa::map_codec::message_field_len::<
                crate::generated::buffa::map_codec::Str,
                _,
                _,
            >(&self.typed_per_filter_config, 1u64, __cache);
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
        if self.r#match.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.r#match.write_to(__cache, buf);
        }
        if let ::std::option::Option::Some(ref v) = self.action {
            match v {
                __buffa::oneof::route::Action::Route(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        2u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::route::Action::Redirect(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        3u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::route::Action::DirectResponse(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        7u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::route::Action::FilterAction(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        17u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::route::Action::NonForwardingAction(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        18u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
            }
        }
        crate::generated::buffa::map_codec::write_message_field::<
            crate::generated::buffa::map_codec::Str,
            _,
            _,
        >(&self.typed_per_filter_config, 13u32, __cache, buf);
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(14u32, &self.name, buf);
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
                    self.r#match.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::route::Action::Route(ref mut existing),
                ) = self.action
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.action = ::std::option::Option::Some(
                        __buffa::oneof::route::Action::Route(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::route::Action::Redirect(ref mut existing),
                ) = self.action
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.action = ::std::option::Option::Some(
                        __buffa::oneof::route::Action::Redirect(
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
                    __buffa::oneof::route::Action::DirectResponse(ref mut existing),
                ) = self.action
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.action = ::std::option::Option::Some(
                        __buffa::oneof::route::Action::DirectResponse(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            17u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::route::Action::FilterAction(ref mut existing),
                ) = self.action
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.action = ::std::option::Option::Some(
                        __buffa::oneof::route::Action::FilterAction(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            18u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::route::Action::NonForwardingAction(ref mut existing),
                ) = self.action
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.action = ::std::option::Option::Some(
                        __buffa::oneof::route::Action::NonForwardingAction(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            13u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::map_codec::merge_entry::<
                    crate::generated::buffa::map_codec::Str,
                    crate::generated::buffa::map_codec::Msg<_>,
                    _,
                >(&mut self.typed_per_filter_config, buf, ctx)?;
            }
            14u32 => {
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
        self.r#match = crate::MessageField::none();
        self.action = ::std::option::Option::None;
        crate::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.typed_per_filter_config);
        self.name.clear();
    }
}
pub mod route {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::route::Action;
}
#[derive(Clone, PartialEq, Default)]
pub struct QueryParameterMatcher {
    /// Field 1: `name`
    pub name: ::std::string::String,
}
impl ::std::fmt::Debug for QueryParameterMatcher {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("QueryParameterMatcher").field("name", &self.name).finish()
    }
}
impl QueryParameterMatcher {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.QueryParameterMatcher";
}
impl crate::generated::FieldMessage for QueryParameterMatcher {}
crate::generated::buffa::impl_default_instance!(QueryParameterMatcher);
impl crate::generated::buffa::MessageName for QueryParameterMatcher {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "QueryParameterMatcher";
    const FULL_NAME: &'static str = "envoy.config.route.v3.QueryParameterMatcher";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.QueryParameterMatcher";
}
impl crate::generated::buffa::Message for QueryParameterMatcher {
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
pub struct RouteMatch {
    /// Field 4: `case_sensitive`
    pub case_sensitive: crate::MessageField<crate::wkt::BoolValue>,
    /// Field 6: `headers`
    pub headers: ::std::vec::Vec<HeaderMatcher>,
    /// Field 7: `query_parameters`
    pub query_parameters: ::std::vec::Vec<QueryParameterMatcher>,
    /// Field 9: `runtime_fraction`
    pub runtime_fraction: crate::MessageField<super::super::core::v3::RuntimeFractionalPercent>,
    pub path_specifier: ::std::option::Option<
        __buffa::oneof::route_match::PathSpecifier,
    >,
}
impl ::std::fmt::Debug for RouteMatch {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RouteMatch")
            .field("case_sensitive", &self.case_sensitive)
            .field("headers", &self.headers)
            .field("query_parameters", &self.query_parameters)
            .field("runtime_fraction", &self.runtime_fraction)
            .field("path_specifier", &self.path_specifier)
            .finish()
    }
}
impl RouteMatch {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteMatch";
}
impl crate::generated::FieldMessage for RouteMatch {}
crate::generated::buffa::impl_default_instance!(RouteMatch);
impl crate::generated::buffa::MessageName for RouteMatch {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "RouteMatch";
    const FULL_NAME: &'static str = "envoy.config.route.v3.RouteMatch";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteMatch";
}
impl crate::generated::buffa::Message for RouteMatch {
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
        if let ::std::option::Option::Some(ref v) = self.path_specifier {
            match v {
                __buffa::oneof::route_match::PathSpecifier::Prefix(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::route_match::PathSpecifier::Path(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::route_match::PathSpecifier::SafeRegex(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
            }
        }
        if self.case_sensitive.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.case_sensitive.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.headers {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.query_parameters {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.runtime_fraction.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.runtime_fraction.compute_size(__cache);
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
        if let ::std::option::Option::Some(ref v) = self.path_specifier {
            match v {
                __buffa::oneof::route_match::PathSpecifier::Prefix(x) => {
                    crate::generated::buffa::types::put_string_field(1u32, x, buf);
                }
                __buffa::oneof::route_match::PathSpecifier::Path(x) => {
                    crate::generated::buffa::types::put_string_field(2u32, x, buf);
                }
                __buffa::oneof::route_match::PathSpecifier::SafeRegex(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        10u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
            }
        }
        if self.case_sensitive.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.case_sensitive.write_to(__cache, buf);
        }
        for v in &self.headers {
            crate::generated::buffa::types::put_len_delimited_header(
                6u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        for v in &self.query_parameters {
            crate::generated::buffa::types::put_len_delimited_header(
                7u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.runtime_fraction.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                9u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.runtime_fraction.write_to(__cache, buf);
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
                self.path_specifier = ::std::option::Option::Some(
                    __buffa::oneof::route_match::PathSpecifier::Prefix(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.path_specifier = ::std::option::Option::Some(
                    __buffa::oneof::route_match::PathSpecifier::Path(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            10u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::route_match::PathSpecifier::SafeRegex(
                        ref mut existing,
                    ),
                ) = self.path_specifier
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.path_specifier = ::std::option::Option::Some(
                        __buffa::oneof::route_match::PathSpecifier::SafeRegex(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.case_sensitive.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.headers.push(elem);
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.query_parameters.push(elem);
            }
            9u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.runtime_fraction.get_or_insert_default(),
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
        self.path_specifier = ::std::option::Option::None;
        self.case_sensitive = crate::MessageField::none();
        self.headers.clear();
        self.query_parameters.clear();
        self.runtime_fraction = crate::MessageField::none();
    }
}
pub mod route_match {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::route_match::PathSpecifier;
}
#[derive(Clone, PartialEq, Default)]
pub struct HeaderMatcher {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 8: `invert_match`
    pub invert_match: bool,
    pub header_match_specifier: ::std::option::Option<
        __buffa::oneof::header_matcher::HeaderMatchSpecifier,
    >,
}
impl ::std::fmt::Debug for HeaderMatcher {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HeaderMatcher")
            .field("name", &self.name)
            .field("invert_match", &self.invert_match)
            .field("header_match_specifier", &self.header_match_specifier)
            .finish()
    }
}
impl HeaderMatcher {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.HeaderMatcher";
}
impl crate::generated::FieldMessage for HeaderMatcher {}
crate::generated::buffa::impl_default_instance!(HeaderMatcher);
impl crate::generated::buffa::MessageName for HeaderMatcher {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "HeaderMatcher";
    const FULL_NAME: &'static str = "envoy.config.route.v3.HeaderMatcher";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.HeaderMatcher";
}
impl crate::generated::buffa::Message for HeaderMatcher {
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
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        if let ::std::option::Option::Some(ref v) = self.header_match_specifier {
            match v {
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::ExactMatch(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::RangeMatch(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::PresentMatch(
                    _x,
                ) => {
                    size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::PrefixMatch(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::SuffixMatch(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::SafeRegexMatch(
                    x,
                ) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::ContainsMatch(
                    x,
                ) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::StringMatch(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
            }
        }
        if self.invert_match {
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
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        if let ::std::option::Option::Some(ref v) = self.header_match_specifier {
            match v {
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::ExactMatch(x) => {
                    crate::generated::buffa::types::put_string_field(4u32, x, buf);
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::RangeMatch(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        6u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::PresentMatch(
                    x,
                ) => {
                    crate::generated::buffa::types::put_bool_field(7u32, *x, buf);
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::PrefixMatch(x) => {
                    crate::generated::buffa::types::put_string_field(9u32, x, buf);
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::SuffixMatch(x) => {
                    crate::generated::buffa::types::put_string_field(10u32, x, buf);
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::SafeRegexMatch(
                    x,
                ) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        11u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::ContainsMatch(
                    x,
                ) => {
                    crate::generated::buffa::types::put_string_field(12u32, x, buf);
                }
                __buffa::oneof::header_matcher::HeaderMatchSpecifier::StringMatch(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        13u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
            }
        }
        if self.invert_match {
            crate::generated::buffa::types::put_bool_field(8u32, self.invert_match, buf);
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
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.header_match_specifier = ::std::option::Option::Some(
                    __buffa::oneof::header_matcher::HeaderMatchSpecifier::ExactMatch(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::header_matcher::HeaderMatchSpecifier::RangeMatch(
                        ref mut existing,
                    ),
                ) = self.header_match_specifier
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.header_match_specifier = ::std::option::Option::Some(
                        __buffa::oneof::header_matcher::HeaderMatchSpecifier::RangeMatch(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.header_match_specifier = ::std::option::Option::Some(
                    __buffa::oneof::header_matcher::HeaderMatchSpecifier::PresentMatch(
                        crate::generated::buffa::types::decode_bool(buf)?,
                    ),
                );
            }
            9u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.header_match_specifier = ::std::option::Option::Some(
                    __buffa::oneof::header_matcher::HeaderMatchSpecifier::PrefixMatch(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            10u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.header_match_specifier = ::std::option::Option::Some(
                    __buffa::oneof::header_matcher::HeaderMatchSpecifier::SuffixMatch(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            11u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::header_matcher::HeaderMatchSpecifier::SafeRegexMatch(
                        ref mut existing,
                    ),
                ) = self.header_match_specifier
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.header_match_specifier = ::std::option::Option::Some(
                        __buffa::oneof::header_matcher::HeaderMatchSpecifier::SafeRegexMatch(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            12u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.header_match_specifier = ::std::option::Option::Some(
                    __buffa::oneof::header_matcher::HeaderMatchSpecifier::ContainsMatch(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            13u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::header_matcher::HeaderMatchSpecifier::StringMatch(
                        ref mut existing,
                    ),
                ) = self.header_match_specifier
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.header_match_specifier = ::std::option::Option::Some(
                        __buffa::oneof::header_matcher::HeaderMatchSpecifier::StringMatch(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            8u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.invert_match = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.header_match_specifier = ::std::option::Option::None;
        self.invert_match = false;
    }
}
pub mod header_matcher {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::header_matcher::HeaderMatchSpecifier;
}
#[derive(Clone, PartialEq, Default)]
pub struct WeightedCluster {
    /// Field 1: `clusters`
    pub clusters: ::std::vec::Vec<weighted_cluster::ClusterWeight>,
}
impl ::std::fmt::Debug for WeightedCluster {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("WeightedCluster").field("clusters", &self.clusters).finish()
    }
}
impl WeightedCluster {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.WeightedCluster";
}
impl crate::generated::FieldMessage for WeightedCluster {}
crate::generated::buffa::impl_default_instance!(WeightedCluster);
impl crate::generated::buffa::MessageName for WeightedCluster {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "WeightedCluster";
    const FULL_NAME: &'static str = "envoy.config.route.v3.WeightedCluster";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.WeightedCluster";
}
impl crate::generated::buffa::Message for WeightedCluster {
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
        for v in &self.clusters {
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
        for v in &self.clusters {
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
                self.clusters.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.clusters.clear();
    }
}
pub mod weighted_cluster {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct ClusterWeight {
        /// Field 1: `name`
        pub name: ::std::string::String,
        /// Field 2: `weight`
        pub weight: crate::MessageField<crate::wkt::UInt32Value>,
        /// Field 10: `typed_per_filter_config`
        pub typed_per_filter_config: crate::Map<
            ::std::string::String,
            crate::wkt::Any,
        >,
    }
    impl ::std::fmt::Debug for ClusterWeight {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("ClusterWeight")
                .field("name", &self.name)
                .field("weight", &self.weight)
                .field("typed_per_filter_config", &self.typed_per_filter_config)
                .finish()
        }
    }
    impl ClusterWeight {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.WeightedCluster.ClusterWeight";
    }
    impl crate::generated::FieldMessage for ClusterWeight {}
    crate::generated::buffa::impl_default_instance!(ClusterWeight);
    impl crate::generated::buffa::MessageName for ClusterWeight {
        const PACKAGE: &'static str = "envoy.config.route.v3";
        const NAME: &'static str = "WeightedCluster.ClusterWeight";
        const FULL_NAME: &'static str = "envoy.config.route.v3.WeightedCluster.ClusterWeight";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.WeightedCluster.ClusterWeight";
    }
    impl crate::generated::buffa::Message for ClusterWeight {
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
            if !self.name.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
            }
            if self.weight.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.weight.compute_size(__cache);
                __cache.set(__slot, inner_size);
                size
                    += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                        + inner_size as u64;
            }
            size
                += crate::generated::buffa::map_codec::message_field_len::<
                    crate::generated::buffa::map_codec::Str,
                    _,
                    _,
                >(&self.typed_per_filter_config, 1u64, __cache);
            crate::generated::buffa::saturate_size(size)
        }
        fn write_to(
            &self,
            __cache: &mut crate::generated::buffa::SizeCache,
            buf: &mut impl crate::generated::buffa::EncodeSink,
        ) {
            #[allow(unused_imports)]
            use crate::generated::buffa::Enumeration as _;
            if !self.name.is_empty() {
                crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
            }
            if self.weight.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    2u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.weight.write_to(__cache, buf);
            }
            crate::generated::buffa::map_codec::write_message_field::<
                crate::generated::buffa::map_codec::Str,
                _,
                _,
            >(&self.typed_per_filter_config, 10u32, __cache, buf);
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
                2u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::Message::merge_length_delimited(
                        self.weight.get_or_insert_default(),
                        buf,
                        ctx,
                    )?;
                }
                10u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::map_codec::merge_entry::<
                        crate::generated::buffa::map_codec::Str,
                        crate::generated::buffa::map_codec::Msg<_>,
                        _,
                    >(&mut self.typed_per_filter_config, buf, ctx)?;
                }
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.name.clear();
            self.weight = crate::MessageField::none();
            crate::generated::buffa::map_codec::MapStorage::storage_clear(
                &mut self.typed_per_filter_config,
            );
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct RouteAction {
    /// Field 9: `retry_policy`
    pub retry_policy: crate::MessageField<RetryPolicy>,
    /// Field 15: `hash_policy`
    pub hash_policy: ::std::vec::Vec<route_action::HashPolicy>,
    /// Field 36: `max_stream_duration`
    pub max_stream_duration: crate::MessageField<route_action::MaxStreamDuration>,
    pub cluster_specifier: ::std::option::Option<
        __buffa::oneof::route_action::ClusterSpecifier,
    >,
}
impl ::std::fmt::Debug for RouteAction {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RouteAction")
            .field("retry_policy", &self.retry_policy)
            .field("hash_policy", &self.hash_policy)
            .field("max_stream_duration", &self.max_stream_duration)
            .field("cluster_specifier", &self.cluster_specifier)
            .finish()
    }
}
impl RouteAction {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteAction";
}
impl crate::generated::FieldMessage for RouteAction {}
crate::generated::buffa::impl_default_instance!(RouteAction);
impl crate::generated::buffa::MessageName for RouteAction {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "RouteAction";
    const FULL_NAME: &'static str = "envoy.config.route.v3.RouteAction";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteAction";
}
impl crate::generated::buffa::Message for RouteAction {
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
        if let ::std::option::Option::Some(ref v) = self.cluster_specifier {
            match v {
                __buffa::oneof::route_action::ClusterSpecifier::Cluster(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::route_action::ClusterSpecifier::ClusterHeader(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::route_action::ClusterSpecifier::WeightedClusters(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::route_action::ClusterSpecifier::ClusterSpecifierPlugin(
                    x,
                ) => {
                    size += 2u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
            }
        }
        if self.retry_policy.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.retry_policy.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.hash_policy {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.max_stream_duration.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.max_stream_duration.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
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
        if let ::std::option::Option::Some(ref v) = self.cluster_specifier {
            match v {
                __buffa::oneof::route_action::ClusterSpecifier::Cluster(x) => {
                    crate::generated::buffa::types::put_string_field(1u32, x, buf);
                }
                __buffa::oneof::route_action::ClusterSpecifier::ClusterHeader(x) => {
                    crate::generated::buffa::types::put_string_field(2u32, x, buf);
                }
                __buffa::oneof::route_action::ClusterSpecifier::WeightedClusters(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        3u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::route_action::ClusterSpecifier::ClusterSpecifierPlugin(
                    x,
                ) => {
                    crate::generated::buffa::types::put_string_field(37u32, x, buf);
                }
            }
        }
        if self.retry_policy.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                9u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.retry_policy.write_to(__cache, buf);
        }
        for v in &self.hash_policy {
            crate::generated::buffa::types::put_len_delimited_header(
                15u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.max_stream_duration.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                36u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.max_stream_duration.write_to(__cache, buf);
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
                self.cluster_specifier = ::std::option::Option::Some(
                    __buffa::oneof::route_action::ClusterSpecifier::Cluster(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.cluster_specifier = ::std::option::Option::Some(
                    __buffa::oneof::route_action::ClusterSpecifier::ClusterHeader(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::route_action::ClusterSpecifier::WeightedClusters(
                        ref mut existing,
                    ),
                ) = self.cluster_specifier
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.cluster_specifier = ::std::option::Option::Some(
                        __buffa::oneof::route_action::ClusterSpecifier::WeightedClusters(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            37u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.cluster_specifier = ::std::option::Option::Some(
                    __buffa::oneof::route_action::ClusterSpecifier::ClusterSpecifierPlugin(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            9u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.retry_policy.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            15u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.hash_policy.push(elem);
            }
            36u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.max_stream_duration.get_or_insert_default(),
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
        self.cluster_specifier = ::std::option::Option::None;
        self.retry_policy = crate::MessageField::none();
        self.hash_policy.clear();
        self.max_stream_duration = crate::MessageField::none();
    }
}
pub mod route_action {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct HashPolicy {
        /// Field 4: `terminal`
        pub terminal: bool,
        pub policy_specifier: ::std::option::Option<
            super::__buffa::oneof::route_action::hash_policy::PolicySpecifier,
        >,
    }
    impl ::std::fmt::Debug for HashPolicy {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("HashPolicy")
                .field("terminal", &self.terminal)
                .field("policy_specifier", &self.policy_specifier)
                .finish()
        }
    }
    impl HashPolicy {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteAction.HashPolicy";
    }
    impl crate::generated::FieldMessage for HashPolicy {}
    crate::generated::buffa::impl_default_instance!(HashPolicy);
    impl crate::generated::buffa::MessageName for HashPolicy {
        const PACKAGE: &'static str = "envoy.config.route.v3";
        const NAME: &'static str = "RouteAction.HashPolicy";
        const FULL_NAME: &'static str = "envoy.config.route.v3.RouteAction.HashPolicy";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteAction.HashPolicy";
    }
    impl crate::generated::buffa::Message for HashPolicy {
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
            if let ::std::option::Option::Some(ref v) = self.policy_specifier {
                match v {
                    super::__buffa::oneof::route_action::hash_policy::PolicySpecifier::Header(
                        x,
                    ) => {
                        let __slot = __cache.reserve();
                        let inner = x.compute_size(__cache);
                        __cache.set(__slot, inner);
                        size
                            += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                                + inner as u64;
                    }
                    super::__buffa::oneof::route_action::hash_policy::PolicySpecifier::FilterState(
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
            if self.terminal {
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
            if let ::std::option::Option::Some(ref v) = self.policy_specifier {
                match v {
                    super::__buffa::oneof::route_action::hash_policy::PolicySpecifier::Header(
                        x,
                    ) => {
                        crate::generated::buffa::types::put_len_delimited_header(
                            1u32,
                            u64::from(__cache.consume_next()),
                            buf,
                        );
                        x.write_to(__cache, buf);
                    }
                    super::__buffa::oneof::route_action::hash_policy::PolicySpecifier::FilterState(
                        x,
                    ) => {
                        crate::generated::buffa::types::put_len_delimited_header(
                            6u32,
                            u64::from(__cache.consume_next()),
                            buf,
                        );
                        x.write_to(__cache, buf);
                    }
                }
            }
            if self.terminal {
                crate::generated::buffa::types::put_bool_field(4u32, self.terminal, buf);
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
                    if let ::std::option::Option::Some(
                        super::__buffa::oneof::route_action::hash_policy::PolicySpecifier::Header(
                            ref mut existing,
                        ),
                    ) = self.policy_specifier
                    {
                        crate::generated::buffa::Message::merge_length_delimited(
                            &mut **existing,
                            buf,
                            ctx,
                        )?;
                    } else {
                        let mut val = ::std::default::Default::default();
                        crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                        self.policy_specifier = ::std::option::Option::Some(
                            super::__buffa::oneof::route_action::hash_policy::PolicySpecifier::Header(
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
                        super::__buffa::oneof::route_action::hash_policy::PolicySpecifier::FilterState(
                            ref mut existing,
                        ),
                    ) = self.policy_specifier
                    {
                        crate::generated::buffa::Message::merge_length_delimited(
                            &mut **existing,
                            buf,
                            ctx,
                        )?;
                    } else {
                        let mut val = ::std::default::Default::default();
                        crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                        self.policy_specifier = ::std::option::Option::Some(
                            super::__buffa::oneof::route_action::hash_policy::PolicySpecifier::FilterState(
                                ::std::boxed::Box::new(val),
                            ),
                        );
                    }
                }
                4u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::Varint,
                    )?;
                    self.terminal = crate::generated::buffa::types::decode_bool(buf)?;
                }
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.policy_specifier = ::std::option::Option::None;
            self.terminal = false;
        }
    }
    pub mod hash_policy {
        #[allow(unused_imports)]
        use super::*;
        #[derive(Clone, PartialEq, Default)]
        pub struct Header {
            /// Field 1: `header_name`
            pub header_name: ::std::string::String,
            /// Field 2: `regex_rewrite`
            pub regex_rewrite: crate::MessageField<super::super::super::super::super::r#type::matcher::v3::RegexMatchAndSubstitute>,
        }
        impl ::std::fmt::Debug for Header {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct("Header")
                    .field("header_name", &self.header_name)
                    .field("regex_rewrite", &self.regex_rewrite)
                    .finish()
            }
        }
        impl Header {
            /// Protobuf type URL for this message, for use with `Any::pack` and
            /// `Any::unpack_if`.
            ///
            /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
            pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteAction.HashPolicy.Header";
        }
        impl crate::generated::FieldMessage for Header {}
        crate::generated::buffa::impl_default_instance!(Header);
        impl crate::generated::buffa::MessageName for Header {
            const PACKAGE: &'static str = "envoy.config.route.v3";
            const NAME: &'static str = "RouteAction.HashPolicy.Header";
            const FULL_NAME: &'static str = "envoy.config.route.v3.RouteAction.HashPolicy.Header";
            const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteAction.HashPolicy.Header";
        }
        impl crate::generated::buffa::Message for Header {
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
                if !self.header_name.is_empty() {
                    size
                        += 1u64
                            + crate::generated::buffa::types::string_encoded_len(&self.header_name)
                                as u64;
                }
                if self.regex_rewrite.is_set() {
                    let __slot = __cache.reserve();
                    let inner_size = self.regex_rewrite.compute_size(__cache);
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
                if !self.header_name.is_empty() {
                    crate::generated::buffa::types::put_string_field(1u32, &self.header_name, buf);
                }
                if self.regex_rewrite.is_set() {
                    crate::generated::buffa::types::put_len_delimited_header(
                        2u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    self.regex_rewrite.write_to(__cache, buf);
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
                        crate::generated::buffa::types::merge_string(&mut self.header_name, buf)?;
                    }
                    2u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        crate::generated::buffa::Message::merge_length_delimited(
                            self.regex_rewrite.get_or_insert_default(),
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
                self.header_name.clear();
                self.regex_rewrite = crate::MessageField::none();
            }
        }
        #[derive(Clone, PartialEq, Default)]
        pub struct FilterState {
            /// Field 1: `key`
            pub key: ::std::string::String,
        }
        impl ::std::fmt::Debug for FilterState {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct("FilterState").field("key", &self.key).finish()
            }
        }
        impl FilterState {
            /// Protobuf type URL for this message, for use with `Any::pack` and
            /// `Any::unpack_if`.
            ///
            /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
            pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteAction.HashPolicy.FilterState";
        }
        impl crate::generated::FieldMessage for FilterState {}
        crate::generated::buffa::impl_default_instance!(FilterState);
        impl crate::generated::buffa::MessageName for FilterState {
            const PACKAGE: &'static str = "envoy.config.route.v3";
            const NAME: &'static str = "RouteAction.HashPolicy.FilterState";
            const FULL_NAME: &'static str = "envoy.config.route.v3.RouteAction.HashPolicy.FilterState";
            const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteAction.HashPolicy.FilterState";
        }
        impl crate::generated::buffa::Message for FilterState {
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
                if !self.key.is_empty() {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.key) as u64;
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
                if !self.key.is_empty() {
                    crate::generated::buffa::types::put_string_field(1u32, &self.key, buf);
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
                        crate::generated::buffa::types::merge_string(&mut self.key, buf)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(())
            }
            fn clear(&mut self) {
                self.key.clear();
            }
        }
        #[doc(inline)]
        pub use super::super::__buffa::oneof::route_action::hash_policy::PolicySpecifier;
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct MaxStreamDuration {
        /// Field 1: `max_stream_duration`
        pub max_stream_duration: crate::MessageField<crate::wkt::Duration>,
        /// Field 2: `grpc_timeout_header_max`
        pub grpc_timeout_header_max: crate::MessageField<crate::wkt::Duration>,
    }
    impl ::std::fmt::Debug for MaxStreamDuration {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("MaxStreamDuration")
                .field("max_stream_duration", &self.max_stream_duration)
                .field("grpc_timeout_header_max", &self.grpc_timeout_header_max)
                .finish()
        }
    }
    impl MaxStreamDuration {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteAction.MaxStreamDuration";
    }
    impl crate::generated::FieldMessage for MaxStreamDuration {}
    crate::generated::buffa::impl_default_instance!(MaxStreamDuration);
    impl crate::generated::buffa::MessageName for MaxStreamDuration {
        const PACKAGE: &'static str = "envoy.config.route.v3";
        const NAME: &'static str = "RouteAction.MaxStreamDuration";
        const FULL_NAME: &'static str = "envoy.config.route.v3.RouteAction.MaxStreamDuration";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RouteAction.MaxStreamDuration";
    }
    impl crate::generated::buffa::Message for MaxStreamDuration {
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
            if self.max_stream_duration.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.max_stream_duration.compute_size(__cache);
                __cache.set(__slot, inner_size);
                size
                    += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                        + inner_size as u64;
            }
            if self.grpc_timeout_header_max.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.grpc_timeout_header_max.compute_size(__cache);
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
            if self.max_stream_duration.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    1u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.max_stream_duration.write_to(__cache, buf);
            }
            if self.grpc_timeout_header_max.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    2u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.grpc_timeout_header_max.write_to(__cache, buf);
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
                        self.max_stream_duration.get_or_insert_default(),
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
                        self.grpc_timeout_header_max.get_or_insert_default(),
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
            self.max_stream_duration = crate::MessageField::none();
            self.grpc_timeout_header_max = crate::MessageField::none();
        }
    }
    #[doc(inline)]
    pub use super::__buffa::oneof::route_action::ClusterSpecifier;
}
#[derive(Clone, PartialEq, Default)]
pub struct RetryPolicy {
    /// Field 1: `retry_on`
    pub retry_on: ::std::string::String,
    /// Field 2: `num_retries`
    pub num_retries: crate::MessageField<crate::wkt::UInt32Value>,
    /// Field 8: `retry_back_off`
    pub retry_back_off: crate::MessageField<retry_policy::RetryBackOff>,
}
impl ::std::fmt::Debug for RetryPolicy {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RetryPolicy")
            .field("retry_on", &self.retry_on)
            .field("num_retries", &self.num_retries)
            .field("retry_back_off", &self.retry_back_off)
            .finish()
    }
}
impl RetryPolicy {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RetryPolicy";
}
impl crate::generated::FieldMessage for RetryPolicy {}
crate::generated::buffa::impl_default_instance!(RetryPolicy);
impl crate::generated::buffa::MessageName for RetryPolicy {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "RetryPolicy";
    const FULL_NAME: &'static str = "envoy.config.route.v3.RetryPolicy";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RetryPolicy";
}
impl crate::generated::buffa::Message for RetryPolicy {
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
        if !self.retry_on.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.retry_on) as u64;
        }
        if self.num_retries.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.num_retries.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.retry_back_off.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.retry_back_off.compute_size(__cache);
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
        if !self.retry_on.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.retry_on, buf);
        }
        if self.num_retries.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.num_retries.write_to(__cache, buf);
        }
        if self.retry_back_off.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                8u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.retry_back_off.write_to(__cache, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.retry_on, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.num_retries.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            8u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.retry_back_off.get_or_insert_default(),
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
        self.retry_on.clear();
        self.num_retries = crate::MessageField::none();
        self.retry_back_off = crate::MessageField::none();
    }
}
pub mod retry_policy {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct RetryBackOff {
        /// Field 1: `base_interval`
        pub base_interval: crate::MessageField<crate::wkt::Duration>,
        /// Field 2: `max_interval`
        pub max_interval: crate::MessageField<crate::wkt::Duration>,
    }
    impl ::std::fmt::Debug for RetryBackOff {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("RetryBackOff")
                .field("base_interval", &self.base_interval)
                .field("max_interval", &self.max_interval)
                .finish()
        }
    }
    impl RetryBackOff {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RetryPolicy.RetryBackOff";
    }
    impl crate::generated::FieldMessage for RetryBackOff {}
    crate::generated::buffa::impl_default_instance!(RetryBackOff);
    impl crate::generated::buffa::MessageName for RetryBackOff {
        const PACKAGE: &'static str = "envoy.config.route.v3";
        const NAME: &'static str = "RetryPolicy.RetryBackOff";
        const FULL_NAME: &'static str = "envoy.config.route.v3.RetryPolicy.RetryBackOff";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.RetryPolicy.RetryBackOff";
    }
    impl crate::generated::buffa::Message for RetryBackOff {
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
            if self.base_interval.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.base_interval.compute_size(__cache);
                __cache.set(__slot, inner_size);
                size
                    += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                        + inner_size as u64;
            }
            if self.max_interval.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.max_interval.compute_size(__cache);
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
            if self.base_interval.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    1u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.base_interval.write_to(__cache, buf);
            }
            if self.max_interval.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    2u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.max_interval.write_to(__cache, buf);
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
                        self.base_interval.get_or_insert_default(),
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
                        self.max_interval.get_or_insert_default(),
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
            self.base_interval = crate::MessageField::none();
            self.max_interval = crate::MessageField::none();
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct FilterConfig {
    /// Field 1: `config`
    pub config: crate::MessageField<crate::wkt::Any>,
    /// Field 2: `is_optional`
    pub is_optional: bool,
    /// Field 3: `disabled`
    pub disabled: bool,
}
impl ::std::fmt::Debug for FilterConfig {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("FilterConfig")
            .field("config", &self.config)
            .field("is_optional", &self.is_optional)
            .field("disabled", &self.disabled)
            .finish()
    }
}
impl FilterConfig {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.FilterConfig";
}
impl crate::generated::FieldMessage for FilterConfig {}
crate::generated::buffa::impl_default_instance!(FilterConfig);
impl crate::generated::buffa::MessageName for FilterConfig {
    const PACKAGE: &'static str = "envoy.config.route.v3";
    const NAME: &'static str = "FilterConfig";
    const FULL_NAME: &'static str = "envoy.config.route.v3.FilterConfig";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.route.v3.FilterConfig";
}
impl crate::generated::buffa::Message for FilterConfig {
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
        if self.config.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.config.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.is_optional {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        if self.disabled {
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
        if self.config.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.config.write_to(__cache, buf);
        }
        if self.is_optional {
            crate::generated::buffa::types::put_bool_field(2u32, self.is_optional, buf);
        }
        if self.disabled {
            crate::generated::buffa::types::put_bool_field(3u32, self.disabled, buf);
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
                    self.config.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.is_optional = crate::generated::buffa::types::decode_bool(buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.disabled = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.config = crate::MessageField::none();
        self.is_optional = false;
        self.disabled = false;
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
        pub mod route {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum Action {
                Route(::std::boxed::Box<super::super::super::RouteAction>),
                Redirect(
                    ::std::boxed::Box<super::super::super::RedirectAction>,
                ),
                DirectResponse(
                    ::std::boxed::Box<super::super::super::DirectResponseAction>,
                ),
                FilterAction(
                    ::std::boxed::Box<super::super::super::FilterAction>,
                ),
                NonForwardingAction(
                    ::std::boxed::Box<super::super::super::NonForwardingAction>,
                ),
            }
            impl crate::generated::buffa::Oneof for Action {}
            impl From<super::super::super::RouteAction> for Action {
                fn from(v: super::super::super::RouteAction) -> Self {
                    Self::Route(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::RouteAction>
            for ::std::option::Option<Action> {
                fn from(v: super::super::super::RouteAction) -> Self {
                    Self::Some(Action::from(v))
                }
            }
            impl From<super::super::super::RedirectAction> for Action {
                fn from(v: super::super::super::RedirectAction) -> Self {
                    Self::Redirect(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::RedirectAction>
            for ::std::option::Option<Action> {
                fn from(v: super::super::super::RedirectAction) -> Self {
                    Self::Some(Action::from(v))
                }
            }
            impl From<super::super::super::DirectResponseAction> for Action {
                fn from(v: super::super::super::DirectResponseAction) -> Self {
                    Self::DirectResponse(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::DirectResponseAction>
            for ::std::option::Option<Action> {
                fn from(v: super::super::super::DirectResponseAction) -> Self {
                    Self::Some(Action::from(v))
                }
            }
            impl From<super::super::super::FilterAction> for Action {
                fn from(v: super::super::super::FilterAction) -> Self {
                    Self::FilterAction(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::FilterAction>
            for ::std::option::Option<Action> {
                fn from(v: super::super::super::FilterAction) -> Self {
                    Self::Some(Action::from(v))
                }
            }
            impl From<super::super::super::NonForwardingAction> for Action {
                fn from(v: super::super::super::NonForwardingAction) -> Self {
                    Self::NonForwardingAction(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::NonForwardingAction>
            for ::std::option::Option<Action> {
                fn from(v: super::super::super::NonForwardingAction) -> Self {
                    Self::Some(Action::from(v))
                }
            }
        }
        pub mod route_match {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum PathSpecifier {
                Prefix(::std::string::String),
                Path(::std::string::String),
                SafeRegex(
                    ::std::boxed::Box<
                        super::super::super::super::super::super::r#type::matcher::v3::RegexMatcher,
                    >,
                ),
            }
            impl crate::generated::buffa::Oneof for PathSpecifier {}
            impl From<
                super::super::super::super::super::super::r#type::matcher::v3::RegexMatcher,
            > for PathSpecifier {
                fn from(
                    v: super::super::super::super::super::super::r#type::matcher::v3::RegexMatcher,
                ) -> Self {
                    Self::SafeRegex(::std::boxed::Box::new(v))
                }
            }
            impl From<
                super::super::super::super::super::super::r#type::matcher::v3::RegexMatcher,
            > for ::std::option::Option<PathSpecifier> {
                fn from(
                    v: super::super::super::super::super::super::r#type::matcher::v3::RegexMatcher,
                ) -> Self {
                    Self::Some(PathSpecifier::from(v))
                }
            }
        }
        pub mod header_matcher {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum HeaderMatchSpecifier {
                ExactMatch(::std::string::String),
                RangeMatch(
                    ::std::boxed::Box<
                        super::super::super::super::super::super::r#type::v3::Int64Range,
                    >,
                ),
                PresentMatch(bool),
                PrefixMatch(::std::string::String),
                SuffixMatch(::std::string::String),
                SafeRegexMatch(
                    ::std::boxed::Box<
                        super::super::super::super::super::super::r#type::matcher::v3::RegexMatcher,
                    >,
                ),
                ContainsMatch(::std::string::String),
                StringMatch(
                    ::std::boxed::Box<
                        super::super::super::super::super::super::r#type::matcher::v3::StringMatcher,
                    >,
                ),
            }
            impl crate::generated::buffa::Oneof for HeaderMatchSpecifier {}
            impl From<super::super::super::super::super::super::r#type::v3::Int64Range>
            for HeaderMatchSpecifier {
                fn from(
                    v: super::super::super::super::super::super::r#type::v3::Int64Range,
                ) -> Self {
                    Self::RangeMatch(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::super::super::super::r#type::v3::Int64Range>
            for ::std::option::Option<HeaderMatchSpecifier> {
                fn from(
                    v: super::super::super::super::super::super::r#type::v3::Int64Range,
                ) -> Self {
                    Self::Some(HeaderMatchSpecifier::from(v))
                }
            }
            impl From<
                super::super::super::super::super::super::r#type::matcher::v3::RegexMatcher,
            > for HeaderMatchSpecifier {
                fn from(
                    v: super::super::super::super::super::super::r#type::matcher::v3::RegexMatcher,
                ) -> Self {
                    Self::SafeRegexMatch(::std::boxed::Box::new(v))
                }
            }
            impl From<
                super::super::super::super::super::super::r#type::matcher::v3::RegexMatcher,
            > for ::std::option::Option<HeaderMatchSpecifier> {
                fn from(
                    v: super::super::super::super::super::super::r#type::matcher::v3::RegexMatcher,
                ) -> Self {
                    Self::Some(HeaderMatchSpecifier::from(v))
                }
            }
            impl From<
                super::super::super::super::super::super::r#type::matcher::v3::StringMatcher,
            > for HeaderMatchSpecifier {
                fn from(
                    v: super::super::super::super::super::super::r#type::matcher::v3::StringMatcher,
                ) -> Self {
                    Self::StringMatch(::std::boxed::Box::new(v))
                }
            }
            impl From<
                super::super::super::super::super::super::r#type::matcher::v3::StringMatcher,
            > for ::std::option::Option<HeaderMatchSpecifier> {
                fn from(
                    v: super::super::super::super::super::super::r#type::matcher::v3::StringMatcher,
                ) -> Self {
                    Self::Some(HeaderMatchSpecifier::from(v))
                }
            }
        }
        pub mod route_action {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum ClusterSpecifier {
                Cluster(::std::string::String),
                ClusterHeader(::std::string::String),
                WeightedClusters(
                    ::std::boxed::Box<super::super::super::WeightedCluster>,
                ),
                ClusterSpecifierPlugin(::std::string::String),
            }
            impl crate::generated::buffa::Oneof for ClusterSpecifier {}
            impl From<super::super::super::WeightedCluster> for ClusterSpecifier {
                fn from(v: super::super::super::WeightedCluster) -> Self {
                    Self::WeightedClusters(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::WeightedCluster>
            for ::std::option::Option<ClusterSpecifier> {
                fn from(v: super::super::super::WeightedCluster) -> Self {
                    Self::Some(ClusterSpecifier::from(v))
                }
            }
            pub mod hash_policy {
                #[allow(unused_imports)]
                use super::*;
                #[derive(Clone, PartialEq, Debug)]
                pub enum PolicySpecifier {
                    Header(
                        ::std::boxed::Box<
                            super::super::super::super::route_action::hash_policy::Header,
                        >,
                    ),
                    FilterState(
                        ::std::boxed::Box<
                            super::super::super::super::route_action::hash_policy::FilterState,
                        >,
                    ),
                }
                impl crate::generated::buffa::Oneof for PolicySpecifier {}
                impl From<super::super::super::super::route_action::hash_policy::Header>
                for PolicySpecifier {
                    fn from(
                        v: super::super::super::super::route_action::hash_policy::Header,
                    ) -> Self {
                        Self::Header(::std::boxed::Box::new(v))
                    }
                }
                impl From<super::super::super::super::route_action::hash_policy::Header>
                for ::std::option::Option<PolicySpecifier> {
                    fn from(
                        v: super::super::super::super::route_action::hash_policy::Header,
                    ) -> Self {
                        Self::Some(PolicySpecifier::from(v))
                    }
                }
                impl From<
                    super::super::super::super::route_action::hash_policy::FilterState,
                > for PolicySpecifier {
                    fn from(
                        v: super::super::super::super::route_action::hash_policy::FilterState,
                    ) -> Self {
                        Self::FilterState(::std::boxed::Box::new(v))
                    }
                }
                impl From<
                    super::super::super::super::route_action::hash_policy::FilterState,
                > for ::std::option::Option<PolicySpecifier> {
                    fn from(
                        v: super::super::super::super::route_action::hash_policy::FilterState,
                    ) -> Self {
                        Self::Some(PolicySpecifier::from(v))
                    }
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.config.route.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(RouteConfiguration, "envoy.config.route.v3.RouteConfiguration", POOL, buffers { one name; each virtual_hosts; each cluster_specifier_plugins; });
crate::generated::message!(ClusterSpecifierPlugin, "envoy.config.route.v3.ClusterSpecifierPlugin", POOL, buffers { one extension; });
crate::generated::message!(VirtualHost, "envoy.config.route.v3.VirtualHost", POOL, buffers { one name; each domains; each routes; one retry_policy; });
crate::generated::message!(RedirectAction, "envoy.config.route.v3.RedirectAction", POOL);
crate::generated::message!(DirectResponseAction, "envoy.config.route.v3.DirectResponseAction", POOL);
crate::generated::message!(FilterAction, "envoy.config.route.v3.FilterAction", POOL);
crate::generated::message!(NonForwardingAction, "envoy.config.route.v3.NonForwardingAction", POOL);
crate::generated::message!(Route, "envoy.config.route.v3.Route", POOL, buffers { one r#match; one name; });
crate::generated::message!(QueryParameterMatcher, "envoy.config.route.v3.QueryParameterMatcher", POOL, buffers { one name; });
crate::generated::message!(RouteMatch, "envoy.config.route.v3.RouteMatch", POOL, buffers { each headers; each query_parameters; });
crate::generated::message!(HeaderMatcher, "envoy.config.route.v3.HeaderMatcher", POOL, buffers { one name; });
crate::generated::message!(WeightedCluster, "envoy.config.route.v3.WeightedCluster", POOL, buffers { each clusters; });
crate::generated::message!(weighted_cluster::ClusterWeight, "envoy.config.route.v3.WeightedCluster.ClusterWeight", POOL, buffers { one name; });
crate::generated::message!(RouteAction, "envoy.config.route.v3.RouteAction", POOL, buffers { one retry_policy; });
crate::generated::message!(route_action::HashPolicy, "envoy.config.route.v3.RouteAction.HashPolicy", POOL);
crate::generated::message!(route_action::hash_policy::Header, "envoy.config.route.v3.RouteAction.HashPolicy.Header", POOL, buffers { one header_name; one regex_rewrite; });
crate::generated::message!(route_action::hash_policy::FilterState, "envoy.config.route.v3.RouteAction.HashPolicy.FilterState", POOL, buffers { one key; });
crate::generated::message!(route_action::MaxStreamDuration, "envoy.config.route.v3.RouteAction.MaxStreamDuration", POOL);
crate::generated::message!(RetryPolicy, "envoy.config.route.v3.RetryPolicy", POOL, buffers { one retry_on; });
crate::generated::message!(retry_policy::RetryBackOff, "envoy.config.route.v3.RetryPolicy.RetryBackOff", POOL);
crate::generated::message!(FilterConfig, "envoy.config.route.v3.FilterConfig", POOL);
