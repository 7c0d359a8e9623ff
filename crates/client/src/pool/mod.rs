//! The connections of a channel, and which of them a call takes.

pub(crate) mod exclusive;
pub(crate) mod homes;
pub(crate) mod overflow;
pub(crate) mod thread_cache;
