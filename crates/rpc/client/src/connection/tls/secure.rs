//! The TLS configuration of a channel's connections, or of those to the servers of a cluster: fixed, or
//! reloaded from files.

use super::{ClientTls, Content, host, not_a_host};
use polywire_call::ConfigError;
use polywire_engine::{Fault, Faults, Transport, clock, transport::tls};
use polywire_routing::{CertificateNames, ClusterTls};
use rustls::{ClientConfig, pki_types::ServerName};
use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{sync::Mutex, task::JoinHandle, time::timeout};

/// How long a connection waits for a reload while an older configuration is usable: file systems may hang.
const SLOW: Duration = Duration::from_secs(1);

/// The TLS of a channel.
pub(crate) struct Secure {
    identity: TlsIdentity,
    configs: Configs,
    /// `None`: the host of each server's address.
    name: Option<ServerName<'static>>,
}

/// What distinguishes TLS connections that channels may share.
#[derive(Clone, PartialEq)]
pub(crate) struct TlsIdentity(Arc<MadeFrom>);

/// Channels for which this is equal present the same certificate, trust the same issuers and offer the same
/// protocols.
#[derive(PartialEq)]
enum MadeFrom {
    /// The contents of the files, regardless of their paths.
    Contents {
        content: Content,
        name: Option<ServerName<'static>>,
        names: CertificateNames,
        alpn: Vec<Vec<u8>>,
        newest_only: bool,
        no_resumption: bool,
    },
    /// Files that are reloaded.
    Files { tls: ClientTls, name: Option<ServerName<'static>>, alpn: Vec<Vec<u8>> },
}

enum Configs {
    Fixed(Arc<ClientConfig>),
    Reloaded(Box<Reloaded>),
}

impl Secure {
    /// The checked TLS of a channel to `address`. Without an address the channel has several servers, each
    /// with its own.
    ///
    /// # Errors
    /// An option or file that is wrong, named in the text.
    pub fn new(
        tls: ClientTls,
        address: Option<&str>,
        alpn: &[&str],
        faults: Arc<Faults>,
    ) -> Result<Self, ConfigError> {
        let name = tls.server(address)?;
        let alpn: Vec<_> = alpn.iter().map(|id| id.as_bytes().to_vec()).collect();
        let (config, content) = tls.config(&alpn)?;
        if tls.reload.is_some() {
            let known = Known { config, content, read: clock::now(), broken: None };
            return Ok(Secure::reloaded(tls, name, alpn, faults, Some(known)));
        }
        let alpn = config.alpn_protocols.clone();
        let (names, newest_only, no_resumption) = (tls.names, tls.newest_only, tls.no_resumption);
        let made_from =
            MadeFrom::Contents { content, name: name.clone(), names, alpn, newest_only, no_resumption };
        Ok(Secure { identity: TlsIdentity(Arc::new(made_from)), configs: Configs::Fixed(config), name })
    }

    /// The TLS for the servers of a cluster. Its files are read when a connection is made.
    ///
    /// # Errors
    /// The server name of the options is invalid.
    pub fn of_cluster(told: &ClusterTls, alpn: &[&str], faults: Arc<Faults>) -> Result<Self, ConfigError> {
        let tls = ClientTls::of_cluster(told);
        let name = tls.server(None)?;
        let alpn = alpn.iter().map(|id| id.as_bytes().to_vec()).collect();
        Ok(Secure::reloaded(tls, name, alpn, faults, None))
    }

    fn reloaded(
        tls: ClientTls,
        name: Option<ServerName<'static>>,
        alpn: Vec<Vec<u8>>,
        faults: Arc<Faults>,
        known: Option<Known>,
    ) -> Self {
        let interval = tls.reload.unwrap_or(Duration::MAX);
        let files = MadeFrom::Files { tls: tls.clone(), name: name.clone(), alpn: alpn.clone() };
        let reloaded = Reloaded {
            tls: Arc::new((tls, alpn)),
            interval,
            faults,
            state: Mutex::new(State { known, reading: None }),
        };
        Secure {
            identity: TlsIdentity(Arc::new(files)),
            configs: Configs::Reloaded(Box::new(reloaded)),
            name,
        }
    }

    pub fn identity(&self) -> TlsIdentity {
        self.identity.clone()
    }

    /// The configuration for a connection that is made now.
    ///
    /// # Errors
    /// There is no usable configuration, since files cannot be used.
    pub async fn config(&self) -> io::Result<Arc<ClientConfig>> {
        match &self.configs {
            Configs::Fixed(config) => Ok(config.clone()),
            Configs::Reloaded(reloaded) => reloaded.config().await,
        }
    }

    /// `own_name`: the server's own TLS name, if it has one.
    ///
    /// # Errors
    /// Errors of the transport, and of the TLS handshake.
    pub async fn connect(
        &self,
        config: Arc<ClientConfig>,
        transport: Box<dyn Transport>,
        address: &str,
        own_name: Option<&str>,
    ) -> io::Result<Box<dyn Transport>> {
        let parse = |name: &str| {
            ServerName::try_from(name.to_owned())
                .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, not_a_host(name)))
        };
        let name = match (own_name, &self.name) {
            (Some(own), _) => parse(own)?,
            (None, Some(name)) => name.clone(),
            (None, None) => parse(host(address))?,
        };
        tls::connect(transport, config, name).await
    }
}

/// Files that are reloaded.
struct Reloaded {
    /// The options, and the application protocols that are offered unless the options set others.
    tls: Arc<(ClientTls, Vec<Vec<u8>>)>,
    interval: Duration,
    faults: Arc<Faults>,
    /// Held while files are read, so that connections that are made at the same time wait for one reading.
    state: Mutex<State>,
}

struct State {
    /// `None`: files could not be used yet.
    known: Option<Known>,
    /// The reading that is under way, and when it began. It outlives the connection that began it: otherwise
    /// each cancelled connection would leave a thread behind where files cannot be read for long.
    reading: Option<(Instant, JoinHandle<Result<(Arc<ClientConfig>, Content), ConfigError>>)>,
}

/// The last usable configuration.
struct Known {
    config: Arc<ClientConfig>,
    content: Content,
    /// When the files were last read, whether or not they were usable.
    read: Instant,
    /// The error of the last reload, if its result is not in use.
    broken: Option<String>,
}

impl Reloaded {
    async fn config(&self) -> io::Result<Arc<ClientConfig>> {
        let mut state = self.state.lock().await;
        let State { known, reading } = &mut *state;
        let now = clock::now();
        if let Some(known) = &*known
            && reading.is_none()
            && now.saturating_duration_since(known.read) < self.interval
        {
            return Ok(known.config.clone());
        }
        let (begun, ends) = reading.get_or_insert_with(|| {
            let tls = self.tls.clone();
            // File systems may be slow, so this runs on a blocking thread.
            (now, tokio::task::spawn_blocking(move || tls.0.config(&tls.1)))
        });
        let begun = *begun;
        let read = match &*known {
            None => ends.await,
            Some(known) => match timeout(SLOW, ends).await {
                Ok(read) => read,
                Err(_) => return Ok(known.config.clone()),
            },
        };
        *reading = None;
        let read = match (read, &*known) {
            (Ok(read), _) => read,
            (Err(_), Some(known)) => return Ok(known.config.clone()), // its runtime has ended
            (Err(error), None) => return Err(io::Error::other(error)),
        };
        match (&mut *known, read) {
            (Some(known), Ok((_, content))) if known.content == content => {
                (known.read, known.broken) = (begun, None);
                Ok(known.config.clone())
            }
            (before, Ok((config, content))) => {
                if before.is_some() {
                    tracing::info!("TLS files have changed: new connections get what they hold");
                }
                *before = Some(Known { config: config.clone(), content, read: begun, broken: None });
                Ok(config)
            }
            (Some(known), Err(error)) => {
                known.read = begun;
                let error = error.to_string();
                if known.broken.as_ref() != Some(&error) {
                    self.faults.add(Fault::TlsReload);
                    tracing::warn!(error, "TLS files cannot be used: the certificates before stay in use");
                    known.broken = Some(error);
                }
                Ok(known.config.clone())
            }
            (None, Err(error)) => {
                self.faults.add(Fault::TlsReload);
                Err(io::Error::new(io::ErrorKind::InvalidInput, format!("TLS: {error}")))
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, KeyPair};
    use std::{
        fs,
        process::Command,
        sync::atomic::{AtomicUsize, Ordering::SeqCst},
    };

    fn issuer() -> String {
        let parameters = CertificateParams::new(vec!["issuer".to_owned()]).unwrap();
        parameters.self_signed(&KeyPair::generate().unwrap()).unwrap().pem()
    }

    #[test]
    fn files_that_cannot_be_read_for_long_keep_neither_connections_nor_threads() {
        let threads = Arc::new(AtomicUsize::new(0));
        let started = threads.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .on_thread_start(move || {
                started.fetch_add(1, SeqCst);
            })
            .build()
            .unwrap();
        let path = std::env::temp_dir().join(format!("polywire-slow-{}.pem", std::process::id()));
        fs::write(&path, issuer()).unwrap();
        let told = ClusterTls::new().ca_file(&path).refresh(Duration::ZERO);
        let secure = Secure::of_cluster(&told, &[], Arc::default()).unwrap();
        let first = runtime.block_on(async {
            let first = secure.config().await.unwrap();
            // Who opens a pipe to read waits until somebody opens it to write.
            fs::remove_file(&path).unwrap();
            assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
            for _ in 0..20 {
                let given_up = timeout(SLOW / 2, secure.config());
                assert!(tokio::join!(given_up, tokio::time::advance(SLOW / 2)).0.is_err());
                let (config, ()) = tokio::join!(secure.config(), tokio::time::advance(SLOW));
                assert!(Arc::ptr_eq(&config.unwrap(), &first), "what was read before is used");
            }
            first
        });
        let threads = threads.load(SeqCst);
        if threads > 2 {
            runtime.shutdown_background();
            panic!("{threads} threads wait for the file");
        }
        let (pipe, newer) = (path.clone(), issuer());
        let writing = std::thread::spawn(move || fs::write(pipe, newer));
        let next = runtime.block_on(secure.config()).unwrap();
        assert!(!Arc::ptr_eq(&next, &first), "what is read now is used");
        writing.join().unwrap().unwrap();
        fs::remove_file(&path).unwrap();
    }
}
