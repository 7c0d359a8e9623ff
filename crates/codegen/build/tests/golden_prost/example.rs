// Made by polywire-build from echo.proto; changes are lost.
/// What the caller wants to hear again.
#[derive(Clone, PartialEq, Eq, Hash, ::polywire::generated::prost::Message)]
#[prost(prost_path = "::polywire::generated::prost")]
pub struct EchoRequest {
    #[prost(string, required, tag = "1")]
    pub message: ::polywire::generated::prost::alloc::string::String,
}
/// What the caller said.
#[derive(Clone, PartialEq, Eq, Hash, ::polywire::generated::prost::Message)]
#[prost(prost_path = "::polywire::generated::prost")]
pub struct EchoResponse {
    #[prost(string, required, tag = "1")]
    pub message: ::polywire::generated::prost::alloc::string::String,
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("example.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::prost_message!(EchoRequest, "example.EchoRequest", POOL);
::polywire::generated::prost_message!(EchoResponse, "example.EchoResponse", POOL);

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
