//! The routers by the scheme of their urls.

use crate::Router;
use polywire_call::ConfigError;

/// A kind of router: the scheme before `://`, and a function that makes a router from the text after it.
#[derive(Clone, Copy, Debug)]
pub struct RouterScheme {
    /// Lower case, without `://`.
    pub name: &'static str,
    /// Makes a router from the text after `://`; it does no I/O.
    ///
    /// # Errors
    /// The text is not valid for this kind of router.
    pub open: fn(&str) -> Result<Box<dyn Router>, ConfigError>,
}

/// The kinds of routers that a channel knows, beside its naming sources.
#[derive(Clone, Debug, Default)]
pub struct RouterSchemes(Vec<RouterScheme>);

/// A type that stands for the kinds of routers of its channels.
pub trait Routing {
    /// The kinds of routers. Default: none.
    fn routers() -> RouterSchemes {
        RouterSchemes::default()
    }
}

impl RouterSchemes {
    /// Adds further kinds; one with an existing name replaces the existing one.
    #[must_use]
    pub fn with(mut self, further: impl IntoIterator<Item = RouterScheme>) -> Self {
        for scheme in further {
            self.0.retain(|known| known.name != scheme.name);
            self.0.push(scheme);
        }
        self
    }

    /// Whether `url` begins with one of these schemes.
    pub fn knows(&self, url: &str) -> bool {
        let name = url.split_once("://").map(|(name, _)| name);
        name.is_some_and(|name| self.0.iter().any(|scheme| scheme.name.eq_ignore_ascii_case(name)))
    }

    /// The router of a url; `None`: no scheme fits.
    ///
    /// # Errors
    /// The text after the scheme is invalid for it.
    pub fn open(&self, url: &str) -> Result<Option<Box<dyn Router>>, ConfigError> {
        let Some((name, rest)) = url.split_once("://") else { return Ok(None) };
        match self.0.iter().find(|scheme| scheme.name.eq_ignore_ascii_case(name)) {
            Some(scheme) => (scheme.open)(rest).map(Some),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RouteTable;

    #[test]
    fn a_router_is_opened_by_its_scheme_in_any_case() {
        let scheme = RouterScheme {
            name: "mesh",
            open: |rest| match rest {
                "/shop" => Ok(Box::new(RouteTable::failing("x"))),
                _ => Err(ConfigError::new("address", "no name")),
            },
        };
        let schemes = RouterSchemes::default().with([scheme]).with([scheme]);
        assert_eq!(schemes.0.len(), 1);
        assert!(schemes.open("MESH:///shop").unwrap().is_some());
        assert!(schemes.open("mesh://").is_err());
        assert!(schemes.open("list://a:1").unwrap().is_none() && schemes.open("mesh").unwrap().is_none());
    }
}
