//! `nshead` itself: heads and bodies are passed unchanged.
//!
//! A request reaches the service that is bound to `nshead` as its head and body, 36 bytes and the rest. A
//! reply is the body alone: ("Reply head = copy of the request head"). If the handler returns no message,
//! nothing is sent ("The handler may choose no reply"). At a client both are whole frames; "any reply is
//! success".

use super::dialect::{Dialect, Refused, Request, put_frame, put_reply};
use super::fields::log_id_of;
use super::frame::Head;
use polywire_base::{IoBuf, Output};
use polywire_call::Status;
use polywire_wire::{Compression, Content, Outcome, Outgoing, Refusal, Stopping, Target};

/// The service that a client's calls have to name; the wire carries no names.
pub const SERVICE: &str = "nshead";
/// The method of [`SERVICE`] that handles all frames.
pub const METHOD: &str = "message";

#[derive(Default)]
pub(super) struct Raw;

impl Dialect for Raw {
    const NAME: &'static str = "nshead";
    const HEAD_NAMES: bool = true;
    const STOPPING: Stopping = Stopping::Serves;

    fn read_request(&mut self, head: &Head, body: IoBuf) -> Result<Request, Refused> {
        Ok(Request { body: whole(head, body), content: Content::RAW, compression: Compression::NONE })
    }

    fn target(&self) -> Target<'_> {
        Target::Bound { protocol: Self::NAME, number: 0 }
    }

    fn put_reply(&mut self, out: &mut Output, head: Head, outcome: &Outcome) -> Result<(), Status> {
        if !outcome.reply {
            return Ok(());
        }
        put_reply(out, &head, &[], &outcome.body)
    }

    /// "magic_num and body_len are overwritten; log_id is overwritten if the call has a log id"
    fn put_request(&mut self, out: &mut Output, _id: u64, call: &Outgoing<'_>) -> Result<(), Refusal> {
        if call.content != Content::RAW || call.compression != Compression::NONE || call.attachment > 0 {
            return Err(Refusal::Unsupported);
        }
        let mut body = call.body.clone();
        let head = body.peek(Head::BYTES).and_then(Head::read);
        let (mut head, _) = head.ok_or(Refusal::Unsupported)?;
        body.advance(Head::BYTES);
        if let Some(log_id) = log_id_of(call.metadata) {
            head.log_id = log_id as u32;
        }
        put_frame(out, &head, &[], &body)
    }

    fn read_reply(&mut self, head: &Head, body: IoBuf) -> Option<Outcome> {
        Some(Outcome { body: whole(head, body), content: Content::RAW, reply: true, ..Outcome::default() })
    }
}

/// A frame as it was received.
fn whole(head: &Head, body: IoBuf) -> IoBuf {
    let mut frame = IoBuf::copy_from_slice(&head.write(body.len() as u32));
    frame.append(body);
    frame
}
