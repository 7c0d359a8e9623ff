//! HTTP paths of methods: rules of `google.api.http`, and patterns in brpc's notation.
//!
//! A path is looked up first among the templates (rules, and patterns without a star), then among
//! the patterns with brpc's star (`stars.rs`). The result is a way: a method and, for templates, which part
//! of the request is which field.

mod stars;

use self::stars::Stars;
use crate::{schemas::Schemas, verbs::Verbs};
use polywire_formats::rest::{HttpRule, Rule, Template, Trie};

/// Name of the method that handles every path below its service that names no other method.
pub(crate) const DEFAULT_METHOD: &str = "default_method";

/// All paths and rules that lead to methods of a server.
#[derive(Default)]
pub(crate) struct Paths {
    ways: Vec<Way>,
    templates: Trie,
    stars: Stars,
    /// See [`Paths::may_take_names`].
    may_take_names: bool,
}

/// One path to a method.
struct Way {
    method: u32,
    verbs: Verbs,
    /// How its requests are bound to message fields; `None`: the body is a message or bytes.
    rule: Option<Rule<'static>>,
    /// The path as error messages show it.
    shown: String,
}

/// The method that a way leads to.
#[derive(Clone, Copy)]
pub(crate) struct Owner<'s> {
    /// The method's index among all methods.
    pub method: u32,
    /// The method's name, `service/method`.
    pub name: &'s str,
    /// Whether the method has no side effects.
    pub safe: bool,
    pub schemas: Option<Schemas>,
}

/// A path and the part that its star matched.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub method: u32,
    /// The number of the path, with which [`Paths::rule`] finds it; 0 stands for none.
    pub way: u32,
    /// The part of the path that the star matched, without slashes at its ends.
    pub unresolved: String,
}

/// The reason why a pattern cannot be added.
enum Clash {
    Wrong(&'static str),
    /// Another path accepts the same requests.
    With(u32),
}

impl Paths {
    /// Adds a pattern, which may begin with verbs.
    ///
    /// # Errors
    /// The fault of the pattern.
    pub fn add(&mut self, pattern: &str, owner: Owner<'_>) -> Result<(), String> {
        let shown = format!("path {pattern:?} of {}", owner.name);
        let wrong = |why: &str| Err(format!("{shown}: {why}"));
        let (verbs, pattern) = match Verbs::take(pattern) {
            Ok((verbs, pattern)) => (verbs.unwrap_or(Verbs::Usual { safe: owner.safe }), pattern),
            Err(why) => return wrong(why),
        };
        if pattern.is_empty() || pattern.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return wrong("empty, or with white space");
        }
        let has_variables = pattern.contains(['{', '}']);
        if let (false, Some((before, after))) = (has_variables, pattern.split_once('*')) {
            let way = self.next();
            self.stars.add(before, after, &verbs, way).map_err(|clash| self.explain(&shown, clash))?;
            self.ways.push(Way { method: owner.method, verbs, rule: None, shown });
            return Ok(());
        }
        let template = match has_variables {
            true => Template::parse(pattern).map_err(|why| format!("{shown}: {why}"))?,
            false if !pattern.starts_with('/') => return wrong("a path begins with a slash"),
            false => Template::literals(pattern),
        };
        let rule = match owner.schemas.and_then(Schemas::get) {
            Some((request, reply)) => {
                let rule = Rule::of_path(template.clone(), request, reply);
                Some(rule.map_err(|why| format!("{shown}: {why}"))?)
            }
            None if has_variables => {
                return wrong("the method has no request message with fields that could be bound");
            }
            None => None,
        };
        self.push(template, Way { method: owner.method, verbs, rule, shown })
    }

    /// Adds a rule of `google.api.http`.
    ///
    /// # Errors
    /// The fault of the pattern.
    pub fn add_rule(&mut self, rule: &HttpRule, owner: Owner<'_>) -> Result<(), String> {
        let shown = format!("HTTP rule \"{} {}\" of {}", rule.verb, rule.path, owner.name);
        let wrong = |why: String| format!("{shown}: {why}");
        let verbs = Verbs::of_rule(rule.verb).map_err(|why| wrong(why.to_owned()))?;
        let Some((request, reply)) = owner.schemas.and_then(Schemas::get) else {
            return Err(wrong(
                "the method has no request message with fields that could be bound".to_owned(),
            ));
        };
        let rule = Rule::new(rule, request, reply).map_err(wrong)?;
        self.push(rule.template().clone(), Way { method: owner.method, verbs, rule: Some(rule), shown })
    }

    /// Lets `/service/method` reach methods of this service, where no template or pattern matches it.
    pub fn add_service(&mut self, service: &str) {
        self.may_take_names |= self.templates.may_match_under(service) || self.stars.may_match_under(service);
    }

    /// Whether `/service/method` of some service may match a template or a pattern, which then takes
    /// precedence.
    #[inline]
    pub fn may_take_names(&self) -> bool {
        self.may_take_names
    }

    fn push(&mut self, template: Template, way: Way) -> Result<(), String> {
        let number = self.next();
        let overlaps = |other| self.ways[other as usize - 1].verbs.overlap(&way.verbs);
        let added = self.templates.add(&template, number, overlaps);
        added.map_err(|other| self.explain(&way.shown, Clash::With(other)))?;
        self.ways.push(way);
        Ok(())
    }

    /// The number of the next way to be added.
    fn next(&self) -> u32 {
        self.ways.len() as u32 + 1
    }

    fn explain(&self, shown: &str, clash: Clash) -> String {
        match clash {
            Clash::Wrong(why) => format!("{shown}: {why}"),
            Clash::With(way) => {
                let other = self.way(way).map_or("another", |way| &way.shown);
                format!("{shown}: {other} takes the same requests")
            }
        }
    }

    fn way(&self, number: u32) -> Option<&Way> {
        self.ways.get(number.checked_sub(1)? as usize)
    }

    /// The ways whose requests are bound to fields of messages, in the order in which they were added: the
    /// method of each and its verbs, of which `*` is any.
    pub fn described(&self) -> impl Iterator<Item = (u32, Vec<&str>, &Rule<'static>)> {
        self.ways.iter().filter_map(|way| {
            let verbs = match &way.verbs {
                Verbs::Any => vec!["*"],
                // HEAD comes with GET.
                Verbs::Usual { safe: true } => vec!["GET", "POST"],
                verbs => verbs.names(),
            };
            Some((way.method, verbs, way.rule.as_ref()?))
        })
    }

    /// How requests on this path are bound to message fields.
    pub fn rule(&self, way: u32) -> Option<&Rule<'static>> {
        self.way(way)?.rule.as_ref()
    }

    /// The best match for `path` (without a query) among the paths with this verb.
    pub fn find(&self, verb: &str, path: &str) -> Option<Found> {
        self.search(path, |way| way.verbs.have(verb))
    }

    /// The verbs of all paths that match `path`.
    pub fn verbs(&self, path: &str) -> Vec<Verbs> {
        let mut verbs = Vec::new();
        self.search(path, |way| {
            verbs.push(way.verbs.clone());
            false
        });
        verbs
    }

    fn search(&self, path: &str, mut takes: impl FnMut(&Way) -> bool) -> Option<Found> {
        // A proxy with rules for `/v1/a` has not checked `//v1//a`.
        if self.ways.is_empty() || path.contains("//") {
            return None;
        }
        let mut takes = |number: u32| self.way(number).is_some_and(&mut takes);
        let (way, unresolved) = match self.templates.search(path, &mut takes) {
            Some(way) => (way, String::new()),
            None => self.stars.search(path, takes)?,
        };
        Some(Found { method: self.way(way)?.method, way, unresolved })
    }
}

/// Parses brpc's mapping text: `PATH => NAME, PATH => NAME`; arrows have one or more `=`.
///
/// # Errors
/// The fault of the pattern.
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
    use crate::verbs;

    fn owner(method: u32, safe: bool) -> Owner<'static> {
        Owner { method, name: "shop.Items/Get", safe, schemas: None }
    }

    fn described(method: u32) -> Owner<'static> {
        use polywire_formats::rpc::{ErrorInfo, RequestInfo};
        Owner { schemas: Some(Schemas::of::<RequestInfo, ErrorInfo>()), ..owner(method, false) }
    }

    fn paths(patterns: &[&str]) -> Paths {
        let mut paths = Paths::default();
        for (method, pattern) in patterns.iter().enumerate() {
            paths.add(pattern, owner(method as u32, false)).unwrap();
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
        paths.add("/v1/safe", owner(9, true)).unwrap();
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
        let allowed = |path| verbs::allow(&paths.verbs(path));
        assert_eq!(allowed("/v1/items").unwrap(), "GET, POST, PUT, HEAD, PATCH, DELETE");
        assert_eq!(allowed("/v2"), None);
    }

    #[test]
    fn bad_patterns_are_refused_with_the_reason() {
        let mut paths = paths(&["/v1/a", "/b/*"]);
        for (pattern, reason) in [
            ("/v1/a", "path \"/v1/a\" of shop.Items/Get takes the same requests"),
            ("/v1/A*", "must end with a slash"),
            ("/a/*/b/*", "more than one star"),
            ("", "empty"),
            ("/a b", "must be a method of HTTP"),
            ("GET /a b", "white space"),
            ("POST /v1/a", "takes the same requests"),
            ("ANY /v1/a", "takes the same requests"),
            ("/b/*", "path \"/b/*\" of shop.Items/Get takes the same requests"),
            ("v1/x", "begins with a slash"),
            ("/v1/{id}", "no request message with fields that could be bound"),
        ] {
            let error = paths.add(pattern, owner(1, false)).unwrap_err();
            assert!(error.starts_with("path ") && error.contains("of shop.Items/Get: "), "{error}");
            assert!(error.contains(reason), "{pattern}: {error}");
        }
    }

    #[test]
    fn bad_rules_are_refused_with_the_reason() {
        let mut paths = Paths::default();
        paths.add_rule(&HttpRule::get("/v1/{request_id}"), described(0)).unwrap();
        for (rule, reason) in [
            (
                HttpRule::get("/v1/{serving_data}"),
                "HTTP rule \"GET /v1/{request_id}\" of shop.Items/Get takes",
            ),
            (HttpRule::new("*", "/v1/*"), "takes the same requests"),
            (HttpRule::new("HEAD", "/v1/*"), "takes the same requests"),
            (HttpRule::new("get", "/v1/x"), "no method of HTTP"),
            (HttpRule::new("", "/v1/x"), "no method of HTTP"),
            (HttpRule::get("/v1/{id}"), "google.rpc.RequestInfo has no field id"),
            (HttpRule::get("/v1/{request_id"), "without its `}`"),
        ] {
            let error = paths.add_rule(&rule, described(1)).unwrap_err();
            let front = format!("HTTP rule \"{} {}\" of shop.Items/Get: ", rule.verb, rule.path);
            assert!(error.starts_with(&front) && error.contains(reason), "{rule:?}: {error}");
        }
        paths.add_rule(&HttpRule::post("/v1/{request_id}"), described(1)).unwrap();
        paths.add_rule(&HttpRule::get("/v1/{request_id}:go"), described(2)).unwrap();
        let error = paths.add_rule(&HttpRule::get("/x"), owner(1, false)).unwrap_err();
        assert!(error.contains("no request message with fields"), "{error}");
    }

    #[test]
    fn at_each_segment_a_literal_comes_first() {
        let mut paths = Paths::default();
        for (method, path) in (0..).zip([
            "/v1/{request_id}",
            "/v1/items",
            "/v1/{request_id=**}",
            "/v1/items/{request_id}/x",
            "/v1/*/{request_id}/y",
            "/{request_id=v1/*}:go",
            "/v1/{request_id=**}:all",
            "/v1/a:b:go",
        ]) {
            paths.add_rule(&HttpRule::get(path), described(method)).unwrap();
        }
        paths.add("GET /v1/*", owner(8, false)).unwrap();
        paths.add("PUT /v1/*", owner(9, false)).unwrap();
        for (path, method) in [
            ("/v1/items", 1),
            ("/v1/items/", 1),
            ("/v1/other", 0),
            ("/v1/items/7/x", 3),
            ("/v1/items/7/y", 4),
            ("/v1/items/7/z", 2),
            ("/v1", 2),
            ("/v1/items:go", 5),
            ("/v1/:go", 0),
            ("/v1/items:went", 0),
            ("/v1/items/7:go", 2),
            ("/v1/items/7:all", 6),
            ("/v1/items:all", 6),
            ("/v1/a:b:go", 7),
        ] {
            let found = paths.find("GET", path).map(|found| found.method);
            assert_eq!(found, Some(method), "{path}");
        }
        assert_eq!(paths.find("PUT", "/v1/items").map(|found| found.method), Some(9));
        assert_eq!(verbs::allow(&paths.verbs("/v1/items")).unwrap(), "GET, PUT");
        assert_eq!(paths.find("GET", "/v1//items"), None);
        assert_eq!(paths.find("GET", "/v2"), None);
    }

    #[test]
    fn a_literal_with_a_colon_comes_before_a_variable_with_the_suffix() {
        let mut paths = Paths::default();
        paths.add_rule(&HttpRule::get("/v1/{request_id}:go"), described(0)).unwrap();
        paths.add_rule(&HttpRule::get("/v1/{request_id=**}:go"), described(1)).unwrap();
        for (method, pattern) in
            (2..).zip(["/v1/all:go", "/v1/a:b:go", "/v1/:go", "/v1/a:", "/v1/all", "/all:other", "/:"])
        {
            paths.add(&format!("GET {pattern}"), owner(method, false)).unwrap();
        }
        for (path, method) in [
            ("/v1/all:go", Some(2)),
            ("/v1/all:go/", Some(2)),
            ("/v1/a:b:go", Some(3)),
            ("/v1/:go", Some(4)),
            ("/v1/a:", Some(5)),
            ("/v1/all", Some(6)),
            ("/all:other", Some(7)),
            ("/:", Some(8)),
            ("/v1/b:go", Some(0)),
            ("/v1/a:b:c:go", Some(0)),
            ("/v1/all/x:go", Some(1)),
            ("/v1/all:other", None),
            ("/all", None),
        ] {
            assert_eq!(paths.find("GET", path).map(|found| found.method), method, "{path}");
        }
        let error = paths.add_rule(&HttpRule::get("/v1/all:go"), described(9)).unwrap_err();
        assert!(error.contains("path \"GET /v1/all:go\" of shop.Items/Get takes the same"), "{error}");
    }

    #[test]
    fn only_paths_that_may_match_names_come_before_names() {
        for (pattern, may) in [
            ("/v1/{request_id}", false),
            ("/v1/{request_id=**}", false),
            ("/v1/*", false),
            ("/v1/*.data", false),
            ("/shop.Items", true),
            ("/shop.Items/{request_id}", true),
            ("/shop.Items/Get", true),
            ("/shop.Items/*", true),
            ("/{request_id}/Get", true),
            ("/{request_id=**}", true),
            ("/*", true),
            ("*.data", true),
        ] {
            let mut paths = Paths::default();
            paths.add(pattern, described(0)).unwrap();
            paths.add_service("shop.Items");
            assert_eq!(paths.may_take_names(), may, "{pattern}");
        }
        let mut paths = Paths::default();
        paths.add_service("shop.Items");
        assert!(!paths.may_take_names(), "there is no path");
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
