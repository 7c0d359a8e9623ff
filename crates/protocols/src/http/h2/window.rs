//! Windows in which the peer may send.
//!
//! ```text
//!                 limit
//!  |---------------------------------------------|
//!  | ungranted     | owed        | open          |
//!  | here, or with | granted,    | the peer may  |
//!  | the reader    | not sent    | send          |
//! ```
//!
//! `owed` is the increment of the next WINDOW_UPDATE. A message that is let in whole (rule 5) makes `ungranted` smaller than
//! what is really here, below 0 if need be: that much more is open, and later grants pay it back.
//!
//! Source: docs/wire/grpc.md section 1 ("Flow control"); RFC 9113 5.2, 6.9

use super::frame::MAX_31;

/// The window of one stream, or of the connection. Bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    limit: i64,
    /// What the peer may still send; below 0 after a limit that it had not heard of.
    open: i64,
    ungranted: i64,
}

impl Window {
    pub fn new(limit: u32) -> Self {
        let limit = i64::from(limit.min(MAX_31));
        Window { limit, open: limit, ungranted: 0 }
    }

    /// The limit is now this, of which the peer has heard `open` so far.
    pub fn opened(limit: u32, open: u32) -> Self {
        Window { open: open.into(), ..Window::new(limit) }
    }

    #[inline]
    pub fn open(&self) -> i64 {
        self.open
    }

    pub fn limit(&self) -> u32 {
        self.limit as u32
    }

    /// So many bytes came.
    #[inline]
    pub fn receive(&mut self, bytes: usize) {
        self.open -= bytes as i64;
        self.ungranted += bytes as i64;
    }

    /// So many are done with. More than was here opens nothing.
    #[inline]
    pub fn grant(&mut self, bytes: usize) {
        self.ungranted = (self.ungranted - bytes as i64).max(self.ungranted.min(0));
    }

    /// Lets `missing` bytes in; says by how much that goes beyond the limit.
    pub fn ensure(&mut self, missing: usize) -> usize {
        let missing = missing.min(MAX_31 as usize) as i64;
        let borrowed = (missing - (self.limit - self.ungranted)).max(0);
        self.ungranted -= borrowed;
        borrowed as usize
    }

    pub fn widen(&mut self, bytes: u32) {
        self.limit = (self.limit + i64::from(bytes)).min(i64::from(MAX_31));
    }

    /// The increment that a WINDOW_UPDATE should have.
    #[inline]
    pub fn owed(&self) -> u32 {
        let owed = self.limit - self.ungranted - self.open;
        owed.clamp(0, i64::from(MAX_31) - self.open.max(0)) as u32
    }

    /// Whether it is worth a frame now: "when about half a window has been consumed".
    #[inline]
    pub fn is_half_owed(&self) -> bool {
        2 * i64::from(self.owed()) >= self.limit
    }

    /// A WINDOW_UPDATE of this increment has been sent.
    pub fn said(&mut self, increment: u32) {
        self.open += i64::from(increment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_reopen_what_was_received_and_no_more() {
        let mut window = Window::new(100);
        window.receive(60);
        assert_eq!((window.open(), window.owed()), (40, 0));
        window.grant(40);
        assert_eq!((window.owed(), window.is_half_owed()), (40, false));
        window.grant(10);
        assert_eq!((window.owed(), window.is_half_owed()), (50, true));
        window.said(50);
        window.grant(1000);
        window.said(window.owed());
        assert_eq!((window.open(), window.owed()), (100, 0));
    }

    #[test]
    fn a_message_is_let_in_whole_and_paid_for_later() {
        let mut window = Window::new(100);
        window.receive(80);
        assert_eq!(window.ensure(20), 0);
        assert_eq!(window.ensure(300), 280);
        assert_eq!(window.owed(), 280);
        window.said(280);
        window.receive(300);
        assert_eq!((window.open(), window.owed()), (0, 0));
        window.grant(100); // 280 of 380 were borrowed: their grants never come
        assert_eq!(window.owed(), 100);
    }

    #[test]
    fn no_window_goes_beyond_31_bits() {
        let mut window = Window::new(u32::MAX);
        assert_eq!(window.ensure(usize::MAX), 0);
        window.receive(10);
        assert_eq!(window.ensure(usize::MAX), 10);
        assert_eq!(window.owed(), 10);
        window.said(10);
        assert_eq!(window.open(), i64::from(MAX_31));
        window.widen(u32::MAX);
        assert_eq!(window.owed(), 0);
    }
}
