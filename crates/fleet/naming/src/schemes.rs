//! The sources by the scheme of their urls.

use crate::{Source, accept::clipped, sources};
use polywire_base::nearest;
use polywire_call::ConfigError;

/// A kind of source: the text before `://`, and the function that makes a source from the rest.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    /// Lower case, without `://`.
    pub name: &'static str,
    /// Makes a source from the text after `://`; it does no I/O.
    ///
    /// # Errors
    /// The text is not valid for this kind of source.
    pub open: fn(&str) -> Result<Box<dyn Source>, ConfigError>,
}

/// The kinds of sources that a channel knows.
#[derive(Clone, Debug, Default)]
pub struct Schemes(Vec<Scheme>);

/// A type that stands for the naming schemes of its channels.
pub trait Naming {
    /// The naming schemes. Default: those of this crate.
    fn schemes() -> Schemes {
        Schemes::builtin()
    }
}

impl Schemes {
    /// The schemes of this crate.
    pub fn builtin() -> Self {
        Schemes(vec![
            sources::list::SCHEME,
            sources::dlist::SCHEME,
            sources::file::SCHEME,
            sources::dns::SCHEME,
        ])
    }

    /// Adds further kinds. A kind with the name of an existing one replaces it.
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

    pub(crate) fn find<'u>(&self, url: &'u str) -> Option<(Scheme, &'u str)> {
        let (name, rest) = url.split_once(':')?;
        let scheme = self.0.iter().find(|scheme| scheme.name.eq_ignore_ascii_case(name))?;
        let rest = match rest.strip_prefix("//") {
            Some(rest) => rest,
            // gRPC's `dns:host:port`. But `dns:53` is a port of a host of that name.
            None if scheme.name == "dns" && rest.contains(|c: char| !c.is_ascii_digit()) => rest,
            None => return None,
        };
        Some((*scheme, rest))
    }

    /// The source of a url.
    ///
    /// # Errors
    /// The scheme is unknown, or does not accept the text after it.
    pub fn open(&self, url: &str) -> Result<Box<dyn Source>, ConfigError> {
        match self.find(url) {
            Some((scheme, rest)) => (scheme.open)(rest),
            None => Err(self.unknown(url)),
        }
    }

    /// The error for a url that no scheme fits.
    pub(crate) fn unknown(&self, url: &str) -> ConfigError {
        let text = format!("{:?} is not a naming url: {}", clipped(url, 200), self.advice(url));
        ConfigError::new("address", text).with_value(url)
    }

    /// For messages about a url with an unknown scheme: the known schemes, and the one that may be meant.
    pub fn advice(&self, url: &str) -> String {
        let known: Vec<_> = self.0.iter().map(|scheme| format!("{}://", scheme.name)).collect();
        let text = format!("known are {}", known.join(", "));
        // `list:/` and similar texts have the right name.
        let name = url.split_once(':').map_or("", |(name, _)| name);
        match nearest(name, self.0.iter().map(|scheme| scheme.name)) {
            Some(name) => format!("{text}; did you mean {name}://?"),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(url: &str) -> String {
        let far = Scheme { name: "zookeeper", open: |_| panic!("not opened") };
        let Err(error) = Schemes::builtin().with([far]).open(url) else { panic!("{url} was taken") };
        assert_eq!((error.option(), error.value()), ("address", Some(url)));
        error.to_string()
    }

    #[test]
    fn an_unknown_scheme_is_refused_with_those_that_are_known() {
        let said = refusal("redis+srv://a:1");
        assert!(
            said.starts_with("\"redis+srv://a:1\" is not a naming url: known are list://, dlist://"),
            "{said}"
        );
        assert!(said.ends_with("zookeeper://"), "{said}");
        assert!(refusal("").starts_with("\"\" is not a naming url"));
        assert!(refusal(&format!("{}://", "x".repeat(100_000))).len() < 500);
    }

    #[test]
    fn a_misspelt_scheme_gets_a_hint() {
        for (url, meant) in [
            ("lsit://a:1", "list"),
            ("lists://a:1", "list"),
            ("zookeper://a", "zookeeper"),
            ("zokeper://a", "zookeeper"),
            ("list:/a:1", "list"),
            ("LIST:a:1", "list"),
        ] {
            let said = refusal(url);
            assert!(said.ends_with(&format!("; did you mean {meant}://?")), "{url}: {said}");
        }
        for url in ["xyz://a", "a:1", "://"] {
            assert!(!refusal(url).contains("did you mean"), "{url}");
        }
    }

    #[cfg(not(feature = "dns"))]
    #[test]
    fn a_url_of_dns_without_its_feature_names_it() {
        let said = refusal("dns://echo:80");
        assert_eq!(
            said,
            "\"dns://echo:80\" is left out of this build: turn on the feature `dns` of `polywire`"
        );
    }

    #[test]
    fn schemes_are_found_in_any_case_and_a_later_one_takes_the_place_of_an_earlier() {
        let schemes = Schemes::builtin();
        assert!(
            schemes.knows("dns:a:1")
                && schemes.knows("dns:///a:1")
                && !schemes.knows("dns:53")
                && !schemes.knows("dns")
        );
        assert!(schemes.knows("LIST://a:1") && !schemes.knows("list:a:1") && !schemes.knows("a:1"));
        let own = Scheme { name: "list", open: |rest| crate::sources::host::open("own", rest, 1) };
        assert_eq!(schemes.with([own]).open("list://a").unwrap().name(), "own");
    }
}
