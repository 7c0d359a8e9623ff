//! Makes the record of a request that a server has received.
//!
//! Source: docs/wire/rpc_dump.md, "Record" and "Payload per protocol"

use crate::{DumpOptions, Meta, Own, meta::number_of};
use bytes::Bytes;
use polywire_base::IoBuf;
use polywire_call::Content;
use polywire_wire::{DumpForm, Head, Protocol, Target};
use std::time::SystemTime;

/// Payloads below this length are copied, so that they do not keep a whole read buffer alive.
const SMALL: usize = 16 << 10;

/// The meta and payload of a request; `None`: it is not recorded.
pub(crate) fn record(
    options: &DumpOptions,
    protocol: &Protocol,
    head: &Head<'_>,
    (service, method): (&str, &str),
    body: &IoBuf,
    streams: Option<bool>,
    time: SystemTime,
) -> Option<(Meta, IoBuf)> {
    let dumped = (protocol.dumped)(head);
    let named = |service: &str, method: &str| (Some(service.to_owned()), Some(method.to_owned()));
    let mut meta = Meta { protocol_type: Some(dumped.number as i32), ..Meta::default() };
    let mut fields = Vec::new();
    (protocol.fields)(head.raw, &mut |name, value| {
        if !options.is_secret(name) {
            fields.push((name.to_owned(), Bytes::copy_from_slice(value)));
        }
    });
    let number = number_of(head.compression);
    let attachment = (head.attachment > 0).then_some(head.attachment as i32);
    let is_plain = streams.is_none() && number.is_some();
    match (dumped.form, head.target) {
        (DumpForm::Never | DumpForm::HeadAndBody, _) => return None,
        (DumpForm::Names, Target::Method { service, method }) if is_plain => {
            (meta.service, meta.method) = named(service, method);
            meta.authentication = Some(Bytes::new());
        }
        (DumpForm::Position { user_data }, Target::Index { service, method }) if is_plain => {
            meta.service = Some(service.to_owned());
            meta.method_index = Some(method as i32);
            let at = fields.iter().position(|(name, _)| name == user_data);
            meta.user_data = Some(at.map(|at| fields.remove(at).1).unwrap_or_default());
        }
        (DumpForm::FullName, Target::Method { service, method }) if is_plain => {
            meta.method = Some(format!("{service}.{method}"));
        }
        (DumpForm::HttpText, Target::Path { .. }) if streams.is_none() => {
            let text = http_text(&fields, body.len());
            meta.compress_type = Some(0);
            meta.attachment_size = Some(body.len() as i32);
            let mut payload = IoBuf::from(text);
            payload.append(kept(body));
            return Some((meta, payload));
        }
        _ => {
            meta.protocol_type = Some(0);
            (meta.service, meta.method) = named(service, method);
            meta.own.protocol = Some(dumped.client.unwrap_or(protocol.name).to_owned());
            meta.own.number = match head.target {
                Target::Id(id) => Some(id as u32),
                Target::Bound { number, .. } => Some(number as u32),
                Target::Index { method, .. } => Some(method),
                _ => None,
            };
            let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            meta.own.time_us = Some(since.as_micros() as u64);
            (meta.own.streams, meta.own.unfinished) = (streams.is_some(), streams == Some(false));
        }
    }
    meta.compress_type = number;
    meta.attachment_size = attachment;
    meta.own = Own {
        // Where brpc's fields say all, ours are left out, and the record is the one that brpc would write.
        content: (head.content != Content::PROTOBUF).then_some(head.content.0),
        compression: number.is_none().then_some(head.compression.0),
        fields,
        ..meta.own
    };
    Some((meta, kept(body)))
}

/// The record of a request that is available as its head and the rest.
pub(crate) fn received(number: u32, head: &[u8], rest: &IoBuf) -> (Meta, IoBuf) {
    let meta = Meta {
        protocol_type: Some(number as i32),
        nshead: Some(Bytes::copy_from_slice(head)),
        ..Meta::default()
    };
    (meta, kept(rest))
}

/// A body as it waits to be written.
pub(crate) fn kept(body: &IoBuf) -> IoBuf {
    if body.len() < SMALL { body.detached() } else { body.clone() }
}

/// An HTTP request as text, up to its body, with the body's length in place of any other framing.
fn http_text(fields: &[(String, Bytes)], body: usize) -> Vec<u8> {
    let of = |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, value)| &**value);
    let mut text = of(":method").unwrap_or(b"POST").to_vec();
    text.push(b' ');
    text.extend_from_slice(of(":path").unwrap_or(b"/"));
    text.extend_from_slice(b" HTTP/1.1\r\n");
    let mut put = |name: &str, value: &[u8]| {
        [name.as_bytes(), b": ", value, b"\r\n"].into_iter().for_each(|part| text.extend_from_slice(part));
    };
    let about_length = ["content-length", "transfer-encoding", "trailer", "te", "connection", "keep-alive"];
    let own = fields.iter().filter(|(name, _)| {
        !name.starts_with(':') && !about_length.iter().any(|one| name.eq_ignore_ascii_case(one))
    });
    own.for_each(|(name, value)| put(name, value));
    if body > 0 {
        put("Content-Length", body.to_string().as_bytes());
    }
    text.extend_from_slice(b"\r\n");
    text
}
