//! `restarts serve ADDRESS ADDRESS`: a server of every protocol, at the first address, and one of plain
//! nshead, at the second, until SIGTERM.
//! `restarts call URL URL`: calls the servers of the urls over every client protocol of the registry until
//! its standard input ends.
//!
//! interop/restarts/README.md has the lines.

use crate::{
    full::{Full, FullArgs, FullBuf, Keeper, KeeperClient},
    grpc::testing::{Empty, TestClient, TestService},
    testing::Testing,
};
use polywire::{
    Channel, Context, Ended, IoBuf, Native, Next, Reply, Resilience, RetryDecision, RetryPolicy, Server,
    Status, brpc,
    flatbuffers::Flat,
    nshead,
    redis::{self, Commands, Value},
    rest_rpc::{self, Functions},
};
use std::{
    collections::BTreeMap,
    future::Future,
    io::{BufRead, Write},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

/// What a call takes, so that each server has some under way when it ends.
const WORK: Duration = Duration::from_millis(20);
/// Between two calls of a caller.
const PAUSE: Duration = Duration::from_millis(10);
/// Far more than a call takes on a busy machine: what is looked for is calls that fail.
const LIMIT: Duration = Duration::from_secs(20);

pub fn main() -> polywire::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["serve", address, nshead] => runtime.block_on(serve(address, nshead)),
        ["call", url, nshead] => runtime.block_on(call(url, nshead)),
        _ => Err("usage: restarts serve ADDRESS ADDRESS | restarts call URL URL".into()),
    }
}

// Server

/// Calls that were executed, by the protocol as the server sees it.
type Executed = Arc<Mutex<BTreeMap<&'static str, u64>>>;

async fn serve(address: &str, raw: &str) -> polywire::Result<()> {
    let executed = Executed::default();
    let stop = polywire::stop_signal()?;
    let functions = Functions::new().function("echo", |text: String| text);
    let server = Server::new()
        .service(Testing::default().into_service()) // the first: nova_pbrpc and nshead_mcpack name none
        .service(Keep.into_service())
        .service(functions)
        .service(redis::service(Commands::new().on("get", 2, |_, _| Value::from("value"))));
    let running = counted(server, &executed).listen(address).start()?;
    // A service of nshead would take the frames of all its dialects.
    let server = Server::new().service(nshead::service(Same));
    let raw = counted(server, &executed).listen(raw).start()?;
    say(&format!("listening on {}", running.addresses()[0]));
    say(&format!("nshead on {}", raw.addresses()[0]));
    stop.await;
    let (left, raw_left) = tokio::join!(running.stop(), raw.stop());
    for (protocol, calls) in &*executed.lock().expect("no panic") {
        say(&format!("executed {protocol} {calls}"));
    }
    say(&format!("stopped, connections cut off: {}", left.len() + raw_left.len()));
    Ok(())
}

/// The server, whose calls take their time and are counted.
fn counted(server: Server, executed: &Executed) -> Server {
    let executed = executed.clone();
    server.middleware(move |cx: Context, next: Next| {
        *executed.lock().expect("no panic").entry(cx.protocol()).or_default() += 1;
        async move {
            tokio::time::sleep(WORK).await;
            let ended: Ended = next.run(cx).await;
            ended
        }
    })
}

struct Keep;

impl Keeper for Keep {
    async fn echo(&self, _: &Context, request: FullBuf) -> Result<Reply<FullBuf>, Status> {
        Ok(request.into())
    }
}

struct Same;

impl nshead::NsheadService for Same {
    async fn frame(&self, _: &Context, frame: nshead::Frame) -> Result<Option<IoBuf>, Status> {
        Ok(Some(frame.body))
    }
}

// Client

/// Those whose messages are of protobuf, or translated from it.
const BY_NAME: [&str; 15] = [
    "baidu_std",
    "hulu_pbrpc",
    "sofa_pbrpc",
    "streaming_rpc",
    "http",
    "h2",
    "grpc",
    "grpc-web",
    "connect",
    "zmtp",
    "public_pbrpc",
    "ubrpc_mcpack2",
    "ubrpc_compack",
    "nshead_mcpack",
    "nova_pbrpc",
];

async fn call(url: &str, raw: &str) -> polywire::Result<()> {
    let run = Arc::new(Run::default());
    let mut callers = Vec::new();
    for protocol in BY_NAME {
        let client = TestClient::new(channel(url, protocol, true)?);
        callers.push(run.caller(protocol, move || empty(client.clone())));
    }
    // What would be lost without retries.
    for (name, protocol) in [("grpc, no retries", "grpc"), ("baidu_std, no retries", "baidu_std")] {
        let client = TestClient::new(channel(url, protocol, false)?);
        callers.push(run.caller(name, move || empty(client.clone())));
    }
    for protocol in ["fb_rpc", "grpc:flatbuffers"] {
        let client = KeeperClient::new(channel(url, protocol, true)?);
        let flat = FullBuf::from(Flat::build(|b| {
            let name = Some(b.create_string(""));
            Full::create(b, &FullArgs { name, ..FullArgs::default() })
        }));
        callers.push(run.caller(protocol, move || {
            let call = client.echo(flat.clone());
            async move { call.await.map(drop) }
        }));
    }
    for protocol in ["rest_rpc:a", "rest_rpc:b"] {
        let client = rest_rpc::Client::new(channel(url, protocol, true)?);
        callers.push(run.caller(protocol, move || {
            let call = client.call::<_, String>("echo", ("text",));
            async move { call.await.map(drop) }
        }));
    }
    let client = redis::Client::new(channel(url, "redis", true)?);
    callers.push(run.caller("redis", move || {
        let call = client.get::<String>("key");
        async move { call.await.map(drop) }
    }));
    let client = nshead::Client::new(channel(raw, "nshead", true)?);
    callers.push(run.caller("nshead", move || {
        let client = client.clone();
        async move { client.call(&nshead::Frame::default()).await.map(drop) }
    }));
    say("calling");
    let said = run.clone();
    // `begin` and `end` surround the restarts.
    tokio::task::spawn_blocking(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            said.restarts.store(line == "begin", Relaxed);
        }
    })
    .await?;
    run.stops.store(true, Relaxed);
    for caller in callers {
        caller.await?;
    }
    for (protocol, seen) in &*run.seen.lock().expect("no panic") {
        say(&format!("called {} {} {} {protocol}", seen.made, seen.during, seen.failed));
    }
    say("ended");
    Ok(())
}

fn channel(url: &str, protocol: &str, tries: bool) -> polywire::Result<Channel> {
    // What is called here may be called twice.
    let mut resilience = Resilience::default().retries_after_loss(true);
    if !tries {
        resilience = resilience.retries(0);
    }
    if ["nova_pbrpc", "nshead_mcpack"].contains(&protocol) {
        // A server of these closes the connection in place of a reply that says what failed. That is tried
        // again, as brpc does.
        resilience =
            resilience.retry_policy(RetryPolicy::new().decide(|failed| match failed.status().native() {
                Native::Brpc(brpc::EEOF) => RetryDecision::After(Duration::ZERO),
                _ => RetryDecision::Default,
            }));
    }
    Ok(Channel::builder(url).protocol(protocol).timeout(LIMIT).resilience(resilience).build()?)
}

async fn empty(client: TestClient) -> Result<(), Status> {
    client.empty_call(Empty::default()).await.map(drop)
}

#[derive(Default)]
struct Run {
    /// Whether servers are being restarted.
    restarts: AtomicBool,
    stops: AtomicBool,
    seen: Mutex<BTreeMap<&'static str, Seen>>,
}

#[derive(Default)]
struct Seen {
    made: u64,
    /// Those of them that began between the first restart and the end of the last.
    during: u64,
    failed: u64,
}

impl Run {
    fn caller<F, C>(self: &Arc<Self>, protocol: &'static str, call: C) -> tokio::task::JoinHandle<()>
    where
        C: Fn() -> F + Send + 'static,
        F: Future<Output = Result<(), Status>> + Send + 'static,
    {
        let run = self.clone();
        tokio::spawn(async move {
            while !run.stops.load(Relaxed) {
                let during = run.restarts.load(Relaxed);
                let ended = call().await;
                {
                    let mut seen = run.seen.lock().expect("no panic");
                    let seen = seen.entry(protocol).or_default();
                    seen.made += 1;
                    seen.during += u64::from(during);
                    seen.failed += u64::from(ended.is_err());
                    if let (Err(status), 0..=3) = (&ended, seen.failed) {
                        say(&format!("failed {protocol}: {status:?}"));
                    }
                }
                tokio::time::sleep(PAUSE).await;
            }
        })
    }
}

/// A line at once: whoever reads it waits for it.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
