//! PEM texts, and the files they are read from.

use polywire_engine::transport::tls;
use rustls::{RootCertStore, crypto::CryptoProvider, sign::CertifiedKey};
use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// A PEM text, or the file that has it.
#[derive(Clone)]
pub(super) enum Text {
    Given(Arc<[u8]>),
    File(PathBuf),
}

/// Longest file that is read: all roots of a system have about 250 KB.
const LONGEST: u64 = 16 << 20;

impl Text {
    pub fn given(text: impl Into<Vec<u8>>) -> Self {
        Text::Given(text.into().into())
    }

    pub fn file(path: impl AsRef<Path>) -> Self {
        Text::File(path.as_ref().to_owned())
    }

    fn name(&self) -> String {
        match self {
            Text::Given(_) => "the given PEM text".into(),
            Text::File(path) => path.display().to_string(),
        }
    }

    pub fn is_file(&self) -> bool {
        matches!(self, Text::File(_))
    }

    fn read(&self) -> Result<Arc<[u8]>, String> {
        let path = match self {
            Text::Given(text) => return Ok(text.clone()),
            Text::File(path) => path,
        };
        let explain = |error: io::Error| format!("{}: {error}", path.display());
        let length = fs::metadata(path).map_err(explain)?.len();
        if length > LONGEST {
            return Err(format!("{}: {length} bytes are no PEM text", path.display()));
        }
        fs::read(path).map(Arc::from).map_err(explain)
    }

    /// Changes when the file does; symbolic links are followed.
    pub fn stamp(&self) -> Stamp {
        let Text::File(path) = self else { return Stamp::default() };
        let found = fs::metadata(path).ok();
        Stamp(found.map(|m| [m.mtime(), m.mtime_nsec(), m.size() as i64, m.ino() as i64, m.dev() as i64]))
    }
}

/// What tells a changed file from the one before. `None`: it is not there.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stamp(Option<[i64; 5]>);

/// What was read, each with its name.
pub(super) struct Texts(Vec<(String, Arc<[u8]>)>);

impl Texts {
    /// # Errors
    /// A file that cannot be read.
    pub fn read<'t>(texts: impl Iterator<Item = &'t Text>) -> Result<Self, String> {
        texts.map(|text| Ok((text.name(), text.read()?))).collect::<Result<_, _>>().map(Texts)
    }

    /// The roots in the texts from number `from` on.
    pub fn roots(&self, from: usize) -> Result<RootCertStore, String> {
        let mut roots = RootCertStore::empty();
        for (name, text) in &self.0[from..] {
            for certificate in tls::certificates(text).map_err(|error| format!("{name}: {error}"))? {
                roots.add(certificate).map_err(|error| format!("{name}: {error}"))?;
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
    ) -> Result<CertifiedKey, String> {
        let ((chain_name, chain), (key_name, key)) = (&self.0[chain], &self.0[key]);
        let chain = tls::certificates(chain).map_err(|error| format!("{chain_name}: {error}"))?;
        let key = tls::key(key).map_err(|error| format!("{key_name}: {error}"))?;
        CertifiedKey::from_der(chain, key, provider)
            .map_err(|error| format!("{chain_name} with {key_name}: {error}"))
    }

    /// Whether the texts from number `from` on are the same in both.
    pub fn same_from(&self, other: &Texts, from: usize) -> bool {
        self.0[from..].iter().map(|(_, text)| text).eq(other.0[from..].iter().map(|(_, text)| text))
    }
}
