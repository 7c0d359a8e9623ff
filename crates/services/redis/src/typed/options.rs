//! Options of commands.

use crate::{Arguments, Command};
use std::time::Duration;

/// When a key expires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Expiry {
    /// After this time, in steps of a millisecond.
    In(Duration),
    /// At this Unix time in milliseconds.
    At(u64),
    /// The expiry stays as it was.
    Keep,
    /// Never, which GETEX calls PERSIST.
    Never,
}

impl Arguments for Expiry {
    fn add_to(&self, command: Command) -> Command {
        match self {
            Expiry::In(time) => command.arg("PX").arg(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            Expiry::At(at) => command.arg("PXAT").arg(*at),
            Expiry::Keep => command.arg("KEEPTTL"),
            Expiry::Never => command.arg("PERSIST"),
        }
    }
}

/// The keys that SET may set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Only keys that do not exist: NX.
    Missing,
    /// Only keys that exist: XX.
    Exists,
}

/// The options of SET.
///
/// ```
/// use polywire::redis::{Expiry, SetOptions, When};
/// use std::time::Duration;
///
/// let lock = SetOptions::new().when(When::Missing).expiry(Expiry::In(Duration::from_secs(30)));
/// # drop(lock);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[must_use]
pub struct SetOptions {
    when: Option<When>,
    expiry: Option<Expiry>,
    get: bool,
}

impl SetOptions {
    pub fn new() -> Self {
        SetOptions::default()
    }

    /// Sets the key only then.
    pub fn when(self, when: When) -> Self {
        SetOptions { when: Some(when), ..self }
    }

    /// Sets when the key expires. Default: never.
    pub fn expiry(self, expiry: Expiry) -> Self {
        SetOptions { expiry: Some(expiry), ..self }
    }

    /// Makes the reply the previous value of the key, read as an `Option`.
    pub fn get(self) -> Self {
        SetOptions { get: true, ..self }
    }
}

impl Arguments for SetOptions {
    fn add_to(&self, command: Command) -> Command {
        let command = match self.when {
            Some(When::Missing) => command.arg("NX"),
            Some(When::Exists) => command.arg("XX"),
            None => command,
        };
        let command = if self.get { command.arg("GET") } else { command };
        match self.expiry {
            None | Some(Expiry::Never) => command, // SET has no word for it: it is the default
            Some(expiry) => expiry.add_to(command),
        }
    }
}
