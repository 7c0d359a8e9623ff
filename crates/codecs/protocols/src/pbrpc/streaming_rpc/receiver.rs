//! The receiving half of a stream: assembles messages from segments, delivers them to the application, and
//! reports to the peer how much was consumed.

use super::budget::Budget;
use polywire_base::IoBuf;
use polywire_wire::Limits;
use std::collections::VecDeque;

/// Bytes of one stream, delivered and not granted or waiting in the machine, beyond which (plus
/// `Limits::window`) the connection is not read; one message may exceed it. The value is brpc's default for
/// bytes under way (`max_buf_size`), so that peers with that default never reach it. `Limits::window` here is
/// how much FEEDBACK may report as consumed although it is not granted yet. The window on the wire belongs to
/// the sender, and no field transmits it.
const MOST: usize = 2 << 20;
/// Number of bytes that each waiting message counts in addition to its length, so that empty messages are
/// bounded, too.
const PER_MESSAGE: usize = 64;
/// Shorter messages are copied out of the read buffer, which they would otherwise keep alive.
const COPY_BELOW: usize = 8 << 10;

#[derive(Default)]
pub(super) struct Receiver {
    /// Segments of a message whose last one has not come.
    assembly: IoBuf,
    /// Complete messages that are not delivered yet.
    queue: VecDeque<IoBuf>,
    /// Number of bytes that `queue` counts for.
    waiting: usize,
    /// Number of bytes that were delivered and not granted.
    ahead_bytes: usize,
    ahead_messages: u32,
    /// Delivered ahead of the stream's messages, from inside the call; "not counted in flow control".
    uncounted: usize,
    /// Bytes of messages since the stream began: delivered, taken by the application, and reported to the
    /// peer.
    delivered: u64,
    taken: u64,
    told: u64,
    /// When the application last took something, by a count of the connection.
    pub taken_at: u64,
    /// The bytes that are held here beyond the window, added up over all streams.
    excess: Budget,
}

impl Receiver {
    pub fn new(excess: Budget) -> Self {
        Receiver { excess, ..Receiver::default() }
    }

    /// Adds a segment. `Err`: the message is longer than `most`.
    pub fn arrive(&mut self, data: IoBuf, more: bool, most: usize) -> Result<Option<IoBuf>, ()> {
        if self.assembly.len() + data.len() > most {
            return Err(());
        }
        if !more && self.assembly.is_empty() {
            return Ok(Some(data));
        }
        self.assembly.append(detached(data));
        Ok((!more).then(|| std::mem::take(&mut self.assembly)))
    }

    /// Queues a complete message.
    pub fn wait(&mut self, message: IoBuf, limits: &Limits) {
        self.waiting += message.len() + PER_MESSAGE;
        let waits = !self.queue.is_empty() || self.ahead_messages >= limits.ahead;
        self.queue.push_back(if waits { detached(message) } else { message });
        self.settle(limits);
    }

    /// Adds a message that came inside the call: before all others, and not counted.
    pub fn wait_uncounted(&mut self, message: IoBuf, limits: &Limits) {
        self.uncounted += message.len();
        self.wait(message, limits);
    }

    /// A message that the application was given with the call.
    pub fn given(&mut self, bytes: usize, limits: &Limits) {
        (self.uncounted, self.delivered) = (bytes, bytes as u64);
        (self.ahead_bytes, self.ahead_messages) = (bytes, 1);
        self.settle(limits);
    }

    /// Whether no further message may be taken: of this stream, or of all streams together, which may hold a
    /// window each and in addition one message of the greatest length.
    ///
    /// The amount that the application has taken and not granted yet is less than half a window of each
    /// stream, so neither limit is reached by that alone.
    pub fn is_full(&self, limits: &Limits) -> bool {
        self.ahead_bytes + self.waiting > MOST + limits.window as usize
            || self.excess.of_all() > most_of_all(limits)
    }

    /// The bytes that this stream holds beyond its window.
    pub fn excess(&self) -> usize {
        self.excess.of_this()
    }

    fn settle(&mut self, limits: &Limits) {
        self.excess.set((self.ahead_bytes + self.waiting).saturating_sub(limits.window as usize));
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The next message, if the application has taken enough of the previous ones.
    pub fn deliver(&mut self, limits: &Limits) -> Option<IoBuf> {
        let most = MOST.max(limits.window as usize); // half a window may be taken and not granted
        if self.ahead_messages >= limits.ahead || self.ahead_bytes >= most {
            return None;
        }
        let message = self.queue.pop_front()?;
        self.waiting -= message.len() + PER_MESSAGE;
        self.ahead_bytes += message.len();
        self.ahead_messages += 1;
        self.delivered += message.len() as u64;
        self.settle(limits);
        Some(message)
    }

    /// The application has taken this much.
    pub fn grant(&mut self, bytes: usize, messages: u32, limits: &Limits) {
        self.ahead_bytes = self.ahead_bytes.saturating_sub(bytes);
        self.ahead_messages = self.ahead_messages.saturating_sub(messages); // the end counts as one, too
        self.taken += bytes as u64;
        self.settle(limits);
    }

    /// The number to report to the peer, if it has changed.
    ///
    /// The application grants in steps of half of `Limits::ahead`, and the size of the peer's window is
    /// unknown. So that both never wait for each other, messages that may have been consumed count as
    /// consumed: all that were delivered, while fewer than half of `Limits::ahead` are not granted.
    pub fn news(&mut self, limits: &Limits) -> Option<u64> {
        let may_be_taken =
            self.ahead_bytes < limits.window as usize / 2 && self.ahead_messages < limits.ahead.div_ceil(2);
        let taken = if may_be_taken { self.delivered } else { self.taken };
        let consumed = taken.saturating_sub(self.uncounted as u64);
        (consumed > self.told).then(|| {
            self.told = consumed;
            consumed
        })
    }

    /// Drops all received messages, because the application takes no more of them.
    pub fn clear(&mut self) {
        (self.assembly, self.queue, self.waiting) = Default::default();
        self.excess.set(0);
    }

    /// Drops the segments of an incomplete message.
    pub fn drop_assembly(&mut self) {
        self.assembly = IoBuf::new();
    }

    pub fn held(&self) -> usize {
        self.assembly.len() + self.waiting
    }

    pub fn assembling(&self) -> usize {
        self.assembly.len()
    }
}

/// Most bytes that all streams of a connection may hold beyond their windows.
pub(super) fn most_of_all(limits: &Limits) -> usize {
    MOST.max(limits.max_message as usize)
}

fn detached(data: IoBuf) -> IoBuf {
    if data.len() < COPY_BELOW { data.detached() } else { data }
}
