//! The body of a failed call over plain HTTP: `google.rpc.Status` as JSON, as other gateways write it.
//!
//! ```text
//! {"code":5,"message":"no such item","details":[]}
//! ```
//!
//! grpc-gateway wraps the object for methods that answer with streams: `{"error":{"code":5,…}}`.

use crate::{
    Message, compression,
    json::{self, Style},
    protobuf::wire::Reader,
    rpc,
};
use polywire_base::IoBuf;
use polywire_call::{Code, Compression, Origin, Status};

/// Longest body that is read as a failure, bytes.
pub const LONGEST_FAILURE: usize = 64 << 10;

/// The body for a call that failed. A detail becomes JSON if its type belongs to `google.rpc` or
/// `google.protobuf`; other details are left out.
pub fn failure(status: &Status) -> Vec<u8> {
    let mut body = format!("{{\"code\":{},\"message\":", status.code() as i32).into_bytes();
    json::put_string(&mut body, status.message());
    body.extend_from_slice(b",\"details\":");
    body.extend_from_slice(&details(status));
    body.push(b'}');
    body
}

/// The details as a JSON array.
fn details(status: &Status) -> Vec<u8> {
    let schema = rpc::Status::schema();
    let index = schema.fields().iter().position(|field| &*field.name == "details");
    let index = index.expect("google.rpc.Status has the field");
    let (wire, number) = (status.details(), schema.field(index).number);
    let (mut reader, mut details) = (Reader::new(wire), b"[".to_vec());
    loop {
        let before = reader.remaining();
        let Ok(Some(raw)) = reader.field() else { break };
        if raw.number != number {
            continue;
        }
        let one = &wire[wire.len() - before..wire.len() - reader.remaining()];
        let Ok(json) = json::field_from_wire(schema, index, one, Style::Canonical, usize::MAX) else {
            continue;
        };
        let Some(json) = json.strip_prefix(b"[").and_then(|json| json.strip_suffix(b"]")) else { continue };
        if details.len() > 1 {
            details.push(b',');
        }
        details.extend_from_slice(json);
    }
    details.push(b']');
    details
}

/// The status in the body of a failed call; `None` if the body holds no status.
pub fn read_failure(body: &[u8]) -> Option<Status> {
    if body.len() > LONGEST_FAILURE {
        return None;
    }
    let body = only_member(body, "error").unwrap_or(body);
    let wire = json::to_wire(rpc::Status::schema(), body, Style::Canonical).ok()?.wire;
    let said = rpc::Status::from_wire(&wire).ok()?;
    let code = Code::ALL.into_iter().find(|code| *code as i32 == said.code && *code != Code::Ok)?;
    let status = Status::new(code, said.message).with_origin(Origin::Remote);
    Some(if said.details.is_empty() { status } else { status.with_details(wire) })
}

/// Adds the details in the body of a failed call to the status from the head of the reply.
///
/// A body that cannot be decompressed or read adds nothing. `most`: longest body in bytes.
pub fn explained(status: Status, body: IoBuf, compression: Compression, most: usize) -> Status {
    let body = compression::decompress(compression, body, most.min(LONGEST_FAILURE));
    let said = body.ok().and_then(|mut body| read_failure(body.contiguous()));
    let Some(said) = said else { return status };
    // A polywire server also sends the code, and whether the call may be tried again, in fields of the head.
    if status.code() == said.code() {
        let status = status.with_message(said.message());
        let has_more = status.details().is_empty() && !said.details().is_empty();
        return if has_more { status.with_details(said.details().to_vec()) } else { status };
    }
    said.with_native(status.native())
}

/// The value of the only member of a JSON object if that member has this name. The value is not checked.
pub fn only_member<'a>(json: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let inside = json.trim_ascii().strip_prefix(b"{")?.strip_suffix(b"}")?.trim_ascii_start();
    let after = inside.strip_prefix(b"\"")?.strip_prefix(name.as_bytes())?.strip_prefix(b"\"")?;
    Some(after.trim_ascii_start().strip_prefix(b":")?.trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::{ErrorDetails, ErrorInfo};

    #[test]
    fn a_failure_is_what_gateways_say() {
        let status = Status::not_found("no \"tea\"");
        let body = br#"{"code":5,"message":"no \"tea\"","details":[]}"#;
        assert_eq!(failure(&status), body);
        let back = read_failure(body).unwrap();
        assert_eq!(
            (back.code(), back.message(), back.origin()),
            (Code::NotFound, "no \"tea\"", Origin::Remote)
        );
    }

    #[test]
    fn details_travel_as_json() {
        let info = ErrorInfo { reason: "OLD".into(), ..Default::default() };
        let body = failure(&Status::aborted("x").with_error_detail(&info));
        let text = String::from_utf8(body.clone()).unwrap();
        assert!(text.contains(r#""@type":"type.googleapis.com/google.rpc.ErrorInfo""#), "{text}");
        assert_eq!(read_failure(&body).unwrap().error_detail::<ErrorInfo>().unwrap().reason, "OLD");
    }

    #[test]
    fn a_detail_of_another_type_is_left_out_alone() {
        let [old, new] =
            ["OLD", "NEW"].map(|reason| ErrorInfo { reason: reason.into(), ..Default::default() });
        let unknown = crate::rest::HttpBody { content_type: "text/plain".into(), ..Default::default() };
        let status = Status::aborted("x").with_error_detail(&old).with_error_detail(&unknown);
        let body = String::from_utf8(failure(&status.with_error_detail(&new))).unwrap();
        let detail =
            |reason| format!(r#"{{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"{reason}"}}"#);
        let expected = format!(r#""details":[{},{}]}}"#, detail("OLD"), detail("NEW"));
        assert!(body.ends_with(&expected), "{body}");
        let status = Status::aborted("x").with_details(b"\xff".to_vec());
        assert_eq!(failure(&status), br#"{"code":10,"message":"x","details":[]}"#);
    }

    #[test]
    fn the_failure_of_a_stream_is_wrapped() {
        let back = read_failure(b" { \"error\" : {\"code\":5,\"message\":\"no tea\"} }\n").unwrap();
        assert_eq!((back.code(), back.message()), (Code::NotFound, "no tea"));
        assert_eq!(only_member(br#"{"result":{"a":1}}"#, "result"), Some(&br#"{"a":1}"#[..]));
        for other in [r#"{"results":1}"#, r#"{"a":1}"#, r#""result":1"#, "{}", r#"{"result"}"#] {
            assert_eq!(only_member(other.as_bytes(), "result"), None, "{other}");
        }
    }

    #[test]
    fn other_bodies_are_no_failures() {
        for body in ["", "{}", "not found", r#"{"code":0}"#, r#"{"code":17}"#, r#"{"code":"x"}"#, "[]"] {
            assert!(read_failure(body.as_bytes()).is_none(), "{body}");
        }
        assert!(
            read_failure(format!(r#"{{"code":5,"message":"{}"}}"#, "a".repeat(LONGEST_FAILURE)).as_bytes())
                .is_none()
        );
    }
}
