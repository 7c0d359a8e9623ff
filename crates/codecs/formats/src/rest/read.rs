//! Reads an HTTP request into a message.

use super::{
    field::{self, FieldPath},
    http_body::{HttpBody, http_body, put_piece},
    percent,
    query::{Query, put_nested},
    rule::{Body, Rule, has_query_by_verb},
    text,
};
use crate::{
    FormatError, Message,
    json::{self, Json, Style},
    protobuf::required,
    schema::{Field, MessageSchema},
    text as text_format,
};
use polywire_call::{Native, Status};
use polywire_wire::Content;

/// An HTTP request that matched a rule.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    pub verb: &'a str,
    /// Path and query, as in the request line.
    pub target: &'a str,
    /// The body of the request, decompressed.
    pub body: &'a [u8],
    /// The content type as it was received; empty if there was none.
    pub content_type: &'a str,
    pub content: Content,
    /// The JSON mapping that [`Content::JSON`] stands for.
    pub json: Json,
}

/// The reason why a request could not be read.
pub(super) struct Wrong(String);

impl Wrong {
    pub fn new(text: String) -> Wrong {
        Wrong(text)
    }
    /// The value of this field is invalid.
    pub fn of(field: &str, why: &str) -> Wrong {
        Wrong(format!("{}: {why}", short(field)))
    }
}

/// A name that the peer sent, shortened for an error text.
pub(super) fn short(name: &str) -> String {
    name.chars().take(128).flat_map(char::escape_debug).collect()
}

impl From<Wrong> for Status {
    fn from(wrong: Wrong) -> Status {
        Status::invalid_argument(wrong.0)
    }
}

impl Rule<'_> {
    /// Reads a request into protobuf, and checks that required fields are set.
    ///
    /// # Errors
    /// INVALID_ARGUMENT, with the field and its fault.
    pub fn read(&self, request: &Request<'_>) -> Result<Vec<u8>, Status> {
        let target = request.target.split('#').next().unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut wire = self.body(request)?;
        let is_strict = request.content != Content::PROTO_JSON && request.json.0 == Style::Strict;
        let has_query = match self.body {
            Body::None | Body::Field(_) => true,
            Body::Whole => false,
            Body::ByVerb => has_query_by_verb(request.verb),
        };
        if has_query {
            let body = match &self.body {
                Body::Field(index) => Some(std::slice::from_ref(index)),
                _ => None,
            };
            let taken = self.variables.iter().map(|variable| &*variable.steps).chain(body).collect();
            Query { schema: self.request, taken, strict: is_strict }.read(query, &mut wire)?;
        } else if is_strict && self.body == Body::Whole && !query.is_empty() {
            return Err(Wrong::new("the body has all fields, and the query none".to_owned()).into());
        }
        self.path(path, &mut wire)?;
        if self.request.has_required() {
            required::check(self.request, &wire).map_err(unreadable)?;
        }
        Ok(wire)
    }

    fn path(&self, path: &str, wire: &mut Vec<u8>) -> Result<(), Wrong> {
        let values = self.template.values(path).ok_or_else(|| Wrong::new("not the path".to_owned()))?;
        for ((variable, found), value) in self.template.variables.iter().zip(&self.variables).zip(values) {
            let wrong = |why| Wrong::of(&variable.field, why);
            let value = percent::decoded(value, variable.many, false)
                .ok_or_else(|| wrong("a percent sign without two hexadecimal digits"))?;
            let (schema, field) = self.leaf(found);
            let mut piece = Vec::new();
            text::put(&mut piece, schema, field, &value).map_err(wrong)?;
            put_nested(wire, self.request, found, piece);
        }
        Ok(())
    }

    /// The field that a path of names leads to, and the schema of its message.
    fn leaf(&self, path: &FieldPath) -> (MessageSchema<'_>, &Field) {
        let (last, around) = path.steps.split_last().expect("found with a name at least");
        let mut schema = self.request;
        for index in around {
            schema = schema.child(schema.field(*index)).expect("found so");
        }
        (schema, schema.field(*last))
    }

    fn body(&self, request: &Request<'_>) -> Result<Vec<u8>, Status> {
        let Request { body, content, content_type, json, .. } = *request;
        if self.takes_bytes() {
            return Ok(self.body_of_bytes(body, content_type));
        }
        if body.is_empty() || self.body == Body::None {
            return Ok(Vec::new());
        }
        let style = match content {
            Content::JSON => Some(json.0),
            Content::PROTO_JSON => Some(Style::Canonical),
            Content::PROTOBUF => None,
            Content::PROTO_TEXT if self.is_of_path() => {
                return text_format::to_wire(self.request, body).map_err(unreadable);
            }
            _ => return Err(not_ours()),
        };
        match (self.body, style) {
            (Body::Field(index), Some(style)) => {
                let field = self.request.field(index);
                json::field_to_wire(self.request, field, body, style).map_err(unreadable)
            }
            (Body::Field(index), None) => {
                let field = self.request.field(index);
                field::inside(self.request, field).ok_or_else(not_ours)?;
                let mut wire = Vec::with_capacity(body.len() + 12);
                put_piece(&mut wire, field.number, body);
                Ok(wire)
            }
            (_, Some(style)) => json::part_to_wire(self.request, body, style).map_err(unreadable),
            (_, None) => Ok(body.to_vec()),
        }
    }

    /// The message of a request whose body is a `google.api.HttpBody`.
    fn body_of_bytes(&self, body: &[u8], content_type: &str) -> Vec<u8> {
        let bytes = http_body(content_type, body);
        let Body::Field(index) = self.body else { return bytes };
        let mut wire = Vec::with_capacity(bytes.len() + 12);
        put_piece(&mut wire, self.request.field(index).number, &bytes);
        wire
    }

    /// The body of a reply that is a `google.api.HttpBody`, if [`Rule::answers_bytes`].
    ///
    /// # Errors
    /// The reply is not valid protobuf.
    pub fn reply_bytes(&self, wire: &[u8]) -> Result<HttpBody, FormatError> {
        match self.response_body {
            None => HttpBody::from_wire(wire),
            Some(index) => HttpBody::from_wire(&field::merged(wire, self.reply.field(index))?),
        }
    }

    /// The field of the reply that is sent as the body, in JSON of at most `longest` bytes; `None` if the
    /// whole reply is sent.
    pub fn reply_field(
        &self,
        wire: &[u8],
        json: Json,
        longest: usize,
    ) -> Option<Result<Vec<u8>, FormatError>> {
        let index = self.response_body?;
        Some(json::field_from_wire(self.reply, index, wire, json.0, longest))
    }

    /// Whether the body of the answer is a field of the reply instead of the whole reply.
    pub fn has_reply_field(&self) -> bool {
        self.response_body.is_some()
    }
}

/// Status 415: the content type of the request is not supported.
fn not_ours() -> Status {
    let text = "the body is neither JSON nor of a content type of ours";
    Status::invalid_argument(text).with_native(Native::Http(415))
}

fn unreadable(error: FormatError) -> Status {
    Status::invalid_argument(error.to_string())
}
