//! A profile as `profile.proto` in gzip, which `go tool pprof`, Grafana, Parca and others read.
//!
//! Source: github.com/google/pprof, `proto/profile.proto`. Written by hand: it is one message of numbers and
//!         strings, and no build needs a code generator for it.

use crate::profile::Profile;
use flate2::{Compression, write::GzEncoder};
use std::{collections::HashMap, io::Write, time::UNIX_EPOCH};

/// The profile in pprof's format, compressed.
pub fn encode(profile: &Profile) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    let written = gzip.write_all(&message(profile));
    written.and_then(|()| gzip.finish()).expect("a vector takes all bytes")
}

/// Encodes the message `perftools.profiles.Profile`.
fn message(profile: &Profile) -> Vec<u8> {
    let mut strings = Strings::default();
    strings.index(""); // "string_table[0] must always be """
    let mut out = Message::default();
    for (name, unit) in profile.kind.values() {
        out.message(1, &strings.value_type(name, unit)); // sample_type
    }
    for sample in &profile.samples {
        let mut one = Message::default();
        let ids: Vec<u64> = sample.stack.iter().map(|at| u64::from(*at) + 1).collect();
        one.packed(1, &ids); // location_id, "The leaf is at location_id[0]"
        one.packed(2, &sample.values.map(|value| value as u64)); // value
        if let Some(method) = sample.method {
            let mut label = Message::default();
            label.number(1, strings.index("method")); // key
            label.number(2, strings.index(method)); // str
            one.message(3, &label); // label
        }
        out.message(2, &one);
    }
    for (at, mapping) in profile.mappings.iter().enumerate() {
        let mut one = Message::default();
        one.number(1, at as u64 + 1); // id
        one.number(2, mapping.addresses.start); // memory_start
        one.number(3, mapping.addresses.end); // memory_limit
        one.number(4, mapping.offset); // file_offset
        one.number(5, strings.index(&mapping.path)); // filename
        one.number(6, strings.index(&mapping.build)); // build_id
        (7..=10).for_each(|field| one.number(field, 1)); // has_functions, _filenames, _line_numbers, _inline_frames
        out.message(3, &one);
    }
    for (at, location) in profile.locations.iter().enumerate() {
        let mut one = Message::default();
        one.number(1, at as u64 + 1); // id
        one.number(2, location.mapping.map_or(0, |mapping| u64::from(mapping) + 1)); // mapping_id
        one.number(3, location.address); // address
        for (function, number) in &location.lines {
            let mut line = Message::default();
            line.number(1, u64::from(*function) + 1); // function_id
            line.number(2, u64::from(*number)); // line
            one.message(4, &line);
        }
        out.message(4, &one);
    }
    for (at, function) in profile.functions.iter().enumerate() {
        let mut one = Message::default();
        one.number(1, at as u64 + 1); // id
        one.number(2, strings.index(&function.name)); // name
        one.number(3, strings.index(&function.name)); // system_name
        one.number(4, strings.index(&function.file)); // filename
        out.message(5, &one);
    }
    let [_, (name, unit)] = profile.kind.values();
    let period = strings.value_type(name, unit);
    let comments: Vec<u64> =
        profile.facts.iter().map(|(name, value)| strings.index(&format!("{name}: {value}"))).collect();
    let default = strings.index(name);
    strings.all.iter().for_each(|string| out.bytes(6, string.as_bytes())); // string_table
    let started = profile.started.duration_since(UNIX_EPOCH).unwrap_or_default();
    out.number(9, started.as_nanos() as u64); // time_nanos
    out.number(10, profile.length.as_nanos() as u64); // duration_nanos
    out.message(11, &period); // period_type
    out.number(12, profile.period as u64); // period
    out.packed(13, &comments); // comment
    out.number(14, default); // default_sample_type
    out.bytes
}

/// The table of strings: each once.
#[derive(Default)]
struct Strings {
    all: Vec<String>,
    known: HashMap<String, u64>,
}

impl Strings {
    fn index(&mut self, text: &str) -> u64 {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        let at = self.all.len() as u64;
        self.all.push(text.to_owned());
        self.known.insert(text.to_owned(), at);
        at
    }

    /// Encodes the message `ValueType`.
    fn value_type(&mut self, name: &str, unit: &str) -> Message {
        let mut one = Message::default();
        one.number(1, self.index(name)); // type
        one.number(2, self.index(unit)); // unit
        one
    }
}

/// A protobuf message under construction.
#[derive(Default)]
struct Message {
    bytes: Vec<u8>,
}

impl Message {
    /// Writes a numeric field; 0 is left out.
    fn number(&mut self, field: u32, value: u64) {
        if value != 0 {
            varint(&mut self.bytes, u64::from(field << 3));
            varint(&mut self.bytes, value);
        }
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) {
        varint(&mut self.bytes, u64::from(field << 3 | 2));
        varint(&mut self.bytes, bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    fn message(&mut self, field: u32, message: &Message) {
        self.bytes(field, &message.bytes);
    }

    fn packed(&mut self, field: u32, values: &[u64]) {
        if values.is_empty() {
            return;
        }
        let mut packed = Vec::new();
        values.iter().for_each(|value| varint(&mut packed, *value));
        self.bytes(field, &packed);
    }
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
