//! fb_rpc as a [`Dialect`] of its family.

use super::meta::{RequestMeta, ResponseMeta, Sizes};
use super::{joined, variant::Variant};
use crate::brpc_error;
use crate::pbrpc::TooLong;
use crate::pbrpc::encode::{attachment_size, begin, finish};
use crate::pbrpc::{Dialect, Extra, Frame, NoExtension, Replied, SIZES_HEADER_BYTES, Unchecked, put_sizes};
use crate::reply_fields;
use polywire_base::{IoBuf, Output};
use polywire_call::{Metadata, Status, brpc};
use polywire_wire::{Compression, Compressions, Content, Outcome, Outgoing, Refusal, Target, WireError};
use std::marker::PhantomData;

type Message = crate::pbrpc::Message<Unchecked>;

/// fb_rpc on one connection.
#[derive(Default)]
pub(super) struct Flat<V> {
    /// Number of the method in the current request.
    method: u64,
    variant: PhantomData<V>,
}

const SHORT_META: WireError = WireError::Malformed("meta_size is below that of the known fields");

impl<V: Variant> Dialect for Flat<V> {
    const NAME: &'static str = V::NAME;
    const MAGIC: &'static [u8; 4] = V::MAGIC;
    const HEADER_BYTES: usize = SIZES_HEADER_BYTES;
    const COMPRESSIONS: Compressions = Compressions::NONE;
    /// "response bigger than the body limit: error 2002"
    const BOUNDED_REPLY: Option<usize> = Some(ResponseMeta::BYTES);
    type Check = Unchecked;
    type Extension = NoExtension;

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
        let meta = RequestMeta::parse(raw).ok_or(SHORT_META)?;
        let attachment = meta.sizes.attachment_of(payload_bytes).filter(|_| meta.sizes.message > 0);
        *message = Message {
            correlation_id: meta.sizes.correlation_id,
            payload_bytes,
            attachment: attachment.unwrap_or(0),
            content: Content::FLATBUFFERS,
            ..Message::default()
        };
        if attachment.is_none() {
            return Ok(Err(brpc::status(brpc::EREQUEST, "the sizes are not those of the payload")));
        }
        // A number that is negative here is beyond those of every schema.
        self.method = joined(meta.service, meta.method as u32);
        Ok(Ok(Extra::Nothing))
    }

    #[inline]
    fn target(&self) -> Target<'_> {
        Target::Id(self.method)
    }

    fn credential(raw: &[u8]) -> Result<(u64, &[u8]), WireError> {
        let meta = RequestMeta::parse(raw).ok_or(SHORT_META)?;
        Ok((meta.sizes.correlation_id, &[]))
    }

    #[inline]
    fn read_reply<'r>(raw: &'r [u8], payload_bytes: usize, message: &mut Message) -> Replied<'r> {
        let Some(ResponseMeta { error_code, sizes, behind }) = ResponseMeta::parse(raw) else {
            return Replied::Broken(SHORT_META);
        };
        let attachment = sizes.attachment_of(payload_bytes);
        *message = Message {
            correlation_id: sizes.correlation_id,
            payload_bytes,
            attachment: attachment.unwrap_or(0),
            content: Content::FLATBUFFERS,
            trailers: if behind.is_empty() { None } else { reply_fields::read(behind) },
            ..Message::default()
        };
        match (attachment, error_code) {
            (None, _) => Replied::Wrong("the sizes are not those of the payload"),
            (Some(_), 0) if sizes.message == 0 => Replied::Wrong("a success without a message"),
            (Some(_), 0) => Replied::Good,
            (Some(_), _) if payload_bytes > 0 => Replied::Wrong("an error with a payload"),
            (Some(_), code) => Replied::Failed { code, text: text_of(code) },
        }
    }

    #[inline]
    fn put_request(out: &mut Output, id: u64, credential: &[u8], call: &Outgoing<'_>) -> Result<(), Refusal> {
        if call.compression != Compression::NONE {
            return Err(Refusal::Compression);
        }
        if !credential.is_empty() {
            return Err(Refusal::Credential);
        }
        if call.content != Content::FLATBUFFERS {
            return Err(Refusal::Unsupported);
        }
        let method = call.index.and_then(|index| i32::try_from(index).ok()).ok_or(Refusal::Unnumbered)?;
        let sizes = sizes(id, call.body, call.attachment)?;
        if sizes.message == 0 {
            return Err(Refusal::Unsupported); // no FlatBuffer is empty
        }
        let start = out.tail().len();
        let mut meta = begin::<Self>(out.tail(), 0);
        RequestMeta { service: V::service_id(call.service), method, sizes }.put(&mut meta);
        finish::<Self>(meta.end(), start, call.body)?;
        out.share(call.body);
        Ok(())
    }

    #[inline]
    fn put_reply(out: &mut Output, id: u64, outcome: &Outcome) -> Result<(), TooLong> {
        let sizes = sizes(id, &outcome.body, outcome.attachment)?;
        // "handler returns no message with success: error 2002 (an empty success body is illegal)"
        if sizes.message == 0 {
            return Self::put_failure(out, id, &brpc::status(brpc::ERESPONSE, ""), None);
        }
        let trailers = outcome.trailers.as_deref().filter(|_| V::GROWS);
        let behind = trailers.map(reply_fields::written).unwrap_or_default();
        put_response::<V>(out, ResponseMeta { error_code: 0, sizes, behind: &behind }, &outcome.body)
    }

    fn put_failure(
        out: &mut Output,
        id: u64,
        status: &Status,
        trailers: Option<&Metadata>,
    ) -> Result<(), TooLong> {
        let error_code = brpc_error::error_code(status);
        let sizes = Sizes { message: 0, attachment: 0, correlation_id: id };
        let behind = match V::GROWS {
            true => reply_fields::written(&fields_of(status, trailers)),
            false => Default::default(),
        };
        put_response::<V>(out, ResponseMeta { error_code, sizes, behind: &behind }, &IoBuf::new())
    }

    fn put_unauthenticated(out: &mut Output, id: u64, why: &Status) {
        Self::put_failure(out, id, &brpc_error::unauthenticated(why), None)
            .expect("a short text and a few numbers");
    }
}

#[inline]
fn sizes(correlation_id: u64, payload: &IoBuf, attachment: u32) -> Result<Sizes, TooLong> {
    let attachment = attachment_size(attachment, payload);
    let message = i32::try_from(payload.len() - attachment as usize).map_err(|_| TooLong)?;
    Ok(Sizes { message, attachment: attachment as i32, correlation_id })
}

#[inline]
fn put_response<V: Variant>(
    out: &mut Output,
    response: ResponseMeta<'_>,
    payload: &IoBuf,
) -> Result<(), TooLong> {
    let start = out.tail().len();
    let mut meta = begin::<Flat<V>>(out.tail(), 0);
    response.put(&mut meta);
    finish::<Flat<V>>(meta.end(), start, payload)?;
    out.share(payload);
    Ok(())
}

/// The fields of a failure, its text among them: the meta has no place for it.
fn fields_of(status: &Status, trailers: Option<&Metadata>) -> Metadata {
    let number = brpc_error::error_code(status);
    let mut fields = reply_fields::of_failure(number, status, trailers);
    if status.message() != brpc::received(number, "").message() {
        fields.append(reply_fields::MESSAGE, brpc_error::bounded(status.message()));
    }
    fields
}

/// "There is no error text on the wire." Known numbers have a fixed text.
fn text_of(code: i32) -> &'static [u8] {
    if brpc::name(code).is_some() { b"" } else { b"the server gave a number of its own and no text" }
}
