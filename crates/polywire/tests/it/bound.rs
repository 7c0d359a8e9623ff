//! Services bound to a single protocol (Redis, nshead, functions of rest_rpc, a handler of ZeroMQ's requests)
//! can be reached by that protocol only, whatever name, path, position or number a request contains.

use polywire::{
    Channel, Code, Content, Context, IoBuf, Origin, Resilience, Running, Server, ServerError, Service,
    Status, Target, nshead,
    redis::{self, Execution, RedisService, ReplyBuf, Version, Writer},
    rest_rpc::{self, function_id},
    zmq,
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    time::Duration,
};

/// Counts the runs of every handler of the server.
#[derive(Clone, Default)]
struct Runs(Arc<AtomicU32>);

impl Runs {
    fn add(&self) {
        self.0.fetch_add(1, SeqCst);
    }

    fn so_far(&self) -> u32 {
        self.0.load(SeqCst)
    }
}

impl RedisService for Runs {
    fn execute(&self, _: &Context, _: &[u8], out: &mut ReplyBuf, version: Version) -> Execution {
        self.add();
        Writer::limited(out, version, usize::MAX).ok();
        Execution::Done
    }
}

impl nshead::NsheadService for Runs {
    async fn frame(&self, _: &Context, frame: nshead::Frame) -> Result<Option<IoBuf>, Status> {
        self.add();
        Ok(Some(frame.body))
    }
}

/// All services that can be bound, on one port.
fn server(runs: &Runs) -> Server {
    let (added, asked) = (runs.clone(), runs.clone());
    let functions = rest_rpc::Functions::new().function("add", move |a: i32, b: i32| {
        added.add();
        a + b
    });
    let port = zmq::Port::new().rep(move |request| {
        asked.add();
        async move { request }
    });
    Server::new()
        .service(redis::service(runs.clone()))
        .service(nshead::service(runs.clone()))
        .service(functions)
        .service(port)
        .listen("127.0.0.1:0")
}

fn start(server: Server) -> Running {
    server.start().expect("a valid server")
}

fn channel(server: &Running, protocol: &str) -> Channel {
    let channel = Channel::builder(server.addresses()[0].to_string())
        .protocol(protocol)
        .resilience(Resilience::default().retries(0));
    channel.timeout(Duration::from_secs(60)).build().unwrap()
}

/// The server's answer to bytes, until it closes or has sent this many bytes.
fn talk(server: &Running, bytes: &[u8], most: usize) -> Vec<u8> {
    let mut socket = TcpStream::connect(server.addresses()[0].to_string()).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    socket.write_all(bytes).unwrap();
    let mut answer = vec![0; most];
    let mut filled = 0;
    while filled < most {
        match socket.read(&mut answer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break,
            Err(error) => panic!("no answer: {error}"),
        }
    }
    answer.truncate(filled);
    answer
}

/// Checks that the server has received the call and knows no such method.
#[track_caller]
fn unknown(status: &Status, text: &str, what: &str) {
    assert_eq!((status.code(), status.origin()), (Code::Unimplemented, Origin::Remote), "{what}: {status:?}");
    assert!(status.message().starts_with(text), "{what}: {status:?}");
}

const SET: &str = "*3\r\n$3\r\nSET\r\n$5\r\nhello\r\n$5\r\nworld\r\n";

/// Every name under which a bound method was or might be known.
const NAMES: &[(&str, &str)] = &[
    ("*", "command"),
    ("redis", "command"),
    ("nshead", "message"),
    ("nshead", "nshead"),
    ("rest_rpc", "add"),
    ("zmtp", "Rep"),
    ("mounted", "fallback"),
    ("health", "default_method"),
    ("vars", "default_method"),
];

#[test]
fn no_path_over_http_leads_to_what_is_bound_elsewhere() {
    let runs = Runs::default();
    let server = start(server(&runs));
    for (service, method) in NAMES.iter().filter(|(_, method)| *method != "default_method") {
        for path in
            [format!("/{service}/{method}"), format!("/{service}"), format!("//{service}//{method}/x")]
        {
            for kind in ["text/plain", "application/json", "application/proto", ""] {
                let request = format!(
                    "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
                     Connection: close\r\n\r\n{SET}",
                    SET.len()
                );
                let answer =
                    String::from_utf8_lossy(&talk(&server, request.as_bytes(), 1 << 16)).into_owned();
                assert!(answer.starts_with("HTTP/1.1 4"), "{path} {kind}: {answer}");
            }
        }
    }
    assert_eq!(runs.so_far(), 0);
}

#[test]
fn a_request_about_the_server_itself_is_no_command() {
    let runs = Runs::default();
    let server = start(server(&runs));
    let request = "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let answer = String::from_utf8_lossy(&talk(&server, request.as_bytes(), 1 << 16)).into_owned();
    assert!(answer.starts_with("HTTP/1.1 204 No Content\r\n"), "{answer}");
    assert!(answer.contains("\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n"), "{answer}");
    assert!(answer.ends_with("\r\n\r\n"), "{answer}");
    assert_eq!(runs.so_far(), 0);
}

#[tokio::test]
async fn no_name_of_another_protocol_leads_to_what_is_bound() {
    let runs = Runs::default();
    let server = start(server(&runs));
    let protocols =
        ["http", "h2", "grpc", "grpc-web", "connect", "baidu_std", "sofa_pbrpc", "hulu_pbrpc", "fb_rpc"];
    for protocol in protocols {
        let channel = channel(&server, protocol);
        for (service, method) in NAMES {
            if *method == "default_method" && ["http", "h2"].contains(&protocol) {
                continue; // pages are where they should be
            }
            let target = Target::named(*service, *method).at(0);
            let answer = channel.call(target, SET.as_bytes().to_vec()).await;
            let status = answer.expect_err(&format!("{protocol} {service}/{method} was answered"));
            let text = match protocol {
                "http" | "h2" => format!("Fail to find method on /{service}/{method}"),
                "hulu_pbrpc" => format!("Fail to find method=0 of service={service}"),
                "fb_rpc" => "Fail to find method=0 of service=0x".to_owned(), // the hash of its name
                _ => format!("Fail to find service={service}"),
            };
            unknown(&status, &text, &format!("{protocol} {service}/{method}"));
        }
    }
    assert_eq!(runs.so_far(), 0);
}

/// REQ peers call services by name where the port has no handler of requests.
#[tokio::test]
async fn no_call_of_a_req_peer_leads_to_what_is_bound() {
    let runs = Runs::default();
    let port = Server::new()
        .service(redis::service(runs.clone()))
        .service(nshead::service(runs.clone()))
        .listen("127.0.0.1:0");
    let server = start(port);
    for (service, method) in NAMES {
        let call = channel(&server, "zmtp").call(Target::named(*service, *method), SET.as_bytes().to_vec());
        let status = call.await.unwrap_err();
        unknown(&status, &format!("Fail to find service={service}"), &format!("{service}/{method}"));
    }
    assert_eq!(runs.so_far(), 0);
}

/// The nshead family identifies methods by position, or not at all: then the application's first service is
/// meant.
#[tokio::test]
async fn no_place_leads_to_what_is_bound() {
    let runs = Runs::default();
    let functions = {
        let runs = runs.clone();
        rest_rpc::Functions::new().function("add", move |a: i32, b: i32| {
            runs.add();
            a + b
        })
    };
    let port = Server::new().service(redis::service(runs.clone())).service(functions);
    let server = start(port.listen("127.0.0.1:0"));
    for protocol in ["nova_pbrpc", "public_pbrpc", "nshead_mcpack"] {
        for service in ["", "redis", "rest_rpc", "*"] {
            let (content, body) = match protocol {
                "nshead_mcpack" => (Content::MCPACK, vec![0, 0, 0, 0]), // an empty object
                _ => (Content::PROTOBUF, Vec::new()),
            };
            let call = channel(&server, protocol).call(Target::named(service, "command").at(0), body);
            let status = call.content(content).await.unwrap_err();
            let what = format!("{protocol} {service:?}");
            if protocol == "public_pbrpc" {
                unknown(&status, &format!("Fail to find method=0 of service={service}"), &what);
                continue;
            }
            // These two have no place for a status.
            let text = "the server closed the connection in place of a reply";
            let said = (status.code(), status.message(), status.origin());
            assert_eq!(said, (Code::Unknown, text, Origin::Remote), "{what}");
        }
    }
    // A frame of fb_rpc whose service is 0 and whose method is the function's number.
    let mut frame = Vec::from(*b"FRPC\0\0\0\x1a\0\0\0\x18\0\0\0\0");
    frame.extend(function_id("add").to_le_bytes());
    frame.extend(2u32.to_le_bytes());
    frame.extend([0; 12]);
    frame.extend(b"\x28\x02");
    let reply = talk(&server, &frame, 12 + 0x5f);
    let text = format!("Fail to find method={} of service=0x0", function_id("add"));
    assert!(reply.ends_with(text.as_bytes()), "{}", reply.escape_ascii());
    assert_eq!(runs.so_far(), 0);
}

#[test]
fn with_redis_switched_off_nothing_reaches_it() {
    let runs = Runs::default();
    let server = start(server(&runs).protocols(["h2", "http"]));
    assert_eq!(talk(&server, SET.as_bytes(), 1), b"", "closed without a word");
    for path in ["/*/command", "/redis/command", "/redis"] {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{SET}",
            SET.len()
        );
        assert!(talk(&server, request.as_bytes(), 1 << 16).starts_with(b"HTTP/1.1 4"), "{path}");
    }
    assert_eq!(runs.so_far(), 0);
}

#[tokio::test]
async fn each_is_reached_by_its_own_protocol() {
    let runs = Runs::default();
    let server = start(server(&runs));
    assert_eq!(talk(&server, SET.as_bytes(), 5), b"+OK\r\n");
    assert_eq!(runs.so_far(), 1);
    let frames = nshead::Client::new(channel(&server, "nshead"));
    let frame = nshead::Frame { body: b"frame".to_vec().into(), ..nshead::Frame::default() };
    assert_eq!(frames.call(&frame).await.unwrap().body, b"frame"[..]);
    assert_eq!(runs.so_far(), 2);
    let functions = rest_rpc::Client::new(channel(&server, "rest_rpc"));
    let sum: i32 = functions.call("add", (40, 2)).await.unwrap();
    assert_eq!((sum, runs.so_far()), (42, 3));
    let req = zmq::Req::new();
    req.connect(&format!("tcp://{}", server.addresses()[0])).unwrap();
    req.send("ask").await.unwrap();
    assert_eq!(req.recv().await.unwrap().text(), "ask");
    assert_eq!(runs.so_far(), 4);
}

#[test]
fn a_server_says_what_cannot_be_bound() {
    let start = |service: Service| match Server::new().service(service).listen("127.0.0.1:0").start() {
        Err(ServerError::Config(wrong)) => wrong.to_string(),
        other => panic!("{:?}", other.map(|_| ())),
    };
    let runs = Runs::default();
    let pathed = redis::service(runs.clone()).method("command", |m| m.path("/v1/redis"));
    assert!(start(pathed).contains("redis/command is bound to redis"));
    let text = start(Service::bound("smtp").with(polywire::Method::new("x", || unreachable!())));
    assert!(text.contains("smtp"), "{text}");
    let twice = Server::new().service(redis::service(runs.clone())).service(redis::service(runs));
    assert!(
        matches!(twice.listen("127.0.0.1:0").start(), Err(ServerError::Config(wrong)) if wrong.to_string().contains("twice"))
    );
}
