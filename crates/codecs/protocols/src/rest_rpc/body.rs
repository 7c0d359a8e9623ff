//! The parts of bodies besides their values: result codes, and the texts of failures.
//!
//! | | A | B |
//! | --- | --- | --- |
//! | a value | `[0, value]` | `00`, value |
//! | none | `[0]` | `00` |
//! | failure | `[1, "text"]` | code, text |
//!
//! | failure | A | B |
//! | --- | --- | --- |
//! | no function has that id | `unknown function: N` | 1, the same |
//! | a handler failed, or its arguments cannot be read | the text alone | 4, `exception occur when call` and the text |
//! | a handler panicked (INTERNAL) | the text alone | 5, the same |
//! | it was received in B | the text alone | code and text as they came |
//!
//! Source: docs/wire/rest_rpc.md, sections 3 and 4

use super::Format;
use polywire_base::IoBuf;
use polywire_call::{Code, Origin, Status, brpc};
use polywire_formats::msgpack;
use polywire_wire::Outcome;

const NO_SUCH_FUNCTION: u8 = 1;
const FUNCTION_EXCEPTION: u8 = 4;
const FUNCTION_UNKNOWN_EXCEPTION: u8 = 5;

/// "unknown function: N", N being the id in decimal.
const UNKNOWN_FUNCTION: &str = "unknown function: ";
/// The text of the exception follows without a blank.
const EXCEPTION: &str = "exception occur when call";

/// The field of a status that was received in B, with its code: whoever passes it on keeps code and text.
const CODE_FIELD: &str = "rest_rpc-code";

/// Longest text of a failure, so that the reply is not refused itself.
const LONGEST_TEXT: usize = 64 << 10;

/// The bytes before a value, or `none` if the reply has no value.
pub(super) fn before_value(format: Format, none: bool) -> &'static [u8] {
    match (format, none) {
        (Format::A, false) => &[0x92, 0],
        (Format::A, true) => &[0x91, 0],
        (Format::B | Format::CrossB, _) => &[0],
    }
}

/// Encodes a failure. `refused`: the function that admission refused.
pub(super) fn failure(format: Format, status: &Status, refused: Option<u32>) -> Vec<u8> {
    let unknown = refused.filter(|_| status.code() == Code::Unimplemented);
    let (code, text) = match (unknown, received(status), status.code()) {
        (Some(id), ..) => (NO_SUCH_FUNCTION, format!("{UNKNOWN_FUNCTION}{id}")),
        (None, Some(code), _) => (code, status.message().to_owned()),
        (None, None, Code::Internal) => (FUNCTION_UNKNOWN_EXCEPTION, status.message().to_owned()),
        (None, None, _) if format == Format::A => (FUNCTION_EXCEPTION, status.message().to_owned()),
        (None, None, _) => (FUNCTION_EXCEPTION, format!("{EXCEPTION}{}", status.message())),
    };
    let text = polywire_call::bounded(&text, LONGEST_TEXT).as_bytes();
    match format {
        Format::A => {
            let mut body = vec![0x92, 1];
            msgpack::put_str(&mut body, text);
            body
        }
        Format::B | Format::CrossB => [&[code], text].concat(),
    }
}

/// The code that a status was received with.
fn received(status: &Status) -> Option<u8> {
    status.metadata().get_str(CODE_FIELD)?.parse().ok().filter(|code| *code > 0)
}

/// Reads the body of a reply.
pub(super) fn read_reply(format: Format, body: IoBuf) -> Outcome {
    let read = match format {
        Format::A => read_msgpack(body),
        Format::B | Format::CrossB => read_coded(body),
    };
    match read {
        Ok(body) => Outcome { body, content: format.content(), reply: true, ..Outcome::default() },
        Err(status) => Outcome { status, ..Outcome::default() },
    }
}

fn read_msgpack(mut body: IoBuf) -> Result<IoBuf, Status> {
    let front = body.peek(body.len().min(6)).unwrap_or(&[]);
    let unreadable = || brpc::status(brpc::ERESPONSE, "the reply is not [code, value]");
    let (count, head) = msgpack::array_head(front).ok_or_else(unreadable)?;
    let code = *front.get(head).ok_or_else(unreadable)?;
    match (count, code) {
        (1, 0) if body.len() == head + 1 => Ok(IoBuf::new()),
        (2, 0) => {
            body.advance(head + 1);
            Ok(body)
        }
        (2, 1..=0x7f) => {
            let (text, _) = msgpack::take_str(&body.contiguous()[head + 1..]).ok_or_else(unreadable)?;
            let text = String::from_utf8_lossy(text);
            let code = if text.starts_with(UNKNOWN_FUNCTION) { Code::Unimplemented } else { Code::Unknown };
            Err(Status::new(code, text).with_origin(Origin::Remote))
        }
        _ => Err(unreadable()),
    }
}

fn read_coded(mut body: IoBuf) -> Result<IoBuf, Status> {
    let Some(&[code]) = body.peek(1) else {
        return Err(brpc::status(brpc::ERESPONSE, "the reply has no code"));
    };
    body.advance(1);
    let of = match code {
        0 => return Ok(body),
        NO_SUCH_FUNCTION => Code::Unimplemented,
        FUNCTION_UNKNOWN_EXCEPTION => Code::Internal,
        _ => Code::Unknown,
    };
    let text = String::from_utf8_lossy(body.contiguous()).into_owned();
    let status = Status::new(of, text).with_origin(Origin::Remote);
    Err(status.with_metadata(CODE_FIELD, code.to_string()))
}

/// Reads a delivery: the name of its topic, and a value.
pub(super) fn read_delivery(body: &mut IoBuf) -> Option<(Vec<u8>, IoBuf)> {
    let bytes = body.contiguous();
    let (count, head) = msgpack::array_head(bytes)?;
    if count != 3 || *bytes.get(head)? != 0 {
        return None;
    }
    let (name, rest) = msgpack::take_str(&bytes[head + 1..])?;
    let (data, rest) = msgpack::take_str(rest)?;
    if !rest.is_empty() {
        return None;
    }
    let (name, at, length) = (name.to_vec(), bytes.len() - data.len(), data.len());
    let mut value = body.clone();
    value.advance(at);
    value.truncate(length);
    Some((name, value))
}

/// Key and token of a subscription in format A.
pub(super) fn read_subscription(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let (2, head) = msgpack::array_head(body)? else { return None };
    let (key, rest) = msgpack::take_str(&body[head..])?;
    let (token, rest) = msgpack::take_str(rest)?;
    rest.is_empty().then_some((key, token))
}

/// The body of a subscription in format A.
pub(super) fn subscription(key: &[u8], token: &[u8]) -> Vec<u8> {
    let mut body = vec![0x92];
    msgpack::put_str(&mut body, key);
    msgpack::put_str(&mut body, token);
    body
}
