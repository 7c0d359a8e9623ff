//! `tonic-client HOST:PORT`: gRPC's interop cases, a line for each.
//!
//! Source: grpc/grpc doc/interop-test-descriptions.md; docs/wire/grpc.md section 8.

use polywire_interop_tonic::{
    ECHO_INITIAL, ECHO_TRAILING,
    testing::{
        BoolValue, EchoStatus, Empty, ResponseParameters, SimpleRequest, StreamingInputCallRequest,
        StreamingOutputCallRequest, StreamingOutputCallResponse, test_service_client::TestServiceClient,
    },
    zeros,
};
use std::{fmt::Debug, process::ExitCode, time::Duration};
use tokio::sync::mpsc;
use tokio_stream::{StreamExt, wrappers::ReceiverStream};
use tonic::{
    Code, Request, Response, Status, Streaming,
    client::Grpc,
    codec::CompressionEncoding,
    metadata::{MetadataMap, MetadataValue},
    transport::{Channel, Endpoint},
};
use tonic_prost::ProstCodec;

type Client = TestServiceClient<Channel>;
type Outcome = Result<(), Box<dyn std::error::Error>>;

const SPECIAL: &str = "\t\ntest with whitespace\r\nand Unicode BMP \u{263a} and non-BMP \u{1f608}\t\n";
const UPLOADS: [i32; 4] = [27_182, 8, 1_828, 45_904];
const RESPONSES: [i32; 4] = [31_415, 9, 2_653, 58_979];
const INITIAL: &str = "test_initial_metadata_value";
const TRAILING: [u8; 3] = [0xab; 3];

const NAMES: [&str; 18] = [
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
    "client_compressed_unary",
    "client_compressed_streaming",
    "server_compressed_unary",
    "server_compressed_streaming",
];

async fn run(name: &str, channel: &Channel) -> Outcome {
    let client = TestServiceClient::new(channel.clone());
    match name {
        "empty_unary" => empty_unary(client).await,
        "large_unary" => large_unary(client).await,
        "client_streaming" => client_streaming(client).await,
        "server_streaming" => server_streaming(client).await,
        "ping_pong" => ping_pong(client).await,
        "empty_stream" => empty_stream(client).await,
        "timeout_on_sleeping_server" => timeout_on_sleeping_server(client).await,
        "cancel_after_begin" => cancel_after_begin(client).await,
        "cancel_after_first_response" => cancel_after_first_response(client).await,
        "custom_metadata" => custom_metadata(client).await,
        "status_code_and_message" => status_code_and_message(client).await,
        "special_status_message" => special_status_message(client).await,
        "unimplemented_method" => unimplemented(channel, "TestService").await,
        "unimplemented_service" => unimplemented(channel, "UnimplementedService").await,
        "client_compressed_unary" => client_compressed_unary(client).await,
        "client_compressed_streaming" => client_compressed_streaming(client).await,
        "server_compressed_unary" => server_compressed_unary(client).await,
        "server_compressed_streaming" => server_compressed_streaming(client).await,
        other => Err(format!("no case {other}").into()),
    }
}

async fn empty_unary(mut client: Client) -> Outcome {
    same(client.empty_call(Empty {}).await?.into_inner(), Empty {})
}

async fn large_unary(mut client: Client) -> Outcome {
    same(client.unary_call(simple()).await?.into_inner().payload, zeros(314_159))
}

async fn client_streaming(mut client: Client) -> Outcome {
    let requests =
        UPLOADS.map(|size| StreamingInputCallRequest { payload: zeros(size), ..Default::default() });
    let reply = client.streaming_input_call(tokio_stream::iter(requests)).await?;
    same(reply.into_inner().aggregated_payload_size, UPLOADS.iter().sum::<i32>())
}

async fn server_streaming(mut client: Client) -> Outcome {
    let replies = client.streaming_output_call(wanting(&RESPONSES, 0)).await?.into_inner();
    same(sizes(replies).await?, RESPONSES)
}

async fn ping_pong(mut client: Client) -> Outcome {
    let (requests, incoming) = mpsc::channel(1);
    let mut replies = client.full_duplex_call(ReceiverStream::new(incoming)).await?.into_inner();
    for (upload, response) in UPLOADS.into_iter().zip(RESPONSES) {
        requests.send(wanting(&[response], upload)).await?;
        let reply = replies.message().await?.ok_or("the stream ended")?;
        same(reply.payload, zeros(response))?;
    }
    drop(requests);
    same(replies.message().await?, None)
}

async fn empty_stream(mut client: Client) -> Outcome {
    let replies = client.full_duplex_call(tokio_stream::empty()).await?.into_inner();
    same(sizes(replies).await?, [])
}

async fn timeout_on_sleeping_server(mut client: Client) -> Outcome {
    let mut request = Request::new(tokio_stream::once(wanting(&[], 27_182)).chain(tokio_stream::pending()));
    request.set_timeout(Duration::from_millis(1));
    let ended = match client.full_duplex_call(request).await {
        Ok(replies) => sizes(replies.into_inner()).await.err(),
        Err(status) => Some(status),
    };
    let code = ended.ok_or("it went well")?.code();
    // tonic's own clock, which may be the quicker one, says CANCELLED.
    if code == Code::Cancelled { Ok(()) } else { same(code, Code::DeadlineExceeded) }
}

async fn cancel_after_begin(mut client: Client) -> Outcome {
    let mut calling = client.clone();
    let call = tokio::spawn(async move { calling.streaming_input_call(tokio_stream::pending()).await });
    tokio::time::sleep(Duration::from_millis(10)).await;
    call.abort();
    same(call.await.is_err_and(|error| error.is_cancelled()), true)?;
    same(client.empty_call(Empty {}).await?.into_inner(), Empty {})
}

async fn cancel_after_first_response(mut client: Client) -> Outcome {
    let requests = tokio_stream::once(wanting(&[31_415], 27_182)).chain(tokio_stream::pending());
    let mut replies = client.full_duplex_call(requests).await?.into_inner();
    let reply = replies.message().await?.ok_or("the stream ended")?;
    same(reply.payload, zeros(31_415))?;
    drop(replies);
    same(client.empty_call(Empty {}).await?.into_inner(), Empty {})
}

async fn custom_metadata(mut client: Client) -> Outcome {
    fn asking<M>(message: M) -> Request<M> {
        let mut request = Request::new(message);
        request.metadata_mut().insert(ECHO_INITIAL, INITIAL.parse().expect("plain text"));
        request.metadata_mut().insert_bin(ECHO_TRAILING, MetadataValue::from_bytes(&TRAILING));
        request
    }
    fn check(initial: &MetadataMap, trailing: &MetadataMap) -> Outcome {
        same(initial.get(ECHO_INITIAL).and_then(|value| value.to_str().ok()), Some(INITIAL))?;
        let value = trailing.get_bin(ECHO_TRAILING).and_then(|value| value.to_bytes().ok());
        same(value.as_deref(), Some(&TRAILING[..]))
    }
    let reply = client.unary_call(asking(simple())).await?;
    check(reply.metadata(), reply.metadata())?; // tonic joins both
    let request = asking(tokio_stream::once(wanting(&[314_159], 271_828)));
    let reply = client.full_duplex_call(request).await?;
    let initial = reply.metadata().clone();
    let mut replies = reply.into_inner();
    while replies.message().await?.is_some() {}
    check(&initial, &replies.trailers().await?.ok_or("no trailers")?)
}

async fn status_code_and_message(mut client: Client) -> Outcome {
    let status = Some(EchoStatus { code: 2, message: "test status message".into() });
    let request = SimpleRequest { response_status: status.clone(), ..Default::default() };
    let failed = client.unary_call(request).await;
    same(fails(failed, Code::Unknown)?, "test status message")?;
    let request = StreamingOutputCallRequest { response_status: status, ..Default::default() };
    let replies = client.full_duplex_call(tokio_stream::once(request)).await;
    let failed = match replies {
        Ok(replies) => sizes(replies.into_inner()).await.map(Response::new),
        Err(status) => Err(status),
    };
    same(fails(failed, Code::Unknown)?, "test status message")
}

async fn special_status_message(mut client: Client) -> Outcome {
    let status = Some(EchoStatus { code: 2, message: SPECIAL.into() });
    let request = SimpleRequest { response_status: status, ..Default::default() };
    same(fails(client.unary_call(request).await, Code::Unknown)?, SPECIAL)
}

async fn unimplemented(channel: &Channel, service: &str) -> Outcome {
    let mut client = Grpc::new(channel.clone());
    client.ready().await?;
    let path = format!("/grpc.testing.{service}/UnimplementedCall").parse()?;
    let codec = ProstCodec::<Empty, Empty>::default();
    fails(client.unary(Request::new(Empty {}), path, codec).await, Code::Unimplemented).map(drop)
}

async fn client_compressed_unary(mut client: Client) -> Outcome {
    let expecting = |value| SimpleRequest { expect_compressed: Some(BoolValue { value }), ..simple() };
    fails(client.unary_call(expecting(true)).await, Code::InvalidArgument)?;
    client.unary_call(expecting(false)).await?;
    let mut client = client.send_compressed(CompressionEncoding::Gzip);
    same(client.unary_call(expecting(true)).await?.into_inner().payload, zeros(314_159))
}

async fn client_compressed_streaming(mut client: Client) -> Outcome {
    let expecting = |size| StreamingInputCallRequest {
        payload: zeros(size),
        expect_compressed: Some(BoolValue { value: true }),
    };
    let requests = || tokio_stream::iter([27_182, 45_904].map(expecting));
    fails(client.streaming_input_call(requests()).await, Code::InvalidArgument)?;
    let mut client = client.send_compressed(CompressionEncoding::Gzip);
    let reply = client.streaming_input_call(requests()).await?;
    same(reply.into_inner().aggregated_payload_size, 73_086)
}

async fn server_compressed_unary(client: Client) -> Outcome {
    let mut client = client.accept_compressed(CompressionEncoding::Gzip);
    for value in [true, false] {
        let request = SimpleRequest { response_compressed: Some(BoolValue { value }), ..simple() };
        same(client.unary_call(request).await?.into_inner().payload, zeros(314_159))?;
    }
    Ok(())
}

async fn server_compressed_streaming(client: Client) -> Outcome {
    let mut client = client.accept_compressed(CompressionEncoding::Gzip);
    let mut request = wanting(&[31_415, 92_653], 0);
    request.response_parameters[0].compressed = Some(BoolValue { value: true });
    let reply = client.streaming_output_call(request).await?;
    same(reply.metadata().get("grpc-encoding").and_then(|value| value.to_str().ok()), Some("gzip"))?;
    same(sizes(reply.into_inner()).await?, [31_415, 92_653])
}

fn simple() -> SimpleRequest {
    SimpleRequest { response_size: 314_159, payload: zeros(271_828), ..Default::default() }
}

fn wanting(sizes: &[i32], payload: i32) -> StreamingOutputCallRequest {
    let parameter = |&size| ResponseParameters { size, ..Default::default() };
    StreamingOutputCallRequest {
        response_parameters: sizes.iter().map(parameter).collect(),
        payload: zeros(payload),
        ..Default::default()
    }
}

/// Lengths of all replies.
async fn sizes(mut replies: Streaming<StreamingOutputCallResponse>) -> Result<Vec<i32>, Status> {
    let mut sizes = Vec::new();
    while let Some(reply) = replies.message().await? {
        sizes.push(reply.payload.map_or(-1, |payload| payload.body.len() as i32));
    }
    Ok(sizes)
}

/// The message of a call that fails as it should.
fn fails<T>(ended: Result<Response<T>, Status>, code: Code) -> Result<String, Box<dyn std::error::Error>> {
    match ended {
        Err(status) if status.code() == code => Ok(status.message().to_owned()),
        Err(status) => Err(format!("expected {code:?}, found {status}").into()),
        Ok(_) => Err(format!("expected {code:?}, but it went well").into()),
    }
}

fn same<T: PartialEq<U> + Debug, U: Debug>(found: T, expected: U) -> Outcome {
    if found == expected {
        return Ok(());
    }
    Err(format!("expected {expected:?}, found {found:?}").chars().take(300).collect::<String>().into())
}

#[tokio::main]
async fn main() -> ExitCode {
    let Some(address) = std::env::args().nth(1) else {
        eprintln!("usage: tonic-client HOST:PORT");
        return ExitCode::from(2);
    };
    let endpoint =
        Endpoint::from_shared(format!("http://{address}")).and_then(|endpoint| Ok(endpoint.connect_lazy()));
    let Ok(channel) = endpoint else {
        eprintln!("tonic-client: {address:?} is no address");
        return ExitCode::from(2);
    };
    let mut failed = false;
    for name in NAMES {
        let limit = Duration::from_secs(20);
        let ran = tokio::time::timeout(limit, run(name, &channel)).await;
        match ran.unwrap_or_else(|_| Err(format!("not done after {limit:?}").into())) {
            Ok(()) => println!("pass client: {name}"),
            Err(why) => {
                failed = true;
                println!("FAIL client: {name}: {why}");
            }
        }
    }
    ExitCode::from(u8::from(failed))
}
