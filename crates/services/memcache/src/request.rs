//! The request to a server, as data: both forms encode it.

use crate::{error::Error, key};
use bytes::Bytes;
use std::time::{Duration, SystemTime};

/// The command. Each variant names the command of the binary protocol, then the meta command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verb {
    /// GET, or GAT with an expiry; `mg`.
    Get,
    /// SET; `ms`.
    Set,
    /// ADD; `ms ME`.
    Add,
    /// REPLACE; `ms MR`.
    Replace,
    /// APPEND; `ms MA`.
    Append,
    /// PREPEND; `ms MP`.
    Prepend,
    /// DELETE; `md`.
    Delete,
    /// `md I`: the value stays, marked as stale.
    Invalidate,
    /// INCREMENT; `ma`.
    Incr,
    /// DECREMENT; `ma MD`.
    Decr,
    /// TOUCH; `mg T`.
    Touch,
    /// FLUSH; `flush_all`.
    Flush,
    /// VERSION; `version`.
    Version,
    /// NOOP; `mn`. Ends batches of quiet requests.
    Fence,
}

impl Verb {
    /// Whether silence has one meaning only: a read has found nothing, or a write succeeded. For other
    /// requests memcached leaves out replies that callers need, and not the same ones in all versions.
    pub fn can_be_quiet(self) -> bool {
        use Verb::*;
        matches!(self, Get | Set | Add | Replace | Append | Prepend)
    }
}

/// A request. Parts that a verb does not use have their defaults.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub verb: Verb,
    pub key: Bytes,
    pub value: Bytes,
    pub flags: u32,
    /// The expiry in memcached's seconds, see [`seconds`]. `None`: never, or unchanged.
    pub expiry: Option<u32>,
    /// The required CAS; 0: any.
    pub cas: u64,
    /// Incr, Decr: by how much.
    pub delta: u64,
    /// Incr, Decr: the value of a key that is not there; `None`: it stays so.
    pub initial: Option<u64>,
    /// Get: a key that is not there is made empty with this expiry, for one caller to fill.
    pub vivify: Option<u32>,
    /// For a get: one caller is asked to renew a value that expires in less than this.
    pub recache: Option<u32>,
    /// The error for an option that contradicts the verb; nothing is sent.
    pub wrong: Option<&'static str>,
}

impl Request {
    pub fn new(verb: Verb, key: impl AsRef<[u8]>) -> Self {
        Request {
            verb,
            key: Bytes::copy_from_slice(key.as_ref()),
            value: Bytes::new(),
            flags: 0,
            expiry: None,
            cas: 0,
            delta: 0,
            initial: None,
            vivify: None,
            recache: None,
            wrong: None,
        }
    }

    /// The request's place on a ring of servers.
    pub fn place(&self) -> u64 {
        if self.has_key() { key::place(&self.key) } else { 0 }
    }

    /// Whether the request has a key, by which its server is chosen.
    pub fn has_key(&self) -> bool {
        !matches!(self.verb, Verb::Flush | Verb::Version | Verb::Fence)
    }

    /// Whether executing the request twice has the same effect and the same reply as once.
    pub fn may_repeat(&self) -> bool {
        match self.verb {
            Verb::Get => self.vivify.is_none() && self.recache.is_none(),
            Verb::Set => self.cas == 0,
            Verb::Touch | Verb::Flush | Verb::Version | Verb::Fence => true,
            _ => false,
        }
    }

    /// # Errors
    /// An option contradicts the verb.
    pub fn check(&self) -> Result<(), Error> {
        self.wrong.map_or(Ok(()), |why| Err(Error::Unsupported(why)))
    }
}

/// "Up to 2592000 (30 days) relative seconds; larger = Unix time."
const LONGEST_RELATIVE: u64 = 30 * 24 * 60 * 60;

/// An expiry in memcached's form: whole seconds, rounded up, minimum 1, since 0 means never.
pub(crate) fn seconds(time: Duration, now: SystemTime) -> u32 {
    let rounded = time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0)).max(1);
    let told = if rounded <= LONGEST_RELATIVE {
        rounded
    } else {
        let unix = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        unix.saturating_add(rounded)
    };
    // memcached reads it as a signed number of 32 bits; what is negative has expired.
    u32::try_from(told).unwrap_or(u32::MAX).min(i32::MAX as u32)
}

/// The expiry by the system's clock.
pub(crate) fn expiry(time: Duration) -> u32 {
    seconds(time, SystemTime::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expiry_of_more_than_thirty_days_is_a_time_of_day() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        for (time, told) in [
            (Duration::ZERO, 1),
            (Duration::from_millis(1), 1),
            (Duration::from_millis(1001), 2),
            (Duration::from_secs(2_592_000), 2_592_000),
            (Duration::from_secs(2_592_001), 1_702_592_001),
            (Duration::MAX, i32::MAX as u32),
        ] {
            assert_eq!(seconds(time, now), told, "{time:?}");
        }
    }
}
