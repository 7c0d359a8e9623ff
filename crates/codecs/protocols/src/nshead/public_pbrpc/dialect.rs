//! public_pbrpc as a dialect of nshead.

use super::envelope::{self, PublicRequest, PublicResponse};
use crate::brpc_error::{bounded, error_code};
use crate::name::Name;
use crate::nshead::{
    Dialect, Head, PUBLIC_PROVIDER, Place, Refused, Request, log_id, log_id_of, put_frame, put_relays,
    put_reply,
};
use crate::{relays, reply_fields};
use polywire_base::{IoBuf, Output};
use polywire_call::{Metadata, Status};
use polywire_wire::{Compression, Compressions, Content, Outcome, Outgoing, Refusal, Target};

#[derive(Default)]
pub(super) struct Public {
    service: Name,
    method: u32,
    /// Id of the current request; at a client, of the current call.
    id: u64,
    /// Server: `version` of the current request.
    version: Vec<u8>,
    log_id: Option<u64>,
    relays: Option<u8>,
}

/// `version` of the head of a request: "version 1000".
const VERSION: u16 = 1000;

impl Dialect for Public {
    const NAME: &'static str = "public_pbrpc";
    const HEAD_NAMES: bool = false;
    const COUNTS_RELAYS: bool = true;
    const ACCEPTS: Compressions = Compressions::NONE.with(Compression::SNAPPY);

    fn read_request(&mut self, _head: &Head, mut body: IoBuf) -> Result<Request, Refused> {
        let whole = body.contiguous();
        let envelope = PublicRequest::parse(whole).ok_or(Refused::Close("PublicPbrpcRequest"))?;
        self.service.set(envelope.service).ok_or(Refused::Close("a name that is not UTF-8"))?;
        self.method = envelope.method_id;
        self.id = envelope.id;
        self.log_id = envelope.log_id;
        self.relays = if envelope.extra { relays::read(whole) } else { None };
        self.version.clear();
        self.version.extend_from_slice(envelope.version);
        let compression = compression(envelope.compress_type);
        let message = Place::of(envelope.message, whole);
        Ok(Request { body: message.cut(body), content: Content::PROTOBUF, compression })
    }

    fn target(&self) -> Target<'_> {
        Target::Index { service: &self.service, method: self.method }
    }

    fn log_id(&self) -> Option<u64> {
        self.log_id
    }

    fn put_fields(&self, raw: &mut Vec<u8>) {
        if let Some(relays) = self.relays {
            put_relays(raw, relays);
        }
    }

    fn put_reply(&mut self, out: &mut Output, head: Head, outcome: &Outcome) -> Result<(), Status> {
        let message = outcome.message();
        let snappy = outcome.compression == Compression::SNAPPY;
        let response = envelope::Reply { id: self.id, version: &self.version, snappy };
        let (front, back) = response.around(message.len(), outcome.trailers.as_deref());
        let mut body = message;
        body.push(back.freeze());
        put_reply(out, &head, &front, &body)
    }

    fn put_failure(
        &mut self,
        out: &mut Output,
        head: Head,
        status: &Status,
        trailers: Option<&Metadata>,
    ) -> bool {
        let fields = reply_fields::of_failure(error_code(status), status, trailers);
        let response = envelope::Reply { id: self.id, version: &self.version, snappy: false };
        let body = response.failure(error_code(status), bounded(status.message()), &fields);
        put_frame(out, &head, &body, &IoBuf::new()).is_ok()
    }

    fn put_request(&mut self, out: &mut Output, id: u64, call: &Outgoing<'_>) -> Result<(), Refusal> {
        if call.content != Content::PROTOBUF || call.attachment > 0 {
            return Err(Refusal::Unsupported);
        }
        if !Self::ACCEPTS.contains(call.compression) {
            return Err(Refusal::Compression);
        }
        let said = envelope::Call {
            service: call.service.rsplit('.').next().unwrap_or(call.service),
            method_id: call.index.ok_or(Refusal::Unnumbered)?,
            id,
            log_id: log_id_of(call.metadata),
            snappy: call.compression == Compression::SNAPPY,
            relays: relays::of(call.metadata),
        };
        let head = Head {
            version: VERSION,
            log_id: log_id(call.metadata),
            provider: PUBLIC_PROVIDER,
            ..Head::default()
        };
        put_frame(out, &head, &said.in_front_of(call.body.len()), call.body)?;
        self.id = id;
        Ok(())
    }

    /// "Matches by responseBody[0].id. Envelope unparsable or without responseBody: dropped".
    fn read_reply(&mut self, _head: &Head, mut body: IoBuf) -> Option<Outcome> {
        let whole = body.contiguous();
        let envelope = PublicResponse::parse(whole).filter(|envelope| envelope.id == self.id)?;
        let mut trailers = if envelope.extra { reply_fields::read(whole) } else { None };
        if envelope.code != 0 {
            let text = String::from_utf8_lossy(envelope.text);
            let status = reply_fields::take_failure(envelope.code, &text, &mut trailers);
            return Some(Outcome { status, trailers, ..Outcome::default() });
        }
        let compression = compression(envelope.compress_type);
        let message = Place::of(envelope.message, whole);
        Some(Outcome { body: message.cut(body), compression, reply: true, trailers, ..Outcome::default() })
    }
}

/// "1 if the user body is snappy, else absent"
fn compression(number: u32) -> Compression {
    if number == 1 { Compression::SNAPPY } else { Compression::NONE }
}
