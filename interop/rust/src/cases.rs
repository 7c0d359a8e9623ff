//! The client's side of gRPC's interop cases.
//!
//! Source: grpc/grpc doc/interop-test-descriptions.md; docs/wire/grpc.md section 8.

use crate::grpc::testing::{
    BoolValue, EchoStatus, Empty, Payload, ResponseParameters, SimpleRequest, SimpleResponse,
    StreamingInputCallRequest, StreamingOutputCallRequest, StreamingOutputCallResponse, TestClient,
};
use polywire::{Channel, Code, Compression, Metadata, Status, Target};
use std::{fmt::Debug, time::Duration};

const LARGE_REQUEST: i32 = 271_828;
const LARGE_RESPONSE: i32 = 314_159;
const UPLOADS: [i32; 4] = [27_182, 8, 1_828, 45_904];
const RESPONSES: [i32; 4] = [31_415, 9, 2_653, 58_979];
const REQUESTS: [i32; 4] = UPLOADS;
const SPECIAL: &str = "\t\ntest with whitespace\r\nand Unicode BMP \u{263a} and non-BMP \u{1f608}\t\n";

type Outcome = Result<(), String>;

const NAMES: [&str; 22] = [
    "empty_unary",
    "large_unary",
    "client_streaming",
    "server_streaming",
    "ping_pong",
    "empty_stream",
    "timeout_on_sleeping_server",
    "cancel_after_begin",
    "cancel_after_first_response",
    "custom_metadata",
    "status_code_and_message",
    "special_status_message",
    "unimplemented_method",
    "unimplemented_service",
    "many_calls_at_once",
    "a_slow_reader",
    "client_compressed_unary",
    "client_compressed_unary_noprobe",
    "server_compressed_unary",
    "client_compressed_streaming",
    "client_compressed_streaming_noprobe",
    "server_compressed_streaming",
];

pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter()
}

/// Runs a case.
///
/// # Errors
/// Why it failed.
pub async fn run(name: &str, channel: &Channel) -> Outcome {
    let test = TestClient::new(channel.clone());
    match name {
        "empty_unary" => empty_unary(&test).await,
        "large_unary" => large_unary(&test).await,
        "client_streaming" => client_streaming(&test).await,
        "server_streaming" => server_streaming(&test).await,
        "ping_pong" => ping_pong(&test).await,
        "empty_stream" => empty_stream(&test).await,
        "timeout_on_sleeping_server" => timeout_on_sleeping_server(&test).await,
        "cancel_after_begin" => cancel_after_begin(&test).await,
        "cancel_after_first_response" => cancel_after_first_response(&test).await,
        "custom_metadata" => custom_metadata(&test).await,
        "status_code_and_message" => status_code_and_message(&test).await,
        "special_status_message" => special_status_message(&test).await,
        "unimplemented_method" => unimplemented(channel, "grpc.testing.TestService").await,
        "unimplemented_service" => unimplemented(channel, "grpc.testing.UnimplementedService").await,
        "many_calls_at_once" => many_calls_at_once(&test).await,
        "a_slow_reader" => a_slow_reader(&test).await,
        "client_compressed_unary" => client_compressed_unary(&test, true).await,
        "client_compressed_unary_noprobe" => client_compressed_unary(&test, false).await,
        "server_compressed_unary" => server_compressed_unary(&test).await,
        "client_compressed_streaming" => client_compressed_streaming(&test, true).await,
        "client_compressed_streaming_noprobe" => client_compressed_streaming(&test, false).await,
        "server_compressed_streaming" => server_compressed_streaming(&test).await,
        other => Err(format!("no case {other}")),
    }
}

async fn empty_unary(test: &TestClient) -> Outcome {
    let reply = test.empty_call(Empty::default()).await.map_err(said)?;
    same(&*reply, &Empty::default())
}

async fn large_unary(test: &TestClient) -> Outcome {
    let reply = test.unary_call(simple(LARGE_REQUEST, LARGE_RESPONSE)).await.map_err(said)?;
    same(body_of(&reply), LARGE_RESPONSE)
}

async fn client_streaming(test: &TestClient) -> Outcome {
    let mut upload = test.streaming_input_call().await.map_err(said)?;
    for size in UPLOADS {
        let request = StreamingInputCallRequest { payload: zeros(size).into(), ..Default::default() };
        upload.send(request).await.map_err(said)?;
    }
    same(upload.finish().await.map_err(said)?.aggregated_payload_size, UPLOADS.iter().sum::<i32>())
}

async fn server_streaming(test: &TestClient) -> Outcome {
    let mut responses = test.streaming_output_call(wanting(&RESPONSES)).await.map_err(said)?;
    for size in RESPONSES {
        same(length(responses.next().await)?, size)?;
    }
    nothing(responses.next().await)
}

async fn ping_pong(test: &TestClient) -> Outcome {
    let mut call = test.full_duplex_call().await.map_err(said)?;
    for (request, response) in REQUESTS.into_iter().zip(RESPONSES) {
        let message = StreamingOutputCallRequest { payload: zeros(request).into(), ..wanting(&[response]) };
        call.send(message).await.map_err(said)?;
        same(length(call.next().await)?, response)?;
    }
    call.finish();
    nothing(call.next().await)
}

async fn empty_stream(test: &TestClient) -> Outcome {
    let mut call = test.full_duplex_call().await.map_err(said)?;
    call.finish();
    nothing(call.next().await)
}

async fn timeout_on_sleeping_server(test: &TestClient) -> Outcome {
    let mut call = test.full_duplex_call().timeout(Duration::from_millis(1)).await.map_err(said)?;
    let message = StreamingOutputCallRequest { payload: zeros(27_182).into(), ..Default::default() };
    let _ = call.send(message).await; // the deadline may pass first
    fails(call.next().await, Code::DeadlineExceeded).map(drop)
}

async fn cancel_after_begin(test: &TestClient) -> Outcome {
    drop(test.streaming_input_call().await.map_err(said)?);
    empty_unary(test).await // the connection still works
}

async fn cancel_after_first_response(test: &TestClient) -> Outcome {
    let mut call = test.full_duplex_call().await.map_err(said)?;
    call.send(StreamingOutputCallRequest { payload: zeros(27_182).into(), ..wanting(&[31_415]) })
        .await
        .map_err(said)?;
    same(length(call.next().await)?, 31_415)?;
    drop(call);
    empty_unary(test).await
}

async fn custom_metadata(test: &TestClient) -> Outcome {
    const INITIAL: (&str, &str) = ("x-grpc-test-echo-initial", "test_initial_metadata_value");
    const TRAILING: (&str, [u8; 3]) = ("x-grpc-test-echo-trailing-bin", [0xab, 0xab, 0xab]);
    let check = |headers: &Metadata, trailers: &Metadata| {
        same(headers.get(INITIAL.0), Some(INITIAL.1.as_bytes()))?;
        same(trailers.get(TRAILING.0), Some(&TRAILING.1[..]))
    };
    let call = test.unary_call(simple(LARGE_REQUEST, LARGE_RESPONSE));
    let reply = call.metadata(INITIAL.0, INITIAL.1).metadata(TRAILING.0, TRAILING.1).await.map_err(said)?;
    check(reply.headers(), reply.metadata())?;
    let call = test.full_duplex_call().metadata(INITIAL.0, INITIAL.1).metadata(TRAILING.0, TRAILING.1);
    let mut call = call.await.map_err(said)?;
    call.send(StreamingOutputCallRequest {
        payload: zeros(LARGE_REQUEST).into(),
        ..wanting(&[LARGE_RESPONSE])
    })
    .await
    .map_err(said)?;
    call.finish();
    same(length(call.next().await)?, LARGE_RESPONSE)?;
    nothing(call.next().await)?;
    check(call.metadata(), call.trailers())
}

async fn status_code_and_message(test: &TestClient) -> Outcome {
    let status = EchoStatus { code: 2, message: "test status message".into() };
    let request = SimpleRequest { response_status: status.clone().into(), ..Default::default() };
    fails(Some(test.unary_call(request).await), Code::Unknown)
        .and_then(|m| same(&*m, "test status message"))?;
    let mut call = test.full_duplex_call().await.map_err(said)?;
    let request = StreamingOutputCallRequest { response_status: status.into(), ..Default::default() };
    call.send(request).await.map_err(said)?;
    call.finish();
    fails(call.next().await, Code::Unknown).and_then(|message| same(&*message, "test status message"))
}

async fn special_status_message(test: &TestClient) -> Outcome {
    let status = EchoStatus { code: 2, message: SPECIAL.into() };
    let request = SimpleRequest { response_status: status.into(), ..Default::default() };
    fails(Some(test.unary_call(request).await), Code::Unknown).and_then(|message| same(&*message, SPECIAL))
}

async fn unimplemented(channel: &Channel, service: &'static str) -> Outcome {
    let called = channel.call(Target::fixed(service, "UnimplementedCall"), Vec::new()).await;
    fails(Some(called), Code::Unimplemented).map(drop)
}

/// Like the soak cases: a hundred callers with ten calls each on the existing connections.
async fn many_calls_at_once(test: &TestClient) -> Outcome {
    let callers: Vec<_> = (0..100)
        .map(|_| {
            let test = test.clone();
            tokio::spawn(async move {
                for _ in 0..10 {
                    let reply = test.unary_call(simple(1000, 3000)).await.map_err(said)?;
                    same(body_of(&reply), 3000)?;
                }
                Ok::<(), String>(())
            })
        })
        .collect();
    for caller in callers {
        caller.await.map_err(|error| error.to_string())??;
    }
    Ok(())
}

/// Forty megabytes that are read late: the windows close and open again.
async fn a_slow_reader(test: &TestClient) -> Outcome {
    let sizes = [400_000; 100];
    let mut responses = test.streaming_output_call(wanting(&sizes)).await.map_err(said)?;
    tokio::time::sleep(Duration::from_millis(200)).await;
    empty_unary(test).await?; // other calls are not delayed
    for size in sizes {
        same(length(responses.next().await)?, size)?;
    }
    nothing(responses.next().await)
}

/// `probe`: whether the server checks compression. For servers that do not, this only shows that they can
/// read compressed messages.
async fn client_compressed_unary(test: &TestClient, probe: bool) -> Outcome {
    let expecting = |compressed| SimpleRequest {
        expect_compressed: BoolValue { value: compressed }.into(),
        ..simple(LARGE_REQUEST, LARGE_RESPONSE)
    };
    if probe {
        fails(Some(test.unary_call(expecting(true)).await), Code::InvalidArgument)?;
    }
    let reply = test.unary_call(expecting(true)).compress(Compression::GZIP).await.map_err(said)?;
    same(body_of(&reply), LARGE_RESPONSE)?;
    let reply = test.unary_call(expecting(false)).await.map_err(said)?;
    same(body_of(&reply), LARGE_RESPONSE)
}

async fn server_compressed_unary(test: &TestClient) -> Outcome {
    for compressed in [true, false] {
        let request = SimpleRequest {
            response_compressed: BoolValue { value: compressed }.into(),
            ..simple(LARGE_REQUEST, LARGE_RESPONSE)
        };
        let reply = test.unary_call(request).await.map_err(said)?;
        same(body_of(&reply), LARGE_RESPONSE)?;
        let (.., compression) = reply.into_parts();
        same(compression != Compression::NONE, compressed)?;
    }
    Ok(())
}

async fn client_compressed_streaming(test: &TestClient, probe: bool) -> Outcome {
    let expecting = |size| StreamingInputCallRequest {
        payload: zeros(size).into(),
        expect_compressed: BoolValue { value: true }.into(),
    };
    if probe {
        let mut upload = test.streaming_input_call().await.map_err(said)?;
        let _ = upload.send(expecting(27_182)).await;
        fails(Some(upload.finish().await), Code::InvalidArgument)?;
    }
    let mut upload = test.streaming_input_call().compress(Compression::GZIP).await.map_err(said)?;
    upload.send(expecting(27_182)).await.map_err(said)?;
    upload.send(expecting(45_904)).await.map_err(said)?;
    same(upload.finish().await.map_err(said)?.aggregated_payload_size, 73_086)
}

async fn server_compressed_streaming(test: &TestClient) -> Outcome {
    let mut request = wanting(&[31_415, 92_653]);
    request.response_parameters[0].compressed = BoolValue { value: true }.into();
    request.response_parameters[1].compressed = BoolValue { value: false }.into();
    let mut responses = test.streaming_output_call(request).await.map_err(said)?;
    for (size, compressed) in [(31_415, true), (92_653, false)] {
        same(length(responses.next().await)?, size)?;
        same(responses.compression() != Compression::NONE, compressed)?;
    }
    nothing(responses.next().await)
}

fn zeros(size: i32) -> Payload {
    Payload { body: vec![0; size as usize], ..Default::default() }
}

fn simple(request: i32, response: i32) -> SimpleRequest {
    SimpleRequest { response_size: response, payload: zeros(request).into(), ..Default::default() }
}

fn wanting(sizes: &[i32]) -> StreamingOutputCallRequest {
    let response_parameters =
        sizes.iter().map(|&size| ResponseParameters { size, ..Default::default() }).collect();
    StreamingOutputCallRequest { response_parameters, ..Default::default() }
}

fn body_of(response: &SimpleResponse) -> i32 {
    response.payload.as_option().map_or(-1, |payload| payload.body.len() as i32)
}

fn length(response: Option<Result<StreamingOutputCallResponse, Status>>) -> Result<i32, String> {
    let response = response.ok_or("the stream ended")?.map_err(said)?;
    Ok(response.payload.as_option().map_or(-1, |payload| payload.body.len() as i32))
}

fn nothing<T>(next: Option<Result<T, Status>>) -> Outcome {
    match next {
        None => Ok(()),
        Some(Ok(_)) => Err("one message more than expected".into()),
        Some(Err(status)) => Err(said(status)),
    }
}

/// The message of a call that fails as expected.
fn fails<T>(ended: Option<Result<T, Status>>, code: Code) -> Result<String, String> {
    match ended {
        Some(Err(status)) if status.code() == code => Ok(status.message().to_owned()),
        Some(Err(status)) => Err(format!("expected {code}, found {status}")),
        Some(Ok(_)) | None => Err(format!("expected {code}, but it went well")),
    }
}

fn same<T: PartialEq<U> + Debug, U: Debug>(found: T, expected: U) -> Outcome {
    if found == expected { Ok(()) } else { Err(format!("expected {expected:?}, found {found:?}")) }
}

fn said(status: Status) -> String {
    status.to_string()
}
