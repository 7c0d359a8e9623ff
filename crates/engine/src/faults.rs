//! What went wrong with the connections of a server or a channel, counted by cause.
//!
//! Each counter belongs to a limit or a kind of bad input; docs/limits.md has the table. Only paths that end a connection
//! count here, so plain atomics do.

use polywire_wire::{Denied, Flood, WireError};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Fault {
    /// First bytes that belong to no protocol that is allowed here.
    UnknownProtocol,
    /// Bytes that break the protocol.
    Malformed,
    /// A message longer than the connection can bear.
    TooLarge,
    /// More than the window allows.
    FlowControl,
    /// The stream ended within a message.
    Truncated,
    /// The transport failed: reset, timed out.
    Reset,
    /// `Timeouts::first_bytes`.
    FirstBytes,
    /// `Timeouts::message`.
    Message,
    /// `Timeouts::idle`.
    Idle,
    /// `Timeouts::write_stall`.
    WriteStall,
    /// A request longer than its method takes, refused in the protocol's words; the connection lives.
    LongRequest,
    /// A page in a browser called whose origin may not; the connection lives.
    ForeignPage,
    /// A page in a browser called under a host name that is not known to be the server's; the connection lives.
    UnknownHost,
    /// A peer or a request that was not let in: its credential was refused, or none was shown.
    Unauthenticated,
    /// `Timeouts::authentication`.
    AuthenticationLate,
    /// Nobody could decide about a peer or a request, which was not let in: the authenticator or a guard said so, or panicked.
    AuthenticationFailed,
    /// A reply that its peer does not take, given up beyond `Patience::queued` or after `Patience::stall`; the connection
    /// lives.
    UntakenReply,
    /// A request that was refused or had to wait, since its peer takes no replies or has too many streams; the connection
    /// lives.
    CrowdedRequest,
    /// Calls of a client that found too many bytes unsent, or too many calls waiting; the connection lives.
    Overcrowded,
    /// `Patience::resets`.
    RapidResets,
    /// `Patience::mistakes`.
    Mistakes,
    /// `Patience::controls`.
    Controls,
    /// `Patience::unread`.
    Unread,
    /// `Limits::head`, where the head cannot be refused alone.
    Heads,
    /// `Keepalive::strikes`.
    Pings,
    /// `Patience::settings`, `Keepalive::within`.
    Silent,
    /// TLS: a handshake that failed: bytes that are none, nothing in common, an alert of the peer.
    TlsHandshake,
    /// TLS: `Timeouts::first_bytes` passed within a handshake.
    TlsHandshakeLate,
    /// TLS: the peer showed no certificate, or none that is accepted.
    TlsCertificate,
    /// TLS: after the handshake, bytes that are no record of the peer's, or an alert.
    TlsRecord,
    /// TLS: the stream ended without a close_notify: cut off, or a careless peer.
    TlsTruncated,
    /// Plain bytes where only TLS is taken.
    NotTls,
    /// TLS: changed certificate files that cannot be used; the old ones stay.
    TlsReload,
}

impl Fault {
    /// All, in the order of their counters.
    pub const ALL: [Fault; 33] = [
        Fault::UnknownProtocol,
        Fault::Malformed,
        Fault::TooLarge,
        Fault::FlowControl,
        Fault::Truncated,
        Fault::Reset,
        Fault::FirstBytes,
        Fault::Message,
        Fault::Idle,
        Fault::WriteStall,
        Fault::LongRequest,
        Fault::ForeignPage,
        Fault::UnknownHost,
        Fault::Unauthenticated,
        Fault::AuthenticationLate,
        Fault::AuthenticationFailed,
        Fault::UntakenReply,
        Fault::CrowdedRequest,
        Fault::Overcrowded,
        Fault::RapidResets,
        Fault::Mistakes,
        Fault::Controls,
        Fault::Unread,
        Fault::Heads,
        Fault::Pings,
        Fault::Silent,
        Fault::TlsHandshake,
        Fault::TlsHandshakeLate,
        Fault::TlsCertificate,
        Fault::TlsRecord,
        Fault::TlsTruncated,
        Fault::NotTls,
        Fault::TlsReload,
    ];

    /// Name of its counter.
    pub fn name(self) -> &'static str {
        match self {
            Fault::UnknownProtocol => "fault_unknown_protocol",
            Fault::Malformed => "fault_malformed",
            Fault::TooLarge => "fault_too_large",
            Fault::FlowControl => "fault_flow_control",
            Fault::Truncated => "fault_truncated",
            Fault::Reset => "fault_reset",
            Fault::FirstBytes => "fault_first_bytes_late",
            Fault::Message => "fault_message_late",
            Fault::Idle => "fault_idle",
            Fault::WriteStall => "fault_write_stall",
            Fault::LongRequest => "fault_long_request",
            Fault::ForeignPage => "fault_foreign_page",
            Fault::UnknownHost => "fault_unknown_host",
            Fault::Unauthenticated => "fault_unauthenticated",
            Fault::AuthenticationLate => "fault_authentication_late",
            Fault::AuthenticationFailed => "fault_authentication_failed",
            Fault::UntakenReply => "fault_untaken_reply",
            Fault::CrowdedRequest => "fault_crowded_request",
            Fault::Overcrowded => "fault_overcrowded",
            Fault::RapidResets => "fault_rapid_resets",
            Fault::Mistakes => "fault_mistakes",
            Fault::Controls => "fault_control_frames",
            Fault::Unread => "fault_unread_answers",
            Fault::Heads => "fault_endless_head",
            Fault::Pings => "fault_too_many_pings",
            Fault::Silent => "fault_silent",
            Fault::TlsHandshake => "fault_tls_handshake",
            Fault::TlsHandshakeLate => "fault_tls_handshake_late",
            Fault::TlsCertificate => "fault_tls_certificate",
            Fault::TlsRecord => "fault_tls_record",
            Fault::TlsTruncated => "fault_tls_truncated",
            Fault::NotTls => "fault_not_tls",
            Fault::TlsReload => "fault_tls_reload",
        }
    }
}

impl From<&WireError> for Fault {
    fn from(error: &WireError) -> Fault {
        match error {
            WireError::BadMagic | WireError::Malformed(_) => Fault::Malformed,
            WireError::TooLarge => Fault::TooLarge,
            WireError::FlowControl => Fault::FlowControl,
            WireError::Flood(Flood::Resets) => Fault::RapidResets,
            WireError::Flood(Flood::Mistakes) => Fault::Mistakes,
            WireError::Flood(Flood::Controls) => Fault::Controls,
            WireError::Flood(Flood::Unread) => Fault::Unread,
            WireError::Flood(Flood::Heads) => Fault::Heads,
            WireError::Flood(Flood::Pings) => Fault::Pings,
            WireError::Silent => Fault::Silent,
        }
    }
}

impl From<Denied> for Fault {
    fn from(what: Denied) -> Fault {
        match what {
            Denied::Reply => Fault::UntakenReply,
            Denied::Request => Fault::CrowdedRequest,
            Denied::Credentials => Fault::Mistakes,
        }
    }
}

/// The counters.
#[derive(Debug)]
pub struct Faults {
    /// By [`Fault`]. Written by connections, read by whoever asks.
    counts: [AtomicU64; Fault::ALL.len()],
}

impl Default for Faults {
    fn default() -> Self {
        Faults { counts: [const { AtomicU64::new(0) }; Fault::ALL.len()] }
    }
}

impl Faults {
    #[cold]
    pub fn add(&self, fault: Fault) {
        self.counts[fault as usize].fetch_add(1, Relaxed);
    }

    pub fn count(&self, fault: Fault) -> u64 {
        self.counts[fault as usize].load(Relaxed)
    }

    /// Names and values, for pages and metrics.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Fault::ALL.into_iter().map(|fault| (fault.name(), self.count(fault)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_a_counter_of_its_own() {
        let faults = Faults::default();
        for (n, fault) in Fault::ALL.into_iter().enumerate() {
            assert_eq!(fault as usize, n);
            (0..=n).for_each(|_| faults.add(fault));
        }
        let counted: Vec<_> = faults.iter().map(|(_, count)| count).collect();
        assert_eq!(counted, (1..=33).collect::<Vec<_>>());
        let mut names: Vec<_> = faults.iter().map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), Fault::ALL.len());
    }
}
