//! Lines of calls that have ended, to be used again by the next calls of the thread: a call would otherwise
//! cost an allocation.
//!
//! Limits: a thread keeps [`MOST`] lines.

use crate::line::Line;
use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{Ordering::Acquire, fence},
    },
};

/// About 30 KB, and as many calls as end in one turn of a busy connection.
const MOST: usize = 64;

thread_local! {
    static SPARE: RefCell<Vec<Arc<Line>>> = const { RefCell::new(Vec::new()) };
}

/// A line that is as new, and to which there is no other reference.
#[inline]
pub(crate) fn take() -> Option<Arc<Line>> {
    SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten()
}

/// Keeps a line that its user no longer needs, unless somebody else still has it.
#[inline]
pub(crate) fn keep(mut line: Arc<Line>) {
    let Some(unshared) = unshared(&mut line) else { return };
    unshared.clear(); // not within the borrow: what the call owned may be anything
    let _ = SPARE.try_with(|spare| {
        let mut spare = spare.borrow_mut();
        if spare.len() < MOST {
            spare.push(line);
        }
    });
}

/// `Arc::get_mut`, without the atomic operation by which that keeps others from making a strong reference
/// of a weak one: there are no weak ones.
#[inline]
fn unshared(line: &mut Arc<Line>) -> Option<&mut Line> {
    if Arc::strong_count(line) != 1 {
        return None;
    }
    fence(Acquire); // pairs with the release with which the other reference was dropped
    // SAFETY: ours is the only reference, and it is borrowed exclusively.
    Some(unsafe { &mut *Arc::as_ptr(line).cast_mut() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Caller, Desk, Draft, Name, Request};
    use polywire_base::IoBuf;
    use polywire_wire::{Content, Outcome};
    use std::task::{Context, Poll, Waker};

    fn draft(body: &'static str) -> Draft {
        Draft::new(Request::new(Name::Static("s"), Name::Static("m"), IoBuf::from(body), Content::RAW))
    }

    fn posted(desk: &Desk, body: &'static str) -> (Caller, Arc<Line>) {
        let caller = draft(body).post(desk.inbox()).ok().expect("the inbox is open");
        let mut lines = Vec::new();
        desk.inbox().drain(&mut lines);
        (caller, lines.pop().expect("it was posted"))
    }

    fn kept() -> usize {
        SPARE.with_borrow(Vec::len)
    }

    #[test]
    fn a_line_is_used_again_as_if_it_were_new() {
        let (mut old, mut new) = (Desk::new(), Desk::new());
        let (mut caller, line) = posted(&old, "first");
        let place = Arc::as_ptr(&line);
        line.place(7);
        let mut cx = Context::from_waker(Waker::noop());
        assert!(caller.poll_reply(&mut cx).is_pending());
        old.complete(&line, Outcome { body: "answer".into(), ..Outcome::default() });
        drop(line);
        drop(caller); // without having read its outcome
        assert_eq!(kept(), 1);
        let (mut caller, line) = posted(&new, "second");
        assert_eq!((Arc::as_ptr(&line), kept()), (place, 0));
        assert_eq!(line.key(), Line::UNPLACED);
        assert!(!line.is_done() && !line.is_dropped());
        assert!(caller.poll_reply(&mut cx).is_pending());
        assert_eq!(new.request(&line).expect("a call").body.to_vec(), b"second");
        new.complete(&line, Outcome { body: "another".into(), ..Outcome::default() });
        let Poll::Ready(outcome) = caller.poll_reply(&mut cx) else { panic!("it has ended") };
        assert_eq!(outcome.body.to_vec(), b"another");
        assert_eq!(caller.reclaim().expect("its request").body.to_vec(), b"second");
    }

    #[test]
    fn a_line_that_home_has_is_not_used_again() {
        let mut desk = Desk::new();
        let (caller, line) = posted(&desk, "x");
        caller.abandon();
        drop(caller);
        assert_eq!(kept(), 0);
        let mut told = Vec::new();
        desk.inbox().drain(&mut told); // that it was abandoned
        desk.cancel(&line);
        drop((line, told)); // by home, which keeps none
        assert_eq!(kept(), 0);
    }

    #[test]
    fn a_thread_keeps_only_so_many() {
        let mut desk = Desk::new();
        let calls: Vec<_> = (0..MOST + 3).map(|_| posted(&desk, "x")).collect();
        for (caller, line) in calls {
            desk.cancel(&line);
            drop(line);
            drop(caller);
        }
        assert_eq!(kept(), MOST);
    }
}
