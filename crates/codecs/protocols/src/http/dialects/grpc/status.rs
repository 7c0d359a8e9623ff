//! The status of a call: `grpc-status`, `grpc-message`, `grpc-status-details-bin`.
//!
//! Source: docs/wire/grpc.md section 2, docs/wire/errors.md; grpc/grpc doc/http-grpc-status-mapping.md.
//!
//! A status keeps its code. If it came with a brpc number, it has the code of brpc's own table
//! (`polywire_call::brpc`), and an application's own number is in a field beside it.

use super::{super::code_of, fields};
use crate::http::{ERROR_CODE_FIELD, framing::Own, status};
use crate::reply_fields::BASE64;
use base64::Engine;
use polywire_call::{Code, Metadata, Native, Origin, Status};

const STATUS: &str = "grpc-status";
const MESSAGE: &str = "grpc-message";
const DETAILS: &str = "grpc-status-details-bin";

/// The fields of a successful call.
pub(crate) const OK: Own<'static> = &[(STATUS, b"0")];

/// The fields of a failure, ready to be sent.
pub(crate) struct Failure {
    fields: [(&'static str, Vec<u8>); 4],
}

impl Failure {
    #[cold]
    pub fn of(status: &Status) -> Failure {
        let number = (status.code() as u8).to_string().into_bytes();
        let details = match status.details() {
            [] => Vec::new(),
            details => BASE64.encode(details).into_bytes(),
        };
        let own = status::own_number(status).map(|own| own.to_string().into_bytes()).unwrap_or_default();
        let message = percent(status.message());
        Failure {
            fields: [(STATUS, number), (MESSAGE, message), (DETAILS, details), (ERROR_CODE_FIELD, own)],
        }
    }

    /// The fields that are not empty.
    pub fn fields(&self) -> Vec<(&'static str, &[u8])> {
        let said = self.fields.iter().filter(|(_, value)| !value.is_empty());
        said.map(|(name, value)| (*name, &value[..])).collect()
    }
}

/// The fields at the end of a call, as they are received.
#[derive(Default, Debug)]
pub(crate) struct Trailers {
    /// The code; `None` if it has not arrived.
    code: Option<Code>,
    message: String,
    details: Vec<u8>,
    /// The fields of the trailers that are the application's, without those of gRPC.
    pub fields: Metadata,
}

impl Trailers {
    pub fn take(&mut self, name: &str, value: &[u8]) {
        if name.eq_ignore_ascii_case(STATUS) {
            self.code = Some(code(value));
        } else if name.eq_ignore_ascii_case(MESSAGE) {
            self.message = unpercent(value);
        } else if name.eq_ignore_ascii_case(DETAILS) {
            self.details = BASE64.decode(value).unwrap_or_default();
        } else {
            fields::decoded(name, value, &mut |name, value| self.fields.append(name, value));
        }
    }

    /// The status of the call; `None` if none of the fields had it.
    pub fn status(&mut self) -> Option<Status> {
        let code = self.code?;
        if code == Code::Ok {
            return Some(Status::OK);
        }
        let status = Status::new(code, std::mem::take(&mut self.message)).with_origin(Origin::Remote);
        let status = status::with_own_number(status, self.fields.get(ERROR_CODE_FIELD));
        Some(match self.details.is_empty() {
            true => status,
            false => status.with_details(std::mem::take(&mut self.details)),
        })
    }
}

/// "bad grpc-status text 2", and so is a number beyond 16.
fn code(value: &[u8]) -> Code {
    let number = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
    number.and_then(code_of).unwrap_or(Code::Unknown)
}

/// The status of a call whose reply had this HTTP status and no `grpc-status`.
#[cold]
pub(crate) fn of_http(status: u16) -> Status {
    let code = match status {
        400 => Code::Internal,
        401 => Code::Unauthenticated,
        403 => Code::PermissionDenied,
        404 => Code::Unimplemented,
        429 | 502..=504 => Code::Unavailable,
        _ => Code::Unknown,
    };
    let text = match status {
        200 => "the reply ended without grpc-status".to_owned(),
        other => format!("HTTP status {other} in place of a reply"),
    };
    let status_of_call = Status::new(code, text).with_origin(Origin::Remote);
    if status == 200 { status_of_call } else { status_of_call.with_native(Native::Http(status)) }
}

/// "bytes 0x20..0x24 and 0x26..0x7e stay, others `%XX` upper-case". Spaces at the ends are written as `%20`,
/// because readers of a field strip spaces.
fn percent(message: &str) -> Vec<u8> {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let bytes = message.as_bytes();
    let inner = bytes.len() - bytes.trim_ascii_start().len()..bytes.trim_ascii_end().len();
    let mut out = Vec::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        if matches!(byte, 0x20..=0x24 | 0x26..=0x7e) && (byte != b' ' || inner.contains(&at)) {
            out.push(byte);
        } else {
            out.extend_from_slice(&[b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
    }
    out
}

/// "A decoder leaves broken escapes alone and never fails."
fn unpercent(value: &[u8]) -> String {
    let mut out = Vec::with_capacity(value.len());
    let mut rest = value;
    while let Some((&byte, tail)) = rest.split_first() {
        let escaped = match (byte, tail) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        match escaped {
            Some(byte) => {
                out.push(byte);
                rest = &tail[2..];
            }
            None => {
                out.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned())
}

pub(in crate::http::dialects) fn hex(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).map(|value| value as u8)
}
