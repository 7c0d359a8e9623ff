//! Why a policy cannot be used.

use std::{error::Error, fmt};

/// A policy that cannot be used. Its text names the place in the file: `allow_rules[2] "readers": ..`.
pub struct PolicyError {
    text: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl PolicyError {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        PolicyError { text: text.into(), source: None }
    }

    pub(crate) fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Adds the place before the text.
    pub(crate) fn within(mut self, place: impl fmt::Display) -> Self {
        self.text = format!("{place}: {}", self.text);
        self
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f) // a `main` that returns it prints it in this form
    }
}

impl Error for PolicyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}
