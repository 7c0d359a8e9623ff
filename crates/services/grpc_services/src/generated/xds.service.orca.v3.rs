// Made by polywire-build from xds/service/orca/v3/orca.proto; changes are lost.

#[derive(Clone, PartialEq, Default)]
pub struct OrcaLoadReportRequest {
    /// From one report to the next. The server has a least interval.
    ///
    /// Field 1: `report_interval`
    pub report_interval: crate::MessageField<crate::wkt::Duration>,
    /// The request costs that are asked for; all if there are none.
    ///
    /// Field 2: `request_cost_names`
    pub request_cost_names: ::std::vec::Vec<::std::string::String>,
}
impl ::std::fmt::Debug for OrcaLoadReportRequest {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.debug_struct("OrcaLoadReportRequest")
            .field("report_interval", &self.report_interval)
            .field("request_cost_names", &self.request_cost_names)
            .finish()
    }
}
impl OrcaLoadReportRequest {
    /// Protobuf type URL for this message, for use with `Any::pack` and
    /// `Any::unpack_if`.
    ///
    /// Format: `type.googleapis.com/<fully.qualified.TypeName>`
    pub const TYPE_URL: &'static str = "type.googleapis.com/xds.service.orca.v3.OrcaLoadReportRequest";
}
impl crate::generated::FieldMessage for OrcaLoadReportRequest {}
crate::generated::buffa::impl_default_instance!(OrcaLoadReportRequest);
impl crate::generated::buffa::MessageName for OrcaLoadReportRequest {
    const PACKAGE: &'static str = "xds.service.orca.v3";
    const NAME: &'static str = "OrcaLoadReportRequest";
    const FULL_NAME: &'static str = "xds.service.orca.v3.OrcaLoadReportRequest";
    const TYPE_URL: &'static str = "type.googleapis.com/xds.service.orca.v3.OrcaLoadReportRequest";
}
impl crate::generated::buffa::Message for OrcaLoadReportRequest {
    /// Returns the total encoded size in bytes.
    ///
    /// Accumulates in `u64` (which cannot overflow for in-memory
    /// data) and saturates to `u32` at return, so a message whose
    /// encoded size exceeds the 2 GiB protobuf limit yields a value
    /// above [`::buffa::MAX_MESSAGE_BYTES`] that the encode entry
    /// points reject, never a silently wrapped size.
    #[allow(clippy::let_and_return)]
    fn compute_size(&self, __cache: &mut crate::generated::buffa::SizeCache) -> u32 {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        let mut size = 0u64;
        if self.report_interval.is_set() {
            let __slot = __cache.reserve();
            let inner_size = self.report_interval.compute_size(__cache);
            __cache.set(__slot, inner_size);
            size
                += 1u64 + crate::generated::buffa::encoding::varint_len(inner_size as u64) as u64
                    + inner_size as u64;
        }
        for v in &self.request_cost_names {
            size += 1u64 + crate::generated::buffa::types::string_encoded_len(v) as u64;
        }
        crate::generated::buffa::saturate_size(size)
    }
    fn write_to(
        &self,
        __cache: &mut crate::generated::buffa::SizeCache,
        buf: &mut impl crate::generated::buffa::EncodeSink,
    ) {
        #[allow(unused_imports)]
        use crate::generated::buffa::Enumeration as _;
        if self.report_interval.is_set() {
            crate::generated::buffa::types::put_len_delimited_header(
                1u32,
                u64::from(__cache.consume_next()),
                buf,
            );
            self.report_interval.write_to(__cache, buf);
        }
        for v in &self.request_cost_names {
            crate::generated::buffa::types::put_string_field(2u32, v, buf);
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
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                crate::generated::buffa::Message::merge_length_delimited(
                    self.report_interval.get_or_insert_default(),
                    buf,
                    ctx,
                )?;
            }
            2u32 => {
                crate::generated::buffa::encoding::check_wire_type(
                    tag,
                    crate::generated::buffa::encoding::WireType::LengthDelimited,
                )?;
                let __elem = crate::generated::buffa::types::decode_string(buf)?;
                ctx.register_element_memory(
                    crate::generated::buffa::__private::element_footprint(&__elem),
                )?;
                self.request_cost_names.push(__elem);
            }
            _ => {
                crate::generated::buffa::encoding::skip_field_depth(tag, buf, ctx.depth())?;
            }
        }
        ::std::result::Result::Ok(())
    }
    fn clear(&mut self) {
        self.report_interval = crate::MessageField::none();
        self.request_cost_names.clear();
    }
}

/// The `FileDescriptorSet` of this package and all it imports.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!("xds.service.orca.v3.binpb");

/// The schemas in [`DESCRIPTOR_SET`], read when first asked for.
pub static POOL: ::std::sync::LazyLock<crate::generated::Pool> =
    ::std::sync::LazyLock::new(|| crate::generated::pool(DESCRIPTOR_SET));

crate::generated::message!(OrcaLoadReportRequest, "xds.service.orca.v3.OrcaLoadReportRequest", POOL, buffers { each request_cost_names; });

/// Reports of load without calls.
///
/// Service `xds.service.orca.v3.OpenRcaService`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement the service `xds.service.orca.v3.OpenRcaService`",
    note = "write `impl OpenRcaService for {Self}` with its methods: `stream_core_metrics`"
)]
pub trait OpenRcaService: Send + Sync + 'static {
    /// Method `StreamCoreMetrics`, which answers with a stream. To be written as
    /// `async fn stream_core_metrics(…) -> Result<impl Stream<Item = Result<super::super::super::data::orca::v3::OrcaLoadReport, Status>>, Status>`.
    fn stream_core_metrics(
        &self,
        cx: &crate::Context,
        request: OrcaLoadReportRequest,
    ) -> impl ::std::future::Future<
        Output = Result<
            impl crate::Stream<Item = Result<super::super::super::data::orca::v3::OrcaLoadReport, crate::Status>> + Send,
            crate::Status,
        >,
    > + Send;

    /// This service, ready for `Server::service`.
    fn into_service(self) -> crate::Service
    where
        Self: Sized,
    {
        let service = ::std::sync::Arc::new(self);
        crate::Service::new("xds.service.orca.v3.OpenRcaService", DESCRIPTOR_SET)
            .server_streaming::<open_rca_service::StreamCoreMetrics<Self>>(&service)
    }
}

/// The methods of [`OpenRcaService`], each as a type.
pub mod open_rca_service {
    /// `xds.service.orca.v3.OpenRcaService/StreamCoreMetrics`.
    pub struct StreamCoreMetrics<Impl>(::std::marker::PhantomData<fn() -> Impl>);

    impl<Impl: super::OpenRcaService> crate::generated::ServerStreaming for StreamCoreMetrics<Impl> {
        type Service = Impl;
        type Request = super::OrcaLoadReportRequest;
        type Response = super::super::super::super::data::orca::v3::OrcaLoadReport;
        const NAME: &'static str = "StreamCoreMetrics";

        #[inline]
        fn call(
            service: &Impl,
            cx: &crate::Context,
            request: Self::Request,
        ) -> impl ::std::future::Future<
            Output = Result<
                impl crate::Stream<Item = Result<Self::Response, crate::Status>> + Send,
                crate::Status,
            >,
        > + Send {
            super::OpenRcaService::stream_core_metrics(service, cx, request)
        }
    }
}

/// Reports of load without calls.
///
/// Calls `xds.service.orca.v3.OpenRcaService` over a channel.
#[derive(Clone)]
pub struct OpenRcaClient {
    channel: crate::Channel,
}

impl OpenRcaClient {
    /// A client whose calls go through `channel`.
    pub fn new<P>(channel: crate::AnyChannel<P>) -> Self {
        Self { channel: channel.retyped() }
    }

    /// Method `StreamCoreMetrics`: awaited, it is the stream of its answers.
    #[inline]
    pub fn stream_core_metrics(&self, request: OrcaLoadReportRequest) -> crate::StreamingCall<crate::Streaming<super::super::super::data::orca::v3::OrcaLoadReport>> {
        crate::generated::server_streaming(&self.channel, crate::Target::fixed("xds.service.orca.v3.OpenRcaService", "StreamCoreMetrics").at(0), request)
    }
}
