//! Calls over sockets in every form, with a service as the generator makes it, written by hand.

use polywire::{
    Channel, Code, Context, Running, Server, Status,
    thrift::{
        self, BizStatus, Client, Error, ExceptionType, Method, Nothing, Raw, Reader, Returned, Served,
        Service, Type, Value, Writer,
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

const FORMS: [&str; 9] = [
    "thrift",
    "thrift:old",
    "thrift:compact",
    "thrift:unframed",
    "thrift:unframed+old",
    "thrift:unframed+compact",
    "thrift:ttheader",
    "thrift:ttheader+framed",
    "thrift:ttheader+compact",
];

/// Two numbers: the arguments of `add` and `divide`.
struct Pair {
    a: i32,
    b: i32,
}

impl Value for Pair {
    const TYPE: Type = Type::Struct;
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let (mut a, mut b) = (0, 0);
        let outer = from.begin_struct()?;
        while let Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, Type::I32) => a = Value::read(from)?,
                (2, Type::I32) => b = Value::read(from)?,
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        Ok(Pair { a, b })
    }
    fn write<W: Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, Type::I32);
        self.a.write(to);
        to.field(2, Type::I32);
        self.b.write(to);
        to.end_struct(outer);
    }
}

/// An exception that `divide` declares.
#[derive(PartialEq, Debug)]
struct DivisionByZero {
    of: i32,
}

impl Value for DivisionByZero {
    const TYPE: Type = Type::Struct;
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        Pair::read(from).map(|pair| DivisionByZero { of: pair.a })
    }
    fn write<W: Writer>(&self, to: &mut W) {
        Pair { a: self.of, b: 0 }.write(to);
    }
}

#[derive(PartialEq, Debug)]
enum DivideError {
    Zero(DivisionByZero),
    Status(Status),
}

impl From<Status> for DivideError {
    fn from(status: Status) -> Self {
        DivideError::Status(status)
    }
}

enum DivideResult {
    Success(i32),
    Zero(DivisionByZero),
    Nothing,
}

impl Value for DivideResult {
    const TYPE: Type = Type::Struct;
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let mut result = DivideResult::Nothing;
        let outer = from.begin_struct()?;
        while let Some((id, kind)) = from.field()? {
            match (id, kind) {
                (0, Type::I32) => result = DivideResult::Success(Value::read(from)?),
                (1, Type::Struct) => result = DivideResult::Zero(Value::read(from)?),
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        Ok(result)
    }
    fn write<W: Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        match self {
            DivideResult::Success(value) => {
                to.field(0, Type::I32);
                value.write(to);
            }
            DivideResult::Zero(zero) => {
                to.field(1, Type::Struct);
                zero.write(to);
            }
            DivideResult::Nothing => {}
        }
        to.end_struct(outer);
    }
}

struct Divide;
impl Method for Divide {
    const NAME: &'static str = "divide";
    type Args = Pair;
    type Result = DivideResult;
    type Success = i32;
    type Failure = DivideError;
    fn into_result(outcome: Result<i32, DivideError>) -> Result<DivideResult, Status> {
        match outcome {
            Ok(value) => Ok(DivideResult::Success(value)),
            Err(DivideError::Zero(zero)) => Ok(DivideResult::Zero(zero)),
            Err(DivideError::Status(status)) => Err(status),
        }
    }
    fn from_result(result: DivideResult) -> Result<i32, DivideError> {
        match result {
            DivideResult::Success(value) => Ok(value),
            DivideResult::Zero(zero) => Err(DivideError::Zero(zero)),
            DivideResult::Nothing => Err(thrift::missing_result(Self::NAME).into()),
        }
    }
}
impl Served<Calculator> for Divide {
    async fn call(_: &Calculator, cx: &Context, args: Pair) -> Result<i32, DivideError> {
        match (args.a, args.b) {
            (a, 96) => {
                let user = cx.metadata().get_str("user").unwrap_or_default().to_owned();
                let text = format!("{user} in {}", cx.deadline().is_some());
                cx.reply_metadata("seen", "yes");
                Err(BizStatus(a).status(text).with_metadata(BizStatus::EXTRA, r#"{"k":"v"}"#).into())
            }
            (a, 0) => Err(DivideError::Zero(DivisionByZero { of: a })),
            (_, 99) => Err(Status::not_found("99 is not there").into()),
            (_, 98) => Err(ExceptionType(42).status("of its own type").into()),
            (_, 97) => panic!("of this test"),
            (a, b) => Ok(a / b),
        }
    }
}

/// Adds; the larger the first number, the later.
struct Add;
impl Method for Add {
    const NAME: &'static str = "add";
    type Args = Pair;
    type Result = Returned<i32>;
    type Success = i32;
    type Failure = Status;
    fn into_result(outcome: Result<i32, Status>) -> Result<Returned<i32>, Status> {
        outcome.map(|value| Returned(Some(value)))
    }
    fn from_result(result: Returned<i32>) -> Result<i32, Status> {
        result.take(Self::NAME)
    }
}
impl Served<Calculator> for Add {
    async fn call(_: &Calculator, _: &Context, args: Pair) -> Result<i32, Status> {
        for _ in 0..args.a {
            tokio::task::yield_now().await;
        }
        Ok(args.a + args.b)
    }
}

/// Counts, without a reply.
struct Count;
impl Method for Count {
    const NAME: &'static str = "count";
    const ONEWAY: bool = true;
    type Args = Nothing;
    type Result = Nothing;
    type Success = ();
    type Failure = Status;
    fn into_result(outcome: Result<(), Status>) -> Result<Nothing, Status> {
        outcome.map(|()| Nothing)
    }
    fn from_result(_: Nothing) -> Result<(), Status> {
        Ok(())
    }
}
impl Served<Calculator> for Count {
    async fn call(service: &Calculator, _: &Context, _: Nothing) -> Result<(), Status> {
        service.counted.fetch_add(1, Relaxed);
        Ok(())
    }
}

/// A method that the server does not have.
struct Absent;
impl Method for Absent {
    const NAME: &'static str = "absent";
    type Args = Nothing;
    type Result = Returned<i32>;
    type Success = i32;
    type Failure = Status;
    fn into_result(outcome: Result<i32, Status>) -> Result<Returned<i32>, Status> {
        outcome.map(|value| Returned(Some(value)))
    }
    fn from_result(result: Returned<i32>) -> Result<i32, Status> {
        result.take(Self::NAME)
    }
}

#[derive(Default)]
struct Calculator {
    counted: AtomicU32,
}

fn service(calculator: &Arc<Calculator>) -> Service {
    Service::new("Calculator")
        .with::<Add, _>(calculator)
        .with::<Divide, _>(calculator)
        .with::<Count, _>(calculator)
}

fn serve(service: Service) -> (Running, String) {
    let server = Server::new().service(service).listen("127.0.0.1:0").start().unwrap();
    let address = server.addresses()[0].to_string();
    (server, address)
}

fn client(address: &str, form: &str) -> Client {
    Client::new(Channel::builder(address).protocol(form).timeout(Duration::from_secs(20)).build().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_form_carries_results_exceptions_and_calls_without_reply() {
    let calculator = Arc::new(Calculator::default());
    let (_server, address) = serve(service(&calculator));
    for (k, form) in FORMS.into_iter().enumerate() {
        let client = client(&address, form);
        assert_eq!(client.call::<Add>(&Pair { a: 3, b: -5 }).await, Ok(-2), "{form}");
        assert_eq!(client.call::<Divide>(&Pair { a: 7, b: 2 }).await, Ok(3), "{form}");
        let zero = client.call::<Divide>(&Pair { a: 7, b: 0 }).await;
        assert_eq!(zero, Err(DivideError::Zero(DivisionByZero { of: 7 })), "{form}");

        let failed = |error| match error {
            Err(DivideError::Status(status)) => status,
            other => panic!("{form}: {other:?}"),
        };
        let status = failed(client.call::<Divide>(&Pair { a: 7, b: 99 }).await);
        assert_eq!(status.message(), "99 is not there", "{form}");
        assert_eq!(ExceptionType::of(&status), Some(ExceptionType::INTERNAL_ERROR), "{form}");
        let status = failed(client.call::<Divide>(&Pair { a: 7, b: 98 }).await);
        assert_eq!(ExceptionType::of(&status), Some(ExceptionType(42)), "{form}");
        let status = failed(client.call::<Divide>(&Pair { a: 7, b: 97 }).await);
        assert_eq!(ExceptionType::of(&status), Some(ExceptionType::INTERNAL_ERROR), "{form}");

        let absent = client.call::<Absent>(&Nothing).await.unwrap_err();
        assert_eq!(absent.code(), Code::Unimplemented, "{form}");
        assert_eq!(ExceptionType::of(&absent), Some(ExceptionType::UNKNOWN_METHOD), "{form}");
        let told = absent.message();
        assert!(told.starts_with("Fail to find method=absent of "), "{form}: {told}");

        assert_eq!(client.call::<Count>(&Nothing).await, Ok(()), "{form}");
        // in order after it on the same connection
        assert_eq!(client.call::<Add>(&Pair { a: 0, b: 1 }).await, Ok(1), "{form}");
        let mut tries = 0;
        while calculator.counted.load(Relaxed) != k as u32 + 1 {
            assert!(tries < 1000, "{form}: the call without reply has not arrived");
            tries += 1;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

/// The other forms have no place for any of them.
#[tokio::test(flavor = "multi_thread")]
async fn a_ttheader_carries_fields_a_deadline_and_failures_of_the_application() {
    let (_server, address) = serve(service(&Arc::default()));
    for (form, number, text) in
        [("thrift:ttheader", Some(BizStatus(4711)), "ann in true"), ("thrift", None, " in false")]
    {
        let call = client(&address, form).call::<Divide>(&Pair { a: 4711, b: 96 }).metadata("user", "ann");
        let Err(DivideError::Status(status)) = call.await else { panic!("{form}: it has not failed") };
        assert_eq!((BizStatus::of(&status), status.message()), (number, text), "{form}");
        let received = [BizStatus::EXTRA, "seen"].map(|name| status.metadata().get_str(name));
        assert_eq!(received, [number.map(|_| r#"{"k":"v"}"#), number.map(|_| "yes")], "{form}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn services_share_a_server_by_their_names() {
    let (one, two) = (Arc::new(Calculator::default()), Arc::new(Calculator::default()));
    let server = Server::new()
        .service(service(&one))
        .service(service(&two).called("Second"))
        .listen("127.0.0.1:0")
        .start()
        .unwrap();
    let address = server.addresses()[0].to_string();
    let plain = client(&address, "thrift:compact");
    plain.call::<Count>(&Nothing).await.unwrap();
    plain.clone().multiplexed("Calculator").call::<Count>(&Nothing).await.unwrap();
    plain.clone().multiplexed("Second").call::<Count>(&Nothing).await.unwrap();
    let second = plain.clone().multiplexed("Second");
    assert_eq!(second.call::<Add>(&Pair { a: 1, b: 1 }).await, Ok(2));
    let third = plain.multiplexed("Third").call::<Add>(&Pair { a: 1, b: 1 }).await.unwrap_err();
    assert_eq!(third.code(), Code::Unimplemented);
    let headed = client(&address, "thrift:ttheader");
    headed.clone().multiplexed("Second").call::<Count>(&Nothing).await.unwrap();
    // Kitex's clients may have another name for the service than this server.
    let third = headed.multiplexed("Third").call::<Add>(&Pair { a: 1, b: 1 });
    assert_eq!(third.await, Ok(2));
    for _ in 0..1000 {
        if (one.counted.load(Relaxed), two.counted.load(Relaxed)) == (2, 2) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("{} {}", one.counted.load(Relaxed), two.counted.load(Relaxed));
}

/// `add` with these numbers, framed and strict.
fn add(seqid: u8, a: u8, b: u8) -> Vec<u8> {
    let mut bytes = vec![0, 0, 0, 30, 0x80, 1, 0, 1, 0, 0, 0, 3];
    bytes.extend(b"add");
    bytes.extend([0, 0, 0, seqid, 8, 0, 1, 0, 0, 0, a, 8, 0, 2, 0, 0, 0, b, 0]);
    bytes
}

/// Seqids of so many replies to `add`.
fn seqids(stream: &mut TcpStream, count: usize) -> Vec<u8> {
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let one = |_| {
        let mut reply = [0; 27];
        stream.read_exact(&mut reply).unwrap();
        assert_eq!(reply[..8], [0, 0, 0, 23, 0x80, 1, 0, 2]);
        reply[18]
    };
    (0..count).map(one).collect()
}

#[test]
fn replies_are_in_the_order_of_the_calls_unless_told_otherwise() {
    let calculator = Arc::new(Calculator::default());
    for any_order in [false, true] {
        let service = service(&calculator);
        let (_server, address) = serve(if any_order { service.replies_in_any_order() } else { service });
        let mut stream = TcpStream::connect(address).unwrap();
        // The first waits for longer than the others.
        stream.write_all(&[add(1, 100, 0), add(2, 0, 0), add(3, 50, 0), add(4, 0, 0)].concat()).unwrap();
        let seqids = seqids(&mut stream, 4);
        match any_order {
            false => assert_eq!(seqids, [1, 2, 3, 4]),
            true => assert_eq!(seqids, [2, 4, 3, 1]),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_calls_share_a_connection() {
    let calculator = Arc::new(Calculator::default());
    let (_server, address) = serve(service(&calculator).replies_in_any_order());
    let channel = Channel::builder(address).protocol("thrift").build().unwrap();
    let client = Client::new(channel.clone());
    let calls: Vec<_> = (0..200)
        .map(|k| {
            let client = client.clone();
            tokio::spawn(async move { client.call::<Add>(&Pair { a: k % 7, b: k }).await.unwrap() - k % 7 })
        })
        .collect();
    for (k, call) in calls.into_iter().enumerate() {
        assert_eq!(call.await.unwrap(), k as i32);
    }
    assert_eq!(channel.connections_made(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_of_any_method_gets_its_name_and_bytes() {
    let any = thrift::Any::new(|cx, method: String, arguments: Raw| async move {
        cx.reply_metadata("seen", "yes");
        match method.as_str() {
            "Some:echo" => Ok(arguments),
            other => Err(Status::not_found(other.to_owned())),
        }
    });
    let calculator = Arc::new(Calculator::default());
    let server = Server::new()
        .service(any)
        .service(service(&calculator).replies_in_any_order())
        .listen("127.0.0.1:0")
        .start()
        .unwrap();
    let address = server.addresses()[0].to_string();
    for form in FORMS {
        let client = client(&address, form);
        let encoding = thrift::Form::named(form.strip_prefix("thrift:").unwrap_or("")).unwrap().encoding;
        let bytes = thrift::encode(encoding, &Pair { a: 1, b: 2 }).unwrap();
        let sent = Raw { bytes, encoding };
        let some = client.clone().multiplexed("Some");
        for call in [some.raw("echo", sent.clone()), client.raw("Some:echo", sent.clone())] {
            assert_eq!(call.await, Ok(sent.clone()), "{form}");
        }
        // Sent before they are awaited, bytes as well.
        let (add, other) =
            (client.call::<Add>(&Pair { a: 1, b: 1 }).start(), client.raw("other", sent).start());
        let other = other.await.unwrap_err();
        assert_eq!(other.message(), "other", "{form}");
        let has_header = form.contains("ttheader");
        assert_eq!(other.metadata().get_str("seen"), has_header.then_some("yes"), "{form}");
        assert_eq!(add.await, Ok(2), "{form}");
        assert_eq!(client.call::<Add>(&Pair { a: 3, b: 1 }).await, Ok(4), "{form}: of the other service");
        if has_header {
            // Whatever a client calls the service, as long as the method is known.
            let known = client.multiplexed("Third").call::<Add>(&Pair { a: 3, b: 2 });
            assert_eq!(known.await, Ok(5), "{form}");
        }
    }
}
