//! nova_pbrpc as a dialect of nshead.

use crate::nshead::{Dialect, Head, Refused, Request, log_id, provider, put_frame, put_reply};
use polywire_base::{IoBuf, Output};
use polywire_call::Status;
use polywire_wire::{Compression, Compressions, Content, Outcome, Outgoing, Refusal, Target};

#[derive(Default)]
pub(super) struct Nova {
    method: u32,
}

/// Bit of the version that says that a body is compressed.
const SNAPPY: u16 = 1;

impl Dialect for Nova {
    const NAME: &'static str = "nova_pbrpc";
    const HEAD_NAMES: bool = true;
    const COUNTS_RELAYS: bool = true;
    const FAILS_BY_CLOSING: bool = true;
    const ACCEPTS: Compressions = Compressions::NONE.with(Compression::SNAPPY);

    fn read_head(&mut self, head: &Head) -> Compression {
        self.method = head.reserved;
        compression(head)
    }

    fn read_request(&mut self, head: &Head, body: IoBuf) -> Result<Request, Refused> {
        Ok(Request { body, content: Content::PROTOBUF, compression: compression(head) })
    }

    fn target(&self) -> Target<'_> {
        Target::Index { service: "", method: self.method }
    }

    fn put_reply(&mut self, out: &mut Output, head: Head, outcome: &Outcome) -> Result<(), Status> {
        let head = Head { version: flagged(head.version, outcome.compression), ..head };
        put_reply(out, &head, &[], &outcome.message())
    }

    fn put_request(&mut self, out: &mut Output, _id: u64, call: &Outgoing<'_>) -> Result<(), Refusal> {
        if call.content != Content::PROTOBUF || call.attachment > 0 {
            return Err(Refusal::Unsupported);
        }
        // "a client asking for another type fails locally with EREQUEST"
        if !Self::ACCEPTS.contains(call.compression) {
            return Err(Refusal::Compression);
        }
        let head = Head {
            version: flagged(0, call.compression),
            log_id: log_id(call.metadata),
            provider: provider(call.metadata),
            reserved: call.index.ok_or(Refusal::Unnumbered)?,
            ..Head::default()
        };
        put_frame(out, &head, &[], call.body)
    }

    fn read_reply(&mut self, head: &Head, body: IoBuf) -> Option<Outcome> {
        Some(Outcome { body, compression: compression(head), reply: true, ..Outcome::default() })
    }
}

fn compression(head: &Head) -> Compression {
    if head.version & SNAPPY == 0 { Compression::NONE } else { Compression::SNAPPY }
}

fn flagged(version: u16, compression: Compression) -> u16 {
    version & !SNAPPY | if compression == Compression::SNAPPY { SNAPPY } else { 0 }
}
