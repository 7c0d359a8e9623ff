//! Commands over sockets, as drivers send them. Bytes in hexadecimal are those of PyMongo (4.20.0; OP_QUERY:
//! 4.8.0).

use polywire::{
    Caller, Channel, Context, Identity, Limits, Running, Server, Status,
    mongo::{
        self, Command, Document, DocumentBuilder, Error, ErrorCode, MongoService, Value, array, first_batch,
    },
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

/// Knows a few commands, and counts those that it gets.
#[derive(Clone, Default)]
struct Tried(Arc<AtomicU32>);

impl MongoService for Tried {
    async fn command(&self, cx: &Context, command: Command) -> Result<Document, Error> {
        self.0.fetch_add(1, Relaxed);
        match command.name() {
            "echo" => Ok(command.document().clone()),
            "about" => {
                let database = cx.metadata().get(mongo::DATABASE_FIELD).unwrap_or_default().to_vec();
                let ids = command.documents("documents").map(|document| document.get("_id").unwrap());
                let about =
                    Document::builder().put("namespace", &command.namespace()).put_array("ids", &array(ids));
                Ok(about.put("field", &String::from_utf8(database).unwrap()).build())
            }
            "find" => {
                let document = Document::builder().put("n", 1).build();
                let times = command.get("times").and_then(|times| times.as_i64()).unwrap_or(1);
                first_batch(&command.namespace(), (0..times).map(|_| document.view()))
            }
            "keys" => Err(Error::new(ErrorCode::DUPLICATE_KEY, "E11000 duplicate key")),
            "status" => Err(Status::permission_denied("not you"))?,
            "mine" => Err(Error::new(ErrorCode { number: 50_000, name: "Mine" }, "of my own")),
            "half" => Ok(Document::builder().put("ok", 0.0).put("errmsg", "by hand").build()),
            "sleep" => {
                tokio::time::sleep(Duration::from_secs(60)).await;
                Ok(Document::default())
            }
            _ => Err(Error::unknown(&command)),
        }
    }
}

fn serve(server: Server) -> Running {
    server.listen("127.0.0.1:0").start().unwrap()
}

struct Driver {
    stream: TcpStream,
    id: u32,
}

impl Driver {
    fn to(running: &Running) -> Driver {
        let stream = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Driver { stream, id: 0 }
    }

    fn send(&mut self, flags: u32, sections: &[u8]) {
        self.id += 1;
        let numbers = [20 + sections.len() as u32, self.id, 0, 2013, flags];
        let head: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.stream.write_all(&[&head[..], sections].concat()).unwrap();
    }

    /// `responseTo`, op code and document of the next reply.
    fn read(&mut self) -> (u32, u32, Document) {
        let mut head = [0; 16];
        self.stream.read_exact(&mut head).unwrap();
        let number = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().unwrap());
        let mut rest = vec![0; number(0) as usize - 16];
        self.stream.read_exact(&mut rest).unwrap();
        let own = if number(12) == 1 { 20 } else { 5 };
        (number(8), number(12), Document::from_bytes(rest.split_off(own).into()).unwrap())
    }

    fn ask(&mut self, command: DocumentBuilder) -> Document {
        let command = command.put("$db", "db").build();
        self.send(0, &[&[0], command.as_bytes()].concat());
        let (to, op_code, document) = self.read();
        assert_eq!((to, op_code), (self.id, 2013));
        document
    }
}

fn named(name: &str) -> DocumentBuilder {
    Document::builder().put(name, 1)
}

fn number(document: &Document, name: &str) -> i64 {
    document.get(name).and_then(|value| value.as_i64()).unwrap_or_else(|| panic!("no {name}: {document:?}"))
}

fn text<'a>(document: &'a Document, name: &str) -> &'a str {
    document.get(name).and_then(|value| value.as_str()).unwrap_or_else(|| panic!("no {name}: {document:?}"))
}

#[test]
fn what_drivers_ask_by_themselves_is_answered_without_the_service() {
    let tried = Tried::default();
    let running = serve(Server::new().service(mongo::service(tried.clone())));
    let mut driver = Driver::to(&running);
    let hello = driver.ask(named("hello"));
    assert_eq!(hello.get("isWritablePrimary"), Some(Value::Bool(true)));
    assert_eq!(hello.get("ok"), Some(Value::Double(1.0)));
    let sizes =
        ["maxBsonObjectSize", "maxMessageSizeBytes", "maxWriteBatchSize"].map(|name| number(&hello, name));
    assert_eq!(sizes, [16 << 20, 48_000_000, 100_000], "MongoDB's own");
    assert_eq!((number(&hello, "minWireVersion"), number(&hello, "maxWireVersion")), (0, 21));
    for older in ["isMaster", "ismaster"] {
        assert_eq!(driver.ask(named(older)).get("ismaster"), Some(Value::Bool(true)));
    }
    for other in ["ping", "endSessions"] {
        assert_eq!(driver.ask(named(other)), Document::builder().put("ok", 1.0).build());
    }
    let build = driver.ask(named("buildInfo"));
    assert_eq!((text(&build, "version"), number(&build, "maxBsonObjectSize")), ("7.0.0", 16 << 20));
    assert_eq!(tried.0.load(Relaxed), 0);

    // The first message of older drivers.
    let handshake =
        "4400000067458b6b00000000d40700000400000061646d696e2e24636d640000000000ffffffff1d0000001069736d617374
        657200010000000868656c6c6f4f6b000100";
    let digits: Vec<u8> = handshake.bytes().filter(u8::is_ascii_hexdigit).collect();
    let pair = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
    driver.stream.write_all(&digits.chunks(2).map(pair).collect::<Vec<u8>>()).unwrap();
    let (to, op_code, hello) = driver.read();
    assert_eq!((to, op_code), (0x6b8b_4567, 1));
    assert_eq!(hello.get("helloOk"), Some(Value::Bool(true)));
}

#[test]
fn a_driver_is_told_the_limits_of_this_server() {
    let limits = Limits::default().max_message(1 << 20);
    let running = serve(Server::new().limits(limits).service(mongo::service(Tried::default())));
    let mut driver = Driver::to(&running);
    let hello = driver.ask(named("hello"));
    assert_eq!(number(&hello, "maxMessageSizeBytes"), 1 << 20);
    assert_eq!(number(&hello, "maxBsonObjectSize"), (1 << 20) - (16 << 10));
    // A document of that length comes and goes.
    let longest = vec![0; (1 << 20) - (16 << 10) - 10];
    let echo = driver.ask(named("echo").put("x", &longest[..]));
    assert_eq!(echo.get("x"), Some(Value::Binary { subtype: 0, bytes: &longest }));
    // What the driver would not read is replaced.
    let failure = driver.ask(named("find").put("times", 100_000));
    assert_eq!((number(&failure, "code"), text(&failure, "codeName")), (10334, "BSONObjectTooLarge"));
    assert_eq!(number(&driver.ask(named("ping")), "ok"), 1, "and the connection goes on");
}

#[test]
fn documents_reach_the_service_beside_the_command_and_inside_it() {
    let running = serve(Server::new().service(mongo::service(Tried::default())));
    let mut driver = Driver::to(&running);
    let ids = [7, 8].map(|id| Document::builder().put("_id", id).build());
    let inside = driver.ask(
        Document::builder()
            .put("about", "things")
            .put_array("documents", &array(ids.iter().map(Document::view))),
    );
    let command = Document::builder().put("about", "things").put("$db", "db").build();
    let documents = [ids[0].as_bytes(), ids[1].as_bytes()].concat();
    let size = (4 + 10 + documents.len()) as u32;
    let beside = [&[1], &size.to_le_bytes()[..], b"documents\0", &documents].concat();
    for sections in [
        [&[0], command.as_bytes(), &beside].concat(),
        [&beside[..], &[0], command.as_bytes()].concat(), // in any order
    ] {
        driver.send(0, &sections);
        assert_eq!(driver.read().2, inside);
    }
    let expected = Document::builder().put("namespace", "db.things").put_array("ids", &array([7, 8]));
    assert_eq!(inside, expected.put("field", "db").put("ok", 1.0).build());
}

#[test]
fn failures_have_numbers_that_drivers_know() {
    let running = serve(Server::new().service(mongo::service(Tried::default())));
    let mut driver = Driver::to(&running);
    for (command, code, name, message) in [
        ("nobody", 59, "CommandNotFound", "no such command: 'nobody'"),
        ("keys", 11000, "DuplicateKey", "E11000 duplicate key"),
        ("status", 13, "Unauthorized", "not you"),
        ("mine", 50_000, "Mine", "of my own"),
    ] {
        let failure = driver.ask(named(command));
        assert_eq!(failure.get("ok"), Some(Value::Double(0.0)));
        assert_eq!(
            (number(&failure, "code"), text(&failure, "codeName"), text(&failure, "errmsg")),
            (code, name, message)
        );
    }
    let half = driver.ask(named("half"));
    assert_eq!((half.get("ok"), text(&half, "errmsg")), (Some(Value::Double(0.0)), "by hand"));
    let late = driver.ask(named("sleep").put("maxTimeMS", 50));
    assert_eq!((number(&late, "code"), text(&late, "codeName")), (50, "MaxTimeMSExpired"));
}

#[test]
fn what_is_no_bson_deep_inside_is_answered_and_never_reaches_the_service() {
    let tried = Tried::default();
    let running = serve(Server::new().service(mongo::service(tried.clone())));
    let mut driver = Driver::to(&running);
    let nested = |depth: usize| {
        (1..depth).fold(Document::default(), |inner, _| Document::builder().put("", &inner).build())
    };
    let mut wrong = Document::builder()
        .put("x", &Document::builder().put("y", true).build())
        .build()
        .into_bytes()
        .to_vec();
    let at = wrong.len() - 3; // the bool
    wrong[at] = 2;
    let command = named("echo").put("$db", "db").build();
    let beside = |document: &[u8]| {
        let size = (4 + 2 + document.len()) as u32;
        [&[0], command.as_bytes(), &[1], &size.to_le_bytes(), b"d\0", document].concat()
    };
    for sections in [beside(&wrong), beside(nested(201).as_bytes())] {
        driver.send(0, &sections);
        assert_eq!(number(&driver.read().2, "code"), 22);
    }
    assert_eq!(number(&driver.ask(named("echo").put("x", &nested(300))), "code"), 22);
    assert_eq!(tried.0.load(Relaxed), 0);
    driver.send(0, &beside(nested(200).as_bytes()));
    assert_eq!(number(&driver.read().2, "ok"), 1);
}

#[test]
fn writes_that_nobody_waits_for_have_no_reply() {
    let tried = Tried::default();
    let running = serve(Server::new().service(mongo::service(tried.clone())));
    let mut driver = Driver::to(&running);
    let command = named("echo").put("$db", "db").build();
    for _ in 0..5 {
        driver.send(2, &[&[0], command.as_bytes()].concat()); // moreToCome
    }
    assert_eq!(number(&driver.ask(named("ping")), "ok"), 1, "the first reply is that of the ping");
    assert_eq!(tried.0.load(Relaxed), 5, "and they were executed before it");
}

#[test]
fn a_batch_has_a_bound() {
    let running = serve(Server::new().service(mongo::service(Tried::default())));
    let mut driver = Driver::to(&running);
    let found = driver.ask(Document::builder().put("find", "things").put("times", 3));
    let cursor = found.get("cursor").and_then(|cursor| cursor.as_view()).unwrap();
    assert_eq!(
        (cursor.get("id"), cursor.get("ns")),
        (Some(Value::Int64(0)), Some(Value::String("db.things")))
    );
    assert_eq!(cursor.get("firstBatch").and_then(|batch| batch.as_view()).unwrap().iter().count(), 3);
    let times = (16 << 20) / 12 + 1; // a document has 12 bytes
    let failure = driver.ask(named("find").put("times", times));
    assert_eq!(number(&failure, "code"), 10334);
}

#[test]
fn a_server_that_wants_credentials_says_so() {
    let tried = Tried::default();
    let nobody = |_: Caller| async { Err::<Identity, _>(Status::unauthenticated("show one")) };
    let running = serve(Server::new().authenticate(nobody).service(mongo::service(tried.clone())));
    let mut driver = Driver::to(&running);
    let failure = driver.ask(named("hello"));
    assert_eq!((number(&failure, "code"), text(&failure, "errmsg")), (18, "show one"));
    assert_eq!(driver.stream.read(&mut [0]).unwrap(), 0, "and closes");
    assert_eq!(tried.0.load(Relaxed), 0);
}

#[test]
fn no_channel_has_the_protocol() {
    let refused = Channel::builder("127.0.0.1:1").protocol("mongo").build().err().unwrap().to_string();
    assert!(refused.contains("there is no client for it"), "{refused}");
    for other in ["nothing", "mongodb"] {
        let unknown = Channel::builder("127.0.0.1:1").protocol(other).build().err().unwrap().to_string();
        assert!(
            unknown.contains("baidu_std") && !unknown.contains("mongo\"") && !unknown.contains(" mongo,"),
            "{unknown}"
        );
    }
}
