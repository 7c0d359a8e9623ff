//! Replies in the order of their requests.
//!
//! ```text
//!   slots:  answered in turn | finished early: waits | being handled | body being read
//!           first ───────────────────────────────────────────────► first + live - 1
//! ```
//!
//! Only the first slot writes to `out`; the others buffer their output (`output.rs`). When the first is
//! complete, it is the turn of the next.

use super::{End, H1, SKIP, body::Reading};
use crate::http::framing::Known;
use polywire_wire::Cx;

impl H1 {
    /// Server: writes the reply whose turn it is, and retires complete replies.
    #[inline]
    pub(super) fn advance(&mut self, cx: &mut Cx<'_>) {
        while self.live > 0 {
            let slot = self.first;
            let this = &mut self.slots[slot as usize];
            if !this.sending.done {
                this.sending.pump(cx.out);
                if !this.sending.done {
                    self.wake_sender(slot);
                    break;
                }
            }
            this.head.shrink();
            let closes = this.closes;
            self.first = (self.first + 1) % self.capacity();
            self.live -= 1;
            if closes {
                self.live = 0;
                self.end(End::Closed);
            } else if self.live > 0 && self.slots[self.first as usize].proceeds {
                self.say_continue(cx, self.first);
            }
        }
        if self.live == 0 && !self.scan.has_begun() {
            self.first = 0; // so that a connection without pipelining lives in one slot
        }
    }

    /// Sends `100 Continue`, unless the body is already arriving.
    pub(super) fn say_continue(&mut self, cx: &mut Cx<'_>, slot: u32) {
        if self.reads_body_of(slot) && cx.input.is_empty() && !self.slots[slot as usize].sending.has_begun() {
            cx.out.put(b"HTTP/1.1 100 Continue\r\n\r\n");
        }
    }

    pub(super) fn wake_sender(&mut self, slot: u32) {
        let enough = self.limits.backlog as usize / 2;
        let sending = &mut self.slots[slot as usize].sending;
        if sending.stalled && sending.queued() <= enough {
            sending.stalled = false;
            self.writable.push(slot);
        }
    }

    /// The reply will be complete before the body has been read. Returns true if the connection may be kept,
    /// because the rest of the body is short.
    pub(super) fn may_skip_rest(&self, slot: u32) -> bool {
        let this = &self.slots[slot as usize];
        // A client that waits for `100 Continue` and gets a final status may or may not send the body.
        let waits = this.head.known(Known::Expect).is_some() && !this.proceeds;
        let short = matches!(self.reading, Reading::Length(left) if left <= SKIP as u64);
        short && !waits
    }

    /// The rest of the body that is being read is discarded. RFC 9112 9.3: a server "MUST read the entire
    /// request message body or close the connection after sending its response". Unless the reply's head
    /// contained `close`, all of it is read, however long it is: the peer may have sent it already, and its
    /// next request would otherwise meet a closed connection. The engine's time limit for a message ends a
    /// body without an end.
    pub(super) fn leave_rest(&mut self, closes: bool) {
        if closes {
            self.end(End::Closed);
        } else {
            self.skips = true;
        }
    }
}
