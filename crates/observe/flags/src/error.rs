//! Errors of registering and changing flags.

use std::fmt;

/// The reason why a flag was not registered, or not changed. On an error the previous value stays.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FlagError {
    /// No flag has this name. Names that are spelt almost alike follow.
    Unknown { name: String, near: Vec<String> },
    /// There is already a flag of this name.
    Taken(String),
    /// The name is invalid. Names consist of ASCII letters, digits, `_`, `.`, `/` and `-`, and have at most
    /// 128 of them.
    Name(String),
    /// The value cannot be read, or its validator refuses it.
    Value { name: String, value: String, why: String },
    /// The flag cannot be changed while the program runs.
    Fixed(String),
    /// `immutable_flags` is on: no flag can be changed.
    Immutable(String),
    /// A flag file cannot be read.
    File { path: String, line: usize, why: String },
}

impl fmt::Display for FlagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FlagError::Unknown { name, near } if near.is_empty() => write!(f, "no flag is called {name:?}"),
            FlagError::Unknown { name, near } => {
                write!(f, "no flag is called {name:?}: did you mean {}?", near.join(" or "))
            }
            FlagError::Taken(name) => write!(f, "there are two flags {name:?}"),
            FlagError::Name(name) => write!(f, "{name:?} is no name for a flag"),
            FlagError::Value { name, value, why } => write!(f, "cannot set {name} to {value:?}: {why}"),
            FlagError::Fixed(name) => write!(f, "{name} cannot be changed while the program runs"),
            FlagError::Immutable(name) => write!(f, "cannot set {name}: immutable_flags is on"),
            FlagError::File { path, line: 0, why } => write!(f, "{path}: {why}"),
            FlagError::File { path, line, why } => write!(f, "{path}, line {line}: {why}"),
        }
    }
}

impl std::error::Error for FlagError {}
