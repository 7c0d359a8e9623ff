//! Files: names, rotation, flushing; and the bounds of what is written by their threads.

use polywire_base::IoBuf;
use polywire_call::{Compression, Content};
use polywire_dump::{CallRecord, DumpOptions, Files, Folder, Meta, Reader, Recorder};
use polywire_wire::{Head, Protocol, Target};
use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::{Duration, Instant, SystemTime},
};

/// A folder of its own, removed at the end.
struct Place(PathBuf);

impl Place {
    fn new() -> Place {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("polywire-dump-{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
        Place(std::env::temp_dir().join(name))
    }

    fn names(&self) -> Vec<String> {
        let files = Folder::open(&self.0).unwrap();
        files.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn count(path: &Path) -> usize {
    Folder::open(path)
        .unwrap()
        .map(|file| Reader::open(file).unwrap().fold(0, |count, record| record.map(|_| count + 1).unwrap()))
        .sum()
}

fn add(files: &mut Files, payload: &[u8], now: Instant, time: SystemTime) {
    let meta = Meta { protocol_type: Some(2), ..Meta::default() };
    files.add(&meta, &IoBuf::copy_from_slice(payload), now, time).unwrap();
}

#[test]
fn a_file_has_its_records_and_the_oldest_file_goes_first() {
    let place = Place::new();
    let options = DumpOptions::new(&place.0).requests_in_file(3).files(2);
    let mut files = Files::new(options).unwrap();
    let (now, time) = (Instant::now(), SystemTime::UNIX_EPOCH + Duration::from_micros(1_766_500_000_123_456));
    for record in 0..8u8 {
        add(&mut files, &[record], now, time);
    }
    files.flush(now, time).unwrap();
    // at the same microsecond the names still increase
    assert_eq!(place.names(), ["requests.20251223_142640_123457", "requests.20251223_142640_123458"]);
    let records = Folder::open(&place.0).unwrap().flat_map(|file| Reader::open(file).unwrap());
    let payloads: Vec<_> = records.map(|record| record.unwrap().payload[0]).collect();
    assert_eq!(payloads, [3, 4, 5, 6, 7]);
}

#[test]
fn records_are_written_by_count_by_size_and_by_age() {
    let place = Place::new();
    let (start, time) = (Instant::now(), SystemTime::now());
    let mut files = Files::new(DumpOptions::new(&place.0).requests_in_file(4).flush_bytes(1000)).unwrap();
    add(&mut files, b"small", start, time);
    assert_eq!(count(&place.0), 0, "it waits");
    add(&mut files, b"small", start + Duration::from_millis(1999), time);
    assert_eq!(count(&place.0), 0, "it still waits");
    add(&mut files, b"small", start + Duration::from_secs(2), time);
    assert_eq!(count(&place.0), 3, "by age");
    add(&mut files, b"small", start + Duration::from_secs(2), time);
    assert_eq!(count(&place.0), 4, "by count");
    add(&mut files, &[0; 1000], start + Duration::from_secs(2), time);
    assert_eq!((count(&place.0), place.names().len()), (5, 2), "by size, in another file");
    assert_eq!(files.due(), None);
}

#[test]
fn files_have_no_more_than_their_bytes_together_and_the_newest_stay() {
    let place = Place::new();
    let most = 4 << 20;
    let mut files = Files::new(DumpOptions::new(&place.0).max_bytes(Some(most)).flush_bytes(10_000)).unwrap();
    let (now, time) = (Instant::now(), SystemTime::now());
    for record in 0..1000u32 {
        add(&mut files, &[&record.to_be_bytes()[..], &[0; 10_000]].concat(), now, time);
        let held: u64 =
            place.names().iter().map(|name| std::fs::metadata(place.0.join(name)).unwrap().len()).sum();
        assert!(held <= most, "{held} after {record}");
    }
    let records = Folder::open(&place.0).unwrap().flat_map(|file| Reader::open(file).unwrap());
    let kept: Vec<_> = records.map(|record| record.unwrap().payload[..4].to_vec()).collect();
    assert!(kept.len() > 320, "most of the bytes are used: {}", kept.len());
    assert_eq!(kept.last().unwrap(), &999u32.to_be_bytes());
    // One that has no room beside others.
    add(&mut files, &vec![0; most as usize - 1000], now, time);
    assert_eq!(count(&place.0), 1);
}

#[test]
fn files_are_removed_when_they_are_old_also_if_nothing_follows() {
    let place = Place::new();
    let (age, start, time) = (Duration::from_secs(80), Instant::now(), SystemTime::now());
    let mut files = Files::new(DumpOptions::new(&place.0).max_age(Some(age)).flush_bytes(1)).unwrap();
    for second in 0..100 {
        let later = Duration::from_secs(second);
        add(&mut files, &[second as u8], start + later, time + later);
    }
    let first = Folder::open(&place.0).unwrap().flat_map(|file| Reader::open(file).unwrap()).next();
    let first = first.unwrap().unwrap().payload[0];
    assert!((20..=30).contains(&first), "{first}");
    let mut looks = 0;
    while let Some(due) = files.due() {
        files.flush(due, time + (due - start)).unwrap();
        looks += 1;
        assert!(looks < 20);
    }
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn only_files_of_an_earlier_run_are_removed() {
    let place = Place::new();
    std::fs::create_dir_all(place.0.join("requests.folder")).unwrap();
    for name in ["requests.20200101_000000_000000", "notes.txt"] {
        std::fs::write(place.0.join(name), b"x").unwrap();
    }
    Files::new(DumpOptions::new(&place.0)).unwrap();
    assert_eq!(place.names(), ["notes.txt"]);
    assert!(place.0.join("requests.folder").is_dir());
    assert!(Files::new(DumpOptions::new(place.0.join("notes.txt"))).is_err());
}

static PROTOCOL: Protocol = Protocol { name: "mine", ..Protocol::DEFAULT };

fn take(recorder: &Recorder, body: &[u8]) {
    let head = Head::new(Target::Path { verb: "POST", path: "/" }, Content::RAW);
    recorder.take(&PROTOCOL, &head, ("service", "method"), &IoBuf::copy_from_slice(body), None);
}

/// The thread may take a record at any time, so that only sums are certain.
#[test]
fn what_does_not_fit_into_the_queue_is_dropped_and_counted() {
    let place = Place::new();
    let recorder =
        Recorder::start(DumpOptions::new(&place.0).queue(4).queue_bytes(100).max_request(60)).unwrap();
    take(&recorder, &[0; 61]);
    assert_eq!(recorder.stats().dropped, 1, "longer than a request may be");
    for _ in 0..1000 {
        take(&recorder, &[0; 60]);
    }
    let stats = recorder.stats();
    assert_eq!(stats.taken, 1001);
    drop(recorder); // writes what waits
    let written = count(&place.0) as u64;
    assert_eq!(written + stats.dropped, 1001);
    assert!((1..=1000).contains(&written), "{written}");
}

#[test]
fn a_request_of_any_protocol_has_a_record_that_brpc_leaves_out() {
    let place = Place::new();
    let recorder = Recorder::start(DumpOptions::new(&place.0)).unwrap();
    take(&recorder, b"body");
    drop(recorder);
    let file = Folder::open(&place.0).unwrap().next().unwrap();
    let record = Reader::open(file).unwrap().next().unwrap().unwrap();
    assert_eq!((record.meta.protocol_type, &*record.payload), (Some(0), &b"body"[..]));
    assert_eq!(record.meta.own.protocol.as_deref(), Some("mine"));
    assert_eq!(
        (record.meta.service.as_deref(), record.meta.method.as_deref()),
        (Some("service"), Some("method"))
    );
    assert_eq!(record.meta.own.content, Some(Content::RAW.0));
}

#[test]
fn a_call_of_a_client_has_a_record_without_its_credentials() {
    let place = Place::new();
    let recorder =
        Recorder::start(DumpOptions::new(&place.0).max_request(20).per_second(1_000_000_000)).unwrap();
    for message in ["a lamp", "longer than may be"] {
        let (message, attachment) =
            (IoBuf::copy_from_slice(message.as_bytes()), IoBuf::copy_from_slice(b"3 kg"));
        let form = (Content::JSON, Compression::ZSTD);
        let mut call = CallRecord::new("baidu_std", ("shop.Stock", "Get"), form, &message, &attachment);
        call.field("x-tenant", b"acme");
        call.field("Authorization", b"Bearer S3CRET");
        recorder.put(call, Instant::now());
    }
    assert_eq!(recorder.stats().dropped, 1);
    drop(recorder);
    let file = Folder::open(&place.0).unwrap().next().unwrap();
    let record = Reader::open(file).unwrap().next().unwrap().unwrap();
    let (message, attachment) = record.split();
    assert_eq!((&*message, &*attachment), (&b"a lamp"[..], &b"3 kg"[..]));
    assert_eq!(record.meta.compression(), Compression::ZSTD);
    let Meta { service, method, own, .. } = record.meta;
    assert_eq!((service.as_deref(), method.as_deref()), (Some("shop.Stock"), Some("Get")));
    assert_eq!((own.protocol.as_deref(), own.content), (Some("baidu_std"), Some(Content::JSON.0)));
    assert_eq!(own.fields, [("x-tenant".to_owned(), "acme".into())]);
}

#[test]
fn it_can_be_switched_off_and_on() {
    let place = Place::new();
    let recorder = Recorder::start(DumpOptions::new(&place.0).enabled(false)).unwrap();
    let now = Instant::now();
    assert!(!recorder.wants(now));
    recorder.set_enabled(true);
    assert!(recorder.wants(now));
}

#[test]
fn a_flush_writes_what_was_recorded_while_the_recorder_lives() {
    let place = Place::new();
    let recorder = Recorder::start(DumpOptions::new(&place.0)).unwrap();
    (0..10).for_each(|_| take(&recorder, b"body"));
    recorder.flush();
    assert_eq!((count(&place.0), recorder.stats().written), (10, 10));
}

/// What waits in memory is not written yet.
#[test]
fn records_that_waited_for_a_file_that_cannot_be_written_are_lost_and_not_written() {
    let place = Place::new();
    let recorder = Recorder::start(DumpOptions::new(&place.0)).unwrap();
    std::fs::remove_dir_all(&place.0).unwrap();
    (0..10).for_each(|_| take(&recorder, b"body"));
    recorder.flush();
    assert_eq!((recorder.stats().written, recorder.stats().failed), (0, 10));
    std::fs::create_dir(&place.0).unwrap();
    take(&recorder, b"body");
    recorder.flush();
    assert_eq!((count(&place.0), recorder.stats().written, recorder.stats().failed), (1, 1, 10));
}

mod spans {
    use super::*;
    use polywire_dump::{SpanFileOptions, SpanFiles};
    use polywire_trace::{End, Lane, Options, Phase, Side, Start, Tracer};
    use serde_json::Value;

    fn tracer() -> Tracer {
        let options = Options { sampled_per_second: 100_000, ..Options::default() };
        let tracer = Tracer::new(options, Instant::now(), Duration::from_secs(1_766_500_000), 7);
        tracer.set_on(true);
        tracer
    }

    /// A call of a method with this annotation.
    fn call(tracer: &Tracer, note: &str, end: End) {
        let at = Instant::now();
        let start = Start {
            side: Side::Server,
            service: "shop.Orders".into(),
            method: "Place".into(),
            protocol: "grpc",
            system: "grpc",
            target: String::new(),
            peer: "10.0.0.1:7".to_owned(),
            at,
            request_bytes: 5,
            log_id: 0,
            number: 0,
            try_kind: "",
        };
        let span = tracer.begin(&mut Lane::default(), None, at, || start).unwrap();
        span.phase(Phase::Enter, at);
        span.annotate(at, note);
        span.end(at + Duration::from_millis(2), end, 1);
    }

    fn files_of(place: &Place) -> Vec<PathBuf> {
        let mut names: Vec<_> =
            std::fs::read_dir(&place.0).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names
    }

    fn lines(place: &Place) -> Vec<String> {
        let texts = files_of(place).into_iter().map(|path| std::fs::read_to_string(path).unwrap());
        texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    /// The types of all fields, by their path.
    fn shape(value: &Value, path: &str, to: &mut std::collections::BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(key, value)| shape(value, &format!("{path}.{key}"), to))
            }
            Value::Array(values) => values.iter().for_each(|value| shape(value, &format!("{path}[]"), to)),
            Value::String(_) => drop(to.insert(format!("{path}: string"))),
            Value::Number(_) => drop(to.insert(format!("{path}: number"))),
            other => drop(to.insert(format!("{path}: {other}"))),
        }
    }

    /// open-telemetry/opentelemetry-proto, `examples/trace.json`: what it has of these fields has the same
    /// types here.
    const EXAMPLE: &str = r#"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"my.service"}}]},
        "scopeSpans":[{"scope":{"name":"my.library","version":"1.0.0"},"spans":[{"traceId":"5B8EFFF798038103D269B633813FC60C",
        "spanId":"EEE19B7EC3C1B174","name":"I'm a server span","startTimeUnixNano":"1544712660000000000",
        "endTimeUnixNano":"1544712661000000000","kind":2,"attributes":[{"key":"my.span.attr","value":{"stringValue":"some value"}}]}]}]}]}"#;

    #[test]
    fn a_span_is_a_line_of_otlp_whatever_it_says() {
        let (place, tracer) = (Place::new(), tracer());
        let files = SpanFiles::start(SpanFileOptions::new(&place.0).service("shop")).unwrap();
        assert!(tracer.set_sink(files.clone()));
        let hostile = "a\nb\"c\\ \u{2028}\u{202e}\r\0 \u{1f4a3}";
        let message = "no\n{\"resourceSpans\":[]}";
        call(&tracer, hostile, End { number: 2001, code: "INTERNAL", grpc: 13, message: message.into() });
        call(&tracer, "fine", End::ok());
        assert!(files.flush());
        let lines = lines(&place);
        assert_eq!(lines.len(), 2, "{lines:?}");
        let read: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let span = |k: usize| &read[k]["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
        assert_eq!(span(0)["events"][1]["name"], hostile);
        assert_eq!(span(0)["status"], serde_json::json!({"message": message, "code": 2}));
        assert_eq!(
            (&span(1)["events"][1]["name"], &span(1)["status"]),
            (&"fine".into(), &serde_json::json!({}))
        );
        let nanoseconds = |field: &str| span(1)[field].as_str().unwrap().parse::<u64>().unwrap();
        assert_eq!(nanoseconds("endTimeUnixNano") - nanoseconds("startTimeUnixNano"), 2_000_000);
        assert_eq!(
            (span(1)["traceId"].as_str().unwrap().len(), span(1)["spanId"].as_str().unwrap().len()),
            (32, 16)
        );
        assert_eq!(span(1)["name"], "shop.Orders/Place");
        let (mut ours, mut example) = (Default::default(), Default::default());
        shape(&read[1], "", &mut ours);
        shape(&serde_json::from_str(EXAMPLE).unwrap(), "", &mut example);
        assert!(example.is_subset(&ours), "{:?}", example.difference(&ours));
    }

    #[test]
    fn files_of_spans_are_bounded_with_those_of_earlier_runs() {
        let place = Place::new();
        std::fs::create_dir_all(&place.0).unwrap();
        let (old, other) = (place.0.join("spans.20000101_000000_000000.jsonl"), place.0.join("spans.txt"));
        std::fs::write(&old, "old").unwrap();
        std::fs::write(&other, "not ours").unwrap();
        let tracer = tracer();
        let files = SpanFiles::start(SpanFileOptions::new(&place.0).file_bytes(1).files(3)).unwrap();
        tracer.set_sink(files.clone());
        for number in 0..5 {
            call(&tracer, &number.to_string(), End::ok());
            assert!(files.flush());
            assert_eq!(old.exists(), number < 2, "{number}");
        }
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "not ours");
        std::fs::remove_file(&other).unwrap();
        let lines = lines(&place);
        assert_eq!((files_of(&place).len(), lines.len(), files.stats().written), (3, 3, 5));
        assert!((2..5).zip(&lines).all(|(number, line)| line.contains(&format!("\"name\":\"{number}\""))));
        #[cfg(unix)]
        for file in files_of(&place) {
            let mode = std::os::unix::fs::MetadataExt::mode(&file.metadata().unwrap());
            assert_eq!(mode & 0o077, 0, "readable by others: {mode:o}");
        }
    }

    #[test]
    fn spans_without_room_are_dropped_and_counted() {
        let (place, tracer) = (Place::new(), tracer());
        let files = SpanFiles::start(SpanFileOptions::new(&place.0).queue_bytes(100)).unwrap();
        tracer.set_sink(files.clone());
        (0..50).for_each(|_| call(&tracer, "longer than the bound", End::ok()));
        assert!(files.flush());
        assert_eq!((files.stats().dropped, files.stats().written), (50, 0));
    }

    #[test]
    fn a_folder_that_is_gone_costs_spans_that_are_counted_and_none_later() {
        let (place, tracer) = (Place::new(), tracer());
        let files = SpanFiles::start(SpanFileOptions::new(&place.0)).unwrap();
        tracer.set_sink(files.clone());
        std::fs::remove_dir_all(&place.0).unwrap();
        call(&tracer, "lost", End::ok());
        assert!(files.flush());
        std::fs::create_dir_all(&place.0).unwrap();
        call(&tracer, "kept", End::ok());
        files.set_enabled(false);
        call(&tracer, "while it is off", End::ok());
        assert!(files.flush());
        assert_eq!((files.stats().failed, files.stats().written, lines(&place).len()), (1, 1, 1));
    }
}
