//! One exchange as a call, and the states that it is in.

use super::assembly::Place;
use crate::http::dialects::{Form, envelope::Envelope, grpc_web};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Status};
use polywire_wire::{Compression, Delivery, Exchange, Role, Route, Sender};
use std::time::{Duration, Instant};

/// One exchange: a request of the peer, or a call of this side.
#[derive(Default)]
pub(super) struct Call {
    /// `None`: it has ended.
    pub exchange: Option<Exchange>,
    /// Server: the form of the request. Client: the same, and how the reply's messages are compressed.
    pub form: Form,
    /// Server: whether the request comes from a page that may not call.
    pub sender: Sender,
    /// The compression of messages that our head announced.
    pub announced: Compression,
    pub reply: ReplyState,
    pub body: Body,
    pub flow: Flow,
    pub server: ServerCall,
    pub client: ClientCall,
}

/// What only a server has to know.
#[derive(Default)]
pub(super) struct ServerCall {
    pub route: Route,
    /// The time that the head leaves us.
    pub timeout: Option<Duration>,
    pub admission: Admission,
}

/// What only a client has to know.
#[derive(Default)]
pub(super) struct ClientCall {
    /// How the call ended, if an envelope has that.
    pub ended: Option<Box<(Status, Metadata)>>,
    /// The request has been sent to its end.
    pub out_end: bool,
    /// The reply is delivered as `Answer`, parts and `Finish`, not as `Finish` alone.
    pub streamed: bool,
    /// When the call ends in any case.
    pub deadline: Option<Instant>,
    /// How much of the reply the host lets in.
    pub admitted: usize,
}

/// How far a request is on its way to its handler.
///
/// ```text
///           Host::admit                 body, or none needed
///  Pending ─────────────► Admitted ─────────────────────────────► Opened
///     ▲                       │                                    │  ▲
///     └─── Host::withdraw ────┘             too many replies wait  ▼  │ there is room again
///                                                                Waiting
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Admission {
    /// The host has not admitted it, or it has been withdrawn.
    #[default]
    Pending,
    /// Admitted with this announced length. `Open` or `Host::withdraw` follows.
    Admitted { announced: Option<usize> },
    /// `Open` is in `Semantics::waiting`: the host does not know of it yet.
    Waiting,
    /// `Open` has been delivered.
    Opened,
}

/// How far the reply is: at a server its own, at a client the peer's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ReplyState {
    #[default]
    Due,
    /// Server: the request is HEAD, so that the reply has no body.
    DueBodiless,
    /// Its head has been sent, or has come and is not all of it.
    Begun(ReplyBody),
}

/// The body of a reply that has begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReplyBody {
    /// A body of any length.
    Open,
    /// Server: so many bytes are due, since the head announced the length.
    Left(u64),
    /// Server: there is none.
    None,
}

impl ReplyState {
    pub fn has_begun(self) -> bool {
        matches!(self, ReplyState::Begun(_))
    }

    pub fn is_bodiless(self) -> bool {
        matches!(self, ReplyState::DueBodiless | ReplyState::Begun(ReplyBody::None))
    }

    /// The head of a reply whose length it does not say.
    pub fn begin(&mut self) {
        *self = ReplyState::Begun(if self.is_bodiless() { ReplyBody::None } else { ReplyBody::Open });
    }
}

/// The peer's body, see [`body`](super::body).
#[derive(Default)]
pub(super) struct Body {
    /// What has come and is not delivered.
    pub bytes: IoBuf,
    pub end: BodyEnd,
    /// Base64 of the text form that is no whole group yet.
    pub carry: grpc_web::Carry,
    /// The envelope whose message is not all in `bytes`.
    pub begun: Option<Envelope>,
    /// The message that was cut off an enveloped body last.
    pub message: IoBuf,
    /// How `message` is compressed.
    pub compression: Compression,
    /// A message has been cut off already.
    pub has_message: bool,
}

/// How far a body is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum BodyEnd {
    /// More of it may come.
    #[default]
    Coming,
    /// All of it has come.
    Here,
    /// All of it has come, and its end has been delivered.
    Delivered,
}

impl BodyEnd {
    /// Nothing more of it comes.
    pub fn has_come(self) -> bool {
        match self {
            BodyEnd::Coming => false,
            BodyEnd::Here | BodyEnd::Delivered => true,
        }
    }
}

/// How much of a body may come and be delivered.
#[derive(Default)]
pub(super) struct Flow {
    /// Parts that may be delivered before the next grant.
    pub demand: u32,
    /// Bytes by which the window was opened ahead of grants (rule 5); paid from the next ones.
    pub borrowed: usize,
    pub place: Place,
    /// Server: since when only the peer keeps a message from being complete: the one message of a call that is not opened
    /// yet, or one of a stream that has a place in assembly.
    pub since: Option<Instant>,
}

impl Call {
    /// A new exchange in place of one that has ended, and whose buffers are therefore empty; they are not written again.
    #[inline]
    pub fn restart(&mut self, exchange: Exchange, demand: u32) {
        self.exchange = Some(exchange);
        (self.form, self.announced) = (Form::default(), Compression::NONE);
        self.reply = ReplyState::default();
        self.server.admission = Admission::default();
        self.client = ClientCall::default();
        let Body { end, carry, begun, compression, has_message, bytes: _, message: _ } = &mut self.body;
        (*end, *carry, *begun) = (BodyEnd::default(), grpc_web::Carry::default(), None);
        (*compression, *has_message) = (Compression::NONE, false);
        self.flow = Flow { demand, place: self.flow.place, ..Flow::default() };
    }

    /// One message is due, not a stream of them.
    pub fn is_unary(&self, role: Role) -> bool {
        match role {
            Role::Server => self.server.route.delivery == Delivery::Whole,
            Role::Client => !self.client.streamed,
        }
    }

    /// Server: the exchange, if `Open` has been delivered.
    pub fn told(&self) -> Option<Exchange> {
        self.exchange.filter(|_| self.server.admission == Admission::Opened)
    }

    /// `Open` waits, and with it all that follows.
    pub fn is_waiting(&self) -> bool {
        self.server.admission == Admission::Waiting
    }

    /// Since when only the peer keeps a message from being complete.
    pub fn expected_since(&self) -> Option<Instant> {
        self.flow.since.filter(|_| !self.is_waiting() && !self.body.end.has_come())
    }

    /// Hands over the body in pieces, not as one message.
    pub fn is_piecewise(&self, role: Role) -> bool {
        match role {
            Role::Server => self.server.route.delivery == Delivery::Pieces,
            Role::Client => self.client.streamed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_without_a_body_stays_without_one() {
        let begun = |mut reply: ReplyState| {
            reply.begin();
            (reply.has_begun(), reply.is_bodiless())
        };
        assert_eq!(begun(ReplyState::Due), (true, false));
        assert_eq!(begun(ReplyState::DueBodiless), (true, true));
        assert_eq!(begun(ReplyState::Begun(ReplyBody::None)), (true, true));
    }

    #[test]
    fn nothing_of_the_last_exchange_is_left_in_the_next() {
        let exchange = |token| Exchange { token, slot: 0 };
        let mut call = Call::default();
        call.restart(exchange(1), 4);
        call.server.admission = Admission::Waiting;
        (call.reply, call.body.end) = (ReplyState::Begun(ReplyBody::Left(1)), BodyEnd::Delivered);
        (call.body.has_message, call.client.streamed, call.flow.demand) = (true, true, 0);
        assert_eq!((call.told(), call.is_waiting()), (None, true), "the host hears of it later");
        call.server.admission = Admission::Opened;
        assert_eq!(call.told(), Some(exchange(1)));
        call.restart(exchange(2), 4);
        assert_eq!((call.told(), call.is_waiting(), call.flow.demand), (None, false, 4));
        assert_eq!((call.reply, call.body.end), (ReplyState::Due, BodyEnd::Coming));
        assert!(!call.body.has_message && !call.client.streamed);
    }
}
