//! Failures as brpc's protocols send them: a number, and a text of bounded length.

use polywire_call::{Status, brpc};
use polywire_wire::is_undecided;

/// Longest text of an error that is sent, in bytes.
const MAX_TEXT_BYTES: usize = 8 << 10;

/// The text for a peer whose credential could not be checked, see [`is_undecided`].
pub(crate) const UNDECIDED: &str = "Authentication is not possible now";

/// The part of an error's text that is sent.
pub(crate) fn bounded(text: &str) -> &str {
    polywire_call::bounded(text, MAX_TEXT_BYTES)
}

/// The number of a failure; it is never the number of success. "-1 = failed, code unspecified" is sent
/// unchanged by all protocols except baidu_std.
pub(crate) fn error_code(status: &Status) -> i32 {
    match brpc::number(status) {
        0 => brpc::EINTERNAL,
        number => number,
    }
}

/// The error number as a protobuf field, in which negative numbers take ten bytes.
pub(crate) fn error_code_field(status: &Status) -> u64 {
    i64::from(error_code(status)) as u64
}

/// The answer to a peer whose authentication failed: ERPCAUTH, or EINTERNAL if its credential could not be
/// checked.
#[cold]
pub(crate) fn unauthenticated(why: &Status) -> Status {
    let (number, text) = match is_undecided(why) {
        true => (brpc::EINTERNAL, UNDECIDED),
        false => (brpc::ERPCAUTH, "Fail to authenticate"),
    };
    let separator = if why.message().is_empty() { "" } else { ": " };
    brpc::status(number, format!("{text}{separator}{}", why.message()))
}
