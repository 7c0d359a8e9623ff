//! A channel, as its users see it.

use crate::{
    call::{
        reply::Raw,
        streaming::{Stream, StreamingCall},
        target::Target,
        unary::Call,
    },
    connection::error,
    core::{Core, SharedCore},
    servers::Servers,
    why::Why,
};
use polywire_base::IoBuf;
use polywire_call::{ConfigError, Status};
use polywire_engine::Faults;
use polywire_naming::Naming;
use polywire_routing::Routing;
use polywire_wire::{Addressing, Compressions, Connections, Content, HashOfNames, ProtocolSet, Protocols};
use std::{fmt, future::Future, marker::PhantomData, pin::Pin, sync::Arc};

/// No protocols, for channels that are given a set of their own
/// ([`Builder::protocol_set`](crate::Builder::protocol_set)).
pub struct NoProtocols;
impl Protocols for NoProtocols {
    fn protocol_set() -> ProtocolSet {
        ProtocolSet::new(&[])
    }
}
impl Naming for NoProtocols {}
impl Routing for NoProtocols {}

/// A handle for calls to one server, or to the servers of a name. Clones share connections; calls may come
/// from any thread. With a clone for each task or thread, calls to a server at an address share no counter
/// across cores.
pub struct Channel<P = NoProtocols> {
    core: SharedCore,
    protocols: PhantomData<fn() -> P>,
}

impl<P> Clone for Channel<P> {
    fn clone(&self) -> Self {
        Channel { core: Arc::new(Arc::clone(&self.core)), protocols: PhantomData }
    }
}

/// An error of building a channel.
#[non_exhaustive]
pub enum ChannelError {
    /// An option is wrong; the error names it.
    Config(ConfigError),
    /// [`Channel::connect`] or [`Channel::probe`] could not connect.
    Connect(Status),
}
impl fmt::Display for ChannelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChannelError::Config(wrong) => wrong.fmt(f),
            ChannelError::Connect(status) => status.fmt(f),
        }
    }
}
/// Writes the same text as `Display`, since a `main` that returns the error prints it with `Debug`.
impl fmt::Debug for ChannelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChannelError::Config(wrong) => fmt::Debug::fmt(wrong, f),
            ChannelError::Connect(status) => fmt::Display::fmt(status, f),
        }
    }
}
impl std::error::Error for ChannelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ChannelError::Config(wrong) => wrong.source(),
            ChannelError::Connect(status) => status.source(),
        }
    }
}
/// An error of connecting is reported as an error of the option `address`.
impl From<ChannelError> for ConfigError {
    fn from(error: ChannelError) -> Self {
        match error {
            ChannelError::Config(wrong) => wrong,
            ChannelError::Connect(status) => ConfigError::new("address", status.to_string()),
        }
    }
}
impl From<ConfigError> for ChannelError {
    fn from(wrong: ConfigError) -> Self {
        ChannelError::Config(wrong)
    }
}

impl<P> Channel<P> {
    /// The same channel as another type, for code written for channels with another set of protocols.
    pub fn retyped<Q>(self) -> Channel<Q> {
        Channel { core: self.core, protocols: PhantomData }
    }

    pub(crate) fn new(core: Core) -> Self {
        let core = Arc::new(Arc::new(core));
        crate::channels::list(&core);
        crate::metrics::expose();
        Channel { core, protocols: PhantomData }
    }

    pub(crate) fn core(&self) -> &SharedCore {
        &self.core
    }

    /// Connects once and disconnects, to check that the server can be reached and, with TLS, that its
    /// certificate is valid. A channel with several servers waits for the first set of servers and tries one
    /// that is ready.
    ///
    /// # Errors
    /// [`ChannelError::Connect`]: the connection could not be made.
    ///
    /// A combination checks each of its channels.
    pub async fn probe(&self) -> Result<(), ChannelError> {
        let mut left = vec![self.core.clone()];
        while let Some(core) = left.pop() {
            match &core.combination {
                Some(combination) => left.extend(combination.channels()),
                None => probe(&core).await?,
            }
        }
        Ok(())
    }

    /// A call with raw bytes both ways, for proxies and tools.
    pub fn call(&self, target: Target, body: impl Into<IoBuf>) -> Call<Raw> {
        Call::new(self.core.clone(), target, Ok(body.into()))
    }

    /// A streaming call with raw bytes both ways.
    pub fn stream(&self, target: Target) -> StreamingCall<Stream> {
        self.typed_stream(target, None)
    }

    /// A call whose body was encoded in [`Channel::content`]; stubs are built on it.
    pub fn typed<R>(&self, target: Target, body: Result<IoBuf, Status>) -> Call<R> {
        Call::new(self.core.clone(), target, body)
    }

    /// A streaming call; stubs are built on it. `request`, encoded in [`Channel::content`], is the only
    /// message of the client if the method takes one.
    pub fn typed_stream<S>(
        &self,
        target: Target,
        request: Option<Result<IoBuf, Status>>,
    ) -> StreamingCall<S> {
        StreamingCall::new(self.core.clone(), target, request)
    }

    /// For each key ([`Call::key`]) a number that stands for the server to which calls with that key go now:
    /// equal numbers mean the same server. `None` where the server is not known: before the first set of
    /// servers, while no server is ready or calls of the key wait for theirs, on a channel with a router, and
    /// on a combination. The mapping is only stable for balancers that hash, and only until the set of
    /// servers changes.
    pub fn servers_of(&self, keys: &[u64]) -> Vec<Option<usize>> {
        self.core.servers.of_keys(keys)
    }

    /// The form of request bodies on this channel.
    pub fn content(&self) -> Content {
        self.core.content
    }

    pub(crate) fn uses_rules(&self) -> bool {
        self.core.uses_rules()
    }

    /// The address that the channel connects to, without a scheme; or the url of its naming source; or the
    /// parts of a combination.
    pub fn address(&self) -> &str {
        &self.core.servers.spec().address
    }

    /// The name of the protocol that it speaks.
    pub fn protocol(&self) -> &'static str {
        self.core.protocol().name
    }

    /// The name of its protocol in metrics and spans, which several protocols may share:
    /// [`Protocol::system`](polywire_wire::Protocol::system).
    pub fn system(&self) -> &'static str {
        self.core.protocol().system()
    }

    /// Whether its calls are requests of HTTP, of whichever system over it.
    pub fn is_over_http(&self) -> bool {
        self.core.protocol().http.is_some()
    }

    /// Whether requests of its protocol have [fields](crate::Call::metadata) of any name.
    pub fn has_fields(&self) -> bool {
        self.core.protocol().trace.has_fields()
    }

    /// Whether its protocol carries calls of any service by name, with messages in protobuf:
    /// [`Protocol::any_service`](polywire_wire::Protocol::any_service).
    pub fn calls_any_service(&self) -> bool {
        self.core.protocol().any_service
    }

    /// Whether it sends slow calls a second time ([`Resilience::hedge`](crate::Resilience::hedge)), unless a
    /// call says otherwise.
    pub fn hedges(&self) -> bool {
        self.core.hedging.is_some()
    }

    /// How requests of its protocol say which method they are for:
    /// [`Protocol::addressing`](polywire_wire::Protocol::addressing).
    pub fn addressing(&self) -> Addressing {
        self.core.protocol().addressing
    }

    /// The number that its requests say in place of the names of a method, if they say one:
    /// [`Protocol::hash`](polywire_wire::Protocol::hash).
    pub fn hash(&self) -> Option<HashOfNames> {
        self.core.protocol().hash
    }

    /// The compressions that its requests have a name for:
    /// [`Protocol::compressions`](polywire_wire::Protocol::compressions).
    pub fn compressions(&self) -> Compressions {
        self.core.protocol().compressions
    }

    /// Whether its calls have attachments: [`Protocol::attachments`](polywire_wire::Protocol::attachments).
    pub fn has_attachments(&self) -> bool {
        self.core.protocol().attachments
    }

    /// Whether its calls can offer streams:
    /// [`Protocol::offers_streams`](polywire_wire::Protocol::offers_streams).
    pub fn offers_streams(&self) -> bool {
        self.core.protocol().offers_streams()
    }

    /// Whether its protocol, without such fields, says how many relays a request has passed:
    /// [`Protocol::counts_relays`](polywire_wire::Protocol::counts_relays).
    pub fn counts_relays(&self) -> bool {
        self.core.protocol().counts_relays
    }

    /// How the channel's calls share connections.
    pub fn kind(&self) -> Connections {
        self.core.kind
    }

    /// The state of the channel's servers, and the destinations of some of its last calls, to explain why a
    /// call went to an unexpected server. It can be printed, and converted to JSON.
    pub fn why(&self) -> Why {
        self.core.servers.why()
    }

    /// Counters of the faults of its connections, by cause.
    pub fn faults(&self) -> &Arc<Faults> {
        &self.core.servers.spec().config.faults
    }

    /// The number of connections made so far.
    pub fn connections_made(&self) -> usize {
        self.core.made()
    }
}

/// Connects to one server and disconnects. Behind a pointer, which keeps it out of the programs that await
/// it.
#[inline(never)]
fn probe(core: &Core) -> Pin<Box<dyn Future<Output = Result<(), ChannelError>> + Send + '_>> {
    Box::pin(connect_once(core))
}

async fn connect_once(core: &Core) -> Result<(), ChannelError> {
    let spec = match &core.servers {
        Servers::One(pool) => pool.spec().clone(),
        Servers::Many(fleet) => fleet.any(core.defaults.timeout).await.map_err(ChannelError::Connect)?,
        Servers::Routed(routed) => routed.any(core.defaults.timeout).await.map_err(ChannelError::Connect)?,
        Servers::Combined(_) => return Ok(()),
    };
    match spec.connect().await {
        Ok(mut transport) => {
            transport.shutdown();
            Ok(())
        }
        Err(why) => Err(ChannelError::Connect(error::connect_failed(&spec.address, &why))),
    }
}
