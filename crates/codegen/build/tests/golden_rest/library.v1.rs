// Made by polywire-build from library.proto; changes are lost.

#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(i32)]
pub enum Genre {
    GENRE_UNSPECIFIED = 0i32,
    NOVEL = 1i32,
    POEMS = 2i32,
}
impl Genre {
    ///Idiomatic alias for [`Self::GENRE_UNSPECIFIED`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const GenreUnspecified: Self = Self::GENRE_UNSPECIFIED;
    ///Idiomatic alias for [`Self::NOVEL`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Novel: Self = Self::NOVEL;
    ///Idiomatic alias for [`Self::POEMS`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Poems: Self = Self::POEMS;
}
impl ::std::default::Default for Genre {
    fn default() -> Self {
        Self::GENRE_UNSPECIFIED
    }
}
impl ::polywire::generated::FieldEnum for Genre {}
impl ::polywire::generated::buffa::Enumeration for Genre {
    fn from_i32(value: i32) -> ::std::option::Option<Self> {
        match value {
            0i32 => ::std::option::Option::Some(Self::GENRE_UNSPECIFIED),
            1i32 => ::std::option::Option::Some(Self::NOVEL),
            2i32 => ::std::option::Option::Some(Self::POEMS),
            _ => ::std::option::Option::None,
        }
    }
    fn to_i32(&self) -> i32 {
        *self as i32
    }
    fn proto_name(&self) -> &'static str {
        match self {
            Self::GENRE_UNSPECIFIED => "GENRE_UNSPECIFIED",
            Self::NOVEL => "NOVEL",
            Self::POEMS => "POEMS",
        }
    }
    fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
        match name {
            "GENRE_UNSPECIFIED" => ::std::option::Option::Some(Self::GENRE_UNSPECIFIED),
            "NOVEL" => ::std::option::Option::Some(Self::NOVEL),
            "POEMS" => ::std::option::Option::Some(Self::POEMS),
            _ => ::std::option::Option::None,
        }
    }
    fn values() -> &'static [Self] {
        &[Self::GENRE_UNSPECIFIED, Self::NOVEL, Self::POEMS]
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Book {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `title`
    pub title: ::std::string::String,
    /// Field 3: `pages`
    pub pages: i64,
    /// Field 4: `published`
    pub published: ::polywire::MessageField<::polywire::wkt::Timestamp>,
    /// Field 5: `tags`
    pub tags: ::std::vec::Vec<::std::string::String>,
    /// Field 6: `genre`
    pub genre: ::polywire::EnumValue<Genre>,
}
impl ::std::fmt::Debug for Book {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Book")
            .field("name", &self.name)
            .field("title", &self.title)
            .field("pages", &self.pages)
            .field("published", &self.published)
            .field("tags", &self.tags)
            .field("genre", &self.genre)
            .finish()
    }
}
impl Book {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.Book";
}
impl ::polywire::generated::FieldMessage for Book {}
::polywire::generated::buffa::impl_default_instance!(Book);
impl ::polywire::generated::buffa::MessageName for Book {
    const PACKAGE: &'static str = "library.v1";
    const NAME: &'static str = "Book";
    const FULL_NAME: &'static str = "library.v1.Book";
    const TYPE_URL: &'static str = "type.googleapis.com/library.v1.Book";
}
impl ::polywire::generated::buffa::Message for Book {
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
        if !self.name.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        if !self.title.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.title) as u64;
        }
        if self.pages != 0i64 {
            size += 1u64 + ::polywire::generated::buffa::types::int64_encoded_len(self.pages) as u64;
        }
        if self.published.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.published.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.tags {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        {
            let val = self.genre.to_i32();
            if val != 0 {
                size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(val) as u64;
            }
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
        if !self.name.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        if !self.title.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(2u32, &self.title, buf);
        }
        if self.pages != 0i64 {
            ::polywire::generated::buffa::types::put_int64_field(3u32, self.pages, buf);
        }
        if self.published.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.published.write_to(__cache, buf);
        }
        for v in &self.tags {
            ::polywire::generated::buffa::types::put_string_field(5u32, v, buf);
        }
        {
            let val = self.genre.to_i32();
            if val != 0 {
                ::polywire::generated::buffa::types::put_int32_field(6u32, val, buf);
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
                ::polywire::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.title, buf)?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.pages = ::polywire::generated::buffa::types::decode_int64(buf)?;
            }
            4u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.published.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            5u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = ::polywire::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.tags.push(__elem);
            }
            6u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.genre = ::polywire::EnumValue::from(
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
        self.name.clear();
        self.title.clear();
        self.pages = 0i64;
        self.published = ::polywire::MessageField::none();
        self.tags.clear();
        self.genre = ::polywire::EnumValue::from(0);
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetBookRequest {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `mask`
    pub mask: ::polywire::MessageField<::polywire::wkt::FieldMask>,
}
impl ::std::fmt::Debug for GetBookRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetBookRequest")
            .field("name", &self.name)
            .field("mask", &self.mask)
            .finish()
    }
}
impl GetBookRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.GetBookRequest";
}
impl ::polywire::generated::FieldMessage for GetBookRequest {}
::polywire::generated::buffa::impl_default_instance!(GetBookRequest);
impl ::polywire::generated::buffa::MessageName for GetBookRequest {
    const PACKAGE: &'static str = "library.v1";
    const NAME: &'static str = "GetBookRequest";
    const FULL_NAME: &'static str = "library.v1.GetBookRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/library.v1.GetBookRequest";
}
impl ::polywire::generated::buffa::Message for GetBookRequest {
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
        if !self.name.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        if self.mask.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.mask.compute_size(__cache);
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
        if !self.name.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        if self.mask.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.mask.write_to(__cache, buf);
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
                ::polywire::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.mask.get_or_insert_default(),
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
        self.name.clear();
        self.mask = ::polywire::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ListBooksRequest {
    /// Field 1: `parent`
    pub parent: ::std::string::String,
    /// Field 2: `page_size`
    pub page_size: i32,
    /// Field 3: `filter`
    pub filter: ::polywire::MessageField<list_books_request::Filter>,
}
impl ::std::fmt::Debug for ListBooksRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ListBooksRequest")
            .field("parent", &self.parent)
            .field("page_size", &self.page_size)
            .field("filter", &self.filter)
            .finish()
    }
}
impl ListBooksRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.ListBooksRequest";
}
impl ::polywire::generated::FieldMessage for ListBooksRequest {}
::polywire::generated::buffa::impl_default_instance!(ListBooksRequest);
impl ::polywire::generated::buffa::MessageName for ListBooksRequest {
    const PACKAGE: &'static str = "library.v1";
    const NAME: &'static str = "ListBooksRequest";
    const FULL_NAME: &'static str = "library.v1.ListBooksRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/library.v1.ListBooksRequest";
}
impl ::polywire::generated::buffa::Message for ListBooksRequest {
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
        if !self.parent.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.parent) as u64;
        }
        if self.page_size != 0i32 {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(self.page_size) as u64;
        }
        if self.filter.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.filter.compute_size(__cache);
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
        if !self.parent.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.parent, buf);
        }
        if self.page_size != 0i32 {
            ::polywire::generated::buffa::types::put_int32_field(2u32, self.page_size, buf);
        }
        if self.filter.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.filter.write_to(__cache, buf);
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
                ::polywire::generated::buffa::types::merge_string(&mut self.parent, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.page_size = ::polywire::generated::buffa::types::decode_int32(buf)?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.filter.get_or_insert_default(),
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
        self.parent.clear();
        self.page_size = 0i32;
        self.filter = ::polywire::MessageField::none();
    }
}
pub mod list_books_request {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct Filter {
        /// Field 1: `genre`
        pub genre: ::polywire::EnumValue<super::Genre>,
        /// Field 2: `tags`
        pub tags: ::std::vec::Vec<::std::string::String>,
        /// Field 3: `min_pages`
        pub min_pages: ::polywire::MessageField<::polywire::wkt::Int64Value>,
    }
    impl ::std::fmt::Debug for Filter {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Filter")
                .field("genre", &self.genre)
                .field("tags", &self.tags)
                .field("min_pages", &self.min_pages)
                .finish()
        }
    }
    impl Filter {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.ListBooksRequest.Filter";
    }
    impl ::polywire::generated::FieldMessage for Filter {}
    ::polywire::generated::buffa::impl_default_instance!(Filter);
    impl ::polywire::generated::buffa::MessageName for Filter {
        const PACKAGE: &'static str = "library.v1";
        const NAME: &'static str = "ListBooksRequest.Filter";
        const FULL_NAME: &'static str = "library.v1.ListBooksRequest.Filter";
        const TYPE_URL: &'static str = "type.googleapis.com/library.v1.ListBooksRequest.Filter";
    }
    impl ::polywire::generated::buffa::Message for Filter {
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
            {
                let val = self.genre.to_i32();
                if val != 0 {
                    size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(val) as u64;
                }
            }
            for v in &self.tags {
                size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
            }
            if self.min_pages.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.min_pages.compute_size(__cache);
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
            {
                let val = self.genre.to_i32();
                if val != 0 {
                    ::polywire::generated::buffa::types::put_int32_field(1u32, val, buf);
                }
            }
            for v in &self.tags {
                ::polywire::generated::buffa::types::put_string_field(2u32, v, buf);
            }
            if self.min_pages.is_set() {
                ::polywire::generated::buffa::types::put_len_delimited_header(
                    3u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.min_pages.write_to(__cache, buf);
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
                    self.genre = ::polywire::EnumValue::from(
                        ::polywire::generated::buffa::types::decode_int32(buf)?,
                    );
                }
                2u32 => {
                    ::polywire::generated::buffa::encoding::check_wire_type(
                        tag,
                        ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    let __elem = ::polywire::generated::buffa::types::decode_string(buf)?;
                    ctx.register_element_memory(
                        ::polywire::generated::buffa::__private::element_footprint(&__elem),
                    )?;
                    self.tags.push(__elem);
                }
                3u32 => {
                    ::polywire::generated::buffa::encoding::check_wire_type(
                        tag,
                        ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    ::polywire::generated::buffa::Message::merge_length_delimited(
                        self.min_pages.get_or_insert_default(),
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
            self.genre = ::polywire::EnumValue::from(0);
            self.tags.clear();
            self.min_pages = ::polywire::MessageField::none();
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ListBooksResponse {
    /// Field 1: `books`
    pub books: ::std::vec::Vec<Book>,
    /// What was asked for.
    ///
    /// Field 2: `request`
    pub request: ::polywire::MessageField<ListBooksRequest>,
}
impl ::std::fmt::Debug for ListBooksResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ListBooksResponse")
            .field("books", &self.books)
            .field("request", &self.request)
            .finish()
    }
}
impl ListBooksResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.ListBooksResponse";
}
impl ::polywire::generated::FieldMessage for ListBooksResponse {}
::polywire::generated::buffa::impl_default_instance!(ListBooksResponse);
impl ::polywire::generated::buffa::MessageName for ListBooksResponse {
    const PACKAGE: &'static str = "library.v1";
    const NAME: &'static str = "ListBooksResponse";
    const FULL_NAME: &'static str = "library.v1.ListBooksResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/library.v1.ListBooksResponse";
}
impl ::polywire::generated::buffa::Message for ListBooksResponse {
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
        for v in &self.books {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.request.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.request.compute_size(__cache);
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
        for v in &self.books {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.request.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.request.write_to(__cache, buf);
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
                self.books.push(elem);
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.request.get_or_insert_default(),
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
        self.books.clear();
        self.request = ::polywire::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ListTitlesResponse {
    /// Field 1: `titles`
    pub titles: ::std::vec::Vec<::std::string::String>,
    /// Field 2: `next_page_token`
    pub next_page_token: ::std::string::String,
}
impl ::std::fmt::Debug for ListTitlesResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ListTitlesResponse")
            .field("titles", &self.titles)
            .field("next_page_token", &self.next_page_token)
            .finish()
    }
}
impl ListTitlesResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.ListTitlesResponse";
}
impl ::polywire::generated::FieldMessage for ListTitlesResponse {}
::polywire::generated::buffa::impl_default_instance!(ListTitlesResponse);
impl ::polywire::generated::buffa::MessageName for ListTitlesResponse {
    const PACKAGE: &'static str = "library.v1";
    const NAME: &'static str = "ListTitlesResponse";
    const FULL_NAME: &'static str = "library.v1.ListTitlesResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/library.v1.ListTitlesResponse";
}
impl ::polywire::generated::buffa::Message for ListTitlesResponse {
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
        for v in &self.titles {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        if !self.next_page_token.is_empty() {
            size
                += 1u64
                    + ::polywire::generated::buffa::types::string_encoded_len(&self.next_page_token) as u64;
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
        for v in &self.titles {
            ::polywire::generated::buffa::types::put_string_field(1u32, v, buf);
        }
        if !self.next_page_token.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(2u32, &self.next_page_token, buf);
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
                let __elem = ::polywire::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.titles.push(__elem);
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.next_page_token, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.titles.clear();
        self.next_page_token.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct CreateBookRequest {
    /// Field 1: `parent`
    pub parent: ::std::string::String,
    /// Field 2: `book`
    pub book: ::polywire::MessageField<Book>,
    /// Field 3: `request_id`
    pub request_id: ::std::string::String,
}
impl ::std::fmt::Debug for CreateBookRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("CreateBookRequest")
            .field("parent", &self.parent)
            .field("book", &self.book)
            .field("request_id", &self.request_id)
            .finish()
    }
}
impl CreateBookRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.CreateBookRequest";
}
impl ::polywire::generated::FieldMessage for CreateBookRequest {}
::polywire::generated::buffa::impl_default_instance!(CreateBookRequest);
impl ::polywire::generated::buffa::MessageName for CreateBookRequest {
    const PACKAGE: &'static str = "library.v1";
    const NAME: &'static str = "CreateBookRequest";
    const FULL_NAME: &'static str = "library.v1.CreateBookRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/library.v1.CreateBookRequest";
}
impl ::polywire::generated::buffa::Message for CreateBookRequest {
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
        if !self.parent.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.parent) as u64;
        }
        if self.book.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.book.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.request_id.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.request_id) as u64;
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
        if !self.parent.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.parent, buf);
        }
        if self.book.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.book.write_to(__cache, buf);
        }
        if !self.request_id.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(3u32, &self.request_id, buf);
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
                ::polywire::generated::buffa::types::merge_string(&mut self.parent, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.book.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.request_id, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.parent.clear();
        self.book = ::polywire::MessageField::none();
        self.request_id.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct UpdateBookRequest {
    /// Field 1: `book`
    pub book: ::polywire::MessageField<Book>,
    /// Field 2: `update_mask`
    pub update_mask: ::polywire::MessageField<::polywire::wkt::FieldMask>,
}
impl ::std::fmt::Debug for UpdateBookRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("UpdateBookRequest")
            .field("book", &self.book)
            .field("update_mask", &self.update_mask)
            .finish()
    }
}
impl UpdateBookRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.UpdateBookRequest";
}
impl ::polywire::generated::FieldMessage for UpdateBookRequest {}
::polywire::generated::buffa::impl_default_instance!(UpdateBookRequest);
impl ::polywire::generated::buffa::MessageName for UpdateBookRequest {
    const PACKAGE: &'static str = "library.v1";
    const NAME: &'static str = "UpdateBookRequest";
    const FULL_NAME: &'static str = "library.v1.UpdateBookRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/library.v1.UpdateBookRequest";
}
impl ::polywire::generated::buffa::Message for UpdateBookRequest {
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
        if self.book.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.book.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.update_mask.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.update_mask.compute_size(__cache);
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
        if self.book.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.book.write_to(__cache, buf);
        }
        if self.update_mask.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.update_mask.write_to(__cache, buf);
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
                    self.book.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.update_mask.get_or_insert_default(),
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
        self.book = ::polywire::MessageField::none();
        self.update_mask = ::polywire::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct MoveBookRequest {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `shelf`
    pub shelf: ::std::string::String,
}
impl ::std::fmt::Debug for MoveBookRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("MoveBookRequest")
            .field("name", &self.name)
            .field("shelf", &self.shelf)
            .finish()
    }
}
impl MoveBookRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.MoveBookRequest";
}
impl ::polywire::generated::FieldMessage for MoveBookRequest {}
::polywire::generated::buffa::impl_default_instance!(MoveBookRequest);
impl ::polywire::generated::buffa::MessageName for MoveBookRequest {
    const PACKAGE: &'static str = "library.v1";
    const NAME: &'static str = "MoveBookRequest";
    const FULL_NAME: &'static str = "library.v1.MoveBookRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/library.v1.MoveBookRequest";
}
impl ::polywire::generated::buffa::Message for MoveBookRequest {
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
        if !self.name.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        if !self.shelf.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.shelf) as u64;
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
        if !self.name.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        if !self.shelf.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(2u32, &self.shelf, buf);
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
                ::polywire::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.shelf, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.shelf.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Cover {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `image`
    pub image: ::polywire::MessageField<::polywire::HttpBody>,
    /// How often it was set.
    ///
    /// Field 3: `version`
    pub version: i32,
}
impl ::std::fmt::Debug for Cover {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Cover")
            .field("name", &self.name)
            .field("image", &self.image)
            .field("version", &self.version)
            .finish()
    }
}
impl Cover {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.Cover";
}
impl ::polywire::generated::FieldMessage for Cover {}
::polywire::generated::buffa::impl_default_instance!(Cover);
impl ::polywire::generated::buffa::MessageName for Cover {
    const PACKAGE: &'static str = "library.v1";
    const NAME: &'static str = "Cover";
    const FULL_NAME: &'static str = "library.v1.Cover";
    const TYPE_URL: &'static str = "type.googleapis.com/library.v1.Cover";
}
impl ::polywire::generated::buffa::Message for Cover {
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
        if !self.name.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        if self.image.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.image.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.version != 0i32 {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(self.version) as u64;
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
        if !self.name.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        if self.image.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.image.write_to(__cache, buf);
        }
        if self.version != 0i32 {
            ::polywire::generated::buffa::types::put_int32_field(3u32, self.version, buf);
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
                ::polywire::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.image.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.version = ::polywire::generated::buffa::types::decode_int32(buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.image = ::polywire::MessageField::none();
        self.version = 0i32;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct WatchBookRequest {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `count`
    pub count: i32,
}
impl ::std::fmt::Debug for WatchBookRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("WatchBookRequest")
            .field("name", &self.name)
            .field("count", &self.count)
            .finish()
    }
}
impl WatchBookRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.WatchBookRequest";
}
impl ::polywire::generated::FieldMessage for WatchBookRequest {}
::polywire::generated::buffa::impl_default_instance!(WatchBookRequest);
impl ::polywire::generated::buffa::MessageName for WatchBookRequest {
    const PACKAGE: &'static str = "library.v1";
    const NAME: &'static str = "WatchBookRequest";
    const FULL_NAME: &'static str = "library.v1.WatchBookRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/library.v1.WatchBookRequest";
}
impl ::polywire::generated::buffa::Message for WatchBookRequest {
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
        if !self.name.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        if self.count != 0i32 {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(self.count) as u64;
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
        if !self.name.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        if self.count != 0i32 {
            ::polywire::generated::buffa::types::put_int32_field(2u32, self.count, buf);
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
                ::polywire::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.count = ::polywire::generated::buffa::types::decode_int32(buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.count = 0i32;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Everything {
    /// Field 1: `f_string`
    pub f_string: ::std::string::String,
    /// Field 2: `f_int32`
    pub f_int32: i32,
    /// Field 3: `f_int64`
    pub f_int64: i64,
    /// Field 4: `f_uint32`
    pub f_uint32: u32,
    /// Field 5: `f_uint64`
    pub f_uint64: u64,
    /// Field 6: `f_bool`
    pub f_bool: bool,
    /// Field 7: `f_float`
    pub f_float: f32,
    /// Field 8: `f_double`
    pub f_double: f64,
    /// Field 9: `f_bytes`
    pub f_bytes: ::std::vec::Vec<u8>,
    /// Field 10: `f_enum`
    pub f_enum: ::polywire::EnumValue<Genre>,
    /// Field 11: `f_time`
    pub f_time: ::polywire::MessageField<::polywire::wkt::Timestamp>,
    /// Field 12: `f_duration`
    pub f_duration: ::polywire::MessageField<::polywire::wkt::Duration>,
    /// Field 13: `f_mask`
    pub f_mask: ::polywire::MessageField<::polywire::wkt::FieldMask>,
    /// Field 14: `f_text`
    pub f_text: ::polywire::MessageField<::polywire::wkt::StringValue>,
    /// Field 15: `words`
    pub words: ::std::vec::Vec<::std::string::String>,
    /// Field 16: `numbers`
    pub numbers: ::std::vec::Vec<i32>,
    /// Field 17: `inner`
    pub inner: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
    /// Field 18: `counts`
    pub counts: ::polywire::Map<::std::string::String, i32>,
    /// Field 19: `maybe`
    pub maybe: ::std::option::Option<i32>,
    pub choice: ::std::option::Option<__buffa::oneof::everything::Choice>,
}
impl ::std::fmt::Debug for Everything {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Everything")
            .field("f_string", &self.f_string)
            .field("f_int32", &self.f_int32)
            .field("f_int64", &self.f_int64)
            .field("f_uint32", &self.f_uint32)
            .field("f_uint64", &self.f_uint64)
            .field("f_bool", &self.f_bool)
            .field("f_float", &self.f_float)
            .field("f_double", &self.f_double)
            .field("f_bytes", &self.f_bytes)
            .field("f_enum", &self.f_enum)
            .field("f_time", &self.f_time)
            .field("f_duration", &self.f_duration)
            .field("f_mask", &self.f_mask)
            .field("f_text", &self.f_text)
            .field("words", &self.words)
            .field("numbers", &self.numbers)
            .field("inner", &self.inner)
            .field("counts", &self.counts)
            .field("maybe", &self.maybe)
            .field("choice", &self.choice)
            .finish()
    }
}
impl Everything {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/library.v1.Everything";
}
impl Everything {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::maybe`] to `Some(value)`, consuming and returning `self`.
    pub fn with_maybe(mut self, value: i32) -> Self {
        self.maybe = Some(value);
        self
    }
}
impl ::polywire::generated::FieldMessage for Everything {}
::polywire::generated::buffa::impl_default_instance!(Everything);
impl ::polywire::generated::buffa::MessageName for Everything {
    const PACKAGE: &'static str = "library.v1";
    const NAME: &'static str = "Everything";
    const FULL_NAME: &'static str = "library.v1.Everything";
    const TYPE_URL: &'static str = "type.googleapis.com/library.v1.Everything";
}
impl ::polywire::generated::buffa::Message for Everything {
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
        if !self.f_string.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.f_string) as u64;
        }
        if self.f_int32 != 0i32 {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(self.f_int32) as u64;
        }
        if self.f_int64 != 0i64 {
            size += 1u64 + ::polywire::generated::buffa::types::int64_encoded_len(self.f_int64) as u64;
        }
        if self.f_uint32 != 0u32 {
            size += 1u64 + ::polywire::generated::buffa::types::uint32_encoded_len(self.f_uint32) as u64;
        }
        if self.f_uint64 != 0u64 {
            size += 1u64 + ::polywire::generated::buffa::types::uint64_encoded_len(self.f_uint64) as u64;
        }
        if self.f_bool {
            size += 1u64 + ::polywire::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        if self.f_float.to_bits() != 0u32 {
            size += 1u64 + ::polywire::generated::buffa::types::FIXED32_ENCODED_LEN as u64;
        }
        if self.f_double.to_bits() != 0u64 {
            size += 1u64 + ::polywire::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
        }
        if !self.f_bytes.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(&self.f_bytes) as u64;
        }
        {
            let val = self.f_enum.to_i32();
            if val != 0 {
                size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(val) as u64;
            }
        }
        if self.f_time.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.f_time.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.f_duration.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.f_duration.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.f_mask.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.f_mask.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.f_text.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.f_text.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.words {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        if !self.numbers.is_empty() {
            let payload: u64 = self
                .numbers
                .iter()
                .map(|&v| ::polywire::generated::buffa::types::int32_encoded_len(v) as u64)
                .sum::<u64>();
            size += 2u64 + ::polywire::generated::buffa::encoding::varint_len(payload) as u64 + payload;
        }
        if self.inner.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.inner.compute_size(__cache);
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
            >(&self.counts, 2u64);
        if let Some(v) = self.maybe {
            size += 2u64 + ::polywire::generated::buffa::types::int32_encoded_len(v) as u64;
        }
        if let ::std::option::Option::Some(ref v) = self.choice {
            match v {
                __buffa::oneof::everything::Choice::Left(x) => {
                    size += 2u64 + ::polywire::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::everything::Choice::Right(v) => {
                    size += 2u64 + ::polywire::generated::buffa::types::int32_encoded_len(*v) as u64;
                }
            }
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
        if !self.f_string.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.f_string, buf);
        }
        if self.f_int32 != 0i32 {
            ::polywire::generated::buffa::types::put_int32_field(2u32, self.f_int32, buf);
        }
        if self.f_int64 != 0i64 {
            ::polywire::generated::buffa::types::put_int64_field(3u32, self.f_int64, buf);
        }
        if self.f_uint32 != 0u32 {
            ::polywire::generated::buffa::types::put_uint32_field(4u32, self.f_uint32, buf);
        }
        if self.f_uint64 != 0u64 {
            ::polywire::generated::buffa::types::put_uint64_field(5u32, self.f_uint64, buf);
        }
        if self.f_bool {
            ::polywire::generated::buffa::types::put_bool_field(6u32, self.f_bool, buf);
        }
        if self.f_float.to_bits() != 0u32 {
            ::polywire::generated::buffa::types::put_float_field(7u32, self.f_float, buf);
        }
        if self.f_double.to_bits() != 0u64 {
            ::polywire::generated::buffa::types::put_double_field(8u32, self.f_double, buf);
        }
        if !self.f_bytes.is_empty() {
            ::polywire::generated::buffa::types::put_shared_bytes_field(9u32, &self.f_bytes, buf);
        }
        {
            let val = self.f_enum.to_i32();
            if val != 0 {
                ::polywire::generated::buffa::types::put_int32_field(10u32, val, buf);
            }
        }
        if self.f_time.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                11u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.f_time.write_to(__cache, buf);
        }
        if self.f_duration.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                12u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.f_duration.write_to(__cache, buf);
        }
        if self.f_mask.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                13u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.f_mask.write_to(__cache, buf);
        }
        if self.f_text.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                14u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.f_text.write_to(__cache, buf);
        }
        for v in &self.words {
            ::polywire::generated::buffa::types::put_string_field(15u32, v, buf);
        }
        if !self.numbers.is_empty() {
            let payload: u64 = self
                .numbers
                .iter()
                .map(|&v| ::polywire::generated::buffa::types::int32_encoded_len(v) as u64)
                .sum::<u64>();
            ::polywire::generated::buffa::types::put_len_delimited_header(16u32, payload, buf);
            for &v in &self.numbers {
                ::polywire::generated::buffa::types::encode_int32(v, buf);
            }
        }
        if self.inner.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                17u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.inner.write_to(__cache, buf);
        }
        ::polywire::generated::buffa::map_codec::write_field::<
            ::polywire::generated::buffa::map_codec::Str,
            ::polywire::generated::buffa::map_codec::Int32,
            _,
        >(&self.counts, 18u32, buf);
        if let Some(v) = self.maybe {
            ::polywire::generated::buffa::types::put_int32_field(19u32, v, buf);
        }
        if let ::std::option::Option::Some(ref v) = self.choice {
            match v {
                __buffa::oneof::everything::Choice::Left(x) => {
                    ::polywire::generated::buffa::types::put_string_field(20u32, x, buf);
                }
                __buffa::oneof::everything::Choice::Right(x) => {
                    ::polywire::generated::buffa::types::put_int32_field(21u32, *x, buf);
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
                ::polywire::generated::buffa::types::merge_string(&mut self.f_string, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.f_int32 = ::polywire::generated::buffa::types::decode_int32(buf)?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.f_int64 = ::polywire::generated::buffa::types::decode_int64(buf)?;
            }
            4u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.f_uint32 = ::polywire::generated::buffa::types::decode_uint32(buf)?;
            }
            5u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.f_uint64 = ::polywire::generated::buffa::types::decode_uint64(buf)?;
            }
            6u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.f_bool = ::polywire::generated::buffa::types::decode_bool(buf)?;
            }
            7u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Fixed32,
                )?;
                self.f_float = ::polywire::generated::buffa::types::decode_float(buf)?;
            }
            8u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.f_double = ::polywire::generated::buffa::types::decode_double(buf)?;
            }
            9u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_bytes(&mut self.f_bytes, buf)?;
            }
            10u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.f_enum = ::polywire::EnumValue::from(
                    ::polywire::generated::buffa::types::decode_int32(buf)?,
                );
            }
            11u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.f_time.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            12u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.f_duration.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            13u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.f_mask.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            14u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.f_text.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            15u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = ::polywire::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.words.push(__elem);
            }
            16u32 => {
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
                            &mut self.numbers,
                            len,
                        )?;
                        buf.advance(len);
                    } else {
                        self.numbers.reserve(len);
                        let mut limited = buf.take(len);
                        while limited.has_remaining() {
                            self.numbers
                                .push(::polywire::generated::buffa::types::decode_int32_packed(&mut limited)?);
                        }
                        let leftover = limited.remaining();
                        if leftover > 0 {
                            limited.advance(leftover);
                        }
                    }
                } else if tag.wire_type() == ::polywire::generated::buffa::encoding::WireType::Varint {
                    self.numbers.push(::polywire::generated::buffa::types::decode_int32(buf)?);
                } else {
                    return ::std::result::Result::Err(
                        ::polywire::generated::buffa::encoding::wire_type_mismatch(
                            tag,
                            ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
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
                    self.inner.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            18u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Str,
                    ::polywire::generated::buffa::map_codec::Int32,
                    _,
                >(&mut self.counts, buf, ctx)?;
            }
            19u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.maybe = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int32(buf)?,
                );
            }
            20u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.choice = ::std::option::Option::Some(
                    __buffa::oneof::everything::Choice::Left(
                        ::polywire::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            21u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.choice = ::std::option::Option::Some(
                    __buffa::oneof::everything::Choice::Right(
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
        self.f_string.clear();
        self.f_int32 = 0i32;
        self.f_int64 = 0i64;
        self.f_uint32 = 0u32;
        self.f_uint64 = 0u64;
        self.f_bool = false;
        self.f_float = 0f32;
        self.f_double = 0f64;
        self.f_bytes.clear();
        self.f_enum = ::polywire::EnumValue::from(0);
        self.f_time = ::polywire::MessageField::none();
        self.f_duration = ::polywire::MessageField::none();
        self.f_mask = ::polywire::MessageField::none();
        self.f_text = ::polywire::MessageField::none();
        self.words.clear();
        self.numbers.clear();
        self.inner = ::polywire::MessageField::none();
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.counts);
        self.maybe = ::std::option::Option::None;
        self.choice = ::std::option::Option::None;
    }
}
pub mod everything {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::everything::Choice;
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
        pub mod everything {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum Choice {
                Left(::std::string::String),
                Right(i32),
            }
            impl ::polywire::generated::buffa::Oneof for Choice {}
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("library.v1.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Book, "library.v1.Book", POOL, buffers { one name; one title; each tags; });
::polywire::generated::message!(GetBookRequest, "library.v1.GetBookRequest", POOL, buffers { one name; });
::polywire::generated::message!(ListBooksRequest, "library.v1.ListBooksRequest", POOL, buffers { one parent; one filter; });
::polywire::generated::message!(list_books_request::Filter, "library.v1.ListBooksRequest.Filter", POOL, buffers { each tags; });
::polywire::generated::message!(ListBooksResponse, "library.v1.ListBooksResponse", POOL, buffers { each books; one request; });
::polywire::generated::message!(ListTitlesResponse, "library.v1.ListTitlesResponse", POOL, buffers { each titles; one next_page_token; });
::polywire::generated::message!(CreateBookRequest, "library.v1.CreateBookRequest", POOL, buffers { one parent; one book; one request_id; });
::polywire::generated::message!(UpdateBookRequest, "library.v1.UpdateBookRequest", POOL, buffers { one book; });
::polywire::generated::message!(MoveBookRequest, "library.v1.MoveBookRequest", POOL, buffers { one name; one shelf; });
::polywire::generated::message!(Cover, "library.v1.Cover", POOL, buffers { one name; });
::polywire::generated::message!(WatchBookRequest, "library.v1.WatchBookRequest", POOL, buffers { one name; });
::polywire::generated::message!(Everything, "library.v1.Everything", POOL, buffers { one f_string; one f_bytes; each words; one inner; });

/// Books on shelves, by rules of `google.api.http`.
///
/// Service `library.v1.Library`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `library.v1.Library`",
    note = "write `impl Library for {Self}` with its methods: `get_book`, `list_books`, `list_titles`, `create_book`, `update_book`, `delete_book`, `move_book`, `watch_book`, `echo`, `get_cover`, `set_cover`, `reverse`, `read_book`, `count`"
)]
pub trait Library: Send + Sync + 'static {
    /// Method `GetBook`.
    fn get_book(
        &self,
        cx: &::polywire::Context,
        request: GetBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Book>, ::polywire::Status>> + Send;

    /// Method `ListBooks`.
    fn list_books(
        &self,
        cx: &::polywire::Context,
        request: ListBooksRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<ListBooksResponse>, ::polywire::Status>> + Send;

    /// Method `ListTitles`.
    fn list_titles(
        &self,
        cx: &::polywire::Context,
        request: ListBooksRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<ListTitlesResponse>, ::polywire::Status>> + Send;

    /// Method `CreateBook`.
    fn create_book(
        &self,
        cx: &::polywire::Context,
        request: CreateBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Book>, ::polywire::Status>> + Send;

    /// Method `UpdateBook`.
    fn update_book(
        &self,
        cx: &::polywire::Context,
        request: UpdateBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Book>, ::polywire::Status>> + Send;

    /// Method `DeleteBook`.
    fn delete_book(
        &self,
        cx: &::polywire::Context,
        request: GetBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<::polywire::wkt::Empty>, ::polywire::Status>> + Send;

    /// Method `MoveBook`.
    fn move_book(
        &self,
        cx: &::polywire::Context,
        request: MoveBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Book>, ::polywire::Status>> + Send;

    /// Method `WatchBook`, which answers with a stream. To be written as
    /// `async fn watch_book(…) -> Result<impl Stream<Item = Result<Book, Status>>, Status>`.
    fn watch_book(
        &self,
        cx: &::polywire::Context,
        request: WatchBookRequest,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<Book, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// Method `Echo`.
    fn echo(
        &self,
        cx: &::polywire::Context,
        request: Everything,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Everything>, ::polywire::Status>> + Send;

    /// Its reply is an image, and no JSON.
    ///
    /// Method `GetCover`.
    fn get_cover(
        &self,
        cx: &::polywire::Context,
        request: GetBookRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<::polywire::HttpBody>, ::polywire::Status>> + Send;

    /// Method `SetCover`.
    fn set_cover(
        &self,
        cx: &::polywire::Context,
        request: Cover,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Cover>, ::polywire::Status>> + Send;

    /// Method `Reverse`.
    fn reverse(
        &self,
        cx: &::polywire::Context,
        request: ::polywire::HttpBody,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<::polywire::HttpBody>, ::polywire::Status>> + Send;

    /// Method `ReadBook`, which answers with a stream. To be written as
    /// `async fn read_book(…) -> Result<impl Stream<Item = Result<::polywire::HttpBody, Status>>, Status>`.
    fn read_book(
        &self,
        cx: &::polywire::Context,
        request: WatchBookRequest,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<::polywire::HttpBody, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// No rule: it is reached by its name alone.
    ///
    /// Method `Count`.
    fn count(
        &self,
        cx: &::polywire::Context,
        request: ::polywire::wkt::Empty,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Everything>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("library.v1.Library", DESCRIPTOR_SET)
            .unary::<library::GetBook<Self>>(&service)
            .unary::<library::ListBooks<Self>>(&service)
            .unary::<library::ListTitles<Self>>(&service)
            .unary::<library::CreateBook<Self>>(&service)
            .unary::<library::UpdateBook<Self>>(&service)
            .unary::<library::DeleteBook<Self>>(&service)
            .unary::<library::MoveBook<Self>>(&service)
            .server_streaming::<library::WatchBook<Self>>(&service)
            .unary::<library::Echo<Self>>(&service)
            .unary::<library::GetCover<Self>>(&service)
            .unary::<library::SetCover<Self>>(&service)
            .unary::<library::Reverse<Self>>(&service)
            .server_streaming::<library::ReadBook<Self>>(&service)
            .unary::<library::Count<Self>>(&service)
    }
}

/// The methods of [`Library`], each as a type.
pub mod library {
    /// `library.v1.Library/GetBook`.
    pub struct GetBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for GetBook<Impl> {
        type Service = Impl;
        type Request = super::GetBookRequest;
        type Response = super::Book;
        const NAME: &'static str = "GetBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}"),
            ::polywire::HttpRule::new("GET", "/v1/books/{name}"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::get_book(service, cx, request)
        }
    }

    /// `library.v1.Library/ListBooks`.
    pub struct ListBooks<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for ListBooks<Impl> {
        type Service = Impl;
        type Request = super::ListBooksRequest;
        type Response = super::ListBooksResponse;
        const NAME: &'static str = "ListBooks";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{parent=shelves/*}/books"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::list_books(service, cx, request)
        }
    }

    /// `library.v1.Library/ListTitles`.
    pub struct ListTitles<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for ListTitles<Impl> {
        type Service = Impl;
        type Request = super::ListBooksRequest;
        type Response = super::ListTitlesResponse;
        const NAME: &'static str = "ListTitles";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{parent=shelves/*}/titles").response_body("titles"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::list_titles(service, cx, request)
        }
    }

    /// `library.v1.Library/CreateBook`.
    pub struct CreateBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for CreateBook<Impl> {
        type Service = Impl;
        type Request = super::CreateBookRequest;
        type Response = super::Book;
        const NAME: &'static str = "CreateBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("POST", "/v1/{parent=shelves/*}/books").body("book"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::create_book(service, cx, request)
        }
    }

    /// `library.v1.Library/UpdateBook`.
    pub struct UpdateBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for UpdateBook<Impl> {
        type Service = Impl;
        type Request = super::UpdateBookRequest;
        type Response = super::Book;
        const NAME: &'static str = "UpdateBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("PATCH", "/v1/{book.name=shelves/*/books/*}").body("book"),
            ::polywire::HttpRule::new("PUT", "/v1/{book.name=shelves/*/books/*}").body("*"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::update_book(service, cx, request)
        }
    }

    /// `library.v1.Library/DeleteBook`.
    pub struct DeleteBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for DeleteBook<Impl> {
        type Service = Impl;
        type Request = super::GetBookRequest;
        type Response = ::polywire::wkt::Empty;
        const NAME: &'static str = "DeleteBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("DELETE", "/v1/{name=shelves/*/books/*}"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::delete_book(service, cx, request)
        }
    }

    /// `library.v1.Library/MoveBook`.
    pub struct MoveBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for MoveBook<Impl> {
        type Service = Impl;
        type Request = super::MoveBookRequest;
        type Response = super::Book;
        const NAME: &'static str = "MoveBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("POST", "/v1/{name=shelves/*/books/*}:move").body("*"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::move_book(service, cx, request)
        }
    }

    /// `library.v1.Library/WatchBook`.
    pub struct WatchBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::ServerStreaming for WatchBook<Impl> {
        type Service = Impl;
        type Request = super::WatchBookRequest;
        type Response = super::Book;
        const NAME: &'static str = "WatchBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}:watch").response_body("title"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<
            Output = Result<
                impl ::polywire::Stream<Item = Result<Self::Response, ::polywire::Status>> + Send,
                ::polywire::Status,
            >,
        > + Send {
            super::Library::watch_book(service, cx, request)
        }
    }

    /// `library.v1.Library/Echo`.
    pub struct Echo<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for Echo<Impl> {
        type Service = Impl;
        type Request = super::Everything;
        type Response = super::Everything;
        const NAME: &'static str = "Echo";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/echo"),
            ::polywire::HttpRule::new("GET", "/v1/echo/{f_int64}/{f_enum}/{f_time}"),
            ::polywire::HttpRule::new("GET", "/v1/files/{f_string=**}"),
            ::polywire::HttpRule::new("POST", "/v1/echo").body("*"),
            ::polywire::HttpRule::new("POST", "/v1/echo/words").body("words"),
            ::polywire::HttpRule::new("REPORT", "/v1/echo"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::echo(service, cx, request)
        }
    }

    /// `library.v1.Library/GetCover`.
    pub struct GetCover<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for GetCover<Impl> {
        type Service = Impl;
        type Request = super::GetBookRequest;
        type Response = ::polywire::HttpBody;
        const NAME: &'static str = "GetCover";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}/cover"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::get_cover(service, cx, request)
        }
    }

    /// `library.v1.Library/SetCover`.
    pub struct SetCover<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for SetCover<Impl> {
        type Service = Impl;
        type Request = super::Cover;
        type Response = super::Cover;
        const NAME: &'static str = "SetCover";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("PUT", "/v1/{name=shelves/*/books/*}/cover").body("image").response_body("image"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::set_cover(service, cx, request)
        }
    }

    /// `library.v1.Library/Reverse`.
    pub struct Reverse<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for Reverse<Impl> {
        type Service = Impl;
        type Request = ::polywire::HttpBody;
        type Response = ::polywire::HttpBody;
        const NAME: &'static str = "Reverse";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("POST", "/v1/reverse").body("*"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::reverse(service, cx, request)
        }
    }

    /// `library.v1.Library/ReadBook`.
    pub struct ReadBook<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::ServerStreaming for ReadBook<Impl> {
        type Service = Impl;
        type Request = super::WatchBookRequest;
        type Response = ::polywire::HttpBody;
        const NAME: &'static str = "ReadBook";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}:read"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<
            Output = Result<
                impl ::polywire::Stream<Item = Result<Self::Response, ::polywire::Status>> + Send,
                ::polywire::Status,
            >,
        > + Send {
            super::Library::read_book(service, cx, request)
        }
    }

    /// `library.v1.Library/Count`.
    pub struct Count<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Library> ::polywire::generated::Unary for Count<Impl> {
        type Service = Impl;
        type Request = ::polywire::wkt::Empty;
        type Response = super::Everything;
        const NAME: &'static str = "Count";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Library::count(service, cx, request)
        }
    }
}

/// Books on shelves, by rules of `google.api.http`.
///
/// Calls `library.v1.Library` over a channel.
#[derive(Clone)]
pub struct LibraryClient {
    channel: ::polywire::Channel,
}

impl LibraryClient {
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

    /// Method `GetBook`.
    #[inline]
    pub fn get_book(&self, request: GetBookRequest) -> ::polywire::Call<Book> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}"),
            ::polywire::HttpRule::new("GET", "/v1/books/{name}"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "GetBook").at(0), request, &RULES)
    }

    /// Method `ListBooks`.
    #[inline]
    pub fn list_books(&self, request: ListBooksRequest) -> ::polywire::Call<ListBooksResponse> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{parent=shelves/*}/books"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "ListBooks").at(1), request, &RULES)
    }

    /// Method `ListTitles`.
    #[inline]
    pub fn list_titles(&self, request: ListBooksRequest) -> ::polywire::Call<ListTitlesResponse> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{parent=shelves/*}/titles").response_body("titles"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "ListTitles").at(2), request, &RULES)
    }

    /// Method `CreateBook`.
    #[inline]
    pub fn create_book(&self, request: CreateBookRequest) -> ::polywire::Call<Book> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("POST", "/v1/{parent=shelves/*}/books").body("book"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "CreateBook").at(3), request, &RULES)
    }

    /// Method `UpdateBook`.
    #[inline]
    pub fn update_book(&self, request: UpdateBookRequest) -> ::polywire::Call<Book> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("PATCH", "/v1/{book.name=shelves/*/books/*}").body("book"),
            ::polywire::HttpRule::new("PUT", "/v1/{book.name=shelves/*/books/*}").body("*"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "UpdateBook").at(4), request, &RULES)
    }

    /// Method `DeleteBook`.
    #[inline]
    pub fn delete_book(&self, request: GetBookRequest) -> ::polywire::Call<::polywire::wkt::Empty> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("DELETE", "/v1/{name=shelves/*/books/*}"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "DeleteBook").at(5), request, &RULES)
    }

    /// Method `MoveBook`.
    #[inline]
    pub fn move_book(&self, request: MoveBookRequest) -> ::polywire::Call<Book> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("POST", "/v1/{name=shelves/*/books/*}:move").body("*"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "MoveBook").at(6), request, &RULES)
    }

    /// Method `WatchBook`: awaited, it is the stream of its answers.
    #[inline]
    pub fn watch_book(&self, request: WatchBookRequest) -> ::polywire::StreamingCall<::polywire::Streaming<Book>> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}:watch").response_body("title"),
        ]);
        ::polywire::generated::server_streaming_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "WatchBook").at(7), request, &RULES)
    }

    /// Method `Echo`.
    #[inline]
    pub fn echo(&self, request: Everything) -> ::polywire::Call<Everything> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/echo"),
            ::polywire::HttpRule::new("GET", "/v1/echo/{f_int64}/{f_enum}/{f_time}"),
            ::polywire::HttpRule::new("GET", "/v1/files/{f_string=**}"),
            ::polywire::HttpRule::new("POST", "/v1/echo").body("*"),
            ::polywire::HttpRule::new("POST", "/v1/echo/words").body("words"),
            ::polywire::HttpRule::new("REPORT", "/v1/echo"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "Echo").at(8), request, &RULES)
    }

    /// Its reply is an image, and no JSON.
    ///
    /// Method `GetCover`.
    #[inline]
    pub fn get_cover(&self, request: GetBookRequest) -> ::polywire::Call<::polywire::HttpBody> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}/cover"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "GetCover").at(9), request, &RULES)
    }

    /// Method `SetCover`.
    #[inline]
    pub fn set_cover(&self, request: Cover) -> ::polywire::Call<Cover> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("PUT", "/v1/{name=shelves/*/books/*}/cover").body("image").response_body("image"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "SetCover").at(10), request, &RULES)
    }

    /// Method `Reverse`.
    #[inline]
    pub fn reverse(&self, request: ::polywire::HttpBody) -> ::polywire::Call<::polywire::HttpBody> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("POST", "/v1/reverse").body("*"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "Reverse").at(11), request, &RULES)
    }

    /// Method `ReadBook`: awaited, it is the stream of its answers.
    #[inline]
    pub fn read_book(&self, request: WatchBookRequest) -> ::polywire::StreamingCall<::polywire::Streaming<::polywire::HttpBody>> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/v1/{name=shelves/*/books/*}:read"),
        ]);
        ::polywire::generated::server_streaming_by_rule(&self.channel, ::polywire::Target::fixed("library.v1.Library", "ReadBook").at(12), request, &RULES)
    }

    /// No rule: it is reached by its name alone.
    ///
    /// Method `Count`.
    #[inline]
    pub fn count(&self, request: ::polywire::wkt::Empty) -> ::polywire::Call<Everything> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("library.v1.Library", "Count").at(13), request)
    }
}
