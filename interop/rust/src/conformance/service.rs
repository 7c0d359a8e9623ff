//! `connectrpc.conformance.v1.ConformanceService`: answers as each request says, and reports what it
//! received.
//!
//! Source: connectrpc.com/conformance v1.0.6, proto/connectrpc/conformance/v1/service.proto.

use super::{Any, add, listed, values};
use crate::connectrpc::conformance::v1::{
    BidiStreamRequest, BidiStreamResponse, ClientStreamRequest, ClientStreamResponse, ConformancePayload,
    ConformanceService, Error, Header, IdempotentUnaryRequest, IdempotentUnaryResponse, ServerStreamRequest,
    ServerStreamResponse, StreamResponseDefinition, UnaryRequest, UnaryResponse, UnaryResponseDefinition,
    UnimplementedRequest, UnimplementedResponse,
    conformance_payload::{ConnectGetInfo, RequestInfo},
    unary_response_definition::Response,
};
use polywire::{Code, Context, Message, Reply, Status, Stream, Streaming};
use std::time::Duration;

pub struct Conformance;

impl ConformanceService for Conformance {
    async fn unary(&self, cx: &Context, request: UnaryRequest) -> Result<Reply<UnaryResponse>, Status> {
        let seen = vec![packed(&request)];
        let payload = answer(cx, request.response_definition.as_option(), seen).await?;
        Ok(UnaryResponse { payload: payload.into() }.into())
    }

    async fn idempotent_unary(
        &self,
        cx: &Context,
        request: IdempotentUnaryRequest,
    ) -> Result<Reply<IdempotentUnaryResponse>, Status> {
        let seen = vec![packed(&request)];
        let payload = answer(cx, request.response_definition.as_option(), seen).await?;
        Ok(IdempotentUnaryResponse { payload: payload.into() }.into())
    }

    async fn client_stream(
        &self,
        cx: &Context,
        mut incoming: Streaming<ClientStreamRequest>,
    ) -> Result<Reply<ClientStreamResponse>, Status> {
        let (mut definition, mut seen) = (None, Vec::new());
        while let Some(request) = incoming.next().await.transpose()? {
            if seen.is_empty() {
                definition = request.response_definition.as_option().cloned();
            }
            seen.push(packed(&request));
        }
        let payload = answer(cx, definition.as_ref(), seen).await?;
        Ok(ClientStreamResponse { payload: payload.into() }.into())
    }

    async fn server_stream(
        &self,
        cx: &Context,
        request: ServerStreamRequest,
    ) -> Result<impl Stream<Item = Result<ServerStreamResponse, Status>>, Status> {
        let seen = vec![packed(&request)];
        let definition = request.response_definition.as_option().cloned().unwrap_or_default();
        say_fields(cx, &definition.response_headers, &definition.response_trailers);
        let mut info = Some(info(cx, seen));
        if definition.response_data.is_empty()
            && let Some(error) = definition.error.as_option()
        {
            return Err(failed(error, info));
        }
        let (sender, responses) = polywire::stream(1);
        cx.spawn(async move {
            for data in &definition.response_data {
                pause(definition.response_delay_ms).await;
                let payload = payload(data.clone(), info.take());
                sender.send(ServerStreamResponse { payload: payload.into() }).await?;
            }
            definition.error.as_option().map_or(Ok(()), |error| Err(failed(error, None)))
        });
        Ok(responses)
    }

    async fn bidi_stream(
        &self,
        cx: &Context,
        mut incoming: Streaming<BidiStreamRequest>,
    ) -> Result<impl Stream<Item = Result<BidiStreamResponse, Status>>, Status> {
        let first = incoming.next().await.transpose()?;
        let full = first.as_ref().is_some_and(|request| request.full_duplex);
        let definition = first.as_ref().and_then(|request| request.response_definition.as_option().cloned());
        let definition = definition.unwrap_or_default();
        say_fields(cx, &definition.response_headers, &definition.response_trailers);
        let base = info(cx, Vec::new());
        let (sender, responses) = polywire::stream(1);
        cx.spawn(async move { bidi(first, incoming, sender, definition, base, full).await });
        Ok(responses)
    }

    async fn unimplemented(
        &self,
        _: &Context,
        _: UnimplementedRequest,
    ) -> Result<Reply<UnimplementedResponse>, Status> {
        Err(Status::unimplemented("left out on purpose"))
    }
}

/// One reply to each request while there are any (full duplex), otherwise all of them after the last request.
async fn bidi(
    mut next: Option<BidiStreamRequest>,
    mut incoming: Streaming<BidiStreamRequest>,
    sender: polywire::stream::Sender<BidiStreamResponse>,
    definition: StreamResponseDefinition,
    base: RequestInfo,
    full: bool,
) -> Result<(), Status> {
    let mut data = definition.response_data.iter();
    let (mut seen, mut sent) = (Vec::new(), 0);
    let info = |requests: &mut Vec<Any>, whole: bool| {
        let mut info = if whole { base.clone() } else { RequestInfo::default() };
        info.requests = std::mem::take(requests);
        info
    };
    while let Some(request) = next {
        seen.push(packed(&request));
        if full {
            let Some(data) = data.next() else { break };
            pause(definition.response_delay_ms).await;
            let payload = payload(data.clone(), Some(info(&mut seen, sent == 0)));
            sender.send(BidiStreamResponse { payload: payload.into() }).await?;
            sent += 1;
        }
        next = incoming.next().await.transpose()?;
    }
    for data in data {
        pause(definition.response_delay_ms).await;
        let told = (sent == 0).then(|| info(&mut seen, true));
        sender.send(BidiStreamResponse { payload: payload(data.clone(), told).into() }).await?;
        sent += 1;
    }
    match definition.error.as_option() {
        None => Ok(()),
        Some(error) => Err(failed(error, (sent == 0).then(|| info(&mut seen, true)))),
    }
}

/// The contents of one response, or the failure of the call.
async fn answer(
    cx: &Context,
    definition: Option<&UnaryResponseDefinition>,
    seen: Vec<Any>,
) -> Result<ConformancePayload, Status> {
    let info = info(cx, seen);
    let Some(definition) = definition else { return Ok(payload(Vec::new(), Some(info))) };
    say_fields(cx, &definition.response_headers, &definition.response_trailers);
    pause(definition.response_delay_ms).await;
    match &definition.response {
        Some(Response::Error(error)) => Err(failed(error, Some(info))),
        Some(Response::ResponseData(data)) => Ok(payload(data.clone(), Some(info))),
        None => Ok(payload(Vec::new(), Some(info))),
    }
}

fn payload(data: Vec<u8>, info: Option<RequestInfo>) -> ConformancePayload {
    ConformancePayload { data, request_info: info.into() }
}

async fn pause(milliseconds: u32) {
    tokio::time::sleep(Duration::from_millis(milliseconds.into())).await;
}

fn say_fields(cx: &Context, headers: &[Header], trailers: &[Header]) {
    for (name, value) in values(headers) {
        cx.reply_metadata(name, value);
    }
    for (name, value) in values(trailers) {
        cx.reply_trailer(name, value);
    }
}

fn info(cx: &Context, requests: Vec<Any>) -> RequestInfo {
    let path = cx.metadata().get_str(":path").filter(|path| path.contains("connect=v1"));
    let get = path.map(|path| ConnectGetInfo { query_params: query(path) });
    let timeout = cx.deadline().map(|deadline| deadline.saturating_duration_since(cx.received()));
    RequestInfo {
        request_headers: listed(cx.metadata()),
        timeout_ms: timeout.map(|time| time.as_millis() as i64),
        requests,
        connect_get_info: get.into(),
    }
}

fn query(path: &str) -> Vec<Header> {
    let mut found = Vec::new();
    for pair in path.split_once('?').map_or("", |(_, query)| query).split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        add(&mut found, name, value.into());
    }
    found
}

fn packed(message: &impl Message) -> Any {
    Any::pack(message).unwrap_or_default()
}

/// A failure with the received request among its details.
fn failed(error: &Error, info: Option<RequestInfo>) -> Status {
    let code = Code::ALL.get(error.code.to_i32() as usize).copied().unwrap_or(Code::Unknown);
    let message = error.message.clone().unwrap_or_default();
    let mut details = error.details.clone();
    details.extend(info.map(|info| packed(&info)));
    let status = polywire::rpc::Status { code: code as i32, message: message.clone(), details };
    Status::new(code, message).with_details(status.to_wire().unwrap_or_default())
}
