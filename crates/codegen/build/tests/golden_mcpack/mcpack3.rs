// Made by polywire-build from mcpack3.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct Implicit {
    /// Field 1: `i`
    pub i: i32,
    /// Field 2: `b`
    pub b: bool,
    /// Field 3: `f`
    pub f: f32,
    /// Field 4: `d`
    pub d: f64,
    /// Field 5: `s`
    pub s: ::std::string::String,
    /// Field 6: `y`
    pub y: ::std::vec::Vec<u8>,
    /// Field 7: `size`
    pub size: ::polywire::EnumValue<implicit::Size>,
    /// Field 8: `sizes`
    pub sizes: ::std::vec::Vec<::polywire::EnumValue<implicit::Size>>,
    /// Field 9: `there`
    pub there: ::std::option::Option<u64>,
    /// Field 10: `rows`
    pub rows: ::std::vec::Vec<Self>,
    /// Field 11: `named`
    pub named: ::polywire::Map<
        ::std::string::String,
        ::polywire::EnumValue<implicit::Size>,
    >,
}
impl ::std::fmt::Debug for Implicit {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Implicit")
            .field("i", &self.i)
            .field("b", &self.b)
            .field("f", &self.f)
            .field("d", &self.d)
            .field("s", &self.s)
            .field("y", &self.y)
            .field("size", &self.size)
            .field("sizes", &self.sizes)
            .field("there", &self.there)
            .field("rows", &self.rows)
            .field("named", &self.named)
            .finish()
    }
}
impl Implicit {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack3.Implicit";
}
impl Implicit {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::there`] to `Some(value)`, consuming and returning `self`.
    pub fn with_there(mut self, value: u64) -> Self {
        self.there = Some(value);
        self
    }
}
impl ::polywire::generated::FieldMessage for Implicit {}
::polywire::generated::buffa::impl_default_instance!(Implicit);
impl ::polywire::generated::buffa::MessageName for Implicit {
    const PACKAGE: &'static str = "mcpack3";
    const NAME: &'static str = "Implicit";
    const FULL_NAME: &'static str = "mcpack3.Implicit";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack3.Implicit";
}
impl ::polywire::generated::buffa::Message for Implicit {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, __cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if self.i != 0i32 {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(self.i) as u64;
        }
        if self.b {
            size += 1u64 + ::polywire::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        if self.f.to_bits() != 0u32 {
            size += 1u64 + ::polywire::generated::buffa::types::FIXED32_ENCODED_LEN as u64;
        }
        if self.d.to_bits() != 0u64 {
            size += 1u64 + ::polywire::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
        }
        if !self.s.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.s) as u64;
        }
        if !self.y.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(&self.y) as u64;
        }
        {
            let val = self.size.to_i32();
            if val != 0 {
                size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(val) as u64;
            }
        }
        if !self.sizes.is_empty() {
            let payload: u64 = self
                .sizes
                .iter()
                .map(|v| ::polywire::generated::buffa::types::int32_encoded_len(v.to_i32()) as u64)
                .sum::<u64>();
            size += 1u64 + ::polywire::generated::buffa::encoding::varint_len(payload) as u64 + payload;
        }
        if let Some(v) = self.there {
            size += 1u64 + ::polywire::generated::buffa::types::uint64_encoded_len(v) as u64;
        }
        for v in &self.rows {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        size
            += ::polywire::generated::enum_map::field_len::<
                ::polywire::generated::buffa::map_codec::Str,
                ::polywire::generated::enum_map::OpenEnum<_>,
                _,
            >(&self.named, 1u64);
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if self.i != 0i32 {
            ::polywire::generated::buffa::types::put_int32_field(1u32, self.i, buf);
        }
        if self.b {
            ::polywire::generated::buffa::types::put_bool_field(2u32, self.b, buf);
        }
        if self.f.to_bits() != 0u32 {
            ::polywire::generated::buffa::types::put_float_field(3u32, self.f, buf);
        }
        if self.d.to_bits() != 0u64 {
            ::polywire::generated::buffa::types::put_double_field(4u32, self.d, buf);
        }
        if !self.s.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(5u32, &self.s, buf);
        }
        if !self.y.is_empty() {
            ::polywire::generated::buffa::types::put_shared_bytes_field(6u32, &self.y, buf);
        }
        {
            let val = self.size.to_i32();
            if val != 0 {
                ::polywire::generated::buffa::types::put_int32_field(7u32, val, buf);
            }
        }
        if !self.sizes.is_empty() {
            let payload: u64 = self
                .sizes
                .iter()
                .map(|v| ::polywire::generated::buffa::types::int32_encoded_len(v.to_i32()) as u64)
                .sum::<u64>();
            ::polywire::generated::buffa::types::put_len_delimited_header(8u32, payload, buf);
            for v in &self.sizes {
                ::polywire::generated::buffa::types::encode_int32(v.to_i32(), buf);
            }
        }
        if let Some(v) = self.there {
            ::polywire::generated::buffa::types::put_uint64_field(9u32, v, buf);
        }
        for v in &self.rows {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                10u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        ::polywire::generated::enum_map::write_field::<
            ::polywire::generated::buffa::map_codec::Str,
            ::polywire::generated::enum_map::OpenEnum<_>,
            _,
        >(&self.named, 11u32, buf);
    }
    fn merge_field(
        &mut self,
        tag: ::polywire::generated::buffa::encoding::Tag,
        buf: &mut impl ::polywire::generated::buffa::bytes::Buf,
        ctx: ::polywire::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), ::polywire::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.i = ::polywire::generated::buffa::types::decode_int32(buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.b = ::polywire::generated::buffa::types::decode_bool(buf)?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Fixed32,
                )?;
                self.f = ::polywire::generated::buffa::types::decode_float(buf)?;
            }
            4u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.d = ::polywire::generated::buffa::types::decode_double(buf)?;
            }
            5u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.s, buf)?;
            }
            6u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_bytes(&mut self.y, buf)?;
            }
            7u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.size = ::polywire::EnumValue::from(::polywire::generated::buffa::types::decode_int32(buf)?);
            }
            8u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    self.sizes.reserve(len);
                    let mut limited = buf.take(len);
                    while limited.has_remaining() {
                        self.sizes
                            .push(
                                ::polywire::EnumValue::from(
                                    ::polywire::generated::buffa::types::decode_int32_packed(&mut limited)?,
                                ),
                            );
                    }
                    let leftover = limited.remaining();
                    if leftover > 0 {
                        limited.advance(leftover);
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.sizes
                        .push(
                            ::polywire::EnumValue::from(::polywire::generated::buffa::types::decode_int32(buf)?),
                        );
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            9u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.there = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_uint64(buf)?,
                );
            }
            10u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&elem),
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.rows.push(elem);
            }
            11u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::enum_map::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Str,
                    ::polywire::generated::enum_map::OpenEnum<_>,
                    _,
                >(&mut self.named, buf, ctx)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.i = 0i32;
        self.b = false;
        self.f = 0f32;
        self.d = 0f64;
        self.s.clear();
        self.y.clear();
        self.size = ::polywire::EnumValue::from(0);
        self.sizes.clear();
        self.there = ::std::option::Option::None;
        self.rows.clear();
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.named);
    }
}
pub mod implicit {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum Size {
        SMALL = 0i32,
        LARGE = 7i32,
    }
    impl Size {
        ///Idiomatic alias for [`Self::SMALL`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Small: Self = Self::SMALL;
        ///Idiomatic alias for [`Self::LARGE`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Large: Self = Self::LARGE;
    }
    impl ::std::default::Default for Size {
        fn default() -> Self {
            Self::SMALL
        }
    }
    impl ::polywire::generated::FieldEnum for Size {}
    impl ::polywire::generated::buffa::Enumeration for Size {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::SMALL),
                7i32 => ::std::option::Option::Some(Self::LARGE),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::SMALL => "SMALL",
                Self::LARGE => "LARGE",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "SMALL" => ::std::option::Option::Some(Self::SMALL),
                "LARGE" => ::std::option::Option::Some(Self::LARGE),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[Self::SMALL, Self::LARGE]
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("mcpack3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Implicit, "mcpack3.Implicit", POOL, packed, buffers { one s; one y; each rows; });
::polywire::generated::packed!(Implicit, required 0b0, by_name [1, 3, 2, 0, 4, 5, 9, 6, 10, 7, 8], {
    0: "i" i [0 false false];
    1: "b" b [0 false false];
    2: "f" f [0 false false];
    3: "d" d [0 false false];
    4: "s" s [0 false false];
    5: "y" y [0 false false];
    6: "size" size [0 false false];
    7: "sizes" sizes [0 false false];
    8: "there" there [0 false false];
    9: "rows" rows [0 false false];
    10: "named" named [0 false false];
});
