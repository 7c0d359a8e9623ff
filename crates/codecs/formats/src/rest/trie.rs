//! Path templates, looked up by segments.
//!
//! At each segment a literal is tried before `*`, and `*` before `**`. The search backtracks, so that a path
//! is found if any template matches it. It visits each node at most once, so its cost is bounded by the
//! number of templates, whatever the path.

use super::{Segment, Template};
use std::collections::HashMap;

/// Templates, each with the number of a way.
#[derive(Default)]
pub struct Trie {
    root: Node,
    /// The suffixes of all templates that contain a colon.
    suffixes: Vec<String>,
    longest: usize,
    /// Segments of the longest template.
    deepest: usize,
}

#[derive(Default)]
struct Node {
    literals: HashMap<String, Node>,
    one: Option<Box<Node>>,
    /// The paths whose templates end here.
    ends: Vec<End>,
    /// The paths whose templates end here with `**`.
    rest: Vec<End>,
}

struct End {
    suffix: Option<String>,
    way: u32,
}

impl Trie {
    /// Adds a template. `overlaps`: whether another way at its path takes some of its requests.
    ///
    /// # Errors
    /// The way that takes the same requests.
    pub fn add(&mut self, template: &Template, way: u32, overlaps: impl Fn(u32) -> bool) -> Result<(), u32> {
        self.deepest = self.deepest.max(template.as_segments().len());
        let (mut node, mut is_rest) = (&mut self.root, false);
        for segment in template.as_segments() {
            node = match segment {
                Segment::Literal(text) => node.literals.entry(text.clone()).or_default(),
                Segment::One => node.one.get_or_insert_default(),
                Segment::Rest => {
                    is_rest = true;
                    break;
                }
            };
        }
        let ends = if is_rest { &mut node.rest } else { &mut node.ends };
        let suffix = template.suffix().map(str::to_owned);
        if let Some(other) = ends.iter().find(|end| end.suffix == suffix && overlaps(end.way)) {
            return Err(other.way);
        }
        if let Some(suffix) = suffix.as_ref().filter(|suffix| !self.suffixes.contains(suffix)) {
            self.longest = self.longest.max(suffix.len());
            self.suffixes.push(suffix.clone());
        }
        ends.push(End { suffix, way });
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.root.literals.is_empty() && self.root.one.is_none() && self.root.rest.is_empty()
    }

    /// Whether a path with this first segment may match.
    pub fn may_match_under(&self, first: &str) -> bool {
        self.root.one.is_some() || !self.root.rest.is_empty() || self.names(first)
    }

    /// Whether a template begins with exactly this segment.
    pub fn names(&self, first: &str) -> bool {
        self.root.literals.contains_key(first)
    }

    /// The best match for `path` among the paths that `takes` accepts. One slash at its end is ignored.
    pub fn search(&self, path: &str, mut takes: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.is_empty() {
            return None;
        }
        let inside = path.strip_prefix('/')?;
        let inside = inside.strip_suffix('/').unwrap_or(inside);
        if inside.starts_with('/') || inside.ends_with('/') || inside.contains("//") {
            return None;
        }
        // Of a path that is longer than all templates, no more than shows that.
        let most = self.deepest + 1;
        let mut parts: Vec<&str> = inside.split('/').filter(|_| !inside.is_empty()).take(most).collect();
        if !parts.first().is_none_or(|first| self.may_match_under(first) || first.contains(':')) {
            return None;
        }
        let last = inside.rsplit('/').next().unwrap_or_default();
        let from = last.len().saturating_sub(self.longest + 1).max(1);
        for (at, _) in last.match_indices(':').filter(|(at, _)| *at >= from) {
            let suffix = &last[at + 1..];
            if self.suffixes.iter().any(|known| known == suffix) {
                if parts.len() < most {
                    *parts.last_mut().expect("it has a colon") = &last[..at];
                }
                if let Some(found) = self.root.search(&parts, Some(suffix), &mut takes) {
                    return Some(found);
                }
            }
        }
        if parts.len() < most
            && let Some(part) = parts.last_mut()
        {
            *part = last;
        }
        self.root.search(&parts, None, &mut takes)
    }
}

impl Node {
    /// The recursion is as deep as the longest template, not as the path.
    fn search(
        &self,
        parts: &[&str],
        suffix: Option<&str>,
        takes: &mut dyn FnMut(u32) -> bool,
    ) -> Option<u32> {
        let mut end = |ends: &[End]| {
            let fits = |end: &&End| end.suffix.as_deref() == suffix && takes(end.way);
            ends.iter().find(fits).map(|end| end.way)
        };
        let Some((part, more)) = parts.split_first() else {
            return end(&self.ends).or_else(|| end(&self.rest));
        };
        let literal = self.literals.get(*part).and_then(|node| node.search(more, suffix, takes));
        let found = literal.or_else(|| self.one.as_ref()?.search(more, suffix, takes));
        found.or_else(|| {
            let fits = |end: &&End| end.suffix.as_deref() == suffix && takes(end.way);
            self.rest.iter().find(fits).map(|end| end.way)
        })
    }
}
