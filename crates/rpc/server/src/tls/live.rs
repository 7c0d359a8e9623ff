//! The TLS configuration of new connections, which is replaced when files change.

use super::{
    ServerTls,
    text::{Stamp, Texts, stamp},
};
use crate::certificates::{Served, seconds_now};
use polywire_call::ConfigError;
use polywire_engine::{Fault, Faults, spawn_blocking, transport::tls};
use polywire_metrics::process::{EventKind, event};
use rustls::{ServerConfig, server::ProducesTickets};
use std::{
    sync::{Arc, Mutex, PoisonError, RwLock, Weak},
    time::Duration,
};

/// The TLS configuration of a running server. Connections keep the configuration that they began with.
pub(crate) struct Live {
    tls: ServerTls,
    alpn: Vec<Vec<u8>>,
    /// Read once per connection, by the thread that accepts; written by reloads.
    config: RwLock<Arc<ServerConfig>>,
    known: Mutex<Known>,
    faults: Arc<Faults>,
    /// The certificates as pages show them; replaced with `config`.
    served: Mutex<Served>,
}

/// The inputs from which `config` was made.
struct Known {
    stamps: Vec<Stamp>,
    texts: Texts,
    ticketer: Arc<dyn ProducesTickets>,
    /// The reason why the newest files are not in use.
    broken: Option<String>,
}

impl Live {
    /// Loads the configuration.
    ///
    /// # Errors
    /// The error, and the file that has it.
    pub fn new(tls: ServerTls, alpn: &[&str], faults: Arc<Faults>) -> Result<Arc<Self>, ConfigError> {
        let alpn: Vec<Vec<u8>> = alpn.iter().map(|id| id.as_bytes().to_vec()).collect();
        let stamps = tls.texts().map(stamp).collect();
        let texts = Texts::read(tls.texts())?;
        let ticketer = tls::ticketer().map_err(|error| tls::unusable("tickets", error))?;
        let config = RwLock::new(Arc::new(tls.config(&texts, &alpn, ticketer.clone())?));
        let served = Mutex::new(served(&texts, 2 * tls.identities.len()));
        let known = Mutex::new(Known { stamps, texts, ticketer, broken: None });
        Ok(Arc::new(Live { tls, alpn, config, known, faults, served }))
    }

    /// The configuration for a connection that begins now.
    pub fn config(&self) -> Arc<ServerConfig> {
        self.config.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The certificates of connections that begin now.
    pub fn served(&self) -> Served {
        polywire_base::lock(&self.served).clone()
    }

    /// The interval between checks of the files; `None` if there are no files, or reloading is off.
    fn interval(&self) -> Option<Duration> {
        self.tls.reload.filter(|_| self.tls.texts().any(|pem| pem.path().is_some()))
    }

    /// Checks whether files have changed. Returns true if they have and are now in use. Files that could not
    /// be used are tried again.
    ///
    /// # Errors
    /// The reason why the changed files are not in use. The old ones stay in use.
    pub fn reload(&self) -> Result<bool, ConfigError> {
        let mut known = polywire_base::lock(&self.known);
        // The stamps are taken before the files are read, so that a change in between is noticed next time.
        let stamps: Vec<_> = self.tls.texts().map(stamp).collect();
        if stamps == known.stamps && known.broken.is_none() {
            return Ok(false);
        }
        known.stamps = stamps;
        match self.renew(&mut known) {
            Ok(()) => {
                known.broken = None;
                *polywire_base::lock(&self.served) = served(&known.texts, 2 * self.tls.identities.len());
                event(EventKind::Certificate, "TLS files have changed: new connections get what they hold");
                tracing::info!("TLS files have changed: new connections get what they hold");
                Ok(true)
            }
            Err(error) => {
                let text = error.to_string();
                if known.broken.as_ref() != Some(&text) {
                    self.faults.add(Fault::TlsReload);
                    event(EventKind::Certificate, format!("changed TLS files cannot be used: {text}"));
                    tracing::warn!(
                        error = text,
                        "TLS files cannot be used: the certificates before stay in use"
                    );
                    polywire_base::lock(&self.served).broken = Some(text.clone());
                    known.broken = Some(text);
                }
                Err(error)
            }
        }
    }

    fn renew(&self, known: &mut Known) -> Result<(), ConfigError> {
        let texts = Texts::read(self.tls.texts())?;
        // A client that resumes a session is not verified again. So once the trusted issuers change, old
        // tickets must become invalid.
        let same_clients = texts.same_from(&known.texts, 2 * self.tls.identities.len());
        let ticketer = if same_clients {
            known.ticketer.clone()
        } else {
            tls::ticketer().map_err(|error| tls::unusable("tickets", error))?
        };
        let config = Arc::new(self.tls.config(&texts, &self.alpn, ticketer.clone())?);
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config;
        (known.texts, known.ticketer) = (texts, ticketer);
        Ok(())
    }
}

/// The loaded certificates as pages show them.
fn served(texts: &Texts, own: usize) -> Served {
    Served { certificates: texts.served(own), broken: None, loaded: seconds_now() }
}

/// Checks the files of a server for as long as it exists.
pub(crate) async fn watch(live: Weak<Live>) {
    let Some(interval) = live.upgrade().and_then(|live| live.interval()) else { return };
    loop {
        tokio::time::sleep(interval).await;
        let Some(live) = live.upgrade() else { return };
        // File systems may be slow, so this runs on a blocking thread. A failure has already been reported.
        let _ = spawn_blocking(move || drop(live.reload())).await;
    }
}
