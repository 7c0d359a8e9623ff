//! `grpc.testing.TestService`, which every gRPC project implements.
//!
//! Source: docs/wire/grpc.md section 8.

use crate::grpc::testing::{
    BoolValue, EchoStatus, Empty, Payload, SimpleRequest, SimpleResponse, StreamingInputCallRequest,
    StreamingInputCallResponse, StreamingOutputCallRequest, StreamingOutputCallResponse, TestOrcaReport,
    TestService,
};
use polywire::{
    Code, Compression, Context, Reply, Status, Stream, Streaming,
    rpc::{ErrorDetails, ErrorInfo},
    standard::load::{self, LoadReports, OrcaLoadReport},
};
use std::time::Duration;

/// Fields of a request that are returned: one in the head, one after the last message.
const ECHO_INITIAL: &str = "x-grpc-test-echo-initial";
const ECHO_TRAILING: &str = "x-grpc-test-echo-trailing-bin";

/// With the reports of load that its callers ask for.
#[derive(Default)]
pub struct Testing(pub LoadReports);

impl TestService for Testing {
    async fn empty_call(&self, cx: &Context, _: Empty) -> Result<Reply<Empty>, Status> {
        echo_fields(cx);
        Ok(Empty::default().into())
    }

    async fn unary_call(
        &self,
        cx: &Context,
        request: SimpleRequest,
    ) -> Result<Reply<SimpleResponse>, Status> {
        echo_fields(cx);
        fail_if_told(request.response_status.as_option())?;
        check_compression(request.expect_compressed.as_option(), cx.compression())?;
        if let Some(wanted) = request.orca_per_query_report.as_option() {
            load::attach(cx, orca(wanted));
        }
        let response = SimpleResponse { payload: zeros(request.response_size).into(), ..Default::default() };
        let compressed = is_true(request.response_compressed.as_option());
        Ok(Reply::new(response).compress(if compressed { Compression::GZIP } else { Compression::NONE }))
    }

    async fn cacheable_unary_call(
        &self,
        cx: &Context,
        request: SimpleRequest,
    ) -> Result<Reply<SimpleResponse>, Status> {
        self.unary_call(cx, request).await
    }

    async fn streaming_output_call(
        &self,
        cx: &Context,
        request: StreamingOutputCallRequest,
    ) -> Result<impl Stream<Item = Result<StreamingOutputCallResponse, Status>>, Status> {
        echo_fields(cx);
        if request.response_parameters.iter().any(|wanted| is_true(wanted.compressed.as_option())) {
            cx.reply_compression(Compression::GZIP);
        }
        let (sender, responses) = polywire::stream(1);
        cx.spawn(async move { answer(&request, &sender).await });
        Ok(responses)
    }

    async fn streaming_input_call(
        &self,
        _: &Context,
        mut incoming: Streaming<StreamingInputCallRequest>,
    ) -> Result<Reply<StreamingInputCallResponse>, Status> {
        let mut size = 0;
        while let Some(request) = incoming.next().await.transpose()? {
            check_compression(request.expect_compressed.as_option(), incoming.compression())?;
            size += request.payload.as_option().map_or(0, |payload| payload.body.len());
        }
        let aggregated_payload_size = i32::try_from(size).unwrap_or(i32::MAX);
        Ok(StreamingInputCallResponse { aggregated_payload_size }.into())
    }

    async fn full_duplex_call(
        &self,
        cx: &Context,
        mut incoming: Streaming<StreamingOutputCallRequest>,
    ) -> Result<impl Stream<Item = Result<StreamingOutputCallResponse, Status>>, Status> {
        echo_fields(cx);
        let (sender, responses) = polywire::stream(1);
        let load = self.0.clone();
        cx.spawn(async move {
            while let Some(request) = incoming.next().await.transpose()? {
                if let Some(wanted) = request.orca_oob_report.as_option() {
                    load.set(orca(wanted));
                }
                answer(&request, &sender).await?;
            }
            Ok(())
        });
        Ok(responses)
    }

    async fn half_duplex_call(
        &self,
        cx: &Context,
        mut incoming: Streaming<StreamingOutputCallRequest>,
    ) -> Result<impl Stream<Item = Result<StreamingOutputCallResponse, Status>>, Status> {
        let (sender, responses) = polywire::stream(1);
        cx.spawn(async move {
            let mut requests = Vec::new();
            while let Some(request) = incoming.next().await.transpose()? {
                requests.push(request);
            }
            for request in &requests {
                answer(request, &sender).await?;
            }
            Ok(())
        });
        Ok(responses)
    }
}

fn orca(wanted: &TestOrcaReport) -> OrcaLoadReport {
    OrcaLoadReport {
        cpu_utilization: wanted.cpu_utilization,
        mem_utilization: wanted.memory_utilization,
        request_cost: wanted.request_cost.clone(),
        utilization: wanted.utilization.clone(),
        ..OrcaLoadReport::default()
    }
}

/// One message for each requested size, with the requested pauses.
async fn answer(
    request: &StreamingOutputCallRequest,
    sender: &polywire::stream::Sender<StreamingOutputCallResponse>,
) -> Result<(), Status> {
    fail_if_told(request.response_status.as_option())?;
    for wanted in &request.response_parameters {
        let pause = u64::try_from(wanted.interval_us).unwrap_or(0);
        tokio::time::sleep(Duration::from_micros(pause)).await;
        sender.send(StreamingOutputCallResponse { payload: zeros(wanted.size).into() }).await?;
    }
    Ok(())
}

fn zeros(size: i32) -> Payload {
    Payload { body: vec![0; usize::try_from(size).unwrap_or(0)], ..Default::default() }
}

fn is_true(value: Option<&BoolValue>) -> bool {
    value.is_some_and(|value| value.value)
}

fn fail_if_told(status: Option<&EchoStatus>) -> Result<(), Status> {
    let Some(status) = status.filter(|status| status.code != 0) else { return Ok(()) };
    let code = usize::try_from(status.code).ok().and_then(|code| Code::ALL.get(code).copied());
    let info = ErrorInfo { reason: "ASKED_FOR".into(), domain: "grpc.testing".into(), ..Default::default() };
    Err(Status::new(code.unwrap_or(Code::Unknown), status.message.as_str()).with_error_detail(&info))
}

/// "expect_compressed mismatch = status 3"
fn check_compression(expected: Option<&BoolValue>, found: Compression) -> Result<(), Status> {
    match expected {
        Some(expected) if expected.value != (found != Compression::NONE) => {
            Err(Status::invalid_argument(format!("expected compressed: {}, found {found:?}", expected.value)))
        }
        _ => Ok(()),
    }
}

fn echo_fields(cx: &Context) {
    if let Some(value) = cx.metadata().get(ECHO_INITIAL) {
        cx.reply_metadata(ECHO_INITIAL, value);
    }
    if let Some(value) = cx.metadata().get(ECHO_TRAILING) {
        cx.reply_trailer(ECHO_TRAILING, value);
    }
}
