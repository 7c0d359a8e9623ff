//! Makes calls as `ClientCompatRequest`s describe them, and reports the results.

use super::{Any, listed, values};
use crate::connectrpc::conformance::v1::{
    BidiStreamRequest, BidiStreamResponse, ClientCompatRequest, ClientResponseResult, ClientStreamRequest,
    ClientStreamResponse, Codec, Compression as Coding, ConformanceClient, ConformancePayload, Error,
    HTTPVersion, Header, IdempotentUnaryResponse, Protocol, ServerStreamResponse, StreamType, UnaryResponse,
    UnimplementedResponse, client_compat_request::cancel::CancelTiming,
};
use polywire::{
    Call, Channel, ClientTls, Compression, Duplex, Limits, Message, Reply, Status, Streaming, StreamingCall,
    Upload, rpc::ErrorDetails,
};
use std::{collections::HashMap, future::Future, sync::Mutex, time::Duration};

/// Makes calls on channels that it keeps: calls that agree on everything a channel has share one.
#[derive(Default)]
pub struct Caller {
    channels: Mutex<HashMap<Vec<u8>, Channel>>,
}

impl Caller {
    /// Makes a call and waits for its end.
    ///
    /// # Errors
    /// The call cannot be made as described, for a reason that does not depend on the server.
    pub async fn call(&self, request: &ClientCompatRequest) -> polywire::Result<ClientResponseResult> {
        let client = ConformanceClient::new(self.channel(request)?);
        let plan = Plan::of(request)?;
        let mut seen = Seen::default();
        match request.stream_type.as_known() {
            Some(StreamType::STREAM_TYPE_UNARY) => match request.method.as_deref() {
                Some("IdempotentUnary") => {
                    let call = client.idempotent_unary(one(request)?);
                    let call =
                        if request.use_get_http_method { call.metadata(":method", "GET") } else { call };
                    unary(&plan, call, &mut seen).await;
                }
                Some("Unimplemented") => unary(&plan, client.unimplemented(one(request)?), &mut seen).await,
                _ => unary(&plan, client.unary(one(request)?), &mut seen).await,
            },
            Some(StreamType::STREAM_TYPE_CLIENT_STREAM) => {
                upload(&plan, client.client_stream(), all(request)?, &mut seen).await;
            }
            Some(StreamType::STREAM_TYPE_SERVER_STREAM) => {
                server_stream(&plan, client.server_stream(one(request)?), &mut seen).await;
            }
            Some(StreamType::STREAM_TYPE_HALF_DUPLEX_BIDI_STREAM) => {
                half_duplex(&plan, client.bidi_stream(), all(request)?, &mut seen).await;
            }
            Some(StreamType::STREAM_TYPE_FULL_DUPLEX_BIDI_STREAM) => {
                full_duplex(&plan, client.bidi_stream(), all(request)?, &mut seen).await;
            }
            other => return Err(format!("no stream type {other:?}").into()),
        }
        Ok(seen.into_result())
    }

    fn channel(&self, request: &ClientCompatRequest) -> polywire::Result<Channel> {
        // The channel does not depend on the other fields of a request.
        let key = ClientCompatRequest {
            http_version: request.http_version,
            protocol: request.protocol,
            codec: request.codec,
            host: request.host.clone(),
            port: request.port,
            server_tls_cert: request.server_tls_cert.clone(),
            client_tls_creds: request.client_tls_creds.clone(),
            message_receive_limit: request.message_receive_limit,
            ..Default::default()
        };
        let mut channels = self.channels.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let key = key.to_wire()?.to_vec();
        if let Some(channel) = channels.get(&key) {
            return Ok(channel.clone());
        }
        let channel = new_channel(request)?;
        channels.insert(key, channel.clone());
        Ok(channel)
    }
}

fn new_channel(request: &ClientCompatRequest) -> polywire::Result<Channel> {
    let protocol = match request.protocol.as_known() {
        Some(Protocol::PROTOCOL_GRPC) => "grpc",
        Some(Protocol::PROTOCOL_GRPC_WEB) => "grpc-web",
        Some(Protocol::PROTOCOL_CONNECT) => "connect",
        other => return Err(format!("no protocol {other:?}").into()),
    };
    let codec = if request.codec == Codec::CODEC_JSON { "json" } else { "proto" };
    let framing = if request.http_version == HTTPVersion::HTTP_VERSION_2 { "+h2" } else { "" };
    let mut limits = Limits::default();
    if request.message_receive_limit > 0 {
        limits.max_message = request.message_receive_limit;
    }
    let mut builder = Channel::builder(format!("{}:{}", request.host, request.port))
        .protocol(format!("{protocol}:{codec}{framing}"))
        .limits(limits)
        .connect_timeout(Duration::from_secs(5))
        .timeout(None);
    if !request.server_tls_cert.is_empty() {
        let mut tls = ClientTls::new().ca_pem(request.server_tls_cert.clone());
        if let Some(own) = request.client_tls_creds.as_option() {
            tls = tls.certificate_pem(own.cert.clone(), own.key.clone());
        }
        builder = builder.tls(tls);
    }
    Ok(builder.build()?)
}

/// How a call is made, whatever its kind.
struct Plan {
    fields: Vec<(String, Vec<u8>)>,
    timeout: Option<Duration>,
    compression: Compression,
    /// Before each message of a stream.
    pause: Duration,
    cancel: Cancel,
}

#[derive(Clone, Copy)]
enum Cancel {
    Never,
    BeforeCloseSend,
    AfterCloseSend(Duration),
    AfterResponses(usize),
}

impl Plan {
    fn of(request: &ClientCompatRequest) -> polywire::Result<Plan> {
        let compression = match request.compression.as_known() {
            Some(Coding::COMPRESSION_UNSPECIFIED | Coding::COMPRESSION_IDENTITY) => Compression::NONE,
            Some(Coding::COMPRESSION_GZIP) => Compression::GZIP,
            Some(Coding::COMPRESSION_ZSTD) => Compression::ZSTD,
            Some(Coding::COMPRESSION_DEFLATE) => Compression::ZLIB,
            Some(Coding::COMPRESSION_SNAPPY) => Compression::SNAPPY_FRAMED,
            other => return Err(format!("no compression {other:?}").into()),
        };
        let cancel = match request.cancel.as_option().map(|cancel| &cancel.cancel_timing) {
            None => Cancel::Never,
            Some(None) => Cancel::AfterCloseSend(Duration::ZERO),
            Some(Some(CancelTiming::BeforeCloseSend(_))) => Cancel::BeforeCloseSend,
            Some(Some(CancelTiming::AfterCloseSendMs(ms))) => Cancel::AfterCloseSend(milliseconds(*ms)),
            Some(Some(CancelTiming::AfterNumResponses(n))) => Cancel::AfterResponses(*n as usize),
        };
        Ok(Plan {
            fields: values(&request.request_headers).map(|(name, value)| (name.to_owned(), value)).collect(),
            timeout: request.timeout_ms.map(milliseconds),
            compression,
            pause: milliseconds(request.request_delay_ms),
            cancel,
        })
    }

    /// The rest of a call whose sending half is over; `None`: cancelled during it, as planned.
    async fn rest<T>(&self, rest: impl Future<Output = T>) -> Option<T> {
        match self.cancel {
            Cancel::AfterCloseSend(after) => tokio::time::timeout(after, rest).await.ok(),
            _ => Some(rest.await),
        }
    }
}

fn milliseconds(n: u32) -> Duration {
    Duration::from_millis(n.into())
}

/// A call with the plan's options: `Call` and `StreamingCall` have the same ones.
macro_rules! with_options {
    ($plan:expr, $call:expr) => {{
        let mut call = $call.compress($plan.compression);
        for (name, value) in &$plan.fields {
            call = call.metadata(name, value);
        }
        if let Some(timeout) = $plan.timeout {
            call = call.timeout(timeout);
        }
        call
    }};
}

async fn unary<R: Answer>(plan: &Plan, call: Call<R>, seen: &mut Seen) {
    let call = with_options!(plan, call);
    match plan.rest(call.into_future()).await {
        Some(reply) => seen.replied(reply),
        None => seen.cancelled(),
    }
}

async fn upload(
    plan: &Plan,
    call: StreamingCall<Upload<ClientStreamRequest, ClientStreamResponse>>,
    requests: Vec<ClientStreamRequest>,
    seen: &mut Seen,
) {
    let mut upload = match with_options!(plan, call).await {
        Ok(upload) => upload,
        Err(status) => return seen.failed(&status),
    };
    let mut left = requests.len();
    for request in requests {
        tokio::time::sleep(plan.pause).await;
        if upload.send(request).await.is_err() {
            break; // over: `finish` knows how
        }
        left -= 1;
    }
    seen.unsent = left;
    if let Cancel::BeforeCloseSend = plan.cancel {
        return seen.cancelled();
    }
    match plan.rest(upload.finish()).await {
        Some(reply) => seen.replied(reply),
        None => seen.cancelled(),
    }
}

async fn server_stream(plan: &Plan, call: StreamingCall<Streaming<ServerStreamResponse>>, seen: &mut Seen) {
    let rest = async {
        match with_options!(plan, call).await {
            Ok(mut answers) => seen.read(plan, &mut answers).await,
            Err(status) => seen.failed(&status),
        }
    };
    if plan.rest(rest).await.is_none() {
        seen.cancelled();
    }
}

type Bidi = StreamingCall<Duplex<BidiStreamRequest, BidiStreamResponse>>;

async fn half_duplex(plan: &Plan, call: Bidi, requests: Vec<BidiStreamRequest>, seen: &mut Seen) {
    let (mut outgoing, mut incoming) = match with_options!(plan, call).await {
        Ok(both) => both.split(),
        Err(status) => return seen.failed(&status),
    };
    let mut left = requests.len();
    for request in requests {
        tokio::time::sleep(plan.pause).await;
        if outgoing.send(request).await.is_err() {
            break; // over: the other half knows how
        }
        left -= 1;
    }
    seen.unsent = left;
    if let Cancel::BeforeCloseSend = plan.cancel {
        return seen.cancelled();
    }
    outgoing.finish();
    if plan.rest(seen.read(plan, &mut incoming)).await.is_none() {
        seen.cancelled();
    }
}

async fn full_duplex(plan: &Plan, call: Bidi, requests: Vec<BidiStreamRequest>, seen: &mut Seen) {
    let (mut outgoing, mut incoming) = match with_options!(plan, call).await {
        Ok(both) => both.split(),
        Err(status) => return seen.failed(&status),
    };
    let mut left = requests.len();
    for request in requests {
        tokio::time::sleep(plan.pause).await;
        if outgoing.send(request).await.is_err() {
            break;
        }
        left -= 1;
        if !seen.read_one(plan, &mut incoming).await {
            break;
        }
    }
    seen.unsent = left;
    if seen.error.is_some() {
        return;
    }
    if let Cancel::BeforeCloseSend = plan.cancel {
        return seen.cancelled();
    }
    outgoing.finish();
    if plan.rest(seen.read(plan, &mut incoming)).await.is_none() {
        seen.cancelled();
    }
}

/// The result of a call.
#[derive(Default)]
struct Seen {
    headers: Vec<Header>,
    payloads: Vec<ConformancePayload>,
    error: Option<Error>,
    trailers: Vec<Header>,
    unsent: usize,
}

impl Seen {
    fn replied<R: Answer>(&mut self, reply: Result<Reply<R>, Status>) {
        match reply {
            Ok(reply) => {
                (self.headers, self.trailers) = (listed(reply.headers()), listed(reply.metadata()));
                self.payloads.push(reply.into_message().payload());
            }
            Err(status) => self.failed(&status),
        }
    }

    /// All that still comes.
    async fn read<R: Answer>(&mut self, plan: &Plan, answers: &mut Streaming<R>) {
        while self.read_one(plan, answers).await {}
    }

    /// Reads the next message; false: there is none, or the call was cancelled.
    async fn read_one<R: Answer>(&mut self, plan: &Plan, answers: &mut Streaming<R>) -> bool {
        let next = answers.next().await;
        (self.headers, self.trailers) = (listed(answers.metadata()), listed(answers.trailers()));
        match next {
            Some(Ok(message)) => self.payloads.push(message.payload()),
            Some(Err(status)) => self.failed(&status),
            None => return false,
        }
        if matches!(plan.cancel, Cancel::AfterResponses(n) if n == self.payloads.len()) {
            self.cancelled();
        }
        self.error.is_none()
    }

    fn failed(&mut self, status: &Status) {
        self.error = Some(error_of(status));
        self.trailers = listed(status.metadata());
    }

    /// We cancelled: a dropped call reports nothing more.
    fn cancelled(&mut self) {
        self.error = Some(error_of(&Status::cancelled("given up as planned")));
    }

    fn into_result(self) -> ClientResponseResult {
        ClientResponseResult {
            response_headers: self.headers,
            payloads: self.payloads,
            error: self.error.into(),
            response_trailers: self.trailers,
            num_unsent_requests: self.unsent as i32,
            ..Default::default()
        }
    }
}

/// The suite's codes are gRPC's, by number.
fn error_of(status: &Status) -> Error {
    let details = status.error_details().unwrap_or_default().details;
    let code = (status.code() as i32).into();
    Error { code, message: Some(status.message().to_owned()), details }
}

/// The one message of a call that has one.
fn one<M: Message>(request: &ClientCompatRequest) -> polywire::Result<M> {
    match &request.request_messages[..] {
        [message] => unpacked(message),
        messages => Err(format!("{} messages where one is due", messages.len()).into()),
    }
}

fn all<M: Message>(request: &ClientCompatRequest) -> polywire::Result<Vec<M>> {
    request.request_messages.iter().map(unpacked).collect()
}

fn unpacked<M: Message>(message: &Any) -> polywire::Result<M> {
    Ok(M::from_wire(&message.value)?)
}

/// Replies of every method hold a payload.
trait Answer: Message {
    fn payload(self) -> ConformancePayload;
}

macro_rules! answers {
    ($($message:ident),*) => {$(
        impl Answer for $message {
            fn payload(self) -> ConformancePayload {
                self.payload.into_option().unwrap_or_default()
            }
        }
    )*};
}
answers!(
    UnaryResponse,
    IdempotentUnaryResponse,
    ClientStreamResponse,
    ServerStreamResponse,
    BidiStreamResponse
);

impl Answer for UnimplementedResponse {
    fn payload(self) -> ConformancePayload {
        ConformancePayload::default()
    }
}
