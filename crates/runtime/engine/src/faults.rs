//! Counts the faults of the connections of a server or a channel, by cause.
//!
//! Each counter belongs to a limit or a kind of bad input; docs/limits.md has the table. Only paths that end
//! a connection or refuse a request count here, so plain atomics are fast enough.

use polywire_wire::{Denied, Flood, WireError};
use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// The reason why a connection ended with an error or a request was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
#[non_exhaustive]
pub enum Fault {
    /// The first bytes belong to no protocol that is allowed here.
    UnknownProtocol,
    /// The peer sent bytes that break the protocol.
    Malformed,
    /// A message is longer than the connection accepts.
    TooLarge,
    /// The peer sent more than the flow-control window allows.
    FlowControl,
    /// The stream ended within a message.
    Truncated,
    /// The transport failed: a reset or a timeout.
    Reset,
    /// No protocol was recognised within `Timeouts::first_bytes`.
    FirstBytes,
    /// A message that had begun was not complete within `Timeouts::message`.
    Message,
    /// Nothing was read or written for `Timeouts::idle`.
    Idle,
    /// The peer read none of the bytes that waited for it within `Timeouts::write_stall`.
    WriteStall,
    /// The connection held more than others while the server's budget of memory was nearly spent.
    Memory,
    /// A request was longer than its method accepts and was refused by a reply; the connection continues.
    LongRequest,
    /// A call came from a browser page whose origin is not allowed; the connection continues.
    ForeignPage,
    /// A call came from a browser page under a host name that is not known to be the server's; the connection
    /// continues.
    UnknownHost,
    /// A peer of a network that may not connect: `Server::peers`.
    ForeignNetwork,
    /// A peer or a request was not let in: its credential was refused, or it showed none.
    Unauthenticated,
    /// The authenticator or a guard had not decided within `Timeouts::authentication`.
    AuthenticationLate,
    /// A peer or a request was not admitted because no decision was possible: the authenticator or a guard
    /// reported that, or panicked.
    AuthenticationFailed,
    /// A reply that its peer does not read was dropped beyond `Patience::queued` or after `Patience::stall`;
    /// the connection continues.
    UntakenReply,
    /// A request was refused or had to wait because its peer does not read replies or has too many streams;
    /// the connection continues.
    CrowdedRequest,
    /// A client's call was refused because too many bytes were unsent or too many calls were waiting; the
    /// connection continues.
    Overcrowded,
    /// The peer reset more streams than `Patience::resets` allows.
    RapidResets,
    /// The peer made more mistakes than `Patience::mistakes` allows.
    Mistakes,
    /// The peer sent more control frames than `Patience::controls` allows.
    Controls,
    /// The peer left more control bytes unread than `Patience::unread` allows.
    Unread,
    /// A header block exceeded `Limits::head` and could not be refused on its own.
    Heads,
    /// The peer sent more pings than `Keepalive::strikes` allows.
    Pings,
    /// The peer did not answer in time: `Patience::settings` or `Keepalive::within` passed.
    Silent,
    /// TLS: the handshake failed, because the bytes are not TLS, the two ends have nothing in common, or the
    /// peer sent an alert.
    TlsHandshake,
    /// TLS: `Timeouts::first_bytes` passed within a handshake.
    TlsHandshakeLate,
    /// TLS: the peer showed no certificate, or none that is accepted.
    TlsCertificate,
    /// TLS: after the handshake, the peer sent bytes that are not a valid record, or an alert.
    TlsRecord,
    /// TLS: the stream ended without a close_notify while something was under way.
    TlsTruncated,
    /// The peer sent plain bytes where only TLS is accepted.
    NotTls,
    /// TLS: changed certificate files cannot be used; the old certificates stay in use.
    TlsReload,
}

impl Fault {
    /// All faults, in the order of their counters.
    pub const ALL: [Fault; 35] = [
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
        Fault::Memory,
        Fault::LongRequest,
        Fault::ForeignPage,
        Fault::UnknownHost,
        Fault::ForeignNetwork,
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

    /// Name of the fault's counter.
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
            Fault::Memory => "fault_memory",
            Fault::LongRequest => "fault_long_request",
            Fault::ForeignPage => "fault_foreign_page",
            Fault::UnknownHost => "fault_unknown_host",
            Fault::ForeignNetwork => "fault_foreign_network",
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

    /// Whether a peer that keeps to a protocol of the server, and has a credential, never makes it.
    pub fn is_bad_input(self) -> bool {
        match self {
            Fault::UnknownProtocol
            | Fault::Malformed
            | Fault::TooLarge
            | Fault::FlowControl
            | Fault::FirstBytes
            | Fault::Message
            | Fault::LongRequest
            | Fault::ForeignPage
            | Fault::UnknownHost
            | Fault::ForeignNetwork
            | Fault::Unauthenticated
            | Fault::RapidResets
            | Fault::Mistakes
            | Fault::Controls
            | Fault::Unread
            | Fault::Heads
            | Fault::Pings
            | Fault::TlsHandshake
            | Fault::TlsCertificate
            | Fault::TlsRecord
            | Fault::NotTls => true,
            Fault::Truncated
            | Fault::Reset
            | Fault::Idle
            | Fault::WriteStall
            | Fault::Memory
            | Fault::AuthenticationLate
            | Fault::AuthenticationFailed
            | Fault::UntakenReply
            | Fault::CrowdedRequest
            | Fault::Overcrowded
            | Fault::Silent
            | Fault::TlsHandshakeLate
            | Fault::TlsTruncated
            | Fault::TlsReload => false,
        }
    }

    /// The fault's name without the word that all of them begin with: `malformed`.
    pub fn cause(self) -> &'static str {
        self.name().trim_start_matches("fault_")
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

/// One counter for each [`Fault`]. Formatted with `{:?}`, it lists the counters above zero, by name.
pub struct Faults {
    /// Indexed by [`Fault`]. Written by connections, read by anyone.
    counts: [AtomicU64; Fault::ALL.len()],
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Faults ")?;
        f.debug_map().entries(self.iter().filter(|(_, count)| *count > 0)).finish()
    }
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

    /// Names and values of all counters, for pages and metrics.
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
        assert_eq!(counted, (1..=Fault::ALL.len() as u64).collect::<Vec<_>>());
        let mut names: Vec<_> = faults.iter().map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), Fault::ALL.len());
    }

    #[test]
    fn the_text_has_what_was_counted() {
        let faults = Faults::default();
        assert_eq!(format!("{faults:?}"), "Faults {}");
        faults.add(Fault::Mistakes);
        assert_eq!(format!("{faults:?}"), format!("Faults {{{:?}: 1}}", Fault::Mistakes.name()));
    }
}
