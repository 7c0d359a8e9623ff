// Made by polywire-build from rootless.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct Rootless {
    /// Field 1: `name`
    pub name: ::std::string::String,
}
impl ::std::fmt::Debug for Rootless {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("Rootless").field("name", &self.name).finish()
    }
}
impl Rootless {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/Rootless";
}
impl ::polywire::generated::FieldMessage for Rootless {}
::polywire::generated::buffa::impl_default_instance!(Rootless);
impl ::polywire::generated::buffa::MessageName for Rootless {
    const PACKAGE: &'static str = "";
    const NAME: &'static str = "Rootless";
    const FULL_NAME: &'static str = "Rootless";
    const TYPE_URL: &'static str = "type.googleapis.com/Rootless";
}
impl ::polywire::generated::buffa::Message for Rootless {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut ::polywire::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if !self.name.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.name) as u64;
        }
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        if !self.name.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.name, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: ::polywire::generated::buffa::encoding::Tag,
        buf: &mut impl ::polywire::generated::buffa::bytes::Buf,
        ctx: ::polywire::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), ::polywire::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(&mut self.name, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.name.clear();
    }
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
