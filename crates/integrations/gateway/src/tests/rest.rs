//! Requests of plain HTTP by rules of `google.api.http`, for servers behind that know nothing of them. The
//! bytes of protobuf are written by hand from protobuf.dev, programming-guides/encoding.

use super::*;
use crate::{Calls, Cluster, Routes, Schemas};
use polywire_testkit::Net;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const PROTO: &str = r#"
syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
import "google/api/httpbody.proto";
service Orders {
  rpc Get(Order) returns (Order) {
    option (google.api.http) = {
      get: "/v1/{name=shelves/*/orders/*}"
      additional_bindings { get: "/v2/orders/{name}" response_body: "lines" }
    };
  }
  rpc Place(Order) returns (Order) {
    option (google.api.http) = { post: "/v1/orders:place" body: "*" };
  }
  rpc Change(Order) returns (Order) {
    option (google.api.http) = { patch: "/v1/orders/{count}" body: "inner" };
  }
  rpc Watch(Order) returns (stream Order) {
    option (google.api.http) = { get: "/v1/watch/{name}" };
  }
  rpc Paint(Order) returns (google.api.HttpBody) {
    option (google.api.http) = { get: "/v1/pictures/{name}" };
  }
  rpc Upload(google.api.HttpBody) returns (Order) {
    option (google.api.http) = { put: "/v1/pictures" body: "*" };
  }
  rpc Wrong(Order) returns (Order) {
    option (google.api.http) = { get: "/v1/{nothing}" };
  }
  rpc Catch(Order) returns (Order) {
    option (google.api.http) = { post: "/shop.v1.Orders/{name}" body: "*" };
  }
  rpc Taken(Order) returns (Order) {
    option (google.api.http) = { custom { kind: "*" path: "/v1/orders:place" } body: "*" };
  }
}
message Order {
  string name = 1;
  int32 count = 2;
  Order inner = 3;
  repeated int32 lines = 4;
  int64 long_id = 5;
}
"#;

/// The file `orders.proto`, and those that it may import.
struct Files(String);

impl FileResolver for Files {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        let text = match name {
            "orders.proto" => &self.0,
            "google/api/annotations.proto" => {
                include_str!("../../../../codegen/proto/src/google/annotations.proto")
            }
            "google/api/http.proto" => include_str!("../../../../codegen/proto/src/google/http.proto"),
            "google/api/httpbody.proto" => {
                include_str!("../../../../codegen/proto/src/google/httpbody.proto")
            }
            _ => return Err(protox::Error::file_not_found(name)),
        };
        File::from_source(name, text)
    }
}

fn known() -> Schemas {
    let schemas = schemas(PROTO.to_owned());
    assert_eq!(schemas.count_rules(), (8, 2));
    let left_out = schemas.left_out_rules();
    assert!(
        left_out[0].starts_with("HTTP rule \"GET /v1/{nothing}\" of shop.v1.Orders/Wrong: "),
        "{left_out:?}"
    );
    let taken = "HTTP rule \"* /v1/orders:place\" of shop.v1.Orders/Taken: shop.v1.Orders/Place takes the same requests";
    assert_eq!(left_out[1..], [taken]);
    schemas
}

fn schemas(orders: String) -> Schemas {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Files(orders));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("orders.proto").expect("a file");
    Schemas::from_descriptor_set(&compiler.encode_file_descriptor_set()).expect("schemas")
}

/// A relay in front of a server with this method, which has its names alone.
struct Shop {
    net: Net<Lab>,
    _behind: Served,
}

fn shop(back: &str, method: Method) -> Shop {
    let net = Net::seeded(1);
    let behind = net.serve("behind:1", Server::<Lab>::new().service(Service::new(SERVICE, &[]).with(method)));
    let below = net.host("relay").builder("behind:1").protocol(back).build().expect("a channel");
    let relay = Relay::to(Cluster::new(&below).schemas(&known()));
    net.serve("relay:1", Server::<Lab>::new().catch_all(relay));
    Shop { net, _behind: behind }
}

impl Shop {
    /// The head and the body of the answer to a request, which ends the connection.
    async fn ask(&self, line: &str, content_type: &str, body: &str) -> (String, String) {
        self.ask_at("relay:1", line, content_type, body).await
    }

    async fn ask_at(&self, relay: &str, line: &str, content_type: &str, body: &str) -> (String, String) {
        let mut stream = self.net.host("browser").connect(relay).await.expect("a connection");
        let length = body.len();
        let fields = format!("host: a\r\nconnection: close\r\ncontent-length: {length}\r\n{content_type}");
        let request = format!("{line} HTTP/1.1\r\n{fields}\r\n{body}");
        stream.write_all(request.as_bytes()).await.expect("room");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("an answer");
        let answer = String::from_utf8(answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        (head.to_owned(), body.to_owned())
    }
}

/// A method that expects this message, and answers with that one.
fn expects(name: &'static str, request: &'static [u8], reply: &'static [u8]) -> Method {
    method(name, move |call: Call| async move {
        assert_eq!(call.body.to_vec(), request);
        Ok(ok(reply))
    })
}

const JSON: &str = "content-type: application/json\r\n";

#[tokio::test(start_paused = true)]
async fn path_query_and_body_are_the_fields_of_a_message_in_protobuf() {
    for back in ["grpc", "baidu_std", "connect"] {
        let get = || expects("Get", b"\x10\x07\x0a\x14shelves/1/orders/a b", b"\x0a\x01x\x22\x02\x01\x02");
        let (head, body) = shop(back, get()).ask("GET /v1/shelves/1/orders/a%20b?count=7", "", "").await;
        assert!(head.starts_with("HTTP/1.1 200 "), "{back}: {head}");
        assert!(head.contains("\r\nContent-Type: application/json"), "{head}");
        assert_eq!(body, r#"{"name":"x","lines":[1,2]}"#, "{back}");

        let get = expects("Get", b"\x0a\x01q", b"\x0a\x01x\x22\x02\x01\x02");
        let (_, body) = shop(back, get).ask("GET /v2/orders/q", "", "").await;
        assert_eq!(body, "[1,2]", "{back}: the field that is the body");

        let place = expects("Place", b"\x0a\x01n\x10\x05", b"");
        let (head, body) =
            shop(back, place).ask("POST /v1/orders:place", JSON, r#"{"name":"n","count":5}"#).await;
        assert!(head.starts_with("HTTP/1.1 200 ") && body == "{}", "{back}: {head}\n{body}");

        let change = expects("Change", b"\x1a\x03\x0a\x01n\x10\x09", b"\x28\x07");
        let (_, body) = shop(back, change).ask("PATCH /v1/orders/9", JSON, r#"{"name":"n"}"#).await;
        let id = if back == "baidu_std" { r#"{"long_id":7}"# } else { r#"{"longId":"7"}"# };
        assert_eq!(body, id, "{back}: the mapping of the servers");
    }
}

#[tokio::test(start_paused = true)]
async fn servers_of_json_get_the_message_as_json() {
    let get = method("Get", |call: Call| async move {
        assert_eq!(call.body.to_vec(), br#"{"name":"q","count":3}"#);
        Ok(Outcome { content: Content::PROTO_JSON, ..ok(r#"{"lines":[4]}"#) })
    });
    let (head, body) = shop("connect:json", get).ask("GET /v2/orders/q?count=3", "", "").await;
    assert!(head.starts_with("HTTP/1.1 200 ") && body == "[4]", "{head}\n{body}");
}

#[tokio::test(start_paused = true)]
async fn bodies_of_bytes_are_passed_with_their_content_type() {
    let paint = expects("Paint", b"\x0a\x01p", b"\x0a\x09image/png\x12\x03PNG");
    let (head, body) = shop("grpc", paint).ask("GET /v1/pictures/p", "", "").await;
    assert!(head.contains("\r\nContent-Type: image/png"), "{head}");
    assert_eq!(body, "PNG");
    let upload = expects("Upload", b"\x0a\x09image/gif\x12\x03GIF", b"\x10\x03");
    let (head, body) =
        shop("grpc", upload).ask("PUT /v1/pictures", "content-type: image/gif\r\n", "GIF").await;
    assert!(head.starts_with("HTTP/1.1 200 ") && body == r#"{"count":3}"#, "{head}\n{body}");
}

#[tokio::test(start_paused = true)]
async fn replies_that_stream_are_lines() {
    let watch = streaming("Watch", |mut call: Call| async move {
        let (mut source, mut sink) = call.stream.take().expect("a stream");
        assert_eq!(source.next().await.transpose()?.expect("a message").bytes.to_vec(), b"\x0a\x01w");
        sink.answer(polywire_wire::Answer::default());
        for wire in [&b"\x10\x01"[..], b"\x10\x02"] {
            sink.send(polywire_wire::Part::message(wire.into())).await?;
        }
        Ok(Outcome::default())
    });
    let (head, body) = shop("grpc", watch).ask("GET /v1/watch/w", "", "").await;
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    assert!(body.contains("{\"count\":1}\n") && body.contains("{\"count\":2}\n"), "{body}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_without_messages_has_the_content_type_of_one_with_some() {
    for (accept, content_type) in
        [("", "application/jsonl"), ("accept: text/event-stream\r\n", "text/event-stream")]
    {
        let watch = streaming("Watch", |_| async { Ok(Outcome::default()) });
        let (head, body) = shop("grpc", watch).ask("GET /v1/watch/w", accept, "").await;
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        assert!(head.to_lowercase().contains(&format!("\r\ncontent-type: {content_type}")), "{head}");
        assert!(!body.contains("count"), "{body}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_does_not_fit_a_rule_is_refused_and_not_sent() {
    let never = || method("Change", |_| async { panic!("nothing is to be sent") });
    for (line, content_type, body, code, said) in [
        ("PATCH /v1/orders/many", JSON, "{}", 400, "count"),
        ("PATCH /v1/orders/1?long_id=x", JSON, "{}", 400, "long_id"),
        ("PATCH /v1/orders/1", JSON, "[", 400, "JSON at byte"),
        ("PATCH /v1/orders/1", "content-type: text/plain\r\n", "hello", 415, "neither JSON"),
        ("PATCH /v1//orders/1", JSON, "{}", 404, "Fail to find method"),
    ] {
        let (head, answer) = shop("grpc", never()).ask(line, content_type, body).await;
        assert!(head.starts_with(&format!("HTTP/1.1 {code} ")), "{line}: {head}\n{answer}");
        assert!(answer.contains(said), "{line}: {answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn another_verb_is_answered_with_those_that_the_rules_of_a_path_have() {
    let shop = shop("grpc", method("Get", |_| async { panic!("nothing is to be sent") }));
    for (line, allow) in [
        ("GET /v1/orders/1", "PATCH"),
        ("DELETE /v1/shelves/1/orders/2", "GET"),
        ("PUT /v1/orders:place", "POST"),
        ("PUT /shop.v1.Orders/Get", "POST"),
    ] {
        let (head, body) = shop.ask(line, "", "").await;
        assert!(head.starts_with("HTTP/1.1 405 "), "{line}: {head}\n{body}");
        assert!(
            head.to_lowercase().contains(&format!("\r\nallow: {}", allow.to_lowercase())),
            "{line}: {head}"
        );
        assert!(body.contains(&format!("send {allow}")), "{line}: {body}");
        let (_, path) = line.split_once(' ').expect("a verb");
        let (head, _) = shop.ask(&format!("OPTIONS {path}"), "", "").await;
        assert!(head.starts_with("HTTP/1.1 204 "), "{path}: {head}");
    }
}

/// `POST /v1/nothing` has the form of a call of service `v1`.
#[tokio::test(start_paused = true)]
async fn the_beginning_of_the_paths_of_rules_is_no_service_unless_a_route_names_it() {
    let shop = shop("grpc", method("Get", |_| async { panic!("nothing is to be sent") }));
    for line in ["GET /v1/nothing", "POST /v1/nothing", "DELETE /v2/nothing"] {
        let (head, body) = shop.ask(line, "", "").await;
        assert!(head.starts_with("HTTP/1.1 404 ") && body.contains("Fail to find method"), "{head}\n{body}");
    }
    let (head, body) = shop.ask("POST /v3/nothing", JSON, "{}").await;
    assert!(
        head.starts_with("HTTP/1.1 404 ") && body.contains("schema of v3 is not known"),
        "{head}\n{body}"
    );

    let below = shop.net.host("relay").builder("behind:1").protocol("grpc").build().expect("a channel");
    let cluster = Cluster::new(&below).schemas(&known());
    let routes = Routes::new().to("v1".parse().expect("calls"), cluster.clone()).expect("a route");
    let routes = routes.to("*".parse().expect("calls"), cluster).expect("a route");
    shop.net.serve("relay:2", Server::<Lab>::new().catch_all(Relay::by(routes)));
    let (head, body) = shop.ask_at("relay:2", "POST /v1/nothing", JSON, "{}").await;
    assert!(
        head.starts_with("HTTP/1.1 404 ") && body.contains("schema of v1 is not known"),
        "{head}\n{body}"
    );
}

/// Else the rules of one server could take the calls of another.
#[tokio::test(start_paused = true)]
async fn a_method_that_is_known_by_its_names_comes_before_rules() {
    let place = || expects("Place", b"\x10\x05", b"");
    let (head, body) = shop("grpc", place()).ask("POST /shop.v1.Orders/Place", JSON, r#"{"count":5}"#).await;
    assert!(head.starts_with("HTTP/1.1 200 ") && body == "{}", "{head}\n{body}");
    let catch = expects("Catch", b"\x10\x05\x0a\x05Other", b"");
    let (head, body) = shop("grpc", catch).ask("POST /shop.v1.Orders/Other", JSON, r#"{"count":5}"#).await;
    assert!(head.starts_with("HTTP/1.1 200 ") && body == "{}", "{head}\n{body}");
}

/// The rules of a cluster are for the methods that its routes lead to.
#[tokio::test(start_paused = true)]
async fn a_rule_of_a_method_that_no_route_is_for_is_none() {
    let net = Net::<Lab>::seeded(1);
    let _behind = net.serve("behind:1", Server::<Lab>::new());
    let below = net.host("relay").builder("behind:1").protocol("grpc").build().expect("a channel");
    let calls: Calls = "shop.v1.Orders/Place".parse().expect("calls");
    let routes = Routes::new().to(calls, Cluster::new(&below).schemas(&known())).expect("a route");
    net.serve("relay:1", Server::<Lab>::new().catch_all(Relay::by(routes)));
    let shop = Shop { net, _behind };
    let (head, body) = shop.ask("GET /v2/orders/q", "", "").await;
    assert!(
        head.starts_with("HTTP/1.1 404 ") && body.contains("Fail to find method on /v2"),
        "{head}\n{body}"
    );
    let (_, body) = shop.ask("POST /v1/orders:place", JSON, "{}").await;
    assert!(body.contains("Fail to find method=shop.v1.Orders/Place"), "the server behind: {body}");
}

/// What a server says by reflection is somebody else's.
#[test]
fn rules_beyond_the_limits_are_left_out() {
    let of = |methods: usize, rule: &dyn Fn(usize) -> String| {
        let methods: String = (0..methods)
            .map(|k| format!("rpc M{k}(E) returns (E) {{ option (google.api.http) = {{ {} }}; }}\n", rule(k)))
            .collect();
        let head = "syntax = \"proto3\"; package a; import \"google/api/annotations.proto\"; message E {}";
        schemas(format!("{head}\nservice S {{ {methods} }}")).count_rules()
    };
    let more = |n: usize| {
        let more = (0..n).map(|k| format!("additional_bindings {{ get: \"/b{k}\" }}"));
        format!("get: \"/a\" {}", more.collect::<String>())
    };
    assert_eq!(of(1, &|_| more(99)), (100, 0));
    assert_eq!(of(1, &|_| more(100)), (0, 1), "one option has too many");
    let of_each = |method: usize| {
        let more = (1..100).map(|k| format!("additional_bindings {{ get: \"/m{method}/{k}\" }}"));
        format!("get: \"/m{method}\" {}", more.collect::<String>())
    };
    assert_eq!(of(101, &of_each), (10_000, 100));
    let long = |method: usize| format!("get: \"/m{method}{}\"", "/a".repeat(99));
    assert_eq!(of(1010, &long), (1000, 10));
    let deep = |segments: usize| of(1, &|_| format!("get: \"{}\"", "/a".repeat(segments)));
    assert_eq!((deep(128), deep(129)), ((1, 0), (0, 1)));
    assert_eq!(of(1, &|_| format!("get: \"/{}\"", "a".repeat(5000))), (0, 1), "a long path");
}
