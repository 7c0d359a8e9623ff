// Made by polywire-build from envoy/extensions/load_balancing_policies/pick_first/v3/pick_first.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct PickFirst {
    /// Field 1: `shuffle_address_list`
    pub shuffle_address_list: bool,
}
impl ::std::fmt::Debug for PickFirst {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("PickFirst")
            .field("shuffle_address_list", &self.shuffle_address_list)
            .finish()
    }
}
impl PickFirst {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.load_balancing_policies.pick_first.v3.PickFirst";
}
impl crate::generated::FieldMessage for PickFirst {}
crate::generated::buffa::impl_default_instance!(PickFirst);
impl crate::generated::buffa::MessageName for PickFirst {
    const PACKAGE: &'static str = "envoy.extensions.load_balancing_policies.pick_first.v3";
    const NAME: &'static str = "PickFirst";
    const FULL_NAME: &'static str = "envoy.extensions.load_balancing_policies.pick_first.v3.PickFirst";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.load_balancing_policies.pick_first.v3.PickFirst";
}
impl crate::generated::buffa::Message for PickFirst {
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
        if self.shuffle_address_list {
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
        if self.shuffle_address_list {
            crate::generated::buffa::types::put_bool_field(1u32, self.shuffle_address_list, buf);
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
                self.shuffle_address_list = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.shuffle_address_list = false;
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.extensions.load_balancing_policies.pick_first.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(PickFirst, "envoy.extensions.load_balancing_policies.pick_first.v3.PickFirst", POOL);
