//! Connections of callers on plain threads: leader and followers.
//!
//! ```text
//!  caller: lock -> machine.open -> send -> unlock -> am I answered? --yes--> done, hand on the lead
//!                                             ^            |no
//!                                             |   lead free? --no--> park until answered or led
//!                                             |            |yes
//!                                             `-- receive (no lock held) -> lock -> poll, complete everybody's calls
//! ```
//!
//! The socket is in no epoll set: a lone caller costs one send and one receive per call, as a hand-written client
//! would. The leader serves the replies of the others; when its own call ends it wakes one of them to lead. What does not
//! fit the socket is sent by the leader, or if that one is receiving already, by one of the followers.

use crate::{
    dispatch::{Dispatch, Replies},
    link::{Link, of_connect},
    shared::Shared,
};
use bytes::BytesMut;
use polywire_base::{IoBuf, Output};
use polywire_call::{Origin, Status, brpc};
use polywire_engine::{Caller, Draft, Next, transport::BlockingSocket};
use polywire_wire::{Connections, Cx, Goodbye, Machine, Outcome, Role, Setup, Step, Wake};
use std::{
    io::{self, IoSlice},
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Waker},
    thread::{self, Thread},
    time::{Duration, Instant},
};

/// A follower that waits to send looks after this long whether its own call has ended.
const PATIENCE: Duration = Duration::from_millis(50);
/// Read at once at least.
const READ_BUFFER: usize = 64 << 10;

/// One connection that its callers drive themselves.
pub(crate) struct Plain {
    socket: BlockingSocket,
    link: Arc<Link>,
    state: Mutex<State>,
}

struct State {
    machine: Box<dyn Machine>,
    dispatch: Dispatch,
    host: Replies,
    input: IoBuf,
    out: Output,
    /// The leader's, while nobody leads.
    buffer: BytesMut,
    /// Bytes the machine waits for.
    need: usize,
    led: bool,
    /// A follower waits until more can be sent.
    writing: bool,
    /// Callers that wait without leading.
    followers: Vec<Thread>,
}

impl Plain {
    /// Connects, within the channel's limit and by `deadline`.
    ///
    /// # Errors
    /// As a status that is safe to retry.
    pub fn connect(shared: &Shared, deadline: Option<Instant>) -> Result<Arc<Plain>, Status> {
        let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let limit = left.unwrap_or(Duration::MAX).min(shared.options.connect_timeout);
        let connected = BlockingSocket::connect(&shared.address, limit.max(Duration::from_millis(1)));
        let socket = match connected {
            Ok(socket) => socket,
            Err(error) => {
                shared.connect_failed(&error);
                return Err(of_connect(&shared.address, &error));
            }
        };
        shared.connect_succeeded();
        let Some(machine) = shared.protocol.machine else {
            return Err(Status::unimplemented("the protocol has no client"));
        };
        let setup = Setup {
            limits: shared.calm.of(shared.config.limits),
            credential: &shared.options.credential,
            authority: &shared.authority,
            secure: false,
            parameter: &shared.parameter,
            once: shared.kind == Connections::Short,
            ..Setup::default()
        };
        let dispatch = Dispatch::new(&shared.config, &shared.calm, None);
        let link = dispatch.link().clone();
        let state = State {
            machine: machine(Role::Client, &setup),
            dispatch,
            host: Replies { most: shared.config.limits.max_message as usize },
            input: IoBuf::new(),
            out: Output::new(shared.config.room),
            buffer: BytesMut::new(),
            need: 1,
            led: false,
            writing: false,
            followers: Vec::new(),
        };
        Ok(Arc::new(Plain { socket, link, state: Mutex::new(state) }))
    }

    pub fn is_alive(&self) -> bool {
        self.link.is_alive()
    }

    /// Makes one call and waits for its end. `Err` gives it back: the connection had ended.
    pub fn call(&self, draft: Draft) -> Result<(Caller, Outcome), Draft> {
        WAKER.with(|waker| self.call_as(draft, waker))
    }

    fn call_as(&self, draft: Draft, waker: &Waker) -> Result<(Caller, Outcome), Draft> {
        let mut cx = Context::from_waker(waker);
        let mut state = self.lock();
        let mut caller = self.link.post(draft)?;
        self.pump(&mut state);
        loop {
            // Waking reaches us by `unpark` only after this registered the waker, and while we lead nobody needs to.
            if let Poll::Ready(outcome) = caller.poll_reply(&mut cx) {
                self.hand_on(&mut state);
                return Ok((caller, outcome));
            }
            state = if !state.led {
                self.lead(state)
            } else if !state.out.is_empty() && !state.writing {
                self.write(state)
            } else {
                self.follow(state)
            };
        }
    }

    /// Waits without holding the lock, until our call has ended or the lead is ours.
    fn follow<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let until = state.dispatch.soonest();
        state.followers.push(thread::current());
        drop(state);
        match until {
            Some(at) => thread::park_timeout(at.saturating_duration_since(Instant::now())),
            None => thread::park(),
        }
        let mut state = self.lock();
        let me = thread::current().id();
        state.followers.retain(|thread| thread.id() != me);
        self.expire(&mut state);
        state
    }

    /// Waits until the socket takes more. The lock is not held.
    fn write<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        state.writing = true;
        let until = state.dispatch.soonest();
        drop(state);
        let look = Instant::now() + PATIENCE;
        let waited = self.socket.wait_writable(until.map_or(look, |at| at.min(look)));
        let mut state = self.lock();
        state.writing = false;
        match waited {
            Ok(()) => self.flush(&mut state),
            Err(error) => self.fail(&mut state, brpc::status(brpc::EFAILEDSOCKET, error.to_string())),
        }
        self.expire(&mut state);
        state
    }

    /// Waits for bytes without holding the lock, then serves whatever they bring.
    fn lead<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        state.led = true;
        let lead = Lead(self);
        let until = state.dispatch.soonest();
        let mut buffer = std::mem::take(&mut state.buffer);
        buffer.reserve(state.need.max(READ_BUFFER));
        let owes = !state.out.is_empty();
        drop(state);
        let received = if owes {
            let waited = self.socket.wait_either(until);
            waited.and_then(|()| self.socket.receive_now(&mut buffer))
        } else {
            self.socket.receive(&mut buffer, until)
        };
        let mut state = self.lock();
        match received {
            Ok(0) => {
                let State { machine, input, out, host, .. } = &mut *state;
                let mut cx = Cx { now: Instant::now(), input, out, host };
                let _ = machine.resume(&mut cx, Wake::Eof); // it ends either way
                self.pump(&mut state);
                self.fail(&mut state, brpc::status(brpc::EEOF, "the peer closed the connection"));
            }
            Ok(_) => {
                state.input.push(buffer.split().freeze());
                self.pump(&mut state);
            }
            Err(error) if is_timeout(&error) => self.expire(&mut state),
            Err(error) => self.fail(&mut state, brpc::status(brpc::EFAILEDSOCKET, error.to_string())),
        }
        state.buffer = buffer;
        if !state.out.is_empty() {
            self.flush(&mut state);
        }
        state.led = false;
        std::mem::forget(lead);
        state
    }

    /// Our call has ended: somebody else may have to lead.
    fn hand_on(&self, state: &mut State) {
        let needed = !state.led || (!state.out.is_empty() && !state.writing);
        if needed && let Some(next) = state.followers.pop() {
            next.unpark();
        }
    }

    /// Opens what was posted, takes what came, sends what is owed.
    fn pump(&self, state: &mut State) {
        let now = Instant::now();
        let failed = state.pump(now);
        self.expire(state);
        if let Some(why) = failed {
            self.fail(state, why);
        }
    }

    fn expire(&self, state: &mut State) {
        state.expire();
        self.flush(state);
    }

    fn flush(&self, state: &mut State) {
        while !state.out.is_empty() {
            let mut slices = [IoSlice::new(&[]); 32];
            let n = state.out.io_slices(&mut slices);
            match self.socket.send_now(&slices[..n]) {
                Ok(n) => state.out.advance(n),
                Err(error) if is_timeout(&error) => return,
                Err(error) => {
                    return self.fail(state, brpc::status(brpc::EFAILEDSOCKET, error.to_string()));
                }
            }
        }
    }

    fn fail(&self, state: &mut State, why: Status) {
        state.out.take();
        state.dispatch.abandon(why.with_origin(Origin::Transport));
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

/// Held while leading: a leader that panics must not leave its followers waiting.
struct Lead<'a>(&'a Plain);

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        self.0.lock().led = false;
    }
}

impl State {
    /// `Some`: the connection cannot go on.
    fn pump(&mut self, now: Instant) -> Option<Status> {
        let State { machine, dispatch, host, input, out, need, .. } = self;
        dispatch.work(&mut **machine, &mut Cx { now, input, out, host }, usize::MAX);
        loop {
            let mut cx = Cx { now, input, out, host };
            match machine.poll(&mut cx) {
                Ok(Step::Event(event)) => match dispatch.take(event) {
                    Next::Commands => {
                        dispatch.work(&mut **machine, &mut Cx { now, input, out, host }, usize::MAX);
                    }
                    Next::Close => return Some(ended()),
                    Next::Continue | Next::Finish(..) | Next::Verdict(_) => {}
                },
                Ok(Step::Need(n)) => {
                    *need = n;
                    return None;
                }
                Ok(Step::Blocked) => return None,
                Ok(Step::Become(next)) => *machine = next,
                Ok(Step::Closed) | Ok(Step::Foreign) => return Some(ended()),
                Err(error) => {
                    return Some(Status::internal(format!("the peer broke the protocol: {error:?}")));
                }
            }
        }
    }

    /// Ends what is past its deadline; peers may have to be told.
    fn expire(&mut self) {
        let now = Instant::now();
        if self.dispatch.soonest().is_some_and(|at| at <= now) {
            let State { machine, dispatch, host, input, out, .. } = self;
            dispatch.fire(now, Some((&mut **machine, &mut Cx { now, input, out, host })));
        }
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        let mut state = self.lock();
        let State { machine, input, out, host, .. } = &mut *state;
        machine.goodbye(&mut Cx { now: Instant::now(), input, out, host }, Goodbye::Close);
        self.flush(&mut state);
        drop(state);
        self.socket.close();
    }
}

thread_local! {
    /// Wakes this thread.
    static WAKER: Waker = Waker::from(Arc::new(Unpark(thread::current())));
}

/// Waits on the calling thread.
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

fn ended() -> Status {
    brpc::status(brpc::EEOF, "the connection ended").with_origin(Origin::Transport)
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
