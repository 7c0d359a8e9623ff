//! SofaRpcMeta, one message for both directions.
//!
//! Source:     docs/wire/sofa_pbrpc.md, "SofaRpcMeta". Every tag but two takes two bytes.
//! Errors:     `None` where brpc's parser fails as well: not protobuf, or a required field missing.

use crate::protobuf::{bytes, skip_value, varint};
use polywire_wire::Compression;

/// Tags as they are encoded: number and wire type.
pub(super) mod tag {
    pub const TYPE: u64 = 1 << 3;
    pub const SEQUENCE_ID: u64 = 2 << 3;
    pub const METHOD: u64 = 100 << 3 | 2;
    pub const FAILED: u64 = 200 << 3;
    pub const ERROR_CODE: u64 = 201 << 3;
    pub const REASON: u64 = 202 << 3 | 2;
    pub const COMPRESS_TYPE: u64 = 300 << 3;
}

/// Values of the field `type`.
pub(super) const REQUEST: u64 = 0;
pub(super) const RESPONSE: u64 = 1;

/// The fields of a meta that calls need.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct SofaRpcMeta<'a> {
    pub sequence_id: u64,
    pub method: &'a [u8],
    pub error_code: i32,
    pub reason: &'a [u8],
    pub compression: Compression,
    /// Whether there may be fields that are not in SofaRpcMeta.
    pub extra: bool,
}

impl<'a> SofaRpcMeta<'a> {
    /// Reads a whole meta. "type: not checked by brpc on read"; but it is required.
    #[inline]
    pub fn parse(mut rest: &'a [u8]) -> Option<Self> {
        let mut meta = SofaRpcMeta::default();
        let (mut kind, mut id) = (false, false);
        while !rest.is_empty() {
            match varint(&mut rest)? {
                // "an out-of-range enum value is treated as an unknown field"
                tag::TYPE => kind |= varint(&mut rest)? <= RESPONSE,
                tag::SEQUENCE_ID => (meta.sequence_id, id) = (varint(&mut rest)?, true),
                tag::METHOD => meta.method = bytes(&mut rest)?,
                tag::ERROR_CODE => meta.error_code = varint(&mut rest)? as i32,
                tag::REASON => meta.reason = bytes(&mut rest)?,
                tag::COMPRESS_TYPE => {
                    if let Some(known) = compression(varint(&mut rest)?) {
                        meta.compression = known;
                    }
                }
                other => {
                    skip_value(other, &mut rest, 0)?;
                    meta.extra = true;
                }
            }
        }
        (kind && id).then_some(meta)
    }
}

/// "0 none, 1 gzip, 2 zlib, 3 snappy, 4 lz4 (unsupported)"; "Unknown compress_type falls to none."
fn compression(number: u64) -> Option<Compression> {
    Some(match number {
        0 => Compression::NONE,
        1 => Compression::GZIP,
        2 => Compression::ZLIB,
        3 => Compression::SNAPPY,
        4 => Compression::UNKNOWN,
        _ => return None,
    })
}

/// The number of a compression that is [`NAMED`](crate::pbrpc::NAMED).
pub(super) fn compress_type(compression: Compression) -> u64 {
    match compression {
        Compression::GZIP => 1,
        Compression::ZLIB => 2,
        Compression::SNAPPY => 3,
        _ => 0,
    }
}
