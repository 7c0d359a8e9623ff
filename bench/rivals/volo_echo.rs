//! volo's Thrift, framed and in strict binary on both sides, with the other defaults: a connection for each
//! call under way, from a pool, or with `--multiplex true` one connection for all calls of a client.

use std::net::SocketAddr;
use std::time::Instant;

use pilota::FastStr;
use polywire_bench::{Args, Load, Recorder, args::wrong_use, report::Began};
use tokio::net::TcpListener;
use volo::net::incoming::DefaultIncoming;
use volo_thrift::ServerError;
use volo_thrift::codec::DefaultMakeCodec;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/volo_gen.rs"));
}

use generated::volo_gen::echo::{
    EchoRequest, EchoResponse, EchoService, EchoServiceClient, EchoServiceClientBuilder, EchoServiceServer,
};

const USAGE: &str = "usage: volo_echo serve [--multiplex true]
       volo_echo press --server ADDR [--multiplex true] [--callers N] [--connections C] [--bytes B] [--duration S]";

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let args = Args::from_env(USAGE);
    let multiplex = args.get("multiplex", false);
    match args.verb.as_str() {
        "serve" => serve(multiplex).await,
        "press" => press(Load::from_args(&args), multiplex).await,
        other => wrong_use(&format!("`{other}` is no verb"), USAGE),
    }
}

struct Echo;

impl EchoService for Echo {
    async fn echo(&self, request: EchoRequest) -> Result<EchoResponse, ServerError> {
        Ok(EchoResponse { data: request.data })
    }
}

/// Serves until killed.
async fn serve(multiplex: bool) -> Result<(), Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on {}", listener.local_addr()?);
    let server = EchoServiceServer::new(Echo).make_codec(DefaultMakeCodec::framed()).multiplex(multiplex);
    server.run(DefaultIncoming::from(listener)).await.map_err(|error| error.to_string().into())
}

/// Presses until the load's time is over, then prints the report.
async fn press(load: Load, multiplex: bool) -> Result<(), Failure> {
    let address: SocketAddr = load.server.parse()?;
    let connect = |_| {
        let client = EchoServiceClientBuilder::new("echo").make_codec(DefaultMakeCodec::framed());
        client.address(address).multiplex(multiplex).build()
    };
    let clients: Vec<EchoServiceClient> = (0..load.connections).map(connect).collect();
    let began = Began::now();
    let end = Instant::now() + load.duration;
    let callers: Vec<_> = (0..load.callers)
        .map(|n| tokio::spawn(calls(clients[n % clients.len()].clone(), load.bytes, end)))
        .collect();
    let mut all = Recorder::default();
    for caller in callers {
        all.add(&caller.await?);
    }
    began.report(&all, load.bytes).print();
    Ok(())
}

/// One caller: one call under way until `end`.
async fn calls(client: EchoServiceClient, bytes: usize, end: Instant) -> Recorder {
    let text = FastStr::from("x".repeat(bytes));
    let mut recorder = Recorder::default();
    let mut sent = Instant::now();
    while sent < end {
        // Its strings share memory: cheaper than the copy that ours makes.
        let same = match client.echo(EchoRequest { data: text.clone() }).await {
            Ok(reply) => reply.data.len() == bytes,
            Err(_) => false,
        };
        let now = Instant::now();
        match same {
            true => recorder.answered(now - sent),
            false => recorder.failed(),
        }
        sent = now;
    }
    recorder
}
