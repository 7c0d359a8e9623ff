// Made by polywire-build from example/echo.proto, example/streams.proto; changes are lost.

/// What the caller wants to hear again.
#[derive(Clone, PartialEq, Default)]
pub struct EchoRequest {
    /// Field 1: `message`
    pub message: ::std::string::String,
}
impl ::std::fmt::Debug for EchoRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("EchoRequest").field("message", &self.message).finish()
    }
}
impl EchoRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/example.EchoRequest";
}
impl ::polywire::generated::FieldMessage for EchoRequest {}
::polywire::generated::buffa::impl_default_instance!(EchoRequest);
impl ::polywire::generated::buffa::MessageName for EchoRequest {
    const PACKAGE: &'static str = "example";
    const NAME: &'static str = "EchoRequest";
    const FULL_NAME: &'static str = "example.EchoRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/example.EchoRequest";
}
impl ::polywire::generated::buffa::Message for EchoRequest {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.message) as u64;
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        ::polywire::generated::buffa::types::put_string_field(1u32, &self.message, buf);
    }
    fn merge_field(
        &mut self,
        tag: ::polywire::generated::buffa::encoding::Tag,
        buf: &mut impl ::polywire::generated::buffa::bytes::Buf,
        ctx: ::polywire::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), ::polywire::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.message, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.message.clear();
    }
}
/// What the caller said.
#[derive(Clone, PartialEq, Default)]
pub struct EchoResponse {
    /// Field 1: `message`
    pub message: ::std::string::String,
}
impl ::std::fmt::Debug for EchoResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("EchoResponse").field("message", &self.message).finish()
    }
}
impl EchoResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/example.EchoResponse";
}
impl ::polywire::generated::FieldMessage for EchoResponse {}
::polywire::generated::buffa::impl_default_instance!(EchoResponse);
impl ::polywire::generated::buffa::MessageName for EchoResponse {
    const PACKAGE: &'static str = "example";
    const NAME: &'static str = "EchoResponse";
    const FULL_NAME: &'static str = "example.EchoResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/example.EchoResponse";
}
impl ::polywire::generated::buffa::Message for EchoResponse {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.message) as u64;
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        ::polywire::generated::buffa::types::put_string_field(1u32, &self.message, buf);
    }
    fn merge_field(
        &mut self,
        tag: ::polywire::generated::buffa::encoding::Tag,
        buf: &mut impl ::polywire::generated::buffa::bytes::Buf,
        ctx: ::polywire::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), ::polywire::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.message, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.message.clear();
    }
}
/// What is to be said, and how often.
#[derive(Clone, PartialEq, Default)]
pub struct RepeatRequest {
    /// Field 1: `message`
    pub message: ::std::string::String,
    /// Field 2: `count`
    pub count: u32,
    /// Milliseconds before each but the first.
    ///
    /// Field 3: `interval_ms`
    pub interval_ms: u32,
}
impl ::std::fmt::Debug for RepeatRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("RepeatRequest")
            .field("message", &self.message)
            .field("count", &self.count)
            .field("interval_ms", &self.interval_ms)
            .finish()
    }
}
impl RepeatRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/example.RepeatRequest";
}
impl ::polywire::generated::FieldMessage for RepeatRequest {}
::polywire::generated::buffa::impl_default_instance!(RepeatRequest);
impl ::polywire::generated::buffa::MessageName for RepeatRequest {
    const PACKAGE: &'static str = "example";
    const NAME: &'static str = "RepeatRequest";
    const FULL_NAME: &'static str = "example.RepeatRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/example.RepeatRequest";
}
impl ::polywire::generated::buffa::Message for RepeatRequest {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if !self.message.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.message) as u64;
        }
        if self.count != 0u32 {
            size += 1u64 + ::polywire::generated::buffa::types::uint32_encoded_len(self.count) as u64;
        }
        if self.interval_ms != 0u32 {
            size += 1u64 + ::polywire::generated::buffa::types::uint32_encoded_len(self.interval_ms) as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if !self.message.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.message, buf);
        }
        if self.count != 0u32 {
            ::polywire::generated::buffa::types::put_uint32_field(2u32, self.count, buf);
        }
        if self.interval_ms != 0u32 {
            ::polywire::generated::buffa::types::put_uint32_field(3u32, self.interval_ms, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: ::polywire::generated::buffa::encoding::Tag,
        buf: &mut impl ::polywire::generated::buffa::bytes::Buf,
        ctx: ::polywire::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), ::polywire::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.message, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.count = ::polywire::generated::buffa::types::decode_uint32(buf)?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.interval_ms = ::polywire::generated::buffa::types::decode_uint32(buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.message.clear();
        self.count = 0u32;
        self.interval_ms = 0u32;
    }
}
#[derive(Clone, PartialEq, Default)]
pub struct Line {
    /// Field 1: `message`
    pub message: ::std::string::String,
}
impl ::std::fmt::Debug for Line {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Line").field("message", &self.message).finish()
    }
}
impl Line {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/example.Line";
}
impl ::polywire::generated::FieldMessage for Line {}
::polywire::generated::buffa::impl_default_instance!(Line);
impl ::polywire::generated::buffa::MessageName for Line {
    const PACKAGE: &'static str = "example";
    const NAME: &'static str = "Line";
    const FULL_NAME: &'static str = "example.Line";
    const TYPE_URL: &'static str = "type.googleapis.com/example.Line";
}
impl ::polywire::generated::buffa::Message for Line {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if !self.message.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.message) as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if !self.message.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.message, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: ::polywire::generated::buffa::encoding::Tag,
        buf: &mut impl ::polywire::generated::buffa::bytes::Buf,
        ctx: ::polywire::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), ::polywire::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.message, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.message.clear();
    }
}
/// What was heard.
#[derive(Clone, PartialEq, Default)]
pub struct Heard {
    /// Field 1: `messages`
    pub messages: u64,
    /// Of their texts, together.
    ///
    /// Field 2: `bytes`
    pub bytes: u64,
}
impl ::std::fmt::Debug for Heard {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Heard")
            .field("messages", &self.messages)
            .field("bytes", &self.bytes)
            .finish()
    }
}
impl Heard {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/example.Heard";
}
impl ::polywire::generated::FieldMessage for Heard {}
::polywire::generated::buffa::impl_default_instance!(Heard);
impl ::polywire::generated::buffa::MessageName for Heard {
    const PACKAGE: &'static str = "example";
    const NAME: &'static str = "Heard";
    const FULL_NAME: &'static str = "example.Heard";
    const TYPE_URL: &'static str = "type.googleapis.com/example.Heard";
}
impl ::polywire::generated::buffa::Message for Heard {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if self.messages != 0u64 {
            size += 1u64 + ::polywire::generated::buffa::types::uint64_encoded_len(self.messages) as u64;
        }
        if self.bytes != 0u64 {
            size += 1u64 + ::polywire::generated::buffa::types::uint64_encoded_len(self.bytes) as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if self.messages != 0u64 {
            ::polywire::generated::buffa::types::put_uint64_field(1u32, self.messages, buf);
        }
        if self.bytes != 0u64 {
            ::polywire::generated::buffa::types::put_uint64_field(2u32, self.bytes, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: ::polywire::generated::buffa::encoding::Tag,
        buf: &mut impl ::polywire::generated::buffa::bytes::Buf,
        ctx: ::polywire::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), ::polywire::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.messages = ::polywire::generated::buffa::types::decode_uint64(buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.bytes = ::polywire::generated::buffa::types::decode_uint64(buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.messages = 0u64;
        self.bytes = 0u64;
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("example.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(EchoRequest, "example.EchoRequest", POOL, packed, buffers { one message; });
::polywire::generated::packed!(EchoRequest, required 0b1, by_name [0], {
    0: "message" message [0 false true];
});
::polywire::generated::message!(EchoResponse, "example.EchoResponse", POOL, packed, buffers { one message; });
::polywire::generated::packed!(EchoResponse, required 0b1, by_name [0], {
    0: "message" message [0 false true];
});
::polywire::generated::message!(RepeatRequest, "example.RepeatRequest", POOL, packed, buffers { one message; });
::polywire::generated::packed!(RepeatRequest, required 0b0, by_name [1, 0, 2], {
    0: "message" message [0 false false];
    1: "count" count [0 false false];
    2: "interval_ms" interval_ms [0 false false];
});
::polywire::generated::message!(Line, "example.Line", POOL, packed, buffers { one message; });
::polywire::generated::packed!(Line, required 0b0, by_name [0], {
    0: "message" message [0 false false];
});
::polywire::generated::message!(Heard, "example.Heard", POOL, packed);
::polywire::generated::packed!(Heard, required 0b0, by_name [1, 0], {
    0: "messages" messages [0 false false];
    1: "bytes" bytes [0 false false];
});

/// Says everything twice: the message in the reply, the attachment behind it.
///
/// Service `example.EchoService`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `example.EchoService`",
    note = "write `impl EchoService for {Self}` with its methods: `echo`"
)]
pub trait EchoService: Send + Sync + 'static {
    /// Returns the message and the attachment as they came.
    ///
    /// Method `Echo`.
    fn echo(
        &self,
        cx: &::polywire::Context,
        request: EchoRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<EchoResponse>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("example.EchoService", DESCRIPTOR_SET)
            .unary::<echo_service::Echo<Self>>(&service)
    }
}

/// The methods of [`EchoService`], each as a type.
pub mod echo_service {
    /// `example.EchoService/Echo`.
    pub struct Echo<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for Echo<Impl> {
        type Service = Impl;
        type Request = super::EchoRequest;
        type Response = super::EchoResponse;
        const NAME: &'static str = "Echo";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::EchoService::echo(service, cx, request)
        }
    }
}

/// Says everything twice: the message in the reply, the attachment behind it.
///
/// Calls `example.EchoService` over a channel.
#[derive(Clone)]
pub struct EchoClient {
    channel: ::polywire::Channel,
}

impl EchoClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: ::polywire::AnyChannel<P>) -> Self {
        Self { channel: channel.retyped() }
    }

    /// A client of the server at an address whose scheme may name the protocol, such as `grpc://127.0.0.1:8000`,
    /// over a channel with all defaults. Connects once to check that the server can be reached.
    ///
    /// # Errors
    /// The address is wrong, or the connection could not be made.
    pub async fn connect(
        address: impl ::std::convert::Into<::std::string::String>,
    ) -> ::std::result::Result<Self, ::polywire::ChannelError> {
        ::polywire::Channel::connect(address).await.map(Self::new)
    }

    /// Returns the message and the attachment as they came.
    ///
    /// Method `Echo`.
    #[inline]
    pub fn echo(&self, request: EchoRequest) -> ::polywire::Call<EchoResponse> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("example.EchoService", "Echo").at(0), request)
    }
}

/// One method of each kind that streams.
///
/// Service `example.StreamService`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `example.StreamService`",
    note = "write `impl StreamService for {Self}` with its methods: `repeat`, `collect`, `chat`"
)]
pub trait StreamService: Send + Sync + 'static {
    /// Says the message so many times.
    ///
    /// Method `Repeat`, which answers with a stream. To be written as
    /// `async fn repeat(…) -> Result<impl Stream<Item = Result<Line, Status>>, Status>`.
    fn repeat(
        &self,
        cx: &::polywire::Context,
        request: RepeatRequest,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<Line, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// Counts what it hears.
    ///
    /// Method `Collect`, which takes a stream.
    fn collect(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<Line>,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Heard>, ::polywire::Status>> + Send;

    /// Answers each message with itself.
    ///
    /// Method `Chat`, which takes and answers with a stream. To be written as
    /// `async fn chat(…) -> Result<impl Stream<Item = Result<Line, Status>>, Status>`.
    fn chat(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<Line>,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<Line, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("example.StreamService", DESCRIPTOR_SET)
            .server_streaming::<stream_service::Repeat<Self>>(&service)
            .client_streaming::<stream_service::Collect<Self>>(&service)
            .bidi_streaming::<stream_service::Chat<Self>>(&service)
    }
}

/// The methods of [`StreamService`], each as a type.
pub mod stream_service {
    /// `example.StreamService/Repeat`.
    pub struct Repeat<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::StreamService> ::polywire::generated::ServerStreaming for Repeat<Impl> {
        type Service = Impl;
        type Request = super::RepeatRequest;
        type Response = super::Line;
        const NAME: &'static str = "Repeat";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<
            Output = Result<
                impl ::polywire::Stream<Item = Result<Self::Response, ::polywire::Status>> + Send,
                ::polywire::Status,
            >,
        > + Send {
            super::StreamService::repeat(service, cx, request)
        }
    }

    /// `example.StreamService/Collect`.
    pub struct Collect<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::StreamService> ::polywire::generated::ClientStreaming for Collect<Impl> {
        type Service = Impl;
        type Request = super::Line;
        type Response = super::Heard;
        const NAME: &'static str = "Collect";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            incoming: ::polywire::Streaming<Self::Request>,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::StreamService::collect(service, cx, incoming)
        }
    }

    /// `example.StreamService/Chat`.
    pub struct Chat<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::StreamService> ::polywire::generated::BidiStreaming for Chat<Impl> {
        type Service = Impl;
        type Request = super::Line;
        type Response = super::Line;
        const NAME: &'static str = "Chat";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            incoming: ::polywire::Streaming<Self::Request>,
        ) -> impl ::std::future::Future<
            Output = Result<
                impl ::polywire::Stream<Item = Result<Self::Response, ::polywire::Status>> + Send,
                ::polywire::Status,
            >,
        > + Send {
            super::StreamService::chat(service, cx, incoming)
        }
    }
}

/// One method of each kind that streams.
///
/// Calls `example.StreamService` over a channel.
#[derive(Clone)]
pub struct StreamClient {
    channel: ::polywire::Channel,
}

impl StreamClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: ::polywire::AnyChannel<P>) -> Self {
        Self { channel: channel.retyped() }
    }

    /// A client of the server at an address whose scheme may name the protocol, such as `grpc://127.0.0.1:8000`,
    /// over a channel with all defaults. Connects once to check that the server can be reached.
    ///
    /// # Errors
    /// The address is wrong, or the connection could not be made.
    pub async fn connect(
        address: impl ::std::convert::Into<::std::string::String>,
    ) -> ::std::result::Result<Self, ::polywire::ChannelError> {
        ::polywire::Channel::connect(address).await.map(Self::new)
    }

    /// Says the message so many times.
    ///
    /// Method `Repeat`: awaited, it is the stream of its answers.
    #[inline]
    pub fn repeat(&self, request: RepeatRequest) -> ::polywire::StreamingCall<::polywire::Streaming<Line>> {
        ::polywire::generated::server_streaming(&self.channel, ::polywire::Target::fixed("example.StreamService", "Repeat").at(0), request)
    }

    /// Counts what it hears.
    ///
    /// Method `Collect`: awaited, it takes messages; `finish` gets the reply.
    #[inline]
    pub fn collect(&self) -> ::polywire::StreamingCall<::polywire::Upload<Line, Heard>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("example.StreamService", "Collect").at(1))
    }

    /// Answers each message with itself.
    ///
    /// Method `Chat`: awaited, it is a stream each way.
    #[inline]
    pub fn chat(&self) -> ::polywire::StreamingCall<::polywire::Duplex<Line, Line>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("example.StreamService", "Chat").at(2))
    }
}
