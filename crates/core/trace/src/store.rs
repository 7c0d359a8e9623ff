//! The spans that are kept, bounded in number and memory.
//!
//! ```text
//!  by time      (start, number) -> record           newest first in lists
//!  by trace     low half of the id -> numbers
//!  by bucket    side, method, class -> numbers      the newest of each stay longest
//!  surplus      what is not among the newest of its bucket: it goes first, the oldest before the others
//! ```

use crate::{Record, Side, SpanId, TraceId, record::Class};
use polywire_base::SortedMap;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    sync::Arc,
};

/// The number of newest records of each method and class that are evicted last.
pub const NEWEST: usize = 16;

/// The place of a record by its time.
type Key = (u64, u64);
type Bucket = (Side, Arc<str>, Class);

/// The spans that are kept.
pub(crate) struct Store {
    most_records: usize,
    most_bytes: usize,
    next: u64,
    bytes: usize,
    by_time: BTreeMap<Key, Arc<Record>>,
    by_trace: HashMap<u64, BTreeSet<Key>>,
    /// The keys of each bucket in the order in which they were added.
    buckets: HashMap<Bucket, VecDeque<Key>>,
    /// The keys of records that are evicted first, by number, i.e. in the order in which they were added.
    surplus: BTreeSet<(u64, u64)>,
    /// The keys of all records, by number.
    order: BTreeSet<(u64, u64)>,
    evicted: u64,
}

/// A query for spans; all conditions must hold.
#[derive(Clone, Debug)]
pub struct Query {
    /// Only spans that began before, in microseconds since 1970.
    pub before_us: u64,
    /// The maximum number of spans that are looked at, newest first.
    pub most_scanned: usize,
    pub min_latency_us: u64,
    pub max_latency_us: u64,
    pub min_request_bytes: u64,
    pub min_reply_bytes: u64,
    pub log_id: Option<u64>,
    /// The number of the error.
    pub error: Option<i32>,
    /// `true`: only failed spans; `false`: only successful ones.
    pub failed: Option<bool>,
    /// A part of the method's name; `/` and `.` are alike in it, since other pages name
    /// `package.Service/Method`.
    pub method: Option<String>,
    pub side: Option<Side>,
}

impl Default for Query {
    fn default() -> Self {
        Query {
            before_us: u64::MAX,
            most_scanned: 100,
            min_latency_us: 0,
            max_latency_us: u64::MAX,
            min_request_bytes: 0,
            min_reply_bytes: 0,
            log_id: None,
            error: None,
            failed: None,
            method: None,
            side: None,
        }
    }
}

impl Query {
    fn has(&self, record: &Record) -> bool {
        let latency = record.latency.as_micros() as u64;
        (self.min_latency_us..=self.max_latency_us).contains(&latency)
            && record.request_bytes >= self.min_request_bytes
            && record.reply_bytes >= self.min_reply_bytes
            && self.log_id.is_none_or(|id| id == record.log_id)
            && self.error.is_none_or(|number| number == record.end.number)
            && self.failed.is_none_or(|failed| failed != record.end.is_ok())
            && self.method.as_ref().is_none_or(|part| has_part(&record.method, part))
            && self.side.is_none_or(|side| side == record.side)
    }
}

/// The contents of a store in figures.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Held {
    pub records: usize,
    pub bytes: usize,
    /// Records that have gone for others.
    pub evicted: u64,
    /// When the oldest span began, in microseconds since 1970; 0 if there is none.
    pub oldest_us: u64,
}

impl Store {
    pub fn new(most_records: usize, most_bytes: usize) -> Self {
        Store {
            most_records,
            most_bytes,
            next: 0,
            bytes: 0,
            by_time: BTreeMap::new(),
            by_trace: HashMap::new(),
            buckets: HashMap::new(),
            surplus: BTreeSet::new(),
            order: BTreeSet::new(),
            evicted: 0,
        }
    }

    pub fn add(&mut self, record: Arc<Record>) {
        let key = (record.start_us, self.next);
        self.next += 1;
        self.bytes += record.byte_len();
        self.by_trace.entry(record.trace.low()).or_default().insert(key);
        let bucket = self.buckets.entry(bucket(&record)).or_default();
        bucket.push_back(key);
        if bucket.len() > NEWEST {
            // The one before the newest ones; those before it are there already.
            let (start, number) = bucket[bucket.len() - 1 - NEWEST];
            self.surplus.insert((number, start));
        }
        self.order.insert((key.1, key.0));
        self.by_time.insert(key, record);
        while self.by_time.len() > self.most_records || self.bytes > self.most_bytes {
            let Some(&(number, start)) = self.surplus.first().or_else(|| self.order.first()) else { return };
            self.remove((start, number));
            self.evicted += 1;
        }
    }

    fn remove(&mut self, key: Key) {
        let Some(record) = self.by_time.remove(&key) else { return };
        self.bytes -= record.byte_len();
        self.surplus.remove(&(key.1, key.0));
        self.order.remove(&(key.1, key.0));
        if let Some(keys) = self.by_trace.get_mut(&record.trace.low()) {
            keys.remove(&key);
            if keys.is_empty() {
                self.by_trace.remove(&record.trace.low());
            }
        }
        let bucket = bucket(&record);
        if let Some(keys) = self.buckets.get_mut(&bucket) {
            // Surplus goes oldest first, so that it is at the front.
            if let Some(at) = keys.iter().position(|one| *one == key) {
                keys.remove(at);
            }
            if keys.is_empty() {
                self.buckets.remove(&bucket);
            }
        }
    }

    /// Spans that a query finds, the newest first.
    pub fn find(&self, query: &Query) -> Vec<Arc<Record>> {
        let older = self.by_time.range(..(query.before_us, 0)).rev().take(query.most_scanned);
        older.map(|(_, record)| record).filter(|record| query.has(record)).cloned().collect()
    }

    /// The spans of a trace in the order in which they began, found by the low half of its id.
    pub fn trace(&self, trace: TraceId) -> Vec<Arc<Record>> {
        let keys = self.by_trace.get(&trace.low()).into_iter().flatten();
        let records = keys.filter_map(|key| self.by_time.get(key));
        let is_meant =
            |record: &&Arc<Record>| trace.is_short() || record.trace.is_short() || record.trace == trace;
        records.filter(is_meant).cloned().collect()
    }

    pub fn span(&self, trace: TraceId, span: SpanId) -> Vec<Arc<Record>> {
        self.trace(trace).into_iter().filter(|record| record.span == span).collect()
    }

    /// For each side and method, the number of kept spans per class.
    pub fn classes(&self, most: usize) -> Vec<(Side, Arc<str>, [usize; 7])> {
        let mut rows: SortedMap<(Arc<str>, bool), [usize; 7]> = SortedMap::new();
        for ((side, method, class), keys) in &self.buckets {
            rows.get_or_insert_with((method.clone(), *side == Side::Client), Default::default)
                [class.index()] += keys.len();
        }
        let side = |is_client| if is_client { Side::Client } else { Side::Server };
        rows.into_iter()
            .take(most)
            .map(|((method, is_client), counts)| (side(is_client), method, counts))
            .collect()
    }

    pub fn held(&self) -> Held {
        let oldest_us = self.by_time.first_key_value().map_or(0, |(key, _)| key.0);
        Held { records: self.by_time.len(), bytes: self.bytes, evicted: self.evicted, oldest_us }
    }

    pub fn clear(&mut self) {
        *self = Store {
            next: self.next,
            evicted: self.evicted,
            ..Store::new(self.most_records, self.most_bytes)
        };
    }
}

fn bucket(record: &Record) -> Bucket {
    (record.side, record.method.clone(), record.class())
}

/// Whether a method's name has this part, for which `/` and `.` are alike.
fn has_part(method: &str, part: &str) -> bool {
    let is_same = |(a, b): (&u8, &u8)| a == b || matches!((a, b), (b'.', b'/') | (b'/', b'.'));
    part.is_empty()
        || method.as_bytes().windows(part.len()).any(|window| window.iter().zip(part.as_bytes()).all(is_same))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::record::{End, Kept};
    use std::time::Duration;

    pub fn record(method: &str, start_us: u64, latency_us: u64) -> Record {
        Record {
            side: Side::Server,
            kept: Kept::Sampled,
            trace: TraceId(u128::from(start_us) + 1),
            span: SpanId(1),
            parent: SpanId(0),
            is_shared: false,
            state: None,
            log_id: 0,
            method: method.into(),
            protocol: "baidu_std",
            system: "baidu_std",
            target: "".into(),
            peer: "127.0.0.1:4000".into(),
            number: 0,
            try_kind: "",
            start_us,
            latency: Duration::from_micros(latency_us),
            request_bytes: 10,
            reply_bytes: 20,
            end: End::ok(),
            phases: Vec::new(),
            annotations: Vec::new(),
            more_annotations: 0,
            more_calls: 0,
        }
    }

    fn failed(record: Record) -> Record {
        Record {
            end: End { number: 1008, code: "DEADLINE_EXCEEDED", grpc: 4, message: "late".into() },
            ..record
        }
    }

    impl Store {
        /// Checks that the indexes agree with each other.
        fn check(&self) {
            assert!(self.by_time.len() <= self.most_records && self.bytes <= self.most_bytes);
            assert_eq!(self.by_trace.values().map(BTreeSet::len).sum::<usize>(), self.by_time.len());
            assert_eq!(self.buckets.values().map(VecDeque::len).sum::<usize>(), self.by_time.len());
            assert_eq!(self.order.len(), self.by_time.len());
            let surplus: usize =
                self.buckets.values().map(|bucket| bucket.len().saturating_sub(NEWEST)).sum();
            assert_eq!(self.surplus.len(), surplus);
            assert_eq!(self.bytes, self.by_time.values().map(|record| record.byte_len()).sum::<usize>());
        }
    }

    #[test]
    fn many_quick_calls_leave_the_slow_and_the_failed_ones() {
        let mut store = Store::new(1000, 1 << 30);
        (0..20).for_each(|k| store.add(Arc::new(record("s.Rare", k, 2_000_000))));
        (0..20).for_each(|k| store.add(Arc::new(failed(record("s.Often", k, 50)))));
        for k in 0..100_000 {
            store.add(Arc::new(record("s.Often", 100 + k, 50)));
        }
        store.check();
        assert_eq!(store.held().records, 1000);
        let classes = store.classes(10);
        assert_eq!(classes[0], (Side::Server, "s.Often".into(), [968, 0, 0, 0, 0, 0, 16]));
        assert_eq!(classes[1], (Side::Server, "s.Rare".into(), [0, 0, 0, 0, 0, 16, 0]));
        let newest = store.find(&Query { most_scanned: 1, ..Query::default() });
        assert_eq!(newest[0].start_us, 100_099);
    }

    #[test]
    fn a_hundred_thousand_methods_take_no_more_than_the_bounds() {
        let mut store = Store::new(5000, 1 << 30);
        (0..100_000).for_each(|k| store.add(Arc::new(record(&format!("s.M{k}"), k, k))));
        store.check();
        assert_eq!((store.held().records, store.buckets.len(), store.by_trace.len()), (5000, 5000, 5000));
        let mut store = Store::new(usize::MAX, 1 << 20);
        (0..100_000)
            .for_each(|k| store.add(Arc::new(record(&format!("s.{}", "x".repeat(k as usize % 200)), k, k))));
        store.check();
        assert!(store.held().bytes <= 1 << 20 && store.held().records > 500, "{:?}", store.held());
    }

    #[test]
    fn one_trace_for_all_calls_is_no_burden() {
        let mut store = Store::new(2000, 1 << 30);
        let begun = std::time::Instant::now();
        for k in 0..50_000 {
            store.add(Arc::new(Record { trace: TraceId(7), ..record("s.A", k, k % 7) }));
        }
        store.check();
        assert_eq!(store.trace(TraceId(7)).len(), 2000);
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn queries_find_what_they_ask_for() {
        let mut store = Store::new(100, 1 << 20);
        store.add(Arc::new(record("s.A", 10, 5)));
        store.add(Arc::new(failed(record("s.B", 30, 5000))));
        store.add(Arc::new(Record {
            side: Side::Client,
            log_id: 9,
            request_bytes: 500,
            ..record("s.A", 20, 50)
        }));
        let find = |query: Query| store.find(&query).iter().map(|record| record.start_us).collect::<Vec<_>>();
        assert_eq!(find(Query::default()), [30, 20, 10], "the newest first, by their start");
        assert_eq!(find(Query { before_us: 30, ..Query::default() }), [20, 10]);
        assert_eq!(
            find(Query { most_scanned: 1, min_latency_us: 50, ..Query::default() }),
            [30],
            "scanned, not found"
        );
        assert_eq!(find(Query { most_scanned: 1, max_latency_us: 50, ..Query::default() }), []);
        assert_eq!(find(Query { min_latency_us: 50, ..Query::default() }), [30, 20]);
        assert_eq!(find(Query { min_request_bytes: 100, ..Query::default() }), [20]);
        assert_eq!(find(Query { min_reply_bytes: 21, ..Query::default() }), []);
        assert_eq!(find(Query { log_id: Some(9), ..Query::default() }), [20]);
        assert_eq!(find(Query { error: Some(1008), ..Query::default() }), [30]);
        assert_eq!(
            find(Query { failed: Some(false), method: Some("A".into()), ..Query::default() }),
            [20, 10]
        );
        assert_eq!(find(Query { side: Some(Side::Client), ..Query::default() }), [20]);
    }

    #[test]
    fn traces_are_found_by_either_half() {
        let mut store = Store::new(100, 1 << 20);
        let long = TraceId(0xaaaa << 64 | 5);
        store.add(Arc::new(Record { trace: long, span: SpanId(2), ..record("s.A", 2, 1) }));
        store.add(Arc::new(Record { trace: TraceId(5), span: SpanId(3), ..record("s.A", 1, 1) }));
        store.add(Arc::new(Record {
            trace: TraceId(0xbbbb << 64 | 5),
            span: SpanId(4),
            ..record("s.A", 3, 1)
        }));
        let spans = |trace| store.trace(trace).iter().map(|record| record.span.0).collect::<Vec<_>>();
        assert_eq!(spans(TraceId(5)), [3, 2, 4]);
        assert_eq!(spans(long), [3, 2], "the short one has lost its half on the way");
        assert_eq!(store.span(long, SpanId(2)).len(), 1);
        assert_eq!(spans(TraceId(6)), []);
    }
}
