//! Whether clusters have TLS of their own.

/// What a channel with a router does with the [TLS of clusters](polywire_routing::ClusterTls), which its
/// router tells of. The channel's own is that of `Builder::tls`.
///
/// | | the cluster has TLS | it has none |
/// | --- | --- | --- |
/// | [`WithoutOwn`](UseClusterTls::WithoutOwn) | the channel's own if it has one, else the cluster's | the channel's own, else none |
/// | [`Preferred`](UseClusterTls::Preferred) | the cluster's | the channel's own, else none |
/// | [`Required`](UseClusterTls::Required) | the cluster's | its servers are not connected to |
/// | [`Ignored`](UseClusterTls::Ignored) | the channel's own, else none | the channel's own, else none |
///
/// TLS that cannot be had, since its files cannot be read for example, is never replaced by another one or by
/// none: the servers are not connected to until it can.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum UseClusterTls {
    /// What the user of the channel says of TLS holds, and what the router says if the user says nothing.
    #[default]
    WithoutOwn,
    /// As gRPC's xDS credentials, with the channel's own as what they fall back to.
    Preferred,
    /// No server is connected to without TLS of its cluster, whatever the router says.
    Required,
    /// As gRPC's channels that have no xDS credentials.
    Ignored,
}
