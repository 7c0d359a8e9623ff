//! Makes the byte streams of a channel's connections: sockets or the user's own, through TLS or not.

#[cfg(feature = "__tls")]
use crate::connection::tls::Secure;
use polywire_engine::{Transport, transport};
use std::{future::Future, io, pin::Pin, sync::Arc, time::Duration};

type Connecting = Pin<Box<dyn Future<Output = io::Result<Box<dyn Transport>>> + Send>>;

/// Makes byte streams. It runs where the connection will live.
#[derive(Default)]
pub(crate) struct Connector {
    streams: Streams,
    /// TLS, if every stream passes through it.
    #[cfg(feature = "__tls")]
    secure: Option<Arc<Secure>>,
}

/// What distinguishes the streams to one address from one another.
#[derive(PartialEq)]
pub(crate) struct Identity {
    /// TLS, if there is any, with everything that it was made from.
    #[cfg(feature = "__tls")]
    tls: Option<crate::connection::tls::TlsIdentity>,
}

#[derive(Clone, Default)]
enum Streams {
    /// TCP and Unix sockets, by the form of the address.
    #[default]
    Sockets,
    /// Made by the user's function.
    Custom(Arc<dyn Fn(&str) -> Connecting + Send + Sync>),
    /// None is made, for this reason.
    Refused(Arc<str>),
}

impl Connector {
    pub fn custom<F, C, T>(&mut self, connect: F)
    where
        F: Fn(&str) -> C + Send + Sync + 'static,
        C: Future<Output = io::Result<T>> + Send + 'static,
        T: Transport,
    {
        self.streams = Streams::Custom(Arc::new(move |address| {
            let connecting = connect(address);
            Box::pin(async move { Ok(Box::new(connecting.await?) as Box<dyn Transport>) })
        }));
    }

    #[cfg(feature = "__tls")]
    pub fn secure(&mut self, secure: Secure) {
        self.secure = Some(Arc::new(secure));
    }

    /// A connector for the same streams, wrapped in this TLS.
    #[cfg(feature = "__tls")]
    pub fn with_tls(&self, secure: Secure) -> Connector {
        Connector { streams: self.streams.clone(), secure: Some(Arc::new(secure)) }
    }

    /// Makes no streams, for this reason.
    pub fn refusing(why: &str) -> Connector {
        Connector {
            streams: Streams::Refused(why.into()),
            #[cfg(feature = "__tls")]
            secure: None,
        }
    }

    pub fn is_custom(&self) -> bool {
        matches!(self.streams, Streams::Custom(_))
    }

    /// The properties in which this connector's streams to an address may differ from those of other
    /// connectors. `None`: the streams cannot be compared, because a function makes them; or there are no
    /// streams.
    pub fn identity(&self) -> Option<Identity> {
        if !matches!(self.streams, Streams::Sockets) {
            return None;
        }
        #[cfg(feature = "__tls")]
        return Some(Identity { tls: self.secure.as_ref().map(|secure| secure.identity()) });
        #[cfg(not(feature = "__tls"))]
        Some(Identity {})
    }

    /// Whether every stream passes through TLS.
    pub fn has_tls(&self) -> bool {
        #[cfg(feature = "__tls")]
        return self.secure.is_some();
        #[cfg(not(feature = "__tls"))]
        false
    }

    /// Whether the streams are bare sockets, which plain threads can drive without a runtime.
    pub fn is_bare(&self) -> bool {
        !self.has_tls() && matches!(self.streams, Streams::Sockets)
    }

    /// `name`: the server's name in TLS, if it differs from the address.
    ///
    /// # Errors
    /// The error of the system, the user's function or TLS; or `TimedOut` after `limit`, which applies
    /// separately to the stream, to the TLS handshake, and to files of TLS that are read before.
    pub async fn connect(
        &self,
        address: &str,
        name: Option<&str>,
        limit: Duration,
    ) -> io::Result<Box<dyn Transport>> {
        // A server is not bothered while there is nothing to show it.
        #[cfg(feature = "__tls")]
        let config = match &self.secure {
            Some(secure) => Some(within(limit, secure.config()).await?),
            None => None,
        };
        let connected = match &self.streams {
            Streams::Sockets => within(limit, transport::connect(address)).await,
            Streams::Custom(connect) => within(limit, connect(address)).await,
            Streams::Refused(why) => Err(io::Error::new(io::ErrorKind::PermissionDenied, &**why)),
        };
        #[cfg(feature = "__tls")]
        if let (Some(secure), Some(config)) = (&self.secure, config) {
            return within(limit, secure.connect(config, connected?, address, name)).await;
        }
        #[cfg(not(feature = "__tls"))]
        let _ = name;
        connected
    }
}

async fn within<T>(limit: Duration, work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
        Err(io::Error::new(io::ErrorKind::TimedOut, format!("no connection within {limit:?}")))
    })
}
