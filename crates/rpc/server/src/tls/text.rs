//! The PEM texts of a server, and whether their files have changed since they were read.

use super::certificate::Certificate;
use crate::certificates::ServedCertificate;
use polywire_call::ConfigError;
use polywire_engine::transport::tls::{self, Pem};
use rustls::{RootCertStore, crypto::CryptoProvider, sign::CertifiedKey};
use std::{fs, os::unix::fs::MetadataExt, sync::Arc};

/// A stamp that changes when the file does; symbolic links are followed.
pub(super) fn stamp(pem: &Pem) -> Stamp {
    let found = pem.path().and_then(|path| fs::metadata(path).ok());
    Stamp(found.map(|m| [m.mtime(), m.mtime_nsec(), m.size() as i64, m.ino() as i64, m.dev() as i64]))
}

/// Metadata that distinguishes a changed file from its previous version. `None`: the file does not exist, or
/// the text was given.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stamp(Option<[i64; 5]>);

/// The texts that were read, each with its name.
pub(super) struct Texts(Vec<(String, Arc<[u8]>)>);

impl Texts {
    /// Reads all texts.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read<'t>(texts: impl Iterator<Item = &'t Pem>) -> Result<Self, ConfigError> {
        texts.map(|pem| Ok((pem.to_string(), pem.read()?))).collect::<Result<_, _>>().map(Texts)
    }

    /// The roots in the texts from number `from` on.
    pub fn roots(&self, from: usize) -> Result<RootCertStore, ConfigError> {
        let mut roots = RootCertStore::empty();
        for (name, text) in &self.0[from..] {
            for certificate in tls::certificates(text).map_err(|error| tls::unusable(name, error))? {
                roots.add(certificate).map_err(|error| tls::unusable(name, error))?;
            }
        }
        Ok(roots)
    }

    /// The certificates of text `chain` with the key of text `key`, which must belong together.
    pub fn certified(
        &self,
        chain: usize,
        key: usize,
        provider: &CryptoProvider,
    ) -> Result<CertifiedKey, ConfigError> {
        let ((chain_name, chain), (key_name, key)) = (&self.0[chain], &self.0[key]);
        let chain = tls::certificates(chain).map_err(|error| tls::unusable(chain_name, error))?;
        let key = tls::key(key).map_err(|error| tls::unusable(key_name, error))?;
        CertifiedKey::from_der(chain, key, provider)
            .map_err(|error| tls::unusable(format_args!("{chain_name} with {key_name}"), error))
    }

    /// The first certificates of the texts `0, 2, ..`, before text number `own`. Texts that cannot be parsed
    /// are left out.
    pub fn served(&self, own: usize) -> Vec<ServedCertificate> {
        let texts = self.0.iter().take(own).step_by(2);
        texts
            .filter_map(|(name, text)| {
                let chain = tls::certificates(text).ok()?;
                let Certificate { names, issuer, from, until } = Certificate::read(chain.first()?)?;
                Some(ServedCertificate { file: name.clone(), names, issuer, from, until })
            })
            .collect()
    }

    /// Whether the texts from number `from` on are the same in both.
    pub fn same_from(&self, other: &Texts, from: usize) -> bool {
        self.0[from..].iter().map(|(_, text)| text).eq(other.0[from..].iter().map(|(_, text)| text))
    }
}
