//! Names of compressions. They are the same in `grpc-encoding`, in Connect's `content-encoding`, and in the
//! lists of both.
//!
//! Source: docs/wire/grpc.md section 2. `deflate` is the zlib format (RFC 9110 8.4.1.2); `snappy` is its
//!         stream format, as every implementation of gRPC that has it writes it.

use polywire_wire::{Compression, Compressions};

/// The compressions that are built in.
const NAMES: &[(&[u8], Compression)] = &[
    #[cfg(feature = "gzip")]
    (b"gzip", Compression::GZIP),
    #[cfg(feature = "gzip")]
    (b"deflate", Compression::ZLIB),
    #[cfg(feature = "zstd")]
    (b"zstd", Compression::ZSTD),
    #[cfg(feature = "snappy")]
    (b"snappy", Compression::SNAPPY_FRAMED),
];

/// The compressions that have names.
pub(crate) const NAMED: Compressions = {
    let (mut named, mut item) = (Compressions::NONE, 0);
    while item < NAMES.len() {
        named = named.with(NAMES[item].1);
        item += 1;
    }
    named
};

/// The compressions that are supported, in the form of a list: [`NAMES`], or that data must not be
/// compressed.
pub(crate) const READ: &str = match std::str::from_utf8(LIST.0.split_at(LIST.1).0) {
    Ok(list) => list,
    Err(_) => unreachable!(),
};

static LIST: ([u8; 32], usize) = list();

/// [`NAMES`] as one list, and its length in bytes.
const fn list() -> ([u8; 32], usize) {
    let (mut text, mut length, mut item) = ([0; 32], 0, 0);
    while item < NAMES.len() || length == 0 {
        let name = if NAMES.is_empty() { b"identity" } else { NAMES[item].0 };
        let mut at = 0;
        while item > 0 && at < 2 {
            text[length] = b", "[at];
            (length, at) = (length + 1, at + 1);
        }
        at = 0;
        while at < name.len() {
            text[length] = name[at];
            (length, at) = (length + 1, at + 1);
        }
        item += 1;
    }
    (text, length)
}

/// The compression of this name. Absent, empty and `identity` mean no compression.
#[inline]
pub(crate) fn named(value: Option<&[u8]>) -> Compression {
    let Some(value) = value else { return Compression::NONE };
    if value.is_empty() || value.eq_ignore_ascii_case(b"identity") {
        return Compression::NONE;
    }
    let known = NAMES.iter().find(|(name, _)| value.eq_ignore_ascii_case(name));
    known.map_or(Compression::UNKNOWN, |&(_, compression)| compression)
}

/// Name of a compression; `None` if HTTP has no name for it.
#[inline]
pub(crate) fn name(compression: Compression) -> Option<&'static [u8]> {
    NAMES.iter().find(|(_, known)| *known == compression).map(|&(name, _)| name)
}

/// The compressions that a list allows. Weights (`;q=`) other than 0 are not compared: the sender chooses.
#[inline]
pub(crate) fn listed(value: Option<&[u8]>) -> Compressions {
    let Some(value) = value else { return Compressions::NONE };
    value.split(|&b| b == b',').fold(Compressions::NONE, |accepts, item| {
        let mut words = item.split(|&b| b == b';').map(<[u8]>::trim_ascii);
        let name = words.next().unwrap_or(b"");
        if words.any(|weight| matches!(weight, b"q=0" | b"q=0.0" | b"q=0.00" | b"q=0.000")) {
            return accepts;
        }
        let known = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known));
        known.map_or(accepts, |&(_, compression)| accepts.with(compression))
    })
}
