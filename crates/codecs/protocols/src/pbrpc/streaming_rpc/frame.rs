//! Frames: header and StreamFrameMeta.
//!
//! ```text
//!  0        4                 8                 12                12+meta_size        12+body_size
//!  +--------+-----------------+-----------------+-----------------+-------- - - -------+
//!  | "STRM" | body_size u32BE | meta_size u32BE | StreamFrameMeta | data               |
//!  +--------+-----------------+-----------------+-----------------+-------- - - -------+
//! ```
//!
//! Source: docs/wire/streaming_rpc.md, "Frame"; for the fields that only polywire has: docs/streaming_rpc.md,
//! "Between two of us".

use crate::brpc_error::bounded;
use crate::pbrpc::{SIZES_HEADER_BYTES, put_sizes};
use crate::protobuf::{Writer, bytes, skip, varint};
use crate::reply_fields;
use polywire_base::{IoBuf, Output};
use polywire_call::{Status, brpc};

pub(crate) const MAGIC: &[u8; 4] = b"STRM";

/// "-1 (all bits set) means no stream".
pub(super) const NO_STREAM: u64 = u64::MAX;

mod tag {
    pub const STREAM_ID: u8 = 1 << 3;
    pub const SOURCE_STREAM_ID: u8 = 2 << 3;
    pub const FRAME_TYPE: u8 = 3 << 3;
    pub const HAS_CONTINUATION: u8 = 4 << 3;
    pub const FEEDBACK: u8 = 5 << 3 | 2;
    pub const CONSUMED_SIZE: u8 = 1 << 3;
    /// Numbers of polywire's own fields in RST.
    pub const ERROR_CODE: u8 = 14 << 3;
    pub const ERROR_TEXT: u8 = 15 << 3 | 2;
}

/// The type of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Rst,
    Close,
    Data,
    Feedback,
    /// An extension of polywire: the sender's half has ended.
    Half,
    /// "UNKNOWN / other: ignored"
    Other,
}

impl Kind {
    const ALL: [(u64, Kind); 5] =
        [(1, Kind::Rst), (2, Kind::Close), (3, Kind::Data), (4, Kind::Feedback), (5, Kind::Half)];

    fn of(number: u64) -> Kind {
        Kind::ALL.iter().find(|(known, _)| *known == number).map_or(Kind::Other, |(_, kind)| *kind)
    }

    fn number(self) -> u64 {
        Kind::ALL.iter().find(|(_, kind)| *kind == self).map_or(0, |(number, _)| *number)
    }
}

/// The content of a StreamFrameMeta.
#[derive(PartialEq, Debug)]
pub(super) struct Meta {
    /// Id of the stream at the receiver.
    pub to: u64,
    /// Id of the stream at the sender.
    pub from: Option<u64>,
    pub kind: Kind,
    pub has_continuation: bool,
    pub consumed: u64,
    /// The reason why a polywire peer broke the stream off.
    pub why: Option<Status>,
}

impl Meta {
    /// `None` if it is not protobuf, or lacks the required id.
    pub fn parse(meta: &[u8]) -> Option<Self> {
        let mut rest = meta;
        let (mut to, mut kind) = (None, 0);
        let (mut from, mut has_continuation, mut consumed) = (None, false, 0);
        let (mut error_code, mut error_text): (i32, &[u8]) = (0, &[]);
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                tag::STREAM_ID => to = Some(varint(&mut rest)?),
                tag::SOURCE_STREAM_ID => from = Some(varint(&mut rest)?),
                tag::FRAME_TYPE => kind = varint(&mut rest)?,
                tag::HAS_CONTINUATION => has_continuation = varint(&mut rest)? != 0,
                tag::FEEDBACK => consumed = consumed_size(bytes(&mut rest)?)?,
                tag::ERROR_CODE => error_code = varint(&mut rest)? as i32,
                tag::ERROR_TEXT => error_text = bytes(&mut rest)?,
                unknown => skip(unknown, &mut rest)?,
            }
        }
        let kind = Kind::of(kind);
        let text = || String::from_utf8_lossy(error_text);
        let why = (error_code != 0)
            .then(|| reply_fields::take_failure(error_code, &text(), &mut reply_fields::read(meta)));
        Some(Meta { to: to?, from, kind, has_continuation, consumed, why })
    }
}

/// A negative size counts as zero.
fn consumed_size(mut rest: &[u8]) -> Option<u64> {
    let mut consumed = 0;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        match first {
            tag::CONSUMED_SIZE => consumed = (varint(&mut rest)? as i64).max(0) as u64,
            unknown => skip(unknown, &mut rest)?,
        }
    }
    Some(consumed)
}

/// The ids that frames of a stream carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ends {
    /// Id of the stream at the peer.
    pub to: u64,
    /// Id of the stream at this side.
    pub from: u64,
}

impl Ends {
    /// Writes one segment of a message. The caller has to limit its length.
    pub fn data(self, out: &mut Output, data: &IoBuf, has_continuation: bool) {
        self.put(out, Kind::Data, data.len(), |meta| {
            meta.put([tag::HAS_CONTINUATION, has_continuation.into()]);
        });
        out.share(data);
    }

    /// "consumed_size is cumulative since the stream started"
    pub fn feedback(self, out: &mut Output, consumed: u64) {
        let length = crate::protobuf::varint_bytes(consumed) as u8 + 1;
        self.put(out, Kind::Feedback, 0, |meta| {
            meta.put([tag::FEEDBACK, length]);
            meta.int(tag::CONSUMED_SIZE, consumed);
        });
    }

    pub fn close(self, out: &mut Output) {
        self.put(out, Kind::Close, 0, |_| {});
    }

    /// Writes the end of this side's half, an extension of polywire.
    pub fn half(self, out: &mut Output) {
        self.put(out, Kind::Half, 0, |_| {});
    }

    fn put(self, out: &mut Output, kind: Kind, data: usize, rest: impl FnOnce(&mut Writer<'_>)) {
        put(out, data, |meta| {
            meta.int(tag::STREAM_ID, self.to);
            meta.int(tag::SOURCE_STREAM_ID, self.from);
            meta.int(tag::FRAME_TYPE, kind.number());
            rest(meta);
        });
    }
}

/// "RST: 1, 3=1 only". `why` is read by polywire peers alone: number and text, and the fields of the status.
pub(super) fn rst(out: &mut Output, to: u64, why: Option<&Status>) {
    put(out, 0, |meta| {
        meta.int(tag::STREAM_ID, to);
        meta.int(tag::FRAME_TYPE, Kind::Rst.number());
        if let Some(why) = why {
            let number = brpc::number(why);
            meta.int(tag::ERROR_CODE, i64::from(number) as u64);
            meta.text(tag::ERROR_TEXT, bounded(why.message()).as_bytes());
            let fields = reply_fields::of_failure(number, why, None);
            if fields.byte_len() <= MOST_FIELDS {
                reply_fields::put(meta, fields.iter());
            }
        }
    });
}

/// Maximum size in bytes of a failure's fields beside number and text; further fields are left out.
const MOST_FIELDS: usize = 16 << 10;

/// Appends the header and meta of a frame with `data` bytes of data.
fn put(out: &mut Output, data: usize, fields: impl FnOnce(&mut Writer<'_>)) {
    let start = out.tail().len();
    let mut meta = Writer::new(out.tail(), 0);
    meta.leave(SIZES_HEADER_BYTES);
    fields(&mut meta);
    let tail = meta.end();
    let meta_bytes = (tail.len() - start - SIZES_HEADER_BYTES) as u32;
    let header = &mut tail[start..start + SIZES_HEADER_BYTES];
    header[..4].copy_from_slice(MAGIC);
    put_sizes(header, u32::to_be_bytes, meta_bytes, data as u32);
}
