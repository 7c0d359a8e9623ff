//! The extension of a connection beyond its calls: streams.
//!
//! baidu_std has streams as its extension (crate module `streaming_rpc`): their frames have another magic and
//! alternate with those of calls. The other protocols have [`NoExtension`], which costs nothing.

use super::{Dialect, Pbrpc};
use polywire_call::Status;
use polywire_wire::{
    Answer, Credit, Cx, Exchange, Goodbye, Limits, Outcome, Outgoing, Part, Refusal, Step, Wake, WireError,
};
use std::time::Instant;

/// Extends a connection with something besides its calls. A connection that does not use it
/// ([`Extension::is_live`] is false) serves its calls without it.
pub(crate) trait Extension<W: Dialect>: Default + Send + 'static {
    /// Whether the extension is in use on the connection: then every poll goes through [`Extension::poll`].
    #[inline]
    fn is_live(&self) -> bool {
        false
    }

    /// Called when the extension is live; and in place of a poll that found a frame of no call, or a call
    /// that offers streams.
    fn poll<'a>(_machine: &'a mut Pbrpc<W>, _cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        Ok(Step::Foreign)
    }

    /// Server: the request of this meta is to be answered, and may offer streams; its payload is still to
    /// come.
    fn offered(&mut self, _raw: &[u8], _limits: Limits) -> Result<(), WireError> {
        Ok(())
    }

    /// Server: whether the failure of the current request was written.
    fn refuse(&mut self, _cx: &mut Cx<'_>, _id: u64, _status: &Status) -> bool {
        false
    }

    /// Client: opens a call that streams, or offers streams.
    fn open(
        _machine: &mut Pbrpc<W>,
        _cx: &mut Cx<'_>,
        _exchange: Exchange,
        _call: &Outgoing<'_>,
    ) -> Result<Credit, Refusal> {
        Err(Refusal::Unsupported)
    }

    fn answer(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _answer: &Answer) -> Credit {
        Credit::CLOSED
    }

    fn send(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _part: &Part) -> Credit {
        Credit::CLOSED
    }

    fn grant(&mut self, _exchange: Exchange, _bytes: usize, _messages: u32) {}

    /// Ends a stream, or a call that offered some.
    fn finish(_machine: &mut Pbrpc<W>, _cx: &mut Cx<'_>, _exchange: Exchange, _outcome: Outcome) {}

    /// Resets an exchange; returns whether the exchange is known here.
    fn reset(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _why: &Status) -> bool {
        false
    }

    fn resume(&mut self, _cx: &mut Cx<'_>, _why: Wake) {}

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn goodbye(&mut self, _cx: &mut Cx<'_>, _phase: Goodbye) {}

    fn held(&self) -> usize {
        0
    }
}

/// An extension that adds nothing.
#[derive(Default)]
pub(crate) struct NoExtension;

impl<W: Dialect> Extension<W> for NoExtension {}
