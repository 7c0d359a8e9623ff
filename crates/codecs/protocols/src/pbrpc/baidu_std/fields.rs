//! Metadata of a call and its places in RpcMeta.
//!
//! | metadata name | field | value |
//! | --- | --- | --- |
//! | `log-id` | `request.log_id` | decimal, 64 bits unsigned |
//! | `x-bd-trace-id`, `x-bd-span-id`, `x-bd-parent-span-id` | `request.trace_id`, `span_id`, `parent_span_id` | the same |
//! | `x-request-id` | `request.request_id` | text |
//! | [`CHECKSUM`] | `checksum_type`, `checksum_value`, `checksum_with_attachment` | see there |
//! | any other | `user_fields` | text |
//!
//! The ids are those of [`Id`]. Replies have no fields for them: there every name except [`CHECKSUM`] is a
//! user field. An id whose value is not a number is sent as a user field.
//!
//! Not here: a user field whose key is not UTF-8 has no name in [`Metadata`] and is not visited.

use super::meta::{self, Extra};
use crate::pbrpc::ids::Id;
use polywire_call::Metadata;

/// Metadata name by which a request or a reply asks for a checksum: `crc32c` covers the body,
/// `crc32c-with-attachment` the attachment as well. It is never sent as a user field. A request that arrived
/// with a checksum has this field, so that a proxy that passes metadata on keeps it; a call without this
/// field has no checksum.
pub const CHECKSUM: &str = "x-bd-checksum";

const BODY_ONLY: &[u8] = b"crc32c";
const WITH_ATTACHMENT: &[u8] = b"crc32c-with-attachment";

const REQUEST_ID: &str = "x-request-id";

/// `Protocol::fields`: visits the metadata of a request's meta.
pub(super) fn fields(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
    // A meta that reached a handler was parsed before, so there is nothing to report.
    let _ = meta::visit(raw, &mut |extra| match extra {
        Extra::Id(id) => id.visit(visit),
        Extra::RequestId(id) => visit(REQUEST_ID, id),
        Extra::UserField { key, value } => {
            if let Ok(key) = std::str::from_utf8(key) {
                visit(key, value);
            }
        }
        Extra::Checksum { with_attachment } => {
            visit(CHECKSUM, if with_attachment { WITH_ATTACHMENT } else { BODY_ONLY });
        }
    });
}

/// The user fields of a reply.
#[cold]
pub(super) fn trailers(raw: &[u8]) -> Option<Box<Metadata>> {
    let mut trailers = Metadata::new();
    fields(raw, &mut |name, value| trailers.append(name, value));
    (!trailers.is_empty()).then(|| Box::new(trailers))
}

/// The place of a field in a request's meta.
pub(super) fn place_in_request<'a>(name: &'a str, value: &'a [u8]) -> Extra<'a> {
    if name.eq_ignore_ascii_case(REQUEST_ID) {
        return Extra::RequestId(value);
    }
    Id::of(name, value).map_or_else(|| place_in_reply(name, value), Extra::Id)
}

/// The place of a field in a reply's meta.
pub(super) fn place_in_reply<'a>(name: &'a str, value: &'a [u8]) -> Extra<'a> {
    if !name.eq_ignore_ascii_case(CHECKSUM) {
        return Extra::UserField { key: name.as_bytes(), value };
    }
    Extra::Checksum { with_attachment: value == WITH_ATTACHMENT }
}
