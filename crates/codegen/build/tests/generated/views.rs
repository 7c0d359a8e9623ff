//! Methods that receive views, and views by themselves.

use polywire::{
    Channel, Context, IoBuf, Message, Reply, Running, Server, Status, Stream, Streaming, Target, View, Viewed,
};
use polywire_formats::{FormatError, decode_request};
use polywire_samples::views::{
    needs::Must,
    views::{
        __buffa, Kind, Order, Stock, StockClient,
        order::{Line, LineView, line::Price},
    },
};
use polywire_wire::{Compression, Content};
use std::{
    fmt::Debug,
    io::{Read, Write},
    net::TcpStream,
};

fn line(sku: &str, price: Option<Price>) -> Line {
    Line { sku: sku.into(), price }
}

fn order() -> Order {
    let like = line("c", Some(Price::Words("much".into())));
    Order {
        id: "7".into(),
        lines: vec![
            line("a", Some(Price::Cents(250))),
            line("b", Some(Price::Like(Box::new(like)))),
            line("", None),
        ],
        by_name: [("x".to_owned(), line("y", Some(Price::Words("ü".into()))))].into_iter().collect(),
        note: Some(String::new()),
        kind: Kind::KIND_BIG.into(),
        kinds: vec![Kind::KIND_BIG.into(), 7.into()],
        first: line("first", None).into(),
        at: polywire::wkt::Timestamp { seconds: 5, nanos: 6 }.into(),
        raw: vec![1, 2, 255],
        kind_by_id: [(3, Kind::KIND_BIG.into())].into_iter().collect(),
        r#type: vec!["t".into(), "u".into()],
        more: [("k", "v")].into_iter().collect::<polywire::wkt::Struct>().into(),
        must: Must { id: "must".into(), ..Must::default() }.into(),
        deltas: vec![-1, 2],
        before: Order { id: "6".into(), ..Order::default() }.into(),
        shared: vec![9; 5].into(),
    }
}

#[test]
fn a_view_has_the_fields_of_its_message() {
    let (owned, wire) = (order(), Message::encode(&order()).unwrap());
    let view = View::<Order>::from_bytes(wire.clone()).unwrap();
    let order = view.get();
    assert_eq!((order.id, order.note, order.raw), ("7", Some(""), &[1, 2, 255][..]));
    let skus: Vec<&str> = order.lines.iter().map(|line| line.sku).collect();
    assert_eq!(skus, ["a", "b", ""]);
    let priced = |line: &LineView<'_>| match &line.price {
        Some(__buffa::view::oneof::order::line::Price::Cents(cents)) => *cents,
        _ => 0,
    };
    assert_eq!(order.lines.iter().map(priced).sum::<i64>(), 250);
    assert_eq!(order.by_name.get("x").map(|line| line.sku), Some("y"));
    assert_eq!((order.kind, &order.kinds[..]), (owned.kind, &owned.kinds[..]));
    assert_eq!((order.first.sku, order.at.seconds, order.before.id), ("first", 5, "6"));
    assert!(order.before.first.as_option().is_none());
    assert_eq!(order.before.first.sku, "", "a message that is not set reads as its default");
    assert_eq!((&order.r#type[..], &order.deltas[..]), (&["t", "u"][..], &[-1, 2][..]));
    assert_eq!(order.must.id, "must");
    assert_eq!(Line::from_view(&order.lines[1]), owned.lines[1]);
    assert_eq!(view.to_owned_message(), owned);
    assert_eq!(View::of(&owned).unwrap().bytes()[..], wire);
    assert!(format!("{view:?}").starts_with("OrderView { id: \"7\""), "{view:?}");
}

/// A message as one kind of reader has it, or why it has none.
fn read<M: Viewed + PartialEq + Debug>(wire: &[u8]) -> [Result<M, String>; 2] {
    let view = View::<M>::from_bytes(wire.to_vec()).map(|view| view.to_owned_message());
    [Message::decode(wire), view].map(|read| read.map_err(|error: FormatError| error.to_string()))
}

#[test]
fn what_is_no_message_is_no_view_for_the_same_reason() {
    let wire = Message::encode(&order()).unwrap();
    let mut refused = 0;
    for cut in 0..wire.len() {
        let [owned, view] = read::<Order>(&wire[..cut]);
        assert_eq!(owned, view, "cut at {cut}");
        refused += usize::from(view.is_err());
    }
    assert!(refused > wire.len() / 2, "{refused}");
    for at in 0..wire.len() {
        for byte in [0, 1, 0x0a, 0x7f, 0x80, 0xff, wire[at] ^ 1, wire[at].wrapping_add(8)] {
            let mut wire = wire.clone();
            wire[at] = byte;
            // Of several faults the two may meet another one first.
            let [owned, view] = read::<Order>(&wire);
            assert_eq!(owned.ok(), view.ok(), "{byte} at {at}");
        }
    }
    let text = |wire: &[u8]| {
        let [owned, view] = read::<Order>(wire);
        assert_eq!(owned, view);
        view.unwrap_err()
    };
    assert!(text(b"\x0a\x01\xff").contains("views.Order.id"), "{}", text(b"\x0a\x01\xff"));
    assert!(text(b"\x12\x05\x22\x03\x0a\x01\xff").contains("lines[0].like.sku"));
    assert!(text(b"\x6a\x00").contains("needs.Must.id"), "{}", text(b"\x6a\x00"));
    let deep = (0..120).fold(Vec::new(), |inner: Vec<u8>, _| {
        let mut outer = vec![0x7a];
        let mut left = inner.len();
        while left >= 0x80 {
            outer.push(left as u8 | 0x80);
            left >>= 7;
        }
        outer.push(left as u8);
        [outer, inner].concat()
    });
    text(&deep);
    // Each empty element takes the memory of a whole one.
    text(&b"\x12\x00".repeat(3_000_000));
}

#[test]
fn long_messages_are_shared_and_short_ones_copied() {
    let shared = |len: usize, pieces: usize| {
        let raw = Message::encode(&Order { raw: vec![7; len], ..Order::default() }).unwrap();
        let bytes = polywire_formats::generated::Bytes::from(raw);
        let place = bytes.as_ptr();
        let half = bytes.len() / pieces;
        let mut body = IoBuf::from(bytes.slice(..half));
        body.push(bytes.slice(half..));
        let view: View<Order> =
            decode_request(Content::PROTOBUF, Compression::NONE, body, usize::MAX).unwrap();
        assert_eq!(view.get().raw, vec![7; len]);
        view.bytes().as_ptr() == place
    };
    assert!(shared(5_000, 1));
    assert!(!shared(5_000, 2), "several pieces are joined");
    assert!(!shared(4_000, 1), "it would keep its buffer alive");
    let wire = Message::encode(&Order { shared: vec![7; 5_000].into(), ..Order::default() }).unwrap();
    let view = View::<Order>::from_bytes(wire).unwrap();
    let place = view.get().shared.as_ptr();
    assert_eq!(
        view.to_owned_message().shared.as_ptr(),
        place,
        "as an owned message shares what it is read from"
    );
}

#[test]
fn views_are_read_and_written_in_every_form() {
    use polywire::{Json, Payload};
    let view = View::of(&order()).unwrap();
    for content in
        [Content::PROTOBUF, Content::JSON, Content::PROTO_JSON, Content::PROTO_TEXT, Content::MCPACK]
    {
        for compression in [Compression::NONE, Compression::GZIP] {
            let body = Payload::encode(&view, content, compression, Json::DEFAULT);
            let owned = Payload::encode(&order(), content, compression, Json::DEFAULT);
            let Ok(body) = body else {
                assert_eq!(body.unwrap_err().to_string(), owned.unwrap_err().to_string());
                continue;
            };
            let read: View<Order> = decode_request(content, compression, body, usize::MAX).unwrap();
            let expected: Order = decode_request(content, compression, owned.unwrap(), usize::MAX).unwrap();
            assert_eq!(read.to_owned_message(), expected, "{content:?}");
        }
    }
    let missing = decode_request::<View<Must>>(Content::JSON, Compression::NONE, "{}".into(), usize::MAX);
    let owned = decode_request::<Must>(Content::JSON, Compression::NONE, "{}".into(), usize::MAX);
    assert_eq!(missing.unwrap_err().message(), owned.unwrap_err().message());
}

struct Shop;

impl Stock for Shop {
    async fn echo(&self, _: &Context, request: View<Order>) -> Result<Reply<Order>, Status> {
        let order = request.get();
        if order.id == "none" {
            return Err(Status::not_found(order.id));
        }
        tokio::task::yield_now().await; // views are held over awaits
        Ok(Order { note: Some(format!("{} lines", order.lines.len())), ..request.to_owned_message() }.into())
    }
    async fn echo_owned(&self, _: &Context, request: Order) -> Result<Reply<Order>, Status> {
        Ok(Order { note: Some(format!("{} lines", request.lines.len())), ..request }.into())
    }
    async fn watch(
        &self,
        _: &Context,
        request: View<Order>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        let (sender, stream) = polywire::stream(8);
        for line in &request.get().lines {
            sender.send(Line::from_view(line)).await?;
        }
        Ok(stream)
    }
    async fn collect(
        &self,
        _: &Context,
        mut incoming: Streaming<View<Line>>,
    ) -> Result<Reply<Order>, Status> {
        let mut order = Order::default();
        while let Some(line) = incoming.next().await {
            order.r#type.push(line?.get().sku.to_owned());
        }
        Ok(order.into())
    }
    async fn chat(
        &self,
        _: &Context,
        _: Streaming<View<Line>>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(polywire::stream(1).1)
    }
}

fn start() -> (Running, String) {
    let running = Server::new().service(Shop.into_service()).listen("127.0.0.1:0").start().unwrap();
    let address = running.addresses()[0].to_string();
    (running, address)
}

#[tokio::test]
async fn methods_receive_views_over_every_protocol() {
    let (_running, address) = start();
    for protocol in ["baidu_std", "grpc", "http"] {
        let channel = Channel::builder(&address).protocol(protocol).build().unwrap();
        let client = StockClient::new(channel.clone());
        let long = Order { raw: vec![5; 100_000], ..order() };
        for sent in [order(), long] {
            let expected = Order { note: Some("3 lines".into()), ..sent.clone() };
            let reply: View<Order> = client.echo(sent.clone()).await.unwrap().into_message();
            assert_eq!(reply.get().note, Some("3 lines"), "{protocol}");
            assert_eq!(reply.to_owned_message(), expected, "{protocol}");
            assert_eq!(client.echo_owned(sent).await.unwrap().into_message(), expected, "{protocol}");
        }
        let none = client.echo(Order { id: "none".into(), ..Order::default() }).await.unwrap_err();
        assert_eq!(none.message(), "none", "{protocol}");
        // Refused with the same status as an owned request.
        for wire in [&b"\x0a\x01\xff"[..], b"\x0a\x05x", b"\x6a\x00"] {
            let of = async |method| {
                let refused =
                    channel.call(Target::fixed("views.Stock", method), wire.to_vec()).await.unwrap_err();
                (refused.code(), refused.message().to_owned())
            };
            assert_eq!(of("Echo").await, of("EchoOwned").await, "{protocol} {}", wire.escape_ascii());
        }
    }
}

#[tokio::test]
async fn streams_carry_views() {
    let (_running, address) = start();
    for protocol in ["baidu_std", "grpc"] {
        let channel = Channel::builder(&address).protocol(protocol).build().unwrap();
        let client = StockClient::new(channel);
        let mut lines = client.watch(order()).await.unwrap();
        let mut seen = Vec::new();
        while let Some(line) = lines.next().await {
            seen.push(line.unwrap().to_owned_message());
        }
        assert_eq!(seen, order().lines, "{protocol}");
        let mut upload = client.collect().await.unwrap();
        for line in order().lines {
            upload.send(line).await.unwrap();
        }
        let reply: View<Order> = upload.finish().await.unwrap().into_message();
        assert_eq!(reply.get().r#type[..], ["a", "b", ""], "{protocol}");
    }
}

/// The answer to a request with JSON, over HTTP.
fn post(address: &str, path: &str, json: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let head =
        format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n");
    write!(stream, "{head}Content-Length: {}\r\n\r\n{json}", json.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn callers_with_json_see_no_difference() {
    let (_running, address) = start();
    let body = |answer: &str| answer.split_once("\r\n\r\n").unwrap().1.to_owned();
    for json in
        [r#"{"id":"5","lines":[{"sku":"ü","cents":3}],"kind":"KIND_BIG"}"#, r#"{"id":"5""#, r#"{"must":{}}"#]
    {
        let view = post(&address, "/views.Stock/Echo", json);
        let owned = post(&address, "/views.Stock/EchoOwned", json);
        assert_eq!(view.lines().next(), owned.lines().next(), "{json}");
        assert_eq!(body(&view), body(&owned), "{json}");
    }
    let answer = post(&address, "/v1/orders/shelf", r#"{"lines":[{"sku":"a"}]}"#);
    assert!(body(&answer).contains(r#""id":"shelf""#) && body(&answer).contains("1 lines"), "{answer}");
}
