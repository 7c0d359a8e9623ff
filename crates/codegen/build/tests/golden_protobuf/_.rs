// Made by polywire-build from rootless.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub struct Rootless {
    pub name: ::std::string::String,
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("_.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Rootless, "Rootless", POOL, buffers { one name; });

/// Service `RootlessService`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `RootlessService`",
    note = "write `impl RootlessService for {Self}` with its methods: `find`"
)]
pub trait RootlessService: Send + Sync + 'static {
    /// Method `Find`.
    fn find(
        &self,
        cx: &::polywire::Context,
        request: Rootless,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Rootless>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("RootlessService", DESCRIPTOR_SET)
            .unary::<rootless_service::Find<Self>>(&service)
    }
}

/// The methods of [`RootlessService`], each as a type.
pub mod rootless_service {
    /// `RootlessService/Find`.
    pub struct Find<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::RootlessService> ::polywire::generated::Unary for Find<Impl> {
        type Service = Impl;
        type Request = super::Rootless;
        type Response = super::Rootless;
        const NAME: &'static str = "Find";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::RootlessService::find(service, cx, request)
        }
    }
}

/// Calls `RootlessService` over a channel.
#[derive(Clone)]
pub struct RootlessClient {
    channel: ::polywire::Channel,
}

impl RootlessClient {
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

    /// Method `Find`.
    #[inline]
    pub fn find(&self, request: Rootless) -> ::polywire::Call<Rootless> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("RootlessService", "Find").at(0), request)
    }
}
