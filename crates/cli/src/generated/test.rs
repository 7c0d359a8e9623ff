// Made by polywire-build from benchmark.proto; changes are lost.

/// 32 bytes of fixed fields and a text of any length; requests and replies alike.
#[derive(Clone, PartialEq, Default)]
pub struct BenchmarkMessage {
    /// Field 1: `opcode`
    pub opcode: i32,
    /// Not zero: the reply carries the request's attachment.
    ///
    /// Field 2: `echo_attachment`
    pub echo_attachment: i32,
    /// Bytes of attachment behind this message.
    ///
    /// Field 3: `attachment_size`
    pub attachment_size: i64,
    /// Chosen by the caller, repeated in the reply.
    ///
    /// Field 4: `request_id`
    pub request_id: i64,
    /// Field 5: `reserved`
    pub reserved: ::std::option::Option<i64>,
    /// Field 6: `message`
    pub message: ::std::option::Option<::std::string::String>,
}
impl ::std::fmt::Debug for BenchmarkMessage {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("BenchmarkMessage")
            .field("opcode", &self.opcode)
            .field("echo_attachment", &self.echo_attachment)
            .field("attachment_size", &self.attachment_size)
            .field("request_id", &self.request_id)
            .field("reserved", &self.reserved)
            .field("message", &self.message)
            .finish()
    }
}
impl BenchmarkMessage {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/test.BenchmarkMessage";
}
impl BenchmarkMessage {
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::reserved`] to `Some(value)`, consuming and returning `self`.
    pub fn with_reserved(mut self, value: i64) -> Self {
        self.reserved = Some(value);
        self
    }
    #[must_use = "with_* setters return `self` by value; assign or chain the result"]
    #[inline]
    ///Sets [`Self::message`] to `Some(value)`, consuming and returning `self`.
    pub fn with_message(
        mut self,
        value: impl Into<::std::string::String>,
    ) -> Self {
        self.message = Some(value.into());
        self
    }
}
impl ::polywire::generated::FieldMessage for BenchmarkMessage {}
::polywire::generated::buffa::impl_default_instance!(BenchmarkMessage);
impl ::polywire::generated::buffa::MessageName for BenchmarkMessage {
    const PACKAGE: &'static str = "test";
    const NAME: &'static str = "BenchmarkMessage";
    const FULL_NAME: &'static str = "test.BenchmarkMessage";
    const TYPE_URL: &'static str = "type.googleapis.com/test.BenchmarkMessage";
}
impl ::polywire::generated::buffa::Message for BenchmarkMessage {
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
        size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(self.opcode) as u64;
        size += 1u64 + ::polywire::generated::buffa::types::int32_encoded_len(self.echo_attachment) as u64;
        size += 1u64 + ::polywire::generated::buffa::types::int64_encoded_len(self.attachment_size) as u64;
        size += 1u64 + ::polywire::generated::buffa::types::int64_encoded_len(self.request_id) as u64;
        if let Some(v) = self.reserved {
            size += 1u64 + ::polywire::generated::buffa::types::int64_encoded_len(v) as u64;
        }
        if let Some(ref v) = self.message {
            size += 1u64 + ::polywire::generated::buffa::types::string_encoded_len(v) as u64;
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
        ::polywire::generated::buffa::types::put_int32_field(1u32, self.opcode, buf);
        ::polywire::generated::buffa::types::put_int32_field(2u32, self.echo_attachment, buf);
        ::polywire::generated::buffa::types::put_int64_field(3u32, self.attachment_size, buf);
        ::polywire::generated::buffa::types::put_int64_field(4u32, self.request_id, buf);
        if let Some(v) = self.reserved {
            ::polywire::generated::buffa::types::put_int64_field(5u32, v, buf);
        }
        if let Some(ref v) = self.message {
            ::polywire::generated::buffa::types::put_string_field(6u32, v, buf);
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
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.opcode = ::polywire::generated::buffa::types::decode_int32(buf)?;
            }
            2u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.echo_attachment = ::polywire::generated::buffa::types::decode_int32(buf)?;
            }
            3u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.attachment_size = ::polywire::generated::buffa::types::decode_int64(buf)?;
            }
            4u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.request_id = ::polywire::generated::buffa::types::decode_int64(buf)?;
            }
            5u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::Varint,
                )?;
                self.reserved = ::std::option::Option::Some(
                    ::polywire::generated::buffa::types::decode_int64(buf)?,
                );
            }
            6u32 => {
                ::polywire::generated::buffa::encoding::check_wire_type(
                    tag,
                    ::polywire::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                ::polywire::generated::buffa::types::merge_string(
                    self.message.get_or_insert_with(::std::string::String::new),
                    buf,
                )?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.opcode = 0i32;
        self.echo_attachment = 0i32;
        self.attachment_size = 0i64;
        self.request_id = 0i64;
        self.reserved = ::std::option::Option::None;
        self.message = ::std::option::Option::None;
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("test.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(BenchmarkMessage, "test.BenchmarkMessage", POOL, packed, buffers { one message; });
::polywire::generated::packed!(BenchmarkMessage, required 0b1111, by_name [0, 5, 4, 3, 2, 1], {
    0: "opcode" opcode [0 false true];
    1: "echo_attachment" echo_attachment [0 false true];
    2: "attachment_size" attachment_size [0 false true];
    3: "request_id" request_id [0 false true];
    4: "reserved" reserved [0 false false];
    5: "message" message [0 false false];
});

/// What load is measured with.
///
/// Service `test.BenchmarkService`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `test.BenchmarkService`",
    note = "write `impl BenchmarkService for {Self}` with its methods: `test`"
)]
pub trait BenchmarkService: Send + Sync + 'static {
    /// Returns the message as it came.
    ///
    /// Method `Test`.
    fn test(
        &self,
        cx: &::polywire::Context,
        request: BenchmarkMessage,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<BenchmarkMessage>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("test.BenchmarkService", DESCRIPTOR_SET)
            .unary::<benchmark_service::Test<Self>>(&service)
    }
}

/// The methods of [`BenchmarkService`], each as a type.
pub mod benchmark_service {
    /// `test.BenchmarkService/Test`.
    pub struct Test<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::BenchmarkService> ::polywire::generated::Unary for Test<Impl> {
        type Service = Impl;
        type Request = super::BenchmarkMessage;
        type Response = super::BenchmarkMessage;
        const NAME: &'static str = "Test";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::BenchmarkService::test(service, cx, request)
        }
    }
}

/// What load is measured with.
///
/// Calls `test.BenchmarkService` over a channel.
#[derive(Clone)]
pub struct BenchmarkClient {
    channel: ::polywire::Channel,
}

impl BenchmarkClient {
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

    /// Returns the message as it came.
    ///
    /// Method `Test`.
    #[inline]
    pub fn test(&self, request: BenchmarkMessage) -> ::polywire::Call<BenchmarkMessage> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("test.BenchmarkService", "Test").at(0), request)
    }
}
