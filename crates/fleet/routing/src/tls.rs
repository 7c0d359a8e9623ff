//! TLS of the connections to the servers of a cluster, as a router describes it: plain data, from which the
//! client makes connections.

use crate::{Pattern, matcher::text};
use std::{path::PathBuf, time::Duration};

/// TLS of the connections to the servers of a cluster: the trusted issuers, and the client's own certificate.
/// The channel decides whether it is used in place of the channel's own TLS (`Builder::cluster_tls`).
///
/// The files are PEM. They are read before the first connection, and again before a connection that is made
/// later than [`ClusterTls::refresh`] after that. If files cannot be used, the previous certificates stay in
/// use; if there are none, the servers cannot be connected to.
///
/// ```
/// use polywire_routing::{CertificateNames, ClusterTls, NameMatch, NameTest};
///
/// let tls = ClusterTls::new()
///     .ca_file("/run/certificates/ca.pem")
///     .certificate_files("/run/certificates/client.pem", "/run/certificates/client.key")
///     .names(CertificateNames::AnyOf(vec![NameMatch::new(NameTest::Exact("spiffe://shop/carts".into()))]));
/// # let _ = tls;
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ClusterTls {
    /// Files with the certificates of trusted issuers. Empty: those of the system.
    pub ca_files: Vec<PathBuf>,
    /// Our certificate and its key, for servers that ask who we are.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// Default 10 minutes, as with gRPC.
    pub refresh: Duration,
    /// The server name in the TLS handshake (SNI). `None`: the host of each server's address; an IP address
    /// is not sent.
    pub server_name: Option<String>,
    pub names: CertificateNames,
}

/// The names that are accepted in the certificate of a server.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum CertificateNames {
    /// One of the names is the name that the client connects to.
    #[default]
    Host,
    /// One of the names passes one of these tests, whatever the server's name.
    AnyOf(Vec<NameMatch>),
    /// Any: every server with a certificate of a believed issuer is believed.
    Unchecked,
}

/// A test of a name in a certificate (subject alternative name).
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct NameMatch {
    /// `None`: names of each kind.
    pub kind: Option<NameKind>,
    pub test: NameTest,
    /// Letters of ASCII are equal in both cases, but under `Pattern`.
    pub ignores_case: bool,
}

/// The kind of a name in a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NameKind {
    Dns,
    Uri,
    Email,
    /// Compared as text: `10.0.0.1`, `2001:db8::1`.
    Ip,
}

/// A test of a name.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum NameTest {
    /// The name equals this text. Host names are compared without regard to case, and `*.example.com` in a
    /// certificate also matches `a.example.com`.
    Exact(String),
    Prefix(String),
    Suffix(String),
    Contains(String),
    /// The pattern matches the whole name.
    Pattern(Pattern),
}

impl ClusterTls {
    /// The issuers of the system are believed, for the host of the address.
    pub fn new() -> Self {
        ClusterTls {
            ca_files: Vec::new(),
            identity: None,
            refresh: Duration::from_secs(600),
            server_name: None,
            names: CertificateNames::Host,
        }
    }

    /// Trusts the issuers in this file, in place of the system's. May be called several times.
    #[must_use]
    pub fn ca_file(mut self, certificates: impl Into<PathBuf>) -> Self {
        self.ca_files.push(certificates.into());
        self
    }

    /// Sets the client certificate, and its key, for servers that request one.
    #[must_use]
    pub fn certificate_files(mut self, certificates: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        self.identity = Some((certificates.into(), key.into()));
        self
    }

    /// Sets the interval at which the files are read again.
    #[must_use]
    pub fn refresh(mut self, interval: Duration) -> Self {
        self.refresh = interval;
        self
    }

    /// Sets the server name in the TLS handshake.
    #[must_use]
    pub fn server_name(mut self, name: impl Into<String>) -> Self {
        self.server_name = Some(name.into());
        self
    }

    /// Sets the names that are accepted in the certificate of a server.
    #[must_use]
    pub fn names(mut self, names: CertificateNames) -> Self {
        self.names = names;
        self
    }
}

impl ClusterTls {
    /// Number of regular expressions in the tests of names.
    pub(crate) fn patterns(&self) -> usize {
        let CertificateNames::AnyOf(tests) = &self.names else { return 0 };
        tests.iter().filter(|name| matches!(name.test, NameTest::Pattern(_))).count()
    }
}

impl Default for ClusterTls {
    fn default() -> Self {
        ClusterTls::new()
    }
}

impl NameMatch {
    /// A test of names of each kind.
    pub fn new(test: NameTest) -> Self {
        NameMatch { kind: None, test, ignores_case: false }
    }

    /// Tests names of this kind only.
    #[must_use]
    pub fn kind(mut self, kind: NameKind) -> Self {
        self.kind = Some(kind);
        self
    }

    #[must_use]
    pub fn ignore_case(mut self, ignores_case: bool) -> Self {
        self.ignores_case = ignores_case;
        self
    }

    /// Whether a name of a certificate passes the test.
    pub fn matches(&self, kind: NameKind, name: &str) -> bool {
        if self.kind.is_some_and(|only| only != kind) {
            return false;
        }
        let (value, ignores_case) = (name.as_bytes(), self.ignores_case);
        match &self.test {
            NameTest::Exact(host) if kind == NameKind::Dns => is_host(host, name),
            NameTest::Exact(text) => text::same(value, text, ignores_case),
            NameTest::Prefix(text) => text::begins(value, text, ignores_case),
            NameTest::Suffix(text) => text::ends(value, text, ignores_case),
            NameTest::Contains(text) => text::contains(value, text, ignores_case),
            NameTest::Pattern(pattern) => pattern.is_match(value),
        }
    }
}

/// Whether a certificate's `name`, whose leftmost label may be a star, matches `host`. RFC 6125, section 6.4.
fn is_host(host: &str, name: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    let name = name.strip_suffix('.').unwrap_or(name);
    match name.strip_prefix("*.") {
        None => !name.contains('*') && host.eq_ignore_ascii_case(name),
        Some(parent) => host.split_once('.').is_some_and(|(label, rest)| {
            !label.is_empty()
                && !parent.is_empty()
                && !parent.contains('*')
                && rest.eq_ignore_ascii_case(parent)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> String {
        text.to_owned()
    }

    #[test]
    fn names_are_tested_as_texts() {
        use NameTest::*;
        const ID: &str = "spiffe://shop/carts";
        for (test, name, expected, without_case) in [
            (Exact(text(ID)), ID, true, true),
            (Exact(text(ID)), "spiffe://SHOP/carts", false, true),
            (Exact(text(ID)), "spiffe://shop/carts/2", false, false),
            (Prefix(text("spiffe://shop/")), ID, true, true),
            (Prefix(text("spiffe://shop/")), "SPIFFE://shop/carts", false, true),
            (Prefix(text("shop")), ID, false, false),
            (Suffix(text("/carts")), ID, true, true),
            (Suffix(text("/Carts")), ID, false, true),
            (Suffix(text("/cart")), ID, false, false),
            (Contains(text("shop")), ID, true, true),
            (Contains(text("SHOP")), ID, false, true),
            (Contains(text("shops")), ID, false, false),
            (Pattern(crate::Pattern::new("spiffe://shop/(carts|users)").unwrap()), ID, true, true),
            (Pattern(crate::Pattern::new("spiffe://shop/c").unwrap()), ID, false, false),
            (Pattern(crate::Pattern::new("SPIFFE://shop/carts").unwrap()), ID, false, false),
        ] {
            let test = NameMatch::new(test);
            assert_eq!(test.matches(NameKind::Uri, name), expected, "{test:?} {name}");
            let test = test.ignore_case(true);
            assert_eq!(test.matches(NameKind::Uri, name), without_case, "{test:?} {name}");
        }
    }

    #[test]
    fn a_kind_of_names_leaves_out_the_others() {
        let test = NameMatch::new(NameTest::Exact(text("10.0.0.1")));
        for kind in [NameKind::Dns, NameKind::Uri, NameKind::Email, NameKind::Ip] {
            assert!(test.matches(kind, "10.0.0.1"));
            assert_eq!(test.clone().kind(NameKind::Ip).matches(kind, "10.0.0.1"), kind == NameKind::Ip);
        }
    }

    #[test]
    fn a_star_stands_for_one_label() {
        for (host, name, expected) in [
            ("a.example.com", "a.example.com", true),
            ("A.example.com", "a.EXAMPLE.com", true),
            ("a.example.com.", "a.example.com", true),
            ("a.example.com", "*.example.com", true),
            ("a.example.com", "*.Example.com.", true),
            ("a.b.example.com", "*.example.com", false),
            ("example.com", "*.example.com", false),
            (".example.com", "*.example.com", false),
            ("a.example.com", "a*.example.com", false),
            ("a.example.com", "*a.example.com", false),
            ("a.example.com", "a.*.com", false),
            ("a.b", "*.*", false),
            ("a", "*", false),
            ("a.", "*.", false),
        ] {
            let test = NameMatch::new(NameTest::Exact(text(host)));
            assert_eq!(test.matches(NameKind::Dns, name), expected, "{host} {name}");
            // Only names of hosts have stars.
            assert_eq!(test.matches(NameKind::Uri, name), host == name, "{host} {name}");
        }
    }
}
