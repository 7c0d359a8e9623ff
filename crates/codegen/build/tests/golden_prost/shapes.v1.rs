// Made by polywire-build from shapes.proto; changes are lost.
/// A drawing
/// on two lines.
#[derive(Clone, PartialEq, ::polywire::generated::prost::Message)]
#[prost(prost_path = "::polywire::generated::prost")]
pub struct Drawing {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: ::polywire::generated::prost::alloc::string::String,
    #[prost(message, repeated, tag = "2")]
    pub shapes: ::polywire::generated::prost::alloc::vec::Vec<drawing::Shape>,
    #[prost(map = "string, message", tag = "3")]
    pub colours: ::std::collections::HashMap<
        ::polywire::generated::prost::alloc::string::String,
        super::super::common::Colour,
    >,
    #[prost(message, optional, tag = "4")]
    pub when: ::core::option::Option<::polywire::generated::prost_types::Timestamp>,
    #[prost(int32, optional, tag = "5")]
    pub version: ::core::option::Option<i32>,
    #[prost(bytes = "vec", tag = "6")]
    pub thumbnail: ::polywire::generated::prost::alloc::vec::Vec<u8>,
    #[prost(enumeration = "drawing::State", tag = "7")]
    pub state: i32,
    #[prost(string, tag = "8")]
    pub r#type: ::polywire::generated::prost::alloc::string::String,
}
/// Nested message and enum types in `Drawing`.
pub mod drawing {
    #[derive(Clone, Copy, PartialEq, ::polywire::generated::prost::Message)]
    #[prost(prost_path = "::polywire::generated::prost")]
    pub struct Shape {
        #[prost(oneof = "shape::Kind", tags = "1, 2")]
        pub kind: ::core::option::Option<shape::Kind>,
    }
    /// Nested message and enum types in `Shape`.
    pub mod shape {
        #[derive(Clone, Copy, PartialEq, ::polywire::generated::prost::Message)]
        #[prost(prost_path = "::polywire::generated::prost")]
        pub struct Square {
            #[prost(double, tag = "1")]
            pub side: f64,
        }
        #[derive(Clone, Copy, PartialEq, ::polywire::generated::prost::Oneof)]
        #[prost(prost_path = "::polywire::generated::prost")]
        pub enum Kind {
            #[prost(double, tag = "1")]
            Circle(f64),
            #[prost(message, tag = "2")]
            Square(Square),
        }
    }
    #[derive(
        Clone,
        Copy,
        Debug,
        PartialEq,
        Eq,
        Hash,
        PartialOrd,
        Ord,
        ::polywire::generated::prost::Enumeration
    )]
    #[prost(prost_path = "::polywire::generated::prost")]
    #[repr(i32)]
    pub enum State {
        Unspecified = 0,
        Done = 1,
    }
    impl State {
        /// String value of the enum field names used in the ProtoBuf definition.
        ///
        /// The values are not transformed in any way and thus are considered stable
        /// (if the ProtoBuf definition does not change) and safe for programmatic use.
        pub fn as_str_name(&self) -> &'static str {
            match self {
                Self::Unspecified => "STATE_UNSPECIFIED",
                Self::Done => "STATE_DONE",
            }
        }
        /// Creates an enum from field names used in the ProtoBuf definition.
        pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
            match value {
                "STATE_UNSPECIFIED" => Some(Self::Unspecified),
                "STATE_DONE" => Some(Self::Done),
                _ => None,
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("shapes.v1.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::prost_message!(Drawing, "shapes.v1.Drawing", POOL);
::polywire::generated::prost_message!(drawing::Shape, "shapes.v1.Drawing.Shape", POOL);
::polywire::generated::prost_message!(drawing::shape::Square, "shapes.v1.Drawing.Shape.Square", POOL);

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
        request: (),
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
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<()>, ::polywire::Status>> + Send;

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
        type Request = ();
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
        type Response = ();
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
    pub fn get(&self, request: ()) -> ::polywire::Call<Drawing> {
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
    pub fn upload(&self) -> ::polywire::StreamingCall<::polywire::Upload<Drawing, ()>> {
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
