//! Request targets other than `/path`: the forms that proxies, OPTIONS and CONNECT use.
//!
//! Source: docs/wire/http.md section 4; RFC 9112 3.2.

use super::{
    error::Fault,
    parse::{Scan, visit_lines},
};
use crate::http::{fields::is_host, framing::HeadBlock};
use polywire_wire::Role;

/// Checks a target that does not begin with `/`. An absolute target is rewritten: afterwards the block holds
/// the origin form, and `host` is the authority of the target ("host from it wins").
#[cold]
pub(crate) fn unusual(head: &mut HeadBlock) -> Result<(), Fault> {
    let (verb, target) = (head.verb(), head.text(head.target));
    if target == "*" {
        return if verb == "OPTIONS" { Ok(()) } else { Err(Fault::Target) };
    }
    if verb == "CONNECT" {
        return if is_host(target.as_bytes()) { Ok(()) } else { Err(Fault::Target) };
    }
    let rest = strip_scheme(target).ok_or(Fault::Target)?;
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    if authority.is_empty() || !is_host(authority.as_bytes()) {
        return Err(Fault::Target);
    }
    let slash = if path.starts_with('/') { "" } else { "/" };
    let start = head.raw.iter().position(|&b| b == b'\n').map_or(0, |n| n + 1);
    let version = &head.raw[head.target.end()..start];
    let mut raw = [verb, " ", slash, path].concat().into_bytes();
    raw.extend_from_slice(version);
    let mut field = |name: &str, value: &[u8]| {
        raw.extend_from_slice(name.as_bytes());
        raw.extend_from_slice(b": ");
        raw.extend_from_slice(value);
        raw.extend_from_slice(b"\r\n");
    };
    field("host", authority.as_bytes());
    visit_lines(&head.raw[start..], &mut |name, value| {
        if !name.eq_ignore_ascii_case("host") {
            field(name, value);
        }
    });
    raw.extend_from_slice(b"\r\n");
    head.clear();
    Scan::default().head(Role::Server, &raw, head).map(drop)
}

fn strip_scheme(target: &str) -> Option<&str> {
    ["http://", "https://"].iter().find_map(|scheme| {
        let (given, rest) = target.split_at_checked(scheme.len())?;
        given.eq_ignore_ascii_case(scheme).then_some(rest)
    })
}

/// Visits a head block: `:method` and `:path`, or `:status`, then the fields in order.
pub(crate) fn visit(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
    let Some(end) = raw.iter().position(|&b| b == b'\n') else { return };
    let (line, fields) = raw.split_at(end + 1);
    let mut words = line.split(|&b| matches!(b, b' ' | b'\r' | b'\n'));
    let (first, second) = (words.next().unwrap_or(b""), words.next().unwrap_or(b""));
    if first.starts_with(b"HTTP/") {
        visit(":status", second);
    } else {
        visit(":method", first);
        visit(":path", second);
    }
    visit_lines(fields, visit);
}
