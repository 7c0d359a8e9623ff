//! A command to a cluster until its reply has arrived: attempts, redirections, pauses.
//!
//! | what a node does | what follows |
//! | --- | --- |
//! | answers, errors included | the call ends |
//! | MOVED | this slot is the other node's from now on; the command is sent there |
//! | ASK | the command is sent there once, after ASKING |
//! | TRYAGAIN, CLUSTERDOWN, LOADING, MASTERDOWN | it is sent again after a pause: nothing was done |
//! | cannot be reached | the table is read, and it is sent again after a pause: nothing was done |
//! | loses the connection after it was sent | it is sent again only if it changes nothing: nobody knows whether it was done |
//!
//! All that ends by the deadline of the call, and after
//! [`Builder::max_redirects`](super::Builder::max_redirects) redirections.

use super::{
    nodes::{Inner, Picked},
    pipeline,
    place::{Place, Placed},
    redirect::Redirect,
};
use crate::{Command, Value, target::TARGET};
use bytes::{Buf, Bytes, BytesMut};
use polywire_base::IoBuf;
use polywire_call::{Code, Origin, Status};
use polywire_client::{Channel, sleep};
use polywire_engine::clock;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The first pause; each further one of a call is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(5);
/// The longest pause before a request is sent again.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// The replies to a request.
pub(crate) enum Replies {
    /// Replies in wire form.
    Wire(Bytes),
    /// Replies of a pipeline whose commands went to several nodes.
    Values(Vec<Value>),
}

/// A call that has not been sent.
pub(crate) struct Request {
    inner: Arc<Inner>,
    body: Bytes,
    what: What,
    timeout: Duration,
    /// Whether the command may be executed twice, though it changes something.
    repeats: bool,
}

enum What {
    One(Place),
    /// A transaction: MULTI, commands, EXEC.
    Transaction(Place),
    Pipeline(Vec<Placed>),
}

impl Request {
    pub(crate) fn one(inner: Arc<Inner>, body: Bytes, place: Place) -> Self {
        Request::new(inner, body, What::One(place))
    }

    pub(crate) fn transaction(inner: Arc<Inner>, body: Bytes, place: Place) -> Self {
        Request::new(inner, body, What::Transaction(place))
    }

    pub(crate) fn pipeline(inner: Arc<Inner>, body: Bytes, places: Vec<Placed>) -> Self {
        Request::new(inner, body, What::Pipeline(places))
    }

    fn new(inner: Arc<Inner>, body: Bytes, what: What) -> Self {
        let timeout = inner.options.timeout;
        Request { inner, body, what, timeout, repeats: false }
    }

    pub(crate) fn repeatable(self) -> Self {
        Request { repeats: true, ..self }
    }

    pub(crate) fn timeout(self, timeout: Duration) -> Self {
        Request { timeout, ..self }
    }

    pub(crate) async fn send(self) -> Result<Replies, Status> {
        let effort = Effort::new(self.timeout, self.inner.options.redirects, self.repeats);
        let inner = self.inner.clone();
        inner.refresh_if_due(effort.begun);
        let sent = self.send_by(effort).await;
        if sent.is_err() {
            inner.refresh_if_due(clock::now()); // its connection may have been lost
        }
        sent
    }

    async fn send_by(self, effort: Effort) -> Result<Replies, Status> {
        match self.what {
            What::One(place) => one(&self.inner, self.body, place, false, effort).await.map(Replies::Wire),
            What::Transaction(place) => {
                one(&self.inner, self.body, place, true, effort).await.map(Replies::Wire)
            }
            What::Pipeline(places) => {
                pipeline::send(&self.inner, self.body, &places, effort).await.map(Replies::Values)
            }
        }
    }
}

/// The remaining effort of a call.
pub(super) struct Effort {
    begun: Instant,
    /// `None`: it may take as long as it does.
    pub(super) deadline: Option<Instant>,
    most: u32,
    /// The call may be made twice, though it changes something.
    repeats: bool,
    redirects: u32,
    pauses: u32,
    /// Nodes that could not be reached.
    pub(super) failures: u32,
}

impl Effort {
    fn new(timeout: Duration, redirects: u32, repeats: bool) -> Self {
        let begun = clock::now();
        let deadline = begun.checked_add(timeout);
        Effort { begun, deadline, most: redirects, repeats, redirects: 0, pauses: 0, failures: 0 }
    }

    /// Counts a redirection.
    ///
    /// # Errors
    /// There were too many.
    pub(super) fn redirect(&mut self, line: &str) -> Result<(), Status> {
        self.redirects += 1;
        if self.redirects <= self.most {
            return Ok(());
        }
        let text = format!("redirected {} times, the last time by `{line}`", self.most);
        Err(Status::unavailable(text).with_origin(Origin::Remote))
    }

    /// Waits before the next attempt.
    ///
    /// # Errors
    /// The deadline has passed, or would have: the call ends by `why`.
    pub(super) async fn pause(&mut self, why: Status) -> Result<(), Status> {
        let pause = LONGEST_PAUSE.min(FIRST_PAUSE * 2u32.saturating_pow(self.pauses.min(16)));
        self.pauses += 1;
        if !self.is_late(clock::now() + pause) {
            sleep(pause).await; // or longer, on a busy machine
            if !self.is_late(clock::now()) {
                return Ok(());
            }
        }
        let text = format!("{} (for {:?}, {} attempts)", why.message(), self.begun.elapsed(), self.pauses);
        Err(Status::new(why.code(), text).with_origin(why.origin()).retryable())
    }

    fn is_late(&self, at: Instant) -> bool {
        self.deadline.is_some_and(|deadline| at >= deadline)
    }
}

/// Sends a command, or a transaction, until a node answers.
async fn one(
    inner: &Inner,
    body: Bytes,
    place: Place,
    is_transaction: bool,
    mut effort: Effort,
) -> Result<Bytes, Status> {
    let mut next: Option<(Picked, bool)> = None;
    loop {
        let (picked, asking) = match next.take() {
            Some(next) => next,
            None => match inner.find(place.slot, place.reads, effort.failures).await {
                Ok(picked) => (picked, false),
                Err(status) => {
                    effort.pause(status).await?;
                    continue;
                }
            },
        };
        let reply = match exchange(&picked.channel()?, &body, asking, effort.deadline).await {
            Ok(reply) => reply,
            Err(status) => {
                failed(inner, &mut effort, status, place.reads).await?;
                continue;
            }
        };
        let redirect = if is_transaction {
            of_transaction(&reply)
        } else {
            Redirect::of_reply(&reply).map(|found| (found, reply.clone()))
        };
        let Some((redirect, line)) = redirect else { return Ok(reply) };
        let line = || String::from_utf8_lossy(&line).trim_start_matches('-').trim_end().to_owned();
        match redirect {
            Redirect::Later => {
                effort.failures += u32::from(picked.reading);
                effort.pause(crate::line_status(&line())).await?;
            }
            Redirect::Moved(slot, address) => {
                effort.redirect(&line())?;
                let node = inner.redirected(&address, &picked.node).await?;
                if picked.reading {
                    // A replica that says so does not follow that master any more.
                    effort.failures = u32::MAX;
                    let _ = inner.read_table(false).await;
                }
                inner.moved(slot, &node);
                next = Some((Picked { node, reading: false }, false));
            }
            Redirect::Ask(address) => {
                effort.redirect(&line())?;
                let node = inner.redirected(&address, &picked.node).await?;
                next = Some((Picked { node, reading: false }, true));
            }
        }
    }
}

/// Decides the step after a failed attempt.
///
/// # Errors
/// The call ends with this error.
pub(super) async fn failed(
    inner: &Inner,
    effort: &mut Effort,
    status: Status,
    reads: bool,
) -> Result<(), Status> {
    let again = status.is_unprocessed() || ((reads || effort.repeats) && status.is_retryable());
    if status.origin() == Origin::Transport {
        inner.connection_lost();
    }
    if !again || status.code() == Code::Unauthenticated {
        return Err(status);
    }
    effort.failures += 1;
    // Another node may have taken over. Its failure is no reason to stop.
    let _ = inner.read_table(false).await;
    effort.pause(status).await
}

/// Sends commands to a node, after ASKING if they were redirected by ASK.
pub(super) async fn exchange(
    channel: &Channel,
    body: &Bytes,
    asking: bool,
    deadline: Option<Instant>,
) -> Result<Bytes, Status> {
    let request = if asking {
        let mut both = BytesMut::with_capacity(body.len() + 16);
        Command::new("ASKING").append(&mut both);
        both.extend_from_slice(body);
        both.freeze()
    } else {
        body.clone()
    };
    let call = channel.call(TARGET, IoBuf::from(request)).retries(0).deadline(deadline);
    let call = match deadline {
        Some(deadline) => {
            call.timeout(deadline.saturating_duration_since(clock::now()).max(Duration::from_micros(1)))
        }
        None => call,
    };
    let mut reply = call.await?.into_message().body.into_bytes();
    if asking {
        // Its own reply is `+OK`, or the error of a server that is no node of a cluster.
        let end = reply.iter().position(|byte| *byte == b'\n').map_or(reply.len(), |at| at + 1);
        reply.advance(end);
    }
    Ok(reply)
}

/// The redirection of a transaction, if it was refused because of one, and the error line. Then none of its
/// commands was executed.
fn of_transaction(reply: &Bytes) -> Option<(Redirect, Bytes)> {
    let replies = Value::parse_all(reply.clone()).ok()?;
    let refused = matches!(replies.last(), Some(Value::Error(text)) if !text.is_empty());
    if !refused {
        return None;
    }
    replies.into_iter().find_map(|reply| match reply {
        Value::Error(text) => Redirect::of(&text).map(|redirect| (redirect, text)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transaction_is_sent_again_only_if_nothing_of_it_was_done() {
        let aborted = Bytes::from_static(
            b"+OK\r\n-MOVED 1 a:1\r\n+QUEUED\r\n-EXECABORT Transaction discarded because of previous errors.\r\n",
        );
        assert!(matches!(of_transaction(&aborted), Some((Redirect::Moved(..), _))));
        // An error inside of EXEC's answer is a result.
        let done = Bytes::from_static(b"+OK\r\n+QUEUED\r\n*1\r\n-MOVED 1 a:1\r\n");
        assert_eq!(of_transaction(&done), None);
        let moved_at_exec = Bytes::from_static(b"+OK\r\n+QUEUED\r\n-MOVED 1 a:1\r\n");
        assert!(of_transaction(&moved_at_exec).is_some());
    }
}
