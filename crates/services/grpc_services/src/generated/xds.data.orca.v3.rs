// Made by polywire-build from xds/data/orca/v3/orca_load_report.proto; changes are lost.

/// How loaded a server is. Numbers that are not known are 0.
#[derive(Clone, PartialEq, Default)]
pub struct OrcaLoadReport {
    /// 1 is the whole processor; may be above.
    ///
    /// Field 1: `cpu_utilization`
    pub cpu_utilization: f64,
    /// From 0 to 1.
    ///
    /// Field 2: `mem_utilization`
    pub mem_utilization: f64,
    /// Older clients read this in place of rps_fractional.
    ///
    /// Field 3: `rps`
    pub rps: u64,
    /// What a call has cost, by the names that the application gives.
    ///
    /// Field 4: `request_cost`
    pub request_cost: crate::Map<::std::string::String, f64>,
    /// Utilization of other things, by name, from 0 to 1.
    ///
    /// Field 5: `utilization`
    pub utilization: crate::Map<::std::string::String, f64>,
    /// Queries per second.
    ///
    /// Field 6: `rps_fractional`
    pub rps_fractional: f64,
    /// Errors per second.
    ///
    /// Field 7: `eps`
    pub eps: f64,
    /// Field 8: `named_metrics`
    pub named_metrics: crate::Map<::std::string::String, f64>,
    /// What the application says of itself. Above 0 it counts in place of cpu_utilization.
    ///
    /// Field 9: `application_utilization`
    pub application_utilization: f64,
}
impl ::std::fmt::Debug for OrcaLoadReport {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("OrcaLoadReport")
            .field("cpu_utilization", &self.cpu_utilization)
            .field("mem_utilization", &self.mem_utilization)
            .field("rps", &self.rps)
            .field("request_cost", &self.request_cost)
            .field("utilization", &self.utilization)
            .field("rps_fractional", &self.rps_fractional)
            .field("eps", &self.eps)
            .field("named_metrics", &self.named_metrics)
            .field("application_utilization", &self.application_utilization)
            .finish()
    }
}
impl OrcaLoadReport {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/xds.data.orca.v3.OrcaLoadReport";
}
impl crate::generated::FieldMessage for OrcaLoadReport {}
crate::generated::buffa::impl_default_instance!(OrcaLoadReport);
impl crate::generated::buffa::MessageName for OrcaLoadReport {
    const PACKAGE: &'static str = "xds.data.orca.v3";
    const NAME: &'static str = "OrcaLoadReport";
    const FULL_NAME: &'static str = "xds.data.orca.v3.OrcaLoadReport";
    const TYPE_URL: &'static str = "type.googleapis.com/xds.data.orca.v3.OrcaLoadReport";
}
impl crate::generated::buffa::Message for OrcaLoadReport {
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
        if self.cpu_utilization.to_bits() != 0u64 {
            size += 1u64 + crate::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
        }
        if self.mem_utilization.to_bits() != 0u64 {
            size += 1u64 + crate::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
        }
        if self.rps != 0u64 {
            size += 1u64 + crate::generated::buffa::types::uint64_encoded_len(self.rps) as u64;
        }
        size
            += crate::generated::buffa::map_codec::field_len::<
                crate::generated::buffa::map_codec::Str,
                crate::generated::buffa::map_codec::Double,
                _,
            >(&self.request_cost, 1u64);
        size
            += crate::generated::buffa::map_codec::field_len::<
                crate::generated::buffa::map_codec::Str,
                crate::generated::buffa::map_codec::Double,
                _,
            >(&self.utilization, 1u64);
        if self.rps_fractional.to_bits() != 0u64 {
            size += 1u64 + crate::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
        }
        if self.eps.to_bits() != 0u64 {
            size += 1u64 + crate::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
        }
        size
            += crate::generated::buffa::map_codec::field_len::<
                crate::generated::buffa::map_codec::Str,
                crate::generated::buffa::map_codec::Double,
                _,
            >(&self.named_metrics, 1u64);
        if self.application_utilization.to_bits() != 0u64 {
            size += 1u64 + crate::generated::buffa::types::FIXED64_ENCODED_LEN as u64;
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
        if self.cpu_utilization.to_bits() != 0u64 {
            crate::generated::buffa::types::put_double_field(1u32, self.cpu_utilization, buf);
        }
        if self.mem_utilization.to_bits() != 0u64 {
            crate::generated::buffa::types::put_double_field(2u32, self.mem_utilization, buf);
        }
        if self.rps != 0u64 {
            crate::generated::buffa::types::put_uint64_field(3u32, self.rps, buf);
        }
        crate::generated::buffa::map_codec::write_field::<
            crate::generated::buffa::map_codec::Str,
            crate::generated::buffa::map_codec::Double,
            _,
        >(&self.request_cost, 4u32, buf);
        crate::generated::buffa::map_codec::write_field::<
            crate::generated::buffa::map_codec::Str,
            crate::generated::buffa::map_codec::Double,
            _,
        >(&self.utilization, 5u32, buf);
        if self.rps_fractional.to_bits() != 0u64 {
            crate::generated::buffa::types::put_double_field(6u32, self.rps_fractional, buf);
        }
        if self.eps.to_bits() != 0u64 {
            crate::generated::buffa::types::put_double_field(7u32, self.eps, buf);
        }
        crate::generated::buffa::map_codec::write_field::<
            crate::generated::buffa::map_codec::Str,
            crate::generated::buffa::map_codec::Double,
            _,
        >(&self.named_metrics, 8u32, buf);
        if self.application_utilization.to_bits() != 0u64 {
            crate::generated::buffa::types::put_double_field(9u32, self.application_utilization, buf);
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
                    crate::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.cpu_utilization = crate::generated::buffa::types::decode_double(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.mem_utilization = crate::generated::buffa::types::decode_double(buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.rps = crate::generated::buffa::types::decode_uint64(buf)?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::map_codec::merge_entry::<
                    crate::generated::buffa::map_codec::Str,
                    crate::generated::buffa::map_codec::Double,
                    _,
                >(&mut self.request_cost, buf, ctx)?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::map_codec::merge_entry::<
                    crate::generated::buffa::map_codec::Str,
                    crate::generated::buffa::map_codec::Double,
                    _,
                >(&mut self.utilization, buf, ctx)?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.rps_fractional = crate::generated::buffa::types::decode_double(buf)?;
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.eps = crate::generated::buffa::types::decode_double(buf)?;
            }
            8u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::map_codec::merge_entry::<
                    crate::generated::buffa::map_codec::Str,
                    crate::generated::buffa::map_codec::Double,
                    _,
                >(&mut self.named_metrics, buf, ctx)?;
            }
            9u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Fixed64,
                )?;
                self.application_utilization = crate::generated::buffa::types::decode_double(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.cpu_utilization = 0f64;
        self.mem_utilization = 0f64;
        self.rps = 0u64;
        crate::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.request_cost);
        crate::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.utilization);
        self.rps_fractional = 0f64;
        self.eps = 0f64;
        crate::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.named_metrics);
        self.application_utilization = 0f64;
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("xds.data.orca.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(OrcaLoadReport, "xds.data.orca.v3.OrcaLoadReport", POOL);
