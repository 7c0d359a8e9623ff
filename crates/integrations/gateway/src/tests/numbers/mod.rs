//! Callers and servers of hulu_pbrpc, nova_pbrpc and public_pbrpc, which say a method's number, and of
//! sofa_pbrpc. The bytes of frames are the examples of docs/wire/hulu_pbrpc.md and the others.

mod frames;
mod loops;
mod names;

use super::*;
use crate::{Cluster, Routes, Schemas};
use polywire_call::{Code, Native, brpc};
use polywire_client::Target;
use polywire_machine_testing::hex;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};

const ECHO_SERVICE: &str = "example.EchoService";
const ECHO: Target = Target::fixed(ECHO_SERVICE, "Echo").at(0);
const LIST: Target = Target::fixed(ECHO_SERVICE, "List").at(1);
/// Those whose requests have a number.
const NUMBERED: [&str; 3] = ["hulu_pbrpc", "public_pbrpc", "nova_pbrpc"];

const PROTO: &str = r#"
syntax = "proto3";
package example;
message Text { string message = 1; }
service EchoService {
  rpc Echo(Text) returns (Text);
  rpc List(Text) returns (Text);
}
"#;

/// EchoRequest{message="hello"}
const HELLO: &[u8] = b"\x0a\x05hello";

struct One(&'static str);

impl FileResolver for One {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match name {
            "echo.proto" => File::from_source(name, self.0),
            _ => Err(protox::Error::file_not_found(name)),
        }
    }
}

fn schemas_of(source: &'static str) -> Schemas {
    let mut resolver = ChainFileResolver::new();
    resolver.add(One(source));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("echo.proto").expect("a file");
    Schemas::from_descriptor_set(&compiler.encode_file_descriptor_set()).expect("schemas")
}

fn by_schema(cluster: Cluster) -> Cluster {
    cluster.schemas(&schemas_of(PROTO))
}

fn by_list(cluster: Cluster) -> Cluster {
    cluster.methods(ECHO_SERVICE, &["Echo", "List"]).expect("names")
}

/// Its message, with its method before it for other methods than the first.
fn echo_service() -> Service {
    let list =
        method(
            "List",
            |call: Call| async move { Ok(ok([b"\x12\x04List", &call.body.to_vec()[..]].concat())) },
        );
    let echo =
        method(
            "Echo",
            |call: Call| async move { Ok(Outcome { attachment: call.attachment, ..ok(call.body) }) },
        );
    Service::new(ECHO_SERVICE, &[]).with(echo).with(list)
}

/// Servers behind that have this service, and a relay to them.
struct Old {
    net: Net<Lab>,
    behind: Served,
}

impl Old {
    fn new(back: &str, service: Service, known: impl FnOnce(Cluster) -> Cluster) -> Old {
        let net = Net::<Lab>::seeded(1);
        let behind = net.serve("behind:1", Server::<Lab>::new().service(service));
        let below = net.host("relay").builder("behind:1").protocol(back).build().expect("a channel");
        let cluster = known(Cluster::new(&below)).only_service(ECHO_SERVICE).expect("a name");
        let relay = Relay::to(cluster).unnamed_service(ECHO_SERVICE).expect("a name");
        net.serve("relay:1", Server::<Lab>::new().catch_all(relay));
        Old { net, behind }
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
async fn callers_with_numbers_reach_servers_with_names() {
    for (known, how) in [(by_schema as fn(Cluster) -> Cluster, "schema"), (by_list, "list")] {
        for front in NUMBERED {
            for back in ["grpc", "baidu_std", "connect", "sofa_pbrpc"] {
                let old = Old::new(back, echo_service(), known);
                let channel = old.channel(front);
                let reply = channel.call(ECHO, HELLO).await;
                let reply = reply.unwrap_or_else(|status| panic!("{front} to {back} by {how}: {status}"));
                assert_eq!(reply.body.to_vec(), HELLO, "{front} to {back}");
                let reply = channel.call(LIST, HELLO).await.expect("a reply");
                assert_eq!(reply.body.to_vec(), b"\x12\x04List\x0a\x05hello", "{front} to {back}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn callers_with_names_reach_servers_with_numbers() {
    for (known, how) in [(by_schema as fn(Cluster) -> Cluster, "schema"), (by_list, "list")] {
        for back in ["hulu_pbrpc", "public_pbrpc", "nova_pbrpc", "sofa_pbrpc"] {
            for front in
                ["grpc", "baidu_std", "connect", "sofa_pbrpc", "hulu_pbrpc", "public_pbrpc", "nova_pbrpc"]
            {
                let old = Old::new(back, echo_service(), known);
                let reply = old.channel(front).call(LIST, HELLO).await;
                let reply = reply.unwrap_or_else(|status| panic!("{front} to {back} by {how}: {status}"));
                assert_eq!(reply.body.to_vec(), b"\x12\x04List\x0a\x05hello", "{front} to {back}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn json_reaches_servers_with_numbers_by_schema() {
    for back in NUMBERED {
        let old = Old::new(back, echo_service(), by_schema);
        let reply = old.channel("http").call(ECHO, r#"{"message":"hello"}"#).content(Content::JSON).await;
        let reply = reply.unwrap_or_else(|status| panic!("{back}: {status}"));
        assert_eq!(reply.body.to_vec(), br#"{"message":"hello"}"#, "{back}");
    }
}

#[tokio::test(start_paused = true)]
async fn attachments_go_on_between_all_protocols_that_have_them() {
    for (front, back) in
        [("hulu_pbrpc", "hulu_pbrpc"), ("hulu_pbrpc", "baidu_std"), ("baidu_std", "hulu_pbrpc")]
    {
        let old = Old::new(back, echo_service(), by_list);
        let reply = old.channel(front).call(ECHO, HELLO).attachment("beside").await.expect("a reply");
        assert_eq!((reply.body.to_vec(), reply.attachment().to_vec()), (HELLO.to_vec(), b"beside".to_vec()));
    }
    for (front, back) in [("hulu_pbrpc", "grpc"), ("baidu_std", "sofa_pbrpc"), ("hulu_pbrpc", "nova_pbrpc")] {
        let old = Old::new(back, echo_service(), by_list);
        let status = old.channel(front).call(ECHO, HELLO).attachment("beside").await.unwrap_err();
        assert_eq!((status.code(), mark(&status)), (Code::Unimplemented, Some("translate")), "{status}");
        assert!(old.behind.connections().is_empty(), "{front} to {back}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_keeps_its_number_and_its_text_both_ways() {
    let service = || {
        let echo = method("Echo", |_| async { Err(brpc::status(1234, "no such lamp")) });
        Service::new(ECHO_SERVICE, &[]).with(echo)
    };
    for front in ["hulu_pbrpc", "public_pbrpc", "sofa_pbrpc", "baidu_std", "grpc"] {
        for back in ["hulu_pbrpc", "public_pbrpc", "sofa_pbrpc", "baidu_std", "grpc"] {
            let old = Old::new(back, service(), by_list);
            let status = old.channel(front).call(ECHO, HELLO).await.unwrap_err();
            if front != "grpc" && back != "grpc" {
                assert_eq!(status.native(), Native::Brpc(1234), "{front} to {back}: {status}");
            }
            assert_eq!(status.code(), Code::Unknown, "{front} to {back}: {status}");
            assert_eq!(status.message(), "no such lamp", "{front} to {back}");
            assert_eq!(mark(&status), None, "{front} to {back}");
        }
        // A connection that nova's server closes says nothing of why.
        let old = Old::new("nova_pbrpc", service(), by_list);
        let status = old.channel(front).call(ECHO, HELLO).await.unwrap_err();
        assert_eq!((status.code(), mark(&status)), (Code::Unknown, None), "{front}: {status}");
    }
    let status = Old::new("grpc", service(), by_list).channel("nova_pbrpc").call(ECHO, HELLO).await;
    assert_eq!(status.unwrap_err().native(), Native::Brpc(brpc::EEOF));
}
