//! Calls that a catch-all gets by their names, and what relays say of calls.

use super::*;
use polywire_wire::{ONEWAY as ONEWAY_FIELD, RELAYS};

/// A server without methods of these names, and with a catch-all.
fn server_without(names: &[&str]) -> Side {
    let mut side = server();
    side.host.catches_all = true;
    side.host.unbound = names.iter().copied().map(method_id).collect();
    side
}

fn named(service: &str, method: &str) -> SeenTarget {
    SeenTarget::Method { service: service.to_owned(), method: method.to_owned() }
}

#[test]
fn it_gets_calls_of_methods_that_are_nowhere_by_their_names() {
    for (name, _) in CALLS {
        let mut side = server_without(&["Echo", "Svc:Echo"]);
        let open = side.feed(call(name)).poll().expect_open();
        assert_eq!(open.head.target, named("thrift", "Echo"), "{name}");
        assert!(open.head.fields.is_empty(), "{name}");
        assert_eq!(open.body.to_vec(), args(name), "{name}");
        side.reply(&open, [0]);
        assert!(!side.written().is_empty(), "{name}");
    }
    let mut side = server_without(&["Svc:Echo"]);
    let open = side.feed(message(1, "Svc:Echo", 1, &[0])).poll().expect_open();
    assert_eq!(open.head.target, named("Svc", "Echo"));
    // A method that the server has stays its own, and so does all without a catch-all.
    let bound = |name| SeenTarget::Bound { protocol: "thrift", number: method_id(name) };
    let open = side.feed(message(1, "Echo", 2, &[0])).poll().expect_open();
    assert_eq!(open.head.target, bound("Echo"));
    side.host.catches_all = false;
    let open = side.feed(message(1, "Other", 3, &[0])).poll().expect_open();
    assert_eq!(open.head.target, bound("Other"));
}

#[test]
fn a_service_of_all_methods_comes_before_it() {
    let mut extensions = Extensions::default();
    extensions.insert(Arc::new(Named));
    let mut side =
        Side::new(&PROTOCOL, ServerSetup { extensions: Some(&extensions), ..ServerSetup::default() });
    side.host.catches_all = true;
    side.host.unbound = vec![method_id("Echo")];
    let open = side.feed(call("")).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Bound { protocol: "thrift", number: method_id("Echo") });
    assert_eq!(open.head.field(METHOD_FIELD), Some(&b"Echo"[..]));
}

#[test]
fn it_is_told_of_calls_without_reply_and_so_is_the_next_server() {
    for (form, head) in [("", &[0, 0, 0, 16][..]), ("unframed", &[])] {
        let mut side = server_without(&["zip"]);
        let zip = [head, &hex("80 01 00 04 00 00 00 03 7a 69 70 00 00 00 07 00")].concat();
        let open = side.feed(zip).poll().expect_open();
        assert_eq!(open.head.target, named("thrift", "zip"), "{form}");
        assert_eq!(open.head.field(ONEWAY_FIELD), Some(&b"1"[..]), "{form}");
        side.reply(&open, [0]);
        assert!(side.written().is_empty(), "{form}: it has none");

        let mut next = client(form);
        let content = super::form(form).encoding.content();
        let call = Call::new("", "zip").content(content).body([0]).field(ONEWAY_FIELD, "1");
        next.open(exchange(1, 0), &call).unwrap();
        let at = if form.is_empty() { 4 } else { 0 };
        assert_eq!(next.written()[at..at + 4], [0x80, 1, 0, 4], "{form}");
        assert!(matches!(next.poll(), Seen::Finish { .. }), "{form}: it is over when it is sent");
    }
}

#[test]
fn relays_are_counted_in_the_unused_byte_of_strict_messages() {
    for relays in 1..=9 {
        let (mut from, mut to) = (client(""), server_without(&["Echo"]));
        from.open(exchange(1, 0), &echo("").field(RELAYS, relays.to_string())).unwrap();
        let written = from.written();
        assert_eq!(written[4..8], [0x80, 1, relays, 1]);
        let open = to.feed(written).poll().expect_open();
        assert_eq!(open.head.field(RELAYS), Some(relays.to_string().as_bytes()));
    }
    // What nobody counts is nothing, and what is more than any relay writes is the most.
    for (byte, seen) in [(0, None), (10, Some(&b"9"[..])), (255, Some(b"9"))] {
        let (mut side, mut bytes) = (server_without(&["Echo"]), call(""));
        bytes[6] = byte;
        let open = side.feed(bytes).poll().expect_open();
        assert_eq!(open.head.field(RELAYS), seen, "{byte}");
    }
}

#[test]
fn relays_are_counted_in_the_seqid_of_old_and_compact_messages() {
    for (form, head) in [
        ("unframed+old", "00 00 00 04 45 63 68 6f 01 5b 5a 6c 31"),
        ("unframed+compact", "82 21 b1 d8 e9 da 05 04 45 63 68 6f"),
    ] {
        let (mut from, mut to) = (client(form), server_without(&["Echo"]));
        let echo = || echo(form).field(RELAYS, "3");
        let reply = |seqid: i32| {
            let bytes = if is_compact(form) {
                let mut bytes = vec![0x82, 0x41];
                let mut left = seqid as u32;
                while left >= 0x80 {
                    bytes.push(left as u8 | 0x80);
                    left >>= 7;
                }
                [bytes, vec![left as u8, 4], b"Echo".to_vec()].concat()
            } else {
                [&[0, 0, 0, 4][..], b"Echo", &[2], &seqid.to_be_bytes()].concat()
            };
            [bytes, vec![0]].concat()
        };
        from.open(exchange(1, 0), &echo()).unwrap();
        let written = from.written();
        assert_eq!(written, [hex(head), args(form)].concat(), "{form}");
        let open = to.feed(written).poll().expect_open();
        assert_eq!(open.head.field(RELAYS), Some(&b"3"[..]), "{form}");
        // Beside it is no place for another one, which is found by its reply all the same.
        from.open(exchange(1, 1), &echo()).unwrap();
        let open = to.feed(from.written()).poll().expect_open();
        assert_eq!(open.head.field(RELAYS), None, "{form}");
        let ended = |side: &mut Side, seqid| match side.feed(reply(seqid)).poll() {
            Seen::Finish { exchange, .. } => exchange.slot,
            other => panic!("{form}: {other:?}"),
        };
        assert_eq!(ended(&mut from, 1 << 13 | 1), 1);
        assert_eq!(ended(&mut from, 0x5b5a_6c31), 0);
        // The next one is another; a late reply to one that was given up belongs to nobody.
        for uses in 2..=15 {
            from.open(exchange(1, 0), &echo()).unwrap();
            from.reset(exchange(1, 0), Status::cancelled(""));
            from.open(exchange(1, 0), &echo().field("n", "2")).unwrap();
            let seqid = |uses| 0x5b5a_6c30 + (uses - 1) % 15 + 1;
            let late = seqid(2 * uses - 2);
            assert!(matches!(from.feed(reply(late)).poll(), Seen::Need(_)), "{form} {uses}");
            assert_eq!(ended(&mut from, seqid(2 * uses - 1)), 0, "{form} {uses}");
        }
        let zip = Call::new("", "zip").content(open_content(form)).body([0]).field(ONEWAY_FIELD, "1");
        from.written();
        from.open(exchange(1, 0), &zip.field(RELAYS, "3")).unwrap();
        let open = server_without(&["zip"]).feed(from.written()).poll().expect_open();
        assert_eq!(open.head.field(RELAYS), Some(&b"3"[..]), "{form}");
        assert!(matches!(from.poll(), Seen::Finish { .. }), "{form}: it is over when it is sent");
        assert!(matches!(from.feed(reply(0x5b5a_6c30)).poll(), Seen::Need(_)), "{form}: it has failed");
        assert!(matches!(from.feed(reply(0x5b5a_6c3f)).poll(), Seen::Error(_)), "{form}: no call");
    }
}

fn open_content(name: &str) -> polywire_wire::Content {
    form(name).encoding.content()
}

#[test]
fn fields_of_a_header_say_neither() {
    let (mut from, mut to) = (client("ttheader"), server_without(&["Svc:add", "add"]));
    let call = Call::new("Svc", "add").content(form("").encoding.content()).body([0]);
    from.open(exchange(1, 0), &call.field(RELAYS, "3").field("RPC_TRANSIT_polywire-oneway", "1")).unwrap();
    let open = to.feed(from.written()).poll().expect_open();
    assert_eq!(open.head.target, named("Svc", "add"));
    assert_eq!(open.head.field(RELAYS), Some(&b"3"[..]), "a field as others");
    assert_eq!(open.head.field(ONEWAY_FIELD), None);
}

#[test]
fn names_that_are_no_text_reach_nobody() {
    let mut side = server_without(&[]);
    let mut bytes = message(1, "Echo", 1, &[0]);
    side.host.unbound = vec![super::name::id(b"Ech\xff")];
    bytes[15] = 0xff;
    let open = side.feed(bytes).poll().expect_open();
    assert_eq!(
        open.head.target,
        SeenTarget::Bound { protocol: "thrift", number: super::name::id(b"Ech\xff") }
    );
}
