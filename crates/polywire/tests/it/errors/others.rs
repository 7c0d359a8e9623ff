//! What of a failure arrives over protocols that have no place for most of it: the last rows of the table of
//! docs/errors.md.

use crate::talk::{Line, Talk};
use polywire::{
    Channel, Code, Context, Next, Origin, Reply, Running, Server, Status, Stream, Streaming,
    mongo::{self, Command, Document, MongoService},
    nshead, redis, rest_rpc, thrift,
    websocket::{Calls, Connect, JSON, Message},
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

/// Every call fails with a status of the code of this number, which has a text, details and fields.
#[derive(Clone, Default)]
struct Fails(Arc<AtomicUsize>);

impl Fails {
    fn status(&self) -> Status {
        let code = Code::ALL[self.0.load(SeqCst)];
        let status = Status::new(code, "why").with_details(super::survives::details(code, "why"));
        status.with_metadata("x-behind", "kept")
    }
}

/// A method of Thrift without arguments and result.
struct Touch;

impl thrift::Method for Touch {
    const NAME: &'static str = "touch";
    type Args = thrift::Nothing;
    type Result = thrift::Nothing;
    type Success = ();
    type Failure = Status;
    fn into_result(outcome: Result<(), Status>) -> Result<thrift::Nothing, Status> {
        outcome.map(|()| thrift::Nothing)
    }
    fn from_result(_: thrift::Nothing) -> Result<(), Status> {
        Ok(())
    }
}

impl thrift::Served<Fails> for Touch {
    async fn call(service: &Fails, _: &Context, _: thrift::Nothing) -> Result<(), Status> {
        Err(service.status())
    }
}

impl nshead::NsheadService for Fails {
    async fn frame(&self, _: &Context, _: nshead::Frame) -> Result<Option<polywire::IoBuf>, Status> {
        Err(self.status())
    }
}

impl MongoService for Fails {
    async fn command(&self, _: &Context, _: Command) -> Result<Document, mongo::Error> {
        Err(self.status().into())
    }
}

impl Talk for Fails {
    async fn say(&self, _: &Context, _: Line) -> Result<Reply<Line>, Status> {
        Err(self.status())
    }
    async fn count(
        &self,
        _: &Context,
        _: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        Err::<Streaming<Line>, _>(self.status())
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(self.status())
    }
    async fn chat(
        &self,
        _: &Context,
        _: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        Err::<Streaming<Line>, _>(self.status())
    }
}

fn channel(running: &Running, protocol: &str) -> Channel {
    let channel = Channel::builder(running.addresses()[0].to_string()).protocol(protocol);
    channel.timeout(Duration::from_secs(60)).build().unwrap()
}

/// What MongoDB's drivers are told of a code.
fn of_mongo(code: Code) -> (i32, &'static str) {
    match code {
        Code::Cancelled => (11601, "Interrupted"),
        Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => (2, "BadValue"),
        Code::DeadlineExceeded => (50, "MaxTimeMSExpired"),
        Code::NotFound => (26, "NamespaceNotFound"),
        Code::AlreadyExists => (48, "NamespaceExists"),
        Code::PermissionDenied => (13, "Unauthorized"),
        Code::ResourceExhausted => (146, "ExceededMemoryLimit"),
        Code::Aborted => (112, "WriteConflict"),
        Code::Unimplemented => (59, "CommandNotFound"),
        Code::Unauthenticated => (18, "AuthenticationFailed"),
        _ => (1, "InternalError"),
    }
}

/// How a failure with this code and text is told.
fn told(failed: &Status, code: Code, text: &str) {
    assert_eq!((failed.code(), failed.message()), (code, text), "{failed:?}");
    assert_eq!(failed.origin(), Origin::Remote, "{failed:?}");
    assert!(!failed.details().ends_with(b"a.B\x12\x02\x08\x01"), "{failed:?}");
    assert_eq!(failed.metadata().get_str("x-behind"), None, "{failed:?}");
    assert!(!failed.is_retryable(), "{failed:?}");
}

#[tokio::test]
async fn a_failure_arrives_as_the_last_rows_of_the_table_say() {
    let fails = Fails::default();
    let own = fails.clone();
    let functions = rest_rpc::Functions::new().function("fail", move || Err::<i32, _>(own.status()));
    let middle = fails.clone();
    // The store of Redis fails nothing by itself.
    let redis_fails = move |cx: Context, next: Next| {
        let status = middle.status();
        async move { if cx.protocol() == "redis" { Err(status) } else { Ok(next.run(cx).await) } }
    };
    let server = Server::new()
        .service(thrift::Service::new("Shelf").with::<Touch, _>(&Arc::new(fails.clone())))
        .service(nshead::service(fails.clone()))
        .service(mongo::service(fails.clone()))
        .service(functions)
        .service(redis::service(redis::Store::default()))
        .service(Calls)
        .service(fails.clone().into_service())
        .middleware(redis_fails);
    let running = server.listen("127.0.0.1:0").start().unwrap();
    let thrift = thrift::Client::new(channel(&running, "thrift"));
    let rest = ["rest_rpc:a", "rest_rpc:b"].map(|name| rest_rpc::Client::new(channel(&running, name)));
    let redis = redis::Client::new(channel(&running, "redis"));
    let nshead = nshead::Client::new(channel(&running, "nshead"));
    let http = channel(&running, "http");
    for number in 1..Code::ALL.len() {
        fails.0.store(number, SeqCst);
        let said = Code::ALL[number];
        let failed = thrift.call::<Touch>(&thrift::Nothing).await.unwrap_err();
        told(&failed, if said == Code::Unimplemented { said } else { Code::Internal }, "why");

        let [a, b] = &rest;
        told(&a.call::<_, i32>("fail", ()).await.unwrap_err(), Code::Unknown, "why");
        let (code, text) = match said {
            Code::Internal => (said, "why"),
            _ => (Code::Unknown, "exception occur when callwhy"),
        };
        told(&b.call::<_, i32>("fail", ()).await.unwrap_err(), code, text);

        let (code, text) = match said {
            Code::PermissionDenied => (said, "NOPERM why"),
            Code::Unauthenticated => (said, "NOAUTH why"),
            _ => (Code::Unknown, "ERR why"),
        };
        told(&redis.ping().await.unwrap_err(), code, text);

        let failed = nshead.call(&nshead::Frame::default()).await.unwrap_err();
        assert_eq!((failed.code(), failed.origin()), (Code::Unavailable, Origin::Transport), "{failed:?}");
        assert!(failed.is_retryable(), "as a connection that is lost: {failed:?}");

        let (code, name) = of_mongo(said);
        let document = Document::builder().put("ok", 0.0).put("errmsg", "why");
        assert_eq!(find(&running), document.put("code", code).put("codeName", name).build(), "{said:?}");

        let mut socket = Connect::new(&http, "/talk.Talk/Say").subprotocol(JSON).open().await.unwrap();
        socket.send("{\"text\":\"hi\"}").await.unwrap();
        let Message::Text(end) = socket.next().await.unwrap().unwrap() else { panic!("{said:?}") };
        let name = match said {
            Code::Cancelled => "canceled".to_owned(), // Connect's spelling
            _ => said.name().to_lowercase(),
        };
        let start = format!("#end {{\"error\":{{\"code\":\"{name}\",\"details\":[{{\"type\":\"a.B\",");
        assert!(end.starts_with(&start) && end.contains("],\"message\":\"why\"}"), "{end}");
        assert!(end.ends_with(r#""metadata":{"x-behind":["kept"]}}"#), "{end}");
    }
}

/// The reply to a command of MongoDB's protocol.
fn find(running: &Running) -> Document {
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
    let command = Document::builder().put("find", 1).put("$db", "db").build();
    let numbers = [21 + command.as_bytes().len() as u32, 1, 0, 2013, 0]; // OP_MSG
    let head: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    stream.write_all(&[&head[..], &[0], command.as_bytes()].concat()).unwrap();
    let mut head = [0; 21];
    stream.read_exact(&mut head).unwrap();
    let mut body = vec![0; u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize - 21];
    stream.read_exact(&mut body).unwrap();
    Document::from_bytes(body.into()).unwrap()
}
