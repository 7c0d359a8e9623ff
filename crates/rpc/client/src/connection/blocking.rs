//! A connection that callers on plain threads drive themselves, by turns: one is the leader, the others
//! follow.
//!
//! ```text
//!  caller: lock -> post -> pump, send -> am I answered? --yes--> done, hand on the lead, unlock
//!                                  ^            |no
//!                                  |   lead free? --no--> park until answered or led
//!                                  |            |yes
//!                                  `-- receive (no lock held) -> lock -> pump: complete everybody's calls
//! ```
//!
//! The socket is in no epoll set: a lone caller costs one send and one receive per call, as a hand-written
//! client would. The leader serves the replies of the others; when its own call ends it wakes one of them to
//! lead. Bytes that do not fit into the socket are sent by the leader or, while the leader is receiving, by
//! one of the followers.
//!
//! The bytes pass through the same [`Pump`] as on a runtime. Between calls no thread drives the connection:
//! timed work (a PING, say) waits for the next caller. After a pause that caller first reads the bytes that
//! have arrived, so that no call is sent on a connection that the peer has closed.

use crate::connection::{
    age, dispatch::Dispatch, error::deadline_exceeded, handle::Handle, spec::ConnectSpec,
};
use bytes::BytesMut;
use polywire_call::{Origin, Status, brpc};
use polywire_engine::{Pump, Pumped, Space, clock, transport::BlockingSocket};
use polywire_exchange::{Caller, Draft};
use polywire_wire::{Goodbye, Outcome};
use std::{
    io::{self, IoSlice},
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Waker},
    thread::{self, Thread},
    time::{Duration, Instant},
};

/// How long a follower waits to send before it checks whether its own call has ended.
const PATIENCE: Duration = Duration::from_millis(50);
/// After this long without a caller, arrived bytes are read before a call is sent.
const PAUSE: Duration = Duration::from_millis(1);
/// The maximum number of reads for the bytes that arrived while no caller led; after them, due work is done
/// in any case.
const CATCH_UP: usize = 64;

/// A connection that is driven by its callers, each on a thread of its own that waits for the end of its
/// call.
pub(crate) struct BlockingConnection {
    socket: BlockingSocket,
    handle: Arc<Handle>,
    /// The time from which the connection takes no further calls.
    expires: Option<Instant>,
    state: Mutex<State>,
}

struct State {
    pump: Pump<Dispatch>,
    /// The buffer that the leader reads into; it lies here while there is no leader.
    spare: BytesMut,
    /// When a caller last drove the connection.
    driven: Instant,
    /// The peer has sent something.
    heard: bool,
    /// Whether a caller leads, i.e. drives the connection.
    led: bool,
    /// Whether a follower waits until more can be sent.
    writing: bool,
    /// The callers that wait and are not the leader.
    followers: Vec<Thread>,
}

impl BlockingConnection {
    /// Connects on the calling thread, within the connect timeout and by `deadline`.
    ///
    /// # Errors
    /// The connection could not be made, as a status that is safe to retry; or the deadline has passed.
    pub fn connect(spec: &Arc<ConnectSpec>, deadline: Option<Instant>) -> Result<Arc<Self>, Status> {
        let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let limit = left.unwrap_or(Duration::MAX).min(spec.connect_timeout);
        let connected = BlockingSocket::connect(&spec.address, limit.max(Duration::from_millis(1)));
        let socket = match connected {
            Ok(socket) => socket,
            // The call's own deadline has cut it short: nothing is known of the peer.
            Err(error) if is_timeout(&error) && left.is_some_and(|left| left < spec.connect_timeout) => {
                return Err(deadline_exceeded(&spec.address, &spec.why_not_connected()));
            }
            Err(error) => return Err(spec.failed(&error)),
        };
        spec.succeeded();
        let dispatch = Dispatch::new(spec, None);
        let (handle, host) = (dispatch.handle().clone(), dispatch.host());
        let token = spec.token();
        let pump = Pump::client(
            spec.config.clone(),
            spec.protocol,
            &spec.setup(false, token.as_deref()),
            dispatch,
            host,
        );
        let Some(pump) = pump else { return Err(Status::unimplemented("the protocol has no client")) };
        handle.connected(None);
        let state = State {
            pump,
            spare: BytesMut::new(),
            driven: clock::now(),
            heard: false,
            led: false,
            writing: false,
            followers: Vec::new(),
        };
        Ok(Arc::new(BlockingConnection {
            socket,
            handle,
            expires: age::expires(spec.max_age),
            state: Mutex::new(state),
        }))
    }

    /// Whether the connection takes further calls.
    pub fn is_alive(&self) -> bool {
        self.handle.is_alive() && self.expires.is_none_or(|at| clock::now() < at)
    }

    /// Makes one call and waits for its end. `Err` gives it back: the connection had ended.
    pub fn call(&self, draft: Draft) -> Result<(Caller, Outcome), Draft> {
        WAKER.with(|waker| self.call_as(draft, waker))
    }

    fn call_as(&self, draft: Draft, waker: &Waker) -> Result<(Caller, Outcome), Draft> {
        let mut cx = Context::from_waker(waker);
        let mut state = self.lock();
        let now = clock::now();
        if !state.led && now.saturating_duration_since(state.driven) >= PAUSE && state.pump.takes_input() {
            self.catch_up(&mut state, now);
        }
        if !self.handle.is_alive() {
            return Err(draft); // the peer takes no further calls
        }
        let mut caller = self.handle.post(draft)?;
        self.turn(&mut state, now);
        loop {
            // Waking reaches us by `unpark` only after this registered the waker, and while we lead nobody
            // needs to.
            if let Poll::Ready(outcome) = caller.poll_reply(&mut cx) {
                self.hand_on(&mut state);
                return Ok((caller, outcome));
            }
            state = if !state.led && state.pump.takes_input() {
                self.lead(state)
            } else if !state.pump.unsent().is_empty() && !state.writing {
                self.write(state)
            } else {
                self.follow(state)
            };
        }
    }

    /// Waits without holding the lock, until this call has ended or this caller may lead.
    fn follow<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let until = state.pump.deadline();
        state.followers.push(thread::current());
        drop(state);
        match until {
            Some(at) => thread::park_timeout(at.saturating_duration_since(Instant::now())),
            None => thread::park(),
        }
        let mut state = self.lock();
        let me = thread::current().id();
        state.followers.retain(|thread| thread.id() != me);
        let now = clock::now();
        if state.is_due(now) {
            self.turn(&mut state, now);
        }
        state
    }

    /// Waits until the socket takes more. The lock is not held.
    fn write<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        state.writing = true;
        let until = state.pump.deadline();
        drop(state);
        let look = Instant::now() + PATIENCE;
        let waited = self.socket.wait_writable(until.map_or(look, |at| at.min(look)));
        let mut state = self.lock();
        state.writing = false;
        if let Err(error) = waited {
            self.fail(&mut state, brpc::status(brpc::EFAILEDSOCKET, error.to_string()));
        }
        self.turn(&mut state, clock::now());
        state
    }

    /// Waits for bytes without holding the lock, then serves the received messages.
    fn lead<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        state.led = true;
        let lead = Lead(self);
        let until = state.pump.deadline();
        let owes = !state.pump.unsent().is_empty();
        let mut space = state.lend();
        drop(state);
        let received = if owes {
            let waited = self.socket.wait_either(until);
            waited.and_then(|()| self.socket.receive_now(&mut space))
        } else {
            self.socket.receive(&mut space, until)
        };
        let mut state = self.lock();
        state.take_back(space);
        self.received(&mut state, received);
        self.turn(&mut state, clock::now());
        state.led = false;
        std::mem::forget(lead);
        state
    }

    /// Takes the result of a read. Returns whether there may be more to read now.
    fn received(&self, state: &mut State, received: io::Result<usize>) -> bool {
        match received {
            Ok(0) => {
                if !state.heard {
                    self.handle.mute();
                }
                state.pump.end_of_input(clock::now());
            }
            Ok(_) => {
                state.heard = true;
                return true;
            }
            Err(error) if is_timeout(&error) => {}
            Err(error) => self.fail(state, brpc::status(brpc::EFAILEDSOCKET, error.to_string())),
        }
        false
    }

    /// Called when this caller's call has ended: wakes a follower if one has to lead or write in its place.
    fn hand_on(&self, state: &mut State) {
        let needed = !state.led || (!state.pump.unsent().is_empty() && !state.writing);
        if needed && let Some(next) = state.followers.pop() {
            next.unpark();
        }
    }

    /// One turn: does due work, opens posted calls, reads arrived bytes and sends pending ones.
    fn turn(&self, state: &mut State, now: Instant) {
        state.driven = now;
        if state.is_due(now) {
            if !state.led {
                self.catch_up(state, now); // what it waits for may have come while nobody led
            }
            if state.is_due(now) {
                state.pump.expire(now);
            }
        }
        self.pump(state, now);
    }

    /// Reads the bytes that arrived while no caller led.
    #[cold]
    fn catch_up(&self, state: &mut State, now: Instant) {
        for _ in 0..CATCH_UP {
            let mut space = state.lend();
            let received = self.socket.receive_now(&mut space);
            state.take_back(space);
            let more = self.received(state, received);
            self.pump(state, now);
            if !more || !state.pump.takes_input() {
                return;
            }
        }
    }

    fn pump(&self, state: &mut State, mut now: Instant) {
        state.pump.begin(now);
        loop {
            let pumped = state.pump.pump(&mut now);
            self.flush(state, now);
            match pumped {
                Pumped::Waits if !state.pump.has_to_pump() => break,
                Pumped::Waits | Pumped::Flush | Pumped::Recognised(_) => {}
                Pumped::Spent => state.pump.begin(now), // there are no other connections to be fair to
                Pumped::Over => return self.close(state),
            }
        }
        state.pump.end_turn();
    }

    fn flush(&self, state: &mut State, now: Instant) {
        while !state.pump.unsent().is_empty() {
            let mut slices = [IoSlice::new(&[]); 32];
            let n = state.pump.unsent().io_slices(&mut slices);
            match self.socket.send_now(&slices[..n]) {
                Ok(n) => state.pump.wrote(n),
                Err(error) if is_timeout(&error) => break,
                Err(error) => {
                    return self.fail(state, brpc::status(brpc::EFAILEDSOCKET, error.to_string()));
                }
            }
        }
        state.pump.flushed(now);
    }

    /// Ends the connection because the socket failed.
    fn fail(&self, state: &mut State, why: Status) {
        state.pump.end(why.with_origin(Origin::Transport), false);
        self.close(state);
    }

    /// Closes the connection, whose calls have all ended.
    fn close(&self, state: &mut State) {
        state.pump.discard_unsent();
        self.socket.close();
        state.followers.drain(..).for_each(|thread| thread.unpark());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| {
            // A machine panicked: what it left behind is not to be trusted.
            self.state.clear_poison();
            let mut state = poisoned.into_inner();
            self.fail(&mut state, Status::internal("a caller of this connection panicked"));
            state
        })
    }
}

/// The leader's guard: if the leader panics, dropping it keeps the followers from waiting for ever.
struct Lead<'a>(&'a BlockingConnection);

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        self.0.lock().led = false;
    }
}

impl State {
    fn is_due(&self, now: Instant) -> bool {
        self.pump.deadline().is_some_and(|at| at <= now)
    }

    fn lend(&mut self) -> Space {
        self.pump.lend(&mut self.spare)
    }

    fn take_back(&mut self, space: Space) {
        self.pump.take_back(space, &mut self.spare);
    }
}

impl Drop for BlockingConnection {
    fn drop(&mut self) {
        let mut state = self.lock();
        let now = clock::now();
        state.pump.goodbye(Goodbye::Close, now);
        self.flush(&mut state, now);
        drop(state);
        self.socket.close();
    }
}

thread_local! {
    /// The waker of this thread.
    static WAKER: Waker = Waker::from(Arc::new(Unpark(thread::current())));
}

/// Polls on the calling thread until it is ready; the thread sleeps in between.
pub(crate) fn park_until<T>(mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>) -> T {
    WAKER.with(|waker| {
        let mut cx = Context::from_waker(waker);
        loop {
            if let Poll::Ready(value) = poll(&mut cx) {
                return value;
            }
            thread::park();
        }
    })
}

/// Like [`park_until`], but at most until `until`; returns `None` then.
pub(crate) fn park_until_by<T>(
    until: Option<Instant>,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
) -> Option<T> {
    let Some(until) = until else { return Some(park_until(poll)) };
    WAKER.with(|waker| {
        let mut cx = Context::from_waker(waker);
        loop {
            if let Poll::Ready(value) = poll(&mut cx) {
                return Some(value);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            thread::park_timeout(left);
        }
    })
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}

struct Unpark(Thread);
impl std::task::Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
