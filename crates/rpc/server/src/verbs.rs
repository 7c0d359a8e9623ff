//! HTTP methods that reach a method of a service. They are called "verbs" here, to distinguish them.
//!
//! A browser sends a GET for any page that asks it to, without a preflight request. So a method is reached by
//! POST only, unless it is declared to change nothing, or a RESTful pattern names the verbs itself.

/// The verbs of one way to a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verbs {
    /// POST; also GET if the method has no side effects.
    Usual { safe: bool },
    /// All verbs except OPTIONS.
    Any,
    /// The verbs by name.
    Named(Vec<String>),
}

impl Verbs {
    /// Splits the verbs off a pattern: `GET /v1/*`, `PUT|PATCH /v1/*`, `ANY /v1/*`, or `/v1/*` alone.
    ///
    /// # Errors
    /// The text before the path is not a verb.
    pub fn take(pattern: &str) -> Result<(Option<Verbs>, &str), &'static str> {
        let Some((verbs, path)) = pattern.trim().split_once(char::is_whitespace) else {
            return Ok((None, pattern.trim()));
        };
        let named: Vec<_> = verbs.split('|').map(str::to_owned).collect();
        if !named.iter().all(|verb| is_verb(verb)) {
            return Err(
                "the text before the path must be a method of HTTP in capitals, or several with | between",
            );
        }
        let verbs = if named == ["ANY"] { Verbs::Any } else { Verbs::Named(named) };
        Ok((Some(verbs), path.trim_start()))
    }

    /// The verb of a rule; `*` is any.
    ///
    /// # Errors
    /// A word is not a verb.
    pub fn of_rule(verb: &str) -> Result<Verbs, &'static str> {
        match verb {
            "*" => Ok(Verbs::Any),
            verb if is_verb(verb) => Ok(Verbs::Named(vec![verb.to_owned()])),
            _ => Err("no method of HTTP, in capitals"),
        }
    }

    /// Whether this verb is among them. HEAD counts as the GET whose reply has no body.
    pub fn have(&self, verb: &str) -> bool {
        match self {
            Verbs::Usual { safe } => verb == "POST" || *safe && matches!(verb, "GET" | "HEAD"),
            Verbs::Any => verb != "OPTIONS",
            Verbs::Named(named) => named.iter().any(|one| one == verb || verb == "HEAD" && one == "GET"),
        }
    }

    /// The verbs' names for the `allow` field.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Verbs::Usual { safe: false } => vec!["POST"],
            Verbs::Usual { safe: true } => vec!["GET", "HEAD", "POST"],
            Verbs::Any => vec!["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
            Verbs::Named(named) => named.iter().map(String::as_str).collect(),
        }
    }

    /// Whether some request could match both.
    pub fn overlap(&self, other: &Verbs) -> bool {
        self.names().iter().any(|verb| other.have(verb)) || other.names().iter().any(|verb| self.have(verb))
    }
}

/// The names of all these, each once, in the form of the `allow` field; `None`: there are none.
pub(crate) fn allow(all: &[Verbs]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for name in all.iter().flat_map(Verbs::names) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| names.join(", "))
}

fn is_verb(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_uppercase() || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_may_name_its_verbs() {
        let named = |verbs: &[&str]| Some(Verbs::Named(verbs.iter().map(|&verb| verb.to_owned()).collect()));
        assert_eq!(Verbs::take("/a"), Ok((None, "/a")));
        assert_eq!(Verbs::take("GET  /a "), Ok((named(&["GET"]), "/a")));
        assert_eq!(Verbs::take("PUT|M-SEARCH /a"), Ok((named(&["PUT", "M-SEARCH"]), "/a")));
        assert_eq!(Verbs::take("ANY /a"), Ok((Some(Verbs::Any), "/a")));
        for wrong in ["get /a", "GET| /a", "GET,PUT /a", "/a /b"] {
            assert!(Verbs::take(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn who_changes_something_is_reached_by_post() {
        for (verbs, have) in [
            (Verbs::Usual { safe: false }, "POST"),
            (Verbs::Usual { safe: true }, "GET HEAD POST"),
            (Verbs::Any, "DELETE GET HEAD LINK POST PUT"),
            (Verbs::Named(vec!["GET".into(), "PUT".into()]), "GET HEAD PUT"),
            (Verbs::Named(vec!["OPTIONS".into()]), "OPTIONS"),
        ] {
            let all = ["DELETE", "GET", "HEAD", "LINK", "OPTIONS", "POST", "PUT"];
            let got: Vec<_> = all.into_iter().filter(|verb| verbs.have(verb)).collect();
            assert_eq!(got.join(" "), have);
        }
    }

    #[test]
    fn two_ways_overlap_where_one_verb_takes_both() {
        let named = |verb: &str| Verbs::Named(vec![verb.into()]);
        for (one, other, overlap) in [
            (named("GET"), named("PUT"), false),
            (named("GET"), named("HEAD"), true),
            (named("GET"), Verbs::Usual { safe: false }, false),
            (named("GET"), Verbs::Usual { safe: true }, true),
            (Verbs::Usual { safe: false }, Verbs::Usual { safe: false }, true),
            (Verbs::Any, named("DELETE"), true),
        ] {
            assert_eq!((one.overlap(&other), other.overlap(&one)), (overlap, overlap), "{one:?} {other:?}");
        }
    }
}
