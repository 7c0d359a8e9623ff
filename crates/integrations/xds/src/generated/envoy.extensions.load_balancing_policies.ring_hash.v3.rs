// Made by polywire-build from envoy/extensions/load_balancing_policies/ring_hash/v3/ring_hash.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct RingHash {
    /// Field 1: `hash_function`
    pub hash_function: crate::EnumValue<ring_hash::HashFunction>,
    /// Field 2: `minimum_ring_size`
    pub minimum_ring_size: crate::MessageField<crate::wkt::UInt64Value>,
    /// Field 3: `maximum_ring_size`
    pub maximum_ring_size: crate::MessageField<crate::wkt::UInt64Value>,
}
impl ::std::fmt::Debug for RingHash {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RingHash")
            .field("hash_function", &self.hash_function)
            .field("minimum_ring_size", &self.minimum_ring_size)
            .field("maximum_ring_size", &self.maximum_ring_size)
            .finish()
    }
}
impl RingHash {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash";
}
impl crate::generated::FieldMessage for RingHash {}
crate::generated::buffa::impl_default_instance!(RingHash);
impl crate::generated::buffa::MessageName for RingHash {
    const PACKAGE: &'static str = "envoy.extensions.load_balancing_policies.ring_hash.v3";
    const NAME: &'static str = "RingHash";
    const FULL_NAME: &'static str = "envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash";
}
impl crate::generated::buffa::Message for RingHash {
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
            let val = self.hash_function.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
            }
        }
        if self.minimum_ring_size.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.minimum_ring_size.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.maximum_ring_size.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.maximum_ring_size.compute_size(__cache);
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
            let val = self.hash_function.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(1u32, val, buf);
            }
        }
        if self.minimum_ring_size.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.minimum_ring_size.write_to(__cache, buf);
        }
        if self.maximum_ring_size.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.maximum_ring_size.write_to(__cache, buf);
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
                self.hash_function = crate::EnumValue::from(
                    crate::generated::buffa::types::decode_int32(buf)?,
                );
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.minimum_ring_size.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.maximum_ring_size.get_or_insert_default(),
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
        self.hash_function = crate::EnumValue::from(0);
        self.minimum_ring_size = crate::MessageField::none();
        self.maximum_ring_size = crate::MessageField::none();
    }
}
pub mod ring_hash {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum HashFunction {
        DEFAULT_HASH = 0i32,
        XX_HASH = 1i32,
        MURMUR_HASH_2 = 2i32,
    }
    impl HashFunction {
        ///Idiomatic alias for [`Self::DEFAULT_HASH`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const DefaultHash: Self = Self::DEFAULT_HASH;
        ///Idiomatic alias for [`Self::XX_HASH`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const XxHash: Self = Self::XX_HASH;
        ///Idiomatic alias for [`Self::MURMUR_HASH_2`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const MurmurHash2: Self = Self::MURMUR_HASH_2;
    }
    impl ::std::default::Default for HashFunction {
        fn default() -> Self {
            Self::DEFAULT_HASH
        }
    }
    impl crate::generated::FieldEnum for HashFunction {}
    impl crate::generated::buffa::Enumeration for HashFunction {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::DEFAULT_HASH),
                1i32 => ::std::option::Option::Some(Self::XX_HASH),
                2i32 => ::std::option::Option::Some(Self::MURMUR_HASH_2),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::DEFAULT_HASH => "DEFAULT_HASH",
                Self::XX_HASH => "XX_HASH",
                Self::MURMUR_HASH_2 => "MURMUR_HASH_2",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "DEFAULT_HASH" => ::std::option::Option::Some(Self::DEFAULT_HASH),
                "XX_HASH" => ::std::option::Option::Some(Self::XX_HASH),
                "MURMUR_HASH_2" => ::std::option::Option::Some(Self::MURMUR_HASH_2),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[Self::DEFAULT_HASH, Self::XX_HASH, Self::MURMUR_HASH_2]
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.extensions.load_balancing_policies.ring_hash.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(RingHash, "envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash", POOL);
