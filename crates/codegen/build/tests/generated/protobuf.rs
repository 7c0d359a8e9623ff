//! Generated code compiles against the runtime, and does what it says.

use polywire::{Channel, Context, Reply, Server, Status, Stream, Streaming, brpc};
use polywire_formats::Message;
use polywire_samples::protobuf::{
    awkward, common,
    example::{EchoClient, EchoRequest, EchoResponse, EchoService},
    keywords, shapes,
};
use std::{
    io::Read,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
};

struct Echo;

impl EchoService for Echo {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        Ok(EchoResponse { message: request.message }.into())
    }
}

/// A type with its own `Result`, which generated code must not pick up.
struct Awkward;

impl awkward::EchoService for Awkward {
    async fn result(&self, _: &Context, request: awkward::Result) -> Result<Reply<awkward::Result>, Status> {
        Ok(request.into())
    }
    async fn send(&self, _: &Context, _: awkward::Send) -> Result<Reply<awkward::Vec>, Status> {
        Ok(awkward::Vec::default().into())
    }
    async fn new_(&self, _: &Context, _: awkward::Send) -> Result<Reply<awkward::Option>, Status> {
        Ok(awkward::Option::default().into())
    }
    async fn into_service_(&self, _: &Context, _: awkward::Send) -> Result<Reply<awkward::String>, Status> {
        Ok(awkward::String::default().into())
    }
    async fn r#impl(&self, _: &Context, _: awkward::Send) -> Result<Reply<awkward::Sized>, Status> {
        Ok(awkward::Sized::default().into())
    }
    async fn stream(
        &self,
        _: &Context,
        _: Streaming<awkward::Result>,
    ) -> Result<impl Stream<Item = Result<awkward::Send, Status>>, Status> {
        Ok(polywire::stream(1).1)
    }
}

async fn serve(service: polywire::Service) -> (polywire::Running, Channel) {
    let running = Server::new().service(service).listen("127.0.0.1:0").start().unwrap();
    let channel = Channel::connect(running.addresses()[0].to_string()).await.unwrap();
    (running, channel)
}

#[tokio::test]
async fn a_client_gets_what_the_service_answers() {
    let (running, channel) = serve(Echo.into_service()).await;
    let reply = EchoClient::new(channel).echo(EchoRequest { message: "hi!".into() }).await.unwrap();
    assert_eq!(reply.message, "hi!");
    assert!(running.stop().await.is_empty(), "an idle connection kept the server from stopping");
}

#[test]
fn messages_are_kept_as_bytes_json_and_text() {
    let request = EchoRequest { message: "hi!".into() };
    let bytes = request.encode().unwrap();
    assert_eq!((&*bytes, EchoRequest::decode(&bytes).unwrap()), (&b"\x0a\x03hi!"[..], request.clone()));
    let json = request.to_json().unwrap();
    assert_eq!((&*json, EchoRequest::from_json(&json).unwrap()), (r#"{"message":"hi!"}"#, request.clone()));
    let text = request.to_text().unwrap();
    assert_eq!((&*text, EchoRequest::from_text(&text).unwrap()), ("message: \"hi!\"\n", request));

    let lacking = awkward::Result::default();
    for refused in [lacking.encode().map(drop), lacking.to_json().map(drop), lacking.to_text().map(drop)] {
        assert!(refused.unwrap_err().to_string().contains("awkward.Result.send"));
    }
    type Read = EchoRequest;
    for refused in [Read::decode(b""), Read::from_json("{}"), Read::from_text("")] {
        assert!(refused.unwrap_err().to_string().contains("example.EchoRequest.message"));
    }
    for refused in [Read::decode(b"\x0a\x03hi"), Read::from_json("{"), Read::from_text("message")] {
        refused.unwrap_err();
    }
}

#[tokio::test]
async fn a_request_without_a_required_field_is_refused_by_whoever_sees_it_first() {
    let (running, channel) = serve(Echo.into_service()).await;
    let target = polywire::Target::fixed("example.EchoService", "Echo");
    let refused = channel.call(target, polywire::IoBuf::new()).await.unwrap_err();
    assert_eq!(brpc::number(&refused), brpc::EREQUEST);
    assert!(refused.message().contains("example.EchoRequest.message"), "{refused}");
    assert!(running.stop().await.is_empty(), "an idle connection kept the server from stopping");

    let (running, channel) = serve(awkward::EchoService::into_service(Awkward)).await;
    let awkward = awkward::EchoServiceClient::new(channel);
    let refused = awkward.result(awkward::Result::default()).await.unwrap_err();
    assert_eq!(brpc::number(&refused), brpc::EREQUEST);
    assert!(refused.message().contains("awkward.Result.send"), "{refused}");
    assert_eq!(*awkward.new_(awkward::Send::default()).await.unwrap(), awkward::Option::default());
    assert!(running.stop().await.is_empty(), "an idle connection kept the server from stopping");
}

/// An address at which every call is read and counted, as if it were executed, and the connection closed.
fn executes_and_closes() -> (String, Arc<AtomicU32>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, runs) = (listener.local_addr().unwrap().to_string(), Arc::new(AtomicU32::new(0)));
    let counted = runs.clone();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let Ok(mut connection) = connection else { continue };
            let read = connection.read(&mut [0; 4096]);
            // Before it is closed, which the caller sees.
            counted.fetch_add(u32::from(read.is_ok_and(|bytes| bytes > 0)), SeqCst);
        }
    });
    (address, runs)
}

/// `Get` has `idempotency_level = NO_SIDE_EFFECTS`; of `Self` the file says nothing.
#[tokio::test]
async fn what_was_lost_is_called_again_if_the_file_says_that_it_may_run_twice() {
    let (address, runs) = executes_and_closes();
    let draw = shapes::v1::DrawClient::new(Channel::builder(address).build().unwrap());
    assert!(draw.self_(shapes::v1::drawing::Shape::default()).await.is_err());
    assert_eq!(runs.swap(0, SeqCst), 1);
    assert!(draw.get(polywire::wkt::Empty::default()).await.is_err());
    assert_eq!(runs.swap(0, SeqCst), 4);
    assert!(draw.get(polywire::wkt::Empty::default()).idempotent(false).await.is_err());
    assert_eq!(runs.swap(0, SeqCst), 1);
}

#[test]
fn messages_know_their_schemas_across_packages() {
    assert_eq!(shapes::v1::drawing::Shape::schema().full_name(), "shapes.v1.Drawing.Shape");
    assert!(common::Colour::schema().has_required());
    // Drawing has no required field itself, but a map of colours.
    assert!(shapes::v1::Drawing::schema().has_required());
    let method = shapes::v1::POOL.method("shapes.v1.Draw/Watch").unwrap();
    assert!(method.server_streaming && !method.client_streaming);
    assert_eq!(method.output.full_name(), "shapes.v1.Drawing");
    assert_eq!(
        shapes::v1::POOL.method("/shapes.v1.Draw.Get").unwrap().input.full_name(),
        "google.protobuf.Empty"
    );
    assert!(shapes::v1::POOL.method("shapes.v1.Draw/Nothing").is_none());
}

/// Types, modules, oneofs and services whose names are keywords or begin with a small letter.
#[test]
fn names_that_rust_would_not_have_compile_and_keep_their_name_for_peers() {
    use keywords::{Index_, Match, Self_, Type, While, index_, r#match, r#type, r#while};
    use polywire_formats::generated::buffa::MessageName;
    assert_eq!(r#type::r#loop::Where::schema().full_name(), "keywords.Type.Loop.Where");
    assert_eq!(r#while::Fn::schema().full_name(), "keywords.while.fn");
    assert_eq!(keywords::self_::Self_::schema().full_name(), "keywords.Self.self");
    assert_eq!(index_::index::schema().full_name(), "keywords.index.index");
    assert_eq!(keywords::super_::Crate_::schema().full_name(), "keywords.super.crate");
    assert_eq!(keywords::crate_::Inner::schema().full_name(), "keywords.Crate.Inner");
    assert_eq!(<Self_ as MessageName>::FULL_NAME, "keywords.Self");
    assert_eq!(<r#while::Fn as MessageName>::NAME, "while.fn");
    assert_eq!(Index_::TYPE_URL, "type.googleapis.com/keywords.index");
    let message = While {
        self_value: Some(keywords::__buffa::oneof::r#while::SelfValue::Ref(r#while::Enum::Self_)),
        ..Default::default()
    };
    assert_eq!(While::from_wire(&message.to_wire().unwrap()).unwrap(), message);
    assert!(Match::default().r#if.is_none() && Type::default().inner.is_unset());
    assert_eq!(r#match::Use::SOME as i32, 1);
}

struct Keywords;

impl keywords::Pages for Keywords {
    async fn default_method(
        &self,
        _: &Context,
        _: keywords::Index_,
    ) -> Result<Reply<keywords::r#type::Inner>, Status> {
        Err(Status::unimplemented("not called"))
    }
    async fn r#type(&self, _: &Context, _: keywords::While) -> Result<Reply<keywords::r#while::Fn>, Status> {
        Ok(keywords::r#while::Fn { r#const: Some(keywords::Const::ONE), ..Default::default() }.into())
    }
}

#[tokio::test]
async fn a_service_with_a_small_letter_is_called_by_its_name() {
    use keywords::Pages;
    let service = Keywords.into_service();
    assert_eq!(service.name(), "keywords.pages");
    let (running, channel) = serve(service).await;
    let reply = keywords::PagesClient::new(channel).r#type(keywords::While::default()).await.unwrap();
    assert_eq!(reply.r#const, Some(keywords::Const::ONE));
    assert!(running.stop().await.is_empty(), "an idle connection kept the server from stopping");
}

struct Keeps;

impl keywords::Keeper for Keeps {
    async fn keep(&self, _: &Context, request: keywords::plain) -> Result<Reply<keywords::plain>, Status> {
        Ok(request.into())
    }
}

impl keywords::KeeperService for Keeps {
    async fn keep(&self, _: &Context, _: keywords::plain) -> Result<Reply<keywords::plain>, Status> {
        Err(Status::not_found("the other one"))
    }
}

/// `KeeperService` stands first in its file, and would take the only name that the client of `Keeper` can have.
#[tokio::test]
async fn services_whose_clients_would_have_one_name_have_two() {
    let (running, channel) = serve(keywords::Keeper::into_service(Keeps)).await;
    keywords::KeeperClient::new(channel).keep(keywords::plain::default()).await.unwrap();
    assert!(running.stop().await.is_empty(), "an idle connection kept the server from stopping");
    let (running, channel) = serve(keywords::KeeperService::into_service(Keeps)).await;
    let status =
        keywords::KeeperServiceClient::new(channel).keep(keywords::plain::default()).await.unwrap_err();
    assert_eq!(status.message(), "the other one");
    assert!(running.stop().await.is_empty(), "an idle connection kept the server from stopping");
    // A message has the name of the client of `Warden`.
    let (_, _) = (keywords::WardenClient::default(), keywords::WardenClient_::new::<polywire::Standard>);
}

#[test]
fn well_known_types_are_messages_and_fields() {
    use polywire::{MessageField, wkt};
    use std::time::{Duration, SystemTime};
    assert_eq!(wkt::Empty::schema().full_name(), "google.protobuf.Empty");
    let time = wkt::Timestamp { seconds: 1, nanos: 2 };
    assert_eq!(time.to_wire().unwrap(), b"\x08\x01\x10\x02");
    let mut drawing = shapes::v1::Drawing::default();
    assert!(drawing.when.is_unset() && drawing.when.seconds == 0);
    let now = SystemTime::UNIX_EPOCH + Duration::new(1, 2);
    drawing.when = now.into();
    assert_eq!(drawing.to_wire().unwrap(), b"\x22\x04\x08\x01\x10\x02");
    assert_eq!(SystemTime::try_from(*drawing.when), Ok(now));
    drawing.when = MessageField::none();
    assert!(drawing.to_wire().unwrap().is_empty());
}
