//! Makes the byte streams of a channel's connections: sockets or the user's own, through TLS or not.

#[cfg(feature = "__tls")]
use crate::connection::tls::Secure;
use polywire_engine::{Transport, transport};
use std::{future::Future, io, pin::Pin, time::Duration};

type Connecting = Pin<Box<dyn Future<Output = io::Result<Box<dyn Transport>>> + Send>>;

/// Makes byte streams. It runs where the connection will live.
#[derive(Default)]
pub(crate) struct Connector {
    streams: Streams,
    /// TLS, if every stream passes through it.
    #[cfg(feature = "__tls")]
    secure: Option<Secure>,
}

#[derive(Default)]
enum Streams {
    /// TCP and Unix sockets, by the form of the address.
    #[default]
    Sockets,
    /// Made by the user's function.
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

    /// Whether the streams are bare sockets, which plain threads can drive without a runtime.
    pub fn is_bare(&self) -> bool {
        #[cfg(feature = "__tls")]
        if self.secure.is_some() {
            return false;
        }
        !self.is_custom()
    }

    /// # Errors
    /// What the system, the user's function or TLS says; or `TimedOut` after `limit`, which holds for the stream and
    /// once more for the handshake of TLS.
    pub async fn connect(&self, address: &str, limit: Duration) -> io::Result<Box<dyn Transport>> {
        let connected = match &self.streams {
            Streams::Sockets => within(limit, transport::connect(address)).await,
            Streams::Custom(connect) => within(limit, connect(address)).await,
        };
        #[cfg(feature = "__tls")]
        if let Some(secure) = &self.secure {
            return within(limit, secure.connect(connected?, address)).await;
        }
        connected
    }
}

async fn within<T>(limit: Duration, work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
        Err(io::Error::new(io::ErrorKind::TimedOut, format!("no connection within {limit:?}")))
    })
}
