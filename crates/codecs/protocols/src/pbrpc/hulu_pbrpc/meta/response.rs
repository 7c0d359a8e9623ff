//! HuluRpcResponseMeta.
//!
//! Source:     docs/wire/hulu_pbrpc.md, "HuluRpcResponseMeta". The id is zigzag here, and plain in requests.
//! Errors:     `None` where brpc's parser fails as well: not protobuf.

use super::super::fields::{Extras, has_place};
use crate::protobuf::{Writer, bytes, skip, varint};
use crate::reply_fields;
use polywire_call::Metadata;

pub(in super::super) mod tag {
    pub const ERROR_CODE: u8 = 1 << 3;
    pub const ERROR_TEXT: u8 = 2 << 3 | 2;
    pub const CORRELATION_ID: u8 = 3 << 3;
    pub const COMPRESS_TYPE: u8 = 4 << 3;
    pub const USER_DATA: u8 = 7 << 3 | 2;
    pub const USER_MESSAGE_SIZE: u8 = 8 << 3;
    pub const SOURCE_ADDRESS: u8 = 9 << 3;
}

/// The fields of a meta that calls need.
#[derive(Default, Debug, PartialEq, Eq)]
pub(in super::super) struct ResponseMeta<'a> {
    pub error_code: i32,
    pub error_text: &'a [u8],
    pub correlation_id: u64,
    pub compress_type: i32,
    pub user_message_size: Option<i32>,
    /// Whether there is metadata for the reply.
    pub extra: bool,
}

impl<'a> ResponseMeta<'a> {
    #[inline]
    pub fn parse(mut rest: &'a [u8]) -> Option<Self> {
        let mut meta = ResponseMeta::default();
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                tag::ERROR_CODE => meta.error_code = varint(&mut rest)? as i32,
                tag::ERROR_TEXT => meta.error_text = bytes(&mut rest)?,
                tag::CORRELATION_ID => meta.correlation_id = unzigzag(varint(&mut rest)?),
                tag::COMPRESS_TYPE => meta.compress_type = varint(&mut rest)? as i32,
                tag::USER_MESSAGE_SIZE => meta.user_message_size = Some(varint(&mut rest)? as i32),
                tag::USER_DATA => {
                    bytes(&mut rest)?;
                    meta.extra = true;
                }
                tag::SOURCE_ADDRESS => {
                    varint(&mut rest)?;
                    meta.extra = true;
                }
                unknown => {
                    skip(unknown, &mut rest)?;
                    meta.extra = true;
                }
            }
        }
        Some(meta)
    }
}

/// The fields that a server writes: "Response always contains 1, 3, 4."
pub(in super::super) struct Response<'a> {
    /// The value of the field, unchanged.
    pub error_code: u64,
    pub error_text: &'a str,
    pub correlation_id: u64,
    pub compress_type: u64,
    pub user_message_size: Option<u32>,
    pub extras: Extras<'a>,
    /// All fields of the reply; those without a place of their own go after the meta.
    pub fields: Option<&'a Metadata>,
}

impl Response<'_> {
    #[inline]
    pub fn put(&self, meta: &mut Writer<'_>) {
        meta.int(tag::ERROR_CODE, self.error_code);
        if !self.error_text.is_empty() {
            meta.text(tag::ERROR_TEXT, self.error_text.as_bytes());
        }
        meta.int(tag::CORRELATION_ID, zigzag(self.correlation_id));
        meta.int(tag::COMPRESS_TYPE, self.compress_type);
        self.extras.put_user_data(tag::USER_DATA, meta);
        if let Some(size) = self.user_message_size {
            meta.int(tag::USER_MESSAGE_SIZE, u64::from(size));
        }
        self.extras.put_source_address(tag::SOURCE_ADDRESS, meta);
        if let Some(fields) = self.fields {
            reply_fields::put(meta, fields.iter().filter(|(name, _)| !has_place(name)));
        }
    }
}

/// An id, a signed number to this protocol, as sint64.
fn zigzag(id: u64) -> u64 {
    let id = id as i64;
    ((id << 1) ^ (id >> 63)) as u64
}

fn unzigzag(bits: u64) -> u64 {
    (bits >> 1) ^ (bits & 1).wrapping_neg()
}
