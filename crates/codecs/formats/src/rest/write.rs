//! Writes a message as an HTTP request, and reads the reply.

use super::{
    field::{self, FieldPath, Form},
    http_body::{HttpBody, http_body, put_piece},
    percent,
    rule::{Body, Rule},
    text,
};
use crate::{
    FormatError, Message,
    json::{self, Style},
    protobuf::wire::{Raw, Reader, WireType},
    schema::{Field, MessageSchema},
};

/// A request that is ready to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filled {
    /// The path, and the query after a `?` if there is one.
    pub target: String,
    /// The body in protobuf's JSON, or the bytes of a `google.api.HttpBody`; `None` if the request has no
    /// body.
    pub body: Option<Vec<u8>>,
    /// The content type of a body that is not JSON; empty if the message names no content type.
    pub content_type: Option<String>,
}

impl Rule<'_> {
    /// Makes an HTTP request from a message in protobuf.
    ///
    /// # Errors
    /// Which field cannot stand where the rule puts it.
    pub fn write(&self, wire: &[u8]) -> Result<Filled, String> {
        let mut values = Vec::new();
        for (variable, path) in self.template.variables.iter().zip(&self.variables) {
            values.push(self.value(wire, path).map_err(|why| format!("field {} {why}", variable.field))?);
        }
        let mut target = self.template.path(&values)?;
        let (body, content_type) = match self.takes_bytes() {
            false => (self.body_of(wire)?, None),
            true => {
                let HttpBody { content_type, data, .. } =
                    self.bytes_of(wire).map_err(|error| error.to_string())?;
                (Some(data), Some(content_type))
            }
        };
        if !matches!(self.body, Body::Whole) {
            let mut query = Out { rule: self, steps: Vec::new(), names: Vec::new(), text: String::new() };
            query.message(self.request, wire)?;
            if !query.text.is_empty() {
                target.push('?');
                target.push_str(&query.text);
            }
        }
        Ok(Filled { target, body, content_type })
    }

    /// The value of a field in the path.
    fn value(&self, wire: &[u8], path: &FieldPath) -> Result<Vec<u8>, &'static str> {
        let (mut schema, mut wire) = (self.request, wire.to_vec());
        let Some((last, around)) = path.steps.split_last() else {
            return Err("is not a field of the request");
        };
        for &index in around {
            let field = schema.field(index);
            wire = field::merged(&wire, field).map_err(|_| "cannot be read from the request")?;
            schema = schema.child(field).ok_or("is inside a field that is not a message")?;
        }
        let field = schema.field(*last);
        let merged = match schema.child(field) {
            Some(_) => Some(field::merged(&wire, field).map_err(|_| "cannot be read from the request")?),
            None => None,
        };
        let found = text::last(&wire, field).ok_or("cannot be read from the request")?;
        let raw = match (found, &merged) {
            (Some(raw), Some(merged)) => Raw { payload: merged, ..raw },
            (Some(raw), None) => raw,
            (None, Some(_)) => return Err("is not set, and the path needs it"),
            (None, None) => text::absent(field),
        };
        text::of(schema, field, &raw).ok_or("has a value that cannot be written in a path")
    }

    fn body_of(&self, wire: &[u8]) -> Result<Option<Vec<u8>>, String> {
        let failed = |error: FormatError| error.to_string();
        match self.body {
            Body::None | Body::ByVerb => Ok(None),
            Body::Field(index) if !is_there(wire, self.request.field(index)) => Ok(Some(Vec::new())),
            Body::Field(index) => {
                json::field_from_wire(self.request, index, wire, Style::Canonical, usize::MAX)
                    .map(Some)
                    .map_err(failed)
            }
            Body::Whole => {
                let mut rest = wire.to_vec();
                for path in &self.variables {
                    rest = without(&rest, self.request, &path.steps).map_err(failed)?;
                }
                json::part_from_wire(self.request, &rest, Style::Canonical).map(Some).map_err(failed)
            }
        }
    }

    /// The `google.api.HttpBody` that is sent as the body.
    fn bytes_of(&self, wire: &[u8]) -> Result<HttpBody, FormatError> {
        match self.body {
            Body::Field(index) => HttpBody::from_wire(&field::merged(wire, self.request.field(index))?),
            Body::None | Body::ByVerb | Body::Whole => HttpBody::from_wire(wire),
        }
    }

    /// Reads a reply, or a part of a streamed one, whose body is a `google.api.HttpBody`.
    pub fn read_reply_bytes(&self, content_type: &str, data: &[u8]) -> Vec<u8> {
        let bytes = http_body(content_type, data);
        let Some(index) = self.response_body else { return bytes };
        let mut wire = Vec::with_capacity(bytes.len() + 12);
        put_piece(&mut wire, self.reply.field(index).number, &bytes);
        wire
    }

    /// Reads a reply in JSON into protobuf.
    ///
    /// # Errors
    /// The fault of the reply.
    pub fn read_reply(&self, body: &[u8]) -> Result<Vec<u8>, FormatError> {
        match self.response_body {
            None => Ok(json::to_wire(self.reply, body, Style::Canonical)?.wire),
            Some(index) => json::field_to_wire(self.reply, self.reply.field(index), body, Style::Canonical),
        }
    }

    /// Whether the field at these steps stands in the path or in the body.
    fn is_elsewhere(&self, steps: &[usize]) -> bool {
        self.variables.iter().any(|variable| variable.steps == steps)
            || matches!(self.body, Body::Field(index) if steps == [index])
    }
}

fn is_there(wire: &[u8], field: &Field) -> bool {
    text::last(wire, field).flatten().is_some()
}

/// The message without the field at these steps.
fn without(wire: &[u8], schema: MessageSchema<'_>, steps: &[usize]) -> Result<Vec<u8>, FormatError> {
    let Some((first, more)) = steps.split_first() else { return Ok(wire.to_vec()) };
    let field = schema.field(*first);
    let (mut reader, mut out) = (Reader::new(wire), Vec::with_capacity(wire.len()));
    loop {
        let before = reader.remaining();
        let Some(raw) = reader.field()? else { return Ok(out) };
        let piece = &wire[wire.len() - before..wire.len() - reader.remaining()];
        match schema.child(field) {
            _ if raw.number != field.number => out.extend_from_slice(piece),
            Some(child) if !more.is_empty() && raw.wire == WireType::Bytes => {
                let inside = without(raw.payload, child, more)?;
                put_piece(&mut out, field.number, &inside);
            }
            _ => {}
        }
    }
}

/// A query that is being written.
struct Out<'r> {
    rule: &'r Rule<'r>,
    steps: Vec<usize>,
    names: Vec<&'r str>,
    text: String,
}

impl<'r> Out<'r> {
    fn message(&mut self, schema: MessageSchema<'r>, wire: &[u8]) -> Result<(), String> {
        for (index, field) in schema.fields().iter().enumerate() {
            self.steps.push(index);
            self.names.push(&field.name);
            if !self.rule.is_elsewhere(&self.steps) {
                self.field(schema, field, wire)?;
            }
            self.steps.pop();
            self.names.pop();
        }
        Ok(())
    }

    fn field(&mut self, schema: MessageSchema<'r>, field: &'r Field, wire: &[u8]) -> Result<(), String> {
        let unreadable = || "the message is not readable".to_owned();
        let Some(last) = text::last(wire, field).ok_or_else(unreadable)? else { return Ok(()) };
        match field::form(schema, field) {
            Some(Form::One) => {
                let whole;
                let raw = match schema.child(field) {
                    Some(_) => {
                        whole = field::merged(wire, field).map_err(|error| error.to_string())?;
                        Raw { payload: &whole, ..last }
                    }
                    None => last,
                };
                let value = text::of(schema, field, &raw).ok_or_else(|| self.cannot())?;
                self.put(None, &value);
            }
            Some(form) => {
                let mut reader = Reader::new(wire);
                while let Some(raw) = reader.field().map_err(|error| error.to_string())? {
                    if raw.number != field.number {
                        continue;
                    }
                    if form == Form::Map {
                        let child = schema.child(field).ok_or_else(unreadable)?;
                        let (key, value) = text::of_entry(child, &raw).ok_or_else(|| self.cannot())?;
                        self.put(Some(&key), &value);
                    } else {
                        let values = text::of_items(schema, field, &raw).ok_or_else(|| self.cannot())?;
                        values.iter().for_each(|value| self.put(None, value));
                    }
                }
            }
            None => {
                let child = field::inside(schema, field).ok_or_else(|| self.cannot())?;
                let whole = field::merged(wire, field).map_err(|error| error.to_string())?;
                if self.steps.len() >= super::MAX_NAMES {
                    return Err(self.cannot());
                }
                // A message whose fields are all in the path adds nothing to the query.
                let before = self.text.len();
                self.message(child, &whole)?;
                let is_in_path = |rule: &Rule<'_>| rule.variables.iter().any(|v| v.is_within(&self.steps));
                if self.text.len() == before && !is_in_path(self.rule) {
                    let name = self.names.join(".");
                    return Err(format!(
                        "field {name} is a message without fields, which a query cannot say"
                    ));
                }
            }
        }
        Ok(())
    }

    fn cannot(&self) -> String {
        format!("field {} cannot stand in a query", self.names.join("."))
    }

    fn put(&mut self, key: Option<&[u8]>, value: &[u8]) {
        if !self.text.is_empty() {
            self.text.push('&');
        }
        self.text.push_str(&self.names.join("."));
        if let Some(key) = key {
            self.text.push('[');
            percent::encode(&mut self.text, key, false);
            self.text.push(']');
        }
        self.text.push('=');
        percent::encode(&mut self.text, value, false);
    }
}
