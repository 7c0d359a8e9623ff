//! Templates of paths as OpenAPI has them, where each `{name}` is one segment.
//!
//! ```text
//! /v1/{id}:cancel                   /v1/{id}:cancel
//! /v1/{name=shelves/*/books/*}      /v1/shelves/{name}/books/{name_1}
//! /v1/files/{name=**}               /v1/files/{name}
//! ```
//!
//! OpenAPI forbids two paths that differ in the names of parameters alone. Their operations stand under the
//! first of them, by its names.

use super::{dialect::Dialect, object::Object, schemas::Schemas};
use polywire_console::quoted;
use polywire_formats::rest::{Parameter, Rule, Segment};

/// A path with its parameters.
pub(super) struct Path {
    /// The path between the parameters, escaped for JSON; there is one part more than there are parameters.
    literals: Vec<String>,
    /// Names, escaped for JSON.
    names: Vec<String>,
    /// What each parameter is: its schema, and what is said of it.
    parameters: Vec<(Object, String)>,
}

/// What is said of a parameter that may be several segments.
const REST: &str = "All that is left of the path, which may be several segments. Slashes between them are sent as they \
                    are, not as `%2F`.";

impl Path {
    pub fn of<'s>(rule: &'s Rule<'s>, dialect: Dialect, schemas: &mut Schemas<'s>) -> Path {
        let (template, variables) = (rule.template(), rule.path_parameters());
        let mut path = Path { literals: vec![String::new()], names: Vec::new(), parameters: Vec::new() };
        for (at, segment) in template.as_segments().iter().enumerate() {
            let last = path.literals.last_mut().expect("it begins with one");
            last.push('/');
            if let Segment::Literal(text) = segment {
                last.push_str(&escaped(text));
                continue;
            }
            let covered = template.variable_at(at);
            let variable = covered.and_then(|(index, segments)| Some((variables.get(index)?, segments)));
            let name = variable.map_or("segment".to_owned(), |(variable, _)| rule.parameter_name(variable));
            let (schema, mut about) = match variable {
                Some((variable, 1)) if *segment == Segment::One => described(variable, dialect, schemas),
                Some((variable, _)) => (text(), schemas.about(variable.message, variable.field)),
                None => (text(), String::new()),
            };
            if *segment == Segment::Rest {
                about =
                    [&*about, REST].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
            }
            path.push(name, schema, about);
        }
        if let Some(suffix) = template.suffix() {
            let last = path.literals.last_mut().expect("it begins with one");
            last.push(':');
            last.push_str(&escaped(suffix));
        }
        if path.names.is_empty() && path.literals[0].is_empty() {
            path.literals[0].push('/');
        }
        path
    }

    /// A path without parameters.
    pub fn fixed(path: String) -> Path {
        Path { literals: vec![escaped(&path)], names: Vec::new(), parameters: Vec::new() }
    }

    fn push(&mut self, name: String, schema: Object, about: String) {
        let (mut free, mut number) = (name.clone(), 0);
        while self.names.contains(&free) {
            number += 1;
            free = format!("{name}_{number}");
        }
        self.names.push(free);
        self.parameters.push((schema, about));
        self.literals.push(String::new());
    }

    /// What two paths have in common that OpenAPI takes for the same.
    pub fn shape(&self) -> String {
        self.literals.join("{}")
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The path with these names.
    pub fn named(&self, names: &[String]) -> String {
        let mut text = self.literals[0].clone();
        for (name, literal) in names.iter().zip(&self.literals[1..]) {
            text.push_str(&format!("{{{name}}}{literal}"));
        }
        text
    }

    /// The parameters under these names.
    pub fn parameters(self, names: &[String]) -> impl Iterator<Item = String> {
        names.iter().zip(self.parameters).map(|(name, (schema, about))| {
            let parameter = Object::new().json("name", &format!("\"{name}\"")).text("in", "path");
            parameter.said("description", &about).truth("required").object("schema", schema).done()
        })
    }
}

/// A text as it stands between the quotes of JSON. A path without variables may have any characters.
fn escaped(text: &str) -> String {
    let quoted = quoted(text);
    quoted[1..quoted.len() - 1].to_owned()
}

fn text() -> Object {
    Object::new().text("type", "string")
}

fn described<'s>(variable: &Parameter<'s>, dialect: Dialect, schemas: &mut Schemas<'s>) -> (Object, String) {
    let about = schemas.about(variable.message, variable.field);
    (schemas.one(dialect, variable.message, variable.field), about)
}
