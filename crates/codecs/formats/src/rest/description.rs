//! What a rule says about requests and replies, for descriptions of a service: which fields are in the path,
//! in the query and in the body.

use super::{
    field::{self, FieldPath, Form},
    rule::{Body, Rule, has_query_by_verb},
};
use crate::schema::{Field, MessageSchema};

/// What the body of a request carries.
#[derive(Clone, Copy, Debug)]
pub enum Carries<'s> {
    /// There is no body.
    Nothing,
    /// All fields that are not in the path.
    Message,
    /// This field.
    Field(&'s Field),
}

/// A field that a path or a query has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parameter<'s> {
    /// The way to the field from the message: places of fields.
    pub way: Vec<usize>,
    /// The message that has the field.
    pub message: MessageSchema<'s>,
    pub field: &'s Field,
}

impl<'s> Rule<'s> {
    /// The message of a request.
    pub fn request(&self) -> MessageSchema<'s> {
        self.request
    }

    /// The message of a reply.
    pub fn reply(&self) -> MessageSchema<'s> {
        self.reply
    }

    /// The field of the reply that is the body of the answer; `None`: the whole reply is.
    pub fn response_field(&self) -> Option<&'s Field> {
        self.response_body.map(|index| self.reply.field(index))
    }

    /// What the body of a request with this verb carries.
    pub fn carries(&self, verb: &str) -> Carries<'s> {
        match self.body {
            Body::None => Carries::Nothing,
            Body::ByVerb if has_query_by_verb(verb) => Carries::Nothing,
            Body::Whole | Body::ByVerb => Carries::Message,
            Body::Field(index) => Carries::Field(self.request.field(index)),
        }
    }

    /// The fields of the path's variables, in their order.
    pub fn path_parameters(&self) -> Vec<Parameter<'s>> {
        let of = |path: &FieldPath| {
            let (mut message, mut field) = (self.request, None);
            for &index in &path.steps {
                message = field.and_then(|field| message.child(field)).unwrap_or(message);
                field = Some(message.field(index));
            }
            Some(Parameter { way: path.steps.clone(), message, field: field? })
        };
        self.variables.iter().filter_map(of).collect()
    }

    /// The fields that the query of a request with this verb may have, in the order of their declaration. A
    /// message is there by its fields, `deepest` messages within each other at most and none within one of
    /// its own type. There are `most` at most: the types of a message may refer to each other in very many
    /// ways.
    pub fn query_parameters(&self, verb: &str, deepest: usize, most: usize) -> Vec<Parameter<'s>> {
        let body = match self.body {
            Body::Whole => return Vec::new(),
            Body::ByVerb if !has_query_by_verb(verb) => return Vec::new(),
            Body::Field(index) => Some(vec![index]),
            Body::None | Body::ByVerb => None,
        };
        let taken = self.variables.iter().map(|variable| variable.steps.clone()).chain(body).collect();
        let mut walk =
            Walk { taken, deepest, most, way: Vec::new(), within: Vec::new(), found: Vec::new(), seen: 0 };
        walk.message(self.request);
        walk.found
    }

    /// The name of a parameter as protobuf's JSON has it, with points between: `book.pageSize`. It is escaped
    /// as texts of JSON are.
    pub fn parameter_name(&self, parameter: &Parameter<'_>) -> String {
        let (mut name, mut message) = (String::new(), Some(self.request));
        for &index in &parameter.way {
            let Some(around) = message else { break };
            let field = around.field(index);
            name.push_str(if name.is_empty() { "" } else { "." });
            name.push_str(field.json_name(crate::json::Style::Canonical));
            message = around.child(field);
        }
        name
    }
}

impl Parameter<'_> {
    /// Whether its value in a query is the text of any JSON.
    pub fn is_json(&self) -> bool {
        field::is_any_json(self.message, self.field)
    }
}

/// Collects the fields that a query may have.
struct Walk<'s> {
    /// The ways to fields that the path or the body has.
    taken: Vec<Vec<usize>>,
    deepest: usize,
    most: usize,
    way: Vec<usize>,
    /// The types around the current field.
    within: Vec<&'s str>,
    found: Vec<Parameter<'s>>,
    /// Fields that were looked at.
    seen: usize,
}

/// Fields that are looked at for one query, so that messages of messages of messages do not take long.
const MOST_SEEN: usize = 10_000;

impl<'s> Walk<'s> {
    fn message(&mut self, message: MessageSchema<'s>) {
        self.within.push(message.full_name());
        for (index, field) in message.declared_fields().iter().enumerate() {
            if self.found.len() >= self.most || self.seen >= MOST_SEEN {
                break;
            }
            self.seen += 1;
            self.way.push(index);
            if !self.taken.contains(&self.way) {
                self.field(message, field);
            }
            self.way.pop();
        }
        self.within.pop();
    }

    fn field(&mut self, message: MessageSchema<'s>, field: &'s Field) {
        if let Some(Form::One | Form::Items | Form::Map) = field::form(message, field) {
            self.found.push(Parameter { way: self.way.clone(), message, field });
            return;
        }
        let Some(child) = field::inside(message, field).filter(|child| !child.is_special()) else { return };
        if self.way.len() <= self.deepest && !self.within.contains(&child.full_name()) {
            self.message(child);
        }
    }
}
