// Made by polywire-build from gbk.proto; changes are lost.
#[derive(Clone, PartialEq, ::polywire::generated::prost::Message)]
#[prost(prost_path = "::polywire::generated::prost")]
pub struct Text {
    #[prost(bytes = "vec", required, tag = "1")]
    pub must: ::polywire::generated::prost::alloc::vec::Vec<u8>,
    #[prost(bytes = "vec", optional, tag = "2")]
    pub one: ::core::option::Option<::polywire::generated::prost::alloc::vec::Vec<u8>>,
    #[prost(bytes = "vec", repeated, tag = "3")]
    pub many: ::polywire::generated::prost::alloc::vec::Vec<
        ::polywire::generated::prost::alloc::vec::Vec<u8>,
    >,
    #[prost(map = "string, bytes", tag = "4")]
    pub names: ::std::collections::HashMap<
        ::polywire::generated::prost::alloc::string::String,
        ::polywire::generated::prost::alloc::vec::Vec<u8>,
    >,
    #[prost(map = "int32, bytes", tag = "5")]
    pub numbers: ::std::collections::HashMap<
        i32,
        ::polywire::generated::prost::alloc::vec::Vec<u8>,
    >,
    #[prost(map = "string, int32", tag = "6")]
    pub counts: ::std::collections::HashMap<
        ::polywire::generated::prost::alloc::string::String,
        i32,
    >,
    #[prost(map = "int32, bytes", tag = "7")]
    pub binary: ::std::collections::HashMap<
        i32,
        ::polywire::generated::prost::alloc::vec::Vec<u8>,
    >,
    #[prost(message, optional, boxed, tag = "8")]
    pub below: ::core::option::Option<
        ::polywire::generated::prost::alloc::boxed::Box<Text>,
    >,
    #[prost(message, repeated, tag = "9")]
    pub rows: ::polywire::generated::prost::alloc::vec::Vec<Text>,
    #[prost(bytes = "vec", optional, tag = "10")]
    pub shared: ::core::option::Option<
        ::polywire::generated::prost::alloc::vec::Vec<u8>,
    >,
    #[prost(bytes = "vec", optional, tag = "11")]
    pub plain: ::core::option::Option<::polywire::generated::prost::alloc::vec::Vec<u8>>,
    #[prost(bytes = "vec", optional, tag = "12")]
    pub on: ::core::option::Option<::polywire::generated::prost::alloc::vec::Vec<u8>>,
    #[prost(bytes = "vec", optional, tag = "13")]
    pub said: ::core::option::Option<::polywire::generated::prost::alloc::vec::Vec<u8>>,
    #[prost(group, optional, tag = "15")]
    pub inner: ::core::option::Option<text::Inner>,
    #[prost(map = "int32, message", tag = "16")]
    pub values: ::std::collections::HashMap<i32, Value>,
    #[prost(message, optional, tag = "17")]
    pub value: ::core::option::Option<Value>,
    #[prost(
        bytes = "vec",
        required,
        tag = "18",
        default = "b\"\\\"a\\n\\xc3\\xa4\\\\\""
    )]
    pub lead: ::polywire::generated::prost::alloc::vec::Vec<u8>,
}
/// Nested message and enum types in `Text`.
pub mod text {
    #[derive(Clone, PartialEq, Eq, Hash, ::polywire::generated::prost::Message)]
    #[prost(prost_path = "::polywire::generated::prost")]
    pub struct Inner {
        #[prost(bytes = "vec", optional, tag = "1")]
        pub text: ::core::option::Option<
            ::polywire::generated::prost::alloc::vec::Vec<u8>,
        >,
    }
}
#[derive(Clone, PartialEq, Eq, Hash, ::polywire::generated::prost::Message)]
#[prost(prost_path = "::polywire::generated::prost")]
pub struct Value {
    #[prost(string, optional, tag = "1")]
    pub value: ::core::option::Option<
        ::polywire::generated::prost::alloc::string::String,
    >,
}
#[derive(Clone, PartialEq, Eq, Hash, ::polywire::generated::prost::Message)]
#[prost(prost_path = "::polywire::generated::prost")]
pub struct Either {
    #[prost(oneof = "either::Either", tags = "1, 2")]
    pub either: ::core::option::Option<either::Either>,
}
/// Nested message and enum types in `Either`.
pub mod either {
    #[derive(Clone, PartialEq, Eq, Hash, ::polywire::generated::prost::Oneof)]
    #[prost(prost_path = "::polywire::generated::prost")]
    pub enum Either {
        #[prost(string, tag = "1")]
        Text(::polywire::generated::prost::alloc::string::String),
        #[prost(int32, tag = "2")]
        Number(i32),
    }
}
/// The same on the wire as the first fields of `Text`, with a `String`.
#[derive(Clone, PartialEq, ::polywire::generated::prost::Message)]
#[prost(prost_path = "::polywire::generated::prost")]
pub struct Checked {
    #[prost(string, required, tag = "1")]
    pub must: ::polywire::generated::prost::alloc::string::String,
    #[prost(string, optional, tag = "2")]
    pub one: ::core::option::Option<::polywire::generated::prost::alloc::string::String>,
    #[prost(string, repeated, tag = "3")]
    pub many: ::polywire::generated::prost::alloc::vec::Vec<
        ::polywire::generated::prost::alloc::string::String,
    >,
    #[prost(map = "string, string", tag = "4")]
    pub names: ::std::collections::HashMap<
        ::polywire::generated::prost::alloc::string::String,
        ::polywire::generated::prost::alloc::string::String,
    >,
    #[prost(map = "int32, string", tag = "5")]
    pub numbers: ::std::collections::HashMap<
        i32,
        ::polywire::generated::prost::alloc::string::String,
    >,
    #[prost(message, optional, boxed, tag = "8")]
    pub below: ::core::option::Option<
        ::polywire::generated::prost::alloc::boxed::Box<Checked>,
    >,
    #[prost(message, repeated, tag = "9")]
    pub rows: ::polywire::generated::prost::alloc::vec::Vec<Checked>,
}
/// The same, with a `String` beside bytes.
#[derive(Clone, PartialEq, ::polywire::generated::prost::Message)]
#[prost(prost_path = "::polywire::generated::prost")]
pub struct Partly {
    #[prost(bytes = "vec", required, tag = "1")]
    pub must: ::polywire::generated::prost::alloc::vec::Vec<u8>,
    #[prost(string, optional, tag = "2")]
    pub one: ::core::option::Option<::polywire::generated::prost::alloc::string::String>,
    #[prost(map = "string, bytes", tag = "4")]
    pub names: ::std::collections::HashMap<
        ::polywire::generated::prost::alloc::string::String,
        ::polywire::generated::prost::alloc::vec::Vec<u8>,
    >,
    #[prost(message, optional, boxed, tag = "8")]
    pub below: ::core::option::Option<
        ::polywire::generated::prost::alloc::boxed::Box<Partly>,
    >,
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("gbk.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool_with_bytes(DESCRIPTOR_SET, &[
        "gbk.Partly.NamesEntry.value",
        "gbk.Partly.must",
        "gbk.Text.Inner.text",
        "gbk.Text.NamesEntry.value",
        "gbk.Text.NumbersEntry.value",
        "gbk.Text.lead",
        "gbk.Text.many",
        "gbk.Text.must",
        "gbk.Text.on",
        "gbk.Text.one",
        "gbk.Text.said",
        "gbk.Text.shared",
    ]));

::polywire::generated::prost_message!(Text, "gbk.Text", POOL);
::polywire::generated::prost_message!(text::Inner, "gbk.Text.Inner", POOL);
::polywire::generated::prost_message!(Value, "gbk.Value", POOL);
::polywire::generated::prost_message!(Either, "gbk.Either", POOL);
::polywire::generated::prost_message!(Checked, "gbk.Checked", POOL);
::polywire::generated::prost_message!(Partly, "gbk.Partly", POOL);

/// Service `gbk.Texts`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `gbk.Texts`",
    note = "write `impl Texts for {Self}` with its methods: `echo`, `check`, `chat`"
)]
pub trait Texts: Send + Sync + 'static {
    /// Method `Echo`.
    fn echo(
        &self,
        cx: &::polywire::Context,
        request: Text,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Text>, ::polywire::Status>> + Send;

    /// Method `Check`.
    fn check(
        &self,
        cx: &::polywire::Context,
        request: Checked,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Checked>, ::polywire::Status>> + Send;

    /// Method `Chat`, which takes and answers with a stream. To be written as
    /// `async fn chat(…) -> Result<impl Stream<Item = Result<Text, Status>>, Status>`.
    fn chat(
        &self,
        cx: &::polywire::Context,
        incoming: ::polywire::Streaming<Text>,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl ::polywire::Stream<Item = Result<Text, ::polywire::Status>> + Send,
            ::polywire::Status,
        >,
    > + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("gbk.Texts", DESCRIPTOR_SET)
            .unary::<texts::Echo<Self>>(&service)
            .unary::<texts::Check<Self>>(&service)
            .bidi_streaming::<texts::Chat<Self>>(&service)
    }
}

/// The methods of [`Texts`], each as a type.
pub mod texts {
    /// `gbk.Texts/Echo`.
    pub struct Echo<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Texts> ::polywire::generated::Unary for Echo<Impl> {
        type Service = Impl;
        type Request = super::Text;
        type Response = super::Text;
        const NAME: &'static str = "Echo";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Texts::echo(service, cx, request)
        }
    }

    /// `gbk.Texts/Check`.
    pub struct Check<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Texts> ::polywire::generated::Unary for Check<Impl> {
        type Service = Impl;
        type Request = super::Checked;
        type Response = super::Checked;
        const NAME: &'static str = "Check";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Texts::check(service, cx, request)
        }
    }

    /// `gbk.Texts/Chat`.
    pub struct Chat<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Texts> ::polywire::generated::BidiStreaming for Chat<Impl> {
        type Service = Impl;
        type Request = super::Text;
        type Response = super::Text;
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
            super::Texts::chat(service, cx, incoming)
        }
    }
}

/// Calls `gbk.Texts` over a channel.
#[derive(Clone)]
pub struct TextsClient {
    channel: ::polywire::Channel,
}

impl TextsClient {
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
    pub fn echo(&self, request: Text) -> ::polywire::Call<Text> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("gbk.Texts", "Echo").at(0), request)
    }

    /// Method `Check`.
    #[inline]
    pub fn check(&self, request: Checked) -> ::polywire::Call<Checked> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("gbk.Texts", "Check").at(1), request)
    }

    /// Method `Chat`: awaited, it is a stream each way.
    #[inline]
    pub fn chat(&self) -> ::polywire::StreamingCall<::polywire::Duplex<Text, Text>> {
        ::polywire::generated::streaming(&self.channel, ::polywire::Target::fixed("gbk.Texts", "Chat").at(2))
    }
}
