// Made by polywire-build from flat_benchmark.fbs; changes are lost.

/// FlatBuffers have no descriptors.
const DESCRIPTOR_SET: &[u8] = &[];

#[derive(Clone, Copy)]
pub struct BenchmarkMessage<'a>(::polywire::flatbuffers::Table<'a>);

/// A message that begins with a [`BenchmarkMessage`].
pub type BenchmarkMessageBuf = ::polywire::flatbuffers::Flat<BenchmarkMessage<'static>>;

impl<'a> BenchmarkMessage<'a> {
    #[inline]
    pub fn opcode(&self) -> i32 {
        self.0.field(4).unwrap_or(0)
    }
    #[inline]
    pub fn echo_attachment(&self) -> i32 {
        self.0.field(6).unwrap_or(0)
    }
    #[inline]
    pub fn attachment_size(&self) -> i64 {
        self.0.field(8).unwrap_or(0)
    }
    #[inline]
    pub fn request_id(&self) -> i64 {
        self.0.field(10).unwrap_or(0)
    }
    #[inline]
    pub fn reserved(&self) -> i64 {
        self.0.field(12).unwrap_or(0)
    }
    #[inline]
    pub fn message(&self) -> ::std::option::Option<&'a str> {
        self.0.field(14)
    }
}

/// What [`BenchmarkMessage::create`] builds a table from.
#[derive(Clone, Copy)]
pub struct BenchmarkMessageArgs {
    pub opcode: i32,
    pub echo_attachment: i32,
    pub attachment_size: i64,
    pub request_id: i64,
    pub reserved: i64,
    pub message: ::std::option::Option<::polywire::flatbuffers::Offset<&'static str>>,
}
impl ::std::default::Default for BenchmarkMessageArgs {
    fn default() -> Self {
        Self {
            opcode: 0,
            echo_attachment: 0,
            attachment_size: 0,
            request_id: 0,
            reserved: 0,
            message: ::std::option::Option::None,
        }
    }
}

impl BenchmarkMessage<'static> {
    /// Builds a table.
    pub fn create(
        builder: &mut ::polywire::flatbuffers::Builder,
        args: &BenchmarkMessageArgs,
    ) -> ::polywire::flatbuffers::Offset<BenchmarkMessage<'static>> {
        let mut table = builder.start_table::<6, 43>();
        table.push_slot(12, args.reserved, 0);
        table.push_slot(10, args.request_id, 0);
        table.push_slot(8, args.attachment_size, 0);
        if let ::std::option::Option::Some(value) = args.message { table.push_slot_always(14, value); }
        table.push_slot(6, args.echo_attachment, 0);
        table.push_slot(4, args.opcode, 0);
        table.end()
    }
}

impl<'a> ::polywire::flatbuffers::Read<'a> for BenchmarkMessage<'a> {
    const SIZE: usize = 4;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Self(::polywire::flatbuffers::Read::read(buffer, at))
    }
}
impl ::polywire::flatbuffers::Root for BenchmarkMessage<'static> {
    type View<'a> = BenchmarkMessage<'a>;
    #[inline]
    fn view(table: ::polywire::flatbuffers::Table<'_>) -> BenchmarkMessage<'_> {
        BenchmarkMessage(table)
    }
}
impl ::std::fmt::Debug for BenchmarkMessage<'_> {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        let mut table = f.debug_struct("BenchmarkMessage");
        table.field("opcode", &self.opcode());
        table.field("echo_attachment", &self.echo_attachment());
        table.field("attachment_size", &self.attachment_size());
        table.field("request_id", &self.request_id());
        table.field("reserved", &self.reserved());
        table.field("message", &self.message());
        table.finish()
    }
}
impl ::polywire::flatbuffers::Verifiable for BenchmarkMessage<'_> {
    fn run_verifier(verifier: &mut ::polywire::flatbuffers::Verifier<'_>, at: usize) -> ::polywire::flatbuffers::Verified {
        verifier
            .visit_table(at)?
            .visit_field::<i32>("opcode", 4, false)?
            .visit_field::<i32>("echo_attachment", 6, false)?
            .visit_field::<i64>("attachment_size", 8, false)?
            .visit_field::<i64>("request_id", 10, false)?
            .visit_field::<i64>("reserved", 12, false)?
            .visit_field::<::polywire::flatbuffers::Indirect<&str>>("message", 14, false)?
            .finish();
        ::std::result::Result::Ok(())
    }
}

/// What load is measured with.
///
/// Service `flat_test.FlatBenchmark`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `flat_test.FlatBenchmark`",
    note = "write `impl FlatBenchmark for {Self}` with its methods: `test`"
)]
pub trait FlatBenchmark: Send + Sync + 'static {
    /// Returns the message as it came.
    ///
    /// Method `Test`.
    fn test(
        &self,
        cx: &::polywire::Context,
        request: BenchmarkMessageBuf,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<BenchmarkMessageBuf>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("flat_test.FlatBenchmark", DESCRIPTOR_SET)
            .unary::<flat_benchmark::Test<Self>>(&service)
            .method("Test", |method| method.id(::polywire::generated::method_id("flat_test.FlatBenchmark", 0)))
    }
}

/// The methods of [`FlatBenchmark`], each as a type.
pub mod flat_benchmark {
    /// `flat_test.FlatBenchmark/Test`.
    pub struct Test<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::FlatBenchmark> ::polywire::generated::Unary for Test<Impl> {
        type Service = Impl;
        type Request = super::BenchmarkMessageBuf;
        type Response = super::BenchmarkMessageBuf;
        const NAME: &'static str = "Test";

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::FlatBenchmark::test(service, cx, request)
        }
    }
}

/// What load is measured with.
///
/// Calls `flat_test.FlatBenchmark` over a channel.
#[derive(Clone)]
pub struct FlatBenchmarkClient {
    channel: ::polywire::Channel,
}

impl FlatBenchmarkClient {
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
    pub fn test(&self, request: BenchmarkMessageBuf) -> ::polywire::Call<BenchmarkMessageBuf> {
        ::polywire::generated::unary(&self.channel, ::polywire::Target::fixed("flat_test.FlatBenchmark", "Test").at(0), request)
    }
}
