//! The kinds of connections that a listener accepts: TLS, plain text, or both, decided by the first bytes.

use polywire_engine::Transport;
#[cfg(feature = "__tls")]
use {
    crate::tls::{Live, ServerTls},
    polywire_call::ConfigError,
    polywire_engine::{Config, transport::tls},
    std::sync::Arc,
};

/// The kinds of connections that a listener accepts on a server with TLS. Without TLS, all listeners are
/// plain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// As the server is configured: only TLS, or both.
    Default,
    /// Plain text alone, although others of the server's listeners speak TLS.
    Plain,
    /// As the server is configured, and the pages are served only here.
    Pages,
}

/// The TLS settings of a server's listeners.
#[derive(Default)]
pub(crate) struct Door {
    #[cfg(feature = "__tls")]
    pub tls: Option<Arc<Live>>,
    #[cfg(feature = "__tls")]
    plain_beside: bool,
}

impl Door {
    /// Loads the TLS configuration.
    ///
    /// # Errors
    /// The option that is wrong, named in the text.
    #[cfg(feature = "__tls")]
    pub fn new(tls: Option<ServerTls>, config: &Config) -> Result<Self, ConfigError> {
        let Some(tls) = tls else { return Ok(Door::default()) };
        let plain_beside = tls.plain_beside;
        if plain_beside && tls.requires_clients() {
            let wrong = "tls.plain_beside(true) with client certificates that are required: whoever has none would come by \
                         plain text; say client_certificates(ClientCertificates::Optional), or plain_on(..) for an \
                         address of its own";
            return Err(ConfigError::new("tls.plain_beside", wrong));
        }
        let alpn = config.protocols.alpn(&*config.allowed);
        let live = Live::new(tls, &alpn, config.faults.clone()).map_err(|wrong| wrong.within("TLS"))?;
        Ok(Door { tls: Some(live), plain_beside })
    }

    /// Wraps an accepted stream according to the kinds of connections that its listener accepts.
    pub fn admit(&self, transport: Box<dyn Transport>, takes: Takes) -> Box<dyn Transport> {
        #[cfg(feature = "__tls")]
        if let (Some(live), Takes::Default | Takes::Pages) = (&self.tls, takes) {
            return tls::accept(transport, live.config(), !self.plain_beside);
        }
        let _ = takes;
        transport
    }
}
