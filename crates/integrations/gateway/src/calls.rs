//! Which calls a route is for: by the names of their service and method, by fields, and by who calls.

use polywire_call::{ConfigError, Metadata};
use polywire_server::are_plain_names;
use std::{fmt, str::FromStr};

/// Fields that a route may ask for.
const MOST_FIELDS: usize = 16;
/// Callers that a route may be for.
const MOST_CALLERS: usize = 100;
/// Bytes of a text of names, of a field's name and value, and of a caller.
const LONGEST: usize = 1024;

/// The calls that a route is for, by names: a text without spaces.
///
/// | text | calls |
/// | --- | --- |
/// | `shop.Stock/Reserve` | of this method |
/// | `shop.Stock` | of all methods of this service |
/// | `shop.*`, `shop.Stock/Get*` | whose names, as `service/method`, begin with the text before the star |
/// | `*` | all |
///
/// A service that is named in full takes calls by its short name (`Stock`), too, as servers do; beginnings of
/// names do not. With [`Calls::field`] and [`Calls::caller`], only those of them that have a field, or that
/// somebody makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Calls {
    names: Names,
    /// The fields that a call must have, each by name and exact value.
    fields: Vec<(Box<str>, Box<str>)>,
    /// Who may have made it: a name, or its beginning and a star. Empty: anybody.
    callers: Vec<Box<str>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Names {
    Method(Box<str>, Box<str>),
    Service(Box<str>),
    /// The beginning of a service's name; empty: all.
    Services(Box<str>),
    /// A service, and the beginning of a method's name.
    Methods(Box<str>, Box<str>),
}

/// Why a call is none of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mismatch<'c> {
    Names,
    /// It does not have this field once, with this value.
    Field(&'c str, &'c str),
    /// Somebody else has made it, or nobody knows who.
    Caller,
}

impl Calls {
    /// Every call, of any service and method.
    pub(crate) fn all() -> Calls {
        Calls::of(Names::Services("".into()))
    }

    fn of(names: Names) -> Calls {
        Calls { names, fields: Vec::new(), callers: Vec::new() }
    }

    /// Those of one method, or of the methods of a service whose names begin so, for the option of this name.
    /// `since`: why not those of more.
    pub(crate) fn of_methods(text: &str, option: &'static str, since: &str) -> Result<Calls, ConfigError> {
        let calls: Calls = text.parse()?;
        if matches!(calls.names, Names::Method(..) | Names::Methods(..)) {
            return Ok(calls);
        }
        let wrong = format!("{text:?}: {since}, so write a method, shop.Stock/Get or shop.Stock/Get*");
        Err(ConfigError::new(option, wrong).with_value(text))
    }

    /// Those of one method.
    ///
    /// # Errors
    /// These are not the names of a service and a method.
    pub(crate) fn of_method(service: &str, method: &str) -> Result<Calls, ConfigError> {
        match are_plain_names(service, method) {
            true => Ok(Calls::of(Names::Method(service.into(), method.into()))),
            false => {
                let text = format!("{service:?} and {method:?} are not the names of a service and a method");
                Err(ConfigError::new("method", polywire_call::bounded(&text, LONGEST)))
            }
        }
    }

    /// Those of one service.
    ///
    /// # Errors
    /// This is not the name of a service.
    pub(crate) fn of_service(service: &str) -> Result<Calls, ConfigError> {
        match are_plain_names(service, "_") {
            true => Ok(Calls::of(Names::Service(service.into()))),
            false => {
                let text = format!("{service:?} is not the name of a service");
                Err(ConfigError::new("service", polywire_call::bounded(&text, LONGEST)))
            }
        }
    }

    /// Only those that have a field of this name, in upper or lower case, once and with exactly this value.
    /// May be called several times: they have all of these fields.
    ///
    /// # Errors
    /// The name is none of a field; too many fields.
    pub fn field(mut self, name: &str, value: &str) -> Result<Calls, ConfigError> {
        check_field(name)?;
        let wrong = |text: String| Err(ConfigError::new("field", text).with_value(name));
        if value.len() > LONGEST {
            return wrong(format!("a field has at most {LONGEST} bytes"));
        }
        if self.fields.len() == MOST_FIELDS {
            return wrong(format!("a route asks for at most {MOST_FIELDS} fields"));
        }
        self.fields.push((name.into(), value.into()));
        Ok(self)
    }

    /// Only those of the caller with this [identity](polywire_server::Context::identity), or of callers whose
    /// names begin so: `spiffe://prod/web-*`. May be called several times: they are of any of these.
    ///
    /// # Errors
    /// The text is empty or too long; too many callers.
    pub fn caller(mut self, name: &str) -> Result<Calls, ConfigError> {
        let wrong = |text: String| Err(ConfigError::new("caller", text));
        if name.is_empty() || name.len() > LONGEST {
            return wrong(format!("the name of a caller has 1 to {LONGEST} bytes"));
        }
        if self.callers.len() == MOST_CALLERS {
            return wrong(format!("a route is for at most {MOST_CALLERS} callers"));
        }
        self.callers.push(name.into());
        Ok(self)
    }

    /// Whether a call is one of these. `None`: it is. `caller`: the name of who has made it.
    pub fn mismatch(
        &self,
        (service, method): (&str, &str),
        fields: &Metadata,
        caller: Option<&str>,
    ) -> Option<Mismatch<'_>> {
        if !self.names.have(service, method) {
            return Some(Mismatch::Names);
        }
        let has = |name: &str, value: &str| only_value(fields, name) == Some(value.as_bytes());
        if let Some((name, value)) = self.fields.iter().find(|(name, value)| !has(name, value)) {
            return Some(Mismatch::Field(name, value));
        }
        let is_meant = |caller| self.callers.iter().any(|own| is_caller(own, caller));
        (!self.callers.is_empty() && !caller.is_some_and(is_meant)).then_some(Mismatch::Caller)
    }

    /// Whether it depends on who has made a call.
    pub fn asks_for_callers(&self) -> bool {
        !self.callers.is_empty()
    }

    /// Whether calls of this method may be among these.
    pub(crate) fn have(&self, service: &str, method: &str) -> bool {
        self.names.have(service, method)
    }

    /// Whether calls of some method of this service may be among these.
    pub(crate) fn have_some(&self, service: &str) -> bool {
        match &self.names {
            Names::Services(begin) => service.starts_with(&**begin),
            _ => self.name(service),
        }
    }

    /// Whether these are calls of this service by its name: more than `*`, or a beginning of it.
    pub(crate) fn name(&self, service: &str) -> bool {
        match &self.names {
            Names::Method(own, _) | Names::Service(own) | Names::Methods(own, _) => is(own, service),
            Names::Services(_) => false,
        }
    }

    /// Whether all calls of `other` by full names are calls of this as well: a later route for it is useless.
    pub fn covers(&self, other: &Calls) -> bool {
        let asked = |(name, value): &(Box<str>, Box<str>)| {
            other.fields.iter().any(|(n, v)| n.eq_ignore_ascii_case(name) && v == value)
        };
        // A name with a star is covered by the same, and by shorter ones with a star.
        let has = |caller: &str| self.callers.iter().any(|own| **own == *caller || is_caller(own, caller));
        let callers = || !other.callers.is_empty() && other.callers.iter().all(|caller| has(caller));
        self.names.cover(&other.names)
            && self.fields.iter().all(asked)
            && (self.callers.is_empty() || callers())
    }
}

/// The value of a field that is there exactly once: of several values nobody knows which one its server
/// reads.
pub(crate) fn only_value<'m>(fields: &'m Metadata, name: &str) -> Option<&'m [u8]> {
    let mut values = fields.get_all(name);
    values.next().filter(|_| values.next().is_none())
}

/// # Errors
/// This is not the name of a field.
pub(crate) fn check_field(name: &str) -> Result<(), ConfigError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let text = match name {
        _ if name.is_empty() || !name.bytes().all(plain) => {
            format!("{name:?} is not the name of a field: letters, digits, `-`, `_` and `.`")
        }
        _ if name.len() > LONGEST => format!("a field has at most {LONGEST} bytes"),
        _ => return Ok(()),
    };
    Err(ConfigError::new("field", text).with_value(name))
}

impl Names {
    fn have(&self, service: &str, method: &str) -> bool {
        match self {
            Names::Method(s, m) => is(s, service) && **m == *method,
            Names::Service(s) => is(s, service),
            Names::Services(begin) => service.starts_with(&**begin),
            Names::Methods(s, begin) => is(s, service) && method.starts_with(&**begin),
        }
    }

    fn cover(&self, other: &Names) -> bool {
        match other {
            Names::Method(s, m) => self.have(s, m),
            Names::Service(s) => match self {
                Names::Service(own) => is(own, s),
                Names::Services(begin) => s.starts_with(&**begin),
                Names::Methods(own, begin) => is(own, s) && begin.is_empty(),
                Names::Method(..) => false,
            },
            Names::Services(longer) => matches!(self, Names::Services(begin) if longer.starts_with(&**begin)),
            Names::Methods(s, longer) => match self {
                Names::Methods(own, begin) => is(own, s) && longer.starts_with(&**begin),
                _ => self.cover(&Names::Service(s.clone())),
            },
        }
    }
}

/// Whether this is the name of a caller, or begins as `own` does before a star.
fn is_caller(own: &str, caller: &str) -> bool {
    own.strip_suffix('*').map_or(own == caller, |begin| caller.starts_with(begin))
}

/// Whether a call of this service is one of `own`. Servers take a service by its name without the package,
/// too: a route that did not would be passed by with the short name.
fn is(own: &str, service: &str) -> bool {
    own == service || !service.contains('.') && own.rsplit('.').next() == Some(service)
}

impl FromStr for Calls {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Calls, ConfigError> {
        let wrong = |why: &str| {
            let shown: String = text.chars().take(LONGEST).collect();
            let forms = "write shop.Stock/Reserve, shop.Stock, shop.* or *";
            Err(ConfigError::new("calls", format!("{shown:?} {why}: {forms}")).with_value(shown))
        };
        if text.len() > LONGEST {
            return wrong("is too long");
        }
        let (names, all) = text.strip_suffix('*').map_or((text, false), |begin| (begin, true));
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/');
        if let Some(byte) = names.bytes().find(|byte| !plain(*byte)) {
            return wrong(if byte == b'*' { "has a star before its end" } else { "is not made of names" });
        }
        let (service, method) = names.split_once('/').map_or((names, None), |(s, m)| (s, Some(m)));
        if method.is_some_and(|method| method.contains('/')) {
            return wrong("has more than a service and a method");
        }
        let names = match (method, all) {
            (None, true) => Names::Services(service.into()),
            (_, _) if service.is_empty() => return wrong("has no service"),
            (Some(""), false) => return wrong("has no method"),
            (None, false) => Names::Service(service.into()),
            (Some(method), true) => Names::Methods(service.into(), method.into()),
            (Some(method), false) => Names::Method(service.into(), method.into()),
        };
        Ok(Calls::of(names))
    }
}

/// Writes the names as they are parsed, then the fields and the callers.
impl fmt::Display for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.names {
            Names::Method(service, method) => write!(f, "{service}/{method}"),
            Names::Service(service) => write!(f, "{service}"),
            Names::Services(begin) => write!(f, "{begin}*"),
            Names::Methods(service, begin) => write!(f, "{service}/{begin}*"),
        }?;
        self.fields.iter().try_for_each(|(name, value)| write!(f, " {name}={value:?}"))?;
        self.callers.iter().try_for_each(|caller| write!(f, " by {caller:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(text: &str) -> Calls {
        text.parse().unwrap_or_else(|wrong| panic!("{text}: {wrong}"))
    }

    #[test]
    fn names_are_a_method_a_service_or_a_beginning() {
        for (text, taken, left) in [
            ("a.B/C", &["a.B/C", "B/C"][..], &["a.B/CD", "a.B/c", "a.BC/C", "b.B/C", "B/D"][..]),
            ("a.B", &["a.B/C", "a.B/D", "B/C"], &["a.BC/C", "a/B", "a.b/C", "BC/C", "a.a.B/C"]),
            ("B", &["B/C"], &["a.B/C"]),
            ("a.*", &["a.B/C", "a.b.C/D"], &["a/B", "ab.C/D", "b.a.C/D", "B/C"]),
            ("a.B/C*", &["a.B/C", "a.B/CD", "B/CD"], &["a.B/D", "a.BB/C"]),
            ("a.B/*", &["a.B/C", "B/C"], &["a.BB/C"]),
            ("*", &["a/B"], &[]),
        ] {
            assert_eq!(calls(text).to_string(), text);
            let takes = |name: &str| {
                calls(text).mismatch(name.split_once('/').unwrap(), &Metadata::new(), None).is_none()
            };
            assert!(taken.iter().all(|name| takes(name)), "{text}");
            assert!(!left.iter().any(|name| takes(name)), "{text}");
        }
    }

    #[test]
    fn texts_that_are_no_names_are_refused() {
        let long = "a".repeat(LONGEST + 1);
        for text in
            ["", "/", "/a", "a/", "a/b/c", "a*b", "*.a", "a b", "a/b ", "a%2fb", "ä", "/*", "**", &long]
        {
            let wrong = text.parse::<Calls>().expect_err(text).to_string();
            assert!(wrong.contains("shop.Stock/Reserve") && wrong.len() < 2 * LONGEST, "{wrong}");
        }
    }

    #[test]
    fn fields_have_exactly_the_value_and_all_of_them_are_there() {
        let asked = calls("*").field("X-Tester", "yes").unwrap().field("x-zone", "").unwrap();
        let why =
            |fields: &[(&str, &[u8])]| asked.mismatch(("a", "B"), &fields.iter().copied().collect(), None);
        assert_eq!(why(&[("x-zone", b""), ("x-tester", b"yes")]), None);
        for other in [&b"no"[..], b"yes"] {
            let twice = [("x-tester", &b"yes"[..]), ("x-zone", &b""[..]), ("X-tester", other)];
            assert_eq!(why(&twice), Some(Mismatch::Field("X-Tester", "yes")));
        }
        assert_eq!(why(&[("x-zone", b"")]), Some(Mismatch::Field("X-Tester", "yes")));
        assert_eq!(why(&[("x-tester", b"yes"), ("x-zone", b"eu")]), Some(Mismatch::Field("x-zone", "")));
        assert_eq!(why(&[("x-tester", b"yes2")]), Some(Mismatch::Field("X-Tester", "yes")));
        assert_eq!(asked.to_string(), r#"* X-Tester="yes" x-zone="""#);
        for name in ["", ":path", "a b", "ä", &"a".repeat(LONGEST + 1)] {
            assert!(calls("*").field(name, "1").is_err(), "{name}");
        }
        let many = (0..MOST_FIELDS).try_fold(calls("*"), |calls, k| calls.field(&format!("f{k}"), "1"));
        assert!(many.unwrap().field("further", "1").is_err());
    }

    #[test]
    fn callers_are_known_by_their_name_or_its_beginning() {
        let asked = calls("*").caller("spiffe://prod/web-*").unwrap().caller("ann").unwrap();
        let is_meant = |caller: Option<&str>| asked.mismatch(("a", "B"), &Metadata::new(), caller).is_none();
        assert!(["spiffe://prod/web-1", "spiffe://prod/web-", "ann"].map(Some).map(is_meant) == [true; 3]);
        for other in [None, Some(""), Some("anna"), Some("an"), Some("spiffe://prod/web"), Some("x")] {
            assert_eq!(
                asked.mismatch(("a", "B"), &Metadata::new(), other),
                Some(Mismatch::Caller),
                "{other:?}"
            );
        }
        assert_eq!(asked.to_string(), r#"* by "spiffe://prod/web-*" by "ann""#);
        for wrong in ["", &"a".repeat(LONGEST + 1)] {
            assert!(calls("*").caller(wrong).is_err(), "{wrong}");
        }
        let many = (0..MOST_CALLERS).try_fold(calls("*"), |calls, k| calls.caller(&k.to_string()));
        assert!(many.unwrap().caller("further").is_err());
        let of = |caller: &str| calls("*").caller(caller).unwrap();
        assert!(
            calls("*").covers(&asked) && asked.covers(&of("ann")) && asked.covers(&of("spiffe://prod/web-*"))
        );
        assert!(asked.covers(&of("spiffe://prod/web-9*")) && !asked.covers(&calls("*")));
        assert!(!asked.covers(&of("spiffe://prod/*")) && !of("ann").covers(&of("ann*")));
    }

    #[test]
    fn a_later_route_is_covered_if_all_of_its_calls_are_taken_before() {
        let covers = |one: &str, other: &str| calls(one).covers(&calls(other));
        let order = ["*", "a.*", "a.B", "a.B/*", "a.B/C*", "a.B/CD"];
        for (k, wider) in order.iter().enumerate() {
            assert!(order[k..].iter().all(|narrower| covers(wider, narrower)), "{wider}");
            let back = order[..k].iter().any(|narrower| covers(wider, narrower));
            assert_eq!(back, *wider == "a.B/*", "a service and all its methods are the same");
        }
        assert!(!covers("a.B", "a.C") && !covers("a.B/C", "a.B/D") && !covers("a.B/C*", "a.C/CD"));
        assert!(covers("a.B", "B") && covers("a.B/*", "B/C*") && !covers("B", "a.B") && !covers("a.*", "B"));
        let tester = calls("a.B").field("x-tester", "yes").unwrap();
        assert!(!tester.covers(&calls("a.B")) && calls("a.B").covers(&tester) && tester.covers(&tester));
    }
}
