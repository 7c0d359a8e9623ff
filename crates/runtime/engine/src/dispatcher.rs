//! The contract of the layer above the machines of a connection: the table of calls of a server or a client.

use crate::{Machines, connection_stats::Question, transport::Security};
use polywire_base::{IoBuf, Output};
use polywire_call::Status;
use polywire_wire::{Cx, Event, Exchange, Host, Machine, Open, Outcome, Protocol};
use std::{sync::Arc, task::Waker, time::Instant};

/// Turns events into calls and calls into commands. One per connection, owned by its [`crate::Connection`].
pub trait Dispatcher: Send + Unpin + 'static {
    /// Answers the questions of machines while they parse. It is separate from the dispatcher because events
    /// still borrow the machine.
    type Host: Host + Send + Unpin;

    /// Handles a request ([`Event::Open`]), whose borrow of the machine ends with this call. Returns the
    /// action that the machine should take at once.
    fn request(&mut self, open: Open<'_>, turn: &mut Turn) -> Next;

    /// Handles the end of an exchange ([`Event::Finish`]).
    fn outcome(&mut self, exchange: Exchange, outcome: Outcome) -> Next;

    /// Handles any other event, never a request or the end of an exchange. These two are apart because most
    /// calls consist of them: an event of any kind is copied as a whole before it is looked at.
    fn event(&mut self, event: Event<'_>, turn: &mut Turn) -> Next;

    /// Runs commands from elsewhere: requests posted by other threads, finished handlers, new flow-control
    /// credit. Handles at most `most` of them and returns how many; fewer than `most` means that none is
    /// left.
    fn commands(&mut self, wires: &mut Wires<'_, Self::Host>, most: usize) -> usize;

    /// Called before the connection waits. Returns false if something was posted meanwhile.
    fn sleep(&mut self, waker: &Waker) -> bool;

    /// Fires deadlines that have passed and returns the next one.
    fn expire(&mut self, wires: &mut Wires<'_, Self::Host>) -> Option<Instant>;

    /// When `expire` has to be called next, if any deadline is armed.
    fn next_deadline(&self) -> Option<Instant>;

    /// Reports the security of a TLS connection. Called before anything else on that connection.
    fn secured(&mut self, _security: &Arc<Security>) {}

    /// Reports the protocol: the first bytes were recognised, or another framed protocol took over.
    fn recognised(&mut self, host: &mut Self::Host, protocol: &'static Protocol);

    /// Answers a question of another thread, through a channel or the like that the question contains.
    /// Returns the rest of a question that takes longer than other connections should wait: it is asked again
    /// in a later turn.
    fn asked(&mut self, _question: Question, _wires: &mut Wires<'_, Self::Host>) -> Option<Question> {
        None
    }

    /// Number of calls in flight. A draining connection without any may be closed.
    fn pending(&self) -> usize;

    /// Bytes of requests in flight that the dispatcher keeps, for budgets of memory.
    fn held(&self) -> usize {
        0
    }

    /// The number of bytes of messages that were decompressed for handlers. Unlike `held`, they are charged
    /// to the budget where they are decompressed.
    fn inflated(&self) -> usize {
        0
    }

    /// Whether nothing is in flight and nothing more will come, so that the connection may close.
    fn is_over(&self) -> bool {
        false
    }

    /// Reports that bytes were written to the socket; [`Output::flushed`] counts them all. For dispatchers
    /// that keep messages until they have been sent.
    #[inline]
    fn flushed(&mut self, _out: &Output) {}

    /// Called when the peer has ended its side, before the machines are told. Returns from where in the
    /// stream the unsent bytes are discarded, because the dispatcher sends them elsewhere.
    fn input_ended(&mut self, _out: &Output) -> Option<u64> {
        None
    }

    /// Called when the connection has ended, before `closed`. Returns from where in the stream the unsent
    /// bytes are discarded, because the dispatcher sends them elsewhere. By default they are still sent.
    fn takes_back(&mut self, _out: &Output) -> Option<u64> {
        None
    }

    /// The connection has ended: every call still in flight ends with `why`.
    fn closed(&mut self, host: &mut Self::Host, why: Status);
}

/// A dispatcher's answer to an event.
pub enum Next {
    Continue,
    /// The complete reply of an exchange, known at once: the common unary call.
    Finish(Exchange, Outcome),
    /// The verdict on `Event::Authenticate`, if it is known at once. It holds for all requests with the same
    /// credential.
    Verdict(Result<(), Status>),
    /// The dispatcher has commands for the machine: call [`Dispatcher::commands`].
    Commands,
    /// Flush the unsent bytes, then close.
    Close,
}

/// The facts about an event's turn for a dispatcher.
pub struct Turn {
    /// The last clock reading. Code that reads the clock stores the new reading here, so that others need not
    /// read it again.
    pub now: Instant,
    pub protocol: &'static Protocol,
    /// Index of the machine that reported the event; commands for the exchange go to it.
    pub machine: u8,
}

/// The connection's parts, lent to a dispatcher that has commands.
pub struct Wires<'c, H> {
    pub now: Instant,
    pub host: &'c mut H,
    pub(crate) machines: &'c mut Machines,
    pub(crate) input: &'c mut IoBuf,
    pub(crate) out: &'c mut Output,
}

impl<H: Host> Wires<'_, H> {
    /// Name of the protocol of the machine with this index.
    pub fn protocol(&self, index: u8) -> Option<&'static str> {
        self.machines.protocol(index)
    }

    /// The machine with this index and its context; `None` before the protocol is known.
    pub fn machine(&mut self, index: u8) -> Option<(&mut dyn Machine, Cx<'_>)> {
        let machine = self.machines.get(index)?;
        Some((machine, Cx { now: self.now, input: self.input, out: self.out, host: self.host }))
    }
}
