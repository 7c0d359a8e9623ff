//! A line for each call, whatever the protocol.

use polywire::{
    AccessLog, Channel, Content, Handler, LogFormat, Method, Recording, Resilience, Running, Server, Service,
    Started, Status, Target,
    handler::{Call, Outcome},
    redis, rest_rpc,
};
use polywire_engine::Engine;
use std::{fs, path::PathBuf, time::Duration};

struct Echo;
impl Handler for Echo {
    fn start(&self, call: Call) -> Started {
        match &call.body.to_vec()[..] {
            b"wait" => Started::Future(Box::pin(std::future::pending())),
            b"fail" => Started::Ready(Status::not_found("no").into()),
            _ => Started::Ready(Outcome {
                body: call.body,
                content: call.content,
                reply: true,
                ..Outcome::default()
            }),
        }
    }
}

struct File(PathBuf);
impl File {
    fn new(test: &str) -> File {
        File(std::env::temp_dir().join(format!("polywire-{test}-{}", std::process::id())))
    }
    fn lines(&self) -> Vec<String> {
        fs::read_to_string(&self.0).expect("a log").lines().map(str::to_owned).collect()
    }
}
impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn start(log: &AccessLog) -> Running {
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    Server::new()
        .engine(&engine)
        .service(Service::new("test.S", &[]).with(Method::new("M", || Box::new(Echo))))
        .service(rest_rpc::Functions::new().function("echo", |text: String| text))
        .service(redis::service(redis::Store::default()))
        .recording(Recording::default().access_log(log))
        .listen("127.0.0.1:0")
        .start()
        .expect("a port is free")
}

fn channel(server: &Running, protocol: &str) -> Channel {
    let channel = Channel::builder(server.addresses()[0].to_string()).protocol(protocol);
    channel
        .timeout(Duration::from_secs(20))
        .resilience(Resilience::default().retries(0))
        .build()
        .expect("a valid channel")
}

#[tokio::test]
async fn each_call_has_a_line_over_every_protocol() {
    let file = File::new("access-protocols");
    let log = AccessLog::builder(LogFormat::Combined).file(&file.0).expect("a file");
    let server = start(&log);
    let by_name = [
        ("baidu_std", "baidu_std"),
        ("streaming_rpc", "streaming_rpc"),
        ("hulu_pbrpc", "hulu_pbrpc"),
        ("sofa_pbrpc", "sofa_pbrpc"),
        ("http", "http"),
        ("h2", "h2"),
        ("grpc", "h2"),
        ("grpc-web", "http"),
        ("connect", "http"),
        ("public_pbrpc", "public_pbrpc"),
        ("nova_pbrpc", "nova_pbrpc"),
        ("zmtp", "zmtp"),
    ];
    for (protocol, seen_as) in by_name {
        let call = channel(&server, protocol).call(Target::fixed("test.S", "M").at(0), b"\x0a\x01x".to_vec());
        call.await.unwrap_or_else(|error| panic!("{protocol}: {error:?}"));
        assert!(log.flushed(Duration::from_secs(20)).await);
        let lines = file.lines();
        let line = lines.last().expect("a line");
        assert!(line.starts_with("127.0.0.1 - - ["), "{protocol}: {line}");
        let verb = if ["http", "h2"].contains(&seen_as) { "POST" } else { "CALL" };
        let asked = format!(
            "\"{verb} /test.S/M {}\" 200 ",
            if seen_as == "streaming_rpc" { "baidu_std" } else { seen_as }
        );
        assert!(line.contains(&asked), "{protocol}: {line}");
        assert!(line.contains(" OK 3 "), "{protocol}: the bytes of the request: {line}");
    }
    assert_eq!(file.lines().len(), by_name.len());
    redis::Client::new(channel(&server, "redis")).set("key", "value").await.expect("it is stored");
    rest_rpc::Client::new(channel(&server, "rest_rpc:b"))
        .call::<_, String>("echo", ("x",))
        .await
        .expect("it is called");
    server.stop().await;
    let lines = file.lines();
    let bound = &lines[by_name.len()..];
    assert!(bound.len() >= 2, "{bound:?}");
    assert!(bound.iter().any(|line| line.contains(" redis\" 200 ")), "{bound:?}");
    assert!(bound.iter().any(|line| line.contains(" rest_rpc\" 200 ")), "{bound:?}");
    assert_eq!(log.dropped(), 0);
}

#[tokio::test]
async fn calls_that_fail_or_are_given_up_have_a_line_too() {
    let file = File::new("access-failed");
    let log = AccessLog::builder(LogFormat::Json).file(&file.0).expect("a file");
    let server = start(&log);
    let channel = channel(&server, "grpc");
    let call =
        |body: &'static [u8]| channel.call(Target::fixed("test.S", "M"), body.to_vec()).content(Content::RAW);
    drop(call(b"fail").await.expect_err("it fails"));
    let waiting = call(b"wait");
    assert!(tokio::time::timeout(Duration::from_millis(300), waiting).await.is_err());
    let mut lines = Vec::new();
    for _ in 0..1000 {
        log.flushed(Duration::from_secs(1)).await;
        lines = file.lines();
        if lines.len() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("\"code\":\"NOT_FOUND\",\"status\":404,\"bytes_in\":4,"), "{}", lines[0]);
    assert!(
        lines[1].contains("\"code\":\"CANCELLED\",\"status\":499,\"bytes_in\":4,\"duration_us\":"),
        "{}",
        lines[1]
    );

    // The file is renamed, and a new one begins when the log is told.
    let old = File::new("access-failed-old");
    fs::rename(&file.0, &old.0).expect("ours");
    log.reopen();
    drop(call(b"fail").await.expect_err("it fails"));
    server.stop().await;
    assert_eq!((old.lines().len(), file.lines().len()), (2, 1));
}

/// What scanners and wrong addresses ask for is what a log is read for.
#[tokio::test]
async fn what_reaches_no_method_has_a_line_too() {
    use std::io::{Read, Write};
    let file = File::new("access-missing");
    let log = AccessLog::builder(LogFormat::Combined).file(&file.0).expect("a file");
    let server = start(&log);
    let address = server.addresses()[0].to_string();
    let ask = |line: &str| {
        let mut stream = std::net::TcpStream::connect(&address).expect("it listens");
        let request = format!(
            "{line} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: scan \"1\"\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        stream.read_to_end(&mut Vec::new()).expect("an answer");
    };
    ask("GET /wp-login.php?token=secret");
    ask("BREW /test.S/M");
    let call = channel(&server, "grpc").call(Target::fixed("test.S", "None"), Vec::new());
    drop(call.await.expect_err("it is not there"));
    server.stop().await;
    let lines = file.lines();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(
        lines[0].contains("\"GET /wp-login.php http\" 404 - \"-\" \"scan \\x221\\x22\" "),
        "{}",
        lines[0]
    );
    assert!(lines[1].contains("\"BREW /test.S/M http\" 501 - "), "{}", lines[1]);
    assert!(lines[2].contains("\"CALL /test.S/None h2\" 404 - "), "{}", lines[2]);
}
