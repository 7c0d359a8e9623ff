//! How a channel gets its byte streams.

#[cfg(feature = "__tls")]
use crate::connection::tls::Secure;
use polywire_engine::{Transport, transport};
use std::{future::Future, io, pin::Pin, time::Duration};

type Connecting = Pin<Box<dyn Future<Output = io::Result<Box<dyn Transport>>> + Send>>;

/// Connects; runs where the connection will live.
#[derive(Default)]
pub(crate) struct Connector {
    streams: Streams,
    /// What every stream then passes through.
    #[cfg(feature = "__tls")]
    secure: Option<Secure>,
}

#[derive(Default)]
enum Streams {
    /// TCP and Unix sockets, by their address.
    #[default]
    Sockets,
    Custom(Box<dyn Fn(&str) -> Connecting + Send + Sync>),
}

impl Connector {
    pub fn custom<F, C, T>(&mut self, connect: F)
    where
        F: Fn(&str) -> C + Send + Sync + 'static,
        C: Future<Output = io::Result<T>> + Send + 'static,
        T: Transport,
    {
        self.streams = Streams::Custom(Box::new(move |address| {
            let connecting = connect(address);
            Box::pin(async move { Ok(Box::new(connecting.await?) as Box<dyn Transport>) })
        }));
    }

    #[cfg(feature = "__tls")]
    pub fn secure(&mut self, secure: Secure) {
        self.secure = Some(secure);
    }

    pub fn is_custom(&self) -> bool {
        matches!(self.streams, Streams::Custom(_))
    }

    /// Whether plain threads can drive what it gives, without a runtime: bare sockets.
    pub fn is_bare(&self) -> bool {
        #[cfg(feature = "__tls")]
        if self.secure.is_some() {
            return false;
        }
        !self.is_custom()
    }

    /// # Errors
    /// What the system, the custom connector or TLS says, and `TimedOut` after `limit`, which is one of each.
    pub async fn connect(&self, address: &str, limit: Duration) -> io::Result<Box<dyn Transport>> {
        let connected = match &self.streams {
            Streams::Sockets => within(limit, transport::connect(address)).await,
            Streams::Custom(connect) => within(limit, connect(address)).await,
        };
        #[cfg(feature = "__tls")]
        if let Some(secure) = &self.secure {
            return within(limit, secure.connect(connected?)).await;
        }
        connected
    }
}

async fn within<T>(limit: Duration, work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
        Err(io::Error::new(io::ErrorKind::TimedOut, format!("no connection within {limit:?}")))
    })
}
