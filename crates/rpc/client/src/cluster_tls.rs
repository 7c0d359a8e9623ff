//! Whether clusters have TLS of their own.

/// How a channel with a router uses the [TLS of clusters](polywire_routing::ClusterTls) that its router
/// provides. The channel's own TLS is set by `Builder::tls`.
///
/// | | the cluster has TLS | it has none |
/// | --- | --- | --- |
/// | [`WithoutOwn`](UseClusterTls::WithoutOwn) | the channel's own if it has one, else the cluster's | the channel's own, else none |
/// | [`Preferred`](UseClusterTls::Preferred) | the cluster's | the channel's own, else none |
/// | [`Required`](UseClusterTls::Required) | the cluster's | its servers are not connected to |
/// | [`Ignored`](UseClusterTls::Ignored) | the channel's own, else none | the channel's own, else none |
///
/// When TLS cannot be set up, for example since its files cannot be read, the channel never falls back to
/// other TLS or to plain text: it connects to those servers only once TLS works.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum UseClusterTls {
    /// The channel's own TLS, if it is set, and otherwise the router's.
    #[default]
    WithoutOwn,
    /// The router's TLS, with the channel's own as the fallback, as with gRPC's xDS credentials.
    Preferred,
    /// The channel connects to no server without TLS of its cluster, whatever the router's settings.
    Required,
    /// Only the channel's own TLS, as in gRPC channels without xDS credentials.
    Ignored,
}
