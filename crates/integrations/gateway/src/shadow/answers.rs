//! The answers to one message: that of the call itself, and those to its copies, until all are there.

use super::{
    Shadow,
    budget::Held,
    comparison,
    counts::{Counts, Fate},
};
use crate::{difference::Answer, schemas::Found};
use polywire_base::lock;
use polywire_call::Origin;
use polywire_client::sleep;
use polywire_server::CallRecord;
use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::{Arc, Mutex},
    task::{Poll, Waker},
    time::Duration,
};

/// Whose answer it is.
#[derive(Clone, Copy)]
pub enum Who {
    Primary,
    Shadow,
    Baseline,
}

/// `None`: it is over.
pub struct Answers(Mutex<Option<Awaited>>);

struct Awaited {
    shadow: Arc<Shadow>,
    held: Arc<Holding>,
    /// The schema of the method, if it is known.
    found: Option<Found>,
    /// The call itself, if it is recorded where answers differ.
    record: Option<Box<CallRecord>>,
    /// By [`Who`].
    answers: [Option<Answer>; 3],
    /// Who waits for the end.
    waker: Option<Waker>,
}

/// A part of the budget. Copies that are under way have it as well, also when nobody asks for their answers.
pub struct Holding {
    counts: Arc<Counts>,
    held: Mutex<Held>,
}

impl Holding {
    pub fn new(counts: &Arc<Counts>, held: Held) -> Arc<Holding> {
        Arc::new(Holding { counts: counts.clone(), held: Mutex::new(held) })
    }

    /// See [`Budget::more`](super::budget::Budget::more).
    pub fn more(&self, messages: usize) -> bool {
        self.counts.budget.more(&mut lock(&self.held), messages)
    }

    pub fn less(&self, messages: usize) {
        self.counts.budget.less(&mut lock(&self.held), messages);
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        self.counts.budget.put(&lock(&self.held));
    }
}

/// All answers to one message.
pub struct Whole {
    pub shadow: Arc<Shadow>,
    pub found: Option<Found>,
    pub record: Option<Box<CallRecord>>,
    pub primary: Answer,
    pub copy: Answer,
    pub baseline: Option<Answer>,
    /// Until they are compared.
    pub held: Arc<Holding>,
}

impl Answers {
    pub fn new(
        shadow: Arc<Shadow>,
        held: Arc<Holding>,
        found: Option<Found>,
        record: Option<Box<CallRecord>>,
    ) -> Arc<Answers> {
        let answers = Default::default();
        Arc::new(Answers(Mutex::new(Some(Awaited { shadow, held, found, record, answers, waker: None }))))
    }

    /// An answer has come.
    pub fn put(&self, who: Who, answer: Answer) {
        let bytes = answer.as_ref().map_or(0, |reply| reply.body.len() + reply.attachment().len());
        if self.hold(bytes) {
            self.put_held(who, answer);
        }
    }

    /// Whether there is room for so many bytes of an answer. If not, it is over.
    pub fn hold(&self, bytes: usize) -> bool {
        let mut all = lock(&self.0);
        let Some(awaited) = &mut *all else { return false };
        let has_room = !awaited.shadow.compares
            || awaited.shadow.counts.budget.grow(&mut lock(&awaited.held.held), bytes);
        if !has_room {
            end(all.take(), Fate::Dropped);
        }
        has_room
    }

    /// An answer has come for which there is room.
    pub fn put_held(&self, who: Who, answer: Answer) {
        let mut all = lock(&self.0);
        let Some(awaited) = &mut *all else { return };
        if matches!(who, Who::Shadow) && is_lost(&answer) {
            return end(all.take(), Fate::Failed);
        }
        if !awaited.shadow.compares {
            drop(all.take());
            return;
        }
        awaited.answers[who as usize] = Some(answer);
        let wanted = if awaited.shadow.baseline.is_some() { 3 } else { 2 };
        if awaited.answers[..wanted].iter().any(Option::is_none) {
            return;
        }
        let awaited = all.take();
        drop(all);
        let Some(Awaited { shadow, held, found, record, answers, waker }) = awaited else { return };
        waker.into_iter().for_each(Waker::wake);
        if let [Some(primary), Some(copy), baseline] = answers {
            comparison::post(Whole { shadow, found, record, primary, copy, baseline, held });
        }
    }

    /// There will be no comparison.
    pub fn over(&self, fate: Fate) {
        let mut all = lock(&self.0);
        // Without one, the copy goes on without its call.
        if all.as_ref().is_some_and(|awaited| awaited.shadow.compares) {
            end(all.take(), fate);
        }
    }

    /// Waits for the answers that are missing, no longer than this.
    pub async fn wait(&self, time: Duration) {
        if lock(&self.0).is_none() {
            return;
        }
        let mut sleep = pin!(sleep(time));
        let ended = poll_fn(|cx| {
            match &mut *lock(&self.0) {
                Some(awaited) => awaited.waker = Some(cx.waker().clone()),
                None => return Poll::Ready(true),
            }
            sleep.as_mut().poll(cx).map(|()| false)
        });
        if !ended.await {
            self.over(Fate::Skipped);
        }
    }
}

/// Whether no server has answered.
pub fn is_lost(answer: &Answer) -> bool {
    matches!(answer, Err(status) if status.origin() != Origin::Remote)
}

fn end(awaited: Option<Awaited>, fate: Fate) {
    let Some(Awaited { shadow, waker, .. }) = awaited else { return };
    shadow.counts.add(fate);
    waker.into_iter().for_each(Waker::wake);
}
