//! Redis. Decided by `*` and a digit, or by a line that begins with a letter, holds no control bytes and is no start line
//! of HTTP. Asked after all magics and methods.
//!
//! Source: docs/wire/redis.md, section 4

use super::{ANY, recognised};
use polywire_wire::{Protocol, Sniff};

/// An inline command is shorter than this, in bytes.
const LONGEST_LINE: usize = 64 << 10;

pub(crate) static PROTOCOL: Protocol = recognised("redis", sniff, false, ANY);

fn sniff(bytes: &[u8]) -> Sniff {
    match bytes {
        [] | [b'*'] => Sniff::NeedMore(1),
        [b'*', b'0'..=b'9', ..] => Sniff::Mine,
        [b'a'..=b'z' | b'A'..=b'Z', ..] => line(&bytes[..bytes.len().min(LONGEST_LINE)]),
        _ => Sniff::NotMine,
    }
}

fn line(bytes: &[u8]) -> Sniff {
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let line = &bytes[..end.unwrap_or(bytes.len())];
    let text = line.strip_suffix(b"\r").unwrap_or(line);
    let http = matches!(text, [.., b' ', b'H', b'T', b'T', b'P', b'/', b'0'..=b'9', b'.', b'0'..=b'9']);
    match end {
        _ if text.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') => Sniff::NotMine,
        Some(_) if http => Sniff::NotMine,
        Some(_) => Sniff::Mine,
        None if bytes.len() == LONGEST_LINE => Sniff::NotMine,
        None => Sniff::NeedMore(1),
    }
}
