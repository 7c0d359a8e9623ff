// Made by polywire-build from shapes.proto; changes are lost.

/// A drawing
/// on two lines.
#[derive(Clone, PartialEq, Default)]
pub struct Drawing {
    /// Its name.
    ///
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `shapes`
    pub shapes: ::std::vec::Vec<drawing::Shape>,
    /// Field 3: `colours`
    pub colours: ::polywire::Map<
        ::std::string::String,
        super::super::common::Colour,
    >,
    /// Field 4: `when`
    pub when: ::polywire::MessageField<::polywire::wkt::Timestamp>,
    /// Field 5: `version`
    pub version: ::std::option::Option<i32>,
    /// Field 6: `thumbnail`
    pub thumbnail: ::std::vec::Vec<u8>,
    /// Field 7: `state`
    pub state: ::polywire::EnumValue<drawing::State>,
    /// Field 8: `type`
    pub r#type: ::std::string::String,
}
impl ::std::fmt::Debug for Drawing {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Drawing")
            .field("name", &self.name)
            .field("shapes", &self.shapes)
            .field("colours", &self.colours)
            .field("when", &self.when)
            .field("version", &self.version)
            .field("thumbnail", &self.thumbnail)
            .field("state", &self.state)
            .field("type", &self.r#type)
            .finish()
    }
}
impl Drawing {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/shapes.v1.Drawing";
}
impl Drawing {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::version`] to `Some(value)`, consuming and returning `self`.
    pub fn with_version(mut self, value: i32) -> Self {
        self.version = Some(value);
        self
    }
}
impl ::polywire::generated::FieldMessage for Drawing {}
::polywire::generated::buffa::impl_default_instance!(Drawing);
impl ::polywire::generated::buffa::MessageName for Drawing {
    const PACKAGE: &'static str = "shapes.v1";
    const NAME: &'static str = "Drawing";
    const FULL_NAME: &'static str = "shapes.v1.Drawing";
    const TYPE_URL: &'static str = "type.googleapis.com/shapes.v1.Drawing";
}
impl ::polywire::generated::buffa::Message for Drawing {
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
        for v in &self.shapes {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        size
            += ::polywire::generated::buffa::map_codec::message_field_len::<
                ::polywire::generated::buffa::map_codec::Str,
                _,
                _,
            >(&self.colours, 1u64, __cache);
        if self.when.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.when.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + ::polywire::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if let Some(v) = self.version {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(v) as u64;
        }
        if !self.thumbnail.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::bytes_encoded_len(&self.thumbnail) as u64;
        }
        {
            let val = self.state.to_i32();
            if val != 0 {
                size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(val) as u64;
            }
        }
        if !self.r#type.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.r#type) as u64;
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
        for v in &self.shapes {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        ::polywire::generated::buffa::map_codec::write_message_field::<
            ::polywire::generated::buffa::map_codec::Str,
            _,
            _,
        >(&self.colours, 3u32, __cache, buf);
        if self.when.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.when.write_to(__cache, buf);
        }
        if let Some(v) = self.version {
            ::polywire::generated::buffa::types::put_int32_field(5u32, v, buf);
        }
        if !self.thumbnail.is_empty() {
            ::polywire::generated::buffa::types::put_shared_bytes_field(6u32, &self.thumbnail, buf);
        }
        {
            let val = self.state.to_i32();
            if val != 0 {
                ::polywire::generated::buffa::types::put_int32_field(7u32, val, buf);
            }
        }
        if !self.r#type.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(8u32, &self.r#type, buf);
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    ::polywire::generated::buffa::__private::element_footprint(&elem),
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.shapes.push(elem);
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
                >(&mut self.colours, buf, ctx)?;
            }
            4u32 => {
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
            5u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.version = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int32(buf)?,
                );
            }
            6u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_bytes(&mut self.thumbnail, buf)?;
            }
            7u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.state = ::polywire::EnumValue::from(
                    ::polywire::generated::buffa::types::decode_int32(buf)?,
                );
            }
            8u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.r#type, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.shapes.clear();
        ::polywire::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.colours);
        self.when = ::polywire::MessageField::none();
        self.version = ::std::option::Option::None;
        self.thumbnail.clear();
        self.state = ::polywire::EnumValue::from(0);
        self.r#type.clear();
    }
}
pub mod drawing {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum State {
        STATE_UNSPECIFIED = 0i32,
        STATE_DONE = 1i32,
    }
    impl State {
        ///Idiomatic alias for [`Self::STATE_UNSPECIFIED`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Unspecified: Self = Self::STATE_UNSPECIFIED;
        ///Idiomatic alias for [`Self::STATE_DONE`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Done: Self = Self::STATE_DONE;
    }
    impl ::std::default::Default for State {
        fn default() -> Self {
            Self::STATE_UNSPECIFIED
        }
    }
    impl ::polywire::generated::FieldEnum for State {}
    impl ::polywire::generated::buffa::Enumeration for State {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::STATE_UNSPECIFIED),
                1i32 => ::std::option::Option::Some(Self::STATE_DONE),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::STATE_UNSPECIFIED => "STATE_UNSPECIFIED",
                Self::STATE_DONE => "STATE_DONE",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "STATE_UNSPECIFIED" => {
                    ::std::option::Option::Some(Self::STATE_UNSPECIFIED)
                }
                "STATE_DONE" => ::std::option::Option::Some(Self::STATE_DONE),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[Self::STATE_UNSPECIFIED, Self::STATE_DONE]
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct Shape {
        pub kind: ::std::option::Option<super::__buffa::oneof::drawing::shape::Kind>,
    }
    impl ::std::fmt::Debug for Shape {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Shape").field("kind", &self.kind).finish()
        }
    }
    impl Shape {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/shapes.v1.Drawing.Shape";
    }
    impl ::polywire::generated::FieldMessage for Shape {}
    ::polywire::generated::buffa::impl_default_instance!(Shape);
    impl ::polywire::generated::buffa::MessageName for Shape {
        const PACKAGE: &'static str = "shapes.v1";
        const NAME: &'static str = "Drawing.Shape";
        const FULL_NAME: &'static str = "shapes.v1.Drawing.Shape";
        const TYPE_URL: &'static str = "type.googleapis.com/shapes.v1.Drawing.Shape";
    }
    impl ::polywire::generated::buffa::Message for Shape {
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
            if let ::std::option::Option::Some(ref v) = self.kind {
                match v {
                    super::__buffa::oneof::drawing::shape::Kind::Circle(_x) => {
                        size += 1u64 + ::polywire::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
                    }
                    super::__buffa::oneof::drawing::shape::Kind::Square(x) => {
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
            if let ::std::option::Option::Some(ref v) = self.kind {
                match v {
                    super::__buffa::oneof::drawing::shape::Kind::Circle(x) => {
                        ::polywire::generated::buffa::types::put_double_field(1u32, *x, buf);
                    }
                    super::__buffa::oneof::drawing::shape::Kind::Square(x) => {
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
                        ::polywire::generated::buffa::encoding::WireType::Fixed64,
                    )?;
                    self.kind = ::std::option::Option::Some(
                        super::__buffa::oneof::drawing::shape::Kind::Circle(
                            ::polywire::generated::buffa::types::decode_double(buf)?,
                        ),
                    );
                }
                2u32 => {
                    ::polywire::generated::buffa::encoding::check_wire_type(
                        tag,
                        ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    if let ::std::option::Option::Some(
                        super::__buffa::oneof::drawing::shape::Kind::Square(
                            ref mut existing,
                        ),
                    ) = self.kind
                    {
                        ::polywire::generated::buffa::Message::merge_length_delimited(
                            &mut **existing,
                            buf,
                            ctx,
                        )?;
                    } else {
                        let mut val = ::std::default::Default::default();
                        ::polywire::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                        self.kind = ::std::option::Option::Some(
                            super::__buffa::oneof::drawing::shape::Kind::Square(
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
            self.kind = ::std::option::Option::None;
        }
    }
    pub mod shape {
        #[allow(unused_imports)]
        use super::*;
        #[derive(Clone, PartialEq, Default)]
        pub struct Square {
            /// Field 1: `side`
            pub side: f64,
        }
        impl ::std::fmt::Debug for Square {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct("Square").field("side", &self.side).finish()
            }
        }
        impl Square {
            /// Protobuf type URL for this message, for use with `Any::pack` and
            /// `Any::unpack_if`.
            ///
            /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
            pub const TYPE_URL: &'static str = "type.googleapis.com/shapes.v1.Drawing.Shape.Square";
        }
        impl ::polywire::generated::FieldMessage for Square {}
        ::polywire::generated::buffa::impl_default_instance!(Square);
        impl ::polywire::generated::buffa::MessageName for Square {
            const PACKAGE: &'static str = "shapes.v1";
            const NAME: &'static str = "Drawing.Shape.Square";
            const FULL_NAME: &'static str = "shapes.v1.Drawing.Shape.Square";
            const TYPE_URL: &'static str = "type.googleapis.com/shapes.v1.Drawing.Shape.Square";
        }
        impl ::polywire::generated::buffa::Message for Square {
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
                if self.side.to_bits() != 0u64 {
                    size += 1u64 + ::polywire::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
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
                if self.side.to_bits() != 0u64 {
                    ::polywire::generated::buffa::types::put_double_field(1u32, self.side, buf);
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
                            ::polywire::generated::buffa::encoding::WireType::Fixed64,
                        )?;
                        self.side = ::polywire::generated::buffa::types::decode_double(buf)?;
                    }
                    _ => {
                        ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                    }
                }
                ::std::result::Result::Ok(())
            }
            fn clear(&mut self) {
                self.side = 0f64;
            }
        }
        #[doc(inline)]
        pub use super::super::__buffa::oneof::drawing::shape::Kind;
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
        pub mod drawing {
            #[allow(unused_imports)]
            use super::*;
            pub mod shape {
                #[allow(unused_imports)]
                use super::*;
                #[derive(Clone, PartialEq, Debug)]
                pub enum Kind {
                    Circle(f64),
                    Square(
                        ::std::boxed::Box<
                            super::super::super::super::drawing::shape::Square,
                        >,
                    ),
                }
                impl ::polywire::generated::buffa::Oneof for Kind {}
                impl From<super::super::super::super::drawing::shape::Square> for Kind {
                    fn from(
                        v: super::super::super::super::drawing::shape::Square,
                    ) -> Self {
                        Self::Square(::std::boxed::Box::new(v))
                    }
                }
                impl From<super::super::super::super::drawing::shape::Square>
                for ::std::option::Option<Kind> {
                    fn from(
                        v: super::super::super::super::drawing::shape::Square,
                    ) -> Self {
                        Self::Some(Kind::from(v))
                    }
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("shapes.v1.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Drawing, "shapes.v1.Drawing", POOL, buffers { one name; one thumbnail; one r#type; });
::polywire::generated::message!(drawing::Shape, "shapes.v1.Drawing.Shape", POOL);
::polywire::generated::message!(drawing::shape::Square, "shapes.v1.Drawing.Shape.Square", POOL);

/// Draws.
///
/// Service `shapes.v1.Draw`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `shapes.v1.Draw`",
    note = "write `impl Draw for {Self}` with its methods: `get`, `r#type`, `self_`, `watch`, `upload`"
)]
pub trait Draw: Send + Sync + 'static {
    /// Looks one up.
    ///
    /// Method `Get`.
    fn get(
        &self,
        cx: &::polywire::Context,
        request: ::polywire::wkt::Empty,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Drawing>, ::polywire::Status>> + Send;

    /// `type` is a keyword, and so is the method.
    ///
    /// Method `Type`.
    fn r#type(
        &self,
        cx: &::polywire::Context,
        request: Drawing,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<super::super::common::Colour>, ::polywire::Status>> + Send;

    /// Method `Self`.
    fn self_(
        &self,
        cx: &::polywire::Context,
        request: drawing::Shape,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<drawing::shape::Square>, ::polywire::Status>> + Send;

    /// Sends every change.
    ///
    /// Method `Watch`, which answers with a stream. To be written as
    /// `async fn watch(…) -> Result<impl Stream<Item = Result<Drawing, Status>>, Status>`.
    fn watch(
        &self,
        cx: &::polywire::Context,
        request: Drawing,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<Drawing, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// Method `Upload`, which takes a stream.
    fn upload(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<Drawing>,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<::polywire::wkt::Empty>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("shapes.v1.Draw", DESCRIPTOR_SET)
            .unary::<draw::Get<Self>>(&service)
            .unary::<draw::Type<Self>>(&service)
            .unary::<draw::Self_<Self>>(&service)
            .server_streaming::<draw::Watch<Self>>(&service)
            .client_streaming::<draw::Upload<Self>>(&service)
    }
}

/// The methods of [`Draw`], each as a type.
pub mod draw {
    /// `shapes.v1.Draw/Get`.
    pub struct Get<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Draw> ::polywire::generated::Unary for Get<Impl> {
        type Service = Impl;
        type Request = ::polywire::wkt::Empty;
        type Response = super::Drawing;
        const NAME: &'static str = "Get";
        const NO_SIDE_EFFECTS: bool = true;

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Draw::get(service, cx, request)
        }
    }

    /// `shapes.v1.Draw/Type`.
    pub struct Type<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Draw> ::polywire::generated::Unary for Type<Impl> {
        type Service = Impl;
        type Request = super::Drawing;
        type Response = super::super::super::common::Colour;
        const NAME: &'static str = "Type";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Draw::r#type(service, cx, request)
        }
    }

    /// `shapes.v1.Draw/Self`.
    pub struct Self_<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Draw> ::polywire::generated::Unary for Self_<Impl> {
        type Service = Impl;
        type Request = super::drawing::Shape;
        type Response = super::drawing::shape::Square;
        const NAME: &'static str = "Self";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Draw::self_(service, cx, request)
        }
    }

    /// `shapes.v1.Draw/Watch`.
    pub struct Watch<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Draw> ::polywire::generated::ServerStreaming for Watch<Impl> {
        type Service = Impl;
        type Request = super::Drawing;
        type Response = super::Drawing;
        const NAME: &'static str = "Watch";

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
            super::Draw::watch(service, cx, request)
        }
    }

    /// `shapes.v1.Draw/Upload`.
    pub struct Upload<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Draw> ::polywire::generated::ClientStreaming for Upload<Impl> {
        type Service = Impl;
        type Request = super::Drawing;
        type Response = ::polywire::wkt::Empty;
        const NAME: &'static str = "Upload";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            incoming: ::polywire::Streaming<Self::Request>,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Draw::upload(service, cx, incoming)
        }
    }
}

/// Draws.
///
/// Calls `shapes.v1.Draw` over a channel.
#[derive(Clone)]
pub struct DrawClient {
    channel: ::polywire::Channel,
}

impl DrawClient {
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

    /// Looks one up.
    ///
    /// Method `Get`.
    #[inline]
    pub fn get(&self, request: ::polywire::wkt::Empty) -> ::polywire::Call<Drawing> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("shapes.v1.Draw", "Get").at(0).idempotent(), request)
    }

    /// `type` is a keyword, and so is the method.
    ///
    /// Method `Type`.
    #[inline]
    pub fn r#type(&self, request: Drawing) -> ::polywire::Call<super::super::common::Colour> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("shapes.v1.Draw", "Type").at(1), request)
    }

    /// Method `Self`.
    #[inline]
    pub fn self_(&self, request: drawing::Shape) -> ::polywire::Call<drawing::shape::Square> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("shapes.v1.Draw", "Self").at(2), request)
    }

    /// Sends every change.
    ///
    /// Method `Watch`: awaited, it is the stream of its answers.
    #[inline]
    pub fn watch(&self, request: Drawing) -> ::polywire::StreamingCall<::polywire::Streaming<Drawing>> {
        ::polywire::generated::server_streaming(&self.channel, ::polywire::Target::fixed("shapes.v1.Draw", "Watch").at(3), request)
    }

    /// Method `Upload`: awaited, it takes messages; `finish` gets the reply.
    #[inline]
    pub fn upload(&self) -> ::polywire::StreamingCall<::polywire::Upload<Drawing, ::polywire::wkt::Empty>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("shapes.v1.Draw", "Upload").at(4))
    }
}

/// Nothing to call.
///
/// Service `shapes.v1.Nothing`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `shapes.v1.Nothing`",
    note = "write `impl Nothing for {Self}` with its methods: none"
)]
pub trait Nothing: Send + Sync + 'static {
    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        ::polywire::Service::new("shapes.v1.Nothing", DESCRIPTOR_SET)
    }
}

/// The methods of [`Nothing`], each as a type.
pub mod nothing {
}

/// Nothing to call.
///
/// Calls `shapes.v1.Nothing` over a channel.
#[derive(Clone)]
pub struct NothingClient {
    channel: ::polywire::Channel,
}

impl NothingClient {
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
}
