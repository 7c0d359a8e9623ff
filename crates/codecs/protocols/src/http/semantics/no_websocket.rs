//! Takes the place of `websocket.rs` where that feature is off. No call has the form
//! [`Kind::WebSocket`](super::Kind::WebSocket) then, so that none of this is reached.

use super::{Found, Semantics};
use crate::http::framing::{Framing, Own};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Native, Status};
use polywire_wire::{Credit, Cx, Outcome};

impl<F: Framing> Semantics<F> {
    /// RFC 9110 7.8: "A server MAY ignore a received Upgrade header field".
    pub(super) fn hold_for_websocket(&mut self, _: &mut Cx<'_>, _: u32, end: bool) -> Option<bool> {
        Some(end)
    }

    pub(super) fn without_subprotocol(&self, _: &mut Cx<'_>, _: u32) -> Option<Status> {
        None
    }

    pub(super) fn required(&self) -> Own<'static> {
        &[]
    }

    /// Switches protocols after status 101, which never happens in this build.
    #[cold]
    pub(super) fn switch(&mut self, cx: &mut Cx<'_>, slot: u32, _: Option<&Metadata>) -> Credit {
        let why = Status::unimplemented("WebSocket is left out of this build");
        self.break_answer(cx, slot, why.with_native(Native::Http(501)))
    }

    #[inline]
    pub(super) fn stay(&mut self, _: u32) {}

    pub(super) fn frames_in(&mut self, _: &mut Cx<'_>, _: u32, _: IoBuf, _: bool) -> Option<Found> {
        None
    }

    pub(super) fn frames(&mut self, _: &mut Cx<'_>, _: u32) -> Option<Found> {
        None
    }

    pub(super) fn put_frame(&mut self, _: &mut Cx<'_>, _: u32, _: &IoBuf, _: bool) -> usize {
        0
    }

    pub(super) fn leave_sockets(&mut self, _: &mut Cx<'_>) {}

    pub(super) fn finish_websocket(&mut self, _: &mut Cx<'_>, _: u32, _: &Outcome) {}

    pub(super) fn fail_websocket(&mut self, _: &mut Cx<'_>, _: u32, _: &Status, _: Option<&Metadata>) {}
}
