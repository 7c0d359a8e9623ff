//! Calls that wait for their reply at a server, and replies in the order of the calls.

use super::name::Name;
use polywire_base::IoBuf;
use polywire_call::Metadata;
use std::collections::VecDeque;

/// The calls of a connection that have no reply yet, in their order, with later calls that already have one.
#[derive(Default)]
pub(super) struct Calls {
    /// Number of the first of these calls.
    first: u64,
    waiting: VecDeque<Waiting>,
    /// Bytes of replies that wait for others.
    held: usize,
}

struct Waiting {
    caller: Caller,
    reply: Slot,
}

enum Slot {
    Open,
    /// The reply waits for those before it.
    Ready(Reply),
    /// The reply was sent ahead of earlier ones.
    Sent,
}

/// The parts of a call that its reply repeats.
pub(super) struct Caller {
    pub name: Name,
    pub seqid: i32,
    pub strict: bool,
    /// The protocol in its TTHeader.
    pub protocol: u8,
}

/// A reply without its head.
pub(super) struct Reply {
    pub kind: u8,
    pub body: IoBuf,
    /// For its TTHeader.
    pub fields: Option<Box<Fields>>,
}

/// The fields of a reply.
#[derive(Default)]
pub(super) struct Fields {
    /// Those with keys of their own: how the call failed.
    pub own: Metadata,
    /// The application's.
    pub others: Metadata,
}

impl Reply {
    fn bytes(&self) -> usize {
        let fields = self.fields.as_ref().map_or(0, |all| all.own.byte_len() + all.others.byte_len());
        self.body.len() + fields
    }
}

impl Calls {
    /// Adds a call; its number.
    #[inline]
    pub fn add(&mut self, caller: Caller) -> u64 {
        let number = self.first + self.waiting.len() as u64;
        self.waiting.push_back(Waiting { caller, reply: Slot::Open });
        number
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Bytes of replies that wait for others.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Adds the reply to a call. `send` gets it as soon as all calls before it have their replies, or at once
    /// if `any_order`; and then the replies that have waited for it. Ignored for a call that is unknown, or
    /// already has a reply.
    #[inline]
    pub fn answer(
        &mut self,
        number: u64,
        reply: Reply,
        any_order: bool,
        mut send: impl FnMut(&Caller, Reply),
    ) {
        let Some(at) = number.checked_sub(self.first).and_then(|at| usize::try_from(at).ok()) else { return };
        let Some(call) = self.waiting.get_mut(at) else { return };
        if !matches!(call.reply, Slot::Open) {
            return;
        }
        if at > 0 && !any_order {
            self.held += reply.bytes();
            call.reply = Slot::Ready(reply);
            return;
        }
        send(&call.caller, reply);
        call.reply = Slot::Sent;
        if at > 0 {
            return;
        }
        loop {
            match self.waiting.pop_front() {
                None => return,
                Some(Waiting { reply: Slot::Open, caller }) => {
                    return self.waiting.push_front(Waiting { caller, reply: Slot::Open });
                }
                Some(Waiting { reply: Slot::Sent, .. }) => {}
                Some(Waiting { reply: Slot::Ready(reply), caller }) => {
                    self.held -= reply.bytes();
                    send(&caller, reply);
                }
            }
            self.first += 1;
        }
    }
}
