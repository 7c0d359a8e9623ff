//! How a call begins: it is let in, its handler is started and polled, or waits.

use super::{
    Dispatch,
    ending::expired,
    entered::Entered,
    live::{Beside, Live},
};
use crate::{
    auth::Identity,
    context::{Context, Parts},
    router::rank_of,
    service::{Call, Handler, Started},
    spans::{self, Traced},
    table::SharedMethod,
};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_engine::{
    Next, Turn,
    backlog::{Claim, Rank},
    clock,
    inline::{self, Gauge, HandlerFuture, Place},
};
use polywire_exchange::{Answerer, Line, Pipe};
use polywire_streams::RawStream;
use polywire_wire::{
    Compression, Content, Credit, Delivery, Exchange, Head, Open, Outcome, Part, Route, Target,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    task::Poll,
    time::Instant,
};

/// A quarter of a read buffer, in bytes. Anything longer may keep a whole read buffer alive.
const SMALL: usize = 16 << 10;

/// What a call that streams takes in addition: its queues.
const PIPE_BYTES: usize = 6 << 10;

impl Dispatch {
    /// `TRACED`: whether calls are recorded.
    #[inline(always)]
    pub(super) fn open_as<const TRACED: bool>(&mut self, open: Open<'_>, turn: &mut Turn) -> Next {
        let Open { exchange, route, head, mut body, finished, streams } = open;
        let of = (route.method, head.dialect.system(turn.protocol));
        let identity = if route.caller == 0 { None } else { self.take_caller(route.caller) };
        let method = &self.table.shared.methods[route.method as usize];
        let mut entered = match self.let_in(of, method, &head, body.len()) {
            Ok(entered) => entered,
            Err(status) => return self.turned_away(exchange, of, status.into()),
        };
        let received = body.len() as u64;
        self.dump(method, &head, &body, finished, turn);
        let traced = match TRACED {
            true => Traced::begin(
                &self.table,
                &mut self.lane,
                &self.connection,
                method,
                (turn.protocol, &head),
                body.len(),
                turn.now,
            ),
            false => None,
        };
        let mut cx = self.context(&head, &route, method, turn);
        self.identify(&mut cx, method, identity);
        if let (true, Some(traced)) = (TRACED, &traced) {
            traced.show(&mut cx);
        }
        // Made where it is passed on: it is large, and from a variable it would be copied.
        let call = |cx, body| Call {
            cx,
            body,
            attachment: head.attachment,
            content: head.content,
            compression: head.compression,
            max_message: route.max_message,
            stream: None,
        };
        if method.apart || !streams.is_empty() {
            if method.is_catch_all() {
                cx.set_called(self.table.called(method, &head), matches!(head.target, Target::Path { .. }));
                if let Some(dump) = self.table.shared.dump.as_ref().filter(|_| method.streaming)
                    && dump.wants(turn.now)
                {
                    cx.record_by(dump.clone());
                }
            }
            let (call, streaming) = (call(cx, body), method.streaming);
            let ends = Ends { streaming, finished, whole: route.delivery == Delivery::Whole, streams };
            return self.open_streaming(exchange, of, call, ends, entered, traced, turn);
        }
        let deadline = cx.deadline();
        let entry = &self.table.entries[route.method as usize];
        let mut place = place_of(&entry.gauge, head.content, head.compression, &body);
        if entry.gauge.may_last(place) {
            unpin(&mut body);
        }
        let claim = match place == Place::Pool && !method.exempt {
            true => self.claim(&head, route.method, &cx, turn),
            false => None,
        };
        let mut started = start(&*entry.handler, call(cx, body));
        if let (true, Some(span)) = (TRACED, traced.as_ref().and_then(Traced::watcher)) {
            started = spans::watch(started, span);
        }
        let recorded = if TRACED { traced.as_ref() } else { None };
        let mut future = match started {
            Started::Ready(mut outcome) => {
                let began = std::mem::replace(&mut turn.now, clock::now());
                let times = (turn.now, turn.now - began);
                self.ended_at_once((of, received), &mut outcome, &mut entered, recorded, times);
                return Next::Finish(exchange, outcome);
            }
            Started::Future(future) => future,
        };
        if place == Place::Shard {
            let (mut polled, now) = (Poll::Pending, &mut turn.now);
            let took =
                inline::poll_here(&mut polled, &mut future, &entry.gauge, &self.shard, method.watched, now);
            if polled.is_ready() {
                inline::discard(future); // before the call is counted out: it may hold what the limits count
                if let Poll::Ready(outcome) = &mut polled {
                    if self.table.shared.backlog.is_too_much(took, turn.now) && !method.exempt {
                        entry.gauge.relieve();
                    }
                    self.ended_at_once((of, received), outcome, &mut entered, recorded, (turn.now, took));
                }
                if let Poll::Ready(outcome) = polled {
                    return Next::Finish(exchange, outcome);
                }
                return Next::Continue;
            }
            place = entry.gauge.place(); // polling it may have changed the place
        }
        self.park(exchange, (of, received), future, place, claim, entered, deadline, traced, turn);
        Next::Continue
    }

    /// Counts a call in, unless its caller waits no more or a limit is reached.
    ///
    /// # Errors
    /// Why it is not let in; the method's statistics have it.
    #[inline(always)]
    fn let_in(
        &self,
        (index, _): (u32, &'static str),
        method: &SharedMethod,
        head: &Head<'_>,
        bytes: usize,
    ) -> Result<Entered, Status> {
        let trouble = || self.table.shared.stats.trouble(index);
        if head.timeout.is_some_and(|timeout| timeout.is_zero()) {
            trouble().late.add(1);
            return Err(expired());
        }
        Entered::new(&self.table.shared, method, head.timeout, (bytes, head.raw.len()))
            .inspect_err(|_| trouble().refused.add(1))
    }

    /// Writes the request down if it is among those that are recorded.
    #[inline(always)]
    fn dump(&self, method: &SharedMethod, head: &Head<'_>, body: &IoBuf, finished: bool, turn: &Turn) {
        if let Some(dump) = &self.table.shared.dump
            && !method.exempt
            // A catch-all does so itself, when it knows whether the call has one message.
            && !(method.streaming && method.is_catch_all())
            && dump.wants(turn.now)
        {
            let streams = (method.streaming || !finished).then_some(finished);
            let (service, method) = self.table.called(method, head);
            dump.take(turn.protocol, head, (&service, &method), body, streams);
        }
    }

    #[inline(always)]
    fn context(&self, head: &Head<'_>, route: &Route, method: &SharedMethod, turn: &Turn) -> Context {
        Context::new(Parts {
            connection: self.connection.clone(),
            protocol: turn.protocol,
            method: method.name,
            received: turn.now,
            deadline: head.timeout.and_then(|timeout| turn.now.checked_add(timeout)),
            raw: (!head.raw.is_empty()).then(|| head.raw.into()),
            content: head.content,
            compression: head.compression,
            accepts: head.accepts,
            way: route.way,
        })
    }

    /// Says who calls, where callers are authenticated.
    #[inline(always)]
    fn identify(&self, cx: &mut Context, method: &SharedMethod, identity: Option<Identity>) {
        if self.table.shared.authenticator.is_some() {
            if method.method.open_to_all {
                cx.set_unknown_caller();
            } else if let Some(identity) = identity {
                cx.set_identity(identity);
            }
        }
    }

    #[cold]
    fn park(
        &mut self,
        exchange: Exchange,
        ((method, system), received): ((u32, &'static str), u64),
        future: HandlerFuture,
        place: Place,
        claim: Option<Claim>,
        entered: Entered,
        deadline: Option<Instant>,
        traced: Option<Traced>,
        turn: &Turn,
    ) {
        let (line, answerer) = Line::serve(self.desk.inbox());
        let live = Live::new(exchange, turn.machine, line, entered, turn.now);
        let key = self.insert(Live { method, system, received, beside: Beside::of(traced, None), ..live });
        self.arm(key, self.until(method, deadline, turn.now), turn.now);
        if let Some(claim) = claim {
            let backlog = &self.table.shared.backlog;
            let gauge = &self.table.entries[method as usize].gauge;
            let watched = self.table.shared.methods[method as usize].watched;
            return inline::park_behind(backlog, claim, future, gauge, answerer, &self.shard, watched);
        }
        self.run(method, future, place, answerer);
    }

    /// What the backlog has to know of a call that may wait for a worker before its first poll.
    #[cold]
    fn claim(&self, head: &Head<'_>, method: u32, cx: &Context, turn: &Turn) -> Option<Claim> {
        let backlog = Some(&self.table.shared.backlog).filter(|backlog| backlog.is_on())?;
        let rank = if backlog.is_used() {
            rank_of(head, turn.protocol, cx.identity().is_some())
        } else {
            Rank::default()
        };
        let deadline = self.until(method, cx.deadline(), turn.now);
        Some(Claim { rank, caller: self.client, deadline, now: turn.now })
    }

    fn run(&self, method: u32, future: HandlerFuture, place: Place, answerer: Answerer) {
        let gauge = &self.table.entries[method as usize].gauge;
        let watched = self.table.shared.methods[method as usize].watched;
        inline::park(future, gauge, place, answerer, &self.shard, watched);
    }

    #[cold]
    fn open_streaming(
        &mut self,
        exchange: Exchange,
        (method, system): (u32, &'static str),
        mut call: Call,
        ends: Ends<'_>,
        mut entered: Entered,
        traced: Option<Traced>,
        turn: &Turn,
    ) -> Next {
        if ends.streaming && exchange.slot == Exchange::UNTRACKED {
            return self.turned_away(exchange, (method, system), self.no_stream(method, turn).into());
        }
        unpin(&mut call.body);
        let received = call.body.len() as u64;
        let deadline = self.until(method, call.cx.deadline(), turn.now);
        let (line, answerer) = if ends.streaming {
            if entered.beside > 0 {
                entered.beside += PIPE_BYTES;
            }
            let (line, answerer, both) = Line::serve_stream(self.desk.inbox(), self.pipe());
            call.stream = Some(both);
            if !ends.whole && !call.body.is_empty() {
                let bytes = std::mem::take(&mut call.body);
                let compression = call.compression;
                let _ = line.push_part(Part { compression, ..Part::message(bytes) }); // the queue is empty
            }
            if ends.finished {
                let _ = line.push_part(Part::end()); // there is room for an end
            }
            (line, answerer)
        } else {
            Line::serve(self.desk.inbox())
        };
        let mut offered = Vec::new();
        for &stream in ends.streams {
            // An offered stream has no outcome: it ends with its sink.
            let (line, _, both) = Line::serve_stream(self.desk.inbox(), self.pipe());
            offered.push(RawStream::new(both, polywire_engine::sleep));
            let live = Live::new(stream, turn.machine, line, Entered::default(), turn.now);
            self.insert(Live { stream: true, credit: Credit::CLOSED, ..live });
        }
        if !offered.is_empty() {
            call.cx.set_offers(offered);
        }
        let live = Live::new(exchange, turn.machine, line, entered, turn.now);
        let watch = traced.as_ref().and_then(Traced::watcher);
        let (answered, beside) = (!ends.streaming, Beside::of(traced, call.cx.called_names()));
        let key = self.insert(Live { method, system, received, answered, beside, ..live });
        self.arm(key, deadline, turn.now);
        let entry = &self.table.entries[method as usize];
        let place = place_of(&entry.gauge, call.content, call.compression, &call.body);
        match watch.into_iter().fold(start(&*entry.handler, call), spans::watch) {
            Started::Ready(outcome) => answerer.answer(outcome),
            Started::Future(future) => self.run(method, future, place, answerer),
        }
        Next::Commands
    }

    /// The status for a call that came without a stream to a streaming method, over a protocol that carries
    /// streams.
    #[cold]
    fn no_stream(&self, method: u32, turn: &Turn) -> Status {
        let (method, protocol) = (self.table.shared.methods[method as usize].watched, turn.protocol.name);
        Status::unimplemented(format!("{method} streams: open a stream with the call over {protocol}"))
    }

    fn pipe(&self) -> Box<Pipe> {
        Pipe::new(&self.config.limits)
    }
}

/// Starts a handler. A panic before its future exists ends this call alone.
#[inline(always)]
fn start(handler: &dyn Handler, call: Call) -> Started {
    catch_unwind(AssertUnwindSafe(|| handler.start(call))).unwrap_or_else(|_| {
        let status = Status::internal(inline::PANICKED);
        Started::Ready(Outcome { status, ..Outcome::default() })
    })
}

/// The streams of a streaming call, and how it began.
struct Ends<'a> {
    /// Whether the method streams; otherwise only the offered streams do.
    streaming: bool,
    /// Whether the peer has already finished sending.
    finished: bool,
    /// Whether the body is the request; otherwise it is the first message of the stream.
    whole: bool,
    /// The streams that are offered inside the call.
    streams: &'a [Exchange],
}

/// Texts of at least this many bytes are parsed on the pool.
const LONG_TEXT: usize = 64 << 10;

/// Where a call's handler is polled first. A request of a few KB that decompresses to many MB, or a long
/// text, must not hold up a shard, not even the first time.
#[inline]
fn place_of(gauge: &Gauge, content: Content, compression: Compression, body: &IoBuf) -> Place {
    let is_text = matches!(content, Content::JSON | Content::PROTO_JSON | Content::PROTO_TEXT);
    match compression != Compression::NONE || is_text && body.len() >= LONG_TEXT {
        false => gauge.place(),
        true => gauge.place_of_costly(),
    }
}

/// Copies a request whose handler outlives the turn, so that it does not keep the read buffer of which it is
/// a small part: its message, its attachment and all slices that the handler takes of them.
#[inline]
fn unpin(body: &mut IoBuf) {
    if body.len() < SMALL && !body.is_empty() {
        *body = body.detached();
    }
}
