//! What is run before and after each try, and credentials that are renewed, over every protocol and for every
//! kind of call.

use crate::talk::{Line, Talk, TalkClient};
use polywire::{
    Caller, Channel, Code, Context, Credentials, Fleet, Identity, Reply, Resilience, Running, Server,
    ServerOptions, Status, Stream, Streaming, Target, Token, TryEnd, TryInterceptor, TryStart,
    combination::{Parallel, Selective},
};
use polywire_machine_testing::Log;
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    time::Duration,
};

/// Answers with the fields that tries have, and is busy as often as it is told.
#[derive(Clone, Default)]
struct Handler {
    busy: Arc<AtomicU32>,
    /// What the requests had in `authorization`.
    shown: Arc<Mutex<Vec<String>>>,
}

impl Handler {
    fn saw(&self, cx: &Context) -> Result<String, Status> {
        let all = |name: &'static str| {
            let fields = cx.metadata().iter().filter(move |(field, _)| field.eq_ignore_ascii_case(name));
            fields.map(|(_, value)| String::from_utf8_lossy(value).into_owned()).collect::<Vec<_>>().join(",")
        };
        self.shown.lock().unwrap().push(all("authorization"));
        match self.busy.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)) {
            Ok(_) => Err(Status::unavailable("busy")),
            Err(_) => Ok(all("x-try")),
        }
    }
}

impl Talk for Handler {
    async fn say(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
        Ok(Line { text: self.saw(cx)?, ..request }.into())
    }

    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        let text = self.saw(cx)?;
        let (sender, lines) = polywire::stream(1);
        cx.spawn(async move { sender.send(Line { text, ..request }).await });
        Ok(lines)
    }

    async fn sum(&self, cx: &Context, mut incoming: Streaming<Line>) -> Result<Reply<Line>, Status> {
        while incoming.next().await.transpose()?.is_some() {}
        Ok(Line { text: self.saw(cx)?, ..Line::default() }.into())
    }

    async fn chat(
        &self,
        cx: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        self.saw(cx)?;
        Ok(incoming)
    }
}

/// Numbers tries in their metadata, and logs them.
struct Numbers(Log);

impl TryInterceptor for Numbers {
    fn before(&self, attempt: &mut TryStart<'_>) -> Result<(), Status> {
        assert!(attempt.metadata().get("authorization").is_none(), "tokens are not for hooks");
        let number = attempt.number().to_string();
        attempt.metadata_mut().append("x-try", number);
        self.0.add(format!("{} {:?} {}", attempt.number(), attempt.kind(), attempt.method()));
        Ok(())
    }

    fn after(&self, attempt: &TryEnd<'_>) {
        self.0.add(format!("{} {} {}", attempt.number(), attempt.method(), attempt.status().code()));
    }
}

const RETRY: &str = r#"{ "methodConfig": [{ "name": [{}], "retryPolicy": { "maxAttempts": 3,
    "initialBackoff": "0.001s", "maxBackoff": "0.001s", "backoffMultiplier": 1,
    "retryableStatusCodes": ["UNAVAILABLE"] } }] }"#;
const PROTOCOLS: [&str; 8] =
    ["baidu_std", "sofa_pbrpc", "hulu_pbrpc", "http", "h2", "grpc", "connect", "zmtp"];
/// Those whose requests have fields.
const FIELDS: [&str; 5] = ["baidu_std", "http", "h2", "grpc", "connect"];
const LIMIT: Duration = Duration::from_secs(60);

fn serve(handler: &Handler) -> Running {
    Server::new().service(handler.clone().into_service()).listen("127.0.0.1:0").start().unwrap()
}

/// By its address, and as a fleet.
fn names(running: &Running) -> [String; 2] {
    let address = running.addresses()[0].to_string();
    [format!("list://{address}"), address]
}

fn channel(name: &str, protocol: &str, log: &Log) -> Channel {
    let channel = Channel::builder(name).protocol(protocol).timeout(LIMIT).service_config(RETRY);
    channel.try_interceptor(Numbers(log.clone())).build().unwrap()
}

fn once(method: &str) -> [String; 2] {
    [format!("1 First {method}"), format!("1 {method} OK")]
}

/// What is logged of a call whose first try fails.
fn twice(method: &str) -> [String; 4] {
    [
        format!("1 First {method}"),
        format!("1 {method} UNAVAILABLE"),
        format!("2 Retry {method}"),
        format!("2 {method} OK"),
    ]
}

#[tokio::test]
async fn each_try_of_a_call_has_its_own_metadata() {
    let (handler, log) = (Handler::default(), Log::default());
    let running = serve(&handler);
    for name in names(&running) {
        for protocol in PROTOCOLS {
            let talk = TalkClient::new(channel(&name, protocol, &log));
            handler.busy.store(1, SeqCst);
            let reply = talk.say(Line::default()).await.unwrap();
            assert_eq!(log.take(), twice("Say"), "{protocol}");
            let number = if FIELDS.contains(&protocol) { "2" } else { "" };
            assert_eq!(reply.text, number, "{protocol}: the first try's is gone");
        }
    }
}

#[test]
fn tries_of_blocking_calls_are_seen() {
    let (handler, log) = (Handler::default(), Log::default());
    let running = serve(&handler);
    for name in names(&running) {
        for protocol in PROTOCOLS {
            let talk = TalkClient::new(channel(&name, protocol, &log));
            handler.busy.store(1, SeqCst);
            talk.say(Line::default()).blocking().unwrap();
            assert_eq!(log.take(), twice("Say"), "{protocol}");
        }
    }
}

#[tokio::test]
async fn tries_of_streams_are_seen_to_their_ends() {
    let (handler, log) = (Handler::default(), Log::default());
    let running = serve(&handler);
    for name in names(&running) {
        for protocol in ["grpc", "baidu_std", "connect", "http", "h2"] {
            let talk = TalkClient::new(channel(&name, protocol, &log));
            // Others begin their answers before the handler has failed.
            let is_tried_again = protocol == "grpc";
            let tried = |method| if is_tried_again { twice(method).to_vec() } else { once(method).to_vec() };
            handler.busy.store(is_tried_again.into(), SeqCst);
            let mut lines = talk.count(Line::default()).await.unwrap();
            let text = lines.next().await.unwrap().unwrap().text;
            assert_eq!(text, if is_tried_again { "2" } else { "1" }, "{protocol}");
            let last = tried("Count").len() - 1;
            assert_eq!(log.take(), tried("Count")[..last], "{protocol}: it has not ended");
            assert_eq!(lines.next().await, None);
            assert_eq!(log.take(), tried("Count")[last..], "{protocol}");
            if !matches!(protocol, "grpc" | "baidu_std") {
                continue;
            }
            handler.busy.store(is_tried_again.into(), SeqCst);
            talk.sum().await.unwrap().finish().await.unwrap();
            assert_eq!(log.take(), tried("Sum"), "{protocol}");
            let mut chat = talk.chat().await.unwrap();
            chat.finish();
            assert_eq!(chat.next().await, None);
            assert_eq!(log.take(), ["1 First Chat", "1 Chat OK"], "{protocol}");
            drop(talk.chat().await.unwrap());
            assert_eq!(log.take(), ["1 First Chat", "1 Chat CANCELLED"], "{protocol}");
            let raw = channel(&name, protocol, &log);
            let mut bytes = raw.stream(Target::fixed("talk.Talk", "Chat")).await.unwrap();
            bytes.finish();
            assert!(bytes.next().await.is_none());
            assert_eq!(log.take(), ["1 First Chat", "1 Chat OK"], "{protocol}");
        }
    }
}

#[tokio::test]
async fn tries_that_reach_nobody_have_failed() {
    let log = Log::default();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for protocol in ["baidu_std", "grpc"] {
        let channel = Channel::builder(&free)
            .protocol(protocol)
            .resilience(Resilience::default().retries(0))
            .try_interceptor(Numbers(log.clone()));
        let talk = TalkClient::new(channel.build().unwrap());
        for _ in 0..2 {
            assert!(talk.say(Line::default()).await.is_err()); // the second one in the pause after the first
            assert_eq!(log.take(), ["1 First Say", "1 Say UNAVAILABLE"], "{protocol}");
        }
        assert!(talk.count(Line::default()).await.is_err());
        assert_eq!(log.take(), ["1 First Count", "1 Count UNAVAILABLE"], "{protocol}");
    }
}

/// A source of `token 1`, `token 2` and so on.
fn numbered() -> (Arc<AtomicU32>, Credentials) {
    let asked = Arc::new(AtomicU32::new(0));
    let count = asked.clone();
    let credentials = Credentials::new("numbers", move || {
        let number = count.fetch_add(1, SeqCst) + 1;
        async move { Ok::<_, Status>(Token::new(format!("token {number}"))) }
    });
    (asked, credentials)
}

fn with_credentials(name: &str, protocol: &str, credentials: &Credentials) -> TalkClient {
    let channel = Channel::builder(name).protocol(protocol).timeout(LIMIT).service_config(RETRY);
    TalkClient::new(channel.credentials(credentials.clone()).build().unwrap())
}

#[tokio::test]
async fn each_try_shows_the_token_once() {
    let handler = Handler::default();
    let running = serve(&handler);
    let shown = || std::mem::take(&mut *handler.shown.lock().unwrap());
    for name in names(&running) {
        for protocol in ["http", "h2", "grpc", "connect"] {
            let (asked, credentials) = numbered();
            let talk = with_credentials(&name, protocol, &credentials);
            handler.busy.store(2, SeqCst);
            talk.say(Line::default()).await.unwrap();
            assert_eq!(shown(), ["token 1"; 3], "{protocol}");
            let mut lines = talk.count(Line::default()).await.unwrap();
            while lines.next().await.transpose().unwrap().is_some() {}
            let own = talk.say(Line::default()).metadata("authorization", "its own");
            own.await.unwrap();
            assert_eq!(shown(), ["token 1", "its own"], "{protocol}");
            let talk = talk.clone();
            tokio::task::spawn_blocking(move || talk.say(Line::default()).blocking().unwrap()).await.unwrap();
            assert_eq!((shown(), asked.load(SeqCst)), (vec!["token 1".to_owned()], 1), "{protocol}");
        }
    }
}

#[tokio::test]
async fn a_token_goes_to_its_own_channel_alone() {
    let handlers = [Handler::default(), Handler::default()];
    let running = handlers.each_ref().map(serve);
    for protocol in ["http:proto", "grpc"] {
        let (_, credentials) = numbered();
        let channel = |running: &Running| {
            Channel::builder(running.addresses()[0].to_string()).protocol(protocol).timeout(LIMIT)
        };
        let knows = || channel(&running[0]).credentials(credentials.clone()).build().unwrap();
        let other = || channel(&running[1]).build().unwrap();
        let parallel = Parallel::new().channel(knows()).channel(other()).build().unwrap();
        TalkClient::new(parallel).say(Line::default()).await.unwrap();
        let selective = Selective::new().channel(knows()).channel(other()).build().unwrap();
        let talk = TalkClient::new(selective);
        for _ in 0..4 {
            talk.say(Line::default()).await.unwrap();
        }
        let shown = handlers.each_ref().map(|handler| std::mem::take(&mut *handler.shown.lock().unwrap()));
        assert_eq!(shown, [vec!["token 1".to_owned(); 3], vec![String::new(); 3]], "{protocol}");
    }
}

#[tokio::test]
async fn a_server_with_a_credential_of_its_own_is_shown_no_token() {
    let handlers = [Handler::default(), Handler::default()];
    let running = handlers.each_ref().map(serve);
    let [token, own] = running.each_ref().map(|running| running.addresses()[0].to_string());
    for protocol in ["http", "grpc"] {
        let (_, credentials) = numbered();
        let stranger = own.clone();
        let channel = Channel::builder(format!("list://{token},{own}"))
            .protocol(protocol)
            .resilience(Resilience::default().balancer("rr"));
        let channel = channel.timeout(LIMIT).credentials(credentials).fleet(Fleet::default().per_server(
            move |server| {
                let options = ServerOptions::default();
                if server.address == stranger { options.credential("its key") } else { options }
            },
        ));
        let talk = TalkClient::new(channel.build().unwrap());
        for _ in 0..20 {
            talk.say(Line::default()).await.unwrap();
        }
        let mut shown =
            handlers.each_ref().map(|handler| std::mem::take(&mut *handler.shown.lock().unwrap()));
        shown.iter_mut().for_each(Vec::dedup);
        assert_eq!(shown, [["token 1"], ["its key"]], "{protocol}");
    }
}

#[tokio::test]
async fn a_refused_token_is_renewed_once() {
    let accepted = Arc::new(Mutex::new("token 2"));
    let door = accepted.clone();
    let server = Server::new().service(Handler::default().into_service()).authenticate(move |caller: Caller| {
        let is_good = caller.credential_str() == Some(*door.lock().unwrap());
        async move { if is_good { Ok(Identity::named("ada")) } else { Err(Status::unauthenticated("who?")) } }
    });
    let running = server.listen("127.0.0.1:0").start().unwrap();
    for name in names(&running) {
        for protocol in ["http", "h2", "grpc", "connect", "baidu_std", "hulu_pbrpc"] {
            let (asked, credentials) = numbered();
            let talk = with_credentials(&name, protocol, &credentials);
            let refused = talk.say(Line::default()).await.unwrap_err();
            assert_eq!(refused.code(), Code::Unauthenticated, "{protocol}: {refused:?}");
            assert!(!refused.message().contains("token"), "{refused:?}");
            // Calls during the fetch ask for no more.
            while talk.say(Line::default()).await.is_err() {}
            for _ in 0..10 {
                assert!(talk.say(Line::default()).await.is_ok(), "{protocol}");
            }
            assert_eq!(asked.load(SeqCst), 2, "{protocol}");
        }
    }
}
