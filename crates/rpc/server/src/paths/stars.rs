//! RESTful patterns with brpc's star, which matches any number of segments or the front of one.
//!
//! ```text
//!  /v1/*/start       suffix /start              "/v1/"       -> [ "/start/" ]
//!  *.data            no prefix                  "/"          -> [ ".data/" ]
//! ```
//!
//! The longest stored prefix is tried first; among entries of one prefix, longer suffixes before shorter
//! ones. An entry that does not allow the request's verb is skipped.
//!
//! Source: docs/wire/http.md section 1.

use super::Clash;
use crate::verbs::Verbs;
use polywire_base::Sort;
use std::collections::HashMap;

/// The patterns of a server that have a star.
#[derive(Default)]
pub(super) struct Stars {
    under: HashMap<String, Vec<Entry>>,
}

struct Entry {
    /// The text after the star, normalised, with a slash at its end.
    suffix: String,
    verbs: Verbs,
    way: u32,
}

impl Stars {
    /// Adds a pattern, given as the text before its star and the text after it.
    ///
    /// # Errors
    /// The pattern is invalid, or collides with another one.
    pub fn add(&mut self, before: &str, after: &str, verbs: &Verbs, way: u32) -> Result<(), Clash> {
        if after.contains('*') {
            return Err(Clash::Wrong("more than one star"));
        }
        if !before.is_empty() && !before.ends_with('/') {
            return Err(Clash::Wrong("the text before the star must end with a slash"));
        }
        let mut suffix = normalised(after);
        if !after.starts_with('/') {
            suffix.remove(0);
        }
        let entries = self.under.entry(normalised(before)).or_default();
        let other = entries.iter().find(|entry| entry.suffix == suffix && entry.verbs.overlap(verbs));
        if let Some(other) = other {
            return Err(Clash::With(other.way));
        }
        entries.push(Entry { suffix, verbs: verbs.clone(), way });
        entries.order_by_key(|entry| usize::MAX - entry.suffix.len());
        Ok(())
    }

    /// Whether a path with this first segment may match.
    pub fn may_match_under(&self, first: &str) -> bool {
        let mut firsts = self.under.keys().map(|prefix| prefix[1..].split('/').next());
        firsts.any(|one| matches!(one, None | Some("")) || one == Some(first))
    }

    /// The best match for `path` (without a query) among the paths that `takes` accepts, and the part that
    /// its star matches.
    pub fn search(&self, path: &str, mut takes: impl FnMut(u32) -> bool) -> Option<(u32, String)> {
        if self.under.is_empty() {
            return None;
        }
        let whole = normalised(path);
        let mut end = whole.len();
        loop {
            if let Some(entries) = self.under.get(&whole[..end]) {
                let rest = &whole[end..];
                for entry in entries {
                    if let Some(star) = entry.matches(rest).filter(|_| takes(entry.way)) {
                        return Some((entry.way, star));
                    }
                }
            }
            end = whole[..end.checked_sub(1)?].rfind('/')? + 1;
        }
    }
}

impl Entry {
    /// The part that the star matches, without slashes at its ends.
    fn matches(&self, rest: &str) -> Option<String> {
        let star = match self.suffix.as_str() {
            "" | "/" => rest.trim_matches('/').to_owned(),
            suffix => {
                // The star ends where the suffix begins; the slash of the suffix may be the one that ends the
                // prefix.
                format!("/{rest}").strip_suffix(suffix)?.trim_matches('/').to_owned()
            }
        };
        Some(star)
    }
}

/// `/a/b/`: one slash before, between and after the parts.
fn normalised(path: &str) -> String {
    let mut normal = String::with_capacity(path.len() + 2);
    normal.push('/');
    for part in path.split('/').filter(|part| !part.is_empty()) {
        normal.push_str(part);
        normal.push('/');
    }
    normal
}
