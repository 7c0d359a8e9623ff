// Made by polywire-build from flat.fbs; changes are lost.

/// FlatBuffers have no descriptors.
const DESCRIPTOR_SET: &[u8] = &[];

#[derive(Clone, Copy)]
pub struct Message<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`Message`].
pub type MessageBuf = ::polywire::flatbuffers::Flat<Message<'static>>;

impl<'a> Message<'a> {
    #[inline]
    pub fn message(&self) -> ::std::option::Option<&'a str> {
        self.0.field(4)
    }
}

/// What [`Message::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct MessageArgs {
    pub message: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
}
impl ::std::default::Default for MessageArgs {
    fn default() -> Self {
        Self {
            message: ::std::option::Option::None,
        }
    }
}

impl Message<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &MessageArgs,
    ) -> ::polywire::flatbuffers::Offset<Message<'static>> {
        let mut table = builder.start_table::<1, 7>();
        if let ::std::option::Option::Some(value) = args.message { table.push_slot_always(4, value); }
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for Message<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for Message<'static> {
    type View<'a> = Message<'a>;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> Message<'_> {
        Message(table)
    }
}
impl ::std::fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("Message");
        table.field("message", &self.message());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for Message<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("message", 4, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

/// Says the same again.
///
/// Service `flat.Echo`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `flat.Echo`",
    note = "write `impl Echo for {Self}` with its methods: `echo`"
)]
pub trait Echo: Send + Sync + 'static {
    /// Method `Echo`.
    fn echo(
        &self,
        cx: &::polywire::Context,
        request: MessageBuf,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<MessageBuf>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("flat.Echo", DESCRIPTOR_SET)
            .unary::<echo::Echo<Self>>(&service)
            .method("Echo", |method| method.id(::polywire::generated::method_id("flat.Echo", 0)))
    }
}

/// The methods of [`Echo`], each as a type.
pub mod echo {
    /// `flat.Echo/Echo`.
    pub struct Echo<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Echo> ::polywire::generated::Unary for Echo<Impl> {
        type Service = Impl;
        type Request = super::MessageBuf;
        type Response = super::MessageBuf;
        const NAME: &'static str = "Echo";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Echo::echo(service, cx, request)
        }
    }
}

/// Says the same again.
///
/// Calls `flat.Echo` over a channel.
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

    /// Method `Echo`.
    #[inline]
    pub fn echo(&self, request: MessageBuf) -> ::polywire::Call<MessageBuf> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("flat.Echo", "Echo").at(0), request)
    }
}
