//! Plain HTTP: a body is a message, `content-type` is its form, and the status tells how the call ended.
//!
//! Source: docs/wire/http.md sections 2 to 4.

use super::{Form, Kind, coding};
use crate::http::{
    content,
    framing::{HeadBlock, Known},
};
use polywire_call::{Native, Status};
use polywire_wire::{Compression, Compressions};
use std::time::Duration;

#[inline]
pub(super) fn form(head: &HeadBlock) -> Form {
    let encoding = head.known(Known::ContentEncoding);
    let accepts = coding::listed(head.known(Known::AcceptEncoding));
    Form {
        kind: Kind::Plain,
        content: content::of_request(head.known(Known::ContentType)),
        compression: content::compression(encoding, head.is_repeated(Known::ContentEncoding)),
        accepts: match accepts.contains(Compression::GZIP) {
            true => Compressions::NONE.with(Compression::GZIP),
            false => Compressions::NONE,
        },
        named: true,
    }
}

/// The value of `x-polywire-timeout-ms`: one to ten digits.
pub(super) fn timeout(value: &[u8]) -> Option<Duration> {
    milliseconds(value)
}

/// A time of one to ten digits.
pub(super) fn milliseconds(value: &[u8]) -> Option<Duration> {
    if !(1..=10).contains(&value.len()) {
        return None;
    }
    let ms = value
        .iter()
        .try_fold(0, |ms, digit| digit.is_ascii_digit().then(|| 10 * ms + u64::from(digit - b'0')))?;
    Some(Duration::from_millis(ms))
}

pub(super) fn no_time() -> Status {
    let status = Status::invalid_argument("x-polywire-timeout-ms is not a number of milliseconds");
    status.with_native(Native::Http(400))
}
