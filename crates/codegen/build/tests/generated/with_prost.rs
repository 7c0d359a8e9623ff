//! The same service with prost's messages.

include!("../golden_prost/all.rs");

use example::{EchoClient, EchoRequest, EchoResponse, EchoService};
use polywire::{Channel, Content, Context, Reply, Server, Status};
use polywire_formats::{Message, decode_request, encode_reply};
use polywire_wire::Compression;

struct Echo;

impl EchoService for Echo {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        Ok(EchoResponse { message: request.message }.into())
    }
}

#[tokio::test]
async fn a_client_gets_what_the_service_answers() {
    let running = Server::new().service(Echo.into_service()).listen("127.0.0.1:0").start().unwrap();
    let channel = Channel::connect(running.addresses()[0].to_string()).await.unwrap();
    let reply = EchoClient::new(channel).echo(EchoRequest { message: "hi!".into() }).await.unwrap();
    assert_eq!(reply.message, "hi!");
    assert!(running.stop().await.is_empty(), "an idle connection kept the server from stopping");
}

#[test]
fn required_fields_and_json_work_as_with_other_messages() {
    let decode = |text: &'static str| {
        decode_request::<EchoRequest>(Content::JSON, Compression::NONE, text.into(), 1 << 20)
    };
    assert_eq!(decode(r#"{"message":"hi!"}"#).unwrap().message, "hi!");
    assert!(decode("{}").unwrap_err().message().contains("example.EchoRequest.message"));
    let body = decode_request::<EchoRequest>(Content::PROTOBUF, Compression::NONE, "".into(), 1 << 20);
    assert!(body.is_err());

    let drawing = shapes::v1::Drawing {
        when: Some(prost_types::Timestamp { seconds: 1, nanos: 0 }),
        version: Some(3),
        ..Default::default()
    };
    let text = encode_reply(drawing.clone(), Content::PROTO_JSON, Compression::NONE).unwrap();
    assert_eq!(text, br#"{"when":"1970-01-01T00:00:01Z","version":3}"#[..]);
    assert_eq!(<()>::schema().full_name(), "google.protobuf.Empty");
}

use polywire::generated::prost_types;

#[test]
fn strings_are_bytes_where_they_are_to_be_and_else_are_refused_by_their_name() {
    let text = b"\xd6\xd0";
    let names = [("key".to_owned(), text.to_vec())].into_iter().collect();
    let message = gbk::Text { must: text.to_vec(), names, lead: text.to_vec(), ..Default::default() };
    let wire = message.to_wire().unwrap();
    assert_eq!(gbk::Text::from_wire(&wire).unwrap(), message);
    assert_eq!(gbk::Text::default().lead, "\"a\nä\\".as_bytes());
    let partly = gbk::Partly { must: text.to_vec(), ..Default::default() }.to_wire().unwrap();
    // Values of maps are bytes; their keys are not.
    let partly = [&partly[..], b"\x22\x08\x12\x02\xd6\xd0\x0a\x02\xd6\xd0"].concat();
    let refused = gbk::Partly::from_wire(&partly).unwrap_err();
    assert!(refused.to_string().starts_with("gbk.Partly.names[0].key is not UTF-8"), "{refused}");
    let refused = gbk::Checked::from_wire(&wire).unwrap_err();
    assert!(refused.to_string().starts_with("gbk.Checked.must is not UTF-8"), "{refused}");
}
