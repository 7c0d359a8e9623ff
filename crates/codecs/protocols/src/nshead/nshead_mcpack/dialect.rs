//! nshead_mcpack as a dialect of nshead.

use crate::nshead::{Dialect, Head, Refused, Request, log_id, provider, put_frame, put_reply};
use polywire_base::{IoBuf, Output};
use polywire_call::{Status, brpc};
use polywire_formats::mcpack::{self, Writer};
use polywire_wire::{Compression, Content, Outcome, Outgoing, Refusal, Target};

#[derive(Default)]
pub(super) struct NsheadMcpack;

impl Dialect for NsheadMcpack {
    const NAME: &'static str = "nshead_mcpack";
    const HEAD_NAMES: bool = true;
    const COUNTS_RELAYS: bool = true;
    const FAILS_BY_CLOSING: bool = true;

    fn read_request(&mut self, _head: &Head, body: IoBuf) -> Result<Request, Refused> {
        let body = object(body).ok_or(Refused::Close("not one mcpack object"))?;
        Ok(Request { body, content: Content::MCPACK, compression: Compression::NONE })
    }

    fn target(&self) -> Target<'_> {
        Target::Index { service: "", method: 0 }
    }

    fn put_reply(&mut self, out: &mut Output, head: Head, outcome: &Outcome) -> Result<(), Status> {
        let message = outcome.message();
        let wrong =
            || brpc::status(brpc::ERESPONSE, "the reply is not the body of an object, or is too long");
        let prefix = object_head(message.len()).ok_or_else(wrong)?;
        put_reply(out, &head, &prefix, &message)
    }

    /// "A compression setting other than none fails locally with EREQUEST."
    fn put_request(&mut self, out: &mut Output, _id: u64, call: &Outgoing<'_>) -> Result<(), Refusal> {
        if call.compression != Compression::NONE {
            return Err(Refusal::Compression);
        }
        if !matches!(call.content, Content::MCPACK | Content::COMPACK) || call.attachment > 0 {
            return Err(Refusal::Unsupported);
        }
        let (log_id, provider) = (log_id(call.metadata), provider(call.metadata));
        let head = Head { log_id, provider, ..Head::default() };
        if call.body.is_empty() {
            return Err(Refusal::Unsupported);
        }
        let prefix = object_head(call.body.len()).ok_or(Refusal::TooLarge)?;
        put_frame(out, &head, &prefix, call.body)
    }

    fn read_reply(&mut self, _head: &Head, body: IoBuf) -> Option<Outcome> {
        Some(match object(body) {
            Some(body) => Outcome { body, content: Content::MCPACK, reply: true, ..Outcome::default() },
            None => brpc::status(brpc::ERESPONSE, "the reply is not one mcpack object").into(),
        })
    }
}

/// The content of the object in a frame's body.
fn object(mut frame: IoBuf) -> Option<IoBuf> {
    mcpack::document(frame.contiguous()).ok()?;
    frame.advance(mcpack::DOCUMENT_HEAD_BYTES);
    Some(frame)
}

/// The head of an object whose content has this many bytes. `None` if it is empty: "value_size > 0", since at
/// least a field count is required.
fn object_head(body: usize) -> Option<Vec<u8>> {
    if body == 0 {
        return None;
    }
    let mut writer = Writer::new();
    let document = writer.begin_value(mcpack::field::OBJECT, b"");
    writer.leave(body);
    writer.end_value(document);
    writer.finish().ok()
}
