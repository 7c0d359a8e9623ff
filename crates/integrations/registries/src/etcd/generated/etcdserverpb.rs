// Made by polywire-build from etcd.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct ResponseHeader {
    /// Field 1: `cluster_id`
    pub cluster_id: u64,
    /// Of the store, when the answer was made.
    ///
    /// Field 3: `revision`
    pub revision: i64,
}
impl ::std::fmt::Debug for ResponseHeader {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ResponseHeader")
            .field("cluster_id", &self.cluster_id)
            .field("revision", &self.revision)
            .finish()
    }
}
impl ResponseHeader {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.ResponseHeader";
}
impl crate::generated::FieldMessage for ResponseHeader {}
crate::generated::buffa::impl_default_instance!(ResponseHeader);
impl crate::generated::buffa::MessageName for ResponseHeader {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "ResponseHeader";
    const FULL_NAME: &'static str = "etcdserverpb.ResponseHeader";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.ResponseHeader";
}
impl crate::generated::buffa::Message for ResponseHeader {
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
        if self.cluster_id != 0u64 {
            size += 1u64 + crate::generated::buffa::types::uint64_encoded_len(self.cluster_id) as u64;
        }
        if self.revision != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.revision) as u64;
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
        if self.cluster_id != 0u64 {
            crate::generated::buffa::types::put_uint64_field(1u32, self.cluster_id, buf);
        }
        if self.revision != 0i64 {
            crate::generated::buffa::types::put_int64_field(3u32, self.revision, buf);
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
                self.cluster_id = crate::generated::buffa::types::decode_uint64(buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.revision = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.cluster_id = 0u64;
        self.revision = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct KeyValue {
    /// Field 1: `key`
    pub key: ::std::vec::Vec<u8>,
    /// The revision of its last change.
    ///
    /// Field 3: `mod_revision`
    pub mod_revision: i64,
    /// Field 5: `value`
    pub value: ::std::vec::Vec<u8>,
    /// Field 6: `lease`
    pub lease: i64,
}
impl ::std::fmt::Debug for KeyValue {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("KeyValue")
            .field("key", &self.key)
            .field("mod_revision", &self.mod_revision)
            .field("value", &self.value)
            .field("lease", &self.lease)
            .finish()
    }
}
impl KeyValue {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.KeyValue";
}
impl crate::generated::FieldMessage for KeyValue {}
crate::generated::buffa::impl_default_instance!(KeyValue);
impl crate::generated::buffa::MessageName for KeyValue {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "KeyValue";
    const FULL_NAME: &'static str = "etcdserverpb.KeyValue";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.KeyValue";
}
impl crate::generated::buffa::Message for KeyValue {
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
        if !self.key.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.key) as u64;
        }
        if self.mod_revision != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.mod_revision) as u64;
        }
        if !self.value.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.value) as u64;
        }
        if self.lease != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.lease) as u64;
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
        if !self.key.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(1u32, &self.key, buf);
        }
        if self.mod_revision != 0i64 {
            crate::generated::buffa::types::put_int64_field(3u32, self.mod_revision, buf);
        }
        if !self.value.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(5u32, &self.value, buf);
        }
        if self.lease != 0i64 {
            crate::generated::buffa::types::put_int64_field(6u32, self.lease, buf);
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
                crate::generated::buffa::types::merge_bytes(&mut self.key, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.mod_revision = crate::generated::buffa::types::decode_int64(buf)?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_bytes(&mut self.value, buf)?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.lease = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.key.clear();
        self.mod_revision = 0i64;
        self.value.clear();
        self.lease = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Event {
    /// Field 1: `type`
    pub r#type: crate::EnumValue<event::EventType>,
    /// Field 2: `kv`
    pub kv: crate::MessageField<KeyValue>,
}
impl ::std::fmt::Debug for Event {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Event")
            .field("type", &self.r#type)
            .field("kv", &self.kv)
            .finish()
    }
}
impl Event {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.Event";
}
impl crate::generated::FieldMessage for Event {}
crate::generated::buffa::impl_default_instance!(Event);
impl crate::generated::buffa::MessageName for Event {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "Event";
    const FULL_NAME: &'static str = "etcdserverpb.Event";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.Event";
}
impl crate::generated::buffa::Message for Event {
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
        {
            let val = self.r#type.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
            }
        }
        if self.kv.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.kv.compute_size(__cache);
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
        {
            let val = self.r#type.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(1u32, val, buf);
            }
        }
        if self.kv.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.kv.write_to(__cache, buf);
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
                self.r#type = crate::EnumValue::from(
                    crate::generated::buffa::types::decode_int32(buf)?,
                );
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.kv.get_or_insert_default(),
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
        self.r#type = crate::EnumValue::from(0);
        self.kv = crate::MessageField::none();
    }
}
pub mod event {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum EventType {
        PUT = 0i32,
        DELETE = 1i32,
    }
    impl EventType {
        ///Idiomatic alias for [`Self::PUT`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Put: Self = Self::PUT;
        ///Idiomatic alias for [`Self::DELETE`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Delete: Self = Self::DELETE;
    }
    impl ::std::default::Default for EventType {
        fn default() -> Self {
            Self::PUT
        }
    }
    impl crate::generated::FieldEnum for EventType {}
    impl crate::generated::buffa::Enumeration for EventType {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::PUT),
                1i32 => ::std::option::Option::Some(Self::DELETE),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::PUT => "PUT",
                Self::DELETE => "DELETE",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "PUT" => ::std::option::Option::Some(Self::PUT),
                "DELETE" => ::std::option::Option::Some(Self::DELETE),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[Self::PUT, Self::DELETE]
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct RangeRequest {
    /// Field 1: `key`
    pub key: ::std::vec::Vec<u8>,
    /// The first key behind the range; empty for a single key.
    ///
    /// Field 2: `range_end`
    pub range_end: ::std::vec::Vec<u8>,
}
impl ::std::fmt::Debug for RangeRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RangeRequest")
            .field("key", &self.key)
            .field("range_end", &self.range_end)
            .finish()
    }
}
impl RangeRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.RangeRequest";
}
impl crate::generated::FieldMessage for RangeRequest {}
crate::generated::buffa::impl_default_instance!(RangeRequest);
impl crate::generated::buffa::MessageName for RangeRequest {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "RangeRequest";
    const FULL_NAME: &'static str = "etcdserverpb.RangeRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.RangeRequest";
}
impl crate::generated::buffa::Message for RangeRequest {
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
        if !self.key.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.key) as u64;
        }
        if !self.range_end.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.range_end) as u64;
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
        if !self.key.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(1u32, &self.key, buf);
        }
        if !self.range_end.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(2u32, &self.range_end, buf);
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
                crate::generated::buffa::types::merge_bytes(&mut self.key, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_bytes(&mut self.range_end, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.key.clear();
        self.range_end.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct RangeResponse {
    /// Field 1: `header`
    pub header: crate::MessageField<ResponseHeader>,
    /// Field 2: `kvs`
    pub kvs: ::std::vec::Vec<KeyValue>,
}
impl ::std::fmt::Debug for RangeResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RangeResponse")
            .field("header", &self.header)
            .field("kvs", &self.kvs)
            .finish()
    }
}
impl RangeResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.RangeResponse";
}
impl crate::generated::FieldMessage for RangeResponse {}
crate::generated::buffa::impl_default_instance!(RangeResponse);
impl crate::generated::buffa::MessageName for RangeResponse {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "RangeResponse";
    const FULL_NAME: &'static str = "etcdserverpb.RangeResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.RangeResponse";
}
impl crate::generated::buffa::Message for RangeResponse {
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
        if self.header.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.header.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.kvs {
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
        if self.header.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.header.write_to(__cache, buf);
        }
        for v in &self.kvs {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
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
                crate::generated::buffa::Message::merge_length_delimited(
                    self.header.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.kvs.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.header = crate::MessageField::none();
        self.kvs.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct PutRequest {
    /// Field 1: `key`
    pub key: ::std::vec::Vec<u8>,
    /// Field 2: `value`
    pub value: ::std::vec::Vec<u8>,
    /// Field 3: `lease`
    pub lease: i64,
}
impl ::std::fmt::Debug for PutRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("PutRequest")
            .field("key", &self.key)
            .field("value", &self.value)
            .field("lease", &self.lease)
            .finish()
    }
}
impl PutRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.PutRequest";
}
impl crate::generated::FieldMessage for PutRequest {}
crate::generated::buffa::impl_default_instance!(PutRequest);
impl crate::generated::buffa::MessageName for PutRequest {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "PutRequest";
    const FULL_NAME: &'static str = "etcdserverpb.PutRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.PutRequest";
}
impl crate::generated::buffa::Message for PutRequest {
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
        if !self.key.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.key) as u64;
        }
        if !self.value.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.value) as u64;
        }
        if self.lease != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.lease) as u64;
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
        if !self.key.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(1u32, &self.key, buf);
        }
        if !self.value.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(2u32, &self.value, buf);
        }
        if self.lease != 0i64 {
            crate::generated::buffa::types::put_int64_field(3u32, self.lease, buf);
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
                crate::generated::buffa::types::merge_bytes(&mut self.key, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_bytes(&mut self.value, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.lease = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.key.clear();
        self.value.clear();
        self.lease = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct PutResponse {
    /// Field 1: `header`
    pub header: crate::MessageField<ResponseHeader>,
}
impl ::std::fmt::Debug for PutResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("PutResponse").field("header", &self.header).finish()
    }
}
impl PutResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.PutResponse";
}
impl crate::generated::FieldMessage for PutResponse {}
crate::generated::buffa::impl_default_instance!(PutResponse);
impl crate::generated::buffa::MessageName for PutResponse {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "PutResponse";
    const FULL_NAME: &'static str = "etcdserverpb.PutResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.PutResponse";
}
impl crate::generated::buffa::Message for PutResponse {
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
        if self.header.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.header.compute_size(__cache);
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
        if self.header.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.header.write_to(__cache, buf);
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
                    self.header.get_or_insert_default(),
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
        self.header = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct DeleteRangeRequest {
    /// Field 1: `key`
    pub key: ::std::vec::Vec<u8>,
    /// Field 2: `range_end`
    pub range_end: ::std::vec::Vec<u8>,
}
impl ::std::fmt::Debug for DeleteRangeRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("DeleteRangeRequest")
            .field("key", &self.key)
            .field("range_end", &self.range_end)
            .finish()
    }
}
impl DeleteRangeRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.DeleteRangeRequest";
}
impl crate::generated::FieldMessage for DeleteRangeRequest {}
crate::generated::buffa::impl_default_instance!(DeleteRangeRequest);
impl crate::generated::buffa::MessageName for DeleteRangeRequest {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "DeleteRangeRequest";
    const FULL_NAME: &'static str = "etcdserverpb.DeleteRangeRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.DeleteRangeRequest";
}
impl crate::generated::buffa::Message for DeleteRangeRequest {
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
        if !self.key.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.key) as u64;
        }
        if !self.range_end.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.range_end) as u64;
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
        if !self.key.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(1u32, &self.key, buf);
        }
        if !self.range_end.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(2u32, &self.range_end, buf);
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
                crate::generated::buffa::types::merge_bytes(&mut self.key, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_bytes(&mut self.range_end, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.key.clear();
        self.range_end.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct DeleteRangeResponse {
    /// Field 1: `header`
    pub header: crate::MessageField<ResponseHeader>,
    /// Field 2: `deleted`
    pub deleted: i64,
}
impl ::std::fmt::Debug for DeleteRangeResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("DeleteRangeResponse")
            .field("header", &self.header)
            .field("deleted", &self.deleted)
            .finish()
    }
}
impl DeleteRangeResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.DeleteRangeResponse";
}
impl crate::generated::FieldMessage for DeleteRangeResponse {}
crate::generated::buffa::impl_default_instance!(DeleteRangeResponse);
impl crate::generated::buffa::MessageName for DeleteRangeResponse {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "DeleteRangeResponse";
    const FULL_NAME: &'static str = "etcdserverpb.DeleteRangeResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.DeleteRangeResponse";
}
impl crate::generated::buffa::Message for DeleteRangeResponse {
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
        if self.header.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.header.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.deleted != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.deleted) as u64;
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
        if self.header.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.header.write_to(__cache, buf);
        }
        if self.deleted != 0i64 {
            crate::generated::buffa::types::put_int64_field(2u32, self.deleted, buf);
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
                    self.header.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.deleted = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.header = crate::MessageField::none();
        self.deleted = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct WatchRequest {
    /// In etcd's file a part of a oneof, which is the same on the wire.
    ///
    /// Field 1: `create_request`
    pub create_request: crate::MessageField<WatchCreateRequest>,
}
impl ::std::fmt::Debug for WatchRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("WatchRequest")
            .field("create_request", &self.create_request)
            .finish()
    }
}
impl WatchRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.WatchRequest";
}
impl crate::generated::FieldMessage for WatchRequest {}
crate::generated::buffa::impl_default_instance!(WatchRequest);
impl crate::generated::buffa::MessageName for WatchRequest {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "WatchRequest";
    const FULL_NAME: &'static str = "etcdserverpb.WatchRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.WatchRequest";
}
impl crate::generated::buffa::Message for WatchRequest {
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
        if self.create_request.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.create_request.compute_size(__cache);
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
        if self.create_request.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.create_request.write_to(__cache, buf);
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
                    self.create_request.get_or_insert_default(),
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
        self.create_request = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct WatchCreateRequest {
    /// Field 1: `key`
    pub key: ::std::vec::Vec<u8>,
    /// Field 2: `range_end`
    pub range_end: ::std::vec::Vec<u8>,
    /// The first revision whose events are wanted.
    ///
    /// Field 3: `start_revision`
    pub start_revision: i64,
}
impl ::std::fmt::Debug for WatchCreateRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("WatchCreateRequest")
            .field("key", &self.key)
            .field("range_end", &self.range_end)
            .field("start_revision", &self.start_revision)
            .finish()
    }
}
impl WatchCreateRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.WatchCreateRequest";
}
impl crate::generated::FieldMessage for WatchCreateRequest {}
crate::generated::buffa::impl_default_instance!(WatchCreateRequest);
impl crate::generated::buffa::MessageName for WatchCreateRequest {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "WatchCreateRequest";
    const FULL_NAME: &'static str = "etcdserverpb.WatchCreateRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.WatchCreateRequest";
}
impl crate::generated::buffa::Message for WatchCreateRequest {
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
        if !self.key.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.key) as u64;
        }
        if !self.range_end.is_empty() {
            size += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.range_end) as u64;
        }
        if self.start_revision != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.start_revision) as u64;
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
        if !self.key.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(1u32, &self.key, buf);
        }
        if !self.range_end.is_empty() {
            crate::generated::buffa::types::put_shared_bytes_field(2u32, &self.range_end, buf);
        }
        if self.start_revision != 0i64 {
            crate::generated::buffa::types::put_int64_field(3u32, self.start_revision, buf);
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
                crate::generated::buffa::types::merge_bytes(&mut self.key, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_bytes(&mut self.range_end, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.start_revision = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.key.clear();
        self.range_end.clear();
        self.start_revision = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct WatchResponse {
    /// Field 1: `header`
    pub header: crate::MessageField<ResponseHeader>,
    /// Field 2: `watch_id`
    pub watch_id: i64,
    /// Field 3: `created`
    pub created: bool,
    /// Field 4: `canceled`
    pub canceled: bool,
    /// Above 0 where the watch was canceled since the events from its start on are compacted.
    ///
    /// Field 5: `compact_revision`
    pub compact_revision: i64,
    /// Field 6: `cancel_reason`
    pub cancel_reason: ::std::string::String,
    /// Field 11: `events`
    pub events: ::std::vec::Vec<Event>,
}
impl ::std::fmt::Debug for WatchResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("WatchResponse")
            .field("header", &self.header)
            .field("watch_id", &self.watch_id)
            .field("created", &self.created)
            .field("canceled", &self.canceled)
            .field("compact_revision", &self.compact_revision)
            .field("cancel_reason", &self.cancel_reason)
            .field("events", &self.events)
            .finish()
    }
}
impl WatchResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.WatchResponse";
}
impl crate::generated::FieldMessage for WatchResponse {}
crate::generated::buffa::impl_default_instance!(WatchResponse);
impl crate::generated::buffa::MessageName for WatchResponse {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "WatchResponse";
    const FULL_NAME: &'static str = "etcdserverpb.WatchResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.WatchResponse";
}
impl crate::generated::buffa::Message for WatchResponse {
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
        if self.header.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.header.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.watch_id != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.watch_id) as u64;
        }
        if self.created {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        if self.canceled {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
        }
        if self.compact_revision != 0i64 {
            size
                += 1u64
                    + crate::generated::buffa::types::int64_encoded_len(self.compact_revision) as u64;
        }
        if !self.cancel_reason.is_empty() {
            size
                += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.cancel_reason) as u64;
        }
        for v in &self.events {
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
        if self.header.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.header.write_to(__cache, buf);
        }
        if self.watch_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(2u32, self.watch_id, buf);
        }
        if self.created {
            crate::generated::buffa::types::put_bool_field(3u32, self.created, buf);
        }
        if self.canceled {
            crate::generated::buffa::types::put_bool_field(4u32, self.canceled, buf);
        }
        if self.compact_revision != 0i64 {
            crate::generated::buffa::types::put_int64_field(5u32, self.compact_revision, buf);
        }
        if !self.cancel_reason.is_empty() {
            crate::generated::buffa::types::put_string_field(6u32, &self.cancel_reason, buf);
        }
        for v in &self.events {
            crate::generated::buffa::types::put_len_delimited_header(
                11u32,
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
                crate::generated::buffa::Message::merge_length_delimited(
                    self.header.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.watch_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.created = crate::generated::buffa::types::decode_bool(buf)?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.canceled = crate::generated::buffa::types::decode_bool(buf)?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.compact_revision = crate::generated::buffa::types::decode_int64(buf)?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.cancel_reason, buf)?;
            }
            11u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.events.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.header = crate::MessageField::none();
        self.watch_id = 0i64;
        self.created = false;
        self.canceled = false;
        self.compact_revision = 0i64;
        self.cancel_reason.clear();
        self.events.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
#[allow(non_snake_case)]
pub struct LeaseGrantRequest {
    /// Seconds.
    ///
    /// Field 1: `TTL`
    pub TTL: i64,
    /// 0: etcd chooses it.
    ///
    /// Field 2: `ID`
    pub ID: i64,
}
impl ::std::fmt::Debug for LeaseGrantRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("LeaseGrantRequest")
            .field("TTL", &self.TTL)
            .field("ID", &self.ID)
            .finish()
    }
}
impl LeaseGrantRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseGrantRequest";
}
impl crate::generated::FieldMessage for LeaseGrantRequest {}
crate::generated::buffa::impl_default_instance!(LeaseGrantRequest);
impl crate::generated::buffa::MessageName for LeaseGrantRequest {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "LeaseGrantRequest";
    const FULL_NAME: &'static str = "etcdserverpb.LeaseGrantRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseGrantRequest";
}
impl crate::generated::buffa::Message for LeaseGrantRequest {
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
        if self.TTL != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.TTL) as u64;
        }
        if self.ID != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.ID) as u64;
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
        if self.TTL != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.TTL, buf);
        }
        if self.ID != 0i64 {
            crate::generated::buffa::types::put_int64_field(2u32, self.ID, buf);
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
                self.TTL = crate::generated::buffa::types::decode_int64(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.ID = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.TTL = 0i64;
        self.ID = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
#[allow(non_snake_case)]
pub struct LeaseGrantResponse {
    /// Field 1: `header`
    pub header: crate::MessageField<ResponseHeader>,
    /// Field 2: `ID`
    pub ID: i64,
    /// Field 3: `TTL`
    pub TTL: i64,
    /// Field 4: `error`
    pub error: ::std::string::String,
}
impl ::std::fmt::Debug for LeaseGrantResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("LeaseGrantResponse")
            .field("header", &self.header)
            .field("ID", &self.ID)
            .field("TTL", &self.TTL)
            .field("error", &self.error)
            .finish()
    }
}
impl LeaseGrantResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseGrantResponse";
}
impl crate::generated::FieldMessage for LeaseGrantResponse {}
crate::generated::buffa::impl_default_instance!(LeaseGrantResponse);
impl crate::generated::buffa::MessageName for LeaseGrantResponse {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "LeaseGrantResponse";
    const FULL_NAME: &'static str = "etcdserverpb.LeaseGrantResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseGrantResponse";
}
impl crate::generated::buffa::Message for LeaseGrantResponse {
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
        if self.header.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.header.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.ID != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.ID) as u64;
        }
        if self.TTL != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.TTL) as u64;
        }
        if !self.error.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.error) as u64;
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
        if self.header.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.header.write_to(__cache, buf);
        }
        if self.ID != 0i64 {
            crate::generated::buffa::types::put_int64_field(2u32, self.ID, buf);
        }
        if self.TTL != 0i64 {
            crate::generated::buffa::types::put_int64_field(3u32, self.TTL, buf);
        }
        if !self.error.is_empty() {
            crate::generated::buffa::types::put_string_field(4u32, &self.error, buf);
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
                    self.header.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.ID = crate::generated::buffa::types::decode_int64(buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.TTL = crate::generated::buffa::types::decode_int64(buf)?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.error, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.header = crate::MessageField::none();
        self.ID = 0i64;
        self.TTL = 0i64;
        self.error.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
#[allow(non_snake_case)]
pub struct LeaseRevokeRequest {
    /// Field 1: `ID`
    pub ID: i64,
}
impl ::std::fmt::Debug for LeaseRevokeRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("LeaseRevokeRequest").field("ID", &self.ID).finish()
    }
}
impl LeaseRevokeRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseRevokeRequest";
}
impl crate::generated::FieldMessage for LeaseRevokeRequest {}
crate::generated::buffa::impl_default_instance!(LeaseRevokeRequest);
impl crate::generated::buffa::MessageName for LeaseRevokeRequest {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "LeaseRevokeRequest";
    const FULL_NAME: &'static str = "etcdserverpb.LeaseRevokeRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseRevokeRequest";
}
impl crate::generated::buffa::Message for LeaseRevokeRequest {
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
        if self.ID != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.ID) as u64;
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
        if self.ID != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.ID, buf);
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
                self.ID = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.ID = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct LeaseRevokeResponse {
    /// Field 1: `header`
    pub header: crate::MessageField<ResponseHeader>,
}
impl ::std::fmt::Debug for LeaseRevokeResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("LeaseRevokeResponse").field("header", &self.header).finish()
    }
}
impl LeaseRevokeResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseRevokeResponse";
}
impl crate::generated::FieldMessage for LeaseRevokeResponse {}
crate::generated::buffa::impl_default_instance!(LeaseRevokeResponse);
impl crate::generated::buffa::MessageName for LeaseRevokeResponse {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "LeaseRevokeResponse";
    const FULL_NAME: &'static str = "etcdserverpb.LeaseRevokeResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseRevokeResponse";
}
impl crate::generated::buffa::Message for LeaseRevokeResponse {
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
        if self.header.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.header.compute_size(__cache);
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
        if self.header.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.header.write_to(__cache, buf);
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
                    self.header.get_or_insert_default(),
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
        self.header = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
#[allow(non_snake_case)]
pub struct LeaseKeepAliveRequest {
    /// Field 1: `ID`
    pub ID: i64,
}
impl ::std::fmt::Debug for LeaseKeepAliveRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("LeaseKeepAliveRequest").field("ID", &self.ID).finish()
    }
}
impl LeaseKeepAliveRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseKeepAliveRequest";
}
impl crate::generated::FieldMessage for LeaseKeepAliveRequest {}
crate::generated::buffa::impl_default_instance!(LeaseKeepAliveRequest);
impl crate::generated::buffa::MessageName for LeaseKeepAliveRequest {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "LeaseKeepAliveRequest";
    const FULL_NAME: &'static str = "etcdserverpb.LeaseKeepAliveRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseKeepAliveRequest";
}
impl crate::generated::buffa::Message for LeaseKeepAliveRequest {
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
        if self.ID != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.ID) as u64;
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
        if self.ID != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.ID, buf);
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
                self.ID = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.ID = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
#[allow(non_snake_case)]
pub struct LeaseKeepAliveResponse {
    /// Field 1: `header`
    pub header: crate::MessageField<ResponseHeader>,
    /// Field 2: `ID`
    pub ID: i64,
    /// What is left of the lease in seconds; 0: it has expired.
    ///
    /// Field 3: `TTL`
    pub TTL: i64,
}
impl ::std::fmt::Debug for LeaseKeepAliveResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("LeaseKeepAliveResponse")
            .field("header", &self.header)
            .field("ID", &self.ID)
            .field("TTL", &self.TTL)
            .finish()
    }
}
impl LeaseKeepAliveResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseKeepAliveResponse";
}
impl crate::generated::FieldMessage for LeaseKeepAliveResponse {}
crate::generated::buffa::impl_default_instance!(LeaseKeepAliveResponse);
impl crate::generated::buffa::MessageName for LeaseKeepAliveResponse {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "LeaseKeepAliveResponse";
    const FULL_NAME: &'static str = "etcdserverpb.LeaseKeepAliveResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.LeaseKeepAliveResponse";
}
impl crate::generated::buffa::Message for LeaseKeepAliveResponse {
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
        if self.header.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.header.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.ID != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.ID) as u64;
        }
        if self.TTL != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.TTL) as u64;
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
        if self.header.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.header.write_to(__cache, buf);
        }
        if self.ID != 0i64 {
            crate::generated::buffa::types::put_int64_field(2u32, self.ID, buf);
        }
        if self.TTL != 0i64 {
            crate::generated::buffa::types::put_int64_field(3u32, self.TTL, buf);
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
                    self.header.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.ID = crate::generated::buffa::types::decode_int64(buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.TTL = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.header = crate::MessageField::none();
        self.ID = 0i64;
        self.TTL = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct AuthenticateRequest {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `password`
    pub password: ::std::string::String,
}
impl ::std::fmt::Debug for AuthenticateRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("AuthenticateRequest")
            .field("name", &self.name)
            .field("password", &self.password)
            .finish()
    }
}
impl AuthenticateRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.AuthenticateRequest";
}
impl crate::generated::FieldMessage for AuthenticateRequest {}
crate::generated::buffa::impl_default_instance!(AuthenticateRequest);
impl crate::generated::buffa::MessageName for AuthenticateRequest {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "AuthenticateRequest";
    const FULL_NAME: &'static str = "etcdserverpb.AuthenticateRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.AuthenticateRequest";
}
impl crate::generated::buffa::Message for AuthenticateRequest {
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
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        if !self.password.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.password) as u64;
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
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
        if !self.password.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.password, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.password, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.password.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct AuthenticateResponse {
    /// Field 1: `header`
    pub header: crate::MessageField<ResponseHeader>,
    /// Field 2: `token`
    pub token: ::std::string::String,
}
impl ::std::fmt::Debug for AuthenticateResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("AuthenticateResponse")
            .field("header", &self.header)
            .field("token", &self.token)
            .finish()
    }
}
impl AuthenticateResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.AuthenticateResponse";
}
impl crate::generated::FieldMessage for AuthenticateResponse {}
crate::generated::buffa::impl_default_instance!(AuthenticateResponse);
impl crate::generated::buffa::MessageName for AuthenticateResponse {
    const PACKAGE: &'static str = "etcdserverpb";
    const NAME: &'static str = "AuthenticateResponse";
    const FULL_NAME: &'static str = "etcdserverpb.AuthenticateResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/etcdserverpb.AuthenticateResponse";
}
impl crate::generated::buffa::Message for AuthenticateResponse {
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
        if self.header.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.header.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.token.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.token) as u64;
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
        if self.header.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.header.write_to(__cache, buf);
        }
        if !self.token.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.token, buf);
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
                    self.header.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.token, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.header = crate::MessageField::none();
        self.token.clear();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("etcdserverpb.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(ResponseHeader, "etcdserverpb.ResponseHeader", POOL);
crate::generated::message!(KeyValue, "etcdserverpb.KeyValue", POOL, buffers { one key; one value; });
crate::generated::message!(Event, "etcdserverpb.Event", POOL, buffers { one kv; });
crate::generated::message!(RangeRequest, "etcdserverpb.RangeRequest", POOL, buffers { one key; one range_end; });
crate::generated::message!(RangeResponse, "etcdserverpb.RangeResponse", POOL, buffers { each kvs; });
crate::generated::message!(PutRequest, "etcdserverpb.PutRequest", POOL, buffers { one key; one value; });
crate::generated::message!(PutResponse, "etcdserverpb.PutResponse", POOL);
crate::generated::message!(DeleteRangeRequest, "etcdserverpb.DeleteRangeRequest", POOL, buffers { one key; one range_end; });
crate::generated::message!(DeleteRangeResponse, "etcdserverpb.DeleteRangeResponse", POOL);
crate::generated::message!(WatchRequest, "etcdserverpb.WatchRequest", POOL, buffers { one create_request; });
crate::generated::message!(WatchCreateRequest, "etcdserverpb.WatchCreateRequest", POOL, buffers { one key; one range_end; });
crate::generated::message!(WatchResponse, "etcdserverpb.WatchResponse", POOL, buffers { one cancel_reason; each events; });
crate::generated::message!(LeaseGrantRequest, "etcdserverpb.LeaseGrantRequest", POOL);
crate::generated::message!(LeaseGrantResponse, "etcdserverpb.LeaseGrantResponse", POOL, buffers { one error; });
crate::generated::message!(LeaseRevokeRequest, "etcdserverpb.LeaseRevokeRequest", POOL);
crate::generated::message!(LeaseRevokeResponse, "etcdserverpb.LeaseRevokeResponse", POOL);
crate::generated::message!(LeaseKeepAliveRequest, "etcdserverpb.LeaseKeepAliveRequest", POOL);
crate::generated::message!(LeaseKeepAliveResponse, "etcdserverpb.LeaseKeepAliveResponse", POOL);
crate::generated::message!(AuthenticateRequest, "etcdserverpb.AuthenticateRequest", POOL, buffers { one name; one password; });
crate::generated::message!(AuthenticateResponse, "etcdserverpb.AuthenticateResponse", POOL, buffers { one token; });
