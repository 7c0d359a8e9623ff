//! RpcMeta, read by hand and by reference.
//!
//! Source:     docs/wire/baidu_std.md, "RpcMeta"
//! Invariants: one pass; nothing is copied; a field given twice counts as protobuf has it (the last one,
//!             messages merged).
//! Errors:     `None` where brpc's parser fails as well: not protobuf, or a required name missing.
//! Not here:   fields that only [`visit`] reads: log id, trace ids, request id, user fields. A request that
//!             has any sets [`RpcMeta::extra`].

use super::checksum::{self, Checksum};
use crate::pbrpc::ids::Id;
use crate::protobuf::{bytes, skip, varint};
use polywire_wire::Compression;

/// Tags of RpcMeta.
pub(super) mod tag {
    pub const REQUEST: u8 = 1 << 3 | 2;
    pub const RESPONSE: u8 = 2 << 3 | 2;
    pub const COMPRESS_TYPE: u8 = 3 << 3;
    pub const CORRELATION_ID: u8 = 4 << 3;
    pub const ATTACHMENT_SIZE: u8 = 5 << 3;
    pub const AUTHENTICATION_DATA: u8 = 7 << 3 | 2;
    pub const STREAM_SETTINGS: u8 = 8 << 3 | 2;
    pub const USER_FIELDS: u8 = 9 << 3 | 2;
    pub const CONTENT_TYPE: u8 = 10 << 3;
    pub const CHECKSUM_TYPE: u8 = 11 << 3;
    pub const CHECKSUM_VALUE: u8 = 12 << 3 | 2;
    pub const CHECKSUM_WITH_ATTACHMENT: u8 = 13 << 3;
}

/// Tags of RpcRequestMeta.
pub(super) mod request_tag {
    pub const SERVICE_NAME: u8 = 1 << 3 | 2;
    pub const METHOD_NAME: u8 = 2 << 3 | 2;
    pub const LOG_ID: u8 = 3 << 3;
    pub const TRACE_ID: u8 = 4 << 3;
    pub const SPAN_ID: u8 = 5 << 3;
    pub const PARENT_SPAN_ID: u8 = 6 << 3;
    pub const REQUEST_ID: u8 = 7 << 3 | 2;
    pub const TIMEOUT_MS: u8 = 8 << 3;
}

/// Tags of RpcResponseMeta.
pub(super) mod response_tag {
    pub const ERROR_CODE: u8 = 1 << 3;
    pub const ERROR_TEXT: u8 = 2 << 3 | 2;
}

/// Tags of an entry of `user_fields`.
pub(super) mod entry_tag {
    pub const KEY: u8 = 1 << 3 | 2;
    pub const VALUE: u8 = 2 << 3 | 2;
}

/// The parts of a meta that calls need, in both directions.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct RpcMeta<'a> {
    /// The service and the method. Required if the meta has a `request`; empty without one.
    pub service: &'a [u8],
    pub method: &'a [u8],
    pub timeout_ms: i32,
    pub error_code: i32,
    pub error_text: &'a [u8],
    pub compress_type: i32,
    pub correlation_id: u64,
    pub attachment_size: i32,
    pub authentication_data: &'a [u8],
    pub content_type: u8,
    pub checksum_type: i32,
    checksum_value: &'a [u8],
    checksum_with_attachment: bool,
    /// Whether [`visit`] has anything to show.
    pub extra: bool,
    /// Whether there are `stream_settings`, which streaming_rpc reads.
    pub streams: bool,
}

impl<'a> RpcMeta<'a> {
    /// Reads a whole meta. Hot: once per message; inlined, so that its fields go where they are wanted.
    #[inline(always)]
    pub fn parse(mut rest: &'a [u8]) -> Option<Self> {
        let mut meta = RpcMeta::default();
        let mut names = Names::default();
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                tag::REQUEST => meta.request(bytes(&mut rest)?, &mut names)?,
                tag::RESPONSE => meta.response(bytes(&mut rest)?)?,
                tag::COMPRESS_TYPE => meta.compress_type = varint(&mut rest)? as i32,
                tag::CORRELATION_ID => meta.correlation_id = varint(&mut rest)?,
                tag::ATTACHMENT_SIZE => meta.attachment_size = varint(&mut rest)? as i32,
                tag::AUTHENTICATION_DATA => meta.authentication_data = bytes(&mut rest)?,
                tag::STREAM_SETTINGS => {
                    bytes(&mut rest)?;
                    meta.streams = true;
                }
                tag::USER_FIELDS => {
                    entry(bytes(&mut rest)?)?;
                    meta.extra = true;
                }
                // "an out-of-range enum value is treated as an unknown field"
                tag::CONTENT_TYPE => {
                    if let known @ 0..=3 = varint(&mut rest)? as i32 {
                        meta.content_type = known as u8;
                    }
                }
                tag::CHECKSUM_TYPE => meta.checksum_type = varint(&mut rest)? as i32,
                tag::CHECKSUM_VALUE => meta.checksum_value = bytes(&mut rest)?,
                tag::CHECKSUM_WITH_ATTACHMENT => meta.checksum_with_attachment = varint(&mut rest)? != 0,
                unknown => skip(unknown, &mut rest)?,
            }
        }
        meta.extra |= meta.checksum_type == checksum::CRC32C;
        (names.service == names.request && names.method == names.request).then_some(meta)
    }

    #[inline(always)]
    fn request(&mut self, mut rest: &'a [u8], names: &mut Names) -> Option<()> {
        use request_tag::*;
        names.request = true;
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                SERVICE_NAME => (self.service, names.service) = (bytes(&mut rest)?, true),
                METHOD_NAME => (self.method, names.method) = (bytes(&mut rest)?, true),
                TIMEOUT_MS => self.timeout_ms = varint(&mut rest)? as i32,
                LOG_ID | TRACE_ID | SPAN_ID | PARENT_SPAN_ID => {
                    varint(&mut rest)?;
                    self.extra = true;
                }
                REQUEST_ID => {
                    bytes(&mut rest)?;
                    self.extra = true;
                }
                unknown => skip(unknown, &mut rest)?,
            }
        }
        Some(())
    }

    #[inline(always)]
    fn response(&mut self, mut rest: &'a [u8]) -> Option<()> {
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                response_tag::ERROR_CODE => self.error_code = varint(&mut rest)? as i32,
                response_tag::ERROR_TEXT => self.error_text = bytes(&mut rest)?,
                unknown => skip(unknown, &mut rest)?,
            }
        }
        Some(())
    }

    /// The checksum to verify. "Unknown checksum_type is not verified and not an error."
    #[inline]
    pub fn checksum(&self) -> Option<Checksum> {
        (self.checksum_type == checksum::CRC32C).then(|| Checksum {
            digest: self.checksum_value.try_into().ok(),
            with_attachment: self.checksum_with_attachment,
        })
    }

    #[inline]
    pub fn compression(&self) -> Compression {
        match self.compress_type {
            known @ 0..=3 => Compression(known as u8), // our numbers are brpc's
            _ => Compression::UNKNOWN,
        }
    }

    /// Bytes of the attachment, `None` if the payload is shorter. "attachment_size negative: treated as 0."
    #[inline]
    pub fn attachment(&self, payload_bytes: usize) -> Option<u32> {
        let size = self.attachment_size.max(0) as u32;
        (size as usize <= payload_bytes).then_some(size)
    }
}

/// The id of a usual reply, byte for byte in the form in which brpc and polywire write it: no error, no
/// compression, no attachment, protobuf, no checksum. `None`: the reply has to be read field by field.
#[inline(always)]
pub(super) fn usual_reply(raw: &[u8]) -> Option<u64> {
    usual_rest(after(&[tag::RESPONSE, 2, response_tag::ERROR_CODE, 0], raw)?)
}

/// Id and timeout of a usual request for the same method as the last one (`names`, as fields), byte for byte
/// in the form in which brpc and polywire write it.
#[inline(always)]
pub(super) fn usual_request(raw: &[u8], names: &[u8]) -> Option<(u64, i32)> {
    let (&[tag::REQUEST, length @ ..0x80], rest) = raw.split_first_chunk()? else { return None };
    let (request, rest) = rest.split_at_checked(usize::from(length))?;
    let timeout_ms = match request.strip_prefix(names)? {
        [] => 0,
        [request_tag::TIMEOUT_MS, timeout @ ..] => whole_varint(timeout)? as i32,
        _ => return None,
    };
    Some((usual_rest(rest)?, timeout_ms))
}

/// Reads the part after request or response: the id, and fields without effect.
#[inline(always)]
fn usual_rest(rest: &[u8]) -> Option<u64> {
    const BACK: [u8; 6] = [tag::CONTENT_TYPE, 0, tag::CHECKSUM_TYPE, 0, tag::CHECKSUM_VALUE, 0];
    let mut rest = after(&[tag::COMPRESS_TYPE, 0, tag::CORRELATION_ID], rest)?;
    let id = varint(&mut rest)?; // with what follows there are eight bytes, which are read at once
    (*rest == BACK).then_some(id)
}

/// What follows these bytes. `strip_prefix` is a call.
#[inline(always)]
fn after<'a, const N: usize>(front: &[u8; N], raw: &'a [u8]) -> Option<&'a [u8]> {
    let (first, rest) = raw.split_first_chunk()?;
    (first == front).then_some(rest)
}

#[inline(always)]
fn whole_varint(mut bytes: &[u8]) -> Option<u64> {
    let number = varint(&mut bytes)?;
    bytes.is_empty().then_some(number)
}

/// The required fields that have been read.
#[derive(Default)]
struct Names {
    request: bool,
    service: bool,
    method: bool,
}

/// A part of a meta that goes to the metadata of a call.
pub(super) enum Extra<'a> {
    Id(Id),
    RequestId(&'a [u8]),
    UserField {
        key: &'a [u8],
        value: &'a [u8],
    },
    /// CRC32C was sent; `with_attachment` as in field 13.
    Checksum {
        with_attachment: bool,
    },
}

/// Visits the fields that [`RpcMeta::parse`] skipped, in wire order, the checksum last. Stops at bytes that
/// are not protobuf.
#[cold]
pub(super) fn visit<'a>(mut rest: &'a [u8], see: &mut dyn FnMut(Extra<'a>)) -> Option<()> {
    let whole = rest;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        match first {
            tag::REQUEST => visit_request(bytes(&mut rest)?, see)?,
            tag::USER_FIELDS => {
                let (key, value) = entry(bytes(&mut rest)?)?;
                see(Extra::UserField { key, value });
            }
            other => skip(other, &mut rest)?,
        }
    }
    if let Some(checksum) = RpcMeta::parse(whole)?.checksum() {
        see(Extra::Checksum { with_attachment: checksum.with_attachment });
    }
    Some(())
}

fn visit_request<'a>(mut rest: &'a [u8], see: &mut dyn FnMut(Extra<'a>)) -> Option<()> {
    use request_tag::*;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        see(match first {
            LOG_ID => Extra::Id(Id::Log(varint(&mut rest)?)),
            TRACE_ID => Extra::Id(Id::Trace(varint(&mut rest)?)),
            SPAN_ID => Extra::Id(Id::Span(varint(&mut rest)?)),
            PARENT_SPAN_ID => Extra::Id(Id::ParentSpan(varint(&mut rest)?)),
            REQUEST_ID => Extra::RequestId(bytes(&mut rest)?),
            other => {
                skip(other, &mut rest)?;
                continue;
            }
        });
    }
    Some(())
}

/// Key and value of an entry of `user_fields`; a missing one is empty.
#[cold]
fn entry(mut rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let (mut key, mut value): (&[u8], &[u8]) = (&[], &[]);
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        match first {
            entry_tag::KEY => key = bytes(&mut rest)?,
            entry_tag::VALUE => value = bytes(&mut rest)?,
            other => skip(other, &mut rest)?,
        }
    }
    Some((key, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Service `a.B`, method `C`, as the fields of a request.
    const NAMES: &[u8] = b"\x0a\x03a.B\x12\x01C";

    /// Pieces of metas, usual ones and others, so that many draws are nearly usual.
    fn piece() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            Just(b"\x12\x02\x08\x00".to_vec()),
            Just([&[0x0a, NAMES.len() as u8], NAMES].concat()),
            Just([&[0x0a, NAMES.len() as u8 + 3], NAMES, b"\x40\xf4\x03"].concat()),
            Just([&[0x0a, NAMES.len() as u8 + 2], NAMES, b"\x18\x01"].concat()),
            Just(b"\x18\x00".to_vec()),
            Just(b"\x18\x01".to_vec()),
            any::<u64>().prop_map(|id| {
                let mut meta = vec![tag::CORRELATION_ID];
                let mut rest = id;
                while rest >= 0x80 {
                    meta.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                meta.push(rest as u8);
                meta
            }),
            Just(b"\x50\x00\x58\x00\x62\x00".to_vec()),
            Just(b"\x50\x01\x58\x00\x62\x00".to_vec()),
            Just(b"\x28\x05".to_vec()),
            prop::collection::vec(any::<u8>(), 0..4),
        ]
    }

    /// The fields are mostly in the usual order.
    fn meta() -> impl Strategy<Value = Vec<u8>> {
        let usual = |front: Vec<u8>| {
            (Just(front), any::<u64>().prop_map(|n| n >> (n % 64))).prop_map(|(mut meta, id)| {
                meta.extend(b"\x18\x00\x20");
                let mut out = bytes::BytesMut::new();
                let mut writer = crate::protobuf::Writer::new(&mut out, 0);
                writer.varint(id);
                meta.extend_from_slice(writer.end());
                meta.extend(b"\x50\x00\x58\x00\x62\x00");
                meta
            })
        };
        prop_oneof![
            piece().prop_flat_map(usual),
            prop::collection::vec(piece(), 0..6).prop_map(|pieces| pieces.concat()),
        ]
    }

    proptest! {
        #[test]
        fn the_short_way_reads_what_the_long_way_reads(raw in meta()) {
            if let Some(id) = usual_reply(&raw) {
                let whole = RpcMeta::parse(&raw).expect("the usual form is a meta");
                prop_assert_eq!(whole, RpcMeta { correlation_id: id, ..RpcMeta::default() });
            }
            if let Some((id, timeout_ms)) = usual_request(&raw, NAMES) {
                let whole = RpcMeta::parse(&raw).expect("the usual form is a meta");
                let usual = RpcMeta {
                    service: b"a.B",
                    method: b"C",
                    correlation_id: id,
                    timeout_ms,
                    ..RpcMeta::default()
                };
                prop_assert_eq!(whole, usual);
            }
        }
    }

    #[test]
    fn the_usual_forms_are_taken_the_short_way() {
        let rest = b"\x18\x00\x20\x96\x01\x50\x00\x58\x00\x62\x00";
        assert_eq!(usual_reply(&[b"\x12\x02\x08\x00", &rest[..]].concat()), Some(150));
        let request = [&[0x0a, NAMES.len() as u8], NAMES, rest].concat();
        assert_eq!(usual_request(&request, NAMES), Some((150, 0)));
        let hurried = [&[0x0a, NAMES.len() as u8 + 3], NAMES, b"\x40\xf4\x03", rest].concat();
        assert_eq!(usual_request(&hurried, NAMES), Some((150, 500)));
        assert_eq!(usual_request(&hurried, b"\x0a\x03a.B\x12\x01D"), None);
    }
}
