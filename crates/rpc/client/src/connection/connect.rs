//! Makes a connection and drives it to its end, as a task of its home.

use crate::connection::{
    age::Aging,
    dispatch::Dispatch,
    handle::Handle,
    home::{Home, HomeId},
    overflow::Overflow,
    placement::Placement,
    spec::ConnectSpec,
};
use polywire_engine::{Connection, Dispatcher, Transport, clock, spawn_on};
use std::{
    future::{Future, poll_fn},
    io,
    pin::{Pin, pin},
    sync::{Arc, Weak},
    task::{Context, Poll},
    time::{Duration, Instant},
};
use tokio::{task::coop::unconstrained, time::Sleep};

/// The settings that differ between the connections of one channel.
#[derive(Default)]
pub(crate) struct Plan {
    /// Connecting does not begin before this.
    pub not_before: Option<Instant>,
    /// The connections to ask for help when this one is full; `None`: there are never any.
    pub overflow: Option<Weak<dyn Overflow>>,
    /// For a connection that was added because the others were full: it takes calls once it is made, and ends
    /// when it has received no call for this long.
    pub spare: Option<Duration>,
}

/// Begins to connect on the home `home`. Calls may be posted to the handle at once. If that home ends, it
/// drops the connection, which ends its calls.
pub(crate) fn connect(spec: &Arc<ConnectSpec>, home: HomeId, plan: Plan) -> Arc<Handle> {
    let Plan { not_before, overflow, spare } = plan;
    let dispatch = Dispatch::new(spec, overflow);
    let handle = dispatch.handle().clone();
    if spare.is_some() {
        handle.begin_connecting();
    }
    Home::of(home).spawn(run(spec.clone(), dispatch, not_before, spare));
    handle
}

/// Connects, then serves the calls of `dispatch` until the connection ends. Dropped at any time, even before
/// it was polled, it ends the calls that were posted.
async fn run(
    spec: Arc<ConnectSpec>,
    dispatch: Dispatch,
    not_before: Option<Instant>,
    spare: Option<Duration>,
) {
    let handle = dispatch.handle().clone();
    let connect = {
        let spec = spec.clone();
        async move {
            if let Some(at) = not_before {
                tokio::time::sleep_until(at.into()).await;
            }
            spec.connect().await
        }
    };
    let connecting =
        Connecting { spec: &spec, connect: Box::pin(connect), dispatch: Some(dispatch), timer: None };
    let (mut dispatch, connected) = connecting.await;
    let transport = match connected {
        Ok(transport) => transport,
        Err(error) => return dispatch.abandon(spec.failed(&error)),
    };
    spec.succeeded();
    let token = spec.token();
    let setup = spec.setup(transport.protection().security().is_some(), token.as_deref());
    let host = dispatch.host();
    let connection =
        Connection::client(transport, spec.config.clone(), spec.protocol, &setup, dispatch, host);
    // A protocol without a machine was refused when the channel was built. Boxed, since an async block has
    // room for each place that a value passes through.
    let Some(mut connection) = connection.map(Box::new) else { return };
    handle.connected(Some(connection.connection_stats().clone()));
    let (may_move, mut aging) =
        (spec.dedicated_threads, Aging::new(spec.max_age, spec.idle.filter(|_| spare.is_none())));
    drop(spec);
    if may_move && spare.is_none() {
        return drive(connection, Placement::here(), aging).await;
    }
    let connection = poll_fn(|cx| {
        let polled = Pin::new(&mut connection).poll(cx);
        aging.poll(&handle, connection.dispatcher().pending(), cx);
        polled
    });
    match spare {
        None => unconstrained(connection).await,
        Some(spare) => run_spare(unconstrained(connection), &handle, spare).await,
    }
}

/// Drives a connection to its end, or until another place is better.
async fn drive(mut connection: Box<Connection<Dispatch>>, placement: Placement, mut aging: Aging) {
    let driving = poll_fn(|cx| {
        if Pin::new(&mut connection).poll(cx).is_ready() {
            return Poll::Ready(Driven::Over);
        }
        let dispatcher = connection.dispatcher();
        aging.poll(dispatcher.handle(), dispatcher.pending(), cx);
        match placement.moves(connection.dispatcher().crowd()) {
            true => Poll::Ready(Driven::Moves),
            false => Poll::Pending,
        }
    });
    match unconstrained(driving).await {
        Driven::Over => {}
        Driven::Moves => move_on(connection, placement, aging.moved()),
    }
}

/// The reason why [`drive`] ended.
enum Driven {
    Over,
    Moves,
}

/// Hands the connection to the other place. Its next poll there reads the bytes that have arrived meanwhile.
fn move_on(mut connection: Box<Connection<Dispatch>>, placement: Placement, aging: Aging) {
    let Some((placement, home)) = placement.other() else { return };
    let rehomed = home.within(|| connection.move_to_current_runtime());
    connection.dispatcher_mut().forget_crowd();
    match rehomed {
        Ok(()) => home.spawn(drive(connection, placement, aging)),
        // No descriptor is left: it stays with the runtime that drives it now.
        Err(_) => {
            drop(spawn_on(&tokio::runtime::Handle::current(), drive(connection, Placement::Fixed, aging)))
        }
    }
}

/// Drives a connection that stops taking calls once none has arrived for a while; the calls under way go on.
async fn run_spare(connection: impl Future<Output = ()>, handle: &Handle, spare: Duration) {
    let mut connection = pin!(connection);
    let mut looks = tokio::time::interval(spare);
    looks.tick().await; // the first is now
    loop {
        tokio::select! {
            () = &mut connection => return,
            _ = looks.tick(), if handle.is_alive() => {
                if !handle.take_used() {
                    handle.close();
                }
            }
        }
    }
}

/// Waits for the byte stream while the deadlines of calls already posted run.
struct Connecting<'s, F> {
    spec: &'s ConnectSpec,
    connect: Pin<Box<F>>,
    /// The dispatch; taken out when done.
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
            dispatch.expire_posted(now, || this.spec.why_not_connected());
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
