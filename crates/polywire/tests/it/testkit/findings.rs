//! What needs somebody, over real connections in virtual time: a real fault makes a finding true, its end
//! makes it false.

use super::{line, ms, talk};
use polywire::{Bounds, Context, Reply, Resilience, Server, Status, Stream, Streaming, testkit::Net};
use std::time::Duration;
use talk::{Line, Talk, TalkClient};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Does what it is told.
struct Acting;

impl Talk for Acting {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        match &*request.text {
            "fail" => return Err(Status::internal("<b>the disk is full\x1b[2J")),
            "wrong" => return Err(Status::not_found("no such line")),
            "panic" => panic!("as it was told"),
            _ => tokio::time::sleep(ms(request.number.into())).await,
        }
        Ok(request.into())
    }
    async fn count(&self, _: &Context, _: Line) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(polywire::stream(1).1)
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

/// A server that does what it is told, and who tells it.
struct Stage {
    net: Net,
    talk: TalkClient,
}

impl Stage {
    fn new(server: Server) -> Stage {
        let net = Net::seeded(1);
        net.serve("echo:1", server.service(Acting.into_service()));
        let channel = net
            .builder("echo:1")
            .resilience(Resilience::default().retries(0))
            .timeout(ms(500))
            .build()
            .unwrap();
        Stage { net, talk: TalkClient::new(channel) }
    }

    /// A call, one in 100 ms.
    async fn say(&self, text: &str) {
        let _ = self.talk.say(line(text)).await;
        tokio::time::sleep(ms(100)).await;
    }

    async fn get(&self, path: &str) -> String {
        let mut peer = self.net.host("peer").connect("echo:1").await.unwrap();
        let ask = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        peer.write_all(ask.as_bytes()).await.unwrap();
        let mut answer = String::new();
        peer.read_to_string(&mut answer).await.unwrap();
        answer
    }

    /// The rules with findings, each with its level, that the first page has.
    async fn found(&self) -> Vec<String> {
        let json = self.get("/index?json").await;
        let findings = json.split("\"findings\":[").nth(1).unwrap_or_else(|| panic!("{json}"));
        let findings = findings.split("],\"val\"").next().unwrap_or_default();
        let rules = findings.split("{\"rule\":\"").skip(1);
        rules.map(|one| one.split(",\"text\"").next().unwrap_or("").replace("\",\"level\":", " ")).collect()
    }
}

#[tokio::test]
async fn a_method_that_fails_is_found_in_every_form_until_a_minute_after() {
    let stage = Stage::new(Server::new());
    for _ in 0..50 {
        stage.say("fine").await;
        stage.say("wrong").await; // the caller's fault
    }
    assert_eq!(stage.found().await, [""; 0]);
    let text = stage.get("/").await;
    assert!(text.contains("\n/status ") && !text.contains('▲') && !text.contains('■'), "{text}");

    for _ in 0..60 {
        stage.say("fail").await;
        stage.say("fine").await;
        if stage.found().await == ["method_fails 2"] {
            break;
        }
    }
    assert_eq!(stage.found().await, ["method_fails 2"]);
    let sentence = "talk.Talk/Say fails ";
    let text = stage.get("/").await;
    assert!(text.contains(&format!("\n# ■ {sentence}")) && text.contains("mostly with INTERNAL"), "{text}");
    let metrics = stage.get("/metrics").await;
    for expected in [
        "# TYPE polywire_finding gauge",
        "polywire_finding{rule=\"method_fails\",level=\"bad\"} 1",
        "polywire_finding{rule=\"method_fails\",level=\"warning\"} 0",
        "polywire_finding{rule=\"bad_input\",level=\"bad\"} 0",
    ] {
        assert!(metrics.lines().any(|line| line == expected), "{expected}: {metrics}");
    }
    let json = stage.get("/index?json").await;
    assert!(
        json.contains("\"links\":[\"status/talk.Talk/Say\",\"rpcz?method=talk.Talk%2FSay&failed=1\"]"),
        "{json}"
    );

    // The method's own page says how, whose fault it was, and what was said last, harmlessly.
    let method = stage.get("/status/talk.Talk/Say").await;
    assert!(method.contains(&format!("# ■ {sentence}")), "{method}");
    let row =
        |status: &str| method.lines().find(|line| line.trim_start().starts_with(status)).map(str::to_owned);
    let internal = row("INTERNAL").unwrap_or_else(|| panic!("{method}"));
    assert!(internal.contains(" ours ") && internal.contains("<b>the disk is full\\u{1b}[2J"), "{internal}");
    assert!(row("NOT_FOUND").is_some_and(|row| row.contains(" caller ")), "{method}");
    assert!(stage.get("/status/talk.Talk/Nothing").await.starts_with("HTTP/1.1 404"));

    // It is over: shown as such for a minute after the last look that found it, and then gone.
    for _ in 0..40 {
        stage.say("fine").await;
        stage.found().await;
    }
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(stage.found().await, ["method_fails 1"], "over, and no longer bad");
    assert!(stage.get("/").await.contains("(over for "));
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(stage.found().await, [""; 0]);
}

#[tokio::test]
async fn calls_that_end_too_late_are_found() {
    let stage = Stage::new(Server::new());
    for _ in 0..20 {
        let slow = Line { number: 2000, ..Line::default() };
        let _ = stage.talk.say(slow).await; // for half a second
    }
    let found = stage.found().await;
    assert_eq!(found, ["method_fails 2"], "one cause is one line");
    assert!(stage.get("/").await.contains("mostly with DEADLINE_EXCEEDED"));
    tokio::time::sleep(Duration::from_secs(90)).await;
    assert_eq!(stage.found().await, [""; 0]);
}

#[tokio::test]
async fn what_a_limit_refuses_is_found() {
    let stage = Stage::new(Server::new().bounds(Bounds::default().concurrency(1)));
    let blocking = TalkClient::new(
        stage
            .net
            .builder("echo:1")
            .resilience(Resilience::default().retries(0))
            .timeout(ms(60_000))
            .build()
            .unwrap(),
    );
    let held =
        tokio::spawn(async move { blocking.say(Line { number: 5000, ..Line::default() }).await.map(drop) });
    tokio::time::sleep(ms(10)).await;
    for _ in 0..20 {
        stage.say("refused").await;
    }
    assert_eq!(stage.found().await, ["limit_refuses 2"]);
    let status = stage.get("/status?json").await;
    assert!(status.contains("[\"talk.Talk/Say\",2,"), "its mark is the finding's: {status}");
    held.await.unwrap().unwrap();
    stage.say("fine").await;
    tokio::time::sleep(Duration::from_secs(90)).await;
    assert_eq!(stage.found().await, [""; 0]);
}

#[tokio::test]
async fn a_panic_is_found() {
    let stage = Stage::new(Server::new());
    for _ in 0..15 {
        stage.say("fine").await;
    }
    stage.say("panic").await;
    for _ in 0..15 {
        stage.say("fine").await;
    }
    assert_eq!(stage.found().await, ["handler_panics 1"]);
    tokio::time::sleep(Duration::from_secs(90)).await;
    assert_eq!(stage.found().await, [""; 0]);
}

#[tokio::test]
async fn peers_that_send_what_is_wrong_are_found() {
    let stage = Stage::new(Server::new());
    for _ in 0..40 {
        let mut peer = stage.net.host("stranger").connect("echo:1").await.unwrap();
        peer.write_all(b"PRPC\xff\xff\xff\xff\xff\xff\xff\xff").await.unwrap();
        let mut answer = Vec::new();
        let _ = peer.read_to_end(&mut answer).await; // it is closed
        tokio::time::sleep(ms(100)).await;
    }
    assert_eq!(stage.found().await, ["bad_input 2"]);
    assert!(stage.get("/").await.contains("mostly too_large"));
    tokio::time::sleep(Duration::from_secs(90)).await;
    assert_eq!(stage.found().await, [""; 0]);
}

#[tokio::test]
async fn connections_near_their_limit_are_found() {
    let stage = Stage::new(Server::new().bounds(Bounds::default().connections(10)));
    let mut peers = Vec::new();
    for _ in 0..8 {
        peers.push(stage.net.host("stranger").connect("echo:1").await.unwrap());
    }
    for _ in 0..10 {
        // Who asks has a connection, too.
        assert!(stage.get("/health").await.ends_with("OK"));
        tokio::time::sleep(ms(100)).await;
    }
    assert_eq!(stage.found().await, ["budget 1"]);
    drop(peers);
    tokio::time::sleep(Duration::from_secs(90)).await;
    assert_eq!(stage.found().await, [""; 0]);
}
