//! The parts of the machine that depend on the form of memcached.

use super::expected::{Expected, Request};
use bytes::BytesMut;
use polywire_base::IoBuf;
use polywire_wire::WireError;

/// One form of memcached: the binary protocol, or the meta commands.
pub(super) trait Form: Send + 'static {
    /// The requests of a call's body.
    ///
    /// # Errors
    /// The body is not a sequence of whole requests whose replies can be counted.
    fn requests(&self, body: &[u8]) -> Result<Expected, &'static str>;

    /// The reply that begins after `at` bytes of the input.
    ///
    /// # Errors
    /// These bytes are no reply.
    fn reply(&self, input: &mut IoBuf, at: usize) -> Result<Found, WireError>;

    /// Whether a request of this kind may have a reply of that kind.
    fn fits(&self, request: &Request, reply: &Reply) -> bool;

    /// Whether the reply is an error that does not show the kind of its request.
    fn is_error(&self, reply: &Reply) -> bool;

    /// Writes the request that shows a credential.
    ///
    /// # Errors
    /// The form has no way to write it.
    fn login(&self, user: &[u8], password: &[u8], out: &mut BytesMut) -> Result<(), ()>;

    /// Whether this is the reply to a credential that was accepted.
    ///
    /// # Errors
    /// The credential was not accepted; the text is the server's.
    fn logged_in(&self, reply: &[u8]) -> Result<(), String>;
}

/// The finding at the front of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    Whole(Reply),
    /// The end of the reply is known, and the reply has not arrived completely.
    Begun(Reply),
    /// At least this many bytes of input are needed to look again.
    Least(usize),
}

/// A whole reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reply {
    /// The position in the input at which the reply ends.
    pub end: usize,
    /// Opcode, or the code of a line.
    pub kind: u8,
    /// The request's opaque value, if the reply repeats it.
    pub opaque: Option<u32>,
    /// Another reply to the same request follows (STAT).
    pub more: bool,
}
