//! An authenticator whose questions a test answers, a server that uses it, and calls over every protocol.

use crate::talk::{Line, Talk, TalkClient};
use bytes::BytesMut;
use polywire::{
    Authenticator, Caller, Channel, Context, Engine, Identity, Reply, Resilience, Running, Server, Status,
    Stream, Streaming,
    redis::{self, Command, Commands},
    rest_rpc::{self, Functions},
};
use polywire_engine::{
    Transport,
    transport::{Memory, duplex},
};
use std::{future::poll_fn, io::IoSlice, sync::Arc, time::Duration};
use tokio::sync::{mpsc, oneshot};

/// A question to the authenticator. If it is dropped without an answer, the authenticator panics.
pub struct Question {
    pub caller: Caller,
    pub answer: oneshot::Sender<Result<Identity, Status>>,
}

impl Question {
    pub fn accept(self, name: &str) {
        assert!(self.answer.send(Ok(Identity::named(name))).is_ok(), "somebody waits for it");
    }

    pub fn refuse(self, status: Status) {
        assert!(self.answer.send(Err(status)).is_ok(), "somebody waits for it");
    }
}

pub type Questions = mpsc::UnboundedReceiver<Question>;

/// Passes each question on.
pub fn doorman() -> (impl Authenticator, Questions) {
    let (ask, questions) = mpsc::unbounded_channel();
    let authenticator = move |caller: Caller| {
        let ask = ask.clone();
        async move {
            let (answer, answered) = oneshot::channel();
            let _ = ask.send(Question { caller, answer }); // the test may be over
            answered.await.expect("the secret text of a panic")
        }
    };
    (authenticator, questions)
}

/// Replies with the caller's identity.
pub struct Tells;

fn who(cx: &Context) -> String {
    cx.identity().map_or("nobody", |identity| &identity.name).to_owned()
}

impl Talk for Tells {
    async fn say(&self, cx: &Context, _: Line) -> Result<Reply<Line>, Status> {
        Ok(Line { text: who(cx), ..Line::default() }.into())
    }
    async fn count(&self, _: &Context, _: Line) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        let (_, lines) = polywire::stream(1);
        Ok(lines)
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented("not here"))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

pub fn server() -> Server {
    let whoami =
        Commands::new().on("whoami", 1, |cx: &Context, _: &[&[u8]]| redis::Value::bulk(who(cx).as_bytes()));
    Server::new()
        .service(Tells.into_service())
        .service(redis::service(whoami))
        .service(Functions::new().function("who", |cx: Context| who(&cx)))
        .engine(&Engine::here())
}

pub fn start(authenticator: impl Authenticator) -> Arc<Running> {
    Arc::new(server().authenticate(authenticator).start_without_listener().unwrap())
}

pub fn connect(running: &Running) -> Peer {
    let (ours, theirs) = duplex("test", 1 << 16);
    running.serve_stream(theirs);
    Peer(ours)
}

/// The other end of a connection.
pub struct Peer(pub Memory);

impl Peer {
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let mut bytes = bytes.as_ref();
        while !bytes.is_empty() {
            let n = poll_fn(|cx| self.0.poll_write(cx, &[IoSlice::new(bytes)])).await;
            bytes = &bytes[n.expect("the other end is there")..];
        }
    }

    /// Reads until this text has arrived.
    pub async fn read_until(&mut self, end: &str) -> String {
        let mut read = BytesMut::new();
        while !String::from_utf8_lossy(&read).contains(end) {
            read.reserve(1 << 16);
            let n = poll_fn(|cx| self.0.poll_read(cx, &mut read, usize::MAX)).await.expect("bytes");
            assert_ne!(n, 0, "the end, after {read:?}");
        }
        String::from_utf8_lossy(&read).into_owned()
    }
}

pub fn channel(running: &Arc<Running>, protocol: &str, credential: &str) -> Channel {
    let serving = running.clone();
    let channel = Channel::builder("there")
        .protocol(protocol)
        .resilience(Resilience::default().retries(0))
        .timeout(Duration::from_secs(60));
    let channel = channel.credential(credential).connector(move |_| {
        let (ours, theirs) = duplex("test", 1 << 20);
        serving.serve_stream(theirs);
        std::future::ready(Ok(ours))
    });
    channel.build().unwrap()
}

/// Protocols in which a request names its service and method.
pub const TYPED: [&str; 10] = [
    "http",
    "h2",
    "grpc",
    "grpc-web",
    "connect",
    "baidu_std",
    "hulu_pbrpc",
    "sofa_pbrpc",
    "nova_pbrpc",
    "public_pbrpc",
];
pub const OTHERS: [&str; 3] = ["redis", "rest_rpc:a", "zmtp"];

/// Whether a protocol has a field for a credential.
pub fn carries_credentials(protocol: &str) -> bool {
    TYPED[..7].contains(&protocol) || protocol == "redis"
}

/// The caller's identity as the server sees it.
pub async fn ask(running: &Arc<Running>, protocol: &str) -> Result<String, Status> {
    let credential = if carries_credentials(protocol) { "secret" } else { "" };
    let channel = channel(running, protocol, credential);
    match protocol {
        "redis" => redis::Client::new(channel).call(&Command::new("WHOAMI")).await,
        _ if protocol.starts_with("rest_rpc") => rest_rpc::Client::new(channel).call("who", ()).await,
        _ => Ok(TalkClient::new(channel).say(Line::default()).await?.into_message().text),
    }
}

/// Runs a test over each protocol in virtual time.
pub fn run(test: impl AsyncFn(&'static str)) {
    for protocol in TYPED.into_iter().chain(OTHERS) {
        alone(async {
            println!("over {protocol}"); // shown if the test fails
            test(protocol).await;
        });
    }
}

pub fn alone(test: impl Future<Output = ()>) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        // In virtual time: a test that waits for nothing real takes no real time.
        tokio::time::timeout(Duration::from_secs(3600), test).await.expect("the test hangs");
    });
}
