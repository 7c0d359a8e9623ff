// Made by polywire-build from polywire/load/v1/load.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct ProbeRequest {}
impl ::std::fmt::Debug for ProbeRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ProbeRequest").finish()
    }
}
impl ProbeRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/polywire.load.v1.ProbeRequest";
}
impl crate::generated::FieldMessage for ProbeRequest {}
crate::generated::buffa::impl_default_instance!(ProbeRequest);
impl crate::generated::buffa::MessageName for ProbeRequest {
    const PACKAGE: &'static str = "polywire.load.v1";
    const NAME: &'static str = "ProbeRequest";
    const FULL_NAME: &'static str = "polywire.load.v1.ProbeRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/polywire.load.v1.ProbeRequest";
}
impl crate::generated::buffa::Message for ProbeRequest {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let size = 0u64;
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut crate::generated::buffa::SizeCache,
        _buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {}
}
/// How loaded a server is now.
#[derive(Clone, PartialEq, Default)]
pub struct ProbeResponse {
    /// Calls of all clients that it works on.
    ///
    /// Field 1: `in_flight`
    pub in_flight: u32,
    /// Microseconds that a call takes which comes now: the median of recent calls that met about as many others.
    ///
    /// Field 2: `latency_micros`
    pub latency_micros: u64,
}
impl ::std::fmt::Debug for ProbeResponse {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("ProbeResponse")
            .field("in_flight", &self.in_flight)
            .field("latency_micros", &self.latency_micros)
            .finish()
    }
}
impl ProbeResponse {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/polywire.load.v1.ProbeResponse";
}
impl crate::generated::FieldMessage for ProbeResponse {}
crate::generated::buffa::impl_default_instance!(ProbeResponse);
impl crate::generated::buffa::MessageName for ProbeResponse {
    const PACKAGE: &'static str = "polywire.load.v1";
    const NAME: &'static str = "ProbeResponse";
    const FULL_NAME: &'static str = "polywire.load.v1.ProbeResponse";
    const TYPE_URL: &'static str = "type.googleapis.com/polywire.load.v1.ProbeResponse";
}
impl crate::generated::buffa::Message for ProbeResponse {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, _cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if self.in_flight != 0u32 {
            size += 1u64 + crate::generated::buffa::types::uint32_encoded_len(self.in_flight) as u64;
        }
        if self.latency_micros != 0u64 {
            size
                += 1u64 + crate::generated::buffa::types::uint64_encoded_len(self.latency_micros) as u64;
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        _cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if self.in_flight != 0u32 {
            crate::generated::buffa::types::put_uint32_field(1u32, self.in_flight, buf);
        }
        if self.latency_micros != 0u64 {
            crate::generated::buffa::types::put_uint64_field(2u32, self.latency_micros, buf);
        }
    }
    fn merge_field(
        &mut self,
        tag: crate::generated::buffa::encoding::Tag,
        buf: &mut impl crate::generated::buffa::bytes::Buf,
        ctx: crate::generated::buffa::DecodeContext<'_>,
    ) -> ::std::result::Result<(), crate::generated::buffa::DecodeError> {
        #[allow(unused_imports)]
        use crate::generated::buffa::bytes::Buf as _;
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        match tag.field_number() {
            1u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.in_flight = crate::generated::buffa::types::decode_uint32(buf)?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::Varint,
                )?;
                self.latency_micros = crate::generated::buffa::types::decode_uint64(buf)?;
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.in_flight = 0u32;
        self.latency_micros = 0u64;
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("polywire.load.v1.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(ProbeRequest, "polywire.load.v1.ProbeRequest", POOL);
crate::generated::message!(ProbeResponse, "polywire.load.v1.ProbeResponse", POOL);

/// What the balancer prequal asks.
///
/// Service `polywire.load.v1.Load`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `polywire.load.v1.Load`",
    note = "write `impl Load for {Self}` with its methods: `probe`"
)]
pub trait Load: Send + Sync + 'static {
    /// Method `Probe`.
    fn probe(
        &self,
        cx: &crate::Context,
        request: ProbeRequest,
    ) -> impl ::std::future::Future<Output = Result<crate::Reply<ProbeResponse>, crate::Status>> + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> crate::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        crate::Service::new("polywire.load.v1.Load", DESCRIPTOR_SET)
            .unary::<load::Probe<Self>>(&service)
    }
}

/// The methods of [`Load`], each as a type.
pub mod load {
    /// `polywire.load.v1.Load/Probe`.
    pub struct Probe<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::Load> crate::generated::Unary for Probe<Impl> {
        type Service = Impl;
        type Request = super::ProbeRequest;
        type Response = super::ProbeResponse;
        const NAME: &'static str = "Probe";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<Output = Result<crate::Reply<Self::Response>, crate::Status>> + Send {
            super::Load::probe(service, cx, request)
        }
    }
}

/// What the balancer prequal asks.
///
/// Calls `polywire.load.v1.Load` over a channel.
#[derive(Clone)]
pub struct LoadClient {
    channel: crate::Channel,
}

impl LoadClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: crate::AnyChannel<P>) -> Self {
        Self { channel: channel.retyped() }
    }

    /// Method `Probe`.
    #[inline]
    pub fn probe(&self, request: ProbeRequest) -> crate::Call<ProbeResponse> {
        crate::generated::unary(&self.channel, crate::Target::fixed("polywire.load.v1.Load", "Probe").at(0), request)
    }
}
