//! The state of one stream.
//!
//! ```text
//!             reply accepts                     CLOSE, RST, or ours
//!   Offered ----------------> Connected { ends } -------------------> Over
//!      `------------------- not accepted, given up -------------------'
//! ```
//!
//! `Over` refers to the wire. The entry stays until everything before was delivered to the application.

use super::budget::Budget;
use super::frame::{Ends, NO_STREAM};
use super::receiver::Receiver;
use super::sender::Sender;
use super::settings::Settings;
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_wire::{Event, Exchange, Limits};

pub(super) struct Stream {
    /// The dispatcher's name for the stream.
    pub exchange: Exchange,
    /// The id that this side gave the stream on the wire.
    pub id: u64,
    pub wire: Wire,
    pub purpose: Purpose,
    /// Client: the call whose reply comes as this stream's first message.
    pub awaits: Option<Exchange>,
    pub inward: Receiver,
    pub outward: Sender,
    /// Whether the peer needs FEEDBACK.
    pub feedback: bool,
    /// Whether the peer takes messages.
    pub writable: bool,
    /// The peer reads HALF and the status of an RST.
    pub typed: bool,
    /// How the stream ended, reported after the last message.
    pub end: Option<End>,
    /// The exchange has ended: for the dispatcher, or for this side.
    pub forgotten: bool,
    /// Whether the stream is on the list of streams with messages to deliver.
    pub listed: bool,
}

/// The kinds of frames that may be sent on a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wire {
    Offered,
    Connected(Ends),
    Over,
}

pub(super) enum Purpose {
    /// Bytes: a stream that was offered inside a call; it continues after the call.
    Bytes,
    /// Carries the messages of a streaming method: to the dispatcher it is the call.
    Method(Method),
}

pub(super) struct Method {
    /// Whether the answer is a stream instead of one message.
    pub streamed: bool,
    /// Whether the request is one message instead of a stream.
    pub whole: bool,
    /// Server: the settings that the client offered, until the reply has been sent.
    pub owed: Option<Settings>,
    /// Client: the only message of the answer.
    pub answer: Option<IoBuf>,
    /// Client: this side's half is over, which cannot be sent before the reply.
    pub half: bool,
}

pub(super) enum End {
    /// The peer's half has ended, this side's continues. An extension of polywire.
    Half,
    /// The peer sent CLOSE.
    Closed,
    /// The peer sent RST, or broke the rules.
    Broken(Status),
}

impl Stream {
    pub fn new(exchange: Exchange, id: u64, purpose: Purpose, excess: &Budget) -> Box<Self> {
        Box::new(Stream {
            exchange,
            id,
            wire: Wire::Offered,
            purpose,
            awaits: None,
            inward: Receiver::new(excess.another()),
            outward: Sender::default(),
            feedback: false,
            writable: true,
            typed: false,
            end: None,
            forgotten: false,
            listed: false,
        })
    }

    /// The credit of a sender that was stopped and may go on.
    pub fn reopened(&mut self, limits: &Limits) -> Option<Event<'static>> {
        let credit = self.outward.reopened(limits)?;
        Some(Event::Credit { exchange: self.exchange, credit })
    }

    /// Applies the peer's settings; its id is `to`.
    pub fn connect(&mut self, to: u64, settings: &Settings) {
        self.wire = Wire::Connected(Ends { to, from: self.id });
        (self.feedback, self.writable) = (settings.need_feedback, settings.writable);
        self.typed = settings.typed;
    }

    pub fn ends(&self) -> Option<Ends> {
        match self.wire {
            Wire::Connected(ends) if ends.to != NO_STREAM => Some(ends),
            Wire::Offered | Wire::Connected(_) | Wire::Over => None,
        }
    }

    pub fn method(&mut self) -> Option<&mut Method> {
        match &mut self.purpose {
            Purpose::Bytes => None,
            Purpose::Method(method) => Some(method),
        }
    }

    pub fn held(&self) -> usize {
        self.inward.held() + self.outward.held()
    }
}
