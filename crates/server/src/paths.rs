//! HTTP paths to methods: `/package.Service/Method`, and RESTful patterns.
//!
//! ```text
//!  /v1/echo          exact                      "/v1/echo/"  -> [ exact ]
//!  /v1/*/start       wildcard, suffix /start    "/v1/"       -> [ wildcard "/start/" ]
//!  *.data            wildcard, no prefix        "/"          -> [ wildcard ".data/" ]
//! ```
//!
//! The longest stored prefix is tried first, and among entries of one prefix exact ones before wildcards, longer suffixes
//! before shorter. One whose verbs do not have the request's is passed over.
//!
//! Source: docs/wire/http.md section 1.

use crate::verbs::Verbs;
use std::collections::HashMap;

/// The RESTful patterns of a server.
#[derive(Default)]
pub(crate) struct Paths {
    under: HashMap<String, Vec<Entry>>,
}

struct Entry {
    /// `None`: the path ends here. Else what follows the star, normalised, with a slash at its end.
    suffix: Option<String>,
    verbs: Verbs,
    method: u32,
}

/// A pattern's method and what the star stood for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub method: u32,
    /// Without slashes at its ends.
    pub unresolved: String,
}

impl Paths {
    pub fn is_empty(&self) -> bool {
        self.under.is_empty()
    }

    /// Adds a pattern, maybe with verbs before it. `safe`: the method changes nothing.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn add(&mut self, pattern: &str, method: u32, safe: bool) -> Result<(), String> {
        let wrong = |why: &str| Err(format!("path {pattern:?}: {why}"));
        let (verbs, pattern) = match Verbs::take(pattern) {
            Ok((verbs, pattern)) => (verbs.unwrap_or(Verbs::Usual { safe }), pattern),
            Err(why) => return wrong(why),
        };
        if pattern.is_empty() || pattern.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return wrong("empty, or with white space");
        }
        let (prefix, suffix) = match pattern.split_once('*') {
            None => (normalised(pattern), None),
            Some((before, after)) => {
                if after.contains('*') {
                    return wrong("more than one star");
                }
                if !before.is_empty() && !before.ends_with('/') {
                    return wrong("what stands before the star must end with a slash");
                }
                let mut suffix = normalised(after);
                if !after.starts_with('/') {
                    suffix.remove(0);
                }
                (normalised(before), Some(suffix))
            }
        };
        let entries = self.under.entry(prefix).or_default();
        if entries.iter().any(|entry| entry.suffix == suffix && entry.verbs.overlap(&verbs)) {
            return wrong("is there twice");
        }
        entries.push(Entry { suffix, verbs, method });
        entries.sort_by_key(|entry| entry.suffix.as_ref().map_or(0, |s| usize::MAX - s.len()));
        Ok(())
    }

    /// The pattern that matches `path` (no query) best, of those with this verb.
    pub fn find(&self, verb: &str, path: &str) -> Option<Found> {
        self.search(path, |entry| entry.verbs.have(verb))
    }

    /// The verbs that the patterns have which match `path`, as the `allow` field lists them.
    pub fn allowed(&self, path: &str) -> Option<String> {
        let mut allowed: Vec<String> = Vec::new();
        self.search(path, |entry| {
            for name in entry.verbs.names() {
                if !allowed.iter().any(|known| known == name) {
                    allowed.push(name.to_owned());
                }
            }
            false
        });
        (!allowed.is_empty()).then(|| allowed.join(", "))
    }

    fn search(&self, path: &str, mut takes: impl FnMut(&Entry) -> bool) -> Option<Found> {
        // A proxy that lets `/v1/a` in or keeps it out has not looked at `//v1//a`.
        if self.is_empty() || path.contains("//") {
            return None;
        }
        let whole = normalised(path);
        let mut end = whole.len();
        loop {
            if let Some(entries) = self.under.get(&whole[..end]) {
                let rest = &whole[end..];
                if let Some(found) =
                    entries.iter().find_map(|entry| entry.matches(rest).filter(|_| takes(entry)))
                {
                    return Some(found);
                }
            }
            end = whole[..end.checked_sub(1)?].rfind('/')? + 1;
        }
    }
}

impl Entry {
    fn matches(&self, rest: &str) -> Option<Found> {
        let Some(suffix) = &self.suffix else {
            return rest.is_empty().then(|| Found { method: self.method, unresolved: String::new() });
        };
        let star = match suffix.as_str() {
            "" | "/" => rest,
            suffix => {
                // The star ends where the suffix begins; its own slash may be the one that ends the prefix.
                let whole = format!("/{rest}");
                let star = whole.strip_suffix(suffix)?;
                let unresolved = star.trim_matches('/').to_owned();
                return Some(Found { method: self.method, unresolved });
            }
        };
        Some(Found { method: self.method, unresolved: star.trim_matches('/').to_owned() })
    }
}

/// `/a/b/`: one slash before, between and behind the parts.
fn normalised(path: &str) -> String {
    let mut normal = String::with_capacity(path.len() + 2);
    normal.push('/');
    for part in path.split('/').filter(|part| !part.is_empty()) {
        normal.push_str(part);
        normal.push('/');
    }
    normal
}

/// Reads brpc's mapping text: `PATH => NAME, PATH => NAME`; arrows of one or more `=`.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn mappings(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    for mapping in text.split(',').map(str::trim).filter(|m| !m.is_empty()) {
        let wrong = || format!("mapping {mapping:?} is not PATH => NAME");
        let (left, name) = mapping.split_once('>').ok_or_else(wrong)?;
        let path = left.trim_end_matches('=');
        let arrow = path.len() < left.len();
        let (path, name) = (path.trim(), name.trim());
        if !arrow || path.is_empty() || name.is_empty() {
            return Err(wrong());
        }
        found.push((path.to_owned(), name.to_owned()));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(patterns: &[&str]) -> Paths {
        let mut paths = Paths::default();
        for (method, pattern) in patterns.iter().enumerate() {
            paths.add(pattern, method as u32, false).unwrap();
        }
        paths
    }

    fn found(paths: &Paths, path: &str) -> Option<(u32, String)> {
        paths.find("POST", path).map(|found| (found.method, found.unresolved))
    }

    #[test]
    fn a_path_and_what_lies_below_it_may_coexist() {
        let paths = paths(&["/v1/echo", "/v1/echo/*"]);
        assert_eq!(found(&paths, "/v1/echo/"), Some((0, String::new())));
        assert_eq!(found(&paths, "/v1//echo"), None, "an empty part names nothing");
        assert_eq!(found(&paths, "//v1/echo"), None);
        assert_eq!(found(&paths, "/v1/echo/a/b"), Some((1, "a/b".into())));
        assert_eq!(found(&paths, "/v1/other"), None);
    }

    #[test]
    fn the_longest_prefix_wins_then_the_longest_suffix() {
        let paths = paths(&["/v1/*", "/v1/deep/*", "/v1/*.mp4", "/v1/*/start", "*.data"]);
        assert_eq!(found(&paths, "/v1/x"), Some((0, "x".into())));
        assert_eq!(found(&paths, "/v1/deep/x"), Some((1, "x".into())));
        assert_eq!(found(&paths, "/v1/film.mp4"), Some((2, "film".into())));
        assert_eq!(found(&paths, "/v1/job/7/start"), Some((3, "job/7".into())));
        assert_eq!(found(&paths, "/else/where.data"), Some((4, "else/where".into())));
    }

    #[test]
    fn verbs_choose_among_patterns() {
        let mut paths =
            paths(&["GET /v1/items", "POST /v1/items", "/v1/items/*", "GET|PUT /v1/items/*", "ANY /v1/*"]);
        paths.add("/v1/safe", 9, true).unwrap();
        for (verb, path, method) in [
            ("GET", "/v1/items", 0),
            ("HEAD", "/v1/items", 0),
            ("POST", "/v1/items", 1),
            ("DELETE", "/v1/items", 4),
            ("POST", "/v1/items/a", 2),
            ("PUT", "/v1/items/a", 3),
            ("DELETE", "/v1/items/a", 4),
            ("GET", "/v1/safe", 9),
            ("POST", "/v1/safe", 9),
            ("DELETE", "/v1/safe", 4),
        ] {
            assert_eq!(paths.find(verb, path).map(|found| found.method), Some(method), "{verb} {path}");
        }
        assert_eq!(paths.find("OPTIONS", "/v1/items"), None);
        assert_eq!(paths.allowed("/v1/items").unwrap(), "GET, POST, PUT, HEAD, PATCH, DELETE");
        assert_eq!(paths.allowed("/v2"), None);
    }

    #[test]
    fn bad_patterns_are_refused_with_the_reason() {
        let mut paths = paths(&["/v1/a"]);
        for (pattern, reason) in [
            ("/v1/a", "twice"),
            ("/v1/A*", "must end with a slash"),
            ("/a/*/b/*", "more than one star"),
            ("", "empty"),
            ("/a b", "no method of HTTP"),
            ("GET /a b", "white space"),
            ("POST /v1/a", "twice"),
            ("ANY /v1/a", "twice"),
        ] {
            let error = paths.add(pattern, 1, false).unwrap_err();
            assert!(error.contains(reason), "{pattern}: {error}");
        }
    }

    #[test]
    fn mapping_text_is_read_as_brpc_writes_it() {
        let text = " /v1/echo => Echo,/v1/*/go ===> Go , ";
        let expected = [("/v1/echo".to_owned(), "Echo".to_owned()), ("/v1/*/go".into(), "Go".into())];
        assert_eq!(mappings(text).unwrap(), expected);
        for text in ["/v1/echo", "/v1/echo > Echo", "=> Echo", "/v1 =>"] {
            assert!(mappings(text).is_err(), "{text}");
        }
    }
}
