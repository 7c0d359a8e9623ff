//! Messages that a handler passes on to another peer: they count in the budgets of memory while that peer has
//! not taken them.

use crate::context::Connection;
use polywire_base::IoBuf;
use polywire_formats::FormatError;
use polywire_streams::{Inflating, Inflation, Turn};
use polywire_wire::{Compression, Longest};
use std::sync::Arc;

/// What a message takes. It counts in the budgets of memory of the connection and its server, until this is
/// dropped.
pub struct Charge(Inflation);

impl Charge {
    /// The message takes this much now.
    ///
    /// # Errors
    /// That is more, for which the budget has no room.
    pub fn change(&mut self, bytes: usize) -> Result<(), FormatError> {
        if self.0.change(bytes) { Ok(()) } else { Err(FormatError::NoMemory) }
    }

    /// Ends with the last reference to the bytes of this message, wherever they are. For one that goes to a
    /// client's connection, which has no budget.
    pub fn attach(self, message: &mut IoBuf) {
        message.keep(self.0);
    }
}

/// One direction of a stream whose messages are passed on, in their order. See
/// [`Context::forwarded`](crate::Context::forwarded).
pub struct Forwarded {
    /// `None`: there is no budget.
    connection: Option<Arc<Connection>>,
    /// Bytes of short messages, which a later one is charged for.
    short: usize,
}

impl Forwarded {
    /// Fewer bytes are not charged on their own.
    const STEP: usize = 4 << 10;

    pub(crate) fn new(connection: &Arc<Connection>) -> Self {
        let connection = connection.common.memory.is_some().then(|| connection.clone());
        Forwarded { connection, short: 0 }
    }

    /// Charges a message of this length. Messages leave in their order, so one is charged for the short ones
    /// before it, too.
    ///
    /// # Errors
    /// The budget has no room for it.
    #[inline]
    pub fn charge(&mut self, bytes: usize) -> Result<Option<Charge>, FormatError> {
        let Some((inflating, bytes)) = self.due(bytes) else { return Ok(None) };
        inflating.charge(bytes).map(|charge| Some(Charge(charge))).ok_or(FormatError::NoMemory)
    }

    /// [`Forwarded::charge`] of a message as it came from the caller, which was charged while it arrived: it
    /// is never refused. If necessary, the connection is not read.
    #[inline]
    pub fn charge_received(&mut self, bytes: usize) -> Option<Charge> {
        let (inflating, bytes) = self.due(bytes)?;
        let mut charge = inflating.nothing();
        charge.set(bytes);
        Some(Charge(charge))
    }

    /// Room in the budgets for what is being written.
    pub fn room(&self) -> Room {
        Room(self.connection.as_ref().map(|connection| connection.inflating().clone()))
    }

    /// What is to be charged now.
    #[inline]
    fn due(&mut self, bytes: usize) -> Option<(&Arc<Inflating>, usize)> {
        let connection = self.connection.as_ref()?;
        self.short += bytes;
        let is_due = self.short >= Self::STEP;
        is_due.then(|| (connection.inflating(), std::mem::take(&mut self.short)))
    }
}

/// The budgets of memory of a connection and its server, on any thread. See [`Forwarded::room`].
pub struct Room(Option<Arc<Inflating>>);

impl Room {
    /// Charges as many bytes. `None`: there is no budget.
    ///
    /// # Errors
    /// The budget has no room for them.
    pub fn take(&self, bytes: usize) -> Result<Option<Charge>, FormatError> {
        let Some(inflating) = &self.0 else { return Ok(None) };
        inflating.charge(bytes).map(|charge| Some(Charge(charge))).ok_or(FormatError::NoMemory)
    }
}

/// Decompresses a message that is passed on. See [`Call::inflater`](crate::Call::inflater).
pub struct Inflater {
    inflating: Arc<Inflating>,
    longest: Longest,
    turn: Option<Turn>,
}

impl Inflater {
    pub(crate) fn new(inflating: Arc<Inflating>, longest: Longest) -> Self {
        Inflater { inflating, longest, turn: None }
    }

    /// Waits while the handlers of the connection hold the maximum of decompressed messages, and while
    /// another one that has waited here is decompressed.
    #[must_use]
    pub async fn in_turn(mut self) -> Self {
        self.turn = Some(self.inflating.clone().turn().await);
        self
    }

    /// Decompresses the message, on any thread. It is charged before its memory is reserved.
    ///
    /// # Errors
    /// The message is damaged or too long, or the budget has no room for it.
    pub fn inflate(self, compression: Compression, message: IoBuf) -> Result<(IoBuf, Charge), FormatError> {
        let (plain, charge) = self.inflating.inflate(compression, message, self.longest)?;
        Ok((plain, Charge(charge)))
    }
}
