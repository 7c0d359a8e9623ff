//! nshead without a further protocol: heads and bodies that the application defines, for protocols of the
//! nshead family that are not built in.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`service`], [`NsheadService`] | a service that is given each frame of a server |
//! | [`adapted`], [`Adaptor`] | a dialect in front of the services of a server: which method a frame calls, how its reply looks |
//! | [`Client`], [`Frame`] | frames to send, and those that come back |
//!
//! A server that has such a service passes it every frame with nshead's magic number. nova_pbrpc,
//! public_pbrpc, nshead_mcpack and ubrpc, which are recognised by the contents of the frame, are then
//! answered only if [`Server::protocols`](polywire_server::Server::protocols) leaves out `nshead`. A client
//! is a channel with the protocol `nshead`.
//!
//! ```
//! use polywire::{Context, IoBuf, Server, Status, nshead};
//!
//! struct Upper;
//!
//! impl nshead::NsheadService for Upper {
//!     async fn frame(&self, _: &Context, frame: nshead::Frame) -> Result<Option<IoBuf>, Status> {
//!         Ok(Some(frame.body.to_vec().to_ascii_uppercase().into()))
//!     }
//! }
//!
//! let server = Server::new().service(nshead::service(Upper));
//! # let _ = server;
//! ```

#![forbid(unsafe_code)]

mod adaptor;

pub use adaptor::{Adapted, adapted};
pub use polywire_protocols::nshead::{Adaptor, Call, Head, MAX_NAME, Reply, Returned};

use polywire_base::IoBuf;
use polywire_call::{Content, Status, brpc};
use polywire_client::{Channel, Target};
use polywire_protocols::nshead::{METHOD, PROTOCOL, SERVICE};
use polywire_server::{self as server, Context, Handler, Method, Service, Started};
use polywire_wire::Outcome;
use std::{future::Future, sync::Arc};

/// A head and its body.
#[derive(Clone, Default, Debug)]
pub struct Frame {
    pub head: Head,
    pub body: IoBuf,
}

impl Frame {
    fn read(mut bytes: IoBuf) -> Option<Frame> {
        let (head, _) = Head::read(bytes.peek(Head::BYTES)?)?;
        bytes.advance(Head::BYTES);
        Some(Frame { head, body: bytes })
    }

    fn write(&self) -> IoBuf {
        // The protocol fills in the length.
        let mut bytes = IoBuf::copy_from_slice(&self.head.write(0));
        bytes.append(self.body.clone());
        bytes
    }
}

/// A service that answers frames. It gets the frames of one connection one at a time.
pub trait NsheadService: Send + Sync + 'static {
    /// Answers a frame with the body of a reply, which gets the head of the request, or with no reply
    /// (`None`).
    ///
    /// # Errors
    /// An error closes the connection, because the protocol has no error replies. The application reports its
    /// own errors in the body of a reply.
    fn frame(&self, cx: &Context, frame: Frame)
    -> impl Future<Output = Result<Option<IoBuf>, Status>> + Send;
}

/// Makes a service that takes all frames of a server: `Server::new().service(nshead::service(..))`.
pub fn service(service: impl NsheadService) -> Service {
    let service = Arc::new(service);
    let instance = move || -> Box<dyn Handler> { Box::new(Framed { service: service.clone() }) };
    Service::bound(PROTOCOL.name).with(Method::new(METHOD, instance))
}

struct Framed<S> {
    service: Arc<S>,
}

impl<S: NsheadService> Handler for Framed<S> {
    fn start(&self, call: server::Call) -> Started {
        let service = self.service.clone();
        Started::Future(Box::pin(async move {
            let Some(frame) = Frame::read(call.body.clone()) else {
                return brpc::status(brpc::EREQUEST, "no head of nshead").into();
            };
            match service.frame(&call.cx, frame).await {
                Ok(None) => Outcome::default(),
                Ok(Some(body)) => Outcome { body, content: Content::RAW, reply: true, ..Outcome::default() },
                Err(status) => status.into(),
            }
        }))
    }
}

/// Sends frames over a channel with the protocol `nshead`.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
}

impl Client {
    pub fn new<P>(channel: Channel<P>) -> Self {
        Client { channel: channel.retyped() }
    }

    /// Sends a frame and waits for its reply.
    ///
    /// # Errors
    /// Errors of the connection only: "any reply is success".
    pub async fn call(&self, frame: &Frame) -> Result<Frame, Status> {
        let call = self.channel.call(Target::fixed(SERVICE, METHOD), frame.write()).content(Content::RAW);
        let reply = call.await?.into_message();
        Frame::read(reply.body).ok_or_else(|| brpc::status(brpc::ERESPONSE, "no head of nshead"))
    }
}
