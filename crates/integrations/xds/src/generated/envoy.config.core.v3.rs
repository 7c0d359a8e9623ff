// Made by polywire-build from envoy/config/core/v3/core.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct Locality {
    /// Field 1: `region`
    pub region: ::std::string::String,
    /// Field 2: `zone`
    pub zone: ::std::string::String,
    /// Field 3: `sub_zone`
    pub sub_zone: ::std::string::String,
}
impl ::std::fmt::Debug for Locality {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Locality")
            .field("region", &self.region)
            .field("zone", &self.zone)
            .field("sub_zone", &self.sub_zone)
            .finish()
    }
}
impl Locality {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.Locality";
}
impl crate::generated::FieldMessage for Locality {}
crate::generated::buffa::impl_default_instance!(Locality);
impl crate::generated::buffa::MessageName for Locality {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "Locality";
    const FULL_NAME: &'static str = "envoy.config.core.v3.Locality";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.Locality";
}
impl crate::generated::buffa::Message for Locality {
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
        if !self.region.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.region) as u64;
        }
        if !self.zone.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.zone) as u64;
        }
        if !self.sub_zone.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.sub_zone) as u64;
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
        if !self.region.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.region, buf);
        }
        if !self.zone.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.zone, buf);
        }
        if !self.sub_zone.is_empty() {
            crate::generated::buffa::types::put_string_field(3u32, &self.sub_zone, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.region, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.zone, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.sub_zone, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.region.clear();
        self.zone.clear();
        self.sub_zone.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Node {
    /// Field 1: `id`
    pub id: ::std::string::String,
    /// Field 2: `cluster`
    pub cluster: ::std::string::String,
    /// Field 3: `metadata`
    pub metadata: crate::MessageField<crate::wkt::Struct>,
    /// Field 4: `locality`
    pub locality: crate::MessageField<Locality>,
    /// Field 6: `user_agent_name`
    pub user_agent_name: ::std::string::String,
    /// Field 7: `user_agent_version`
    pub user_agent_version: ::std::string::String,
    /// Field 10: `client_features`
    pub client_features: ::std::vec::Vec<::std::string::String>,
}
impl ::std::fmt::Debug for Node {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Node")
            .field("id", &self.id)
            .field("cluster", &self.cluster)
            .field("metadata", &self.metadata)
            .field("locality", &self.locality)
            .field("user_agent_name", &self.user_agent_name)
            .field("user_agent_version", &self.user_agent_version)
            .field("client_features", &self.client_features)
            .finish()
    }
}
impl Node {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.Node";
}
impl crate::generated::FieldMessage for Node {}
crate::generated::buffa::impl_default_instance!(Node);
impl crate::generated::buffa::MessageName for Node {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "Node";
    const FULL_NAME: &'static str = "envoy.config.core.v3.Node";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.Node";
}
impl crate::generated::buffa::Message for Node {
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
        if !self.id.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.id) as u64;
        }
        if !self.cluster.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.cluster) as u64;
        }
        if self.metadata.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.metadata.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.locality.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.locality.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.user_agent_name.is_empty() {
            size
                += 1u64
                    + crate::generated::buffa::types::string_encoded_len(&self.user_agent_name) as u64;
        }
        if !self.user_agent_version.is_empty() {
            size
                += 1u64
                    + crate::generated::buffa::types::string_encoded_len(&self.user_agent_version)
                        as u64;
        }
        for v in &self.client_features {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(v) as u64;
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
        if !self.id.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.id, buf);
        }
        if !self.cluster.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.cluster, buf);
        }
        if self.metadata.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.metadata.write_to(__cache, buf);
        }
        if self.locality.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.locality.write_to(__cache, buf);
        }
        if !self.user_agent_name.is_empty() {
            crate::generated::buffa::types::put_string_field(6u32, &self.user_agent_name, buf);
        }
        if !self.user_agent_version.is_empty() {
            crate::generated::buffa::types::put_string_field(7u32, &self.user_agent_version, buf);
        }
        for v in &self.client_features {
            crate::generated::buffa::types::put_string_field(10u32, v, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.id, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.cluster, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.metadata.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.locality.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.user_agent_name, buf)?;
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.user_agent_version, buf)?;
            }
            10u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = crate::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.client_features.push(__elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.id.clear();
        self.cluster.clear();
        self.metadata = crate::MessageField::none();
        self.locality = crate::MessageField::none();
        self.user_agent_name.clear();
        self.user_agent_version.clear();
        self.client_features.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct AggregatedConfigSource {}
impl ::std::fmt::Debug for AggregatedConfigSource {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("AggregatedConfigSource").finish()
    }
}
impl AggregatedConfigSource {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.AggregatedConfigSource";
}
impl crate::generated::FieldMessage for AggregatedConfigSource {}
crate::generated::buffa::impl_default_instance!(AggregatedConfigSource);
impl crate::generated::buffa::MessageName for AggregatedConfigSource {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "AggregatedConfigSource";
    const FULL_NAME: &'static str = "envoy.config.core.v3.AggregatedConfigSource";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.AggregatedConfigSource";
}
impl crate::generated::buffa::Message for AggregatedConfigSource {
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
pub struct SelfConfigSource {}
impl ::std::fmt::Debug for SelfConfigSource {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("SelfConfigSource").finish()
    }
}
impl SelfConfigSource {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.SelfConfigSource";
}
impl crate::generated::FieldMessage for SelfConfigSource {}
crate::generated::buffa::impl_default_instance!(SelfConfigSource);
impl crate::generated::buffa::MessageName for SelfConfigSource {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "SelfConfigSource";
    const FULL_NAME: &'static str = "envoy.config.core.v3.SelfConfigSource";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.SelfConfigSource";
}
impl crate::generated::buffa::Message for SelfConfigSource {
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
pub struct ConfigSource {
    pub config_source_specifier: ::std::option::Option<
        __buffa::oneof::config_source::ConfigSourceSpecifier,
    >,
}
impl ::std::fmt::Debug for ConfigSource {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ConfigSource")
            .field("config_source_specifier", &self.config_source_specifier)
            .finish()
    }
}
impl ConfigSource {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.ConfigSource";
}
impl crate::generated::FieldMessage for ConfigSource {}
crate::generated::buffa::impl_default_instance!(ConfigSource);
impl crate::generated::buffa::MessageName for ConfigSource {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "ConfigSource";
    const FULL_NAME: &'static str = "envoy.config.core.v3.ConfigSource";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.ConfigSource";
}
impl crate::generated::buffa::Message for ConfigSource {
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
        if let ::std::option::Option::Some(ref v) = self.config_source_specifier {
            match v {
                __buffa::oneof::config_source::ConfigSourceSpecifier::Ads(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::config_source::ConfigSourceSpecifier::Self_(x) => {
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
        if let ::std::option::Option::Some(ref v) = self.config_source_specifier {
            match v {
                __buffa::oneof::config_source::ConfigSourceSpecifier::Ads(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        3u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::config_source::ConfigSourceSpecifier::Self_(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        5u32,
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
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::config_source::ConfigSourceSpecifier::Ads(
                        ref mut existing,
                    ),
                ) = self.config_source_specifier
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.config_source_specifier = ::std::option::Option::Some(
                        __buffa::oneof::config_source::ConfigSourceSpecifier::Ads(
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
                    __buffa::oneof::config_source::ConfigSourceSpecifier::Self_(
                        ref mut existing,
                    ),
                ) = self.config_source_specifier
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.config_source_specifier = ::std::option::Option::Some(
                        __buffa::oneof::config_source::ConfigSourceSpecifier::Self_(
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
        self.config_source_specifier = ::std::option::Option::None;
    }
}
pub mod config_source {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::config_source::ConfigSourceSpecifier;
}
#[derive(Clone, PartialEq, Default)]
pub struct SocketAddress {
    /// Field 2: `address`
    pub address: ::std::string::String,
    /// Field 5: `resolver_name`
    pub resolver_name: ::std::string::String,
    pub port_specifier: ::std::option::Option<
        __buffa::oneof::socket_address::PortSpecifier,
    >,
}
impl ::std::fmt::Debug for SocketAddress {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("SocketAddress")
            .field("address", &self.address)
            .field("resolver_name", &self.resolver_name)
            .field("port_specifier", &self.port_specifier)
            .finish()
    }
}
impl SocketAddress {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.SocketAddress";
}
impl crate::generated::FieldMessage for SocketAddress {}
crate::generated::buffa::impl_default_instance!(SocketAddress);
impl crate::generated::buffa::MessageName for SocketAddress {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "SocketAddress";
    const FULL_NAME: &'static str = "envoy.config.core.v3.SocketAddress";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.SocketAddress";
}
impl crate::generated::buffa::Message for SocketAddress {
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
        if !self.address.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.address) as u64;
        }
        if let ::std::option::Option::Some(ref v) = self.port_specifier {
            match v {
                __buffa::oneof::socket_address::PortSpecifier::PortValue(v) => {
                    size += 1u64 + crate::generated::buffa::types::uint32_encoded_len(*v) as u64;
                }
                __buffa::oneof::socket_address::PortSpecifier::NamedPort(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
            }
        }
        if !self.resolver_name.is_empty() {
            size
                += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.resolver_name) as u64;
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
        if !self.address.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.address, buf);
        }
        if let ::std::option::Option::Some(ref v) = self.port_specifier {
            match v {
                __buffa::oneof::socket_address::PortSpecifier::PortValue(x) => {
                    crate::generated::buffa::types::put_uint32_field(3u32, *x, buf);
                }
                __buffa::oneof::socket_address::PortSpecifier::NamedPort(x) => {
                    crate::generated::buffa::types::put_string_field(4u32, x, buf);
                }
            }
        }
        if !self.resolver_name.is_empty() {
            crate::generated::buffa::types::put_string_field(5u32, &self.resolver_name, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.address, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.port_specifier = ::std::option::Option::Some(
                    __buffa::oneof::socket_address::PortSpecifier::PortValue(
                        crate::generated::buffa::types::decode_uint32(buf)?,
                    ),
                );
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.port_specifier = ::std::option::Option::Some(
                    __buffa::oneof::socket_address::PortSpecifier::NamedPort(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.resolver_name, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.address.clear();
        self.port_specifier = ::std::option::Option::None;
        self.resolver_name.clear();
    }
}
pub mod socket_address {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::socket_address::PortSpecifier;
}
#[derive(Clone, PartialEq, Default)]
pub struct Address {
    pub address: ::std::option::Option<__buffa::oneof::address::Address>,
}
impl ::std::fmt::Debug for Address {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Address").field("address", &self.address).finish()
    }
}
impl Address {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.Address";
}
impl crate::generated::FieldMessage for Address {}
crate::generated::buffa::impl_default_instance!(Address);
impl crate::generated::buffa::MessageName for Address {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "Address";
    const FULL_NAME: &'static str = "envoy.config.core.v3.Address";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.Address";
}
impl crate::generated::buffa::Message for Address {
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
        if let ::std::option::Option::Some(ref v) = self.address {
            match v {
                __buffa::oneof::address::Address::SocketAddress(x) => {
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
        if let ::std::option::Option::Some(ref v) = self.address {
            match v {
                __buffa::oneof::address::Address::SocketAddress(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        1u32,
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
                if let ::std::option::Option::Some(
                    __buffa::oneof::address::Address::SocketAddress(ref mut existing),
                ) = self.address
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.address = ::std::option::Option::Some(
                        __buffa::oneof::address::Address::SocketAddress(
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
        self.address = ::std::option::Option::None;
    }
}
pub mod address {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::address::Address;
}
#[derive(Clone, PartialEq, Default)]
pub struct Metadata {
    /// Field 1: `filter_metadata`
    pub filter_metadata: crate::Map<::std::string::String, crate::wkt::Struct>,
}
impl ::std::fmt::Debug for Metadata {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Metadata")
            .field("filter_metadata", &self.filter_metadata)
            .finish()
    }
}
impl Metadata {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.Metadata";
}
impl crate::generated::FieldMessage for Metadata {}
crate::generated::buffa::impl_default_instance!(Metadata);
impl crate::generated::buffa::MessageName for Metadata {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "Metadata";
    const FULL_NAME: &'static str = "envoy.config.core.v3.Metadata";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.Metadata";
}
impl crate::generated::buffa::Message for Metadata {
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
        size
            += crate::generated::buffa::map_codec::message_field_len::<
                crate::generated::buffa::map_codec::Str,
                _,
                _,
            >(&self.filter_metadata, 1u64, __cache);
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        crate::generated::buffa::map_codec::write_message_field::<
            crate::generated::buffa::map_codec::Str,
            _,
            _,
        >(&self.filter_metadata, 1u32, __cache, buf);
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
                crate::generated::buffa::map_codec::merge_entry::<
                    crate::generated::buffa::map_codec::Str,
                    crate::generated::buffa::map_codec::Msg<_>,
                    _,
                >(&mut self.filter_metadata, buf, ctx)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        crate::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.filter_metadata);
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct TypedExtensionConfig {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `typed_config`
    pub typed_config: crate::MessageField<crate::wkt::Any>,
}
impl ::std::fmt::Debug for TypedExtensionConfig {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("TypedExtensionConfig")
            .field("name", &self.name)
            .field("typed_config", &self.typed_config)
            .finish()
    }
}
impl TypedExtensionConfig {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig";
}
impl crate::generated::FieldMessage for TypedExtensionConfig {}
crate::generated::buffa::impl_default_instance!(TypedExtensionConfig);
impl crate::generated::buffa::MessageName for TypedExtensionConfig {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "TypedExtensionConfig";
    const FULL_NAME: &'static str = "envoy.config.core.v3.TypedExtensionConfig";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig";
}
impl crate::generated::buffa::Message for TypedExtensionConfig {
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
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.typed_config.write_to(__cache, buf);
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
                crate::generated::buffa::Message::merge_length_delimited(
                    self.typed_config.get_or_insert_default(),
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
        self.typed_config = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct TransportSocket {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 3: `typed_config`
    pub typed_config: crate::MessageField<crate::wkt::Any>,
}
impl ::std::fmt::Debug for TransportSocket {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("TransportSocket")
            .field("name", &self.name)
            .field("typed_config", &self.typed_config)
            .finish()
    }
}
impl TransportSocket {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.TransportSocket";
}
impl crate::generated::FieldMessage for TransportSocket {}
crate::generated::buffa::impl_default_instance!(TransportSocket);
impl crate::generated::buffa::MessageName for TransportSocket {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "TransportSocket";
    const FULL_NAME: &'static str = "envoy.config.core.v3.TransportSocket";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.TransportSocket";
}
impl crate::generated::buffa::Message for TransportSocket {
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
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.typed_config.write_to(__cache, buf);
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
            3u32 => {
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
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.typed_config = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct RuntimeFractionalPercent {
    /// Field 1: `default_value`
    pub default_value: crate::MessageField<super::super::super::r#type::v3::FractionalPercent>,
}
impl ::std::fmt::Debug for RuntimeFractionalPercent {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RuntimeFractionalPercent")
            .field("default_value", &self.default_value)
            .finish()
    }
}
impl RuntimeFractionalPercent {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.RuntimeFractionalPercent";
}
impl crate::generated::FieldMessage for RuntimeFractionalPercent {}
crate::generated::buffa::impl_default_instance!(RuntimeFractionalPercent);
impl crate::generated::buffa::MessageName for RuntimeFractionalPercent {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "RuntimeFractionalPercent";
    const FULL_NAME: &'static str = "envoy.config.core.v3.RuntimeFractionalPercent";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.RuntimeFractionalPercent";
}
impl crate::generated::buffa::Message for RuntimeFractionalPercent {
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
        if self.default_value.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.default_value.compute_size(__cache);
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
        if self.default_value.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.default_value.write_to(__cache, buf);
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
                    self.default_value.get_or_insert_default(),
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
        self.default_value = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct HttpProtocolOptions {
    /// Field 4: `max_stream_duration`
    pub max_stream_duration: crate::MessageField<crate::wkt::Duration>,
}
impl ::std::fmt::Debug for HttpProtocolOptions {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HttpProtocolOptions")
            .field("max_stream_duration", &self.max_stream_duration)
            .finish()
    }
}
impl HttpProtocolOptions {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.HttpProtocolOptions";
}
impl crate::generated::FieldMessage for HttpProtocolOptions {}
crate::generated::buffa::impl_default_instance!(HttpProtocolOptions);
impl crate::generated::buffa::MessageName for HttpProtocolOptions {
    const PACKAGE: &'static str = "envoy.config.core.v3";
    const NAME: &'static str = "HttpProtocolOptions";
    const FULL_NAME: &'static str = "envoy.config.core.v3.HttpProtocolOptions";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.config.core.v3.HttpProtocolOptions";
}
impl crate::generated::buffa::Message for HttpProtocolOptions {
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
                4u32,
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
            4u32 => {
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
        self.max_stream_duration = crate::MessageField::none();
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
        pub mod config_source {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum ConfigSourceSpecifier {
                Ads(
                    ::std::boxed::Box<
                        super::super::super::AggregatedConfigSource,
                    >,
                ),
                Self_(::std::boxed::Box<super::super::super::SelfConfigSource>),
            }
            impl crate::generated::buffa::Oneof for ConfigSourceSpecifier {}
            impl From<super::super::super::AggregatedConfigSource>
            for ConfigSourceSpecifier {
                fn from(v: super::super::super::AggregatedConfigSource) -> Self {
                    Self::Ads(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::AggregatedConfigSource>
            for ::std::option::Option<ConfigSourceSpecifier> {
                fn from(v: super::super::super::AggregatedConfigSource) -> Self {
                    Self::Some(ConfigSourceSpecifier::from(v))
                }
            }
            impl From<super::super::super::SelfConfigSource> for ConfigSourceSpecifier {
                fn from(v: super::super::super::SelfConfigSource) -> Self {
                    Self::Self_(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::SelfConfigSource>
            for ::std::option::Option<ConfigSourceSpecifier> {
                fn from(v: super::super::super::SelfConfigSource) -> Self {
                    Self::Some(ConfigSourceSpecifier::from(v))
                }
            }
        }
        pub mod socket_address {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum PortSpecifier {
                PortValue(u32),
                NamedPort(::std::string::String),
            }
            impl crate::generated::buffa::Oneof for PortSpecifier {}
        }
        pub mod address {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum Address {
                SocketAddress(
                    ::std::boxed::Box<super::super::super::SocketAddress>,
                ),
            }
            impl crate::generated::buffa::Oneof for Address {}
            impl From<super::super::super::SocketAddress> for Address {
                fn from(v: super::super::super::SocketAddress) -> Self {
                    Self::SocketAddress(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::SocketAddress>
            for ::std::option::Option<Address> {
                fn from(v: super::super::super::SocketAddress) -> Self {
                    Self::Some(Address::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.config.core.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(Locality, "envoy.config.core.v3.Locality", POOL, buffers { one region; one zone; one sub_zone; });
crate::generated::message!(Node, "envoy.config.core.v3.Node", POOL, buffers { one id; one cluster; one locality; one user_agent_name; one user_agent_version; each client_features; });
crate::generated::message!(AggregatedConfigSource, "envoy.config.core.v3.AggregatedConfigSource", POOL);
crate::generated::message!(SelfConfigSource, "envoy.config.core.v3.SelfConfigSource", POOL);
crate::generated::message!(ConfigSource, "envoy.config.core.v3.ConfigSource", POOL);
crate::generated::message!(SocketAddress, "envoy.config.core.v3.SocketAddress", POOL, buffers { one address; one resolver_name; });
crate::generated::message!(Address, "envoy.config.core.v3.Address", POOL);
crate::generated::message!(Metadata, "envoy.config.core.v3.Metadata", POOL);
crate::generated::message!(TypedExtensionConfig, "envoy.config.core.v3.TypedExtensionConfig", POOL, buffers { one name; });
crate::generated::message!(TransportSocket, "envoy.config.core.v3.TransportSocket", POOL, buffers { one name; });
crate::generated::message!(RuntimeFractionalPercent, "envoy.config.core.v3.RuntimeFractionalPercent", POOL);
crate::generated::message!(HttpProtocolOptions, "envoy.config.core.v3.HttpProtocolOptions", POOL);
