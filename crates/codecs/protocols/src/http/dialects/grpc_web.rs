//! grpc-web: gRPC for clients that cannot read trailers. A last envelope takes their place, with
//! `name: value` lines in its body.
//!
//! ```text
//!  00 00 00 00 0d  message  80 00 00 00 10  grpc-status: 0\r\n
//! ```
//!
//! The text form is the same in base64, "in pieces, each padded: decode in groups of 4 and continue after
//! padding".
//!
//! Source: docs/wire/grpc.md section 4; grpc/grpc doc/PROTOCOL-WEB.md. Fields about compression are those of
//!         gRPC.
//! Limits: a last envelope has at most [`MAX_END`] bytes.

use super::grpc::status::{Trailers, of_http};
use crate::http::framing::Own;
use base64::{Engine, engine::general_purpose::STANDARD};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Status};

/// Longest envelope that ends a body, in bytes: the limit of a head.
pub(crate) const MAX_END: usize = 64 << 10;

/// The body of the last envelope.
pub(crate) fn end(own: Own<'_>, fields: Option<&Metadata>) -> Vec<u8> {
    let mut text = Vec::with_capacity(64);
    let mut line = |name: &str, value: &[u8]| {
        text.extend(name.bytes().map(|b| b.to_ascii_lowercase()));
        text.extend_from_slice(b": ");
        text.extend_from_slice(value);
        text.extend_from_slice(b"\r\n");
    };
    own.iter().for_each(|(name, value)| line(name, value));
    if let Some(fields) = fields {
        fields.iter().filter(|(name, _)| !name.starts_with(':')).for_each(|(name, value)| line(name, value));
    }
    text
}

/// The status and the trailers of a call whose last envelope had this body.
pub(crate) fn ended(text: &[u8]) -> (Status, Metadata) {
    let mut trailers = Trailers::default();
    read_end(text, &mut trailers);
    let status = trailers.status().unwrap_or_else(|| of_http(200));
    (status, trailers.fields)
}

/// Lines without a colon are skipped.
fn read_end(text: &[u8], trailers: &mut Trailers) {
    for line in text.split(|&b| b == b'\n') {
        let Some(colon) = line.iter().position(|&b| b == b':') else { continue };
        let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        if let Ok(name) = std::str::from_utf8(name) {
            trailers.take(name, value);
        }
    }
}

/// A prefix and the bytes after it in base64: one padded piece.
pub(crate) fn text_of(prefix: &[u8], bytes: &IoBuf) -> IoBuf {
    let whole: Vec<u8> = prefix.iter().copied().chain(bytes.to_vec()).collect();
    STANDARD.encode(whole).into_bytes().into()
}

/// Base64 that arrives in pieces: the characters of an incomplete group of four.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Carry {
    digits: [u8; 4],
    len: u8,
}

impl Carry {
    /// The bytes that are complete now.
    ///
    /// # Errors
    /// The text is not base64.
    pub fn decode(&mut self, text: &IoBuf) -> Result<Vec<u8>, ()> {
        let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
        for &digit in text.segments().flat_map(|segment| segment.iter()) {
            self.digits[usize::from(self.len)] = digit;
            self.len += 1;
            if self.len == 4 {
                self.len = 0;
                STANDARD.decode_vec(self.digits, &mut out).map_err(drop)?;
            }
        }
        Ok(out)
    }

    /// Number of characters of an incomplete group.
    pub fn len(&self) -> usize {
        self.len.into()
    }

    /// Whether a group has begun and is not complete.
    pub fn is_open(&self) -> bool {
        self.len > 0
    }
}
