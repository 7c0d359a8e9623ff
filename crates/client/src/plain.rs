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
//! would. The leader serves the replies of the others; when its own call ends it wakes one of them to lead.

use crate::{
    channel::Shared,
    dispatch::{Dispatch, Replies},
    link::{Link, of_connect},
};
use bytes::BytesMut;
use polywire_base::{IoBuf, Output};
use polywire_call::{Origin, Status, brpc};
use polywire_engine::{Line, Next, Request, transport::BlockingSocket};
use polywire_wire::{Cx, Goodbye, Machine, Outcome, Role, Setup, Step, Wake};
use std::{
    io::{self, IoSlice},
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Waker},
    thread::{self, Thread},
    time::Instant,
};

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
    /// Callers that wait without leading.
    followers: Vec<Thread>,
}

impl Plain {
    /// Connects.
    ///
    /// # Errors
    /// As a status that is safe to retry.
    pub fn connect(shared: &Shared) -> Result<Arc<Plain>, Status> {
        let connected = BlockingSocket::connect(&shared.address, shared.options.connect_timeout);
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
            limits: shared.config.limits,
            authenticate: false,
            credential: &shared.options.credential,
            authority: &shared.authority,
            parameter: &shared.parameter,
        };
        let link = Link::new();
        let state = State {
            machine: machine(Role::Client, &setup),
            dispatch: Dispatch::new(link.clone(), shared.config.overfull),
            host: Replies { most: shared.config.limits.max_message as usize },
            input: IoBuf::new(),
            out: Output::new(shared.config.room),
            buffer: BytesMut::new(),
            need: 1,
            led: false,
            followers: Vec::new(),
        };
        Ok(Arc::new(Plain { socket, link, state: Mutex::new(state) }))
    }

    pub fn is_alive(&self) -> bool {
        self.link.is_alive()
    }

    /// Makes one call and waits for its end.
    pub fn call(&self, request: Request) -> (Arc<Line>, Outcome) {
        WAKER.with(|waker| self.call_as(request_line(&self.link, request), waker))
    }

    fn call_as(&self, line: Arc<Line>, waker: &Waker) -> (Arc<Line>, Outcome) {
        let mut cx = Context::from_waker(waker);
        let mut state = self.lock();
        line.post();
        self.pump(&mut state);
        loop {
            // Waking reaches us by `unpark` only after this registered the waker, and while we lead nobody needs to.
            if let Poll::Ready(outcome) = line.poll_reply(&mut cx) {
                self.hand_on(&mut state);
                return (line, outcome);
            }
            if !self.is_alive() {
                state.dispatch.abandon(ended());
                continue;
            }
            let until = state.dispatch.soonest();
            if state.led {
                state.followers.push(thread::current());
                drop(state);
                match until {
                    Some(at) => thread::park_timeout(at.saturating_duration_since(Instant::now())),
                    None => thread::park(),
                }
                state = self.lock();
                let me = thread::current().id();
                state.followers.retain(|thread| thread.id() != me);
                state.dispatch_expired();
                continue;
            }
            state.led = true;
            state = self.lead(state, until);
            state.led = false;
        }
    }

    /// Waits for bytes without holding the lock, then serves whatever they bring.
    fn lead<'s>(&'s self, mut state: MutexGuard<'s, State>, until: Option<Instant>) -> MutexGuard<'s, State> {
        let mut buffer = std::mem::take(&mut state.buffer);
        buffer.reserve(state.need.max(READ_BUFFER));
        let owes = !state.out.is_empty();
        drop(state);
        let received = if owes {
            self.socket.wait_either(until).map(|()| None)
        } else {
            self.socket.receive(&mut buffer, until).map(Some)
        };
        let mut state = self.lock();
        match received {
            Ok(None) => {}
            Ok(Some(0)) => {
                let State { machine, input, out, host, .. } = &mut *state;
                let mut cx = Cx { now: Instant::now(), input, out, host };
                let _ = machine.resume(&mut cx, Wake::Eof); // it ends either way
                self.pump(&mut state);
                self.fail(&mut state, brpc::status(brpc::EEOF, "the peer closed the connection"));
            }
            Ok(Some(_)) => {
                state.input.push(buffer.split().freeze());
                self.pump(&mut state);
            }
            Err(error) if is_timeout(&error) => state.dispatch_expired(),
            Err(error) => self.fail(&mut state, brpc::status(brpc::EFAILEDSOCKET, error.to_string())),
        }
        state.buffer = buffer;
        if !state.out.is_empty() {
            self.flush(&mut state);
        }
        state
    }

    /// Our call has ended: somebody else may have to lead.
    fn hand_on(&self, state: &mut State) {
        if !state.led
            && let Some(next) = state.followers.pop()
        {
            next.unpark();
        }
    }

    /// Opens what was posted, takes what came, sends what is owed.
    fn pump(&self, state: &mut State) {
        let now = Instant::now();
        let failed = state.pump(now);
        self.flush(state);
        if let Some(why) = failed {
            self.fail(state, why);
        }
        state.dispatch_expired();
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
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
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

    fn dispatch_expired(&mut self) {
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
        drop(state);
        self.socket.close();
    }
}

fn request_line(link: &Link, request: Request) -> Arc<Line> {
    Line::new(&link.inbox, Some(request), None)
}

thread_local! {
    /// Wakes this thread.
    static WAKER: Waker = Waker::from(Arc::new(Unpark(thread::current())));
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
