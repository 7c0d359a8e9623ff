// Made by polywire-build from envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct Rds {
    /// Field 1: `config_source`
    pub config_source: crate::MessageField<super::super::super::super::super::config::core::v3::ConfigSource>,
    /// Field 2: `route_config_name`
    pub route_config_name: ::std::string::String,
}
impl ::std::fmt::Debug for Rds {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Rds")
            .field("config_source", &self.config_source)
            .field("route_config_name", &self.route_config_name)
            .finish()
    }
}
impl Rds {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.Rds";
}
impl crate::generated::FieldMessage for Rds {}
crate::generated::buffa::impl_default_instance!(Rds);
impl crate::generated::buffa::MessageName for Rds {
    const PACKAGE: &'static str = "envoy.extensions.filters.network.http_connection_manager.v3";
    const NAME: &'static str = "Rds";
    const FULL_NAME: &'static str = "envoy.extensions.filters.network.http_connection_manager.v3.Rds";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.Rds";
}
impl crate::generated::buffa::Message for Rds {
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
        if self.config_source.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.config_source.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.route_config_name.is_empty() {
            size
                += 1u64
                    + crate::generated::buffa::types::string_encoded_len(&self.route_config_name) as u64;
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
        if self.config_source.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.config_source.write_to(__cache, buf);
        }
        if !self.route_config_name.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.route_config_name, buf);
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
                    self.config_source.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.route_config_name, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.config_source = crate::MessageField::none();
        self.route_config_name.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ScopedRoutes {}
impl ::std::fmt::Debug for ScopedRoutes {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ScopedRoutes").finish()
    }
}
impl ScopedRoutes {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes";
}
impl crate::generated::FieldMessage for ScopedRoutes {}
crate::generated::buffa::impl_default_instance!(ScopedRoutes);
impl crate::generated::buffa::MessageName for ScopedRoutes {
    const PACKAGE: &'static str = "envoy.extensions.filters.network.http_connection_manager.v3";
    const NAME: &'static str = "ScopedRoutes";
    const FULL_NAME: &'static str = "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes";
}
impl crate::generated::buffa::Message for ScopedRoutes {
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
pub struct HttpFilter {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 4: `typed_config`
    pub typed_config: crate::MessageField<crate::wkt::Any>,
    /// Field 6: `is_optional`
    pub is_optional: bool,
    /// Field 7: `disabled`
    pub disabled: bool,
}
impl ::std::fmt::Debug for HttpFilter {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HttpFilter")
            .field("name", &self.name)
            .field("typed_config", &self.typed_config)
            .field("is_optional", &self.is_optional)
            .field("disabled", &self.disabled)
            .finish()
    }
}
impl HttpFilter {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter";
}
impl crate::generated::FieldMessage for HttpFilter {}
crate::generated::buffa::impl_default_instance!(HttpFilter);
impl crate::generated::buffa::MessageName for HttpFilter {
    const PACKAGE: &'static str = "envoy.extensions.filters.network.http_connection_manager.v3";
    const NAME: &'static str = "HttpFilter";
    const FULL_NAME: &'static str = "envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter";
}
impl crate::generated::buffa::Message for HttpFilter {
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
        if self.typed_config.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.typed_config.compute_size(__cache);
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
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        if self.typed_config.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.typed_config.write_to(__cache, buf);
        }
        if self.is_optional {
            crate::generated::buffa::types::put_bool_field(6u32, self.is_optional, buf);
        }
        if self.disabled {
            crate::generated::buffa::types::put_bool_field(7u32, self.disabled, buf);
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
                crate::generated::buffa::Message::merge_length_delimited(
                    self.typed_config.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.is_optional = crate::generated::buffa::types::decode_bool(buf)?;
            }
            7u32 => {
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
        self.name.clear();
        self.typed_config = crate::MessageField::none();
        self.is_optional = false;
        self.disabled = false;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct HttpConnectionManager {
    /// Field 5: `http_filters`
    pub http_filters: ::std::vec::Vec<HttpFilter>,
    /// Field 19: `xff_num_trusted_hops`
    pub xff_num_trusted_hops: u32,
    /// Field 35: `common_http_protocol_options`
    pub common_http_protocol_options: crate::MessageField<super::super::super::super::super::config::core::v3::HttpProtocolOptions>,
    /// Field 46: `original_ip_detection_extensions`
    pub original_ip_detection_extensions: ::std::vec::Vec<
        super::super::super::super::super::config::core::v3::TypedExtensionConfig,
    >,
    pub route_specifier: ::std::option::Option<
        __buffa::oneof::http_connection_manager::RouteSpecifier,
    >,
}
impl ::std::fmt::Debug for HttpConnectionManager {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HttpConnectionManager")
            .field("http_filters", &self.http_filters)
            .field("xff_num_trusted_hops", &self.xff_num_trusted_hops)
            .field("common_http_protocol_options", &self.common_http_protocol_options)
            .field(
                "original_ip_detection_extensions",
                &self.original_ip_detection_extensions,
            )
            .field("route_specifier", &self.route_specifier)
            .finish()
    }
}
impl HttpConnectionManager {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
}
impl crate::generated::FieldMessage for HttpConnectionManager {}
crate::generated::buffa::impl_default_instance!(HttpConnectionManager);
impl crate::generated::buffa::MessageName for HttpConnectionManager {
    const PACKAGE: &'static str = "envoy.extensions.filters.network.http_connection_manager.v3";
    const NAME: &'static str = "HttpConnectionManager";
    const FULL_NAME: &'static str = "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
}
impl crate::generated::buffa::Message for HttpConnectionManager {
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
        if let ::std::option::Option::Some(ref v) = self.route_specifier {
            match v {
                __buffa::oneof::http_connection_manager::RouteSpecifier::Rds(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::http_connection_manager::RouteSpecifier::RouteConfig(
                    x,
                ) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::http_connection_manager::RouteSpecifier::ScopedRoutes(
                    x,
                ) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 2u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
            }
        }
        for v in &self.http_filters {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.xff_num_trusted_hops != 0u32 {
            size
                += 2u64
                    + crate::generated::buffa::types::uint32_encoded_len(self.xff_num_trusted_hops)
                        as u64;
        }
        if self.common_http_protocol_options.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.common_http_protocol_options.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.original_ip_detection_extensions {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
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
        if let ::std::option::Option::Some(ref v) = self.route_specifier {
            match v {
                __buffa::oneof::http_connection_manager::RouteSpecifier::Rds(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        3u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::http_connection_manager::RouteSpecifier::RouteConfig(
                    x,
                ) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        4u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::http_connection_manager::RouteSpecifier::ScopedRoutes(
                    x,
                ) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        31u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
            }
        }
        for v in &self.http_filters {
            crate::generated::buffa::types::put_len_delimited_header(
                5u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.xff_num_trusted_hops != 0u32 {
            crate::generated::buffa::types::put_uint32_field(19u32, self.xff_num_trusted_hops, buf);
        }
        if self.common_http_protocol_options.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                35u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.common_http_protocol_options.write_to(__cache, buf);
        }
        for v in &self.original_ip_detection_extensions {
            crate::generated::buffa::types::put_len_delimited_header(
                46u32,
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
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::http_connection_manager::RouteSpecifier::Rds(
                        ref mut existing,
                    ),
                ) = self.route_specifier
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.route_specifier = ::std::option::Option::Some(
                        __buffa::oneof::http_connection_manager::RouteSpecifier::Rds(
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
                if let ::std::option::Option::Some(
                    __buffa::oneof::http_connection_manager::RouteSpecifier::RouteConfig(
                        ref mut existing,
                    ),
                ) = self.route_specifier
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.route_specifier = ::std::option::Option::Some(
                        __buffa::oneof::http_connection_manager::RouteSpecifier::RouteConfig(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            31u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::http_connection_manager::RouteSpecifier::ScopedRoutes(
                        ref mut existing,
                    ),
                ) = self.route_specifier
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.route_specifier = ::std::option::Option::Some(
                        __buffa::oneof::http_connection_manager::RouteSpecifier::ScopedRoutes(
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.http_filters.push(elem);
            }
            19u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.xff_num_trusted_hops = crate::generated::buffa::types::decode_uint32(buf)?;
            }
            35u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.common_http_protocol_options.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            46u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.original_ip_detection_extensions.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.route_specifier = ::std::option::Option::None;
        self.http_filters.clear();
        self.xff_num_trusted_hops = 0u32;
        self.common_http_protocol_options = crate::MessageField::none();
        self.original_ip_detection_extensions.clear();
    }
}
pub mod http_connection_manager {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::http_connection_manager::RouteSpecifier;
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
        pub mod http_connection_manager {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum RouteSpecifier {
                Rds(::std::boxed::Box<super::super::super::Rds>),
                RouteConfig(
                    ::std::boxed::Box<
                        super::super::super::super::super::super::super::super::config::route::v3::RouteConfiguration,
                    >,
                ),
                ScopedRoutes(
                    ::std::boxed::Box<super::super::super::ScopedRoutes>,
                ),
            }
            impl crate::generated::buffa::Oneof for RouteSpecifier {}
            impl From<super::super::super::Rds> for RouteSpecifier {
                fn from(v: super::super::super::Rds) -> Self {
                    Self::Rds(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::Rds>
            for ::std::option::Option<RouteSpecifier> {
                fn from(v: super::super::super::Rds) -> Self {
                    Self::Some(RouteSpecifier::from(v))
                }
            }
            impl From<
                super::super::super::super::super::super::super::super::config::route::v3::RouteConfiguration,
            > for RouteSpecifier {
                fn from(
                    v: super::super::super::super::super::super::super::super::config::route::v3::RouteConfiguration,
                ) -> Self {
                    Self::RouteConfig(::std::boxed::Box::new(v))
                }
            }
            impl From<
                super::super::super::super::super::super::super::super::config::route::v3::RouteConfiguration,
            > for ::std::option::Option<RouteSpecifier> {
                fn from(
                    v: super::super::super::super::super::super::super::super::config::route::v3::RouteConfiguration,
                ) -> Self {
                    Self::Some(RouteSpecifier::from(v))
                }
            }
            impl From<super::super::super::ScopedRoutes> for RouteSpecifier {
                fn from(v: super::super::super::ScopedRoutes) -> Self {
                    Self::ScopedRoutes(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::ScopedRoutes>
            for ::std::option::Option<RouteSpecifier> {
                fn from(v: super::super::super::ScopedRoutes) -> Self {
                    Self::Some(RouteSpecifier::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.extensions.filters.network.http_connection_manager.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(Rds, "envoy.extensions.filters.network.http_connection_manager.v3.Rds", POOL, buffers { one route_config_name; });
crate::generated::message!(ScopedRoutes, "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes", POOL);
crate::generated::message!(HttpFilter, "envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter", POOL, buffers { one name; });
crate::generated::message!(HttpConnectionManager, "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager", POOL, buffers { each http_filters; each original_ip_detection_extensions; });
