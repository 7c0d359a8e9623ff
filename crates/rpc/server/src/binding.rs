//! Calls by a rule of `google.api.http`, or by a path with braces: path, query and body are the fields of a
//! message.
//!
//! [`polywire_formats::rest`] defines the binding. A call by a rule that fails is answered with a JSON
//! object, like that of gateways that support such rules; a call by a path of
//! [`Method::path`](crate::Method::path) with text, like brpc.

use crate::{
    context::Context,
    service::{self, Call},
};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Reply, Status};
use polywire_formats::{
    FormatError, Payload, compression,
    json::Json,
    rest::{self, HttpBody, Request, Rule},
};
use polywire_wire::{Compression, Content, Longest, Outcome};

/// Whether path or query of a request may be fields of its message. Where they cannot, the body alone is the
/// message, in any format.
#[cold]
pub(crate) fn is_bound(cx: &Context) -> bool {
    cx.rule().is_some_and(|rule| {
        let (verb, target) = cx.request_line();
        rule.binds(&verb, target.contains('?'))
    })
}

/// The message of a request: body, query and path together.
#[cold]
pub(crate) fn take_request<M: Payload>(call: &mut Call) -> Result<M, Status> {
    let unnamed = call.content == Content::RAW && !call.cx.rule().is_some_and(Rule::takes_bytes);
    call.settle_content();
    let mut body = std::mem::take(&mut call.body);
    if call.compression != Compression::NONE {
        body = call.inflate(body)?;
    }
    if unnamed && !service::is_perhaps_json(&mut body) {
        return Err(service::not_ours());
    }
    let (mut content, json) = (call.content, call.cx.json(call.content));
    let (verb, target) = call.cx.request_line();
    let Some(rule) = call.cx.rule() else { return Err(Status::internal("a request without its rule")) };
    let is_known =
        matches!(content, Content::JSON | Content::PROTO_JSON | Content::PROTOBUF | Content::PROTO_TEXT);
    if rule.is_of_path() && !is_known && !body.is_empty() {
        // In another format, as at a path without braces.
        let message = M::decode(content, Compression::NONE, body, call.longest(), json)
            .map_err(FormatError::request)?;
        body = message.encode(Content::PROTOBUF, Compression::NONE, json).map_err(FormatError::request)?;
        content = Content::PROTOBUF;
    }
    let content_type = if rule.takes_bytes() { content_type(&call.cx) } else { String::new() };
    let request = Request {
        verb: &verb,
        target: &target,
        body: body.contiguous(),
        content_type: &content_type,
        content,
        json,
    };
    let wire = rule.read(&request)?;
    let read = M::decode(
        Content::PROTOBUF,
        Compression::NONE,
        wire.into(),
        Longest::from(usize::MAX),
        Json::DEFAULT,
    );
    read.map_err(|error| Status::invalid_argument(error.to_string()))
}

/// The content type of a request as it was received.
fn content_type(cx: &Context) -> String {
    let mut found = String::new();
    cx.visit_fields(|name, value| {
        if name.eq_ignore_ascii_case("content-type") {
            found = String::from_utf8_lossy(value).into_owned();
        }
    });
    found
}

/// The outcome of a call that is answered by one message.
#[cold]
pub(crate) fn outcome<M: Payload>(replied: Result<Reply<M>, Status>, call: &Call) -> Outcome {
    let (accepts, json) = (call.cx.accepts(), call.cx.json(call.content));
    let mut outcome = match replied {
        Ok(reply) if answers_bytes(&call.cx) => answer_with_bytes(reply, call, json),
        Ok(reply) => match field_of(&call.cx, call.content) {
            None => service::answer(reply, call.content, accepts, json),
            Some(rule) => answer_with_field(reply, rule, call, json),
        },
        Err(status) => failed(status, &call.cx),
    };
    call.cx.complete(&mut outcome);
    outcome
}

/// Whether, by a rule, the bytes of a `google.api.HttpBody` are the reply.
pub(crate) fn answers_bytes(cx: &Context) -> bool {
    cx.rule().is_some_and(Rule::answers_bytes)
}

/// A reply of these bytes, with their content type.
///
/// # Errors
/// The reply cannot be written.
pub(crate) fn reply_bytes<M: Payload>(
    message: &M,
    cx: &Context,
    json: Json,
) -> Result<HttpBody, FormatError> {
    let mut wire = message.encode(Content::PROTOBUF, Compression::NONE, json)?;
    cx.rule().map_or_else(|| Ok(HttpBody::default()), |rule| rule.reply_bytes(wire.contiguous()))
}

/// Adds the content type of a body, unless the handler has set another one.
pub(crate) fn add_content_type(fields: &mut Metadata, content_type: String) {
    if !content_type.is_empty() && fields.get("content-type").is_none() {
        fields.append("content-type", content_type);
    }
}

fn answer_with_bytes<M: Payload>(reply: Reply<M>, call: &Call, json: Json) -> Outcome {
    let (message, _, mut metadata, wanted) = reply.into_parts();
    let compression = if call.cx.accepts().contains(wanted) { wanted } else { Compression::NONE };
    let bytes = reply_bytes(&message, &call.cx, json).and_then(|HttpBody { content_type, data, .. }| {
        Ok((content_type, compression::compress(compression, data.into())?))
    });
    match bytes {
        Ok((content_type, body)) => {
            add_content_type(&mut metadata, content_type);
            Outcome {
                body,
                content: Content::RAW,
                compression,
                reply: true,
                trailers: (!metadata.is_empty()).then(|| Box::new(metadata)),
                ..Outcome::default()
            }
        }
        Err(error) => failed(error.reply(), &call.cx),
    }
}

/// The rule that selects which field of the reply is sent.
pub(crate) fn field_of(cx: &Context, content: Content) -> Option<&Rule<'static>> {
    cx.rule().filter(|rule| rule.has_reply_field() && content != Content::PROTOBUF)
}

/// The field of a reply that is answered with.
///
/// # Errors
/// The reply cannot be written.
pub(crate) fn reply_field<M: Payload>(
    message: &M,
    rule: &Rule<'_>,
    json: Json,
) -> Result<IoBuf, FormatError> {
    let mut wire = message.encode(Content::PROTOBUF, Compression::NONE, json)?;
    let field = rule.reply_field(wire.contiguous(), json, usize::MAX);
    Ok(field.unwrap_or_else(|| Ok(Vec::new()))?.into())
}

fn answer_with_field<M: Payload>(reply: Reply<M>, rule: &Rule<'_>, call: &Call, json: Json) -> Outcome {
    let (message, _, metadata, wanted) = reply.into_parts();
    let compression = if call.cx.accepts().contains(wanted) { wanted } else { Compression::NONE };
    let body = reply_field(&message, rule, json).and_then(|body| compression::compress(compression, body));
    match body {
        Ok(body) => Outcome {
            body,
            content: call.content,
            compression,
            reply: true,
            trailers: (!metadata.is_empty()).then(|| Box::new(metadata)),
            ..Outcome::default()
        },
        Err(error) => failed(error.reply(), &call.cx),
    }
}

/// A call that failed before anything was answered.
#[cold]
pub(crate) fn failed(status: Status, cx: &Context) -> Outcome {
    if cx.rule().is_none_or(Rule::is_of_path) {
        return status.into();
    }
    let body = rest::failure(&status).into();
    Outcome { body, content: Content::JSON, reply: true, ..Outcome::from(status) }
}
