//! The tracer of a program: its switch, its sampler and its store.

use crate::{
    Chosen, End, Incoming, Kept, Lane, Record, Span, SpanId, Start, TraceContext, TraceId, Within,
    ids::Maker,
    rpcz::LogIds,
    sampler::{Bucket, Sampler, Taken},
    span,
    store::{Held, Query, Store},
};
use polywire_base::lock;
use std::{
    fmt,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// The limits on recording and keeping spans.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Maximum number of calls per second that are sampled at random. Default 1000, as in brpc's collector.
    pub sampled_per_second: u32,
    /// Maximum number of calls per second that are recorded because their callers want it. Default 1000.
    /// Calls above it are treated like others.
    pub forced_per_second: u32,
    /// Maximum number of calls per second that were not sampled and are kept because they failed; a tenth of
    /// it is for the slowest. Default 1000.
    pub failed_per_second: u32,
    /// Spans that are kept. Default 10 000.
    pub max_spans: usize,
    /// The maximum memory of the kept spans in bytes. Default 16 MiB.
    pub max_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            sampled_per_second: 1000,
            forced_per_second: 1000,
            failed_per_second: 1000,
            max_spans: 10_000,
            max_bytes: 16 << 20,
        }
    }
}

/// A file, an exporter, one of the application, and one more.
const MOST_SINKS: usize = 4;

/// Records the calls of a program's servers and channels. Clones are the same.
#[derive(Clone)]
pub struct Tracer(Arc<Inner>);

pub(crate) struct Inner {
    is_on: AtomicBool,
    hex_log_ids: AtomicBool,
    sampler: Sampler,
    forced: Bucket,
    failed: Bucket,
    slow: Bucket,
    zero: Instant,
    pub ids: Maker,
    /// A point in time, by the clock that only goes forward and by the calendar, in microseconds since 1970.
    anchor: Mutex<(Instant, u64)>,
    store: Mutex<Store>,
    sinks: [OnceLock<Box<dyn Sink>>; MOST_SINKS],
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    kept: AtomicU64,
    forced_refused: AtomicU64,
    failed_refused: AtomicU64,
}

/// Gets every span that is kept, too: a file, an exporter.
pub trait Sink: Send + Sync + 'static {
    /// Called with each kept span, by the thread that ended the call: it must not block, and has to limit its
    /// memory.
    fn kept(&self, record: &Arc<Record>);
}

/// The counters of a tracer.
#[derive(Clone, Copy, Debug)]
pub struct TracerStats {
    pub is_on: bool,
    /// The fraction of the calls that is sampled at random, 1 for all.
    pub sampling_ratio: f64,
    /// The number of spans kept since the start, those evicted since included.
    pub kept: u64,
    /// Calls that were not recorded although their callers wanted it, since there were too many.
    pub forced_refused: u64,
    /// Failed calls that were not kept, since there were too many.
    pub failed_refused: u64,
    pub held: Held,
}

impl Tracer {
    /// A tracer that is off. `now` and `unix`: the same moment, by the clock and since 1970. `seed`: ids
    /// follow from it.
    pub fn new(options: Options, now: Instant, unix: Duration, seed: u64) -> Tracer {
        Tracer(Arc::new(Inner {
            is_on: AtomicBool::new(false),
            hex_log_ids: AtomicBool::new(false),
            sampler: Sampler::new(options.sampled_per_second, now),
            forced: Bucket::new(options.forced_per_second, now),
            failed: Bucket::new(options.failed_per_second, now),
            slow: Bucket::new(options.failed_per_second / 10, now),
            zero: now,
            ids: Maker::new(seed),
            anchor: Mutex::new((now, unix.as_micros() as u64)),
            store: Mutex::new(Store::new(options.max_spans, options.max_bytes)),
            sinks: Default::default(),
            counts: Counts::default(),
        }))
    }

    /// Whether calls are recorded.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.0.is_on.load(Relaxed)
    }

    /// Starts or stops recording calls. Spans that have been kept stay.
    pub fn set_on(&self, is_on: bool) {
        self.0.is_on.store(is_on, Relaxed);
    }

    /// Sets the calendar time again, since the system's may have been changed.
    pub fn set_calendar(&self, now: Instant, unix: Duration) {
        *lock(&self.0.anchor) = (now, unix.as_micros() as u64);
    }

    /// Whether that was ten seconds ago or more.
    pub fn is_calendar_old(&self, now: Instant) -> bool {
        now.saturating_duration_since(lock(&self.0.anchor).0) >= Duration::from_secs(10)
    }

    /// Passes all further kept spans on to `sink`, for as long as the tracer lives. Returns false if the
    /// tracer already has four sinks, the maximum.
    pub fn set_sink(&self, sink: impl Sink) -> bool {
        let sink: Box<dyn Sink> = Box::new(sink);
        let left = self.0.sinks.iter().try_fold(sink, |sink, place| match place.set(sink) {
            Ok(()) => Err(()),
            Err(taken) => Ok(taken),
        });
        left.is_err()
    }

    /// Whether a call is recorded that a server has received, or that a channel makes by itself, and its
    /// span. `lane`: of the connection or the channel. Only for tracers that are on.
    #[inline]
    pub fn begin(
        &self,
        lane: &mut Lane,
        incoming: Option<&Incoming>,
        now: Instant,
        start: impl FnOnce() -> Start,
    ) -> Option<Span> {
        let inner = &self.0;
        let is_sampled = inner.sampler.draw(lane, now, || inner.ids.id());
        let incoming = incoming.filter(|incoming| !incoming.is_empty());
        if !is_sampled && incoming.is_none() {
            return None;
        }
        self.begin_chosen(is_sampled, incoming, now, start)
    }

    /// Whether the tries of a call are recorded that a channel makes by itself, within no other call.
    pub fn begin_call(&self, lane: &mut Lane, now: Instant) -> Option<Within> {
        let inner = &self.0;
        inner.sampler.draw(lane, now, || inner.ids.id()).then(|| Within::Call(Chosen::new(inner)))
    }

    #[cold]
    fn begin_chosen(
        &self,
        is_sampled: bool,
        incoming: Option<&Incoming>,
        now: Instant,
        start: impl FnOnce() -> Start,
    ) -> Option<Span> {
        let inner = &self.0;
        let context = incoming.and_then(Incoming::context);
        let kept = match &context {
            _ if is_sampled => Kept::Sampled,
            Some(context) if context.sampled => match inner.forced.take(now) {
                Taken::Full => {
                    inner.counts.forced_refused.fetch_add(1, Relaxed);
                    return None;
                }
                _ => Kept::Forced,
            },
            _ => return None,
        };
        Some(Span::new(inner, context.as_ref(), kept, start()))
    }

    /// Keeps a call that was not chosen and has now failed, or was the slowest of its method, if there are
    /// not too many. Returns its trace if it is kept.
    #[cold]
    pub fn keep_late(
        &self,
        why: Kept,
        caller: Option<&TraceContext>,
        now: Instant,
        start: impl FnOnce() -> Start,
        end: End,
        reply_bytes: u64,
    ) -> Option<TraceId> {
        let inner = &self.0;
        let bucket = if why == Kept::Slowest { &inner.slow } else { &inner.failed };
        if bucket.take(now) == Taken::Full {
            inner.counts.failed_refused.fetch_add(u64::from(why != Kept::Slowest), Relaxed);
            return None;
        }
        let span = SpanId(inner.ids.id());
        let context = match caller {
            Some(caller) => TraceContext { span, ..caller.clone() },
            // Nobody else knows this trace.
            None => TraceContext { trace: inner.new_trace(), span, sampled: false, state: None },
        };
        let parent = caller.map_or(SpanId(0), |caller| caller.span);
        inner.add(span::record(inner, &start(), why, &context, parent, now, end, reply_bytes));
        Some(context.trace)
    }

    /// Whether no call of a method took longer in these ten seconds.
    #[inline]
    pub fn is_slowest(&self, slowest: &Slowest, now: Instant, took: Duration) -> bool {
        slowest.is_passed(now.saturating_duration_since(self.0.zero).as_secs() / 10, took)
    }

    pub fn find(&self, query: &Query) -> Vec<Arc<Record>> {
        lock(&self.0.store).find(query)
    }

    /// The spans of a trace in the order in which they began.
    pub fn trace(&self, trace: TraceId) -> Vec<Arc<Record>> {
        lock(&self.0.store).trace(trace)
    }

    /// The spans with this id; more than one only if something is wrong.
    pub fn span(&self, trace: TraceId, span: SpanId) -> Vec<Arc<Record>> {
        lock(&self.0.store).span(trace, span)
    }

    /// For each side and method, in order of the names, the number of kept spans per [`Class`](crate::Class);
    /// at most `most` methods.
    pub fn classes(&self, most: usize) -> Vec<(crate::Side, Arc<str>, [usize; 7])> {
        lock(&self.0.store).classes(most)
    }

    /// The form in which the page shows and reads log ids.
    pub fn log_ids(&self) -> LogIds {
        if self.0.hex_log_ids.load(Relaxed) { LogIds::Hex } else { LogIds::Decimal }
    }

    pub fn set_log_ids(&self, log_ids: LogIds) {
        self.0.hex_log_ids.store(log_ids == LogIds::Hex, Relaxed);
    }

    /// The calendar's time at this moment, in microseconds since 1970.
    pub fn unix_us(&self, at: Instant) -> u64 {
        self.0.unix_us(at)
    }

    /// Drops all kept spans.
    pub fn clear(&self) {
        lock(&self.0.store).clear();
    }

    pub fn stats(&self, now: Instant) -> TracerStats {
        let counts = &self.0.counts;
        TracerStats {
            is_on: self.is_on(),
            sampling_ratio: self.0.sampler.ratio(now),
            kept: counts.kept.load(Relaxed),
            forced_refused: counts.forced_refused.load(Relaxed),
            failed_refused: counts.failed_refused.load(Relaxed),
            held: lock(&self.0.store).held(),
        }
    }
}

impl fmt::Debug for Tracer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tracer").field("is_on", &self.is_on()).finish_non_exhaustive()
    }
}

impl Inner {
    /// The id of a trace that begins here: 64 bits, so that brpc's protocols carry it.
    pub fn new_trace(&self) -> TraceId {
        TraceId(self.ids.id().into())
    }

    pub fn unix_us(&self, at: Instant) -> u64 {
        let (anchor, unix_us) = *lock(&self.anchor);
        let after = at.saturating_duration_since(anchor).as_micros() as u64;
        let before = anchor.saturating_duration_since(at).as_micros() as u64;
        (unix_us + after).saturating_sub(before)
    }

    pub fn add(&self, record: Record) {
        self.counts.kept.fetch_add(1, Relaxed);
        let record = Arc::new(record);
        // They are set one after the other.
        self.sinks.iter().map_while(OnceLock::get).for_each(|sink| sink.kept(&record));
        lock(&self.store).add(record);
    }
}

/// The longest time of a method's calls in a window of ten seconds.
#[derive(Default)]
pub struct Slowest {
    /// The number of the window, and microseconds.
    state: AtomicU64,
}

impl Slowest {
    #[inline]
    fn is_passed(&self, window: u64, took: Duration) -> bool {
        let took_us = took.as_micros().min(u128::from(u32::MAX)) as u64;
        let (current, new) = (self.state.load(Relaxed), (window + 1) << 32 | took_us);
        // A new window has a greater number, and begins anew.
        new > current && self.state.compare_exchange(current, new, Relaxed, Relaxed).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Phase, Side, span::*};

    fn tracer(options: Options) -> (Tracer, Instant) {
        let now = Instant::now();
        let tracer = Tracer::new(options, now, Duration::from_secs(1_700_000_000), 1);
        tracer.set_on(true);
        (tracer, now)
    }

    fn start(at: Instant) -> Start {
        Start {
            side: Side::Server,
            service: "example.EchoService".into(),
            method: "Echo".into(),
            protocol: "baidu_std",
            system: "baidu_std",
            target: String::new(),
            peer: "10.0.0.1:7".to_owned(),
            at,
            request_bytes: 5,
            log_id: 0,
            number: 0,
            try_kind: "",
        }
    }

    fn incoming(parent: &str) -> Incoming {
        let mut incoming = Incoming::default();
        incoming.field("traceparent", parent.as_bytes());
        incoming
    }

    const SAMPLED: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const UNSAMPLED: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
    const NOT_BY_CHANCE: Options = Options {
        sampled_per_second: 0,
        forced_per_second: 1000,
        failed_per_second: 1000,
        max_spans: 10_000,
        max_bytes: 16 << 20,
    };

    #[test]
    fn a_span_is_kept_with_what_happened_in_it() {
        let (tracer, now) = tracer(Options::default());
        let at = |us| now + Duration::from_micros(us);
        let span = tracer.begin(&mut Lane::default(), None, now, || start(now)).unwrap();
        span.phase(Phase::Enter, at(3));
        span.annotate(at(5), format_args!("lock {}", "taken"));
        let child = span.child(Start { side: Side::Client, ..start(at(6)) }).unwrap();
        child.end(at(8), End::ok(), 1);
        span.phase(Phase::Leave, at(9));
        span.end(at(10), End::ok(), 7);
        span.annotate(at(11), "too late");
        span.end(at(12), End::ok(), 8);
        let records = tracer.trace(span.context().trace);
        let [server, client] = &records[..] else { panic!("{records:?}") };
        assert_eq!((&*server.method, server.start_us), ("example.EchoService.Echo", 1_700_000_000_000_000));
        assert_eq!(
            (server.latency, server.request_bytes, server.reply_bytes),
            (Duration::from_micros(10), 5, 7)
        );
        assert_eq!(server.phase(Phase::Leave), Some(Duration::from_micros(9)));
        assert_eq!(server.annotations.len(), 1);
        assert_eq!(*server.annotations[0].text, *"lock taken");
        assert_eq!((client.parent, client.trace), (server.span, server.trace));
        assert_ne!(client.span, server.span);
        assert!(server.trace.is_short(), "brpc's protocols can carry it");
    }

    #[test]
    fn callers_that_want_it_are_recorded_and_others_not() {
        let (tracer, now) = tracer(NOT_BY_CHANCE);
        let mut lane = Lane::default();
        let mut begin = |parent: &str| tracer.begin(&mut lane, Some(&incoming(parent)), now, || start(now));
        assert!(begin(UNSAMPLED).is_none() && begin("").is_none());
        let span = begin(SAMPLED).unwrap();
        assert_eq!(
            (span.context().trace.0, span.parent().0),
            (0x4bf92f3577b34da6a3ce929d0e0e4736, 0xf067aa0ba902b7)
        );
        assert!(span.context().sampled);
    }

    #[test]
    fn a_call_that_chance_chose_does_not_overrule_its_caller_elsewhere() {
        let (tracer, now) = tracer(Options::default());
        let span =
            tracer.begin(&mut Lane::default(), Some(&incoming(UNSAMPLED)), now, || start(now)).unwrap();
        assert!(!span.context().sampled, "the servers below are not asked to record it");
        span.end(now, End::ok(), 0);
        assert!(!tracer.find(&Query::default())[0].is_shared);
    }

    #[test]
    fn a_peer_that_wants_every_call_recorded_gets_a_bounded_number() {
        let (tracer, now) = tracer(NOT_BY_CHANCE);
        let mut lane = Lane::default();
        let forced = (0..100_000).filter(|k| {
            let at = now + Duration::from_micros(10 * k);
            tracer.begin(&mut lane, Some(&incoming(SAMPLED)), at, || start(at)).is_some()
        });
        assert_eq!(forced.count(), 1000);
        assert_eq!(tracer.stats(now).forced_refused, 99_000);
    }

    #[test]
    fn ten_thousand_annotations_and_calls_are_counted_and_not_kept() {
        let (tracer, now) = tracer(Options::default());
        let span = tracer.begin(&mut Lane::default(), None, now, || start(now)).unwrap();
        (0..10_000).for_each(|_| span.annotate(now, "x".repeat(1000)));
        let children = (0..10_000).filter(|_| span.child(start(now)).is_some()).count();
        span.end(now, End::ok(), 0);
        let record = &tracer.find(&Query::default())[0];
        assert_eq!((record.annotations.len(), record.more_annotations), (64, 9936));
        assert!(record.annotations.iter().all(|note| note.text.len() == 256));
        assert_eq!((children, record.more_calls), (128, 9872));
        assert!(record.byte_len() < 32 << 10);
    }

    #[test]
    fn failures_are_kept_up_to_a_bound() {
        let (tracer, now) = tracer(NOT_BY_CHANCE);
        let failed = End { number: 2001, code: "INTERNAL", grpc: 13, message: "x".repeat(1 << 20).into() };
        for _ in 0..500 {
            tracer.keep_late(Kept::Failed, None, now, || start(now), failed.clone(), 0);
        }
        let stats = tracer.stats(now);
        assert_eq!((stats.held.records, stats.failed_refused), (100, 400), "of a tenth of a second");
        assert!(stats.held.bytes < 200 << 10, "messages are cut: {}", stats.held.bytes);
    }

    #[test]
    fn the_slowest_of_a_window_are_told() {
        let (tracer, now) = tracer(Options::default());
        let slowest = Slowest::default();
        let asked =
            |s, us| tracer.is_slowest(&slowest, now + Duration::from_secs(s), Duration::from_micros(us));
        assert_eq!([asked(0, 50), asked(0, 50), asked(1, 51), asked(9, 40)], [true, false, true, false]);
        assert_eq!([asked(10, 3), asked(10, 2)], [true, false], "of the next ten seconds");
        assert!(asked(11, 1 << 40), "days count as the longest that can be told");
    }

    #[test]
    fn sinks_get_what_is_kept() {
        struct Count(Arc<AtomicU64>);
        impl Sink for Count {
            fn kept(&self, _: &Arc<Record>) {
                self.0.fetch_add(1, Relaxed);
            }
        }
        let (tracer, now) = tracer(Options::default());
        let count = Arc::new(AtomicU64::new(0));
        assert!(tracer.set_sink(Count(count.clone())));
        let rest = [(); 4].map(|()| tracer.set_sink(Count(count.clone())));
        assert_eq!(rest, [true, true, true, false]);
        let span = tracer.begin(&mut Lane::default(), None, now, || start(now)).unwrap();
        span.end(now, End::ok(), 0);
        assert_eq!(count.load(Relaxed), 4);
    }

    #[test]
    fn times_follow_the_calendar() {
        let (tracer, now) = tracer(Options::default());
        let us = |at| tracer.0.unix_us(at);
        assert_eq!(us(now + Duration::from_millis(1)), 1_700_000_000_001_000);
        tracer.set_calendar(now + Duration::from_secs(1), Duration::from_secs(5));
        assert_eq!(us(now), 4_000_000);
    }
}
