//! What is known of a call.

use crate::passed_on::PassedOn;
use polywire_call::Code;
use polywire_engine::Peer;
use std::{
    borrow::Cow,
    time::{Duration, SystemTime},
};

/// Characters of a text that is kept of what a peer has sent.
const SHOWN: usize = 256;

/// One call. Texts are as peers sent them, but cut; formats escape them.
#[derive(Clone)]
pub(super) struct Record {
    /// When its handler began.
    pub at: SystemTime,
    pub peer: Peer,
    /// Empty: nobody in particular.
    pub identity: String,
    pub protocol: &'static str,
    /// As the caller names them.
    pub service: Cow<'static, str>,
    pub method: Cow<'static, str>,
    /// HTTP: the request line. Otherwise empty.
    pub verb: String,
    pub path: String,
    pub referer: String,
    pub agent: String,
    pub code: Code,
    /// HTTP's status, where it is none of the code's: 404 or 405 of a request that reached no method.
    pub status: Option<u16>,
    /// Length of the request; `None`: a stream.
    pub bytes_in: Option<u64>,
    /// Length of the reply; `None`: a stream, or none was sent.
    pub bytes_out: Option<u64>,
    /// From the handler's beginning until its reply.
    pub took: Duration,
    /// Where it was passed on to.
    pub passed_on: Option<Box<PassedOn>>,
}

/// A text of a peer, cut at [`SHOWN`] characters.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}
