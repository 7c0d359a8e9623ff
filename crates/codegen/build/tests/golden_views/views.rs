// Made by polywire-build from views.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub enum Kind {
    KIND_UNSPECIFIED = 0i32,
    KIND_BIG = 1i32,
}
pub struct Order {
    pub id: ::std::string::String,
    pub lines: ::std::vec::Vec<order::Line>,
    pub by_name: ::polywire::Map<::std::string::String, order::Line>,
    pub note: ::std::option::Option<::std::string::String>,
    pub kind: ::polywire::EnumValue<Kind>,
    pub kinds: ::std::vec::Vec<::polywire::EnumValue<Kind>>,
    pub first: ::polywire::MessageField<order::Line>,
    pub at: ::polywire::MessageField<::polywire::wkt::Timestamp>,
    pub raw: ::std::vec::Vec<u8>,
    pub kind_by_id: ::polywire::Map<i32, ::polywire::EnumValue<Kind>>,
    pub r#type: ::std::vec::Vec<::std::string::String>,
    pub more: ::polywire::MessageField<::polywire::wkt::Struct>,
    pub must: ::polywire::MessageField<super::needs::Must>,
    pub deltas: ::std::vec::Vec<i32>,
    pub before: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
    pub shared: ::polywire::generated::Bytes,
}
pub mod order {
    pub struct Line {
        pub sku: ::std::string::String,
        pub price: ::std::option::Option<super::__buffa::oneof::order::line::Price>,
    }
    pub mod line {
        pub struct Unseen {
            pub text: ::std::string::String,
        }
    }
}
pub struct Unseen {
    pub text: ::std::string::String,
    pub kind: ::std::option::Option<__buffa::oneof::unseen::Kind>,
}
pub mod unseen {
}
pub mod __buffa {
    pub mod view {
        pub struct OrderView<'a> {
            pub id: &'a str,
            pub lines: ::polywire::generated::buffa::RepeatedView<
                'a,
                super::super::__buffa::view::order::LineView<'a>,
            >,
            pub by_name: ::polywire::generated::buffa::MapView<
                'a,
                &'a str,
                super::super::__buffa::view::order::LineView<'a>,
            >,
            pub note: ::std::option::Option<&'a str>,
            pub kind: ::polywire::EnumValue<super::super::Kind>,
            pub kinds: ::polywire::generated::buffa::RepeatedView<'a, ::polywire::EnumValue<super::super::Kind>>,
            pub first: ::polywire::generated::buffa::MessageFieldView<
                super::super::__buffa::view::order::LineView<'a>,
            >,
            pub at: ::polywire::generated::buffa::MessageFieldView<
                ::polywire::wkt::__buffa::view::TimestampView<'a>,
            >,
            pub raw: &'a [u8],
            pub kind_by_id: ::polywire::generated::buffa::MapView<
                'a,
                i32,
                ::polywire::EnumValue<super::super::Kind>,
            >,
            pub r#type: ::polywire::generated::buffa::RepeatedView<'a, &'a str>,
            pub more: ::polywire::generated::buffa::MessageFieldView<
                ::polywire::wkt::__buffa::view::StructView<'a>,
            >,
            pub must: ::polywire::generated::buffa::MessageFieldView<
                super::super::super::needs::__buffa::view::MustView<'a>,
            >,
            pub deltas: ::polywire::generated::buffa::RepeatedView<'a, i32>,
            pub before: ::polywire::generated::buffa::MessageFieldView<Self>,
            pub shared: &'a [u8],
        }
        pub mod order {
            pub struct LineView<'a> {
                pub sku: &'a str,
                pub price: ::std::option::Option<
                    super::super::super::__buffa::view::oneof::order::line::Price<'a>,
                >,
            }
        }
        pub mod oneof {
            pub mod order {
                pub mod line {
                    pub enum Price<'a> {
                        Cents(i64),
                        Words(&'a str),
                        Like(
                            ::std::boxed::Box<
                                super::super::super::super::super::__buffa::view::order::LineView<
                                    'a,
                                >,
                            >,
                        ),
                    }
                }
            }
        }
    }
    pub mod oneof {
        pub mod order {
            pub mod line {
                pub enum Price {
                    Cents(i64),
                    Words(::std::string::String),
                    Like(
                        ::std::boxed::Box<
                            super::super::super::super::order::Line,
                        >,
                    ),
                }
            }
        }
        pub mod unseen {
            pub enum Kind {
                A(::std::string::String),
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("views.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Order, "views.Order", POOL, buffers { one id; each lines; one note; one first; one raw; each r#type; one must; one before; one shared; }, shared);
::polywire::generated::viewed!(Order, __buffa::view::OrderView);
::polywire::generated::message!(order::Line, "views.Order.Line", POOL, buffers { one sku; });
::polywire::generated::viewed!(order::Line, __buffa::view::order::LineView);
::polywire::generated::message!(order::line::Unseen, "views.Order.Line.Unseen", POOL, buffers { one text; });
::polywire::generated::message!(Unseen, "views.Unseen", POOL, buffers { one text; });

/// Service `views.Stock`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `views.Stock`",
    note = "write `impl Stock for {Self}` with its methods: `echo`, `echo_owned`, `watch`, `collect`, `chat`"
)]
pub trait Stock: Send + Sync + 'static {
    /// Method `Echo`.
    fn echo(
        &self,
        cx: &::polywire::Context,
        request: ::polywire::View<Order>,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Order>, ::polywire::Status>> + Send;

    /// Method `EchoOwned`.
    fn echo_owned(
        &self,
        cx: &::polywire::Context,
        request: Order,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Order>, ::polywire::Status>> + Send;

    /// Method `Watch`, which answers with a stream. To be written as
    /// `async fn watch(…) -> Result<impl Stream<Item = Result<order::Line, Status>>, Status>`.
    fn watch(
        &self,
        cx: &::polywire::Context,
        request: ::polywire::View<Order>,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<order::Line, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// Method `Collect`, which takes a stream.
    fn collect(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<::polywire::View<order::Line>>,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Order>, ::polywire::Status>> + Send;

    /// Method `Chat`, which takes and answers with a stream. To be written as
    /// `async fn chat(…) -> Result<impl Stream<Item = Result<order::Line, Status>>, Status>`.
    fn chat(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<::polywire::View<order::Line>>,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<order::Line, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("views.Stock", DESCRIPTOR_SET)
            .unary::<stock::Echo<Self>>(&service)
            .unary::<stock::EchoOwned<Self>>(&service)
            .server_streaming::<stock::Watch<Self>>(&service)
            .client_streaming::<stock::Collect<Self>>(&service)
            .bidi_streaming::<stock::Chat<Self>>(&service)
    }
}

/// The methods of [`Stock`], each as a type.
pub mod stock {
    /// `views.Stock/Echo`.
    pub struct Echo<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Stock> ::polywire::generated::Unary for Echo<Impl> {
        type Service = Impl;
        type Request = ::polywire::View<super::Order>;
        type Response = super::Order;
        const NAME: &'static str = "Echo";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("POST", "/v1/orders/{id}").body("*"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Stock::echo(service, cx, request)
        }
    }

    /// `views.Stock/EchoOwned`.
    pub struct EchoOwned<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Stock> ::polywire::generated::Unary for EchoOwned<Impl> {
        type Service = Impl;
        type Request = super::Order;
        type Response = super::Order;
        const NAME: &'static str = "EchoOwned";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Stock::echo_owned(service, cx, request)
        }
    }

    /// `views.Stock/Watch`.
    pub struct Watch<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Stock> ::polywire::generated::ServerStreaming for Watch<Impl> {
        type Service = Impl;
        type Request = ::polywire::View<super::Order>;
        type Response = super::order::Line;
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
            super::Stock::watch(service, cx, request)
        }
    }

    /// `views.Stock/Collect`.
    pub struct Collect<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Stock> ::polywire::generated::ClientStreaming for Collect<Impl> {
        type Service = Impl;
        type Request = ::polywire::View<super::order::Line>;
        type Response = super::Order;
        const NAME: &'static str = "Collect";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            incoming: ::polywire::Streaming<Self::Request>,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Stock::collect(service, cx, incoming)
        }
    }

    /// `views.Stock/Chat`.
    pub struct Chat<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Stock> ::polywire::generated::BidiStreaming for Chat<Impl> {
        type Service = Impl;
        type Request = ::polywire::View<super::order::Line>;
        type Response = super::order::Line;
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
            super::Stock::chat(service, cx, incoming)
        }
    }
}

/// Calls `views.Stock` over a channel.
#[derive(Clone)]
pub struct StockClient {
    channel: ::polywire::Channel,
}

impl StockClient {
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
    pub fn echo(&self, request: Order) -> ::polywire::Call<::polywire::View<Order>> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("POST", "/v1/orders/{id}").body("*"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("views.Stock", "Echo").at(0), request, &RULES)
    }

    /// Method `EchoOwned`.
    #[inline]
    pub fn echo_owned(&self, request: Order) -> ::polywire::Call<Order> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("views.Stock", "EchoOwned").at(1), request)
    }

    /// Method `Watch`: awaited, it is the stream of its answers.
    #[inline]
    pub fn watch(&self, request: Order) -> ::polywire::StreamingCall<::polywire::Streaming<::polywire::View<order::Line>>> {
        ::polywire::generated::server_streaming(&self.channel, ::polywire::Target::fixed("views.Stock", "Watch").at(2), request)
    }

    /// Method `Collect`: awaited, it takes messages; `finish` gets the reply.
    #[inline]
    pub fn collect(&self) -> ::polywire::StreamingCall<::polywire::Upload<order::Line, ::polywire::View<Order>>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("views.Stock", "Collect").at(3))
    }

    /// Method `Chat`: awaited, it is a stream each way.
    #[inline]
    pub fn chat(&self) -> ::polywire::StreamingCall<::polywire::Duplex<order::Line, ::polywire::View<order::Line>>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("views.Stock", "Chat").at(4))
    }
}
