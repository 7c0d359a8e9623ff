//! Where answers differ: by schema, with a baseline, and without what users have written.

use super::*;
use crate::Schemas;
use polywire_call::Metadata;
use polywire_dump::{Folder, Meta, Reader};
use polywire_server::{DumpOptions, Recorder};
use protox::file::{File, FileResolver};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const PROTO: &str = r#"
syntax = "proto3";
package shop.v1;
service Orders { rpc Place(Item) returns (Item); }
message Item {
  string name = 1;
  int64 stamp = 2;
  map<string, Item> by_user = 3;
  repeated Item items = 4;
  bool lucky = 5;
}
"#;

struct One;

impl FileResolver for One {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        File::from_source(name, PROTO)
    }
}

fn schemas() -> Schemas {
    let mut compiler = protox::Compiler::with_file_resolver(One);
    compiler.include_imports(true).open_file("orders.proto").expect("a file");
    Schemas::from_descriptor_set(&compiler.encode_file_descriptor_set()).expect("schemas")
}

/// A field of type string or message.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, bytes.len() as u8][..], bytes].concat()
}

/// A server that says its name, in a field that is the same each time, and a number that is not.
fn named(name: &'static str, next: &Arc<AtomicU64>) -> Method {
    let next = next.clone();
    method("Place", move |_| {
        let stamp = next.fetch_add(1, Relaxed) as u8 & 0x7f;
        async move { Ok(ok([field(1, name.as_bytes()), vec![0x10, stamp]].concat())) }
    })
}

#[tokio::test(start_paused = true)]
async fn where_the_baseline_differs_from_itself_is_noise() {
    for (new, different) in [("lamp", 0), ("Lamp", 20)] {
        let next = Arc::new(AtomicU64::new(1));
        let methods = ["lamp", "lamp", new].map(|name| named(name, &next));
        let mut lane = Lane::new(["grpc", "grpc", "baidu_std"], methods);
        lane.new = lane.new.schemas(&schemas());
        let lane = lane.copying(|shadow, lane| shadow.baseline(&lane.same));
        let caller = lane.caller("grpc");
        for _ in 0..20 {
            caller.call(PLACE, "").await.expect("a reply");
        }
        let figures = lane.until(|one| one.different + one.noise == 20).await;
        assert_eq!((figures.different, figures.same), (different, 0), "{figures:?}");
        let places: Vec<_> =
            figures.places.iter().map(|one| (&*one.place, one.different, one.noise)).collect();
        let expected = [("name", 20, 0), ("stamp", 20, 20)];
        assert_eq!(places, expected[if different > 0 { 0.. } else { 1.. }]);
        assert_eq!(figures.last_different.is_some(), different > 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_field_that_differs_at_times_is_noise_once_the_baseline_has_shown_it() {
    let lucky = |every: u64| {
        let next = AtomicU64::new(0);
        method("Place", move |_| {
            let is = next.fetch_add(1, Relaxed).is_multiple_of(every);
            async move { Ok(ok(if is { vec![0x28, 1] } else { Vec::new() })) }
        })
    };
    // The baseline differs every second time, the shadow two times of three, often when the baseline does
    // not.
    let mut lane = Lane::new(["grpc"; 3], [lucky(1), lucky(2), lucky(3)]);
    lane.new = lane.new.schemas(&schemas());
    let lane = lane.copying(|shadow, lane| shadow.baseline(&lane.same));
    let caller = lane.caller("grpc");
    for k in 1..=100 {
        caller.call(PLACE, "").await.expect("a reply");
        lane.until(|one| one.same + one.different + one.noise == k).await;
    }
    let figures = lane.figures();
    assert!(figures.different <= 2, "{figures:?}");
    assert!(!figures.places[0].stands_out, "{figures:?}");
}

#[tokio::test(start_paused = true)]
async fn a_baseline_that_does_not_answer_leaves_nothing_to_compare() {
    let lane = Lane::new(["grpc"; 3], [echo(), hangs(), method("Place", |_| async { Ok(ok("b")) })]);
    let lane = lane.copying(|shadow, lane| shadow.baseline(&lane.same));
    lane.caller("grpc").call(PLACE, "a").await.expect("a reply");
    let figures = lane.until(|one| one.skipped == 1).await;
    assert_eq!((figures.different, figures.failed), (0, 0));
}

/// A reply in which a user's name is a value and the key of a map.
fn of_users(name: &str) -> Method {
    let entry =
        |key: &str| field(3, &[field(1, key.as_bytes()), field(2, &field(1, name.as_bytes()))].concat());
    let item = field(4, &[field(1, name.as_bytes()), entry("al.ice")].concat());
    let body = [entry("alice"), entry("a.name"), item].concat();
    method("Place", move |_| {
        let body = body.clone();
        async move { Ok(ok(body)) }
    })
}

#[tokio::test(start_paused = true)]
async fn places_have_names_of_the_schema_alone_and_values_only_if_they_are_asked_for() {
    for shown in [false, true] {
        let mut lane = Lane::new(["grpc"; 3], [of_users("bob"), of_users("bob"), of_users("eve")]);
        // Those of the route's own cluster will do.
        let known = if shown { &mut lane.new } else { &mut lane.old };
        *known = known.clone().schemas(&schemas());
        let lane = lane.copying(|shadow, _| shadow.compare().show_values(shown));
        lane.caller("grpc").call(PLACE, "").await.expect("a reply");
        let figures = lane.until(|one| one.different == 1).await;
        let text = format!("{figures:?}");
        assert!(!text.contains("alice") && !text.contains("al.ice"), "{text}");
        assert_eq!([text.contains("bob"), text.contains("eve")], [shown; 2], "{text}");
        let places: Vec<_> = figures.places.iter().map(|one| &*one.place).collect();
        // The key `a.name` looks like a field in another entry.
        assert_eq!(places, ["byUser.*.name", "byUser.*.name.*", "items[].byUser.*.name", "items[].name"]);
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_schema_answers_are_alike_if_their_bytes_are_also_of_compressed_ones() {
    let zipped = method("Place", |call: Call| async move {
        let compression = polywire_wire::Compression::GZIP;
        let body = polywire_formats::compression::compress(compression, call.body).expect("it is there");
        Ok(Outcome { compression, ..ok(body) })
    });
    let lane = Lane::of(echo, zipped).copying(|shadow, _| shadow.compare());
    lane.caller("grpc").call(PLACE, r#"{"alice":1}"#).await.expect("a reply");
    lane.until(|one| one.same == 1).await;
    let other = method("Place", |_| async { Ok(ok(r#"{"alice":2}"#)) });
    let lane = Lane::of(echo, other).copying(|shadow, _| shadow.compare());
    lane.caller("grpc").call(PLACE, r#"{"alice":1}"#).await.expect("a reply");
    let figures = lane.until(|one| one.different == 1).await;
    assert_eq!(figures.places[0].place, "body");
}

#[tokio::test(start_paused = true)]
async fn statuses_and_fields_are_compared_and_some_are_left_out() {
    let with = |name: &'static str, value: &'static str| {
        method("Place", move |_| async move {
            let trailers = Some(Box::new(Metadata::from_iter([(name, value.as_bytes()), ("via", b"x")])));
            Ok(Outcome { trailers, ..ok("") })
        })
    };
    let place = async |old: Method, new: Method, ignored: &[String]| {
        let lane = Lane::new(["grpc"; 3], [old, echo(), new]);
        let lane = lane.copying(|shadow, _| shadow.compare().ignore(ignored));
        let _ = lane.caller("grpc").call(PLACE, "").await;
        let figures = lane.until(|one| one.same + one.different == 1).await;
        figures.places.first().map(|one| one.place.clone())
    };
    let fails = |code| method("Place", move |_| async move { Err(Status::new(code, "no such lamp")) });
    assert_eq!(place(echo(), fails(Code::NotFound), &[]).await.as_deref(), Some("status"));
    assert_eq!(place(fails(Code::NotFound), fails(Code::NotFound), &[]).await, None);
    assert_eq!(place(fails(Code::NotFound), fails(Code::Aborted), &[]).await.as_deref(), Some("status"));
    let (a, b) = (|| with("x-shelf", "7"), || with("x-shelf", "8"));
    assert_eq!(place(a(), b(), &[]).await.as_deref(), Some("header:x-shelf"));
    assert_eq!(place(a(), b(), &["header:X-Shelf".to_owned()]).await, None);
}

#[tokio::test(start_paused = true)]
async fn requests_whose_answers_differ_are_recorded_as_their_servers_get_them_and_no_others() {
    for (front, back) in [("grpc", "grpc"), ("baidu_std", "grpc"), ("grpc", "baidu_std")] {
        let shouts = method("Place", |call: Call| async move {
            let body = call.body.to_vec();
            Ok(ok(if body == b"b" { b"B".to_vec() } else { body }))
        });
        let folder =
            std::env::temp_dir().join(format!("polywire-differ-{front}-{back}-{}", std::process::id()));
        let recorder = Arc::new(Recorder::start(DumpOptions::new(&folder)).expect("a folder"));
        let lane = Lane::new([back, back, "grpc"], [echo(), echo(), shouts]);
        let lane = lane.copying(|shadow, _| shadow.record(&recorder));
        for body in ["a", "b", "c"] {
            let call = lane.caller(front).call(PLACE, body).metadata("x-tenant", "acme");
            call.metadata("authorization", "Bearer S3CRET").await.expect("a reply");
        }
        let figures = lane.until(|one| one.same + one.different == 3 && recorder.stats().taken > 0).await;
        assert_eq!(figures.different, 1);
        recorder.flush();
        let files: Vec<_> = Folder::open(&folder).expect("a folder").collect();
        let records = files.iter().flat_map(|file| Reader::open(file).expect("a file"));
        let records: Vec<_> = records.map(|record| record.expect("a record")).collect();
        std::fs::remove_dir_all(&folder).expect("it is there");
        let [record] = &records[..] else { panic!("{front} {back}: {records:?}") };
        let Meta { service, method, own, .. } = &record.meta;
        let names = (service.as_deref(), method.as_deref(), own.protocol.as_deref());
        assert_eq!(names, (Some(SERVICE), Some("Place"), Some(back)), "{front}");
        assert_eq!(&*record.payload, b"b", "{front} {back}");
        assert_eq!(record.meta.field("x-tenant").map(|value| &**value), Some(&b"acme"[..]), "{front} {back}");
        assert_eq!(record.meta.field("authorization"), None, "{front} {back}");
    }
}
