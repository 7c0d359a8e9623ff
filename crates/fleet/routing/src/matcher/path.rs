//! The path of a call: `/package.Service/Method`.

use crate::Pattern;

/// A condition on the path `/package.Service/Method` of a call.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum PathMatch {
    /// The path begins with `prefix`. Empty: any path.
    Prefix { prefix: String, ignores_case: bool },
    /// The path equals `path`.
    Exact { path: String, ignores_case: bool },
    /// The pattern matches the whole path.
    Pattern(Pattern),
}

impl PathMatch {
    pub fn any() -> Self {
        PathMatch::prefix("")
    }

    pub fn prefix(prefix: impl Into<String>) -> Self {
        PathMatch::Prefix { prefix: prefix.into(), ignores_case: false }
    }

    pub fn exact(path: impl Into<String>) -> Self {
        PathMatch::Exact { path: path.into(), ignores_case: false }
    }

    /// Matches all methods of a service, by its full name.
    pub fn service(name: &str) -> Self {
        PathMatch::prefix(format!("/{name}/"))
    }

    /// Compares ASCII letters without regard to case. Patterns express that themselves: `(?i)`.
    #[must_use]
    pub fn ignore_case(mut self) -> Self {
        match &mut self {
            PathMatch::Prefix { ignores_case, .. } | PathMatch::Exact { ignores_case, .. } => {
                *ignores_case = true
            }
            PathMatch::Pattern(_) => {}
        }
        self
    }

    pub(crate) fn matches(&self, path: &str) -> bool {
        match self {
            PathMatch::Prefix { prefix, ignores_case: false } => path.starts_with(prefix.as_str()),
            PathMatch::Prefix { prefix, ignores_case: true } => path
                .as_bytes()
                .get(..prefix.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(prefix.as_bytes())),
            PathMatch::Exact { path: exact, ignores_case: false } => path == exact,
            PathMatch::Exact { path: exact, ignores_case: true } => path.eq_ignore_ascii_case(exact),
            PathMatch::Pattern(pattern) => pattern.is_match(path.as_bytes()),
        }
    }

    /// The bytes of the matcher's texts.
    pub(crate) fn text_len(&self) -> usize {
        match self {
            PathMatch::Prefix { prefix: text, .. } | PathMatch::Exact { path: text, .. } => text.len(),
            PathMatch::Pattern(pattern) => pattern.as_str().len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_whole_or_by_their_beginning_and_in_any_case_if_asked() {
        let path = "/pkg.Echo/Say";
        for (matcher, expected) in [
            (PathMatch::any(), true),
            (PathMatch::prefix("/pkg."), true),
            (PathMatch::prefix("/PKG."), false),
            (PathMatch::prefix("/PKG.").ignore_case(), true),
            (PathMatch::prefix("/pkg.Echo/Say/more").ignore_case(), false),
            (PathMatch::prefix("/pkg.Echo/Sä").ignore_case(), false),
            (PathMatch::service("pkg.Echo"), true),
            (PathMatch::service("pkg.Ech"), false),
            (PathMatch::exact(path), true),
            (PathMatch::exact("/pkg.Echo/say"), false),
            (PathMatch::exact("/pkg.Echo/say").ignore_case(), true),
            (PathMatch::Pattern(Pattern::new("/pkg.*").unwrap()), true),
            (PathMatch::Pattern(Pattern::new("/pkg").unwrap()), false),
            (PathMatch::Pattern(Pattern::new("(?i)/PKG.*").unwrap()), true),
        ] {
            assert_eq!(matcher.matches(path), expected, "{matcher:?}");
        }
    }
}
