//! The paths of a document, each with its operations, and what every operation begins with.

use super::{
    notes::Notes,
    object::{Object, texts},
    operation::Operation,
    schemas::Schemas,
};
use polywire_formats::schema::MethodSchema;
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

/// The paths in the order in which they were first there.
#[derive(Default)]
pub(super) struct Paths {
    items: Vec<Item>,
    ids: BTreeSet<String>,
    /// Whether some failure is a `google.rpc.Status`.
    pub fail_in_json: bool,
}

struct Item {
    shape: String,
    names: Vec<String>,
    path: String,
    operations: Vec<(&'static str, String)>,
}

impl Paths {
    /// Adds an operation, unless OpenAPI has no word for its verb, or the path has one with this verb: that
    /// of a template which differs in `**` alone.
    pub fn add<'s>(&mut self, one: Operation<'s>, about: &mut About<'_>, schemas: &mut Schemas<'s>) {
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

    pub fn done(self) -> Object {
        self.items.into_iter().fold(Object::new(), |paths, item| {
            let operations = item.operations.into_iter();
            let item_text =
                operations.fold(Object::new(), |all, (verb, operation)| all.json(verb, &operation));
            // It has its escapes already.
            paths.member(&format!("\"{}\"", item.path), &item_text.done())
        })
    }
}

/// What is said of a method in each of its operations.
pub(super) struct About<'s> {
    method: MethodSchema<'s>,
    tag: String,
    notes: &'s Notes,
    /// Operations that it has.
    pub described: usize,
}

impl<'s> About<'s> {
    pub fn new(method: MethodSchema<'s>, tag: String, notes: &'s Notes) -> Self {
        About { method, tag, notes, described: 0 }
    }

    /// The beginning of an operation. `ids`: identifiers that others have.
    fn operation(&mut self, ids: &mut BTreeSet<String>) -> Object {
        let name = format!("{}_{}", self.tag, self.method.method);
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
        let note = self.notes.at(&format!("{}.{}", self.method.service, self.method.method));
        let operation = Object::new()
            .json("tags", &texts([&*self.tag]))
            .text("operationId", &id)
            .said("summary", note.summary())
            .said("description", note.rest());
        if note.deprecated { operation.truth("deprecated") } else { operation }
    }
}
