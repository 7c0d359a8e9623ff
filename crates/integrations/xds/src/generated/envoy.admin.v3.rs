// Made by polywire-build from envoy/admin/v3/config_dump_shared.proto; changes are lost.

#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(i32)]
pub enum ClientResourceStatus {
    UNKNOWN = 0i32,
    REQUESTED = 1i32,
    DOES_NOT_EXIST = 2i32,
    ACKED = 3i32,
    NACKED = 4i32,
}
impl ClientResourceStatus {
    ///Idiomatic alias for [`Self::UNKNOWN`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Unknown: Self = Self::UNKNOWN;
    ///Idiomatic alias for [`Self::REQUESTED`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Requested: Self = Self::REQUESTED;
    ///Idiomatic alias for [`Self::DOES_NOT_EXIST`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const DoesNotExist: Self = Self::DOES_NOT_EXIST;
    ///Idiomatic alias for [`Self::ACKED`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Acked: Self = Self::ACKED;
    ///Idiomatic alias for [`Self::NACKED`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Nacked: Self = Self::NACKED;
}
impl ::std::default::Default for ClientResourceStatus {
    fn default() -> Self {
        Self::UNKNOWN
    }
}
impl crate::generated::FieldEnum for ClientResourceStatus {}
impl crate::generated::buffa::Enumeration for ClientResourceStatus {
    fn from_i32(value: i32) -> ::std::option::Option<Self> {
        match value {
            0i32 => ::std::option::Option::Some(Self::UNKNOWN),
            1i32 => ::std::option::Option::Some(Self::REQUESTED),
            2i32 => ::std::option::Option::Some(Self::DOES_NOT_EXIST),
            3i32 => ::std::option::Option::Some(Self::ACKED),
            4i32 => ::std::option::Option::Some(Self::NACKED),
            _ => ::std::option::Option::None,
        }
    }
    fn to_i32(&self) -> i32 {
        *self as i32
    }
    fn proto_name(&self) -> &'static str {
        match self {
            Self::UNKNOWN => "UNKNOWN",
            Self::REQUESTED => "REQUESTED",
            Self::DOES_NOT_EXIST => "DOES_NOT_EXIST",
            Self::ACKED => "ACKED",
            Self::NACKED => "NACKED",
        }
    }
    fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
        match name {
            "UNKNOWN" => ::std::option::Option::Some(Self::UNKNOWN),
            "REQUESTED" => ::std::option::Option::Some(Self::REQUESTED),
            "DOES_NOT_EXIST" => ::std::option::Option::Some(Self::DOES_NOT_EXIST),
            "ACKED" => ::std::option::Option::Some(Self::ACKED),
            "NACKED" => ::std::option::Option::Some(Self::NACKED),
            _ => ::std::option::Option::None,
        }
    }
    fn values() -> &'static [Self] {
        &[
            Self::UNKNOWN,
            Self::REQUESTED,
            Self::DOES_NOT_EXIST,
            Self::ACKED,
            Self::NACKED,
        ]
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct UpdateFailureState {
    /// Field 1: `failed_configuration`
    pub failed_configuration: crate::MessageField<crate::wkt::Any>,
    /// Field 2: `last_update_attempt`
    pub last_update_attempt: crate::MessageField<crate::wkt::Timestamp>,
    /// Field 3: `details`
    pub details: ::std::string::String,
    /// Field 4: `version_info`
    pub version_info: ::std::string::String,
}
impl ::std::fmt::Debug for UpdateFailureState {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("UpdateFailureState")
            .field("failed_configuration", &self.failed_configuration)
            .field("last_update_attempt", &self.last_update_attempt)
            .field("details", &self.details)
            .field("version_info", &self.version_info)
            .finish()
    }
}
impl UpdateFailureState {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.admin.v3.UpdateFailureState";
}
impl crate::generated::FieldMessage for UpdateFailureState {}
crate::generated::buffa::impl_default_instance!(UpdateFailureState);
impl crate::generated::buffa::MessageName for UpdateFailureState {
    const PACKAGE: &'static str = "envoy.admin.v3";
    const NAME: &'static str = "UpdateFailureState";
    const FULL_NAME: &'static str = "envoy.admin.v3.UpdateFailureState";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.admin.v3.UpdateFailureState";
}
impl crate::generated::buffa::Message for UpdateFailureState {
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
        if self.failed_configuration.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.failed_configuration.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.last_update_attempt.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.last_update_attempt.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.details.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.details) as u64;
        }
        if !self.version_info.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.version_info) as u64;
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
        if self.failed_configuration.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.failed_configuration.write_to(__cache, buf);
        }
        if self.last_update_attempt.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.last_update_attempt.write_to(__cache, buf);
        }
        if !self.details.is_empty() {
            crate::generated::buffa::types::put_string_field(3u32, &self.details, buf);
        }
        if !self.version_info.is_empty() {
            crate::generated::buffa::types::put_string_field(4u32, &self.version_info, buf);
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
                    self.failed_configuration.get_or_insert_default(),
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
                    self.last_update_attempt.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.details, buf)?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.version_info, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.failed_configuration = crate::MessageField::none();
        self.last_update_attempt = crate::MessageField::none();
        self.details.clear();
        self.version_info.clear();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.admin.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(UpdateFailureState, "envoy.admin.v3.UpdateFailureState", POOL, buffers { one details; one version_info; });
