//! Content types and content codings, and their numbers in the contract.
//!
//! Source: docs/wire/http.md section 2.

use polywire_wire::{Compression, Compressions, Content};

pub(crate) const OCTETS: &[u8] = b"application/octet-stream";
pub(crate) const PLAIN_TEXT: &[u8] = b"text/plain";

/// The form of a request's body. A missing content type means JSON; types that the table does not list are
/// left to the handler.
pub(crate) fn of_request(value: Option<&[u8]>) -> Content {
    match value {
        None => Content::JSON,
        Some(value) => of_type(value),
    }
}

/// Form of a body by its content type; parameters are ignored.
#[inline]
pub(crate) fn of_type(value: &[u8]) -> Content {
    if value == b"application/json" {
        return Content::JSON;
    }
    let essence = value.split(|&b| b == b';').next().unwrap_or(value).trim_ascii();
    if essence.is_empty() {
        return Content::JSON;
    }
    const TYPES: [(&[u8], Content); 5] = [
        (b"application/json", Content::JSON),
        (b"application/proto", Content::PROTOBUF),
        (b"application/x-protobuf", Content::PROTOBUF),
        (b"application/proto-text", Content::PROTO_TEXT),
        (b"application/proto-json", Content::PROTO_JSON),
    ];
    let listed = TYPES.iter().find(|(name, _)| essence.eq_ignore_ascii_case(name));
    listed.map_or(Content::RAW, |&(_, content)| content)
}

/// Content of requests by the part after the colon in `http:proto`; `None` if the name is unknown.
pub(crate) fn by_parameter(parameter: &str) -> Option<Content> {
    match parameter {
        "" | "json" => Some(Content::JSON),
        "proto" => Some(Content::PROTOBUF),
        "proto-json" => Some(Content::PROTO_JSON),
        "proto-text" => Some(Content::PROTO_TEXT),
        _ => None,
    }
}

/// Content type of a body; `None` if the handler has to name it.
#[inline]
pub(crate) fn type_of(content: Content) -> Option<&'static [u8]> {
    match content {
        Content::JSON => Some(b"application/json"),
        Content::PROTOBUF => Some(b"application/proto"),
        Content::PROTO_TEXT => Some(b"application/proto-text"),
        Content::PROTO_JSON => Some(b"application/proto-json"),
        _ => None,
    }
}

/// Compression by `content-encoding`. `repeated`: the field came twice, so several codings are applied.
pub(crate) fn compression(value: Option<&[u8]>, repeated: bool) -> Compression {
    match value {
        _ if repeated => Compression::UNKNOWN,
        None => Compression::NONE,
        Some(v) if v.is_empty() || v.eq_ignore_ascii_case(b"identity") => Compression::NONE,
        Some(v) if v.eq_ignore_ascii_case(b"gzip") || v.eq_ignore_ascii_case(b"x-gzip") => Compression::GZIP,
        Some(_) => Compression::UNKNOWN,
    }
}

/// The compressions that have a name there.
pub(crate) const CODINGS: Compressions = Compressions::NONE.with(Compression::GZIP);

/// `content-encoding` of a compression; `Err` if HTTP has no name for it.
pub(crate) fn coding(compression: Compression) -> Result<Option<&'static [u8]>, ()> {
    match compression {
        Compression::NONE => Ok(None),
        Compression::GZIP => Ok(Some(b"gzip")),
        _ => Err(()),
    }
}
