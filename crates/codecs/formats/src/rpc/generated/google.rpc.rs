// Made by polywire-build from google/rpc/error_details.proto, google/rpc/status.proto; changes are lost.

/// The cause, for programs: `reason` within `domain` says what went wrong.
#[derive(Clone, PartialEq, Default)]
pub struct ErrorInfo {
    /// A constant of at most 63 characters, such as `API_DISABLED`.
    ///
    /// Field 1: `reason`
    pub reason: ::std::string::String,
    /// The service or product that `reason` belongs to, such as `pubsub.googleapis.com`.
    ///
    /// Field 2: `domain`
    pub domain: ::std::string::String,
    /// What the error is about, by name.
    ///
    /// Field 3: `metadata`
    pub metadata: crate::Map<
        ::std::string::String,
        ::std::string::String,
    >,
}
impl ::std::fmt::Debug for ErrorInfo {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ErrorInfo")
            .field("reason", &self.reason)
            .field("domain", &self.domain)
            .field("metadata", &self.metadata)
            .finish()
    }
}
impl ErrorInfo {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.ErrorInfo";
}
impl crate::generated::FieldMessage for ErrorInfo {}
crate::generated::buffa::impl_default_instance!(ErrorInfo);
impl crate::generated::buffa::MessageName for ErrorInfo {
    const PACKAGE: &'static str = "google.rpc";
    const NAME: &'static str = "ErrorInfo";
    const FULL_NAME: &'static str = "google.rpc.ErrorInfo";
    const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.ErrorInfo";
}
impl crate::generated::buffa::Message for ErrorInfo {
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
        if !self.reason.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.reason) as u64;
        }
        if !self.domain.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.domain) as u64;
        }
        size
            += crate::generated::buffa::map_codec::field_len::<
                crate::generated::buffa::map_codec::Str,
                crate::generated::buffa::map_codec::Str,
                _,
            >(&self.metadata, 1u64);
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if !self.reason.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.reason, buf);
        }
        if !self.domain.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.domain, buf);
        }
        crate::generated::buffa::map_codec::write_field::<
            crate::generated::buffa::map_codec::Str,
            crate::generated::buffa::map_codec::Str,
            _,
        >(&self.metadata, 3u32, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.reason, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.domain, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::map_codec::merge_entry::<
                    crate::generated::buffa::map_codec::Str,
                    crate::generated::buffa::map_codec::Str,
                    _,
                >(&mut self.metadata, buf, ctx)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.reason.clear();
        self.domain.clear();
        crate::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.metadata);
    }
}
/// When another try makes sense.
#[derive(Clone, PartialEq, Default)]
pub struct RetryInfo {
    /// How long to wait before the next try, at least.
    ///
    /// Field 1: `retry_delay`
    pub retry_delay: crate::MessageField<crate::wkt::Duration>,
}
impl ::std::fmt::Debug for RetryInfo {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RetryInfo").field("retry_delay", &self.retry_delay).finish()
    }
}
impl RetryInfo {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.RetryInfo";
}
impl crate::generated::FieldMessage for RetryInfo {}
crate::generated::buffa::impl_default_instance!(RetryInfo);
impl crate::generated::buffa::MessageName for RetryInfo {
    const PACKAGE: &'static str = "google.rpc";
    const NAME: &'static str = "RetryInfo";
    const FULL_NAME: &'static str = "google.rpc.RetryInfo";
    const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.RetryInfo";
}
impl crate::generated::buffa::Message for RetryInfo {
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
        if self.retry_delay.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.retry_delay.compute_size(__cache);
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
        if self.retry_delay.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.retry_delay.write_to(__cache, buf);
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
                    self.retry_delay.get_or_insert_default(),
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
        self.retry_delay = crate::MessageField::none();
    }
}
/// For debugging.
#[derive(Clone, PartialEq, Default)]
pub struct DebugInfo {
    /// Where the error came from, one line per call.
    ///
    /// Field 1: `stack_entries`
    pub stack_entries: ::std::vec::Vec<::std::string::String>,
    /// What the server has to say beside it.
    ///
    /// Field 2: `detail`
    pub detail: ::std::string::String,
}
impl ::std::fmt::Debug for DebugInfo {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("DebugInfo")
            .field("stack_entries", &self.stack_entries)
            .field("detail", &self.detail)
            .finish()
    }
}
impl DebugInfo {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.DebugInfo";
}
impl crate::generated::FieldMessage for DebugInfo {}
crate::generated::buffa::impl_default_instance!(DebugInfo);
impl crate::generated::buffa::MessageName for DebugInfo {
    const PACKAGE: &'static str = "google.rpc";
    const NAME: &'static str = "DebugInfo";
    const FULL_NAME: &'static str = "google.rpc.DebugInfo";
    const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.DebugInfo";
}
impl crate::generated::buffa::Message for DebugInfo {
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
        for v in &self.stack_entries {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(v) as u64;
        }
        if !self.detail.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.detail) as u64;
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
        for v in &self.stack_entries {
            crate::generated::buffa::types::put_string_field(1u32, v, buf);
        }
        if !self.detail.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.detail, buf);
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
                self.stack_entries.push(__elem);
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.detail, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.stack_entries.clear();
        self.detail.clear();
    }
}
/// Quotas that were exceeded.
#[derive(Clone, PartialEq, Default)]
pub struct QuotaFailure {
    /// Each quota that was exceeded.
    ///
    /// Field 1: `violations`
    pub violations: ::std::vec::Vec<quota_failure::Violation>,
}
impl ::std::fmt::Debug for QuotaFailure {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("QuotaFailure").field("violations", &self.violations).finish()
    }
}
impl QuotaFailure {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.QuotaFailure";
}
impl crate::generated::FieldMessage for QuotaFailure {}
crate::generated::buffa::impl_default_instance!(QuotaFailure);
impl crate::generated::buffa::MessageName for QuotaFailure {
    const PACKAGE: &'static str = "google.rpc";
    const NAME: &'static str = "QuotaFailure";
    const FULL_NAME: &'static str = "google.rpc.QuotaFailure";
    const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.QuotaFailure";
}
impl crate::generated::buffa::Message for QuotaFailure {
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
        for v in &self.violations {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
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
        for v in &self.violations {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.violations.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.violations.clear();
    }
}
pub mod quota_failure {
    #[allow(unused_imports)]
    use super::*;
    /// One quota that was exceeded.
    #[derive(Clone, PartialEq, Default)]
    pub struct Violation {
        /// What the quota is for, such as `clientip:<address>`.
        ///
        /// Field 1: `subject`
        pub subject: ::std::string::String,
        /// How it was exceeded, in words.
        ///
        /// Field 2: `description`
        pub description: ::std::string::String,
        /// The service that the quota belongs to.
        ///
        /// Field 3: `api_service`
        pub api_service: ::std::string::String,
        /// What the quota counts.
        ///
        /// Field 4: `quota_metric`
        pub quota_metric: ::std::string::String,
        /// The name of the quota.
        ///
        /// Field 5: `quota_id`
        pub quota_id: ::std::string::String,
        /// Further dimensions of the quota, such as the region.
        ///
        /// Field 6: `quota_dimensions`
        pub quota_dimensions: crate::Map<
            ::std::string::String,
            ::std::string::String,
        >,
        /// The limit that was exceeded.
        ///
        /// Field 7: `quota_value`
        pub quota_value: i64,
        /// The limit that is about to take effect.
        ///
        /// Field 8: `future_quota_value`
        pub future_quota_value: ::std::option::Option<i64>,
    }
    impl ::std::fmt::Debug for Violation {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Violation")
                .field("subject", &self.subject)
                .field("description", &self.description)
                .field("api_service", &self.api_service)
                .field("quota_metric", &self.quota_metric)
                .field("quota_id", &self.quota_id)
                .field("quota_dimensions", &self.quota_dimensions)
                .field("quota_value", &self.quota_value)
                .field("future_quota_value", &self.future_quota_value)
                .finish()
        }
    }
    impl Violation {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.QuotaFailure.Violation";
    }
    impl Violation {
        #[must_use = "with_* setters return `self` by value; assign or chain the result"]
        #[inline]
        ///Sets [`Self::future_quota_value`] to `Some(value)`, consuming and returning `self`.
        pub fn with_future_quota_value(mut self, value: i64) -> Self {
            self.future_quota_value = Some(value);
            self
        }
    }
    impl crate::generated::FieldMessage for Violation {}
    crate::generated::buffa::impl_default_instance!(Violation);
    impl crate::generated::buffa::MessageName for Violation {
        const PACKAGE: &'static str = "google.rpc";
        const NAME: &'static str = "QuotaFailure.Violation";
        const FULL_NAME: &'static str = "google.rpc.QuotaFailure.Violation";
        const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.QuotaFailure.Violation";
    }
    impl crate::generated::buffa::Message for Violation {
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
            if !self.subject.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.subject) as u64;
            }
            if !self.description.is_empty() {
                size
                    += 1u64
                        + crate::generated::buffa::types::string_encoded_len(&self.description) as u64;
            }
            if !self.api_service.is_empty() {
                size
                    += 1u64
                        + crate::generated::buffa::types::string_encoded_len(&self.api_service) as u64;
            }
            if !self.quota_metric.is_empty() {
                size
                    += 1u64
                        + crate::generated::buffa::types::string_encoded_len(&self.quota_metric) as u64;
            }
            if !self.quota_id.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.quota_id) as u64;
            }
            size
                += crate::generated::buffa::map_codec::field_len::<
                    crate::generated::buffa::map_codec::Str,
                    crate::generated::buffa::map_codec::Str,
                    _,
                >(&self.quota_dimensions, 1u64);
            if self.quota_value != 0i64 {
                size
                    += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.quota_value) as u64;
            }
            if let Some(v) = self.future_quota_value {
                size += 1u64 + crate::generated::buffa::types::int64_encoded_len(v) as u64;
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
            if !self.subject.is_empty() {
                crate::generated::buffa::types::put_string_field(1u32, &self.subject, buf);
            }
            if !self.description.is_empty() {
                crate::generated::buffa::types::put_string_field(2u32, &self.description, buf);
            }
            if !self.api_service.is_empty() {
                crate::generated::buffa::types::put_string_field(3u32, &self.api_service, buf);
            }
            if !self.quota_metric.is_empty() {
                crate::generated::buffa::types::put_string_field(4u32, &self.quota_metric, buf);
            }
            if !self.quota_id.is_empty() {
                crate::generated::buffa::types::put_string_field(5u32, &self.quota_id, buf);
            }
            crate::generated::buffa::map_codec::write_field::<
                crate::generated::buffa::map_codec::Str,
                crate::generated::buffa::map_codec::Str,
                _,
            >(&self.quota_dimensions, 6u32, buf);
            if self.quota_value != 0i64 {
                crate::generated::buffa::types::put_int64_field(7u32, self.quota_value, buf);
            }
            if let Some(v) = self.future_quota_value {
                crate::generated::buffa::types::put_int64_field(8u32, v, buf);
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
                    crate::generated::buffa::types::merge_string(&mut self.subject, buf)?;
                }
                2u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.description, buf)?;
                }
                3u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.api_service, buf)?;
                }
                4u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.quota_metric, buf)?;
                }
                5u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.quota_id, buf)?;
                }
                6u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::map_codec::merge_entry::<
                        crate::generated::buffa::map_codec::Str,
                        crate::generated::buffa::map_codec::Str,
                        _,
                    >(&mut self.quota_dimensions, buf, ctx)?;
                }
                7u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::Varint,
                    )?;
                    self.quota_value = crate::generated::buffa::types::decode_int64(buf)?;
                }
                8u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::Varint,
                    )?;
                    self.future_quota_value = ::std::option::Option::Some(
                        crate::generated::buffa::types::decode_int64(buf)?,
                    );
                }
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.subject.clear();
            self.description.clear();
            self.api_service.clear();
            self.quota_metric.clear();
            self.quota_id.clear();
            crate::generated::buffa::map_codec::MapStorage::storage_clear(&mut self.quota_dimensions);
            self.quota_value = 0i64;
            self.future_quota_value = ::std::option::Option::None;
        }
    }
}
/// Conditions that do not hold.
#[derive(Clone, PartialEq, Default)]
pub struct PreconditionFailure {
    /// Each condition that does not hold.
    ///
    /// Field 1: `violations`
    pub violations: ::std::vec::Vec<precondition_failure::Violation>,
}
impl ::std::fmt::Debug for PreconditionFailure {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("PreconditionFailure")
            .field("violations", &self.violations)
            .finish()
    }
}
impl PreconditionFailure {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.PreconditionFailure";
}
impl crate::generated::FieldMessage for PreconditionFailure {}
crate::generated::buffa::impl_default_instance!(PreconditionFailure);
impl crate::generated::buffa::MessageName for PreconditionFailure {
    const PACKAGE: &'static str = "google.rpc";
    const NAME: &'static str = "PreconditionFailure";
    const FULL_NAME: &'static str = "google.rpc.PreconditionFailure";
    const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.PreconditionFailure";
}
impl crate::generated::buffa::Message for PreconditionFailure {
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
        for v in &self.violations {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
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
        for v in &self.violations {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.violations.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.violations.clear();
    }
}
pub mod precondition_failure {
    #[allow(unused_imports)]
    use super::*;
    /// One condition.
    #[derive(Clone, PartialEq, Default)]
    pub struct Violation {
        /// A constant of the service's own, such as `TOS`.
        ///
        /// Field 1: `type`
        pub r#type: ::std::string::String,
        /// What it is about.
        ///
        /// Field 2: `subject`
        pub subject: ::std::string::String,
        /// How it failed, in words.
        ///
        /// Field 3: `description`
        pub description: ::std::string::String,
    }
    impl ::std::fmt::Debug for Violation {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Violation")
                .field("type", &self.r#type)
                .field("subject", &self.subject)
                .field("description", &self.description)
                .finish()
        }
    }
    impl Violation {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.PreconditionFailure.Violation";
    }
    impl crate::generated::FieldMessage for Violation {}
    crate::generated::buffa::impl_default_instance!(Violation);
    impl crate::generated::buffa::MessageName for Violation {
        const PACKAGE: &'static str = "google.rpc";
        const NAME: &'static str = "PreconditionFailure.Violation";
        const FULL_NAME: &'static str = "google.rpc.PreconditionFailure.Violation";
        const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.PreconditionFailure.Violation";
    }
    impl crate::generated::buffa::Message for Violation {
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
            if !self.r#type.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.r#type) as u64;
            }
            if !self.subject.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.subject) as u64;
            }
            if !self.description.is_empty() {
                size
                    += 1u64
                        + crate::generated::buffa::types::string_encoded_len(&self.description) as u64;
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
            if !self.r#type.is_empty() {
                crate::generated::buffa::types::put_string_field(1u32, &self.r#type, buf);
            }
            if !self.subject.is_empty() {
                crate::generated::buffa::types::put_string_field(2u32, &self.subject, buf);
            }
            if !self.description.is_empty() {
                crate::generated::buffa::types::put_string_field(3u32, &self.description, buf);
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
                    crate::generated::buffa::types::merge_string(&mut self.r#type, buf)?;
                }
                2u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.subject, buf)?;
                }
                3u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.description, buf)?;
                }
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.r#type.clear();
            self.subject.clear();
            self.description.clear();
        }
    }
}
/// Fields of the request that are wrong.
#[derive(Clone, PartialEq, Default)]
pub struct BadRequest {
    /// Each field that is wrong.
    ///
    /// Field 1: `field_violations`
    pub field_violations: ::std::vec::Vec<bad_request::FieldViolation>,
}
impl ::std::fmt::Debug for BadRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("BadRequest")
            .field("field_violations", &self.field_violations)
            .finish()
    }
}
impl BadRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.BadRequest";
}
impl crate::generated::FieldMessage for BadRequest {}
crate::generated::buffa::impl_default_instance!(BadRequest);
impl crate::generated::buffa::MessageName for BadRequest {
    const PACKAGE: &'static str = "google.rpc";
    const NAME: &'static str = "BadRequest";
    const FULL_NAME: &'static str = "google.rpc.BadRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.BadRequest";
}
impl crate::generated::buffa::Message for BadRequest {
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
        for v in &self.field_violations {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
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
        for v in &self.field_violations {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.field_violations.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.field_violations.clear();
    }
}
pub mod bad_request {
    #[allow(unused_imports)]
    use super::*;
    /// One field that is wrong.
    #[derive(Clone, PartialEq, Default)]
    pub struct FieldViolation {
        /// Its path, such as `items[2].title`.
        ///
        /// Field 1: `field`
        pub field: ::std::string::String,
        /// What is wrong with it.
        ///
        /// Field 2: `description`
        pub description: ::std::string::String,
        /// A constant that says the same to programs.
        ///
        /// Field 3: `reason`
        pub reason: ::std::string::String,
        /// The description, in the user's language.
        ///
        /// Field 4: `localized_message`
        pub localized_message: crate::MessageField<super::LocalizedMessage>,
    }
    impl ::std::fmt::Debug for FieldViolation {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("FieldViolation")
                .field("field", &self.field)
                .field("description", &self.description)
                .field("reason", &self.reason)
                .field("localized_message", &self.localized_message)
                .finish()
        }
    }
    impl FieldViolation {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.BadRequest.FieldViolation";
    }
    impl crate::generated::FieldMessage for FieldViolation {}
    crate::generated::buffa::impl_default_instance!(FieldViolation);
    impl crate::generated::buffa::MessageName for FieldViolation {
        const PACKAGE: &'static str = "google.rpc";
        const NAME: &'static str = "BadRequest.FieldViolation";
        const FULL_NAME: &'static str = "google.rpc.BadRequest.FieldViolation";
        const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.BadRequest.FieldViolation";
    }
    impl crate::generated::buffa::Message for FieldViolation {
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
            if !self.field.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.field) as u64;
            }
            if !self.description.is_empty() {
                size
                    += 1u64
                        + crate::generated::buffa::types::string_encoded_len(&self.description) as u64;
            }
            if !self.reason.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.reason) as u64;
            }
            if self.localized_message.is_set() {
                let __slot = __cache.reserve();
                let inner_size = self.localized_message.compute_size(__cache);
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
            if !self.field.is_empty() {
                crate::generated::buffa::types::put_string_field(1u32, &self.field, buf);
            }
            if !self.description.is_empty() {
                crate::generated::buffa::types::put_string_field(2u32, &self.description, buf);
            }
            if !self.reason.is_empty() {
                crate::generated::buffa::types::put_string_field(3u32, &self.reason, buf);
            }
            if self.localized_message.is_set() {
                crate::generated::buffa::types::put_len_delimited_header(
                    4u32,
                    u64::from(__cache.consume_next()),
                    buf,
                );
                self.localized_message.write_to(__cache, buf);
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
                    crate::generated::buffa::types::merge_string(&mut self.field, buf)?;
                }
                2u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.description, buf)?;
                }
                3u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.reason, buf)?;
                }
                4u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::Message::merge_length_delimited(
                        self.localized_message.get_or_insert_default(),
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
            self.field.clear();
            self.description.clear();
            self.reason.clear();
            self.localized_message = crate::MessageField::none();
        }
    }
}
/// What finds the request in a server's logs.
#[derive(Clone, PartialEq, Default)]
pub struct RequestInfo {
    /// An opaque name of the request, which the server knows.
    ///
    /// Field 1: `request_id`
    pub request_id: ::std::string::String,
    /// Further data for the server's operators.
    ///
    /// Field 2: `serving_data`
    pub serving_data: ::std::string::String,
}
impl ::std::fmt::Debug for RequestInfo {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RequestInfo")
            .field("request_id", &self.request_id)
            .field("serving_data", &self.serving_data)
            .finish()
    }
}
impl RequestInfo {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.RequestInfo";
}
impl crate::generated::FieldMessage for RequestInfo {}
crate::generated::buffa::impl_default_instance!(RequestInfo);
impl crate::generated::buffa::MessageName for RequestInfo {
    const PACKAGE: &'static str = "google.rpc";
    const NAME: &'static str = "RequestInfo";
    const FULL_NAME: &'static str = "google.rpc.RequestInfo";
    const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.RequestInfo";
}
impl crate::generated::buffa::Message for RequestInfo {
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
        if !self.request_id.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.request_id) as u64;
        }
        if !self.serving_data.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.serving_data) as u64;
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
        if !self.request_id.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.request_id, buf);
        }
        if !self.serving_data.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.serving_data, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.request_id, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.serving_data, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.request_id.clear();
        self.serving_data.clear();
    }
}
/// What was accessed.
#[derive(Clone, PartialEq, Default)]
pub struct ResourceInfo {
    /// Its kind, or the name of its message.
    ///
    /// Field 1: `resource_type`
    pub resource_type: ::std::string::String,
    /// Its name.
    ///
    /// Field 2: `resource_name`
    pub resource_name: ::std::string::String,
    /// Who owns it.
    ///
    /// Field 3: `owner`
    pub owner: ::std::string::String,
    /// What went wrong with it.
    ///
    /// Field 4: `description`
    pub description: ::std::string::String,
}
impl ::std::fmt::Debug for ResourceInfo {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ResourceInfo")
            .field("resource_type", &self.resource_type)
            .field("resource_name", &self.resource_name)
            .field("owner", &self.owner)
            .field("description", &self.description)
            .finish()
    }
}
impl ResourceInfo {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.ResourceInfo";
}
impl crate::generated::FieldMessage for ResourceInfo {}
crate::generated::buffa::impl_default_instance!(ResourceInfo);
impl crate::generated::buffa::MessageName for ResourceInfo {
    const PACKAGE: &'static str = "google.rpc";
    const NAME: &'static str = "ResourceInfo";
    const FULL_NAME: &'static str = "google.rpc.ResourceInfo";
    const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.ResourceInfo";
}
impl crate::generated::buffa::Message for ResourceInfo {
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
        if !self.resource_type.is_empty() {
            size
                += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.resource_type) as u64;
        }
        if !self.resource_name.is_empty() {
            size
                += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.resource_name) as u64;
        }
        if !self.owner.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.owner) as u64;
        }
        if !self.description.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.description) as u64;
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
        if !self.resource_type.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.resource_type, buf);
        }
        if !self.resource_name.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.resource_name, buf);
        }
        if !self.owner.is_empty() {
            crate::generated::buffa::types::put_string_field(3u32, &self.owner, buf);
        }
        if !self.description.is_empty() {
            crate::generated::buffa::types::put_string_field(4u32, &self.description, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.resource_type, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.resource_name, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.owner, buf)?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.description, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.resource_type.clear();
        self.resource_name.clear();
        self.owner.clear();
        self.description.clear();
    }
}
/// Where to read more.
#[derive(Clone, PartialEq, Default)]
pub struct Help {
    /// Each page.
    ///
    /// Field 1: `links`
    pub links: ::std::vec::Vec<help::Link>,
}
impl ::std::fmt::Debug for Help {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Help").field("links", &self.links).finish()
    }
}
impl Help {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.Help";
}
impl crate::generated::FieldMessage for Help {}
crate::generated::buffa::impl_default_instance!(Help);
impl crate::generated::buffa::MessageName for Help {
    const PACKAGE: &'static str = "google.rpc";
    const NAME: &'static str = "Help";
    const FULL_NAME: &'static str = "google.rpc.Help";
    const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.Help";
}
impl crate::generated::buffa::Message for Help {
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
        for v in &self.links {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
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
        for v in &self.links {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
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
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.links.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.links.clear();
    }
}
pub mod help {
    #[allow(unused_imports)]
    use super::*;
    /// One page.
    #[derive(Clone, PartialEq, Default)]
    pub struct Link {
        /// What it is about.
        ///
        /// Field 1: `description`
        pub description: ::std::string::String,
        /// Its address.
        ///
        /// Field 2: `url`
        pub url: ::std::string::String,
    }
    impl ::std::fmt::Debug for Link {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Link")
                .field("description", &self.description)
                .field("url", &self.url)
                .finish()
        }
    }
    impl Link {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.Help.Link";
    }
    impl crate::generated::FieldMessage for Link {}
    crate::generated::buffa::impl_default_instance!(Link);
    impl crate::generated::buffa::MessageName for Link {
        const PACKAGE: &'static str = "google.rpc";
        const NAME: &'static str = "Help.Link";
        const FULL_NAME: &'static str = "google.rpc.Help.Link";
        const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.Help.Link";
    }
    impl crate::generated::buffa::Message for Link {
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
            if !self.description.is_empty() {
                size
                    += 1u64
                        + crate::generated::buffa::types::string_encoded_len(&self.description) as u64;
            }
            if !self.url.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.url) as u64;
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
            if !self.description.is_empty() {
                crate::generated::buffa::types::put_string_field(1u32, &self.description, buf);
            }
            if !self.url.is_empty() {
                crate::generated::buffa::types::put_string_field(2u32, &self.url, buf);
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
                    crate::generated::buffa::types::merge_string(&mut self.description, buf)?;
                }
                2u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::LengthDelimited,
                    )?;
                    crate::generated::buffa::types::merge_string(&mut self.url, buf)?;
                }
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.description.clear();
            self.url.clear();
        }
    }
}
/// A text for users.
#[derive(Clone, PartialEq, Default)]
pub struct LocalizedMessage {
    /// The language, such as `de-CH`.
    ///
    /// Field 1: `locale`
    pub locale: ::std::string::String,
    /// The text.
    ///
    /// Field 2: `message`
    pub message: ::std::string::String,
}
impl ::std::fmt::Debug for LocalizedMessage {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("LocalizedMessage")
            .field("locale", &self.locale)
            .field("message", &self.message)
            .finish()
    }
}
impl LocalizedMessage {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.LocalizedMessage";
}
impl crate::generated::FieldMessage for LocalizedMessage {}
crate::generated::buffa::impl_default_instance!(LocalizedMessage);
impl crate::generated::buffa::MessageName for LocalizedMessage {
    const PACKAGE: &'static str = "google.rpc";
    const NAME: &'static str = "LocalizedMessage";
    const FULL_NAME: &'static str = "google.rpc.LocalizedMessage";
    const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.LocalizedMessage";
}
impl crate::generated::buffa::Message for LocalizedMessage {
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
        if !self.locale.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.locale) as u64;
        }
        if !self.message.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.message) as u64;
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
        if !self.locale.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.locale, buf);
        }
        if !self.message.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.message, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.locale, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.message, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.locale.clear();
        self.message.clear();
    }
}
/// How a call ended, with details: what travels in `grpc-status-details-bin`.
#[derive(Clone, PartialEq, Default)]
pub struct Status {
    /// A number of `Code`.
    ///
    /// Field 1: `code`
    pub code: i32,
    /// For developers, in English.
    ///
    /// Field 2: `message`
    pub message: ::std::string::String,
    /// Messages that say more, such as those of this module.
    ///
    /// Field 3: `details`
    pub details: ::std::vec::Vec<crate::wkt::Any>,
}
impl ::std::fmt::Debug for Status {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Status")
            .field("code", &self.code)
            .field("message", &self.message)
            .field("details", &self.details)
            .finish()
    }
}
impl Status {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.Status";
}
impl crate::generated::FieldMessage for Status {}
crate::generated::buffa::impl_default_instance!(Status);
impl crate::generated::buffa::MessageName for Status {
    const PACKAGE: &'static str = "google.rpc";
    const NAME: &'static str = "Status";
    const FULL_NAME: &'static str = "google.rpc.Status";
    const TYPE_URL: &'static str = "type.googleapis.com/google.rpc.Status";
}
impl crate::generated::buffa::Message for Status {
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
        if self.code != 0i32 {
            size += 1u64 + crate::generated::buffa::types::int32_encoded_len(self.code) as u64;
        }
        if !self.message.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.message) as u64;
        }
        for v in &self.details {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
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
        if self.code != 0i32 {
            crate::generated::buffa::types::put_int32_field(1u32, self.code, buf);
        }
        if !self.message.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.message, buf);
        }
        for v in &self.details {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
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
                self.code = crate::generated::buffa::types::decode_int32(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.message, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.details.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.code = 0i32;
        self.message.clear();
        self.details.clear();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("google.rpc.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(ErrorInfo, "google.rpc.ErrorInfo", POOL, buffers { one reason; one domain; });
crate::generated::message!(RetryInfo, "google.rpc.RetryInfo", POOL);
crate::generated::message!(DebugInfo, "google.rpc.DebugInfo", POOL, buffers { each stack_entries; one detail; });
crate::generated::message!(QuotaFailure, "google.rpc.QuotaFailure", POOL, buffers { each violations; });
crate::generated::message!(quota_failure::Violation, "google.rpc.QuotaFailure.Violation", POOL, buffers { one subject; one description; one api_service; one quota_metric; one quota_id; });
crate::generated::message!(PreconditionFailure, "google.rpc.PreconditionFailure", POOL, buffers { each violations; });
crate::generated::message!(precondition_failure::Violation, "google.rpc.PreconditionFailure.Violation", POOL, buffers { one r#type; one subject; one description; });
crate::generated::message!(BadRequest, "google.rpc.BadRequest", POOL, buffers { each field_violations; });
crate::generated::message!(bad_request::FieldViolation, "google.rpc.BadRequest.FieldViolation", POOL, buffers { one field; one description; one reason; one localized_message; });
crate::generated::message!(RequestInfo, "google.rpc.RequestInfo", POOL, buffers { one request_id; one serving_data; });
crate::generated::message!(ResourceInfo, "google.rpc.ResourceInfo", POOL, buffers { one resource_type; one resource_name; one owner; one description; });
crate::generated::message!(Help, "google.rpc.Help", POOL, buffers { each links; });
crate::generated::message!(help::Link, "google.rpc.Help.Link", POOL, buffers { one description; one url; });
crate::generated::message!(LocalizedMessage, "google.rpc.LocalizedMessage", POOL, buffers { one locale; one message; });
crate::generated::message!(Status, "google.rpc.Status", POOL, buffers { one message; });
