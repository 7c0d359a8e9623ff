// Made by polywire-build from awkward.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub enum Sync {
    ZERO = 0i32,
}
pub struct Result {
    pub send: ::polywire::MessageField<Send>,
}
pub struct Send {
    pub vec: ::polywire::MessageField<Vec>,
}
pub struct Vec {
    pub option: ::std::vec::Vec<Option>,
}
pub struct Option {
    pub string: ::std::option::Option<__buffa::oneof::option::String>,
}
pub mod option {
}
pub struct String {
    pub self_: ::std::option::Option<::std::vec::Vec<u8>>,
}
pub struct Sized {
    pub super_: ::std::option::Option<i32>,
    pub r#box: ::std::vec::Vec<sized::Box>,
}
pub mod sized {
    pub struct Box {
        pub r#fn: ::std::option::Option<i32>,
    }
}
pub struct EchoClient {}
pub mod __buffa {
    pub mod oneof {
        pub mod option {
            pub enum String {
                Text(::std::boxed::Box<super::super::super::String>),
                Sized(::std::boxed::Box<super::super::super::Sized>),
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("awkward.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Result, "awkward.Result", POOL);
::polywire::generated::message!(Send, "awkward.Send", POOL);
::polywire::generated::message!(Vec, "awkward.Vec", POOL);
::polywire::generated::message!(Option, "awkward.Option", POOL);
::polywire::generated::message!(String, "awkward.String", POOL, buffers { one self_; });
::polywire::generated::message!(Sized, "awkward.Sized", POOL);
::polywire::generated::message!(sized::Box, "awkward.Sized.Box", POOL);
::polywire::generated::message!(EchoClient, "awkward.EchoClient", POOL);

/// Its client cannot be called `EchoClient`.
///
/// ```text
///     this is no example
/// ```
///
/// Service `awkward.EchoService`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `awkward.EchoService`",
    note = "write `impl EchoService for {Self}` with its methods: `result`, `send`, `new_`, `into_service_`, `r#impl`, `stream`"
)]
pub trait EchoService: ::std::marker::Send + ::std::marker::Sync + 'static {
    /// Method `Result`.
    fn result(
        &self,
        cx: &::polywire::Context,
        request: Result,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Result>, ::polywire::Status>> + ::std::marker::Send;

    /// Method `Send`.
    fn send(
        &self,
        cx: &::polywire::Context,
        request: Send,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Vec>, ::polywire::Status>> + ::std::marker::Send;

    /// Method `New`.
    fn new_(
        &self,
        cx: &::polywire::Context,
        request: Send,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Option>, ::polywire::Status>> + ::std::marker::Send;

    /// Method `IntoService`.
    fn into_service_(
        &self,
        cx: &::polywire::Context,
        request: Send,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<String>, ::polywire::Status>> + ::std::marker::Send;

    /// Method `impl`.
    fn r#impl(
        &self,
        cx: &::polywire::Context,
        request: Send,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Sized>, ::polywire::Status>> + ::std::marker::Send;

    /// Method `Stream`, which takes and answers with a stream. To be written as
    /// `async fn stream(…) -> Result<impl Stream<Item = Result<Send, Status>>, Status>`.
    fn stream(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<Result>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            impl ::polywire::Stream<Item = ::std::result::Result<Send, ::polywire::Status>> + ::std::marker::Send,
            ::polywire::Status,
        >,
    > + ::std::marker::Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: ::std::marker::Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("awkward.EchoService", DESCRIPTOR_SET)
            .unary::<echo_service::Result<Self>>(&service)
            .unary::<echo_service::Send<Self>>(&service)
            .unary::<echo_service::New<Self>>(&service)
            .unary::<echo_service::IntoService<Self>>(&service)
            .unary::<echo_service::Impl_<Self>>(&service)
            .bidi_streaming::<echo_service::Stream<Self>>(&service)
    }
}

/// The methods of [`EchoService`], each as a type.
pub mod echo_service {
    /// `awkward.EchoService/Result`.
    pub struct Result<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for Result<Impl> {
        type Service = Impl;
        type Request = super::Result;
        type Response = super::Result;
        const NAME: &'static str = "Result";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + ::std::marker::Send {
            super::EchoService::result(service, cx, request)
        }
    }

    /// `awkward.EchoService/Send`.
    pub struct Send<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for Send<Impl> {
        type Service = Impl;
        type Request = super::Send;
        type Response = super::Vec;
        const NAME: &'static str = "Send";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + ::std::marker::Send {
            super::EchoService::send(service, cx, request)
        }
    }

    /// `awkward.EchoService/New`.
    pub struct New<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for New<Impl> {
        type Service = Impl;
        type Request = super::Send;
        type Response = super::Option;
        const NAME: &'static str = "New";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + ::std::marker::Send {
            super::EchoService::new_(service, cx, request)
        }
    }

    /// `awkward.EchoService/IntoService`.
    pub struct IntoService<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for IntoService<Impl> {
        type Service = Impl;
        type Request = super::Send;
        type Response = super::String;
        const NAME: &'static str = "IntoService";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + ::std::marker::Send {
            super::EchoService::into_service_(service, cx, request)
        }
    }

    /// `awkward.EchoService/impl`.
    pub struct Impl_<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for Impl_<Impl> {
        type Service = Impl;
        type Request = super::Send;
        type Response = super::Sized;
        const NAME: &'static str = "impl";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + ::std::marker::Send {
            super::EchoService::r#impl(service, cx, request)
        }
    }

    /// `awkward.EchoService/Stream`.
    pub struct Stream<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::BidiStreaming for Stream<Impl> {
        type Service = Impl;
        type Request = super::Result;
        type Response = super::Send;
        const NAME: &'static str = "Stream";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            incoming: ::polywire::Streaming<Self::Request>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<
                impl ::polywire::Stream<Item = ::std::result::Result<Self::Response, ::polywire::Status>> + ::std::marker::Send,
                ::polywire::Status,
            >,
        > + ::std::marker::Send {
            super::EchoService::stream(service, cx, incoming)
        }
    }
}

/// Its client cannot be called `EchoClient`.
///
/// ```text
///     this is no example
/// ```
///
/// Calls `awkward.EchoService` over a channel.
#[derive(Clone)]
pub struct EchoServiceClient {
    channel: ::polywire::Channel,
}

impl EchoServiceClient {
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

    /// Method `Result`.
    #[inline]
    pub fn result(&self, request: Result) -> ::polywire::Call<Result> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "Result").at(0), request)
    }

    /// Method `Send`.
    #[inline]
    pub fn send(&self, request: Send) -> ::polywire::Call<Vec> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "Send").at(1), request)
    }

    /// Method `New`.
    #[inline]
    pub fn new_(&self, request: Send) -> ::polywire::Call<Option> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "New").at(2), request)
    }

    /// Method `IntoService`.
    #[inline]
    pub fn into_service_(&self, request: Send) -> ::polywire::Call<String> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "IntoService").at(3), request)
    }

    /// Method `impl`.
    #[inline]
    pub fn r#impl(&self, request: Send) -> ::polywire::Call<Sized> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "impl").at(4), request)
    }

    /// Method `Stream`: awaited, it is a stream each way.
    #[inline]
    pub fn stream(&self) -> ::polywire::StreamingCall<::polywire::Duplex<Result, Send>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("awkward.EchoService", "Stream").at(5))
    }
}

/// Service `awkward.Result_`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `awkward.Result_`",
    note = "write `impl Result_ for {Self}` with its methods: `get`"
)]
pub trait Result_: ::std::marker::Send + ::std::marker::Sync + 'static {
    /// Method `Get`.
    fn get(
        &self,
        cx: &::polywire::Context,
        request: Send,
    ) -> impl ::std::future::Future<Output = ::std::result::Result<::polywire::Reply<EchoClient>, ::polywire::Status>> + ::std::marker::Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: ::std::marker::Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("awkward.Result_", DESCRIPTOR_SET)
            .unary::<result_::Get<Self>>(&service)
    }
}

/// The methods of [`Result_`], each as a type.
pub mod result_ {
    /// `awkward.Result_/Get`.
    pub struct Get<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Result_> ::polywire::generated::Unary for Get<Impl> {
        type Service = Impl;
        type Request = super::Send;
        type Response = super::EchoClient;
        const NAME: &'static str = "Get";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Result_::get(service, cx, request)
        }
    }
}

/// Calls `awkward.Result_` over a channel.
#[derive(Clone)]
pub struct Result_Client {
    channel: ::polywire::Channel,
}

impl Result_Client {
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

    /// Method `Get`.
    #[inline]
    pub fn get(&self, request: Send) -> ::polywire::Call<EchoClient> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("awkward.Result_", "Get").at(0), request)
    }
}
