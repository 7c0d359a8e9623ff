//! PING and PONG: check that the peer is alive, and show the peer that this side is.
//!
//! ```text
//! PING   ttl u16 big-endian, tenths of a second | context, up to 16 bytes
//! PONG   the context
//! ```
//!
//! "Close if nothing at all arrives within the timeout after a PING, or within the TTL of the last PING
//! received. Any traffic counts." (docs/wire/zmtp.md, section 4)

use super::error::Fault;
use polywire_base::later;
use polywire_wire::Keepalive;
use std::time::{Duration, Instant};

/// The timers of one connection, once its handshake is over.
#[derive(Default)]
pub(super) struct Heartbeat {
    /// Interval of PINGs; `None`: none are sent.
    every: Option<Duration>,
    within: Duration,
    ttl: Duration,
    /// When the next PING is sent.
    next: Option<Instant>,
    /// The time by which bytes must have arrived, if a PING was sent.
    due: Option<Instant>,
    /// When the connection expires, by the time-to-live in the peer's last PING.
    expires: Option<Instant>,
}

/// The number of bytes of a PING's context that are sent back. "0 to 16 octets" (RFC 37); of longer ones
/// libzmq sends back the first 16.
const CONTEXT: usize = 16;

impl Heartbeat {
    /// `pings`: whether the peer knows PING (ZMTP 3.1).
    pub fn begin(keepalive: &Keepalive, ttl: Duration, pings: bool, now: Instant) -> Self {
        let every = keepalive.every.filter(|every| pings && !every.is_zero());
        Heartbeat {
            every,
            within: keepalive.within,
            ttl,
            next: every.map(|every| later(now, every)),
            due: None,
            expires: None,
        }
    }

    /// Notes that bytes of the peer have arrived.
    #[inline]
    pub fn on_received(&mut self) {
        self.due = None;
        self.expires = None;
    }

    /// Handles a PING of the peer; returns the context to answer with.
    pub fn ping<'p>(&mut self, data: &'p [u8], now: Instant) -> Result<&'p [u8], Fault> {
        let (ttl, context) = data.split_at_checked(2).ok_or(Fault::Command)?;
        let tenths = u16::from_be_bytes(ttl.try_into().expect("two bytes"));
        self.expires = (tenths > 0).then(|| now + Duration::from_millis(u64::from(tenths) * 100));
        Ok(&context[..context.len().min(CONTEXT)])
    }

    pub fn deadline(&self) -> Option<Instant> {
        [self.next, self.due, self.expires].into_iter().flatten().min()
    }

    /// Called when a deadline has passed. `deaf`: nothing is read now, so silence is ignored. Returns the TTL
    /// of the PING to send, if one is due.
    pub fn tick(&mut self, now: Instant, deaf: bool) -> Result<Option<u16>, Fault> {
        let passed = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if passed(self.due) || passed(self.expires) {
            if !deaf {
                return Err(Fault::Silent);
            }
            self.on_received();
        }
        let (true, Some(every)) = (passed(self.next), self.every) else { return Ok(None) };
        self.next = Some(later(now, every));
        self.due = self.due.or(Some(later(now, self.within)));
        Ok(Some(u16::try_from(self.ttl.as_millis() / 100).unwrap_or(u16::MAX)))
    }
}
