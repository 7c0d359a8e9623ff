//! Protocols that are told apart but not spoken yet: one small file each, with what decides.
//!
//! They stand in the registry from the start, so that no protocol that joins later finds its bytes taken. When one is
//! built, its file here goes and its folder brings its own `PROTOCOL`, with the same sniff function.
//!
//! Rules for a sniff function: it says `NotMine` at the first byte that excludes it and keeps to that, whatever follows;
//! and undecided it asks for one byte more, since that may decide for another protocol (`P` then `\r\n` is Redis's).

pub(crate) mod mongo;
pub(crate) mod thrift;
pub(crate) mod tls;

use polywire_wire::{Connections, Content, Protocol, Sniff, Streams};

/// "With fewer than 4 bytes buffered, compare what is there; equal prefix means not enough data, any mismatch means try
/// others." (docs/wire/common.md, "Detection on a shared server port")
pub(crate) fn magic(magic: &[u8], bytes: &[u8]) -> Sniff {
    let compared = bytes.len().min(magic.len());
    if bytes[..compared] != magic[..compared] {
        Sniff::NotMine
    } else if compared == magic.len() {
        Sniff::Mine
    } else {
        Sniff::NeedMore(1)
    }
}

/// An entry without a machine.
const fn recognised(
    name: &'static str,
    sniff: fn(&[u8]) -> Sniff,
    framed: bool,
    connections: &'static [Connections],
) -> Protocol {
    Protocol {
        name,
        sniff,
        heard_as: &[],
        framed,
        streams: Streams::None, // says nothing of a protocol without a machine
        alpn: |_| &[],
        connections,
        content: |_| Some(Content::PROTOBUF),
        machine: None,
        fields: |_, _| {},
    }
}

/// Connection kinds of protocols whose frames carry an id, of those that have one call at a time, and of those that
/// live on one connection only (docs/wire/common.md, "Connection types").
pub(crate) const ANY: &[Connections] = &[Connections::Single, Connections::Pooled, Connections::Short];
pub(crate) const EXCLUSIVE: &[Connections] = &[Connections::Pooled, Connections::Short];
const SINGLE: &[Connections] = &[Connections::Single];
