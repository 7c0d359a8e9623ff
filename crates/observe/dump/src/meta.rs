//! `RpcDumpMeta`: the description of a request in a record.
//!
//! | number | field | type | of |
//! | --- | --- | --- | --- |
//! | 1 to 9 | brpc's, see [`Meta`] | | the protocols that brpc records |
//! | 1001 to 1009 | ours, see [`Own`] | | all others, and what brpc's fields have no place for |
//!
//! Source: docs/wire/rpc_dump.md. brpc's reader skips the fields from 1001 on, as every reader of protobuf
//!         skips fields that it does not know.

use crate::fields::{Value, next, owned, put_bytes, put_number, put_varint, text, varint};
use bytes::Bytes;
use polywire_call::Compression;

/// The meta of a record. All fields are optional; `None` is not written.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Meta {
    /// 1: the service, as the request names it (baidu_std: full, hulu: short).
    pub service: Option<String>,
    /// 2: the method; sofa: its full name.
    pub method: Option<String>,
    /// 3: the position of the method in its service, from 0 (hulu).
    pub method_index: Option<i32>,
    /// 4: 0 none, 1 snappy, 2 gzip, 3 zlib, 4 lz4.
    pub compress_type: Option<i32>,
    /// 5: brpc's number of the protocol; 0: brpc cannot replay the protocol, see [`Own::protocol`].
    pub protocol_type: Option<i32>,
    /// 6: how many bytes at the end of the payload are its attachment; HTTP: the length of the body.
    pub attachment_size: Option<i32>,
    /// 7: the credential (baidu_std).
    pub authentication: Option<Bytes>,
    /// 8: `user_data` of hulu_pbrpc.
    pub user_data: Option<Bytes>,
    /// 9: the head of 36 bytes (nshead).
    pub nshead: Option<Bytes>,
    pub own: Own,
    /// The meta as it was read, if encoding its fields would give other bytes: because of unknown fields, or
    /// another order. It is written in place of the fields.
    pub as_read: Option<Bytes>,
}

/// The fields of a meta that brpc does not have.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Own {
    /// 1001: the protocol by which a client sends the request, by the name that this project uses.
    pub protocol: Option<String>,
    /// 1002: the encoding of the body, the number of `Content`; none: protobuf.
    pub content: Option<u8>,
    /// 1003: the compression of the body, as the number of `Compression`, if brpc has no number for it.
    pub compression: Option<u8>,
    /// 1004: metadata in the order of the request, without credentials. A message each: 1 name, 2 value.
    pub fields: Vec<(String, Bytes)>,
    /// 1005: the number by which the request identifies its method (fb_rpc, rest_rpc).
    pub number: Option<u32>,
    /// 1006: when the request was taken, in microseconds since 1970-01-01 UTC.
    pub time_us: Option<u64>,
    /// 1007: the lengths in bytes of the messages of a streaming request; the payload is these messages, one
    /// after the other. Empty: the payload is one message. Packed.
    pub messages: Vec<u32>,
    /// 1008: whether the request streams, and its end was not recorded.
    pub unfinished: bool,
    /// 1009: whether the method takes or answers with a stream.
    pub streams: bool,
}

impl Own {
    /// Whether no field is set.
    pub fn is_empty(&self) -> bool {
        *self == Own::default()
    }
}

impl Meta {
    /// Parses a meta. Unknown fields are left out.
    ///
    /// # Errors
    /// The error in the meta.
    pub fn parse(bytes: &[u8]) -> Result<Meta, &'static str> {
        let (mut meta, mut rest) = (Meta::default(), bytes);
        while !rest.is_empty() {
            match next(&mut rest)? {
                (1, Value::Bytes(name)) => meta.service = Some(text(name)?),
                (2, Value::Bytes(name)) => meta.method = Some(text(name)?),
                (3, Value::Number(number)) => meta.method_index = Some(number as i32),
                (4, Value::Number(number)) => meta.compress_type = Some(number as i32),
                (5, Value::Number(number)) => meta.protocol_type = Some(number as i32),
                (6, Value::Number(number)) => meta.attachment_size = Some(number as i32),
                (7, Value::Bytes(bytes)) => meta.authentication = Some(owned(bytes)),
                (8, Value::Bytes(bytes)) => meta.user_data = Some(owned(bytes)),
                (9, Value::Bytes(bytes)) => meta.nshead = Some(owned(bytes)),
                (1001, Value::Bytes(name)) => meta.own.protocol = Some(text(name)?),
                (1002, Value::Number(number)) => meta.own.content = Some(number as u8),
                (1003, Value::Number(number)) => meta.own.compression = Some(number as u8),
                (1004, Value::Bytes(field)) => meta.own.fields.push(parse_field(field)?),
                (1005, Value::Number(number)) => meta.own.number = Some(number as u32),
                (1006, Value::Number(number)) => meta.own.time_us = Some(number),
                (1007, Value::Bytes(mut lengths)) => {
                    while !lengths.is_empty() {
                        meta.own.messages.push(varint(&mut lengths)? as u32);
                    }
                }
                (1008, Value::Number(number)) => meta.own.unfinished = number != 0,
                (1009, Value::Number(number)) => meta.own.streams = number != 0,
                _ => {}
            }
        }
        let mut written = Vec::with_capacity(bytes.len());
        meta.encode(&mut written);
        meta.as_read = (written != bytes).then(|| owned(bytes));
        Ok(meta)
    }

    /// Appends the meta: as it was read if that was kept, otherwise its fields in the order of their numbers.
    pub fn encode(&self, out: &mut Vec<u8>) {
        if let Some(as_read) = &self.as_read {
            return out.extend_from_slice(as_read);
        }
        let Own { protocol, content, compression, fields, number, time_us, messages, unfinished, streams } =
            &self.own;
        let of = |number: Option<i32>| number.map(i64::from);
        put_bytes(out, 1, self.service.as_ref().map(|name| name.as_bytes()));
        put_bytes(out, 2, self.method.as_ref().map(|name| name.as_bytes()));
        put_number(out, 3, of(self.method_index));
        put_number(out, 4, of(self.compress_type));
        put_number(out, 5, of(self.protocol_type));
        put_number(out, 6, of(self.attachment_size));
        put_bytes(out, 7, self.authentication.as_deref());
        put_bytes(out, 8, self.user_data.as_deref());
        put_bytes(out, 9, self.nshead.as_deref());
        put_bytes(out, 1001, protocol.as_ref().map(|name| name.as_bytes()));
        put_number(out, 1002, content.map(i64::from));
        put_number(out, 1003, compression.map(i64::from));
        for (name, value) in fields {
            let mut field = Vec::with_capacity(name.len() + value.len() + 8);
            put_bytes(&mut field, 1, Some(name.as_bytes()));
            put_bytes(&mut field, 2, Some(value));
            put_bytes(out, 1004, Some(&field));
        }
        put_number(out, 1005, number.map(i64::from));
        put_number(out, 1006, time_us.map(|time| time as i64));
        if !messages.is_empty() {
            let mut lengths = Vec::with_capacity(messages.len() * 2);
            messages.iter().for_each(|&length| put_varint(&mut lengths, length.into()));
            put_bytes(out, 1007, Some(&lengths));
        }
        put_number(out, 1008, unfinished.then_some(1));
        put_number(out, 1009, streams.then_some(1));
    }

    /// The compression of the payload.
    pub fn compression(&self) -> Compression {
        match (self.own.compression, self.compress_type) {
            (Some(own), _) => Compression(own),
            (None, Some(number)) => compression_of(number),
            (None, None) => Compression::NONE,
        }
    }

    /// The first metadata field of this name, whatever its letters' case.
    pub fn field(&self, name: &str) -> Option<&Bytes> {
        let mut fields = self.own.fields.iter();
        fields.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

fn parse_field(mut rest: &[u8]) -> Result<(String, Bytes), &'static str> {
    let (mut name, mut value) = (String::new(), Bytes::new());
    while !rest.is_empty() {
        match next(&mut rest)? {
            (1, Value::Bytes(bytes)) => name = text(bytes)?,
            (2, Value::Bytes(bytes)) => value = owned(bytes),
            _ => {}
        }
    }
    Ok((name, value))
}

/// brpc's number of a compression, where it has one.
pub fn number_of(compression: Compression) -> Option<i32> {
    match compression {
        Compression::NONE => Some(0),
        Compression::SNAPPY => Some(1),
        Compression::GZIP => Some(2),
        Compression::ZLIB => Some(3),
        _ => None,
    }
}

/// The compression with this brpc number; unknown for a compression that is not supported (4: lz4).
pub fn compression_of(number: i32) -> Compression {
    match number {
        0 => Compression::NONE,
        1 => Compression::SNAPPY,
        2 => Compression::GZIP,
        3 => Compression::ZLIB,
        _ => Compression::UNKNOWN,
    }
}
