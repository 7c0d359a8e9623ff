//! Files: names, rotation, flushing; and the recorder's bounds.

use polywire_base::IoBuf;
use polywire_call::Content;
use polywire_dump::{DumpOptions, Files, Folder, Meta, Reader, Recorder};
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
    files.flush(time).unwrap();
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
