//! The fields of a request: what its head has, and the name of its message.
//!
//! ```text
//!  0         8        9
//!  +---------+--------+---- - - ----+
//!  | log id  | relays | name, NUL   |     each part only if it, or one behind it, is there
//!  +---------+--------+---- - - ----+
//!   u64 LE    u8       bytes
//! ```
//!
//! That is the raw form of a request's metadata. `relays` is the number of relays that it has passed. Most of
//! these frames have no place for it but the provider: a text that says who calls, and that servers log.

use super::Head;
use polywire_call::Metadata;
use polywire_wire::RELAYS;

const LOG_ID: &str = "log-id";
/// The name of a message, of those protocols that have one.
pub(crate) const REQUEST_NAME: &str = "x-bd-idl-request";

/// Beginning of the provider of a request that has passed relays; a digit follows, their number.
const PROVIDER: [u8; 15] = *b"polywire-relay-";

/// `Protocol::fields`: the raw form is above.
pub(super) fn visit(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
    let Some((log_id, rest)) = raw.split_first_chunk() else { return };
    let mut digits = itoa::Buffer::new();
    match u64::from_le_bytes(*log_id) {
        0 => {}
        log_id => visit(LOG_ID, digits.format(log_id).as_bytes()),
    }
    let Some((relays, name)) = rest.split_first() else { return };
    if *relays != 0 {
        visit(RELAYS, digits.format(*relays).as_bytes());
    }
    if let Some((_, name)) = name.split_last() {
        visit(REQUEST_NAME, name);
    }
}

/// Begins the raw form of a request with this log id.
pub(super) fn begin(raw: &mut Vec<u8>, log_id: u64) {
    raw.clear();
    if log_id != 0 {
        raw.extend_from_slice(&log_id.to_le_bytes());
    }
}

/// Adds the number of relays, if the head has one.
#[inline]
pub(super) fn put_relays_of(raw: &mut Vec<u8>, head: &Head) {
    let [begin @ .., digit] = &head.provider;
    if *begin == PROVIDER && matches!(digit, b'1'..=b'9') {
        put_relays(raw, digit - b'0');
    }
}

/// Adds this number of relays, before a name.
pub(crate) fn put_relays(raw: &mut Vec<u8>, relays: u8) {
    raw.resize(8, 0);
    raw.push(relays);
}

/// Adds the name of the message.
#[cfg(feature = "mcpack")]
pub(crate) fn put_name(raw: &mut Vec<u8>, name: &[u8]) {
    raw.resize(raw.len().max(9), 0);
    raw.extend_from_slice(name);
    raw.push(0);
}

/// The log id in a call's metadata, as a head carries it: "call log id (low 32 bits), 0 if none".
pub(crate) fn log_id(metadata: &Metadata) -> u32 {
    log_id_of(metadata).unwrap_or(0) as u32
}

/// The log id in a call's metadata.
pub(crate) fn log_id_of(metadata: &Metadata) -> Option<u64> {
    metadata.get_str(LOG_ID)?.parse().ok()
}

/// The provider of a request with this metadata.
pub(crate) fn provider(metadata: &Metadata) -> [u8; 16] {
    let mut provider = [0; 16];
    if let Some([digit @ b'1'..=b'9']) = metadata.get(RELAYS) {
        provider[..15].copy_from_slice(&PROVIDER);
        provider[15] = *digit;
    }
    provider
}
