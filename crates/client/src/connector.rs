//! How a channel gets its byte streams.

use polywire_engine::{Transport, transport};
use std::{future::Future, io, pin::Pin, time::Duration};

type Connecting = Pin<Box<dyn Future<Output = io::Result<Box<dyn Transport>>> + Send>>;

/// Connects; runs where the connection will live.
#[derive(Default)]
pub(crate) enum Connector {
    /// TCP and Unix sockets, by their address.
    #[default]
    Sockets,
    Custom(Box<dyn Fn(&str) -> Connecting + Send + Sync>),
}

impl Connector {
    pub fn custom<F, C, T>(connect: F) -> Self
    where
        F: Fn(&str) -> C + Send + Sync + 'static,
        C: Future<Output = io::Result<T>> + Send + 'static,
        T: Transport,
    {
        Connector::Custom(Box::new(move |address| {
            let connecting = connect(address);
            Box::pin(async move { Ok(Box::new(connecting.await?) as Box<dyn Transport>) })
        }))
    }

    pub fn is_custom(&self) -> bool {
        matches!(self, Connector::Custom(_))
    }

    /// # Errors
    /// What the system or the custom connector says, and `TimedOut` after `limit`.
    pub async fn connect(&self, address: &str, limit: Duration) -> io::Result<Box<dyn Transport>> {
        let connected = match self {
            Connector::Sockets => tokio::time::timeout(limit, transport::connect(address)).await,
            Connector::Custom(connect) => tokio::time::timeout(limit, connect(address)).await,
        };
        connected.unwrap_or_else(|_| {
            Err(io::Error::new(io::ErrorKind::TimedOut, format!("no connection within {limit:?}")))
        })
    }
}
