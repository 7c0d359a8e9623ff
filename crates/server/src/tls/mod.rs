//! TLS at a server: which certificates, whose clients, and files that change.
//!
//! | file | what it is |
//! | --- | --- |
//! | `text` | what was read of PEM texts, and whether their files have changed |
//! | `names` | which certificate for which name; names of a client's certificate |
//! | `live` | the configuration new connections get, made anew when files change |
//!
//! Not here: the handshake (`polywire_engine::transport::tls`), which listener takes what (`door`).

mod live;
mod names;
mod text;

pub(crate) use live::{Live, watch};
pub(crate) use names::identity;

use names::Names;
use polywire_engine::transport::tls::{self, Pem};
use rustls::{
    ServerConfig,
    server::{NoServerSessionStorage, ProducesTickets, WebPkiClientVerifier},
};
use std::{path::Path, sync::Arc, time::Duration};
use text::Texts;

/// Whether clients must show a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ClientCertificates {
    /// Who shows none is turned away.
    #[default]
    Required,
    /// Who shows one is held to it.
    Optional,
}

/// How a server speaks TLS: versions 1.2 and 1.3, sessions resumed by tickets, early data refused. Everything but a
/// certificate and its key has a default.
///
/// Certificates are PEM, the server's own first and its issuers behind it; keys are PEM too (PKCS #8, PKCS #1 or SEC1, not
/// encrypted). Files are looked at again every second: what has changed holds for new connections, and what cannot be
/// used is reported, counted as `fault_tls_reload`, and changes nothing.
#[derive(Clone)]
#[must_use]
pub struct Tls {
    identities: Vec<Identity>,
    client_roots: Vec<Pem>,
    client_certificates: ClientCertificates,
    newest_only: bool,
    reload: Option<Duration>,
}

#[derive(Clone)]
struct Identity {
    certificates: Pem,
    key: Pem,
}

impl Tls {
    /// With a certificate and its key, read from files.
    pub fn files(certificates: impl AsRef<Path>, key: impl AsRef<Path>) -> Self {
        Self::new(Pem::file(certificates), Pem::file(key))
    }

    /// With a certificate and its key as PEM texts.
    pub fn pem(certificates: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Self {
        Self::new(Pem::given(certificates), Pem::given(key))
    }

    fn new(certificates: Pem, key: Pem) -> Self {
        Tls {
            identities: vec![Identity { certificates, key }],
            client_roots: Vec::new(),
            client_certificates: ClientCertificates::default(),
            newest_only: false,
            reload: Some(Duration::from_secs(1)),
        }
    }

    /// A further certificate, for clients that ask for one of its names (SNI; `*.example.com` stands for one label). Who
    /// asks for a name that none has, or for none, gets the first.
    pub fn and_files(mut self, certificates: impl AsRef<Path>, key: impl AsRef<Path>) -> Self {
        self.identities.push(Identity { certificates: Pem::file(certificates), key: Pem::file(key) });
        self
    }

    /// As [`Tls::and_files`], from PEM texts.
    pub fn and_pem(mut self, certificates: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Self {
        self.identities.push(Identity { certificates: Pem::given(certificates), key: Pem::given(key) });
        self
    }

    /// Clients show a certificate issued by one of those in this file. May be said several times. Default: clients are
    /// not asked.
    pub fn client_ca_file(mut self, certificates: impl AsRef<Path>) -> Self {
        self.client_roots.push(Pem::file(certificates));
        self
    }

    /// As [`Tls::client_ca_file`], from PEM texts.
    pub fn client_ca_pem(mut self, certificates: impl Into<Vec<u8>>) -> Self {
        self.client_roots.push(Pem::given(certificates));
        self
    }

    /// Whether clients must show one, where issuers are named. Default [`ClientCertificates::Required`].
    pub fn client_certificates(mut self, which: ClientCertificates) -> Self {
        self.client_certificates = which;
        self
    }

    /// TLS 1.3 only. Default: 1.2 as well, for old clients.
    pub fn newest_only(mut self) -> Self {
        self.newest_only = true;
        self
    }

    /// How often files are looked at. Default 1 s; a look costs a system call per file, beside the shards.
    pub fn reload_every(mut self, interval: Duration) -> Self {
        self.reload = Some(interval.max(Duration::from_millis(1)));
        self
    }

    /// Files are read once, at start, and whenever [`Running::reload_tls`](crate::Running::reload_tls) is called.
    pub fn no_reload(mut self) -> Self {
        self.reload = None;
        self
    }

    /// Whether nobody is let in without a certificate.
    pub(crate) fn requires_clients(&self) -> bool {
        !self.client_roots.is_empty() && self.client_certificates == ClientCertificates::Required
    }

    /// Every text, in the order of [`Texts`].
    fn texts(&self) -> impl Iterator<Item = &Pem> {
        let own = self.identities.iter().flat_map(|identity| [&identity.certificates, &identity.key]);
        own.chain(&self.client_roots)
    }

    /// The configuration that `texts` make.
    ///
    /// # Errors
    /// What is wrong, with the file it is wrong in.
    fn config(
        &self,
        texts: &Texts,
        alpn: &[Vec<u8>],
        ticketer: Arc<dyn ProducesTickets>,
    ) -> Result<ServerConfig, String> {
        let provider = tls::provider();
        let versions: &[_] = if self.newest_only { &[&rustls::version::TLS13] } else { rustls::ALL_VERSIONS };
        let builder = ServerConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(versions)
            .map_err(|error| error.to_string())?;
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
            let verifier = verifier.build().map_err(|error| format!("client certificates: {error}"))?;
            builder.with_client_cert_verifier(verifier)
        };
        let mut names = Names::default();
        for n in (0..own).step_by(2) {
            names.add(texts.certified(n, n + 1, &provider)?);
        }
        let mut config = builder.with_cert_resolver(Arc::new(names));
        config.alpn_protocols = alpn.to_vec();
        config.ticketer = ticketer;
        config.session_storage = Arc::new(NoServerSessionStorage {}); // tickets remember, no table that all shards lock
        Ok(config)
    }
}
