//! baidu_std as a [`Dialect`] of its family.
//!
//! ```text
//!  0        4                 8                 12         12+meta_size        12+body_size
//!  +--------+-----------------+-----------------+----------+-------- - - -------+
//!  | "PRPC" | body_size u32BE | meta_size u32BE | RpcMeta  | body, attachment   |
//!  +--------+-----------------+-----------------+----------+-------- - - -------+
//!                                               `------------ body_size --------'
//! ```
//!
//! Source: docs/wire/baidu_std.md, "Frame". The same layout goes both ways.

use super::checksum::Checksum;
use super::meta::{RpcMeta, usual_reply, usual_request};
use super::names::Names;
use super::{encode, fields};
use crate::pbrpc::streaming_rpc::Streams;
use crate::pbrpc::{Dialect, Extra, Frame, Replied, SIZES_HEADER_BYTES, TooLong, put_sizes};
use polywire_base::Output;
use polywire_call::{Metadata, Status, brpc};
use polywire_wire::{Content, Outcome, Outgoing, Refusal, Target, WireError};

type Message = crate::pbrpc::Message<Checksum>;

/// baidu_std on one connection.
#[derive(Default)]
pub(crate) struct Prpc {
    names: Names,
}

const BAD_META: WireError = WireError::Malformed("RpcMeta");

impl Dialect for Prpc {
    const NAME: &'static str = "baidu_std";
    const MAGIC: &'static [u8; 4] = b"PRPC";
    const HEADER_BYTES: usize = SIZES_HEADER_BYTES;
    type Check = Checksum;
    type Extension = Streams;

    #[inline]
    fn frame(header: &[u8], max_body_bytes: u32) -> Result<Frame, WireError> {
        Frame::of_sizes(header, u32::from_be_bytes, max_body_bytes)
    }

    #[inline]
    fn put_header(header: &mut [u8], meta_bytes: u32, payload_bytes: u32) {
        put_sizes(header, u32::to_be_bytes, meta_bytes, payload_bytes);
    }

    #[inline]
    fn read_request(
        &mut self,
        raw: &[u8],
        payload_bytes: usize,
        message: &mut Message,
    ) -> Result<Result<Extra, Status>, WireError> {
        if let Some(names) = self.names.fields()
            && let Some((correlation_id, timeout_ms)) = usual_request(raw, names)
        {
            let timeout_ms = timeout_ms.max(0) as u32;
            *message = Message { correlation_id, payload_bytes, timeout_ms, ..Message::default() };
            return Ok(Ok(Extra::Nothing));
        }
        let meta = RpcMeta::parse(raw).ok_or(BAD_META)?;
        self.names.set(meta.service, meta.method).ok_or(WireError::Malformed("a name that is not UTF-8"))?;
        message.correlation_id = meta.correlation_id;
        message.payload_bytes = payload_bytes;
        message.timeout_ms = meta.timeout_ms.max(0) as u32;
        message.content = Content(meta.content_type);
        message.compression = meta.compression();
        message.check = meta.checksum();
        let Some(attachment) = meta.attachment(payload_bytes) else {
            return Ok(Err(wrong_attachment(&meta, payload_bytes)));
        };
        message.attachment = attachment;
        Ok(Ok(if meta.streams { Extra::Streams } else { Extra::metadata(meta.extra) }))
    }

    #[inline]
    fn target(&self) -> Target<'_> {
        let (service, method) = self.names.get();
        Target::Method { service, method }
    }

    fn credential(raw: &[u8]) -> Result<(u64, &[u8]), WireError> {
        let meta = RpcMeta::parse(raw).ok_or(BAD_META)?;
        Ok((meta.correlation_id, meta.authentication_data))
    }

    #[inline]
    fn read_reply<'r>(raw: &'r [u8], payload_bytes: usize, message: &mut Message) -> Replied<'r> {
        if let Some(correlation_id) = usual_reply(raw) {
            *message = Message { correlation_id, payload_bytes, ..Message::default() };
            return Replied::Good;
        }
        let Some(meta) = RpcMeta::parse(raw) else { return Replied::Ignored };
        message.correlation_id = meta.correlation_id;
        message.payload_bytes = payload_bytes;
        message.content = Content(meta.content_type);
        message.compression = meta.compression();
        message.check = meta.checksum();
        message.trailers = if meta.extra { fields::trailers(raw) } else { None };
        if meta.error_code != 0 {
            return Replied::Failed { code: meta.error_code, text: meta.error_text };
        }
        let Some(attachment) = meta.attachment(payload_bytes) else {
            return Replied::Wrong("attachment_size is larger than the payload");
        };
        message.attachment = attachment;
        Replied::Good
    }

    #[inline]
    fn put_request(out: &mut Output, id: u64, credential: &[u8], call: &Outgoing<'_>) -> Result<(), Refusal> {
        Ok(encode::request(out, id, credential, call, None)?)
    }

    #[inline]
    fn put_reply(out: &mut Output, id: u64, outcome: &Outcome) -> Result<(), TooLong> {
        encode::reply(out, id, outcome, None)
    }

    fn put_failure(
        out: &mut Output,
        id: u64,
        status: &Status,
        trailers: Option<&Metadata>,
    ) -> Result<(), TooLong> {
        encode::failure(out, id, status, trailers)
    }

    fn put_unauthenticated(out: &mut Output, id: u64, why: &Status) {
        encode::unauthenticated(out, id, why);
    }
}

#[cold]
fn wrong_attachment(meta: &RpcMeta<'_>, payload: usize) -> Status {
    let attachment = meta.attachment_size;
    brpc::status(
        brpc::EREQUEST,
        format!("attachment_size={attachment} is larger than payload_size={payload}"),
    )
}
