// Made by polywire-build from envoy/extensions/load_balancing_policies/wrr_locality/v3/wrr_locality.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct WrrLocality {
    /// Field 1: `endpoint_picking_policy`
    pub endpoint_picking_policy: crate::MessageField<super::super::super::super::config::cluster::v3::LoadBalancingPolicy>,
}
impl ::std::fmt::Debug for WrrLocality {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("WrrLocality")
            .field("endpoint_picking_policy", &self.endpoint_picking_policy)
            .finish()
    }
}
impl WrrLocality {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality";
}
impl crate::generated::FieldMessage for WrrLocality {}
crate::generated::buffa::impl_default_instance!(WrrLocality);
impl crate::generated::buffa::MessageName for WrrLocality {
    const PACKAGE: &'static str = "envoy.extensions.load_balancing_policies.wrr_locality.v3";
    const NAME: &'static str = "WrrLocality";
    const FULL_NAME: &'static str = "envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality";
}
impl crate::generated::buffa::Message for WrrLocality {
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
        if self.endpoint_picking_policy.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.endpoint_picking_policy.compute_size(__cache);
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
        if self.endpoint_picking_policy.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.endpoint_picking_policy.write_to(__cache, buf);
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
                crate::generated::buffa::Message::merge_length_delimited(
                    self.endpoint_picking_policy.get_or_insert_default(),
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
        self.endpoint_picking_policy = crate::MessageField::none();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.extensions.load_balancing_policies.wrr_locality.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(WrrLocality, "envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality", POOL, buffers { one endpoint_picking_policy; });
