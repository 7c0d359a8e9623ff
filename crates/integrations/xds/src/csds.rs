//! `envoy.service.status.v3.ClientStatusDiscoveryService`: the state of this process's xDS clients. gRFC A40.
//!
//! Every client answers for itself, where it runs: a request is handed to each, and their answers are put
//! together.

use crate::{
    ads::Shown,
    core::Core,
    messages::envoy::{
        admin::v3::{ClientResourceStatus, UpdateFailureState},
        service::status::v3::{
            ClientConfig, ClientStatusRequest, ClientStatusResponse, DESCRIPTOR_SET,
            client_config::GenericXdsConfig,
        },
    },
};
use polywire_call::{Reply, Status};
use polywire_formats::wkt::Timestamp;
use polywire_server::{BidiStreaming, Context, Service, Unary};
use polywire_streams::{Stream, Streaming, stream};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, timeout_at},
};

/// How long a report waits for clients; busier clients are left out.
const WITHIN: Duration = Duration::from_millis(500);
/// The maximum number of requests that a client has not answered yet.
const WAITING: usize = 16;

/// A request for the state of a client.
pub(crate) struct Asked {
    contents: bool,
    answer: oneshot::Sender<ClientConfig>,
}

/// The clients of this process, for all of its channels.
static CLIENTS: Mutex<Vec<mpsc::Sender<Asked>>> = Mutex::new(Vec::new());

/// A client from now on, until the other end is dropped.
pub(crate) fn joined() -> mpsc::Receiver<Asked> {
    let (sender, asked) = mpsc::channel(WAITING);
    let mut clients = CLIENTS.lock().unwrap_or_else(PoisonError::into_inner);
    clients.retain(|client| !client.is_closed());
    clients.push(sender);
    asked
}

impl Asked {
    /// `began`: when the core's clock began.
    pub fn answer(self, core: &Core, target: &str, began: SystemTime) {
        let _ = self.answer.send(config(core, target, began, self.contents));
    }
}

fn config(core: &Core, target: &str, began: SystemTime, contents: bool) -> ClientConfig {
    let time = |at: Duration| Timestamp::from(began + at);
    let configs = core.shown().map(|(kind, name, shown)| {
        let mut config = GenericXdsConfig {
            type_url: kind.type_url().to_owned(),
            name: name.to_owned(),
            ..GenericXdsConfig::default()
        };
        let (status, good, rejected) = match shown {
            Shown::Requested => (ClientResourceStatus::REQUESTED, None, None),
            Shown::DoesNotExist => (ClientResourceStatus::DOES_NOT_EXIST, None, None),
            Shown::Acked { version, wire, at } => {
                (ClientResourceStatus::ACKED, Some((version, wire, at)), None)
            }
            Shown::Nacked { good, rejected } => (ClientResourceStatus::NACKED, good, Some(rejected)),
        };
        config.client_status = status.into();
        if let Some((version, wire, at)) = good {
            config.version_info = version.to_owned();
            config.last_updated = time(at).into();
            config.xds_config = contents.then(|| wire.clone()).into();
        }
        if let Some(rejected) = rejected {
            let state = UpdateFailureState {
                failed_configuration: contents.then(|| rejected.wire.clone()).into(),
                last_update_attempt: time(rejected.at).into(),
                details: rejected.why.clone(),
                version_info: rejected.version.clone(),
            };
            config.error_state = state.into();
        }
        config
    });
    ClientConfig {
        generic_xds_configs: configs.collect(),
        node: core.node().into(),
        client_scope: target.to_owned(),
    }
}

/// The service, for a server of this process: the resources that its channels to xDS targets have requested,
/// and the state of each. It shows the addresses of servers and their configuration: restrict who can reach
/// it.
pub fn service() -> Service {
    let none = Arc::new(Clients);
    Service::new("envoy.service.status.v3.ClientStatusDiscoveryService", DESCRIPTOR_SET)
        .unary::<Fetch>(&none)
        .bidi_streaming::<Follow>(&none)
}

struct Clients;

async fn status(request: &ClientStatusRequest) -> Result<ClientStatusResponse, Status> {
    if !request.node_matchers.is_empty() {
        return Err(Status::invalid_argument("node_matchers are not supported"));
    }
    Ok(known(!request.exclude_resource_contents).await)
}

/// The state of all clients; `contents`: with their resources.
pub(crate) async fn known(contents: bool) -> ClientStatusResponse {
    let clients = CLIENTS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let asked = clients.iter().filter_map(|client| {
        let (answer, answered) = oneshot::channel();
        client.try_send(Asked { contents, answer }).is_ok().then_some(answered)
    });
    let asked: Vec<_> = asked.collect();
    let over = Instant::now() + WITHIN;
    let mut response = ClientStatusResponse::default();
    for answered in asked {
        if let Ok(Ok(config)) = timeout_at(over, answered).await {
            response.config.push(config);
        }
    }
    response
}

struct Fetch;
impl Unary for Fetch {
    type Service = Clients;
    type Request = ClientStatusRequest;
    type Response = ClientStatusResponse;
    const NAME: &'static str = "FetchClientStatus";
    async fn call(
        _: &Clients,
        _: &Context,
        request: ClientStatusRequest,
    ) -> Result<Reply<ClientStatusResponse>, Status> {
        status(&request).await.map(Reply::new)
    }
}

/// An answer for each request.
struct Follow;
impl BidiStreaming for Follow {
    type Service = Clients;
    type Request = ClientStatusRequest;
    type Response = ClientStatusResponse;
    const NAME: &'static str = "StreamClientStatus";
    async fn call(
        _: &Clients,
        cx: &Context,
        mut requests: Streaming<ClientStatusRequest>,
    ) -> Result<impl Stream<Item = Result<ClientStatusResponse, Status>> + Send, Status> {
        let (sender, answers) = stream(1);
        cx.spawn(async move {
            while let Some(request) = requests.next().await.transpose()? {
                sender.send(status(&request).await?).await?;
            }
            Ok(())
        });
        Ok(answers)
    }
}
