//! One check of a server.

use crate::{
    connection::{backoff::Patience, spec::ConnectSpec},
    health::{HealthCheck, Kind},
    pool::{Bounds, Exclusive, Pool, Post, Undelivered},
    servers::health::messages,
};
use polywire_base::IoBuf;
use polywire_call::{Code, ConfigError, Origin, Status};
use polywire_engine::clock;
use polywire_exchange::{Request, Sink, Source};
use polywire_wire::{
    Compression, Connections, Content, HttpVersion, Outcome, Protocol, ProtocolSet, Streams,
};
use std::{sync::Arc, time::Duration};

/// Bytes of an answer that are read; a `HealthCheckResponse` has two.
const LONGEST: usize = 1024;
/// Characters of a reason that are kept.
const MOST_TEXT: usize = 200;

/// The health check that the servers of a channel get, and its protocol.
pub(crate) struct Asked {
    pub(super) check: HealthCheck,
    /// For checks over another protocol than the channel's: that protocol, and how calls share its
    /// connections.
    other: Option<(&'static Protocol, Connections)>,
}

/// The result of a check.
pub(super) enum Finding {
    Good,
    /// `at_once`: the server itself has reported that it is unhealthy.
    Bad {
        why: String,
        at_once: bool,
    },
}

impl Finding {
    fn bad(why: impl AsRef<str>) -> Self {
        Finding::Bad { why: why.as_ref().chars().take(MOST_TEXT).collect(), at_once: false }
    }

    pub fn is_good(&self) -> bool {
        matches!(self, Finding::Good)
    }

    pub fn why(&self) -> &str {
        match self {
            Finding::Good => "ok",
            Finding::Bad { why, .. } => why,
        }
    }
}

/// The state of a server that reports its health by itself.
pub(super) enum Watching {
    Says(Finding),
    /// The stream has ended.
    Ended(Finding),
    /// The server does not support the health service, and counts as healthy.
    IsUnknown,
}

impl Asked {
    /// # Errors
    /// An option is out of its range, or the protocol cannot carry such a check.
    pub fn new(
        mut check: HealthCheck,
        protocol: &'static Protocol,
        protocols: &ProtocolSet,
        content: Content,
    ) -> Result<Self, ConfigError> {
        check.check()?;
        let wrong = |what: &str, instead: &str| {
            let text = format!("health_check: protocol {} {what}: {instead}", protocol.name);
            Err(ConfigError::new("health_check", text).with_value(protocol.name))
        };
        let mut other = None;
        match &mut check.kind {
            Kind::Grpc { .. } if !protocol.any_service => {
                return wrong("does not carry calls of gRPC's health service", "say HealthCheck::connect()");
            }
            Kind::Grpc { watches: true, .. }
                if protocol.http.is_none() || protocol.streams != Streams::Messages =>
            {
                return wrong("has no streams of gRPC's health service", "say HealthCheck::grpc(..)");
            }
            Kind::Http { .. } if !is_plain_http(protocol) => {
                let version = protocol.http.unwrap_or(HttpVersion::One);
                let plain = |one: &&'static Protocol| {
                    is_plain_http(one) && one.machine.is_some() && one.http == Some(version)
                };
                let Some(plain) = protocols.iter().find(plain) else {
                    return wrong(
                        "is not HTTP, and HTTP by itself is not among the protocols of the channel",
                        "turn on its feature, or say HealthCheck::connect()",
                    );
                };
                other = Some((plain, plain.connections.first().copied().unwrap_or(Connections::Short)));
            }
            Kind::Call(request) => request.content = content,
            _ => {}
        }
        Ok(Asked { check, other })
    }

    /// The connections for checks by another protocol.
    pub fn pool(&self, spec: &ConnectSpec, bounds: Bounds) -> Option<Arc<Pool>> {
        let (protocol, kind) = self.other?;
        let spec = ConnectSpec {
            protocol,
            parameter: "".into(),
            credential: None, // it is for the channel's own protocol
            credentials: None,
            once: kind == Connections::Short,
            own: spec.own.clone(),
            ..spec.named(spec.address.clone())
        };
        Some(Pool::new(spec, kind, bounds))
    }

    /// Whether servers report their health by themselves.
    pub(super) fn watches(&self) -> bool {
        matches!(self.check.kind, Kind::Grpc { watches: true, .. })
    }

    /// Checks the server of these connections once. `other`: the connections for checks over another
    /// protocol.
    pub(super) async fn once(&self, pool: &Arc<Pool>, other: Option<&Arc<Pool>>) -> Finding {
        let asking = async {
            match &self.check.kind {
                Kind::Connect => connect(pool.spec()).await,
                Kind::Grpc { service, .. } => {
                    let outcome = self.call(pool, grpc("Check", service)).await;
                    if outcome.status.is_ok() { answer(&outcome) } else { grpc_failure(&outcome.status) }
                }
                Kind::Http { path } => {
                    let status = self.call(other.unwrap_or(pool), get(path)).await.status;
                    let at_once = status.origin() == Origin::Remote;
                    failure(&status, at_once)
                }
                Kind::Call(request) => failure(&self.call(pool, (**request).clone()).await.status, false),
            }
        };
        let limit = self.check.timeout;
        tokio::time::timeout(limit, asking)
            .await
            .unwrap_or_else(|_| Finding::bad(format!("no answer within {limit:?}")))
    }

    async fn call(&self, pool: &Arc<Pool>, mut request: Request) -> Outcome {
        request.deadline = clock::now().checked_add(self.check.timeout);
        pool.ask(request).await.unwrap_or_else(Outcome::from)
    }

    /// Begins a stream on which the server reports its health by itself.
    ///
    /// # Errors
    /// There is no connection.
    pub(super) fn watch(&self, pool: &Arc<Pool>) -> Result<Reports, Finding> {
        let service = match &self.check.kind {
            Kind::Grpc { service, .. } => service,
            _ => "",
        };
        let mut request = Request { streamed: true, ..grpc("Watch", service) };
        pool.spec().show_newest(&mut request.metadata);
        match (&mut request).post_to(pool, Patience::None) {
            Ok(((source, sink), exclusive)) => Ok(Reports { source, _sink: sink, _exclusive: exclusive }),
            Err(Undelivered { why, .. }) => Err(Finding::bad(why.message())),
        }
    }
}

/// Whether the protocol is plain HTTP, whose calls are requests of any path.
fn is_plain_http(protocol: &Protocol) -> bool {
    protocol.http.is_some() && protocol.streams == Streams::Bytes
}

/// A server's stream of health reports. Dropping it cancels the stream.
pub(super) struct Reports {
    source: Source,
    _sink: Sink,
    _exclusive: Option<Exclusive>,
}

impl Reports {
    /// The first report, which has a limit.
    pub async fn first(&mut self, limit: Duration) -> Watching {
        let late = |_| Watching::Ended(Finding::bad(format!("no answer within {limit:?}")));
        tokio::time::timeout(limit, self.next()).await.unwrap_or_else(late)
    }

    /// The next report, or the end of the reports.
    pub async fn next(&mut self) -> Watching {
        let mut message = Vec::new();
        loop {
            match self.source.next().await {
                Some(Ok(part)) => {
                    if message.len() + part.bytes.len() > LONGEST || part.compression != Compression::NONE {
                        return Watching::Ended(Finding::bad("its report cannot be read"));
                    }
                    message.extend_from_slice(&part.bytes.to_vec());
                    if part.end_of_message {
                        return Watching::Says(serving(&message));
                    }
                }
                Some(Err(status)) if status.code() == Code::Unimplemented => return Watching::IsUnknown,
                Some(Err(status)) => return Watching::Ended(grpc_failure(&status)),
                None => return Watching::Ended(Finding::bad("it reports no more")),
            }
        }
    }
}

async fn connect(spec: &ConnectSpec) -> Finding {
    match spec.connect().await {
        Ok(mut transport) => {
            transport.shutdown();
            Finding::Good
        }
        Err(error) => Finding::bad(format!("cannot connect: {error}")),
    }
}

fn answer(outcome: &Outcome) -> Finding {
    let is_plain =
        outcome.attachment == 0 && outcome.compression == Compression::NONE && outcome.body.len() <= LONGEST;
    if is_plain { serving(&outcome.body.to_vec()) } else { Finding::bad("its answer cannot be read") }
}

/// Decodes a `HealthCheckResponse`.
fn serving(message: &[u8]) -> Finding {
    match messages::status(message) {
        Some(1) => Finding::Good,
        Some(status) => Finding::Bad { why: messages::name(status).to_owned(), at_once: true },
        None => Finding::bad("its answer cannot be read"),
    }
}

/// The finding for a failed check. A server that does not support the health service counts as healthy, as
/// for gRPC's clients.
fn grpc_failure(status: &Status) -> Finding {
    if status.code() == Code::Unimplemented { Finding::Good } else { failure(status, false) }
}

fn failure(status: &Status, at_once: bool) -> Finding {
    if status.is_ok() {
        return Finding::Good;
    }
    let why = format!("{:?}: {}", status.code(), status.message());
    match Finding::bad(why) {
        Finding::Bad { why, .. } => Finding::Bad { why, at_once },
        Finding::Good => Finding::Good,
    }
}

fn grpc(method: &'static str, service: &str) -> Request {
    let place = if method == "Check" { 0 } else { 1 };
    let body = messages::request(service).into();
    let request = Request::new("grpc.health.v1.Health".into(), method.into(), body, Content::PROTOBUF);
    Request { index: Some(place), ..request }
}

fn get(path: &str) -> Request {
    let mut request = Request::new("".into(), path.to_owned().into(), IoBuf::new(), Content::RAW);
    request.metadata.append(":method", "GET");
    request
}
