//! Rules of `google.api.http`: in their written form, and checked against the messages of their methods.

use super::{
    field::{self, FieldPath},
    http_body::is_http_body,
    template::Template,
};
use crate::schema::MessageSchema;

/// The HTTP binding of a method, as `option (google.api.http)` states it: an [`HttpRule`], or one of a
/// descriptor.
///
/// ```
/// # use polywire_formats::rest::HttpRule;
/// const RENAME: HttpRule = HttpRule::patch("/v1/{item.name=shelves/*/items/*}").body("item");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Binding<'a> {
    /// The HTTP method; `*` is any.
    pub verb: &'a str,
    /// The template of the path.
    pub path: &'a str,
    /// The field that is the body, `*` for all fields that are not in the path, or empty for no body.
    pub body: &'a str,
    /// The field of the reply that is the body of the answer; empty for the whole reply.
    pub response_body: &'a str,
}

impl<'a> Binding<'a> {
    /// A rule for an HTTP method and a path.
    pub const fn new(verb: &'a str, path: &'a str) -> Binding<'a> {
        Binding { verb, path, body: "", response_body: "" }
    }
    /// A rule for GET.
    pub const fn get(path: &'a str) -> Binding<'a> {
        Binding::new("GET", path)
    }
    /// A rule for PUT.
    pub const fn put(path: &'a str) -> Binding<'a> {
        Binding::new("PUT", path)
    }
    /// A rule for POST.
    pub const fn post(path: &'a str) -> Binding<'a> {
        Binding::new("POST", path)
    }
    /// A rule for DELETE.
    pub const fn delete(path: &'a str) -> Binding<'a> {
        Binding::new("DELETE", path)
    }
    /// A rule for PATCH.
    pub const fn patch(path: &'a str) -> Binding<'a> {
        Binding::new("PATCH", path)
    }
    /// Sets the field of the request that is the body, or `*` for all fields that are not in the path.
    /// Default: there is no body.
    pub const fn body(mut self, field: &'a str) -> Binding<'a> {
        self.body = field;
        self
    }
    /// Sets the field of the reply that is the body of the answer. Default: the whole reply.
    pub const fn response_body(mut self, field: &'a str) -> Binding<'a> {
        self.response_body = field;
        self
    }
}

/// The HTTP binding of a method in a program.
pub type HttpRule = Binding<'static>;

/// A rule that was checked against the messages of its method.
#[derive(Clone, Debug)]
pub struct Rule<'s> {
    pub(super) verb: String,
    pub(super) template: Template,
    /// The fields of the template's variables, in the same order.
    pub(super) variables: Vec<FieldPath>,
    pub(super) body: Body,
    /// Index of the field of the reply that is the body of the answer.
    pub(super) response_body: Option<usize>,
    pub(super) request: MessageSchema<'s>,
    pub(super) reply: MessageSchema<'s>,
}

/// The body of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Body {
    /// There is no body.
    None,
    /// The whole message, except the fields in the path. There is no query.
    Whole,
    /// The field at this index.
    Field(usize),
    /// A rule with only a path: a body, if there is one, is the whole message; GET, HEAD and DELETE also have
    /// a query.
    ByVerb,
}

/// Verbs whose requests have no body.
fn is_bodiless(verb: &str) -> bool {
    matches!(verb, "GET" | "HEAD")
}

/// Whether a rule of a path alone binds the query with this verb.
pub(super) fn has_query_by_verb(verb: &str) -> bool {
    is_bodiless(verb) || verb == "DELETE"
}

impl<'s> Rule<'s> {
    /// Checks a rule against the messages of its method.
    ///
    /// # Errors
    /// The fault of the rule.
    pub fn new(
        rule: &Binding<'_>,
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
            return Err(format!("field {} is the body, and is in the path as well", rule.body));
        }
        let response_body = match rule.response_body {
            "" => None,
            name => Some(top_field(reply, name, "response_body")?),
        };
        Ok(Rule { verb: rule.verb.to_owned(), template, variables, body, response_body, request, reply })
    }

    /// A rule of a path alone: a body, if there is one, is the whole message, and GET, HEAD and DELETE also
    /// have a query.
    ///
    /// # Errors
    /// The fault of the rule.
    pub fn of_path(
        template: Template,
        request: MessageSchema<'s>,
        reply: MessageSchema<'s>,
    ) -> Result<Rule<'s>, String> {
        let variables = variables(&template, request)?;
        let (verb, response_body) = ("*".to_owned(), None);
        Ok(Rule { verb, template, variables, body: Body::ByVerb, response_body, request, reply })
    }

    /// Whether the rule was made by [`Rule::of_path`].
    pub fn is_of_path(&self) -> bool {
        self.body == Body::ByVerb
    }

    /// Whether a request may have fields outside its body: in its path, or in its query.
    pub fn binds(&self, verb: &str, has_query: bool) -> bool {
        !self.is_of_path() || !self.variables.is_empty() || has_query && has_query_by_verb(verb)
    }

    /// Whether the body of a request is a `google.api.HttpBody`, which holds bytes of any content type.
    pub fn takes_bytes(&self) -> bool {
        match self.body {
            Body::None | Body::ByVerb => false,
            Body::Whole => is_http_body(self.request),
            Body::Field(index) => is_bytes(self.request, index),
        }
    }

    /// Whether the body of a reply is a `google.api.HttpBody`, whose bytes are sent unchanged.
    pub fn answers_bytes(&self) -> bool {
        match self.response_body {
            None => !self.is_of_path() && is_http_body(self.reply),
            Some(index) => is_bytes(self.reply, index),
        }
    }

    /// The template of the path.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// The HTTP method that a client uses.
    pub fn verb(&self) -> &str {
        match &*self.verb {
            "*" if self.body == Body::None => "GET",
            "*" => "POST",
            verb => verb,
        }
    }
}

/// Whether the field at this index is a `google.api.HttpBody`.
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
