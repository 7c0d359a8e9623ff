//! How many relays a request has passed, where it has no fields of the application. Relays alone write it;
//! others skip it. A meta in protobuf has it as an entry as replies have them, see [`reply_fields`].

#[cfg(any(feature = "hulu_pbrpc", feature = "nshead", feature = "sofa_pbrpc"))]
pub(crate) use meta::{put, read, visit};
use polywire_call::Metadata;
use polywire_wire::RELAYS;

/// The number of relays in a call's metadata, as a digit; `None`: there is none.
pub(crate) fn of(metadata: &Metadata) -> Option<&[u8]> {
    metadata.get(RELAYS).and_then(number)
}

/// A value that is a number of relays, as a digit; `None`: it is none.
pub(crate) fn number(value: &[u8]) -> Option<&[u8]> {
    matches!(value, [b'1'..=b'9']).then_some(value)
}

/// The number in a call's metadata; 0: there is none.
#[cfg(any(feature = "rest_rpc", feature = "zeromq"))]
pub(crate) fn count(metadata: &Metadata) -> u8 {
    of(metadata).map_or(0, |digit| digit[0] - b'0')
}

/// The number as the fields of a request's head, which [`visit_raw`] reads; none for what is no number.
#[cfg(any(feature = "rest_rpc", feature = "zeromq"))]
pub(crate) fn raw(relays: u8) -> &'static [u8] {
    let at = usize::from(relays);
    b"0123456789".get(at..=at).filter(|_| at > 0).unwrap_or_default()
}

/// See [`raw`].
#[cfg(any(feature = "rest_rpc", feature = "zeromq"))]
pub(crate) fn visit_raw(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
    if !raw.is_empty() {
        visit(RELAYS, raw);
    }
}

#[cfg(any(feature = "hulu_pbrpc", feature = "nshead", feature = "sofa_pbrpc"))]
mod meta {
    use super::number;
    use crate::{protobuf::Writer, reply_fields};
    use polywire_wire::RELAYS;

    /// Appends the number to a meta.
    #[cold]
    pub(crate) fn put(meta: &mut Writer<'_>, relays: &[u8]) {
        reply_fields::put(meta, [(RELAYS, relays)].into_iter());
    }

    /// The number in a request's meta.
    #[cold]
    pub(crate) fn read(meta: &[u8]) -> Option<u8> {
        let found = reply_fields::find(meta, RELAYS)?;
        number(&found).map(|digit| digit[0] - b'0')
    }

    /// Visits the number in a request's meta as a field.
    #[cold]
    pub(crate) fn visit(meta: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
        if let Some(relays) = read(meta) {
            visit(RELAYS, &[b'0' + relays]);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{protobuf::Writer, reply_fields};
    use bytes::BytesMut;
    use polywire_machine_testing::{Call, Side};
    use polywire_wire::{Exchange, Protocol};

    const CALL: Exchange = Exchange { token: 1 << 32 | 2, slot: 2 };

    /// A request says how many relays it has passed, and nothing else of its fields.
    pub fn are_told_and_no_other_field(protocol: &'static Protocol) {
        let (mut client, mut server) = (Side::client(protocol), Side::server(protocol));
        let call = Call::new("p.S", "M").index(0).body("x").field(RELAYS, "3").field("x-a", "1");
        client.open(CALL, &call).unwrap();
        let open = server.feed(client.written()).poll().expect_open();
        assert_eq!(
            (&open.body[..], &open.head.fields[..]),
            (&b"x"[..], &[(RELAYS.to_owned(), b"3"[..].into())][..])
        );
        for value in ["0", "10", "x", ""] {
            let (mut with, mut without) = (Side::client(protocol), Side::client(protocol));
            with.open(CALL, &Call::new("p.S", "M").index(0).field(RELAYS, value)).unwrap();
            without.open(CALL, &Call::new("p.S", "M").index(0)).unwrap();
            assert_eq!(with.written(), without.written(), "{value:?}");
        }
    }

    #[test]
    fn a_number_is_one_digit_and_comes_back() {
        let put = |value: &str| {
            let mut out = BytesMut::new();
            let mut meta = Writer::new(&mut out, 0);
            reply_fields::put(&mut meta, [("x-a", &b"1"[..]), (RELAYS, value.as_bytes())].into_iter());
            meta.end();
            read(&out)
        };
        assert_eq!((put("1"), put("9")), (Some(1), Some(9)));
        for value in ["", "0", "10", "a", "\u{ff}"] {
            assert_eq!(put(value), None, "{value:?}");
            let call: Metadata = [(RELAYS, value)].into_iter().collect();
            assert_eq!(of(&call), None, "{value:?}");
        }
        assert_eq!(read(b"\xff\xff"), None);
        // Not behind many others.
        let entries = |before: usize| {
            let mut out = BytesMut::new();
            let mut meta = Writer::new(&mut out, 0);
            let others = std::iter::repeat_n(("x", &b""[..]), before);
            reply_fields::put(&mut meta, others.chain([(RELAYS, &b"3"[..])]));
            meta.end();
            read(&out)
        };
        assert_eq!((entries(60), entries(64), entries(100_000)), (Some(3), None, None));
    }
}
