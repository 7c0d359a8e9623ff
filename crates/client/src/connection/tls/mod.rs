//! TLS at a client: whom to believe, and who we are.

use polywire_call::ConfigError;
use polywire_engine::transport::{
    Transport,
    tls::{self, Pem},
};
use rustls::{ClientConfig, RootCertStore, client::Resumption, pki_types::ServerName};
use std::{io, path::Path, sync::Arc};

pub mod dangerous;

/// How a channel speaks TLS: versions 1.2 and 1.3, sessions resumed. By default the server's certificate must be issued
/// by one of the system's roots, for the host of the channel's address.
///
/// ```
/// use polywire_client::TlsConnect;
/// let tls = TlsConnect::new().ca_file("ca.pem").server_name("echo.internal");
/// ```
///
/// Files are read when the channel is built, and any error with them is told then.
#[derive(Clone, Default)]
#[must_use]
#[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
pub struct TlsConnect {
    roots: Vec<Pem>,
    system_roots: bool,
    name: Option<String>,
    identity: Option<(Pem, Pem)>,
    alpn: Option<Vec<Vec<u8>>>,
    newest_only: bool,
    no_resumption: bool,
    unverified: bool,
}

/// What `parse` makes of a text.
fn parse<T>(pem: &Pem, parse: impl Fn(&[u8]) -> Result<T, tls::PemError>) -> Result<T, ConfigError> {
    parse(&pem.read()?).map_err(|error| tls::unusable(pem, error))
}

impl TlsConnect {
    /// Believes the system's roots.
    pub fn new() -> Self {
        Self::default()
    }

    /// Believes the issuers in this file, in place of the system's. May be said several times.
    pub fn ca_file(mut self, certificates: impl AsRef<Path>) -> Self {
        self.roots.push(Pem::file(certificates));
        self
    }

    /// As [`TlsConnect::ca_file`], from a PEM text.
    pub fn ca_pem(mut self, certificates: impl Into<Vec<u8>>) -> Self {
        self.roots.push(Pem::given(certificates));
        self
    }

    /// Believes the system's roots beside the given ones.
    pub fn system_roots(mut self) -> Self {
        self.system_roots = true;
        self
    }

    /// The name that the server is asked for (SNI) and that its certificate must have. Default: the host of the
    /// channel's address. A Unix socket has none, so it must be said there.
    pub fn server_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// What we show a server that asks who we are.
    pub fn certificate_files(mut self, certificates: impl AsRef<Path>, key: impl AsRef<Path>) -> Self {
        self.identity = Some((Pem::file(certificates), Pem::file(key)));
        self
    }

    /// As [`TlsConnect::certificate_files`], from PEM texts.
    pub fn certificate_pem(mut self, certificates: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Self {
        self.identity = Some((Pem::given(certificates), Pem::given(key)));
        self
    }

    /// The application protocols that are offered. Default: those of the channel's protocol; none if it has none.
    pub fn alpn<I: Into<Vec<u8>>>(mut self, ids: impl IntoIterator<Item = I>) -> Self {
        self.alpn = Some(ids.into_iter().map(Into::into).collect());
        self
    }

    /// TLS 1.3 only.
    pub fn newest_only(mut self) -> Self {
        self.newest_only = true;
        self
    }

    /// Every connection has a whole handshake. Default: the keys of 256 earlier ones are kept to resume.
    pub fn without_resumption(mut self) -> Self {
        self.no_resumption = true;
        self
    }

    /// Options that give up what TLS is for.
    pub fn dangerous(self) -> dangerous::Dangerous {
        dangerous::Dangerous(self)
    }

    /// What a channel to `address` connects with, checked. `None`: the channel has several servers, each with its own address.
    ///
    /// # Errors
    /// An option or file that is wrong, named in the text.
    pub(crate) fn build(self, address: Option<&str>, alpn: &[&str]) -> Result<Secure, ConfigError> {
        let name = self.name.as_deref().or_else(|| address.map(host));
        let name = name.map(|name| {
            ServerName::try_from(name.to_owned()).map_err(|_| {
                let text = not_a_host(name);
                ConfigError::new("tls", text).with_value(name)
            })
        });
        let name = name.transpose()?;
        let versions: &[_] = if self.newest_only { &[&rustls::version::TLS13] } else { rustls::ALL_VERSIONS };
        let builder = ClientConfig::builder_with_provider(tls::provider());
        let builder =
            builder.with_protocol_versions(versions).map_err(|error| tls::unusable("versions", error))?;
        let builder = if self.unverified {
            builder.dangerous().with_custom_certificate_verifier(dangerous::anything())
        } else {
            builder.with_root_certificates(self.all_roots()?)
        };
        let mut config = match &self.identity {
            None => builder.with_no_client_auth(),
            Some((certificates, key)) => builder
                .with_client_auth_cert(parse(certificates, tls::certificates)?, parse(key, tls::key)?)
                .map_err(|error| tls::unusable("the client's certificate and key", error))?,
        };
        let offered = || alpn.iter().map(|id| id.as_bytes().to_vec()).collect();
        config.alpn_protocols = self.alpn.unwrap_or_else(offered);
        if self.no_resumption {
            config.resumption = Resumption::disabled();
        }
        Ok(Secure { config: Arc::new(config), name })
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
                     say TlsConnect::ca_file(..): {}",
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
    format!("{name:?} is not the name of a host: say TlsConnect::server_name(..)")
}

/// The host of `host:port` or `[v6]:port`, none of a Unix socket; another address as it is.
fn host(address: &str) -> &str {
    if address.starts_with("unix:") {
        return "";
    }
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

/// What a channel connects with.
pub(crate) struct Secure {
    config: Arc<ClientConfig>,
    /// `None`: the host of each server's address.
    name: Option<ServerName<'static>>,
}

impl Secure {
    /// # Errors
    /// What the transport says, and whatever the two do not agree on.
    pub async fn connect(
        &self,
        transport: Box<dyn Transport>,
        address: &str,
    ) -> io::Result<Box<dyn Transport>> {
        let name = match &self.name {
            Some(name) => name.clone(),
            None => ServerName::try_from(host(address).to_owned())
                .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, not_a_host(host(address))))?,
        };
        tls::connect(transport, self.config.clone(), name).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(tls: TlsConnect, address: &str) -> String {
        tls.build(Some(address), &[]).err().expect("it is refused").to_string()
    }

    #[test]
    fn the_name_is_the_host_of_the_address() {
        assert_eq!(host("echo.prod:8000"), "echo.prod");
        assert_eq!(host("[::1]:8000"), "::1");
        assert_eq!(host("echo"), "echo");
        assert_eq!(host("unix:/run/echo"), "");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let unverified = || TlsConnect::new().dangerous().no_verification();
        let said = refusal(unverified(), "unix:/run/echo.sock");
        assert!(said.contains("server_name"), "{said}");
        let said = refusal(TlsConnect::new().ca_pem("no pem"), "h:1");
        assert!(said.contains("no certificate in it"), "{said}");
        let wrong =
            TlsConnect::new().ca_file("/no/such/file").build(Some("h:1"), &[]).err().expect("it is refused");
        assert_eq!((wrong.option(), wrong.value()), ("tls", Some("/no/such/file")));
        assert!(wrong.to_string().starts_with("/no/such/file: "), "{wrong}");
        let source = std::error::Error::source(&wrong).and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.expect("what the system said").kind(), io::ErrorKind::NotFound);
        let said = refusal(unverified().certificate_pem("", ""), "h:1");
        assert!(said.contains("no certificate in it"), "{said}");
    }
}
