//! A dialect of a user's own, in front of the services of a server.
//!
//! A server whose extensions have [`Adaptors`] gives each of its connections an [`Adaptor`]. It returns the
//! method that the body of a frame calls and the position of the message, and writes the body of the reply.
//! The server does the steps in between, as for all protocols: the method is found, the request is admitted
//! and counted, the handler gets its message. brpc's counterpart is `NsheadPbServiceAdaptor`.
//!
//! Source: docs/wire/nshead.md, "Adaptor to protobuf services"

use super::dialect::{Dialect, Refused, Request, put_reply};
use super::frame::Head;
use polywire_base::{IoBuf, Output};
use polywire_call::{Metadata, Status, brpc};
use polywire_wire::{Compression, Content, Outcome, Outgoing, Refusal, Stopping, Target};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

/// Longest name of a service or method, in bytes: names come from the peer, and stay until the next frame.
pub const MAX_NAME: usize = 1 << 10;

/// The trait of an application that defines its own heads and bodies. There is one value for each connection,
/// which may keep state of the current request: frames of a connection arrive one at a time, and each is
/// answered before the next one.
///
/// A panic closes the connection, and no other one.
pub trait Adaptor: Send + 'static {
    /// Reads a frame: the method that it calls, and the message.
    ///
    /// # Errors
    /// The frame is invalid. The status is passed to [`Adaptor::reply`], which decides how the peer is
    /// answered.
    fn request(&mut self, head: &Head, body: IoBuf) -> Result<Call, Status>;

    /// The answer to the frame with this head. The status is of a frame that could not be read, of a call
    /// that the server refuses (no such method, limits, a stop), or of a handler that failed.
    fn reply(&mut self, head: &Head, returned: Result<Returned, &Status>) -> Reply;
}

/// A call of a method, as a frame has it.
#[derive(Clone, Debug)]
pub struct Call {
    /// Full name of the service, `package.Service`. Service and method have at most [`MAX_NAME`] bytes each;
    /// a longer name is refused with UNIMPLEMENTED.
    pub service: String,
    pub method: String,
    pub message: IoBuf,
    /// Bytes beside the message, which the handler finds in its context. Default: none.
    pub attachment: IoBuf,
    /// Encoding of `message`. Default: protobuf.
    pub content: Content,
    /// Compression of `message`. Default: none.
    pub compression: Compression,
    /// The log id, in place of the head's. Default: the head's.
    pub log_id: Option<u64>,
}

impl Call {
    /// A call with a message of protobuf.
    pub fn new(service: impl Into<String>, method: impl Into<String>, message: impl Into<IoBuf>) -> Self {
        Call {
            service: service.into(),
            method: method.into(),
            message: message.into(),
            attachment: IoBuf::default(),
            content: Content::PROTOBUF,
            compression: Compression::NONE,
            log_id: None,
        }
    }
}

/// The reply of a handler.
#[derive(Clone, Debug)]
pub struct Returned {
    /// The reply in the encoding of the request, not compressed.
    pub message: IoBuf,
    pub attachment: IoBuf,
}

/// The answer to a frame.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A frame with this body, and the head of the request.
    Body(IoBuf),
    /// No frame is sent.
    Nothing,
    /// The connection closes.
    Close,
}

/// The factory of the adaptors of a server's connections, stored in the extensions of a server.
pub struct Adaptors(Arc<dyn Fn() -> Box<dyn Adaptor> + Send + Sync>);

impl Adaptors {
    pub fn new<A: Adaptor>(make: impl Fn() -> A + Send + Sync + 'static) -> Self {
        Adaptors(Arc::new(move || Box::new(make())))
    }

    pub(super) fn dialect(&self) -> Adapted {
        Adapted {
            adaptor: (self.0)(),
            service: String::new(),
            method: String::new(),
            attachment: 0,
            log_id: None,
        }
    }
}

/// The dialect of one connection.
pub(super) struct Adapted {
    adaptor: Box<dyn Adaptor>,
    service: String,
    method: String,
    attachment: u32,
    log_id: Option<u64>,
}

impl Adapted {
    /// The adaptor's reply to a frame.
    fn reply(&mut self, head: &Head, returned: Result<Returned, &Status>) -> Reply {
        catch_unwind(AssertUnwindSafe(|| self.adaptor.reply(head, returned))).unwrap_or(Reply::Close)
    }

    fn put(out: &mut Output, head: Head, reply: Reply) -> Result<(), Status> {
        match reply {
            Reply::Body(body) => put_reply(out, &head, &[], &body),
            Reply::Nothing => Ok(()),
            Reply::Close => Err(brpc::status(brpc::ECLOSE, "")),
        }
    }
}

impl Dialect for Adapted {
    const NAME: &'static str = super::raw::Raw::NAME;
    const HEAD_NAMES: bool = false;
    const STOPPING: Stopping = Stopping::Serves;

    fn read_request(&mut self, head: &Head, body: IoBuf) -> Result<Request, Refused> {
        self.log_id = None;
        let asked = catch_unwind(AssertUnwindSafe(|| self.adaptor.request(head, body)));
        let asked = asked.unwrap_or_else(|_| Err(brpc::status(brpc::ECLOSE, "")));
        let mut call = asked.map_err(Refused::Answer)?;
        for name in [&mut call.service, &mut call.method] {
            if name.len() > MAX_NAME {
                let text = format!("a name of more than {MAX_NAME} bytes");
                return Err(Refused::Answer(Status::unimplemented(text)));
            }
            name.shrink_to(MAX_NAME);
        }
        self.attachment = u32::try_from(call.attachment.len())
            .map_err(|_| Refused::Answer(Status::resource_exhausted("the attachment is too long")))?;
        (self.service, self.method, self.log_id) = (call.service, call.method, call.log_id);
        let mut body = call.message;
        body.append(call.attachment);
        Ok(Request { body, content: call.content, compression: call.compression })
    }

    fn target(&self) -> Target<'_> {
        Target::Method { service: &self.service, method: &self.method }
    }

    fn attachment(&self) -> u32 {
        self.attachment
    }

    fn log_id(&self) -> Option<u64> {
        self.log_id
    }

    fn put_reply(&mut self, out: &mut Output, head: Head, outcome: &Outcome) -> Result<(), Status> {
        let message = outcome.message();
        let mut attachment = outcome.body.clone();
        attachment.advance(message.len());
        let reply = self.reply(&head, Ok(Returned { message, attachment }));
        Adapted::put(out, head, reply)
    }

    fn put_failure(&mut self, out: &mut Output, head: Head, status: &Status, _: Option<&Metadata>) -> bool {
        let reply = self.reply(&head, Err(status));
        Adapted::put(out, head, reply).is_ok()
    }

    /// Clients send frames as they are.
    fn put_request(&mut self, _: &mut Output, _: u64, _: &Outgoing<'_>) -> Result<(), Refusal> {
        Err(Refusal::WrongRole)
    }

    fn read_reply(&mut self, _: &Head, _: IoBuf) -> Option<Outcome> {
        None
    }
}
