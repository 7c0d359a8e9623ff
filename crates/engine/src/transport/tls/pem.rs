//! Certificates and keys from PEM text.

use rustls::pki_types::{
    CertificateDer, PrivateKeyDer,
    pem::{Error, PemObject},
};
use std::fmt;

/// What is wrong with a PEM text.
#[derive(Debug)]
#[non_exhaustive]
pub enum PemError {
    NoCertificate,
    NoKey,
    /// The text is not PEM.
    Malformed(String),
}

impl fmt::Display for PemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PemError::NoCertificate => f.write_str("no certificate in it"),
            PemError::NoKey => f.write_str("no private key in it (PKCS #8, PKCS #1 or SEC1, not encrypted)"),
            PemError::Malformed(what) => write!(f, "not PEM: {what}"),
        }
    }
}
impl std::error::Error for PemError {}

/// All certificates of a text, in their order; other sections are skipped.
///
/// # Errors
/// There is none, or the text is not PEM.
pub fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, PemError> {
    let all: Result<Vec<_>, Error> = CertificateDer::pem_slice_iter(pem).collect();
    let all = all.map_err(|error| PemError::Malformed(error.to_string()))?;
    if all.is_empty() { Err(PemError::NoCertificate) } else { Ok(all) }
}

/// The first private key of a text; other sections are skipped.
///
/// # Errors
/// There is none, or the text is not PEM.
pub fn key(pem: &[u8]) -> Result<PrivateKeyDer<'static>, PemError> {
    PrivateKeyDer::from_pem_slice(pem).map_err(|error| match error {
        Error::NoItemsFound => PemError::NoKey,
        other => PemError::Malformed(other.to_string()),
    })
}
