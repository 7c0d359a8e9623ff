// Made by polywire-build from talk.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct Line {
    /// Field 1: `text`
    pub text: ::std::string::String,
    /// Field 2: `number`
    pub number: u32,
}
impl ::std::fmt::Debug for Line {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Line")
            .field("text", &self.text)
            .field("number", &self.number)
            .finish()
    }
}
impl Line {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/talk.Line";
}
impl ::polywire::generated::FieldMessage for Line {}
::polywire::generated::buffa::impl_default_instance!(Line);
impl ::polywire::generated::buffa::MessageName for Line {
    const PACKAGE: &'static str = "talk";
    const NAME: &'static str = "Line";
    const FULL_NAME: &'static str = "talk.Line";
    const TYPE_URL: &'static str = "type.googleapis.com/talk.Line";
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
        if !self.text.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.text) as u64;
        }
        if self.number != 0u32 {
            size += 1u64 + ::polywire::generated::buffa::types::uint32_encoded_len(self.number) as u64;
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
        if !self.text.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.text, buf);
        }
        if self.number != 0u32 {
            ::polywire::generated::buffa::types::put_uint32_field(2u32, self.number, buf);
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
                ::polywire::generated::buffa::types::merge_string(&mut self.text, buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.number = ::polywire::generated::buffa::types::decode_uint32(buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.text.clear();
        self.number = 0u32;
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("talk.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Line, "talk.Line", POOL, buffers { one text; });

/// One method of each kind.
///
/// Service `talk.Talk`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `talk.Talk`",
    note = "write `impl Talk for {Self}` with its methods: `say`, `count`, `sum`, `chat`"
)]
pub trait Talk: Send + Sync + 'static {
    /// Says it once.
    ///
    /// Method `Say`.
    fn say(
        &self,
        cx: &::polywire::Context,
        request: Line,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Line>, ::polywire::Status>> + Send;

    /// Counts to the line's number.
    ///
    /// Method `Count`, which answers with a stream. To be written as
    /// `async fn count(…) -> Result<impl Stream<Item = Result<Line, Status>>, Status>`.
    fn count(
        &self,
        cx: &::polywire::Context,
        request: Line,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<Line, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// Adds up what it hears.
    ///
    /// Method `Sum`, which takes a stream.
    fn sum(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<Line>,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Line>, ::polywire::Status>> + Send;

    /// Answers each line with itself.
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
        ::polywire::Service::new("talk.Talk", DESCRIPTOR_SET)
            .unary::<talk::Say<Self>>(&service)
            .server_streaming::<talk::Count<Self>>(&service)
            .client_streaming::<talk::Sum<Self>>(&service)
            .bidi_streaming::<talk::Chat<Self>>(&service)
    }
}

/// The methods of [`Talk`], each as a type.
pub mod talk {
    /// `talk.Talk/Say`.
    pub struct Say<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Talk> ::polywire::generated::Unary for Say<Impl> {
        type Service = Impl;
        type Request = super::Line;
        type Response = super::Line;
        const NAME: &'static str = "Say";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Talk::say(service, cx, request)
        }
    }

    /// `talk.Talk/Count`.
    pub struct Count<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Talk> ::polywire::generated::ServerStreaming for Count<Impl> {
        type Service = Impl;
        type Request = super::Line;
        type Response = super::Line;
        const NAME: &'static str = "Count";

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
            super::Talk::count(service, cx, request)
        }
    }

    /// `talk.Talk/Sum`.
    pub struct Sum<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Talk> ::polywire::generated::ClientStreaming for Sum<Impl> {
        type Service = Impl;
        type Request = super::Line;
        type Response = super::Line;
        const NAME: &'static str = "Sum";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            incoming: ::polywire::Streaming<Self::Request>,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Talk::sum(service, cx, incoming)
        }
    }

    /// `talk.Talk/Chat`.
    pub struct Chat<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Talk> ::polywire::generated::BidiStreaming for Chat<Impl> {
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
            super::Talk::chat(service, cx, incoming)
        }
    }
}

/// One method of each kind.
///
/// Calls `talk.Talk` over a channel.
#[derive(Clone)]
pub struct TalkClient {
    channel: ::polywire::Channel,
}

impl TalkClient {
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

    /// Says it once.
    ///
    /// Method `Say`.
    #[inline]
    pub fn say(&self, request: Line) -> ::polywire::Call<Line> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("talk.Talk", "Say").at(0), request)
    }

    /// Counts to the line's number.
    ///
    /// Method `Count`: awaited, it is the stream of its answers.
    #[inline]
    pub fn count(&self, request: Line) -> ::polywire::StreamingCall<::polywire::Streaming<Line>> {
        ::polywire::generated::server_streaming(&self.channel, ::polywire::Target::fixed("talk.Talk", "Count").at(1), request)
    }

    /// Adds up what it hears.
    ///
    /// Method `Sum`: awaited, it takes messages; `finish` gets the reply.
    #[inline]
    pub fn sum(&self) -> ::polywire::StreamingCall<::polywire::Upload<Line, Line>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("talk.Talk", "Sum").at(2))
    }

    /// Answers each line with itself.
    ///
    /// Method `Chat`: awaited, it is a stream each way.
    #[inline]
    pub fn chat(&self) -> ::polywire::StreamingCall<::polywire::Duplex<Line, Line>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("talk.Talk", "Chat").at(3))
    }
}
