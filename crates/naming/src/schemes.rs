//! The sources by the scheme of their urls.

use crate::{Source, sources};
use polywire_call::ConfigError;

/// A kind of source: what is written before `://`, and how one is made from what follows.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    /// Lower case, without `://`.
    pub name: &'static str,
    /// Makes a source from what follows `://`; it does no I/O.
    ///
    /// # Errors
    /// The text is not what this kind of source takes.
    pub open: fn(&str) -> Result<Box<dyn Source>, ConfigError>,
}

/// The kinds of sources that a channel knows.
#[derive(Clone, Debug, Default)]
pub struct Schemes(Vec<Scheme>);

/// A type that stands for the kinds of sources that its channels know.
pub trait Naming {
    /// Default: those of this crate.
    fn schemes() -> Schemes {
        Schemes::builtin()
    }
}

impl Schemes {
    /// Those of this crate.
    pub fn builtin() -> Self {
        Schemes(vec![sources::list::SCHEME])
    }

    /// With further kinds; one of a name that is there already takes its place.
    #[must_use]
    pub fn with(mut self, further: impl IntoIterator<Item = Scheme>) -> Self {
        for scheme in further {
            self.0.retain(|known| known.name != scheme.name);
            self.0.push(scheme);
        }
        self
    }

    /// Whether `url` begins with one of these schemes.
    pub fn knows(&self, url: &str) -> bool {
        self.find(url).is_some()
    }

    fn find<'u>(&self, url: &'u str) -> Option<(Scheme, &'u str)> {
        let (name, rest) = url.split_once("://")?;
        let scheme = self.0.iter().find(|scheme| scheme.name.eq_ignore_ascii_case(name))?;
        Some((*scheme, rest))
    }

    /// The source of a url.
    ///
    /// # Errors
    /// The scheme is unknown, or does not take what follows it.
    pub fn open(&self, url: &str) -> Result<Box<dyn Source>, ConfigError> {
        match self.find(url) {
            Some((scheme, rest)) => (scheme.open)(rest),
            None => {
                let known: Vec<_> = self.0.iter().map(|scheme| format!("{}://", scheme.name)).collect();
                let text = format!("{url:?} is no naming url: known are {}", known.join(", "));
                Err(ConfigError::new("address", text).with_value(url))
            }
        }
    }
}
