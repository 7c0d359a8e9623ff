//! Connect's conformance suite: the service that its clients call, and calls to that of its servers.
//!
//! ```text
//!  connectconformance ── length, message ─► stdin   connect-conformance-server ◄─ calls ── its clients
//!                                                   connect-conformance-client ─ calls ──► its servers
//!  connectconformance ◄─ length, message ── stdout
//! ```
//!
//! Source: connectrpc.com/conformance v1.0.6, proto/connectrpc/conformance/v1.

pub mod client;
pub mod service;

use crate::connectrpc::conformance::v1::Header;
use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use polywire::Metadata;

type Any = polywire::wkt::Any;

/// Names and values of the suite's fields; of `-bin` ones it has base64.
fn values(headers: &[Header]) -> impl Iterator<Item = (&str, Vec<u8>)> {
    headers.iter().flat_map(|header| {
        let binary = is_binary(&header.name);
        header.value.iter().map(move |value| {
            let bytes = if binary { STANDARD_NO_PAD.decode(value.trim_end_matches('=')).ok() } else { None };
            (&*header.name, bytes.unwrap_or_else(|| value.clone().into_bytes()))
        })
    })
}

/// Fields as the suite lists them, without those that stand for a request line.
fn listed(fields: &Metadata) -> Vec<Header> {
    let mut headers = Vec::new();
    for (name, value) in fields.iter().filter(|(name, _)| !name.starts_with(':')) {
        let text = match is_binary(name) {
            true => STANDARD_NO_PAD.encode(value),
            false => String::from_utf8_lossy(value).into_owned(),
        };
        add(&mut headers, &name.to_ascii_lowercase(), text);
    }
    headers
}

fn add(headers: &mut Vec<Header>, name: &str, value: String) {
    match headers.iter_mut().find(|header| header.name == name) {
        Some(header) => header.value.push(value),
        None => headers.push(Header { name: name.into(), value: vec![value] }),
    }
}

fn is_binary(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with("-bin")
}
