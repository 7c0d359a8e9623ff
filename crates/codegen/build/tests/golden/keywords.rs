// Made by polywire-build from keywords.proto; changes are lost.

#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(i32)]
pub enum Const {
    ONE = 1i32,
}
impl Const {
    ///Idiomatic alias for [`Self::ONE`]; `Debug` prints the variant name.
    #[allow(non_upper_case_globals)]
    pub const One: Self = Self::ONE;
}
impl ::std::default::Default for Const {
    fn default() -> Self {
        Self::ONE
    }
}
impl ::polywire::generated::FieldEnum for Const {}
impl ::polywire::generated::buffa::Enumeration for Const {
    fn from_i32(value: i32) -> ::std::option::Option<Self> {
        match value {
            1i32 => ::std::option::Option::Some(Self::ONE),
            _ => ::std::option::Option::None,
        }
    }
    fn to_i32(&self) -> i32 {
        *self as i32
    }
    fn proto_name(&self) -> &'static str {
        match self {
            Self::ONE => "ONE",
        }
    }
    fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
        match name {
            "ONE" => ::std::option::Option::Some(Self::ONE),
            _ => ::std::option::Option::None,
        }
    }
    fn values() -> &'static [Self] {
        &[Self::ONE]
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Type {
    /// Field 1: `inner`
    pub inner: ::polywire::MessageField<r#type::Inner>,
}
impl ::std::fmt::Debug for Type {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Type").field("inner", &self.inner).finish()
    }
}
impl Type {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.Type";
}
impl ::polywire::generated::FieldMessage for Type {}
::polywire::generated::buffa::impl_default_instance!(Type);
impl ::polywire::generated::buffa::MessageName for Type {
    const PACKAGE: &'static str = "keywords";
    const NAME: &'static str = "Type";
    const FULL_NAME: &'static str = "keywords.Type";
    const TYPE_URL: &'static str = "type.googleapis.com/keywords.Type";
}
impl ::polywire::generated::buffa::Message for Type {
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
        if self.inner.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.inner.compute_size(__cache);
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
        if self.inner.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.inner.write_to(__cache, buf);
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
                    self.inner.get_or_insert_default(),
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
        self.inner = ::polywire::MessageField::none();
    }
}
pub mod r#type {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct Inner {
        /// Field 1: `use`
        pub r#use: ::std::option::Option<super::r#match::Use>,
    }
    impl ::std::fmt::Debug for Inner {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Inner").field("use", &self.r#use).finish()
        }
    }
    impl Inner {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.Type.Inner";
    }
    impl Inner {
        #[must_use = "with_* setters return `self` by value; assign or chain the result"]
        #[inline]
        ///Sets `use` to `Some(value)`, consuming and returning `self`.
        pub fn with_use(mut self, value: impl Into<super::r#match::Use>) -> Self {
            self.r#use = Some(value.into());
            self
        }
    }
    impl ::polywire::generated::FieldMessage for Inner {}
    ::polywire::generated::buffa::impl_default_instance!(Inner);
    impl ::polywire::generated::buffa::MessageName for Inner {
        const PACKAGE: &'static str = "keywords";
        const NAME: &'static str = "Type.Inner";
        const FULL_NAME: &'static str = "keywords.Type.Inner";
        const TYPE_URL: &'static str = "type.googleapis.com/keywords.Type.Inner";
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
            if let Some(ref v) = self.r#use {
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
            if let Some(ref v) = self.r#use {
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
            self.r#use = ::std::option::Option::None;
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct Loop {}
    impl ::std::fmt::Debug for Loop {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Loop").finish()
        }
    }
    impl Loop {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.Type.Loop";
    }
    impl ::polywire::generated::FieldMessage for Loop {}
    ::polywire::generated::buffa::impl_default_instance!(Loop);
    impl ::polywire::generated::buffa::MessageName for Loop {
        const PACKAGE: &'static str = "keywords";
        const NAME: &'static str = "Type.Loop";
        const FULL_NAME: &'static str = "keywords.Type.Loop";
        const TYPE_URL: &'static str = "type.googleapis.com/keywords.Type.Loop";
    }
    impl ::polywire::generated::buffa::Message for Loop {
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
    pub mod r#loop {
        #[allow(unused_imports)]
        use super::*;
        #[derive(Clone, PartialEq, Default)]
        pub struct Where {
            /// Field 1: `in`
            pub r#in: ::std::option::Option<i32>,
        }
        impl ::std::fmt::Debug for Where {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct("Where").field("in", &self.r#in).finish()
            }
        }
        impl Where {
            /// Protobuf type URL for this message, for use with `Any::pack` and
            /// `Any::unpack_if`.
            ///
            /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
            pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.Type.Loop.Where";
        }
        impl Where {
            #[must_use = "with_* setters return `self` by value; assign or chain the result"]
            #[inline]
            ///Sets `in` to `Some(value)`, consuming and returning `self`.
            pub fn with_in(mut self, value: i32) -> Self {
                self.r#in = Some(value);
                self
            }
        }
        impl ::polywire::generated::FieldMessage for Where {}
        ::polywire::generated::buffa::impl_default_instance!(Where);
        impl ::polywire::generated::buffa::MessageName for Where {
            const PACKAGE: &'static str = "keywords";
            const NAME: &'static str = "Type.Loop.Where";
            const FULL_NAME: &'static str = "keywords.Type.Loop.Where";
            const TYPE_URL: &'static str = "type.googleapis.com/keywords.Type.Loop.Where";
        }
        impl ::polywire::generated::buffa::Message for Where {
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
                if let Some(v) = self.r#in {
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
                if let Some(v) = self.r#in {
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
                        self.r#in = ::std::option::Option::Some(
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
                self.r#in = ::std::option::Option::None;
            }
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Match {
    pub r#if: ::std::option::Option<__buffa::oneof::r#match::If>,
}
impl ::std::fmt::Debug for Match {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Match").field("if", &self.r#if).finish()
    }
}
impl Match {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.Match";
}
impl ::polywire::generated::FieldMessage for Match {}
::polywire::generated::buffa::impl_default_instance!(Match);
impl ::polywire::generated::buffa::MessageName for Match {
    const PACKAGE: &'static str = "keywords";
    const NAME: &'static str = "Match";
    const FULL_NAME: &'static str = "keywords.Match";
    const TYPE_URL: &'static str = "type.googleapis.com/keywords.Match";
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
        if let ::std::option::Option::Some(ref v) = self.r#if {
            match v {
                __buffa::oneof::r#match::If::Move(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::r#match::If::Ref(v) => {
                    size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(*v) as u64;
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
        if let ::std::option::Option::Some(ref v) = self.r#if {
            match v {
                __buffa::oneof::r#match::If::Move(x) => {
                    ::polywire::generated::buffa::types::put_len_delimited_header(
                        1u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::r#match::If::Ref(x) => {
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
                if let ::std::option::Option::Some(
                    __buffa::oneof::r#match::If::Move(ref mut existing),
                ) = self.r#if
                {
                    ::polywire::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    ::polywire::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.r#if = ::std::option::Option::Some(
                        __buffa::oneof::r#match::If::Move(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.r#if = ::std::option::Option::Some(
                    __buffa::oneof::r#match::If::Ref(::polywire::generated::buffa::types::decode_int32(buf)?),
                );
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.r#if = ::std::option::Option::None;
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
    #[doc(inline)]
    pub use super::__buffa::oneof::r#match::If;
}
#[derive(Clone, PartialEq, Default)]
pub struct Self_ {
    /// Field 1: `super`
    pub super_: ::polywire::MessageField<self_::Self_, ::std::boxed::Box<self_::Self_>>,
}
impl ::std::fmt::Debug for Self_ {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Self_").field("super_", &self.super_).finish()
    }
}
impl Self_ {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.Self";
}
impl ::polywire::generated::FieldMessage for Self_ {}
::polywire::generated::buffa::impl_default_instance!(Self_);
impl ::polywire::generated::buffa::MessageName for Self_ {
    const PACKAGE: &'static str = "keywords";
    const NAME: &'static str = "Self";
    const FULL_NAME: &'static str = "keywords.Self";
    const TYPE_URL: &'static str = "type.googleapis.com/keywords.Self";
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
        if self.super_.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.super_.compute_size(__cache);
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
        if self.super_.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.super_.write_to(__cache, buf);
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
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.super_ = ::polywire::MessageField::none();
    }
}
pub mod self_ {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct Self_ {
        /// Field 1: `self`
        pub self_: ::polywire::MessageField<super::Self_, ::std::boxed::Box<super::Self_>>,
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
        pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.Self.self";
    }
    impl ::polywire::generated::FieldMessage for Self_ {}
    ::polywire::generated::buffa::impl_default_instance!(Self_);
    impl ::polywire::generated::buffa::MessageName for Self_ {
        const PACKAGE: &'static str = "keywords";
        const NAME: &'static str = "Self.self";
        const FULL_NAME: &'static str = "keywords.Self.self";
        const TYPE_URL: &'static str = "type.googleapis.com/keywords.Self.self";
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
pub struct While {
    /// Field 3: `map`
    pub map: ::polywire::Map<::std::string::String, r#while::Fn>,
    pub self_value: ::std::option::Option<__buffa::oneof::r#while::SelfValue>,
}
impl ::std::fmt::Debug for While {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("While")
            .field("map", &self.map)
            .field("self_value", &self.self_value)
            .finish()
    }
}
impl While {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.while";
}
impl ::polywire::generated::FieldMessage for While {}
::polywire::generated::buffa::impl_default_instance!(While);
impl ::polywire::generated::buffa::MessageName for While {
    const PACKAGE: &'static str = "keywords";
    const NAME: &'static str = "while";
    const FULL_NAME: &'static str = "keywords.while";
    const TYPE_URL: &'static str = "type.googleapis.com/keywords.while";
}
impl ::polywire::generated::buffa::Message for While {
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
        if let ::std::option::Option::Some(ref v) = self.self_value {
            match v {
                __buffa::oneof::r#while::SelfValue::Pub(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::r#while::SelfValue::Ref(x) => {
                    size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(x.to_i32()) as u64;
                }
            }
        }
        size
            += ::polywire::generated::buffa::map_codec::message_field_len::<
                ::polywire::generated::buffa::map_codec::Str,
                _,
                _,
            >(&self.map, 1u64, __cache);
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if let ::std::option::Option::Some(ref v) = self.self_value {
            match v {
                __buffa::oneof::r#while::SelfValue::Pub(x) => {
                    ::polywire::generated::buffa::types::put_len_delimited_header(
                        1u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::r#while::SelfValue::Ref(x) => {
                    ::polywire::generated::buffa::types::put_int32_field(2u32, x.to_i32(), buf);
                }
            }
        }
        ::polywire::generated::buffa::map_codec::write_message_field::<
            ::polywire::generated::buffa::map_codec::Str,
            _,
            _,
        >(&self.map, 3u32, __cache, buf);
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
                    __buffa::oneof::r#while::SelfValue::Pub(ref mut existing),
                ) = self.self_value
                {
                    ::polywire::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    ::polywire::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.self_value = ::std::option::Option::Some(
                        __buffa::oneof::r#while::SelfValue::Pub(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
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
                    self.self_value = ::std::option::Option::Some(
                        __buffa::oneof::r#while::SelfValue::Ref(__v),
                    );
                }
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::map_codec::merge_entry::<
                    ::polywire::generated::buffa::map_codec::Str,
                    ::polywire::generated::buffa::map_codec::Msg<_>,
                    _,
                >(&mut self.map, buf, ctx)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.self_value = ::std::option::Option::None;
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.map);
    }
}
pub mod r#while {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum Enum {
        Self_ = 0i32,
        r#let = 1i32,
    }
    impl Enum {
        ///Idiomatic alias for `let`; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Let: Self = Self::r#let;
    }
    impl ::std::default::Default for Enum {
        fn default() -> Self {
            Self::Self_
        }
    }
    impl ::polywire::generated::FieldEnum for Enum {}
    impl ::polywire::generated::buffa::Enumeration for Enum {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::Self_),
                1i32 => ::std::option::Option::Some(Self::r#let),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::Self_ => "Self",
                Self::r#let => "let",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "Self" => ::std::option::Option::Some(Self::Self_),
                "let" => ::std::option::Option::Some(Self::r#let),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[Self::Self_, Self::r#let]
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct Fn {
        /// Field 1: `enum`
        pub r#enum: ::std::option::Option<super::r#while::Enum>,
        /// Field 2: `const`
        pub r#const: ::std::option::Option<super::Const>,
    }
    impl ::std::fmt::Debug for Fn {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Fn")
                .field("enum", &self.r#enum)
                .field("const", &self.r#const)
                .finish()
        }
    }
    impl Fn {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.while.fn";
    }
    impl Fn {
        #[must_use = "with_* setters return `self` by value; assign or chain the result"]
        #[inline]
        ///Sets `enum` to `Some(value)`, consuming and returning `self`.
        pub fn with_enum(mut self, value: impl Into<super::r#while::Enum>) -> Self {
            self.r#enum = Some(value.into());
            self
        }
        #[must_use = "with_* setters return `self` by value; assign or chain the result"]
        #[inline]
        ///Sets `const` to `Some(value)`, consuming and returning `self`.
        pub fn with_const(mut self, value: impl Into<super::Const>) -> Self {
            self.r#const = Some(value.into());
            self
        }
    }
    impl ::polywire::generated::FieldMessage for Fn {}
    ::polywire::generated::buffa::impl_default_instance!(Fn);
    impl ::polywire::generated::buffa::MessageName for Fn {
        const PACKAGE: &'static str = "keywords";
        const NAME: &'static str = "while.fn";
        const FULL_NAME: &'static str = "keywords.while.fn";
        const TYPE_URL: &'static str = "type.googleapis.com/keywords.while.fn";
    }
    impl ::polywire::generated::buffa::Message for Fn {
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
            if let Some(ref v) = self.r#enum {
                size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v.to_i32()) as u64;
            }
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
            if let Some(ref v) = self.r#enum {
                ::polywire::generated::buffa::types::put_int32_field(1u32, v.to_i32(), buf);
            }
            if let Some(ref v) = self.r#const {
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
                        ::polywire::generated::buffa::encoding::WireType::Varint,
                    )?;
                    let __raw = ::polywire::generated::buffa::types::decode_int32(buf)?;
                    if let ::std::option::Option::Some(__v) = ::polywire::generated::buffa::Enumeration::from_i32(
                        __raw,
                    ) {
                        self.r#enum = ::std::option::Option::Some(__v);
                    }
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
            self.r#enum = ::std::option::Option::None;
            self.r#const = ::std::option::Option::None;
        }
    }
    #[doc(inline)]
    pub use super::__buffa::oneof::r#while::SelfValue;
}
#[derive(Clone, PartialEq, Default)]
pub struct Index_ {
    /// Field 1: `self`
    pub self_: ::polywire::MessageField<index_::index>,
}
impl ::std::fmt::Debug for Index_ {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Index_").field("self_", &self.self_).finish()
    }
}
impl Index_ {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.index";
}
impl ::polywire::generated::FieldMessage for Index_ {}
::polywire::generated::buffa::impl_default_instance!(Index_);
impl ::polywire::generated::buffa::MessageName for Index_ {
    const PACKAGE: &'static str = "keywords";
    const NAME: &'static str = "index";
    const FULL_NAME: &'static str = "keywords.index";
    const TYPE_URL: &'static str = "type.googleapis.com/keywords.index";
}
impl ::polywire::generated::buffa::Message for Index_ {
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
pub mod index_ {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct index {
        /// Field 1: `const`
        pub r#const: ::std::option::Option<super::Const>,
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
        pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.index.index";
    }
    impl index {
        #[must_use = "with_* setters return `self` by value; assign or chain the result"]
        #[inline]
        ///Sets `const` to `Some(value)`, consuming and returning `self`.
        pub fn with_const(mut self, value: impl Into<super::Const>) -> Self {
            self.r#const = Some(value.into());
            self
        }
    }
    impl ::polywire::generated::FieldMessage for index {}
    ::polywire::generated::buffa::impl_default_instance!(index);
    impl ::polywire::generated::buffa::MessageName for index {
        const PACKAGE: &'static str = "keywords";
        const NAME: &'static str = "index.index";
        const FULL_NAME: &'static str = "keywords.index.index";
        const TYPE_URL: &'static str = "type.googleapis.com/keywords.index.index";
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
#[derive(Clone, PartialEq, Default)]
pub struct Super_ {}
impl ::std::fmt::Debug for Super_ {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Super_").finish()
    }
}
impl Super_ {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.super";
}
impl ::polywire::generated::FieldMessage for Super_ {}
::polywire::generated::buffa::impl_default_instance!(Super_);
impl ::polywire::generated::buffa::MessageName for Super_ {
    const PACKAGE: &'static str = "keywords";
    const NAME: &'static str = "super";
    const FULL_NAME: &'static str = "keywords.super";
    const TYPE_URL: &'static str = "type.googleapis.com/keywords.super";
}
impl ::polywire::generated::buffa::Message for Super_ {
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
pub mod super_ {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct Crate_ {
        /// Field 1: `super`
        pub super_: ::polywire::MessageField<super::Super_>,
    }
    impl ::std::fmt::Debug for Crate_ {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Crate_").field("super_", &self.super_).finish()
        }
    }
    impl Crate_ {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.super.crate";
    }
    impl ::polywire::generated::FieldMessage for Crate_ {}
    ::polywire::generated::buffa::impl_default_instance!(Crate_);
    impl ::polywire::generated::buffa::MessageName for Crate_ {
        const PACKAGE: &'static str = "keywords";
        const NAME: &'static str = "super.crate";
        const FULL_NAME: &'static str = "keywords.super.crate";
        const TYPE_URL: &'static str = "type.googleapis.com/keywords.super.crate";
    }
    impl ::polywire::generated::buffa::Message for Crate_ {
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
                _ => {
                    ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.super_ = ::polywire::MessageField::none();
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Crate_ {}
impl ::std::fmt::Debug for Crate_ {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Crate_").finish()
    }
}
impl Crate_ {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.Crate";
}
impl ::polywire::generated::FieldMessage for Crate_ {}
::polywire::generated::buffa::impl_default_instance!(Crate_);
impl ::polywire::generated::buffa::MessageName for Crate_ {
    const PACKAGE: &'static str = "keywords";
    const NAME: &'static str = "Crate";
    const FULL_NAME: &'static str = "keywords.Crate";
    const TYPE_URL: &'static str = "type.googleapis.com/keywords.Crate";
}
impl ::polywire::generated::buffa::Message for Crate_ {
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
pub mod crate_ {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum Extern {
        X = 0i32,
    }
    impl ::std::default::Default for Extern {
        fn default() -> Self {
            Self::X
        }
    }
    impl ::polywire::generated::FieldEnum for Extern {}
    impl ::polywire::generated::buffa::Enumeration for Extern {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::X),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::X => "X",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "X" => ::std::option::Option::Some(Self::X),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[Self::X]
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct Inner {
        /// Field 1: `extern`
        pub r#extern: ::std::option::Option<super::crate_::Extern>,
    }
    impl ::std::fmt::Debug for Inner {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Inner").field("extern", &self.r#extern).finish()
        }
    }
    impl Inner {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.Crate.Inner";
    }
    impl Inner {
        #[must_use = "with_* setters return `self` by value; assign or chain the result"]
        #[inline]
        ///Sets `extern` to `Some(value)`, consuming and returning `self`.
        pub fn with_extern(mut self, value: impl Into<super::crate_::Extern>) -> Self {
            self.r#extern = Some(value.into());
            self
        }
    }
    impl ::polywire::generated::FieldMessage for Inner {}
    ::polywire::generated::buffa::impl_default_instance!(Inner);
    impl ::polywire::generated::buffa::MessageName for Inner {
        const PACKAGE: &'static str = "keywords";
        const NAME: &'static str = "Crate.Inner";
        const FULL_NAME: &'static str = "keywords.Crate.Inner";
        const TYPE_URL: &'static str = "type.googleapis.com/keywords.Crate.Inner";
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
            if let Some(ref v) = self.r#extern {
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
            if let Some(ref v) = self.r#extern {
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
                        self.r#extern = ::std::option::Option::Some(__v);
                    }
                }
                _ => {
                    ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.r#extern = ::std::option::Option::None;
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct plain {
    /// Field 1: `index`
    pub index: ::polywire::MessageField<Index_>,
}
impl ::std::fmt::Debug for plain {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("plain").field("index", &self.index).finish()
    }
}
impl plain {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.plain";
}
impl ::polywire::generated::FieldMessage for plain {}
::polywire::generated::buffa::impl_default_instance!(plain);
impl ::polywire::generated::buffa::MessageName for plain {
    const PACKAGE: &'static str = "keywords";
    const NAME: &'static str = "plain";
    const FULL_NAME: &'static str = "keywords.plain";
    const TYPE_URL: &'static str = "type.googleapis.com/keywords.plain";
}
impl ::polywire::generated::buffa::Message for plain {
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
        if self.index.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.index.compute_size(__cache);
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
        if self.index.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.index.write_to(__cache, buf);
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
                    self.index.get_or_insert_default(),
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
        self.index = ::polywire::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct WardenClient {}
impl ::std::fmt::Debug for WardenClient {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("WardenClient").finish()
    }
}
impl WardenClient {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/keywords.WardenClient";
}
impl ::polywire::generated::FieldMessage for WardenClient {}
::polywire::generated::buffa::impl_default_instance!(WardenClient);
impl ::polywire::generated::buffa::MessageName for WardenClient {
    const PACKAGE: &'static str = "keywords";
    const NAME: &'static str = "WardenClient";
    const FULL_NAME: &'static str = "keywords.WardenClient";
    const TYPE_URL: &'static str = "type.googleapis.com/keywords.WardenClient";
}
impl ::polywire::generated::buffa::Message for WardenClient {
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
        pub mod r#match {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum If {
                Move(::std::boxed::Box<super::super::super::r#type::Inner>),
                Ref(i32),
            }
            impl ::polywire::generated::buffa::Oneof for If {}
            impl From<super::super::super::r#type::Inner> for If {
                fn from(v: super::super::super::r#type::Inner) -> Self {
                    Self::Move(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::r#type::Inner>
            for ::std::option::Option<If> {
                fn from(v: super::super::super::r#type::Inner) -> Self {
                    Self::Some(If::from(v))
                }
            }
        }
        pub mod r#while {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum SelfValue {
                Pub(::std::boxed::Box<super::super::super::r#while::Fn>),
                Ref(super::super::super::r#while::Enum),
            }
            impl ::polywire::generated::buffa::Oneof for SelfValue {}
            impl From<super::super::super::r#while::Fn> for SelfValue {
                fn from(v: super::super::super::r#while::Fn) -> Self {
                    Self::Pub(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::r#while::Fn>
            for ::std::option::Option<SelfValue> {
                fn from(v: super::super::super::r#while::Fn) -> Self {
                    Self::Some(SelfValue::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("keywords.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Type, "keywords.Type", POOL);
::polywire::generated::message!(r#type::Inner, "keywords.Type.Inner", POOL);
::polywire::generated::message!(r#type::Loop, "keywords.Type.Loop", POOL);
::polywire::generated::message!(r#type::r#loop::Where, "keywords.Type.Loop.Where", POOL);
::polywire::generated::message!(Match, "keywords.Match", POOL);
::polywire::generated::message!(Self_, "keywords.Self", POOL);
::polywire::generated::message!(self_::Self_, "keywords.Self.self", POOL);
::polywire::generated::message!(While, "keywords.while", POOL);
::polywire::generated::message!(r#while::Fn, "keywords.while.fn", POOL);
::polywire::generated::message!(Index_, "keywords.index", POOL);
::polywire::generated::message!(index_::index, "keywords.index.index", POOL);
::polywire::generated::message!(Super_, "keywords.super", POOL);
::polywire::generated::message!(super_::Crate_, "keywords.super.crate", POOL);
::polywire::generated::message!(Crate_, "keywords.Crate", POOL);
::polywire::generated::message!(crate_::Inner, "keywords.Crate.Inner", POOL);
::polywire::generated::message!(plain, "keywords.plain", POOL);
::polywire::generated::message!(WardenClient, "keywords.WardenClient", POOL);

/// Service `keywords.pages`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.pages`",
    note = "write `impl Pages for {Self}` with its methods: `default_method`, `r#type`"
)]
pub trait Pages: Send + Sync + 'static {
    /// Method `default_method`.
    fn default_method(
        &self,
        cx: &::polywire::Context,
        request: Index_,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<r#type::Inner>, ::polywire::Status>> + Send;

    /// Method `Type`.
    fn r#type(
        &self,
        cx: &::polywire::Context,
        request: While,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<r#while::Fn>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.pages", DESCRIPTOR_SET)
            .unary::<pages::DefaultMethod<Self>>(&service)
            .unary::<pages::Type<Self>>(&service)
    }
}

/// The methods of [`Pages`], each as a type.
pub mod pages {
    /// `keywords.pages/default_method`.
    pub struct DefaultMethod<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Pages> ::polywire::generated::Unary for DefaultMethod<Impl> {
        type Service = Impl;
        type Request = super::Index_;
        type Response = super::r#type::Inner;
        const NAME: &'static str = "default_method";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Pages::default_method(service, cx, request)
        }
    }

    /// `keywords.pages/Type`.
    pub struct Type<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Pages> ::polywire::generated::Unary for Type<Impl> {
        type Service = Impl;
        type Request = super::While;
        type Response = super::r#while::Fn;
        const NAME: &'static str = "Type";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Pages::r#type(service, cx, request)
        }
    }
}

/// Calls `keywords.pages` over a channel.
#[derive(Clone)]
pub struct PagesClient {
    channel: ::polywire::Channel,
}

impl PagesClient {
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

    /// Method `default_method`.
    #[inline]
    pub fn default_method(&self, request: Index_) -> ::polywire::Call<r#type::Inner> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.pages", "default_method").at(0), request)
    }

    /// Method `Type`.
    #[inline]
    pub fn r#type(&self, request: While) -> ::polywire::Call<r#while::Fn> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.pages", "Type").at(1), request)
    }
}

/// Service `keywords.index_page`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.index_page`",
    note = "write `impl IndexPage for {Self}` with its methods: `index`"
)]
pub trait IndexPage: Send + Sync + 'static {
    /// Method `index`, which answers with a stream. To be written as
    /// `async fn index(…) -> Result<impl Stream<Item = Result<self_::Self_, Status>>, Status>`.
    fn index(
        &self,
        cx: &::polywire::Context,
        request: plain,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<self_::Self_, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.index_page", DESCRIPTOR_SET)
            .server_streaming::<index_page::Index<Self>>(&service)
    }
}

/// The methods of [`IndexPage`], each as a type.
pub mod index_page {
    /// `keywords.index_page/index`.
    pub struct Index<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::IndexPage> ::polywire::generated::ServerStreaming for Index<Impl> {
        type Service = Impl;
        type Request = super::plain;
        type Response = super::self_::Self_;
        const NAME: &'static str = "index";

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
            super::IndexPage::index(service, cx, request)
        }
    }
}

/// Calls `keywords.index_page` over a channel.
#[derive(Clone)]
pub struct IndexPageClient {
    channel: ::polywire::Channel,
}

impl IndexPageClient {
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

    /// Method `index`: awaited, it is the stream of its answers.
    #[inline]
    pub fn index(&self, request: plain) -> ::polywire::StreamingCall<::polywire::Streaming<self_::Self_>> {
        ::polywire::generated::server_streaming(&self.channel, ::polywire::Target::fixed("keywords.index_page", "index").at(0), request)
    }
}

/// Service `keywords.impl`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.impl`",
    note = "write `impl Impl_ for {Self}` with its methods: `r#loop`"
)]
pub trait Impl_: Send + Sync + 'static {
    /// Method `loop`.
    fn r#loop(
        &self,
        cx: &::polywire::Context,
        request: Self_,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<r#type::r#loop::Where>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.impl", DESCRIPTOR_SET)
            .unary::<r#impl::Loop<Self>>(&service)
    }
}

/// The methods of [`Impl_`], each as a type.
pub mod r#impl {
    /// `keywords.impl/loop`.
    pub struct Loop<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Impl_> ::polywire::generated::Unary for Loop<Impl> {
        type Service = Impl;
        type Request = super::Self_;
        type Response = super::r#type::r#loop::Where;
        const NAME: &'static str = "loop";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Impl_::r#loop(service, cx, request)
        }
    }
}

/// Calls `keywords.impl` over a channel.
#[derive(Clone)]
pub struct Impl_Client {
    channel: ::polywire::Channel,
}

impl Impl_Client {
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

    /// Method `loop`.
    #[inline]
    pub fn r#loop(&self, request: Self_) -> ::polywire::Call<r#type::r#loop::Where> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.impl", "loop").at(0), request)
    }
}

/// Service `keywords.Index`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.Index`",
    note = "write `impl Index for {Self}` with its methods: `get`"
)]
pub trait Index: Send + Sync + 'static {
    /// Method `Get`.
    fn get(
        &self,
        cx: &::polywire::Context,
        request: index_::index,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<plain>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.Index", DESCRIPTOR_SET)
            .unary::<index::Get<Self>>(&service)
    }
}

/// The methods of [`Index`], each as a type.
pub mod index {
    /// `keywords.Index/Get`.
    pub struct Get<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Index> ::polywire::generated::Unary for Get<Impl> {
        type Service = Impl;
        type Request = super::index_::index;
        type Response = super::plain;
        const NAME: &'static str = "Get";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Index::get(service, cx, request)
        }
    }
}

/// Calls `keywords.Index` over a channel.
#[derive(Clone)]
pub struct IndexClient {
    channel: ::polywire::Channel,
}

impl IndexClient {
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
    pub fn get(&self, request: index_::index) -> ::polywire::Call<plain> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.Index", "Get").at(0), request)
    }
}

/// Service `keywords.KeeperService`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.KeeperService`",
    note = "write `impl KeeperService for {Self}` with its methods: `keep`"
)]
pub trait KeeperService: Send + Sync + 'static {
    /// Method `Keep`.
    fn keep(
        &self,
        cx: &::polywire::Context,
        request: plain,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<plain>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.KeeperService", DESCRIPTOR_SET)
            .unary::<keeper_service::Keep<Self>>(&service)
    }
}

/// The methods of [`KeeperService`], each as a type.
pub mod keeper_service {
    /// `keywords.KeeperService/Keep`.
    pub struct Keep<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::KeeperService> ::polywire::generated::Unary for Keep<Impl> {
        type Service = Impl;
        type Request = super::plain;
        type Response = super::plain;
        const NAME: &'static str = "Keep";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::KeeperService::keep(service, cx, request)
        }
    }
}

/// Calls `keywords.KeeperService` over a channel.
#[derive(Clone)]
pub struct KeeperServiceClient {
    channel: ::polywire::Channel,
}

impl KeeperServiceClient {
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

    /// Method `Keep`.
    #[inline]
    pub fn keep(&self, request: plain) -> ::polywire::Call<plain> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.KeeperService", "Keep").at(0), request)
    }
}

/// Service `keywords.Keeper`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.Keeper`",
    note = "write `impl Keeper for {Self}` with its methods: `keep`"
)]
pub trait Keeper: Send + Sync + 'static {
    /// Method `Keep`.
    fn keep(
        &self,
        cx: &::polywire::Context,
        request: plain,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<plain>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.Keeper", DESCRIPTOR_SET)
            .unary::<keeper::Keep<Self>>(&service)
    }
}

/// The methods of [`Keeper`], each as a type.
pub mod keeper {
    /// `keywords.Keeper/Keep`.
    pub struct Keep<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Keeper> ::polywire::generated::Unary for Keep<Impl> {
        type Service = Impl;
        type Request = super::plain;
        type Response = super::plain;
        const NAME: &'static str = "Keep";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Keeper::keep(service, cx, request)
        }
    }
}

/// Calls `keywords.Keeper` over a channel.
#[derive(Clone)]
pub struct KeeperClient {
    channel: ::polywire::Channel,
}

impl KeeperClient {
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

    /// Method `Keep`.
    #[inline]
    pub fn keep(&self, request: plain) -> ::polywire::Call<plain> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.Keeper", "Keep").at(0), request)
    }
}

/// Service `keywords.Warden`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.Warden`",
    note = "write `impl Warden for {Self}` with its methods: `guard`"
)]
pub trait Warden: Send + Sync + 'static {
    /// Method `Guard`.
    fn guard(
        &self,
        cx: &::polywire::Context,
        request: plain,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<plain>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.Warden", DESCRIPTOR_SET)
            .unary::<warden::Guard<Self>>(&service)
    }
}

/// The methods of [`Warden`], each as a type.
pub mod warden {
    /// `keywords.Warden/Guard`.
    pub struct Guard<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Warden> ::polywire::generated::Unary for Guard<Impl> {
        type Service = Impl;
        type Request = super::plain;
        type Response = super::plain;
        const NAME: &'static str = "Guard";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Warden::guard(service, cx, request)
        }
    }
}

/// Calls `keywords.Warden` over a channel.
#[derive(Clone)]
pub struct WardenClient_ {
    channel: ::polywire::Channel,
}

impl WardenClient_ {
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

    /// Method `Guard`.
    #[inline]
    pub fn guard(&self, request: plain) -> ::polywire::Call<plain> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.Warden", "Guard").at(0), request)
    }
}
