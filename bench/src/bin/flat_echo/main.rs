//! The demo's benchmark message as FlatBuffers over fb_rpc and as protobuf over baidu_std: one server, one
//! client, generated stubs on both sides, so that each call writes and reads two messages at each end.

use std::time::Instant;

use polywire::{Channel, Context, IoBuf, Reply, Server, Status, flatbuffers::Flat};
use polywire_bench::{Args, Load, Recorder, args::wrong_use, report::Began};

polywire::include!();

use flatbench::{BenchmarkMessageArgs, BenchmarkMessageBuf};
use test::BenchmarkMessage;

const USAGE: &str = "usage: flat_echo serve
       flat_echo press --server ADDR --form flatbuffers|protobuf [--callers N] [--bytes B] [--attachment B] [--duration S]";
const ATTACHMENT_ANSWERED: i32 = 1;

#[tokio::main(flavor = "current_thread")]
async fn main() -> polywire::Result<()> {
    let args = Args::from_env(USAGE);
    match args.verb.as_str() {
        "serve" => serve().await,
        "press" => press(&args).await,
        other => wrong_use(&format!("`{other}` is no verb"), USAGE),
    }
}

async fn serve() -> polywire::Result<()> {
    let flat = flatbench::FlatBenchmark::into_service(Echo);
    let protobuf = test::BenchmarkService::into_service(Echo);
    let running = Server::new().service(flat).service(protobuf).listen("127.0.0.1:0").start()?;
    for address in running.addresses() {
        println!("listening on {address}");
    }
    std::future::pending().await
}

struct Echo;

impl flatbench::FlatBenchmark for Echo {
    /// Reads every field and builds the reply of them.
    async fn test(
        &self,
        cx: &Context,
        request: BenchmarkMessageBuf,
    ) -> Result<Reply<BenchmarkMessageBuf>, Status> {
        let read = request.get();
        let text = read.message().unwrap_or_default();
        let reply = build(read.request_id(), text);
        Ok(Reply::new(reply).attach(cx.attachment().clone()))
    }
}

impl test::BenchmarkService for Echo {
    /// The reply takes the text over: protobuf's best case.
    async fn test(&self, cx: &Context, request: BenchmarkMessage) -> Result<Reply<BenchmarkMessage>, Status> {
        Ok(Reply::new(request).attach(cx.attachment().clone()))
    }
}

fn build(request_id: i64, text: &str) -> BenchmarkMessageBuf {
    Flat::build_with_capacity(128 + text.len(), |builder| {
        let message = Some(builder.create_string(text));
        let args = BenchmarkMessageArgs {
            opcode: 1,
            echo_attachment: ATTACHMENT_ANSWERED,
            attachment_size: 0,
            request_id,
            reserved: 7,
            message,
        };
        flatbench::BenchmarkMessage::create(builder, &args)
    })
}

fn made(request_id: i64, text: &str) -> BenchmarkMessage {
    BenchmarkMessage {
        opcode: 1,
        echo_attachment: ATTACHMENT_ANSWERED,
        attachment_size: 0,
        request_id,
        reserved: Some(7),
        message: Some(text.into()),
    }
}

#[derive(Clone)]
enum Client {
    Flat(flatbench::FlatBenchmarkClient),
    Protobuf(test::BenchmarkClient),
}

impl Client {
    /// One call; whether the same came back.
    async fn call(&self, id: i64, text: &str, attachment: IoBuf) -> bool {
        let attached = attachment.len();
        match self {
            Client::Flat(client) => match client.test(build(id, text)).attachment(attachment).await {
                Ok(reply) => {
                    let read = reply.get();
                    let same = read.request_id() == id && read.message().map(str::len) == Some(text.len());
                    same && reply.attachment().len() == attached
                }
                Err(_) => false,
            },
            Client::Protobuf(client) => match client.test(made(id, text)).attachment(attachment).await {
                Ok(reply) => {
                    let same =
                        reply.request_id == id && reply.message.as_deref().map(str::len) == Some(text.len());
                    same && reply.attachment().len() == attached
                }
                Err(_) => false,
            },
        }
    }
}

async fn press(args: &Args) -> polywire::Result<()> {
    let load = Load::from_args(args);
    let attachment = IoBuf::from(vec![7; args.get("attachment", 0)]);
    let form = args.get("form", String::new());
    let channel = |protocol: &str| Channel::builder(&*load.server).protocol(protocol).build();
    let client = match form.as_str() {
        "flatbuffers" => Client::Flat(flatbench::FlatBenchmarkClient::new(channel("fb_rpc")?)),
        "protobuf" => Client::Protobuf(test::BenchmarkClient::new(channel("baidu_std")?)),
        other => wrong_use(&format!("no form {other:?}"), USAGE),
    };
    let began = Began::now();
    let end = Instant::now() + load.duration;
    let text = "x".repeat(load.bytes);
    let callers = (0..load.callers).map(|_| {
        let (client, text, attachment) = (client.clone(), text.clone(), attachment.clone());
        async move {
            let mut recorder = Recorder::default();
            let mut sent = Instant::now();
            let mut id = 0;
            while sent < end {
                match client.call(id, &text, attachment.clone()).await {
                    true => recorder.answered(sent.elapsed()),
                    false => recorder.failed(),
                }
                (sent, id) = (Instant::now(), id + 1);
            }
            recorder
        }
    });
    let callers: Vec<_> = callers.map(tokio::spawn).collect();
    let mut all = Recorder::default();
    for caller in callers {
        all.add(&caller.await?);
    }
    began.report(&all, load.bytes).print();
    Ok(())
}
