//! Tasks that wait for an event in a hub. They are woken all at once: there are few, and any of them may be
//! able to use it.

use std::task::Waker;

/// The wakers of waiting tasks, by ticket.
#[derive(Default)]
pub(crate) struct Waiters {
    list: Vec<(u64, Waker)>,
    last: u64,
}

impl Waiters {
    /// Stores `waker` under its ticket; zero asks for a new ticket.
    pub fn wait(&mut self, ticket: &mut u64, waker: &Waker) {
        if *ticket == 0 {
            self.last += 1;
            *ticket = self.last;
        }
        match self.list.iter_mut().find(|(id, _)| id == ticket) {
            Some((_, known)) => known.clone_from(waker),
            None => self.list.push((*ticket, waker.clone())),
        }
    }

    pub fn leave(&mut self, ticket: u64) {
        self.list.retain(|(id, _)| *id != ticket);
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Moves all wakers out, to be woken after the lock is released.
    pub fn take(&mut self, into: &mut Vec<Waker>) {
        into.extend(self.list.drain(..).map(|(_, waker)| waker));
    }
}
