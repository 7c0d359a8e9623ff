//! What all connections of a listener or a channel have in common.

use crate::{Faults, Timeouts, memory::Memory};
use polywire_wire::{Extensions, Limits, Protocol, ProtocolSet};
use std::sync::Arc;

/// Configuration that all connections of a listener or a channel share.
pub struct Config {
    /// The protocols that first bytes are matched against. A client names its protocol in
    /// [`Connection::client`](crate::Connection::client) instead.
    pub protocols: ProtocolSet,
    /// Whether a protocol of the set is allowed here.
    pub allowed: Box<dyn Fn(&Protocol) -> bool + Send + Sync>,
    pub limits: Limits,
    /// Server: the protocols over which no request is dispatched before a credential was accepted.
    pub authenticate: Authenticate,
    /// Settings that belong to single protocols.
    pub extensions: Extensions,
    /// Unsent bytes beyond which bulk data waits in its machine. Default 256 KiB.
    pub room: usize,
    /// Unsent bytes beyond which a server stops reading and a client takes no further calls (EOVERCROWDED).
    /// Default 64 MiB, brpc's `socket_max_unwritten_bytes`.
    pub overfull: usize,
    /// Time limits. On shards all of them apply; on other runtimes only `first_bytes` and `write_stall` do.
    pub timeouts: Timeouts,
    /// Whether peers send bytes as soon as they are connected, so that [`Timeouts::first_bytes`] counts from
    /// then on. Default false: common clients connect long before they call.
    pub at_once: bool,
    /// The memory that the connections of a server may hold; `None`: it is not counted.
    pub memory: Option<Arc<Memory>>,
    /// Counters of connections that ended badly and of requests that were refused.
    pub faults: Arc<Faults>,
}

/// The protocols over which a server authenticates its peers
/// ([`ServerSetup::authenticate`](polywire_wire::ServerSetup::authenticate)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Authenticate {
    None,
    /// Only over the protocols with these names.
    Over(Vec<&'static str>),
    All,
}

impl Authenticate {
    /// Whether peers that speak `protocol` must authenticate.
    pub fn is_required_over(&self, protocol: &Protocol) -> bool {
        match self {
            Authenticate::None => false,
            Authenticate::Over(names) => names.contains(&protocol.name),
            Authenticate::All => true,
        }
    }
}

impl Config {
    pub fn new(protocols: ProtocolSet) -> Self {
        Config {
            protocols,
            allowed: Box::new(|_| true),
            limits: Limits::default(),
            authenticate: Authenticate::None,
            extensions: Extensions::default(),
            room: 256 << 10,
            overfull: 64 << 20,
            timeouts: Timeouts::default(),
            at_once: false,
            memory: None,
            faults: Arc::default(),
        }
    }
}
