//! A message in a query: `?connect=v1&encoding=json&message=%7B%7D`, for calls that change nothing.
//!
//! Source: connectrpc.com/docs/protocol, "Unary-Get-Request".
//! Limits: those of a request line.

use crate::http::dialects::grpc::status::hex;
use base64::{
    Engine,
    alphabet::URL_SAFE,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

pub(super) fn is_call(query: &str) -> bool {
    query.split('&').any(|pair| pair == "connect=v1")
}

/// Value of a key, without its escapes; the first one counts.
pub(crate) fn value(query: &str, key: &str) -> Option<Vec<u8>> {
    let text = query.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='))?;
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        out.push(match (byte, tail) {
            (b'+', _) => b' ',
            (b'%', [high, low, tail @ ..]) => {
                rest = tail;
                hex(*high)? << 4 | hex(*low)?
            }
            (b'%', _) => return None,
            (byte, _) => byte,
        });
    }
    Some(out)
}

/// The message; `None` if there is none, or if it is not base64.
pub(crate) fn message(query: &str) -> Option<Vec<u8>> {
    let message = value(query, "message")?;
    match value(query, "base64").as_deref() {
        Some(b"1") => BASE64.decode(message).ok(),
        _ => Some(message),
    }
}

/// Path and query of a call; the keys in the order that the protocol recommends, so that caches agree.
pub(crate) fn target(path: &[&str], codec: &str, compression: Option<&[u8]>, message: &[u8]) -> String {
    let mut target = path.concat();
    let compression = compression.map(|name| format!("&compression={}", String::from_utf8_lossy(name)));
    target.push_str("?connect=v1&base64=1");
    target.push_str(compression.as_deref().unwrap_or(""));
    target.push_str("&encoding=");
    target.push_str(codec);
    target.push_str("&message=");
    BASE64.encode_string(message, &mut target);
    target
}
