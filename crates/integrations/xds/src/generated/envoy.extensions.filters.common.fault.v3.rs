// Made by polywire-build from envoy/extensions/filters/common/fault/v3/fault.proto; changes are lost.

/// One of the first two is there.
#[derive(Clone, PartialEq, Default)]
pub struct FaultDelay {
    /// Field 3: `fixed_delay`
    pub fixed_delay: crate::MessageField<crate::wkt::Duration>,
    /// Field 5: `header_delay`
    pub header_delay: crate::MessageField<fault_delay::HeaderDelay>,
    /// Field 4: `percentage`
    pub percentage: crate::MessageField<super::super::super::super::super::r#type::v3::FractionalPercent>,
}
impl ::std::fmt::Debug for FaultDelay {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("FaultDelay")
            .field("fixed_delay", &self.fixed_delay)
            .field("header_delay", &self.header_delay)
            .field("percentage", &self.percentage)
            .finish()
    }
}
impl FaultDelay {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.common.fault.v3.FaultDelay";
}
impl crate::generated::FieldMessage for FaultDelay {}
crate::generated::buffa::impl_default_instance!(FaultDelay);
impl crate::generated::buffa::MessageName for FaultDelay {
    const PACKAGE: &'static str = "envoy.extensions.filters.common.fault.v3";
    const NAME: &'static str = "FaultDelay";
    const FULL_NAME: &'static str = "envoy.extensions.filters.common.fault.v3.FaultDelay";
    const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.common.fault.v3.FaultDelay";
}
impl crate::generated::buffa::Message for FaultDelay {
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
        if self.fixed_delay.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.fixed_delay.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.percentage.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.percentage.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.header_delay.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.header_delay.compute_size(__cache);
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
        if self.fixed_delay.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.fixed_delay.write_to(__cache, buf);
        }
        if self.percentage.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.percentage.write_to(__cache, buf);
        }
        if self.header_delay.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                5u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.header_delay.write_to(__cache, buf);
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
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.fixed_delay.get_or_insert_default(),
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
                    self.percentage.get_or_insert_default(),
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
                    self.header_delay.get_or_insert_default(),
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
        self.fixed_delay = crate::MessageField::none();
        self.percentage = crate::MessageField::none();
        self.header_delay = crate::MessageField::none();
    }
}
pub mod fault_delay {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct HeaderDelay {}
    impl ::std::fmt::Debug for HeaderDelay {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("HeaderDelay").finish()
        }
    }
    impl HeaderDelay {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.common.fault.v3.FaultDelay.HeaderDelay";
    }
    impl crate::generated::FieldMessage for HeaderDelay {}
    crate::generated::buffa::impl_default_instance!(HeaderDelay);
    impl crate::generated::buffa::MessageName for HeaderDelay {
        const PACKAGE: &'static str = "envoy.extensions.filters.common.fault.v3";
        const NAME: &'static str = "FaultDelay.HeaderDelay";
        const FULL_NAME: &'static str = "envoy.extensions.filters.common.fault.v3.FaultDelay.HeaderDelay";
        const TYPE_URL: &'static str = "type.googleapis.com/envoy.extensions.filters.common.fault.v3.FaultDelay.HeaderDelay";
    }
    impl crate::generated::buffa::Message for HeaderDelay {
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
            let size = 0u64;
            crate::generated::buffa::saturate_size(size)
        }
        fn write_to(
            &self,
            _cache: &mut crate::generated::buffa::SizeCache,
            _buf: &mut impl crate::generated::buffa::EncodeSink,
        ) {
            #[allow(unused_imports)]
            use crate::generated::buffa::Enumeration as _;
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
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {}
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("envoy.extensions.filters.common.fault.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(FaultDelay, "envoy.extensions.filters.common.fault.v3.FaultDelay", POOL);
crate::generated::message!(fault_delay::HeaderDelay, "envoy.extensions.filters.common.fault.v3.FaultDelay.HeaderDelay", POOL);
