//! Metadata of a call and its places in the metas.
//!
//! | metadata name | field | value |
//! | --- | --- | --- |
//! | those of [`Id`] | `log_id`, `trace_id`, `span_id`, `parent_span_id` | of requests alone |
//! | [`USER_DATA`] | `user_data` | bytes |
//! | [`SOURCE_ADDRESS`] | `user_defined_source_addr` | decimal, 64 bits signed |
//!
//! Other names of a request are not sent, because the protocol has no field for them; but the number of
//! relays that it has passed goes after the meta, see [`relays`](crate::relays). Those of a reply go
//! after the meta, too, see [`reply_fields`](crate::reply_fields).

use super::meta::request::{self, tag as request_tag};
use super::meta::response::tag as response_tag;
use crate::pbrpc::ids::Id;
use crate::protobuf::{Writer, bytes, skip, varint};
use crate::{relays, reply_fields};
use polywire_call::Metadata;
use polywire_wire::RELAYS;

/// Metadata name of hulu's `user_data`: bytes beside the message, both ways.
pub const USER_DATA: &str = "x-bd-user-data";

/// Metadata name of hulu's `user_defined_source_addr`: a number of the application's own, both ways.
pub const SOURCE_ADDRESS: &str = "x-bd-source-addr";

/// `Protocol::fields`: visits the metadata of a request's meta.
pub(super) fn fields(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
    // A meta that reached a handler was parsed before, so there is nothing to report.
    let _ = request::visit(raw, &mut |extra| match extra {
        request::Extra::Id(id) => id.visit(visit),
        request::Extra::UserData(data) => visit(USER_DATA, data),
        request::Extra::SourceAddress(address) => {
            visit(SOURCE_ADDRESS, itoa::Buffer::new().format(address).as_bytes());
        }
    });
    relays::visit(raw, visit);
}

/// The metadata of a reply's meta, which was parsed before.
#[cold]
pub(super) fn trailers(mut rest: &[u8]) -> Option<Box<Metadata>> {
    let (whole, mut trailers) = (rest, Metadata::new());
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        match first {
            response_tag::USER_DATA => trailers.append(USER_DATA, bytes(&mut rest)?),
            response_tag::SOURCE_ADDRESS => {
                let address = varint(&mut rest)? as i64;
                trailers.append(SOURCE_ADDRESS, itoa::Buffer::new().format(address));
            }
            other => skip(other, &mut rest)?,
        }
    }
    if let Some(more) = reply_fields::read(whole) {
        more.iter().for_each(|(name, value)| trailers.append(name, value));
    }
    (!trailers.is_empty()).then(|| Box::new(trailers))
}

/// Whether a reply's meta has a field for this name.
pub(super) fn has_place(name: &str) -> bool {
    name.eq_ignore_ascii_case(USER_DATA) || name.eq_ignore_ascii_case(SOURCE_ADDRESS)
}

/// The metadata that has fields; of fields given twice the last one counts.
#[derive(Default)]
pub(super) struct Extras<'a> {
    log_id: Option<u64>,
    trace_id: Option<u64>,
    span_id: Option<u64>,
    parent_span_id: Option<u64>,
    user_data: &'a [u8],
    source_address: i64,
    /// Of requests alone.
    relays: Option<&'a [u8]>,
}

impl<'a> Extras<'a> {
    pub fn of(metadata: &'a Metadata) -> Self {
        let mut extras = Extras::default();
        for (name, value) in metadata.iter() {
            match Id::of(name, value) {
                Some(Id::Log(id)) => extras.log_id = Some(id),
                Some(Id::Trace(id)) => extras.trace_id = Some(id),
                Some(Id::Span(id)) => extras.span_id = Some(id),
                Some(Id::ParentSpan(id)) => extras.parent_span_id = Some(id),
                None if name.eq_ignore_ascii_case(USER_DATA) => extras.user_data = value,
                None if name.eq_ignore_ascii_case(SOURCE_ADDRESS) => {
                    let text = std::str::from_utf8(value).unwrap_or_default();
                    extras.source_address = text.parse().unwrap_or_default();
                }
                None if name.eq_ignore_ascii_case(RELAYS) => extras.relays = relays::number(value),
                None => {}
            }
        }
        extras
    }

    /// Length of the text that will be written, in bytes.
    pub fn text_bytes(&self) -> usize {
        self.user_data.len()
    }

    pub fn put_ids(&self, meta: &mut Writer<'_>) {
        use request_tag::*;
        let ids = [
            (LOG_ID, self.log_id),
            (TRACE_ID, self.trace_id),
            (PARENT_SPAN_ID, self.parent_span_id),
            (SPAN_ID, self.span_id),
        ];
        for (tag, id) in ids.into_iter().filter_map(|(tag, id)| Some((tag, id?))) {
            meta.int(tag, id);
        }
    }

    /// Writes `user_data`, "if non-empty".
    pub fn put_user_data(&self, tag: u8, meta: &mut Writer<'_>) {
        if !self.user_data.is_empty() {
            meta.text(tag, self.user_data);
        }
    }

    /// Writes the number of relays, if there are any.
    #[inline]
    pub fn put_relays(&self, meta: &mut Writer<'_>) {
        if let Some(relays) = self.relays {
            relays::put(meta, relays);
        }
    }

    /// Writes the source address, "written if non-zero".
    pub fn put_source_address(&self, tag: u8, meta: &mut Writer<'_>) {
        if self.source_address != 0 {
            meta.int(tag, self.source_address as u64);
        }
    }
}
