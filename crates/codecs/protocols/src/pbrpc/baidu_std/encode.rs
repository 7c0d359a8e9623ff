//! Writes requests and replies.
//!
//! Source: docs/wire/baidu_std.md, "What brpc actually writes": fields 3, 10, 11 and 12 are there even when
//!         empty.

use super::checksum::{CRC32C, digest};
use super::dialect::Prpc;
use super::fields::{place_in_reply, place_in_request};
use super::meta::{Extra, entry_tag, request_tag, response_tag, tag};
use crate::brpc_error;
use crate::pbrpc::TooLong;
use crate::pbrpc::encode::{attachment_size, begin, finish};
use crate::pbrpc::ids::Id;
use crate::pbrpc::streaming_rpc::Settings;
use crate::protobuf::{Writer, field_bytes, varint_bytes};
use crate::reply_fields;
use polywire_base::{IoBuf, Output};
use polywire_call::{Metadata, Status, brpc};
use polywire_wire::{Compression, Content, Outcome, Outgoing};
use std::time::Duration;

/// Appends a request. Hot at the client. `streams`: the settings of the streams that it offers.
#[inline]
pub(crate) fn request(
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

#[inline(always)]
fn put_content_and_checksum(
    meta: &mut Writer<'_>,
    content: Content,
    extras: Option<&Extras<'_>>,
    payload: &IoBuf,
    attachment: u32,
) {
    let content = if content.0 <= Content::PROTO_TEXT.0 { content } else { Content::PROTOBUF };
    let Some(with_attachment) = extras.and_then(|extras| extras.checksum) else {
        return meta.put([tag::CONTENT_TYPE, content.0, tag::CHECKSUM_TYPE, 0, tag::CHECKSUM_VALUE, 0]);
    };
    meta.put([tag::CONTENT_TYPE, content.0, tag::CHECKSUM_TYPE, CRC32C as u8, tag::CHECKSUM_VALUE, 4]);
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
