//! Generated code compiles and does what it says, with as much of the runtime as it names.

// Generated code says `::polywire`; here that is this test with the parts below.
extern crate self as polywire;

include!("golden/all.rs");

use polywire_call::Reply as CallReply;
use polywire_formats::{Message, decode_request, encode_reply};
use polywire_wire::{Compression, Content};
use std::{
    future::Future,
    marker::PhantomData,
    pin::pin,
    sync::Arc,
    task::{Context as TaskContext, Poll, Waker},
};

pub use polywire_call::Status;
pub type Reply<M> = CallReply<M>;
pub struct Context;
#[derive(Clone)]
pub struct Channel;

pub struct Service {
    name: &'static str,
    methods: Vec<(&'static str, Box<dyn Fn(&[u8]) -> Result<Vec<u8>, Status>>)>,
}

impl Service {
    pub fn new(name: &'static str, descriptors: &'static [u8]) -> Self {
        assert!(!descriptors.is_empty());
        Service { name, methods: Vec::new() }
    }
    pub fn unary<U: generated::Unary>(mut self, service: &Arc<U::Service>) -> Self {
        let service = service.clone();
        let call = move |bytes: &[u8]| {
            let body = bytes.to_vec().into();
            let request = decode_request(Content::PROTOBUF, Compression::NONE, body, 1 << 20)?;
            let reply = block_on(U::call(&service, &Context, request))?.into_parts().0;
            Ok(encode_reply(&reply, Content::PROTOBUF, Compression::NONE)?.to_vec())
        };
        self.methods.push((U::NAME, Box::new(call)));
        self
    }
}

pub struct Call<M>(&'static str, &'static str, Vec<u8>, PhantomData<M>);

pub mod generated {
    pub use polywire_formats::generated::*;
    use std::{marker::PhantomData, sync::Arc};

    pub trait Unary: 'static {
        type Service: Send + Sync + 'static;
        type Request: polywire_formats::Message;
        type Response: polywire_formats::Message;
        const NAME: &'static str;
        fn call(
            service: &Self::Service,
            cx: &super::Context,
            request: Self::Request,
        ) -> impl Future<Output = Result<super::Reply<Self::Response>, super::Status>> + Send;
    }
    pub fn unary<I: polywire_formats::Message, O>(
        _: &super::Channel,
        service: &'static str,
        method: &'static str,
        request: I,
    ) -> super::Call<O> {
        super::Call(service, method, request.to_wire().unwrap(), PhantomData)
    }
    const _: fn(&Arc<u8>) = |_| {};
}

fn block_on<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("handlers here wait for nothing"),
    }
}

use example::{EchoClient, EchoRequest, EchoResponse, EchoService};

struct Echo;

impl EchoService for Echo {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        Ok(EchoResponse { message: request.message }.into())
    }
}

#[test]
fn a_service_answers_what_its_handler_says() {
    let service = Echo.into_service();
    assert_eq!(service.name, "example.EchoService");
    let (name, call) = &service.methods[0];
    assert_eq!(*name, "Echo");
    assert_eq!(call(b"\x0a\x03hi!").unwrap(), b"\x0a\x03hi!");
    let status = call(b"").unwrap_err();
    assert_eq!(polywire_call::brpc::number(&status), polywire_call::brpc::EREQUEST);
    assert!(status.message().contains("example.EchoRequest.message"), "{status}");
}

#[test]
fn a_client_names_service_and_method() {
    let client = EchoClient::new(Channel);
    let call = client.clone().echo(EchoRequest { message: "hi!".into() });
    assert_eq!((call.0, call.1, &call.2[..]), ("example.EchoService", "Echo", &b"\x0a\x03hi!"[..]));
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
}

#[test]
fn well_known_types_are_messages_too() {
    use polywire_formats::generated::buffa_types::google::protobuf::{Empty, Timestamp};
    assert_eq!(Empty::schema().full_name(), "google.protobuf.Empty");
    let time = Timestamp { seconds: 1, nanos: 2, ..Default::default() };
    assert_eq!(time.to_wire().unwrap(), b"\x08\x01\x10\x02");
}
