// Made by polywire-build from envoy/extensions/transport_sockets/tls/v3/tls.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct UpstreamTlsContext {
    /// Field 1: `common_tls_context`
    pub common_tls_context: crate::MessageField<CommonTlsContext>,
    /// Field 2: `sni`
    pub sni: ::std::string::String,
    /// Field 6: `auto_host_sni`
    pub auto_host_sni: bool,
    /// Field 7: `auto_sni_san_validation`
    pub auto_sni_san_validation: bool,
}
impl ::std::fmt::Debug for UpstreamTlsContext {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("UpstreamTlsContext")
            .field("common_tls_context", &self.common_tls_context)
            .field("sni", &self.sni)
            .field("auto_host_sni", &self.auto_host_sni)
            .field("auto_sni_san_validation", &self.auto_sni_san_validation)
            .finish()
    }
}
impl UpstreamTlsContext {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext";
}
impl crate::generated::FieldMessage for UpstreamTlsContext {}
crate::generated::buffa::impl_default_instance!(UpstreamTlsContext);
impl crate::generated::buffa::MessageName for UpstreamTlsContext {
    const PACKAGE: &'static str = "envoy.extensions.transport_sockets.tls.v3";
    const NAME: &'static str = "UpstreamTlsContext";
    const FULL_NAME: &'static str = "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext";
}
impl crate::generated::buffa::Message for UpstreamTlsContext {
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
        if self.common_tls_context.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.common_tls_context.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.sni.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.sni) as u64;
        }
        if self.auto_host_sni {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        if self.auto_sni_san_validation {
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
        if self.common_tls_context.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.common_tls_context.write_to(__cache, buf);
        }
        if !self.sni.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.sni, buf);
        }
        if self.auto_host_sni {
            crate::generated::buffa::types::put_bool_field(6u32, self.auto_host_sni, buf);
        }
        if self.auto_sni_san_validation {
            crate::generated::buffa::types::put_bool_field(7u32, self.auto_sni_san_validation, buf);
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
                    self.common_tls_context.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.sni, buf)?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.auto_host_sni = crate::generated::buffa::types::decode_bool(buf)?;
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.auto_sni_san_validation = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.common_tls_context = crate::MessageField::none();
        self.sni.clear();
        self.auto_host_sni = false;
        self.auto_sni_san_validation = false;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Present {}
impl ::std::fmt::Debug for Present {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Present").finish()
    }
}
impl Present {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Present";
}
impl crate::generated::FieldMessage for Present {}
crate::generated::buffa::impl_default_instance!(Present);
impl crate::generated::buffa::MessageName for Present {
    const PACKAGE: &'static str = "envoy.extensions.transport_sockets.tls.v3";
    const NAME: &'static str = "Present";
    const FULL_NAME: &'static str = "envoy.extensions.transport_sockets.tls.v3.Present";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Present";
}
impl crate::generated::buffa::Message for Present {
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
pub struct CertificateProviderPluginInstance {
    /// Field 1: `instance_name`
    pub instance_name: ::std::string::String,
    /// Field 2: `certificate_name`
    pub certificate_name: ::std::string::String,
}
impl ::std::fmt::Debug for CertificateProviderPluginInstance {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("CertificateProviderPluginInstance")
            .field("instance_name", &self.instance_name)
            .field("certificate_name", &self.certificate_name)
            .finish()
    }
}
impl CertificateProviderPluginInstance {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance";
}
impl crate::generated::FieldMessage for CertificateProviderPluginInstance {}
crate::generated::buffa::impl_default_instance!(CertificateProviderPluginInstance);
impl crate::generated::buffa::MessageName for CertificateProviderPluginInstance {
    const PACKAGE: &'static str = "envoy.extensions.transport_sockets.tls.v3";
    const NAME: &'static str = "CertificateProviderPluginInstance";
    const FULL_NAME: &'static str = "envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance";
}
impl crate::generated::buffa::Message for CertificateProviderPluginInstance {
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
        if !self.instance_name.is_empty() {
            size
                += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.instance_name) as u64;
        }
        if !self.certificate_name.is_empty() {
            size
                += 1u64
                    + crate::generated::buffa::types::string_encoded_len(&self.certificate_name) as u64;
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
        if !self.instance_name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.instance_name, buf);
        }
        if !self.certificate_name.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.certificate_name, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.instance_name, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.certificate_name, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.instance_name.clear();
        self.certificate_name.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct CommonTlsContext {
    /// Field 1: `tls_params`
    pub tls_params: crate::MessageField<Present>,
    /// Field 2: `tls_certificates`
    pub tls_certificates: ::std::vec::Vec<Present>,
    /// Field 6: `tls_certificate_sds_secret_configs`
    pub tls_certificate_sds_secret_configs: ::std::vec::Vec<Present>,
    /// Field 13: `custom_handshaker`
    pub custom_handshaker: crate::MessageField<Present>,
    /// Field 14: `tls_certificate_provider_instance`
    pub tls_certificate_provider_instance: crate::MessageField<CertificateProviderPluginInstance>,
    pub validation_context_type: ::std::option::Option<
        __buffa::oneof::common_tls_context::ValidationContextType,
    >,
}
impl ::std::fmt::Debug for CommonTlsContext {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("CommonTlsContext")
            .field("tls_params", &self.tls_params)
            .field("tls_certificates", &self.tls_certificates)
            .field(
                "tls_certificate_sds_secret_configs",
                &self.tls_certificate_sds_secret_configs,
            )
            .field("custom_handshaker", &self.custom_handshaker)
            .field(
                "tls_certificate_provider_instance",
                &self.tls_certificate_provider_instance,
            )
            .field("validation_context_type", &self.validation_context_type)
            .finish()
    }
}
impl CommonTlsContext {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.CommonTlsContext";
}
impl crate::generated::FieldMessage for CommonTlsContext {}
crate::generated::buffa::impl_default_instance!(CommonTlsContext);
impl crate::generated::buffa::MessageName for CommonTlsContext {
    const PACKAGE: &'static str = "envoy.extensions.transport_sockets.tls.v3";
    const NAME: &'static str = "CommonTlsContext";
    const FULL_NAME: &'static str = "envoy.extensions.transport_sockets.tls.v3.CommonTlsContext";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.CommonTlsContext";
}
impl crate::generated::buffa::Message for CommonTlsContext {
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
        if self.tls_params.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.tls_params.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.tls_certificates {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if let ::std::option::Option::Some(ref v) = self.validation_context_type {
            match v {
                __buffa::oneof::common_tls_context::ValidationContextType::ValidationContext(
                    x,
                ) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::common_tls_context::ValidationContextType::ValidationContextSdsSecretConfig(
                    x,
                ) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::common_tls_context::ValidationContextType::CombinedValidationContext(
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
        for v in &self.tls_certificate_sds_secret_configs {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.custom_handshaker.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.custom_handshaker.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.tls_certificate_provider_instance.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self
                .tls_certificate_provider_instance
                .compute_size(__cache);
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
        if self.tls_params.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.tls_params.write_to(__cache, buf);
        }
        for v in &self.tls_certificates {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if let ::std::option::Option::Some(ref v) = self.validation_context_type {
            match v {
                __buffa::oneof::common_tls_context::ValidationContextType::ValidationContext(
                    x,
                ) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        3u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::common_tls_context::ValidationContextType::ValidationContextSdsSecretConfig(
                    x,
                ) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        7u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::common_tls_context::ValidationContextType::CombinedValidationContext(
                    x,
                ) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        8u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
            }
        }
        for v in &self.tls_certificate_sds_secret_configs {
            crate::generated::buffa::types::put_len_delimited_header(
                6u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.custom_handshaker.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                13u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.custom_handshaker.write_to(__cache, buf);
        }
        if self.tls_certificate_provider_instance.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                14u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.tls_certificate_provider_instance.write_to(__cache, buf);
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
                    self.tls_params.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
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
                self.tls_certificates.push(elem);
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::common_tls_context::ValidationContextType::ValidationContext(
                        ref mut existing,
                    ),
                ) = self.validation_context_type
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.validation_context_type = ::std::option::Option::Some(
                        __buffa::oneof::common_tls_context::ValidationContextType::ValidationContext(
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
                    __buffa::oneof::common_tls_context::ValidationContextType::ValidationContextSdsSecretConfig(
                        ref mut existing,
                    ),
                ) = self.validation_context_type
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.validation_context_type = ::std::option::Option::Some(
                        __buffa::oneof::common_tls_context::ValidationContextType::ValidationContextSdsSecretConfig(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            8u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::common_tls_context::ValidationContextType::CombinedValidationContext(
                        ref mut existing,
                    ),
                ) = self.validation_context_type
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.validation_context_type = ::std::option::Option::Some(
                        __buffa::oneof::common_tls_context::ValidationContextType::CombinedValidationContext(
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.tls_certificate_sds_secret_configs.push(elem);
            }
            13u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.custom_handshaker.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            14u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.tls_certificate_provider_instance.get_or_insert_default(),
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
        self.tls_params = crate::MessageField::none();
        self.tls_certificates.clear();
        self.validation_context_type = ::std::option::Option::None;
        self.tls_certificate_sds_secret_configs.clear();
        self.custom_handshaker = crate::MessageField::none();
        self.tls_certificate_provider_instance = crate::MessageField::none();
    }
}
pub mod common_tls_context {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct CombinedCertificateValidationContext {
        /// Field 1: `default_validation_context`
        pub default_validation_context: crate::MessageField<super::CertificateValidationContext>,
    }
    impl ::std::fmt::Debug for CombinedCertificateValidationContext {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("CombinedCertificateValidationContext")
                .field("default_validation_context", &self.default_validation_context)
                .finish()
        }
    }
    impl CombinedCertificateValidationContext {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext";
    }
    impl crate::generated::FieldMessage for CombinedCertificateValidationContext {}
    crate::generated::buffa::impl_default_instance!(CombinedCertificateValidationContext);
    impl crate::generated::buffa::MessageName for CombinedCertificateValidationContext {
        const PACKAGE: &'static str = "envoy.extensions.transport_sockets.tls.v3";
        const NAME: &'static str = "CommonTlsContext.CombinedCertificateValidationContext";
        const FULL_NAME: &'static str = "envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext";
    }
    impl crate::generated::buffa::Message for CombinedCertificateValidationContext {
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
            if self.default_validation_context.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.default_validation_context.compute_size(__cache);
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
            if self.default_validation_context.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    1u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.default_validation_context.write_to(__cache, buf);
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
                        self.default_validation_context.get_or_insert_default(),
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
            self.default_validation_context = crate::MessageField::none();
        }
    }
    #[doc(inline)]
    pub use super::__buffa::oneof::common_tls_context::ValidationContextType;
}
#[derive(Clone, PartialEq, Default)]
pub struct SubjectAltNameMatcher {
    /// Field 1: `san_type`
    pub san_type: crate::EnumValue<subject_alt_name_matcher::SanType>,
    /// Field 2: `matcher`
    pub matcher: crate::MessageField<super::super::super::super::r#type::matcher::v3::StringMatcher>,
}
impl ::std::fmt::Debug for SubjectAltNameMatcher {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("SubjectAltNameMatcher")
            .field("san_type", &self.san_type)
            .field("matcher", &self.matcher)
            .finish()
    }
}
impl SubjectAltNameMatcher {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher";
}
impl crate::generated::FieldMessage for SubjectAltNameMatcher {}
crate::generated::buffa::impl_default_instance!(SubjectAltNameMatcher);
impl crate::generated::buffa::MessageName for SubjectAltNameMatcher {
    const PACKAGE: &'static str = "envoy.extensions.transport_sockets.tls.v3";
    const NAME: &'static str = "SubjectAltNameMatcher";
    const FULL_NAME: &'static str = "envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher";
}
impl crate::generated::buffa::Message for SubjectAltNameMatcher {
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
        {
            let val = self.san_type.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
            }
        }
        if self.matcher.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.matcher.compute_size(__cache);
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
        {
            let val = self.san_type.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(1u32, val, buf);
            }
        }
        if self.matcher.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.matcher.write_to(__cache, buf);
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
                self.san_type = crate::EnumValue::from(
                    crate::generated::buffa::types::decode_int32(buf)?,
                );
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.matcher.get_or_insert_default(),
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
        self.san_type = crate::EnumValue::from(0);
        self.matcher = crate::MessageField::none();
    }
}
pub mod subject_alt_name_matcher {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum SanType {
        SAN_TYPE_UNSPECIFIED = 0i32,
        EMAIL = 1i32,
        DNS = 2i32,
        URI = 3i32,
        IP_ADDRESS = 4i32,
        OTHER_NAME = 5i32,
    }
    impl SanType {
        ///Idiomatic alias for [`Self::SAN_TYPE_UNSPECIFIED`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const SanTypeUnspecified: Self = Self::SAN_TYPE_UNSPECIFIED;
        ///Idiomatic alias for [`Self::EMAIL`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Email: Self = Self::EMAIL;
        ///Idiomatic alias for [`Self::DNS`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Dns: Self = Self::DNS;
        ///Idiomatic alias for [`Self::URI`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Uri: Self = Self::URI;
        ///Idiomatic alias for [`Self::IP_ADDRESS`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const IpAddress: Self = Self::IP_ADDRESS;
        ///Idiomatic alias for [`Self::OTHER_NAME`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const OtherName: Self = Self::OTHER_NAME;
    }
    impl ::std::default::Default for SanType {
        fn default() -> Self {
            Self::SAN_TYPE_UNSPECIFIED
        }
    }
    impl crate::generated::FieldEnum for SanType {}
    impl crate::generated::buffa::Enumeration for SanType {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::SAN_TYPE_UNSPECIFIED),
                1i32 => ::std::option::Option::Some(Self::EMAIL),
                2i32 => ::std::option::Option::Some(Self::DNS),
                3i32 => ::std::option::Option::Some(Self::URI),
                4i32 => ::std::option::Option::Some(Self::IP_ADDRESS),
                5i32 => ::std::option::Option::Some(Self::OTHER_NAME),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::SAN_TYPE_UNSPECIFIED => "SAN_TYPE_UNSPECIFIED",
                Self::EMAIL => "EMAIL",
                Self::DNS => "DNS",
                Self::URI => "URI",
                Self::IP_ADDRESS => "IP_ADDRESS",
                Self::OTHER_NAME => "OTHER_NAME",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "SAN_TYPE_UNSPECIFIED" => {
                    ::std::option::Option::Some(Self::SAN_TYPE_UNSPECIFIED)
                }
                "EMAIL" => ::std::option::Option::Some(Self::EMAIL),
                "DNS" => ::std::option::Option::Some(Self::DNS),
                "URI" => ::std::option::Option::Some(Self::URI),
                "IP_ADDRESS" => ::std::option::Option::Some(Self::IP_ADDRESS),
                "OTHER_NAME" => ::std::option::Option::Some(Self::OTHER_NAME),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[
                Self::SAN_TYPE_UNSPECIFIED,
                Self::EMAIL,
                Self::DNS,
                Self::URI,
                Self::IP_ADDRESS,
                Self::OTHER_NAME,
            ]
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct CertificateValidationContext {
    /// Field 2: `verify_certificate_hash`
    pub verify_certificate_hash: ::std::vec::Vec<
        ::std::string::String,
    >,
    /// Field 3: `verify_certificate_spki`
    pub verify_certificate_spki: ::std::vec::Vec<
        ::std::string::String,
    >,
    /// Field 6: `require_signed_certificate_timestamp`
    pub require_signed_certificate_timestamp: crate::MessageField<crate::wkt::BoolValue>,
    /// Field 7: `crl`
    pub crl: crate::MessageField<Present>,
    /// Field 9: `match_subject_alt_names`
    pub match_subject_alt_names: ::std::vec::Vec<
        super::super::super::super::r#type::matcher::v3::StringMatcher,
    >,
    /// Field 12: `custom_validator_config`
    pub custom_validator_config: crate::MessageField<Present>,
    /// Field 13: `ca_certificate_provider_instance`
    pub ca_certificate_provider_instance: crate::MessageField<CertificateProviderPluginInstance>,
    /// Field 15: `match_typed_subject_alt_names`
    pub match_typed_subject_alt_names: ::std::vec::Vec<SubjectAltNameMatcher>,
    /// Field 17: `system_root_certs`
    pub system_root_certs: crate::MessageField<Present>,
}
impl ::std::fmt::Debug for CertificateValidationContext {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("CertificateValidationContext")
            .field("verify_certificate_hash", &self.verify_certificate_hash)
            .field("verify_certificate_spki", &self.verify_certificate_spki)
            .field(
                "require_signed_certificate_timestamp",
                &self.require_signed_certificate_timestamp,
            )
            .field("crl", &self.crl)
            .field("match_subject_alt_names", &self.match_subject_alt_names)
            .field("custom_validator_config", &self.custom_validator_config)
            .field(
                "ca_certificate_provider_instance",
                &self.ca_certificate_provider_instance,
            )
            .field("match_typed_subject_alt_names", &self.match_typed_subject_alt_names)
            .field("system_root_certs", &self.system_root_certs)
            .finish()
    }
}
impl CertificateValidationContext {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext";
}
impl crate::generated::FieldMessage for CertificateValidationContext {}
crate::generated::buffa::impl_default_instance!(CertificateValidationContext);
impl crate::generated::buffa::MessageName for CertificateValidationContext {
    const PACKAGE: &'static str = "envoy.extensions.transport_sockets.tls.v3";
    const NAME: &'static str = "CertificateValidationContext";
    const FULL_NAME: &'static str = "envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext";
}
impl crate::generated::buffa::Message for CertificateValidationContext {
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
        for v in &self.verify_certificate_hash {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(v) as u64;
        }
        for v in &self.verify_certificate_spki {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(v) as u64;
        }
        if self.require_signed_certificate_timestamp.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self
                .require_signed_certificate_timestamp
                .compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.crl.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.crl.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.match_subject_alt_names {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.custom_validator_config.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.custom_validator_config.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.ca_certificate_provider_instance.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.ca_certificate_provider_instance.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.match_typed_subject_alt_names {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.system_root_certs.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.system_root_certs.compute_size(__cache);
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
        for v in &self.verify_certificate_hash {
            crate::generated::buffa::types::put_string_field(2u32, v, buf);
        }
        for v in &self.verify_certificate_spki {
            crate::generated::buffa::types::put_string_field(3u32, v, buf);
        }
        if self.require_signed_certificate_timestamp.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                6u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.require_signed_certificate_timestamp.write_to(__cache, buf);
        }
        if self.crl.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                7u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.crl.write_to(__cache, buf);
        }
        for v in &self.match_subject_alt_names {
            crate::generated::buffa::types::put_len_delimited_header(
                9u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.custom_validator_config.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                12u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.custom_validator_config.write_to(__cache, buf);
        }
        if self.ca_certificate_provider_instance.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                13u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.ca_certificate_provider_instance.write_to(__cache, buf);
        }
        for v in &self.match_typed_subject_alt_names {
            crate::generated::buffa::types::put_len_delimited_header(
                15u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.system_root_certs.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                17u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.system_root_certs.write_to(__cache, buf);
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
                let __elem = crate::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.verify_certificate_hash.push(__elem);
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
                self.verify_certificate_spki.push(__elem);
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.require_signed_certificate_timestamp.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.crl.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            9u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.match_subject_alt_names.push(elem);
            }
            12u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.custom_validator_config.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            13u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.ca_certificate_provider_instance.get_or_insert_default(),
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
                self.match_typed_subject_alt_names.push(elem);
            }
            17u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.system_root_certs.get_or_insert_default(),
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
        self.verify_certificate_hash.clear();
        self.verify_certificate_spki.clear();
        self.require_signed_certificate_timestamp = crate::MessageField::none();
        self.crl = crate::MessageField::none();
        self.match_subject_alt_names.clear();
        self.custom_validator_config = crate::MessageField::none();
        self.ca_certificate_provider_instance = crate::MessageField::none();
        self.match_typed_subject_alt_names.clear();
        self.system_root_certs = crate::MessageField::none();
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
        pub mod common_tls_context {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum ValidationContextType {
                ValidationContext(
                    ::std::boxed::Box<
                        super::super::super::CertificateValidationContext,
                    >,
                ),
                ValidationContextSdsSecretConfig(
                    ::std::boxed::Box<super::super::super::Present>,
                ),
                CombinedValidationContext(
                    ::std::boxed::Box<
                        super::super::super::common_tls_context::CombinedCertificateValidationContext,
                    >,
                ),
            }
            impl crate::generated::buffa::Oneof for ValidationContextType {}
            impl From<super::super::super::CertificateValidationContext>
            for ValidationContextType {
                fn from(v: super::super::super::CertificateValidationContext) -> Self {
                    Self::ValidationContext(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::CertificateValidationContext>
            for ::std::option::Option<ValidationContextType> {
                fn from(v: super::super::super::CertificateValidationContext) -> Self {
                    Self::Some(ValidationContextType::from(v))
                }
            }
            impl From<super::super::super::Present> for ValidationContextType {
                fn from(v: super::super::super::Present) -> Self {
                    Self::ValidationContextSdsSecretConfig(
                        ::std::boxed::Box::new(v),
                    )
                }
            }
            impl From<super::super::super::Present>
            for ::std::option::Option<ValidationContextType> {
                fn from(v: super::super::super::Present) -> Self {
                    Self::Some(ValidationContextType::from(v))
                }
            }
            impl From<
                super::super::super::common_tls_context::CombinedCertificateValidationContext,
            > for ValidationContextType {
                fn from(
                    v: super::super::super::common_tls_context::CombinedCertificateValidationContext,
                ) -> Self {
                    Self::CombinedValidationContext(::std::boxed::Box::new(v))
                }
            }
            impl From<
                super::super::super::common_tls_context::CombinedCertificateValidationContext,
            > for ::std::option::Option<ValidationContextType> {
                fn from(
                    v: super::super::super::common_tls_context::CombinedCertificateValidationContext,
                ) -> Self {
                    Self::Some(ValidationContextType::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.extensions.transport_sockets.tls.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(UpstreamTlsContext, "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext", POOL, buffers { one common_tls_context; one sni; });
crate::generated::message!(Present, "envoy.extensions.transport_sockets.tls.v3.Present", POOL);
crate::generated::message!(CertificateProviderPluginInstance, "envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance", POOL, buffers { one instance_name; one certificate_name; });
crate::generated::message!(CommonTlsContext, "envoy.extensions.transport_sockets.tls.v3.CommonTlsContext", POOL, buffers { one tls_certificate_provider_instance; });
crate::generated::message!(common_tls_context::CombinedCertificateValidationContext, "envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext", POOL, buffers { one default_validation_context; });
crate::generated::message!(SubjectAltNameMatcher, "envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher", POOL);
crate::generated::message!(CertificateValidationContext, "envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext", POOL, buffers { each verify_certificate_hash; each verify_certificate_spki; one ca_certificate_provider_instance; });
