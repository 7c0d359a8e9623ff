//! Limits of a store.

/// Settings of a store.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Bytes that keys and values, queued transactions and watched keys may use; beyond it, commands that
    /// need more are refused with `OOM`. 0: no limit. Default 1 GiB. The count is approximate: a stripe
    /// reports its changes in steps of 4 KiB, and a command that runs concurrently with another one, or makes
    /// a table grow, may exceed the limit by what it adds.
    pub max_memory: usize,
    /// Longest string in bytes. Default 64 MiB, as
    /// [`Limits::max_message`](polywire_wire::Limits::max_message): a longer one could be built by SETRANGE
    /// and APPEND, but most clients could neither send nor receive it.
    pub max_string: usize,
    /// Longest reply to a command in bytes; a longer one becomes an error. Default 64 MiB. It is always large
    /// enough for one string.
    pub max_reply: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_memory: 1 << 30, max_string: 64 << 20, max_reply: 64 << 20 }
    }
}

polywire_base::setters! {
    Options {
        max_memory: usize,
        max_string: usize,
        max_reply: usize,
    }
}

impl Options {
    /// The limit of replies, with room for one string, its framing, and an error.
    pub(super) fn longest_reply(&self) -> usize {
        self.max_reply.max(self.max_string).saturating_add(1024)
    }
}
