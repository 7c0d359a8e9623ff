//! Envelopes around a message, read by reference and written before it. The message is always the last
//! element of its envelope, so it can be appended by reference.
//!
//! Source: docs/wire/ubrpc.md, "Envelope" and its table of types

use crate::reply_fields;
use polywire_call::Metadata;
use polywire_formats::{
    FormatError,
    mcpack::{
        self, Field, Fields, Writer,
        field::{ARRAY, BINARY, BOOL, OBJECT, STRING},
    },
};

/// `content[0]` of an envelope: the members that are present and have the right type.
#[derive(Default)]
pub(super) struct Content<'a> {
    pub id: Option<i64>,
    pub service: &'a [u8],
    pub method: &'a [u8],
    pub params: Option<Field<'a>>,
    pub result: Option<i64>,
    pub result_params: Option<Field<'a>>,
    pub error: Option<Field<'a>>,
    /// Fields of the reply: a member that only polywire writes, and others skip.
    pub fields: Option<&'a [u8]>,
}

/// Member of `content[0]` for [`reply_fields`].
const FIELDS: &[u8] = b"polywire_fields";

/// The fault of an envelope.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong(pub Box<str>);

impl From<FormatError> for Wrong {
    fn from(error: FormatError) -> Self {
        Wrong(error.to_string().into())
    }
}

fn wrong<T>(what: &str) -> Result<T, Wrong> {
    Err(Wrong(what.into()))
}

impl<'a> Content<'a> {
    /// Reads an envelope. "Only content[0] is used. Member order is free on read; unknown members are
    /// skipped." The id is returned even if something after it is wrong.
    pub fn read(&mut self, envelope: &'a [u8]) -> Result<(), Wrong> {
        let members = Fields::of(mcpack::document(envelope)?)?;
        let Some(content) = members.find(b"content")?.filter(|content| content.code == ARRAY) else {
            return wrong("no array `content`");
        };
        let Some(first) = content.fields()?.next()?.filter(|first| first.code == OBJECT) else {
            return wrong("no object in `content`");
        };
        let mut members = first.fields()?;
        while let Some(member) = members.next()? {
            match member.name {
                b"id" => self.id = Some(integer(member)?),
                b"service_name" => self.service = text(member)?,
                b"method" => self.method = text(member)?,
                b"params" => self.params = Some(object(member)?),
                b"result" => self.result = Some(integer(member)?),
                b"result_params" => self.result_params = Some(object(member)?),
                FIELDS => self.fields = member.bytes().filter(|_| member.code == BINARY),
                b"error" => self.error = Some(object(member)?),
                _ => {}
            }
        }
        Ok(())
    }

    /// The message of a request, and its name; empty: it is `params` itself. "If params has exactly one
    /// field, its value is the message, whatever its name; otherwise params itself is the message."
    pub fn request_message(&self) -> Result<(&'a [u8], &'a [u8]), Wrong> {
        let Some(params) = self.params else { return wrong("no object `params`") };
        match only_member(params)? {
            Some(only) => Ok((object(only)?.value, only.name)),
            None => Ok((params.value, b"")),
        }
    }

    /// The message of a reply whose name its reader does not know, and that name.
    pub fn any_reply_message(&self) -> Result<(&'a [u8], &'a [u8]), Wrong> {
        let Some(params) = self.result_params else { return wrong("no object `result_params`") };
        match only_member(params)?.filter(|only| only.code == OBJECT) {
            Some(only) => Ok((object(only)?.value, only.name)),
            None => Ok((params.value, b"")),
        }
    }

    /// The message of a reply: "result_params must exist, and contain the expected res_name (first match)
    /// unless that name is empty".
    pub fn reply_message(&self, name: &str) -> Result<&'a [u8], Wrong> {
        let Some(params) = self.result_params else { return wrong("no object `result_params`") };
        if name.is_empty() {
            return Ok(params.value);
        }
        let mut members = params.fields()?;
        while let Some(member) = members.next()? {
            if member.name == name.as_bytes() {
                return Ok(object(member)?.value);
            }
        }
        Err(Wrong(format!("no `{name}` in `result_params`").into()))
    }

    /// Code and message of a failure: "code missing or 0, or message missing or empty, turns into ERESPONSE".
    pub fn failure(error: Field<'a>) -> Result<(i32, &'a [u8]), Wrong> {
        let (mut code, mut message) = (0, &b""[..]);
        let mut members = error.fields()?;
        while let Some(member) = members.next()? {
            match member.name {
                b"code" => code = i32::try_from(integer(member)?).unwrap_or(0),
                b"message" => message = text(member)?,
                _ => {}
            }
        }
        if code == 0 || message.is_empty() {
            wrong("`error` without code or message")
        } else {
            Ok((code, message))
        }
    }
}

/// The member of an object that has no other.
fn only_member(params: Field<'_>) -> Result<Option<Field<'_>>, Wrong> {
    let mut members = params.fields()?;
    let first = members.next()?;
    Ok(if members.next()?.is_some() { None } else { first })
}

fn object(field: Field<'_>) -> Result<Field<'_>, Wrong> {
    // An object inside it must have a valid count.
    field.fields()?;
    if field.code == OBJECT { Ok(field) } else { misfit(field, "not an object") }
}

fn text(field: Field<'_>) -> Result<&[u8], Wrong> {
    match field.bytes().filter(|_| field.code == STRING) {
        Some(text) => Ok(text),
        None => misfit(field, "not a string"),
    }
}

/// "any integer type or bool"
fn integer(field: Field<'_>) -> Result<i64, Wrong> {
    let (signed, size) = (field.code >> 4 == 1, usize::from(field.code & 0x0f));
    let integral = field.code == BOOL || (matches!(field.code >> 4, 1 | 2) && matches!(size, 1 | 2 | 4 | 8));
    if !integral || field.value.len() != size {
        return misfit(field, "not an integer");
    }
    let negative = signed && field.value[size - 1] >= 0x80;
    let mut bytes = [if negative { 0xff } else { 0 }; 8];
    bytes[..size].copy_from_slice(field.value);
    Ok(i64::from_le_bytes(bytes))
}

fn misfit<T>(field: Field<'_>, what: &str) -> Result<T, Wrong> {
    Err(Wrong(format!("`{}` is {what}", field.name.escape_ascii()).into()))
}

/// The fields that a client writes for a call.
pub(super) struct Call<'a> {
    pub service: &'a str,
    pub id: i64,
    pub method: &'a str,
    /// Name of the message in `params`.
    pub name: &'a str,
}

/// The envelope of a request, which precedes a message of this many bytes.
pub(super) fn request(call: &Call<'_>, message: usize) -> Result<Vec<u8>, FormatError> {
    let mut to = Writer::new();
    let top = to.object(b"");
    let header = to.object(b"header");
    to.bool(b"connection", true);
    to.end(header, 1);
    let content = to.array(b"content");
    let first = to.object(b"");
    to.string(b"service_name", call.service.as_bytes());
    to.int64(b"id", call.id);
    to.string(b"method", call.method.as_bytes());
    put_message(&mut to, b"params", call.name, message);
    to.end(first, 4);
    to.end(content, 1);
    to.end(top, 2);
    to.finish()
}

/// The envelope of a reply, which precedes a message of this many bytes.
pub(super) fn reply(
    id: i64,
    result: Option<i64>,
    name: &str,
    fields: Option<&Metadata>,
    message: usize,
) -> Result<Vec<u8>, FormatError> {
    let mut to = Writer::new();
    let top = to.object(b"");
    let content = to.array(b"content");
    let first = to.object(b"");
    to.int64(b"id", id);
    if let Some(result) = result {
        to.int64(b"result", result);
    }
    if let Some(fields) = fields {
        to.binary(FIELDS, &reply_fields::written(fields));
    }
    put_message(&mut to, b"result_params", name, message);
    to.end(first, 2 + u32::from(result.is_some()) + u32::from(fields.is_some()));
    to.end(content, 1);
    to.end(top, 1);
    to.finish()
}

/// The envelope of a failure.
pub(super) fn failure(id: i64, code: i32, text: &str, fields: &Metadata) -> Result<Vec<u8>, FormatError> {
    let mut to = Writer::new();
    let top = to.object(b"");
    let content = to.array(b"content");
    let first = to.object(b"");
    to.int64(b"id", id);
    let error = to.object(b"error");
    to.int32(b"code", code);
    to.string(b"message", text.as_bytes());
    to.end(error, 2);
    if !fields.is_empty() {
        to.binary(FIELDS, &reply_fields::written(fields));
    }
    to.end(first, 2 + u32::from(!fields.is_empty()));
    to.end(content, 1);
    to.end(top, 1);
    to.finish()
}

/// Writes the heads in front of a message. "An empty name means the message fields are placed directly in
/// params".
fn put_message(to: &mut Writer, params: &[u8], name: &str, message: usize) {
    if name.is_empty() {
        let params = to.begin_value(OBJECT, params);
        to.leave(message);
        return to.end_value(params);
    }
    let params = to.object(params);
    let named = to.begin_value(OBJECT, name.as_bytes());
    to.leave(message);
    to.end_value(named);
    to.end(params, 1);
}
