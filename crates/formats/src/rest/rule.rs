//! Rules of `google.api.http`: as they are written, and checked against the messages of their methods.

use super::{
    field::{self, FieldPath},
    http_body::is_http_body,
    template::Template,
};
use crate::schema::MessageSchema;

/// A way to a method over HTTP, as `option (google.api.http)` says it.
///
/// ```
/// # use polywire_formats::rest::HttpRule;
/// const RENAME: HttpRule = HttpRule::patch("/v1/{item.name=shelves/*/items/*}").body("item");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct HttpRule {
    /// A method of HTTP; `*` is any.
    pub verb: &'static str,
    /// The template of the path.
    pub path: &'static str,
    /// The field that the body is, `*` for all fields that the path has not, or nothing.
    pub body: &'static str,
    /// The field of the reply that is answered with; nothing for the whole reply.
    pub response_body: &'static str,
}

impl HttpRule {
    /// A method of HTTP and a path.
    pub const fn new(verb: &'static str, path: &'static str) -> HttpRule {
        HttpRule { verb, path, body: "", response_body: "" }
    }
    /// GET a path.
    pub const fn get(path: &'static str) -> HttpRule {
        HttpRule::new("GET", path)
    }
    /// PUT to a path.
    pub const fn put(path: &'static str) -> HttpRule {
        HttpRule::new("PUT", path)
    }
    /// POST to a path.
    pub const fn post(path: &'static str) -> HttpRule {
        HttpRule::new("POST", path)
    }
    /// DELETE a path.
    pub const fn delete(path: &'static str) -> HttpRule {
        HttpRule::new("DELETE", path)
    }
    /// PATCH a path.
    pub const fn patch(path: &'static str) -> HttpRule {
        HttpRule::new("PATCH", path)
    }
    /// The field of the request that the body is, or `*` for all fields that the path has not. Default: there is no body.
    pub const fn body(mut self, field: &'static str) -> HttpRule {
        self.body = field;
        self
    }
    /// The field of the reply that is answered with. Default: the whole reply.
    pub const fn response_body(mut self, field: &'static str) -> HttpRule {
        self.response_body = field;
        self
    }
}

/// A rule whose fields have been found.
#[derive(Clone, Debug)]
pub struct Rule<'s> {
    pub(super) verb: String,
    pub(super) template: Template,
    /// By the template's variables.
    pub(super) variables: Vec<FieldPath>,
    pub(super) body: Body,
    /// Place of the field that is answered with.
    pub(super) response_body: Option<usize>,
    pub(super) request: MessageSchema<'s>,
    pub(super) reply: MessageSchema<'s>,
}

/// What the body of a request is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Body {
    /// It has none.
    None,
    /// The message, but for what the path says. There is no query.
    Whole,
    /// The field at this place.
    Field(usize),
    /// Of a path that says nothing about it: the message. GET, HEAD and DELETE have a query, too.
    ByVerb,
}

/// Verbs whose requests have no body.
fn is_bodiless(verb: &str) -> bool {
    matches!(verb, "GET" | "HEAD")
}

/// Whether a path that says nothing about bodies has a query with this verb.
pub(super) fn has_query_by_verb(verb: &str) -> bool {
    is_bodiless(verb) || verb == "DELETE"
}

impl<'s> Rule<'s> {
    /// Finds the fields of a rule.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(
        rule: &HttpRule,
        request: MessageSchema<'s>,
        reply: MessageSchema<'s>,
    ) -> Result<Rule<'s>, String> {
        let template = Template::parse(rule.path)?;
        let variables = variables(&template, request)?;
        let body = match rule.body {
            "" => Body::None,
            _ if is_bodiless(rule.verb) => return Err(format!("{} has no body", rule.verb)),
            "*" => Body::Whole,
            name => Body::Field(top_field(request, name, "body")?),
        };
        if let Body::Field(index) = body
            && variables.iter().any(|variable| variable.steps == [index])
        {
            return Err(format!("field {} is the body, and stands in the path", rule.body));
        }
        let response_body = match rule.response_body {
            "" => None,
            name => Some(top_field(reply, name, "response_body")?),
        };
        Ok(Rule { verb: rule.verb.to_owned(), template, variables, body, response_body, request, reply })
    }

    /// A path that says nothing about bodies: whatever there is, is the message, and GET, HEAD and DELETE have a query.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of_path(
        template: Template,
        request: MessageSchema<'s>,
        reply: MessageSchema<'s>,
    ) -> Result<Rule<'s>, String> {
        let variables = variables(&template, request)?;
        let (verb, response_body) = ("*".to_owned(), None);
        Ok(Rule { verb, template, variables, body: Body::ByVerb, response_body, request, reply })
    }

    /// It was made of a path alone.
    pub fn is_of_path(&self) -> bool {
        self.body == Body::ByVerb
    }

    /// Whether a request may have fields outside its body: in its path, or in its query.
    pub fn binds(&self, verb: &str, has_query: bool) -> bool {
        !self.is_of_path() || !self.variables.is_empty() || has_query && has_query_by_verb(verb)
    }

    /// Whether the body of a request is a `google.api.HttpBody`, which takes bytes of any content type.
    pub fn takes_bytes(&self) -> bool {
        match self.body {
            Body::None | Body::ByVerb => false,
            Body::Whole => is_http_body(self.request),
            Body::Field(index) => is_bytes(self.request, index),
        }
    }

    /// Whether the body of a reply is a `google.api.HttpBody`, whose bytes are answered with as they are.
    pub fn answers_bytes(&self) -> bool {
        match self.response_body {
            None => !self.is_of_path() && is_http_body(self.reply),
            Some(index) => is_bytes(self.reply, index),
        }
    }

    /// Its path.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// The method of HTTP that a client uses.
    pub fn verb(&self) -> &str {
        match &*self.verb {
            "*" if self.body == Body::None => "GET",
            "*" => "POST",
            verb => verb,
        }
    }
}

/// Whether the field at this place is a `google.api.HttpBody`.
fn is_bytes(schema: MessageSchema<'_>, index: usize) -> bool {
    field::inside(schema, schema.field(index)).is_some_and(is_http_body)
}

fn variables(template: &Template, schema: MessageSchema<'_>) -> Result<Vec<FieldPath>, String> {
    template.variables.iter().map(|variable| FieldPath::in_path(schema, &variable.field)).collect()
}

fn top_field(schema: MessageSchema<'_>, name: &str, what: &str) -> Result<usize, String> {
    match field::named(schema, name) {
        Some((index, _)) => Ok(index),
        None => Err(format!("{what}: {} has no field {name}", schema.full_name())),
    }
}
