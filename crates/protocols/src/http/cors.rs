//! CORS: the fields by which browsers learn what pages of other origins may do.
//!
//! A page may send a request of gRPC or JSON to another origin only after that has said so (a "preflight"). No page is
//! let in unless the server names origins: else any page in a colleague's browser could call what is behind a firewall.
//!
//! Source: docs/wire/grpc.md section 4; fetch.spec.whatwg.org section 3.3.

use super::framing::{HeadBlock, Known};
use polywire_wire::Origins;

/// How long a browser remembers the answer, in seconds; the most that Chromium does.
const REMEMBER: &[u8] = b"7200";

/// What a request says of where it comes from.
#[derive(Default)]
pub(crate) struct Asked {
    pub origin: Vec<u8>,
    /// It only asks whether another may follow, with these fields.
    pub preflight: Option<Vec<u8>>,
}

impl Asked {
    /// `None`: it comes from no page, or from one that is not let in.
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

    /// Fields of the answer to a preflight.
    pub fn answer(&self) -> [(&'static str, &[u8]); 5] {
        [
            ("access-control-allow-origin", &self.origin),
            ("access-control-allow-methods", b"GET, POST, PUT, PATCH, DELETE"),
            ("access-control-allow-headers", self.preflight.as_deref().unwrap_or(b"")),
            ("access-control-max-age", REMEMBER),
            ("vary", b"origin"),
        ]
    }

    /// Fields beside every other reply.
    pub fn beside(&self) -> [(&'static str, &[u8]); 3] {
        [
            ("access-control-allow-origin", &self.origin),
            ("access-control-expose-headers", b"*, grpc-status, grpc-message, grpc-status-details-bin"),
            ("vary", b"origin"),
        ]
    }
}
