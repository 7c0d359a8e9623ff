// Made by polywire-build from edition.proto; changes are lost.

#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(i32)]
pub enum Open {
    OPEN_UNSPECIFIED = 0i32,
    OPEN_ONE = 1i32,
}
impl Open {
    ///Idiomatic alias for [`Self::OPEN_UNSPECIFIED`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Unspecified: Self = Self::OPEN_UNSPECIFIED;
    ///Idiomatic alias for [`Self::OPEN_ONE`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const One: Self = Self::OPEN_ONE;
}
impl ::std::default::Default for Open {
    fn default() -> Self {
        Self::OPEN_UNSPECIFIED
    }
}
impl ::polywire::generated::FieldEnum for Open {}
impl ::polywire::generated::buffa::Enumeration for Open {
    fn from_i32(value: i32) -> ::std::option::Option<Self> {
        match value {
            0i32 => ::std::option::Option::Some(Self::OPEN_UNSPECIFIED),
            1i32 => ::std::option::Option::Some(Self::OPEN_ONE),
            _ => ::std::option::Option::None,
        }
    }
    fn to_i32(&self) -> i32 {
        *self as i32
    }
    fn proto_name(&self) -> &'static str {
        match self {
            Self::OPEN_UNSPECIFIED => "OPEN_UNSPECIFIED",
            Self::OPEN_ONE => "OPEN_ONE",
        }
    }
    fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
        match name {
            "OPEN_UNSPECIFIED" => ::std::option::Option::Some(Self::OPEN_UNSPECIFIED),
            "OPEN_ONE" => ::std::option::Option::Some(Self::OPEN_ONE),
            _ => ::std::option::Option::None,
        }
    }
    fn values() -> &'static [Self] {
        &[Self::OPEN_UNSPECIFIED, Self::OPEN_ONE]
    }
}
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(i32)]
pub enum Closed {
    CLOSED_ONE = 1i32,
    CLOSED_TWO = 2i32,
}
impl Closed {
    ///Idiomatic alias for [`Self::CLOSED_ONE`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const One: Self = Self::CLOSED_ONE;
    ///Idiomatic alias for [`Self::CLOSED_TWO`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Two: Self = Self::CLOSED_TWO;
}
impl ::std::default::Default for Closed {
    fn default() -> Self {
        Self::CLOSED_ONE
    }
}
impl ::polywire::generated::FieldEnum for Closed {}
impl ::polywire::generated::buffa::Enumeration for Closed {
    fn from_i32(value: i32) -> ::std::option::Option<Self> {
        match value {
            1i32 => ::std::option::Option::Some(Self::CLOSED_ONE),
            2i32 => ::std::option::Option::Some(Self::CLOSED_TWO),
            _ => ::std::option::Option::None,
        }
    }
    fn to_i32(&self) -> i32 {
        *self as i32
    }
    fn proto_name(&self) -> &'static str {
        match self {
            Self::CLOSED_ONE => "CLOSED_ONE",
            Self::CLOSED_TWO => "CLOSED_TWO",
        }
    }
    fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
        match name {
            "CLOSED_ONE" => ::std::option::Option::Some(Self::CLOSED_ONE),
            "CLOSED_TWO" => ::std::option::Option::Some(Self::CLOSED_TWO),
            _ => ::std::option::Option::None,
        }
    }
    fn values() -> &'static [Self] {
        &[Self::CLOSED_ONE, Self::CLOSED_TWO]
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Every {
    /// Explicit, as fields are by default.
    ///
    /// Field 1: `explicit`
    pub explicit: ::std::option::Option<i32>,
    /// Field 2: `implicit`
    pub implicit: i32,
    /// Field 3: `needed`
    pub needed: ::std::string::String,
    /// Field 4: `seven`
    pub seven: ::std::option::Option<i32>,
    /// Field 5: `packed`
    pub packed: ::std::vec::Vec<i32>,
    /// Field 6: `expanded`
    pub expanded: ::std::vec::Vec<i32>,
    /// Field 7: `open`
    pub open: ::std::option::Option<::polywire::EnumValue<Open>>,
    /// Field 8: `closed`
    pub closed: ::std::option::Option<Closed>,
    /// Field 9: `closed_ones`
    pub closed_ones: ::std::vec::Vec<Closed>,
    /// Field 10: `inner`
    pub inner: ::polywire::MessageField<every::Inner>,
    /// Field 11: `delimited`
    pub delimited: ::polywire::MessageField<every::Inner>,
    /// Field 12: `by_name`
    pub by_name: ::polywire::Map<::std::string::String, every::Inner>,
    /// Field 13: `unchecked`
    pub unchecked: ::std::option::Option<::std::string::String>,
    /// Field 14: `when`
    pub when: ::polywire::MessageField<::polywire::wkt::Timestamp>,
    /// Field 17: `later`
    pub later: ::polywire::MessageField<next::Later>,
    pub choice: ::std::option::Option<__buffa::oneof::every::Choice>,
}
impl ::std::fmt::Debug for Every {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Every")
            .field("explicit", &self.explicit)
            .field("implicit", &self.implicit)
            .field("needed", &self.needed)
            .field("seven", &self.seven)
            .field("packed", &self.packed)
            .field("expanded", &self.expanded)
            .field("open", &self.open)
            .field("closed", &self.closed)
            .field("closed_ones", &self.closed_ones)
            .field("inner", &self.inner)
            .field("delimited", &self.delimited)
            .field("by_name", &self.by_name)
            .field("unchecked", &self.unchecked)
            .field("when", &self.when)
            .field("later", &self.later)
            .field("choice", &self.choice)
            .finish()
    }
}
impl Every {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/edition.Every";
}
impl Every {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::explicit`] to `Some(value)`, consuming and returning `self`.
    pub fn with_explicit(mut self, value: i32) -> Self {
        self.explicit = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::seven`] to `Some(value)`, consuming and returning `self`.
    pub fn with_seven(mut self, value: i32) -> Self {
        self.seven = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::open`] to `Some(value)`, consuming and returning `self`.
    pub fn with_open(mut self, value: impl Into<::polywire::EnumValue<Open>>) -> Self {
        self.open = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::closed`] to `Some(value)`, consuming and returning `self`.
    pub fn with_closed(mut self, value: impl Into<Closed>) -> Self {
        self.closed = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::unchecked`] to `Some(value)`, consuming and returning `self`.
    pub fn with_unchecked(
        mut self,
        value: impl Into<::std::string::String>,
    ) -> Self {
        self.unchecked = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for Every {}
::polywire::generated::buffa::impl_default_instance!(Every);
impl ::polywire::generated::buffa::MessageName for Every {
    const PACKAGE: &'static str = "edition";
    const NAME: &'static str = "Every";
    const FULL_NAME: &'static str = "edition.Every";
    const TYPE_URL: &'static str = "type.googleapis.com/edition.Every";
}
impl ::polywire::generated::buffa::Message for Every {
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
        if let Some(v) = self.explicit {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v) as u64;
        }
        if self.implicit != 0i32 {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(self.implicit) as u64;
        }
        size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.needed) as u64;
        if let Some(v) = self.seven {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v) as u64;
        }
        if !self.packed.is_empty() {
            let payload: u64 = self
                .packed
                .iter()
                .map(|&v| ::polywire::generated::buffa::types::int32_encoded_len(v) as u64)
                .sum::<u64>();
            size += 1u64 + ::polywire::generated::buffa::encoding::varint_len(payload) as u64 + payload;
        }
        for v in &self.expanded {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(*v) as u64;
        }
        if let Some(ref v) = self.open {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v.to_i32()) as u64;
        }
        if let Some(ref v) = self.closed {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v.to_i32()) as u64;
        }
        if !self.closed_ones.is_empty() {
            let payload: u64 = self
                .closed_ones
                .iter()
                .map(|v| ::polywire::generated::buffa::types::int32_encoded_len(v.to_i32()) as u64)
                .sum::<u64>();
            size += 1u64 + ::polywire::generated::buffa::encoding::varint_len(payload) as u64 + payload;
        }
        if self.inner.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.inner.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.delimited.is_set() {
            let inner_size = self.delimited.compute_size(__cache);
            size += 1u64 + inner_size as u64 + 1u64;
        }
        size
            += ::polywire::generated::buffa::map_codec::message_field_len::<
                ::polywire::generated::buffa::map_codec::Str,
                _,
                _,
            >(&self.by_name, 1u64, __cache);
        if let Some(ref v) = self.unchecked {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        if self.when.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.when.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if let ::std::option::Option::Some(ref v) = self.choice {
            match v {
                __buffa::oneof::every::Choice::Text(x) => {
                    size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::every::Choice::Message(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 2u64 + ::polywire::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
            }
        }
        if self.later.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.later.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
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
        if let Some(v) = self.explicit {
            ::polywire::generated::buffa::types::put_int32_field(1u32, v, buf);
        }
        if self.implicit != 0i32 {
            ::polywire::generated::buffa::types::put_int32_field(2u32, self.implicit, buf);
        }
        ::polywire::generated::buffa::types::put_string_field(3u32, &self.needed, buf);
        if let Some(v) = self.seven {
            ::polywire::generated::buffa::types::put_int32_field(4u32, v, buf);
        }
        if !self.packed.is_empty() {
            let payload: u64 = self
                .packed
                .iter()
                .map(|&v| ::polywire::generated::buffa::types::int32_encoded_len(v) as u64)
                .sum::<u64>();
            ::polywire::generated::buffa::types::put_len_delimited_header(5u32, payload, buf);
            for &v in &self.packed {
                ::polywire::generated::buffa::types::encode_int32(v, buf);
            }
        }
        for v in &self.expanded {
            ::polywire::generated::buffa::types::put_int32_field(6u32, *v, buf);
        }
        if let Some(ref v) = self.open {
            ::polywire::generated::buffa::types::put_int32_field(7u32, v.to_i32(), buf);
        }
        if let Some(ref v) = self.closed {
            ::polywire::generated::buffa::types::put_int32_field(8u32, v.to_i32(), buf);
        }
        if !self.closed_ones.is_empty() {
            let payload: u64 = self
                .closed_ones
                .iter()
                .map(|v| ::polywire::generated::buffa::types::int32_encoded_len(v.to_i32()) as u64)
                .sum::<u64>();
            ::polywire::generated::buffa::types::put_len_delimited_header(9u32, payload, buf);
            for v in &self.closed_ones {
                ::polywire::generated::buffa::types::encode_int32(v.to_i32(), buf);
            }
        }
        if self.inner.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                10u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.inner.write_to(__cache, buf);
        }
        if self.delimited.is_set() {
            ::polywire::generated::buffa::types::put_group_start(11u32, buf);
            self.delimited.write_to(__cache, buf);
            ::polywire::generated::buffa::types::put_group_end(11u32, buf);
        }
        ::polywire::generated::buffa::map_codec::write_message_field::<
            ::polywire::generated::buffa::map_codec::Str,
            _,
            _,
        >(&self.by_name, 12u32, __cache, buf);
        if let Some(ref v) = self.unchecked {
            ::polywire::generated::buffa::types::put_string_field(13u32, v, buf);
        }
        if self.when.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                14u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.when.write_to(__cache, buf);
        }
        if let ::std::option::Option::Some(ref v) = self.choice {
            match v {
                __buffa::oneof::every::Choice::Text(x) => {
                    ::polywire::generated::buffa::types::put_string_field(15u32, x, buf);
                }
                __buffa::oneof::every::Choice::Message(x) => {
                    ::polywire::generated::buffa::types::put_len_delimited_header(
                        16u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
            }
        }
        if self.later.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                17u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.later.write_to(__cache, buf);
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
                self.explicit = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int32(buf)?,
                );
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.implicit = ::polywire::generated::buffa::types::decode_int32(buf)?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.needed, buf)?;
            }
            4u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.seven = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int32(buf)?,
                );
            }
            5u32 => {
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
                            &mut self.packed,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.packed.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.packed
                                .push(::polywire::generated::buffa::types::decode_int32_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.packed.push(::polywire::generated::buffa::types::decode_int32(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            6u32 => {
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
                            &mut self.expanded,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.expanded.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.expanded
                                .push(::polywire::generated::buffa::types::decode_int32_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.expanded.push(::polywire::generated::buffa::types::decode_int32(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                        ),
                    );
                }
            }
            7u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.open = ::std::option::Option::Some(
                    ::polywire::EnumValue::from(::polywire::generated::buffa::types::decode_int32(buf)?),
                );
            }
            8u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                let __raw = ::polywire::generated::buffa::types::decode_int32(buf)?;
                if let ::std::option::Option::Some(__v) = ::polywire::generated::buffa::Enumeration::from_i32(
                    __raw,
                ) {
                    self.closed = ::std::option::Option::Some(__v);
                }
            }
            9u32 => {
                if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::LengthDelimited {
                    let len = ::polywire::generated::buffa::encoding::decode_varint(buf)?;
                    let len = usize::try_from(len)
                        .map_err(|_| ::polywire::generated::buffa::DecodeError::MessageTooLarge)?;
                    if buf.remaining() < len {
                        return ::std::result::Result::Err(
                            ::polywire::generated::buffa::DecodeError::UnexpectedEof,
                        );
                    }
                    self.closed_ones.reserve(len);
                    let mut limited = buf.take(len);
                    while limited.has_remaining() {
                        let __raw = ::polywire::generated::buffa::types::decode_int32(&mut limited)?;
                        if let ::std::option::Option::Some(__v) = ::polywire::generated::buffa::Enumeration::from_i32(
                            __raw,
                        ) {
                            self.closed_ones.push(__v);
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
                        self.closed_ones.push(__v);
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
            10u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.inner.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            11u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::StartGroup,
                )?;
                ::polywire::generated::buffa::Message::merge_group(
                    self.delimited.get_or_insert_default(),
                    buf,
                    ctx,
                    11u32,
                )?;
            }
            12u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Str,
                    ::polywire::generated::buffa::map_codec::Msg<_>,
                    _,
                >(&mut self.by_name, buf, ctx)?;
            }
            13u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(
                    self
                        .unchecked
                        .get_or_insert_with(::std::string::String::new),
                    buf,
                )?;
            }
            14u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.when.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            15u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.choice = ::std::option::Option::Some(
                    __buffa::oneof::every::Choice::Text(
                        ::polywire::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            16u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::every::Choice::Message(ref mut existing),
                ) = self.choice
                {
                    ::polywire::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    ::polywire::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.choice = ::std::option::Option::Some(
                        __buffa::oneof::every::Choice::Message(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            17u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.later.get_or_insert_default(),
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
        self.explicit = ::std::option::Option::None;
        self.implicit = 0i32;
        self.needed.clear();
        self.seven = ::std::option::Option::None;
        self.packed.clear();
        self.expanded.clear();
        self.open = ::std::option::Option::None;
        self.closed = ::std::option::Option::None;
        self.closed_ones.clear();
        self.inner = ::polywire::MessageField::none();
        self.delimited = ::polywire::MessageField::none();
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.by_name);
        self.unchecked = ::std::option::Option::None;
        self.when = ::polywire::MessageField::none();
        self.choice = ::std::option::Option::None;
        self.later = ::polywire::MessageField::none();
    }
}
pub mod every {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct Inner {
        /// Field 1: `value`
        pub value: i32,
        /// Field 2: `optional`
        pub optional: ::std::string::String,
    }
    impl ::std::fmt::Debug for Inner {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Inner")
                .field("value", &self.value)
                .field("optional", &self.optional)
                .finish()
        }
    }
    impl Inner {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/edition.Every.Inner";
    }
    impl ::polywire::generated::FieldMessage for Inner {}
    ::polywire::generated::buffa::impl_default_instance!(Inner);
    impl ::polywire::generated::buffa::MessageName for Inner {
        const PACKAGE: &'static str = "edition";
        const NAME: &'static str = "Every.Inner";
        const FULL_NAME: &'static str = "edition.Every.Inner";
        const TYPE_URL: &'static str = "type.googleapis.com/edition.Every.Inner";
    }
    impl ::polywire::generated::buffa::Message for Inner {
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
            if self.value != 0i32 {
                size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(self.value) as u64;
            }
            if !self.optional.is_empty() {
                size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.optional) as u64;
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
            if self.value != 0i32 {
                ::polywire::generated::buffa::types::put_int32_field(1u32, self.value, buf);
            }
            if !self.optional.is_empty() {
                ::polywire::generated::buffa::types::put_string_field(2u32, &self.optional, buf);
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
                    self.value = ::polywire::generated::buffa::types::decode_int32(buf)?;
                }
                2u32 => {
                    ::polywire::generated::buffa::encoding::check_wire_type(
                        tag,
                        ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    ::polywire::generated::buffa::types::merge_string(&mut self.optional, buf)?;
                }
                _ => {
                    ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.value = 0i32;
            self.optional.clear();
        }
    }
    #[doc(inline)]
    pub use super::__buffa::oneof::every::Choice;
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
        pub mod every {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum Choice {
                Text(::std::string::String),
                Message(::std::boxed::Box<super::super::super::every::Inner>),
            }
            impl ::polywire::generated::buffa::Oneof for Choice {}
            impl From<super::super::super::every::Inner> for Choice {
                fn from(v: super::super::super::every::Inner) -> Self {
                    Self::Message(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::every::Inner>
            for ::std::option::Option<Choice> {
                fn from(v: super::super::super::every::Inner) -> Self {
                    Self::Some(Choice::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("edition.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Every, "edition.Every", POOL, buffers { one needed; one inner; one delimited; one unchecked; one later; });
::polywire::generated::message!(every::Inner, "edition.Every.Inner", POOL, buffers { one optional; });

/// Service `edition.Editions`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `edition.Editions`",
    note = "write `impl Editions for {Self}` with its methods: `get`"
)]
pub trait Editions: Send + Sync + 'static {
    /// Method `Get`.
    fn get(
        &self,
        cx: &::polywire::Context,
        request: Every,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Every>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("edition.Editions", DESCRIPTOR_SET)
            .unary::<editions::Get<Self>>(&service)
    }
}

/// The methods of [`Editions`], each as a type.
pub mod editions {
    /// `edition.Editions/Get`.
    pub struct Get<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Editions> ::polywire::generated::Unary for Get<Impl> {
        type Service = Impl;
        type Request = super::Every;
        type Response = super::Every;
        const NAME: &'static str = "Get";
        const NO_SIDE_EFFECTS: bool = true;

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Editions::get(service, cx, request)
        }
    }
}

/// Calls `edition.Editions` over a channel.
#[derive(Clone)]
pub struct EditionsClient {
    channel: ::polywire::Channel,
}

impl EditionsClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: ::polywire::AnyChannel<P>) -> Self {
        Self { channel: channel.retyped() }
    }

    /// A client of the server at an address whose scheme may name the protocol, such as `grpc://127.0.0.1:8000`,
    /// over a channel with all defaults. Connects once to check that the server can be reached.
    ///
    /// # Errors
    /// The address is wrong, or the connection could not be made.
    pub async fn connect(
        address: impl ::std::convert::Into<::std::string::String>,
    ) -> ::std::result::Result<Self, ::polywire::ChannelError> {
        ::polywire::Channel::connect(address).await.map(Self::new)
    }

    /// Method `Get`.
    #[inline]
    pub fn get(&self, request: Every) -> ::polywire::Call<Every> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("edition.Editions", "Get").at(0).idempotent(), request)
    }
}
