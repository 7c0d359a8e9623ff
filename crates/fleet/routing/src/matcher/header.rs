//! The headers of a call: the fields of its metadata.

use super::text;
use crate::Pattern;
use polywire_call::Metadata;
use std::{borrow::Cow, ops::Range};

/// A condition on a header of a call.
///
/// A call without the header never matches, whether the test is inverted or not, unless the test is for
/// presence. Several values of a name are joined by commas. Fields whose names end with `-bin` hold bytes and
/// count as absent. `content-type` is `application/grpc` for every call, so that routes are the same for all
/// protocols.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct HeaderMatch {
    /// The header's name, in any case.
    pub name: String,
    pub test: HeaderTest,
    /// The route is for calls that fail the test.
    pub inverted: bool,
    /// Letters of ASCII are equal in both cases, under `Exact`, `Prefix`, `Suffix` and `Contains`.
    pub ignores_case: bool,
}

/// A test of the header's value.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum HeaderTest {
    Exact(String),
    Prefix(String),
    Suffix(String),
    Contains(String),
    /// The pattern matches the whole value.
    Pattern(Pattern),
    /// The value is a decimal number in this range.
    Range(Range<i64>),
    /// `true`: the call has the header; `false`: it does not.
    Present(bool),
}

impl HeaderMatch {
    pub fn new(name: impl Into<String>, test: HeaderTest) -> Self {
        HeaderMatch { name: name.into(), test, inverted: false, ignores_case: false }
    }

    /// The header has this value.
    pub fn exact(name: impl Into<String>, value: impl Into<String>) -> Self {
        HeaderMatch::new(name, HeaderTest::Exact(value.into()))
    }

    /// Matches if the call has the header.
    pub fn present(name: impl Into<String>) -> Self {
        HeaderMatch::new(name, HeaderTest::Present(true))
    }

    #[must_use]
    pub fn inverted(mut self, inverted: bool) -> Self {
        self.inverted = inverted;
        self
    }

    #[must_use]
    pub fn ignore_case(mut self, ignores_case: bool) -> Self {
        self.ignores_case = ignores_case;
        self
    }

    pub(crate) fn matches(&self, metadata: &Metadata) -> bool {
        let value = field(metadata, &self.name);
        match (&self.test, value) {
            (HeaderTest::Present(present), value) => (value.is_some() == *present) != self.inverted,
            (_, None) => false,
            (test, Some(value)) => self.holds(test, &value) != self.inverted,
        }
    }

    fn holds(&self, test: &HeaderTest, value: &[u8]) -> bool {
        match test {
            HeaderTest::Exact(text) => text::same(value, text, self.ignores_case),
            HeaderTest::Prefix(text) => text::begins(value, text, self.ignores_case),
            HeaderTest::Suffix(text) => text::ends(value, text, self.ignores_case),
            HeaderTest::Contains(text) => text::contains(value, text, self.ignores_case),
            HeaderTest::Pattern(pattern) => pattern.is_match(value),
            HeaderTest::Range(range) => int(value).is_some_and(|number| range.contains(&number)),
            HeaderTest::Present(present) => *present,
        }
    }

    /// The bytes of the matcher's texts.
    pub(crate) fn text_len(&self) -> usize {
        let test = match &self.test {
            HeaderTest::Exact(text)
            | HeaderTest::Prefix(text)
            | HeaderTest::Suffix(text)
            | HeaderTest::Contains(text) => text.len(),
            HeaderTest::Pattern(pattern) => pattern.as_str().len(),
            HeaderTest::Range(_) | HeaderTest::Present(_) => 0,
        };
        self.name.len() + test
    }
}

/// The values of a field, joined by commas.
pub(crate) fn field<'m>(metadata: &'m Metadata, name: &str) -> Option<Cow<'m, [u8]>> {
    const BINARY: &str = "-bin";
    let begin = name.len().checked_sub(BINARY.len());
    if begin.and_then(|begin| name.get(begin..)).is_some_and(|end| end.eq_ignore_ascii_case(BINARY)) {
        return None;
    }
    if name.eq_ignore_ascii_case("content-type") {
        return Some(Cow::Borrowed(b"application/grpc"));
    }
    let mut values = metadata.iter().filter(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    let first = values.next()?;
    let mut joined = Cow::Borrowed(first);
    for value in values {
        let joined = joined.to_mut();
        joined.push(b',');
        joined.extend_from_slice(value);
    }
    Some(joined)
}

/// Reads the value of a field as a decimal number; `None` if it is none, or does not fit.
pub(crate) fn int(value: &[u8]) -> Option<i64> {
    std::str::from_utf8(value).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_tested_by_their_joined_value() {
        use HeaderTest::*;
        let metadata: Metadata = [("x-a", "one"), ("n", "-7"), ("X-A", "two"), ("t-bin", "z"), ("empty", "")]
            .into_iter()
            .collect();
        let text = str::to_owned;
        for (name, test, expected) in [
            ("X-a", Exact(text("one,two")), true),
            ("x-a", Exact(text("one")), false),
            ("x-a", Prefix(text("one,")), true),
            ("x-a", Prefix(text("one,two,three")), false),
            ("x-a", Suffix(text("o")), true),
            ("x-a", Suffix(text("xxone,two")), false),
            ("x-a", Contains(text("e,t")), true),
            ("x-a", Contains(text("et")), false),
            ("empty", Contains(text("a")), false),
            ("x-a", Pattern(crate::Pattern::new("one.*").unwrap()), true),
            ("x-a", Pattern(crate::Pattern::new("one").unwrap()), false),
            ("n", Range(-7..-6), true),
            ("n", Range(-6..9), false),
            ("n", Range(-9..-7), false),
            ("x-a", Range(i64::MIN..i64::MAX), false),
            ("content-type", Exact(text("application/grpc")), true),
        ] {
            let matcher = HeaderMatch::new(name, test);
            assert_eq!(matcher.matches(&metadata), expected, "{matcher:?}");
            let inverted = matcher.inverted(true);
            assert_eq!(inverted.matches(&metadata), !expected, "{inverted:?}");
        }
    }

    #[test]
    fn an_absent_header_is_never_matched_but_by_its_absence() {
        let metadata: Metadata = [("there", "1"), ("t-bin", "z")].into_iter().collect();
        for name in ["absent", "t-bin", "T-BIN"] {
            let exact = HeaderMatch::exact(name, "z");
            assert!(!exact.matches(&metadata) && !exact.inverted(true).matches(&metadata), "{name}");
        }
        for (name, wanted, inverted, expected) in [
            ("there", true, false, true),
            ("there", false, false, false),
            ("there", false, true, true),
            ("absent", true, false, false),
            ("absent", false, false, true),
            ("absent", true, true, true),
        ] {
            let matcher = HeaderMatch::new(name, HeaderTest::Present(wanted)).inverted(inverted);
            assert_eq!(matcher.matches(&metadata), expected, "{matcher:?}");
        }
    }

    #[test]
    fn case_is_ignored_if_asked() {
        let metadata: Metadata = [("x", "Alpha")].into_iter().collect();
        let text = || "ALPHA".to_owned();
        for test in [
            HeaderTest::Exact(text()),
            HeaderTest::Prefix("al".into()),
            HeaderTest::Suffix("HA".into()),
            HeaderTest::Contains("LPH".into()),
        ] {
            let matcher = HeaderMatch::new("x", test);
            assert!(!matcher.matches(&metadata) && matcher.ignore_case(true).matches(&metadata));
        }
    }
}
