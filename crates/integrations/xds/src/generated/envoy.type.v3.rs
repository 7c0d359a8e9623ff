// Made by polywire-build from envoy/type/v3/type.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct Int64Range {
    /// Field 1: `start`
    pub start: i64,
    /// Field 2: `end`
    pub end: i64,
}
impl ::std::fmt::Debug for Int64Range {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Int64Range")
            .field("start", &self.start)
            .field("end", &self.end)
            .finish()
    }
}
impl Int64Range {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.type.v3.Int64Range";
}
impl crate::generated::FieldMessage for Int64Range {}
crate::generated::buffa::impl_default_instance!(Int64Range);
impl crate::generated::buffa::MessageName for Int64Range {
    const PACKAGE: &'static str = "envoy.type.v3";
    const NAME: &'static str = "Int64Range";
    const FULL_NAME: &'static str = "envoy.type.v3.Int64Range";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.type.v3.Int64Range";
}
impl crate::generated::buffa::Message for Int64Range {
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
        if self.start != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.start) as u64;
        }
        if self.end != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.end) as u64;
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
        if self.start != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.start, buf);
        }
        if self.end != 0i64 {
            crate::generated::buffa::types::put_int64_field(2u32, self.end, buf);
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
                self.start = crate::generated::buffa::types::decode_int64(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.end = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.start = 0i64;
        self.end = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct FractionalPercent {
    /// Field 1: `numerator`
    pub numerator: u32,
    /// Field 2: `denominator`
    pub denominator: crate::EnumValue<fractional_percent::DenominatorType>,
}
impl ::std::fmt::Debug for FractionalPercent {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("FractionalPercent")
            .field("numerator", &self.numerator)
            .field("denominator", &self.denominator)
            .finish()
    }
}
impl FractionalPercent {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.type.v3.FractionalPercent";
}
impl crate::generated::FieldMessage for FractionalPercent {}
crate::generated::buffa::impl_default_instance!(FractionalPercent);
impl crate::generated::buffa::MessageName for FractionalPercent {
    const PACKAGE: &'static str = "envoy.type.v3";
    const NAME: &'static str = "FractionalPercent";
    const FULL_NAME: &'static str = "envoy.type.v3.FractionalPercent";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.type.v3.FractionalPercent";
}
impl crate::generated::buffa::Message for FractionalPercent {
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
        if self.numerator != 0u32 {
            size += 1u64 + crate::generated::buffa::types::uint32_encoded_len(self.numerator) as u64;
        }
        {
            let val = self.denominator.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
            }
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
        if self.numerator != 0u32 {
            crate::generated::buffa::types::put_uint32_field(1u32, self.numerator, buf);
        }
        {
            let val = self.denominator.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(2u32, val, buf);
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
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.numerator = crate::generated::buffa::types::decode_uint32(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.denominator = crate::EnumValue::from(
                    crate::generated::buffa::types::decode_int32(buf)?,
                );
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.numerator = 0u32;
        self.denominator = crate::EnumValue::from(0);
    }
}
pub mod fractional_percent {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum DenominatorType {
        HUNDRED = 0i32,
        TEN_THOUSAND = 1i32,
        MILLION = 2i32,
    }
    impl DenominatorType {
        ///Idiomatic alias for [`Self::HUNDRED`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Hundred: Self = Self::HUNDRED;
        ///Idiomatic alias for [`Self::TEN_THOUSAND`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TenThousand: Self = Self::TEN_THOUSAND;
        ///Idiomatic alias for [`Self::MILLION`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Million: Self = Self::MILLION;
    }
    impl ::std::default::Default for DenominatorType {
        fn default() -> Self {
            Self::HUNDRED
        }
    }
    impl crate::generated::FieldEnum for DenominatorType {}
    impl crate::generated::buffa::Enumeration for DenominatorType {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::HUNDRED),
                1i32 => ::std::option::Option::Some(Self::TEN_THOUSAND),
                2i32 => ::std::option::Option::Some(Self::MILLION),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::HUNDRED => "HUNDRED",
                Self::TEN_THOUSAND => "TEN_THOUSAND",
                Self::MILLION => "MILLION",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "HUNDRED" => ::std::option::Option::Some(Self::HUNDRED),
                "TEN_THOUSAND" => ::std::option::Option::Some(Self::TEN_THOUSAND),
                "MILLION" => ::std::option::Option::Some(Self::MILLION),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[Self::HUNDRED, Self::TEN_THOUSAND, Self::MILLION]
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.type.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(Int64Range, "envoy.type.v3.Int64Range", POOL);
crate::generated::message!(FractionalPercent, "envoy.type.v3.FractionalPercent", POOL);
