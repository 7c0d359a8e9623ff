//! Servers and clients of the older Baidu protocols, over a socket.

use polywire::{
    Channel, Code, Content, Context, Handler, IoBuf, Method, Server, Service, Started, Status, Target,
    handler::{Call, Outcome},
    nshead::{self, Frame, Head, NsheadService},
};
use polywire_engine::Engine;
use std::{net::TcpListener, time::Duration};

/// Replies with its name.
struct Says(&'static str);
impl Handler for Says {
    fn start(&self, _: Call) -> Started {
        let body = self.0.as_bytes().to_vec().into();
        Started::Ready(Outcome { body, content: Content::PROTOBUF, reply: true, ..Outcome::default() })
    }
}

fn service(name: &'static str, methods: [&'static str; 2]) -> Service {
    methods.into_iter().fold(Service::new(name, &[]), |service, method| {
        service.with(Method::new(method, move || Box::new(Says(method))))
    })
}

/// Runs against a server with the services `one.First` and `two.Second`.
fn with_server<F: Future<Output = ()>>(test: impl FnOnce(String) -> F) {
    with_services(first_and_second(), test);
}

fn first_and_second() -> Vec<Service> {
    vec![service("one.First", ["First0", "First1"]), service("two.Second", ["Second0", "Second1"])]
}

fn with_services<F: Future<Output = ()>>(
    services: impl IntoIterator<Item = Service>,
    test: impl FnOnce(String) -> F,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let engine = Engine::builder().shards(1).workers(1).build().unwrap();
        let server = services.into_iter().fold(Server::new(), Server::service).engine(&engine);
        let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
        test(running.addresses()[0].to_string()).await;
    });
}

fn channel(address: &str, protocol: &str) -> Channel {
    Channel::builder(address).protocol(protocol).timeout(Duration::from_secs(60)).build().unwrap()
}

async fn ask(channel: &Channel, target: Target) -> Result<String, (Code, String)> {
    let reply = channel.call(target, Vec::new()).await;
    let reply = reply.map_err(|status| (status.code(), status.message().to_owned()))?;
    Ok(String::from_utf8(reply.into_message().body.to_vec()).unwrap())
}

#[test]
fn sofa_names_methods_in_full() {
    with_server(|address| async move {
        let channel = channel(&address, "sofa_pbrpc");
        assert_eq!(ask(&channel, Target::fixed("two.Second", "Second1")).await.unwrap(), "Second1");
        assert_eq!(ask(&channel, Target::fixed("First", "First0")).await.unwrap(), "First0");
        let (code, text) = ask(&channel, Target::fixed("two.Second", "None")).await.unwrap_err();
        assert_eq!((code, &*text), (Code::Unimplemented, "Fail to find method=two.Second/None"));
    });
}

#[test]
fn hulu_names_methods_by_their_place() {
    with_server(|address| async move {
        let channel = channel(&address, "hulu_pbrpc");
        for (service, place, name) in [
            ("one.First", 0, "First0"),
            ("one.First", 1, "First1"),
            ("two.Second", 0, "Second0"),
            ("Second", 1, "Second1"),
            ("one.First", 1, "First1"),
        ] {
            assert_eq!(ask(&channel, Target::fixed(service, "any").at(place)).await.unwrap(), name);
        }
        for (service, place, text) in [
            ("one.First", 2, "Fail to find method=2 of service=First"),
            ("three.Third", 0, "Fail to find method=0 of service=Third"),
            ("grpc.health.v1.Health", 0, "Fail to find method=0 of service=Health"),
        ] {
            let (code, said) = ask(&channel, Target::fixed(service, "any").at(place)).await.unwrap_err();
            assert_eq!((code, &*said), (Code::Unimplemented, text));
        }
        let (code, _) = ask(&channel, Target::fixed("one.First", "First0")).await.unwrap_err();
        assert_eq!(code, Code::Unimplemented, "nobody knows the place of a method that is only named");
    });
}

/// Methods with these numbers.
fn numbered(name: &'static str, methods: [(&'static str, u32); 2]) -> Service {
    methods.into_iter().fold(service(name, methods.map(|(method, _)| method)), |service, (method, number)| {
        service.method(method, |m| m.id(polywire::generated::method_id(name, number)))
    })
}

#[test]
fn fb_rpc_names_services_and_methods_by_numbers() {
    let services =
        || [numbered("a.One", [("X", 0), ("Y", 7)]), numbered("b.Two", [("Z", i32::MAX as u32), ("W", 7)])];
    with_services(services(), |address| async move {
        let channel = channel(&address, "fb_rpc");
        let call = |service, number| channel.call(Target::fixed(service, "any").at(number), "message");
        for (service, number, name) in
            [("a.One", 7, "Y"), ("b.Two", 7, "W"), ("a.One", 0, "X"), ("b.Two", i32::MAX as u32, "Z")]
        {
            let reply = call(service, number).await.unwrap();
            assert_eq!(reply.content, Content::FLATBUFFERS);
            assert_eq!(reply.body, name.as_bytes());
        }
        for (service, number) in [("a.One", 1), ("a", 7), ("c.None", 0)] {
            let status = call(service, number).await.unwrap_err();
            assert_eq!(status.code(), Code::Unimplemented);
            assert!(status.message().starts_with(&format!("Fail to find method={number} of ")), "{status}");
        }
    });
}

#[test]
fn numbers_that_say_nothing_are_refused_at_the_start() {
    for other in [numbered("b.Two", [("Z", 1), ("W", 1)]), {
        let mut as_one = service("b.Two", ["Z", "W"]);
        as_one = as_one.method("Z", |m| m.id(polywire::generated::method_id("a.One", 99)));
        as_one
    }] {
        let one = numbered("a.One", [("X", 0), ("Y", 7)]);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let error = Server::new().service(one).service(other).serve(listener).err().expect("refused");
        assert!(error.to_string().contains("cannot be told apart by their numbers"), "{error}");
    }
}

#[test]
fn nova_calls_the_first_service_by_place() {
    with_server(|address| async move {
        let channel = channel(&address, "nova_pbrpc");
        assert_eq!(ask(&channel, Target::fixed("", "").at(0)).await.unwrap(), "First0");
        assert_eq!(ask(&channel, Target::fixed("two.Second", "").at(1)).await.unwrap(), "First1");
        // "Any failure closes the connection without reply."
        let (code, _) = ask(&channel, Target::fixed("", "").at(2)).await.unwrap_err();
        assert_eq!(code, Code::Unknown);
        assert_eq!(ask(&channel, Target::fixed("", "").at(1)).await.unwrap(), "First1");
    });
}

#[test]
fn public_names_services_and_places_and_says_what_failed() {
    with_server(|address| async move {
        let channel = channel(&address, "public_pbrpc");
        assert_eq!(ask(&channel, Target::fixed("two.Second", "").at(1)).await.unwrap(), "Second1");
        let (code, text) = ask(&channel, Target::fixed("two.Second", "").at(2)).await.unwrap_err();
        assert_eq!((code, &*text), (Code::Unimplemented, "Fail to find method=2 of service=Second"));
    });
}

struct Echo;
impl NsheadService for Echo {
    async fn frame(&self, cx: &Context, frame: Frame) -> Result<Option<IoBuf>, Status> {
        match frame.head.id {
            0 => Err(Status::internal("no such thing")),
            1 => {
                let log_id = cx.metadata().get_str("log-id").unwrap_or("none").to_owned();
                Ok(Some(format!("{log_id}, {}", frame.head.reserved).into_bytes().into()))
            }
            _ => Ok(Some(frame.body)),
        }
    }
}

#[test]
fn a_service_of_its_own_gets_every_frame_of_nshead() {
    with_services(first_and_second().into_iter().chain([nshead::service(Echo)]), |address| async move {
        let client = nshead::Client::new(channel(&address, "nshead"));
        let head = Head { id: 1, version: 1, log_id: 5, reserved: 7, ..Head::default() };
        let reply = client.call(&Frame { head, body: IoBuf::new() }).await.unwrap();
        assert_eq!((reply.head, reply.body.to_vec()), (head, b"5, 7".to_vec()));
        // A request as nova_pbrpc would send it.
        let head = Head { id: 2, ..Head::default() };
        let reply = client.call(&Frame { head, body: "as it is".into() }).await.unwrap();
        assert_eq!(reply.body.to_vec(), b"as it is");
        let failed = client.call(&Frame::default()).await.unwrap_err();
        assert_eq!(failed.code(), Code::Unavailable);
        // The service of raw frames does not count among the application's services.
        let sofa = channel(&address, "sofa_pbrpc");
        assert_eq!(ask(&sofa, Target::fixed("one.First", "First0")).await.unwrap(), "First0");
    });
}
