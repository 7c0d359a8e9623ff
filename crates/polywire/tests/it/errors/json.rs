//! How a server treats JSON, depending on its setting.

use polywire::{Channel, Code, Content, Json, Pages, Server, Status, Target};
use polywire_engine::Engine;
use std::net::TcpListener;

/// The answers of `grpc.channelz.v1.Channelz/GetServers` to these texts, sent as `protocol` says.
fn ask(json: Json, protocol: &str, texts: &[&str]) -> Vec<Result<String, Status>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let engine = Engine::builder().shards(1).workers(1).build().unwrap();
        let server = Server::new().json(json).pages(Pages::default().open_reflection(true)).engine(&engine);
        let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
        let channel =
            Channel::builder(running.addresses()[0].to_string()).protocol(protocol).build().unwrap();
        let mut answers = Vec::new();
        for text in texts {
            let target = Target::fixed("grpc.channelz.v1.Channelz", "GetServers");
            let call = channel.call(target, text.as_bytes().to_vec()).content(Content::JSON);
            let reply =
                call.await.map(|reply| String::from_utf8(reply.into_message().body.to_vec()).unwrap());
            answers.push(reply);
        }
        answers
    })
}

const GOOD: &str = r#"{"max_results":1,"nobody knows":[]}"#;
const CAMEL: &str = r#"{"maxResults":"1"}"#;
const WRONG: &str = r#"{"start_server_id":"abc","max_results":1}"#;

#[test]
fn a_value_that_does_not_fit_is_400_unless_the_server_is_lenient() {
    for protocol in ["http", "baidu_std"] {
        let [good, wrong, broken] = &ask(Json::DEFAULT, protocol, &[GOOD, WRONG, "{\"a\""])[..] else {
            panic!("three answers")
        };
        assert!(good.as_ref().unwrap().contains(r#""server_id":1"#), "{protocol}: {good:?}");
        let wrong = wrong.as_ref().unwrap_err();
        assert_eq!(wrong.code(), Code::InvalidArgument, "{protocol}");
        assert!(wrong.message().contains("start_server_id: not an integer"), "{protocol}: {wrong}");
        let broken = broken.as_ref().unwrap_err();
        assert_eq!(broken.code(), Code::InvalidArgument, "{protocol}: {broken}");

        let lenient = ask(Json::LENIENT, protocol, &[WRONG]).remove(0);
        assert!(lenient.unwrap().contains(r#""server_id":1"#), "{protocol}");
    }
}

#[test]
fn canonical_and_strict_json_are_there_as_application_json() {
    for protocol in ["http", "baidu_std"] {
        let canonical = ask(Json::CANONICAL, protocol, &[CAMEL, r#"{"x":1}"#]);
        for answer in canonical {
            assert!(answer.as_ref().unwrap().contains(r#""serverId":"1""#), "{protocol}: {answer:?}");
        }
        let mut strict = ask(Json::STRICT, protocol, &[CAMEL, r#"{"x":1}"#]);
        let refused = strict.remove(1).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{protocol}");
        assert!(refused.message().ends_with("x: no field of that name"), "{protocol}: {refused}");
        assert!(strict.remove(0).unwrap().contains(r#""serverId":"1""#), "{protocol}");
    }
}

#[test]
fn a_body_that_is_meant_as_json_is_400_and_any_other_415() {
    use std::io::{Read, Write};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let _entered = runtime.enter();
    let engine = Engine::builder().shards(1).workers(1).build().unwrap();
    let server = Server::new().pages(Pages::default().open_reflection(true)).engine(&engine);
    let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
    let path = "/grpc.channelz.v1.Channelz/GetServers";
    for (content_type, body, status) in [
        ("application/json", "{\"a\"", "400"),
        ("application/json", "hello", "400"),
        ("application/x-www-form-urlencoded", "{\"a\"", "400"),
        ("application/x-www-form-urlencoded", WRONG, "400"),
        ("application/x-www-form-urlencoded", GOOD, "200"),
        ("application/x-www-form-urlencoded", "a=b", "415"),
        ("image/png", "png", "415"),
    ] {
        let mut peer = std::net::TcpStream::connect(running.addresses()[0].to_string()).unwrap();
        let length = body.len();
        write!(peer, "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        let mut reply = String::new();
        peer.read_to_string(&mut reply).unwrap();
        assert!(reply.starts_with(&format!("HTTP/1.1 {status} ")), "{content_type} {body}: {reply}");
        assert_eq!(reply.contains("x-bd-error-code: 1003"), status != "200", "{reply}");
    }
}
