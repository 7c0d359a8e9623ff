//! Errors of a build script.

use std::{fmt, io, path::PathBuf};

/// The reason why no code was generated. `Display` is meant for the author of the `.proto`, `.fbs` or
/// `.thrift` file, and `Debug` writes the same, because a build script prints that if its `main` returns this
/// error.
#[non_exhaustive]
pub enum Error {
    /// A `.proto` file is missing or invalid; the text begins with file, line and column where they are
    /// known.
    Proto(String),
    /// A `.fbs` file is missing or invalid; the text begins with file and line where they are known.
    Schema(String),
    /// A `.thrift` file is missing or invalid; the text begins with file, line and column where they are
    /// known.
    Thrift(String),
    /// The files are valid, but names collide in Rust.
    Names(String),
    /// An option refers to something that does not exist, or contains invalid Rust.
    Options(String),
    /// The message generator failed.
    Messages(String),
    /// A generated file cannot be written.
    Write { path: PathBuf, source: io::Error },
    /// The build script was not run by cargo, and no output directory was set.
    NoOutDir,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Proto(what)
            | Error::Schema(what)
            | Error::Thrift(what)
            | Error::Names(what)
            | Error::Options(what)
            | Error::Messages(what) => f.write_str(what),
            Error::Write { path, source } => write!(f, "cannot write {}: {source}", path.display()),
            Error::NoOutDir => f.write_str(
                "OUT_DIR is not set: call this from build.rs, or name a directory with Config::out_dir",
            ),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Write { source, .. } => Some(source),
            _ => None,
        }
    }
}
