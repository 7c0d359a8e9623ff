// Made by polywire-build from edition_next.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct Later {
    /// Field 1: `number`
    pub number: i32,
    /// Field 2: `name`
    pub name: ::std::option::Option<::std::string::String>,
    /// Field 3: `kind`
    pub kind: ::polywire::EnumValue<later::Kind>,
}
impl ::std::fmt::Debug for Later {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Later")
            .field("number", &self.number)
            .field("name", &self.name)
            .field("kind", &self.kind)
            .finish()
    }
}
impl Later {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/edition.next.Later";
}
impl Later {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::name`] to `Some(value)`, consuming and returning `self`.
    pub fn with_name(
        mut self,
        value: impl Into<::std::string::String>,
    ) -> Self {
        self.name = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for Later {}
::polywire::generated::buffa::impl_default_instance!(Later);
impl ::polywire::generated::buffa::MessageName for Later {
    const PACKAGE: &'static str = "edition.next";
    const NAME: &'static str = "Later";
    const FULL_NAME: &'static str = "edition.next.Later";
    const TYPE_URL: &'static str = "type.googleapis.com/edition.next.Later";
}
impl ::polywire::generated::buffa::Message for Later {
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
        if self.number != 0i32 {
            size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(self.number) as u64;
        }
        if let Some(ref v) = self.name {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
        }
        {
            let val = self.kind.to_i32();
            if val != 0 {
                size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(val) as u64;
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
        if self.number != 0i32 {
            ::polywire::generated::buffa::types::put_int32_field(1u32, self.number, buf);
        }
        if let Some(ref v) = self.name {
            ::polywire::generated::buffa::types::put_string_field(2u32, v, buf);
        }
        {
            let val = self.kind.to_i32();
            if val != 0 {
                ::polywire::generated::buffa::types::put_int32_field(3u32, val, buf);
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
                self.number = ::polywire::generated::buffa::types::decode_int32(buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(
                    self.name.get_or_insert_with(::std::string::String::new),
                    buf,
                )?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.kind = ::polywire::EnumValue::from(::polywire::generated::buffa::types::decode_int32(buf)?);
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.number = 0i32;
        self.name = ::std::option::Option::None;
        self.kind = ::polywire::EnumValue::from(0);
    }
}
pub mod later {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum Kind {
        KIND_UNSPECIFIED = 0i32,
        KIND_SOME = 1i32,
    }
    impl Kind {
        ///Idiomatic alias for [`Self::KIND_UNSPECIFIED`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Unspecified: Self = Self::KIND_UNSPECIFIED;
        ///Idiomatic alias for [`Self::KIND_SOME`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Some: Self = Self::KIND_SOME;
    }
    impl ::std::default::Default for Kind {
        fn default() -> Self {
            Self::KIND_UNSPECIFIED
        }
    }
    impl ::polywire::generated::FieldEnum for Kind {}
    impl ::polywire::generated::buffa::Enumeration for Kind {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::KIND_UNSPECIFIED),
                1i32 => ::std::option::Option::Some(Self::KIND_SOME),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::KIND_UNSPECIFIED => "KIND_UNSPECIFIED",
                Self::KIND_SOME => "KIND_SOME",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "KIND_UNSPECIFIED" => {
                    ::std::option::Option::Some(Self::KIND_UNSPECIFIED)
                }
                "KIND_SOME" => ::std::option::Option::Some(Self::KIND_SOME),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[Self::KIND_UNSPECIFIED, Self::KIND_SOME]
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("edition.next.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Later, "edition.next.Later", POOL, buffers { one name; });
