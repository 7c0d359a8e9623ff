//! Text that is not UTF-8, by `Config::strings_as_bytes`: through every protocol, and in every form of a message.

use polywire::{
    Channel, Compression, Content, Context, IoBuf, Message, Payload, Reply, Running, Server, Status, Stream,
    Streaming, Target,
};
use polywire_formats::{FormatError, json::Json, mcpack, mcpack::Variant};
use polywire_samples::gbk::gbk::{
    self, Checked, Either, Partly, Text, Texts, TextsClient, Value, text::Inner,
};
use std::{future::Future, time::Duration};

/// "Chinese" in GBK.
const GBK: &[u8] = b"\xd6\xd0\xce\xc4";
const MOST: usize = 1 << 20;

/// A message with such text wherever a string is possible.
fn text() -> Text {
    let one = |key: &[u8]| [(key.to_vec(), GBK.to_vec())].into_iter().collect();
    let inner = |text: &[u8]| Text { must: text.to_vec(), ..Text::default() };
    Text {
        must: GBK.to_vec(),
        one: Some(GBK.to_vec()),
        many: vec![b"plain".to_vec(), GBK.to_vec(), Vec::new()],
        names: one(GBK),
        numbers: [(7, GBK.to_vec())].into_iter().collect(),
        counts: [(GBK.to_vec(), 3)].into_iter().collect(),
        binary: [(8, GBK.to_vec())].into_iter().collect(),
        below: inner(GBK).into(),
        rows: vec![inner(b"plain"), inner(GBK)],
        shared: Some(GBK.into()),
        plain: Some(GBK.to_vec()),
        on: Some(GBK.to_vec()),
        said: Some(GBK.to_vec()),
        inner: Inner { text: Some(GBK.to_vec()) }.into(),
        values: [(9, Value { value: Some(GBK.to_vec()) })].into_iter().collect(),
        value: Value { value: Some(GBK.to_vec()) }.into(),
        lead: GBK.to_vec(),
    }
}

fn encode(message: &impl Payload, content: Content) -> Vec<u8> {
    message.encode(content, Compression::NONE, Json::DEFAULT).unwrap().contiguous().to_vec()
}

fn decode<M: Payload>(content: Content, body: impl Into<IoBuf>) -> Result<M, FormatError> {
    M::decode(content, Compression::NONE, body.into(), MOST.into(), Json::DEFAULT)
}

#[test]
fn json_and_text_of_messages_are_text_whatever_the_bytes() {
    assert!(text().to_json().unwrap().contains('\u{fffd}'));
    assert_eq!(Text::from_text(&text().to_text().unwrap()).unwrap(), text());
}

#[test]
fn on_the_wire_they_are_strings_and_bytes_are_kept() {
    let wire = text().to_wire().unwrap();
    assert_eq!(decode::<Text>(Content::PROTOBUF, wire).unwrap(), text());
    let either = Either { either: Some(gbk::__buffa::oneof::either::Either::Text(GBK.to_vec())) };
    assert_eq!(either.to_wire().unwrap(), [b"\x0a\x04", GBK].concat());
    // The default is that of the file.
    assert_eq!(Text::default().lead, "\"a\nä\\".as_bytes());
}

#[test]
fn mcpack_has_them_as_strings_and_generated_code_writes_what_the_descriptor_does() {
    for (variant, content) in [(Variant::Mcpack, Content::MCPACK), (Variant::Compack, Content::COMPACK)] {
        for message in [text(), Text::default()] {
            let wire = message.to_wire().unwrap();
            let body = mcpack::from_wire(Text::schema(), &wire, variant).unwrap();
            assert_eq!(message.to_mcpack(variant).expect("generated code writes it"), body);
            assert_eq!(Text::from_mcpack(&body, MOST).expect("generated code reads it"), message);
            assert_eq!(decode::<Text>(content, mcpack_of(&message, variant)).unwrap(), message);
        }
        let either = Either { either: Some(gbk::__buffa::oneof::either::Either::Text(GBK.to_vec())) };
        assert_eq!(decode::<Either>(content, encode(&either, content)).unwrap(), either);
    }
    // Type 0x50 is a string, and 0x60 binary; both short.
    let body = Text { must: GBK.to_vec(), plain: Some(GBK.to_vec()), ..Text::default() };
    let body = encode(&body, Content::MCPACK);
    let has = |bytes: &[u8]| body.windows(bytes.len()).any(|window| window == bytes);
    assert!(has(b"\xd0\x05\x05must\0\xd6\xd0\xce\xc4\0"), "{}", body.escape_ascii());
    assert!(has(b"\xe0\x06\x04plain\0\xd6\xd0\xce\xc4"), "{}", body.escape_ascii());
}

fn mcpack_of(message: &Text, variant: Variant) -> Vec<u8> {
    encode(message, if variant == Variant::Mcpack { Content::MCPACK } else { Content::COMPACK })
}

/// JSON is UTF-8: each invalid sequence becomes U+FFFD. Valid text is unchanged.
#[test]
fn json_has_replacement_characters_and_text_format_escapes() {
    let message = Text {
        must: b"a\xd6b".to_vec(),
        many: vec!["ä".into()],
        names: [(b"\xd6".to_vec(), b"\xff".to_vec())].into_iter().collect(),
        lead: b"lead".to_vec(),
        ..Text::default()
    };
    for content in [Content::JSON, Content::PROTO_JSON] {
        let json = String::from_utf8(encode(&message, content)).unwrap();
        for part in ["\"a\u{fffd}b\"", "\"ä\"", "\"\u{fffd}\":\"\u{fffd}\"", "\"lead\""] {
            assert!(json.contains(part), "{part} is not in {json}");
        }
    }
    let read: Text = decode(Content::JSON, r#"{"must":"ä\u4e2d","lead":""}"#).unwrap();
    assert_eq!(read.must, "ä中".as_bytes());
    let gbk = [&b"{\"must\":\""[..], GBK, b"\",\"lead\":\"\"}"].concat();
    let refused = decode::<Text>(Content::JSON, gbk).unwrap_err();
    assert_eq!(refused.to_string(), "JSON at byte 9: not UTF-8");

    let format = encode(&text(), Content::PROTO_TEXT);
    assert!(format.starts_with(b"must: \"\\326\\320\\316\\304\"\n"), "{}", format.escape_ascii());
    assert_eq!(decode::<Text>(Content::PROTO_TEXT, format).unwrap(), text());
}

struct Echo;

impl Texts for Echo {
    async fn echo(&self, _: &Context, request: Text) -> Result<Reply<Text>, Status> {
        assert_eq!(request.must, GBK);
        Ok(request.into())
    }
    async fn check(&self, _: &Context, request: Checked) -> Result<Reply<Checked>, Status> {
        Ok(request.into())
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Text>,
    ) -> Result<impl Stream<Item = Result<Text, Status>>, Status> {
        Ok(incoming)
    }
}

/// Runs a test for each protocol, with a channel to a server of its own.
fn by_each<F: Future<Output = Running>>(protocols: &[&str], test: impl Fn(Running, Channel) -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for protocol in protocols {
            let running = Server::new().service(Echo.into_service()).listen("127.0.0.1:0").start().unwrap();
            let channel = Channel::builder(running.addresses()[0].to_string()).protocol(*protocol);
            let channel = channel.timeout(Duration::from_secs(60)).build().unwrap();
            assert!(test(running, channel).await.stop().await.is_empty(), "{protocol}");
        }
    });
}

/// Protocols over which the text of an error reaches the caller.
const TELLING: [&str; 11] = [
    "baidu_std",
    "hulu_pbrpc",
    "sofa_pbrpc",
    "public_pbrpc",
    "ubrpc_mcpack2",
    "ubrpc_compack",
    "http:proto",
    "h2:proto",
    "grpc",
    "grpc-web",
    "zmtp",
];

#[test]
fn every_protocol_carries_them_in_both_directions() {
    let silent = ["nova_pbrpc", "nshead_mcpack"];
    by_each(&[&TELLING[..], &silent, &["connect"]].concat(), async |running, channel| {
        let protocol = channel.protocol();
        let reply =
            TextsClient::new(channel).echo(text()).await.unwrap_or_else(|e| panic!("{protocol}: {e}"));
        assert_eq!(*reply, text(), "{protocol}");
        running
    });
}

#[test]
fn streams_carry_them() {
    by_each(&["streaming_rpc", "grpc"], async |running, channel| {
        let (mut sender, mut lines) = TextsClient::new(channel).chat().await.unwrap().split();
        sender.send(text()).await.unwrap();
        assert_eq!(lines.next().await.unwrap().unwrap(), text());
        drop(sender);
        assert!(lines.next().await.is_none());
        running
    });
}

/// The result of a call of `Check` with such text; the connection continues.
#[test]
fn a_string_that_is_kept_as_one_is_refused_by_its_name_and_the_connection_lives() {
    by_each(&TELLING, async |running, channel| {
        let protocol = channel.protocol();
        let message =
            Text { must: b"plain".to_vec(), rows: vec![Text::default(), text()], ..Text::default() };
        let body = encode(&message, channel.content());
        let target = || Target::fixed("gbk.Texts", "Check").at(1);
        let refused = channel.call(target(), body).content(channel.content()).await.unwrap_err();
        for part in ["gbk.Checked.rows[1].must is not UTF-8", "`strings_as_bytes` of polywire-build"] {
            assert!(refused.message().contains(part), "{protocol}: {refused}");
        }
        let good = Text { must: b"plain".to_vec(), ..Text::default() };
        let call = channel.call(target(), encode(&good, channel.content()));
        call.content(channel.content()).await.unwrap_or_else(|e| panic!("{protocol}: {e}"));
        assert_eq!(channel.connections_made(), 1, "{protocol}");
        running
    });
}

/// Fields that may hold any bytes are never named.
#[test]
fn the_field_that_is_named_is_one_that_was_refused() {
    let names = || [(GBK.to_vec(), GBK.to_vec())].into_iter().collect();
    let inner = Partly { must: GBK.to_vec(), names: names(), ..Partly::default() };
    let taken = Partly { below: inner.into(), must: GBK.to_vec(), names: names(), one: Some("plain".into()) };
    let wire = taken.to_wire().unwrap();
    assert_eq!(Partly::from_wire(&wire).unwrap(), taken);
    // Another `below` is merged with the first, and has GBK in the `String` alone.
    let wire = [&wire[..], b"\x42\x06\x12\x04", GBK].concat();
    let refused = Partly::from_wire(&wire).unwrap_err();
    assert!(refused.to_string().starts_with("gbk.Partly.below.one is not UTF-8"), "{refused}");
}

/// A client gets the same error for a reply.
#[test]
fn a_reply_is_refused_by_the_name_of_its_field() {
    by_each(&["baidu_std", "ubrpc_mcpack2"], async |running, channel| {
        let body = Ok(encode(&text(), channel.content()).into());
        let call = channel.typed::<Checked>(Target::fixed("gbk.Texts", "Echo").at(0), body);
        let refused = call.await.unwrap_err();
        assert!(refused.message().starts_with("gbk.Checked.must is not UTF-8"), "{refused}");
        running
    });
}
