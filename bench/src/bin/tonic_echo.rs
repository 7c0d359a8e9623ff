//! tonic as it comes: its defaults on both sides, except that messages may be long.

use std::time::Instant;

use polywire_bench::{Args, Load, Recorder, args::wrong_use, report::Began};
use tonic::transport::{Channel, Endpoint, Server, server::TcpIncoming};
use tonic::{Request, Response, Status};

mod bench {
    tonic::include_proto!("bench");
}
use bench::echo_client::EchoClient;
use bench::echo_server::{Echo, EchoServer};
use bench::{EchoRequest, EchoResponse};

const USAGE: &str = "usage: tonic_echo serve
       tonic_echo press --server ADDR [--callers N] [--connections C] [--bytes B] [--duration S]";
const MAX_MESSAGE: usize = 64 << 20;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let args = Args::from_env(USAGE);
    match args.verb.as_str() {
        "serve" => serve().await,
        "press" => press(Load::from_args(&args)).await,
        other => wrong_use(&format!("`{other}` is no verb"), USAGE),
    }
}

struct Service;

#[tonic::async_trait]
impl Echo for Service {
    async fn echo(&self, request: Request<EchoRequest>) -> Result<Response<EchoResponse>, Status> {
        Ok(Response::new(EchoResponse { message: request.into_inner().message }))
    }
}

async fn serve() -> Result<(), Failure> {
    let incoming = TcpIncoming::bind("127.0.0.1:0".parse()?)?.with_nodelay(Some(true));
    println!("listening on {}", incoming.local_addr()?);
    let service = EchoServer::new(Service)
        .max_decoding_message_size(MAX_MESSAGE)
        .max_encoding_message_size(MAX_MESSAGE);
    Ok(Server::builder().add_service(service).serve_with_incoming(incoming).await?)
}

async fn press(load: Load) -> Result<(), Failure> {
    let mut channels = Vec::new();
    for _ in 0..load.connections {
        channels.push(Endpoint::from_shared(format!("http://{}", load.server))?.connect().await?);
    }
    let began = Began::now();
    let end = Instant::now() + load.duration;
    let callers: Vec<_> = (0..load.callers)
        .map(|n| tokio::spawn(call(channels[n % channels.len()].clone(), load.bytes, end)))
        .collect();
    let mut all = Recorder::default();
    for caller in callers {
        all.add(&caller.await?);
    }
    began.report(&all, load.bytes).print();
    Ok(())
}

/// One caller: one call in flight until `end`.
async fn call(channel: Channel, bytes: usize, end: Instant) -> Recorder {
    let mut client = EchoClient::new(channel)
        .max_decoding_message_size(MAX_MESSAGE)
        .max_encoding_message_size(MAX_MESSAGE);
    let request = EchoRequest { message: "x".repeat(bytes) };
    let mut recorder = Recorder::default();
    let mut sent = Instant::now();
    while sent < end {
        match client.echo(request.clone()).await {
            Ok(_) => recorder.answered(sent.elapsed()),
            Err(_) => recorder.failed(),
        }
        sent = Instant::now();
    }
    recorder
}
