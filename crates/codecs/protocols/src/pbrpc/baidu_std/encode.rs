//! Writes requests and replies. Those that have nothing rare are laid out at once, since their lengths are
//! known; all others are written field by field.
//!
//! Source: docs/wire/baidu_std.md, "What brpc actually writes": fields 3, 10, 11 and 12 are there even when
//!         empty.

use super::checksum::{CRC32C, digest};
use super::dialect::Prpc;
use super::fields::{place_in_reply, place_in_request};
use super::meta::{Extra, entry_tag, request_tag, response_tag, tag};
use crate::brpc_error;
use crate::pbrpc::encode::{attachment_size, begin, finish};
use crate::pbrpc::ids::Id;
use crate::pbrpc::streaming_rpc::Settings;
use crate::pbrpc::{Dialect, TooLong};
use crate::protobuf::{VARINT_END, Writer, field_bytes, short_varint, varint_bytes};
use crate::reply_fields;
use polywire_base::{IoBuf, Output};
use polywire_call::{Metadata, Status, brpc};
use polywire_wire::{Compression, Content, Outcome, Outgoing};
use std::time::Duration;

/// The most bytes of the names in a usual request: the length of what has them is one byte.
const USUAL_NAMES: usize = 100;
/// The longest payload of a usual frame, in bytes: its length and that of its meta are four bytes together.
const USUAL_PAYLOAD: usize = 1 << 30;

/// Whether a frame has none of the numbers that would not be in its usual place.
#[inline]
fn is_usual(correlation_id: u64, compression: Compression, attachment: u32, payload: &IoBuf) -> bool {
    correlation_id < VARINT_END && compression.0 < 0x80 && attachment == 0 && payload.len() <= USUAL_PAYLOAD
}

/// Appends a request. Hot at the client. `streams`: the settings of the streams that it offers.
#[inline]
pub(crate) fn request(
    out: &mut Output,
    correlation_id: u64,
    credential: &[u8],
    call: &Outgoing<'_>,
    streams: Option<&Settings>,
) -> Result<(), TooLong> {
    let (service, method) = (call.service.as_bytes(), call.method.as_bytes());
    let names = service.len() + method.len();
    let fits_layout = is_usual(correlation_id, call.compression, call.attachment, call.body)
        && call.metadata.is_empty()
        && credential.is_empty()
        && streams.is_none()
        && names <= USUAL_NAMES;
    if !fits_layout {
        return unusual_request(out, correlation_id, credential, call, streams);
    }
    let (id, id_bytes) = short_varint(correlation_id);
    let (timeout, timeout_bytes) = call.timeout.map_or(([0; 8], 0), |left| {
        let (ms, bytes) = short_varint(milliseconds(left));
        (ms, 1 + bytes)
    });
    let request_bytes = 4 + names + timeout_bytes;
    let meta_bytes = 2 + request_bytes + 3 + id_bytes + 6;

    let tail = out.tail();
    let start = tail.len();
    tail.resize(start + names + 64, 0);
    let (front, rest) = open_frame(&mut tail[start..], meta_bytes, call.body);
    *front = [tag::REQUEST, request_bytes as u8, request_tag::SERVICE_NAME, service.len() as u8];
    let (place, rest) = rest.split_at_mut(service.len());
    place.copy_from_slice(service);
    let (front, rest) = rest.split_first_chunk_mut().expect("there is room");
    *front = [request_tag::METHOD_NAME, method.len() as u8];
    let (place, rest) = rest.split_at_mut(method.len());
    place.copy_from_slice(method);
    let rest: &mut [u8; 32] = rest.first_chunk_mut().expect("there is room");
    rest[0] = request_tag::TIMEOUT_MS; // without one it is overwritten
    put(rest, 1, timeout);
    put(rest, timeout_bytes, [tag::COMPRESS_TYPE, call.compression.0, tag::CORRELATION_ID]);
    put(rest, timeout_bytes + 3, id);
    put(rest, timeout_bytes + 3 + id_bytes, content_and_no_checksum(call.content));
    tail.truncate(start + Prpc::HEADER_BYTES + meta_bytes);
    out.share(call.body);
    Ok(())
}

/// Fills in the header of a frame, and returns what comes first after it, and the rest.
#[inline]
fn open_frame<'f, const N: usize>(
    frame: &'f mut [u8],
    meta_bytes: usize,
    payload: &IoBuf,
) -> (&'f mut [u8; N], &'f mut [u8]) {
    let (header, rest) = frame.split_first_chunk_mut::<{ Prpc::HEADER_BYTES }>().expect("there is room");
    *header.first_chunk_mut().expect("a header is longer than its magic") = *Prpc::MAGIC;
    Prpc::put_header(header, meta_bytes as u32, payload.len() as u32);
    rest.split_first_chunk_mut().expect("there is room")
}

#[inline]
fn put<const N: usize>(to: &mut [u8; 32], at: usize, bytes: [u8; N]) {
    *to[at..].first_chunk_mut().expect("there is room") = bytes;
}

#[cold]
fn unusual_request(
    out: &mut Output,
    correlation_id: u64,
    credential: &[u8],
    call: &Outgoing<'_>,
    streams: Option<&Settings>,
) -> Result<(), TooLong> {
    let extras = Extras::of(call.metadata, place_in_request);
    let extras = extras.as_ref();
    // Zero would mean that there is no limit, so less than a millisecond counts as one.
    let timeout_ms = call.timeout.map(milliseconds);
    let attachment = attachment_size(call.attachment, call.body);

    let start = out.tail().len();
    let mut meta = begin::<Prpc>(out.tail(), call.service.len() + call.method.len());
    let request_bytes = field_bytes(call.service.len())
        + field_bytes(call.method.len())
        + extras.map_or(0, Extras::id_bytes)
        + timeout_ms.map_or(0, |ms| 1 + varint_bytes(ms));
    meta.int(tag::REQUEST, request_bytes as u64);
    meta.text(request_tag::SERVICE_NAME, call.service.as_bytes());
    meta.text(request_tag::METHOD_NAME, call.method.as_bytes());
    if let Some(extras) = extras {
        extras.put_ids(&mut meta);
    }
    if let Some(ms) = timeout_ms {
        meta.int(request_tag::TIMEOUT_MS, ms);
    }
    meta.int(tag::COMPRESS_TYPE, compress_type(call.compression));
    meta.int(tag::CORRELATION_ID, correlation_id);
    if attachment > 0 {
        meta.int(tag::ATTACHMENT_SIZE, u64::from(attachment));
    }
    if !credential.is_empty() {
        meta.text(tag::AUTHENTICATION_DATA, credential);
    }
    if let Some(settings) = streams {
        meta.text(tag::STREAM_SETTINGS, &settings.encode());
    }
    put_user_fields(&mut meta, call.metadata, place_in_request);
    put_content_and_checksum(&mut meta, call.content, extras, call.body, attachment);
    finish::<Prpc>(meta.end(), start, call.body)?;
    out.share(call.body);
    Ok(())
}

/// Appends the reply of a call that succeeded. Hot at the server. `streams`: the settings of the streams that
/// it accepts.
#[inline]
pub(crate) fn reply(
    out: &mut Output,
    correlation_id: u64,
    outcome: &Outcome,
    streams: Option<&Settings>,
) -> Result<(), TooLong> {
    let fits_layout = is_usual(correlation_id, outcome.compression, outcome.attachment, &outcome.body)
        && outcome.trailers.is_none()
        && streams.is_none();
    if !fits_layout {
        return unusual_reply(out, correlation_id, outcome, streams);
    }
    let (id, id_bytes) = short_varint(correlation_id);
    let meta_bytes = 7 + id_bytes + 6;
    let tail = out.tail();
    let start = tail.len();
    tail.resize(start + 64, 0);
    let (front, rest) = open_frame(&mut tail[start..], meta_bytes, &outcome.body);
    *front = [tag::RESPONSE, 2, response_tag::ERROR_CODE, 0];
    let rest: &mut [u8; 32] = rest.first_chunk_mut().expect("there is room");
    put(rest, 0, [tag::COMPRESS_TYPE, outcome.compression.0, tag::CORRELATION_ID]);
    put(rest, 3, id);
    put(rest, 3 + id_bytes, content_and_no_checksum(outcome.content));
    tail.truncate(start + Prpc::HEADER_BYTES + meta_bytes);
    out.share(&outcome.body);
    Ok(())
}

#[cold]
fn unusual_reply(
    out: &mut Output,
    correlation_id: u64,
    outcome: &Outcome,
    streams: Option<&Settings>,
) -> Result<(), TooLong> {
    let nothing = Metadata::new();
    let trailers = outcome.trailers.as_deref().unwrap_or(&nothing);
    let extras = Extras::of(trailers, place_in_reply);
    let extras = extras.as_ref();
    let attachment = attachment_size(outcome.attachment, &outcome.body);

    let start = out.tail().len();
    let mut meta = begin::<Prpc>(out.tail(), 0);
    meta.put([tag::RESPONSE, 2, response_tag::ERROR_CODE, 0]);
    meta.int(tag::COMPRESS_TYPE, compress_type(outcome.compression));
    meta.int(tag::CORRELATION_ID, correlation_id);
    if attachment > 0 {
        meta.int(tag::ATTACHMENT_SIZE, u64::from(attachment));
    }
    if let Some(settings) = streams {
        meta.text(tag::STREAM_SETTINGS, &settings.encode());
    }
    put_user_fields(&mut meta, trailers, place_in_reply);
    put_content_and_checksum(&mut meta, outcome.content, extras, &outcome.body, attachment);
    finish::<Prpc>(meta.end(), start, &outcome.body)?;
    out.share(&outcome.body);
    Ok(())
}

/// Appends the reply of a call that failed: "meta only, no body, no attachment". User fields travel with it.
#[cold]
pub(crate) fn failure(
    out: &mut Output,
    correlation_id: u64,
    status: &Status,
    trailers: Option<&Metadata>,
) -> Result<(), TooLong> {
    let start = out.tail().len();
    let mut meta = begin::<Prpc>(out.tail(), 0);
    put_error(&mut meta, error_code(status), status.message());
    meta.int(tag::COMPRESS_TYPE, 0);
    meta.int(tag::CORRELATION_ID, correlation_id);
    let fields = reply_fields::of_failure(error_code(status), status, trailers);
    put_user_fields(&mut meta, &fields, place_in_reply);
    put_content_and_checksum(&mut meta, Content::PROTOBUF, None, &IoBuf::new(), 0);
    finish::<Prpc>(meta.end(), start, &IoBuf::new())
}

/// Appends the answer to a credential that was turned down: "only fields 2 and 4".
#[cold]
pub(super) fn unauthenticated(out: &mut Output, correlation_id: u64, why: &Status) {
    let status = brpc_error::unauthenticated(why);
    let start = out.tail().len();
    let mut meta = begin::<Prpc>(out.tail(), 0);
    put_error(&mut meta, error_code(&status), status.message());
    meta.int(tag::CORRELATION_ID, correlation_id);
    finish::<Prpc>(meta.end(), start, &IoBuf::new()).expect("a bounded text and a number");
}

/// `timeout_ms`, 1 to 2^31 - 1.
#[inline]
fn milliseconds(left: Duration) -> u64 {
    let whole = left.as_secs().min(i32::MAX as u64) * 1000 + u64::from(left.subsec_millis());
    whole.clamp(1, i32::MAX as u64)
}

/// "A handler failure without a code (-1) is sent as 2001 EINTERNAL."
fn error_code(status: &Status) -> i32 {
    match brpc::number(status) {
        -1 | 0 => brpc::EINTERNAL,
        number => number,
    }
}

fn put_error(meta: &mut Writer<'_>, code: i32, text: &str) {
    let text = brpc_error::bounded(text);
    let code = i64::from(code) as u64; // negative numbers take ten bytes
    let text_bytes = if text.is_empty() { 0 } else { field_bytes(text.len()) };
    meta.int(tag::RESPONSE, (1 + varint_bytes(code) + text_bytes) as u64);
    meta.int(response_tag::ERROR_CODE, code);
    if !text.is_empty() {
        meta.text(response_tag::ERROR_TEXT, text.as_bytes());
    }
}

#[inline]
fn content_and_no_checksum(content: Content) -> [u8; 6] {
    [tag::CONTENT_TYPE, known(content).0, tag::CHECKSUM_TYPE, 0, tag::CHECKSUM_VALUE, 0]
}

/// brpc knows no others.
#[inline]
fn known(content: Content) -> Content {
    if content.0 <= Content::PROTO_TEXT.0 { content } else { Content::PROTOBUF }
}

fn put_content_and_checksum(
    meta: &mut Writer<'_>,
    content: Content,
    extras: Option<&Extras<'_>>,
    payload: &IoBuf,
    attachment: u32,
) {
    let Some(with_attachment) = extras.and_then(|extras| extras.checksum) else {
        return meta.put(content_and_no_checksum(content));
    };
    meta.put([tag::CONTENT_TYPE, known(content).0, tag::CHECKSUM_TYPE, CRC32C as u8, tag::CHECKSUM_VALUE, 4]);
    meta.put(digest(payload, payload.len(), attachment, with_attachment));
    if with_attachment {
        meta.put([tag::CHECKSUM_WITH_ATTACHMENT, 1]);
    }
}

#[inline]
fn put_user_fields<'a>(meta: &mut Writer<'_>, fields: &'a Metadata, place: Place<'a>) {
    if !fields.is_empty() {
        put_each_user_field(meta, fields, place);
    }
}

#[cold]
fn put_each_user_field<'a>(meta: &mut Writer<'_>, fields: &'a Metadata, place: Place<'a>) {
    for (name, value) in fields.iter() {
        if let Extra::UserField { key, value } = place(name, value) {
            meta.int(tag::USER_FIELDS, (field_bytes(key.len()) + field_bytes(value.len())) as u64);
            meta.text(entry_tag::KEY, key);
            meta.text(entry_tag::VALUE, value);
        }
    }
}

/// The numbers are those of brpc. A type that is unknown here is unknown to brpc, and the peer refuses it.
#[inline]
fn compress_type(compression: Compression) -> u64 {
    u64::from(compression.0)
}

type Place<'a> = fn(&'a str, &'a [u8]) -> Extra<'a>;

/// The metadata that has fields of its own; of fields given twice the last one counts.
#[derive(Default)]
struct Extras<'a> {
    log_id: Option<u64>,
    trace_id: Option<u64>,
    span_id: Option<u64>,
    parent_span_id: Option<u64>,
    request_id: Option<&'a [u8]>,
    /// Whether the checksum covers the attachment, if a CRC32C is asked for.
    checksum: Option<bool>,
}

impl<'a> Extras<'a> {
    /// `None` if there is no metadata.
    #[inline]
    fn of(metadata: &'a Metadata, place: Place<'a>) -> Option<Self> {
        (!metadata.is_empty()).then(|| Extras::gather(metadata, place))
    }

    #[cold]
    fn gather(metadata: &'a Metadata, place: Place<'a>) -> Self {
        let mut extras = Extras::default();
        for (name, value) in metadata.iter() {
            match place(name, value) {
                Extra::Id(Id::Log(id)) => extras.log_id = Some(id),
                Extra::Id(Id::Trace(id)) => extras.trace_id = Some(id),
                Extra::Id(Id::Span(id)) => extras.span_id = Some(id),
                Extra::Id(Id::ParentSpan(id)) => extras.parent_span_id = Some(id),
                Extra::RequestId(id) => extras.request_id = Some(id),
                Extra::Checksum { with_attachment } => extras.checksum = Some(with_attachment),
                Extra::UserField { .. } => {}
            }
        }
        extras
    }

    fn ids(&self) -> impl Iterator<Item = (u8, u64)> {
        use request_tag::*;
        let ids = [
            (LOG_ID, self.log_id),
            (TRACE_ID, self.trace_id),
            (SPAN_ID, self.span_id),
            (PARENT_SPAN_ID, self.parent_span_id),
        ];
        ids.into_iter().filter_map(|(tag, id)| Some((tag, id?)))
    }

    /// Length of what [`Extras::put_ids`] writes, in bytes.
    fn id_bytes(&self) -> usize {
        let numbers: usize = self.ids().map(|(_, id)| 1 + varint_bytes(id)).sum();
        numbers + self.request_id.map_or(0, |id| field_bytes(id.len()))
    }

    fn put_ids(&self, meta: &mut Writer<'_>) {
        for (tag, id) in self.ids() {
            meta.int(tag, id);
        }
        if let Some(id) = self.request_id {
            meta.text(request_tag::REQUEST_ID, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn usual_frames_are_what_is_written_field_by_field(
            (service, method) in ("[a-zA-Z.]{0,60}", "[a-zA-Z]{0,60}"),
            (id, shift) in (any::<u64>(), 0..64u32),
            timeout_ms in prop::option::of(0..=u64::from(u32::MAX)),
            content in 0..9u8,
            compression in 0..=255u8,
            length in 0..3000usize,
            written in 0..3000usize,
            (attachment, with_field, with_credential) in (0..3u32, any::<bool>(), any::<bool>()),
        ) {
            let body = IoBuf::copy_from_slice(&vec![7; length]);
            let mut fields = Metadata::new();
            if with_field {
                fields.append("name", b"value");
            }
            let credential = if with_credential { &b"secret"[..] } else { &[] };
            let frames = |usual: bool| {
                let mut out = Output::new(usize::MAX);
                out.tail().resize(written, 1);
                let call = Outgoing {
                    service: &service,
                    method: &method,
                    index: None,
                    timeout: timeout_ms.map(Duration::from_millis),
                    metadata: &fields,
                    body: &body,
                    attachment: attachment.min(length as u32),
                    content: Content(content),
                    compression: Compression(compression),
                    finished: true,
                    streamed: false,
                    streams: &[],
                };
                let outcome = Outcome {
                    body: body.clone(),
                    attachment: attachment.min(length as u32),
                    content: Content(content),
                    compression: Compression(compression),
                    trailers: with_field.then(|| Box::new(fields.clone())),
                    ..Outcome::default()
                };
                let id = id >> shift;
                let both = match usual {
                    true => (request(&mut out, id, credential, &call, None), reply(&mut out, id, &outcome, None)),
                    false => (
                        unusual_request(&mut out, id, credential, &call, None),
                        unusual_reply(&mut out, id, &outcome, None),
                    ),
                };
                assert!(both.0.is_ok() && both.1.is_ok());
                out.take().to_vec()
            };
            prop_assert_eq!(frames(true), frames(false));
        }
    }
}
