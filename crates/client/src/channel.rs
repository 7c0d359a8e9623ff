//! A logical line to one address, as its users see it.

use crate::{
    builder::Builder,
    call::reply::Raw,
    call::streaming::{Stream, StreamingCall},
    call::unary::{Call, Target},
    connection::handle,
    core::Shared,
};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_engine::Faults;
use polywire_wire::{Content, Registry};
use std::{fmt, marker::PhantomData, sync::Arc};

/// Which protocols a channel can speak; the facade's `Channel` knows all that are built in.
pub trait Protocols: Send + Sync + 'static {
    fn registry() -> Registry;
}

/// Knows none: for channels that are given a registry.
pub struct NoProtocols;
impl Protocols for NoProtocols {
    fn registry() -> Registry {
        Registry::new(&[])
    }
}

/// A logical line to one address. Clones share connections; calls may come from any thread.
pub struct Channel<P = NoProtocols> {
    pub(crate) shared: Arc<Shared>,
    protocols: PhantomData<fn() -> P>,
}

impl<P> Clone for Channel<P> {
    fn clone(&self) -> Self {
        Channel::of(self.shared.clone())
    }
}

/// Why a channel could not be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum ChannelError {
    /// An option is wrong; the text names it.
    Config(String),
    /// [`Channel::connect`] found nobody.
    Connect(Status),
}
impl fmt::Display for ChannelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChannelError::Config(what) => f.write_str(what),
            ChannelError::Connect(status) => status.fmt(f),
        }
    }
}
impl std::error::Error for ChannelError {}

impl<P: Protocols> Channel<P> {
    /// A channel to `host:port`, `[v6]:port` or `unix:path`, which connects when first used. `http://host:port` is
    /// understood, too, and `https://host:port` as TLS with its defaults; neither says which protocol is spoken there.
    pub fn builder(address: impl Into<String>) -> Builder<P> {
        Builder::new(address.into())
    }

    /// A channel with all defaults, connected once to see that somebody is there.
    ///
    /// # Errors
    /// A bad address, or nobody there.
    pub async fn connect(address: impl Into<String>) -> Result<Self, ChannelError> {
        let channel = Self::builder(address).build()?;
        channel.probe().await?;
        Ok(channel)
    }
}

impl<P> Channel<P> {
    pub(crate) fn of(shared: Arc<Shared>) -> Self {
        Channel { shared, protocols: PhantomData }
    }

    /// Connects once and lets go: whether anybody is there, and whom TLS takes for the right one.
    ///
    /// # Errors
    /// [`ChannelError::Connect`]: nobody is.
    pub async fn probe(&self) -> Result<(), ChannelError> {
        let Shared { connector, address, options, .. } = &*self.shared;
        match connector.connect(address, options.connect_timeout).await {
            Ok(mut transport) => {
                transport.shutdown();
                Ok(())
            }
            Err(error) => Err(ChannelError::Connect(handle::of_connect(address, &error))),
        }
    }

    /// A call with raw bytes both ways, for proxies and tools.
    pub fn call(&self, target: Target, body: impl Into<IoBuf>) -> Call<Raw> {
        Call::new(self.shared.clone(), target, Ok(body.into()))
    }

    /// A streaming call with raw bytes both ways.
    pub fn stream(&self, target: Target) -> StreamingCall<Stream> {
        self.opening(target, None)
    }

    /// A call whose body was encoded in [`Channel::content`]; what stubs are made of.
    pub fn typed<R>(&self, target: Target, body: Result<IoBuf, Status>) -> Call<R> {
        Call::new(self.shared.clone(), target, body)
    }

    /// A streaming call; what stubs are made of. `request`, encoded in [`Channel::content`], is the only message of our half
    /// where there is but one.
    pub fn opening<S>(&self, target: Target, request: Option<Result<IoBuf, Status>>) -> StreamingCall<S> {
        StreamingCall::new(self.shared.clone(), target, request)
    }

    /// Form of request bodies on this channel.
    pub fn content(&self) -> Content {
        self.shared.content
    }

    pub fn address(&self) -> &str {
        &self.shared.address
    }

    /// Name of the protocol it speaks.
    pub fn protocol(&self) -> &'static str {
        self.shared.protocol.name
    }

    /// What went wrong with connections, by cause.
    pub fn faults(&self) -> &Arc<Faults> {
        &self.shared.config.faults
    }

    /// Connections made so far.
    pub fn connections_made(&self) -> usize {
        self.shared.made()
    }
}
