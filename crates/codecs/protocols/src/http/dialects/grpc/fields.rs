//! Fields of the application. Names that end in `-bin` hold bytes, which are sent as base64.
//!
//! Source: docs/wire/grpc.md section 2: "emit unpadded, accept padded and unpadded, split on `,` first".
//!         Connect has the same rule.
//! Limits: those of the head they came in.

use crate::reply_fields::BASE64;
use base64::Engine;
use polywire_call::Metadata;
use std::borrow::Cow;

const SUFFIX: &str = "-bin";

/// Names that only the library writes; "`grpc-` prefix reserved". They are removed from the fields of the
/// application, so that a proxy may pass on all fields that it received.
fn is_reserved(name: &str) -> bool {
    const RESERVED: [&str; 9] = [
        "grpc-timeout",
        "grpc-encoding",
        "grpc-accept-encoding",
        "grpc-status",
        "grpc-message",
        "grpc-status-details-bin",
        "grpc-message-type",
        "connect-protocol-version",
        "connect-timeout-ms",
    ];
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(name))
}

pub(crate) fn is_binary(name: &str) -> bool {
    let at = name.len().wrapping_sub(SUFFIX.len());
    name.get(at..).is_some_and(|end| end.eq_ignore_ascii_case(SUFFIX))
}

/// The fields in the form in which they are sent, which for most fields is unchanged.
pub(crate) fn encoded(fields: &Metadata) -> Cow<'_, Metadata> {
    if fields.iter().all(|(name, _)| !is_binary(name) && !is_reserved(name)) {
        return Cow::Borrowed(fields);
    }
    let mut sent = Metadata::new();
    for (name, value) in fields.iter().filter(|(name, _)| !is_reserved(name)) {
        match is_binary(name) {
            true => sent.append(name, BASE64.encode(value)),
            false => sent.append(name, value),
        }
    }
    Cow::Owned(sent)
}

/// Visits the values of a field as it was received: bytes if the name asks for that. Invalid base64 is left
/// unchanged.
pub(crate) fn decoded(name: &str, value: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
    if !is_binary(name) {
        return visit(name, value);
    }
    for item in value.split(|&b| b == b',') {
        match BASE64.decode(item.trim_ascii()) {
            Ok(bytes) => visit(name, &bytes),
            Err(_) => visit(name, item),
        }
    }
}

/// The first field that cannot be sent, if there is one. Values of `-bin` may hold anything; "ASCII values
/// are 0x20..0x7e".
pub(crate) fn unsendable(fields: &Metadata) -> Option<&str> {
    let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    let bad = |name: &str, value: &[u8]| {
        let named = !name.is_empty() && name.bytes().all(is_name);
        !named || !is_binary(name) && !value.iter().all(|b| (0x20..=0x7e).contains(b))
    };
    let mut fields = fields.iter().filter(|(name, _)| !name.starts_with(':'));
    fields.find(|(name, value)| bad(name, value)).map(|(name, _)| name)
}
