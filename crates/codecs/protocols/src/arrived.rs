//! Decides which requests a stopping server still serves in a protocol that cannot tell a client which of its
//! requests were not executed: those of which a byte had arrived when the stop began. Without this rule, a
//! client that always has another request on its way would keep its connection, and the server, until the
//! drain limit.

use polywire_base::IoBuf;

/// The bytes at the front of the input that had arrived when the stop began.
#[derive(Default)]
pub(crate) struct Arrived {
    /// `None`: the server does not stop.
    left: Option<usize>,
}

impl Arrived {
    /// The stop begins. `begun`: a message has begun whose bytes may all have been taken from the input.
    #[cold]
    pub fn stop(&mut self, input: &IoBuf, begun: bool) {
        self.left.get_or_insert(input.len().max(usize::from(begun)));
    }

    /// The machine has taken this many bytes from the front.
    #[inline]
    pub fn took(&mut self, bytes: usize) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(bytes);
        }
    }

    /// The machine has put this many bytes to the front instead of others that it took.
    #[cold]
    pub fn put_back(&mut self, bytes: usize) {
        if let Some(left) = &mut self.left {
            *left += bytes;
        }
    }

    #[inline]
    pub fn is_stopping(&self) -> bool {
        self.left.is_some()
    }

    /// Whether the next message, if any, has arrived after the stop began. To be called between messages.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.left == Some(0)
    }
}
