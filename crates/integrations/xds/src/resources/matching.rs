//! The conditions of a route on a call: `RouteMatch`, `HeaderMatcher`, `StringMatcher`.

use super::{faults::Share, shortened};
use crate::messages::envoy::{
    config::route::v3::{
        HeaderMatcher, RouteMatch, header_matcher::HeaderMatchSpecifier, route_match::PathSpecifier,
    },
    r#type::matcher::v3::{RegexMatcher, StringMatcher, string_matcher::MatchPattern},
};
use polywire_routing::Pattern;

/// The conditions, all of which must hold.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Match {
    pub path: Text,
    pub headers: Vec<Header>,
    /// The number of calls out of a million, chosen at random, that match. `None`: all.
    pub millionths: Option<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Header {
    /// The header's name in lower case.
    pub name: String,
    pub is: Is,
    pub inverted: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Is {
    Text(Text),
    /// A whole number from the first up to, without, the second.
    Within(i64, i64),
    Present(bool),
}

/// A condition on a text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Text {
    pub how: How,
    pub ignores_case: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum How {
    Exact(String),
    Prefix(String),
    Suffix(String),
    Contains(String),
    /// The expression must match the whole text.
    Regex(Pattern),
}

impl Match {
    /// `None`: the route is to be left out.
    pub fn check(wire: &RouteMatch) -> Result<Option<Match>, String> {
        if !wire.query_parameters.is_empty() {
            return Ok(None);
        }
        let ignores_case = wire.case_sensitive.as_option().is_some_and(|sensitive| !sensitive.value);
        let path = match &wire.path_specifier {
            Some(PathSpecifier::Prefix(prefix)) => Text { how: How::Prefix(prefix.clone()), ignores_case },
            Some(PathSpecifier::Path(path)) => Text { how: How::Exact(path.clone()), ignores_case },
            Some(PathSpecifier::SafeRegex(regex)) => Text { how: How::regex(regex)?, ignores_case: false },
            None => return Err("match has neither prefix nor path nor safe_regex".to_owned()),
        };
        let headers = wire.headers.iter().map(Header::check).collect::<Result<_, _>>()?;
        let fraction = wire.runtime_fraction.as_option().map(|fraction| {
            let share = fraction.default_value.as_option().map(Share::check).transpose();
            share
                .map(|share| share.map_or(0, Share::millionths))
                .map_err(|why| format!("runtime_fraction: {why}"))
        });
        Ok(Some(Match { path, headers, millionths: fraction.transpose()? }))
    }
}

impl Header {
    fn check(wire: &HeaderMatcher) -> Result<Header, String> {
        let name = wire.name.to_ascii_lowercase();
        let about = |why: &str| format!("the matcher of the header {:?}: {why}", shortened(&wire.name));
        if name.is_empty() {
            return Err(about("it has no name"));
        }
        let text = |how| Is::Text(Text { how, ignores_case: false });
        let full = |value: &String, how: fn(String) -> How| match value.is_empty() {
            true => Err(about("it is empty")),
            false => Ok(text(how(value.clone()))),
        };
        let is = match wire
            .header_match_specifier
            .as_ref()
            .ok_or_else(|| about("it does not say what must match"))?
        {
            HeaderMatchSpecifier::ExactMatch(value) => text(How::Exact(value.clone())),
            HeaderMatchSpecifier::PrefixMatch(value) => full(value, How::Prefix)?,
            HeaderMatchSpecifier::SuffixMatch(value) => full(value, How::Suffix)?,
            HeaderMatchSpecifier::ContainsMatch(value) => full(value, How::Contains)?,
            HeaderMatchSpecifier::SafeRegexMatch(value) => {
                text(How::regex(value).map_err(|why| about(&why))?)
            }
            HeaderMatchSpecifier::RangeMatch(range) => Is::Within(range.start, range.end),
            HeaderMatchSpecifier::PresentMatch(present) => Is::Present(*present),
            HeaderMatchSpecifier::StringMatch(value) => {
                Is::Text(Text::check(value).map_err(|why| about(&why))?)
            }
        };
        Ok(Header { name, is, inverted: wire.invert_match })
    }
}

impl Text {
    pub fn check(wire: &StringMatcher) -> Result<Text, String> {
        let full = |value: &String, how: fn(String) -> How| match value.is_empty() {
            true => Err("a part to match is empty".to_owned()),
            false => Ok(how(value.clone())),
        };
        let how = match wire.match_pattern.as_ref().ok_or("it does not say what must match")? {
            MatchPattern::Exact(value) => How::Exact(value.clone()),
            MatchPattern::Prefix(value) => full(value, How::Prefix)?,
            MatchPattern::Suffix(value) => full(value, How::Suffix)?,
            MatchPattern::Contains(value) => full(value, How::Contains)?,
            MatchPattern::SafeRegex(regex) => {
                return Ok(Text { how: How::regex(regex)?, ignores_case: false });
            }
        };
        Ok(Text { how, ignores_case: wire.ignore_case })
    }
}

impl How {
    fn regex(wire: &RegexMatcher) -> Result<How, String> {
        compiled(&wire.regex).map(How::Regex)
    }
}

/// Compiles an expression within the size limits.
pub(super) fn compiled(regex: &str) -> Result<Pattern, String> {
    Pattern::new(regex).map_err(|error| shortened(&error.to_string()))
}
