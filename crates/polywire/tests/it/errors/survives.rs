//! Which parts of a failure and of a reply's fields arrive, by protocol: the table of docs/errors.md. Also
//! which failures are retried.

use polywire::{
    Channel, Code, Content, Handler, Method, Native, Origin, Server, Service, Started, Status, Target, brpc,
    handler::{Call, Outcome},
};
use polywire_engine::Engine;
use std::{
    net::TcpListener,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    time::Duration,
};
use tokio::sync::Semaphore;

/// A protocol, and what it carries besides the code.
struct Row {
    protocol: &'static str,
    content: Content,
    codes: Codes,
    text: bool,
    details: bool,
    /// Whether fields arrive of a failed reply, and of a successful one.
    fields: (bool, bool),
    /// Whether a client can tell a server that refuses a call unread from a handler that fails.
    refusals: bool,
}

#[derive(PartialEq)]
enum Codes {
    All,
    None,
}

const ALL: Row = Row {
    protocol: "",
    content: Content::PROTOBUF,
    codes: Codes::All,
    text: true,
    details: true,
    fields: (true, true),
    refusals: true,
};
/// The text for that.
const CLOSED: &str = "the server closed the connection in place of a reply";
/// The server closes the connection instead of replying.
const NOTHING: Row =
    Row { codes: Codes::None, text: false, details: false, fields: (false, false), refusals: false, ..ALL };

const TABLE: [Row; 16] = [
    Row { protocol: "baidu_std", ..ALL },
    Row { protocol: "http", ..ALL },
    Row { protocol: "http:proto", ..ALL },
    Row { protocol: "h2", ..ALL },
    Row { protocol: "grpc", refusals: false, ..ALL },
    Row { protocol: "grpc-web", refusals: false, ..ALL },
    Row { protocol: "connect", refusals: false, ..ALL },
    Row { protocol: "zmtp", ..ALL },
    Row { protocol: "sofa_pbrpc", ..ALL },
    Row { protocol: "hulu_pbrpc", ..ALL },
    Row { protocol: "fb_rpc", content: Content::FLATBUFFERS, ..ALL },
    Row { protocol: "public_pbrpc", ..ALL },
    Row { protocol: "ubrpc_mcpack2", content: Content::MCPACK, ..ALL },
    Row { protocol: "ubrpc_compack", content: Content::MCPACK, ..ALL },
    Row { protocol: "nova_pbrpc", ..NOTHING },
    Row { protocol: "nshead_mcpack", content: Content::MCPACK, ..NOTHING },
];

/// google.rpc.Status of NOT_FOUND with the detail `a.B`, so that Connect, which says details one by one,
/// gives it back.
pub(super) fn details(code: Code, text: &str) -> Vec<u8> {
    let any = b"\x0a\x17type.googleapis.com/a.B\x12\x02\x08\x01";
    let mut status = vec![0x08, code as u8, 0x12, text.len() as u8];
    status.extend_from_slice(text.as_bytes());
    status.extend_from_slice(&[0x1a, any.len() as u8]);
    status.extend_from_slice(any);
    status
}

type Script = Arc<dyn Fn() -> Outcome + Send + Sync>;

struct Plays {
    script: Script,
    count: Arc<AtomicU32>,
}
impl Handler for Plays {
    fn start(&self, _: Call) -> Started {
        self.count.fetch_add(1, SeqCst);
        Started::Ready((self.script)())
    }
}

/// Makes one call to a server whose handler ends with this outcome. Returns the result, and how often the
/// handler ran.
fn call(row: &Row, script: impl Fn() -> Outcome + Send + Sync + 'static) -> (Result<Fields, Status>, u32) {
    let (script, count): (Script, _) = (Arc::new(script), Arc::new(AtomicU32::new(0)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let method = {
            let count = count.clone();
            Method::new("Play", move || Box::new(Plays { script: script.clone(), count: count.clone() }))
        };
        let method = method.id(number());
        let engine = Engine::builder().shards(1).workers(1).build().unwrap();
        let server = Server::new().service(Service::new("test.Plays", &[]).with(method)).engine(&engine);
        let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
        let address = running.addresses()[0].to_string();
        let channel = Channel::builder(address).protocol(row.protocol).timeout(Duration::from_secs(60));
        let channel = channel.build().unwrap();
        let target = Target::fixed("test.Plays", "Play").at(0);
        let call = channel.call(target, body(row.content)).content(row.content).retries(3);
        let reply = call.await.map(|reply| {
            let of = |fields: &polywire::Metadata| -> Fields {
                fields.iter().map(|(name, value)| (name.to_owned(), value.to_vec())).collect()
            };
            [of(reply.headers()), of(reply.metadata())].concat()
        });
        (reply, count.load(SeqCst))
    })
}

/// Service `test.Plays`, first method, for fb_rpc.
fn number() -> u64 {
    polywire::generated::method_id("test.Plays", 0)
}

/// A message that the protocol can carry.
fn body(content: Content) -> Vec<u8> {
    match content {
        Content::MCPACK => vec![0, 0, 0, 0], // an empty object
        Content::FLATBUFFERS => vec![0; 8],
        _ => Vec::new(),
    }
}

type Fields = Vec<(String, Vec<u8>)>;

fn has(fields: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<[u8]>)>, name: &str) -> bool {
    fields.into_iter().any(|(other, value)| other.as_ref() == name && value.as_ref() == b"kept")
}

fn metadata(name: &str) -> Option<Box<polywire::Metadata>> {
    Some(Box::new([(name, "kept")].into_iter().collect()))
}

#[test]
fn a_failure_arrives_as_the_table_says_and_is_no_reason_to_try_again() {
    for row in TABLE {
        for code in Code::ALL.into_iter().skip(1) {
            let protocol = row.protocol;
            let said = Status::new(code, "why").with_details(details(code, "why"));
            let script = move || Outcome {
                status: said.clone(),
                headers: metadata("x-before"),
                trailers: metadata("x-behind"),
                ..Outcome::default()
            };
            let (reply, ran) = call(&row, script);
            let status = reply.expect_err(protocol);
            assert_eq!(ran, 1, "{protocol} {code}: {status:?}");
            assert_eq!(status.origin(), Origin::Remote, "{protocol} {code}");
            let wanted = if row.codes == Codes::All { code } else { Code::Unknown };
            assert_eq!(status.code(), wanted, "{protocol}: {status:?}");
            assert_eq!(status.message(), if row.text { "why" } else { CLOSED }, "{protocol} {code}");
            let wanted = if row.details { details(code, "why") } else { Vec::new() };
            assert_eq!(status.details(), wanted, "{protocol} {code}");
            for name in ["x-before", "x-behind"] {
                assert_eq!(has(status.metadata().iter(), name), row.fields.0, "{protocol} {code} {name}");
            }
        }
    }
}

#[test]
fn what_a_handler_passes_on_of_another_call_is_no_reason_to_try_again() {
    for row in TABLE {
        for number in
            [brpc::ELIMIT, brpc::ELOGOFF, brpc::EOVERCROWDED, brpc::EEOF, brpc::ENOENT, brpc::EHOSTDOWN]
        {
            let named = brpc::status(number, "why"); // the handler's own choice
            let passed = named.clone().with_origin(Origin::Transport).unprocessed();
            for status in [named, passed] {
                let said = status.clone();
                let (reply, ran) = call(&row, move || said.clone().into());
                let got = reply.expect_err(row.protocol);
                assert_eq!(ran, 1, "{} {status:?}: {got:?}", row.protocol);
                let said = match row.codes {
                    Codes::All => (status.code(), "why"),
                    Codes::None => (Code::Unknown, CLOSED),
                };
                assert_eq!((got.code(), got.message()), said, "{} {number}", row.protocol);
                assert_eq!((got.origin(), got.is_unprocessed()), (Origin::Remote, false), "{}", row.protocol);
            }
        }
    }
}

#[test]
fn fields_of_a_good_reply_arrive_as_the_table_says() {
    for row in TABLE {
        let content = row.content;
        let script = move || Outcome {
            body: body(content).into(),
            content,
            reply: true,
            headers: metadata("x-before"),
            trailers: metadata("x-behind"),
            ..Outcome::default()
        };
        let (reply, ran) = call(&row, script);
        let fields = reply.expect(row.protocol);
        assert_eq!(ran, 1);
        for name in ["x-before", "x-behind"] {
            let came = has(fields.iter().map(|(name, value)| (name, value)), name);
            assert_eq!(came, row.fields.1, "{} {name}: {fields:?}", row.protocol);
        }
    }
}

#[test]
fn a_server_that_refuses_a_call_unread_is_asked_again_where_that_is_told_from_a_failure() {
    for row in TABLE {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            // While the handler serves one call, all others are refused.
            let gate = Arc::new(Semaphore::new(0));
            let waits = gate.clone();
            let engine = Engine::builder().shards(1).workers(1).build().unwrap();
            let method = Method::new("Play", move || Box::new(Waits(waits.clone(), row.content)))
                .id(number())
                .max_concurrency(1);
            let server = Server::new().service(Service::new("test.Plays", &[]).with(method)).engine(&engine);
            let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
            let address = running.addresses()[0].to_string();
            let channel = Channel::builder(address).protocol(row.protocol).timeout(Duration::from_secs(60));
            let channel = channel.build().unwrap();
            let protocol = row.protocol;
            let ask = |retries| {
                let call = channel.call(Target::fixed("test.Plays", "Play").at(0), body(row.content));
                call.content(row.content).retries(retries).into_future()
            };
            let mut first = pin!(ask(0));
            let mut refused = async |retries| {
                tokio::select! {
                    biased;
                    _ = &mut first => panic!("{protocol}: it waits"),
                    refused = ask(retries) => refused.expect_err(protocol),
                }
            };
            let status = refused(0).await;
            assert_eq!(status.is_retryable(), row.refusals, "{protocol}: {status:?}");
            let said = match row.codes {
                Codes::All => (Code::ResourceExhausted, "Reached method's max_concurrency"),
                Codes::None => (Code::Unknown, CLOSED),
            };
            assert_eq!((status.code(), status.message()), said, "{protocol}");
            let number = match protocol {
                "grpc" | "grpc-web" | "connect" | "zmtp" => Native::None,
                "nova_pbrpc" | "nshead_mcpack" => Native::Brpc(brpc::EEOF),
                _ => Native::Brpc(brpc::ELIMIT),
            };
            assert_eq!(status.native(), number, "{protocol}");
            if !row.refusals {
                // Otherwise it would retry for ever.
                let status = refused(u32::MAX).await;
                assert_eq!((status.code(), status.message()), said, "{protocol}");
                return;
            }
            let mut again = pin!(ask(u32::MAX));
            for _ in 0..3 {
                tokio::select! {
                    biased;
                    ended = &mut again => panic!("{protocol}: {:?}", ended.map(drop)),
                    status = refused(0) => assert_eq!((status.code(), status.message()), said, "{protocol}"),
                }
            }
            gate.close();
            let (first, again) = tokio::join!(first, again);
            first.expect(protocol);
            again.expect(protocol);
        });
    }
}

/// Answers once the semaphore is closed.
struct Waits(Arc<Semaphore>, Content);
impl Handler for Waits {
    fn start(&self, _: Call) -> Started {
        let (gate, content) = (self.0.clone(), self.1);
        Started::Future(Box::pin(async move {
            let _ = gate.acquire().await; // an error: it is closed now
            Outcome { body: body(content).into(), content, reply: true, ..Outcome::default() }
        }))
    }
}
