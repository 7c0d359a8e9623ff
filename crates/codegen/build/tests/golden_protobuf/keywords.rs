// Made by polywire-build from keywords.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub enum Const {
    ONE = 1i32,
}
pub struct Type {
    pub inner: ::polywire::MessageField<r#type::Inner>,
}
pub mod r#type {
    pub struct Inner {
        pub r#use: ::std::option::Option<super::r#match::Use>,
    }
    pub struct Loop {}
    pub mod r#loop {
        pub struct Where {
            pub r#in: ::std::option::Option<i32>,
        }
    }
}
pub struct Match {
    pub r#if: ::std::option::Option<__buffa::oneof::r#match::If>,
}
pub mod r#match {
    pub enum Use {
        NONE = 0i32,
        SOME = 1i32,
    }
}
pub struct Self_ {
    pub super_: ::polywire::MessageField<self_::Self_, ::std::boxed::Box<self_::Self_>>,
}
pub mod self_ {
    pub struct Self_ {
        pub self_: ::polywire::MessageField<super::Self_, ::std::boxed::Box<super::Self_>>,
    }
}
pub struct While {
    pub map: ::polywire::Map<::std::string::String, r#while::Fn>,
    pub self_value: ::std::option::Option<__buffa::oneof::r#while::SelfValue>,
}
pub mod r#while {
    pub enum Enum {
        Self_ = 0i32,
        r#let = 1i32,
    }
    pub struct Fn {
        pub r#enum: ::std::option::Option<super::r#while::Enum>,
        pub r#const: ::std::option::Option<super::Const>,
    }
}
pub struct Index_ {
    pub self_: ::polywire::MessageField<index_::index>,
}
pub mod index_ {
    pub struct index {
        pub r#const: ::std::option::Option<super::Const>,
    }
}
pub struct Super_ {}
pub mod super_ {
    pub struct Crate_ {
        pub super_: ::polywire::MessageField<super::Super_>,
    }
}
pub struct Crate_ {}
pub mod crate_ {
    pub enum Extern {
        X = 0i32,
    }
    pub struct Inner {
        pub r#extern: ::std::option::Option<super::crate_::Extern>,
    }
}
pub struct plain {
    pub index: ::polywire::MessageField<Index_>,
}
pub struct WardenClient {}
pub mod __buffa {
    pub mod oneof {
        pub mod r#match {
            pub enum If {
                Move(::std::boxed::Box<super::super::super::r#type::Inner>),
                Ref(i32),
            }
        }
        pub mod r#while {
            pub enum SelfValue {
                Pub(::std::boxed::Box<super::super::super::r#while::Fn>),
                Ref(super::super::super::r#while::Enum),
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("keywords.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Type, "keywords.Type", POOL);
::polywire::generated::message!(r#type::Inner, "keywords.Type.Inner", POOL);
::polywire::generated::message!(r#type::Loop, "keywords.Type.Loop", POOL);
::polywire::generated::message!(r#type::r#loop::Where, "keywords.Type.Loop.Where", POOL);
::polywire::generated::message!(Match, "keywords.Match", POOL);
::polywire::generated::message!(Self_, "keywords.Self", POOL);
::polywire::generated::message!(self_::Self_, "keywords.Self.self", POOL);
::polywire::generated::message!(While, "keywords.while", POOL);
::polywire::generated::message!(r#while::Fn, "keywords.while.fn", POOL);
::polywire::generated::message!(Index_, "keywords.index", POOL);
::polywire::generated::message!(index_::index, "keywords.index.index", POOL);
::polywire::generated::message!(Super_, "keywords.super", POOL);
::polywire::generated::message!(super_::Crate_, "keywords.super.crate", POOL);
::polywire::generated::message!(Crate_, "keywords.Crate", POOL);
::polywire::generated::message!(crate_::Inner, "keywords.Crate.Inner", POOL);
::polywire::generated::message!(plain, "keywords.plain", POOL);
::polywire::generated::message!(WardenClient, "keywords.WardenClient", POOL);

/// Service `keywords.pages`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.pages`",
    note = "write `impl Pages for {Self}` with its methods: `default_method`, `r#type`"
)]
pub trait Pages: Send + Sync + 'static {
    /// Method `default_method`.
    fn default_method(
        &self,
        cx: &::polywire::Context,
        request: Index_,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<r#type::Inner>, ::polywire::Status>> + Send;

    /// Method `Type`.
    fn r#type(
        &self,
        cx: &::polywire::Context,
        request: While,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<r#while::Fn>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.pages", DESCRIPTOR_SET)
            .unary::<pages::DefaultMethod<Self>>(&service)
            .unary::<pages::Type<Self>>(&service)
    }
}

/// The methods of [`Pages`], each as a type.
pub mod pages {
    /// `keywords.pages/default_method`.
    pub struct DefaultMethod<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Pages> ::polywire::generated::Unary for DefaultMethod<Impl> {
        type Service = Impl;
        type Request = super::Index_;
        type Response = super::r#type::Inner;
        const NAME: &'static str = "default_method";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Pages::default_method(service, cx, request)
        }
    }

    /// `keywords.pages/Type`.
    pub struct Type<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Pages> ::polywire::generated::Unary for Type<Impl> {
        type Service = Impl;
        type Request = super::While;
        type Response = super::r#while::Fn;
        const NAME: &'static str = "Type";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Pages::r#type(service, cx, request)
        }
    }
}

/// Calls `keywords.pages` over a channel.
#[derive(Clone)]
pub struct PagesClient {
    channel: ::polywire::Channel,
}

impl PagesClient {
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

    /// Method `default_method`.
    #[inline]
    pub fn default_method(&self, request: Index_) -> ::polywire::Call<r#type::Inner> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.pages", "default_method").at(0), request)
    }

    /// Method `Type`.
    #[inline]
    pub fn r#type(&self, request: While) -> ::polywire::Call<r#while::Fn> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.pages", "Type").at(1), request)
    }
}

/// Service `keywords.index_page`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.index_page`",
    note = "write `impl IndexPage for {Self}` with its methods: `index`"
)]
pub trait IndexPage: Send + Sync + 'static {
    /// Method `index`, which answers with a stream. To be written as
    /// `async fn index(…) -> Result<impl Stream<Item = Result<self_::Self_, Status>>, Status>`.
    fn index(
        &self,
        cx: &::polywire::Context,
        request: plain,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<self_::Self_, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.index_page", DESCRIPTOR_SET)
            .server_streaming::<index_page::Index<Self>>(&service)
    }
}

/// The methods of [`IndexPage`], each as a type.
pub mod index_page {
    /// `keywords.index_page/index`.
    pub struct Index<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::IndexPage> ::polywire::generated::ServerStreaming for Index<Impl> {
        type Service = Impl;
        type Request = super::plain;
        type Response = super::self_::Self_;
        const NAME: &'static str = "index";

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
            super::IndexPage::index(service, cx, request)
        }
    }
}

/// Calls `keywords.index_page` over a channel.
#[derive(Clone)]
pub struct IndexPageClient {
    channel: ::polywire::Channel,
}

impl IndexPageClient {
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

    /// Method `index`: awaited, it is the stream of its answers.
    #[inline]
    pub fn index(&self, request: plain) -> ::polywire::StreamingCall<::polywire::Streaming<self_::Self_>> {
        ::polywire::generated::server_streaming(&self.channel, ::polywire::Target::fixed("keywords.index_page", "index").at(0), request)
    }
}

/// Service `keywords.impl`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.impl`",
    note = "write `impl Impl_ for {Self}` with its methods: `r#loop`"
)]
pub trait Impl_: Send + Sync + 'static {
    /// Method `loop`.
    fn r#loop(
        &self,
        cx: &::polywire::Context,
        request: Self_,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<r#type::r#loop::Where>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.impl", DESCRIPTOR_SET)
            .unary::<r#impl::Loop<Self>>(&service)
    }
}

/// The methods of [`Impl_`], each as a type.
pub mod r#impl {
    /// `keywords.impl/loop`.
    pub struct Loop<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Impl_> ::polywire::generated::Unary for Loop<Impl> {
        type Service = Impl;
        type Request = super::Self_;
        type Response = super::r#type::r#loop::Where;
        const NAME: &'static str = "loop";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Impl_::r#loop(service, cx, request)
        }
    }
}

/// Calls `keywords.impl` over a channel.
#[derive(Clone)]
pub struct Impl_Client {
    channel: ::polywire::Channel,
}

impl Impl_Client {
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

    /// Method `loop`.
    #[inline]
    pub fn r#loop(&self, request: Self_) -> ::polywire::Call<r#type::r#loop::Where> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.impl", "loop").at(0), request)
    }
}

/// Service `keywords.Index`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.Index`",
    note = "write `impl Index for {Self}` with its methods: `get`"
)]
pub trait Index: Send + Sync + 'static {
    /// Method `Get`.
    fn get(
        &self,
        cx: &::polywire::Context,
        request: index_::index,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<plain>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.Index", DESCRIPTOR_SET)
            .unary::<index::Get<Self>>(&service)
    }
}

/// The methods of [`Index`], each as a type.
pub mod index {
    /// `keywords.Index/Get`.
    pub struct Get<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Index> ::polywire::generated::Unary for Get<Impl> {
        type Service = Impl;
        type Request = super::index_::index;
        type Response = super::plain;
        const NAME: &'static str = "Get";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Index::get(service, cx, request)
        }
    }
}

/// Calls `keywords.Index` over a channel.
#[derive(Clone)]
pub struct IndexClient {
    channel: ::polywire::Channel,
}

impl IndexClient {
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
    pub fn get(&self, request: index_::index) -> ::polywire::Call<plain> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.Index", "Get").at(0), request)
    }
}

/// Service `keywords.KeeperService`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.KeeperService`",
    note = "write `impl KeeperService for {Self}` with its methods: `keep`"
)]
pub trait KeeperService: Send + Sync + 'static {
    /// Method `Keep`.
    fn keep(
        &self,
        cx: &::polywire::Context,
        request: plain,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<plain>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.KeeperService", DESCRIPTOR_SET)
            .unary::<keeper_service::Keep<Self>>(&service)
    }
}

/// The methods of [`KeeperService`], each as a type.
pub mod keeper_service {
    /// `keywords.KeeperService/Keep`.
    pub struct Keep<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::KeeperService> ::polywire::generated::Unary for Keep<Impl> {
        type Service = Impl;
        type Request = super::plain;
        type Response = super::plain;
        const NAME: &'static str = "Keep";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::KeeperService::keep(service, cx, request)
        }
    }
}

/// Calls `keywords.KeeperService` over a channel.
#[derive(Clone)]
pub struct KeeperServiceClient {
    channel: ::polywire::Channel,
}

impl KeeperServiceClient {
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

    /// Method `Keep`.
    #[inline]
    pub fn keep(&self, request: plain) -> ::polywire::Call<plain> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.KeeperService", "Keep").at(0), request)
    }
}

/// Service `keywords.Keeper`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.Keeper`",
    note = "write `impl Keeper for {Self}` with its methods: `keep`"
)]
pub trait Keeper: Send + Sync + 'static {
    /// Method `Keep`.
    fn keep(
        &self,
        cx: &::polywire::Context,
        request: plain,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<plain>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.Keeper", DESCRIPTOR_SET)
            .unary::<keeper::Keep<Self>>(&service)
    }
}

/// The methods of [`Keeper`], each as a type.
pub mod keeper {
    /// `keywords.Keeper/Keep`.
    pub struct Keep<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Keeper> ::polywire::generated::Unary for Keep<Impl> {
        type Service = Impl;
        type Request = super::plain;
        type Response = super::plain;
        const NAME: &'static str = "Keep";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Keeper::keep(service, cx, request)
        }
    }
}

/// Calls `keywords.Keeper` over a channel.
#[derive(Clone)]
pub struct KeeperClient {
    channel: ::polywire::Channel,
}

impl KeeperClient {
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

    /// Method `Keep`.
    #[inline]
    pub fn keep(&self, request: plain) -> ::polywire::Call<plain> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.Keeper", "Keep").at(0), request)
    }
}

/// Service `keywords.Warden`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `keywords.Warden`",
    note = "write `impl Warden for {Self}` with its methods: `guard`"
)]
pub trait Warden: Send + Sync + 'static {
    /// Method `Guard`.
    fn guard(
        &self,
        cx: &::polywire::Context,
        request: plain,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<plain>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("keywords.Warden", DESCRIPTOR_SET)
            .unary::<warden::Guard<Self>>(&service)
    }
}

/// The methods of [`Warden`], each as a type.
pub mod warden {
    /// `keywords.Warden/Guard`.
    pub struct Guard<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Warden> ::polywire::generated::Unary for Guard<Impl> {
        type Service = Impl;
        type Request = super::plain;
        type Response = super::plain;
        const NAME: &'static str = "Guard";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Warden::guard(service, cx, request)
        }
    }
}

/// Calls `keywords.Warden` over a channel.
#[derive(Clone)]
pub struct WardenClient_ {
    channel: ::polywire::Channel,
}

impl WardenClient_ {
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

    /// Method `Guard`.
    #[inline]
    pub fn guard(&self, request: plain) -> ::polywire::Call<plain> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("keywords.Warden", "Guard").at(0), request)
    }
}
