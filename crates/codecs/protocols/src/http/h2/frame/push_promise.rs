//! PUSH_PROMISE: always an error. A server must not receive one, and our client sends SETTINGS_ENABLE_PUSH 0
//! (RFC 9113 6.6, 8.4).

use crate::http::h2::error::Fault;

pub(crate) fn parse() -> Result<(), Fault> {
    Err(Fault::protocol("PUSH_PROMISE, though push is off"))
}
