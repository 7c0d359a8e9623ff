//! Messages that wait for one peer, back to back, cut into runs for its connection.

use crate::run::Run;
use polywire_base::Output;
use std::collections::VecDeque;

/// Length in bytes at which a run is complete; a connection takes a run at a time.
const RUN: usize = 64 << 10;
/// After a run of at least this length, the memory that it was written to is released.
const BURST: usize = 4 << 10;

/// A queue of messages in the form in which they are sent.
#[derive(Default)]
pub(crate) struct Outbox {
    runs: VecDeque<Run>,
    tail: Output,
    tail_messages: u32,
    messages: u32,
    bytes: usize,
}

impl Outbox {
    /// Appends a message, whose bytes `write` writes.
    #[inline]
    pub fn push(&mut self, write: impl FnOnce(&mut Output)) {
        let before = self.tail.len();
        write(&mut self.tail);
        self.bytes += self.tail.len() - before;
        self.messages += 1;
        self.tail_messages += 1;
        if self.tail.len() >= RUN {
            self.close_run();
        }
    }

    #[cold]
    fn close_run(&mut self) {
        self.runs.push_back(Run::new(self.tail.take(), self.tail_messages));
        self.tail_messages = 0;
    }

    /// Takes the messages that were appended first out, as one run of bytes.
    pub fn take(&mut self) -> Option<Run> {
        if self.runs.is_empty() && self.tail_messages > 0 {
            self.close_run();
        }
        let run = self.runs.pop_front()?;
        self.messages -= run.messages;
        self.bytes -= run.bytes.len();
        if self.is_empty() && run.bytes.len() >= BURST {
            // so that a peer that is quiet from now on does not keep the memory of a burst
            self.tail.shrink();
        }
        Some(run)
    }

    /// Puts a run back that was taken, in front of all others.
    pub fn put_back(&mut self, run: Run) {
        self.messages += run.messages;
        self.bytes += run.bytes.len();
        self.runs.push_front(run);
    }

    pub fn messages(&self) -> u32 {
        self.messages
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.messages == 0
    }

    pub fn clear(&mut self) {
        *self = Outbox::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_leaves_no_memory_behind_and_short_messages_use_theirs_again() {
        let mut outbox = Outbox::default();
        (0..100).for_each(|_| outbox.push(|out| out.put(&[0; 600])));
        drop(outbox.take());
        assert_eq!(outbox.tail.tail().capacity(), 0);
        outbox.push(|out| out.put(&[0; 100]));
        let begin = outbox.tail.as_slice().map(<[u8]>::as_ptr);
        for _ in 0..100 {
            drop(outbox.take());
            outbox.push(|out| out.put(&[0; 100]));
        }
        drop(outbox.take());
        outbox.push(|out| out.put(&[0; 100]));
        let again = outbox.tail.as_slice().map(<[u8]>::as_ptr);
        let memory = begin.zip(again).map(|(begin, again)| again as usize - begin as usize);
        assert!(memory.is_some_and(|far| far < BURST), "the same block of memory");
    }

    #[test]
    fn runs_are_whole_messages_and_count_down() {
        let mut outbox = Outbox::default();
        for n in 0..100_000u32 {
            outbox.push(|out| out.put(&n.to_be_bytes()));
        }
        assert_eq!((outbox.messages(), outbox.bytes()), (100_000, 400_000));
        let (mut next, mut runs) = (0u32, 0);
        while let Some(run) = outbox.take() {
            runs += 1;
            for word in run.bytes.to_vec().chunks(4) {
                assert_eq!(word, next.to_be_bytes());
                next += 1;
            }
            assert_eq!(outbox.messages(), 100_000 - next);
        }
        assert_eq!((next, runs, outbox.bytes()), (100_000, 400_000usize.div_ceil(RUN), 0));
    }
}
