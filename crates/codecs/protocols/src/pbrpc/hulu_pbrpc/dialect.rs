//! hulu_pbrpc as a [`Dialect`] of its family.

use super::fields::{Extras, trailers};
use super::meta::request::{Request, RequestMeta};
use super::meta::response::{Response, ResponseMeta};
use crate::brpc_error;
use crate::name::Name;
use crate::pbrpc::TooLong;
use crate::pbrpc::encode::{attachment_size, begin, finish};
use crate::pbrpc::{
    Dialect, Extra, Frame, NoExtension, Replied, SIZES_HEADER_BYTES, Unchecked, check_form, put_sizes,
};
use crate::reply_fields;
use polywire_base::{IoBuf, Output};
use polywire_call::{Metadata, Status};
use polywire_wire::{Compression, Outcome, Outgoing, Refusal, Target, WireError};

type Message = crate::pbrpc::Message<Unchecked>;

/// hulu_pbrpc on one connection.
#[derive(Default)]
pub(super) struct Hulu {
    /// Name of the service in the current request.
    service: Name,
    method: u32,
}

const BAD_META: WireError = WireError::Malformed("HuluRpcRequestMeta");

impl Dialect for Hulu {
    const NAME: &'static str = "hulu_pbrpc";
    const MAGIC: &'static [u8; 4] = b"HULU";
    const HEADER_BYTES: usize = SIZES_HEADER_BYTES;
    type Check = Unchecked;
    type Extension = NoExtension;

    #[inline]
    fn frame(header: &[u8], max_body_bytes: u32) -> Result<Frame, WireError> {
        Frame::of_sizes(header, u32::from_le_bytes, max_body_bytes)
    }

    #[inline]
    fn put_header(header: &mut [u8], meta_bytes: u32, payload_bytes: u32) {
        put_sizes(header, u32::to_le_bytes, meta_bytes, payload_bytes);
    }

    #[inline]
    fn read_request(
        &mut self,
        raw: &[u8],
        payload_bytes: usize,
        message: &mut Message,
    ) -> Result<Result<Extra, Status>, WireError> {
        let meta = RequestMeta::parse(raw).ok_or(BAD_META)?;
        self.service.set(meta.service).ok_or(WireError::Malformed("a name that is not UTF-8"))?;
        self.method = meta.method_index as u32; // what is negative is beyond every method
        *message = Message {
            correlation_id: meta.correlation_id,
            payload_bytes,
            attachment: attachment(meta.user_message_size, payload_bytes),
            compression: compression(meta.compress_type),
            ..Message::default()
        };
        Ok(Ok(Extra::metadata(meta.extra)))
    }

    #[inline]
    fn target(&self) -> Target<'_> {
        Target::Index { service: &self.service, method: self.method }
    }

    fn credential(raw: &[u8]) -> Result<(u64, &[u8]), WireError> {
        let meta = RequestMeta::parse(raw).ok_or(BAD_META)?;
        Ok((meta.correlation_id, meta.credential_data))
    }

    #[inline]
    fn read_reply<'r>(raw: &'r [u8], payload_bytes: usize, message: &mut Message) -> Replied<'r> {
        let Some(meta) = ResponseMeta::parse(raw) else { return Replied::Ignored };
        *message = Message {
            correlation_id: meta.correlation_id,
            payload_bytes,
            attachment: attachment(meta.user_message_size, payload_bytes),
            compression: compression(meta.compress_type),
            trailers: if meta.extra { trailers(raw) } else { None },
            ..Message::default()
        };
        match meta.error_code {
            0 => Replied::Good,
            code => Replied::Failed { code, text: meta.error_text },
        }
    }

    #[inline]
    fn put_request(out: &mut Output, id: u64, credential: &[u8], call: &Outgoing<'_>) -> Result<(), Refusal> {
        check_form(call)?;
        let request = Request {
            service: call.service.rsplit('.').next().unwrap_or(call.service),
            method_index: call.index.ok_or(Refusal::Unnumbered)?,
            compress_type: u64::from(call.compression.0),
            correlation_id: id,
            extras: Extras::of(call.metadata),
            user_message_size: user_message_size(call.attachment, call.body),
            credential,
        };
        let texts = request.service.len() + request.extras.text_bytes() + credential.len();
        let start = out.tail().len();
        let mut meta = begin::<Hulu>(out.tail(), texts);
        request.put(&mut meta);
        finish::<Hulu>(meta.end(), start, call.body)?;
        out.share(call.body);
        Ok(())
    }

    #[inline]
    fn put_reply(out: &mut Output, id: u64, outcome: &Outcome) -> Result<(), TooLong> {
        let fields = outcome.trailers.as_deref();
        let response = Response {
            error_code: 0,
            error_text: "",
            correlation_id: id,
            compress_type: u64::from(outcome.compression.0),
            user_message_size: user_message_size(outcome.attachment, &outcome.body),
            extras: fields.map_or_else(Extras::default, Extras::of),
            fields,
        };
        put(out, &response, &outcome.body)
    }

    fn put_failure(
        out: &mut Output,
        id: u64,
        status: &Status,
        trailers: Option<&Metadata>,
    ) -> Result<(), TooLong> {
        let fields = reply_fields::of_failure(brpc_error::error_code(status), status, trailers);
        let response = Response {
            error_code: brpc_error::error_code_field(status),
            error_text: brpc_error::bounded(status.message()),
            correlation_id: id,
            compress_type: 0,
            user_message_size: None,
            extras: Extras::of(&fields),
            fields: Some(&fields),
        };
        put(out, &response, &IoBuf::new())
    }

    fn put_unauthenticated(out: &mut Output, id: u64, why: &Status) {
        Self::put_failure(out, id, &brpc_error::unauthenticated(why), None)
            .expect("a bounded text and a few numbers");
    }
}

#[inline]
fn put(out: &mut Output, response: &Response<'_>, payload: &IoBuf) -> Result<(), TooLong> {
    let texts = response.error_text.len() + response.extras.text_bytes();
    let start = out.tail().len();
    let mut meta = begin::<Hulu>(out.tail(), texts);
    response.put(&mut meta);
    finish::<Hulu>(meta.end(), start, payload)?;
    out.share(payload);
    Ok(())
}

/// "0 none, 1 snappy (raw block), 2 gzip, 3 zlib; unknown = none". The first four are the numbers used here.
#[inline]
fn compression(number: i32) -> Compression {
    match number {
        known @ 1..=3 => Compression(known as u8),
        _ => Compression::NONE,
    }
}

/// "absent = whole payload is the body; larger than the payload or negative = whole payload is the body, no
/// attachment, no error"
#[inline]
fn attachment(user_message_size: Option<i32>, payload_bytes: usize) -> u32 {
    let message = user_message_size.and_then(|size| usize::try_from(size).ok());
    message.and_then(|message| payload_bytes.checked_sub(message)).unwrap_or(0) as u32
}

/// "omit it" where there is no attachment
#[inline]
fn user_message_size(attachment: u32, payload: &IoBuf) -> Option<u32> {
    let attachment = attachment_size(attachment, payload);
    (attachment > 0).then(|| payload.len() as u32 - attachment)
}
