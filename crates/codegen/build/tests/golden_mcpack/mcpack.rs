// Made by polywire-build from mcpack.proto; changes are lost.

#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(i32)]
pub enum IdlType {
    AUTO = 0i32,
    INT8 = 1i32,
    INT16 = 2i32,
    UINT32 = 7i32,
    FLOAT = 10i32,
    DOUBLE = 11i32,
    BINARY = 12i32,
    STRING = 13i32,
}
impl IdlType {
    ///Idiomatic alias for [`Self::AUTO`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Auto: Self = Self::AUTO;
    ///Idiomatic alias for [`Self::INT8`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Int8: Self = Self::INT8;
    ///Idiomatic alias for [`Self::INT16`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Int16: Self = Self::INT16;
    ///Idiomatic alias for [`Self::UINT32`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Uint32: Self = Self::UINT32;
    ///Idiomatic alias for [`Self::FLOAT`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Float: Self = Self::FLOAT;
    ///Idiomatic alias for [`Self::DOUBLE`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Double: Self = Self::DOUBLE;
    ///Idiomatic alias for [`Self::BINARY`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Binary: Self = Self::BINARY;
    ///Idiomatic alias for [`Self::STRING`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const String: Self = Self::STRING;
}
impl ::std::default::Default for IdlType {
    fn default() -> Self {
        Self::AUTO
    }
}
impl ::polywire::generated::FieldEnum for IdlType {}
impl ::polywire::generated::buffa::Enumeration for IdlType {
    fn from_i32(value: i32) -> ::std::option::Option<Self> {
        match value {
            0i32 => ::std::option::Option::Some(Self::AUTO),
            1i32 => ::std::option::Option::Some(Self::INT8),
            2i32 => ::std::option::Option::Some(Self::INT16),
            7i32 => ::std::option::Option::Some(Self::UINT32),
            10i32 => ::std::option::Option::Some(Self::FLOAT),
            11i32 => ::std::option::Option::Some(Self::DOUBLE),
            12i32 => ::std::option::Option::Some(Self::BINARY),
            13i32 => ::std::option::Option::Some(Self::STRING),
            _ => ::std::option::Option::None,
        }
    }
    fn to_i32(&self) -> i32 {
        *self as i32
    }
    fn proto_name(&self) -> &'static str {
        match self {
            Self::AUTO => "AUTO",
            Self::INT8 => "INT8",
            Self::INT16 => "INT16",
            Self::UINT32 => "UINT32",
            Self::FLOAT => "FLOAT",
            Self::DOUBLE => "DOUBLE",
            Self::BINARY => "BINARY",
            Self::STRING => "STRING",
        }
    }
    fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
        match name {
            "AUTO" => ::std::option::Option::Some(Self::AUTO),
            "INT8" => ::std::option::Option::Some(Self::INT8),
            "INT16" => ::std::option::Option::Some(Self::INT16),
            "UINT32" => ::std::option::Option::Some(Self::UINT32),
            "FLOAT" => ::std::option::Option::Some(Self::FLOAT),
            "DOUBLE" => ::std::option::Option::Some(Self::DOUBLE),
            "BINARY" => ::std::option::Option::Some(Self::BINARY),
            "STRING" => ::std::option::Option::Some(Self::STRING),
            _ => ::std::option::Option::None,
        }
    }
    fn values() -> &'static [Self] {
        &[
            Self::AUTO,
            Self::INT8,
            Self::INT16,
            Self::UINT32,
            Self::FLOAT,
            Self::DOUBLE,
            Self::BINARY,
            Self::STRING,
        ]
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Item {
    /// Field 1: `k`
    pub k: ::std::option::Option<::std::string::String>,
    /// Field 2: `v`
    pub v: ::std::option::Option<i32>,
    /// Field 3: `tags`
    pub tags: ::std::vec::Vec<i64>,
}
impl ::std::fmt::Debug for Item {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Item")
            .field("k", &self.k)
            .field("v", &self.v)
            .field("tags", &self.tags)
            .finish()
    }
}
impl Item {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Item";
}
impl Item {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::k`] to `Some(value)`, consuming and returning `self`.
    pub fn with_k(mut self, value: impl Into<::std::string::String>) -> Self {
        self.k = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::v`] to `Some(value)`, consuming and returning `self`.
    pub fn with_v(mut self, value: i32) -> Self {
        self.v = Some(value);
        self
    }
}
impl ::polywire::generated::FieldMessage for Item {}
::polywire::generated::buffa::impl_default_instance!(Item);
impl ::polywire::generated::buffa::MessageName for Item {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "Item";
    const FULL_NAME: &'static str = "mcpack.Item";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Item";
}
impl ::polywire::generated::buffa::Message for Item {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if let Some(ref v) = self.k {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        if let Some(v) = self.v {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v) as u64;
        }
        for v in &self.tags {
            size += 1u64 + ::polywire::generated::buffa::types::int64_encoded_len(*v) as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if let Some(ref v) = self.k {
            ::polywire::generated::buffa::types::put_string_field(1u32, v, buf);
        }
        if let Some(v) = self.v {
            ::polywire::generated::buffa::types::put_int32_field(2u32, v, buf);
        }
        for v in &self.tags {
            ::polywire::generated::buffa::types::put_int64_field(3u32, *v, buf);
        }
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
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(
                    self.k.get_or_insert_with(::std::string::String::new),
                    buf,
                )?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.v = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int32(buf)?,
                );
            }
            3u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_int64(
                            &buf.chunk()[..len],
                            &mut self.tags,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.tags.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.tags
                                .push(::polywire::generated::buffa::types::decode_int64_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.tags.push(::polywire::generated::buffa::types::decode_int64(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.k = ::std::option::Option::None;
        self.v = ::std::option::Option::None;
        self.tags.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Main {
    /// Field 1: `message`
    pub message: ::std::option::Option<::std::string::String>,
    /// Field 2: `code`
    pub code: ::std::option::Option<i32>,
    /// Field 3: `big`
    pub big: ::std::option::Option<u64>,
    /// Field 4: `flag`
    pub flag: ::std::option::Option<bool>,
    /// Field 5: `d`
    pub d: ::std::option::Option<f64>,
    /// Field 6: `bin`
    pub bin: ::std::option::Option<::std::vec::Vec<u8>>,
    /// Field 7: `nums`
    pub nums: ::std::vec::Vec<i32>,
    /// Field 8: `strs`
    pub strs: ::std::vec::Vec<::std::string::String>,
    /// Field 9: `items`
    pub items: ::std::vec::Vec<Item>,
    /// Field 10: `one`
    pub one: ::polywire::MessageField<Item>,
    /// Field 11: `on`
    pub on: ::std::vec::Vec<i32>,
}
impl ::std::fmt::Debug for Main {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Main")
            .field("message", &self.message)
            .field("code", &self.code)
            .field("big", &self.big)
            .field("flag", &self.flag)
            .field("d", &self.d)
            .field("bin", &self.bin)
            .field("nums", &self.nums)
            .field("strs", &self.strs)
            .field("items", &self.items)
            .field("one", &self.one)
            .field("on", &self.on)
            .finish()
    }
}
impl Main {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Main";
}
impl Main {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::message`] to `Some(value)`, consuming and returning `self`.
    pub fn with_message(
        mut self,
        value: impl Into<::std::string::String>,
    ) -> Self {
        self.message = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::code`] to `Some(value)`, consuming and returning `self`.
    pub fn with_code(mut self, value: i32) -> Self {
        self.code = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::big`] to `Some(value)`, consuming and returning `self`.
    pub fn with_big(mut self, value: u64) -> Self {
        self.big = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::flag`] to `Some(value)`, consuming and returning `self`.
    pub fn with_flag(mut self, value: bool) -> Self {
        self.flag = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::d`] to `Some(value)`, consuming and returning `self`.
    pub fn with_d(mut self, value: f64) -> Self {
        self.d = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::bin`] to `Some(value)`, consuming and returning `self`.
    pub fn with_bin(mut self, value: impl Into<::std::vec::Vec<u8>>) -> Self {
        self.bin = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for Main {}
::polywire::generated::buffa::impl_default_instance!(Main);
impl ::polywire::generated::buffa::MessageName for Main {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "Main";
    const FULL_NAME: &'static str = "mcpack.Main";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Main";
}
impl ::polywire::generated::buffa::Message for Main {
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
        if let Some(ref v) = self.message {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        if let Some(v) = self.code {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v) as u64;
        }
        if let Some(v) = self.big {
            size += 1u64 + ::polywire::generated::buffa::types::uint64_encoded_len(v) as u64;
        }
        if self.flag.is_some() {
            size += 1u64 + ::polywire::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        if self.d.is_some() {
            size += 1u64 + ::polywire::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
        }
        if let Some(ref v) = self.bin {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        for v in &self.nums {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(*v) as u64;
        }
        for v in &self.strs {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        for v in &self.items {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.one.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.one.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.on {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(*v) as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if let Some(ref v) = self.message {
            ::polywire::generated::buffa::types::put_string_field(1u32, v, buf);
        }
        if let Some(v) = self.code {
            ::polywire::generated::buffa::types::put_int32_field(2u32, v, buf);
        }
        if let Some(v) = self.big {
            ::polywire::generated::buffa::types::put_uint64_field(3u32, v, buf);
        }
        if let Some(v) = self.flag {
            ::polywire::generated::buffa::types::put_bool_field(4u32, v, buf);
        }
        if let Some(v) = self.d {
            ::polywire::generated::buffa::types::put_double_field(5u32, v, buf);
        }
        if let Some(ref v) = self.bin {
            ::polywire::generated::buffa::types::put_shared_bytes_field(6u32, v, buf);
        }
        for v in &self.nums {
            ::polywire::generated::buffa::types::put_int32_field(7u32, *v, buf);
        }
        for v in &self.strs {
            ::polywire::generated::buffa::types::put_string_field(8u32, v, buf);
        }
        for v in &self.items {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                9u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.one.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                10u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.one.write_to(__cache, buf);
        }
        for v in &self.on {
            ::polywire::generated::buffa::types::put_int32_field(11u32, *v, buf);
        }
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
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(
                    self.message.get_or_insert_with(::std::string::String::new),
                    buf,
                )?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.code = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int32(buf)?,
                );
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.big = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_uint64(buf)?,
                );
            }
            4u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.flag = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_bool(buf)?,
                );
            }
            5u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.d = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_double(buf)?,
                );
            }
            6u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_bytes(
                    self.bin.get_or_insert_with(::std::vec::Vec::new),
                    buf,
                )?;
            }
            7u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_int32(
                            &buf.chunk()[..len],
                            &mut self.nums,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.nums.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.nums
                                .push(::polywire::generated::buffa::types::decode_int32_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.nums.push(::polywire::generated::buffa::types::decode_int32(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            8u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = ::polywire::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.strs.push(__elem);
            }
            9u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&elem),
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.items.push(elem);
            }
            10u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.one.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            11u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_int32(
                            &buf.chunk()[..len],
                            &mut self.on,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.on.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.on
                                .push(::polywire::generated::buffa::types::decode_int32_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.on.push(::polywire::generated::buffa::types::decode_int32(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.message = ::std::option::Option::None;
        self.code = ::std::option::Option::None;
        self.big = ::std::option::Option::None;
        self.flag = ::std::option::Option::None;
        self.d = ::std::option::Option::None;
        self.bin = ::std::option::Option::None;
        self.nums.clear();
        self.strs.clear();
        self.items.clear();
        self.one = ::polywire::MessageField::none();
        self.on.clear();
    }
}
/// Every type; `type` is a keyword.
#[derive(Clone, PartialEq, Default)]
pub struct All {
    /// Field 1: `type`
    pub r#type: ::std::option::Option<i32>,
    /// Field 2: `i64`
    pub i64: ::std::option::Option<i64>,
    /// Field 3: `u32`
    pub u32: ::std::option::Option<u32>,
    /// Field 4: `u64`
    pub u64: ::std::option::Option<u64>,
    /// Field 5: `s32`
    pub s32: ::std::option::Option<i32>,
    /// Field 6: `s64`
    pub s64: ::std::option::Option<i64>,
    /// Field 7: `f32`
    pub f32: ::std::option::Option<u32>,
    /// Field 8: `sf64`
    pub sf64: ::std::option::Option<i64>,
    /// Field 9: `b`
    pub b: ::std::option::Option<bool>,
    /// Field 10: `f`
    pub f: ::std::option::Option<f32>,
    /// Field 11: `d`
    pub d: ::std::option::Option<f64>,
    /// Field 12: `s`
    pub s: ::std::option::Option<::std::string::String>,
    /// Field 13: `y`
    pub y: ::std::option::Option<::polywire::generated::Bytes>,
    /// Field 14: `colour`
    pub colour: ::std::option::Option<all::Colour>,
    /// Field 15: `all`
    pub all: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
    /// Field 16: `group`
    pub group: ::polywire::MessageField<all::Group>,
    /// Field 21: `ri32`
    pub ri32: ::std::vec::Vec<i32>,
    /// Field 22: `rs64`
    pub rs64: ::std::vec::Vec<i64>,
    /// Field 23: `ru32`
    pub ru32: ::std::vec::Vec<u32>,
    /// Field 24: `ru64`
    pub ru64: ::std::vec::Vec<u64>,
    /// Field 25: `rb`
    pub rb: ::std::vec::Vec<bool>,
    /// Field 26: `rf`
    pub rf: ::std::vec::Vec<f32>,
    /// Field 27: `rd`
    pub rd: ::std::vec::Vec<f64>,
    /// Field 28: `rs`
    pub rs: ::std::vec::Vec<::std::string::String>,
    /// Field 29: `ry`
    pub ry: ::std::vec::Vec<::polywire::generated::Bytes>,
    /// Field 30: `rc`
    pub rc: ::std::vec::Vec<all::Colour>,
    /// Field 31: `ra`
    pub ra: ::std::vec::Vec<Self>,
    /// Field 41: `ms`
    pub ms: ::polywire::Map<::std::string::String, i32>,
    /// Field 42: `my`
    pub my: ::polywire::Map<
        ::std::string::String,
        ::std::vec::Vec<u8>,
    >,
    /// Field 43: `mi`
    pub mi: ::polywire::Map<i32, ::std::string::String>,
    /// Field 44: `mb`
    pub mb: ::polywire::Map<bool, All>,
    /// Field 45: `ma`
    pub ma: ::polywire::Map<::std::string::String, All>,
    /// Field 46: `mc`
    pub mc: ::polywire::Map<::std::string::String, all::Colour>,
    /// Field 51: `narrow`
    pub narrow: ::std::option::Option<i64>,
    /// Field 52: `text`
    pub text: ::std::option::Option<::std::vec::Vec<u8>>,
    /// Field 53: `on`
    pub on: ::std::option::Option<i32>,
    /// Field 54: `wide`
    pub wide: ::std::vec::Vec<f32>,
    /// Field 55: `less`
    pub less: ::std::option::Option<f64>,
    /// Field 56: `short`
    pub short: ::std::vec::Vec<i32>,
    /// Field 57: `none`
    pub none: ::std::vec::Vec<Self>,
    /// Field 58: `mon`
    pub mon: ::polywire::Map<i32, i32>,
    /// Field 61: `implicit`
    pub implicit: ::polywire::MessageField<super::mcpack3::Implicit>,
    /// Field 62: `needs`
    pub needs: ::polywire::MessageField<Needs>,
    /// Field 63: `twice`
    pub twice: ::std::option::Option<::std::string::String>,
}
impl ::std::fmt::Debug for All {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("All")
            .field("type", &self.r#type)
            .field("i64", &self.i64)
            .field("u32", &self.u32)
            .field("u64", &self.u64)
            .field("s32", &self.s32)
            .field("s64", &self.s64)
            .field("f32", &self.f32)
            .field("sf64", &self.sf64)
            .field("b", &self.b)
            .field("f", &self.f)
            .field("d", &self.d)
            .field("s", &self.s)
            .field("y", &self.y)
            .field("colour", &self.colour)
            .field("all", &self.all)
            .field("group", &self.group)
            .field("ri32", &self.ri32)
            .field("rs64", &self.rs64)
            .field("ru32", &self.ru32)
            .field("ru64", &self.ru64)
            .field("rb", &self.rb)
            .field("rf", &self.rf)
            .field("rd", &self.rd)
            .field("rs", &self.rs)
            .field("ry", &self.ry)
            .field("rc", &self.rc)
            .field("ra", &self.ra)
            .field("ms", &self.ms)
            .field("my", &self.my)
            .field("mi", &self.mi)
            .field("mb", &self.mb)
            .field("ma", &self.ma)
            .field("mc", &self.mc)
            .field("narrow", &self.narrow)
            .field("text", &self.text)
            .field("on", &self.on)
            .field("wide", &self.wide)
            .field("less", &self.less)
            .field("short", &self.short)
            .field("none", &self.none)
            .field("mon", &self.mon)
            .field("implicit", &self.implicit)
            .field("needs", &self.needs)
            .field("twice", &self.twice)
            .finish()
    }
}
impl All {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.All";
}
impl All {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets `type` to `Some(value)`, consuming and returning `self`.
    pub fn with_type(mut self, value: i32) -> Self {
        self.r#type = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::i64`] to `Some(value)`, consuming and returning `self`.
    pub fn with_i64(mut self, value: i64) -> Self {
        self.i64 = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::u32`] to `Some(value)`, consuming and returning `self`.
    pub fn with_u32(mut self, value: u32) -> Self {
        self.u32 = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::u64`] to `Some(value)`, consuming and returning `self`.
    pub fn with_u64(mut self, value: u64) -> Self {
        self.u64 = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::s32`] to `Some(value)`, consuming and returning `self`.
    pub fn with_s32(mut self, value: i32) -> Self {
        self.s32 = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::s64`] to `Some(value)`, consuming and returning `self`.
    pub fn with_s64(mut self, value: i64) -> Self {
        self.s64 = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::f32`] to `Some(value)`, consuming and returning `self`.
    pub fn with_f32(mut self, value: u32) -> Self {
        self.f32 = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::sf64`] to `Some(value)`, consuming and returning `self`.
    pub fn with_sf64(mut self, value: i64) -> Self {
        self.sf64 = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::b`] to `Some(value)`, consuming and returning `self`.
    pub fn with_b(mut self, value: bool) -> Self {
        self.b = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::f`] to `Some(value)`, consuming and returning `self`.
    pub fn with_f(mut self, value: f32) -> Self {
        self.f = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::d`] to `Some(value)`, consuming and returning `self`.
    pub fn with_d(mut self, value: f64) -> Self {
        self.d = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::s`] to `Some(value)`, consuming and returning `self`.
    pub fn with_s(mut self, value: impl Into<::std::string::String>) -> Self {
        self.s = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::y`] to `Some(value)`, consuming and returning `self`.
    pub fn with_y(mut self, value: impl Into<::polywire::generated::Bytes>) -> Self {
        self.y = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::colour`] to `Some(value)`, consuming and returning `self`.
    pub fn with_colour(mut self, value: impl Into<all::Colour>) -> Self {
        self.colour = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::narrow`] to `Some(value)`, consuming and returning `self`.
    pub fn with_narrow(mut self, value: i64) -> Self {
        self.narrow = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::text`] to `Some(value)`, consuming and returning `self`.
    pub fn with_text(mut self, value: impl Into<::std::vec::Vec<u8>>) -> Self {
        self.text = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::on`] to `Some(value)`, consuming and returning `self`.
    pub fn with_on(mut self, value: i32) -> Self {
        self.on = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::less`] to `Some(value)`, consuming and returning `self`.
    pub fn with_less(mut self, value: f64) -> Self {
        self.less = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::twice`] to `Some(value)`, consuming and returning `self`.
    pub fn with_twice(
        mut self,
        value: impl Into<::std::string::String>,
    ) -> Self {
        self.twice = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for All {}
::polywire::generated::buffa::impl_default_instance!(All);
impl ::polywire::generated::buffa::MessageName for All {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "All";
    const FULL_NAME: &'static str = "mcpack.All";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.All";
}
impl ::polywire::generated::buffa::Message for All {
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
        if let Some(v) = self.r#type {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v) as u64;
        }
        if let Some(v) = self.i64 {
            size += 1u64 + ::polywire::generated::buffa::types::int64_encoded_len(v) as u64;
        }
        if let Some(v) = self.u32 {
            size += 1u64 + ::polywire::generated::buffa::types::uint32_encoded_len(v) as u64;
        }
        if let Some(v) = self.u64 {
            size += 1u64 + ::polywire::generated::buffa::types::uint64_encoded_len(v) as u64;
        }
        if let Some(v) = self.s32 {
            size += 1u64 + ::polywire::generated::buffa::types::sint32_encoded_len(v) as u64;
        }
        if let Some(v) = self.s64 {
            size += 1u64 + ::polywire::generated::buffa::types::sint64_encoded_len(v) as u64;
        }
        if self.f32.is_some() {
            size += 1u64 + ::polywire::generated::buffa::types::FIXED32_ENCODED_LEN as u64;
        }
        if self.sf64.is_some() {
            size += 1u64 + ::polywire::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
        }
        if self.b.is_some() {
            size += 1u64 + ::polywire::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        if self.f.is_some() {
            size += 1u64 + ::polywire::generated::buffa::types::FIXED32_ENCODED_LEN as u64;
        }
        if self.d.is_some() {
            size += 1u64 + ::polywire::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
        }
        if let Some(ref v) = self.s {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        if let Some(ref v) = self.y {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        if let Some(ref v) = self.colour {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v.to_i32()) as u64;
        }
        if self.all.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.all.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.group.is_set() {
            let inner_size = self.group.compute_size(__cache);
            size += 2u64 + inner_size as u64 + 2u64;
        }
        for v in &self.ri32 {
            size += 2u64 + ::polywire::generated::buffa::types::int32_encoded_len(*v) as u64;
        }
        if !self.rs64.is_empty() {
            let payload: u64 = self
                .rs64
                .iter()
                .map(|&v| ::polywire::generated::buffa::types::sint64_encoded_len(v) as u64)
                .sum::<u64>();
            size += 2u64 + ::polywire::generated::buffa::encoding::varint_len(payload) as u64 + payload;
        }
        for v in &self.ru32 {
            size += 2u64 + ::polywire::generated::buffa::types::uint32_encoded_len(*v) as u64;
        }
        for v in &self.ru64 {
            size += 2u64 + ::polywire::generated::buffa::types::uint64_encoded_len(*v) as u64;
        }
        size += self.rb.len() as u64 * (2u64 + ::polywire::generated::buffa::types::BOOL_ENCODED_LEN as u64);
        size
            += self.rf.len() as u64
                * (2u64 + ::polywire::generated::buffa::types::FIXED32_ENCODED_LEN as u64);
        size
            += self.rd.len() as u64
                * (2u64 + ::polywire::generated::buffa::types::FIXED64_ENCODED_LEN as u64);
        for v in &self.rs {
            size += 2u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        for v in &self.ry {
            size += 2u64 + ::polywire::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        for v in &self.rc {
            size += 2u64 + ::polywire::generated::buffa::types::int32_encoded_len(v.to_i32()) as u64;
        }
        for v in &self.ra {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::Str,
                ::polywire::generated::buffa::map_codec::Int32,
                _,
            >(&self.ms, 2u64);
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::Str,
                ::polywire::generated::buffa::map_codec::BytesVec,
                _,
            >(&self.my, 2u64);
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::Int32,
                ::polywire::generated::buffa::map_codec::Str,
                _,
            >(&self.mi, 2u64);
        size
            += ::polywire::generated::buffa::map_codec::message_field_len::<
                ::polywire::generated::buffa::map_codec::Bool,
                _,
                _,
            >(&self.mb, 2u64, __cache);
        size
            += ::polywire::generated::buffa::map_codec::message_field_len::<
                ::polywire::generated::buffa::map_codec::Str,
                _,
                _,
            >(&self.ma, 2u64, __cache);
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::Str,
                ::polywire::generated::buffa::map_codec::ClosedEnum<_>,
                _,
            >(&self.mc, 2u64);
        if let Some(v) = self.narrow {
            size += 2u64 + ::polywire::generated::buffa::types::int64_encoded_len(v) as u64;
        }
        if let Some(ref v) = self.text {
            size += 2u64 + ::polywire::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        if let Some(v) = self.on {
            size += 2u64 + ::polywire::generated::buffa::types::int32_encoded_len(v) as u64;
        }
        size
            += self.wide.len() as u64
                * (2u64 + ::polywire::generated::buffa::types::FIXED32_ENCODED_LEN as u64);
        if self.less.is_some() {
            size += 2u64 + ::polywire::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
        }
        for v in &self.short {
            size += 2u64 + ::polywire::generated::buffa::types::int32_encoded_len(*v) as u64;
        }
        for v in &self.none {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::Int32,
                ::polywire::generated::buffa::map_codec::Int32,
                _,
            >(&self.mon, 2u64);
        if self.implicit.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.implicit.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.needs.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.needs.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if let Some(ref v) = self.twice {
            size += 2u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if let Some(v) = self.r#type {
            ::polywire::generated::buffa::types::put_int32_field(1u32, v, buf);
        }
        if let Some(v) = self.i64 {
            ::polywire::generated::buffa::types::put_int64_field(2u32, v, buf);
        }
        if let Some(v) = self.u32 {
            ::polywire::generated::buffa::types::put_uint32_field(3u32, v, buf);
        }
        if let Some(v) = self.u64 {
            ::polywire::generated::buffa::types::put_uint64_field(4u32, v, buf);
        }
        if let Some(v) = self.s32 {
            ::polywire::generated::buffa::types::put_sint32_field(5u32, v, buf);
        }
        if let Some(v) = self.s64 {
            ::polywire::generated::buffa::types::put_sint64_field(6u32, v, buf);
        }
        if let Some(v) = self.f32 {
            ::polywire::generated::buffa::types::put_fixed32_field(7u32, v, buf);
        }
        if let Some(v) = self.sf64 {
            ::polywire::generated::buffa::types::put_sfixed64_field(8u32, v, buf);
        }
        if let Some(v) = self.b {
            ::polywire::generated::buffa::types::put_bool_field(9u32, v, buf);
        }
        if let Some(v) = self.f {
            ::polywire::generated::buffa::types::put_float_field(10u32, v, buf);
        }
        if let Some(v) = self.d {
            ::polywire::generated::buffa::types::put_double_field(11u32, v, buf);
        }
        if let Some(ref v) = self.s {
            ::polywire::generated::buffa::types::put_string_field(12u32, v, buf);
        }
        if let Some(ref v) = self.y {
            ::polywire::generated::buffa::types::put_shared_bytes_field(13u32, v, buf);
        }
        if let Some(ref v) = self.colour {
            ::polywire::generated::buffa::types::put_int32_field(14u32, v.to_i32(), buf);
        }
        if self.all.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                15u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.all.write_to(__cache, buf);
        }
        if self.group.is_set() {
            ::polywire::generated::buffa::types::put_group_start(16u32, buf);
            self.group.write_to(__cache, buf);
            ::polywire::generated::buffa::types::put_group_end(16u32, buf);
        }
        for v in &self.ri32 {
            ::polywire::generated::buffa::types::put_int32_field(21u32, *v, buf);
        }
        if !self.rs64.is_empty() {
            let payload: u64 = self
                .rs64
                .iter()
                .map(|&v| ::polywire::generated::buffa::types::sint64_encoded_len(v) as u64)
                .sum::<u64>();
            ::polywire::generated::buffa::types::put_len_delimited_header(22u32, payload, buf);
            for &v in &self.rs64 {
                ::polywire::generated::buffa::types::encode_sint64(v, buf);
            }
        }
        for v in &self.ru32 {
            ::polywire::generated::buffa::types::put_uint32_field(23u32, *v, buf);
        }
        for v in &self.ru64 {
            ::polywire::generated::buffa::types::put_uint64_field(24u32, *v, buf);
        }
        for v in &self.rb {
            ::polywire::generated::buffa::types::put_bool_field(25u32, *v, buf);
        }
        for v in &self.rf {
            ::polywire::generated::buffa::types::put_float_field(26u32, *v, buf);
        }
        for v in &self.rd {
            ::polywire::generated::buffa::types::put_double_field(27u32, *v, buf);
        }
        for v in &self.rs {
            ::polywire::generated::buffa::types::put_string_field(28u32, v, buf);
        }
        for v in &self.ry {
            ::polywire::generated::buffa::types::put_shared_bytes_field(29u32, v, buf);
        }
        for v in &self.rc {
            ::polywire::generated::buffa::types::put_int32_field(30u32, v.to_i32(), buf);
        }
        for v in &self.ra {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                31u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::Str,
            ::polywire::generated::buffa::map_codec::Int32,
            _,
        >(&self.ms, 41u32, buf);
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::Str,
            ::polywire::generated::buffa::map_codec::BytesVec,
            _,
        >(&self.my, 42u32, buf);
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::Int32,
            ::polywire::generated::buffa::map_codec::Str,
            _,
        >(&self.mi, 43u32, buf);
        ::polywire::generated::buffa::map_codec::write_message_field::<
            ::polywire::generated::buffa::map_codec::Bool,
            _,
            _,
        >(&self.mb, 44u32, __cache, buf);
        ::polywire::generated::buffa::map_codec::write_message_field::<
            ::polywire::generated::buffa::map_codec::Str,
            _,
            _,
        >(&self.ma, 45u32, __cache, buf);
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::Str,
            ::polywire::generated::buffa::map_codec::ClosedEnum<_>,
            _,
        >(&self.mc, 46u32, buf);
        if let Some(v) = self.narrow {
            ::polywire::generated::buffa::types::put_int64_field(51u32, v, buf);
        }
        if let Some(ref v) = self.text {
            ::polywire::generated::buffa::types::put_shared_bytes_field(52u32, v, buf);
        }
        if let Some(v) = self.on {
            ::polywire::generated::buffa::types::put_int32_field(53u32, v, buf);
        }
        for v in &self.wide {
            ::polywire::generated::buffa::types::put_float_field(54u32, *v, buf);
        }
        if let Some(v) = self.less {
            ::polywire::generated::buffa::types::put_double_field(55u32, v, buf);
        }
        for v in &self.short {
            ::polywire::generated::buffa::types::put_int32_field(56u32, *v, buf);
        }
        for v in &self.none {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                57u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::Int32,
            ::polywire::generated::buffa::map_codec::Int32,
            _,
        >(&self.mon, 58u32, buf);
        if self.implicit.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                61u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.implicit.write_to(__cache, buf);
        }
        if self.needs.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                62u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.needs.write_to(__cache, buf);
        }
        if let Some(ref v) = self.twice {
            ::polywire::generated::buffa::types::put_string_field(63u32, v, buf);
        }
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
                self.r#type = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int32(buf)?,
                );
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.i64 = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int64(buf)?,
                );
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.u32 = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_uint32(buf)?,
                );
            }
            4u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.u64 = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_uint64(buf)?,
                );
            }
            5u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.s32 = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_sint32(buf)?,
                );
            }
            6u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.s64 = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_sint64(buf)?,
                );
            }
            7u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Fixed32,
                )?;
                self.f32 = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_fixed32(buf)?,
                );
            }
            8u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.sf64 = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_sfixed64(buf)?,
                );
            }
            9u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.b = ::std::option::Option::Some(::polywire::generated::buffa::types::decode_bool(buf)?);
            }
            10u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Fixed32,
                )?;
                self.f = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_float(buf)?,
                );
            }
            11u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.d = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_double(buf)?,
                );
            }
            12u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(
                    self.s.get_or_insert_with(::std::string::String::new),
                    buf,
                )?;
            }
            13u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.y = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_bytes_to_bytes(buf)?,
                );
            }
            14u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                let __raw = ::polywire::generated::buffa::types::decode_int32(buf)?;
                if let ::std::option::Option::Some(__v) = ::polywire::generated::buffa::Enumeration::from_i32(
                    __raw,
                ) {
                    self.colour = ::std::option::Option::Some(__v);
                }
            }
            15u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.all.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            16u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::StartGroup,
                )?;
                ::polywire::generated::buffa::Message::merge_group(
                    self.group.get_or_insert_default(),
                    buf,
                    ctx,
                    16u32,
                )?;
            }
            21u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_int32(
                            &buf.chunk()[..len],
                            &mut self.ri32,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.ri32.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.ri32
                                .push(::polywire::generated::buffa::types::decode_int32_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.ri32.push(::polywire::generated::buffa::types::decode_int32(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            22u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_sint64(
                            &buf.chunk()[..len],
                            &mut self.rs64,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.rs64.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.rs64
                                .push(::polywire::generated::buffa::types::decode_sint64_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.rs64.push(::polywire::generated::buffa::types::decode_sint64(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            23u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_uint32(
                            &buf.chunk()[..len],
                            &mut self.ru32,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.ru32.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.ru32
                                .push(::polywire::generated::buffa::types::decode_uint32_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.ru32.push(::polywire::generated::buffa::types::decode_uint32(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            24u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_uint64(
                            &buf.chunk()[..len],
                            &mut self.ru64,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.ru64.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.ru64
                                .push(::polywire::generated::buffa::types::decode_uint64_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.ru64.push(::polywire::generated::buffa::types::decode_uint64(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            25u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_bool(
                            &buf.chunk()[..len],
                            &mut self.rb,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.rb.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.rb
                                .push(::polywire::generated::buffa::types::decode_bool_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.rb.push(::polywire::generated::buffa::types::decode_bool(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            26u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_float(
                            &buf.chunk()[..len],
                            &mut self.rf,
                        )?;
                        buf.advance(len);
                    } else {
                        self.rf.reserve(len / 4usize);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.rf.push(::polywire::generated::buffa::types::decode_float(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Fixed32 {
                    self.rf.push(::polywire::generated::buffa::types::decode_float(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            27u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_double(
                            &buf.chunk()[..len],
                            &mut self.rd,
                        )?;
                        buf.advance(len);
                    } else {
                        self.rd.reserve(len / 8usize);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.rd.push(::polywire::generated::buffa::types::decode_double(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Fixed64 {
                    self.rd.push(::polywire::generated::buffa::types::decode_double(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            28u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = ::polywire::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.rs.push(__elem);
            }
            29u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = ::polywire::generated::buffa::types::decode_bytes_to_bytes(buf)?;
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.ry.push(__elem);
            }
            30u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    self.rc.reserve(len);
                    let mut limited = buf.take(len);
                    while limited.has_remaining() {
                        let __raw = ::polywire::generated::buffa::types::decode_int32(&mut limited)?;
                        if let ::std::option::Option::Some(__v) = ::polywire::generated::buffa::Enumeration::from_i32(
                            __raw,
                        ) {
                            self.rc.push(__v);
                        }
                    }
                    let leftover = limited.remaining();
                    if leftover > 0 {
                        limited.advance(leftover);
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    let __raw = ::polywire::generated::buffa::types::decode_int32(buf)?;
                    if let ::std::option::Option::Some(__v) = ::polywire::generated::buffa::Enumeration::from_i32(
                        __raw,
                    ) {
                        self.rc.push(__v);
                    }
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            31u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&elem),
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.ra.push(elem);
            }
            41u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Str,
                    ::polywire::generated::buffa::map_codec::Int32,
                    _,
                >(&mut self.ms, buf, ctx)?;
            }
            42u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Str,
                    ::polywire::generated::buffa::map_codec::BytesVec,
                    _,
                >(&mut self.my, buf, ctx)?;
            }
            43u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Int32,
                    ::polywire::generated::buffa::map_codec::Str,
                    _,
                >(&mut self.mi, buf, ctx)?;
            }
            44u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Bool,
                    ::polywire::generated::buffa::map_codec::Msg<_>,
                    _,
                >(&mut self.mb, buf, ctx)?;
            }
            45u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Str,
                    ::polywire::generated::buffa::map_codec::Msg<_>,
                    _,
                >(&mut self.ma, buf, ctx)?;
            }
            46u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Str,
                    ::polywire::generated::buffa::map_codec::ClosedEnum<_>,
                    _,
                >(&mut self.mc, buf, ctx)?;
            }
            51u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.narrow = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int64(buf)?,
                );
            }
            52u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_bytes(
                    self.text.get_or_insert_with(::std::vec::Vec::new),
                    buf,
                )?;
            }
            53u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.on = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int32(buf)?,
                );
            }
            54u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_float(
                            &buf.chunk()[..len],
                            &mut self.wide,
                        )?;
                        buf.advance(len);
                    } else {
                        self.wide.reserve(len / 4usize);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.wide.push(::polywire::generated::buffa::types::decode_float(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Fixed32 {
                    self.wide.push(::polywire::generated::buffa::types::decode_float(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            55u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.less = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_double(buf)?,
                );
            }
            56u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    if buf.chunk().len() >= len {
                        ::polywire::generated::buffa::types::extend_packed_int32(
                            &buf.chunk()[..len],
                            &mut self.short,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.short.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.short
                                .push(::polywire::generated::buffa::types::decode_int32_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.short.push(::polywire::generated::buffa::types::decode_int32(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            57u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&elem),
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.none.push(elem);
            }
            58u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Int32,
                    ::polywire::generated::buffa::map_codec::Int32,
                    _,
                >(&mut self.mon, buf, ctx)?;
            }
            61u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.implicit.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            62u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.needs.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            63u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(
                    self.twice.get_or_insert_with(::std::string::String::new),
                    buf,
                )?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.r#type = ::std::option::Option::None;
        self.i64 = ::std::option::Option::None;
        self.u32 = ::std::option::Option::None;
        self.u64 = ::std::option::Option::None;
        self.s32 = ::std::option::Option::None;
        self.s64 = ::std::option::Option::None;
        self.f32 = ::std::option::Option::None;
        self.sf64 = ::std::option::Option::None;
        self.b = ::std::option::Option::None;
        self.f = ::std::option::Option::None;
        self.d = ::std::option::Option::None;
        self.s = ::std::option::Option::None;
        self.y = ::std::option::Option::None;
        self.colour = ::std::option::Option::None;
        self.all = ::polywire::MessageField::none();
        self.group = ::polywire::MessageField::none();
        self.ri32.clear();
        self.rs64.clear();
        self.ru32.clear();
        self.ru64.clear();
        self.rb.clear();
        self.rf.clear();
        self.rd.clear();
        self.rs.clear();
        self.ry.clear();
        self.rc.clear();
        self.ra.clear();
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.ms);
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.my);
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.mi);
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.mb);
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.ma);
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.mc);
        self.narrow = ::std::option::Option::None;
        self.text = ::std::option::Option::None;
        self.on = ::std::option::Option::None;
        self.wide.clear();
        self.less = ::std::option::Option::None;
        self.short.clear();
        self.none.clear();
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.mon);
        self.implicit = ::polywire::MessageField::none();
        self.needs = ::polywire::MessageField::none();
        self.twice = ::std::option::Option::None;
    }
}
pub mod all {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum Colour {
        RED = 0i32,
        GREEN = 1i32,
        BLUE = -3i32,
    }
    impl Colour {
        ///Idiomatic alias for [`Self::RED`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Red: Self = Self::RED;
        ///Idiomatic alias for [`Self::GREEN`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Green: Self = Self::GREEN;
        ///Idiomatic alias for [`Self::BLUE`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Blue: Self = Self::BLUE;
    }
    impl ::std::default::Default for Colour {
        fn default() -> Self {
            Self::RED
        }
    }
    impl ::polywire::generated::FieldEnum for Colour {}
    impl ::polywire::generated::buffa::Enumeration for Colour {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::RED),
                1i32 => ::std::option::Option::Some(Self::GREEN),
                -3i32 => ::std::option::Option::Some(Self::BLUE),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::RED => "RED",
                Self::GREEN => "GREEN",
                Self::BLUE => "BLUE",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "RED" => ::std::option::Option::Some(Self::RED),
                "GREEN" => ::std::option::Option::Some(Self::GREEN),
                "BLUE" => ::std::option::Option::Some(Self::BLUE),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[Self::RED, Self::GREEN, Self::BLUE]
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct Group {
        /// Field 1: `inside`
        pub inside: ::std::option::Option<i32>,
    }
    impl ::std::fmt::Debug for Group {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Group").field("inside", &self.inside).finish()
        }
    }
    impl Group {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.All.Group";
    }
    impl Group {
        #[must_use = "with_* setters return `self` by value; assign or chain the result"]
        #[inline]
        ///Sets [`Self::inside`] to `Some(value)`, consuming and returning `self`.
        pub fn with_inside(mut self, value: i32) -> Self {
            self.inside = Some(value);
            self
        }
    }
    impl ::polywire::generated::FieldMessage for Group {}
    ::polywire::generated::buffa::impl_default_instance!(Group);
    impl ::polywire::generated::buffa::MessageName for Group {
        const PACKAGE: &'static str = "mcpack";
        const NAME: &'static str = "All.Group";
        const FULL_NAME: &'static str = "mcpack.All.Group";
        const TYPE_URL: &'static str = "type.googleapis.com/mcpack.All.Group";
    }
    impl ::polywire::generated::buffa::Message for Group {
        /// Returns the total encoded size in bytes.
        ///
        /// Accumulates in `u64` (which cannot overflow for in-memory
        /// data) and saturates to `u32` at return, so a message whose
        /// encoded size exceeds the 2 GiB protobuf limit yields a value
        /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
        /// points reject, never a silently wrapped size.
        #[allow(clippy::let_and_return)]
        fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
            #[allow(unused_imports)]
            use ::polywire::generated::buffa::Enumeration as _;
            let mut size = 0u64;
            if let Some(v) = self.inside {
                size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v) as u64;
            }
            ::polywire::generated::buffa::saturate_size(size)
        }
        fn write_to(
            &self,
            _cache: &mut ::polywire::generated::buffa::SizeCache,
            buf: &mut impl ::polywire::generated::buffa::EncodeSink,
        ) {
            #[allow(unused_imports)]
            use ::polywire::generated::buffa::Enumeration as _;
            if let Some(v) = self.inside {
                ::polywire::generated::buffa::types::put_int32_field(1u32, v, buf);
            }
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
                    self.inside = ::std::option::Option::Some(
                        ::polywire::generated::buffa::types::decode_int32(buf)?,
                    );
                }
                _ => {
                    ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.inside = ::std::option::Option::None;
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Needs {
    /// Field 1: `id`
    pub id: i32,
    /// Field 2: `below`
    pub below: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
    /// Field 3: `more`
    pub more: ::std::vec::Vec<Self>,
    /// Field 4: `text`
    pub text: ::std::string::String,
}
impl ::std::fmt::Debug for Needs {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Needs")
            .field("id", &self.id)
            .field("below", &self.below)
            .field("more", &self.more)
            .field("text", &self.text)
            .finish()
    }
}
impl Needs {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Needs";
}
impl ::polywire::generated::FieldMessage for Needs {}
::polywire::generated::buffa::impl_default_instance!(Needs);
impl ::polywire::generated::buffa::MessageName for Needs {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "Needs";
    const FULL_NAME: &'static str = "mcpack.Needs";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Needs";
}
impl ::polywire::generated::buffa::Message for Needs {
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
        size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(self.id) as u64;
        if self.below.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.below.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.more {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.text) as u64;
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        ::polywire::generated::buffa::types::put_int32_field(1u32, self.id, buf);
        if self.below.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.below.write_to(__cache, buf);
        }
        for v in &self.more {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        ::polywire::generated::buffa::types::put_string_field(4u32, &self.text, buf);
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
                self.id = ::polywire::generated::buffa::types::decode_int32(buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.below.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&elem),
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.more.push(elem);
            }
            4u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.text, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.id = 0i32;
        self.below = ::polywire::MessageField::none();
        self.more.clear();
        self.text.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Must {
    /// Field 1: `needs`
    pub needs: ::polywire::MessageField<Needs>,
}
impl ::std::fmt::Debug for Must {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Must").field("needs", &self.needs).finish()
    }
}
impl Must {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Must";
}
impl ::polywire::generated::FieldMessage for Must {}
::polywire::generated::buffa::impl_default_instance!(Must);
impl ::polywire::generated::buffa::MessageName for Must {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "Must";
    const FULL_NAME: &'static str = "mcpack.Must";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Must";
}
impl ::polywire::generated::buffa::Message for Must {
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
        if self.needs.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.needs.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if self.needs.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.needs.write_to(__cache, buf);
        }
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
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.needs.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.needs = ::polywire::MessageField::none();
    }
}
/// These go by their descriptors.
#[derive(Clone, PartialEq, Default)]
pub struct Pair {
    /// Field 1: `key`
    pub key: ::std::option::Option<::std::string::String>,
    /// Field 2: `value`
    pub value: ::std::option::Option<::std::vec::Vec<u8>>,
}
impl ::std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Pair")
            .field("key", &self.key)
            .field("value", &self.value)
            .finish()
    }
}
impl Pair {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Pair";
}
impl Pair {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::key`] to `Some(value)`, consuming and returning `self`.
    pub fn with_key(mut self, value: impl Into<::std::string::String>) -> Self {
        self.key = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::value`] to `Some(value)`, consuming and returning `self`.
    pub fn with_value(mut self, value: impl Into<::std::vec::Vec<u8>>) -> Self {
        self.value = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for Pair {}
::polywire::generated::buffa::impl_default_instance!(Pair);
impl ::polywire::generated::buffa::MessageName for Pair {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "Pair";
    const FULL_NAME: &'static str = "mcpack.Pair";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Pair";
}
impl ::polywire::generated::buffa::Message for Pair {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if let Some(ref v) = self.key {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        if let Some(ref v) = self.value {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if let Some(ref v) = self.key {
            ::polywire::generated::buffa::types::put_string_field(1u32, v, buf);
        }
        if let Some(ref v) = self.value {
            ::polywire::generated::buffa::types::put_shared_bytes_field(2u32, v, buf);
        }
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
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(
                    self.key.get_or_insert_with(::std::string::String::new),
                    buf,
                )?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_bytes(
                    self.value.get_or_insert_with(::std::vec::Vec::new),
                    buf,
                )?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.key = ::std::option::Option::None;
        self.value = ::std::option::Option::None;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Pairs {
    /// Field 1: `pairs`
    pub pairs: ::std::vec::Vec<Pair>,
}
impl ::std::fmt::Debug for Pairs {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Pairs").field("pairs", &self.pairs).finish()
    }
}
impl Pairs {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Pairs";
}
impl ::polywire::generated::FieldMessage for Pairs {}
::polywire::generated::buffa::impl_default_instance!(Pairs);
impl ::polywire::generated::buffa::MessageName for Pairs {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "Pairs";
    const FULL_NAME: &'static str = "mcpack.Pairs";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Pairs";
}
impl ::polywire::generated::buffa::Message for Pairs {
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
        for v in &self.pairs {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        for v in &self.pairs {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
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
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&elem),
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.pairs.push(elem);
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.pairs.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Choice {
    pub choice: ::std::option::Option<__buffa::oneof::choice::Choice>,
}
impl ::std::fmt::Debug for Choice {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Choice").field("choice", &self.choice).finish()
    }
}
impl Choice {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Choice";
}
impl ::polywire::generated::FieldMessage for Choice {}
::polywire::generated::buffa::impl_default_instance!(Choice);
impl ::polywire::generated::buffa::MessageName for Choice {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "Choice";
    const FULL_NAME: &'static str = "mcpack.Choice";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Choice";
}
impl ::polywire::generated::buffa::Message for Choice {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if let ::std::option::Option::Some(ref v) = self.choice {
            match v {
                __buffa::oneof::choice::Choice::Number(v) => {
                    size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(*v) as u64;
                }
                __buffa::oneof::choice::Choice::Text(x) => {
                    size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(x) as u64;
                }
            }
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if let ::std::option::Option::Some(ref v) = self.choice {
            match v {
                __buffa::oneof::choice::Choice::Number(x) => {
                    ::polywire::generated::buffa::types::put_int32_field(1u32, *x, buf);
                }
                __buffa::oneof::choice::Choice::Text(x) => {
                    ::polywire::generated::buffa::types::put_string_field(2u32, x, buf);
                }
            }
        }
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
                self.choice = ::std::option::Option::Some(
                    __buffa::oneof::choice::Choice::Number(
                        ::polywire::generated::buffa::types::decode_int32(buf)?,
                    ),
                );
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.choice = ::std::option::Option::Some(
                    __buffa::oneof::choice::Choice::Text(
                        ::polywire::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.choice = ::std::option::Option::None;
    }
}
pub mod choice {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::choice::Choice;
}
#[derive(Clone, PartialEq, Default)]
pub struct Chosen {
    /// Field 1: `choice`
    pub choice: ::polywire::MessageField<Choice>,
}
impl ::std::fmt::Debug for Chosen {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Chosen").field("choice", &self.choice).finish()
    }
}
impl Chosen {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Chosen";
}
impl ::polywire::generated::FieldMessage for Chosen {}
::polywire::generated::buffa::impl_default_instance!(Chosen);
impl ::polywire::generated::buffa::MessageName for Chosen {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "Chosen";
    const FULL_NAME: &'static str = "mcpack.Chosen";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Chosen";
}
impl ::polywire::generated::buffa::Message for Chosen {
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
        if self.choice.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.choice.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if self.choice.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.choice.write_to(__cache, buf);
        }
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
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.choice.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.choice = ::polywire::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Blob {
    /// Field 2: `text`
    pub text: ::std::option::Option<::std::string::String>,
    pub blob: ::std::option::Option<__buffa::oneof::blob::Blob>,
}
impl ::std::fmt::Debug for Blob {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Blob")
            .field("text", &self.text)
            .field("blob", &self.blob)
            .finish()
    }
}
impl Blob {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Blob";
}
impl Blob {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::text`] to `Some(value)`, consuming and returning `self`.
    pub fn with_text(
        mut self,
        value: impl Into<::std::string::String>,
    ) -> Self {
        self.text = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for Blob {}
::polywire::generated::buffa::impl_default_instance!(Blob);
impl ::polywire::generated::buffa::MessageName for Blob {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "Blob";
    const FULL_NAME: &'static str = "mcpack.Blob";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Blob";
}
impl ::polywire::generated::buffa::Message for Blob {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if let ::std::option::Option::Some(ref v) = self.blob {
            match v {
                __buffa::oneof::blob::Blob::Data(x) => {
                    size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(x) as u64;
                }
            }
        }
        if let Some(ref v) = self.text {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if let ::std::option::Option::Some(ref v) = self.blob {
            match v {
                __buffa::oneof::blob::Blob::Data(x) => {
                    ::polywire::generated::buffa::types::put_shared_bytes_field(1u32, x, buf);
                }
            }
        }
        if let Some(ref v) = self.text {
            ::polywire::generated::buffa::types::put_string_field(2u32, v, buf);
        }
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
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.blob = ::std::option::Option::Some(
                    __buffa::oneof::blob::Blob::Data(
                        ::polywire::generated::buffa::types::decode_bytes_to_bytes(buf)?,
                    ),
                );
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(
                    self.text.get_or_insert_with(::std::string::String::new),
                    buf,
                )?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.blob = ::std::option::Option::None;
        self.text = ::std::option::Option::None;
    }
}
pub mod blob {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::blob::Blob;
}
/// Names that are keywords of Rust, or that another name takes.
#[derive(Clone, PartialEq, Default)]
pub struct Match {
    /// Field 1: `super`
    pub super_: ::polywire::MessageField<r#match::Self_, ::std::boxed::Box<r#match::Self_>>,
    /// Field 2: `use`
    pub r#use: ::std::option::Option<r#match::Use>,
}
impl ::std::fmt::Debug for Match {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Match")
            .field("super_", &self.super_)
            .field("use", &self.r#use)
            .finish()
    }
}
impl Match {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Match";
}
impl Match {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets `use` to `Some(value)`, consuming and returning `self`.
    pub fn with_use(mut self, value: impl Into<r#match::Use>) -> Self {
        self.r#use = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for Match {}
::polywire::generated::buffa::impl_default_instance!(Match);
impl ::polywire::generated::buffa::MessageName for Match {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "Match";
    const FULL_NAME: &'static str = "mcpack.Match";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Match";
}
impl ::polywire::generated::buffa::Message for Match {
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
        if self.super_.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.super_.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if let Some(ref v) = self.r#use {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v.to_i32()) as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if self.super_.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.super_.write_to(__cache, buf);
        }
        if let Some(ref v) = self.r#use {
            ::polywire::generated::buffa::types::put_int32_field(2u32, v.to_i32(), buf);
        }
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
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.super_.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                let __raw = ::polywire::generated::buffa::types::decode_int32(buf)?;
                if let ::std::option::Option::Some(__v) = ::polywire::generated::buffa::Enumeration::from_i32(
                    __raw,
                ) {
                    self.r#use = ::std::option::Option::Some(__v);
                }
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.super_ = ::polywire::MessageField::none();
        self.r#use = ::std::option::Option::None;
    }
}
pub mod r#match {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum Use {
        NONE = 0i32,
        SOME = 1i32,
    }
    impl Use {
        ///Idiomatic alias for [`Self::NONE`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const None: Self = Self::NONE;
        ///Idiomatic alias for [`Self::SOME`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Some: Self = Self::SOME;
    }
    impl ::std::default::Default for Use {
        fn default() -> Self {
            Self::NONE
        }
    }
    impl ::polywire::generated::FieldEnum for Use {}
    impl ::polywire::generated::buffa::Enumeration for Use {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::NONE),
                1i32 => ::std::option::Option::Some(Self::SOME),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::NONE => "NONE",
                Self::SOME => "SOME",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "NONE" => ::std::option::Option::Some(Self::NONE),
                "SOME" => ::std::option::Option::Some(Self::SOME),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[Self::NONE, Self::SOME]
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct Self_ {
        /// Field 1: `self`
        pub self_: ::polywire::MessageField<super::Match, ::std::boxed::Box<super::Match>>,
    }
    impl ::std::fmt::Debug for Self_ {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Self_").field("self_", &self.self_).finish()
        }
    }
    impl Self_ {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Match.self";
    }
    impl ::polywire::generated::FieldMessage for Self_ {}
    ::polywire::generated::buffa::impl_default_instance!(Self_);
    impl ::polywire::generated::buffa::MessageName for Self_ {
        const PACKAGE: &'static str = "mcpack";
        const NAME: &'static str = "Match.self";
        const FULL_NAME: &'static str = "mcpack.Match.self";
        const TYPE_URL: &'static str = "type.googleapis.com/mcpack.Match.self";
    }
    impl ::polywire::generated::buffa::Message for Self_ {
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
            if self.self_.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.self_.compute_size(__cache);
                __cache.set(__slot, inner_size);
                size
                    += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                        + inner_size as u64;
            }
            ::polywire::generated::buffa::saturate_size(size)
        }
        fn write_to(
            &self,
            __cache: &mut ::polywire::generated::buffa::SizeCache,
            buf: &mut impl ::polywire::generated::buffa::EncodeSink,
        ) {
            #[allow(unused_imports)]
            use ::polywire::generated::buffa::Enumeration as _;
            if self.self_.is_set() {
                ::polywire::generated::buffa::types::put_len_delimited_header(
                    1u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.self_.write_to(__cache, buf);
            }
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
                        ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    ::polywire::generated::buffa::Message::merge_length_delimited(
                        self.self_.get_or_insert_default(),
                        buf,
                        ctx,
                    )?;
                }
                _ => {
                    ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.self_ = ::polywire::MessageField::none();
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Index {
    /// Field 1: `self`
    pub self_: ::polywire::MessageField<index::index>,
}
impl ::std::fmt::Debug for Index {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Index").field("self_", &self.self_).finish()
    }
}
impl Index {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.index";
}
impl ::polywire::generated::FieldMessage for Index {}
::polywire::generated::buffa::impl_default_instance!(Index);
impl ::polywire::generated::buffa::MessageName for Index {
    const PACKAGE: &'static str = "mcpack";
    const NAME: &'static str = "index";
    const FULL_NAME: &'static str = "mcpack.index";
    const TYPE_URL: &'static str = "type.googleapis.com/mcpack.index";
}
impl ::polywire::generated::buffa::Message for Index {
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
        if self.self_.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.self_.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if self.self_.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.self_.write_to(__cache, buf);
        }
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
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.self_.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.self_ = ::polywire::MessageField::none();
    }
}
pub mod index {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct index {
        /// Field 1: `const`
        pub r#const: ::std::option::Option<super::r#match::Use>,
    }
    impl ::std::fmt::Debug for index {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("index").field("const", &self.r#const).finish()
        }
    }
    impl index {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/mcpack.index.index";
    }
    impl index {
        #[must_use = "with_* setters return `self` by value; assign or chain the result"]
        #[inline]
        ///Sets `const` to `Some(value)`, consuming and returning `self`.
        pub fn with_const(mut self, value: impl Into<super::r#match::Use>) -> Self {
            self.r#const = Some(value.into());
            self
        }
    }
    impl ::polywire::generated::FieldMessage for index {}
    ::polywire::generated::buffa::impl_default_instance!(index);
    impl ::polywire::generated::buffa::MessageName for index {
        const PACKAGE: &'static str = "mcpack";
        const NAME: &'static str = "index.index";
        const FULL_NAME: &'static str = "mcpack.index.index";
        const TYPE_URL: &'static str = "type.googleapis.com/mcpack.index.index";
    }
    impl ::polywire::generated::buffa::Message for index {
        /// Returns the total encoded size in bytes.
        ///
        /// Accumulates in `u64` (which cannot overflow for in-memory
        /// data) and saturates to `u32` at return, so a message whose
        /// encoded size exceeds the 2 GiB protobuf limit yields a value
        /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
        /// points reject, never a silently wrapped size.
        #[allow(clippy::let_and_return)]
        fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
            #[allow(unused_imports)]
            use ::polywire::generated::buffa::Enumeration as _;
            let mut size = 0u64;
            if let Some(ref v) = self.r#const {
                size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v.to_i32()) as u64;
            }
            ::polywire::generated::buffa::saturate_size(size)
        }
        fn write_to(
            &self,
            _cache: &mut ::polywire::generated::buffa::SizeCache,
            buf: &mut impl ::polywire::generated::buffa::EncodeSink,
        ) {
            #[allow(unused_imports)]
            use ::polywire::generated::buffa::Enumeration as _;
            if let Some(ref v) = self.r#const {
                ::polywire::generated::buffa::types::put_int32_field(1u32, v.to_i32(), buf);
            }
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
                    let __raw = ::polywire::generated::buffa::types::decode_int32(buf)?;
                    if let ::std::option::Option::Some(__v) = ::polywire::generated::buffa::Enumeration::from_i32(
                        __raw,
                    ) {
                        self.r#const = ::std::option::Option::Some(__v);
                    }
                }
                _ => {
                    ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.r#const = ::std::option::Option::None;
        }
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
        pub mod choice {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum Choice {
                Number(i32),
                Text(::std::string::String),
            }
            impl ::polywire::generated::buffa::Oneof for Choice {}
        }
        pub mod blob {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum Blob {
                Data(::polywire::generated::Bytes),
            }
            impl ::polywire::generated::buffa::Oneof for Blob {}
        }
    }
    pub mod ext {
        #[allow(unused_imports)]
        use super::*;
        /**Extension `idl_type` on `.google.protobuf.FieldOptions` (field 91001).

Proto enum type: `.mcpack.IdlType`. Cast via `EnumValue::from_i32`.*/
        pub const IDL_TYPE: ::polywire::generated::buffa::Extension<::polywire::generated::buffa::extension::codecs::EnumI32> = ::polywire::generated::buffa::Extension::new(
            91001u32,
            "google.protobuf.FieldOptions",
        );
        ///Extension `idl_on` on `.google.protobuf.FieldOptions` (field 91002).
        pub const IDL_ON: ::polywire::generated::buffa::Extension<::polywire::generated::buffa::extension::codecs::Int32> = ::polywire::generated::buffa::Extension::new(
            91002u32,
            "google.protobuf.FieldOptions",
        );
        ///Extension `idl_name` on `.google.protobuf.FieldOptions` (field 91003).
        pub const IDL_NAME: ::polywire::generated::buffa::Extension<
            ::polywire::generated::buffa::extension::codecs::StringCodec,
        > = ::polywire::generated::buffa::Extension::new(91003u32, "google.protobuf.FieldOptions");
    }
}
#[doc(inline)]
pub use self::__buffa::ext::IDL_TYPE;
#[doc(inline)]
pub use self::__buffa::ext::IDL_ON;
#[doc(inline)]
pub use self::__buffa::ext::IDL_NAME;

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("mcpack.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Item, "mcpack.Item", POOL, packed, buffers { one k; });
::polywire::generated::packed!(Item, required 0b0, by_name [0, 1, 2], {
    0: "k" k [0 false false];
    1: "v" v [0 false false];
    2: "tags" tags [0 false false];
});
::polywire::generated::message!(Main, "mcpack.Main", POOL, packed, buffers { one message; one bin; each strs; each items; one one; });
::polywire::generated::packed!(Main, required 0b0, by_name [4, 10, 2, 5, 9, 1, 3, 6, 7, 8, 0], {
    0: "message" message [0 false false];
    1: "code" code [0 false false];
    2: "big" big [7 false false];
    3: "flag" flag [0 false false];
    4: "d" d [0 false false];
    5: "bin" bin [0 false false];
    6: "nums" nums [0 false false];
    7: "strs" strs [0 false false];
    8: "items" items [0 false false];
    9: "uno" one [0 false false];
    10: "on" on [0 true false];
});
::polywire::generated::message!(All, "mcpack.All", POOL, packed, buffers { one s; one y; one all; each rs; each ry; each ra; one text; each none; one implicit; one needs; one twice; }, shared);
::polywire::generated::packed!(All, required 0b0, by_name [8, 10, 9, 11, 12, 31, 30, 32, 29, 27, 28, 35, 26, 20, 25, 22, 21, 23, 24, 14, 6, 1, 40, 4, 5, 2, 3, 37, 39, 16, 17, 18, 19, 7, 34, 0, 36, 15, 42, 38, 13, 33, 41], {
    0: "type" r#type [0 false false];
    1: "i64" i64 [0 false false];
    2: "u32" u32 [0 false false];
    3: "u64" u64 [0 false false];
    4: "s32" s32 [0 false false];
    5: "s64" s64 [0 false false];
    6: "f32" f32 [0 false false];
    7: "sf64" sf64 [0 false false];
    8: "b" b [0 false false];
    9: "f" f [0 false false];
    10: "d" d [0 false false];
    11: "s" s [0 false false];
    12: "y" y [0 false false];
    13: "colour" colour [0 false false];
    14: "all" all [0 false false];
    15: "group" group [0 false false];
    16: "ri32" ri32 [0 false false];
    17: "rs64" rs64 [0 false false];
    18: "ru32" ru32 [0 false false];
    19: "ru64" ru64 [0 false false];
    20: "rb" rb [0 false false];
    21: "rf" rf [0 false false];
    22: "rd" rd [0 false false];
    23: "rs" rs [0 false false];
    24: "ry" ry [0 false false];
    25: "rc" rc [0 false false];
    26: "ra" ra [0 false false];
    27: "ms" ms [0 false false];
    28: "my" my [0 false false];
    29: "mi" mi [0 false false];
    30: "mb" mb [0 false false];
    31: "ma" ma [0 false false];
    32: "mc" mc [0 false false];
    33: "narrow" narrow [1 false false];
    34: "text" text [13 false false];
    35: "on" on [0 true false];
    36: "wide" wide [11 false false];
    37: "less" less [10 false false];
    38: "short" short [2 false false];
    39: "none" none [0 true false];
    40: "mon" mon [0 true false];
    41: "implicit" implicit [0 false false];
    42: "needs" needs [0 false false];
    43: "s" twice [0 false false];
});
::polywire::generated::message!(all::Group, "mcpack.All.Group", POOL, packed);
::polywire::generated::packed!(all::Group, required 0b0, by_name [0], {
    0: "inside" inside [0 false false];
});
::polywire::generated::message!(Needs, "mcpack.Needs", POOL, packed, buffers { one below; each more; one text; });
::polywire::generated::packed!(Needs, required 0b1001, by_name [0, 2, 3, 1], {
    0: "id" id [0 false true];
    1: "below" below [0 false false];
    2: "more" more [0 false false];
    3: "text" text [0 false true];
});
::polywire::generated::message!(Must, "mcpack.Must", POOL, packed, buffers { one needs; });
::polywire::generated::packed!(Must, required 0b1, by_name [0], {
    0: "needs" needs [0 false true];
});
::polywire::generated::message!(Pair, "mcpack.Pair", POOL, packed, buffers { one key; one value; });
::polywire::generated::packed!(Pair, required 0b0, by_name [0, 1], {
    0: "key" key [0 false false];
    1: "value" value [0 false false];
});
::polywire::generated::message!(Pairs, "mcpack.Pairs", POOL, buffers { each pairs; });
::polywire::generated::message!(Choice, "mcpack.Choice", POOL);
::polywire::generated::message!(Chosen, "mcpack.Chosen", POOL);
::polywire::generated::message!(Blob, "mcpack.Blob", POOL, buffers { one text; }, shared);
::polywire::generated::message!(Match, "mcpack.Match", POOL, packed);
::polywire::generated::packed!(Match, required 0b0, by_name [1, 0], {
    0: "super" super_ [0 false false];
    1: "use" r#use [0 false false];
});
::polywire::generated::message!(r#match::Self_, "mcpack.Match.self", POOL, packed);
::polywire::generated::packed!(r#match::Self_, required 0b0, by_name [0], {
    0: "self" self_ [0 false false];
});
::polywire::generated::message!(Index, "mcpack.index", POOL, packed);
::polywire::generated::packed!(Index, required 0b0, by_name [0], {
    0: "self" self_ [0 false false];
});
::polywire::generated::message!(index::index, "mcpack.index.index", POOL, packed);
::polywire::generated::packed!(index::index, required 0b0, by_name [0], {
    0: "const" r#const [0 false false];
});
::polywire::generated::packed_enum!(IdlType);
::polywire::generated::packed_enum!(all::Colour);
::polywire::generated::packed_enum!(r#match::Use);
