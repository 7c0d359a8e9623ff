//! PINGs of both sides.
//!
//! This side sends PINGs for three purposes, distinguished by their payloads: to check that the peer is alive
//! (`ALIVE`), to measure the bandwidth-delay product (`BDP`), and to learn that the peer has received our
//! GOAWAY (`DRAIN`). PINGs of a client are answered, and counted against it if they come too often.
//!
//! Source: docs/wire/grpc.md sections 1 and 2 ("Keepalive"); RFC 9113 6.7

use super::{error::Fault, frame::ping::Payload};
use polywire_wire::{Flood, Keepalive};
use std::time::Instant;

pub(super) const ALIVE: Payload = *b"pw:alive";
pub(super) const BDP: Payload = *b"pw:speed";
pub(super) const DRAIN: Payload = *b"pw:drain";

pub(super) struct Pings {
    /// When the last frame arrived.
    last_frame: Option<Instant>,
    /// When the peer's last PING arrived.
    last: Option<Instant>,
    strikes: u32,
    /// Whether HEADERS or DATA have been sent since the peer's last PING.
    sent_since: bool,
}

impl Pings {
    pub fn new() -> Self {
        Pings { last_frame: None, last: None, strikes: 0, sent_since: false }
    }

    #[inline]
    pub fn on_frame(&mut self, now: Instant) {
        self.last_frame = Some(now);
    }

    pub fn last_frame(&self) -> Option<Instant> {
        self.last_frame
    }

    /// "Strikes reset when the server sends HEADERS or DATA."
    #[inline]
    pub fn on_headers_or_data(&mut self) {
        self.sent_since = true;
    }

    /// Server: handles a client's PING. "More than 2 strikes: GOAWAY ENHANCE_YOUR_CALM with debug text
    /// `too_many_pings`." `idle`: no exchange is open.
    pub fn on_ping(&mut self, now: Instant, rules: &Keepalive, idle: bool) -> Result<(), Fault> {
        let least = if idle { rules.least_idle } else { rules.least };
        let since = self.last.map(|last| now.saturating_duration_since(last));
        let soon = since.zip(least).is_some_and(|(since, least)| since < least);
        if std::mem::take(&mut self.sent_since) {
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
