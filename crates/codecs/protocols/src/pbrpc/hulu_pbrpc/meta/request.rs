//! HuluRpcRequestMeta.
//!
//! Source:     docs/wire/hulu_pbrpc.md, "HuluRpcRequestMeta".
//! Errors:     `None` where brpc's parser fails as well: not protobuf, or a required field missing.

use super::super::fields::Extras;
use crate::pbrpc::ids::Id;
use crate::protobuf::{Writer, bytes, skip, varint};

pub(in super::super) mod tag {
    pub const SERVICE_NAME: u8 = 1 << 3 | 2;
    pub const METHOD_INDEX: u8 = 2 << 3;
    pub const COMPRESS_TYPE: u8 = 3 << 3;
    pub const CORRELATION_ID: u8 = 4 << 3;
    pub const LOG_ID: u8 = 5 << 3;
    pub const TRACE_ID: u8 = 7 << 3;
    pub const PARENT_SPAN_ID: u8 = 8 << 3;
    pub const SPAN_ID: u8 = 9 << 3;
    pub const USER_DATA: u8 = 11 << 3 | 2;
    pub const USER_MESSAGE_SIZE: u8 = 12 << 3;
    pub const SOURCE_ADDRESS: u8 = 13 << 3;
    pub const CREDENTIAL_DATA: u8 = 15 << 3 | 2;
}

/// The fields of a meta that calls need.
#[derive(Default, Debug, PartialEq, Eq)]
pub(in super::super) struct RequestMeta<'a> {
    pub service: &'a [u8],
    pub method_index: i32,
    pub compress_type: i32,
    pub correlation_id: u64,
    pub user_message_size: Option<i32>,
    pub credential_data: &'a [u8],
    /// Whether [`visit`] has anything to show.
    pub extra: bool,
}

impl<'a> RequestMeta<'a> {
    #[inline]
    pub fn parse(mut rest: &'a [u8]) -> Option<Self> {
        let mut meta = RequestMeta::default();
        let (mut service, mut method) = (false, false);
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                tag::SERVICE_NAME => (meta.service, service) = (bytes(&mut rest)?, true),
                tag::METHOD_INDEX => (meta.method_index, method) = (varint(&mut rest)? as i32, true),
                tag::COMPRESS_TYPE => meta.compress_type = varint(&mut rest)? as i32,
                tag::CORRELATION_ID => meta.correlation_id = varint(&mut rest)?,
                tag::USER_MESSAGE_SIZE => meta.user_message_size = Some(varint(&mut rest)? as i32),
                tag::CREDENTIAL_DATA => meta.credential_data = bytes(&mut rest)?,
                tag::LOG_ID | tag::TRACE_ID | tag::PARENT_SPAN_ID | tag::SPAN_ID | tag::SOURCE_ADDRESS => {
                    varint(&mut rest)?;
                    meta.extra = true;
                }
                tag::USER_DATA => {
                    bytes(&mut rest)?;
                    meta.extra = true;
                }
                unknown => {
                    skip(unknown, &mut rest)?;
                    meta.extra = true;
                }
            }
        }
        (service && method).then_some(meta)
    }
}

/// A part of a meta that goes to the metadata of a call.
pub(in super::super) enum Extra<'a> {
    Id(Id),
    UserData(&'a [u8]),
    SourceAddress(i64),
}

/// Visits the fields that [`RequestMeta::parse`] only skipped, in wire order. Stops at invalid protobuf.
#[cold]
pub(in super::super) fn visit<'a>(mut rest: &'a [u8], see: &mut dyn FnMut(Extra<'a>)) -> Option<()> {
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        see(match first {
            tag::LOG_ID => Extra::Id(Id::Log(varint(&mut rest)?)),
            tag::TRACE_ID => Extra::Id(Id::Trace(varint(&mut rest)?)),
            tag::PARENT_SPAN_ID => Extra::Id(Id::ParentSpan(varint(&mut rest)?)),
            tag::SPAN_ID => Extra::Id(Id::Span(varint(&mut rest)?)),
            tag::USER_DATA => Extra::UserData(bytes(&mut rest)?),
            tag::SOURCE_ADDRESS => Extra::SourceAddress(varint(&mut rest)? as i64),
            other => {
                skip(other, &mut rest)?;
                continue;
            }
        });
    }
    Some(())
}

/// The fields that a client writes.
pub(in super::super) struct Request<'a> {
    /// Name of the service without its package.
    pub service: &'a str,
    pub method_index: u32,
    pub compress_type: u64,
    pub correlation_id: u64,
    pub extras: Extras<'a>,
    /// "Written only if there is an attachment": "Existing hulu servers may reject the field when there is
    /// none".
    pub user_message_size: Option<u32>,
    /// "first request of a connection only"
    pub credential: &'a [u8],
}

impl Request<'_> {
    #[inline]
    pub fn put(&self, meta: &mut Writer<'_>) {
        meta.text(tag::SERVICE_NAME, self.service.as_bytes());
        meta.int(tag::METHOD_INDEX, u64::from(self.method_index));
        meta.int(tag::COMPRESS_TYPE, self.compress_type);
        meta.int(tag::CORRELATION_ID, self.correlation_id);
        self.extras.put_ids(meta);
        self.extras.put_user_data(tag::USER_DATA, meta);
        if let Some(size) = self.user_message_size {
            meta.int(tag::USER_MESSAGE_SIZE, u64::from(size));
        }
        self.extras.put_source_address(tag::SOURCE_ADDRESS, meta);
        if !self.credential.is_empty() {
            meta.text(tag::CREDENTIAL_DATA, self.credential);
        }
        self.extras.put_relays(meta);
    }
}
