// Made by polywire-build from cluster.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct WhyRequest {
    /// JSON in place of text.
    ///
    /// Field 1: `json`
    pub json: bool,
}
impl ::std::fmt::Debug for WhyRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("WhyRequest").field("json", &self.json).finish()
    }
}
impl WhyRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/cluster.WhyRequest";
}
impl ::polywire::generated::FieldMessage for WhyRequest {}
::polywire::generated::buffa::impl_default_instance!(WhyRequest);
impl ::polywire::generated::buffa::MessageName for WhyRequest {
    const PACKAGE: &'static str = "cluster";
    const NAME: &'static str = "WhyRequest";
    const FULL_NAME: &'static str = "cluster.WhyRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/cluster.WhyRequest";
}
impl ::polywire::generated::buffa::Message for WhyRequest {
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
        if self.json {
            size += 1u64 + ::polywire::generated::buffa::types::BOOL_ENCODED_LEN as u64;
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
        if self.json {
            ::polywire::generated::buffa::types::put_bool_field(1u32, self.json, buf);
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
                self.json = ::polywire::generated::buffa::types::decode_bool(buf)?;
            }
            _ => {
                ::polywire::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.json = false;
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("cluster.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<::polywire::generated::Pool> =
    ::std::sync::LazyLock::new(|| ::polywire::generated::pool(DESCRIPTOR_SET));

::polywire::generated::message!(WhyRequest, "cluster.WhyRequest", POOL, packed);
::polywire::generated::packed!(WhyRequest, required 0b0, by_name [0], {
    0: "json" json [0 false false];
});

/// What a running `demo --cluster` tells of itself.
///
/// Service `cluster.Cluster`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `cluster.Cluster`",
    note = "write `impl Cluster for {Self}` with its methods: `why`"
)]
pub trait Cluster: Send + Sync + 'static {
    /// What its channels know of their servers, and where some of their last calls went.
    ///
    /// Method `Why`.
    fn why(
        &self,
        cx: &::polywire::Context,
        request: WhyRequest,
    ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<::polywire::HttpBody>, ::polywire::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> ::polywire::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        ::polywire::Service::new("cluster.Cluster", DESCRIPTOR_SET)
            .unary::<cluster::Why<Self>>(&service)
    }
}

/// The methods of [`Cluster`], each as a type.
pub mod cluster {
    /// `cluster.Cluster/Why`.
    pub struct Why<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Cluster> ::polywire::generated::Unary for Why<Impl> {
        type Service = Impl;
        type Request = super::WhyRequest;
        type Response = ::polywire::HttpBody;
        const NAME: &'static str = "Why";
        const HTTP_RULES: &'static [::polywire::HttpRule] = &[
            ::polywire::HttpRule::new("GET", "/why"),
        ];

        #[inline]
        fn call(
            service: &Impl,
            cx: &::polywire::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<::polywire::Reply<Self::Response>, ::polywire::Status>> + Send {
            super::Cluster::why(service, cx, request)
        }
    }
}

/// What a running `demo --cluster` tells of itself.
///
/// Calls `cluster.Cluster` over a channel.
#[derive(Clone)]
pub struct ClusterClient {
    channel: ::polywire::Channel,
}

impl ClusterClient {
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

    /// What its channels know of their servers, and where some of their last calls went.
    ///
    /// Method `Why`.
    #[inline]
    pub fn why(&self, request: WhyRequest) -> ::polywire::Call<::polywire::HttpBody> {
        static RULES: ::polywire::generated::HttpRules = ::polywire::generated::HttpRules::new(&[
            ::polywire::HttpRule::new("GET", "/why"),
        ]);
        ::polywire::generated::unary_by_rule(&self.channel, ::polywire::Target::fixed("cluster.Cluster", "Why").at(0), request, &RULES)
    }
}
