//! How a text of a policy is compared: A43's string matching. Case matters, bytes are compared.

/// `abc` exactly, `abc*` at the beginning, `*abc` at the end, `*` anything but nothing. A star in another
/// place is a star.
#[derive(Debug, PartialEq)]
pub(crate) enum Pattern {
    Exact(Box<str>),
    Prefix(Box<str>),
    Suffix(Box<str>),
    Present,
}

use Pattern::{Exact, Prefix, Present, Suffix};

impl Pattern {
    /// A star at the end comes before one at the beginning: `*abc*` is the prefix `*abc`.
    pub fn of(text: &str) -> Self {
        match (text, text.strip_suffix('*'), text.strip_prefix('*')) {
            ("*", ..) => Present,
            (_, Some(prefix), _) => Prefix(prefix.into()),
            (_, None, Some(suffix)) => Suffix(suffix.into()),
            (_, None, None) => Exact(text.into()),
        }
    }

    pub fn is_for(&self, text: &[u8]) -> bool {
        match self {
            Exact(exact) => text == exact.as_bytes(),
            Prefix(prefix) => text.starts_with(prefix.as_bytes()),
            Suffix(suffix) => text.ends_with(suffix.as_bytes()),
            Present => !text.is_empty(),
        }
    }

    /// Compares with `/service/method`, without making that text.
    pub fn is_for_path(&self, service: &str, method: &str) -> bool {
        let pieces = ["/", service, "/", method].map(str::as_bytes);
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        match self {
            Exact(exact) => exact.len() == length && starts_with(pieces, exact.as_bytes()),
            Prefix(prefix) => starts_with(pieces, prefix.as_bytes()),
            Suffix(suffix) => ends_with(pieces, suffix.as_bytes()),
            Present => true,
        }
    }

    /// Whether there is a package, or none, with which `/package.service/method` matches.
    pub fn is_for_path_in_some_package(&self, service: &str, method: &str) -> bool {
        let is_service = |name: &str| name.rsplit('.').next() == Some(service);

        self.is_for_path(service, method)
            || match self {
                Exact(path) => split(path).is_some_and(|(name, ending)| is_service(name) && ending == method),
                // One that ends within the service's name is the beginning of some package.
                Prefix(path) => split(path).map_or(path.starts_with('/'), |(name, beginning)| {
                    is_service(name) && method.starts_with(beginning)
                }),
                Suffix(path) => {
                    let name = path.strip_suffix(method).and_then(|rest| rest.strip_suffix('/'));
                    name.is_some_and(is_service)
                }
                Present => true,
            }
    }
}

/// The service and the method in the text of a path, if it goes as far as that.
fn split(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix('/')?.split_once('/')
}

/// Whether the pieces, one after the other, begin with `text`.
fn starts_with(pieces: [&[u8]; 4], mut text: &[u8]) -> bool {
    for piece in pieces {
        let n = piece.len().min(text.len());
        if piece[..n] != text[..n] {
            return false;
        }
        text = &text[n..];
    }
    text.is_empty()
}

/// Whether the pieces, one after the other, end with `text`.
fn ends_with(pieces: [&[u8]; 4], mut text: &[u8]) -> bool {
    for piece in pieces.into_iter().rev() {
        let n = piece.len().min(text.len());
        let (rest, end) = text.split_at(text.len() - n);
        if !piece.ends_with(end) {
            return false;
        }
        text = rest;
    }
    text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expectations: those of grpc-go's `getStringMatcher`, authz/rbac_translator.go.
    #[test]
    fn stars_mean_something_at_the_ends_only() {
        for (text, pattern) in [
            ("*", Present),
            ("", Exact("".into())),
            ("abc", Exact("abc".into())),
            ("abc*", Prefix("abc".into())),
            ("*abc", Suffix("abc".into())),
            ("a*c", Exact("a*c".into())),
            ("*abc*", Prefix("*abc".into())),
            ("**", Prefix("*".into())),
        ] {
            assert_eq!(Pattern::of(text), pattern, "{text}");
        }
    }

    #[test]
    fn texts_are_compared_byte_by_byte() {
        for (pattern, text, matches) in [
            ("", "", true),
            ("", "x", false),
            ("*", "", false),
            ("*", " ", true),
            ("abc", "abc", true),
            ("abc", "ABC", false),
            ("abc", "abcd", false),
            ("abc*", "abc", true),
            ("abc*", "ab", false),
            ("*abc", "abc", true),
            ("*abc", "bc", false),
            ("a*c", "abc", false),
            ("a*c", "a*c", true),
            ("*abc*", "xabcx", false),
            ("*abc*", "*abcx", true),
        ] {
            assert_eq!(Pattern::of(pattern).is_for(text.as_bytes()), matches, "{pattern} {text}");
        }
    }

    /// The path as one text is the reference.
    #[test]
    fn a_path_in_pieces_is_the_path() {
        let texts = [
            "",
            "/",
            "//",
            "*",
            "/*",
            "*/",
            "/a",
            "/a*",
            "/a.B",
            "/a.B*",
            "/a.B/",
            "/a.B/*",
            "/a.B/Get",
            "/a.B/Get*",
            "/a.B/Gets",
            "*Get",
            "*/Get",
            "*B/Get",
            "*/a.B/Get",
            "*//a.B/Get",
            "/A.B/Get",
            "/a.B/get",
            "a.B/Get",
            "/a.B//Get",
            "///*",
            "*///",
            "/a/b/c",
            "/a/*",
        ];
        let names =
            [("a.B", "Get"), ("", ""), ("a", "b/c"), ("a/b", "c"), ("/", "/"), ("a.B", ""), ("", "Get")];
        for (service, method) in names {
            let path = format!("/{service}/{method}");
            for text in texts {
                let pattern = Pattern::of(text);
                let whole = pattern.is_for(path.as_bytes());
                assert_eq!(pattern.is_for_path(service, method), whole, "{text} {path}");
            }
        }
    }

    #[test]
    fn a_name_without_its_package_is_found() {
        for (text, found) in [
            ("/shop.Stock/Get", true),
            ("/shop.v1.Stock/Get", true),
            ("/Stock/Get", true),
            ("/shop.Stock/*", true),
            ("/shop.Stock/Ge*", true),
            ("/shop.*", true),
            ("/sh*", true),
            ("/*", true),
            ("*", true),
            ("*.Stock/Get", true),
            ("*p.Stock/Get", true),
            ("*k/Get", true),
            ("*Get", true),
            ("/shop.Stock/Put", false),
            ("/shop.Stock/Gets", false),
            ("/shop.Livestock/Get", false),
            ("/shop.Stock/P*", false),
            ("/shop.Stocks/*", false),
            ("*Livestock/Get", false),
            ("*.Stocks/Get", false),
            ("*Put", false),
            ("shop*", false),
            ("", false),
        ] {
            assert_eq!(Pattern::of(text).is_for_path_in_some_package("Stock", "Get"), found, "{text}");
        }
    }
}
