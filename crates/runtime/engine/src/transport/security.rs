//! The protection of a byte stream, and its errors. The engine has these types whether or not TLS is built
//! in.

use crate::Fault;
use bytes::Bytes;
use std::{fmt, io, sync::Arc};

/// The result of a TLS handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Security {
    /// The TLS version, `TLSv1.3` or `TLSv1.2`.
    pub version: &'static str,
    /// Name of the cipher suite as its specification spells it.
    pub cipher: &'static str,
    /// The application protocol that both ends agreed on; `None` if none was offered.
    pub alpn: Option<Box<[u8]>>,
    /// The peer's verified certificates in DER, its own first. Empty if it showed none.
    pub peer_certificates: Vec<Bytes>,
    /// Whether keys of an earlier connection were resumed.
    pub resumed: bool,
}

/// The state of a transport's protection.
#[derive(Clone, Copy, Debug)]
pub enum Protection<'t> {
    /// No protection, or no byte has arrived yet where plain text is allowed as well.
    None,
    /// TLS is to begin, or has begun.
    Handshaking,
    Secured(&'t Arc<Security>),
}

impl<'t> Protection<'t> {
    pub fn security(self) -> Option<&'t Arc<Security>> {
        match self {
            Protection::None | Protection::Handshaking => None,
            Protection::Secured(security) => Some(security),
        }
    }
}

/// A failure of the transport that has its own counter. It can be found again inside an [`io::Error`].
#[derive(Debug)]
pub struct Broken {
    pub fault: Fault,
    what: Box<str>,
}

impl Broken {
    /// Wraps the failure in an I/O error of this kind.
    #[cold]
    pub fn error(kind: io::ErrorKind, fault: Fault, what: impl Into<Box<str>>) -> io::Error {
        io::Error::new(kind, Broken { fault, what: what.into() })
    }

    /// The counter of any failure of a transport.
    pub fn fault_of(error: &io::Error) -> Fault {
        let broken = error.get_ref().and_then(|inner| inner.downcast_ref::<Broken>());
        broken.map_or(Fault::Reset, |broken| broken.fault)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}
impl std::error::Error for Broken {}
