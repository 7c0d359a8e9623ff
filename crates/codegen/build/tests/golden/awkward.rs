// Made by polywire-build from awkward.proto; changes are lost.

#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(i32)]
pub enum Sync {
    ZERO = 0i32,
}
impl Sync {
    ///Idiomatic alias for [`Self::ZERO`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const Zero: Self = Self::ZERO;
}
impl ::std::default::Default for Sync {
    fn default() -> Self {
        Self::ZERO
    }
}
impl ::polywire::generated::FieldEnum for Sync {}
impl ::polywire::generated::buffa::Enumeration for Sync {
    fn from_i32(value: i32) -> ::std::option::Option<Self> {
        match value {
            0i32 => ::std::option::Option::Some(Self::ZERO),
            _ => ::std::option::Option::None,
        }
    }
    fn to_i32(&self) -> i32 {
        *self as i32
    }
    fn proto_name(&self) -> &'static str {
        match self {
            Self::ZERO => "ZERO",
        }
    }
    fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
        match name {
            "ZERO" => ::std::option::Option::Some(Self::ZERO),
            _ => ::std::option::Option::None,
        }
    }
    fn values() -> &'static [Self] {
        &[Self::ZERO]
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Result {
    /// Field 1: `send`
    pub send: ::polywire::MessageField<Send>,
}
impl ::std::fmt::Debug for Result {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Result").field("send", &self.send).finish()
    }
}
impl Result {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/awkward.Result";
}
impl ::polywire::generated::FieldMessage for Result {}
::polywire::generated::buffa::impl_default_instance!(Result);
impl ::polywire::generated::buffa::MessageName for Result {
    const PACKAGE: &'static str = "awkward";
    const NAME: &'static str = "Result";
    const FULL_NAME: &'static str = "awkward.Result";
    const TYPE_URL: &'static str = "type.googleapis.com/awkward.Result";
}
impl ::polywire::generated::buffa::Message for Result {
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
        if self.send.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.send.compute_size(__cache);
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
        if self.send.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.send.write_to(__cache, buf);
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
                    self.send.get_or_insert_default(),
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
        self.send = ::polywire::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Send {
    /// Field 1: `vec`
    pub vec: ::polywire::MessageField<Vec>,
}
impl ::std::fmt::Debug for Send {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Send").field("vec", &self.vec).finish()
    }
}
impl Send {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/awkward.Send";
}
impl ::polywire::generated::FieldMessage for Send {}
::polywire::generated::buffa::impl_default_instance!(Send);
impl ::polywire::generated::buffa::MessageName for Send {
    const PACKAGE: &'static str = "awkward";
    const NAME: &'static str = "Send";
    const FULL_NAME: &'static str = "awkward.Send";
    const TYPE_URL: &'static str = "type.googleapis.com/awkward.Send";
}
impl ::polywire::generated::buffa::Message for Send {
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
        if self.vec.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.vec.compute_size(__cache);
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
        if self.vec.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.vec.write_to(__cache, buf);
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
                    self.vec.get_or_insert_default(),
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
        self.vec = ::polywire::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Vec {
    /// Field 1: `option`
    pub option: ::std::vec::Vec<Option>,
}
impl ::std::fmt::Debug for Vec {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Vec").field("option", &self.option).finish()
    }
}
impl Vec {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/awkward.Vec";
}
impl ::polywire::generated::FieldMessage for Vec {}
::polywire::generated::buffa::impl_default_instance!(Vec);
impl ::polywire::generated::buffa::MessageName for Vec {
    const PACKAGE: &'static str = "awkward";
    const NAME: &'static str = "Vec";
    const FULL_NAME: &'static str = "awkward.Vec";
    const TYPE_URL: &'static str = "type.googleapis.com/awkward.Vec";
}
impl ::polywire::generated::buffa::Message for Vec {
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
        for v in &self.option {
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
        for v in &self.option {
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
                self.option.push(elem);
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.option.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Option {
    pub string: ::std::option::Option<__buffa::oneof::option::String>,
}
impl ::std::fmt::Debug for Option {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Option").field("string", &self.string).finish()
    }
}
impl Option {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/awkward.Option";
}
impl ::polywire::generated::FieldMessage for Option {}
::polywire::generated::buffa::impl_default_instance!(Option);
impl ::polywire::generated::buffa::MessageName for Option {
    const PACKAGE: &'static str = "awkward";
    const NAME: &'static str = "Option";
    const FULL_NAME: &'static str = "awkward.Option";
    const TYPE_URL: &'static str = "type.googleapis.com/awkward.Option";
}
impl ::polywire::generated::buffa::Message for Option {
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
        if let ::std::option::Option::Some(ref v) = self.string {
            match v {
                __buffa::oneof::option::String::Text(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::option::String::Sized(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
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
        if let ::std::option::Option::Some(ref v) = self.string {
            match v {
                __buffa::oneof::option::String::Text(x) => {
                    ::polywire::generated::buffa::types::put_len_delimited_header(
                        1u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::option::String::Sized(x) => {
                    ::polywire::generated::buffa::types::put_len_delimited_header(
                        2u32,
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
                if let ::std::option::Option::Some(
                    __buffa::oneof::option::String::Text(ref mut existing),
                ) = self.string
                {
                    ::polywire::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    ::polywire::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.string = ::std::option::Option::Some(
                        __buffa::oneof::option::String::Text(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::option::String::Sized(ref mut existing),
                ) = self.string
                {
                    ::polywire::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    ::polywire::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.string = ::std::option::Option::Some(
                        __buffa::oneof::option::String::Sized(
                            ::std::boxed::Box::new(val),
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
        self.string = ::std::option::Option::None;
    }
}
pub mod option {
    #[allow(unused_imports)]
    use super::*;
    #[doc(inline)]
    pub use super::__buffa::oneof::option::String;
}
#[derive(Clone, PartialEq, Default)]
pub struct String {
    /// Field 1: `self`
    pub self_: ::std::option::Option<::std::vec::Vec<u8>>,
}
impl ::std::fmt::Debug for String {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("String").field("self_", &self.self_).finish()
    }
}
impl String {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/awkward.String";
}
impl String {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::self_`] to `Some(value)`, consuming and returning `self`.
    pub fn with_self(mut self, value: impl Into<::std::vec::Vec<u8>>) -> Self {
        self.self_ = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for String {}
::polywire::generated::buffa::impl_default_instance!(String);
impl ::polywire::generated::buffa::MessageName for String {
    const PACKAGE: &'static str = "awkward";
    const NAME: &'static str = "String";
    const FULL_NAME: &'static str = "awkward.String";
    const TYPE_URL: &'static str = "type.googleapis.com/awkward.String";
}
impl ::polywire::generated::buffa::Message for String {
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
        if let Some(ref v) = self.self_ {
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
        if let Some(ref v) = self.self_ {
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
                    self.self_.get_or_insert_with(::std::vec::Vec::new),
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
        self.self_ = ::std::option::Option::None;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Sized {
    /// Field 1: `super`
    pub super_: ::std::option::Option<i32>,
    /// Field 2: `box`
    pub r#box: ::std::vec::Vec<sized::Box>,
}
impl ::std::fmt::Debug for Sized {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Sized")
            .field("super_", &self.super_)
            .field("box", &self.r#box)
            .finish()
    }
}
impl Sized {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/awkward.Sized";
}
impl Sized {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::super_`] to `Some(value)`, consuming and returning `self`.
    pub fn with_super(mut self, value: i32) -> Self {
        self.super_ = Some(value);
        self
    }
}
impl ::polywire::generated::FieldMessage for Sized {}
::polywire::generated::buffa::impl_default_instance!(Sized);
impl ::polywire::generated::buffa::MessageName for Sized {
    const PACKAGE: &'static str = "awkward";
    const NAME: &'static str = "Sized";
    const FULL_NAME: &'static str = "awkward.Sized";
    const TYPE_URL: &'static str = "type.googleapis.com/awkward.Sized";
}
impl ::polywire::generated::buffa::Message for Sized {
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
        if let Some(v) = self.super_ {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v) as u64;
        }
        for v in &self.r#box {
            let inner_size = v.compute_size(__cache);
            size += 1u64 + inner_size as u64 + 1u64;
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
        if let Some(v) = self.super_ {
            ::polywire::generated::buffa::types::put_int32_field(1u32, v, buf);
        }
        for v in &self.r#box {
            ::polywire::generated::buffa::types::put_group_start(2u32, buf);
            v.write_to(__cache, buf);
            ::polywire::generated::buffa::types::put_group_end(2u32, buf);
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
                self.super_ = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int32(buf)?,
                );
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::StartGroup,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&elem),
                )?;
                ::polywire::generated::buffa::Message::merge_group(&mut elem, buf, ctx, 2u32)?;
                self.r#box.push(elem);
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.super_ = ::std::option::Option::None;
        self.r#box.clear();
    }
}
pub mod sized {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct Box {
        /// Field 1: `fn`
        pub r#fn: ::std::option::Option<i32>,
    }
    impl ::std::fmt::Debug for Box {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Box").field("fn", &self.r#fn).finish()
        }
    }
    impl Box {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/awkward.Sized.Box";
    }
    impl Box {
        #[must_use = "with_* setters return `self` by value; assign or chain the result"]
        #[inline]
        ///Sets `fn` to `Some(value)`, consuming and returning `self`.
        pub fn with_fn(mut self, value: i32) -> Self {
            self.r#fn = Some(value);
            self
        }
    }
    impl ::polywire::generated::FieldMessage for Box {}
    ::polywire::generated::buffa::impl_default_instance!(Box);
    impl ::polywire::generated::buffa::MessageName for Box {
        const PACKAGE: &'static str = "awkward";
        const NAME: &'static str = "Sized.Box";
        const FULL_NAME: &'static str = "awkward.Sized.Box";
        const TYPE_URL: &'static str = "type.googleapis.com/awkward.Sized.Box";
    }
    impl ::polywire::generated::buffa::Message for Box {
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
            if let Some(v) = self.r#fn {
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
            if let Some(v) = self.r#fn {
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
                    self.r#fn = ::std::option::Option::Some(
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
            self.r#fn = ::std::option::Option::None;
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct EchoClient {}
impl ::std::fmt::Debug for EchoClient {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("EchoClient").finish()
    }
}
impl EchoClient {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/awkward.EchoClient";
}
impl ::polywire::generated::FieldMessage for EchoClient {}
::polywire::generated::buffa::impl_default_instance!(EchoClient);
impl ::polywire::generated::buffa::MessageName for EchoClient {
    const PACKAGE: &'static str = "awkward";
    const NAME: &'static str = "EchoClient";
    const FULL_NAME: &'static str = "awkward.EchoClient";
    const TYPE_URL: &'static str = "type.googleapis.com/awkward.EchoClient";
}
impl ::polywire::generated::buffa::Message for EchoClient {
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
        let size = 0u64;
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        _buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
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
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {}
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
        pub mod option {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum String {
                Text(::std::boxed::Box<super::super::super::String>),
                Sized(::std::boxed::Box<super::super::super::Sized>),
            }
            impl ::polywire::generated::buffa::Oneof for String {}
            impl From<super::super::super::String> for String {
                fn from(v: super::super::super::String) -> Self {
                    Self::Text(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::String> for ::std::option::Option<String> {
                fn from(v: super::super::super::String) -> Self {
                    Self::Some(String::from(v))
                }
            }
            impl From<super::super::super::Sized> for String {
                fn from(v: super::super::super::Sized) -> Self {
                    Self::Sized(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::Sized> for ::std::option::Option<String> {
                fn from(v: super::super::super::Sized) -> Self {
                    Self::Some(String::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("awkward.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Result, "awkward.Result", POOL);
::polywire::generated::message!(Send, "awkward.Send", POOL);
::polywire::generated::message!(Vec, "awkward.Vec", POOL);
::polywire::generated::message!(Option, "awkward.Option", POOL);
::polywire::generated::message!(String, "awkward.String", POOL, buffers { one self_; });
::polywire::generated::message!(Sized, "awkward.Sized", POOL);
::polywire::generated::message!(sized::Box, "awkward.Sized.Box", POOL);
::polywire::generated::message!(EchoClient, "awkward.EchoClient", POOL);

/// Its client cannot be called `EchoClient`.
///
/// ```text
///     this is no example
/// ```
///
/// Service `awkward.EchoService`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `awkward.EchoService`",
    note = "write `impl EchoService for {Self}` with its methods: `result`, `send`, `new_`, `into_service_`, `r#impl`, `stream`"
)]
pub trait EchoService: ::std::marker::Send + ::std::marker::Sync + 'static {
    /// Method `Result`.
    fn result(
        &self,
        cx: &::polywire::Context,
        request: Result,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Result>, ::polywire::Status>> + ::std::marker::Send;

    /// Method `Send`.
    fn send(
        &self,
        cx: &::polywire::Context,
        request: Send,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Vec>, ::polywire::Status>> + ::std::marker::Send;

    /// Method `New`.
    fn new_(
        &self,
        cx: &::polywire::Context,
        request: Send,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Option>, ::polywire::Status>> + ::std::marker::Send;

    /// Method `IntoService`.
    fn into_service_(
        &self,
        cx: &::polywire::Context,
        request: Send,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<String>, ::polywire::Status>> + ::std::marker::Send;

    /// Method `impl`.
    fn r#impl(
        &self,
        cx: &::polywire::Context,
        request: Send,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Sized>, ::polywire::Status>> + ::std::marker::Send;

    /// Method `Stream`, which takes and answers with a stream. To be written as
    /// `async fn stream(…) -> Result<impl Stream<Item = Result<Send, Status>>, Status>`.
    fn stream(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<Result>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            impl ::polywire::Stream<Item = ::std::result::Result<Send, ::polywire::Status>> + ::std::marker::Send,
            ::polywire::Status,
        >,
    > + ::std::marker::Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: ::std::marker::Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("awkward.EchoService", DESCRIPTOR_SET)
            .unary::<echo_service::Result<Self>>(&service)
            .unary::<echo_service::Send<Self>>(&service)
            .unary::<echo_service::New<Self>>(&service)
            .unary::<echo_service::IntoService<Self>>(&service)
            .unary::<echo_service::Impl_<Self>>(&service)
            .bidi_streaming::<echo_service::Stream<Self>>(&service)
    }
}

/// The methods of [`EchoService`], each as a type.
pub mod echo_service {
    /// `awkward.EchoService/Result`.
    pub struct Result<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for Result<Impl> {
        type Service = Impl;
        type Request = super::Result;
        type Response = super::Result;
        const NAME: &'static str = "Result";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + ::std::marker::Send {
            super::EchoService::result(service, cx, request)
        }
    }

    /// `awkward.EchoService/Send`.
    pub struct Send<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for Send<Impl> {
        type Service = Impl;
        type Request = super::Send;
        type Response = super::Vec;
        const NAME: &'static str = "Send";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + ::std::marker::Send {
            super::EchoService::send(service, cx, request)
        }
    }

    /// `awkward.EchoService/New`.
    pub struct New<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for New<Impl> {
        type Service = Impl;
        type Request = super::Send;
        type Response = super::Option;
        const NAME: &'static str = "New";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + ::std::marker::Send {
            super::EchoService::new_(service, cx, request)
        }
    }

    /// `awkward.EchoService/IntoService`.
    pub struct IntoService<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for IntoService<Impl> {
        type Service = Impl;
        type Request = super::Send;
        type Response = super::String;
        const NAME: &'static str = "IntoService";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + ::std::marker::Send {
            super::EchoService::into_service_(service, cx, request)
        }
    }

    /// `awkward.EchoService/impl`.
    pub struct Impl_<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for Impl_<Impl> {
        type Service = Impl;
        type Request = super::Send;
        type Response = super::Sized;
        const NAME: &'static str = "impl";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + ::std::marker::Send {
            super::EchoService::r#impl(service, cx, request)
        }
    }

    /// `awkward.EchoService/Stream`.
    pub struct Stream<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::BidiStreaming for Stream<Impl> {
        type Service = Impl;
        type Request = super::Result;
        type Response = super::Send;
        const NAME: &'static str = "Stream";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            incoming: ::polywire::Streaming<Self::Request>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<
                impl ::polywire::Stream<Item = ::std::result::Result<Self::Response, ::polywire::Status>> + ::std::marker::Send,
                ::polywire::Status,
            >,
        > + ::std::marker::Send {
            super::EchoService::stream(service, cx, incoming)
        }
    }
}

/// Its client cannot be called `EchoClient`.
///
/// ```text
///     this is no example
/// ```
///
/// Calls `awkward.EchoService` over a channel.
#[derive(Clone)]
pub struct EchoServiceClient {
    channel: ::polywire::Channel,
}

impl EchoServiceClient {
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

    /// Method `Result`.
    #[inline]
    pub fn result(&self, request: Result) -> ::polywire::Call<Result> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "Result").at(0), request)
    }

    /// Method `Send`.
    #[inline]
    pub fn send(&self, request: Send) -> ::polywire::Call<Vec> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "Send").at(1), request)
    }

    /// Method `New`.
    #[inline]
    pub fn new_(&self, request: Send) -> ::polywire::Call<Option> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "New").at(2), request)
    }

    /// Method `IntoService`.
    #[inline]
    pub fn into_service_(&self, request: Send) -> ::polywire::Call<String> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "IntoService").at(3), request)
    }

    /// Method `impl`.
    #[inline]
    pub fn r#impl(&self, request: Send) -> ::polywire::Call<Sized> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "impl").at(4), request)
    }

    /// Method `Stream`: awaited, it is a stream each way.
    #[inline]
    pub fn stream(&self) -> ::polywire::StreamingCall<::polywire::Duplex<Result, Send>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "Stream").at(5))
    }
}

/// Service `awkward.Result_`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `awkward.Result_`",
    note = "write `impl Result_ for {Self}` with its methods: `get`"
)]
pub trait Result_: ::std::marker::Send + ::std::marker::Sync + 'static {
    /// Method `Get`.
    fn get(
        &self,
        cx: &::polywire::Context,
        request: Send,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<EchoClient>, ::polywire::Status>> + ::std::marker::Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: ::std::marker::Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("awkward.Result_", DESCRIPTOR_SET)
            .unary::<result_::Get<Self>>(&service)
    }
}

/// The methods of [`Result_`], each as a type.
pub mod result_ {
    /// `awkward.Result_/Get`.
    pub struct Get<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Result_> ::polywire::generated::Unary for Get<Impl> {
        type Service = Impl;
        type Request = super::Send;
        type Response = super::EchoClient;
        const NAME: &'static str = "Get";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Result_::get(service, cx, request)
        }
    }
}

/// Calls `awkward.Result_` over a channel.
#[derive(Clone)]
pub struct Result_Client {
    channel: ::polywire::Channel,
}

impl Result_Client {
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
    pub fn get(&self, request: Send) -> ::polywire::Call<EchoClient> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.Result_", "Get").at(0), request)
    }
}
