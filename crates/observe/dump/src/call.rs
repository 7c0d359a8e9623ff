//! The record of a call as a client sends it, which is written if it is wanted after all.

use crate::{Meta, Own, meta::number_of};
use bytes::Bytes;
use polywire_base::IoBuf;
use polywire_call::{Compression, Content};
use std::time::SystemTime;

/// A call that was sent and of which a record can be made: see [`Recorder::put`](crate::Recorder::put). It
/// shares the bytes of the message.
pub struct CallRecord {
    pub(crate) meta: Meta,
    pub(crate) payload: IoBuf,
}

impl CallRecord {
    /// A call by names, sent over the protocol of this name.
    pub fn new(
        protocol: &str,
        (service, method): (&str, &str),
        (content, compression): (Content, Compression),
        message: &IoBuf,
        attachment: &IoBuf,
    ) -> CallRecord {
        let number = number_of(compression);
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let own = Own {
            protocol: Some(protocol.to_owned()),
            content: (content != Content::PROTOBUF).then_some(content.0),
            compression: number.is_none().then_some(compression.0),
            time_us: Some(since.as_micros() as u64),
            ..Own::default()
        };
        let meta = Meta {
            service: Some(service.to_owned()),
            method: Some(method.to_owned()),
            compress_type: number,
            protocol_type: Some(0),
            attachment_size: (!attachment.is_empty()).then_some(attachment.len() as i32),
            own,
            ..Meta::default()
        };
        let mut payload = message.clone();
        payload.append(attachment.clone());
        CallRecord { meta, payload }
    }

    /// Adds a field that was sent beside the message.
    pub fn field(&mut self, name: &str, value: &[u8]) {
        self.meta.own.fields.push((name.to_owned(), Bytes::copy_from_slice(value)));
    }
}
