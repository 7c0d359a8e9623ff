//! StreamSettings: the offer of a request, and the acceptance of a reply.
//!
//! Source: docs/wire/streaming_rpc.md, "StreamSettings (field 8 of RpcMeta)"

use super::frame::NO_STREAM;
use crate::protobuf::{Writer, bytes, skip, varint};
use bytes::BytesMut;

mod tag {
    pub const STREAM_ID: u8 = 1 << 3;
    pub const NEED_FEEDBACK: u8 = 2 << 3;
    pub const WRITABLE: u8 = 3 << 3;
    pub const EXTRA_STREAM_IDS: u8 = 4 << 3;
    pub const EXTRA_STREAM_IDS_PACKED: u8 = 4 << 3 | 2;
    /// Number of a field that is polywire's own.
    pub const TYPED: u8 = 15 << 3;
}

/// Number of the field in RpcMeta.
const STREAM_SETTINGS: u8 = 8 << 3 | 2;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    /// The sender's ids of the streams, the first one first.
    pub ids: Vec<u64>,
    /// Whether the sender of the settings needs FEEDBACK.
    pub need_feedback: bool,
    /// Whether the sender of the settings takes messages.
    pub writable: bool,
    /// A field of polywire: the stream carries the messages of a streaming method, and the sender reads HALF
    /// and the status of an RST.
    pub typed: bool,
}

impl Settings {
    /// Settings of streams of this side, which needs FEEDBACK and takes messages.
    pub fn ours(ids: Vec<u64>, typed: bool) -> Self {
        Settings { ids, need_feedback: true, writable: true, typed }
    }

    /// The stream that the reply goes to, or came from.
    pub fn first(&self) -> u64 {
        self.ids.first().copied().unwrap_or(NO_STREAM)
    }

    /// The settings of an RpcMeta that was read before, if it has any. `Err`: they are malformed.
    pub fn find(mut meta: &[u8]) -> Result<Option<Settings>, ()> {
        let mut found = None;
        while let Some((&first, tail)) = meta.split_first() {
            meta = tail;
            match first {
                STREAM_SETTINGS => found = Some(bytes(&mut meta).and_then(Settings::parse).ok_or(())?),
                other => skip(other, &mut meta).ok_or(())?,
            }
        }
        Ok(found)
    }

    fn parse(mut rest: &[u8]) -> Option<Self> {
        let mut settings = Settings { ids: vec![NO_STREAM], ..Settings::default() };
        let mut first_id = None;
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                tag::STREAM_ID => first_id = Some(varint(&mut rest)?),
                tag::NEED_FEEDBACK => settings.need_feedback = varint(&mut rest)? != 0,
                tag::WRITABLE => settings.writable = varint(&mut rest)? != 0,
                tag::EXTRA_STREAM_IDS => settings.ids.push(varint(&mut rest)?),
                tag::EXTRA_STREAM_IDS_PACKED => {
                    let mut packed = bytes(&mut rest)?;
                    while !packed.is_empty() {
                        settings.ids.push(varint(&mut packed)?);
                    }
                }
                tag::TYPED => settings.typed = varint(&mut rest)? != 0,
                unknown => skip(unknown, &mut rest)?,
            }
        }
        settings.ids[0] = first_id?;
        Some(settings)
    }

    pub fn encode(&self) -> BytesMut {
        let mut out = BytesMut::new();
        let mut fields = Writer::new(&mut out, 11 * self.ids.len());
        fields.int(tag::STREAM_ID, self.first());
        fields.put([tag::NEED_FEEDBACK, self.need_feedback.into(), tag::WRITABLE, self.writable.into()]);
        for &id in self.ids.iter().skip(1) {
            fields.int(tag::EXTRA_STREAM_IDS, id);
        }
        if self.typed {
            fields.put([tag::TYPED, 1]);
        }
        fields.end();
        out
    }
}
