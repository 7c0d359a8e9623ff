//! A connection as its callers see it: an inbox that may not be connected yet.

use crate::{
    call::deadline::not_connected,
    connection::dispatch::{Dispatch, Replies},
    connection::placement::Placement,
    core::Shared,
    pool::overflow::STREAMS,
};
use polywire_base::Inbox;
use polywire_call::{Origin, Status, brpc};
use polywire_engine::{
    Caller, Connection, Desk, Dispatcher, Draft, Fault, Line, Pipe, Request, Sink, Source, Transport, clock,
    transport::Broken,
};
use polywire_wire::{Connections, Limits, Setup};
use std::{
    future::{Future, poll_fn},
    io,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::*},
    },
    task::{Context, Poll},
    time::{Duration, Instant},
};
use tokio::{task::coop::unconstrained, time::Sleep};

/// Where calls for one connection are posted.
pub(crate) struct Link {
    inbox: Arc<Inbox<Line>>,
    /// [`NEW`], [`OPEN`], [`FULL`] or, once and for ever, [`RETIRED`].
    state: AtomicU8,
    /// So many calls that wait may go to another connection. Written by other connections, taken by this one.
    relief: AtomicU32,
    /// Streams posted that have not ended. Written by those who post them and by the connection.
    streams: AtomicU32,
    /// Streams that the peer allows.
    limit: AtomicU32,
    /// A call has come since somebody looked.
    used: AtomicBool,
}

/// Takes calls.
const OPEN: u8 = 0;
/// Takes calls, which wait; rather elsewhere.
const FULL: u8 = 1;
/// A further connection that is not there yet.
const NEW: u8 = 2;
/// The connection is over or takes no further calls.
const RETIRED: u8 = 3;

impl Link {
    /// A link, and the desk that its connection works at.
    pub fn new() -> (Arc<Link>, Desk) {
        let desk = Desk::new();
        let link = Link {
            inbox: desk.inbox().clone(),
            state: AtomicU8::new(OPEN),
            relief: AtomicU32::new(0),
            streams: AtomicU32::new(0),
            limit: AtomicU32::new(STREAMS),
            used: AtomicBool::new(false),
        };
        (Arc::new(link), desk)
    }

    #[inline]
    pub fn is_alive(&self) -> bool {
        self.state.load(Acquire) != RETIRED // pairs with the release in `retire`; late news only costs a try
    }

    /// The first choice for a call.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.state.load(Acquire) == OPEN // as above
    }

    /// Whether a stream need not wait.
    pub fn has_room_for_stream(&self) -> bool {
        self.is_alive() && self.streams() < self.limit.load(Relaxed)
    }

    pub fn streams(&self) -> u32 {
        self.streams.load(Relaxed)
    }

    /// The peer allows so many streams.
    pub fn allow(&self, streams: u32) {
        self.limit.store(streams, Relaxed);
    }

    pub fn stream_ended(&self) {
        self.streams.fetch_sub(1, Relaxed);
    }

    /// Calls rather go elsewhere.
    pub fn fill(&self) {
        let _ = self.state.compare_exchange(OPEN, FULL, AcqRel, Relaxed); // else it is full or over
    }

    /// A further connection, to take calls when it is there.
    pub fn wait(&self) {
        self.state.store(NEW, Release);
    }

    pub fn is_new(&self) -> bool {
        self.state.load(Acquire) == NEW
    }

    /// Calls come here, or come again.
    pub fn reopen(&self) {
        let open = |state| (state != RETIRED).then_some(OPEN);
        let _ = self.state.fetch_update(AcqRel, Relaxed, open); // else it is over
    }

    /// So many calls that wait here may go elsewhere.
    pub fn relieve(&self, calls: u32) {
        self.relief.fetch_max(calls, AcqRel);
        self.inbox.ring();
    }

    pub fn take_relief(&self) -> u32 {
        self.relief.swap(0, AcqRel)
    }

    pub fn use_now(&self) {
        self.used.store(true, Relaxed);
    }

    fn was_used(&self) -> bool {
        self.used.swap(false, Relaxed)
    }

    /// Posts a call. `Err` gives it back: the connection has ended, and nobody has seen it.
    #[inline]
    pub fn post(&self, draft: Draft) -> Result<Caller, Draft> {
        draft.post(&self.inbox)
    }

    /// Posts a call with streams. `None`: the connection has ended, and has not seen it.
    pub fn post_stream(&self, request: Request, limits: &Limits) -> Option<(Source, Sink)> {
        let (line, source, sink) = Caller::stream(&self.inbox, request, Pipe::new(limits));
        self.streams.fetch_add(1, Relaxed);
        let posted = Line::post(&line);
        if !posted {
            self.stream_ended();
        }
        posted.then_some((source, sink))
    }

    /// A stream that a call on this link may offer.
    pub fn offer(&self, limits: &Limits) -> (Arc<Line>, (Source, Sink)) {
        Line::offer(&self.inbox, Pipe::new(limits))
    }

    /// New calls go elsewhere.
    pub fn retire(&self) {
        self.state.store(RETIRED, Release);
    }

    /// New calls go elsewhere, and the connection ends once it is idle.
    pub fn close(&self) {
        self.retire();
        self.inbox.ring();
    }
}

/// Connects, then serves the link until its connection ends. Dropped at any time, even before it was polled, it ends the
/// calls that were posted.
///
/// `pause`: nothing is tried before. `spare`: ends when no call has come for so long.
pub(crate) async fn run(
    shared: Arc<Shared>,
    dispatch: Dispatch,
    pause: Option<Instant>,
    spare: Option<Duration>,
) {
    let link = dispatch.link().clone();
    let connect = {
        let shared = shared.clone();
        async move {
            if let Some(until) = pause {
                tokio::time::sleep_until(until.into()).await;
            }
            shared.connector.connect(&shared.address, shared.options.connect_timeout).await
        }
    };
    let connecting =
        Connecting { shared: &shared, connect: Box::pin(connect), dispatch: Some(dispatch), timer: None };
    let (mut dispatch, connected) = connecting.await;
    match connected {
        Err(error) => {
            shared.connect_failed(&error);
            dispatch.abandon(of_connect(&shared.address, &error));
        }
        Ok(transport) => {
            shared.connect_succeeded();
            let setup = Setup {
                limits: shared.calm.of(shared.config.limits),
                credential: &shared.options.credential,
                authority: &shared.authority,
                secure: transport.protection().security().is_some(),
                parameter: &shared.parameter,
                once: shared.kind == Connections::Short,
                ..Setup::default()
            };
            let host = Replies { most: shared.config.limits.max_message as usize };
            let config = shared.config.clone();
            let connection = Connection::client(transport, config, shared.protocol, &setup, dispatch, host);
            // A protocol without a machine was refused when the channel was built.
            if let Some(connection) = connection {
                let movable = spare.is_none() && shared.options.dedicated_threads;
                drop(shared);
                match spare {
                    None if movable => drive(connection, Placement::here()).await,
                    None => unconstrained(connection).await,
                    Some(spare) => run_spare(unconstrained(connection), &link, spare).await,
                }
            }
        }
    }
}

/// Drives a connection to its end, or until another place is better.
async fn drive(mut connection: Connection<Dispatch>, placement: Placement) {
    let driving = poll_fn(|cx| match Pin::new(&mut connection).poll(cx) {
        Poll::Ready(()) => Poll::Ready(Driven::Over),
        Poll::Pending if placement.moves(connection.dispatcher().crowd()) => Poll::Ready(Driven::Moves),
        Poll::Pending => Poll::Pending,
    });
    match unconstrained(driving).await {
        Driven::Over => {}
        Driven::Moves => move_on(connection, placement),
    }
}

/// Why [`drive`] ended.
enum Driven {
    Over,
    Moves,
}

/// Hands the connection to the other place. Its next poll there finds whatever came meanwhile.
fn move_on(mut connection: Connection<Dispatch>, placement: Placement) {
    let Some((placement, home)) = placement.other() else { return };
    let rehomed = home.within(|| connection.rehome());
    connection.dispatcher_mut().forget_crowd();
    match rehomed {
        Ok(()) => home.spawn(drive(connection, placement)),
        // No descriptor is left: it stays with the runtime that drives it now.
        Err(_) => drop(tokio::spawn(drive(connection, Placement::Fixed))),
    }
}

/// A connection that takes no further calls once none has come for a while; those that are under way go on.
async fn run_spare(connection: impl Future<Output = ()>, link: &Link, spare: Duration) {
    let mut connection = pin!(connection);
    let mut looks = tokio::time::interval(spare);
    looks.tick().await; // the first is now
    loop {
        tokio::select! {
            () = &mut connection => return,
            _ = looks.tick(), if link.is_alive() => {
                if !link.was_used() {
                    link.close();
                }
            }
        }
    }
}

/// How a call ends that found no connection; see also [`is_of_connect`].
pub(crate) fn of_connect(address: &str, error: &io::Error) -> Status {
    let text = format!("cannot connect to {address}: {error}");
    if Broken::fault_of(error) != Fault::Reset {
        return brpc::status(brpc::ESSL, text).with_origin(Origin::Transport).unprocessed();
    }
    let number = match error.kind() {
        io::ErrorKind::ConnectionRefused => brpc::ECONNREFUSED,
        io::ErrorKind::TimedOut => brpc::ETIMEDOUT,
        _ => brpc::EHOSTDOWN,
    };
    let status = brpc::status(number, text);
    let status = match number {
        brpc::ETIMEDOUT => Status::unavailable(status.message()).with_native(status.native()).retryable(),
        _ => status,
    };
    status.with_origin(Origin::Transport).unprocessed()
}

/// The call failed since nobody could be reached: it has not left this process.
pub(crate) fn is_of_connect(status: &Status) -> bool {
    status.origin() == Origin::Transport
        && status.is_unprocessed()
        && matches!(brpc::number(status), brpc::ECONNREFUSED | brpc::ETIMEDOUT | brpc::EHOSTDOWN)
}

/// Waits for the socket while the deadlines of calls already posted run.
struct Connecting<'s, F> {
    shared: &'s Shared,
    connect: Pin<Box<F>>,
    /// Taken when done.
    dispatch: Option<Dispatch>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl<F: Future<Output = io::Result<Box<dyn Transport>>>> Future for Connecting<'_, F> {
    type Output = (Dispatch, F::Output);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let dispatch = this.dispatch.as_mut().expect("polled after it was ready");
        loop {
            let now = clock::now();
            dispatch.enlist_posted(now);
            dispatch.expire_posted(now, || not_connected(this.shared));
            if let Poll::Ready(connected) = this.connect.as_mut().poll(cx) {
                return Poll::Ready((this.dispatch.take().expect("just used"), connected));
            }
            if let Some(at) = dispatch.next_deadline() {
                let timer = this.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(at.into())));
                if timer.deadline() != at.into() {
                    timer.as_mut().reset(at.into());
                }
                if timer.as_mut().poll(cx).is_ready() {
                    continue;
                }
            }
            if dispatch.sleep(cx.waker()) {
                return Poll::Pending;
            }
        }
    }
}
