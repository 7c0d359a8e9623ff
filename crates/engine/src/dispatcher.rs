//! What stands above the machines of a connection: the server's or the client's table of calls.

use crate::{Machines, transport::Security};
use polywire_base::{IoBuf, Output};
use polywire_call::Status;
use polywire_wire::{Cx, Event, Exchange, Host, Machine, Outcome, Protocol};
use std::{sync::Arc, task::Waker, time::Instant};

/// Turns events into calls and calls into commands. One per connection, owned by its [`crate::Connection`].
pub trait Dispatcher: Send + Unpin + 'static {
    /// What machines may ask while they parse. Beside the dispatcher, because events still borrow it.
    type Host: Host + Send + Unpin;

    /// One event; its borrow of the machine ends with this call. What the machine should be told at once is returned.
    fn event(&mut self, event: Event<'_>, turn: &mut Turn) -> Next;

    /// Commands that came from elsewhere: posted lines, finished handlers, new credit. Handles at most `most` of them
    /// and says how many; fewer than `most` means that nothing is left.
    fn commands(&mut self, wires: &mut Wires<'_, Self::Host>, most: usize) -> usize;

    /// Before the connection waits: false if something was posted meanwhile.
    fn sleep(&mut self, waker: &Waker) -> bool;

    /// Fires deadlines that are due and says when to come back.
    fn expire(&mut self, wires: &mut Wires<'_, Self::Host>) -> Option<Instant>;

    /// When `expire` wants to be called next, if anything is armed.
    fn next_deadline(&self) -> Option<Instant>;

    /// Who the peer is, as far as TLS knows: before anything else of a protected connection.
    fn secured(&mut self, _security: &Arc<Security>) {}

    /// The first bytes were recognised, or a framed protocol took over.
    fn recognised(&mut self, host: &mut Self::Host, protocol: &'static Protocol);

    /// Calls under way. A connection without any may be closed when it drains.
    fn pending(&self) -> usize;

    /// Nothing is under way and nothing will come: the connection may close.
    fn is_over(&self) -> bool {
        false
    }

    /// Bytes have left for the socket: [`Output::flushed`] says how many in all. For those who keep what they handed on
    /// until it has left.
    #[inline]
    fn flushed(&mut self, _out: &Output) {}

    /// The connection is over, and `closed` comes next. True: what `out` still owes is thrown away, since the dispatcher
    /// sends it again elsewhere. Default: it leaves.
    fn takes_back(&mut self, _out: &Output) -> bool {
        false
    }

    /// The connection is over: every call still under way ends with `why`.
    fn closed(&mut self, host: &mut Self::Host, why: Status);
}

/// What an event is answered with.
pub enum Next {
    Continue,
    /// Last words of an exchange, known at once: the common unary call.
    Finish(Exchange, Outcome),
    /// Verdict on `Event::Authenticate`, where it is known at once. It holds for all requests with the same credential.
    Verdict(Result<(), Status>),
    /// There are commands for the machine.
    Commands,
    /// Flush what is owed, then close.
    Close,
}

/// What a dispatcher may know of the turn that an event belongs to.
pub struct Turn {
    /// The last clock reading. Who reads the clock writes it back, so that one reading serves two.
    pub now: Instant,
    pub protocol: &'static Protocol,
    /// Index of the machine that speaks; commands for the exchange go to it.
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
    /// The machine of this index and what it works with; `None` before the protocol is known.
    pub fn machine(&mut self, index: u8) -> Option<(&mut dyn Machine, Cx<'_>)> {
        let machine = self.machines.get(index)?;
        Some((machine, Cx { now: self.now, input: self.input, out: self.out, host: self.host }))
    }
}
