//! The fields of the request that begins a connection, and of its answer.
//!
//! Source: RFC 6455 4.1, 4.2; RFC 8441 5

use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha1_smol::Sha1;

pub const KEY: &str = "sec-websocket-key";
pub const ACCEPT: &str = "sec-websocket-accept";
pub const VERSION: &str = "sec-websocket-version";
pub const PROTOCOL: &str = "sec-websocket-protocol";
pub const EXTENSIONS: &str = "sec-websocket-extensions";
/// The only version.
pub const VERSION_13: &str = "13";
/// The token of `upgrade` and of `:protocol`.
pub const TOKEN: &str = "websocket";

/// The GUID of the handshake, RFC 6455 1.3.
const GUID: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// The value of `sec-websocket-accept` for this key.
pub fn accept(key: &[u8]) -> String {
    let mut digest = Sha1::new(); // it proves nothing: it shows that the answer comes from WebSocket and from no cache
    digest.update(key);
    digest.update(GUID);
    BASE64_STANDARD.encode(digest.digest().bytes())
}

/// The value of `sec-websocket-key` for these random bytes.
pub fn key(random: [u8; 16]) -> String {
    BASE64_STANDARD.encode(random)
}

/// The names in a value of `sec-websocket-protocol`, in order.
pub fn protocols(value: &[u8]) -> impl Iterator<Item = &str> {
    let names = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    names.filter(|name| !name.is_empty()).filter_map(|name| std::str::from_utf8(name).ok())
}

/// Whether a list of tokens, such as a value of `connection`, has this one.
pub fn has_token(value: &[u8], token: &str) -> bool {
    value.split(|&byte| byte == b',').any(|name| name.trim_ascii().eq_ignore_ascii_case(token.as_bytes()))
}

/// The fault in the fields of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wrong {
    /// The version is not supported: status 426.
    Version,
    /// The key is missing or invalid: status 400.
    Key,
}

/// The fields of a request that begins a connection.
#[derive(Default, Debug)]
pub(crate) struct Asked {
    /// The only value of `sec-websocket-key`.
    pub key: Vec<u8>,
    keys: u8,
    version: bool,
    versions: u8,
}

impl Asked {
    pub fn field(&mut self, name: &str, value: &[u8]) {
        if name.eq_ignore_ascii_case(KEY) {
            self.keys = self.keys.saturating_add(1);
            self.key = value.to_vec();
        } else if name.eq_ignore_ascii_case(VERSION) {
            self.versions = self.versions.saturating_add(1);
            self.version = value == VERSION_13.as_bytes();
        }
    }

    /// The fault in the fields, if there is one. `keyed`: the request is HTTP/1, where the key is required.
    pub fn wrong(&self, keyed: bool) -> Option<Wrong> {
        if !self.version || self.versions != 1 {
            return Some(Wrong::Version);
        }
        let decoded = BASE64_STANDARD.decode(&self.key);
        let valid = self.keys == 1 && decoded.is_ok_and(|key| key.len() == 16);
        (keyed && !valid).then_some(Wrong::Key)
    }
}
