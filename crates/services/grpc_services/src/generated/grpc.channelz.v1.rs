// Made by polywire-build from grpc/channelz/v1/channelz.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct ChannelRef {
    /// Field 1: `channel_id`
    pub channel_id: i64,
    /// Field 2: `name`
    pub name: ::std::string::String,
}
impl ::std::fmt::Debug for ChannelRef {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ChannelRef")
            .field("channel_id", &self.channel_id)
            .field("name", &self.name)
            .finish()
    }
}
impl ChannelRef {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ChannelRef";
}
impl crate::generated::FieldMessage for ChannelRef {}
crate::generated::buffa::impl_default_instance!(ChannelRef);
impl crate::generated::buffa::MessageName for ChannelRef {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "ChannelRef";
    const FULL_NAME: &'static str = "grpc.channelz.v1.ChannelRef";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ChannelRef";
}
impl crate::generated::buffa::Message for ChannelRef {
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
        if self.channel_id != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.channel_id) as u64;
        }
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
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
        if self.channel_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.channel_id, buf);
        }
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.name, buf);
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
                self.channel_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.channel_id = 0i64;
        self.name.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct SubchannelRef {
    /// Field 7: `subchannel_id`
    pub subchannel_id: i64,
    /// Field 8: `name`
    pub name: ::std::string::String,
}
impl ::std::fmt::Debug for SubchannelRef {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("SubchannelRef")
            .field("subchannel_id", &self.subchannel_id)
            .field("name", &self.name)
            .finish()
    }
}
impl SubchannelRef {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.SubchannelRef";
}
impl crate::generated::FieldMessage for SubchannelRef {}
crate::generated::buffa::impl_default_instance!(SubchannelRef);
impl crate::generated::buffa::MessageName for SubchannelRef {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "SubchannelRef";
    const FULL_NAME: &'static str = "grpc.channelz.v1.SubchannelRef";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.SubchannelRef";
}
impl crate::generated::buffa::Message for SubchannelRef {
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
        if self.subchannel_id != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.subchannel_id) as u64;
        }
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
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
        if self.subchannel_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(7u32, self.subchannel_id, buf);
        }
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(8u32, &self.name, buf);
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
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.subchannel_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            8u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.subchannel_id = 0i64;
        self.name.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct SocketRef {
    /// Field 3: `socket_id`
    pub socket_id: i64,
    /// Field 4: `name`
    pub name: ::std::string::String,
}
impl ::std::fmt::Debug for SocketRef {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("SocketRef")
            .field("socket_id", &self.socket_id)
            .field("name", &self.name)
            .finish()
    }
}
impl SocketRef {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.SocketRef";
}
impl crate::generated::FieldMessage for SocketRef {}
crate::generated::buffa::impl_default_instance!(SocketRef);
impl crate::generated::buffa::MessageName for SocketRef {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "SocketRef";
    const FULL_NAME: &'static str = "grpc.channelz.v1.SocketRef";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.SocketRef";
}
impl crate::generated::buffa::Message for SocketRef {
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
        if self.socket_id != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.socket_id) as u64;
        }
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
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
        if self.socket_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(3u32, self.socket_id, buf);
        }
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(4u32, &self.name, buf);
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
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.socket_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.socket_id = 0i64;
        self.name.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ServerRef {
    /// Field 5: `server_id`
    pub server_id: i64,
    /// Field 6: `name`
    pub name: ::std::string::String,
}
impl ::std::fmt::Debug for ServerRef {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ServerRef")
            .field("server_id", &self.server_id)
            .field("name", &self.name)
            .finish()
    }
}
impl ServerRef {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ServerRef";
}
impl crate::generated::FieldMessage for ServerRef {}
crate::generated::buffa::impl_default_instance!(ServerRef);
impl crate::generated::buffa::MessageName for ServerRef {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "ServerRef";
    const FULL_NAME: &'static str = "grpc.channelz.v1.ServerRef";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ServerRef";
}
impl crate::generated::buffa::Message for ServerRef {
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
        if self.server_id != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.server_id) as u64;
        }
        if !self.name.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.name) as u64;
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
        if self.server_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(5u32, self.server_id, buf);
        }
        if !self.name.is_empty() {
            crate::generated::buffa::types::put_string_field(6u32, &self.name, buf);
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
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.server_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.server_id = 0i64;
        self.name.clear();
    }
}
/// A channel has subchannels, or it is a combination of channels.
#[derive(Clone, PartialEq, Default)]
pub struct Channel {
    /// Field 1: `ref`
    pub r#ref: crate::MessageField<ChannelRef>,
    /// Field 2: `data`
    pub data: crate::MessageField<ChannelData>,
    /// Field 3: `channel_ref`
    pub channel_ref: ::std::vec::Vec<ChannelRef>,
    /// Field 4: `subchannel_ref`
    pub subchannel_ref: ::std::vec::Vec<SubchannelRef>,
}
impl ::std::fmt::Debug for Channel {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Channel")
            .field("ref", &self.r#ref)
            .field("data", &self.data)
            .field("channel_ref", &self.channel_ref)
            .field("subchannel_ref", &self.subchannel_ref)
            .finish()
    }
}
impl Channel {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Channel";
}
impl crate::generated::FieldMessage for Channel {}
crate::generated::buffa::impl_default_instance!(Channel);
impl crate::generated::buffa::MessageName for Channel {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "Channel";
    const FULL_NAME: &'static str = "grpc.channelz.v1.Channel";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Channel";
}
impl crate::generated::buffa::Message for Channel {
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
        if self.r#ref.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.r#ref.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.data.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.data.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.channel_ref {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.subchannel_ref {
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
        if self.r#ref.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.r#ref.write_to(__cache, buf);
        }
        if self.data.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.data.write_to(__cache, buf);
        }
        for v in &self.channel_ref {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        for v in &self.subchannel_ref {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
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
                    self.r#ref.get_or_insert_default(),
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
                    self.data.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
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
                self.channel_ref.push(elem);
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.subchannel_ref.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.r#ref = crate::MessageField::none();
        self.data = crate::MessageField::none();
        self.channel_ref.clear();
        self.subchannel_ref.clear();
    }
}
/// The connections to one server.
#[derive(Clone, PartialEq, Default)]
pub struct Subchannel {
    /// Field 1: `ref`
    pub r#ref: crate::MessageField<SubchannelRef>,
    /// Field 2: `data`
    pub data: crate::MessageField<ChannelData>,
    /// Field 5: `socket_ref`
    pub socket_ref: ::std::vec::Vec<SocketRef>,
}
impl ::std::fmt::Debug for Subchannel {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Subchannel")
            .field("ref", &self.r#ref)
            .field("data", &self.data)
            .field("socket_ref", &self.socket_ref)
            .finish()
    }
}
impl Subchannel {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Subchannel";
}
impl crate::generated::FieldMessage for Subchannel {}
crate::generated::buffa::impl_default_instance!(Subchannel);
impl crate::generated::buffa::MessageName for Subchannel {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "Subchannel";
    const FULL_NAME: &'static str = "grpc.channelz.v1.Subchannel";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Subchannel";
}
impl crate::generated::buffa::Message for Subchannel {
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
        if self.r#ref.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.r#ref.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.data.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.data.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.socket_ref {
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
        if self.r#ref.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.r#ref.write_to(__cache, buf);
        }
        if self.data.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.data.write_to(__cache, buf);
        }
        for v in &self.socket_ref {
            crate::generated::buffa::types::put_len_delimited_header(
                5u32,
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
                    self.r#ref.get_or_insert_default(),
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
                    self.data.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.socket_ref.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.r#ref = crate::MessageField::none();
        self.data = crate::MessageField::none();
        self.socket_ref.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ChannelConnectivityState {
    /// Field 1: `state`
    pub state: crate::EnumValue<channel_connectivity_state::State>,
}
impl ::std::fmt::Debug for ChannelConnectivityState {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ChannelConnectivityState").field("state", &self.state).finish()
    }
}
impl ChannelConnectivityState {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ChannelConnectivityState";
}
impl crate::generated::FieldMessage for ChannelConnectivityState {}
crate::generated::buffa::impl_default_instance!(ChannelConnectivityState);
impl crate::generated::buffa::MessageName for ChannelConnectivityState {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "ChannelConnectivityState";
    const FULL_NAME: &'static str = "grpc.channelz.v1.ChannelConnectivityState";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ChannelConnectivityState";
}
impl crate::generated::buffa::Message for ChannelConnectivityState {
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
        {
            let val = self.state.to_i32();
            if val != 0 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(val) as u64;
            }
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
        {
            let val = self.state.to_i32();
            if val != 0 {
                crate::generated::buffa::types::put_int32_field(1u32, val, buf);
            }
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
                self.state = crate::EnumValue::from(
                    crate::generated::buffa::types::decode_int32(buf)?,
                );
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.state = crate::EnumValue::from(0);
    }
}
pub mod channel_connectivity_state {
    #[allow(unused_imports)]
    use super::*;
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[repr(i32)]
    pub enum State {
        UNKNOWN = 0i32,
        IDLE = 1i32,
        CONNECTING = 2i32,
        READY = 3i32,
        TRANSIENT_FAILURE = 4i32,
        SHUTDOWN = 5i32,
    }
    impl State {
        ///Idiomatic alias for [`Self::UNKNOWN`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Unknown: Self = Self::UNKNOWN;
        ///Idiomatic alias for [`Self::IDLE`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Idle: Self = Self::IDLE;
        ///Idiomatic alias for [`Self::CONNECTING`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Connecting: Self = Self::CONNECTING;
        ///Idiomatic alias for [`Self::READY`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Ready: Self = Self::READY;
        ///Idiomatic alias for [`Self::TRANSIENT_FAILURE`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const TransientFailure: Self = Self::TRANSIENT_FAILURE;
        ///Idiomatic alias for [`Self::SHUTDOWN`]; `Debug` prints the variant name.
        #[allow(non_upper_case_globals)]
        pub const Shutdown: Self = Self::SHUTDOWN;
    }
    impl ::std::default::Default for State {
        fn default() -> Self {
            Self::UNKNOWN
        }
    }
    impl crate::generated::FieldEnum for State {}
    impl crate::generated::buffa::Enumeration for State {
        fn from_i32(value: i32) -> ::std::option::Option<Self> {
            match value {
                0i32 => ::std::option::Option::Some(Self::UNKNOWN),
                1i32 => ::std::option::Option::Some(Self::IDLE),
                2i32 => ::std::option::Option::Some(Self::CONNECTING),
                3i32 => ::std::option::Option::Some(Self::READY),
                4i32 => ::std::option::Option::Some(Self::TRANSIENT_FAILURE),
                5i32 => ::std::option::Option::Some(Self::SHUTDOWN),
                _ => ::std::option::Option::None,
            }
        }
        fn to_i32(&self) -> i32 {
            *self as i32
        }
        fn proto_name(&self) -> &'static str {
            match self {
                Self::UNKNOWN => "UNKNOWN",
                Self::IDLE => "IDLE",
                Self::CONNECTING => "CONNECTING",
                Self::READY => "READY",
                Self::TRANSIENT_FAILURE => "TRANSIENT_FAILURE",
                Self::SHUTDOWN => "SHUTDOWN",
            }
        }
        fn from_proto_name(name: &str) -> ::std::option::Option<Self> {
            match name {
                "UNKNOWN" => ::std::option::Option::Some(Self::UNKNOWN),
                "IDLE" => ::std::option::Option::Some(Self::IDLE),
                "CONNECTING" => ::std::option::Option::Some(Self::CONNECTING),
                "READY" => ::std::option::Option::Some(Self::READY),
                "TRANSIENT_FAILURE" => {
                    ::std::option::Option::Some(Self::TRANSIENT_FAILURE)
                }
                "SHUTDOWN" => ::std::option::Option::Some(Self::SHUTDOWN),
                _ => ::std::option::Option::None,
            }
        }
        fn values() -> &'static [Self] {
            &[
                Self::UNKNOWN,
                Self::IDLE,
                Self::CONNECTING,
                Self::READY,
                Self::TRANSIENT_FAILURE,
                Self::SHUTDOWN,
            ]
        }
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct ChannelData {
    /// Field 1: `state`
    pub state: crate::MessageField<ChannelConnectivityState>,
    /// Field 2: `target`
    pub target: ::std::string::String,
    /// Field 3: `trace`
    pub trace: crate::MessageField<ChannelTrace>,
    /// Field 4: `calls_started`
    pub calls_started: i64,
    /// Field 5: `calls_succeeded`
    pub calls_succeeded: i64,
    /// Field 6: `calls_failed`
    pub calls_failed: i64,
    /// Field 7: `last_call_started_timestamp`
    pub last_call_started_timestamp: crate::MessageField<crate::wkt::Timestamp>,
}
impl ::std::fmt::Debug for ChannelData {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ChannelData")
            .field("state", &self.state)
            .field("target", &self.target)
            .field("trace", &self.trace)
            .field("calls_started", &self.calls_started)
            .field("calls_succeeded", &self.calls_succeeded)
            .field("calls_failed", &self.calls_failed)
            .field("last_call_started_timestamp", &self.last_call_started_timestamp)
            .finish()
    }
}
impl ChannelData {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ChannelData";
}
impl crate::generated::FieldMessage for ChannelData {}
crate::generated::buffa::impl_default_instance!(ChannelData);
impl crate::generated::buffa::MessageName for ChannelData {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "ChannelData";
    const FULL_NAME: &'static str = "grpc.channelz.v1.ChannelData";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ChannelData";
}
impl crate::generated::buffa::Message for ChannelData {
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
        if self.state.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.state.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if !self.target.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.target) as u64;
        }
        if self.trace.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.trace.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.calls_started != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.calls_started) as u64;
        }
        if self.calls_succeeded != 0i64 {
            size
                += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.calls_succeeded) as u64;
        }
        if self.calls_failed != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.calls_failed) as u64;
        }
        if self.last_call_started_timestamp.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.last_call_started_timestamp.compute_size(__cache);
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
        if self.state.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.state.write_to(__cache, buf);
        }
        if !self.target.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.target, buf);
        }
        if self.trace.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.trace.write_to(__cache, buf);
        }
        if self.calls_started != 0i64 {
            crate::generated::buffa::types::put_int64_field(4u32, self.calls_started, buf);
        }
        if self.calls_succeeded != 0i64 {
            crate::generated::buffa::types::put_int64_field(5u32, self.calls_succeeded, buf);
        }
        if self.calls_failed != 0i64 {
            crate::generated::buffa::types::put_int64_field(6u32, self.calls_failed, buf);
        }
        if self.last_call_started_timestamp.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                7u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.last_call_started_timestamp.write_to(__cache, buf);
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
                    self.state.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::types::merge_string(&mut self.target, buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.trace.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.calls_started = crate::generated::buffa::types::decode_int64(buf)?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.calls_succeeded = crate::generated::buffa::types::decode_int64(buf)?;
            }
            6u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.calls_failed = crate::generated::buffa::types::decode_int64(buf)?;
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.last_call_started_timestamp.get_or_insert_default(),
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
        self.state = crate::MessageField::none();
        self.target.clear();
        self.trace = crate::MessageField::none();
        self.calls_started = 0i64;
        self.calls_succeeded = 0i64;
        self.calls_failed = 0i64;
        self.last_call_started_timestamp = crate::MessageField::none();
    }
}
/// No events are kept.
#[derive(Clone, PartialEq, Default)]
pub struct ChannelTrace {
    /// Field 2: `creation_timestamp`
    pub creation_timestamp: crate::MessageField<crate::wkt::Timestamp>,
}
impl ::std::fmt::Debug for ChannelTrace {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ChannelTrace")
            .field("creation_timestamp", &self.creation_timestamp)
            .finish()
    }
}
impl ChannelTrace {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ChannelTrace";
}
impl crate::generated::FieldMessage for ChannelTrace {}
crate::generated::buffa::impl_default_instance!(ChannelTrace);
impl crate::generated::buffa::MessageName for ChannelTrace {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "ChannelTrace";
    const FULL_NAME: &'static str = "grpc.channelz.v1.ChannelTrace";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ChannelTrace";
}
impl crate::generated::buffa::Message for ChannelTrace {
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
        if self.creation_timestamp.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.creation_timestamp.compute_size(__cache);
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
        if self.creation_timestamp.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.creation_timestamp.write_to(__cache, buf);
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
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.creation_timestamp.get_or_insert_default(),
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
        self.creation_timestamp = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Server {
    /// Field 1: `ref`
    pub r#ref: crate::MessageField<ServerRef>,
    /// Field 2: `data`
    pub data: crate::MessageField<ServerData>,
    /// Field 3: `listen_socket`
    pub listen_socket: ::std::vec::Vec<SocketRef>,
}
impl ::std::fmt::Debug for Server {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Server")
            .field("ref", &self.r#ref)
            .field("data", &self.data)
            .field("listen_socket", &self.listen_socket)
            .finish()
    }
}
impl Server {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Server";
}
impl crate::generated::FieldMessage for Server {}
crate::generated::buffa::impl_default_instance!(Server);
impl crate::generated::buffa::MessageName for Server {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "Server";
    const FULL_NAME: &'static str = "grpc.channelz.v1.Server";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Server";
}
impl crate::generated::buffa::Message for Server {
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
        if self.r#ref.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.r#ref.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.data.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.data.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.listen_socket {
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
        if self.r#ref.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.r#ref.write_to(__cache, buf);
        }
        if self.data.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.data.write_to(__cache, buf);
        }
        for v in &self.listen_socket {
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
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.r#ref.get_or_insert_default(),
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
                    self.data.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
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
                self.listen_socket.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.r#ref = crate::MessageField::none();
        self.data = crate::MessageField::none();
        self.listen_socket.clear();
    }
}
/// Since the server's start.
#[derive(Clone, PartialEq, Default)]
pub struct ServerData {
    /// Field 2: `calls_started`
    pub calls_started: i64,
    /// Field 3: `calls_succeeded`
    pub calls_succeeded: i64,
    /// Field 4: `calls_failed`
    pub calls_failed: i64,
    /// Field 5: `last_call_started_timestamp`
    pub last_call_started_timestamp: crate::MessageField<crate::wkt::Timestamp>,
}
impl ::std::fmt::Debug for ServerData {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ServerData")
            .field("calls_started", &self.calls_started)
            .field("calls_succeeded", &self.calls_succeeded)
            .field("calls_failed", &self.calls_failed)
            .field("last_call_started_timestamp", &self.last_call_started_timestamp)
            .finish()
    }
}
impl ServerData {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ServerData";
}
impl crate::generated::FieldMessage for ServerData {}
crate::generated::buffa::impl_default_instance!(ServerData);
impl crate::generated::buffa::MessageName for ServerData {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "ServerData";
    const FULL_NAME: &'static str = "grpc.channelz.v1.ServerData";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.ServerData";
}
impl crate::generated::buffa::Message for ServerData {
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
        if self.calls_started != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.calls_started) as u64;
        }
        if self.calls_succeeded != 0i64 {
            size
                += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.calls_succeeded) as u64;
        }
        if self.calls_failed != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.calls_failed) as u64;
        }
        if self.last_call_started_timestamp.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.last_call_started_timestamp.compute_size(__cache);
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
        if self.calls_started != 0i64 {
            crate::generated::buffa::types::put_int64_field(2u32, self.calls_started, buf);
        }
        if self.calls_succeeded != 0i64 {
            crate::generated::buffa::types::put_int64_field(3u32, self.calls_succeeded, buf);
        }
        if self.calls_failed != 0i64 {
            crate::generated::buffa::types::put_int64_field(4u32, self.calls_failed, buf);
        }
        if self.last_call_started_timestamp.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                5u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.last_call_started_timestamp.write_to(__cache, buf);
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
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.calls_started = crate::generated::buffa::types::decode_int64(buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.calls_succeeded = crate::generated::buffa::types::decode_int64(buf)?;
            }
            4u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.calls_failed = crate::generated::buffa::types::decode_int64(buf)?;
            }
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.last_call_started_timestamp.get_or_insert_default(),
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
        self.calls_started = 0i64;
        self.calls_succeeded = 0i64;
        self.calls_failed = 0i64;
        self.last_call_started_timestamp = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Socket {
    /// Field 1: `ref`
    pub r#ref: crate::MessageField<SocketRef>,
    /// Field 2: `data`
    pub data: crate::MessageField<SocketData>,
    /// Field 3: `local`
    pub local: crate::MessageField<Address>,
    /// Field 4: `remote`
    pub remote: crate::MessageField<Address>,
}
impl ::std::fmt::Debug for Socket {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Socket")
            .field("ref", &self.r#ref)
            .field("data", &self.data)
            .field("local", &self.local)
            .field("remote", &self.remote)
            .finish()
    }
}
impl Socket {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Socket";
}
impl crate::generated::FieldMessage for Socket {}
crate::generated::buffa::impl_default_instance!(Socket);
impl crate::generated::buffa::MessageName for Socket {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "Socket";
    const FULL_NAME: &'static str = "grpc.channelz.v1.Socket";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Socket";
}
impl crate::generated::buffa::Message for Socket {
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
        if self.r#ref.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.r#ref.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.data.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.data.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.local.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.local.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.remote.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.remote.compute_size(__cache);
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
        if self.r#ref.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.r#ref.write_to(__cache, buf);
        }
        if self.data.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                2u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.data.write_to(__cache, buf);
        }
        if self.local.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                3u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.local.write_to(__cache, buf);
        }
        if self.remote.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                4u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.remote.write_to(__cache, buf);
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
                    self.r#ref.get_or_insert_default(),
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
                    self.data.get_or_insert_default(),
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
                    self.local.get_or_insert_default(),
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
                    self.remote.get_or_insert_default(),
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
        self.r#ref = crate::MessageField::none();
        self.data = crate::MessageField::none();
        self.local = crate::MessageField::none();
        self.remote = crate::MessageField::none();
    }
}
/// Windows of flow control are not told; they are there because tools read them unasked.
#[derive(Clone, PartialEq, Default)]
pub struct SocketData {
    /// Field 5: `messages_received`
    pub messages_received: i64,
    /// Field 7: `last_local_stream_created_timestamp`
    pub last_local_stream_created_timestamp: crate::MessageField<crate::wkt::Timestamp>,
    /// Field 8: `last_remote_stream_created_timestamp`
    pub last_remote_stream_created_timestamp: crate::MessageField<crate::wkt::Timestamp>,
    /// Field 9: `last_message_sent_timestamp`
    pub last_message_sent_timestamp: crate::MessageField<crate::wkt::Timestamp>,
    /// Field 10: `last_message_received_timestamp`
    pub last_message_received_timestamp: crate::MessageField<crate::wkt::Timestamp>,
    /// Field 11: `local_flow_control_window`
    pub local_flow_control_window: crate::MessageField<crate::wkt::Int64Value>,
    /// Field 12: `remote_flow_control_window`
    pub remote_flow_control_window: crate::MessageField<crate::wkt::Int64Value>,
    /// Field 13: `option`
    pub option: ::std::vec::Vec<SocketOption>,
}
impl ::std::fmt::Debug for SocketData {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("SocketData")
            .field("messages_received", &self.messages_received)
            .field(
                "last_local_stream_created_timestamp",
                &self.last_local_stream_created_timestamp,
            )
            .field(
                "last_remote_stream_created_timestamp",
                &self.last_remote_stream_created_timestamp,
            )
            .field("last_message_sent_timestamp", &self.last_message_sent_timestamp)
            .field(
                "last_message_received_timestamp",
                &self.last_message_received_timestamp,
            )
            .field("local_flow_control_window", &self.local_flow_control_window)
            .field("remote_flow_control_window", &self.remote_flow_control_window)
            .field("option", &self.option)
            .finish()
    }
}
impl SocketData {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.SocketData";
}
impl crate::generated::FieldMessage for SocketData {}
crate::generated::buffa::impl_default_instance!(SocketData);
impl crate::generated::buffa::MessageName for SocketData {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "SocketData";
    const FULL_NAME: &'static str = "grpc.channelz.v1.SocketData";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.SocketData";
}
impl crate::generated::buffa::Message for SocketData {
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
        if self.messages_received != 0i64 {
            size
                += 1u64
                    + crate::generated::buffa::types::int64_encoded_len(self.messages_received) as u64;
        }
        if self.last_local_stream_created_timestamp.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self
                .last_local_stream_created_timestamp
                .compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.last_remote_stream_created_timestamp.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self
                .last_remote_stream_created_timestamp
                .compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.last_message_sent_timestamp.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.last_message_sent_timestamp.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.last_message_received_timestamp.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.last_message_received_timestamp.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.local_flow_control_window.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.local_flow_control_window.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.remote_flow_control_window.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.remote_flow_control_window.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.option {
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
        if self.messages_received != 0i64 {
            crate::generated::buffa::types::put_int64_field(5u32, self.messages_received, buf);
        }
        if self.last_local_stream_created_timestamp.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                7u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.last_local_stream_created_timestamp.write_to(__cache, buf);
        }
        if self.last_remote_stream_created_timestamp.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                8u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.last_remote_stream_created_timestamp.write_to(__cache, buf);
        }
        if self.last_message_sent_timestamp.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                9u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.last_message_sent_timestamp.write_to(__cache, buf);
        }
        if self.last_message_received_timestamp.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                10u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.last_message_received_timestamp.write_to(__cache, buf);
        }
        if self.local_flow_control_window.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                11u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.local_flow_control_window.write_to(__cache, buf);
        }
        if self.remote_flow_control_window.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                12u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.remote_flow_control_window.write_to(__cache, buf);
        }
        for v in &self.option {
            crate::generated::buffa::types::put_len_delimited_header(
                13u32,
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
            5u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.messages_received = crate::generated::buffa::types::decode_int64(buf)?;
            }
            7u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.last_local_stream_created_timestamp.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            8u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.last_remote_stream_created_timestamp.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            9u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.last_message_sent_timestamp.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            10u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.last_message_received_timestamp.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            11u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.local_flow_control_window.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            12u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.remote_flow_control_window.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            13u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let mut elem = ::std::default::Default::default();
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&elem),
                )?;
                crate::generated::buffa::Message::merge_length_delimited(&mut elem, buf, ctx)?;
                self.option.push(elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.messages_received = 0i64;
        self.last_local_stream_created_timestamp = crate::MessageField::none();
        self.last_remote_stream_created_timestamp = crate::MessageField::none();
        self.last_message_sent_timestamp = crate::MessageField::none();
        self.last_message_received_timestamp = crate::MessageField::none();
        self.local_flow_control_window = crate::MessageField::none();
        self.remote_flow_control_window = crate::MessageField::none();
        self.option.clear();
    }
}
/// A figure by its name: `protocol`, `age_ms`, `calls` under way, `bytes_in`, `bytes_out`, `owed` bytes.
#[derive(Clone, PartialEq, Default)]
pub struct SocketOption {
    /// Field 1: `name`
    pub name: ::std::string::String,
    /// Field 2: `value`
    pub value: ::std::string::String,
}
impl ::std::fmt::Debug for SocketOption {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("SocketOption")
            .field("name", &self.name)
            .field("value", &self.value)
            .finish()
    }
}
impl SocketOption {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.SocketOption";
}
impl crate::generated::FieldMessage for SocketOption {}
crate::generated::buffa::impl_default_instance!(SocketOption);
impl crate::generated::buffa::MessageName for SocketOption {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "SocketOption";
    const FULL_NAME: &'static str = "grpc.channelz.v1.SocketOption";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.SocketOption";
}
impl crate::generated::buffa::Message for SocketOption {
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
        if !self.value.is_empty() {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.value) as u64;
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
        if !self.value.is_empty() {
            crate::generated::buffa::types::put_string_field(2u32, &self.value, buf);
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
                crate::generated::buffa::types::merge_string(&mut self.value, buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
        self.value.clear();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Address {
    pub address: ::std::option::Option<__buffa::oneof::address::Address>,
}
impl ::std::fmt::Debug for Address {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Address").field("address", &self.address).finish()
    }
}
impl Address {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Address";
}
impl crate::generated::FieldMessage for Address {}
crate::generated::buffa::impl_default_instance!(Address);
impl crate::generated::buffa::MessageName for Address {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "Address";
    const FULL_NAME: &'static str = "grpc.channelz.v1.Address";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Address";
}
impl crate::generated::buffa::Message for Address {
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
        if let ::std::option::Option::Some(ref v) = self.address {
            match v {
                __buffa::oneof::address::Address::TcpipAddress(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::address::Address::UdsAddress(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
                __buffa::oneof::address::Address::OtherAddress(x) => {
                    let __slot = __cache.reserve();
                    let inner = x.compute_size(__cache);
                    __cache.set(__slot, inner);
                    size
                        += 1u64 + crate::generated::buffa::encoding::varint_len(inner as u64) as u64
                            + inner as u64;
                }
            }
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
        if let ::std::option::Option::Some(ref v) = self.address {
            match v {
                __buffa::oneof::address::Address::TcpipAddress(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        1u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::address::Address::UdsAddress(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        2u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
                __buffa::oneof::address::Address::OtherAddress(x) => {
                    crate::generated::buffa::types::put_len_delimited_header(
                        3u32,
                        u64::from(__cache.consume_next()),
                        buf,
                    );
                    x.write_to(__cache, buf);
                }
            }
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
                if let ::std::option::Option::Some(
                    __buffa::oneof::address::Address::TcpipAddress(ref mut existing),
                ) = self.address
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.address = ::std::option::Option::Some(
                        __buffa::oneof::address::Address::TcpipAddress(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::address::Address::UdsAddress(ref mut existing),
                ) = self.address
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.address = ::std::option::Option::Some(
                        __buffa::oneof::address::Address::UdsAddress(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                if let ::std::option::Option::Some(
                    __buffa::oneof::address::Address::OtherAddress(ref mut existing),
                ) = self.address
                {
                    crate::generated::buffa::Message::merge_length_delimited(&mut **existing, buf, ctx)?;
                } else {
                    let mut val = ::std::default::Default::default();
                    crate::generated::buffa::Message::merge_length_delimited(&mut val, buf, ctx)?;
                    self.address = ::std::option::Option::Some(
                        __buffa::oneof::address::Address::OtherAddress(
                            ::std::boxed::Box::new(val),
                        ),
                    );
                }
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.address = ::std::option::Option::None;
    }
}
pub mod address {
    #[allow(unused_imports)]
    use super::*;
    #[derive(Clone, PartialEq, Default)]
    pub struct TcpIpAddress {
        /// Four or sixteen bytes, network order.
        ///
        /// Field 1: `ip_address`
        pub ip_address: ::std::vec::Vec<u8>,
        /// Field 2: `port`
        pub port: i32,
    }
    impl ::std::fmt::Debug for TcpIpAddress {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("TcpIpAddress")
                .field("ip_address", &self.ip_address)
                .field("port", &self.port)
                .finish()
        }
    }
    impl TcpIpAddress {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Address.TcpIpAddress";
    }
    impl crate::generated::FieldMessage for TcpIpAddress {}
    crate::generated::buffa::impl_default_instance!(TcpIpAddress);
    impl crate::generated::buffa::MessageName for TcpIpAddress {
        const PACKAGE: &'static str = "grpc.channelz.v1";
        const NAME: &'static str = "Address.TcpIpAddress";
        const FULL_NAME: &'static str = "grpc.channelz.v1.Address.TcpIpAddress";
        const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Address.TcpIpAddress";
    }
    impl crate::generated::buffa::Message for TcpIpAddress {
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
            if !self.ip_address.is_empty() {
                size
                    += 1u64 + crate::generated::buffa::types::bytes_encoded_len(&self.ip_address) as u64;
            }
            if self.port != 0i32 {
                size += 1u64 + crate::generated::buffa::types::int32_encoded_len(self.port) as u64;
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
            if !self.ip_address.is_empty() {
                crate::generated::buffa::types::put_shared_bytes_field(1u32, &self.ip_address, buf);
            }
            if self.port != 0i32 {
                crate::generated::buffa::types::put_int32_field(2u32, self.port, buf);
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
                    crate::generated::buffa::types::merge_bytes(&mut self.ip_address, buf)?;
                }
                2u32 => {
                    crate::generated::buffa::encoding::check_wire_type(
                        tag,
                        crate::generated::buffa::encoding::WireType::Varint,
                    )?;
                    self.port = crate::generated::buffa::types::decode_int32(buf)?;
                }
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.ip_address.clear();
            self.port = 0i32;
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct UdsAddress {
        /// Field 1: `filename`
        pub filename: ::std::string::String,
    }
    impl ::std::fmt::Debug for UdsAddress {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("UdsAddress").field("filename", &self.filename).finish()
        }
    }
    impl UdsAddress {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Address.UdsAddress";
    }
    impl crate::generated::FieldMessage for UdsAddress {}
    crate::generated::buffa::impl_default_instance!(UdsAddress);
    impl crate::generated::buffa::MessageName for UdsAddress {
        const PACKAGE: &'static str = "grpc.channelz.v1";
        const NAME: &'static str = "Address.UdsAddress";
        const FULL_NAME: &'static str = "grpc.channelz.v1.Address.UdsAddress";
        const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Address.UdsAddress";
    }
    impl crate::generated::buffa::Message for UdsAddress {
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
            if !self.filename.is_empty() {
                size += 1u64 + crate::generated::buffa::types::string_encoded_len(&self.filename) as u64;
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
            if !self.filename.is_empty() {
                crate::generated::buffa::types::put_string_field(1u32, &self.filename, buf);
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
                    crate::generated::buffa::types::merge_string(&mut self.filename, buf)?;
                }
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.filename.clear();
        }
    }
    #[derive(Clone, PartialEq, Default)]
    pub struct OtherAddress {
        /// Field 1: `name`
        pub name: ::std::string::String,
    }
    impl ::std::fmt::Debug for OtherAddress {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("OtherAddress").field("name", &self.name).finish()
        }
    }
    impl OtherAddress {
        /// Protobuf type URL for this message, for use with `Any::pack` and
        /// `Any::unpack_if`.
        ///
        /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
        pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Address.OtherAddress";
    }
    impl crate::generated::FieldMessage for OtherAddress {}
    crate::generated::buffa::impl_default_instance!(OtherAddress);
    impl crate::generated::buffa::MessageName for OtherAddress {
        const PACKAGE: &'static str = "grpc.channelz.v1";
        const NAME: &'static str = "Address.OtherAddress";
        const FULL_NAME: &'static str = "grpc.channelz.v1.Address.OtherAddress";
        const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.Address.OtherAddress";
    }
    impl crate::generated::buffa::Message for OtherAddress {
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
                _ => {
                    crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
                }
            }
            ::std::result::Result::Ok(())
        }
        fn clear(&mut self) {
            self.name.clear();
        }
    }
    #[doc(inline)]
    pub use super::__buffa::oneof::address::Address;
}
#[derive(Clone, PartialEq, Default)]
pub struct GetTopChannelsRequest {
    /// Field 1: `start_channel_id`
    pub start_channel_id: i64,
    /// Field 2: `max_results`
    pub max_results: i64,
}
impl ::std::fmt::Debug for GetTopChannelsRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetTopChannelsRequest")
            .field("start_channel_id", &self.start_channel_id)
            .field("max_results", &self.max_results)
            .finish()
    }
}
impl GetTopChannelsRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetTopChannelsRequest";
}
impl crate::generated::FieldMessage for GetTopChannelsRequest {}
crate::generated::buffa::impl_default_instance!(GetTopChannelsRequest);
impl crate::generated::buffa::MessageName for GetTopChannelsRequest {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetTopChannelsRequest";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetTopChannelsRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetTopChannelsRequest";
}
impl crate::generated::buffa::Message for GetTopChannelsRequest {
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
        if self.start_channel_id != 0i64 {
            size
                += 1u64
                    + crate::generated::buffa::types::int64_encoded_len(self.start_channel_id) as u64;
        }
        if self.max_results != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.max_results) as u64;
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
        if self.start_channel_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.start_channel_id, buf);
        }
        if self.max_results != 0i64 {
            crate::generated::buffa::types::put_int64_field(2u32, self.max_results, buf);
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
                self.start_channel_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.max_results = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.start_channel_id = 0i64;
        self.max_results = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetTopChannelsResponse {
    /// Field 1: `channel`
    pub channel: ::std::vec::Vec<Channel>,
    /// Nothing follows.
    ///
    /// Field 2: `end`
    pub end: bool,
}
impl ::std::fmt::Debug for GetTopChannelsResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetTopChannelsResponse")
            .field("channel", &self.channel)
            .field("end", &self.end)
            .finish()
    }
}
impl GetTopChannelsResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetTopChannelsResponse";
}
impl crate::generated::FieldMessage for GetTopChannelsResponse {}
crate::generated::buffa::impl_default_instance!(GetTopChannelsResponse);
impl crate::generated::buffa::MessageName for GetTopChannelsResponse {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetTopChannelsResponse";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetTopChannelsResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetTopChannelsResponse";
}
impl crate::generated::buffa::Message for GetTopChannelsResponse {
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
        for v in &self.channel {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.end {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
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
        for v in &self.channel {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.end {
            crate::generated::buffa::types::put_bool_field(2u32, self.end, buf);
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
                self.channel.push(elem);
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.end = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.channel.clear();
        self.end = false;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetServersRequest {
    /// Field 1: `start_server_id`
    pub start_server_id: i64,
    /// Field 2: `max_results`
    pub max_results: i64,
}
impl ::std::fmt::Debug for GetServersRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetServersRequest")
            .field("start_server_id", &self.start_server_id)
            .field("max_results", &self.max_results)
            .finish()
    }
}
impl GetServersRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServersRequest";
}
impl crate::generated::FieldMessage for GetServersRequest {}
crate::generated::buffa::impl_default_instance!(GetServersRequest);
impl crate::generated::buffa::MessageName for GetServersRequest {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetServersRequest";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetServersRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServersRequest";
}
impl crate::generated::buffa::Message for GetServersRequest {
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
        if self.start_server_id != 0i64 {
            size
                += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.start_server_id) as u64;
        }
        if self.max_results != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.max_results) as u64;
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
        if self.start_server_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.start_server_id, buf);
        }
        if self.max_results != 0i64 {
            crate::generated::buffa::types::put_int64_field(2u32, self.max_results, buf);
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
                self.start_server_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.max_results = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.start_server_id = 0i64;
        self.max_results = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetServersResponse {
    /// Field 1: `server`
    pub server: ::std::vec::Vec<Server>,
    /// Field 2: `end`
    pub end: bool,
}
impl ::std::fmt::Debug for GetServersResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetServersResponse")
            .field("server", &self.server)
            .field("end", &self.end)
            .finish()
    }
}
impl GetServersResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServersResponse";
}
impl crate::generated::FieldMessage for GetServersResponse {}
crate::generated::buffa::impl_default_instance!(GetServersResponse);
impl crate::generated::buffa::MessageName for GetServersResponse {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetServersResponse";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetServersResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServersResponse";
}
impl crate::generated::buffa::Message for GetServersResponse {
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
        for v in &self.server {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.end {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
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
        for v in &self.server {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.end {
            crate::generated::buffa::types::put_bool_field(2u32, self.end, buf);
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
                self.server.push(elem);
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.end = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.server.clear();
        self.end = false;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetServerRequest {
    /// Field 1: `server_id`
    pub server_id: i64,
}
impl ::std::fmt::Debug for GetServerRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetServerRequest").field("server_id", &self.server_id).finish()
    }
}
impl GetServerRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServerRequest";
}
impl crate::generated::FieldMessage for GetServerRequest {}
crate::generated::buffa::impl_default_instance!(GetServerRequest);
impl crate::generated::buffa::MessageName for GetServerRequest {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetServerRequest";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetServerRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServerRequest";
}
impl crate::generated::buffa::Message for GetServerRequest {
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
        if self.server_id != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.server_id) as u64;
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
        if self.server_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.server_id, buf);
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
                self.server_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.server_id = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetServerResponse {
    /// Field 1: `server`
    pub server: crate::MessageField<Server>,
}
impl ::std::fmt::Debug for GetServerResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetServerResponse").field("server", &self.server).finish()
    }
}
impl GetServerResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServerResponse";
}
impl crate::generated::FieldMessage for GetServerResponse {}
crate::generated::buffa::impl_default_instance!(GetServerResponse);
impl crate::generated::buffa::MessageName for GetServerResponse {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetServerResponse";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetServerResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServerResponse";
}
impl crate::generated::buffa::Message for GetServerResponse {
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
        if self.server.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.server.compute_size(__cache);
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
        if self.server.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.server.write_to(__cache, buf);
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
                    self.server.get_or_insert_default(),
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
        self.server = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetServerSocketsRequest {
    /// Field 1: `server_id`
    pub server_id: i64,
    /// The first id that is wanted.
    ///
    /// Field 2: `start_socket_id`
    pub start_socket_id: i64,
    /// 0: as many as the server likes.
    ///
    /// Field 3: `max_results`
    pub max_results: i64,
}
impl ::std::fmt::Debug for GetServerSocketsRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetServerSocketsRequest")
            .field("server_id", &self.server_id)
            .field("start_socket_id", &self.start_socket_id)
            .field("max_results", &self.max_results)
            .finish()
    }
}
impl GetServerSocketsRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServerSocketsRequest";
}
impl crate::generated::FieldMessage for GetServerSocketsRequest {}
crate::generated::buffa::impl_default_instance!(GetServerSocketsRequest);
impl crate::generated::buffa::MessageName for GetServerSocketsRequest {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetServerSocketsRequest";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetServerSocketsRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServerSocketsRequest";
}
impl crate::generated::buffa::Message for GetServerSocketsRequest {
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
        if self.server_id != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.server_id) as u64;
        }
        if self.start_socket_id != 0i64 {
            size
                += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.start_socket_id) as u64;
        }
        if self.max_results != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.max_results) as u64;
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
        if self.server_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.server_id, buf);
        }
        if self.start_socket_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(2u32, self.start_socket_id, buf);
        }
        if self.max_results != 0i64 {
            crate::generated::buffa::types::put_int64_field(3u32, self.max_results, buf);
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
                self.server_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.start_socket_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            3u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.max_results = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.server_id = 0i64;
        self.start_socket_id = 0i64;
        self.max_results = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetServerSocketsResponse {
    /// Field 1: `socket_ref`
    pub socket_ref: ::std::vec::Vec<SocketRef>,
    /// Field 2: `end`
    pub end: bool,
}
impl ::std::fmt::Debug for GetServerSocketsResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetServerSocketsResponse")
            .field("socket_ref", &self.socket_ref)
            .field("end", &self.end)
            .finish()
    }
}
impl GetServerSocketsResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServerSocketsResponse";
}
impl crate::generated::FieldMessage for GetServerSocketsResponse {}
crate::generated::buffa::impl_default_instance!(GetServerSocketsResponse);
impl crate::generated::buffa::MessageName for GetServerSocketsResponse {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetServerSocketsResponse";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetServerSocketsResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetServerSocketsResponse";
}
impl crate::generated::buffa::Message for GetServerSocketsResponse {
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
        for v in &self.socket_ref {
            let __slot = __cache.reserve();
            let inner_size = v.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        if self.end {
            size += 1u64 + crate::generated::buffa::types::BOOL_ENCODED_LEN as u64;
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
        for v in &self.socket_ref {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            v.write_to(__cache, buf);
        }
        if self.end {
            crate::generated::buffa::types::put_bool_field(2u32, self.end, buf);
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
                self.socket_ref.push(elem);
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.end = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.socket_ref.clear();
        self.end = false;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetChannelRequest {
    /// Field 1: `channel_id`
    pub channel_id: i64,
}
impl ::std::fmt::Debug for GetChannelRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetChannelRequest")
            .field("channel_id", &self.channel_id)
            .finish()
    }
}
impl GetChannelRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetChannelRequest";
}
impl crate::generated::FieldMessage for GetChannelRequest {}
crate::generated::buffa::impl_default_instance!(GetChannelRequest);
impl crate::generated::buffa::MessageName for GetChannelRequest {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetChannelRequest";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetChannelRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetChannelRequest";
}
impl crate::generated::buffa::Message for GetChannelRequest {
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
        if self.channel_id != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.channel_id) as u64;
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
        if self.channel_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.channel_id, buf);
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
                self.channel_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.channel_id = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetChannelResponse {
    /// Field 1: `channel`
    pub channel: crate::MessageField<Channel>,
}
impl ::std::fmt::Debug for GetChannelResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetChannelResponse").field("channel", &self.channel).finish()
    }
}
impl GetChannelResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetChannelResponse";
}
impl crate::generated::FieldMessage for GetChannelResponse {}
crate::generated::buffa::impl_default_instance!(GetChannelResponse);
impl crate::generated::buffa::MessageName for GetChannelResponse {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetChannelResponse";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetChannelResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetChannelResponse";
}
impl crate::generated::buffa::Message for GetChannelResponse {
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
        if self.channel.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.channel.compute_size(__cache);
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
        if self.channel.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.channel.write_to(__cache, buf);
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
                    self.channel.get_or_insert_default(),
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
        self.channel = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetSubchannelRequest {
    /// Field 1: `subchannel_id`
    pub subchannel_id: i64,
}
impl ::std::fmt::Debug for GetSubchannelRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetSubchannelRequest")
            .field("subchannel_id", &self.subchannel_id)
            .finish()
    }
}
impl GetSubchannelRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetSubchannelRequest";
}
impl crate::generated::FieldMessage for GetSubchannelRequest {}
crate::generated::buffa::impl_default_instance!(GetSubchannelRequest);
impl crate::generated::buffa::MessageName for GetSubchannelRequest {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetSubchannelRequest";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetSubchannelRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetSubchannelRequest";
}
impl crate::generated::buffa::Message for GetSubchannelRequest {
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
        if self.subchannel_id != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.subchannel_id) as u64;
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
        if self.subchannel_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.subchannel_id, buf);
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
                self.subchannel_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.subchannel_id = 0i64;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetSubchannelResponse {
    /// Field 1: `subchannel`
    pub subchannel: crate::MessageField<Subchannel>,
}
impl ::std::fmt::Debug for GetSubchannelResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetSubchannelResponse")
            .field("subchannel", &self.subchannel)
            .finish()
    }
}
impl GetSubchannelResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetSubchannelResponse";
}
impl crate::generated::FieldMessage for GetSubchannelResponse {}
crate::generated::buffa::impl_default_instance!(GetSubchannelResponse);
impl crate::generated::buffa::MessageName for GetSubchannelResponse {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetSubchannelResponse";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetSubchannelResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetSubchannelResponse";
}
impl crate::generated::buffa::Message for GetSubchannelResponse {
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
        if self.subchannel.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.subchannel.compute_size(__cache);
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
        if self.subchannel.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.subchannel.write_to(__cache, buf);
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
                    self.subchannel.get_or_insert_default(),
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
        self.subchannel = crate::MessageField::none();
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetSocketRequest {
    /// Field 1: `socket_id`
    pub socket_id: i64,
    /// Field 2: `summary`
    pub summary: bool,
}
impl ::std::fmt::Debug for GetSocketRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetSocketRequest")
            .field("socket_id", &self.socket_id)
            .field("summary", &self.summary)
            .finish()
    }
}
impl GetSocketRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetSocketRequest";
}
impl crate::generated::FieldMessage for GetSocketRequest {}
crate::generated::buffa::impl_default_instance!(GetSocketRequest);
impl crate::generated::buffa::MessageName for GetSocketRequest {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetSocketRequest";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetSocketRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetSocketRequest";
}
impl crate::generated::buffa::Message for GetSocketRequest {
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
        if self.socket_id != 0i64 {
            size += 1u64 + crate::generated::buffa::types::int64_encoded_len(self.socket_id) as u64;
        }
        if self.summary {
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
        if self.socket_id != 0i64 {
            crate::generated::buffa::types::put_int64_field(1u32, self.socket_id, buf);
        }
        if self.summary {
            crate::generated::buffa::types::put_bool_field(2u32, self.summary, buf);
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
                self.socket_id = crate::generated::buffa::types::decode_int64(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.summary = crate::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.socket_id = 0i64;
        self.summary = false;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct GetSocketResponse {
    /// Field 1: `socket`
    pub socket: crate::MessageField<Socket>,
}
impl ::std::fmt::Debug for GetSocketResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("GetSocketResponse").field("socket", &self.socket).finish()
    }
}
impl GetSocketResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetSocketResponse";
}
impl crate::generated::FieldMessage for GetSocketResponse {}
crate::generated::buffa::impl_default_instance!(GetSocketResponse);
impl crate::generated::buffa::MessageName for GetSocketResponse {
    const PACKAGE: &'static str = "grpc.channelz.v1";
    const NAME: &'static str = "GetSocketResponse";
    const FULL_NAME: &'static str = "grpc.channelz.v1.GetSocketResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/grpc.channelz.v1.GetSocketResponse";
}
impl crate::generated::buffa::Message for GetSocketResponse {
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
        if self.socket.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.socket.compute_size(__cache);
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
        if self.socket.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.socket.write_to(__cache, buf);
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
                    self.socket.get_or_insert_default(),
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
        self.socket = crate::MessageField::none();
    }
}
#[allow(
    non_camel_case_types,
    dead_code,
    unused_imports,
    unused_qualifications,
    clippy::derivable_impls,
    clippy::match_single_binding,
    clippy::uninlined_format_args,
    clippy::doc_lazy_continuation,
    clippy::module_inception
)]
pub mod __buffa {
    #[allow(unused_imports)]
    use super::*;
    pub mod oneof {
        #[allow(unused_imports)]
        use super::*;
        pub mod address {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Clone, PartialEq, Debug)]
            pub enum Address {
                TcpipAddress(
                    ::std::boxed::Box<
                        super::super::super::address::TcpIpAddress,
                    >,
                ),
                UdsAddress(
                    ::std::boxed::Box<super::super::super::address::UdsAddress>,
                ),
                OtherAddress(
                    ::std::boxed::Box<
                        super::super::super::address::OtherAddress,
                    >,
                ),
            }
            impl crate::generated::buffa::Oneof for Address {}
            impl From<super::super::super::address::TcpIpAddress> for Address {
                fn from(v: super::super::super::address::TcpIpAddress) -> Self {
                    Self::TcpipAddress(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::address::TcpIpAddress>
            for ::std::option::Option<Address> {
                fn from(v: super::super::super::address::TcpIpAddress) -> Self {
                    Self::Some(Address::from(v))
                }
            }
            impl From<super::super::super::address::UdsAddress> for Address {
                fn from(v: super::super::super::address::UdsAddress) -> Self {
                    Self::UdsAddress(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::address::UdsAddress>
            for ::std::option::Option<Address> {
                fn from(v: super::super::super::address::UdsAddress) -> Self {
                    Self::Some(Address::from(v))
                }
            }
            impl From<super::super::super::address::OtherAddress> for Address {
                fn from(v: super::super::super::address::OtherAddress) -> Self {
                    Self::OtherAddress(::std::boxed::Box::new(v))
                }
            }
            impl From<super::super::super::address::OtherAddress>
            for ::std::option::Option<Address> {
                fn from(v: super::super::super::address::OtherAddress) -> Self {
                    Self::Some(Address::from(v))
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("grpc.channelz.v1.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(ChannelRef, "grpc.channelz.v1.ChannelRef", POOL, buffers { one name; });
crate::generated::message!(SubchannelRef, "grpc.channelz.v1.SubchannelRef", POOL, buffers { one name; });
crate::generated::message!(SocketRef, "grpc.channelz.v1.SocketRef", POOL, buffers { one name; });
crate::generated::message!(ServerRef, "grpc.channelz.v1.ServerRef", POOL, buffers { one name; });
crate::generated::message!(Channel, "grpc.channelz.v1.Channel", POOL, buffers { one r#ref; one data; each channel_ref; each subchannel_ref; });
crate::generated::message!(Subchannel, "grpc.channelz.v1.Subchannel", POOL, buffers { one r#ref; one data; each socket_ref; });
crate::generated::message!(ChannelConnectivityState, "grpc.channelz.v1.ChannelConnectivityState", POOL);
crate::generated::message!(ChannelData, "grpc.channelz.v1.ChannelData", POOL, buffers { one target; });
crate::generated::message!(ChannelTrace, "grpc.channelz.v1.ChannelTrace", POOL);
crate::generated::message!(Server, "grpc.channelz.v1.Server", POOL, buffers { one r#ref; each listen_socket; });
crate::generated::message!(ServerData, "grpc.channelz.v1.ServerData", POOL);
crate::generated::message!(Socket, "grpc.channelz.v1.Socket", POOL, buffers { one r#ref; one data; });
crate::generated::message!(SocketData, "grpc.channelz.v1.SocketData", POOL, buffers { each option; });
crate::generated::message!(SocketOption, "grpc.channelz.v1.SocketOption", POOL, buffers { one name; one value; });
crate::generated::message!(Address, "grpc.channelz.v1.Address", POOL);
crate::generated::message!(address::TcpIpAddress, "grpc.channelz.v1.Address.TcpIpAddress", POOL, buffers { one ip_address; });
crate::generated::message!(address::UdsAddress, "grpc.channelz.v1.Address.UdsAddress", POOL, buffers { one filename; });
crate::generated::message!(address::OtherAddress, "grpc.channelz.v1.Address.OtherAddress", POOL, buffers { one name; });
crate::generated::message!(GetTopChannelsRequest, "grpc.channelz.v1.GetTopChannelsRequest", POOL);
crate::generated::message!(GetTopChannelsResponse, "grpc.channelz.v1.GetTopChannelsResponse", POOL, buffers { each channel; });
crate::generated::message!(GetServersRequest, "grpc.channelz.v1.GetServersRequest", POOL);
crate::generated::message!(GetServersResponse, "grpc.channelz.v1.GetServersResponse", POOL, buffers { each server; });
crate::generated::message!(GetServerRequest, "grpc.channelz.v1.GetServerRequest", POOL);
crate::generated::message!(GetServerResponse, "grpc.channelz.v1.GetServerResponse", POOL, buffers { one server; });
crate::generated::message!(GetServerSocketsRequest, "grpc.channelz.v1.GetServerSocketsRequest", POOL);
crate::generated::message!(GetServerSocketsResponse, "grpc.channelz.v1.GetServerSocketsResponse", POOL, buffers { each socket_ref; });
crate::generated::message!(GetChannelRequest, "grpc.channelz.v1.GetChannelRequest", POOL);
crate::generated::message!(GetChannelResponse, "grpc.channelz.v1.GetChannelResponse", POOL, buffers { one channel; });
crate::generated::message!(GetSubchannelRequest, "grpc.channelz.v1.GetSubchannelRequest", POOL);
crate::generated::message!(GetSubchannelResponse, "grpc.channelz.v1.GetSubchannelResponse", POOL, buffers { one subchannel; });
crate::generated::message!(GetSocketRequest, "grpc.channelz.v1.GetSocketRequest", POOL);
crate::generated::message!(GetSocketResponse, "grpc.channelz.v1.GetSocketResponse", POOL, buffers { one socket; });

/// Figures of a process's servers, sockets and channels.
///
/// Service `grpc.channelz.v1.Channelz`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `grpc.channelz.v1.Channelz`",
    note = "write `impl Channelz for {Self}` with its methods: `get_top_channels`, `get_servers`, `get_server`, `get_server_sockets`, `get_channel`, `get_subchannel`, `get_socket`"
)]
pub trait Channelz: Send + Sync + 'static {
    /// Channels of the process, in the order of their ids.
    ///
    /// Method `GetTopChannels`.
    fn get_top_channels(
        &self,
        cx: &crate::Context,
        request: GetTopChannelsRequest,
    ) -> impl ::std::future::Future<Output = Result<crate::Reply<GetTopChannelsResponse>, crate::Status>> + Send;

    /// Servers: the one that answers.
    ///
    /// Method `GetServers`.
    fn get_servers(
        &self,
        cx: &crate::Context,
        request: GetServersRequest,
    ) -> impl ::std::future::Future<Output = Result<crate::Reply<GetServersResponse>, crate::Status>> + Send;

    /// Method `GetServer`.
    fn get_server(
        &self,
        cx: &crate::Context,
        request: GetServerRequest,
    ) -> impl ::std::future::Future<Output = Result<crate::Reply<GetServerResponse>, crate::Status>> + Send;

    /// Connections of a server, in the order of their ids.
    ///
    /// Method `GetServerSockets`.
    fn get_server_sockets(
        &self,
        cx: &crate::Context,
        request: GetServerSocketsRequest,
    ) -> impl ::std::future::Future<Output = Result<crate::Reply<GetServerSocketsResponse>, crate::Status>> + Send;

    /// Method `GetChannel`.
    fn get_channel(
        &self,
        cx: &crate::Context,
        request: GetChannelRequest,
    ) -> impl ::std::future::Future<Output = Result<crate::Reply<GetChannelResponse>, crate::Status>> + Send;

    /// Method `GetSubchannel`.
    fn get_subchannel(
        &self,
        cx: &crate::Context,
        request: GetSubchannelRequest,
    ) -> impl ::std::future::Future<Output = Result<crate::Reply<GetSubchannelResponse>, crate::Status>> + Send;

    /// Method `GetSocket`.
    fn get_socket(
        &self,
        cx: &crate::Context,
        request: GetSocketRequest,
    ) -> impl ::std::future::Future<Output = Result<crate::Reply<GetSocketResponse>, crate::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> crate::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        crate::Service::new("grpc.channelz.v1.Channelz", DESCRIPTOR_SET)
            .unary::<channelz::GetTopChannels<Self>>(&service)
            .unary::<channelz::GetServers<Self>>(&service)
            .unary::<channelz::GetServer<Self>>(&service)
            .unary::<channelz::GetServerSockets<Self>>(&service)
            .unary::<channelz::GetChannel<Self>>(&service)
            .unary::<channelz::GetSubchannel<Self>>(&service)
            .unary::<channelz::GetSocket<Self>>(&service)
    }
}

/// The methods of [`Channelz`], each as a type.
pub mod channelz {
    /// `grpc.channelz.v1.Channelz/GetTopChannels`.
    pub struct GetTopChannels<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Channelz> crate::generated::Unary for GetTopChannels<Impl> {
        type Service = Impl;
        type Request = super::GetTopChannelsRequest;
        type Response = super::GetTopChannelsResponse;
        const NAME: &'static str = "GetTopChannels";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<crate::Reply<Self::Response>, crate::Status>> + Send {
            super::Channelz::get_top_channels(service, cx, request)
        }
    }

    /// `grpc.channelz.v1.Channelz/GetServers`.
    pub struct GetServers<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Channelz> crate::generated::Unary for GetServers<Impl> {
        type Service = Impl;
        type Request = super::GetServersRequest;
        type Response = super::GetServersResponse;
        const NAME: &'static str = "GetServers";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<crate::Reply<Self::Response>, crate::Status>> + Send {
            super::Channelz::get_servers(service, cx, request)
        }
    }

    /// `grpc.channelz.v1.Channelz/GetServer`.
    pub struct GetServer<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Channelz> crate::generated::Unary for GetServer<Impl> {
        type Service = Impl;
        type Request = super::GetServerRequest;
        type Response = super::GetServerResponse;
        const NAME: &'static str = "GetServer";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<crate::Reply<Self::Response>, crate::Status>> + Send {
            super::Channelz::get_server(service, cx, request)
        }
    }

    /// `grpc.channelz.v1.Channelz/GetServerSockets`.
    pub struct GetServerSockets<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Channelz> crate::generated::Unary for GetServerSockets<Impl> {
        type Service = Impl;
        type Request = super::GetServerSocketsRequest;
        type Response = super::GetServerSocketsResponse;
        const NAME: &'static str = "GetServerSockets";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<crate::Reply<Self::Response>, crate::Status>> + Send {
            super::Channelz::get_server_sockets(service, cx, request)
        }
    }

    /// `grpc.channelz.v1.Channelz/GetChannel`.
    pub struct GetChannel<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Channelz> crate::generated::Unary for GetChannel<Impl> {
        type Service = Impl;
        type Request = super::GetChannelRequest;
        type Response = super::GetChannelResponse;
        const NAME: &'static str = "GetChannel";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<crate::Reply<Self::Response>, crate::Status>> + Send {
            super::Channelz::get_channel(service, cx, request)
        }
    }

    /// `grpc.channelz.v1.Channelz/GetSubchannel`.
    pub struct GetSubchannel<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Channelz> crate::generated::Unary for GetSubchannel<Impl> {
        type Service = Impl;
        type Request = super::GetSubchannelRequest;
        type Response = super::GetSubchannelResponse;
        const NAME: &'static str = "GetSubchannel";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<crate::Reply<Self::Response>, crate::Status>> + Send {
            super::Channelz::get_subchannel(service, cx, request)
        }
    }

    /// `grpc.channelz.v1.Channelz/GetSocket`.
    pub struct GetSocket<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Channelz> crate::generated::Unary for GetSocket<Impl> {
        type Service = Impl;
        type Request = super::GetSocketRequest;
        type Response = super::GetSocketResponse;
        const NAME: &'static str = "GetSocket";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<crate::Reply<Self::Response>, crate::Status>> + Send {
            super::Channelz::get_socket(service, cx, request)
        }
    }
}

/// Figures of a process's servers, sockets and channels.
///
/// Calls `grpc.channelz.v1.Channelz` over a channel.
#[derive(Clone)]
pub struct ChannelzClient {
    channel: crate::Channel,
}

impl ChannelzClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: crate::AnyChannel<P>) -> Self {
        Self { channel: channel.retyped() }
    }

    /// Channels of the process, in the order of their ids.
    ///
    /// Method `GetTopChannels`.
    #[inline]
    pub fn get_top_channels(&self, request: GetTopChannelsRequest) -> crate::Call<GetTopChannelsResponse> {
        crate::generated::unary(&self.channel, crate::Target::fixed("grpc.channelz.v1.Channelz", "GetTopChannels").at(0), request)
    }

    /// Servers: the one that answers.
    ///
    /// Method `GetServers`.
    #[inline]
    pub fn get_servers(&self, request: GetServersRequest) -> crate::Call<GetServersResponse> {
        crate::generated::unary(&self.channel, crate::Target::fixed("grpc.channelz.v1.Channelz", "GetServers").at(1), request)
    }

    /// Method `GetServer`.
    #[inline]
    pub fn get_server(&self, request: GetServerRequest) -> crate::Call<GetServerResponse> {
        crate::generated::unary(&self.channel, crate::Target::fixed("grpc.channelz.v1.Channelz", "GetServer").at(2), request)
    }

    /// Connections of a server, in the order of their ids.
    ///
    /// Method `GetServerSockets`.
    #[inline]
    pub fn get_server_sockets(&self, request: GetServerSocketsRequest) -> crate::Call<GetServerSocketsResponse> {
        crate::generated::unary(&self.channel, crate::Target::fixed("grpc.channelz.v1.Channelz", "GetServerSockets").at(3), request)
    }

    /// Method `GetChannel`.
    #[inline]
    pub fn get_channel(&self, request: GetChannelRequest) -> crate::Call<GetChannelResponse> {
        crate::generated::unary(&self.channel, crate::Target::fixed("grpc.channelz.v1.Channelz", "GetChannel").at(4), request)
    }

    /// Method `GetSubchannel`.
    #[inline]
    pub fn get_subchannel(&self, request: GetSubchannelRequest) -> crate::Call<GetSubchannelResponse> {
        crate::generated::unary(&self.channel, crate::Target::fixed("grpc.channelz.v1.Channelz", "GetSubchannel").at(5), request)
    }

    /// Method `GetSocket`.
    #[inline]
    pub fn get_socket(&self, request: GetSocketRequest) -> crate::Call<GetSocketResponse> {
        crate::generated::unary(&self.channel, crate::Target::fixed("grpc.channelz.v1.Channelz", "GetSocket").at(6), request)
    }
}
