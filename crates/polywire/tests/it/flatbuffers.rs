//! FlatBuffers and protobuf side by side: one server, one way to call.

use polywire::{
    Call, Channel, Code, Content, Context, IoBuf, Reply, Server, Service, Status, Target,
    flatbuffers::{Builder, Flat, Indirect, Root, Table, Verifiable, Verified, Verifier},
    generated::{self, Unary},
};
use polywire_engine::Engine;
use std::{fmt, net::TcpListener, sync::Arc, time::Duration};

/// `table Text { text:string; }`
struct Text<'a>(Table<'a>);

impl<'a> Text<'a> {
    fn text(&self) -> &'a str {
        self.0.field(4).unwrap_or_default()
    }
}
impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
impl Verifiable for Text<'_> {
    fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> Verified {
        verifier.visit_table(at)?.visit_field::<Indirect<&str>>("text", 4, false)?.finish();
        Ok(())
    }
}
impl Root for Text<'static> {
    type View<'a> = Text<'a>;
    fn view(table: Table<'_>) -> Text<'_> {
        Text(table)
    }
}

type Message = Flat<Text<'static>>;

fn message(text: &str) -> Message {
    Flat::build(|builder: &mut Builder| {
        let text = builder.create_string(text);
        let mut table = builder.start_table::<1, 4>();
        table.push_slot_always(4, text);
        table.end()
    })
}

/// `rpc_service Echo { Repeat(Text):Text (id: 41); }`
struct Repeat;
impl Unary for Repeat {
    type Service = ();
    type Request = Message;
    type Response = Message;
    const NAME: &'static str = "Repeat";

    async fn call(_: &(), cx: &Context, request: Message) -> Result<Reply<Message>, Status> {
        let text = request.get().text();
        if text == "fail" {
            return Err(Status::not_found("nothing to repeat"));
        }
        let attachment = cx.attachment().clone();
        Ok(Reply::new(message(&format!("{text} again"))).attach(attachment))
    }
}

fn repeat(channel: &Channel, text: &str) -> Call<Message> {
    generated::unary(channel, Target::fixed("example.api.Echo", "Repeat").at(41), message(text))
}

fn with_server<F: Future<Output = ()>>(test: impl FnOnce(String) -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let engine = Engine::builder().shards(1).workers(1).build().unwrap();
        let echo = Service::new("example.api.Echo", &[])
            .unary::<Repeat>(&Arc::new(()))
            .method("Repeat", |m| m.id(generated::method_id("example.api.Echo", 41)));
        let server = Server::new().service(echo).engine(&engine);
        let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
        test(running.addresses()[0].to_string()).await;
    });
}

fn channel(address: &str, protocol: &str) -> Channel {
    Channel::builder(address).protocol(protocol).timeout(Duration::from_secs(60)).build().unwrap()
}

const PROTOCOLS: [&str; 7] = [
    "fb_rpc",
    "grpc",
    "grpc:flatbuffers",
    "grpc-web:flatbuffers",
    "grpc-web:flatbuffers+text",
    "baidu_std",
    "sofa_pbrpc",
];

#[test]
fn one_service_answers_flatbuffers_over_every_protocol_that_carries_bytes() {
    with_server(|address| async move {
        for protocol in PROTOCOLS {
            let channel = channel(&address, protocol);
            let reply = repeat(&channel, "hello").await.unwrap();
            assert_eq!(reply.get().text(), "hello again", "{protocol}");
            let status = repeat(&channel, "fail").await.unwrap_err();
            assert!(!status.is_ok(), "{protocol}");
            let long = "long ".repeat(20_000);
            assert_eq!(repeat(&channel, &long).await.unwrap().get().text(), format!("{long} again"));
        }
    });
}

#[tokio::test]
async fn middleware_runs_around_calls_of_fb_rpc() {
    let log = polywire_machine_testing::Log::default();
    let refuses = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let (seen, refuse) = (log.clone(), refuses.clone());
    let layer = move |cx: Context, next: polywire::Next| {
        let (log, refuse) = (seen.clone(), refuse.load(std::sync::atomic::Ordering::Relaxed));
        async move {
            log.add(format!("{} {}/{}", cx.protocol(), cx.service(), cx.method()));
            if refuse {
                return Err(Status::permission_denied("not you"));
            }
            let ended = next.run(cx).await;
            log.add(ended.status().code().to_string());
            Ok::<_, Status>(ended)
        }
    };
    let echo = Service::new("example.api.Echo", &[])
        .unary::<Repeat>(&Arc::new(()))
        .method("Repeat", |m| m.id(generated::method_id("example.api.Echo", 41)));
    let running = Server::new().service(echo).middleware(layer).listen("127.0.0.1:0").start().unwrap();
    let channel = channel(&running.addresses()[0].to_string(), "fb_rpc");
    assert_eq!(repeat(&channel, "hello").await.unwrap().get().text(), "hello again");
    assert_eq!(log.take(), ["fb_rpc example.api.Echo/Repeat", "OK"]);
    let _ = repeat(&channel, "fail").await.unwrap_err();
    assert_eq!(log.take(), ["fb_rpc example.api.Echo/Repeat", "NOT_FOUND"]);
    refuses.store(true, std::sync::atomic::Ordering::Relaxed);
    let refused = repeat(&channel, "hello").await.unwrap_err();
    assert!(refused.message().contains("not you"), "{refused:?}");
    assert_eq!(log.take(), ["fb_rpc example.api.Echo/Repeat"]);
}

#[test]
fn attachments_travel_beside_a_flatbuffer() {
    with_server(|address| async move {
        for protocol in ["fb_rpc", "baidu_std"] {
            for size in [1, 100, 5000] {
                let attachment = vec![7; size];
                let call = repeat(&channel(&address, protocol), "hello").attachment(attachment.clone());
                let reply = call.await.unwrap();
                assert_eq!(reply.get().text(), "hello again");
                assert_eq!(reply.attachment().to_vec(), attachment);
            }
        }
    });
}

#[test]
fn what_is_no_flatbuffer_is_the_callers_mistake_and_the_connection_goes_on() {
    with_server(|address| async move {
        let channel = channel(&address, "fb_rpc");
        let target = || Target::fixed("example.api.Echo", "Repeat").at(41);
        for garbage in [&b"\0"[..], b"\xff\xff\xff\x7f", b"some text that is no table"] {
            let status = channel.call(target(), IoBuf::copy_from_slice(garbage)).await.unwrap_err();
            assert_eq!(status.code(), Code::InvalidArgument, "{}", garbage.escape_ascii());
        }
        assert_eq!(repeat(&channel, "hello").await.unwrap().get().text(), "hello again");
    });
}

#[test]
fn it_has_no_form_in_json() {
    with_server(|address| async move {
        let status = repeat(&channel(&address, "http"), "hello").await.unwrap_err();
        assert!(status.message().contains("cannot be carried as JSON"), "{}", status.message());
        let raw = channel(&address, "http").call(Target::fixed("example.api.Echo", "Repeat"), "{}");
        let status = raw.content(Content::JSON).await.unwrap_err();
        assert!(!status.is_ok());
    });
}
