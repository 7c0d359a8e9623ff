//! The document: what it is about, its paths in the order of the services, its components by name.

use super::{
    dialect::{Dialect, Dialects},
    notes::Notes,
    object::{Object, list},
    operation::{Operation, Secured},
    paths::{About, Paths},
    schemas::{Oneofs, Schemas},
};
use polywire_formats::{Message, json::Json, rest::Rule, rpc, schema::MethodSchema};

/// What a document is made of.
pub(super) struct Served<'s> {
    /// What the server calls itself.
    pub title: String,
    /// All its methods that have a schema.
    pub methods: Vec<ServedMethod<'s>>,
    pub notes: &'s Notes,
    /// The mapping of JSON by names and paths, and by rules.
    pub json: (Json, Json),
    pub credentials: Credentials,
}

/// What a caller has to show.
#[derive(Clone, Copy, Default)]
pub(super) struct Credentials {
    /// Whether an authenticator is asked about callers of methods that are not open to all.
    pub authenticator: bool,
    /// Whether a guard of HTTP is asked about all callers.
    pub guard: bool,
    /// Whether connections need a certificate.
    pub certificate: bool,
}

impl Credentials {
    fn of(self, open_to_all: bool) -> Secured {
        match self {
            Credentials { authenticator: false, guard: false, .. } => Secured::Not,
            Credentials { guard: false, certificate, .. } if open_to_all => Secured::Open { certificate },
            _ => Secured::Yes,
        }
    }

    /// The schemes, by their names.
    fn schemes(self) -> Vec<(&'static str, &'static str)> {
        let bearer = (BEARER, r#"{"type":"http","scheme":"bearer"}"#);
        let certificate = (CERTIFICATE, r#"{"type":"mutualTLS"}"#);
        let bearer = (self.authenticator || self.guard).then_some(bearer);
        bearer.into_iter().chain(self.certificate.then_some(certificate)).collect()
    }
}

/// A method, and how HTTP reaches it.
pub(super) struct ServedMethod<'s> {
    pub schema: MethodSchema<'s>,
    pub ways: Vec<Way<'s>>,
    /// Whether `/service/method` reaches it.
    pub by_name: bool,
    pub open_to_all: bool,
}

/// A path to a method.
pub(super) struct Way<'s> {
    /// The verbs of HTTP that reach the method; `*` stands for any.
    pub verbs: Vec<&'s str>,
    pub rule: &'s Rule<'s>,
}

/// The document of the server, or of one of its services.
pub(super) fn document(served: &Served<'_>, service: Option<&str>, oneofs: Oneofs) -> String {
    let has_rules = served.methods.iter().flat_map(|one| &one.ways).any(|way| !way.rule.is_of_path());
    let dialects = Dialects::of(served.json, has_rules);
    let mut schemas = Schemas::new(served.notes, oneofs);
    let mut paths = Paths::default();
    let mut services: Vec<&str> = Vec::new();
    let wanted = served.methods.iter().filter(|one| service.is_none_or(|name| one.schema.service == name));
    // Plain HTTP carries no stream of requests.
    for one in wanted.filter(|one| !one.schema.client_streaming) {
        let mut about = About::new(one.schema, tag(served, one.schema.service), served.notes);
        let secured = served.credentials.of(one.open_to_all);
        let operation = |rule, verb, dialect| Operation { method: one.schema, rule, verb, dialect, secured };
        for way in &one.ways {
            let verbs = if way.verbs == ["*"] { vec![way.rule.verb()] } else { way.verbs.clone() };
            for verb in verbs {
                paths.add(
                    operation(Some(way.rule), verb, dialects.of_rule(way.rule)),
                    &mut about,
                    &mut schemas,
                );
            }
        }
        if about.described == 0 && one.by_name {
            paths.add(operation(None, "POST", dialects.by_name), &mut about, &mut schemas);
        }
        if about.described > 0 && !services.contains(&one.schema.service) {
            services.push(one.schema.service);
        }
    }
    if paths.fail_in_json {
        schemas.message(Dialect::CANONICAL, rpc::Status::schema());
    }
    let mut components = Object::new().object("schemas", schemas.done());
    let known = served.credentials.schemes();
    let each = |value: fn(&'static str) -> &'static str| {
        known.iter().fold(Object::new(), |all, (name, scheme)| all.json(name, value(scheme)))
    };
    if !known.is_empty() {
        let schemes = each(|scheme| scheme);
        components = components.object("securitySchemes", schemes);
    }
    let tags = services.iter().map(|service| {
        let note = served.notes.at(service);
        Object::new().text("name", &tag(served, service)).said("description", &note.comment).done()
    });
    let title = service.unwrap_or(&served.title);
    let info = Object::new().text("title", title).text("version", "1.0.0");
    let mut document = Object::new()
        .text("openapi", "3.1.0")
        .object("info", info.text("description", &dialects.said()))
        .json("servers", "[{\"url\":\"/\"}]")
        .json("tags", &list(tags))
        .object("paths", paths.done())
        .object("components", components);
    if !known.is_empty() {
        // All of them.
        document = document.json("security", &list([each(|_| "[]").done()]));
    }
    document.done() + "\n"
}

/// The names of the schemes.
const BEARER: &str = "bearer";
const CERTIFICATE: &str = "certificate";

/// The short name of a service, or its full one if another has the same short one.
fn tag(served: &Served<'_>, service: &str) -> String {
    let short = |name: &str| name.rsplit('.').next().map(str::to_owned).unwrap_or_default();
    let own = short(service);
    let is_other = |name: &str| name != service && short(name) == own;
    match served.methods.iter().any(|one| is_other(one.schema.service)) {
        true => service.to_owned(),
        false => own,
    }
}
