//! How a call by a rule has failed, in the words of gateways: `google.rpc.Status` as JSON.
//!
//! ```text
//! {"code":5,"message":"no such item","details":[]}
//! ```

use crate::{
    Message,
    json::{self, Style},
    rpc,
};
use polywire_call::{Code, Origin, Status};

/// Longest body that is read as a failure, bytes.
pub const LONGEST_FAILURE: usize = 64 << 10;

/// The body of a call that failed. Details of types that are unknown here are left out, all of them.
pub fn failure(status: &Status) -> Vec<u8> {
    let mut body = format!("{{\"code\":{},\"message\":", status.code() as i32).into_bytes();
    json::put_string(&mut body, status.message());
    body.extend_from_slice(b",\"details\":");
    body.extend_from_slice(&details(status).unwrap_or_else(|| b"[]".to_vec()));
    body.push(b'}');
    body
}

fn details(status: &Status) -> Option<Vec<u8>> {
    let schema = rpc::Status::schema();
    let index = schema.fields().iter().position(|field| &*field.name == "details")?;
    json::field_from_wire(schema, index, status.details(), Style::Canonical).ok()
}

/// What the body of a failed call says; `None`: it is something else, or says nothing of a failure.
pub fn read_failure(body: &[u8]) -> Option<Status> {
    if body.len() > LONGEST_FAILURE {
        return None;
    }
    let wire = json::to_wire(rpc::Status::schema(), body, Style::Canonical).ok()?.wire;
    let said = rpc::Status::from_wire(&wire).ok()?;
    let code = Code::ALL.into_iter().find(|code| *code as i32 == said.code && *code != Code::Ok)?;
    let status = Status::new(code, said.message).with_origin(Origin::Remote);
    Some(if said.details.is_empty() { status } else { status.with_details(wire) })
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
