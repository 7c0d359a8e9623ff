//! sofa_pbrpc as a [`Dialect`] of its family.

use super::meta::{REQUEST, RESPONSE, SofaRpcMeta, compress_type, tag};
use crate::brpc_error;
use crate::name::Name;
use crate::pbrpc::TooLong;
use crate::pbrpc::encode::{begin, finish};
use crate::pbrpc::{Dialect, Extra, Frame, NoExtension, Replied, Unchecked, check_form};
use crate::protobuf::Writer;
use crate::{relays, reply_fields};
use polywire_base::{IoBuf, Output};
use polywire_call::{Metadata, Status};
use polywire_wire::{Outcome, Outgoing, Refusal, Target, WireError};

type Message = crate::pbrpc::Message<Unchecked>;

/// sofa_pbrpc on one connection.
#[derive(Default)]
pub(super) struct Sofa {
    /// The method of the current request, `package.Service.Method`.
    method: Name,
}

const BAD_META: WireError = WireError::Malformed("SofaRpcMeta");

impl Dialect for Sofa {
    const NAME: &'static str = "sofa_pbrpc";
    const MAGIC: &'static [u8; 4] = b"SOFA";
    const HEADER_BYTES: usize = 24;
    type Check = Unchecked;
    type Extension = NoExtension;

    #[inline]
    fn frame(header: &[u8], max_body_bytes: u32) -> Result<Frame, WireError> {
        let meta_bytes = u32::from_le_bytes(header[4..8].try_into().expect("four bytes"));
        let body_bytes = u64::from_le_bytes(header[8..16].try_into().expect("eight bytes"));
        let message_bytes = u64::from_le_bytes(header[16..24].try_into().expect("eight bytes"));
        if meta_bytes > max_body_bytes || body_bytes > u64::from(max_body_bytes) {
            return Err(WireError::TooLarge);
        }
        if message_bytes != u64::from(meta_bytes) + body_bytes {
            return Err(WireError::Malformed("message_size is not meta_size + body_size"));
        }
        Ok(Frame { meta_bytes: meta_bytes as usize, payload_bytes: body_bytes as usize })
    }

    #[inline]
    fn put_header(header: &mut [u8], meta_bytes: u32, payload_bytes: u32) {
        let (meta, body) = (u64::from(meta_bytes), u64::from(payload_bytes));
        header[4..8].copy_from_slice(&meta_bytes.to_le_bytes());
        header[8..16].copy_from_slice(&body.to_le_bytes());
        header[16..].copy_from_slice(&(meta + body).to_le_bytes());
    }

    #[inline]
    fn read_request(
        &mut self,
        raw: &[u8],
        payload_bytes: usize,
        message: &mut Message,
    ) -> Result<Result<Extra, Status>, WireError> {
        let meta = SofaRpcMeta::parse(raw).ok_or(BAD_META)?;
        self.method.set(meta.method).ok_or(WireError::Malformed("a name that is not UTF-8"))?;
        let (correlation_id, compression) = (meta.sequence_id, meta.compression);
        *message = Message { correlation_id, payload_bytes, compression, ..Message::default() };
        Ok(Ok(Extra::metadata(meta.extra)))
    }

    #[inline]
    fn target(&self) -> Target<'_> {
        let (service, method) = self.method.rsplit_once('.').unwrap_or(("", &self.method));
        Target::Method { service, method }
    }

    fn credential(raw: &[u8]) -> Result<(u64, &[u8]), WireError> {
        let meta = SofaRpcMeta::parse(raw).ok_or(BAD_META)?;
        Ok((meta.sequence_id, &[]))
    }

    #[inline]
    fn read_reply<'r>(raw: &'r [u8], payload_bytes: usize, message: &mut Message) -> Replied<'r> {
        let Some(meta) = SofaRpcMeta::parse(raw) else { return Replied::Ignored };
        let (correlation_id, compression) = (meta.sequence_id, meta.compression);
        let trailers = if meta.extra { reply_fields::read(raw) } else { None };
        *message = Message { correlation_id, payload_bytes, compression, trailers, ..Message::default() };
        match meta.error_code {
            0 => Replied::Good,
            code => Replied::Failed { code, text: meta.reason },
        }
    }

    #[inline]
    fn put_request(out: &mut Output, id: u64, credential: &[u8], call: &Outgoing<'_>) -> Result<(), Refusal> {
        check_form(call)?;
        if !credential.is_empty() {
            return Err(Refusal::Credential);
        }
        if call.attachment > 0 {
            return Err(Refusal::Unsupported);
        }
        let start = out.tail().len();
        let mut meta = begin::<Sofa>(out.tail(), call.service.len() + call.method.len());
        ids(&mut meta, REQUEST, id);
        meta.varint(tag::METHOD);
        meta.varint((call.service.len() + 1 + call.method.len()) as u64);
        meta.raw(call.service.as_bytes());
        meta.raw(b".");
        meta.raw(call.method.as_bytes());
        field(&mut meta, tag::COMPRESS_TYPE, compress_type(call.compression));
        if let Some(passed) = relays::of(call.metadata) {
            relays::put(&mut meta, passed);
        }
        finish::<Sofa>(meta.end(), start, call.body)?;
        out.share(call.body);
        Ok(())
    }

    #[inline]
    fn put_reply(out: &mut Output, id: u64, outcome: &Outcome) -> Result<(), TooLong> {
        let message = outcome.message();
        let start = out.tail().len();
        let mut meta = begin::<Sofa>(out.tail(), 0);
        ids(&mut meta, RESPONSE, id);
        field(&mut meta, tag::FAILED, 0);
        field(&mut meta, tag::ERROR_CODE, 0);
        field(&mut meta, tag::COMPRESS_TYPE, compress_type(outcome.compression));
        if let Some(trailers) = &outcome.trailers {
            reply_fields::put(&mut meta, trailers.iter());
        }
        finish::<Sofa>(meta.end(), start, &message)?;
        out.share(&message);
        Ok(())
    }

    fn put_failure(
        out: &mut Output,
        id: u64,
        status: &Status,
        trailers: Option<&Metadata>,
    ) -> Result<(), TooLong> {
        let text = brpc_error::bounded(status.message());
        let start = out.tail().len();
        let mut meta = begin::<Sofa>(out.tail(), text.len());
        ids(&mut meta, RESPONSE, id);
        field(&mut meta, tag::FAILED, 1);
        field(&mut meta, tag::ERROR_CODE, brpc_error::error_code_field(status));
        if !text.is_empty() {
            meta.varint(tag::REASON);
            meta.varint(text.len() as u64);
            meta.raw(text.as_bytes());
        }
        field(&mut meta, tag::COMPRESS_TYPE, 0);
        reply_fields::put(
            &mut meta,
            reply_fields::of_failure(brpc_error::error_code(status), status, trailers).iter(),
        );
        finish::<Sofa>(meta.end(), start, &IoBuf::new())
    }

    /// "close at first frame, no reply"
    fn put_unauthenticated(_: &mut Output, _: u64, _: &Status) {}
}

fn ids(meta: &mut Writer<'_>, kind: u64, id: u64) {
    field(meta, tag::TYPE, kind);
    field(meta, tag::SEQUENCE_ID, id);
}

fn field(meta: &mut Writer<'_>, tag: u64, value: u64) {
    meta.varint(tag);
    meta.varint(value);
}
