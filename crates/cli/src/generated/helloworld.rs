// Made by polywire-build from helloworld.proto; changes are lost.

/// Who wants to be greeted.
#[derive(Clone, PartialEq, Default)]
pub struct HelloRequest {
    /// Field 1: `name`
    pub name: ::std::string::String,
}
impl ::std::fmt::Debug for HelloRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HelloRequest").field("name", &self.name).finish()
    }
}
impl HelloRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/helloworld.HelloRequest";
}
impl ::polywire::generated::FieldMessage for HelloRequest {}
::polywire::generated::buffa::impl_default_instance!(HelloRequest);
impl ::polywire::generated::buffa::MessageName for HelloRequest {
    const PACKAGE: &'static str = "helloworld";
    const NAME: &'static str = "HelloRequest";
    const FULL_NAME: &'static str = "helloworld.HelloRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/helloworld.HelloRequest";
}
impl ::polywire::generated::buffa::Message for HelloRequest {
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
/// The greeting.
#[derive(Clone, PartialEq, Default)]
pub struct HelloReply {
    /// Field 1: `message`
    pub message: ::std::string::String,
}
impl ::std::fmt::Debug for HelloReply {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("HelloReply").field("message", &self.message).finish()
    }
}
impl HelloReply {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/helloworld.HelloReply";
}
impl ::polywire::generated::FieldMessage for HelloReply {}
::polywire::generated::buffa::impl_default_instance!(HelloReply);
impl ::polywire::generated::buffa::MessageName for HelloReply {
    const PACKAGE: &'static str = "helloworld";
    const NAME: &'static str = "HelloReply";
    const FULL_NAME: &'static str = "helloworld.HelloReply";
    const TYPE_URL: &'static str = "type.googleapis.com/helloworld.HelloReply";
}
impl ::polywire::generated::buffa::Message for HelloReply {
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
        if !self.message.is_empty() {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(&self.message) as u64;
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
        if !self.message.is_empty() {
            ::polywire::generated::buffa::types::put_string_field(1u32, &self.message, buf);
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
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("helloworld.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(HelloRequest, "helloworld.HelloRequest", POOL, packed, buffers { one name; });
::polywire::generated::packed!(HelloRequest, required 0b0, by_name [0], {
    0: "name" name [0 false false];
});
::polywire::generated::message!(HelloReply, "helloworld.HelloReply", POOL, packed, buffers { one message; });
::polywire::generated::packed!(HelloReply, required 0b0, by_name [0], {
    0: "message" message [0 false false];
});

/// The service that every RPC framework begins with.
///
/// Service `helloworld.Greeter`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `helloworld.Greeter`",
    note = "write `impl Greeter for {Self}` with its methods: `say_hello`"
)]
pub trait Greeter: Send + Sync + 'static {
    /// Answers `Hello ` and the name.
    ///
    /// Method `SayHello`.
    fn say_hello(
        &self,
        cx: &::polywire::Context,
        request: HelloRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<HelloReply>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("helloworld.Greeter", DESCRIPTOR_SET)
            .unary::<greeter::SayHello<Self>>(&service)
    }
}

/// The methods of [`Greeter`], each as a type.
pub mod greeter {
    /// `helloworld.Greeter/SayHello`.
    pub struct SayHello<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Greeter> ::polywire::generated::Unary for SayHello<Impl> {
        type Service = Impl;
        type Request = super::HelloRequest;
        type Response = super::HelloReply;
        const NAME: &'static str = "SayHello";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Greeter::say_hello(service, cx, request)
        }
    }
}

/// The service that every RPC framework begins with.
///
/// Calls `helloworld.Greeter` over a channel.
#[derive(Clone)]
pub struct GreeterClient {
    channel: ::polywire::Channel,
}

impl GreeterClient {
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

    /// Answers `Hello ` and the name.
    ///
    /// Method `SayHello`.
    #[inline]
    pub fn say_hello(&self, request: HelloRequest) -> ::polywire::Call<HelloReply> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("helloworld.Greeter", "SayHello").at(0), request)
    }
}
