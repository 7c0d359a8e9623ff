// Made by polywire-build from echo.proto; changes are lost.

/// What the caller wants to hear again.
#[derive(Clone, PartialEq, Default)]
pub struct EchoRequest {
    /// Field 1: `message`
    pub message: ::std::string::String,
}
impl ::std::fmt::Debug for EchoRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("EchoRequest").field("message", &self.message).finish()
    }
}
impl EchoRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/example.EchoRequest";
}
impl ::polywire::generated::FieldMessage for EchoRequest {}
::polywire::generated::buffa::impl_default_instance!(EchoRequest);
impl ::polywire::generated::buffa::MessageName for EchoRequest {
    const PACKAGE: &'static str = "example";
    const NAME: &'static str = "EchoRequest";
    const FULL_NAME: &'static str = "example.EchoRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/example.EchoRequest";
}
impl ::polywire::generated::buffa::Message for EchoRequest {
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
        size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.message) as u64;
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        ::polywire::generated::buffa::types::put_string_field(1u32, &self.message, buf);
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
                ::polywire::generated::buffa::types::merge_string(&mut self.message, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.message.clear();
    }
}
/// What the caller said.
#[derive(Clone, PartialEq, Default)]
pub struct EchoResponse {
    /// Field 1: `message`
    pub message: ::std::string::String,
}
impl ::std::fmt::Debug for EchoResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("EchoResponse").field("message", &self.message).finish()
    }
}
impl EchoResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/example.EchoResponse";
}
impl ::polywire::generated::FieldMessage for EchoResponse {}
::polywire::generated::buffa::impl_default_instance!(EchoResponse);
impl ::polywire::generated::buffa::MessageName for EchoResponse {
    const PACKAGE: &'static str = "example";
    const NAME: &'static str = "EchoResponse";
    const FULL_NAME: &'static str = "example.EchoResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/example.EchoResponse";
}
impl ::polywire::generated::buffa::Message for EchoResponse {
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
        size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.message) as u64;
        ::polywire::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut ::polywire::generated::buffa::SizeCache,
        buf: &mut impl ::polywire::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use ::polywire::generated::buffa::Enumeration as _;
        ::polywire::generated::buffa::types::put_string_field(1u32, &self.message, buf);
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
                ::polywire::generated::buffa::types::merge_string(&mut self.message, buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.message.clear();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("example.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(EchoRequest, "example.EchoRequest", POOL, buffers { one message; });
::polywire::generated::message!(EchoResponse, "example.EchoResponse", POOL, buffers { one message; });

/// Says everything twice: the message in the reply, the attachment behind it.
///
/// Service `example.EchoService`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `example.EchoService`",
    note = "write `impl EchoService for {Self}` with its methods: `echo`"
)]
pub trait EchoService: Send + Sync + 'static {
    /// Returns the message and the attachment as they came.
    ///
    /// Method `Echo`.
    fn echo(
        &self,
        cx: &::polywire::Context,
        request: EchoRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<EchoResponse>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("example.EchoService", DESCRIPTOR_SET)
            .unary::<echo_service::Echo<Self>>(&service)
    }
}

/// The methods of [`EchoService`], each as a type.
pub mod echo_service {
    /// `example.EchoService/Echo`.
    pub struct Echo<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::EchoService> ::polywire::generated::Unary for Echo<Impl> {
        type Service = Impl;
        type Request = super::EchoRequest;
        type Response = super::EchoResponse;
        const NAME: &'static str = "Echo";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::EchoService::echo(service, cx, request)
        }
    }
}

/// Says everything twice: the message in the reply, the attachment behind it.
///
/// Calls `example.EchoService` over a channel.
#[derive(Clone)]
pub struct EchoClient {
    channel: ::polywire::Channel,
}

impl EchoClient {
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

    /// Returns the message and the attachment as they came.
    ///
    /// Method `Echo`.
    #[inline]
    pub fn echo(&self, request: EchoRequest) -> ::polywire::Call<EchoResponse> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("example.EchoService", "Echo").at(0), request)
    }
}
