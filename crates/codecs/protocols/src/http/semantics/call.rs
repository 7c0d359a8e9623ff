//! One exchange as a call, and its states.

use super::socket::Socket;
use crate::http::dialects::{Form, envelope::Envelope, grpc_web};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Status};
use polywire_wire::{Compression, Delivery, Exchange, Role, Route, Sender, goes_on};
use std::time::{Duration, Instant};

/// One exchange: a request of the peer, or a call of this side.
#[derive(Default)]
pub(super) struct Call {
    /// `None` if it has ended.
    pub exchange: Option<Exchange>,
    /// Server: the form of the request. Client: the same, and how the reply's messages are compressed.
    pub form: Form,
    /// Server: whether the request comes from a page that may not call.
    pub sender: Sender,
    /// The compression of messages that this side's head announced.
    pub announced: Compression,
    pub reply: ReplyState,
    pub body: Body,
    pub flow: Flow,
    pub server: ServerCall,
    pub client: ClientCall,
}

/// State that only a server has.
#[derive(Default)]
pub(super) struct ServerCall {
    pub route: Route,
    /// The time that the head allows for the call.
    pub timeout: Option<Duration>,
    pub admission: Admission,
    /// Whether the exchange may take over its connection or stream: the request has asked for it, and the
    /// method supports it.
    pub upgrades: bool,
}

/// State that only a client has.
#[derive(Default)]
pub(super) struct ClientCall {
    /// The end of the call, if it came in an envelope.
    pub ended: Option<Box<(Status, Metadata)>>,
    /// Whether the request has been sent completely.
    pub out_end: bool,
    /// Whether the reply is delivered as `Answer`, parts and `Finish` instead of `Finish` alone.
    pub streamed: bool,
    /// When the call fails unless it has ended before.
    pub deadline: Option<Instant>,
    /// Number of bytes of the reply that the host lets in.
    pub admitted: usize,
    /// Whether the request asks for WebSocket.
    pub upgrades: bool,
}

/// The stage of a request on its way to its handler.
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

/// The progress of the reply: at a server its own, at a client the peer's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ReplyState {
    #[default]
    Due,
    /// Server: the request is HEAD, so that the reply has no body.
    DueBodiless,
    /// The head has been sent, or has been received without the whole body.
    Begun(ReplyBody),
}

/// The body of a reply that has begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReplyBody {
    /// A body of any length.
    Open,
    /// Server: this many bytes are still due, because the head announced the length.
    Left(u64),
    /// Server: there is no reply body.
    None,
}

impl ReplyState {
    pub fn has_begun(self) -> bool {
        matches!(self, ReplyState::Begun(_))
    }

    pub fn is_bodiless(self) -> bool {
        matches!(self, ReplyState::DueBodiless | ReplyState::Begun(ReplyBody::None))
    }

    /// Notes that the head of a reply without a stated length was sent.
    pub fn begin(&mut self) {
        *self = ReplyState::Begun(if self.is_bodiless() { ReplyBody::None } else { ReplyBody::Open });
    }
}

/// The peer's body, see [`body`](super::body).
#[derive(Default)]
pub(super) struct Body {
    /// Bytes that have arrived and are not delivered.
    pub bytes: IoBuf,
    pub end: BodyEnd,
    /// Characters of the text form that are not a whole group of base64 yet.
    pub carry: grpc_web::Carry,
    /// The envelope whose message is not complete in `bytes`.
    pub begun: Option<Envelope>,
    /// The last message that was read from an enveloped body.
    pub message: IoBuf,
    /// The compression of `message`.
    pub compression: Compression,
    /// Whether a message has been read already.
    pub has_message: bool,
    /// Server: the reader of a call over WebSocket.
    pub socket: Option<Box<Socket>>,
}

impl Body {
    /// Bytes that are held here.
    pub fn held(&self) -> usize {
        let inside = self.socket.as_ref().map_or(0, |socket| socket.held());
        self.bytes.len() + self.message.len() + inside
    }
}

/// The stage of receiving a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum BodyEnd {
    /// More bytes of the body may come.
    #[default]
    Coming,
    /// The whole body has arrived.
    Here,
    /// The whole body has arrived and was delivered, including its end.
    Delivered,
}

impl BodyEnd {
    /// Whether the whole body has arrived.
    pub fn is_complete(self) -> bool {
        match self {
            BodyEnd::Coming => false,
            BodyEnd::Here | BodyEnd::Delivered => true,
        }
    }
}

/// How many bytes of a body may arrive and be delivered.
#[derive(Default)]
pub(super) struct Flow {
    /// Number of parts that may be delivered before the next grant.
    pub demand: u32,
    /// Number of bytes by which the window was opened ahead of grants (rule 5), which the next grants repay.
    pub borrowed: usize,
    pub place: Place,
    /// Server: since when only the peer keeps a message from being complete: the one message of a call that
    /// is not opened yet, or one of a stream that has a place in assembly.
    pub since: Option<Instant>,
    /// The number of bytes of that message that had arrived at the last check of its rate.
    pub seen: usize,
}

/// The share of one message in the [assembly](super::assembly).
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    /// The length of the whole message in bytes, if it is known.
    pub wanted: usize,
    /// Number of its bytes that count as let in.
    pub allowed: usize,
    pub waits: bool,
}

impl Call {
    /// Reuses the slot of an ended exchange for a new one. The buffers are empty already and are not written
    /// again.
    #[inline]
    pub fn restart(&mut self, exchange: Exchange, demand: u32) {
        self.exchange = Some(exchange);
        (self.form, self.announced) = (Form::default(), Compression::NONE);
        self.reply = ReplyState::default();
        (self.server.admission, self.server.upgrades) = (Admission::default(), false);
        self.client = ClientCall::default();
        let Body { end, carry, begun, compression, has_message, bytes: _, message: _, socket: _ } =
            &mut self.body;
        (*end, *carry, *begun) = (BodyEnd::default(), grpc_web::Carry::default(), None);
        (*compression, *has_message) = (Compression::NONE, false);
        self.flow = Flow { demand, place: self.flow.place, ..Flow::default() };
    }

    /// Whether there is a single message instead of a stream.
    pub fn is_unary(&self, role: Role) -> bool {
        match role {
            Role::Server => self.server.route.delivery == Delivery::Whole,
            Role::Client => !self.client.streamed,
        }
    }

    /// Server: the exchange, if `Open` has been delivered.
    pub fn opened_exchange(&self) -> Option<Exchange> {
        self.exchange.filter(|_| self.server.admission == Admission::Opened)
    }

    /// Whether `Open`, and with it all later events, has to wait.
    pub fn is_waiting(&self) -> bool {
        self.server.admission == Admission::Waiting
    }

    /// Since when the message has been incomplete only because of the peer.
    pub fn expected_since(&self) -> Option<Instant> {
        self.flow.since.filter(|_| !self.is_waiting() && !self.body.end.is_complete())
    }

    /// Whether enough of a message has arrived in the time that it had. Bytes that have arrived until now do
    /// not count again.
    pub fn goes_on(&mut self, time: Duration) -> bool {
        let held = self.body.held();
        let came = held.saturating_sub(std::mem::replace(&mut self.flow.seen, held));
        goes_on(came as u64, time)
    }

    /// Whether the body is delivered in pieces instead of one message.
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
        assert_eq!((call.opened_exchange(), call.is_waiting()), (None, true), "the host hears of it later");
        call.server.admission = Admission::Opened;
        assert_eq!(call.opened_exchange(), Some(exchange(1)));
        call.restart(exchange(2), 4);
        assert_eq!((call.opened_exchange(), call.is_waiting(), call.flow.demand), (None, false, 4));
        assert_eq!((call.reply, call.body.end), (ReplyState::Due, BodyEnd::Coming));
        assert!(!call.body.has_message && !call.client.streamed);
    }
}
