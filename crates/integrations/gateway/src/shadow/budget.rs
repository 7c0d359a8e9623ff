//! How many copies of calls there may be at once, and how much memory they have.
//!
//! Limits: [`MOST_COPIES`] of one shadow, with [`MOST_BYTES`] of messages and answers. A message of any
//!         length has room if there is no other.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub const MOST_COPIES: usize = 100;
pub const MOST_BYTES: usize = 64 << 20;

/// What the copies of one shadow hold.
#[derive(Default)]
pub struct Budget {
    copies: AtomicUsize,
    bytes: AtomicUsize,
    /// Bytes of the answers to a copy, by those of late: room that a copy needs beside its message.
    answers: AtomicUsize,
}

/// What one copy holds. It is given back by [`Budget::put`].
pub struct Held {
    message: usize,
    /// The room that there is for answers, and what has come of them.
    room: usize,
    answers: usize,
}

impl Budget {
    /// Room for a copy of this message; `None`: there is none.
    pub fn take(&self, message: usize) -> Option<Held> {
        let one_more = |copies| (copies < MOST_COPIES).then_some(copies + 1);
        self.copies.fetch_update(Relaxed, Relaxed, one_more).ok()?;
        let room = self.answers.load(Relaxed);
        let wanted = message.saturating_add(room);
        let fits =
            |held: usize| (held == 0 || held.saturating_add(wanted) <= MOST_BYTES).then(|| held + wanted);
        if self.bytes.fetch_update(Relaxed, Relaxed, fits).is_err() {
            self.copies.fetch_sub(1, Relaxed);
            return None;
        }
        Some(Held { message, room, answers: 0 })
    }

    /// Further messages wait. Returns whether there is room for them.
    pub fn more(&self, held: &mut Held, messages: usize) -> bool {
        let fits = |all: usize| {
            let more = all.saturating_add(messages);
            (all == 0 || more <= MOST_BYTES).then_some(more)
        };
        let has_room = self.bytes.fetch_update(Relaxed, Relaxed, fits).is_ok();
        held.message += if has_room { messages } else { 0 };
        has_room
    }

    /// So many bytes of messages wait no more.
    pub fn less(&self, held: &mut Held, messages: usize) {
        held.message -= messages;
        self.bytes.fetch_sub(messages, Relaxed);
    }

    /// An answer has come. Returns whether it may be kept.
    pub fn grow(&self, held: &mut Held, answer: usize) -> bool {
        held.answers += answer;
        let further = held.answers.saturating_sub(held.room);
        held.room += further;
        self.bytes.fetch_add(further, Relaxed) + further <= MOST_BYTES || self.copies.load(Relaxed) == 1
    }

    /// Gives back what a copy held.
    pub fn put(&self, held: &Held) {
        let forget = |before: usize| Some(held.answers.max(before - before / 8));
        let _ = self.answers.fetch_update(Relaxed, Relaxed, forget); // never fails
        self.bytes.fetch_sub(held.message + held.room, Relaxed);
        self.copies.fetch_sub(1, Relaxed);
    }

    /// The number of copies, and their bytes.
    #[cfg(test)]
    pub fn held(&self) -> (usize, usize) {
        (self.copies.load(Relaxed), self.bytes.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_room_up_to_a_number_and_to_their_bytes() {
        let budget = Budget::default();
        let many: Vec<_> = std::iter::from_fn(|| budget.take(10)).collect();
        assert_eq!((many.len(), budget.held()), (MOST_COPIES, (MOST_COPIES, 10 * MOST_COPIES)));
        many.iter().for_each(|held| budget.put(held));
        assert_eq!(budget.held(), (0, 0));
        let long: Vec<_> = std::iter::from_fn(|| budget.take(MOST_BYTES / 4 - 1)).collect();
        assert_eq!(long.len(), 4);
        long.iter().for_each(|held| budget.put(held));
        let longest = budget.take(MOST_BYTES + 1).expect("the only one");
        assert!(budget.take(1).is_none());
        budget.put(&longest);
        assert_eq!(budget.held(), (0, 0));
    }

    #[test]
    fn what_answers_need_is_known_from_those_before() {
        let budget = Budget::default();
        let mut first = budget.take(1).expect("room");
        let second = budget.take(1).expect("room");
        assert!(!budget.grow(&mut first, MOST_BYTES), "it is not the only one");
        budget.put(&first);
        budget.put(&second);
        let held: Vec<_> = std::iter::from_fn(|| budget.take(1)).collect();
        assert_eq!(held.len(), 1, "its answer may be as long");
        held.iter().for_each(|held| budget.put(held));
        let calm = (0..1000).find(|_| {
            let held: Vec<_> = std::iter::from_fn(|| budget.take(1)).collect();
            held.iter().for_each(|held| budget.put(held));
            held.len() == MOST_COPIES
        });
        assert!(calm.is_some() && budget.held() == (0, 0));
    }
}
