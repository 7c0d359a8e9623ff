//! `google.api.HttpBody`: a message that holds the bytes of a request's or reply's body and their content
//! type.

use crate::{protobuf::wire::put_varint, schema::MessageSchema};

#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, rustdoc::all)]
mod generated {
    include!("generated/google.api.rs");
}

pub use generated::HttpBody;

/// Whether a message is a `google.api.HttpBody`: the type of this crate, or one that other generated code
/// has.
pub(super) fn is_http_body(schema: MessageSchema<'_>) -> bool {
    schema.full_name() == "google.api.HttpBody"
}

/// The message in protobuf. The data is copied once.
pub(super) fn http_body(content_type: &str, data: &[u8]) -> Vec<u8> {
    let mut wire = Vec::with_capacity(content_type.len() + data.len() + 16);
    for (number, bytes) in [(1, content_type.as_bytes()), (2, data)] {
        if !bytes.is_empty() {
            put_piece(&mut wire, number, bytes);
        }
    }
    wire
}

/// Appends a length-delimited field: a string, bytes or a message.
pub(super) fn put_piece(wire: &mut Vec<u8>, number: u32, bytes: &[u8]) {
    put_varint(wire, u64::from(number) << 3 | 2);
    put_varint(wire, bytes.len() as u64);
    wire.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Message;

    #[test]
    fn the_message_is_written_by_hand_as_it_is_generated() {
        for (content_type, data) in [("text/html", &b"<p>"[..]), ("", b"x"), ("a/b", b""), ("", b"")] {
            let body =
                HttpBody { content_type: content_type.into(), data: data.into(), ..Default::default() };
            assert_eq!(http_body(content_type, data), body.to_wire().unwrap());
        }
        assert!(is_http_body(HttpBody::schema()));
    }
}
