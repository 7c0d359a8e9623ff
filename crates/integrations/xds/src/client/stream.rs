//! One stream to a control plane.

use crate::{
    bootstrap::{ControlPlane, Credentials},
    messages::envoy::service::discovery::v3::{DiscoveryRequest, DiscoveryResponse},
};
use polywire_call::{ConfigError, Status};
use polywire_client::{Builder, Channel, ClientTls, Duplex, NoProtocols, Resilience, Target, stub};
use polywire_protocols::http;
use polywire_wire::{Keepalive, Limits};
use std::{
    fmt,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinSet},
};

/// The longest response, bytes.
const LONGEST_RESPONSE: u32 = 64 << 20;
/// Shorter than the time within which a resource must arrive, so that an unreachable control plane is
/// distinguished from one without the resource.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The interval of PINGs, since a control plane is silent while nothing changes.
const PING_EVERY: Duration = Duration::from_secs(300);
const PING_WITHIN: Duration = Duration::from_secs(20);
/// The maximum number of requests that a control plane has not read.
const UNREAD: usize = 64;

/// An event from outside of the core.
pub(super) enum Event {
    Response { plane: usize, stream: u64, response: DiscoveryResponse },
    Ended { plane: usize, stream: u64, why: String },
    Addresses { name: String, found: Result<Vec<SocketAddr>, String> },
}

/// The function that opens streams.
#[derive(Clone)]
pub(super) struct Open(pub(super) Arc<dyn Fn(Builder) -> Builder + Send + Sync>);

/// A stream that was opened; dropping it ends it.
pub(super) struct Stream {
    id: u64,
    requests: mpsc::Sender<DiscoveryRequest>,
    task: AbortHandle,
}

impl Open {
    /// Events are delivered one at a time: the next response is read once the previous event was taken.
    pub fn open(
        &self,
        plane: usize,
        server: &ControlPlane,
        events: mpsc::Sender<Event>,
        tasks: &mut JoinSet<()>,
    ) -> Result<Stream, ConfigError> {
        static IDS: AtomicU64 = AtomicU64::new(0);
        let id = IDS.fetch_add(1, Relaxed);
        let channel = self.channel(server)?;
        let (requests, to_write) = mpsc::channel(UNREAD);
        let task = tasks.spawn(async move {
            let why = match exchange(&channel, to_write, plane, id, &events).await {
                Ok(()) => "it has ended the stream".to_owned(),
                Err(status) => format!("{}: {}", status.code(), status.message()),
            };
            let _ = events.send(Event::Ended { plane, stream: id, why }).await;
        });
        Ok(Stream { id, requests, task })
    }

    /// The channel to a control plane. Files of certificates are read again each time.
    fn channel(&self, server: &ControlPlane) -> Result<Channel, ConfigError> {
        let builder =
            Channel::<NoProtocols>::builder(address(&server.uri)).protocol_set(polywire_protocols::builtin());
        let keepalive = Keepalive::default().every(PING_EVERY).within(PING_WITHIN);
        let limits = Limits::default().max_message(LONGEST_RESPONSE).keepalive(keepalive);
        let mut builder = (self.0)(builder)
            .protocol(http::GRPC.name)
            .resilience(Resilience::default().retries(0))
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(None)
            .limits(limits);
        if let Credentials::Tls(files) = &server.credentials {
            let mut tls = ClientTls::new();
            if let Some(roots) = &files.roots {
                tls = tls.ca_file(roots);
            }
            if let Some((certificate, key)) = &files.identity {
                tls = tls.certificate_files(certificate, key);
            }
            builder = builder.tls(tls);
        }
        Ok(builder.build()?)
    }
}

impl Default for Open {
    fn default() -> Self {
        Open(Arc::new(|builder| builder))
    }
}

impl fmt::Debug for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Open")
    }
}

impl Stream {
    pub fn id(&self) -> u64 {
        self.id
    }

    /// # Errors
    /// Too many were not written.
    pub fn send(&self, request: DiscoveryRequest) -> Result<(), ()> {
        self.requests.try_send(request).map_err(|_| ())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn exchange(
    channel: &Channel,
    mut requests: mpsc::Receiver<DiscoveryRequest>,
    plane: usize,
    stream: u64,
    events: &mpsc::Sender<Event>,
) -> Result<(), Status> {
    let method =
        Target::fixed("envoy.service.discovery.v3.AggregatedDiscoveryService", "StreamAggregatedResources");
    let duplex: Duplex<DiscoveryRequest, DiscoveryResponse> =
        stub::streaming::<_, Duplex<_, _>>(channel, method).await?;
    let (mut outgoing, mut incoming) = duplex.split();
    let write = async {
        while let Some(request) = requests.recv().await {
            // Why it failed is said by the other half.
            if outgoing.send(request).await.is_err() {
                break;
            }
        }
        std::future::pending().await
    };
    let read = async {
        while let Some(response) = incoming.next().await {
            let response = response?;
            if events.send(Event::Response { plane, stream, response }).await.is_err() {
                break;
            }
        }
        Ok(())
    };
    tokio::select! {
        ended = read => ended,
        never = write => never,
    }
}

/// The address of a target in gRPC's form, without a scheme that only marks it as an address.
fn address(uri: &str) -> &str {
    let schemes = ["dns:///", "passthrough:///", "dns:", "ipv4:", "ipv6:"];
    schemes.iter().find_map(|scheme| uri.strip_prefix(scheme)).unwrap_or(uri)
}
