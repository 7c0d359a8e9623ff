//! Writing to a variable: ours, a bare atomic, and those of the crates `metrics` and `prometheus`; alone, and
//! while another thread writes to the same one.

use crate::Bench;
use metrics_util::registry::{AtomicStorage, Registry as Recorder};
use polywire::metrics::{Counter, LatencyRecorder};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

const WRITES: u64 = 1000;

pub fn all(bench: &mut Bench) {
    counters(bench);
    latencies(bench);
}

fn counters(bench: &mut Bench) {
    let atomic = Arc::new(AtomicU64::new(0));
    compare(bench, "counter AtomicU64", || {
        let atomic = atomic.clone();
        move || {
            atomic.fetch_add(1, Relaxed);
        }
    });
    let ours = Counter::new();
    compare(bench, "counter ours, local", || {
        let local = ours.local();
        move || local.add(1)
    });
    compare(bench, "counter ours, shared", || {
        let ours = ours.clone();
        move || ours.add(1)
    });
    let theirs = prometheus::IntCounter::new("calls", "Calls.").expect("a name");
    compare(bench, "counter prometheus, IntCounter", || {
        let theirs = theirs.clone();
        move || theirs.inc()
    });
    let recorder = Recorder::new(AtomicStorage);
    let handle =
        || recorder.get_or_create_counter(&metrics::Key::from_static_name("calls"), |one| one.clone());
    compare(bench, "counter metrics, a handle that is kept", || {
        let counter = metrics::Counter::from_arc(handle());
        move || counter.increment(1)
    });
}

fn latencies(bench: &mut Bench) {
    let took = Duration::from_micros(120);
    let ours = LatencyRecorder::new();
    compare(bench, "latency ours, local", || {
        let local = ours.local();
        move || local.record(took)
    });
    compare(bench, "latency ours, shared", || {
        let ours = ours.clone();
        move || ours.record(took)
    });
    let theirs =
        prometheus::Histogram::with_opts(prometheus::HistogramOpts::new("took", "Time.")).expect("a name");
    compare(bench, "latency prometheus, Histogram", || {
        let theirs = theirs.clone();
        move || theirs.observe(took.as_secs_f64())
    });
    let recorder = Recorder::new(AtomicStorage);
    let handle =
        || recorder.get_or_create_histogram(&metrics::Key::from_static_name("took"), |one| one.clone());
    let bucket = handle();
    compare(bench, "latency metrics, a handle that is kept", || {
        let (histogram, bucket) = (metrics::Histogram::from_arc(bucket.clone()), bucket.clone());
        let mut since = 0_u32;
        move || {
            histogram.record(took.as_secs_f64());
            since += 1;
            // An exporter empties it at each scrape; without one it grows for ever.
            if since == 1_000_000 {
                since = 0;
                bucket.clear();
            }
        }
    });
}

/// Times what `writer` makes, alone and beside a thread that does the same.
fn compare<W: FnMut()>(bench: &mut Bench, name: &str, writer: impl Fn() -> W + Sync) {
    let mut write = writer();
    let mut batch = || (0..WRITES).for_each(|_| write());
    bench.time(name, WRITES, 0, &mut batch);
    let beside = format!("{name}, beside another thread");
    if !bench.wants(&beside) {
        return;
    }
    let (begun, ended) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut write = writer();
            while !ended.load(Relaxed) {
                (0..WRITES).for_each(|_| write());
                begun.store(true, Relaxed);
            }
        });
        while !begun.load(Relaxed) {
            thread::yield_now();
        }
        bench.time(&beside, WRITES, 0, &mut batch);
        ended.store(true, Relaxed);
    });
}
