//! The answers of DNS, in the form that this source uses.

use std::{fmt, future::Future, net::IpAddr, pin::Pin, time::Duration};

/// Records, and how long they may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer<T> {
    pub records: Vec<T>,
    pub ttl: Duration,
}

/// An SRV record (RFC 2782), with the addresses of its target that were in the same answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Service {
    pub priority: u16,
    pub weight: u16,
    pub port: u16,
    /// `.`: there is no such service.
    pub target: String,
    pub addresses: Vec<IpAddr>,
}

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// NXDOMAIN: the name does not exist.
    NoSuchName,
    /// The name exists, but has no records of this kind.
    NoRecords,
    /// Another code of a DNS server, such as SERVFAIL or REFUSED.
    Refused(String),
    /// No DNS server has answered in time.
    Timeout,
    Other(String),
}

impl Failure {
    /// Whether DNS has answered that there are no records.
    pub fn is_certain(&self) -> bool {
        matches!(self, Failure::NoSuchName | Failure::NoRecords)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoSuchName => f.write_str("there is no such name (NXDOMAIN)"),
            Failure::NoRecords => f.write_str("the name has no records of this kind"),
            Failure::Refused(code) => write!(f, "the DNS server could not answer: {code}"),
            Failure::Timeout => f.write_str("no DNS server has answered in time"),
            Failure::Other(text) => f.write_str(text),
        }
    }
}

pub(super) type Asked<T> = Pin<Box<dyn Future<Output = Result<Answer<T>, Failure>> + Send>>;

/// Sends DNS queries; tests use one without a network.
pub(super) trait Resolver: Send + Sync {
    /// The addresses that A records of a name have.
    fn v4(&self, name: &str) -> Asked<IpAddr>;
    /// The addresses that AAAA records of a name have.
    fn v6(&self, name: &str) -> Asked<IpAddr>;
    /// The servers that SRV records of a name have, with port, priority and weight.
    fn services(&self, name: &str) -> Asked<Service>;
}
