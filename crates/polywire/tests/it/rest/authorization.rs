//! A policy knows calls by the names of methods, whatever a request over HTTP has asked for.

use super::{channel, start};
use polywire::{Channel, Code, Running, Server, Status, Target, authorization::Policy};

const GET_BOOK: Target = Target::fixed("library.v1.Library", "GetBook");
const DELETE_BOOK: Target = Target::fixed("library.v1.Library", "DeleteBook");
const BOOK: &str = "/v1/shelves/1/books/2";

fn serve(rules: &str) -> Running {
    let policy = Policy::from_json(&format!(r#"{{"name": "p", {rules}}}"#)).expect("a policy");
    start(Server::new().middleware(policy))
}

async fn by_path(channel: &Channel, verb: &str, path: &str, field: (&str, &str)) -> Result<(), Status> {
    let call = channel.call(Target::named("", path), "").metadata(":method", verb);
    call.metadata(field.0, field.1).await.map(|_| ())
}

#[track_caller]
fn is_refused(outcome: Result<impl Sized, Status>, shown: &str) -> bool {
    let Err(status) = outcome else { return false };
    assert_eq!(status.code(), Code::PermissionDenied, "{shown}: {status}");
    assert!(status.message().contains("unauthorized RPC request rejected"), "{shown}: {status}");
    true
}

#[tokio::test]
async fn a_policy_holds_for_rules_of_http_names_and_other_protocols() {
    let running = serve(
        r#""deny_rules": [{"name": "urls", "request": {"paths": ["/v1/*"]}},
                {"name": "tests", "request": {"headers": [{"key": "x-test", "values": ["*"]}]}}],
            "allow_rules": [{"name": "read", "request": {"paths": ["/library.v1.Library/GetBook"]}}]"#,
    );
    for protocol in ["http", "h2"] {
        let channel = channel(&running, protocol).await;
        for (verb, path, refused) in [
            ("GET", BOOK, false),
            ("GET", "/v1/books/2", false), // another rule of the same method
            ("DELETE", BOOK, true),
            ("GET", "/v1/shelves/1/titles", true),
            ("POST", "/library.v1.Library/GetBook", false),
            ("POST", "/library.v1.Library/DeleteBook", true),
        ] {
            let shown = format!("{protocol} {verb} {path}");
            assert_eq!(
                is_refused(by_path(&channel, verb, path, ("x-a", "1")).await, &shown),
                refused,
                "{shown}"
            );
        }
        assert!(is_refused(by_path(&channel, "GET", BOOK, ("X-Test", "1")).await, protocol));
    }
    for protocol in ["grpc", "baidu_std"] {
        let channel = channel(&running, protocol).await;
        assert!(!is_refused(channel.call(GET_BOOK, "").await, protocol));
        assert!(is_refused(channel.call(DELETE_BOOK, "").await, protocol));
        assert!(is_refused(channel.call(GET_BOOK, "").metadata("x-test", "1").await, protocol));
    }
    running.stop().await;
}

/// Plain HTTP knows no binary fields: the handler has their text, and so has the policy, as bytes.
#[tokio::test]
async fn a_binary_field_is_over_plain_http_the_text_that_was_sent() {
    let running = serve(
        r#""allow_rules": [
            {"name": "bytes", "request": {"headers": [{"key": "key-bin", "values": ["AP8="]}]}},
            {"name": "text", "request": {"headers": [{"key": "text-bin", "values": ["QVA4PQ=="]}]}}]"#,
    );
    let grpc = channel(&running, "grpc").await;
    assert!(!is_refused(grpc.call(GET_BOOK, "").metadata("key-bin", b"\0\xff").await, "bytes"));
    assert!(is_refused(grpc.call(GET_BOOK, "").metadata("text-bin", b"\0\xff").await, "bytes"));
    for protocol in ["http", "h2"] {
        let channel = channel(&running, protocol).await;
        // What gRPC sends for the bytes 0 and 255 is here the text `AP8=`.
        assert!(is_refused(by_path(&channel, "GET", BOOK, ("key-bin", "AP8=")).await, protocol));
        assert!(!is_refused(by_path(&channel, "GET", BOOK, ("text-bin", "AP8=")).await, protocol));
    }
    running.stop().await;
}
