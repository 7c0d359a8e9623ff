// Made by polywire-build from gbk.proto; changes are lost.

#[derive(Clone, PartialEq)]
pub struct Text {
    /// Field 1: `must`
    pub must: ::std::vec::Vec<u8>,
    /// Field 2: `one`
    pub one: ::std::option::Option<::std::vec::Vec<u8>>,
    /// Field 3: `many`
    pub many: ::std::vec::Vec<::std::vec::Vec<u8>>,
    /// Field 4: `names`
    pub names: ::polywire::Map<
        ::std::vec::Vec<u8>,
        ::std::vec::Vec<u8>,
    >,
    /// Field 5: `numbers`
    pub numbers: ::polywire::Map<i32, ::std::vec::Vec<u8>>,
    /// Field 6: `counts`
    pub counts: ::polywire::Map<::std::vec::Vec<u8>, i32>,
    /// Field 7: `binary`
    pub binary: ::polywire::Map<i32, ::std::vec::Vec<u8>>,
    /// Field 8: `below`
    pub below: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
    /// Field 9: `rows`
    pub rows: ::std::vec::Vec<Self>,
    /// Field 10: `shared`
    pub shared: ::std::option::Option<::polywire::generated::Bytes>,
    /// Field 11: `plain`
    pub plain: ::std::option::Option<::std::vec::Vec<u8>>,
    /// Field 12: `on`
    pub on: ::std::option::Option<::std::vec::Vec<u8>>,
    /// Field 13: `said`
    pub said: ::std::option::Option<::std::vec::Vec<u8>>,
    /// Field 15: `inner`
    pub inner: ::polywire::MessageField<text::Inner>,
    /// Field 16: `values`
    pub values: ::polywire::Map<i32, Value>,
    /// Field 17: `value`
    pub value: ::polywire::MessageField<Value>,
    /// Field 18: `lead`
    pub lead: ::std::vec::Vec<u8>,
}
impl ::std::fmt::Debug for Text {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Text")
            .field("must", &self.must)
            .field("one", &self.one)
            .field("many", &self.many)
            .field("names", &self.names)
            .field("numbers", &self.numbers)
            .field("counts", &self.counts)
            .field("binary", &self.binary)
            .field("below", &self.below)
            .field("rows", &self.rows)
            .field("shared", &self.shared)
            .field("plain", &self.plain)
            .field("on", &self.on)
            .field("said", &self.said)
            .field("inner", &self.inner)
            .field("values", &self.values)
            .field("value", &self.value)
            .field("lead", &self.lead)
            .finish()
    }
}
impl ::std::default::Default for Text {
    fn default() -> Self {
        Self {
            must: ::std::default::Default::default(),
            one: ::std::default::Default::default(),
            many: ::std::default::Default::default(),
            names: ::std::default::Default::default(),
            numbers: ::std::default::Default::default(),
            counts: ::std::default::Default::default(),
            binary: ::std::default::Default::default(),
            below: ::std::default::Default::default(),
            rows: ::std::default::Default::default(),
            shared: ::std::default::Default::default(),
            plain: ::std::default::Default::default(),
            on: ::std::default::Default::default(),
            said: ::std::default::Default::default(),
            inner: ::std::default::Default::default(),
            values: ::std::default::Default::default(),
            value: ::std::default::Default::default(),
            lead: ::std::vec![34u8, 97u8, 10u8, 195u8, 164u8, 92u8],
        }
    }
}
impl Text {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/gbk.Text";
}
impl Text {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::one`] to `Some(value)`, consuming and returning `self`.
    pub fn with_one(mut self, value: impl Into<::std::vec::Vec<u8>>) -> Self {
        self.one = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::shared`] to `Some(value)`, consuming and returning `self`.
    pub fn with_shared(mut self, value: impl Into<::polywire::generated::Bytes>) -> Self {
        self.shared = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::plain`] to `Some(value)`, consuming and returning `self`.
    pub fn with_plain(mut self, value: impl Into<::std::vec::Vec<u8>>) -> Self {
        self.plain = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::on`] to `Some(value)`, consuming and returning `self`.
    pub fn with_on(mut self, value: impl Into<::std::vec::Vec<u8>>) -> Self {
        self.on = Some(value.into());
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::said`] to `Some(value)`, consuming and returning `self`.
    pub fn with_said(mut self, value: impl Into<::std::vec::Vec<u8>>) -> Self {
        self.said = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for Text {}
::polywire::generated::buffa::impl_default_instance!(Text);
impl ::polywire::generated::buffa::MessageName for Text {
    const PACKAGE: &'static str = "gbk";
    const NAME: &'static str = "Text";
    const FULL_NAME: &'static str = "gbk.Text";
    const TYPE_URL: &'static str = "type.googleapis.com/gbk.Text";
}
impl ::polywire::generated::buffa::Message for Text {
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
        size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(&self.must) as u64;
        if let Some(ref v) = self.one {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        for v in &self.many {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::BytesVec,
                ::polywire::generated::buffa::map_codec::BytesVec,
                _,
            >(&self.names, 1u64);
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::Int32,
                ::polywire::generated::buffa::map_codec::BytesVec,
                _,
            >(&self.numbers, 1u64);
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::BytesVec,
                ::polywire::generated::buffa::map_codec::Int32,
                _,
            >(&self.counts, 1u64);
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::Int32,
                ::polywire::generated::buffa::map_codec::BytesVec,
                _,
            >(&self.binary, 1u64);
        if self.below.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.below.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.rows {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if let Some(ref v) = self.shared {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        if let Some(ref v) = self.plain {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        if let Some(ref v) = self.on {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        if let Some(ref v) = self.said {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(v) as u64;
        }
        if self.inner.is_set() {
            let inner_size = self.inner.compute_size(__cache);
            size += 1u64 + inner_size as u64 + 1u64;
        }
        size
            += ::polywire::generated::buffa::map_codec::message_field_len::<
                ::polywire::generated::buffa::map_codec::Int32,
                _,
                _,
            >(&self.values, 2u64, __cache);
        if self.value.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.value.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 2u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        size += 2u64 + ::polywire::generated::buffa::types::bytes_encoded_len(&self.lead) as u64;
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        ::polywire::generated::buffa::types::put_shared_bytes_field(1u32, &self.must, buf);
        if let Some(ref v) = self.one {
            ::polywire::generated::buffa::types::put_shared_bytes_field(2u32, v, buf);
        }
        for v in &self.many {
            ::polywire::generated::buffa::types::put_shared_bytes_field(3u32, v, buf);
        }
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::BytesVec,
            ::polywire::generated::buffa::map_codec::BytesVec,
            _,
        >(&self.names, 4u32, buf);
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::Int32,
            ::polywire::generated::buffa::map_codec::BytesVec,
            _,
        >(&self.numbers, 5u32, buf);
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::BytesVec,
            ::polywire::generated::buffa::map_codec::Int32,
            _,
        >(&self.counts, 6u32, buf);
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::Int32,
            ::polywire::generated::buffa::map_codec::BytesVec,
            _,
        >(&self.binary, 7u32, buf);
        if self.below.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                8u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.below.write_to(__cache, buf);
        }
        for v in &self.rows {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                9u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if let Some(ref v) = self.shared {
            ::polywire::generated::buffa::types::put_shared_bytes_field(10u32, v, buf);
        }
        if let Some(ref v) = self.plain {
            ::polywire::generated::buffa::types::put_shared_bytes_field(11u32, v, buf);
        }
        if let Some(ref v) = self.on {
            ::polywire::generated::buffa::types::put_shared_bytes_field(12u32, v, buf);
        }
        if let Some(ref v) = self.said {
            ::polywire::generated::buffa::types::put_shared_bytes_field(13u32, v, buf);
        }
        if self.inner.is_set() {
            ::polywire::generated::buffa::types::put_group_start(15u32, buf);
            self.inner.write_to(__cache, buf);
            ::polywire::generated::buffa::types::put_group_end(15u32, buf);
        }
        ::polywire::generated::buffa::map_codec::write_message_field::<
            ::polywire::generated::buffa::map_codec::Int32,
            _,
            _,
        >(&self.values, 16u32, __cache, buf);
        if self.value.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                17u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.value.write_to(__cache, buf);
        }
        ::polywire::generated::buffa::types::put_shared_bytes_field(18u32, &self.lead, buf);
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
                ::polywire::generated::buffa::types::merge_bytes(&mut self.must, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_bytes(
                    self.one.get_or_insert_with(::std::vec::Vec::new),
                    buf,
                )?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = ::polywire::generated::buffa::types::decode_bytes(buf)?;
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.many.push(__elem);
            }
            4u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::BytesVec,
                    ::polywire::generated::buffa::map_codec::BytesVec,
                    _,
                >(&mut self.names, buf, ctx)?;
            }
            5u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Int32,
                    ::polywire::generated::buffa::map_codec::BytesVec,
                    _,
                >(&mut self.numbers, buf, ctx)?;
            }
            6u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::BytesVec,
                    ::polywire::generated::buffa::map_codec::Int32,
                    _,
                >(&mut self.counts, buf, ctx)?;
            }
            7u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Int32,
                    ::polywire::generated::buffa::map_codec::BytesVec,
                    _,
                >(&mut self.binary, buf, ctx)?;
            }
            8u32 => {
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
                self.rows.push(elem);
            }
            10u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.shared = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_bytes_to_bytes(buf)?,
                );
            }
            11u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_bytes(
                    self.plain.get_or_insert_with(::std::vec::Vec::new),
                    buf,
                )?;
            }
            12u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_bytes(
                    self.on.get_or_insert_with(::std::vec::Vec::new),
                    buf,
                )?;
            }
            13u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_bytes(
                    self.said.get_or_insert_with(::std::vec::Vec::new),
                    buf,
                )?;
            }
            15u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::StartGroup,
                )?;
                ::polywire::generated::buffa::Message::merge_group(
                    self.inner.get_or_insert_default(),
                    buf,
                    ctx,
                    15u32,
                )?;
            }
            16u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Int32,
                    ::polywire::generated::buffa::map_codec::Msg<_>,
                    _,
                >(&mut self.values, buf, ctx)?;
            }
            17u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.value.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            18u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_bytes(&mut self.lead, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.must.clear();
        self.one = ::std::option::Option::None;
        self.many.clear();
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.names);
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.numbers);
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.counts);
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.binary);
        self.below = ::polywire::MessageField::none();
        self.rows.clear();
        self.shared = ::std::option::Option::None;
        self.plain = ::std::option::Option::None;
        self.on = ::std::option::Option::None;
        self.said = ::std::option::Option::None;
        self.inner = ::polywire::MessageField::none();
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.values);
        self.value = ::polywire::MessageField::none();
        self.lead = ::std::vec![34u8, 97u8, 10u8, 195u8, 164u8, 92u8];
    }
}
pub mod text {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct Inner {
        /// Field 1: `text`
        pub text: ::std::option::Option<::std::vec::Vec<u8>>,
    }
    impl ::std::fmt::Debug for Inner {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Inner").field("text", &self.text).finish()
        }
    }
    impl Inner {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/gbk.Text.Inner";
    }
    impl Inner {
        #[must_use = "with_* setters return `self` by value; assign or chain the result"]
        #[inline]
        ///Sets [`Self::text`] to `Some(value)`, consuming and returning `self`.
        pub fn with_text(
            mut self,
            value: impl Into<::std::vec::Vec<u8>>,
        ) -> Self {
            self.text = Some(value.into());
            self
        }
    }
    impl ::polywire::generated::FieldMessage for Inner {}
    ::polywire::generated::buffa::impl_default_instance!(Inner);
    impl ::polywire::generated::buffa::MessageName for Inner {
        const PACKAGE: &'static str = "gbk";
        const NAME: &'static str = "Text.Inner";
        const FULL_NAME: &'static str = "gbk.Text.Inner";
        const TYPE_URL: &'static str = "type.googleapis.com/gbk.Text.Inner";
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
            if let Some(ref v) = self.text {
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
            if let Some(ref v) = self.text {
                ::polywire::generated::buffa::types::put_shared_bytes_field(1u32, v, buf);
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
                    ::polywire::generated::buffa::types::merge_bytes(
                        self.text.get_or_insert_with(::std::vec::Vec::new),
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
            self.text = ::std::option::Option::None;
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Value {
    /// Field 1: `value`
    pub value: ::std::option::Option<::std::vec::Vec<u8>>,
}
impl ::std::fmt::Debug for Value {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Value").field("value", &self.value).finish()
    }
}
impl Value {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/gbk.Value";
}
impl Value {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::value`] to `Some(value)`, consuming and returning `self`.
    pub fn with_value(mut self, value: impl Into<::std::vec::Vec<u8>>) -> Self {
        self.value = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for Value {}
::polywire::generated::buffa::impl_default_instance!(Value);
impl ::polywire::generated::buffa::MessageName for Value {
    const PACKAGE: &'static str = "gbk";
    const NAME: &'static str = "Value";
    const FULL_NAME: &'static str = "gbk.Value";
    const TYPE_URL: &'static str = "type.googleapis.com/gbk.Value";
}
impl ::polywire::generated::buffa::Message for Value {
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
        if let Some(ref v) = self.value {
            ::polywire::generated::buffa::types::put_shared_bytes_field(1u32, v, buf);
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
        self.value = ::std::option::Option::None;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Either {
    pub either: ::std::option::Option<__buffa::oneof::either::Either>,
}
impl ::std::fmt::Debug for Either {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Either").field("either", &self.either).finish()
    }
}
impl Either {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/gbk.Either";
}
impl ::polywire::generated::FieldMessage for Either {}
::polywire::generated::buffa::impl_default_instance!(Either);
impl ::polywire::generated::buffa::MessageName for Either {
    const PACKAGE: &'static str = "gbk";
    const NAME: &'static str = "Either";
    const FULL_NAME: &'static str = "gbk.Either";
    const TYPE_URL: &'static str = "type.googleapis.com/gbk.Either";
}
impl ::polywire::generated::buffa::Message for Either {
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
        if let ::std::option::Option::Some(ref v) = self.either {
            match v {
                __buffa::oneof::either::Either::Text(x) => {
                    size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(x) as u64;
                }
                __buffa::oneof::either::Either::Number(v) => {
                    size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(*v) as u64;
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
        if let ::std::option::Option::Some(ref v) = self.either {
            match v {
                __buffa::oneof::either::Either::Text(x) => {
                    ::polywire::generated::buffa::types::put_shared_bytes_field(1u32, x, buf);
                }
                __buffa::oneof::either::Either::Number(x) => {
                    ::polywire::generated::buffa::types::put_int32_field(2u32, *x, buf);
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
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.either = ::std::option::Option::Some(
                    __buffa::oneof::either::Either::Text(
                        ::polywire::generated::buffa::types::decode_bytes(buf)?,
                    ),
                );
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.either = ::std::option::Option::Some(
                    __buffa::oneof::either::Either::Number(
                        ::polywire::generated::buffa::types::decode_int32(buf)?,
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
        self.either = ::std::option::Option::None;
    }
}
pub mod either {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::either::Either;
}
/// The same on the wire as the first fields of `Text`, with a `String`.
#[derive(Clone, PartialEq, Default)]
pub struct Checked {
    /// Field 1: `must`
    pub must: ::std::string::String,
    /// Field 2: `one`
    pub one: ::std::option::Option<::std::string::String>,
    /// Field 3: `many`
    pub many: ::std::vec::Vec<::std::string::String>,
    /// Field 4: `names`
    pub names: ::polywire::Map<
        ::std::string::String,
        ::std::string::String,
    >,
    /// Field 5: `numbers`
    pub numbers: ::polywire::Map<i32, ::std::string::String>,
    /// Field 8: `below`
    pub below: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
    /// Field 9: `rows`
    pub rows: ::std::vec::Vec<Self>,
}
impl ::std::fmt::Debug for Checked {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Checked")
            .field("must", &self.must)
            .field("one", &self.one)
            .field("many", &self.many)
            .field("names", &self.names)
            .field("numbers", &self.numbers)
            .field("below", &self.below)
            .field("rows", &self.rows)
            .finish()
    }
}
impl Checked {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/gbk.Checked";
}
impl Checked {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::one`] to `Some(value)`, consuming and returning `self`.
    pub fn with_one(mut self, value: impl Into<::std::string::String>) -> Self {
        self.one = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for Checked {}
::polywire::generated::buffa::impl_default_instance!(Checked);
impl ::polywire::generated::buffa::MessageName for Checked {
    const PACKAGE: &'static str = "gbk";
    const NAME: &'static str = "Checked";
    const FULL_NAME: &'static str = "gbk.Checked";
    const TYPE_URL: &'static str = "type.googleapis.com/gbk.Checked";
}
impl ::polywire::generated::buffa::Message for Checked {
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
        size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.must) as u64;
        if let Some(ref v) = self.one {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        for v in &self.many {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::Str,
                ::polywire::generated::buffa::map_codec::Str,
                _,
            >(&self.names, 1u64);
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::Int32,
                ::polywire::generated::buffa::map_codec::Str,
                _,
            >(&self.numbers, 1u64);
        if self.below.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.below.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.rows {
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
        ::polywire::generated::buffa::types::put_string_field(1u32, &self.must, buf);
        if let Some(ref v) = self.one {
            ::polywire::generated::buffa::types::put_string_field(2u32, v, buf);
        }
        for v in &self.many {
            ::polywire::generated::buffa::types::put_string_field(3u32, v, buf);
        }
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::Str,
            ::polywire::generated::buffa::map_codec::Str,
            _,
        >(&self.names, 4u32, buf);
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::Int32,
            ::polywire::generated::buffa::map_codec::Str,
            _,
        >(&self.numbers, 5u32, buf);
        if self.below.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                8u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.below.write_to(__cache, buf);
        }
        for v in &self.rows {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                9u32,
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
                ::polywire::generated::buffa::types::merge_string(&mut self.must, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(
                    self.one.get_or_insert_with(::std::string::String::new),
                    buf,
                )?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = ::polywire::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.many.push(__elem);
            }
            4u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Str,
                    ::polywire::generated::buffa::map_codec::Str,
                    _,
                >(&mut self.names, buf, ctx)?;
            }
            5u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Int32,
                    ::polywire::generated::buffa::map_codec::Str,
                    _,
                >(&mut self.numbers, buf, ctx)?;
            }
            8u32 => {
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
                self.rows.push(elem);
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.must.clear();
        self.one = ::std::option::Option::None;
        self.many.clear();
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.names);
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.numbers);
        self.below = ::polywire::MessageField::none();
        self.rows.clear();
    }
}
/// The same, with a `String` beside bytes.
#[derive(Clone, PartialEq, Default)]
pub struct Partly {
    /// Field 1: `must`
    pub must: ::std::vec::Vec<u8>,
    /// Field 2: `one`
    pub one: ::std::option::Option<::std::string::String>,
    /// Field 4: `names`
    pub names: ::polywire::Map<
        ::std::vec::Vec<u8>,
        ::std::vec::Vec<u8>,
    >,
    /// Field 8: `below`
    pub below: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
}
impl ::std::fmt::Debug for Partly {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Partly")
            .field("must", &self.must)
            .field("one", &self.one)
            .field("names", &self.names)
            .field("below", &self.below)
            .finish()
    }
}
impl Partly {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/gbk.Partly";
}
impl Partly {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::one`] to `Some(value)`, consuming and returning `self`.
    pub fn with_one(mut self, value: impl Into<::std::string::String>) -> Self {
        self.one = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for Partly {}
::polywire::generated::buffa::impl_default_instance!(Partly);
impl ::polywire::generated::buffa::MessageName for Partly {
    const PACKAGE: &'static str = "gbk";
    const NAME: &'static str = "Partly";
    const FULL_NAME: &'static str = "gbk.Partly";
    const TYPE_URL: &'static str = "type.googleapis.com/gbk.Partly";
}
impl ::polywire::generated::buffa::Message for Partly {
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
        size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(&self.must) as u64;
        if let Some(ref v) = self.one {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        size
            += ::polywire::generated::buffa::map_codec::field_len::<
                ::polywire::generated::buffa::map_codec::BytesVec,
                ::polywire::generated::buffa::map_codec::BytesVec,
                _,
            >(&self.names, 1u64);
        if self.below.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.below.compute_size(__cache);
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
        ::polywire::generated::buffa::types::put_shared_bytes_field(1u32, &self.must, buf);
        if let Some(ref v) = self.one {
            ::polywire::generated::buffa::types::put_string_field(2u32, v, buf);
        }
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::BytesVec,
            ::polywire::generated::buffa::map_codec::BytesVec,
            _,
        >(&self.names, 4u32, buf);
        if self.below.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                8u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.below.write_to(__cache, buf);
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
                ::polywire::generated::buffa::types::merge_bytes(&mut self.must, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(
                    self.one.get_or_insert_with(::std::string::String::new),
                    buf,
                )?;
            }
            4u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::BytesVec,
                    ::polywire::generated::buffa::map_codec::BytesVec,
                    _,
                >(&mut self.names, buf, ctx)?;
            }
            8u32 => {
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
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.must.clear();
        self.one = ::std::option::Option::None;
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.names);
        self.below = ::polywire::MessageField::none();
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
        pub mod either {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum Either {
                Text(::std::vec::Vec<u8>),
                Number(i32),
            }
            impl ::polywire::generated::buffa::Oneof for Either {}
        }
    }
    pub mod ext {
        #[allow(unused_imports)]
        use super::*;
        ///Extension `idl_type` on `.google.protobuf.FieldOptions` (field 91001).
        pub const IDL_TYPE: ::polywire::generated::buffa::Extension<::polywire::generated::buffa::extension::codecs::Int32> = ::polywire::generated::buffa::Extension::new(
            91001u32,
            "google.protobuf.FieldOptions",
        );
        ///Extension `idl_on` on `.google.protobuf.FieldOptions` (field 91002).
        pub const IDL_ON: ::polywire::generated::buffa::Extension<::polywire::generated::buffa::extension::codecs::Int32> = ::polywire::generated::buffa::Extension::new(
            91002u32,
            "google.protobuf.FieldOptions",
        );
    }
}
#[doc(inline)]
pub use self::__buffa::ext::IDL_TYPE;
#[doc(inline)]
pub use self::__buffa::ext::IDL_ON;

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("gbk.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool_with_bytes(DESCRIPTOR_SET, &[
        "gbk.Either.text",
        "gbk.Partly.NamesEntry.key",
        "gbk.Partly.NamesEntry.value",
        "gbk.Partly.must",
        "gbk.Text.CountsEntry.key",
        "gbk.Text.Inner.text",
        "gbk.Text.NamesEntry.key",
        "gbk.Text.NamesEntry.value",
        "gbk.Text.NumbersEntry.value",
        "gbk.Text.lead",
        "gbk.Text.many",
        "gbk.Text.must",
        "gbk.Text.on",
        "gbk.Text.one",
        "gbk.Text.said",
        "gbk.Text.shared",
        "gbk.Value.value",
    ]));

::polywire::generated::message!(Text, "gbk.Text", POOL, packed, buffers { one must; one one; each many; one below; each rows; one shared; one plain; one on; one said; one value; one lead; }, shared);
::polywire::generated::packed!(Text, required 0b10000000000000001, by_name [11, 1, 16, 2, 0, 8, 12, 7, 13, 3, 10, 15, 6, 5, 9, 14, 4], {
    0: "must" must [13 false true];
    1: "one" one [13 false false];
    2: "many" many [13 false false];
    3: "names" names [13 false false];
    4: "numbers" numbers [13 false false];
    5: "counts" counts [0 false false];
    6: "binary" binary [0 false false];
    7: "below" below [0 false false];
    8: "rows" rows [0 false false];
    9: "shared" shared [13 false false];
    10: "plain" plain [0 false false];
    11: "on" on [13 true false];
    12: "said" said [13 false false];
    13: "inner" inner [0 false false];
    14: "values" values [0 false false];
    15: "value" value [0 false false];
    16: "lead" lead [13 false true];
});
::polywire::generated::message!(text::Inner, "gbk.Text.Inner", POOL, packed, buffers { one text; });
::polywire::generated::packed!(text::Inner, required 0b0, by_name [0], {
    0: "text" text [13 false false];
});
::polywire::generated::message!(Value, "gbk.Value", POOL, packed, buffers { one value; });
::polywire::generated::packed!(Value, required 0b0, by_name [0], {
    0: "value" value [13 false false];
});
::polywire::generated::message!(Either, "gbk.Either", POOL);
::polywire::generated::message!(Checked, "gbk.Checked", POOL, packed, buffers { one must; one one; each many; one below; each rows; });
::polywire::generated::packed!(Checked, required 0b1, by_name [1, 2, 0, 6, 5, 3, 4], {
    0: "must" must [0 false true];
    1: "one" one [0 false false];
    2: "many" many [0 false false];
    3: "names" names [0 false false];
    4: "numbers" numbers [0 false false];
    5: "below" below [0 false false];
    6: "rows" rows [0 false false];
});
::polywire::generated::message!(Partly, "gbk.Partly", POOL, packed, buffers { one must; one one; one below; });
::polywire::generated::packed!(Partly, required 0b1, by_name [1, 0, 3, 2], {
    0: "must" must [13 false true];
    1: "one" one [0 false false];
    2: "names" names [13 false false];
    3: "below" below [0 false false];
});

/// Service `gbk.Texts`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `gbk.Texts`",
    note = "write `impl Texts for {Self}` with its methods: `echo`, `check`, `chat`"
)]
pub trait Texts: Send + Sync + 'static {
    /// Method `Echo`.
    fn echo(
        &self,
        cx: &::polywire::Context,
        request: Text,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Text>, ::polywire::Status>> + Send;

    /// Method `Check`.
    fn check(
        &self,
        cx: &::polywire::Context,
        request: Checked,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Checked>, ::polywire::Status>> + Send;

    /// Method `Chat`, which takes and answers with a stream. To be written as
    /// `async fn chat(…) -> Result<impl Stream<Item = Result<Text, Status>>, Status>`.
    fn chat(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<Text>,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<Text, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("gbk.Texts", DESCRIPTOR_SET)
            .unary::<texts::Echo<Self>>(&service)
            .unary::<texts::Check<Self>>(&service)
            .bidi_streaming::<texts::Chat<Self>>(&service)
    }
}

/// The methods of [`Texts`], each as a type.
pub mod texts {
    /// `gbk.Texts/Echo`.
    pub struct Echo<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Texts> ::polywire::generated::Unary for Echo<Impl> {
        type Service = Impl;
        type Request = super::Text;
        type Response = super::Text;
        const NAME: &'static str = "Echo";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Texts::echo(service, cx, request)
        }
    }

    /// `gbk.Texts/Check`.
    pub struct Check<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Texts> ::polywire::generated::Unary for Check<Impl> {
        type Service = Impl;
        type Request = super::Checked;
        type Response = super::Checked;
        const NAME: &'static str = "Check";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Texts::check(service, cx, request)
        }
    }

    /// `gbk.Texts/Chat`.
    pub struct Chat<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Texts> ::polywire::generated::BidiStreaming for Chat<Impl> {
        type Service = Impl;
        type Request = super::Text;
        type Response = super::Text;
        const NAME: &'static str = "Chat";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            incoming: ::polywire::Streaming<Self::Request>,
        ) -> impl ::std::future::Future<
            Output = Result<
                impl ::polywire::Stream<Item = Result<Self::Response, ::polywire::Status>> + Send,
                ::polywire::Status,
            >,
        > + Send {
            super::Texts::chat(service, cx, incoming)
        }
    }
}

/// Calls `gbk.Texts` over a channel.
#[derive(Clone)]
pub struct TextsClient {
    channel: ::polywire::Channel,
}

impl TextsClient {
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

    /// Method `Echo`.
    #[inline]
    pub fn echo(&self, request: Text) -> ::polywire::Call<Text> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("gbk.Texts", "Echo").at(0), request)
    }

    /// Method `Check`.
    #[inline]
    pub fn check(&self, request: Checked) -> ::polywire::Call<Checked> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("gbk.Texts", "Check").at(1), request)
    }

    /// Method `Chat`: awaited, it is a stream each way.
    #[inline]
    pub fn chat(&self) -> ::polywire::StreamingCall<::polywire::Duplex<Text, Text>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("gbk.Texts", "Chat").at(2))
    }
}
