// Made by polywire-build from envoy/extensions/load_balancing_policies/least_request/v3/least_request.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct LeastRequest {
    /// Field 1: `choice_count`
    pub choice_count: crate::MessageField<crate::wkt::UInt32Value>,
}
impl ::std::fmt::Debug for LeastRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("LeastRequest").field("choice_count", &self.choice_count).finish()
    }
}
impl LeastRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest";
}
impl crate::generated::FieldMessage for LeastRequest {}
crate::generated::buffa::impl_default_instance!(LeastRequest);
impl crate::generated::buffa::MessageName for LeastRequest {
    const PACKAGE: &'static str = "envoy.extensions.load_balancing_policies.least_request.v3";
    const NAME: &'static str = "LeastRequest";
    const FULL_NAME: &'static str = "envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest";
}
impl crate::generated::buffa::Message for LeastRequest {
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
        if self.choice_count.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.choice_count.compute_size(__cache);
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
        if self.choice_count.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.choice_count.write_to(__cache, buf);
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
                    self.choice_count.get_or_insert_default(),
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
        self.choice_count = crate::MessageField::none();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.extensions.load_balancing_policies.least_request.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(LeastRequest, "envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest", POOL);
