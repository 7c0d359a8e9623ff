//! A channel with gRPC's service config against our own server.

use crate::talk::{Line, Talk, TalkClient};
use polywire::{
    Channel, ChannelError, Code, Context, Engine, Reply, Resilience, Running, Server, Status, Stream,
    Streaming, Target,
};
use polywire_engine::transport::duplex;
use polywire_machine_testing::until;
use std::{
    collections::VecDeque,
    net::TcpListener,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// What takes so long has hung.
const NEVER: Duration = Duration::from_secs(60);

/// How the server answers, call by call; then well. What each attempt said, beside its messages.
#[derive(Clone, Default)]
struct Script {
    answers: Arc<Mutex<VecDeque<Status>>>,
    /// Attempts before it, and what it sent.
    heard: Arc<Mutex<Vec<(Option<String>, String)>>>,
}

impl Script {
    fn of(answers: impl IntoIterator<Item = Status>) -> Self {
        Script { answers: Arc::new(Mutex::new(answers.into_iter().collect())), ..Script::default() }
    }

    fn heard(&self) -> Vec<(Option<String>, String)> {
        self.heard.lock().unwrap().clone()
    }

    fn hear(&self, cx: &Context, said: &str) {
        let before = cx.metadata().get_str("grpc-previous-rpc-attempts").map(str::to_owned);
        self.heard.lock().unwrap().push((before, said.to_owned()));
    }

    fn answer(&self) -> Result<(), Status> {
        let status = self.answers.lock().unwrap().pop_front().unwrap_or_default();
        if status.is_ok() { Ok(()) } else { Err(status) }
    }
}

impl Talk for Script {
    async fn say(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
        self.hear(cx, &request.text);
        self.answer()?;
        Ok(request.into())
    }

    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        self.hear(cx, &request.text);
        self.answer()?;
        let (sender, lines) = polywire::stream(4);
        let script = self.clone();
        cx.spawn(async move {
            sender.send(line("first")).await?;
            script.answer()
        });
        Ok(lines)
    }

    /// A message `stop` is answered at once, whatever follows.
    async fn sum(&self, cx: &Context, mut incoming: Streaming<Line>) -> Result<Reply<Line>, Status> {
        let mut said = String::new();
        while let Some(line) = incoming.next().await.transpose()? {
            said += &line.text;
            if line.text == "stop" {
                break;
            }
        }
        self.hear(cx, &said);
        self.answer()?;
        Ok(line(&said).into())
    }

    async fn chat(
        &self,
        cx: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        self.hear(cx, "");
        self.answer()?;
        Ok(incoming)
    }
}

fn line(text: &str) -> Line {
    Line { text: text.into(), ..Line::default() }
}

fn busy() -> Status {
    Status::unavailable("busy")
}

const RETRY: &str = r#""retryPolicy": { "maxAttempts": 3, "initialBackoff": "0.001s", "maxBackoff": "0.01s",
    "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"] }"#;

/// For all methods.
fn config(fields: &str) -> String {
    format!(r#"{{ "methodConfig": [{{ "name": [{{}}], {fields} }}] }}"#)
}

fn serve(script: &Script) -> Running {
    let engine = Engine::builder().shards(1).workers(2).build().unwrap();
    let server = Server::new().service(script.clone().into_service()).engine(&engine);
    server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap()
}

fn builder(running: &Running, config: &str) -> polywire::ChannelBuilder<polywire::Standard> {
    Channel::builder(running.addresses()[0].to_string())
        .protocol("grpc")
        .timeout(NEVER)
        .service_config(config)
}

/// The same with server and client on one paused runtime.
fn in_virtual_time(script: Script, config: &str, test: impl AsyncFnOnce(Script, TalkClient)) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.unwrap().block_on(async {
        let server = Server::new().service(script.clone().into_service()).engine(&Engine::here());
        let running = Arc::new(server.start_without_listener().unwrap());
        let channel = Channel::builder("there").protocol("grpc").timeout(NEVER).service_config(config);
        let channel = channel.connector(move |_| {
            let (ours, theirs) = duplex("there", 1 << 20);
            running.serve_stream(theirs);
            std::future::ready(Ok(ours))
        });
        test(script, TalkClient::new(channel.build().unwrap())).await;
    });
}

fn run(script: Script, config: &str, test: impl AsyncFnOnce(Script, TalkClient)) {
    let running = serve(&script);
    let talk = TalkClient::new(builder(&running, config).build().unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        tokio::time::timeout(NEVER, test(script, talk)).await.expect("the test hangs");
    });
}

fn attempts(script: &Script) -> Vec<Option<String>> {
    script.heard().into_iter().map(|(before, _)| before).collect()
}

fn numbered(n: usize) -> Vec<Option<String>> {
    (0..n).map(|n| (n > 0).then(|| n.to_string())).collect()
}

#[test]
fn a_call_is_tried_until_it_succeeds_or_all_attempts_are_made() {
    run(Script::of([busy(), busy()]), &config(RETRY), async |script, talk| {
        assert_eq!(talk.say(line("hi")).await.unwrap().text, "hi");
        assert_eq!(attempts(&script), numbered(3));
    });
    run(Script::of([busy(), busy(), busy()]), &config(RETRY), async |script, talk| {
        let status = talk.say(line("hi")).await.unwrap_err();
        assert_eq!((status.code(), status.message()), (Code::Unavailable, "busy"));
        assert_eq!(attempts(&script), numbered(3));
    });
}

#[test]
fn only_grpc_counts_the_attempts_in_a_field() {
    for (protocol, counts) in [
        ("grpc", true),
        ("grpc-web", true),
        ("connect", false),
        ("h2", false),
        ("http", false),
        ("baidu_std", false),
    ] {
        let script = Script::of([busy()]);
        let running = serve(&script);
        let channel = builder(&running, &config(RETRY)).protocol(protocol).build().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            assert_eq!(TalkClient::new(channel).say(line("hi")).await.unwrap().text, "hi", "{protocol}");
        });
        assert_eq!(attempts(&script), [None, counts.then(|| "1".to_owned())], "{protocol}");
    }
}

#[test]
fn other_codes_and_other_methods_are_not_tried_again() {
    run(Script::of([Status::internal("broken")]), &config(RETRY), async |script, talk| {
        assert_eq!(talk.say(line("hi")).await.unwrap_err().code(), Code::Internal);
        assert_eq!(attempts(&script), numbered(1));
    });
    let one = config(RETRY).replace("[{}]", r#"[{ "service": "talk.Talk", "method": "Count" }]"#);
    run(Script::of([busy()]), &one, async |script, talk| {
        assert_eq!(talk.say(line("hi")).await.unwrap_err().code(), Code::Unavailable);
        assert_eq!(attempts(&script), numbered(1));
    });
}

#[test]
fn the_server_says_when_and_whether() {
    let asks = |ms: &str| busy().with_metadata("grpc-retry-pushback-ms", ms);
    run(Script::of([asks("60")]), &config(RETRY), async |script, talk| {
        let start = Instant::now();
        assert_eq!(talk.say(line("hi")).await.unwrap().text, "hi");
        assert!(start.elapsed() >= Duration::from_millis(60));
        assert_eq!(attempts(&script), numbered(2));
    });
    run(Script::of([asks("-1")]), &config(RETRY), async |script, talk| {
        assert_eq!(talk.say(line("hi")).await.unwrap_err().code(), Code::Unavailable);
        assert_eq!(attempts(&script), numbered(1));
    });
    run(Script::of([asks("600000")]), &config(RETRY), async |script, talk| {
        let call = talk.say(line("hi")).timeout(Duration::from_secs(30));
        assert_eq!(call.await.unwrap_err().code(), Code::Unavailable, "waiting would only be late");
        assert_eq!(attempts(&script), numbered(1));
    });
}

#[test]
fn the_server_says_when_and_whether_a_copy_is_sent() {
    const HEDGE: &str = r#""hedgingPolicy": { "maxAttempts": 3, "hedgingDelay": "30s",
        "nonFatalStatusCodes": ["UNAVAILABLE"] }"#;
    let asks = |ms: &str| busy().with_metadata("grpc-retry-pushback-ms", ms);
    run(Script::of([busy(), busy()]), &config(HEDGE), async |script, talk| {
        assert_eq!(talk.say(line("hi")).await.unwrap().text, "hi");
        assert_eq!(attempts(&script), numbered(3));
    });
    // Also where somebody looks at each try, as metrics and tracers do.
    struct Looks;
    impl polywire::TryInterceptor for Looks {}
    let script = Script::of([busy(), busy()]);
    let running = serve(&script);
    let channel = builder(&running, &config(HEDGE)).try_interceptor(Looks).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        assert_eq!(TalkClient::new(channel).say(line("hi")).await.unwrap().text, "hi");
    });
    assert_eq!(attempts(&script), numbered(3));
    run(Script::of([asks("60")]), &config(HEDGE), async |script, talk| {
        let start = Instant::now();
        assert_eq!(talk.say(line("hi")).await.unwrap().text, "hi");
        assert!(start.elapsed() >= Duration::from_millis(60));
        assert_eq!(attempts(&script), numbered(2));
    });
    run(Script::of([asks("-1")]), &config(HEDGE), async |script, talk| {
        assert_eq!(talk.say(line("hi")).await.unwrap_err().code(), Code::Unavailable);
        assert_eq!(attempts(&script), numbered(1));
    });
    run(Script::of([Status::internal("broken")]), &config(HEDGE), async |script, talk| {
        assert_eq!(talk.say(line("hi")).await.unwrap_err().code(), Code::Internal, "it is fatal");
        assert_eq!(attempts(&script), numbered(1));
    });
}

#[test]
fn tokens_of_the_channel_end_retries() {
    let throttled =
        config(RETRY).replacen('{', r#"{ "retryThrottling": { "maxTokens": 4, "tokenRatio": 1 },"#, 1);
    run(Script::of((0..5).map(|_| busy())), &throttled, async |script, talk| {
        assert_eq!(talk.say(line("one")).await.unwrap_err().code(), Code::Unavailable);
        assert_eq!(script.heard().len(), 2, "three of four tokens are left, then two");
        assert_eq!(talk.say(line("two")).await.unwrap_err().code(), Code::Unavailable);
        assert_eq!(script.heard().len(), 3, "one is left");
        script.answers.lock().unwrap().clear();
        for _ in 0..3 {
            talk.say(line("good")).await.unwrap();
        }
        script.answers.lock().unwrap().push_back(busy());
        assert_eq!(talk.say(line("three")).await.unwrap().text, "three", "all four are back");
    });
}

#[test]
fn times_waiting_and_sizes_are_the_configs() {
    let limits = config(r#""timeout": "0.05s", "maxRequestMessageBytes": 20, "maxResponseMessageBytes": 8"#);
    run(Script::default(), &limits, async |script, talk| {
        assert_eq!(talk.say(line("short")).await.unwrap().text, "short");
        let status = talk.say(line("a reply too long")).await.unwrap_err();
        assert_eq!(status.code(), Code::ResourceExhausted);
        let status = talk.say(line("a request that is too long")).await.unwrap_err();
        assert_eq!((status.code(), script.heard().len()), (Code::ResourceExhausted, 2), "it was not sent");
        let mut upload = talk.sum().await.unwrap();
        let status = upload.send(line("a message that is too long")).await.unwrap_err();
        assert_eq!(status.code(), Code::ResourceExhausted);
        let start = Instant::now();
        let mut chat = talk.chat().await.unwrap();
        let status = chat.next().await.expect("its end").unwrap_err();
        assert_eq!(status.code(), Code::DeadlineExceeded);
        assert!(start.elapsed() >= Duration::from_millis(45));
    });
}

#[test]
fn a_call_waits_for_its_server_if_the_config_says_so() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = nobody.local_addr().unwrap();
    drop(nobody);
    let wait = config(r#""waitForReady": true"#);
    let channel = Channel::builder(address.to_string())
        .protocol("grpc")
        .timeout(NEVER)
        .resilience(Resilience::default().retries(0));
    let channel = channel.service_config(wait).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let talk = TalkClient::new(channel);
        let refused = talk.say(line("no")).wait_for_ready(false).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unavailable, "the call itself has the last word");
        // The channel pauses after the refusal: a call fails at once if it does not wait.
        let mut waits = Box::pin(talk.say(line("hi")).into_future());
        let first_poll =
            std::future::poll_fn(|cx| std::task::Poll::Ready(waits.as_mut().poll(cx).is_pending()));
        assert!(first_poll.await, "it waits");
        let server = Server::new().service(Script::default().into_service());
        let _running = server.listen(address.to_string()).start().unwrap();
        assert_eq!(waits.await.unwrap().text, "hi");
    });
}

#[test]
fn a_stream_of_answers_is_tried_again_until_its_head_has_come() {
    run(Script::of([busy(), busy()]), &config(RETRY), async |script, talk| {
        let mut lines = talk.count(line("hi")).await.unwrap();
        assert_eq!(lines.next().await.unwrap().unwrap().text, "first");
        assert_eq!(lines.next().await, None);
        assert_eq!(attempts(&script), numbered(3));
    });
    run(Script::of([Status::OK, busy()]), &config(RETRY), async |script, talk| {
        let mut lines = talk.count(line("hi")).await.unwrap();
        assert_eq!(lines.next().await.unwrap().unwrap().text, "first");
        assert_eq!(lines.next().await.unwrap().unwrap_err().code(), Code::Unavailable);
        assert_eq!(attempts(&script), numbered(1), "what fails behind the head is final");
    });
}

#[test]
fn a_stream_that_was_sent_is_sent_again_from_its_start() {
    run(Script::of([busy(), busy()]), &config(RETRY), async |script, talk| {
        let mut upload = talk.sum().await.unwrap();
        for text in ["a", "b", "c"] {
            upload.send(line(text)).await.unwrap();
        }
        assert_eq!(upload.finish().await.unwrap().text, "abc");
        let again = |n: usize| ((n > 0).then(|| n.to_string()), "abc".to_owned());
        assert_eq!(script.heard(), (0..3).map(again).collect::<Vec<_>>());
    });
}

#[test]
fn a_stream_whose_first_attempt_fails_half_way_goes_on_in_the_next() {
    in_virtual_time(Script::of([busy()]), &config(RETRY), async |script, talk| {
        let mut upload = talk.sum().await.unwrap();
        upload.send(line("stop")).await.unwrap();
        until("the first attempt", || !script.heard().is_empty()).await;
        tokio::time::sleep(Duration::from_millis(20)).await; // its end has come
        assert_eq!(attempts(&script), numbered(1), "and nothing is tried before the sender goes on");
        let _ = upload.send(line("more")).await;
        assert_eq!(upload.finish().await.unwrap().text, "stop");
        assert_eq!(attempts(&script), numbered(2));
    });
    run(Script::of([busy()]), &config(RETRY), async |script, talk| {
        let (sender, texts) = tokio::sync::mpsc::channel(1);
        let sending = async {
            sender.send("stop").await.unwrap();
            until("the second attempt", || script.heard().len() == 2).await;
            drop(sender);
        };
        let (reply, ()) = tokio::join!(talk.sum().send_all(Texts(texts)), sending);
        assert_eq!(reply.unwrap().text, "stop");
    });
}

/// A stream of lines.
struct Texts(tokio::sync::mpsc::Receiver<&'static str>);
impl Stream for Texts {
    type Item = Line;
    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Line>> {
        self.0.poll_recv(cx).map(|text| text.map(line))
    }
}

#[test]
fn a_stream_that_has_sent_too_much_is_not_tried_again() {
    let script = Script::of([busy()]);
    let running = serve(&script);
    let channel = builder(&running, &config(RETRY))
        .resilience(Resilience::default().replay_bytes(1000))
        .build()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let talk = TalkClient::new(channel);
        let mut upload = talk.sum().await.unwrap();
        for _ in 0..30 {
            upload.send(line("x")).await.unwrap();
        }
        assert_eq!(upload.finish().await.unwrap_err().code(), Code::Unavailable);
        assert_eq!(attempts(&script), numbered(1));
    });
}

#[test]
fn a_thread_that_blocks_tries_again_too() {
    let script = Script::of([busy(), busy()]);
    let running = serve(&script);
    let channel = builder(&running, &config(RETRY)).build().unwrap();
    assert_eq!(TalkClient::new(channel).say(line("hi")).blocking().unwrap().text, "hi");
    assert_eq!(attempts(&script), numbered(3));
}

#[test]
fn a_call_given_up_in_a_pause_is_not_tried_again() {
    let slow = config(RETRY).replace("0.001s", "0.1s").replace("0.01s", "0.1s");
    in_virtual_time(Script::of([busy(), busy()]), &slow, async |script, talk| {
        let call = talk.say(line("hi")).into_future();
        // Time passes only once everything else rests: its first answer has come then.
        let given_up = tokio::time::timeout(Duration::from_millis(10), call).await;
        assert!(given_up.is_err(), "it pauses");
        assert_eq!(attempts(&script), numbered(1));
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!(attempts(&script), numbered(1));
        // A call that waits through the backoff is retried.
        assert_eq!(talk.say(line("hi")).await.unwrap().text, "hi");
        assert_eq!(attempts(&script).len(), 1 + 2);
    });
}

#[test]
fn what_is_wrong_is_said_when_the_channel_is_built() {
    let wrong = config(r#""timeout": "soon""#);
    let built = Channel::builder("127.0.0.1:1").protocol("grpc").service_config(wrong).build();
    let Err(ChannelError::Config(wrong)) = built else { panic!("it is refused") };
    let text = wrong.to_string();
    assert!(text.starts_with("service config: methodConfig[0].timeout: must be a time"), "{text}");
}

#[test]
fn raw_calls_follow_the_config_too() {
    let script = Script::of([busy()]);
    let running = serve(&script);
    let channel = builder(&running, &config(RETRY)).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        channel.call(Target::fixed("talk.Talk", "Say"), "").await.unwrap();
        assert_eq!(attempts(&script), numbered(2));
    });
}
