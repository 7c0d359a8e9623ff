//! Every interleaving of posters and an owner that sleeps.

use crate::{
    Inbox, Link, Node,
    loom_support::{block_on, model},
};
use loom::{
    cell::UnsafeCell,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::*},
    },
    thread,
};
use std::task::Poll;

#[derive(Default)]
struct Line {
    link: Link<Line>,
    /// Relaxed: the inbox has to make it visible.
    changes: AtomicUsize,
}
// SAFETY: one field, which belongs to the node.
unsafe impl Node for Line {
    fn link(&self) -> &Link<Self> {
        &self.link
    }
}

/// The loop of an owner: drain, look, sleep, until it has seen `changes` on all lines together. Loom reports
/// a deadlock if a post or a wake is lost. Returns how many nodes were handed out.
fn own(inbox: &Inbox<Line>, lines: &[Arc<Line>], changes: usize) -> usize {
    let (mut handed, mut seen) = (0, vec![0; lines.len()]);
    block_on(|cx| {
        loop {
            let mut posted = Vec::new();
            inbox.drain(&mut posted);
            handed += posted.len();
            for line in posted {
                let i = lines.iter().position(|l| Arc::ptr_eq(l, &line)).expect("one of ours");
                seen[i] = line.changes.load(Relaxed);
            }
            if seen.iter().sum::<usize>() == changes {
                return Poll::Ready(());
            }
            if inbox.sleep(cx.waker()) {
                return Poll::Pending;
            }
        }
    });
    handed
}

fn poster(inbox: &Arc<Inbox<Line>>, line: &Arc<Line>) -> thread::JoinHandle<()> {
    let (inbox, line) = (inbox.clone(), line.clone());
    thread::spawn(move || {
        line.changes.fetch_add(1, Relaxed);
        assert!(inbox.post(&line));
    })
}

#[test]
fn a_post_races_with_falling_asleep_and_is_not_lost() {
    model(3, || {
        let (inbox, line) = (Arc::new(Inbox::default()), Arc::new(Line::default()));
        let posting = poster(&inbox, &line);
        assert_eq!(own(&inbox, &[line], 1), 1);
        posting.join().unwrap();
    });
}

#[test]
fn two_posters_of_two_nodes_lose_none() {
    model(2, || {
        let inbox = Arc::new(Inbox::default());
        let lines = [Arc::new(Line::default()), Arc::new(Line::default())];
        let posting = [poster(&inbox, &lines[0]), poster(&inbox, &lines[1])];
        assert_eq!(own(&inbox, &lines, 2), 2);
        posting.into_iter().for_each(|p| p.join().unwrap());
    });
}

/// The second post may find the node inside already; then the first post has to carry its change, too.
#[test]
fn a_node_posted_twice_is_seen_with_both_changes() {
    model(2, || {
        let (inbox, line) = (Arc::new(Inbox::default()), Arc::new(Line::default()));
        let posting = [poster(&inbox, &line), poster(&inbox, &line)];
        let handed = own(&inbox, &[line], 2);
        assert!((1..=2).contains(&handed));
        posting.into_iter().for_each(|p| p.join().unwrap());
    });
}

/// A value that a poster wrote without atomics is visible to the owner once it has the node.
#[test]
fn plain_memory_travels_with_the_node() {
    struct Letter {
        link: Link<Letter>,
        text: UnsafeCell<u32>,
    }
    // SAFETY: the test's threads touch `text` before the post and after the drain.
    unsafe impl Sync for Letter {}
    // SAFETY: as above.
    unsafe impl Node for Letter {
        fn link(&self) -> &Link<Self> {
            &self.link
        }
    }
    model(3, || {
        let inbox = Arc::new(Inbox::default());
        let letter = Arc::new(Letter { link: Link::default(), text: UnsafeCell::new(0) });
        let (theirs, sent) = (inbox.clone(), letter.clone());
        let posting = thread::spawn(move || {
            // SAFETY: not yet posted.
            sent.text.with_mut(|text| unsafe { *text = 7 });
            theirs.post(&sent);
        });
        let mut got = Vec::new();
        inbox.drain(&mut got);
        if let Some(letter) = got.pop() {
            // SAFETY: drained.
            letter.text.with(|text| assert_eq!(unsafe { *text }, 7));
        }
        posting.join().unwrap();
    });
}

#[test]
fn a_post_races_with_the_owners_end_and_leaks_nothing() {
    model(3, || {
        let (inbox, line) = (Arc::new(Inbox::default()), Arc::new(Line::default()));
        let (theirs, sent) = (inbox.clone(), line.clone());
        let posting = thread::spawn(move || theirs.post(&sent));
        let mut left = Vec::new();
        inbox.close(&mut left);
        assert_eq!(posting.join().unwrap(), left.len() == 1, "refused, or handed out");
        drop((left, inbox));
        assert_eq!(Arc::strong_count(&line), 1);
    });
}

#[test]
fn an_owner_that_wakes_by_itself_is_found_up() {
    model(3, || {
        let (inbox, line) = (Arc::new(Inbox::default()), Arc::new(Line::default()));
        assert!(inbox.sleep(std::task::Waker::noop()));
        let posting = poster(&inbox, &line);
        inbox.awake();
        assert_eq!(own(&inbox, &[line], 1), 1);
        posting.join().unwrap();
    });
}

/// A ring carries a change that is in no node.
#[test]
fn a_ring_races_with_falling_asleep_and_is_not_lost() {
    model(3, || {
        let shared = Arc::new((Inbox::<Line>::default(), AtomicUsize::new(0)));
        let other = shared.clone();
        let ringing = thread::spawn(move || {
            other.1.store(1, Relaxed);
            other.0.ring();
        });
        block_on(|cx| {
            loop {
                shared.0.drain(&mut Vec::new());
                if shared.1.load(Relaxed) == 1 {
                    return Poll::Ready(());
                }
                if shared.0.sleep(cx.waker()) {
                    return Poll::Pending;
                }
            }
        });
        ringing.join().unwrap();
    });
}

#[test]
fn a_ring_that_finds_a_node_makes_its_change_seen_with_it() {
    model(2, || {
        let shared = Arc::new((Inbox::default(), AtomicUsize::new(0)));
        let (posting, line) = (shared.clone(), Arc::new(Line::default()));
        let posting = thread::spawn(move || assert!(posting.0.post(&line)));
        let ringing = shared.clone();
        let ringing = thread::spawn(move || {
            ringing.1.store(1, Relaxed);
            ringing.0.ring();
        });
        let mut posted = Vec::new();
        block_on(|cx| {
            loop {
                shared.0.drain(&mut posted);
                if posted.len() == 1 && shared.1.load(Relaxed) == 1 {
                    return Poll::Ready(());
                }
                if shared.0.sleep(cx.waker()) {
                    return Poll::Pending;
                }
            }
        });
        [posting, ringing].into_iter().for_each(|t| t.join().unwrap());
    });
}
