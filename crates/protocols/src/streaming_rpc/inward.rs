//! What a stream has received: segments to messages, messages to the application, and how much of them the peer is told.

use polywire_base::IoBuf;
use polywire_wire::Limits;
use std::collections::VecDeque;

/// Bytes of one stream that wait in the machine before the connection is read no further: what brpc may have under way by
/// default (`max_buf_size`), so that its peers never find that out. Its window is the sender's own business, and no field
/// tells it.
pub(super) const MOST_WAITING: usize = 2 << 20;
/// What a waiting message costs beside its bytes: empty ones are bounded, too.
pub(super) const PER_MESSAGE: usize = 64;
/// Shorter ones are copied out of the read buffer that they would keep alive.
const COPY_BELOW: usize = 8 << 10;

#[derive(Default)]
pub(super) struct Inward {
    /// Segments of a message whose last one has not come.
    assembly: IoBuf,
    /// Whole messages, not delivered yet.
    queue: VecDeque<IoBuf>,
    /// What `queue` costs.
    waiting: usize,
    /// Delivered and not granted.
    ahead_bytes: usize,
    ahead_messages: u32,
    /// Delivered ahead of the stream's messages, from inside the call; "not counted in flow control".
    uncounted: usize,
    /// Bytes of messages since the stream began: delivered, taken by the application, and told to the peer.
    delivered: u64,
    taken: u64,
    told: u64,
}

impl Inward {
    /// A segment. `Err`: the message is longer than `most`.
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

    /// A whole message waits to be delivered.
    pub fn wait(&mut self, message: IoBuf, limits: &Limits) {
        self.waiting += message.len() + PER_MESSAGE;
        let waits = !self.queue.is_empty() || self.ahead_messages >= limits.ahead;
        self.queue.push_back(if waits { detached(message) } else { message });
    }

    /// A message that came inside the call: before all others, and not counted.
    pub fn wait_uncounted(&mut self, message: IoBuf, limits: &Limits) {
        self.uncounted += message.len();
        self.wait(message, limits);
    }

    /// A message that the application was given with the call.
    pub fn given(&mut self, bytes: usize) {
        (self.uncounted, self.delivered) = (bytes, bytes as u64);
        (self.ahead_bytes, self.ahead_messages) = (bytes, 1);
    }

    /// No further message fits.
    pub fn is_full(&self) -> bool {
        self.waiting > MOST_WAITING
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The next message, if the application has taken enough of those before.
    pub fn deliver(&mut self, limits: &Limits) -> Option<IoBuf> {
        if self.ahead_messages >= limits.ahead {
            return None;
        }
        let message = self.queue.pop_front()?;
        self.waiting -= message.len() + PER_MESSAGE;
        self.ahead_bytes += message.len();
        self.ahead_messages += 1;
        self.delivered += message.len() as u64;
        Some(message)
    }

    /// The application took so much.
    pub fn grant(&mut self, bytes: usize, messages: u32) {
        self.ahead_bytes = self.ahead_bytes.saturating_sub(bytes);
        self.ahead_messages = self.ahead_messages.saturating_sub(messages); // the end counts as one, too
        self.taken += bytes as u64;
    }

    /// What to tell the peer, if that is news.
    ///
    /// The application tells us what it took in halves of what it may be ahead; how small the peer's window is we do not
    /// know. So that both never wait for each other, what may have been taken counts as taken: all that was delivered,
    /// while less than such a half is out.
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

    /// Nothing of it is wanted any more.
    pub fn clear(&mut self) {
        (self.assembly, self.queue, self.waiting) = Default::default();
    }

    /// The part of a message that never came whole.
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

fn detached(data: IoBuf) -> IoBuf {
    if data.len() < COPY_BELOW { data.detached() } else { data }
}
