//! The infos of a TTHeader as fields of a call and of its reply.
//!
//! | info | field |
//! | --- | --- |
//! | `RPC_TRANSIT_x` of a call, `RPC_BACKWARD_x` of a reply | `x` |
//! | another text: `RPC_PERSIST_x`, `isn`, `rip`; `RPC_TRANSIT_isn`, since `isn` has a meaning | of the same name |
//! | a number of [`NAMES`] | its name there |
//! | a number of the connection or of the message ([`OWN`]) | none |
//! | another number, 21 | `ttheader-21` |
//! | the token | `gdpr-token` |
//!
//! In the other direction a field whose name begins with `RPC_` is a text of that name. Of the others without
//! a number, those of a call get the prefix, and those of a reply are texts of the same name, as Kitex has
//! both; but `biz-status`, `isn` and others that have a meaning get the prefix there, too, so that no
//! application can write them. volo reads fields of replies with the prefix only.
//!
//! Of two infos with the same key the last one counts, since Kitex reads them into a map.
//!
//! ```text
//! Head::raw:  | n u8 u8 | relays u8 | oneway u8 | whole name of the method, n bytes, if the server has `Named` | infos with their head, or nothing |
//! ```
//!
//! Source: docs/wire/ttheader.md, "Infos"

use super::{
    METHOD_FIELD, biz_status,
    ttheader::{Info, Infos, read_infos},
};
use crate::reply_fields;
use polywire_call::Metadata;
use polywire_wire::{ONEWAY, RELAYS, WireError};
use std::time::Duration;

pub(super) const TRANSPORT: u16 = 1;
pub(super) const TO_SERVICE: u16 = 6;
pub(super) const TO_METHOD: u16 = 9;
pub(super) const TIMEOUT: u16 = 12;
pub(super) const KIND: u16 = 22;

/// The name of the service in its `.thrift` file.
pub(super) const SERVICE: &str = "isn";
/// "The connection peer will shutdown later."
pub(super) const CLOSES: &str = "crrst";

/// Prefix of the fields of a call, for the next hop only, and of those of its reply.
const TRANSIT: &str = "RPC_TRANSIT_";
const BACKWARD: &str = "RPC_BACKWARD_";
/// Prefix of the keys that have a meaning for Kitex's applications.
const PREFIXED: &str = "RPC_";

const TOKEN: &str = "gdpr-token";
/// Prefix of the fields for numbers without a name.
const NUMBERED: &str = "ttheader-";

/// Numbers whose fields have names: those that Kitex gives them in gRPC, and brpc's for the id of the log.
const NAMES: [(u16, &str); 6] = [
    (2, "log-id"),
    (3, "source-service"),
    (TO_SERVICE, "destination-service"),
    (TO_METHOD, "destination-method"),
    (11, "destination-addr"),
    (20, "source-method"),
];

/// Numbers about this hop alone: versions and kinds of transports, time limits, the kind of the message, the
/// kind of a stream's frame.
const OWN: [u16; 9] = [0, TRANSPORT, TIMEOUT, 13, 16, 17, 19, KIND, 27];

/// Numbers that the client writes itself.
const TARGET: [u16; 2] = [TO_SERVICE, TO_METHOD];

/// The prefix of the texts that are fields in one direction.
#[derive(Clone, Copy)]
pub(super) enum Way {
    Call,
    Reply,
}

impl Way {
    fn prefix(self) -> &'static str {
        match self {
            Way::Call => TRANSIT,
            Way::Reply => BACKWARD,
        }
    }
}

/// Whether a text without a prefix has a meaning here, so that no application's field may be taken for it.
fn is_own(name: &str) -> bool {
    let named = [SERVICE, CLOSES].iter().any(|own| name.eq_ignore_ascii_case(own));
    named || biz_status::is_part(name) || reply_fields::is_status(name)
}

/// Visits the field that an info is, if it is one.
pub(super) fn visit(way: Way, info: Info<'_>, visit: &mut dyn FnMut(&str, &[u8])) {
    match info {
        Info::Text(key, value) => {
            let Ok(key) = std::str::from_utf8(key) else { return };
            let name = key.strip_prefix(way.prefix()).filter(|name| !name.is_empty() && !is_own(name));
            visit(name.unwrap_or(key), value);
        }
        Info::Number(number, _) if OWN.contains(&number) => {}
        Info::Number(number, value) => match NAMES.iter().find(|(known, _)| *known == number) {
            Some((_, name)) => visit(name, value),
            None => visit(&format!("{NUMBERED}{number}"), value),
        },
        Info::Token(token) => visit(TOKEN, token),
    }
}

/// Adds the info that a field is.
pub(super) fn add(way: Way, infos: &mut Infos, name: &str, value: &[u8]) {
    let named = NAMES.iter().find(|(_, known)| name.eq_ignore_ascii_case(known)).map(|(number, _)| *number);
    let numbered = || name.strip_prefix(NUMBERED)?.parse().ok().filter(|number| !OWN.contains(number));
    match named.or_else(numbered) {
        Some(number) if TARGET.contains(&number) => {}
        Some(number) => infos.number(number, value),
        None if name.eq_ignore_ascii_case(TOKEN) => infos.token(value),
        None if name.starts_with(PREFIXED) => infos.text([name, ""], value),
        None if matches!(way, Way::Reply) && !is_own(name) => infos.text([name, ""], value),
        None => infos.text([way.prefix(), name], value),
    }
}

/// Adds the time limit of a call, in milliseconds, 1 at least.
pub(super) fn add_timeout(infos: &mut Infos, timeout: Duration) {
    let milliseconds = timeout.as_millis().clamp(1, i32::MAX as u128);
    infos.number(TIMEOUT, milliseconds.to_string().as_bytes());
}

/// The time limit of a call, as number 12 has it. As in Kitex, a number of milliseconds; 0 is none.
pub(super) fn timeout(value: &[u8]) -> Option<Duration> {
    let milliseconds = std::str::from_utf8(value).ok()?.parse::<u32>().ok()?;
    (milliseconds > 0).then(|| Duration::from_millis(milliseconds.into()))
}

/// The fields of a reply; `None` if there are none.
///
/// # Errors
/// Its header is malformed.
pub(super) fn of_reply(infos: &[u8]) -> Result<Option<Box<Metadata>>, WireError> {
    let mut fields = Metadata::new();
    for info in last_infos(infos)? {
        visit(Way::Reply, info, &mut |name, value| fields.append(name, value));
    }
    Ok((!fields.is_empty()).then(|| Box::new(fields)))
}

/// The infos of a header without those that a later one replaces, in the order of their keys.
///
/// # Errors
/// The header is malformed.
fn last_infos(infos: &[u8]) -> Result<Vec<Info<'_>>, WireError> {
    let mut all = Vec::new();
    read_infos(infos, |info| all.push(info))?;
    all.reverse();
    all.sort_by_key(Info::key); // which keeps the order of those with the same key
    all.dedup_by_key(|info| info.key());
    Ok(all)
}

/// Makes the fields of a call in the form of `Head::raw`. The method's name is given in parts.
pub(super) fn put_raw(raw: &mut Vec<u8>, method: [&[u8]; 3], (relays, is_oneway): (u8, bool), infos: &[u8]) {
    raw.clear();
    let length: usize = method.iter().map(|part| part.len()).sum();
    if length > 0 || !infos.is_empty() || relays > 0 || is_oneway {
        raw.extend((length as u16).to_be_bytes());
        raw.extend([relays, is_oneway.into()]);
        method.iter().for_each(|part| raw.extend_from_slice(part));
        raw.extend(infos);
    }
}

/// Visits the fields of a call.
pub(super) fn of_call(raw: &[u8], visit_field: &mut dyn FnMut(&str, &[u8])) {
    let Some((&[high, low, relays, oneway], rest)) = raw.split_first_chunk() else { return };
    let Some((method, infos)) = rest.split_at_checked(u16::from_be_bytes([high, low]).into()) else { return };
    let is_named = !method.is_empty();
    if relays > 0 {
        visit_field(RELAYS, &[b'0' + relays]);
    }
    if oneway > 0 {
        visit_field(ONEWAY, b"1");
    }
    if is_named {
        visit_field(METHOD_FIELD, method);
    }
    if infos.is_empty() {
        return;
    }
    for info in last_infos(infos).unwrap_or_default() {
        visit(Way::Call, info, &mut |name, value| {
            // No peer's field is taken for the method's name, or for what its message says.
            if !(is_named && name.eq_ignore_ascii_case(METHOD_FIELD) || name.eq_ignore_ascii_case(ONEWAY)) {
                visit_field(name, value);
            }
        });
    }
}
