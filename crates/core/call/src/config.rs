//! The error of an invalid option.

use std::{error::Error, fmt};

/// An option of a server or a channel that cannot work, found before anything starts.
///
/// `Display` writes one sentence that a person can act on, the cause included. The parts are for programs:
///
/// ```
/// # mod polywire { pub use polywire_call::ConfigError; }
/// use polywire::ConfigError;
///
/// let error = ConfigError::new("listen", "listen(\"nowhere\"): has no port").with_value("nowhere");
/// assert_eq!(error.option(), "listen");
/// assert_eq!(error.value(), Some("nowhere"));
/// assert_eq!(error.to_string(), "listen(\"nowhere\"): has no port");
/// ```
pub struct ConfigError(Box<Parts>);

struct Parts {
    option: &'static str,
    value: Option<String>,
    text: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ConfigError {
    /// `option`: the method of the builder that sets it. `text`: the sentence.
    pub fn new(option: &'static str, text: impl Into<String>) -> Self {
        ConfigError(Box::new(Parts { option, value: None, text: text.into(), source: None }))
    }

    /// Adds the given value, or the invalid part of it, such as the path of a file.
    pub fn with_value(mut self, value: impl Into<String>) -> Self {
        self.0.value = Some(value.into());
        self
    }

    /// Adds the underlying error.
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Adds words before the sentence.
    pub fn within(mut self, what: impl fmt::Display) -> Self {
        self.0.text = format!("{what}: {}", self.0.text);
        self
    }

    /// The method of the builder that sets the option: `listen`, `protocols`, `tls`. It is `service` if
    /// services are invalid, and `address` if a channel's address is.
    pub fn option(&self) -> &'static str {
        self.0.option
    }

    /// The given value, or the invalid part of it; `None` where an option is missing or several do not fit.
    pub fn value(&self) -> Option<&str> {
        self.0.value.as_deref()
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

/// Writes the same text as `Display`, since a `main` that returns the error prints it with `Debug`, and adds
/// the underlying error where the text does not contain it.
impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { text, source, .. } = &*self.0;
        f.write_str(text)?;
        let source = source.as_ref().map(|source| source.to_string());
        source.filter(|source| !text.contains(source)).map_or(Ok(()), |source| write!(f, ": {source}"))
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.as_ref().map(|source| &**source as _)
    }
}
