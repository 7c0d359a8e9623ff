//! TLS at a server: certificates, trusted clients, and files that change.
//!
//! | file | what it is |
//! | --- | --- |
//! | `text` | PEM texts that were read, and whether their files have changed |
//! | `names` | the certificate for each name; names in a client's certificate |
//! | `certificate` | what a certificate says of itself, for pages |
//! | `live` | the configuration of new connections, replaced when files change |
//!
//! Not here: the handshake (`polywire_engine::transport::tls`), and the kinds of connections per listener
//! (`door`).

mod certificate;
mod live;
mod names;
mod text;

pub(crate) use live::{Live, watch};
pub(crate) use names::identity;

use names::Names;
use polywire_call::ConfigError;
use polywire_engine::transport::tls::{self, Pem};
use rustls::{
    ServerConfig,
    server::{NoServerSessionStorage, ProducesTickets, WebPkiClientVerifier},
};
use std::{path::Path, sync::Arc, time::Duration};
use text::Texts;

/// Whether clients must show a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
#[non_exhaustive]
pub enum ClientCertificates {
    /// A client without a certificate is refused.
    #[default]
    Required,
    /// A client without a certificate is accepted. A certificate that is shown must be valid.
    Optional,
}

/// The TLS settings of a server: versions 1.2 and 1.3, sessions resumed by tickets, early data refused.
/// Everything but a certificate and its key has a default.
///
/// Certificates are PEM, the server's own first and its issuers after it; keys are PEM too (PKCS #8, PKCS #1
/// or SEC1, not encrypted). Files are checked every second: new connections use changed files. Contents that
/// cannot be used are reported and counted as `fault_tls_reload`, and the old contents stay in use.
///
/// ```
/// # mod polywire { pub use polywire_server::*; }
/// use polywire::{ClientCertificates, ServerTls};
///
/// let tls = ServerTls::files("server.pem", "server.key")
///     .client_ca_file("clients.pem")
///     .client_certificates(ClientCertificates::Optional);
/// // Server::new().tls(tls)
/// # let _ = tls;
/// ```
#[derive(Clone)]
#[must_use]
#[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
pub struct ServerTls {
    identities: Vec<Identity>,
    client_roots: Vec<Pem>,
    client_certificates: ClientCertificates,
    newest_only: bool,
    reload: Option<Duration>,
    pub(crate) plain_on: Vec<String>,
    pub(crate) plain_beside: bool,
}

#[derive(Clone)]
struct Identity {
    certificates: Pem,
    key: Pem,
}

impl ServerTls {
    /// Uses a certificate and its key from files.
    pub fn files(certificates: impl AsRef<Path>, key: impl AsRef<Path>) -> Self {
        Self::new(Pem::file(certificates), Pem::file(key))
    }

    /// Uses a certificate and its key from PEM texts.
    pub fn pem(certificates: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Self {
        Self::new(Pem::given(certificates), Pem::given(key))
    }

    fn new(certificates: Pem, key: Pem) -> Self {
        ServerTls {
            identities: vec![Identity { certificates, key }],
            client_roots: Vec::new(),
            client_certificates: ClientCertificates::default(),
            newest_only: false,
            reload: Some(Duration::from_secs(1)),
            plain_on: Vec::new(),
            plain_beside: false,
        }
    }

    /// Adds a certificate for clients that ask for one of its names (SNI; `*.example.com` matches one label).
    /// Clients that ask for no name, or for a name without a certificate, get the first certificate.
    pub fn and_files(mut self, certificates: impl AsRef<Path>, key: impl AsRef<Path>) -> Self {
        self.identities.push(Identity { certificates: Pem::file(certificates), key: Pem::file(key) });
        self
    }

    /// Like [`ServerTls::and_files`], from PEM texts.
    pub fn and_pem(mut self, certificates: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Self {
        self.identities.push(Identity { certificates: Pem::given(certificates), key: Pem::given(key) });
        self
    }

    /// Asks clients for a certificate issued by one of those in this file. May be called several times.
    /// Default: clients are not asked.
    pub fn client_ca_file(mut self, certificates: impl AsRef<Path>) -> Self {
        self.client_roots.push(Pem::file(certificates));
        self
    }

    /// Like [`ServerTls::client_ca_file`], from PEM texts.
    pub fn client_ca_pem(mut self, certificates: impl Into<Vec<u8>>) -> Self {
        self.client_roots.push(Pem::given(certificates));
        self
    }

    /// Whether clients must show a certificate, once issuers are set. Default
    /// [`ClientCertificates::Required`].
    pub fn client_certificates(mut self, which: ClientCertificates) -> Self {
        self.client_certificates = which;
        self
    }

    /// Accepts TLS 1.3 only. Default: 1.2 as well, for old clients.
    pub fn newest_only(mut self) -> Self {
        self.newest_only = true;
        self
    }

    /// The interval between checks of the files. Default 1 s. A check costs a system call per file, on a
    /// thread other than the shards'. `None`: files are read only at the start, and whenever
    /// [`Running::reload_tls`](crate::Running::reload_tls) is called.
    pub fn reload_every(mut self, interval: impl Into<Option<Duration>>) -> Self {
        self.reload = interval.into().map(|interval| interval.max(Duration::from_millis(1)));
        self
    }

    /// Listens on this address, too, for plain text only: for example for a health check on an address of its
    /// own. Clients of this address need no certificate. May be called several times.
    pub fn plain_on(mut self, address: impl Into<String>) -> Self {
        self.plain_on.push(address.into());
        self
    }

    /// Whether plain text is accepted as well on the ports that speak TLS, for a time of migration.
    /// Credentials may then travel in clear, and an attacker on the path can read and change calls. Default
    /// false.
    ///
    /// It cannot be combined with required client certificates, since a peer without one could use plain
    /// text: [`Server::start`](crate::Server::start) refuses that.
    pub fn plain_beside(mut self, accepted: bool) -> Self {
        self.plain_beside = accepted;
        self
    }

    /// Reads the certificates and keys, and checks that they can be used, as the start of a server does.
    ///
    /// # Errors
    /// The error, and the file that has it.
    pub fn check(&self) -> Result<(), ConfigError> {
        let ticketer = tls::ticketer().map_err(|error| tls::unusable("tickets", error))?;
        self.config(&Texts::read(self.texts())?, &[], ticketer).map(drop)
    }

    /// Whether every client needs a certificate.
    pub(crate) fn requires_clients(&self) -> bool {
        !self.client_roots.is_empty() && self.client_certificates == ClientCertificates::Required
    }

    /// All texts, in the order of [`Texts`].
    fn texts(&self) -> impl Iterator<Item = &Pem> {
        let own = self.identities.iter().flat_map(|identity| [&identity.certificates, &identity.key]);
        own.chain(&self.client_roots)
    }

    /// The configuration made from `texts`.
    ///
    /// # Errors
    /// The error, and the file that has it.
    fn config(
        &self,
        texts: &Texts,
        alpn: &[Vec<u8>],
        ticketer: Arc<dyn ProducesTickets>,
    ) -> Result<ServerConfig, ConfigError> {
        let provider = tls::provider();
        let versions: &[_] = if self.newest_only { &[&rustls::version::TLS13] } else { rustls::ALL_VERSIONS };
        let builder = ServerConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(versions)
            .map_err(|error| tls::unusable("versions", error))?;
        let own = 2 * self.identities.len();
        let builder = if self.client_roots.is_empty() {
            builder.with_no_client_auth()
        } else {
            let roots = texts.roots(own)?;
            let verifier = WebPkiClientVerifier::builder_with_provider(roots.into(), provider.clone());
            let verifier = match self.client_certificates {
                ClientCertificates::Required => verifier,
                ClientCertificates::Optional => verifier.allow_unauthenticated(),
            };
            let verifier = verifier.build().map_err(|error| tls::unusable("client certificates", error))?;
            builder.with_client_cert_verifier(verifier)
        };
        let mut names = Names::default();
        for n in (0..own).step_by(2) {
            names.add(texts.certified(n, n + 1, &provider)?);
        }
        let mut config = builder.with_cert_resolver(Arc::new(names));
        config.alpn_protocols = alpn.to_vec();
        config.ticketer = ticketer;
        // tickets suffice; a table would be a lock that all shards share
        config.session_storage = Arc::new(NoServerSessionStorage {});
        Ok(config)
    }
}
