//! A checked policy, and its decision about a call.
//!
//! A43: a call that a deny rule matches is denied; else one that an allow rule matches is allowed; else it is
//! denied.
//!
//! ```text
//! rule = source AND request
//!        source  = principals AND identities AND roles      each: one of its texts matches
//!        request = paths AND headers                        headers: each of them, by one of its values
//! ```
//!
//! What a rule does not have matches everything. The parts are compared from the cheapest to the dearest, and
//! what they need of a call is read once, when a rule first asks for it.

use crate::{
    audit::{Audit, Loggers},
    certificate::{Principals, Unreadable},
    document::{Document, HeaderDocument, RuleDocument},
    error::PolicyError,
    fields::{FieldNames, FieldValues, is_binary},
    pattern::Pattern,
    strict::{Given, Object},
};
use polywire_server::Identity;
use std::{cell::OnceCell, collections::HashSet, sync::Arc};

/// Rules of a policy, of both kinds together.
const MOST_RULES: usize = 1000;
/// Texts that a policy compares with.
const MOST_TEXTS: usize = 10_000;

/// Names of fields that rules may not ask for, beside those that begin with `:` or `grpc-`.
const UNSUPPORTED: [&str; 9] = [
    "host",
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// What a decision asks of a call.
pub(crate) trait Facts {
    fn service(&self) -> &str;
    fn method(&self) -> &str;
    /// Whether it goes on to another server, which may take a service by its name without the package.
    fn goes_on(&self) -> bool;
    fn visit_fields(&self, visit: &mut dyn FnMut(&str, &[u8]));
    /// `None`: it has not come over TLS.
    fn principals(&self) -> Option<Result<Arc<Principals>, Unreadable>>;
    fn identity(&self) -> Option<&Identity>;
}

pub(crate) struct Rules {
    pub name: Box<str>,
    deny: Box<[Rule]>,
    allow: Box<[Rule]>,
    /// The fields that any rule asks for.
    fields: FieldNames,
    pub audit: Audit,
}

struct Rule {
    name: Box<str>,
    principals: Box<[Pattern]>,
    identities: Box<[Pattern]>,
    roles: Box<[Pattern]>,
    paths: Box<[Pattern]>,
    headers: Box<[HeaderRule]>,
}

struct HeaderRule {
    /// The field's position in [`Rules::fields`].
    field: usize,
    values: Box<[Pattern]>,
}

/// What a policy says about a call, and by which rule.
#[derive(Debug, PartialEq)]
pub(crate) enum Decision<'r> {
    Allowed(&'r str),
    /// `None`: no rule matched.
    Denied(Option<&'r str>),
}

impl Rules {
    pub fn parse(text: &str, loggers: &Loggers) -> Result<Self, PolicyError> {
        let Document { name, deny_rules, allow_rules, audit_logging_options: Object(audit) } =
            Document::parse(text)?;
        if name.is_empty() {
            return Err(PolicyError::new("the policy has no \"name\""));
        }
        if allow_rules.is_empty() {
            return Err(PolicyError::new("\"allow_rules\" has no rule"));
        }
        if deny_rules.len() + allow_rules.len() > MOST_RULES {
            return Err(PolicyError::new(format!("more than {MOST_RULES} rules")));
        }
        let headers = deny_rules.iter().chain(&allow_rules).flat_map(|Object(rule)| &rule.request.0.headers);
        let fields = FieldNames::of(headers.map(|Object(header)| field_name(header).into()).collect());
        let mut compile = Compile { fields: &fields, texts: 0 };
        let deny = compile.rules("deny_rules", deny_rules)?;
        let allow = compile.rules("allow_rules", allow_rules)?;
        let audit = Audit::of(audit, loggers)?;
        Ok(Rules { name: name.into(), deny, allow, fields, audit })
    }

    /// # Errors
    /// Rules ask for names of a certificate that cannot be read.
    pub fn decide(&self, call: &impl Facts) -> Result<Decision<'_>, Unreadable> {
        let asked = Asked { call, names: &self.fields, fields: OnceCell::new(), principals: OnceCell::new() };
        for rule in &self.deny {
            if rule.is_for(&asked, call.goes_on())? {
                return Ok(Decision::Denied(Some(&rule.name)));
            }
        }
        for rule in &self.allow {
            if rule.is_for(&asked, false)? {
                return Ok(Decision::Allowed(&rule.name));
            }
        }
        Ok(Decision::Denied(None))
    }
}

impl Rules {
    /// The rules that match no caller of a server, and for what of theirs.
    pub fn idle(&self, callers: KnownCallers) -> impl Iterator<Item = (&str, &'static str)> {
        let rules = self.deny.iter().chain(&self.allow);
        rules.filter_map(move |rule| Some((&*rule.name, rule.idle(callers)?)))
    }
}

/// What a server knows of its callers, whoever they are.
#[derive(Clone, Copy, Default, Debug)]
pub struct KnownCallers {
    /// They come over TLS.
    pub tls: bool,
    /// They have certificates, which it has verified.
    pub certificates: bool,
    /// They have names: of an authenticator, or of a certificate.
    pub names: bool,
    /// They have roles, of an authenticator.
    pub roles: bool,
}

/// A call, with what was read of it.
struct Asked<'c, F> {
    call: &'c F,
    names: &'c FieldNames,
    fields: OnceCell<FieldValues>,
    principals: OnceCell<Option<Result<Arc<Principals>, Unreadable>>>,
}

impl<F: Facts> Asked<'_, F> {
    fn fields(&self) -> &FieldValues {
        self.fields.get_or_init(|| {
            let mut values = FieldValues::default();
            self.call.visit_fields(&mut |name, value| values.add(self.names, name, value));
            values
        })
    }

    fn principals(&self) -> Option<Result<&Principals, Unreadable>> {
        let principals = self.principals.get_or_init(|| self.call.principals());
        principals.as_ref().map(|read| read.as_deref().map_err(|unreadable| *unreadable))
    }
}

impl Rule {
    /// `any_package`: a service that is named without a package matches with any.
    fn is_for<F: Facts>(&self, asked: &Asked<'_, F>, any_package: bool) -> Result<bool, Unreadable> {
        let call = asked.call;
        let has_path = |path: &Pattern| match any_package && !call.service().contains('.') {
            true => path.is_for_path_in_some_package(call.service(), call.method()),
            false => path.is_for_path(call.service(), call.method()),
        };
        if !self.paths.is_empty() && !self.paths.iter().any(has_path) {
            return Ok(false);
        }
        let identity = call.identity();
        let is_named = |identity: &Identity| any(&self.identities, [&*identity.name]);
        let has_role = |identity: &Identity| any(&self.roles, identity.roles.iter().map(|role| &**role));
        if !self.identities.is_empty() && !identity.is_some_and(is_named)
            || !self.roles.is_empty() && !identity.is_some_and(has_role)
        {
            return Ok(false);
        }
        if !self.principals.is_empty() {
            match asked.principals().transpose()? {
                Some(principals) if any(&self.principals, principals.iter()) => {}
                _ => return Ok(false),
            }
        }
        let has_value = |header: &HeaderRule| {
            let value = asked.fields().get(header.field);
            value.is_some_and(|value| header.values.iter().any(|pattern| pattern.is_for(value)))
        };
        Ok(self.headers.iter().all(has_value))
    }
}

/// Whether any pattern matches any of the texts.
fn any<'t>(patterns: &[Pattern], texts: impl IntoIterator<Item = &'t str>) -> bool {
    texts.into_iter().any(|text| patterns.iter().any(|pattern| pattern.is_for(text.as_bytes())))
}

fn field_name(header: &HeaderDocument) -> String {
    header.key.to_ascii_lowercase()
}

/// Compiles the rules of a policy, and counts their texts, which have a bound.
struct Compile<'f> {
    fields: &'f FieldNames,
    /// Those that were compiled so far.
    texts: usize,
}

impl Rule {
    /// The key whose texts no such caller has. Over TLS one without a certificate is the principal `""`.
    fn idle(&self, callers: KnownCallers) -> Option<&'static str> {
        let has_principals = callers.certificates || callers.tls && any(&self.principals, [""]);
        let keys = [
            ("principals", &self.principals, has_principals),
            ("identities", &self.identities, callers.names),
            ("roles", &self.roles, callers.roles),
        ];
        keys.into_iter().find(|(_, asked, known)| !asked.is_empty() && !known).map(|(key, ..)| key)
    }
}

impl Compile<'_> {
    fn rules(&mut self, list: &str, rules: Vec<Object<RuleDocument>>) -> Result<Box<[Rule]>, PolicyError> {
        let mut names = HashSet::new();
        let mut compiled = Vec::with_capacity(rules.len());
        for (k, Object(rule)) in rules.into_iter().enumerate() {
            let place = format!("{list}[{k}] {:?}", rule.name);
            if rule.name.is_empty() {
                return Err(PolicyError::new("has no name").within(place));
            }
            if !names.insert(rule.name.clone()) {
                return Err(PolicyError::new("another rule of this list has the name").within(place));
            }
            compiled.push(self.rule(rule).map_err(|error| error.within(place))?);
        }
        Ok(compiled.into())
    }

    fn rule(&mut self, rule: RuleDocument) -> Result<Rule, PolicyError> {
        let RuleDocument { name, source: Object(source), request: Object(request) } = rule;
        Ok(Rule {
            name: name.into(),
            principals: self.patterns(&source.principals)?,
            identities: self.own("identities", source.identities)?,
            roles: self.own("roles", source.roles)?,
            paths: self.patterns(&request.paths)?,
            headers: self.headers(&request.headers)?,
        })
    }

    fn patterns(&mut self, texts: &[String]) -> Result<Box<[Pattern]>, PolicyError> {
        self.texts += texts.len();
        if self.texts > MOST_TEXTS {
            return Err(PolicyError::new(format!("more than {MOST_TEXTS} texts to compare with")));
        }
        Ok(texts.iter().map(|text| Pattern::of(text)).collect())
    }

    /// A list that A43 does not have. A43's lists match everything when they are empty; one of ours, which
    /// says who may call, is more likely a slip.
    fn own(&mut self, key: &str, texts: Given<Vec<String>>) -> Result<Box<[Pattern]>, PolicyError> {
        match texts.0 {
            Some(texts) if texts.is_empty() => Err(PolicyError::new(format!("\"{key}\" is empty"))),
            texts => self.patterns(&texts.unwrap_or_default()),
        }
    }

    fn headers(&mut self, headers: &[Object<HeaderDocument>]) -> Result<Box<[HeaderRule]>, PolicyError> {
        let mut compiled = Vec::with_capacity(headers.len());
        for (k, Object(header)) in headers.iter().enumerate() {
            let name = field_name(header);
            let wrong = |text: &str| Err(PolicyError::new(format!("headers[{k}] {:?}: {text}", header.key)));
            if name.is_empty() {
                return wrong("has no \"key\"");
            }
            if name.starts_with(':') || name.starts_with("grpc-") || UNSUPPORTED.contains(&&*name) {
                return wrong("rules may not ask for this field");
            }
            if header.values.is_empty() {
                return wrong("has no \"values\"");
            }
            let values = match is_binary(&name) {
                // Implementations differ in whether they pad, so a policy may do either.
                true => self.patterns(
                    &header.values.iter().map(|value| value.replace('=', "")).collect::<Vec<_>>(),
                )?,
                false => self.patterns(&header.values)?,
            };
            let field = self.fields.find(&name).expect("names of all headers were gathered");
            compiled.push(HeaderRule { field, values });
        }
        Ok(compiled.into())
    }
}
