//! Settings of a server's machine, besides its limits.

/// Settings of a server's connections.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Whether a reply is sent as soon as it is ready. Default: replies are sent in the order of the calls,
    /// on which clients rely that do not compare seqids.
    pub any_order: bool,
}

/// Besides that, in the extensions of a server: requests carry the name of their method as a field
/// ([`METHOD_FIELD`](super::METHOD_FIELD)). For a service that takes all methods.
#[derive(Clone, Copy, Debug)]
pub struct Named;
