//! Why a server did not start.

use polywire_call::ConfigError;
use std::{fmt, io};

/// An error of starting a server.
#[non_exhaustive]
pub enum ServerError {
    /// An option or a service is wrong; the error names it.
    Config(ConfigError),
    /// The system returned an error.
    Io(io::Error),
}
impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerError::Config(wrong) => wrong.fmt(f),
            ServerError::Io(error) => error.fmt(f),
        }
    }
}
/// Writes the same text as `Display`, since a `main` that returns the error prints it with `Debug`.
impl fmt::Debug for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerError::Config(wrong) => fmt::Debug::fmt(wrong, f),
            ServerError::Io(error) => fmt::Display::fmt(error, f),
        }
    }
}
impl std::error::Error for ServerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ServerError::Config(wrong) => wrong.source(),
            ServerError::Io(error) => error.source(),
        }
    }
}
impl From<ConfigError> for ServerError {
    fn from(wrong: ConfigError) -> Self {
        ServerError::Config(wrong)
    }
}
impl From<io::Error> for ServerError {
    fn from(error: io::Error) -> Self {
        ServerError::Io(error)
    }
}
