//! Operations: what a request has beside its path, and what answers it.

use super::{
    dialect::Dialect,
    object::{Object, list},
    schemas::{Schemas, Side, reference},
    template::Path,
};
use polywire_formats::{
    rest::{Carries, Parameter, Rule},
    schema::{Cardinality, MethodSchema},
};

/// Messages within each other whose fields a query has.
const DEEPEST: usize = 4;
/// Parameters of a query that are described; a server takes a thousand.
const MOST_PARAMETERS: usize = 200;

/// How values of paths and queries are written, whatever the bodies are.
const TEXT: Dialect = Dialect::CANONICAL;

/// A method, as it is reached by one path with one verb.
pub(super) struct Operation<'s> {
    pub method: MethodSchema<'s>,
    /// `None`: by its name.
    pub rule: Option<&'s Rule<'s>>,
    pub verb: &'s str,
    pub dialect: Dialect,
    /// Whether a request needs a credential.
    pub secured: Secured,
}

/// What a method asks of its caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Secured {
    /// The server asks nobody for a credential.
    Not,
    /// The method needs none, though others do. `certificate`: its connection needs one.
    Open { certificate: bool },
    /// Only a caller with a credential is answered.
    Yes,
}

impl<'s> Operation<'s> {
    pub fn path(&self, schemas: &mut Schemas<'s>) -> Path {
        match self.rule {
            Some(rule) => Path::of(rule, TEXT, schemas),
            None => Path::fixed(format!("/{}/{}", self.method.service, self.method.method)),
        }
    }

    /// Adds the request and the replies to an operation. `names`: those of the path's parameters.
    pub fn described(
        &self,
        about: Object,
        path: Path,
        names: &[String],
        schemas: &mut Schemas<'s>,
    ) -> Object {
        let mut parameters: Vec<String> = path.parameters(names).collect();
        if let Some(rule) = self.rule {
            let query = rule.query_parameters(self.verb, DEEPEST, MOST_PARAMETERS);
            parameters.extend(query.iter().map(|one| in_query(rule, one, schemas)));
        }
        let mut operation = about;
        if !parameters.is_empty() {
            operation = operation.json("parameters", &list(parameters));
        }
        if let Some(content) = self.request(schemas) {
            let body = Object::new().truth("required").object("content", content);
            operation = operation.object("requestBody", body);
        }
        operation = operation.object("responses", self.responses(schemas));
        if let Secured::Open { certificate } = self.secured {
            let needed = if certificate { "[{\"certificate\":[]}]" } else { "[]" };
            operation = operation.json("security", needed);
        }
        if self.method.server_streaming { operation.truth("x-stream") } else { operation }
    }

    /// The content of a request's body; `None`: it has none.
    fn request(&self, schemas: &mut Schemas<'s>) -> Option<Object> {
        let Some(rule) = self.rule else {
            return Some(in_json(schemas.request(self.dialect, self.method.input)));
        };
        let carries = rule.carries(self.verb);
        if matches!(carries, Carries::Nothing) {
            return None;
        }
        if rule.takes_bytes() {
            return Some(any_bytes());
        }
        Some(in_json(match carries {
            // A part of the field, as `update_mask` says.
            Carries::Field(field) if self.verb == "PATCH" => {
                schemas.noted(self.dialect, rule.request(), field)
            }
            Carries::Field(field) => schemas.request_field(self.dialect, rule.request(), field),
            _ => self.without_path(rule, schemas),
        }))
    }

    /// The message of a request without the fields that are in the path.
    fn without_path(&self, rule: &Rule<'s>, schemas: &mut Schemas<'s>) -> Object {
        let in_path: Vec<usize> = rule
            .path_parameters()
            .iter()
            .filter_map(|parameter| match &*parameter.way {
                [index] => Some(*index),
                _ => None,
            })
            .collect();
        match in_path.is_empty() {
            true => schemas.request(self.dialect, rule.request()),
            false => schemas.members(self.dialect, rule.request(), &in_path, Side::Request),
        }
    }

    fn responses(&self, schemas: &mut Schemas<'s>) -> Object {
        let answered = self.rule.and_then(|rule| Some((rule.reply(), rule.response_field()?)));
        let is_bytes = self.rule.is_some_and(|rule| rule.answers_bytes());
        let schema = match answered {
            _ if is_bytes => Object::new(),
            Some((message, field)) => schemas.noted(self.dialect, message, field),
            None => schemas.body(self.dialect, self.rule.map_or(self.method.output, |rule| rule.reply())),
        };
        let (about, content) = match self.method.server_streaming {
            true if is_bytes => ("A stream of bytes.", any_bytes()),
            false if is_bytes => ("A successful response.", any_bytes()),
            false => ("A successful response.", in_json(schema)),
            true => {
                let schema = Object::new().object("schema", schema);
                let each = |content: Object, kind| content.object(kind, schema.clone());
                let kinds = ["application/jsonl", "application/x-ndjson", "text/event-stream"];
                let about = "A stream of messages, each with this schema: one per line, or one per event, as `accept` says.";
                (about, kinds.into_iter().fold(Object::new(), each))
            }
        };
        let well = Object::new().text("description", about).object("content", content);
        let mut responses = Object::new().object("200", well);
        if self.secured == Secured::Yes {
            responses = responses
                .object("401", self.failure("The credential is missing, or wrong."))
                .object("403", self.failure("The caller may not do this."));
        }
        responses.object("default", self.failure("An unexpected error response."))
    }

    /// A reply that says why a call has failed: by rules of `google.api.http` in JSON, elsewhere in words.
    fn failure(&self, about: &str) -> Object {
        let failure = Object::new().text("description", about);
        let text = |kind: &str| Object::new().object("schema", Object::new().text("type", kind));
        match self.fails_in_json() {
            true => failure.object("content", in_json(reference(STATUS))),
            false => {
                let headers = Object::new().object("x-bd-error-code", text("integer"));
                let headers = headers.object("polywire-status", text("string"));
                let content = Object::new().object("text/plain", text("string"));
                failure.object("headers", headers).object("content", content)
            }
        }
    }

    pub fn fails_in_json(&self) -> bool {
        self.rule.is_some_and(|rule| !rule.is_of_path())
    }
}

/// The component of a failure.
pub(super) const STATUS: &str = "google.rpc.Status";

fn in_json(schema: Object) -> Object {
    Object::new().object("application/json", Object::new().object("schema", schema))
}

/// Bytes of any content type, `google.api.HttpBody`. They have no schema.
fn any_bytes() -> Object {
    Object::new().object("*/*", Object::new())
}

fn in_query<'s>(rule: &Rule<'s>, one: &Parameter<'s>, schemas: &mut Schemas<'s>) -> String {
    let (message, field) = (one.message, one.field);
    let parameter = Object::new().json("name", &format!("\"{}\"", rule.parameter_name(one)));
    let parameter = parameter.text("in", "query").said("description", &schemas.about(message, field));
    // A field of a message may be absent with the message.
    let is_needed = field.cardinality == Cardinality::Required || schemas.is_required(message, field);
    let parameter = if is_needed && one.way.len() == 1 { parameter.truth("required") } else { parameter };
    let parameter =
        if schemas.is_deprecated(message, field) { parameter.truth("deprecated") } else { parameter };
    let exploded = |parameter: Object, style: &str| parameter.text("style", style).truth("explode");
    if one.is_json() && field.cardinality != Cardinality::Repeated {
        return parameter.object("content", in_json(schemas.value(TEXT, message, field))).done();
    }
    let parameter = match field.cardinality {
        Cardinality::Repeated if field.is_json_object(TEXT.style) => exploded(parameter, "deepObject"),
        Cardinality::Repeated => exploded(parameter, "form"),
        _ => parameter,
    };
    parameter.object("schema", schemas.value(TEXT, message, field)).done()
}
