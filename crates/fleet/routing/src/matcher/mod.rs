//! Conditions on the calls of a route.

mod header;
mod path;
pub(crate) mod text;

pub use header::{HeaderMatch, HeaderTest};
pub(crate) use header::{field, int};
pub use path::PathMatch;

use crate::Fraction;
use polywire_call::Metadata;

/// The parts of a call that are matched.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The path of the call, as `/package.Service/Method`.
    pub path: &'a str,
    /// The fields that travel with the request.
    pub metadata: &'a Metadata,
}

/// The calls of a route: those that meet all of these conditions.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Matcher {
    pub path: PathMatch,
    pub headers: Vec<HeaderMatch>,
    /// Only this share of the calls for which the others are true. `None`: all.
    pub fraction: Option<Fraction>,
}

impl Matcher {
    pub fn new(path: PathMatch) -> Self {
        Matcher { path, headers: Vec::new(), fraction: None }
    }

    /// Adds a condition on a header.
    #[must_use]
    pub fn header(mut self, header: HeaderMatch) -> Self {
        self.headers.push(header);
        self
    }

    /// Matches only this share of the calls.
    #[must_use]
    pub fn fraction(mut self, fraction: Fraction) -> Self {
        self.fraction = Some(fraction);
        self
    }

    /// The random share is drawn last, and only for calls that meet all other conditions.
    pub(crate) fn matches(&self, head: &Head<'_>, random: &mut fastrand::Rng) -> bool {
        self.path.matches(head.path)
            && self.headers.iter().all(|header| header.matches(head.metadata))
            && self.fraction.is_none_or(|fraction| fraction.hits(random))
    }

    /// The bytes of the matcher's texts.
    pub(crate) fn text_len(&self) -> usize {
        self.path.text_len() + self.headers.iter().map(HeaderMatch::text_len).sum::<usize>()
    }

    /// The number of the matcher's regular expressions.
    pub(crate) fn patterns(&self) -> usize {
        let of_headers = self.headers.iter().filter(|header| matches!(header.test, HeaderTest::Pattern(_)));
        of_headers.count() + usize::from(matches!(self.path, PathMatch::Pattern(_)))
    }
}

impl From<PathMatch> for Matcher {
    fn from(path: PathMatch) -> Self {
        Matcher::new(path)
    }
}
