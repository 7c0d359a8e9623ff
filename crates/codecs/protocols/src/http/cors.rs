//! CORS: the fields that inform browsers of the rights of other origins' pages.
//!
//! Before a page may send a gRPC or JSON request to another origin, the browser asks that origin in a
//! "preflight". All pages are refused unless the server lists their origins: otherwise any page in a browser
//! inside a network could call servers behind its firewall.
//!
//! Source: docs/wire/grpc.md section 4; fetch.spec.whatwg.org section 3.3.

use super::framing::{HeadBlock, Known};
use polywire_wire::Origins;

/// How long a browser caches the answer, in seconds: Chromium's maximum.
const REMEMBER: &[u8] = b"7200";

/// The origin of a request, and the fields of a preflight request.
#[derive(Default)]
pub(crate) struct Asked {
    pub origin: Vec<u8>,
    /// Set for a preflight request, which asks whether a request with these fields may follow.
    pub preflight: Option<Vec<u8>>,
}

impl Asked {
    /// `None`: the request does not come from a page, or from one that is not allowed.
    #[cold]
    pub fn of(
        origins: &Origins,
        head: &HeadBlock,
        fields: fn(&[u8], &mut dyn FnMut(&str, &[u8])),
    ) -> Option<Asked> {
        let origin = head.known(Known::Origin).filter(|_| !head.is_repeated(Known::Origin));
        let origin = origin.filter(|origin| origins.allows(origin))?.to_vec();
        let (mut method, mut headers) = (false, Vec::new());
        fields(&head.raw, &mut |name, value| {
            if name.eq_ignore_ascii_case("access-control-request-method") {
                method = true;
            } else if name.eq_ignore_ascii_case("access-control-request-headers") {
                headers = value.to_vec();
            }
        });
        let preflight = (method && head.verb() == "OPTIONS").then_some(headers);
        Some(Asked { origin, preflight })
    }

    /// Fields of the reply to a preflight request.
    pub fn answer(&self) -> [(&'static str, &[u8]); 5] {
        [
            ("access-control-allow-origin", &self.origin),
            ("access-control-allow-methods", b"GET, POST, PUT, PATCH, DELETE"),
            ("access-control-allow-headers", self.preflight.as_deref().unwrap_or(b"")),
            ("access-control-max-age", REMEMBER),
            ("vary", b"origin"),
        ]
    }

    /// Fields that are added to every other reply.
    pub fn beside(&self) -> [(&'static str, &[u8]); 3] {
        [
            ("access-control-allow-origin", &self.origin),
            ("access-control-expose-headers", b"*, grpc-status, grpc-message, grpc-status-details-bin"),
            ("vary", b"origin"),
        ]
    }
}
