// Made by polywire-build from shapes.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub struct Drawing {
    pub name: ::std::string::String,
    pub shapes: ::std::vec::Vec<drawing::Shape>,
    pub colours: ::polywire::Map<
        ::std::string::String,
        super::super::common::Colour,
    >,
    pub when: ::polywire::MessageField<::polywire::wkt::Timestamp>,
    pub version: ::std::option::Option<i32>,
    pub thumbnail: ::std::vec::Vec<u8>,
    pub state: ::polywire::EnumValue<drawing::State>,
    pub r#type: ::std::string::String,
}
pub mod drawing {
    pub enum State {
        STATE_UNSPECIFIED = 0i32,
        STATE_DONE = 1i32,
    }
    pub struct Shape {
        pub kind: ::std::option::Option<super::__buffa::oneof::drawing::shape::Kind>,
    }
    pub mod shape {
        pub struct Square {
            pub side: f64,
        }
    }
}
pub mod __buffa {
    pub mod oneof {
        pub mod drawing {
            pub mod shape {
                pub enum Kind {
                    Circle(f64),
                    Square(
                        ::std::boxed::Box<
                            super::super::super::super::drawing::shape::Square,
                        >,
                    ),
                }
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("shapes.v1.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Drawing, "shapes.v1.Drawing", POOL, buffers { one name; one thumbnail; one r#type; });
::polywire::generated::message!(drawing::Shape, "shapes.v1.Drawing.Shape", POOL);
::polywire::generated::message!(drawing::shape::Square, "shapes.v1.Drawing.Shape.Square", POOL);

/// Draws.
///
/// Service `shapes.v1.Draw`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `shapes.v1.Draw`",
    note = "write `impl Draw for {Self}` with its methods: `get`, `r#type`, `self_`, `watch`, `upload`"
)]
pub trait Draw: Send + Sync + 'static {
    /// Looks one up.
    ///
    /// Method `Get`.
    fn get(
        &self,
        cx: &::polywire::Context,
        request: ::polywire::wkt::Empty,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Drawing>, ::polywire::Status>> + Send;

    /// `type` is a keyword, and so is the method.
    ///
    /// Method `Type`.
    fn r#type(
        &self,
        cx: &::polywire::Context,
        request: Drawing,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<super::super::common::Colour>, ::polywire::Status>> + Send;

    /// Method `Self`.
    fn self_(
        &self,
        cx: &::polywire::Context,
        request: drawing::Shape,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<drawing::shape::Square>, ::polywire::Status>> + Send;

    /// Sends every change.
    ///
    /// Method `Watch`, which answers with a stream. To be written as
    /// `async fn watch(…) -> Result<impl Stream<Item = Result<Drawing, Status>>, Status>`.
    fn watch(
        &self,
        cx: &::polywire::Context,
        request: Drawing,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<Drawing, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// Method `Upload`, which takes a stream.
    fn upload(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<Drawing>,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<::polywire::wkt::Empty>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("shapes.v1.Draw", DESCRIPTOR_SET)
            .unary::<draw::Get<Self>>(&service)
            .unary::<draw::Type<Self>>(&service)
            .unary::<draw::Self_<Self>>(&service)
            .server_streaming::<draw::Watch<Self>>(&service)
            .client_streaming::<draw::Upload<Self>>(&service)
    }
}

/// The methods of [`Draw`], each as a type.
pub mod draw {
    /// `shapes.v1.Draw/Get`.
    pub struct Get<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Draw> ::polywire::generated::Unary for Get<Impl> {
        type Service = Impl;
        type Request = ::polywire::wkt::Empty;
        type Response = super::Drawing;
        const NAME: &'static str = "Get";
        const NO_SIDE_EFFECTS: bool = true;

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Draw::get(service, cx, request)
        }
    }

    /// `shapes.v1.Draw/Type`.
    pub struct Type<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Draw> ::polywire::generated::Unary for Type<Impl> {
        type Service = Impl;
        type Request = super::Drawing;
        type Response = super::super::super::common::Colour;
        const NAME: &'static str = "Type";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Draw::r#type(service, cx, request)
        }
    }

    /// `shapes.v1.Draw/Self`.
    pub struct Self_<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Draw> ::polywire::generated::Unary for Self_<Impl> {
        type Service = Impl;
        type Request = super::drawing::Shape;
        type Response = super::drawing::shape::Square;
        const NAME: &'static str = "Self";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Draw::self_(service, cx, request)
        }
    }

    /// `shapes.v1.Draw/Watch`.
    pub struct Watch<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Draw> ::polywire::generated::ServerStreaming for Watch<Impl> {
        type Service = Impl;
        type Request = super::Drawing;
        type Response = super::Drawing;
        const NAME: &'static str = "Watch";

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
            super::Draw::watch(service, cx, request)
        }
    }

    /// `shapes.v1.Draw/Upload`.
    pub struct Upload<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Draw> ::polywire::generated::ClientStreaming for Upload<Impl> {
        type Service = Impl;
        type Request = super::Drawing;
        type Response = ::polywire::wkt::Empty;
        const NAME: &'static str = "Upload";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            incoming: ::polywire::Streaming<Self::Request>,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Draw::upload(service, cx, incoming)
        }
    }
}

/// Draws.
///
/// Calls `shapes.v1.Draw` over a channel.
#[derive(Clone)]
pub struct DrawClient {
    channel: ::polywire::Channel,
}

impl DrawClient {
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

    /// Looks one up.
    ///
    /// Method `Get`.
    #[inline]
    pub fn get(&self, request: ::polywire::wkt::Empty) -> ::polywire::Call<Drawing> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("shapes.v1.Draw", "Get").at(0).idempotent(), request)
    }

    /// `type` is a keyword, and so is the method.
    ///
    /// Method `Type`.
    #[inline]
    pub fn r#type(&self, request: Drawing) -> ::polywire::Call<super::super::common::Colour> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("shapes.v1.Draw", "Type").at(1), request)
    }

    /// Method `Self`.
    #[inline]
    pub fn self_(&self, request: drawing::Shape) -> ::polywire::Call<drawing::shape::Square> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("shapes.v1.Draw", "Self").at(2), request)
    }

    /// Sends every change.
    ///
    /// Method `Watch`: awaited, it is the stream of its answers.
    #[inline]
    pub fn watch(&self, request: Drawing) -> ::polywire::StreamingCall<::polywire::Streaming<Drawing>> {
        ::polywire::generated::server_streaming(&self.channel, ::polywire::Target::fixed("shapes.v1.Draw", "Watch").at(3), request)
    }

    /// Method `Upload`: awaited, it takes messages; `finish` gets the reply.
    #[inline]
    pub fn upload(&self) -> ::polywire::StreamingCall<::polywire::Upload<Drawing, ::polywire::wkt::Empty>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("shapes.v1.Draw", "Upload").at(4))
    }
}

/// Nothing to call.
///
/// Service `shapes.v1.Nothing`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `shapes.v1.Nothing`",
    note = "write `impl Nothing for {Self}` with its methods: none"
)]
pub trait Nothing: Send + Sync + 'static {
    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        ::polywire::Service::new("shapes.v1.Nothing", DESCRIPTOR_SET)
    }
}

/// The methods of [`Nothing`], each as a type.
pub mod nothing {
}

/// Nothing to call.
///
/// Calls `shapes.v1.Nothing` over a channel.
#[derive(Clone)]
pub struct NothingClient {
    channel: ::polywire::Channel,
}

impl NothingClient {
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
}
