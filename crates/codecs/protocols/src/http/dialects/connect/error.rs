//! Failures as JSON: of unary calls the body, of streams part of the last envelope.
//!
//! ```text
//!  {"code": "not_found", "message": "no such user", "details": [{"type": "google.rpc.ErrorInfo", "value": "CgRh"}]}
//!  {"error": …, "metadata": {"name": ["value"]}}
//! ```
//!
//! Source: connectrpc.com/docs/protocol, "Error Codes", "Error-End-Stream".
//! Limits: an error has at most [`MAX_ERROR`] bytes; JSON nests as deep as serde_json lets it (128).

use crate::reply_fields::BASE64;
use crate::{
    http::{ERROR_CODE_FIELD, dialects::grpc::fields, status},
    protobuf,
};
use base64::Engine;
use bytes::BytesMut;
use polywire_base::IoBuf;
use polywire_call::{Code, Metadata, Native, Origin, Status, brpc};
use polywire_formats::compression::decompress;
use polywire_wire::Compression;
use serde_json::{Map, Value, json};

/// Most bytes of a decompressed error.
const MAX_ERROR: usize = 1 << 20;

/// Code, its name, and its HTTP status.
const CODES: [(Code, &str, u16); 16] = [
    (Code::Cancelled, "canceled", 499),
    (Code::Unknown, "unknown", 500),
    (Code::InvalidArgument, "invalid_argument", 400),
    (Code::DeadlineExceeded, "deadline_exceeded", 504),
    (Code::NotFound, "not_found", 404),
    (Code::AlreadyExists, "already_exists", 409),
    (Code::PermissionDenied, "permission_denied", 403),
    (Code::ResourceExhausted, "resource_exhausted", 429),
    (Code::FailedPrecondition, "failed_precondition", 400),
    (Code::Aborted, "aborted", 409),
    (Code::OutOfRange, "out_of_range", 400),
    (Code::Unimplemented, "unimplemented", 501),
    (Code::Internal, "internal", 500),
    (Code::Unavailable, "unavailable", 503),
    (Code::DataLoss, "data_loss", 500),
    (Code::Unauthenticated, "unauthenticated", 401),
];

/// The HTTP status of a failed unary call. A path without a method is 404, as everywhere in HTTP.
pub(crate) fn http_status(status: &Status) -> u16 {
    if matches!(status.native(), Native::Brpc(brpc::ENOSERVICE | brpc::ENOMETHOD)) {
        return 404;
    }
    CODES.iter().find(|(known, ..)| *known == code(status)).map_or(500, |(.., status)| *status)
}

/// The code that is sent. A request that cannot be read is INTERNAL in gRPC, but an error of the caller here.
fn code(status: &Status) -> Code {
    match (status.code(), status.native()) {
        (Code::Internal, Native::Brpc(brpc::EREQUEST)) => Code::InvalidArgument,
        (code, _) => code,
    }
}

fn name(code: Code) -> &'static str {
    CODES.iter().find(|(known, ..)| *known == code).map_or("unknown", |(_, name, _)| *name)
}

/// A failure as JSON.
pub(crate) fn body(status: &Status) -> Vec<u8> {
    value(status).to_string().into_bytes()
}

fn value(status: &Status) -> Value {
    let mut error = Map::new();
    error.insert("code".into(), name(code(status)).into());
    if !status.message().is_empty() {
        error.insert("message".into(), status.message().into());
    }
    let details: Vec<Value> = details(status.details())
        .map(|(kind, bytes)| json!({"type": kind, "value": BASE64.encode(bytes)}))
        .collect();
    if !details.is_empty() {
        error.insert("details".into(), details.into());
    }
    error.into()
}

/// The content of the last envelope of a stream.
pub(crate) fn end(status: &Status, trailers: Option<&Metadata>) -> Vec<u8> {
    let mut end = Map::new();
    if !status.is_ok() {
        end.insert("error".into(), value(status));
    }
    let mut fields = Map::new();
    if let Some(number) = status::own_number(status) {
        fields.insert(ERROR_CODE_FIELD.into(), json!([number.to_string()]));
    }
    for (name, value) in trailers.iter().flat_map(|fields| fields.iter()) {
        let values = fields.entry(name.to_ascii_lowercase()).or_insert_with(|| json!([]));
        if let Value::Array(values) = values {
            values.push(String::from_utf8_lossy(value).into());
        }
    }
    if !fields.is_empty() {
        end.insert("metadata".into(), fields.into());
    }
    Value::Object(end).to_string().into_bytes()
}

/// Parses with `FromStr`, which serde_json itself compiles; `from_slice` would be compiled again in this
/// crate.
fn parsed(text: &[u8]) -> Option<Value> {
    str::from_utf8(text).ok()?.parse().ok()
}

/// The status and the trailers of a stream. An invalid end is an error of the peer.
pub(crate) fn read_end(text: &[u8]) -> (Status, Metadata) {
    let wrong = || Status::internal("the last envelope of the stream is not the JSON it should be");
    let Some(Value::Object(mut end)) = parsed(text) else {
        return (wrong().with_origin(Origin::Remote), Metadata::new());
    };
    let mut trailers = Metadata::new();
    if let Some(Value::Object(fields)) = end.get("metadata") {
        for (name, values) in fields {
            for value in values.as_array().into_iter().flatten().filter_map(Value::as_str) {
                fields::decoded(name, value.as_bytes(), &mut |name, value| trailers.append(name, value));
            }
        }
    }
    let status = match end.remove("error") {
        None | Some(Value::Null) => Status::OK,
        Some(error) => {
            let status = of_value(&error, Code::Unknown).unwrap_or_else(wrong).with_origin(Origin::Remote);
            status::with_own_number(status, trailers.get(ERROR_CODE_FIELD))
        }
    };
    (status, trailers)
}

pub(crate) fn is_json(content_type: &[u8]) -> bool {
    super::essence(content_type).eq_ignore_ascii_case(b"application/json")
}

/// Like [`read`], for a body that may be compressed.
pub(crate) fn of_reply(status: u16, is_json: bool, how: Compression, body: IoBuf) -> Status {
    let body = decompress(how, body, MAX_ERROR).map(|body| body.to_vec()).unwrap_or_default();
    read(status, is_json, &body)
}

/// The status of a unary call whose reply was not 200: from its body, or else from the HTTP status alone.
pub(crate) fn read(status: u16, is_json: bool, body: &[u8]) -> Status {
    let by_status = match status {
        400 => Code::Internal,
        401 => Code::Unauthenticated,
        403 => Code::PermissionDenied,
        404 => Code::Unimplemented,
        429 | 502..=504 => Code::Unavailable,
        _ => Code::Unknown,
    };
    let said = if is_json { parsed(body) } else { None };
    let status = said.and_then(|error| of_value(&error, by_status)).unwrap_or_else(|| {
        Status::new(by_status, format!("HTTP status {status}")).with_native(Native::Http(status))
    });
    status.with_origin(Origin::Remote)
}

/// `None` if it is not an error object. A missing or unknown code becomes `otherwise`.
fn of_value(error: &Value, otherwise: Code) -> Option<Status> {
    let error = error.as_object()?;
    let code = error.get("code").and_then(Value::as_str);
    let known = code.and_then(|code| CODES.iter().find(|(_, name, _)| *name == code));
    let code = known.map_or(otherwise, |(code, ..)| *code);
    let message = error.get("message").and_then(Value::as_str).unwrap_or("");
    let status = Status::new(code, message);
    let mut details = Vec::new();
    for detail in error.get("details").and_then(Value::as_array).into_iter().flatten() {
        let text = |key| detail.get(key).and_then(Value::as_str);
        if let (Some(kind), Some(bytes)) = (text("type"), text("value"))
            && let Ok(bytes) = BASE64.decode(bytes)
        {
            details.push((kind, bytes));
        }
    }
    Some(if details.is_empty() { status } else { with_details(status, &details) })
}

/// Tags of google.rpc.Status {1 code, 2 message, 3 details} and google.protobuf.Any {1 type_url, 2 value}.
const CODE: u8 = 0x08;
const MESSAGE: u8 = 0x12;
const DETAILS: u8 = 0x1a;
const TYPE_URL: u8 = 0x0a;
const VALUE: u8 = 0x12;

/// Type and bytes of each detail in a google.rpc.Status; ends at the first malformed one.
fn details(status: &[u8]) -> impl Iterator<Item = (&str, &[u8])> {
    let mut rest = status;
    std::iter::from_fn(move || {
        loop {
            let (&tag, after) = rest.split_first()?;
            rest = after;
            if tag == DETAILS {
                return any(protobuf::bytes(&mut rest)?);
            }
            protobuf::skip(tag, &mut rest)?;
        }
    })
}

fn any(mut rest: &[u8]) -> Option<(&str, &[u8])> {
    let (mut url, mut value) = ("", &b""[..]);
    while let Some((&tag, after)) = rest.split_first() {
        rest = after;
        match tag {
            TYPE_URL => url = std::str::from_utf8(protobuf::bytes(&mut rest)?).ok()?,
            VALUE => value = protobuf::bytes(&mut rest)?,
            _ => protobuf::skip(tag, &mut rest)?,
        }
    }
    Some((url.rsplit('/').next().unwrap_or(url), value))
}

/// The status with a google.rpc.Status of its own code, message and these details.
fn with_details(status: Status, details: &[(&str, Vec<u8>)]) -> Status {
    let mut bytes = vec![CODE, status.code() as u8];
    put(&mut bytes, MESSAGE, status.message().as_bytes());
    for (kind, value) in details {
        let url = if kind.contains('/') { (*kind).to_owned() } else { format!("type.googleapis.com/{kind}") };
        let mut any = Vec::new();
        put(&mut any, TYPE_URL, url.as_bytes());
        put(&mut any, VALUE, value);
        put(&mut bytes, DETAILS, &any);
    }
    status.with_details(bytes)
}

fn put(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    let mut field = BytesMut::new();
    let mut writer = protobuf::Writer::new(&mut field, bytes.len() + 16);
    writer.text(tag, bytes);
    writer.end();
    out.extend_from_slice(&field);
}
