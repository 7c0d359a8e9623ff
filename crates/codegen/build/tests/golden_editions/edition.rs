// Made by polywire-build from edition.proto; changes are lost.
// Messages, enums and oneofs: without the code that buffa writes for them.

pub enum Open {
    OPEN_UNSPECIFIED = 0i32,
    OPEN_ONE = 1i32,
}
pub enum Closed {
    CLOSED_ONE = 1i32,
    CLOSED_TWO = 2i32,
}
pub struct Every {
    pub explicit: ::std::option::Option<i32>,
    pub implicit: i32,
    pub needed: ::std::string::String,
    pub seven: ::std::option::Option<i32>,
    pub packed: ::std::vec::Vec<i32>,
    pub expanded: ::std::vec::Vec<i32>,
    pub open: ::std::option::Option<::polywire::EnumValue<Open>>,
    pub closed: ::std::option::Option<Closed>,
    pub closed_ones: ::std::vec::Vec<Closed>,
    pub inner: ::polywire::MessageField<every::Inner>,
    pub delimited: ::polywire::MessageField<every::Inner>,
    pub by_name: ::polywire::Map<::std::string::String, every::Inner>,
    pub unchecked: ::std::option::Option<::std::string::String>,
    pub when: ::polywire::MessageField<::polywire::wkt::Timestamp>,
    pub later: ::polywire::MessageField<next::Later>,
    pub choice: ::std::option::Option<__buffa::oneof::every::Choice>,
}
pub mod every {
    pub struct Inner {
        pub value: i32,
        pub optional: ::std::string::String,
    }
}
pub mod __buffa {
    pub mod oneof {
        pub mod every {
            pub enum Choice {
                Text(::std::string::String),
                Message(::std::boxed::Box<super::super::super::every::Inner>),
            }
        }
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("edition.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(Every, "edition.Every", POOL, buffers { one needed; one inner; one delimited; one unchecked; one later; });
::polywire::generated::message!(every::Inner, "edition.Every.Inner", POOL, buffers { one optional; });

/// Service `edition.Editions`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `edition.Editions`",
    note = "write `impl Editions for {Self}` with its methods: `get`"
)]
pub trait Editions: Send + Sync + 'static {
    /// Method `Get`.
    fn get(
        &self,
        cx: &::polywire::Context,
        request: Every,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Every>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("edition.Editions", DESCRIPTOR_SET)
            .unary::<editions::Get<Self>>(&service)
    }
}

/// The methods of [`Editions`], each as a type.
pub mod editions {
    /// `edition.Editions/Get`.
    pub struct Get<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Editions> ::polywire::generated::Unary for Get<Impl> {
        type Service = Impl;
        type Request = super::Every;
        type Response = super::Every;
        const NAME: &'static str = "Get";
        const NO_SIDE_EFFECTS: bool = true;

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Editions::get(service, cx, request)
        }
    }
}

/// Calls `edition.Editions` over a channel.
#[derive(Clone)]
pub struct EditionsClient {
    channel: ::polywire::Channel,
}

impl EditionsClient {
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
    pub fn get(&self, request: Every) -> ::polywire::Call<Every> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("edition.Editions", "Get").at(0).idempotent(), request)
    }
}
