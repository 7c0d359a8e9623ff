// Made by polywire-build from envoy/extensions/clusters/aggregate/v3/cluster.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct ClusterConfig {
    /// Field 1: `clusters`
    pub clusters: ::std::vec::Vec<::std::string::String>,
}
impl ::std::fmt::Debug for ClusterConfig {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ClusterConfig").field("clusters", &self.clusters).finish()
    }
}
impl ClusterConfig {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig";
}
impl crate::generated::FieldMessage for ClusterConfig {}
crate::generated::buffa::impl_default_instance!(ClusterConfig);
impl crate::generated::buffa::MessageName for ClusterConfig {
    const PACKAGE: &'static str = "envoy.extensions.clusters.aggregate.v3";
    const NAME: &'static str = "ClusterConfig";
    const FULL_NAME: &'static str = "envoy.extensions.clusters.aggregate.v3.ClusterConfig";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig";
}
impl crate::generated::buffa::Message for ClusterConfig {
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
        for v in &self.clusters {
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
        for v in &self.clusters {
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
                self.clusters.push(__elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.clusters.clear();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.extensions.clusters.aggregate.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(ClusterConfig, "envoy.extensions.clusters.aggregate.v3.ClusterConfig", POOL, buffers { each clusters; });
