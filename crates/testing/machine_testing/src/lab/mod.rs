//! A wire protocol for tests of engine, client and server: it uses everything that the contract allows, and
//! its frames are written and read by hand in tests.
//!
//! ```text
//!  0       1      2       3       4        12      16       20
//!  +-------+------+-------+-------+--------+-------+--------+--- - - ---+
//!  | magic | kind | flags | extra | id u64 | a u32 | n: u32 | n bytes   |   integers little-endian
//!  +-------+------+-------+-------+--------+-------+--------+--- - - ---+
//! ```
//!
//! The meaning of the fields is documented at each [`Kind`]. Flow control is by [`Kind::Grant`]: each side
//! starts with the window and the messages ahead of its own [`Limits`](polywire_wire::Limits).
//!
//! Three protocols share the machine: [`LAB`] and [`ALSO`] may take turns on a connection (`Step::Foreign`),
//! [`SERIAL`] answers one call at a time and cannot stream.

mod frame;
mod machine;

pub use frame::{Frame, HEADER, Kind};
use machine::Lab;
use polywire_wire::{Content, Protocol, ProtocolSet, Sniff, Streams};

/// Magic `L`: any order, streams, several calls at once.
pub static LAB: Protocol = Protocol {
    name: "lab",
    sniff: |bytes| sniff(b'L', bytes),
    framed: true,
    streams: Streams::Messages,
    alpn: |_| &["lab"],
    content: |_| Some(Content::RAW),
    machine: Some(|setup| Box::new(Lab::new(b'L', false, setup))),
    ..Protocol::DEFAULT
};

/// Magic `K`: like [`LAB`], to alternate with it.
pub static ALSO: Protocol = Protocol {
    name: "also",
    alpn: |_| &["also"],
    sniff: |bytes| sniff(b'K', bytes),
    machine: Some(|setup| Box::new(Lab::new(b'K', false, setup))),
    ..LAB
};

/// Magic `S`: one call at a time, no streams.
pub static SERIAL: Protocol = Protocol {
    name: "serial",
    sniff: |bytes| sniff(b'S', bytes),
    framed: false,
    streams: Streams::None,
    alpn: |_| &["serial"],
    machine: Some(|setup| Box::new(Lab::new(b'S', true, setup))),
    ..LAB
};

/// All three lab protocols.
pub const PROTOCOLS: ProtocolSet = ProtocolSet::new(&ALL);

static ALL: [&Protocol; 3] = [&LAB, &ALSO, &SERIAL];

fn sniff(magic: u8, bytes: &[u8]) -> Sniff {
    match bytes.first() {
        None => Sniff::NeedMore(1),
        Some(first) if *first == magic => Sniff::Mine,
        Some(_) => Sniff::NotMine,
    }
}
