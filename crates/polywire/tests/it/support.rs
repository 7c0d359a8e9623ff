//! A server and a channel to it, in memory.

#![allow(dead_code)] // each test binary uses its part

use crate::talk::{Line, Talk, TalkClient};
use polywire::{Channel, Content, Context, Limits, Reply, Running, Service, Status, Stream, Streaming};
use polywire_engine::{Engine, transport};
use polywire_machine_testing::lab;
use std::{
    cell::Cell,
    net::TcpListener,
    pin::Pin,
    sync::{Arc, Mutex},
    time::Duration,
};

/// Long enough for every test on a slow machine: what takes it has hung.
const NEVER: Duration = Duration::from_secs(60);

/// Answers with what it was sent, but never where that is `never`.
pub struct Never;

impl Talk for Never {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        match &*request.text {
            "never" => std::future::pending().await,
            _ => Ok(request.into()),
        }
    }
    async fn count(
        &self,
        _: &Context,
        _: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        Err::<Streaming<Line>, _>(Status::unimplemented("not here"))
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented("not here"))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        Ok(incoming)
    }
}

thread_local! {
    /// What servers and channels speak in the test that runs.
    static PROTOCOL: Cell<&'static str> = const { Cell::new("lab") };
}

/// Runs a test over the lab's protocol, whose flow control is counted in messages, over gRPC and over
/// streaming_rpc.
pub fn run(test: impl AsyncFn()) {
    ["lab", "grpc", "streaming_rpc"].into_iter().for_each(|protocol| run_over(protocol, &test));
}

pub fn run_over(protocol: &'static str, test: impl AsyncFn()) {
    PROTOCOL.set(protocol);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let ended = tokio::time::timeout(NEVER, test()).await;
        ended.unwrap_or_else(|_| panic!("the test hangs over {protocol}"));
    });
}

pub fn line(text: &str) -> Line {
    Line { text: text.into(), ..Line::default() }
}

pub fn number(number: u32) -> Line {
    Line { number, ..Line::default() }
}

struct Lab;
impl polywire_wire::Protocols for Lab {
    fn protocol_set() -> polywire::ProtocolSet {
        lab::PROTOCOLS
    }
}
impl polywire_server::Preset for Lab {
    type Pages = polywire::Pages;

    fn services(about: &polywire_server::About) -> Vec<Service> {
        polywire::standard::services(about)
    }
}

/// A server, and a client of it over a connection in memory.
pub fn net(service: Service) -> (Arc<Running>, TalkClient) {
    net_with(service, Limits::default(), PROTOCOL.get())
}

pub fn net_with(service: Service, limits: Limits, protocol: &str) -> (Arc<Running>, TalkClient) {
    let (running, channel) = channel(service, limits, protocol);
    (running, TalkClient::new(channel))
}

/// A server of the test's protocol, and a channel to it over a connection in memory.
pub fn here(service: Service) -> (Arc<Running>, Channel) {
    channel(service, Limits::default(), PROTOCOL.get())
}

pub fn channel(service: Service, limits: Limits, protocol: &str) -> (Arc<Running>, Channel) {
    let running = Arc::new(serve(service, limits));
    let serving = running.clone();
    let channel = builder("lab".into(), protocol).limits(limits).connector(move |_| {
        let (ours, theirs) = transport::duplex("lab", 1 << 20);
        serving.serve_stream(theirs);
        std::future::ready(Ok(ours))
    });
    (running, channel.build().unwrap())
}

/// A server, and a channel to it that does not own it: by a socket.
pub fn apart(service: Service) -> (Running, Channel) {
    let running = serve(service, Limits::default());
    let channel = builder(running.addresses()[0].to_string(), PROTOCOL.get()).build().unwrap();
    (running, channel)
}

fn serve(service: Service, limits: Limits) -> Running {
    let engine = Engine::builder().shards(1).workers(2).build().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    match PROTOCOL.get() {
        "grpc" | "streaming_rpc" => {
            polywire::Server::new().service(service).engine(&engine).limits(limits).serve(listener)
        }
        _ => polywire_server::Server::<Lab>::new()
            .service(service)
            .engine(&engine)
            .limits(limits)
            .serve(listener),
    }
    .unwrap()
}

fn builder(address: String, protocol: &str) -> polywire::ChannelBuilder<polywire::Standard> {
    let builder = Channel::builder(address).protocol(protocol).timeout(NEVER);
    match protocol {
        "grpc" | "streaming_rpc" => builder,
        _ => builder.protocol_set(lab::PROTOCOLS).content(Content::JSON),
    }
}

pub type Lines = Pin<Box<dyn Stream<Item = Result<Line, Status>> + Send>>;
type Counts = Box<dyn Fn(&Context, Line) -> Result<Lines, Status> + Send + Sync>;
type Chats = Box<dyn Fn(&Context, Streaming<Line>) -> Result<Lines, Status> + Send + Sync>;
type Sums = Box<
    dyn Fn(&Context, Streaming<Line>) -> Pin<Box<dyn Future<Output = Result<Line, Status>> + Send>>
        + Send
        + Sync,
>;

/// A service of closures: each test says what it needs.
#[derive(Default)]
pub struct Closures {
    count: Mutex<Option<Arc<Counts>>>,
    chat: Mutex<Option<Arc<Chats>>>,
    sum: Mutex<Option<Arc<Sums>>>,
}

impl Closures {
    pub fn count<S: Stream<Item = Result<Line, Status>> + Send + 'static>(
        self,
        count: impl Fn(&Context, Line) -> Result<S, Status> + Send + Sync + 'static,
    ) -> Self {
        let count: Counts = Box::new(move |cx, line| count(cx, line).map(|lines| Box::pin(lines) as Lines));
        *self.count.lock().unwrap() = Some(Arc::new(count));
        self
    }

    pub fn chat<S: Stream<Item = Result<Line, Status>> + Send + 'static>(
        self,
        chat: impl Fn(&Context, Streaming<Line>) -> Result<S, Status> + Send + Sync + 'static,
    ) -> Self {
        let chat: Chats =
            Box::new(move |cx, incoming| chat(cx, incoming).map(|lines| Box::pin(lines) as Lines));
        *self.chat.lock().unwrap() = Some(Arc::new(chat));
        self
    }

    pub fn sum<F: Future<Output = Result<Line, Status>> + Send + 'static>(
        self,
        sum: impl Fn(&Context, Streaming<Line>) -> F + Send + Sync + 'static,
    ) -> Self {
        let sum: Sums = Box::new(move |cx, incoming| Box::pin(sum(cx, incoming)));
        *self.sum.lock().unwrap() = Some(Arc::new(sum));
        self
    }
}

fn given<T>(closure: &Mutex<Option<Arc<T>>>) -> Arc<T> {
    closure.lock().unwrap().clone().expect("the test gives this method")
}

impl Talk for Closures {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        Ok(request.into())
    }
    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        given(&self.count)(cx, request)
    }
    async fn sum(&self, cx: &Context, incoming: Streaming<Line>) -> Result<Reply<Line>, Status> {
        let sum = given(&self.sum)(cx, incoming);
        Ok(sum.await?.into())
    }
    async fn chat(
        &self,
        cx: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        given(&self.chat)(cx, incoming)
    }
}

/// A stream of what `next` makes until it makes nothing.
pub fn from_fn(
    mut next: impl FnMut() -> Option<Result<Line, Status>> + Send + Unpin,
) -> impl Stream<Item = Result<Line, Status>> + Send {
    poll_fn(move |_| std::task::Poll::Ready(next()))
}

pub struct PollFn<F>(F);
pub fn poll_fn<T, F>(poll: F) -> PollFn<F>
where
    F: FnMut(&mut std::task::Context<'_>) -> std::task::Poll<Option<T>> + Unpin,
{
    PollFn(poll)
}
impl<T, F> Stream for PollFn<F>
where
    F: FnMut(&mut std::task::Context<'_>) -> std::task::Poll<Option<T>> + Unpin,
{
    type Item = T;
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut std::task::Context<'_>) -> std::task::Poll<Option<T>> {
        (self.0)(cx)
    }
}

/// Reads a stream to its end: the numbers, and how it ended.
pub async fn numbers(mut lines: Streaming<Line>) -> (Vec<u32>, Result<(), Status>) {
    let mut seen = Vec::new();
    while let Some(line) = lines.next().await {
        match line {
            Ok(line) => seen.push(line.number),
            Err(status) => return (seen, Err(status)),
        }
    }
    (seen, Ok(()))
}

/// Tells `heard` when it is dropped.
pub struct Told(pub tokio::sync::mpsc::UnboundedSender<&'static str>, pub &'static str);
impl Drop for Told {
    fn drop(&mut self) {
        let _ = self.0.send(self.1);
    }
}
