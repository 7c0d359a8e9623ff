// Made by polywire-build from gbk.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub struct Text {
    pub must: ::std::vec::Vec<u8>,
    pub one: ::std::option::Option<::std::vec::Vec<u8>>,
    pub many: ::std::vec::Vec<::std::vec::Vec<u8>>,
    pub names: ::polywire::Map<
        ::std::vec::Vec<u8>,
        ::std::vec::Vec<u8>,
    >,
    pub numbers: ::polywire::Map<i32, ::std::vec::Vec<u8>>,
    pub counts: ::polywire::Map<::std::vec::Vec<u8>, i32>,
    pub binary: ::polywire::Map<i32, ::std::vec::Vec<u8>>,
    pub below: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
    pub rows: ::std::vec::Vec<Self>,
    pub shared: ::std::option::Option<::polywire::generated::Bytes>,
    pub plain: ::std::option::Option<::std::vec::Vec<u8>>,
    pub on: ::std::option::Option<::std::vec::Vec<u8>>,
    pub said: ::std::option::Option<::std::vec::Vec<u8>>,
    pub inner: ::polywire::MessageField<text::Inner>,
    pub values: ::polywire::Map<i32, Value>,
    pub value: ::polywire::MessageField<Value>,
    pub lead: ::std::vec::Vec<u8>,
}
pub mod text {
    pub struct Inner {
        pub text: ::std::option::Option<::std::vec::Vec<u8>>,
    }
}
pub struct Value {
    pub value: ::std::option::Option<::std::vec::Vec<u8>>,
}
pub struct Either {
    pub either: ::std::option::Option<__buffa::oneof::either::Either>,
}
pub mod either {
}
pub struct Checked {
    pub must: ::std::string::String,
    pub one: ::std::option::Option<::std::string::String>,
    pub many: ::std::vec::Vec<::std::string::String>,
    pub names: ::polywire::Map<
        ::std::string::String,
        ::std::string::String,
    >,
    pub numbers: ::polywire::Map<i32, ::std::string::String>,
    pub below: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
    pub rows: ::std::vec::Vec<Self>,
}
pub struct Partly {
    pub must: ::std::vec::Vec<u8>,
    pub one: ::std::option::Option<::std::string::String>,
    pub names: ::polywire::Map<
        ::std::vec::Vec<u8>,
        ::std::vec::Vec<u8>,
    >,
    pub below: ::polywire::MessageField<Self, ::std::boxed::Box<Self>>,
}
pub mod __buffa {
    pub mod oneof {
        pub mod either {
            pub enum Either {
                Text(::std::vec::Vec<u8>),
                Number(i32),
            }
        }
    }
    pub mod ext {
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("gbk.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool_with_bytes(DESCRIPTOR_SET, &[
        "gbk.Either.text",
        "gbk.Partly.NamesEntry.key",
        "gbk.Partly.NamesEntry.value",
        "gbk.Partly.must",
        "gbk.Text.CountsEntry.key",
        "gbk.Text.Inner.text",
        "gbk.Text.NamesEntry.key",
        "gbk.Text.NamesEntry.value",
        "gbk.Text.NumbersEntry.value",
        "gbk.Text.lead",
        "gbk.Text.many",
        "gbk.Text.must",
        "gbk.Text.on",
        "gbk.Text.one",
        "gbk.Text.said",
        "gbk.Text.shared",
        "gbk.Value.value",
    ]));

::polywire::generated::message!(Text, "gbk.Text", POOL, packed, buffers { one must; one one; each many; one below; each rows; one shared; one plain; one on; one said; one value; one lead; }, shared);
::polywire::generated::packed!(Text, required 0b10000000000000001, by_name [11, 1, 16, 2, 0, 8, 12, 7, 13, 3, 10, 15, 6, 5, 9, 14, 4], {
    0: "must" must [13 false true];
    1: "one" one [13 false false];
    2: "many" many [13 false false];
    3: "names" names [13 false false];
    4: "numbers" numbers [13 false false];
    5: "counts" counts [0 false false];
    6: "binary" binary [0 false false];
    7: "below" below [0 false false];
    8: "rows" rows [0 false false];
    9: "shared" shared [13 false false];
    10: "plain" plain [0 false false];
    11: "on" on [13 true false];
    12: "said" said [13 false false];
    13: "inner" inner [0 false false];
    14: "values" values [0 false false];
    15: "value" value [0 false false];
    16: "lead" lead [13 false true];
});
::polywire::generated::message!(text::Inner, "gbk.Text.Inner", POOL, packed, buffers { one text; });
::polywire::generated::packed!(text::Inner, required 0b0, by_name [0], {
    0: "text" text [13 false false];
});
::polywire::generated::message!(Value, "gbk.Value", POOL, packed, buffers { one value; });
::polywire::generated::packed!(Value, required 0b0, by_name [0], {
    0: "value" value [13 false false];
});
::polywire::generated::message!(Either, "gbk.Either", POOL);
::polywire::generated::message!(Checked, "gbk.Checked", POOL, packed, buffers { one must; one one; each many; one below; each rows; });
::polywire::generated::packed!(Checked, required 0b1, by_name [1, 2, 0, 6, 5, 3, 4], {
    0: "must" must [0 false true];
    1: "one" one [0 false false];
    2: "many" many [0 false false];
    3: "names" names [0 false false];
    4: "numbers" numbers [0 false false];
    5: "below" below [0 false false];
    6: "rows" rows [0 false false];
});
::polywire::generated::message!(Partly, "gbk.Partly", POOL, packed, buffers { one must; one one; one below; });
::polywire::generated::packed!(Partly, required 0b1, by_name [1, 0, 3, 2], {
    0: "must" must [13 false true];
    1: "one" one [0 false false];
    2: "names" names [13 false false];
    3: "below" below [0 false false];
});

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
