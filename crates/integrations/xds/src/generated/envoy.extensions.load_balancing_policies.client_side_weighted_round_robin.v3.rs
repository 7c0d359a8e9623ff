// Made by polywire-build from envoy/extensions/load_balancing_policies/client_side_weighted_round_robin/v3/client_side_weighted_round_robin.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct ClientSideWeightedRoundRobin {
    /// Field 1: `enable_oob_load_report`
    pub enable_oob_load_report: crate::MessageField<crate::wkt::BoolValue>,
    /// Field 2: `oob_reporting_period`
    pub oob_reporting_period: crate::MessageField<crate::wkt::Duration>,
    /// Field 3: `blackout_period`
    pub blackout_period: crate::MessageField<crate::wkt::Duration>,
    /// Field 4: `weight_expiration_period`
    pub weight_expiration_period: crate::MessageField<crate::wkt::Duration>,
    /// Field 5: `weight_update_period`
    pub weight_update_period: crate::MessageField<crate::wkt::Duration>,
    /// Field 6: `error_utilization_penalty`
    pub error_utilization_penalty: crate::MessageField<crate::wkt::FloatValue>,
}
impl ::std::fmt::Debug for ClientSideWeightedRoundRobin {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ClientSideWeightedRoundRobin")
            .field("enable_oob_load_report", &self.enable_oob_load_report)
            .field("oob_reporting_period", &self.oob_reporting_period)
            .field("blackout_period", &self.blackout_period)
            .field("weight_expiration_period", &self.weight_expiration_period)
            .field("weight_update_period", &self.weight_update_period)
            .field("error_utilization_penalty", &self.error_utilization_penalty)
            .finish()
    }
}
impl ClientSideWeightedRoundRobin {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin";
}
impl crate::generated::FieldMessage for ClientSideWeightedRoundRobin {}
crate::generated::buffa::impl_default_instance!(ClientSideWeightedRoundRobin);
impl crate::generated::buffa::MessageName for ClientSideWeightedRoundRobin {
    const PACKAGE: &'static str = "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3";
    const NAME: &'static str = "ClientSideWeightedRoundRobin";
    const FULL_NAME: &'static str = "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin";
}
impl crate::generated::buffa::Message for ClientSideWeightedRoundRobin {
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
        if self.enable_oob_load_report.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.enable_oob_load_report.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.oob_reporting_period.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.oob_reporting_period.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.blackout_period.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.blackout_period.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.weight_expiration_period.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.weight_expiration_period.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.weight_update_period.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.weight_update_period.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.error_utilization_penalty.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.error_utilization_penalty.compute_size(__cache);
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
        if self.enable_oob_load_report.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.enable_oob_load_report.write_to(__cache, buf);
        }
        if self.oob_reporting_period.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.oob_reporting_period.write_to(__cache, buf);
        }
        if self.blackout_period.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.blackout_period.write_to(__cache, buf);
        }
        if self.weight_expiration_period.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.weight_expiration_period.write_to(__cache, buf);
        }
        if self.weight_update_period.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                5u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.weight_update_period.write_to(__cache, buf);
        }
        if self.error_utilization_penalty.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                6u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.error_utilization_penalty.write_to(__cache, buf);
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
                    self.enable_oob_load_report.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.oob_reporting_period.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.blackout_period.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.weight_expiration_period.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.weight_update_period.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.error_utilization_penalty.get_or_insert_default(),
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
        self.enable_oob_load_report = crate::MessageField::none();
        self.oob_reporting_period = crate::MessageField::none();
        self.blackout_period = crate::MessageField::none();
        self.weight_expiration_period = crate::MessageField::none();
        self.weight_update_period = crate::MessageField::none();
        self.error_utilization_penalty = crate::MessageField::none();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(ClientSideWeightedRoundRobin, "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin", POOL);
