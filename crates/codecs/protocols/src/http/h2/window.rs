//! The windows in which the peer may send.
//!
//! ```text
//!                 limit
//!  |---------------------------------------------|
//!  | ungranted     | due         | open          |
//!  | here, or with | granted,    | the peer may  |
//!  | the reader    | not sent    | send          |
//! ```
//!
//! `due` is the increment of the next WINDOW_UPDATE. A message that is let in whole (rule 5) makes
//! `ungranted` smaller than the bytes that are here, even negative: the window is opened by that much more,
//! and later grants make up for it.
//!
//! Source: docs/wire/grpc.md section 1 ("Flow control"); RFC 9113 5.2, 6.9

use super::frame::MAX_31;

/// The window of one stream or of the connection, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    limit: i64,
    /// Number of bytes that the peer may still send; negative after a limit that it did not know.
    open: i64,
    ungranted: i64,
}

impl Window {
    pub fn new(limit: u32) -> Self {
        let limit = i64::from(limit.min(MAX_31));
        Window { limit, open: limit, ungranted: 0 }
    }

    /// A window with this limit; the peer knows `open` bytes of it so far.
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

    /// Counts bytes that arrived.
    #[inline]
    pub fn receive(&mut self, bytes: usize) {
        self.open -= bytes as i64;
        self.ungranted += bytes as i64;
    }

    /// Grants bytes that the application has taken. Bytes beyond the received ones open nothing.
    #[inline]
    pub fn grant(&mut self, bytes: usize) {
        self.ungranted = (self.ungranted - bytes as i64).max(self.ungranted.min(0));
    }

    /// Lets `missing` bytes in; returns by how much that exceeds the limit.
    pub fn ensure(&mut self, missing: usize) -> usize {
        let missing = missing.min(MAX_31 as usize) as i64;
        let borrowed = (missing - (self.limit - self.ungranted)).max(0);
        self.ungranted -= borrowed;
        borrowed as usize
    }

    pub fn widen(&mut self, bytes: u32) {
        self.limit = (self.limit + i64::from(bytes)).min(i64::from(MAX_31));
    }

    /// The increment of the next WINDOW_UPDATE.
    #[inline]
    pub fn due(&self) -> u32 {
        let due = self.limit - self.ungranted - self.open;
        due.clamp(0, i64::from(MAX_31) - self.open.max(0)) as u32
    }

    /// Whether the increment is large enough to send now: "when about half a window has been consumed".
    #[inline]
    pub fn is_half_due(&self) -> bool {
        2 * i64::from(self.due()) >= self.limit
    }

    /// Notes that a WINDOW_UPDATE of this increment has been sent.
    pub fn on_update_sent(&mut self, increment: u32) {
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
        assert_eq!((window.open(), window.due()), (40, 0));
        window.grant(40);
        assert_eq!((window.due(), window.is_half_due()), (40, false));
        window.grant(10);
        assert_eq!((window.due(), window.is_half_due()), (50, true));
        window.on_update_sent(50);
        window.grant(1000);
        window.on_update_sent(window.due());
        assert_eq!((window.open(), window.due()), (100, 0));
    }

    #[test]
    fn a_message_is_let_in_whole_and_paid_for_later() {
        let mut window = Window::new(100);
        window.receive(80);
        assert_eq!(window.ensure(20), 0);
        assert_eq!(window.ensure(300), 280);
        assert_eq!(window.due(), 280);
        window.on_update_sent(280);
        window.receive(300);
        assert_eq!((window.open(), window.due()), (0, 0));
        window.grant(100); // 280 of 380 were borrowed: their grants never come
        assert_eq!(window.due(), 100);
    }

    #[test]
    fn no_window_goes_beyond_31_bits() {
        let mut window = Window::new(u32::MAX);
        assert_eq!(window.ensure(usize::MAX), 0);
        window.receive(10);
        assert_eq!(window.ensure(usize::MAX), 10);
        assert_eq!(window.due(), 10);
        window.on_update_sent(10);
        assert_eq!(window.open(), i64::from(MAX_31));
        window.widen(u32::MAX);
        assert_eq!(window.due(), 0);
    }
}
