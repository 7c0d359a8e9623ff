//! Fields that go on, in either direction.

use crate::{
    changes::FieldChanges,
    failure::{self, Reason},
};
use polywire_call::{Metadata, Status, bounded};
use polywire_engine::backlog::Rank;
use polywire_formats::foreign::is_mcpack;
use polywire_server::Context;
use polywire_wire::{CONNECT, Content, GRPC};

/// Fields of one connection or of one frame, which the next protocol writes itself; and those by which a
/// trace travels, which the channel writes.
const OF_A_HOP: [&str; 22] = [
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "origin", // a page that may call this server is none of the next one's
    "proxy-authorization",
    "proxy-connection",
    "server",
    "te",
    "trailer",
    "traceparent",
    "tracestate",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
];

/// Beginnings of names that have a meaning for a protocol, for a proxy, or for us. Whoever takes them from a
/// stranger believes what the stranger says.
const RESERVED: [&str; 12] = [
    ":", // a part of the request line to our own client
    "access-control-",
    "connect-",
    "grpc-",
    "polywire-",
    "sec-fetch-",
    "sec-websocket-",
    "x-bd-",
    "x-forwarded-",
    "x-grpc-web",
    "x-polywire-",
    "x-real-ip",
];

/// A bit for each name by the lower five bits of its first byte, which are the same in upper and lower case.
const fn by_first<const N: usize>(names: &[&str; N]) -> [u32; 32] {
    let (mut bits, mut k) = ([0; 32], 0);
    while k < N {
        bits[(names[k].as_bytes()[0] & 31) as usize] |= 1 << k;
        k += 1;
    }
    bits
}

/// Bytes of a name in a text.
const LONGEST_SHOWN: usize = 100;

const OF_A_HOP_BY_FIRST: [u32; 32] = by_first(&OF_A_HOP);
const RESERVED_BY_FIRST: [u32; 32] = by_first(&RESERVED);

/// Whether a field of this name goes on.
///
/// Hot: once per field, so it compares only those that begin with the same byte.
pub fn passes(name: &str) -> bool {
    let name = name.as_bytes();
    let Some(first) = name.first().map(|byte| usize::from(byte & 31)) else { return true };
    let begins =
        |with: &str| name.get(..with.len()).is_some_and(|begin| is_same_name(begin, with.as_bytes()));
    !of(RESERVED_BY_FIRST[first]).any(|k| begins(RESERVED[k]))
        && !of(OF_A_HOP_BY_FIRST[first]).any(|k| is_same_name(name, OF_A_HOP[k].as_bytes()))
}

/// Whether two names are those of one field, in either case, and with `_` for `-`: servers that make
/// variables of fields (CGI, WSGI) see `x_debug` and `x-debug` as one.
pub fn is_same_name(one: &[u8], other: &[u8]) -> bool {
    let plain = |byte: u8| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() };
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| plain(*one) == plain(*other))
}

/// The indices of the bits.
fn of(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(lowest)
    })
}

/// The fields of a request that go on, with what its route changes of them. A credential that this server has
/// looked at is not for the next one. For the next one this server is the caller, and it may have an identity
/// there: so a caller without one has the rank here that its own field would have.
pub fn of_request<'c>(
    cx: &'c Context,
    changes: Option<&'c FieldChanges>,
) -> impl Iterator<Item = (&'c str, &'c [u8])> {
    let known = cx.identity().is_some();
    let is_kept = move |name: &str| {
        passes(name)
            && !(known && name.eq_ignore_ascii_case("authorization"))
            && changes.is_none_or(|changes| changes.keep(name))
    };
    let added = changes.into_iter().flat_map(FieldChanges::added);
    let passed = cx.metadata().iter().filter(move |(name, _)| is_kept(name));
    passed.map(move |(name, value)| (name, if known { value } else { of_stranger(name, value) })).chain(added)
}

/// The value of a field whose caller has no identity.
fn of_stranger<'c>(name: &str, value: &'c [u8]) -> &'c [u8] {
    let claims = is_same_name(name.as_bytes(), Rank::FIELD.as_bytes())
        && Rank::by_name(value.trim_ascii()) == Rank::CriticalPlus;
    if claims { b"critical" } else { value }
}

/// The fields of a request of a protocol whose fields are any bytes, for servers over HTTP. Blanks around a
/// value would be gone there: a policy, a rate or a route of this server has seen another value than they
/// would.
///
/// # Errors
/// INVALID_ARGUMENT: one of them would not arrive as it is.
pub fn check_for_http(cx: &Context, changes: Option<&FieldChanges>, system: &str) -> Result<(), Status> {
    let is_ascii = [GRPC, CONNECT].contains(&system);
    for (name, value) in of_request(cx, changes) {
        let is_sent =
            |byte: &u8| matches!(byte, b' '..=b'~') || !is_ascii && (*byte == b'\t' || *byte >= 0x80);
        let wrong = match value {
            _ if value.trim_ascii().len() != value.len() => "blanks around its value",
            _ if !value.iter().all(is_sent) => "bytes that no field has there",
            _ => continue,
        };
        let text = format!("the field {:?} has no form in {system}: {wrong}", bounded(name, LONGEST_SHOWN));
        return Err(failure::own(Reason::Translate, Status::invalid_argument(text)));
    }
    Ok(())
}

/// Where messages in mcpack have names: the parameter of a method, and its return value; and what else it
/// returns. They go on with messages that go on unread.
const IDL: &str = "x-bd-idl-";
const IDL_REQUEST: &str = "x-bd-idl-request";
const IDL_RESPONSE: &str = "x-bd-idl-response";
/// The value of [`IDL_RESPONSE`] for whoever takes any name.
const ANY: &str = "*";

/// The names of a request to servers of mcpack. `own`: those of parameter and return value there, for callers
/// without such names.
pub fn of_idl_request<'c>(
    cx: &'c Context,
    own: Option<(&'c str, &'c str)>,
) -> impl Iterator<Item = (&'c str, &'c [u8])> {
    let has_names = is_mcpack(cx.content());
    let sent = cx.metadata().iter().filter(move |(name, _)| has_names && name.starts_with(IDL));
    let own = own.filter(|_| !has_names).map(|(request, _)| (IDL_REQUEST, request.as_bytes()));
    sent.chain(own).chain([(IDL_RESPONSE, ANY.as_bytes())])
}

/// The names of a reply to callers of mcpack. `content`: what its servers write; `own` as for a request, for
/// servers without such names.
pub fn of_idl_reply<'c>(
    sent: &'c Metadata,
    content: Content,
    own: Option<(&'c str, &'c str)>,
) -> impl Iterator<Item = (&'c str, &'c [u8])> {
    let has_names = is_mcpack(content);
    let own = own.filter(|_| !has_names).map(|(_, response)| (IDL_RESPONSE, response.as_bytes()));
    sent.iter().filter(move |(name, _)| has_names && name.starts_with(IDL)).chain(own)
}

/// The fields of a reply that go on.
pub fn of_reply(fields: &Metadata) -> Option<Box<Metadata>> {
    let passed: Metadata = fields.iter().filter(|(name, _)| passes(name)).collect();
    (!passed.is_empty()).then(|| Box::new(passed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_a_connection_or_has_a_meaning_for_us_does_not_go_on() {
        for name in [
            ":path",
            ":method",
            "Content-Type",
            "TE",
            "grpc-timeout",
            "Connect-Protocol-Version",
            "x-bd-error-code",
            "Origin",
            "sec-fetch-site",
            "access-control-allow-origin",
            "polywire_identity",
            "X_Forwarded_For",
            "x-real_ip",
        ] {
            assert!(!passes(name), "{name}");
        }
        let all = OF_A_HOP.map(str::to_ascii_uppercase).into_iter();
        for name in all.chain(RESERVED.map(|begin| format!("{begin}X"))) {
            assert!(!passes(&name), "{name}");
            assert!(!passes(&name.replace('-', "_")), "{name}");
        }
        for name in ["authorization", "x-request-id", "x_id", "token-bin", "grpcish", "", "_", "ü", "tea"] {
            assert!(passes(name), "{name}");
        }
    }
}
