//! PINGs of both sides.
//!
//! Ours ask three things, distinguished by their payloads: whether the peer is there (`ALIVE`), how long the way is (`BDP`),
//! and whether it has heard of our GOAWAY (`DRAIN`). Those of a client are answered, and counted where they come too often.
//!
//! Source: docs/wire/grpc.md sections 1 and 2 ("Keepalive"); RFC 9113 6.7

use super::{error::Fault, frame::ping::Payload};
use polywire_wire::{Flood, Keepalive};
use std::time::Instant;

pub(super) const ALIVE: Payload = *b"pw:alive";
pub(super) const BDP: Payload = *b"pw:speed";
pub(super) const DRAIN: Payload = *b"pw:drain";

pub(super) struct Pings {
    /// When the last frame came.
    heard: Option<Instant>,
    /// The peer's last PING.
    last: Option<Instant>,
    strikes: u32,
    /// HEADERS or DATA have been sent since the peer's last PING.
    said: bool,
}

impl Pings {
    pub fn new() -> Self {
        Pings { heard: None, last: None, strikes: 0, said: false }
    }

    #[inline]
    pub fn heard(&mut self, now: Instant) {
        self.heard = Some(now);
    }

    pub fn last_heard(&self) -> Option<Instant> {
        self.heard
    }

    /// "Strikes reset when the server sends HEADERS or DATA."
    #[inline]
    pub fn said(&mut self) {
        self.said = true;
    }

    /// Server: the client asks. "More than 2 strikes: GOAWAY ENHANCE_YOUR_CALM with debug text `too_many_pings`."
    /// `idle`: no exchange is open.
    pub fn asked(&mut self, now: Instant, rules: &Keepalive, idle: bool) -> Result<(), Fault> {
        let least = if idle { rules.least_idle } else { rules.least };
        let soon = self.last.is_some_and(|last| now.saturating_duration_since(last) < least);
        if std::mem::take(&mut self.said) {
            self.strikes = 0;
        } else if soon {
            self.strikes += 1;
        }
        self.last = Some(now);
        if self.strikes > rules.strikes {
            return Err(Fault::Flood(Flood::Pings, "too_many_pings"));
        }
        Ok(())
    }
}
