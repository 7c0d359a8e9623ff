//! PUSH_PROMISE: never welcome. A server must not get one, and our client says SETTINGS_ENABLE_PUSH 0 (RFC 9113 6.6, 8.4).

use crate::http::h2::error::Fault;

pub(crate) fn parse() -> Result<(), Fault> {
    Err(Fault::protocol("PUSH_PROMISE, though push is off"))
}
