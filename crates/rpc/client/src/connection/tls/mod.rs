//! TLS at a client: whom to believe, and who we are.
//!
//! | file | what it is |
//! | --- | --- |
//! | `mod.rs` | the options, checked |
//! | `secure.rs` | what connections are made with: fixed, or read again from files |
//! | `names.rs`, `alternative_names.rs` | certificates that are believed by their names, whatever the server is called |
//! | `dangerous.rs` | options that give up what TLS is for |

mod alternative_names;
pub mod dangerous;
mod names;
mod secure;

pub(crate) use secure::{Secure, TlsIdentity};

use polywire_call::ConfigError;
use polywire_engine::transport::tls::{self, Pem};
use polywire_routing::{CertificateNames, ClusterTls};
use rustls::{
    ClientConfig, RootCertStore,
    client::Resumption,
    pki_types::{CertificateDer, ServerName, TrustAnchor},
};
use std::{path::Path, sync::Arc, time::Duration};

/// The TLS options of a channel: versions 1.2 and 1.3, sessions are resumed. By default the server's
/// certificate must be issued by one of the system's roots, for the host of the channel's address.
///
/// ```
/// use polywire_client::ClientTls;
/// let tls = ClientTls::new().ca_file("ca.pem").server_name("echo.internal");
/// ```
///
/// Files are read when the channel is built, which fails if one of them is invalid. With
/// [`ClientTls::reload_every`] they are read again.
#[derive(Clone, PartialEq, Default)]
#[must_use]
#[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
pub struct ClientTls {
    roots: Vec<Pem>,
    system_roots: bool,
    name: Option<String>,
    identity: Option<(Pem, Pem)>,
    alpn: Option<Vec<Vec<u8>>>,
    newest_only: bool,
    no_resumption: bool,
    unverified: bool,
    reload: Option<Duration>,
    names: CertificateNames,
}

/// The result of `parse` for a PEM text or file.
fn parse<T>(pem: &Pem, parse: impl Fn(&[u8]) -> Result<T, tls::PemError>) -> Result<T, ConfigError> {
    parse(&pem.read()?).map_err(|error| tls::unusable(pem, error))
}

impl ClientTls {
    /// Believes the system's roots.
    pub fn new() -> Self {
        Self::default()
    }

    /// Trusts the issuers in this file, in place of the system's. May be called several times.
    pub fn ca_file(mut self, certificates: impl AsRef<Path>) -> Self {
        self.roots.push(Pem::file(certificates));
        self
    }

    /// Like [`ClientTls::ca_file`], from a PEM text.
    pub fn ca_pem(mut self, certificates: impl Into<Vec<u8>>) -> Self {
        self.roots.push(Pem::given(certificates));
        self
    }

    /// Trusts the system's roots in addition to the given ones.
    pub fn system_roots(mut self) -> Self {
        self.system_roots = true;
        self
    }

    /// The name of the server: it is sent as SNI, and the server's certificate must have it. Default: the
    /// host of the channel's address. A Unix socket has no host, so the name must be set.
    pub fn server_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The client certificate, and its key, that are sent to a server which requests one.
    pub fn certificate_files(mut self, certificates: impl AsRef<Path>, key: impl AsRef<Path>) -> Self {
        self.identity = Some((Pem::file(certificates), Pem::file(key)));
        self
    }

    /// Like [`ClientTls::certificate_files`], from PEM texts.
    pub fn certificate_pem(mut self, certificates: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Self {
        self.identity = Some((Pem::given(certificates), Pem::given(key)));
        self
    }

    /// The application protocols that are offered. Default: those of the channel's protocol; none if it has
    /// none.
    pub fn alpn<I: Into<Vec<u8>>>(mut self, ids: impl IntoIterator<Item = I>) -> Self {
        self.alpn = Some(ids.into_iter().map(Into::into).collect());
        self
    }

    /// Allows TLS 1.3 only.
    pub fn newest_only(mut self) -> Self {
        self.newest_only = true;
        self
    }

    /// Whether sessions are resumed: the keys of 256 earlier connections are kept for that. Default: true.
    /// With false, every connection has a full handshake.
    pub fn resumption(mut self, resumption: bool) -> Self {
        self.no_resumption = !resumption;
        self
    }

    /// Sets the age at which files are read again before a new connection is made; existing connections
    /// continue. Files that cannot be used are reported once and counted as `fault_tls_reload`, and the
    /// previous contents stay in use. `None`, the default: files are read once, when the channel is built.
    pub fn reload_every(mut self, interval: impl Into<Option<Duration>>) -> Self {
        self.reload = interval.into();
        self
    }

    /// The names that are accepted in the server's certificate, in place of the name that the client connects
    /// to.
    pub fn names(mut self, names: CertificateNames) -> Self {
        self.names = names;
        self
    }

    /// The TLS options that the router gives for the servers of a cluster.
    pub(crate) fn of_cluster(told: &ClusterTls) -> Self {
        ClientTls {
            roots: told.ca_files.iter().map(Pem::file).collect(),
            name: told.server_name.clone(),
            identity: told.identity.as_ref().map(|(chain, key)| (Pem::file(chain), Pem::file(key))),
            reload: Some(told.refresh),
            names: told.names.clone(),
            ..ClientTls::default()
        }
    }

    /// Gives access to options that disable the protection of TLS.
    pub fn dangerous(self) -> dangerous::Dangerous {
        dangerous::Dangerous(self)
    }

    /// The server name that is sent and checked. `None`: the channel has several servers, each with its own
    /// address.
    ///
    /// # Errors
    /// The name is not a valid server name.
    fn server(&self, address: Option<&str>) -> Result<Option<ServerName<'static>>, ConfigError> {
        let name = self.name.as_deref().or_else(|| address.map(host));
        let parse = |name: &str| {
            ServerName::try_from(name.to_owned()).map_err(|_| {
                let text = not_a_host(name);
                ConfigError::new("tls", text).with_value(name)
            })
        };
        name.map(parse).transpose()
    }

    /// The TLS configuration for new connections, and the contents that it was made from. Reads the files.
    ///
    /// # Errors
    /// An option or file that is wrong, named in the text.
    fn config(&self, alpn: &[Vec<u8>]) -> Result<(Arc<ClientConfig>, Content), ConfigError> {
        let versions: &[_] = if self.newest_only { &[&rustls::version::TLS13] } else { rustls::ALL_VERSIONS };
        let builder = ClientConfig::builder_with_provider(tls::provider());
        let builder =
            builder.with_protocol_versions(versions).map_err(|error| tls::unusable("versions", error))?;
        let mut content = Content::default();
        let builder = if self.unverified {
            builder.dangerous().with_custom_certificate_verifier(dangerous::anything())
        } else {
            let roots = self.all_roots()?;
            content.roots = Some(roots.roots.clone());
            match &self.names {
                CertificateNames::Host => builder.with_root_certificates(roots),
                CertificateNames::AnyOf(tests) => {
                    let verifier = names::verifier(roots, tests.clone());
                    builder.dangerous().with_custom_certificate_verifier(verifier)
                }
                CertificateNames::Unchecked => {
                    builder.dangerous().with_custom_certificate_verifier(names::any_name(roots))
                }
            }
        };
        let mut config = match &self.identity {
            None => builder.with_no_client_auth(),
            Some((certificates, key)) => {
                let (chain, key) = (parse(certificates, tls::certificates)?, parse(key, tls::key)?);
                content.identity = Some((chain.clone(), key.secret_der().to_vec()));
                builder
                    .with_client_auth_cert(chain, key)
                    .map_err(|error| tls::unusable("the client's certificate and key", error))?
            }
        };
        config.alpn_protocols = self.alpn.clone().unwrap_or_else(|| alpn.to_vec());
        if self.no_resumption {
            config.resumption = Resumption::disabled();
        }
        Ok((Arc::new(config), content))
    }

    fn all_roots(&self) -> Result<RootCertStore, ConfigError> {
        let mut roots = RootCertStore::empty();
        if self.roots.is_empty() || self.system_roots {
            let found = rustls_native_certs::load_native_certs();
            roots.add_parsable_certificates(found.certs);
            if roots.is_empty() {
                let why: Vec<_> = found.errors.iter().map(ToString::to_string).collect();
                let text = format!(
                    "the system has no root certificates (package ca-certificates, or SSL_CERT_FILE); \
                     say ClientTls::ca_file(..): {}",
                    why.join("; ")
                );
                return Err(ConfigError::new("tls", text));
            }
        }
        for given in &self.roots {
            for certificate in parse(given, tls::certificates)? {
                roots.add(certificate).map_err(|error| tls::unusable("a root certificate", error))?;
            }
        }
        Ok(roots)
    }
}

fn not_a_host(name: &str) -> String {
    format!("{name:?} is not the name of a host: say ClientTls::server_name(..)")
}

/// The host of `host:port` or `[v6]:port`, empty for a Unix socket; any other address unchanged. The zone of
/// an IPv6 address is left out, since it has a meaning on this machine only.
fn host(address: &str) -> &str {
    if address.starts_with("unix:") {
        return "";
    }
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let v6 = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    v6.map_or(host, |v6| v6.split('%').next().unwrap_or(v6))
}

/// The contents of a channel's TLS files, regardless of their paths.
#[derive(PartialEq, Default)]
struct Content {
    /// The trusted issuers; `None`: certificates are not verified.
    roots: Option<Vec<TrustAnchor<'static>>>,
    /// The client's own chain of certificates, and the key.
    identity: Option<(Vec<CertificateDer<'static>>, Vec<u8>)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn refusal(tls: ClientTls, address: &str) -> String {
        Secure::new(tls, Some(address), &[], Arc::default()).err().expect("it is refused").to_string()
    }

    #[test]
    fn the_name_is_the_host_of_the_address() {
        assert_eq!(host("echo.prod:8000"), "echo.prod");
        assert_eq!(host("[::1]:8000"), "::1");
        assert_eq!(host("[fe80::1%eth0]:8000"), "fe80::1");
        assert_eq!(host("echo"), "echo");
        assert_eq!(host("unix:/run/echo"), "");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let unverified = || ClientTls::new().dangerous().no_verification();
        let said = refusal(unverified(), "unix:/run/echo.sock");
        assert!(said.contains("server_name"), "{said}");
        let said = refusal(ClientTls::new().ca_pem("no pem"), "h:1");
        assert!(said.contains("no certificate in it"), "{said}");
        let tls = ClientTls::new().ca_file("/no/such/file");
        let wrong = Secure::new(tls, Some("h:1"), &[], Arc::default()).err().expect("it is refused");
        assert_eq!((wrong.option(), wrong.value()), ("tls", Some("/no/such/file")));
        assert!(wrong.to_string().starts_with("/no/such/file: "), "{wrong}");
        let source = std::error::Error::source(&wrong).and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.expect("what the system said").kind(), io::ErrorKind::NotFound);
        let said = refusal(unverified().certificate_pem("", ""), "h:1");
        assert!(said.contains("no certificate in it"), "{said}");
    }
}
