//! Callers and servers of ubrpc and nshead_mcpack, whose messages are mcpack. The bytes of frames are the
//! examples of docs/wire/ubrpc.md, nshead_mcpack.md and mcpack.md; those of protobuf are by its encoding.

mod calls;
mod hostile;

use super::*;
use crate::{Cluster, Schemas};
use polywire_call::brpc;
use polywire_client::Target;
use polywire_machine_testing::hex;
use polywire_wire::Limits;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const ECHO_SERVICE: &str = "example.EchoService";
const ECHO: Target = Target::fixed(ECHO_SERVICE, "Echo");
const FULL: Target = Target::fixed(ECHO_SERVICE, "Full");

/// The options are those of brpc's `idl_options.proto`.
const PROTO: &str = r#"
syntax = "proto2";
package example;
import "google/protobuf/descriptor.proto";
extend google.protobuf.FieldOptions {
  optional int32 idl_type = 91001;
  optional int32 idl_on = 91002;
  optional string idl_name = 91003;
}
message EchoRequest { required string message = 1; repeated int32 nums = 2; }
message EchoResponse { required string message = 1; optional int32 code = 2; repeated int64 far = 3; }
message Item { optional string k = 1; optional int32 v = 2; repeated int64 tags = 3; }
message All {
  optional string message = 1;
  optional int32 code = 2;
  optional uint64 big = 3 [(idl_type) = 7];
  optional bool flag = 4;
  optional double d = 5;
  optional bytes bin = 6;
  repeated int32 nums = 7;
  repeated string strs = 8;
  repeated Item items = 9;
  optional Item one = 10 [(idl_name) = "uno"];
  repeated int32 on = 11 [(idl_on) = 1];
  optional All deeper = 12;
}
service EchoService {
  rpc Echo(EchoRequest) returns (EchoResponse);
  rpc Full(All) returns (All);
  rpc Watch(All) returns (stream All);
}
"#;

/// Another service of the same short name, and text that must be UTF-8.
const OTHER: &str = r#"
syntax = "proto3";
package other;
message Text { string text = 1; }
service EchoService { rpc Echo(Text) returns (Text); }
service Texts { rpc Put(Text) returns (Text); }
"#;

struct Two;

impl FileResolver for Two {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match name {
            "echo.proto" => File::from_source(name, PROTO),
            "other.proto" => File::from_source(name, OTHER),
            _ => Err(protox::Error::file_not_found(name)),
        }
    }
}

fn known(files: &[&str]) -> Schemas {
    Schemas::from_descriptor_set(&known_set(files)).expect("schemas")
}

fn known_set(files: &[&str]) -> Vec<u8> {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Two);
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_files(files).expect("files");
    compiler.encode_file_descriptor_set()
}

/// ubrpc.md, example 1: EchoService.Echo({message="hello", nums=[1,2]}), by ubrpc_compack.
const UBRPC_REQUEST: &str = "00 00 e8 03 00 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         c1 00 00 00 10 00 bb 00 00 00 02 00 00 00 10 07
         12 00 00 00 68 65 61 64 65 72 00 01 00 00 00 31
         0b 63 6f 6e 6e 65 63 74 69 6f 6e 00 01 20 08 8a
         00 00 00 63 6f 6e 74 65 6e 74 00 01 00 00 00 10
         00 80 00 00 00 04 00 00 00 d0 0d 0c 73 65 72 76
         69 63 65 5f 6e 61 6d 65 00 45 63 68 6f 53 65 72
         76 69 63 65 00 18 03 69 64 00 01 00 00 00 01 00
         00 00 d0 07 05 6d 65 74 68 6f 64 00 45 63 68 6f
         00 10 07 37 00 00 00 70 61 72 61 6d 73 00 01 00
         00 00 10 04 29 00 00 00 72 65 71 00 02 00 00 00
         d0 08 06 6d 65 73 73 61 67 65 00 68 65 6c 6c 6f
         00 30 05 09 00 00 00 6e 75 6d 73 00 14 01 00 00
         00 02 00 00 00";
/// Example 2: a reply, {message="hello", code=-5}.
const UBRPC_REPLY: &str = "00 00 e8 03 00 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         75 00 00 00 10 00 6f 00 00 00 01 00 00 00 20 08
         5d 00 00 00 63 6f 6e 74 65 6e 74 00 01 00 00 00
         10 00 53 00 00 00 02 00 00 00 18 03 69 64 00 01
         00 00 00 01 00 00 00 10 0e 2e 00 00 00 72 65 73
         75 6c 74 5f 70 61 72 61 6d 73 00 01 00 00 00 10
         04 20 00 00 00 72 65 73 00 02 00 00 00 d0 08 06
         6d 65 73 73 61 67 65 00 68 65 6c 6c 6f 00 14 05
         63 6f 64 65 00 fb ff ff ff";
/// Example 3: a failure, 1234.
const UBRPC_FAILURE: &str = "00 00 e8 03 00 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         75 00 00 00 10 00 6f 00 00 00 01 00 00 00 20 08
         5d 00 00 00 63 6f 6e 74 65 6e 74 00 01 00 00 00
         10 00 53 00 00 00 02 00 00 00 18 03 69 64 00 01
         00 00 00 01 00 00 00 10 06 36 00 00 00 65 72 72
         6f 72 00 02 00 00 00 14 05 63 6f 64 65 00 d2 04
         00 00 d0 08 1c 6d 65 73 73 61 67 65 00 5b 31 32
         37 2e 30 2e 30 2e 31 3a 39 32 30 35 5d 5b 45 31
         32 33 34 5d 62 6f 6f 6d 00";
/// nshead_mcpack.md, example 1: {message="hi", nums=[1,2]}, log_id 123.
const NSHEAD_REQUEST: &str = "00 00 00 00 7b 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         33 00 00 00 10 00 2d 00 00 00 02 00 00 00 d0 08
         03 6d 65 73 73 61 67 65 00 68 69 00 20 05 10 00
         00 00 6e 75 6d 73 00 02 00 00 00 14 00 01 00 00
         00 14 00 02 00 00 00";
/// Example 2: {message="hello", code=-5}, in reply to a request whose head has the log_id 123.
const NSHEAD_REPLY: &str = "00 00 00 00 7b 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         26 00 00 00 10 00 20 00 00 00 02 00 00 00 d0 08
         06 6d 65 73 73 61 67 65 00 68 65 6c 6c 6f 00 14
         05 63 6f 64 65 00 fb ff ff ff";
/// The messages of both replies, and of the request over ubrpc.
const REPLY_MESSAGE: std::ops::RangeFrom<usize> = 121..;
const REQUEST_MESSAGE: std::ops::RangeFrom<usize> = 188..;

/// `{message="hello", code=-5}` and `{message="hello", nums=[1,2]}` in protobuf.
const REPLY: &[u8] = b"\x0a\x05hello\x10\xfb\xff\xff\xff\xff\xff\xff\xff\xff\x01";
const REQUEST: &[u8] = b"\x0a\x05hello\x10\x01\x10\x02";

/// mcpack.md, example 1: the message of its section about protobuf.
const ALL: &str = "10 00 fb 00 00 00 0b 00 00 00 d0 08 06 6d 65 73
         73 61 67 65 00 68 65 6c 6c 6f 00 14 05 63 6f 64
         65 00 fb ff ff ff 24 04 62 69 67 00 07 00 00 00
         31 05 66 6c 61 67 00 01 48 02 64 00 00 00 00 00
         00 00 f8 3f e0 04 02 62 69 6e 00 01 02 20 05 10
         00 00 00 6e 75 6d 73 00 02 00 00 00 14 00 01 00
         00 00 14 00 fe ff ff ff 20 05 0f 00 00 00 73 74
         72 73 00 02 00 00 00 d0 00 02 61 00 d0 00 03 62
         63 00 20 06 51 00 00 00 69 74 65 6d 73 00 02 00
         00 00 10 00 36 00 00 00 03 00 00 00 d0 02 02 6b
         00 78 00 14 02 76 00 03 00 00 00 20 05 18 00 00
         00 74 61 67 73 00 02 00 00 00 18 00 09 00 00 00
         00 00 00 00 18 00 0a 00 00 00 00 00 00 00 10 00
         0b 00 00 00 01 00 00 00 d0 02 02 6b 00 79 00 10
         04 0b 00 00 00 75 6e 6f 00 01 00 00 00 d0 02 02
         6b 00 6f 00 20 03 04 00 00 00 6f 6e 00 00 00 00
         00";
/// The same in protobuf.
const ALL_WIRE: &[u8] = b"\x0a\x05hello\x10\xfb\xff\xff\xff\xff\xff\xff\xff\xff\x01\x18\x07\x20\x01\
    \x29\x00\x00\x00\x00\x00\x00\xf8\x3f\x32\x02\x01\x02\x38\x01\x38\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\
    \x42\x01a\x42\x02bc\x4a\x09\x0a\x01x\x10\x03\x18\x09\x18\x0a\x4a\x03\x0a\x01y\x52\x03\x0a\x01o";

/// Servers behind, which have this method, and a relay to them; messages have at most 64 KiB there.
struct Old {
    net: Net<Lab>,
    served: Arc<AtomicUsize>,
}

impl Old {
    fn new<F, H>(back: &'static str, schemas: Option<&Schemas>, name: &'static str, handler: F) -> Old
    where
        F: Fn(Call) -> H + Send + Sync + 'static,
        H: Future<Output = Result<Outcome, Status>> + Send + 'static,
    {
        let (net, served) = (Net::<Lab>::seeded(1), Arc::new(AtomicUsize::new(0)));
        let count = served.clone();
        let counted = method(name, move |call: Call| {
            count.fetch_add(1, Relaxed);
            handler(call)
        });
        net.serve("behind:1", Server::<Lab>::new().service(Service::new(ECHO_SERVICE, &[]).with(counted)));
        let below = net.host("relay").builder("behind:1").protocol(back).build().expect("a channel");
        let cluster = schemas.iter().fold(Cluster::new(&below), |cluster, schemas| cluster.schemas(schemas));
        let relay = Relay::to(cluster.only(ECHO_SERVICE, name).expect("names"));
        let relay = relay.nameless(ECHO_SERVICE, name).expect("names");
        let mut limits = Limits::default();
        limits.max_message = 64 << 10;
        net.serve("relay:1", Server::<Lab>::new().catch_all(relay).limits(limits));
        Old { net, served }
    }

    fn channel(&self, protocol: &str) -> Channel<Lab> {
        self.net.builder("relay:1").protocol(protocol).build().expect("a channel")
    }

    /// See [`send`].
    async fn sends(&self, bytes: &str, expected: usize) -> Vec<u8> {
        send(&self.net, &hex(bytes), expected).await
    }
}

#[tokio::test(start_paused = true)]
async fn foreign_frames_of_ubrpc_reach_servers_of_protobuf_and_get_foreign_frames_back() {
    for back in ["baidu_std", "grpc", "connect"] {
        let old = Old::new(back, Some(&known(&["echo.proto"])), "Echo", |call: Call| async move {
            assert_eq!((call.content, call.body.to_vec()), (Content::PROTOBUF, REQUEST.to_vec()));
            Ok(ok(REPLY))
        });
        let reply = hex(UBRPC_REPLY);
        assert_eq!(old.sends(UBRPC_REQUEST, reply.len()).await, reply, "{back}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_of_the_server_is_an_error_in_the_form_of_ubrpc() {
    let old = Old::new("baidu_std", Some(&known(&["echo.proto"])), "Echo", |_| async {
        Err(brpc::status(1234, "[127.0.0.1:9205][E1234]boom"))
    });
    let failure = hex(UBRPC_FAILURE);
    assert_eq!(old.sends(UBRPC_REQUEST, failure.len()).await, failure);
}

#[tokio::test(start_paused = true)]
async fn foreign_frames_of_nshead_mcpack_are_calls_of_the_method_that_the_relay_is_told() {
    let schemas = known(&["echo.proto"]);
    let old = Old::new("grpc", Some(&schemas), "Echo", |call: Call| async move {
        assert_eq!(call.body.to_vec(), b"\x0a\x02hi\x10\x01\x10\x02");
        assert_eq!(call.cx.metadata().get_str("log-id"), Some("123"));
        Ok(ok(REPLY))
    });
    let reply = hex(NSHEAD_REPLY);
    assert_eq!(old.sends(NSHEAD_REQUEST, reply.len()).await, reply);
    // The protocol has no failures.
    let fails = Old::new("grpc", Some(&schemas), "Echo", |_| async { Err(Status::not_found("")) });
    assert_eq!(fails.sends(NSHEAD_REQUEST, 1).await, b"");
    assert_eq!(fails.served.load(Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn frames_without_a_name_go_nowhere_unless_the_relay_is_told_where() {
    let net = Net::<Lab>::seeded(1);
    let below = net.host("relay").builder("behind:1").protocol("grpc").build().expect("a channel");
    let served = net.serve("relay:1", Server::<Lab>::new().catch_all(Relay::to(below)));
    let mut stream = net.host("caller").connect("relay:1").await.expect("a connection");
    stream.write_all(&hex(NSHEAD_REQUEST)).await.expect("it is read");
    assert_eq!(stream.read(&mut [0]).await.expect("an end"), 0);
    drop(served);
}

/// Names, types and empty fields as the options of the `.proto` file say.
#[tokio::test(start_paused = true)]
async fn options_of_the_idl_are_respected_both_ways() {
    let schemas = known(&["echo.proto"]);
    let body = hex(ALL)[6..].to_vec();
    for front in ["ubrpc_mcpack2", "nshead_mcpack"] {
        let old = Old::new("baidu_std", Some(&schemas), "Full", |call: Call| async move {
            assert_eq!(call.body.to_vec(), ALL_WIRE);
            Ok(ok(ALL_WIRE))
        });
        let reply = old.channel(front).call(FULL, body.clone()).await.expect("a reply");
        assert_eq!((reply.content, reply.body.to_vec()), (Content::MCPACK, body.clone()), "{front}");
    }
    // The other way round: servers of mcpack, callers of protobuf and of JSON.
    for back in ["ubrpc_mcpack2", "nshead_mcpack"] {
        let expected = body.clone();
        let old = Old::new(back, Some(&schemas), "Full", move |call: Call| {
            let body = expected.clone();
            async move {
                assert_eq!((call.content, call.body.to_vec()), (Content::MCPACK, body.clone()));
                Ok(Outcome { content: Content::MCPACK, ..ok(body) })
            }
        });
        for front in ["grpc", "baidu_std", "connect"] {
            let reply = old.channel(front).call(FULL, ALL_WIRE).await;
            let reply = reply.unwrap_or_else(|status| panic!("{front} to {back}: {status}"));
            assert_eq!(reply.body.to_vec(), ALL_WIRE, "{front} to {back}");
        }
        let json = br#"{"message":"hello","code":-5,"big":7,"flag":true,"d":1.5,"bin":"AQI=","nums":[1,-2],"strs":["a","bc"],"items":[{"k":"x","v":3,"tags":[9,10]},{"k":"y"}],"one":{"k":"o"}}"#;
        let reply = old.channel("http").call(FULL, &json[..]).content(Content::JSON).await.expect("a reply");
        assert_eq!(String::from_utf8_lossy(&reply.body.to_vec()), String::from_utf8_lossy(json), "{back}");
    }
}

#[tokio::test(start_paused = true)]
async fn messages_of_mcpack_and_compack_go_on_unread_to_servers_of_either() {
    for (front, back) in [
        ("ubrpc_mcpack2", "ubrpc_mcpack2"),
        ("ubrpc_mcpack2", "ubrpc_compack"),
        ("ubrpc_compack", "nshead_mcpack"),
        ("nshead_mcpack", "ubrpc_mcpack2"),
    ] {
        let old = Old::new(back, None, "Echo", |call: Call| async move {
            Ok(Outcome { content: Content::MCPACK, ..ok(call.body) })
        });
        let body = hex(UBRPC_REQUEST)[REQUEST_MESSAGE].to_vec();
        let reply = old.channel(front).call(ECHO, body.clone()).await;
        assert_eq!(reply.expect("a reply").body.to_vec(), body, "{front} to {back}");
    }
}
