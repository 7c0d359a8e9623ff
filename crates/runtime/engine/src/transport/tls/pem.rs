//! Certificates and keys from PEM texts, and the files that contain them.
//!
//! Limits: a file of more than [`LONGEST`] bytes is refused, whatever length the file system reports.

use polywire_call::ConfigError;
use rustls::pki_types::{
    CertificateDer, PrivateKeyDer,
    pem::{Error, PemObject},
};
use std::{
    error::Error as StdError,
    fmt,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Longest file that is read, in bytes: all roots of a system take about 250 KB.
const LONGEST: u64 = 16 << 20;

/// A PEM text, or the path of a file that contains one.
#[derive(Clone, PartialEq, Eq)]
pub enum Pem {
    Given(Arc<[u8]>),
    File(PathBuf),
}

impl Pem {
    pub fn given(text: impl Into<Vec<u8>>) -> Self {
        Pem::Given(text.into().into())
    }

    pub fn file(path: impl AsRef<Path>) -> Self {
        Pem::File(path.as_ref().to_owned())
    }

    /// The path of the file, unless the text itself was given.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Pem::Given(_) => None,
            Pem::File(path) => Some(path),
        }
    }

    /// Reads the text.
    ///
    /// # Errors
    /// The path of the file and its error.
    pub fn read(&self) -> Result<Arc<[u8]>, ConfigError> {
        let path = match self {
            Pem::Given(text) => return Ok(text.clone()),
            Pem::File(path) => path,
        };
        let mut text = Vec::new();
        File::open(path)
            .and_then(|file| file.take(LONGEST + 1).read_to_end(&mut text))
            .map_err(|error| unusable(self, error))?;
        if text.len() as u64 > LONGEST {
            return Err(unusable(self, format!("more than {LONGEST} bytes are no PEM text")));
        }
        Ok(text.into())
    }
}

/// The name of this source in messages.
impl fmt::Display for Pem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pem::Given(_) => f.write_str("the given PEM text"),
            Pem::File(path) => path.display().fmt(f),
        }
    }
}

/// A text of certificates or keys that cannot be used, by the name that it is shown with.
pub fn unusable(name: impl fmt::Display, why: impl Into<Box<dyn StdError + Send + Sync>>) -> ConfigError {
    let (name, why) = (name.to_string(), why.into());
    ConfigError::new("tls", format!("{name}: {why}")).with_value(name).with_source(why)
}

/// The fault of a PEM text.
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
/// The text has no certificate, or is not PEM.
pub fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, PemError> {
    let all: Result<Vec<_>, Error> = CertificateDer::pem_slice_iter(pem).collect();
    let all = all.map_err(|error| PemError::Malformed(error.to_string()))?;
    if all.is_empty() { Err(PemError::NoCertificate) } else { Ok(all) }
}

/// The first private key of a text; other sections are skipped.
///
/// # Errors
/// The text has no private key, or is not PEM.
pub fn key(pem: &[u8]) -> Result<PrivateKeyDer<'static>, PemError> {
    PrivateKeyDer::from_pem_slice(pem).map_err(|error| match error {
        Error::NoItemsFound => PemError::NoKey,
        other => PemError::Malformed(other.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_given_or_read_and_named_in_errors() {
        assert_eq!(*Pem::given("text").read().expect("given"), *b"text");
        assert_eq!(Pem::given("").to_string(), "the given PEM text");
        let missing = Pem::file("/no/such/file").read().expect_err("it is not there");
        assert!(missing.to_string().starts_with("/no/such/file: "), "{missing}");
    }

    #[test]
    fn a_file_without_end_is_refused() {
        let endless = Pem::file("/dev/zero").read().expect_err("it has no end");
        assert!(endless.to_string().contains("no PEM text"), "{endless}");
    }
}
