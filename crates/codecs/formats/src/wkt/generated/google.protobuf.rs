// Made by polywire-build from google/protobuf/any.proto, google/protobuf/source_context.proto, google/protobuf/type.proto, google/protobuf/api.proto, google/protobuf/duration.proto, google/protobuf/empty.proto, google/protobuf/field_mask.proto, google/protobuf/struct.proto, google/protobuf/timestamp.proto, google/protobuf/wrappers.proto; changes are lost.
#[derive(Clone, PartialEq, Default)]
///A message, with the name of its type.
#[derive(Eq, Hash)]
pub struct Any {
    /// Field 1: `type_url`
    pub type_url: ::std::string::String,
    /// Field 2: `value`
    pub value: crate::generated::Bytes,
}
impl ::std::fmt::Debug for Any {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Any")
            .field("type_url", &self.type_url)
            .field("value", &self.value)
            .finish()
    }
}
impl Any {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Any";
}
impl crate::generated::FieldMessage for Any {}
crate::generated::buffa::impl_default_instance!(Any);
impl crate::generated::buffa::MessageName for Any {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Any";
    const FULL_NAME: &'static str = "google.protobuf.Any";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Any";
}
impl crate::generated::buffa::Message for Any {
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
        if !self.type_url.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.type_url) as u64;
        }
        if !self.value.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.value) as u64;
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
        if !self.type_url.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.type_url, buf);
        }
        if !self.value.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(2u32, &self.value, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.type_url, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.value = crate::generated::buffa::types::decode_bytes_to_bytes(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.type_url.clear();
        self.value = ::std::default::Default::default();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct SourceContext {
    /// Field 1: `file_name`
    pub file_name: ::std::string::String,
}
impl ::std::fmt::Debug for SourceContext {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("SourceContext").field("file_name", &self.file_name).finish()
    }
}
impl SourceContext {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.SourceContext";
}
impl crate::generated::FieldMessage for SourceContext {}
crate::generated::buffa::impl_default_instance!(SourceContext);
impl crate::generated::buffa::MessageName for SourceContext {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "SourceContext";
    const FULL_NAME: &'static str = "google.protobuf.SourceContext";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.SourceContext";
}
impl crate::generated::buffa::Message for SourceContext {
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
        if !self.file_name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.file_name) as u64;
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
        if !self.file_name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.file_name, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.file_name, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.file_name.clear();
    }
}
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(i32)]
pub enum Syntax {
    SYNTAX_PROTO2 = 0i32,
    SYNTAX_PROTO3 = 1i32,
    SYNTAX_EDITIONS = 2i32,
}
impl Syntax {
    ///Idiomatic alias for [`Self::SYNTAX_PROTO2`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Proto2: Self = Self::SYNTAX_PROTO2;
    ///Idiomatic alias for [`Self::SYNTAX_PROTO3`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Proto3: Self = Self::SYNTAX_PROTO3;
    ///Idiomatic alias for [`Self::SYNTAX_EDITIONS`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Editions: Self = Self::SYNTAX_EDITIONS;
}
impl ::std::default::Default for Syntax {
    fn default() -> Self {
        Self::SYNTAX_PROTO2
    }
}
impl crate::generated::FieldEnum for Syntax {}
impl crate::generated::buffa::Enumeration for Syntax {
    fn from_i32(value: i32) -> ::std::option::Option<Self> {
        match value {
            0i32 => ::std::option::Option::Some(Self::SYNTAX_PROTO2),
            1i32 => ::std::option::Option::Some(Self::SYNTAX_PROTO3),
            2i32 => ::std::option::Option::Some(Self::SYNTAX_EDITIONS),
            _ => ::std::option::Option::None,
        }
    }
    fn to_i32(&self) -> i32 {
        *self as i32
    }
    fn proto_name(&self) -> &'static str {
        match self {
            Self::SYNTAX_PROTO2 => "SYNTAX_PROTO2",
            Self::SYNTAX_PROTO3 => "SYNTAX_PROTO3",
            Self::SYNTAX_EDITIONS => "SYNTAX_EDITIONS",
        }
    }
    fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
        match name {
            "SYNTAX_PROTO2" => ::std::option::Option::Some(Self::SYNTAX_PROTO2),
            "SYNTAX_PROTO3" => ::std::option::Option::Some(Self::SYNTAX_PROTO3),
            "SYNTAX_EDITIONS" => ::std::option::Option::Some(Self::SYNTAX_EDITIONS),
            _ => ::std::option::Option::None,
        }
    }
    fn values() -> &'static [Self] {
        &[Self::SYNTAX_PROTO2, Self::SYNTAX_PROTO3, Self::SYNTAX_EDITIONS]
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Type {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `fields`
    pub fields: ::std::vec::Vec<Field>,
    /// Field 3: `oneofs`
    pub oneofs: ::std::vec::Vec<::std::string::String>,
    /// Field 4: `options`
    pub options: ::std::vec::Vec<Option>,
    /// Field 5: `source_context`
    pub source_context: crate::MessageField<SourceContext>,
    /// Field 6: `syntax`
    pub syntax: crate::EnumValue<Syntax>,
    /// Field 7: `edition`
    pub edition: ::std::string::String,
}
impl ::std::fmt::Debug for Type {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Type")
            .field("name", &self.name)
            .field("fields", &self.fields)
            .field("oneofs", &self.oneofs)
            .field("options", &self.options)
            .field("source_context", &self.source_context)
            .field("syntax", &self.syntax)
            .field("edition", &self.edition)
            .finish()
    }
}
impl Type {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Type";
}
impl crate::generated::FieldMessage for Type {}
crate::generated::buffa::impl_default_instance!(Type);
impl crate::generated::buffa::MessageName for Type {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Type";
    const FULL_NAME: &'static str = "google.protobuf.Type";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Type";
}
impl crate::generated::buffa::Message for Type {
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
        for v in &self.fields {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.oneofs {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(v) as u64;
        }
        for v in &self.options {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.source_context.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.source_context.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        {
            let val = self.syntax.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
            }
        }
        if !self.edition.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.edition) as u64;
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
        for v in &self.fields {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        for v in &self.oneofs {
            crate::generated::buffa::types::put_string_field(3u32, v, buf);
        }
        for v in &self.options {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.source_context.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                5u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.source_context.write_to(__cache, buf);
        }
        {
            let val = self.syntax.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(6u32, val, buf);
            }
        }
        if !self.edition.is_empty() {
            crate::generated::buffa::types::put_string_field(7u32, &self.edition, buf);
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.fields.push(elem);
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
                self.oneofs.push(__elem);
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.options.push(elem);
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.source_context.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.syntax = crate::EnumValue::from(
                    crate::generated::buffa::types::decode_int32(buf)?,
                );
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.edition, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.fields.clear();
        self.oneofs.clear();
        self.options.clear();
        self.source_context = crate::MessageField::none();
        self.syntax = crate::EnumValue::from(0);
        self.edition.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Field {
    /// Field 1: `kind`
    pub kind: crate::EnumValue<field::Kind>,
    /// Field 2: `cardinality`
    pub cardinality: crate::EnumValue<field::Cardinality>,
    /// Field 3: `number`
    pub number: i32,
    /// Field 4: `name`
    pub name: ::std::string::String,
    /// Field 6: `type_url`
    pub type_url: ::std::string::String,
    /// Field 7: `oneof_index`
    pub oneof_index: i32,
    /// Field 8: `packed`
    pub packed: bool,
    /// Field 9: `options`
    pub options: ::std::vec::Vec<Option>,
    /// Field 10: `json_name`
    pub json_name: ::std::string::String,
    /// Field 11: `default_value`
    pub default_value: ::std::string::String,
}
impl ::std::fmt::Debug for Field {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Field")
            .field("kind", &self.kind)
            .field("cardinality", &self.cardinality)
            .field("number", &self.number)
            .field("name", &self.name)
            .field("type_url", &self.type_url)
            .field("oneof_index", &self.oneof_index)
            .field("packed", &self.packed)
            .field("options", &self.options)
            .field("json_name", &self.json_name)
            .field("default_value", &self.default_value)
            .finish()
    }
}
impl Field {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Field";
}
impl crate::generated::FieldMessage for Field {}
crate::generated::buffa::impl_default_instance!(Field);
impl crate::generated::buffa::MessageName for Field {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Field";
    const FULL_NAME: &'static str = "google.protobuf.Field";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Field";
}
impl crate::generated::buffa::Message for Field {
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
            let val = self.kind.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
            }
        }
        {
            let val = self.cardinality.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
            }
        }
        if self.number != 0i32 {
            size += 1u64 + crate::generated::buffa::types::int32_encoded_len(self.number) as u64;
        }
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        if !self.type_url.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.type_url) as u64;
        }
        if self.oneof_index != 0i32 {
            size += 1u64 + crate::generated::buffa::types::int32_encoded_len(self.oneof_index) as u64;
        }
        if self.packed {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        for v in &self.options {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.json_name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.json_name) as u64;
        }
        if !self.default_value.is_empty() {
            size
                += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.default_value) as u64;
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
            let val = self.kind.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(1u32, val, buf);
            }
        }
        {
            let val = self.cardinality.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(2u32, val, buf);
            }
        }
        if self.number != 0i32 {
            crate::generated::buffa::types::put_int32_field(3u32, self.number, buf);
        }
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(4u32, &self.name, buf);
        }
        if !self.type_url.is_empty() {
            crate::generated::buffa::types::put_string_field(6u32, &self.type_url, buf);
        }
        if self.oneof_index != 0i32 {
            crate::generated::buffa::types::put_int32_field(7u32, self.oneof_index, buf);
        }
        if self.packed {
            crate::generated::buffa::types::put_bool_field(8u32, self.packed, buf);
        }
        for v in &self.options {
            crate::generated::buffa::types::put_len_delimited_header(
                9u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if !self.json_name.is_empty() {
            crate::generated::buffa::types::put_string_field(10u32, &self.json_name, buf);
        }
        if !self.default_value.is_empty() {
            crate::generated::buffa::types::put_string_field(11u32, &self.default_value, buf);
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
                self.kind = crate::EnumValue::from(crate::generated::buffa::types::decode_int32(buf)?);
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.cardinality = crate::EnumValue::from(
                    crate::generated::buffa::types::decode_int32(buf)?,
                );
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.number = crate::generated::buffa::types::decode_int32(buf)?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.type_url, buf)?;
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.oneof_index = crate::generated::buffa::types::decode_int32(buf)?;
            }
            8u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.packed = crate::generated::buffa::types::decode_bool(buf)?;
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
                self.options.push(elem);
            }
            10u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.json_name, buf)?;
            }
            11u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.default_value, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.kind = crate::EnumValue::from(0);
        self.cardinality = crate::EnumValue::from(0);
        self.number = 0i32;
        self.name.clear();
        self.type_url.clear();
        self.oneof_index = 0i32;
        self.packed = false;
        self.options.clear();
        self.json_name.clear();
        self.default_value.clear();
    }
}
pub mod field {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum Kind {
        TYPE_UNKNOWN = 0i32,
        TYPE_DOUBLE = 1i32,
        TYPE_FLOAT = 2i32,
        TYPE_INT64 = 3i32,
        TYPE_UINT64 = 4i32,
        TYPE_INT32 = 5i32,
        TYPE_FIXED64 = 6i32,
        TYPE_FIXED32 = 7i32,
        TYPE_BOOL = 8i32,
        TYPE_STRING = 9i32,
        TYPE_GROUP = 10i32,
        TYPE_MESSAGE = 11i32,
        TYPE_BYTES = 12i32,
        TYPE_UINT32 = 13i32,
        TYPE_ENUM = 14i32,
        TYPE_SFIXED32 = 15i32,
        TYPE_SFIXED64 = 16i32,
        TYPE_SINT32 = 17i32,
        TYPE_SINT64 = 18i32,
    }
    impl Kind {
        ///Idiomatic alias for [`Self::TYPE_UNKNOWN`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeUnknown: Self = Self::TYPE_UNKNOWN;
        ///Idiomatic alias for [`Self::TYPE_DOUBLE`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeDouble: Self = Self::TYPE_DOUBLE;
        ///Idiomatic alias for [`Self::TYPE_FLOAT`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeFloat: Self = Self::TYPE_FLOAT;
        ///Idiomatic alias for [`Self::TYPE_INT64`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeInt64: Self = Self::TYPE_INT64;
        ///Idiomatic alias for [`Self::TYPE_UINT64`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeUint64: Self = Self::TYPE_UINT64;
        ///Idiomatic alias for [`Self::TYPE_INT32`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeInt32: Self = Self::TYPE_INT32;
        ///Idiomatic alias for [`Self::TYPE_FIXED64`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeFixed64: Self = Self::TYPE_FIXED64;
        ///Idiomatic alias for [`Self::TYPE_FIXED32`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeFixed32: Self = Self::TYPE_FIXED32;
        ///Idiomatic alias for [`Self::TYPE_BOOL`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeBool: Self = Self::TYPE_BOOL;
        ///Idiomatic alias for [`Self::TYPE_STRING`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeString: Self = Self::TYPE_STRING;
        ///Idiomatic alias for [`Self::TYPE_GROUP`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeGroup: Self = Self::TYPE_GROUP;
        ///Idiomatic alias for [`Self::TYPE_MESSAGE`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeMessage: Self = Self::TYPE_MESSAGE;
        ///Idiomatic alias for [`Self::TYPE_BYTES`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeBytes: Self = Self::TYPE_BYTES;
        ///Idiomatic alias for [`Self::TYPE_UINT32`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeUint32: Self = Self::TYPE_UINT32;
        ///Idiomatic alias for [`Self::TYPE_ENUM`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeEnum: Self = Self::TYPE_ENUM;
        ///Idiomatic alias for [`Self::TYPE_SFIXED32`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeSfixed32: Self = Self::TYPE_SFIXED32;
        ///Idiomatic alias for [`Self::TYPE_SFIXED64`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeSfixed64: Self = Self::TYPE_SFIXED64;
        ///Idiomatic alias for [`Self::TYPE_SINT32`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeSint32: Self = Self::TYPE_SINT32;
        ///Idiomatic alias for [`Self::TYPE_SINT64`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TypeSint64: Self = Self::TYPE_SINT64;
    }
    impl ::std::default::Default for Kind {
        fn default() -> Self {
            Self::TYPE_UNKNOWN
        }
    }
    impl crate::generated::FieldEnum for Kind {}
    impl crate::generated::buffa::Enumeration for Kind {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::TYPE_UNKNOWN),
                1i32 => ::std::option::Option::Some(Self::TYPE_DOUBLE),
                2i32 => ::std::option::Option::Some(Self::TYPE_FLOAT),
                3i32 => ::std::option::Option::Some(Self::TYPE_INT64),
                4i32 => ::std::option::Option::Some(Self::TYPE_UINT64),
                5i32 => ::std::option::Option::Some(Self::TYPE_INT32),
                6i32 => ::std::option::Option::Some(Self::TYPE_FIXED64),
                7i32 => ::std::option::Option::Some(Self::TYPE_FIXED32),
                8i32 => ::std::option::Option::Some(Self::TYPE_BOOL),
                9i32 => ::std::option::Option::Some(Self::TYPE_STRING),
                10i32 => ::std::option::Option::Some(Self::TYPE_GROUP),
                11i32 => ::std::option::Option::Some(Self::TYPE_MESSAGE),
                12i32 => ::std::option::Option::Some(Self::TYPE_BYTES),
                13i32 => ::std::option::Option::Some(Self::TYPE_UINT32),
                14i32 => ::std::option::Option::Some(Self::TYPE_ENUM),
                15i32 => ::std::option::Option::Some(Self::TYPE_SFIXED32),
                16i32 => ::std::option::Option::Some(Self::TYPE_SFIXED64),
                17i32 => ::std::option::Option::Some(Self::TYPE_SINT32),
                18i32 => ::std::option::Option::Some(Self::TYPE_SINT64),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::TYPE_UNKNOWN => "TYPE_UNKNOWN",
                Self::TYPE_DOUBLE => "TYPE_DOUBLE",
                Self::TYPE_FLOAT => "TYPE_FLOAT",
                Self::TYPE_INT64 => "TYPE_INT64",
                Self::TYPE_UINT64 => "TYPE_UINT64",
                Self::TYPE_INT32 => "TYPE_INT32",
                Self::TYPE_FIXED64 => "TYPE_FIXED64",
                Self::TYPE_FIXED32 => "TYPE_FIXED32",
                Self::TYPE_BOOL => "TYPE_BOOL",
                Self::TYPE_STRING => "TYPE_STRING",
                Self::TYPE_GROUP => "TYPE_GROUP",
                Self::TYPE_MESSAGE => "TYPE_MESSAGE",
                Self::TYPE_BYTES => "TYPE_BYTES",
                Self::TYPE_UINT32 => "TYPE_UINT32",
                Self::TYPE_ENUM => "TYPE_ENUM",
                Self::TYPE_SFIXED32 => "TYPE_SFIXED32",
                Self::TYPE_SFIXED64 => "TYPE_SFIXED64",
                Self::TYPE_SINT32 => "TYPE_SINT32",
                Self::TYPE_SINT64 => "TYPE_SINT64",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "TYPE_UNKNOWN" => ::std::option::Option::Some(Self::TYPE_UNKNOWN),
                "TYPE_DOUBLE" => ::std::option::Option::Some(Self::TYPE_DOUBLE),
                "TYPE_FLOAT" => ::std::option::Option::Some(Self::TYPE_FLOAT),
                "TYPE_INT64" => ::std::option::Option::Some(Self::TYPE_INT64),
                "TYPE_UINT64" => ::std::option::Option::Some(Self::TYPE_UINT64),
                "TYPE_INT32" => ::std::option::Option::Some(Self::TYPE_INT32),
                "TYPE_FIXED64" => ::std::option::Option::Some(Self::TYPE_FIXED64),
                "TYPE_FIXED32" => ::std::option::Option::Some(Self::TYPE_FIXED32),
                "TYPE_BOOL" => ::std::option::Option::Some(Self::TYPE_BOOL),
                "TYPE_STRING" => ::std::option::Option::Some(Self::TYPE_STRING),
                "TYPE_GROUP" => ::std::option::Option::Some(Self::TYPE_GROUP),
                "TYPE_MESSAGE" => ::std::option::Option::Some(Self::TYPE_MESSAGE),
                "TYPE_BYTES" => ::std::option::Option::Some(Self::TYPE_BYTES),
                "TYPE_UINT32" => ::std::option::Option::Some(Self::TYPE_UINT32),
                "TYPE_ENUM" => ::std::option::Option::Some(Self::TYPE_ENUM),
                "TYPE_SFIXED32" => ::std::option::Option::Some(Self::TYPE_SFIXED32),
                "TYPE_SFIXED64" => ::std::option::Option::Some(Self::TYPE_SFIXED64),
                "TYPE_SINT32" => ::std::option::Option::Some(Self::TYPE_SINT32),
                "TYPE_SINT64" => ::std::option::Option::Some(Self::TYPE_SINT64),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[
                Self::TYPE_UNKNOWN,
                Self::TYPE_DOUBLE,
                Self::TYPE_FLOAT,
                Self::TYPE_INT64,
                Self::TYPE_UINT64,
                Self::TYPE_INT32,
                Self::TYPE_FIXED64,
                Self::TYPE_FIXED32,
                Self::TYPE_BOOL,
                Self::TYPE_STRING,
                Self::TYPE_GROUP,
                Self::TYPE_MESSAGE,
                Self::TYPE_BYTES,
                Self::TYPE_UINT32,
                Self::TYPE_ENUM,
                Self::TYPE_SFIXED32,
                Self::TYPE_SFIXED64,
                Self::TYPE_SINT32,
                Self::TYPE_SINT64,
            ]
        }
    }
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum Cardinality {
        CARDINALITY_UNKNOWN = 0i32,
        CARDINALITY_OPTIONAL = 1i32,
        CARDINALITY_REQUIRED = 2i32,
        CARDINALITY_REPEATED = 3i32,
    }
    impl Cardinality {
        ///Idiomatic alias for [`Self::CARDINALITY_UNKNOWN`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Unknown: Self = Self::CARDINALITY_UNKNOWN;
        ///Idiomatic alias for [`Self::CARDINALITY_OPTIONAL`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Optional: Self = Self::CARDINALITY_OPTIONAL;
        ///Idiomatic alias for [`Self::CARDINALITY_REQUIRED`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Required: Self = Self::CARDINALITY_REQUIRED;
        ///Idiomatic alias for [`Self::CARDINALITY_REPEATED`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Repeated: Self = Self::CARDINALITY_REPEATED;
    }
    impl ::std::default::Default for Cardinality {
        fn default() -> Self {
            Self::CARDINALITY_UNKNOWN
        }
    }
    impl crate::generated::FieldEnum for Cardinality {}
    impl crate::generated::buffa::Enumeration for Cardinality {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::CARDINALITY_UNKNOWN),
                1i32 => ::std::option::Option::Some(Self::CARDINALITY_OPTIONAL),
                2i32 => ::std::option::Option::Some(Self::CARDINALITY_REQUIRED),
                3i32 => ::std::option::Option::Some(Self::CARDINALITY_REPEATED),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::CARDINALITY_UNKNOWN => "CARDINALITY_UNKNOWN",
                Self::CARDINALITY_OPTIONAL => "CARDINALITY_OPTIONAL",
                Self::CARDINALITY_REQUIRED => "CARDINALITY_REQUIRED",
                Self::CARDINALITY_REPEATED => "CARDINALITY_REPEATED",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "CARDINALITY_UNKNOWN" => {
                    ::std::option::Option::Some(Self::CARDINALITY_UNKNOWN)
                }
                "CARDINALITY_OPTIONAL" => {
                    ::std::option::Option::Some(Self::CARDINALITY_OPTIONAL)
                }
                "CARDINALITY_REQUIRED" => {
                    ::std::option::Option::Some(Self::CARDINALITY_REQUIRED)
                }
                "CARDINALITY_REPEATED" => {
                    ::std::option::Option::Some(Self::CARDINALITY_REPEATED)
                }
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[
                Self::CARDINALITY_UNKNOWN,
                Self::CARDINALITY_OPTIONAL,
                Self::CARDINALITY_REQUIRED,
                Self::CARDINALITY_REPEATED,
            ]
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Enum {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `enumvalue`
    pub enumvalue: ::std::vec::Vec<EnumValue>,
    /// Field 3: `options`
    pub options: ::std::vec::Vec<Option>,
    /// Field 4: `source_context`
    pub source_context: crate::MessageField<SourceContext>,
    /// Field 5: `syntax`
    pub syntax: crate::EnumValue<Syntax>,
    /// Field 6: `edition`
    pub edition: ::std::string::String,
}
impl ::std::fmt::Debug for Enum {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Enum")
            .field("name", &self.name)
            .field("enumvalue", &self.enumvalue)
            .field("options", &self.options)
            .field("source_context", &self.source_context)
            .field("syntax", &self.syntax)
            .field("edition", &self.edition)
            .finish()
    }
}
impl Enum {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Enum";
}
impl crate::generated::FieldMessage for Enum {}
crate::generated::buffa::impl_default_instance!(Enum);
impl crate::generated::buffa::MessageName for Enum {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Enum";
    const FULL_NAME: &'static str = "google.protobuf.Enum";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Enum";
}
impl crate::generated::buffa::Message for Enum {
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
        for v in &self.enumvalue {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.options {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.source_context.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.source_context.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        {
            let val = self.syntax.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
            }
        }
        if !self.edition.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.edition) as u64;
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
        for v in &self.enumvalue {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        for v in &self.options {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.source_context.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.source_context.write_to(__cache, buf);
        }
        {
            let val = self.syntax.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(5u32, val, buf);
            }
        }
        if !self.edition.is_empty() {
            crate::generated::buffa::types::put_string_field(6u32, &self.edition, buf);
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.enumvalue.push(elem);
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.options.push(elem);
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.source_context.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.syntax = crate::EnumValue::from(
                    crate::generated::buffa::types::decode_int32(buf)?,
                );
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.edition, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.enumvalue.clear();
        self.options.clear();
        self.source_context = crate::MessageField::none();
        self.syntax = crate::EnumValue::from(0);
        self.edition.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct EnumValue {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `number`
    pub number: i32,
    /// Field 3: `options`
    pub options: ::std::vec::Vec<Option>,
}
impl ::std::fmt::Debug for EnumValue {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("EnumValue")
            .field("name", &self.name)
            .field("number", &self.number)
            .field("options", &self.options)
            .finish()
    }
}
impl EnumValue {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.EnumValue";
}
impl crate::generated::FieldMessage for EnumValue {}
crate::generated::buffa::impl_default_instance!(EnumValue);
impl crate::generated::buffa::MessageName for EnumValue {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "EnumValue";
    const FULL_NAME: &'static str = "google.protobuf.EnumValue";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.EnumValue";
}
impl crate::generated::buffa::Message for EnumValue {
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
        if self.number != 0i32 {
            size += 1u64 + crate::generated::buffa::types::int32_encoded_len(self.number) as u64;
        }
        for v in &self.options {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
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
        if self.number != 0i32 {
            crate::generated::buffa::types::put_int32_field(2u32, self.number, buf);
        }
        for v in &self.options {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
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
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.number = crate::generated::buffa::types::decode_int32(buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.options.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.number = 0i32;
        self.options.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Option {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `value`
    pub value: crate::MessageField<Any>,
}
impl ::std::fmt::Debug for Option {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Option")
            .field("name", &self.name)
            .field("value", &self.value)
            .finish()
    }
}
impl Option {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Option";
}
impl crate::generated::FieldMessage for Option {}
crate::generated::buffa::impl_default_instance!(Option);
impl crate::generated::buffa::MessageName for Option {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Option";
    const FULL_NAME: &'static str = "google.protobuf.Option";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Option";
}
impl crate::generated::buffa::Message for Option {
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
        if self.value.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.value.compute_size(__cache);
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
        if self.value.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.value.write_to(__cache, buf);
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
                    self.value.get_or_insert_default(),
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
        self.value = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Api {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `methods`
    pub methods: ::std::vec::Vec<Method>,
    /// Field 3: `options`
    pub options: ::std::vec::Vec<Option>,
    /// Field 4: `version`
    pub version: ::std::string::String,
    /// Field 5: `source_context`
    pub source_context: crate::MessageField<SourceContext>,
    /// Field 6: `mixins`
    pub mixins: ::std::vec::Vec<Mixin>,
    /// Field 7: `syntax`
    pub syntax: crate::EnumValue<Syntax>,
}
impl ::std::fmt::Debug for Api {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Api")
            .field("name", &self.name)
            .field("methods", &self.methods)
            .field("options", &self.options)
            .field("version", &self.version)
            .field("source_context", &self.source_context)
            .field("mixins", &self.mixins)
            .field("syntax", &self.syntax)
            .finish()
    }
}
impl Api {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Api";
}
impl crate::generated::FieldMessage for Api {}
crate::generated::buffa::impl_default_instance!(Api);
impl crate::generated::buffa::MessageName for Api {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Api";
    const FULL_NAME: &'static str = "google.protobuf.Api";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Api";
}
impl crate::generated::buffa::Message for Api {
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
        for v in &self.methods {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.options {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.version.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.version) as u64;
        }
        if self.source_context.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.source_context.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.mixins {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        {
            let val = self.syntax.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
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
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        for v in &self.methods {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        for v in &self.options {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if !self.version.is_empty() {
            crate::generated::buffa::types::put_string_field(4u32, &self.version, buf);
        }
        if self.source_context.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                5u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.source_context.write_to(__cache, buf);
        }
        for v in &self.mixins {
            crate::generated::buffa::types::put_len_delimited_header(
                6u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        {
            let val = self.syntax.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(7u32, val, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
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
                self.methods.push(elem);
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.options.push(elem);
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.version, buf)?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.source_context.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
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
                self.mixins.push(elem);
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.syntax = crate::EnumValue::from(
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
        self.name.clear();
        self.methods.clear();
        self.options.clear();
        self.version.clear();
        self.source_context = crate::MessageField::none();
        self.mixins.clear();
        self.syntax = crate::EnumValue::from(0);
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Method {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `request_type_url`
    pub request_type_url: ::std::string::String,
    /// Field 3: `request_streaming`
    pub request_streaming: bool,
    /// Field 4: `response_type_url`
    pub response_type_url: ::std::string::String,
    /// Field 5: `response_streaming`
    pub response_streaming: bool,
    /// Field 6: `options`
    pub options: ::std::vec::Vec<Option>,
    /// Field 7: `syntax`
    pub syntax: crate::EnumValue<Syntax>,
}
impl ::std::fmt::Debug for Method {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Method")
            .field("name", &self.name)
            .field("request_type_url", &self.request_type_url)
            .field("request_streaming", &self.request_streaming)
            .field("response_type_url", &self.response_type_url)
            .field("response_streaming", &self.response_streaming)
            .field("options", &self.options)
            .field("syntax", &self.syntax)
            .finish()
    }
}
impl Method {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Method";
}
impl crate::generated::FieldMessage for Method {}
crate::generated::buffa::impl_default_instance!(Method);
impl crate::generated::buffa::MessageName for Method {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Method";
    const FULL_NAME: &'static str = "google.protobuf.Method";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Method";
}
impl crate::generated::buffa::Message for Method {
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
        if !self.request_type_url.is_empty() {
            size
                += 1u64
                    + crate::generated::buffa::types::string_encoded_len(&self.request_type_url) as u64;
        }
        if self.request_streaming {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        if !self.response_type_url.is_empty() {
            size
                += 1u64
                    + crate::generated::buffa::types::string_encoded_len(&self.response_type_url) as u64;
        }
        if self.response_streaming {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        for v in &self.options {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        {
            let val = self.syntax.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
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
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        if !self.request_type_url.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.request_type_url, buf);
        }
        if self.request_streaming {
            crate::generated::buffa::types::put_bool_field(3u32, self.request_streaming, buf);
        }
        if !self.response_type_url.is_empty() {
            crate::generated::buffa::types::put_string_field(4u32, &self.response_type_url, buf);
        }
        if self.response_streaming {
            crate::generated::buffa::types::put_bool_field(5u32, self.response_streaming, buf);
        }
        for v in &self.options {
            crate::generated::buffa::types::put_len_delimited_header(
                6u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        {
            let val = self.syntax.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(7u32, val, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.request_type_url, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.request_streaming = crate::generated::buffa::types::decode_bool(buf)?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.response_type_url, buf)?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.response_streaming = crate::generated::buffa::types::decode_bool(buf)?;
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
                self.options.push(elem);
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.syntax = crate::EnumValue::from(
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
        self.name.clear();
        self.request_type_url.clear();
        self.request_streaming = false;
        self.response_type_url.clear();
        self.response_streaming = false;
        self.options.clear();
        self.syntax = crate::EnumValue::from(0);
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Mixin {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `root`
    pub root: ::std::string::String,
}
impl ::std::fmt::Debug for Mixin {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Mixin")
            .field("name", &self.name)
            .field("root", &self.root)
            .finish()
    }
}
impl Mixin {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Mixin";
}
impl crate::generated::FieldMessage for Mixin {}
crate::generated::buffa::impl_default_instance!(Mixin);
impl crate::generated::buffa::MessageName for Mixin {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Mixin";
    const FULL_NAME: &'static str = "google.protobuf.Mixin";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Mixin";
}
impl crate::generated::buffa::Message for Mixin {
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
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        if !self.root.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.root) as u64;
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
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        if !self.root.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.root, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.root, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.root.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
///A span of time of at most 10 000 years, forward or back: seconds, and nanoseconds of the same sign.
#[derive(Copy, Eq, Hash, PartialOrd, Ord)]
pub struct Duration {
    /// Field 1: `seconds`
    pub seconds: i64,
    /// Field 2: `nanos`
    pub nanos: i32,
}
impl ::std::fmt::Debug for Duration {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Duration")
            .field("seconds", &self.seconds)
            .field("nanos", &self.nanos)
            .finish()
    }
}
impl Duration {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Duration";
}
impl crate::generated::FieldMessage for Duration {}
crate::generated::buffa::impl_default_instance!(Duration);
impl crate::generated::buffa::MessageName for Duration {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Duration";
    const FULL_NAME: &'static str = "google.protobuf.Duration";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Duration";
}
impl crate::generated::buffa::Message for Duration {
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
        if self.seconds != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.seconds) as u64;
        }
        if self.nanos != 0i32 {
            size += 1u64 + crate::generated::buffa::types::int32_encoded_len(self.nanos) as u64;
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
        if self.seconds != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.seconds, buf);
        }
        if self.nanos != 0i32 {
            crate::generated::buffa::types::put_int32_field(2u32, self.nanos, buf);
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
                self.seconds = crate::generated::buffa::types::decode_int64(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.nanos = crate::generated::buffa::types::decode_int32(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.seconds = 0i64;
        self.nanos = 0i32;
    }
}
#[derive(Clone, PartialEq, Default)]
///A message that says nothing.
#[derive(Copy, Eq, Hash)]
pub struct Empty {}
impl ::std::fmt::Debug for Empty {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Empty").finish()
    }
}
impl Empty {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Empty";
}
impl crate::generated::FieldMessage for Empty {}
crate::generated::buffa::impl_default_instance!(Empty);
impl crate::generated::buffa::MessageName for Empty {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Empty";
    const FULL_NAME: &'static str = "google.protobuf.Empty";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Empty";
}
impl crate::generated::buffa::Message for Empty {
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
///Which fields of a message are meant, by their paths: `user.name`.
#[derive(Eq, Hash)]
pub struct FieldMask {
    /// Field 1: `paths`
    pub paths: ::std::vec::Vec<::std::string::String>,
}
impl ::std::fmt::Debug for FieldMask {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("FieldMask").field("paths", &self.paths).finish()
    }
}
impl FieldMask {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.FieldMask";
}
impl crate::generated::FieldMessage for FieldMask {}
crate::generated::buffa::impl_default_instance!(FieldMask);
impl crate::generated::buffa::MessageName for FieldMask {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "FieldMask";
    const FULL_NAME: &'static str = "google.protobuf.FieldMask";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.FieldMask";
}
impl crate::generated::buffa::Message for FieldMask {
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
        for v in &self.paths {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(v) as u64;
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
        for v in &self.paths {
            crate::generated::buffa::types::put_string_field(1u32, v, buf);
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
                let __elem = crate::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.paths.push(__elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.paths.clear();
    }
}
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
///`null` of JSON.
#[repr(i32)]
pub enum NullValue {
    NULL_VALUE = 0i32,
}
impl NullValue {
    ///Idiomatic alias for [`Self::NULL_VALUE`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const NullValue: Self = Self::NULL_VALUE;
}
impl ::std::default::Default for NullValue {
    fn default() -> Self {
        Self::NULL_VALUE
    }
}
impl crate::generated::FieldEnum for NullValue {}
impl crate::generated::buffa::Enumeration for NullValue {
    fn from_i32(value: i32) -> ::std::option::Option<Self> {
        match value {
            0i32 => ::std::option::Option::Some(Self::NULL_VALUE),
            _ => ::std::option::Option::None,
        }
    }
    fn to_i32(&self) -> i32 {
        *self as i32
    }
    fn proto_name(&self) -> &'static str {
        match self {
            Self::NULL_VALUE => "NULL_VALUE",
        }
    }
    fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
        match name {
            "NULL_VALUE" => ::std::option::Option::Some(Self::NULL_VALUE),
            _ => ::std::option::Option::None,
        }
    }
    fn values() -> &'static [Self] {
        &[Self::NULL_VALUE]
    }
}
#[derive(Clone, PartialEq, Default)]
///An object of JSON.
pub struct Struct {
    /// Field 1: `fields`
    pub fields: crate::Map<::std::string::String, Value>,
}
impl ::std::fmt::Debug for Struct {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Struct").field("fields", &self.fields).finish()
    }
}
impl Struct {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Struct";
}
impl crate::generated::FieldMessage for Struct {}
crate::generated::buffa::impl_default_instance!(Struct);
impl crate::generated::buffa::MessageName for Struct {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Struct";
    const FULL_NAME: &'static str = "google.protobuf.Struct";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Struct";
}
impl crate::generated::buffa::Message for Struct {
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
            >(&self.fields, 1u64, __cache);
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
        >(&self.fields, 1u32, __cache, buf);
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
                >(&mut self.fields, buf, ctx)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        crate::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.fields);
    }
}
#[derive(Clone, PartialEq, Default)]
///A value of JSON.
pub struct Value {
    pub kind: ::std::option::Option<__buffa::oneof::value::Kind>,
}
impl ::std::fmt::Debug for Value {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Value").field("kind", &self.kind).finish()
    }
}
impl Value {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Value";
}
impl crate::generated::FieldMessage for Value {}
crate::generated::buffa::impl_default_instance!(Value);
impl crate::generated::buffa::MessageName for Value {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Value";
    const FULL_NAME: &'static str = "google.protobuf.Value";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Value";
}
impl crate::generated::buffa::Message for Value {
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
        if let ::std::option::Option::Some(ref v) = self.kind {
            match v {
                __buffa::oneof::value::Kind::NullValue(x) => {
                    size += 1u64 + crate::generated::buffa::types::int32_encoded_len(x.to_i32()) as u64;
                }
                __buffa::oneof::value::Kind::NumberValue(_x) => {
                    size += 1u64 + crate::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
                }
                __buffa::oneof::value::Kind::StringValue(x) => {
                    size += 1u64 + crate::generated::buffa::types::string_encoded_len(x) as u64;
                }
                __buffa::oneof::value::Kind::BoolValue(_x) => {
                    size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
                }
                __buffa::oneof::value::Kind::StructValue(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::value::Kind::ListValue(x) => {
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
        if let ::std::option::Option::Some(ref v) = self.kind {
            match v {
                __buffa::oneof::value::Kind::NullValue(x) => {
                    crate::generated::buffa::types::put_int32_field(1u32, x.to_i32(), buf);
                }
                __buffa::oneof::value::Kind::NumberValue(x) => {
                    crate::generated::buffa::types::put_double_field(2u32, *x, buf);
                }
                __buffa::oneof::value::Kind::StringValue(x) => {
                    crate::generated::buffa::types::put_string_field(3u32, x, buf);
                }
                __buffa::oneof::value::Kind::BoolValue(x) => {
                    crate::generated::buffa::types::put_bool_field(4u32, *x, buf);
                }
                __buffa::oneof::value::Kind::StructValue(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        5u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::value::Kind::ListValue(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        6u32,
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
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.kind = ::std::option::Option::Some(
                    __buffa::oneof::value::Kind::NullValue(
                        crate::EnumValue::from(crate::generated::buffa::types::decode_int32(buf)?),
                    ),
                );
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.kind = ::std::option::Option::Some(
                    __buffa::oneof::value::Kind::NumberValue(
                        crate::generated::buffa::types::decode_double(buf)?,
                    ),
                );
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                self.kind = ::std::option::Option::Some(
                    __buffa::oneof::value::Kind::StringValue(
                        crate::generated::buffa::types::decode_string(buf)?,
                    ),
                );
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.kind = ::std::option::Option::Some(
                    __buffa::oneof::value::Kind::BoolValue(
                        crate::generated::buffa::types::decode_bool(buf)?,
                    ),
                );
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::value::Kind::StructValue(ref mut existing),
                ) = self.kind
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.kind = ::std::option::Option::Some(
                        __buffa::oneof::value::Kind::StructValue(
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
                if let ::std::option::Option::Some(
                    __buffa::oneof::value::Kind::ListValue(ref mut existing),
                ) = self.kind
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.kind = ::std::option::Option::Some(
                        __buffa::oneof::value::Kind::ListValue(
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
        self.kind = ::std::option::Option::None;
    }
}
pub mod value {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::value::Kind;
}
#[derive(Clone, PartialEq, Default)]
///A list of JSON.
pub struct ListValue {
    /// Field 1: `values`
    pub values: ::std::vec::Vec<Value>,
}
impl ::std::fmt::Debug for ListValue {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ListValue").field("values", &self.values).finish()
    }
}
impl ListValue {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.ListValue";
}
impl crate::generated::FieldMessage for ListValue {}
crate::generated::buffa::impl_default_instance!(ListValue);
impl crate::generated::buffa::MessageName for ListValue {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "ListValue";
    const FULL_NAME: &'static str = "google.protobuf.ListValue";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.ListValue";
}
impl crate::generated::buffa::Message for ListValue {
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
        for v in &self.values {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
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
        for v in &self.values {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.values.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.values.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
///A point in time of the years 1 to 9999: seconds since the beginning of 1970 in UTC, negative before that, and nanoseconds that count forward from them.
#[derive(Copy, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    /// Field 1: `seconds`
    pub seconds: i64,
    /// Field 2: `nanos`
    pub nanos: i32,
}
impl ::std::fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Timestamp")
            .field("seconds", &self.seconds)
            .field("nanos", &self.nanos)
            .finish()
    }
}
impl Timestamp {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Timestamp";
}
impl crate::generated::FieldMessage for Timestamp {}
crate::generated::buffa::impl_default_instance!(Timestamp);
impl crate::generated::buffa::MessageName for Timestamp {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Timestamp";
    const FULL_NAME: &'static str = "google.protobuf.Timestamp";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Timestamp";
}
impl crate::generated::buffa::Message for Timestamp {
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
        if self.seconds != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.seconds) as u64;
        }
        if self.nanos != 0i32 {
            size += 1u64 + crate::generated::buffa::types::int32_encoded_len(self.nanos) as u64;
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
        if self.seconds != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.seconds, buf);
        }
        if self.nanos != 0i32 {
            crate::generated::buffa::types::put_int32_field(2u32, self.nanos, buf);
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
                self.seconds = crate::generated::buffa::types::decode_int64(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.nanos = crate::generated::buffa::types::decode_int32(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.seconds = 0i64;
        self.nanos = 0i32;
    }
}
#[derive(Clone, PartialEq, Default)]
///An `f64`, for fields that may be unset.
#[derive(Copy)]
pub struct DoubleValue {
    /// Field 1: `value`
    pub value: f64,
}
impl ::std::fmt::Debug for DoubleValue {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("DoubleValue").field("value", &self.value).finish()
    }
}
impl DoubleValue {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.DoubleValue";
}
impl crate::generated::FieldMessage for DoubleValue {}
crate::generated::buffa::impl_default_instance!(DoubleValue);
impl crate::generated::buffa::MessageName for DoubleValue {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "DoubleValue";
    const FULL_NAME: &'static str = "google.protobuf.DoubleValue";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.DoubleValue";
}
impl crate::generated::buffa::Message for DoubleValue {
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
        if self.value.to_bits() != 0u64 {
            size += 1u64 + crate::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
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
        if self.value.to_bits() != 0u64 {
            crate::generated::buffa::types::put_double_field(1u32, self.value, buf);
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
                    crate::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.value = crate::generated::buffa::types::decode_double(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.value = 0f64;
    }
}
#[derive(Clone, PartialEq, Default)]
///An `f32`, for fields that may be unset.
#[derive(Copy)]
pub struct FloatValue {
    /// Field 1: `value`
    pub value: f32,
}
impl ::std::fmt::Debug for FloatValue {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("FloatValue").field("value", &self.value).finish()
    }
}
impl FloatValue {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.FloatValue";
}
impl crate::generated::FieldMessage for FloatValue {}
crate::generated::buffa::impl_default_instance!(FloatValue);
impl crate::generated::buffa::MessageName for FloatValue {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "FloatValue";
    const FULL_NAME: &'static str = "google.protobuf.FloatValue";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.FloatValue";
}
impl crate::generated::buffa::Message for FloatValue {
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
        if self.value.to_bits() != 0u32 {
            size += 1u64 + crate::generated::buffa::types::FIXED32_ENCODED_LEN as u64;
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
        if self.value.to_bits() != 0u32 {
            crate::generated::buffa::types::put_float_field(1u32, self.value, buf);
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
                    crate::generated::buffa::encoding::WireType::Fixed32,
                )?;
                self.value = crate::generated::buffa::types::decode_float(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.value = 0f32;
    }
}
#[derive(Clone, PartialEq, Default)]
///An `i64`, for fields that may be unset.
#[derive(Copy, Eq, Hash)]
pub struct Int64Value {
    /// Field 1: `value`
    pub value: i64,
}
impl ::std::fmt::Debug for Int64Value {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Int64Value").field("value", &self.value).finish()
    }
}
impl Int64Value {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Int64Value";
}
impl crate::generated::FieldMessage for Int64Value {}
crate::generated::buffa::impl_default_instance!(Int64Value);
impl crate::generated::buffa::MessageName for Int64Value {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Int64Value";
    const FULL_NAME: &'static str = "google.protobuf.Int64Value";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Int64Value";
}
impl crate::generated::buffa::Message for Int64Value {
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
        if self.value != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.value) as u64;
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
        if self.value != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.value, buf);
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
                self.value = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.value = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
///A `u64`, for fields that may be unset.
#[derive(Copy, Eq, Hash)]
pub struct UInt64Value {
    /// Field 1: `value`
    pub value: u64,
}
impl ::std::fmt::Debug for UInt64Value {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("UInt64Value").field("value", &self.value).finish()
    }
}
impl UInt64Value {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.UInt64Value";
}
impl crate::generated::FieldMessage for UInt64Value {}
crate::generated::buffa::impl_default_instance!(UInt64Value);
impl crate::generated::buffa::MessageName for UInt64Value {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "UInt64Value";
    const FULL_NAME: &'static str = "google.protobuf.UInt64Value";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.UInt64Value";
}
impl crate::generated::buffa::Message for UInt64Value {
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
        if self.value != 0u64 {
            size += 1u64 + crate::generated::buffa::types::uint64_encoded_len(self.value) as u64;
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
        if self.value != 0u64 {
            crate::generated::buffa::types::put_uint64_field(1u32, self.value, buf);
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
                self.value = crate::generated::buffa::types::decode_uint64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.value = 0u64;
    }
}
#[derive(Clone, PartialEq, Default)]
///An `i32`, for fields that may be unset.
#[derive(Copy, Eq, Hash)]
pub struct Int32Value {
    /// Field 1: `value`
    pub value: i32,
}
impl ::std::fmt::Debug for Int32Value {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Int32Value").field("value", &self.value).finish()
    }
}
impl Int32Value {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Int32Value";
}
impl crate::generated::FieldMessage for Int32Value {}
crate::generated::buffa::impl_default_instance!(Int32Value);
impl crate::generated::buffa::MessageName for Int32Value {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "Int32Value";
    const FULL_NAME: &'static str = "google.protobuf.Int32Value";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.Int32Value";
}
impl crate::generated::buffa::Message for Int32Value {
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
        if self.value != 0i32 {
            size += 1u64 + crate::generated::buffa::types::int32_encoded_len(self.value) as u64;
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
        if self.value != 0i32 {
            crate::generated::buffa::types::put_int32_field(1u32, self.value, buf);
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
                self.value = crate::generated::buffa::types::decode_int32(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.value = 0i32;
    }
}
#[derive(Clone, PartialEq, Default)]
///A `u32`, for fields that may be unset.
#[derive(Copy, Eq, Hash)]
pub struct UInt32Value {
    /// Field 1: `value`
    pub value: u32,
}
impl ::std::fmt::Debug for UInt32Value {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("UInt32Value").field("value", &self.value).finish()
    }
}
impl UInt32Value {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.UInt32Value";
}
impl crate::generated::FieldMessage for UInt32Value {}
crate::generated::buffa::impl_default_instance!(UInt32Value);
impl crate::generated::buffa::MessageName for UInt32Value {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "UInt32Value";
    const FULL_NAME: &'static str = "google.protobuf.UInt32Value";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.UInt32Value";
}
impl crate::generated::buffa::Message for UInt32Value {
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
        if self.value != 0u32 {
            size += 1u64 + crate::generated::buffa::types::uint32_encoded_len(self.value) as u64;
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
        if self.value != 0u32 {
            crate::generated::buffa::types::put_uint32_field(1u32, self.value, buf);
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
                self.value = crate::generated::buffa::types::decode_uint32(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.value = 0u32;
    }
}
#[derive(Clone, PartialEq, Default)]
///A `bool`, for fields that may be unset.
#[derive(Copy, Eq, Hash)]
pub struct BoolValue {
    /// Field 1: `value`
    pub value: bool,
}
impl ::std::fmt::Debug for BoolValue {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("BoolValue").field("value", &self.value).finish()
    }
}
impl BoolValue {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.BoolValue";
}
impl crate::generated::FieldMessage for BoolValue {}
crate::generated::buffa::impl_default_instance!(BoolValue);
impl crate::generated::buffa::MessageName for BoolValue {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "BoolValue";
    const FULL_NAME: &'static str = "google.protobuf.BoolValue";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.BoolValue";
}
impl crate::generated::buffa::Message for BoolValue {
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
        if self.value {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
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
        if self.value {
            crate::generated::buffa::types::put_bool_field(1u32, self.value, buf);
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
                self.value = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.value = false;
    }
}
#[derive(Clone, PartialEq, Default)]
///A text, for fields that may be unset.
#[derive(Eq, Hash)]
pub struct StringValue {
    /// Field 1: `value`
    pub value: ::std::string::String,
}
impl ::std::fmt::Debug for StringValue {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("StringValue").field("value", &self.value).finish()
    }
}
impl StringValue {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.StringValue";
}
impl crate::generated::FieldMessage for StringValue {}
crate::generated::buffa::impl_default_instance!(StringValue);
impl crate::generated::buffa::MessageName for StringValue {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "StringValue";
    const FULL_NAME: &'static str = "google.protobuf.StringValue";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.StringValue";
}
impl crate::generated::buffa::Message for StringValue {
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
        if !self.value.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.value) as u64;
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
        if !self.value.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.value, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.value, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.value.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
///Bytes, for fields that may be unset.
#[derive(Eq, Hash)]
pub struct BytesValue {
    /// Field 1: `value`
    pub value: ::std::vec::Vec<u8>,
}
impl ::std::fmt::Debug for BytesValue {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("BytesValue").field("value", &self.value).finish()
    }
}
impl BytesValue {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.BytesValue";
}
impl crate::generated::FieldMessage for BytesValue {}
crate::generated::buffa::impl_default_instance!(BytesValue);
impl crate::generated::buffa::MessageName for BytesValue {
    const PACKAGE: &'static str = "google.protobuf";
    const NAME: &'static str = "BytesValue";
    const FULL_NAME: &'static str = "google.protobuf.BytesValue";
    const TYPE_URL: &'static str = "type.googleapis.com/google.protobuf.BytesValue";
}
impl crate::generated::buffa::Message for BytesValue {
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
        if !self.value.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.value) as u64;
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
        if !self.value.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(1u32, &self.value, buf);
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
                crate::generated::buffa::types::merge_bytes(&mut self.value, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.value.clear();
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
    #[cfg(feature = "views")]
    pub mod view {
        #[allow(unused_imports)]
        use super::*;
        #[derive(Clone, Debug, Default)]
        pub struct AnyView<'a> {
            /// Field 1: `type_url`
            pub type_url: &'a str,
            /// Field 2: `value`
            pub value: &'a [u8],
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for AnyView<'a> {
            type Owned = super::super::Any;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        view.type_url = crate::generated::buffa::types::borrow_str(&mut cur)?;
                    }
                    2u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        view.value = crate::generated::buffa::types::borrow_bytes(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::Any, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::Any, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::Any {
                    type_url: self.type_url.to_string(),
                    value: crate::generated::buffa::view::bytes_from_source(__buffa_src, self.value),
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(AnyView);
        crate::generated::buffa::impl_view_reborrow!(AnyView);
        #[derive(Clone, Debug, Default)]
        pub struct DurationView<'a> {
            /// Field 1: `seconds`
            pub seconds: i64,
            /// Field 2: `nanos`
            pub nanos: i32,
            #[doc(hidden)]
            pub __buffa_phantom: ::std::marker::PhantomData<&'a ()>,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for DurationView<'a> {
            type Owned = super::super::Duration;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Varint,
                        )?;
                        view.seconds = crate::generated::buffa::types::decode_int64(&mut cur)?;
                    }
                    2u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Varint,
                        )?;
                        view.nanos = crate::generated::buffa::types::decode_int32(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::Duration, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::Duration, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::Duration {
                    seconds: self.seconds,
                    nanos: self.nanos,
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(DurationView);
        crate::generated::buffa::impl_view_reborrow!(DurationView);
        #[derive(Clone, Debug, Default)]
        pub struct EmptyView<'a> {
            #[doc(hidden)]
            pub __buffa_phantom: ::std::marker::PhantomData<&'a ()>,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for EmptyView<'a> {
            type Owned = super::super::Empty;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::Empty, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::Empty, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::Empty {
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(EmptyView);
        crate::generated::buffa::impl_view_reborrow!(EmptyView);
        #[derive(Clone, Debug, Default)]
        pub struct FieldMaskView<'a> {
            /// Field 1: `paths`
            pub paths: crate::generated::buffa::RepeatedView<'a, &'a str>,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for FieldMaskView<'a> {
            type Owned = super::super::FieldMask;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        let __elem = crate::generated::buffa::types::borrow_str(&mut cur)?;
                        ctx.register_element_memory(
                            crate::generated::buffa::__private::element_footprint(&__elem),
                        )?;
                        view.paths.push(__elem);
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::FieldMask, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::FieldMask, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::FieldMask {
                    paths: self.paths.iter().map(|s| s.to_string()).collect(),
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(FieldMaskView);
        crate::generated::buffa::impl_view_reborrow!(FieldMaskView);
        #[derive(Clone, Debug, Default)]
        pub struct StructView<'a> {
            /// Field 1: `fields` (map)
            pub fields: crate::generated::buffa::MapView<
                'a,
                &'a str,
                super::super::__buffa::view::ValueView<'a>,
            >,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for StructView<'a> {
            type Owned = super::super::Struct;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        let entry_bytes = crate::generated::buffa::types::borrow_bytes(&mut cur)?;
                        let mut entry_cur: &'a [u8] = entry_bytes;
                        let mut key = "";
                        let mut val = ::std::default::Default::default();
                        ctx.register_element_memory(
                            crate::generated::buffa::__private::element_footprint(&key)
                                + crate::generated::buffa::__private::element_footprint(&val),
                        )?;
                        while !entry_cur.is_empty() {
                            let entry_tag = crate::generated::buffa::encoding::Tag::decode(
                                &mut entry_cur,
                            )?;
                            match entry_tag.field_number() {
                                1 => {
                                    crate::generated::buffa::encoding::check_wire_type(
                                        entry_tag,
                                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                                    )?;
                                    key = crate::generated::buffa::types::borrow_str(&mut entry_cur)?;
                                }
                                2 => {
                                    crate::generated::buffa::encoding::check_wire_type(
                                        entry_tag,
                                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                                    )?;
                                    let __sub_ctx = ctx.descend()?;
                                    let sub = crate::generated::buffa::types::borrow_bytes(&mut entry_cur)?;
                                    <super::super::__buffa::view::ValueView as crate::generated::buffa::MessageView>::merge_into_view(
                                        &mut val,
                                        sub,
                                        __sub_ctx,
                                    )?;
                                }
                                _ => {
                                    crate::generated::buffa::encoding::skip_field_depth(
                                        entry_tag,
                                        &mut entry_cur,
                                        ctx.depth(),
                                    )?;
                                }
                            }
                        }
                        view.fields.push(key, val);
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::Struct, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::Struct, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::Struct {
                    fields: self
                        .fields
                        .iter()
                        .map(|(k, v)| {
                            ::std::result::Result::<
                                _,
                                crate::generated::buffa::DecodeError,
                            >::Ok((k.to_string(), v.to_owned_from_source(__buffa_src)?))
                        })
                        .collect::<::std::result::Result<_, crate::generated::buffa::DecodeError>>()?,
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(StructView);
        crate::generated::buffa::impl_view_reborrow!(StructView);
        #[derive(Clone, Debug, Default)]
        pub struct ValueView<'a> {
            pub kind: ::std::option::Option<
                super::super::__buffa::view::oneof::value::Kind<'a>,
            >,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for ValueView<'a> {
            type Owned = super::super::Value;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Varint,
                        )?;
                        view.kind = Some(
                            super::super::__buffa::view::oneof::value::Kind::NullValue(
                                crate::EnumValue::from(
                                    crate::generated::buffa::types::decode_int32(&mut cur)?,
                                ),
                            ),
                        );
                    }
                    2u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Fixed64,
                        )?;
                        view.kind = Some(
                            super::super::__buffa::view::oneof::value::Kind::NumberValue(
                                crate::generated::buffa::types::decode_double(&mut cur)?,
                            ),
                        );
                    }
                    3u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        view.kind = Some(
                            super::super::__buffa::view::oneof::value::Kind::StringValue(
                                crate::generated::buffa::types::borrow_str(&mut cur)?,
                            ),
                        );
                    }
                    4u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Varint,
                        )?;
                        view.kind = Some(
                            super::super::__buffa::view::oneof::value::Kind::BoolValue(
                                crate::generated::buffa::types::decode_bool(&mut cur)?,
                            ),
                        );
                    }
                    5u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        let __sub_ctx = ctx.descend()?;
                        let sub = crate::generated::buffa::types::borrow_bytes(&mut cur)?;
                        if let Some(
                            super::super::__buffa::view::oneof::value::Kind::StructValue(
                                ref mut existing,
                            ),
                        ) = view.kind
                        {
                            crate::generated::buffa::MessageView::merge_into_view(
                                &mut **existing,
                                sub,
                                __sub_ctx,
                            )?;
                        } else {
                            view.kind = Some(
                                super::super::__buffa::view::oneof::value::Kind::StructValue(
                                    ::std::boxed::Box::new(
                                        <super::super::__buffa::view::StructView as crate::generated::buffa::MessageView>::decode_view_ctx(
                                            sub,
                                            __sub_ctx,
                                        )?,
                                    ),
                                ),
                            );
                        }
                    }
                    6u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        let __sub_ctx = ctx.descend()?;
                        let sub = crate::generated::buffa::types::borrow_bytes(&mut cur)?;
                        if let Some(
                            super::super::__buffa::view::oneof::value::Kind::ListValue(
                                ref mut existing,
                            ),
                        ) = view.kind
                        {
                            crate::generated::buffa::MessageView::merge_into_view(
                                &mut **existing,
                                sub,
                                __sub_ctx,
                            )?;
                        } else {
                            view.kind = Some(
                                super::super::__buffa::view::oneof::value::Kind::ListValue(
                                    ::std::boxed::Box::new(
                                        <super::super::__buffa::view::ListValueView as crate::generated::buffa::MessageView>::decode_view_ctx(
                                            sub,
                                            __sub_ctx,
                                        )?,
                                    ),
                                ),
                            );
                        }
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::Value, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::Value, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::Value {
                    kind: match self.kind.as_ref() {
                        ::std::option::Option::Some(v) => {
                            ::std::option::Option::Some(
                                match v {
                                    super::super::__buffa::view::oneof::value::Kind::NullValue(
                                        v,
                                    ) => {
                                        super::super::__buffa::oneof::value::Kind::NullValue(*v)
                                    }
                                    super::super::__buffa::view::oneof::value::Kind::NumberValue(
                                        v,
                                    ) => {
                                        super::super::__buffa::oneof::value::Kind::NumberValue(*v)
                                    }
                                    super::super::__buffa::view::oneof::value::Kind::StringValue(
                                        v,
                                    ) => {
                                        super::super::__buffa::oneof::value::Kind::StringValue(
                                            v.to_string(),
                                        )
                                    }
                                    super::super::__buffa::view::oneof::value::Kind::BoolValue(
                                        v,
                                    ) => {
                                        super::super::__buffa::oneof::value::Kind::BoolValue(*v)
                                    }
                                    super::super::__buffa::view::oneof::value::Kind::StructValue(
                                        v,
                                    ) => {
                                        super::super::__buffa::oneof::value::Kind::StructValue(
                                            ::std::boxed::Box::new(
                                                v.to_owned_from_source(__buffa_src)?,
                                            ),
                                        )
                                    }
                                    super::super::__buffa::view::oneof::value::Kind::ListValue(
                                        v,
                                    ) => {
                                        super::super::__buffa::oneof::value::Kind::ListValue(
                                            ::std::boxed::Box::new(
                                                v.to_owned_from_source(__buffa_src)?,
                                            ),
                                        )
                                    }
                                },
                            )
                        }
                        ::std::option::Option::None => ::std::option::Option::None,
                    },
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(ValueView);
        crate::generated::buffa::impl_view_reborrow!(ValueView);
        #[derive(Clone, Debug, Default)]
        pub struct ListValueView<'a> {
            /// Field 1: `values`
            pub values: crate::generated::buffa::RepeatedView<
                'a,
                super::super::__buffa::view::ValueView<'a>,
            >,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for ListValueView<'a> {
            type Owned = super::super::ListValue;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        let __sub_ctx = ctx.descend()?;
                        let sub = crate::generated::buffa::types::borrow_bytes(&mut cur)?;
                        ctx.register_element_memory(
                            ::std::mem::size_of::<
                                super::super::__buffa::view::ValueView,
                            >(),
                        )?;
                        view.values
                            .push(
                                <super::super::__buffa::view::ValueView as crate::generated::buffa::MessageView>::decode_view_ctx(
                                    sub,
                                    __sub_ctx,
                                )?,
                            );
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::ListValue, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::ListValue, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::ListValue {
                    values: self
                        .values
                        .iter()
                        .map(|v| v.to_owned_from_source(__buffa_src))
                        .collect::<::std::result::Result<_, crate::generated::buffa::DecodeError>>()?,
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(ListValueView);
        crate::generated::buffa::impl_view_reborrow!(ListValueView);
        #[derive(Clone, Debug, Default)]
        pub struct TimestampView<'a> {
            /// Field 1: `seconds`
            pub seconds: i64,
            /// Field 2: `nanos`
            pub nanos: i32,
            #[doc(hidden)]
            pub __buffa_phantom: ::std::marker::PhantomData<&'a ()>,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for TimestampView<'a> {
            type Owned = super::super::Timestamp;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Varint,
                        )?;
                        view.seconds = crate::generated::buffa::types::decode_int64(&mut cur)?;
                    }
                    2u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Varint,
                        )?;
                        view.nanos = crate::generated::buffa::types::decode_int32(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::Timestamp, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::Timestamp, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::Timestamp {
                    seconds: self.seconds,
                    nanos: self.nanos,
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(TimestampView);
        crate::generated::buffa::impl_view_reborrow!(TimestampView);
        #[derive(Clone, Debug, Default)]
        pub struct DoubleValueView<'a> {
            /// Field 1: `value`
            pub value: f64,
            #[doc(hidden)]
            pub __buffa_phantom: ::std::marker::PhantomData<&'a ()>,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for DoubleValueView<'a> {
            type Owned = super::super::DoubleValue;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Fixed64,
                        )?;
                        view.value = crate::generated::buffa::types::decode_double(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<
                super::super::DoubleValue,
                crate::generated::buffa::DecodeError,
            > {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<
                super::super::DoubleValue,
                crate::generated::buffa::DecodeError,
            > {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::DoubleValue {
                    value: self.value,
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(DoubleValueView);
        crate::generated::buffa::impl_view_reborrow!(DoubleValueView);
        #[derive(Clone, Debug, Default)]
        pub struct FloatValueView<'a> {
            /// Field 1: `value`
            pub value: f32,
            #[doc(hidden)]
            pub __buffa_phantom: ::std::marker::PhantomData<&'a ()>,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for FloatValueView<'a> {
            type Owned = super::super::FloatValue;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Fixed32,
                        )?;
                        view.value = crate::generated::buffa::types::decode_float(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::FloatValue, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::FloatValue, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::FloatValue {
                    value: self.value,
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(FloatValueView);
        crate::generated::buffa::impl_view_reborrow!(FloatValueView);
        #[derive(Clone, Debug, Default)]
        pub struct Int64ValueView<'a> {
            /// Field 1: `value`
            pub value: i64,
            #[doc(hidden)]
            pub __buffa_phantom: ::std::marker::PhantomData<&'a ()>,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for Int64ValueView<'a> {
            type Owned = super::super::Int64Value;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Varint,
                        )?;
                        view.value = crate::generated::buffa::types::decode_int64(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::Int64Value, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::Int64Value, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::Int64Value {
                    value: self.value,
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(Int64ValueView);
        crate::generated::buffa::impl_view_reborrow!(Int64ValueView);
        #[derive(Clone, Debug, Default)]
        pub struct UInt64ValueView<'a> {
            /// Field 1: `value`
            pub value: u64,
            #[doc(hidden)]
            pub __buffa_phantom: ::std::marker::PhantomData<&'a ()>,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for UInt64ValueView<'a> {
            type Owned = super::super::UInt64Value;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Varint,
                        )?;
                        view.value = crate::generated::buffa::types::decode_uint64(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<
                super::super::UInt64Value,
                crate::generated::buffa::DecodeError,
            > {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<
                super::super::UInt64Value,
                crate::generated::buffa::DecodeError,
            > {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::UInt64Value {
                    value: self.value,
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(UInt64ValueView);
        crate::generated::buffa::impl_view_reborrow!(UInt64ValueView);
        #[derive(Clone, Debug, Default)]
        pub struct Int32ValueView<'a> {
            /// Field 1: `value`
            pub value: i32,
            #[doc(hidden)]
            pub __buffa_phantom: ::std::marker::PhantomData<&'a ()>,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for Int32ValueView<'a> {
            type Owned = super::super::Int32Value;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Varint,
                        )?;
                        view.value = crate::generated::buffa::types::decode_int32(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::Int32Value, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::Int32Value, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::Int32Value {
                    value: self.value,
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(Int32ValueView);
        crate::generated::buffa::impl_view_reborrow!(Int32ValueView);
        #[derive(Clone, Debug, Default)]
        pub struct UInt32ValueView<'a> {
            /// Field 1: `value`
            pub value: u32,
            #[doc(hidden)]
            pub __buffa_phantom: ::std::marker::PhantomData<&'a ()>,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for UInt32ValueView<'a> {
            type Owned = super::super::UInt32Value;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Varint,
                        )?;
                        view.value = crate::generated::buffa::types::decode_uint32(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<
                super::super::UInt32Value,
                crate::generated::buffa::DecodeError,
            > {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<
                super::super::UInt32Value,
                crate::generated::buffa::DecodeError,
            > {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::UInt32Value {
                    value: self.value,
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(UInt32ValueView);
        crate::generated::buffa::impl_view_reborrow!(UInt32ValueView);
        #[derive(Clone, Debug, Default)]
        pub struct BoolValueView<'a> {
            /// Field 1: `value`
            pub value: bool,
            #[doc(hidden)]
            pub __buffa_phantom: ::std::marker::PhantomData<&'a ()>,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for BoolValueView<'a> {
            type Owned = super::super::BoolValue;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::Varint,
                        )?;
                        view.value = crate::generated::buffa::types::decode_bool(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::BoolValue, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::BoolValue, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::BoolValue {
                    value: self.value,
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(BoolValueView);
        crate::generated::buffa::impl_view_reborrow!(BoolValueView);
        #[derive(Clone, Debug, Default)]
        pub struct StringValueView<'a> {
            /// Field 1: `value`
            pub value: &'a str,
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for StringValueView<'a> {
            type Owned = super::super::StringValue;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        view.value = crate::generated::buffa::types::borrow_str(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<
                super::super::StringValue,
                crate::generated::buffa::DecodeError,
            > {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<
                super::super::StringValue,
                crate::generated::buffa::DecodeError,
            > {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::StringValue {
                    value: self.value.to_string(),
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(StringValueView);
        crate::generated::buffa::impl_view_reborrow!(StringValueView);
        #[derive(Clone, Debug, Default)]
        pub struct BytesValueView<'a> {
            /// Field 1: `value`
            pub value: &'a [u8],
        }
        impl<'a> crate::generated::buffa::MessageView<'a> for BytesValueView<'a> {
            type Owned = super::super::BytesValue;
            fn decode_view(
                buf: &'a [u8],
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                let __limit = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_UNKNOWN_FIELD_LIMIT,
                );
                let __elem = ::std::cell::Cell::new(
                    crate::generated::buffa::DEFAULT_ELEMENT_MEMORY_LIMIT,
                );
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(
                    buf,
                    crate::generated::buffa::DecodeContext::new(crate::generated::buffa::RECURSION_LIMIT, &__limit)
                        .with_element_memory(&__elem),
                )
            }
            fn decode_view_with_ctx(
                buf: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<Self, crate::generated::buffa::DecodeError> {
                <Self as crate::generated::buffa::MessageView>::decode_view_ctx(buf, ctx)
            }
            #[inline]
            fn merge_view_field(
                &mut self,
                tag: crate::generated::buffa::encoding::Tag,
                cur: &'a [u8],
                _before_tag: &'a [u8],
                ctx: crate::generated::buffa::DecodeContext<'_>,
            ) -> ::std::result::Result<&'a [u8], crate::generated::buffa::DecodeError> {
                let _ = ctx;
                #[allow(unused_variables)]
                let view = self;
                let mut cur = cur;
                match tag.field_number() {
                    1u32 => {
                        crate::generated::buffa::encoding::check_wire_type(
                            tag,
                            crate::generated::buffa::encoding::WireType::LengthDelimited,
                        )?;
                        view.value = crate::generated::buffa::types::borrow_bytes(&mut cur)?;
                    }
                    _ => {
                        crate::generated::buffa::encoding::skip_field_depth(tag, &mut cur, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(cur)
            }
            fn to_owned_message(
                &self,
            ) -> ::std::result::Result<super::super::BytesValue, crate::generated::buffa::DecodeError> {
                self.to_owned_from_source(None)
            }
            #[allow(clippy::useless_conversion, clippy::needless_update)]
            fn to_owned_from_source(
                &self,
                __buffa_src: ::std::option::Option<&crate::generated::Bytes>,
            ) -> ::std::result::Result<super::super::BytesValue, crate::generated::buffa::DecodeError> {
                #[allow(unused_imports)]
                use ::std::string::ToString as _;
                let _ = __buffa_src;
                ::std::result::Result::Ok(super::super::BytesValue {
                    value: (self.value).to_vec(),
                    ..::std::default::Default::default()
                })
            }
        }
        crate::generated::buffa::impl_default_view_instance!(BytesValueView);
        crate::generated::buffa::impl_view_reborrow!(BytesValueView);
        pub mod oneof {
            #[allow(unused_imports)]
            use super::*;
            pub mod value {
                #[allow(unused_imports)]
                use super::*;
                #[derive(Clone, Debug)]
                pub enum Kind<'a> {
                    NullValue(crate::EnumValue<super::super::super::super::NullValue>),
                    NumberValue(f64),
                    StringValue(&'a str),
                    BoolValue(bool),
                    StructValue(
                        ::std::boxed::Box<
                            super::super::super::super::__buffa::view::StructView<'a>,
                        >,
                    ),
                    ListValue(
                        ::std::boxed::Box<
                            super::super::super::super::__buffa::view::ListValueView<'a>,
                        >,
                    ),
                }
            }
        }
    }
    pub mod oneof {
        #[allow(unused_imports)]
        use super::*;
        pub mod value {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            ///A value of JSON.
            pub enum Kind {
                NullValue(crate::EnumValue<super::super::super::NullValue>),
                NumberValue(f64),
                StringValue(::std::string::String),
                BoolValue(bool),
                StructValue(::std::boxed::Box<super::super::super::Struct>),
                ListValue(::std::boxed::Box<super::super::super::ListValue>),
            }
            impl crate::generated::buffa::Oneof for Kind {}
            impl From<super::super::super::Struct> for Kind {
                fn from(v: super::super::super::Struct) -> Self {
                    Self::StructValue(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::Struct> for ::std::option::Option<Kind> {
                fn from(v: super::super::super::Struct) -> Self {
                    Self::Some(Kind::from(v))
                }
            }
            impl From<super::super::super::ListValue> for Kind {
                fn from(v: super::super::super::ListValue) -> Self {
                    Self::ListValue(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::ListValue> for ::std::option::Option<Kind> {
                fn from(v: super::super::super::ListValue) -> Self {
                    Self::Some(Kind::from(v))
                }
            }
        }
    }
}
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::AnyView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::DurationView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::EmptyView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::FieldMaskView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::StructView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::ValueView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::ListValueView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::TimestampView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::DoubleValueView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::FloatValueView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::Int64ValueView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::UInt64ValueView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::Int32ValueView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::UInt32ValueView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::BoolValueView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::StringValueView;
#[doc(inline)]
#[cfg(feature = "views")]
pub use self::__buffa::view::BytesValueView;

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("google.protobuf.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(Any, "google.protobuf.Any", POOL, buffers { one type_url; one value; }, shared);
#[cfg(feature = "views")]
crate::generated::viewed!(Any, __buffa::view::AnyView);
crate::generated::message!(SourceContext, "google.protobuf.SourceContext", POOL, buffers { one file_name; });
crate::generated::message!(Type, "google.protobuf.Type", POOL, buffers { one name; each fields; each oneofs; each options; one source_context; one edition; }, shared);
crate::generated::message!(Field, "google.protobuf.Field", POOL, buffers { one name; one type_url; each options; one json_name; one default_value; }, shared);
crate::generated::message!(Enum, "google.protobuf.Enum", POOL, buffers { one name; each enumvalue; each options; one source_context; one edition; }, shared);
crate::generated::message!(EnumValue, "google.protobuf.EnumValue", POOL, buffers { one name; each options; }, shared);
crate::generated::message!(Option, "google.protobuf.Option", POOL, buffers { one name; one value; }, shared);
crate::generated::message!(Api, "google.protobuf.Api", POOL, buffers { one name; each methods; each options; one version; one source_context; each mixins; }, shared);
crate::generated::message!(Method, "google.protobuf.Method", POOL, buffers { one name; one request_type_url; one response_type_url; each options; }, shared);
crate::generated::message!(Mixin, "google.protobuf.Mixin", POOL, buffers { one name; one root; });
crate::generated::message!(Duration, "google.protobuf.Duration", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(Duration, __buffa::view::DurationView);
crate::generated::message!(Empty, "google.protobuf.Empty", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(Empty, __buffa::view::EmptyView);
crate::generated::message!(FieldMask, "google.protobuf.FieldMask", POOL, buffers { each paths; });
#[cfg(feature = "views")]
crate::generated::viewed!(FieldMask, __buffa::view::FieldMaskView);
crate::generated::message!(Struct, "google.protobuf.Struct", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(Struct, __buffa::view::StructView);
crate::generated::message!(Value, "google.protobuf.Value", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(Value, __buffa::view::ValueView);
crate::generated::message!(ListValue, "google.protobuf.ListValue", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(ListValue, __buffa::view::ListValueView);
crate::generated::message!(Timestamp, "google.protobuf.Timestamp", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(Timestamp, __buffa::view::TimestampView);
crate::generated::message!(DoubleValue, "google.protobuf.DoubleValue", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(DoubleValue, __buffa::view::DoubleValueView);
crate::generated::message!(FloatValue, "google.protobuf.FloatValue", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(FloatValue, __buffa::view::FloatValueView);
crate::generated::message!(Int64Value, "google.protobuf.Int64Value", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(Int64Value, __buffa::view::Int64ValueView);
crate::generated::message!(UInt64Value, "google.protobuf.UInt64Value", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(UInt64Value, __buffa::view::UInt64ValueView);
crate::generated::message!(Int32Value, "google.protobuf.Int32Value", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(Int32Value, __buffa::view::Int32ValueView);
crate::generated::message!(UInt32Value, "google.protobuf.UInt32Value", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(UInt32Value, __buffa::view::UInt32ValueView);
crate::generated::message!(BoolValue, "google.protobuf.BoolValue", POOL);
#[cfg(feature = "views")]
crate::generated::viewed!(BoolValue, __buffa::view::BoolValueView);
crate::generated::message!(StringValue, "google.protobuf.StringValue", POOL, buffers { one value; });
#[cfg(feature = "views")]
crate::generated::viewed!(StringValue, __buffa::view::StringValueView);
crate::generated::message!(BytesValue, "google.protobuf.BytesValue", POOL, buffers { one value; });
#[cfg(feature = "views")]
crate::generated::viewed!(BytesValue, __buffa::view::BytesValueView);
