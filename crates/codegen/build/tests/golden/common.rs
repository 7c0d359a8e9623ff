// Made by polywire-build from common.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct Colour {
    /// Field 1: `rgb`
    pub rgb: u32,
    /// Field 2: `under`
    pub under: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
}
impl ::std::fmt::Debug for Colour {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Colour")
            .field("rgb", &self.rgb)
            .field("under", &self.under)
            .finish()
    }
}
impl Colour {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/common.Colour";
}
impl ::polywire::generated::FieldMessage for Colour {}
::polywire::generated::buffa::impl_default_instance!(Colour);
impl ::polywire::generated::buffa::MessageName for Colour {
    const PACKAGE: &'static str = "common";
    const NAME: &'static str = "Colour";
    const FULL_NAME: &'static str = "common.Colour";
    const TYPE_URL: &'static str = "type.googleapis.com/common.Colour";
}
impl ::polywire::generated::buffa::Message for Colour {
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
        size += 1u64 + ::polywire::generated::buffa::types::uint32_encoded_len(self.rgb) as u64;
        if self.under.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.under.compute_size(__cache);
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
        ::polywire::generated::buffa::types::put_uint32_field(1u32, self.rgb, buf);
        if self.under.is_set() {
            ::polywire::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.under.write_to(__cache, buf);
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
                self.rgb = ::polywire::generated::buffa::types::decode_uint32(buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::Message::merge_length_delimited(
                    self.under.get_or_insert_default(),
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
        self.rgb = 0u32;
        self.under = ::polywire::MessageField::none();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("common.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Colour, "common.Colour", POOL);
