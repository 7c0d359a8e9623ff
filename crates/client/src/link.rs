//! A connection as its callers see it: an inbox that may not be connected yet.

use crate::{
    channel::Shared,
    dispatch::{Dispatch, Replies},
};
use polywire_base::Inbox;
use polywire_call::{Origin, Status, brpc};
use polywire_engine::{Connection, Line, Request, Transport, transport};
use polywire_wire::{Outcome, Setup};
use std::{
    future::Future,
    io,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::*},
    },
    task::{Context, Poll},
    time::Instant,
};
use tokio::time::Sleep;

/// Where calls for one connection are posted.
pub(crate) struct Link {
    pub inbox: Arc<Inbox<Line>>,
    /// Cleared when the connection is over or takes no further calls; set once, never again.
    pub alive: AtomicBool,
    /// Set when nobody looks into the inbox any more.
    over: AtomicBool,
    sweeping: Mutex<()>,
}

impl Link {
    pub fn new() -> Arc<Link> {
        Arc::new(Link {
            inbox: Arc::default(),
            alive: AtomicBool::new(true),
            over: AtomicBool::new(false),
            sweeping: Mutex::new(()),
        })
    }

    /// The connection will not look into the inbox again; what is in it now is ended here.
    pub fn ended(&self) {
        self.retire();
        self.over.store(true, SeqCst);
        self.sweep();
    }

    #[inline]
    pub fn is_alive(&self) -> bool {
        self.alive.load(SeqCst)
    }

    /// Posts a call; one that finds the connection ended ends too.
    #[inline]
    pub fn post(&self, request: Request) -> Arc<Line> {
        let line = Line::new(&self.inbox, Some(request), None);
        line.post();
        if !self.is_alive() {
            self.sweep();
        }
        line
    }

    /// New calls go elsewhere.
    pub fn retire(&self) {
        self.alive.store(false, SeqCst);
    }

    /// New calls go elsewhere, and the connection ends once it is idle.
    pub fn close(&self) {
        self.retire();
        self.inbox.ring();
    }

    /// Whether [`Link::ended`] was said.
    pub fn is_over(&self) -> bool {
        self.over.load(SeqCst)
    }

    /// Ends what was posted to a connection that has ended. Any caller that finds the link dead after posting does
    /// this: either it, or the connection's own end, takes the line off the inbox.
    pub fn sweep(&self) {
        if !self.over.load(SeqCst) {
            return; // the connection still looks
        }
        let _one = self.sweeping.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut left = Vec::new();
        self.inbox.drain(&mut left);
        for line in left {
            if line.key() == Line::UNPLACED && !line.is_done() {
                let status = brpc::status(brpc::EEOF, "the connection ended").with_origin(Origin::Transport);
                line.complete(Outcome { status: status.unprocessed(), ..Outcome::default() });
            }
        }
    }
}

/// Connects, then serves the link until its connection ends.
pub(crate) async fn run(shared: Arc<Shared>, link: Arc<Link>) {
    let dispatch = Dispatch::new(link.clone(), shared.config.overfull);
    let address = shared.address.clone();
    let limit = shared.options.connect_timeout;
    let connect = async move {
        match tokio::time::timeout(limit, transport::connect(&address)).await {
            Ok(connected) => connected,
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, format!("no connection within {limit:?}"))),
        }
    };
    let connecting = Connecting { connect: Box::pin(connect), dispatch: Some(dispatch), timer: None };
    let (mut dispatch, connected) = connecting.await;
    match connected {
        Err(error) => {
            shared.connect_failed(&error);
            dispatch.abandon(of_connect(&shared.address, &error));
        }
        Ok(transport) => {
            shared.connect_succeeded();
            let setup = Setup {
                limits: shared.config.limits,
                authenticate: false,
                credential: &shared.options.credential,
                authority: &shared.authority,
                parameter: &shared.parameter,
            };
            let host = Replies { most: shared.config.limits.max_message as usize };
            let config = shared.config.clone();
            let connection = Connection::client(transport, config, shared.protocol, &setup, dispatch, host);
            // A protocol without a machine was refused when the channel was built.
            if let Some(connection) = connection {
                drop(shared);
                tokio::task::coop::unconstrained(connection).await;
            }
        }
    }
}

pub(crate) fn of_connect(address: &str, error: &io::Error) -> Status {
    let number = match error.kind() {
        io::ErrorKind::ConnectionRefused => brpc::ECONNREFUSED,
        io::ErrorKind::TimedOut => brpc::ETIMEDOUT,
        _ => brpc::EHOSTDOWN,
    };
    let status = brpc::status(number, format!("cannot connect to {address}: {error}"));
    let status = match number {
        brpc::ETIMEDOUT => Status::unavailable(status.message()).with_native(status.native()).retryable(),
        _ => status,
    };
    status.with_origin(Origin::Transport).unprocessed()
}

/// Waits for the socket while the deadlines of calls already posted run.
struct Connecting<F> {
    connect: Pin<Box<F>>,
    /// Taken when done.
    dispatch: Option<Dispatch>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl<F: Future<Output = io::Result<Box<dyn Transport>>>> Future for Connecting<F> {
    type Output = (Dispatch, F::Output);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let dispatch = this.dispatch.as_mut().expect("polled after it was ready");
        loop {
            let now = Instant::now();
            dispatch.enlist_posted(now);
            dispatch.fire(now, None);
            if let Poll::Ready(connected) = this.connect.as_mut().poll(cx) {
                return Poll::Ready((this.dispatch.take().expect("just used"), connected));
            }
            if let Some(at) = dispatch.soonest() {
                let timer = this.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(at.into())));
                if timer.deadline() != at.into() {
                    timer.as_mut().reset(at.into());
                }
                if timer.as_mut().poll(cx).is_ready() {
                    continue;
                }
            }
            if dispatch.sleep_on(cx.waker()) {
                return Poll::Pending;
            }
        }
    }
}
