//! The document: what it is about, its paths in the order of the services, its components by name.

use super::{
    notes::{Note, Notes},
    object::{Object, list, texts},
    operation::{Operation, Secured},
    schemas::{Dialect, Oneofs, Schemas},
};
use polywire_formats::{
    Message,
    json::{Json, Style},
    rest::Rule,
    rpc,
    schema::MethodSchema,
};
use std::collections::BTreeSet;

/// Verbs that OpenAPI 3.1 has operations for.
const VERBS: [(&str, &str); 8] = [
    ("GET", "get"),
    ("PUT", "put"),
    ("POST", "post"),
    ("DELETE", "delete"),
    ("OPTIONS", "options"),
    ("HEAD", "head"),
    ("PATCH", "patch"),
    ("TRACE", "trace"),
];

/// What a document is made of.
pub(super) struct Served<'s> {
    /// What the server calls itself.
    pub title: String,
    /// All its methods that have a schema.
    pub methods: Vec<ServedMethod<'s>>,
    pub notes: &'s Notes,
    /// The mapping of JSON by names and paths, and by rules.
    pub json: (Json, Json),
    pub has_authenticator: bool,
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
    /// `*` is any.
    pub verbs: Vec<&'s str>,
    pub rule: &'s Rule<'s>,
}

/// The document of the server, or of one of its services.
pub(super) fn document(served: &Served<'_>, service: Option<&str>, oneofs: Oneofs) -> String {
    let dialects = Dialects::of(served);
    let mut schemas = Schemas::new(served.notes, oneofs);
    let mut paths = Paths::default();
    let mut services: Vec<&str> = Vec::new();
    let wanted = served.methods.iter().filter(|one| service.is_none_or(|name| one.schema.service == name));
    // Plain HTTP carries no stream of requests.
    for one in wanted.filter(|one| !one.schema.client_streaming) {
        let mut about = About { served, method: one.schema, described: 0 };
        let secured = match (served.has_authenticator, one.open_to_all) {
            (false, _) => Secured::Not,
            (true, open) => {
                if open {
                    Secured::Open
                } else {
                    Secured::Yes
                }
            }
        };
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
        schemas.message(Dialect { style: Style::Canonical, ending: "" }, rpc::Status::schema());
    }
    let mut components = Object::new().object("schemas", schemas.done());
    if served.has_authenticator {
        let bearer = Object::new().text("type", "http").text("scheme", "bearer");
        components = components.object("securitySchemes", Object::new().object(BEARER, bearer));
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
    if served.has_authenticator {
        let needed = Object::new().json(BEARER, "[]").done();
        document = document.json("security", &list([needed]));
    }
    document.done() + "\n"
}

/// The name of the scheme for credentials.
const BEARER: &str = "bearer";

/// The mappings of JSON that a server writes.
struct Dialects {
    by_name: Dialect,
    by_rule: Dialect,
    has_rules: bool,
}

impl Dialects {
    /// Where a server writes both mappings, components of brpc's are told apart by their names. It is decided
    /// for the server as a whole, so that a message has one name in the documents of all services.
    fn of(served: &Served<'_>) -> Dialects {
        let (by_name, by_rule) = (served.json.0.style(), served.json.1.style());
        let has_rules = served.methods.iter().flat_map(|one| &one.ways).any(|way| !way.rule.is_of_path());
        let is_brpc = |style| matches!(style, Style::Brpc(_));
        let mixed = has_rules && is_brpc(by_name) && !is_brpc(by_rule);
        let ending = if mixed { "-brpc" } else { "" };
        Dialects {
            by_name: Dialect { style: by_name, ending },
            by_rule: Dialect { style: by_rule, ending: "" },
            has_rules,
        }
    }

    fn of_rule(&self, rule: &Rule<'_>) -> Dialect {
        if rule.is_of_path() { self.by_name } else { self.by_rule }
    }

    /// What is to be known of them.
    fn said(&self) -> String {
        let name = |dialect: Dialect| match dialect.style {
            Style::Brpc(_) => {
                "brpc's mapping of JSON (names as in the .proto file, 64-bit integers as numbers)"
            }
            Style::Canonical | Style::Strict => "protobuf's own mapping of JSON",
        };
        let ended = match self.by_name.ending {
            "" => String::new(),
            ending => format!(", whose schemas end with `{ending}`"),
        };
        let rules = match self.has_rules {
            false => String::new(),
            true => {
                format!(" Paths of google.api.http: {}; failures are google.rpc.Status.", name(self.by_rule))
            }
        };
        format!(
            "Made by the server from its descriptors.{rules} {}: {}{ended}; failures are text.",
            if self.has_rules { "Other paths, among them /package.Service/Method" } else { "Its paths" },
            name(self.by_name)
        )
    }
}

/// What is said of a method in each of its operations.
struct About<'s> {
    served: &'s Served<'s>,
    method: MethodSchema<'s>,
    /// Operations that it has.
    described: usize,
}

impl About<'_> {
    /// The beginning of an operation. `ids`: identifiers that others have.
    fn operation(&mut self, ids: &mut BTreeSet<String>) -> Object {
        let tag = tag(self.served, self.method.service);
        let name = format!("{tag}_{}", self.method.method);
        let mut id = name.clone();
        if self.described > 0 {
            id = format!("{name}_{}", self.described);
        }
        // A method may be called `Get_1`.
        let mut number = self.described;
        while !ids.insert(id.clone()) {
            number += 1;
            id = format!("{name}_{number}");
        }
        self.described += 1;
        let note: &Note = self.served.notes.at(&format!("{}.{}", self.method.service, self.method.method));
        let operation = Object::new()
            .json("tags", &texts([&*tag]))
            .text("operationId", &id)
            .said("summary", note.summary())
            .said("description", note.rest());
        if note.deprecated { operation.truth("deprecated") } else { operation }
    }
}

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

/// The paths in the order in which they were first there.
#[derive(Default)]
struct Paths {
    items: Vec<Item>,
    ids: BTreeSet<String>,
    /// Whether some failure is a `google.rpc.Status`.
    fail_in_json: bool,
}

struct Item {
    shape: String,
    names: Vec<String>,
    path: String,
    operations: Vec<(&'static str, String)>,
}

impl Paths {
    /// Adds an operation, unless OpenAPI has no word for its verb, or the path has one with this verb: that
    /// of a template which differs in `**` alone, and is looked at first.
    fn add<'s>(&mut self, one: Operation<'s>, about: &mut About<'_>, schemas: &mut Schemas<'s>) {
        let Some((_, verb)) = VERBS.iter().find(|(known, _)| *known == one.verb) else { return };
        let path = one.path(schemas);
        let shape = path.shape();
        let at = self.items.iter().position(|item| item.shape == shape).unwrap_or_else(|| {
            let (names, text) = (path.names().to_vec(), path.named(path.names()));
            self.items.push(Item { shape, names, path: text, operations: Vec::new() });
            self.items.len() - 1
        });
        let item = &mut self.items[at];
        if item.operations.iter().any(|(known, _)| known == verb) {
            return;
        }
        self.fail_in_json |= one.fails_in_json();
        let operation = about.operation(&mut self.ids);
        let operation = one.described(operation, path, &item.names, schemas);
        item.operations.push((verb, operation.done()));
    }

    fn done(self) -> Object {
        self.items.into_iter().fold(Object::new(), |paths, item| {
            let operations = item.operations.into_iter();
            let item_text =
                operations.fold(Object::new(), |all, (verb, operation)| all.json(verb, &operation));
            // Names of parameters have their escapes already.
            paths.member(&format!("\"{}\"", item.path), &item_text.done())
        })
    }
}
