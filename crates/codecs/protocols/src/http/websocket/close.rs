//! The reason for closing a connection: the payload of a Close frame.
//!
//! Source: RFC 6455 5.5.1, 7.4

use super::error::Fault;

/// Numbers of reasons. RFC 6455 7.4.1
pub mod code {
    /// The purpose of the connection is fulfilled.
    pub const NORMAL: u16 = 1000;
    /// This side leaves: a server stops, or a page is closed.
    pub const AWAY: u16 = 1001;
    pub const PROTOCOL_ERROR: u16 = 1002;
    /// A kind of message that this side does not take.
    pub const UNSUPPORTED: u16 = 1003;
    /// Never sent: the peer's Close had no code.
    pub const NONE: u16 = 1005;
    /// Never sent: the connection ended without a Close frame.
    pub const ABNORMAL: u16 = 1006;
    /// Text that is not UTF-8.
    pub const INVALID: u16 = 1007;
    /// The message breaks a rule of the application.
    pub const POLICY: u16 = 1008;
    pub const TOO_LONG: u16 = 1009;
    pub const INTERNAL: u16 = 1011;
    /// The peer should try again later.
    pub const TRY_LATER: u16 = 1013;
}

/// Longest reason in bytes: a control frame without the code.
const MAX_REASON: usize = 123;

/// The code and the text with which a side closed the connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Close {
    /// See [`code`]; 3000 to 4999 for libraries and applications.
    pub code: u16,
    /// Text for people, at most 123 bytes.
    pub reason: String,
}

impl Close {
    /// A reason longer than 123 bytes is cut.
    pub fn new(code: u16, reason: &str) -> Self {
        let mut end = reason.len().min(MAX_REASON);
        while !reason.is_char_boundary(end) {
            end -= 1;
        }
        Close { code, reason: reason[..end].to_owned() }
    }

    /// Reads the payload of a Close frame. An empty one has the code [`code::NONE`].
    ///
    /// # Errors
    /// A payload of one byte, a code that is never sent, a reason that is not UTF-8.
    pub(super) fn parse(payload: &[u8]) -> Result<Close, Fault> {
        match payload {
            [] => Ok(Close { code: code::NONE, reason: String::new() }),
            [_] => Err(Fault::Protocol("Close frame of one byte")),
            [a, b, reason @ ..] => {
                let code = u16::from_be_bytes([*a, *b]);
                if !is_sendable(code) {
                    return Err(Fault::Protocol("Close frame with a code that is never sent"));
                }
                let reason = std::str::from_utf8(reason).map_err(|_| Fault::Text)?;
                Ok(Close { code, reason: reason.to_owned() })
            }
        }
    }

    /// The payload of a Close frame; empty for the codes that are never sent.
    pub(super) fn payload(&self) -> Vec<u8> {
        match is_sendable(self.code) {
            true => [&self.code.to_be_bytes(), self.reason.as_bytes()].concat(),
            false => Vec::new(),
        }
    }
}

/// Whether the code may stand in a frame: RFC 6455 7.4.1 and the registry of RFC 6455 11.7, 7.4.2.
fn is_sendable(code: u16) -> bool {
    matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999)
}
