//! Calls that wait for their reply at a server, and replies in the order of the calls.

use super::name::Name;
use polywire_base::IoBuf;
use polywire_call::Metadata;
use std::collections::VecDeque;

/// The calls of a connection that have no reply yet, in their order, with later calls that already have one.
#[derive(Default)]
pub(super) struct Calls {
    /// Number of the next call.
    next: u64,
    waiting: VecDeque<Waiting>,
    /// How many of them were answered ahead of earlier ones. At most half of them: so a call that takes long
    /// neither counts for those that came after it, nor keeps them.
    sent: usize,
    /// Bytes of replies that wait for others.
    held: usize,
}

struct Waiting {
    number: u64,
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
        let number = self.next;
        self.next += 1;
        self.waiting.push_back(Waiting { number, caller, reply: Slot::Open });
        number
    }

    /// The number of calls whose reply was not sent.
    #[inline]
    pub fn len(&self) -> usize {
        self.waiting.len() - self.sent
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
        let Ok(at) = self.waiting.binary_search_by_key(&number, |call| call.number) else { return };
        let call = &mut self.waiting[at];
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
        self.sent += 1;
        if at > 0 {
            return self.forget_sent();
        }
        while let Some(call) = self.waiting.pop_front() {
            match call.reply {
                Slot::Open => return self.waiting.push_front(call),
                Slot::Sent => self.sent -= 1,
                Slot::Ready(reply) => {
                    self.held -= reply.bytes();
                    send(&call.caller, reply);
                }
            }
        }
    }

    /// Drops the calls that were answered, once they are more than the others: so that a reply costs the same
    /// however many have been sent.
    #[inline]
    fn forget_sent(&mut self) {
        if self.sent > self.waiting.len() / 2 {
            self.waiting.retain(|call| !matches!(call.reply, Slot::Sent));
            self.sent = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thrift::message::REPLY;

    #[test]
    fn a_call_that_takes_long_does_not_keep_those_after_it() {
        let caller = |seqid| Caller { name: Name::new(b"add"), seqid, strict: true, protocol: 0 };
        let reply = || Reply { kind: REPLY, body: IoBuf::new(), fields: None };
        let mut calls = Calls::default();
        let slow = calls.add(caller(0));
        for seqid in 1..1000 {
            let (late, early) = (calls.add(caller(seqid)), calls.add(caller(-seqid)));
            let mut sent = Vec::new();
            for number in [early, late, early] {
                calls.answer(number, reply(), true, |caller, _| sent.push(caller.seqid));
            }
            assert_eq!((sent, calls.len()), (vec![-seqid, seqid], 1));
            assert!(calls.waiting.len() <= 2, "{} are kept", calls.waiting.len());
        }
        calls.answer(slow, reply(), true, |_, _| {});
        assert_eq!((calls.len(), calls.waiting.len()), (0, 0));
    }
}
