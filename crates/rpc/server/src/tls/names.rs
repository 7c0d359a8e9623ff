//! The certificate for each server name, and the name in a client's certificate.

use crate::auth::Identity;
use rustls::{
    pki_types::CertificateDer,
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use std::{collections::HashMap, sync::Arc};
use webpki::EndEntityCert;

/// A server's certificates, by the names in them.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Names in lower case. The name of a wildcard begins with a dot, in place of its star.
    by_name: HashMap<Box<str>, Arc<CertifiedKey>>,
    /// The certificate for all other names.
    first: Option<Arc<CertifiedKey>>,
}

impl Names {
    /// Adds a certificate. If another one has the same name, the earlier one keeps it.
    pub fn add(&mut self, certified: CertifiedKey) {
        let certified = Arc::new(certified);
        if let Some(parsed) = certified.cert.first().and_then(|der| EndEntityCert::try_from(der).ok()) {
            for name in parsed.valid_dns_names() {
                let name = name.strip_prefix('*').unwrap_or(name).to_ascii_lowercase();
                self.by_name.entry(name.into()).or_insert_with(|| certified.clone());
            }
        }
        self.first.get_or_insert(certified);
    }

    /// An exact name is preferred to a wildcard, and a wildcard to the first certificate. RFC 6125, section
    /// 6.4.3: a star stands for the whole leftmost label.
    fn find(&self, name: Option<&str>) -> Option<&Arc<CertifiedKey>> {
        let name = name.map(str::to_ascii_lowercase);
        let found = name.as_deref().and_then(|name| {
            let parent = name.find('.').map(|dot| &name[dot..]);
            self.by_name.get(name).or_else(|| self.by_name.get(parent?))
        });
        found.or(self.first.as_ref())
    }
}

impl ResolvesServerCert for Names {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.find(hello.server_name()).cloned()
    }
}

/// The identity in a client's verified certificate: the first URI in it (SPIFFE), or else its first DNS name.
/// `None` if it has neither.
pub(crate) fn identity(certificate: &[u8]) -> Option<Identity> {
    let der = CertificateDer::from(certificate);
    let parsed = EndEntityCert::try_from(&der).ok()?;
    let name = parsed.valid_uri_names().next().or_else(|| parsed.valid_dns_names().next());
    name.map(Identity::named)
}
