//! Our client against our server in every dialect: each reads what the other wrote.

use super::{KINDS, client, failed, server};
use polywire_base::IoBuf;
use polywire_call::{Code, Metadata, Status};
use polywire_machine_testing::{Call, Octets, Seen, Side, pass};
use polywire_wire::{Answer, Delivery, Outcome};
use proptest::{collection::vec, prelude::*, sample::select};
use std::time::Duration;

#[derive(Clone, Debug)]
struct Case {
    /// Index into `KINDS`.
    kind: usize,
    up: Vec<Vec<u8>>,
    down: Vec<Vec<u8>>,
    early: Vec<(String, Vec<u8>)>,
    late: Vec<(String, Vec<u8>)>,
    code: Code,
    message: String,
    timeout: Option<u32>,
    /// Bytes that travel between two polls.
    piece: usize,
}

fn fields() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let text = ("x-[a-z]{1,8}", "[!-~]{0,9}").prop_map(|(name, value)| (name, value.into_bytes()));
    let bytes = ("x-[a-z]{1,8}-bin", vec(any::<u8>(), 0..9));
    vec(prop_oneof![text, bytes], 0..3).prop_map(|mut fields| {
        fields.sort_by(|one, other| one.0.cmp(&other.0)); // JSON keeps no order of names
        fields
    })
}

fn case() -> impl Strategy<Value = Case> {
    let messages = || vec(vec(any::<u8>(), 0..200), 0..5);
    (
        (0..KINDS.len(), messages(), messages(), fields(), fields()),
        (select(Code::ALL.to_vec()), "\\PC{0,20}", proptest::option::of(1..100_000u32), 1..300usize),
    )
        .prop_map(|((kind, up, down, early, late), (code, message, timeout, piece))| Case {
            kind,
            up,
            down,
            early,
            late,
            code,
            message,
            timeout,
            piece,
        })
}

fn metadata(fields: &[(String, Vec<u8>)]) -> Option<Box<Metadata>> {
    let fields: Metadata = fields.iter().map(|(n, v)| (n, v)).collect();
    (!fields.is_empty()).then(|| Box::new(fields))
}

fn owned(fields: &[(String, Vec<u8>)]) -> Vec<(String, Octets)> {
    fields.iter().map(|(n, v)| (n.clone(), Octets(v.clone()))).collect()
}

/// Carries what `from` has written, in pieces; returns what `to` saw.
fn carry(from: &mut Side, to: &mut Side, piece: usize) -> Vec<Seen> {
    let bytes = from.written();
    if bytes.is_empty() { to.events() } else { to.feed_split(bytes, &[piece]) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_bidirectional_stream_arrives_as_it_was_sent(case in case()) {
        let (protocol, parameter, _) = KINDS[case.kind];
        let (mut client, mut server) =
            (client(protocol, parameter), server().hosted(|host| host.deliver(Delivery::Messages)));
        let mut call = Call::new("pkg.S", "M").streamed().parts_follow();
        call.timeout = case.timeout.map(|ms| Duration::from_millis(ms.into()));
        call.metadata = metadata(&case.early).map(|fields| *fields).unwrap_or_default();
        let exchange = client.call(&call);
        for (n, message) in case.up.iter().enumerate() {
            client.send_message(exchange, message, n + 1 == case.up.len());
        }
        if case.up.is_empty() {
            client.send(exchange, &polywire_wire::Part { finished: true, ..Default::default() });
        }
        let seen = carry(&mut client, &mut server, case.piece);
        let open = seen[0].clone().expect_open();
        let told: Vec<_> = open.head.fields.iter().filter(|(n, _)| n.starts_with("x-") && n != "x-grpc-web").collect();
        let expected = owned(&case.early);
        prop_assert_eq!(told, expected.iter().collect::<Vec<_>>());
        prop_assert_eq!(open.head.timeout, call.timeout);
        let heard: Vec<_> = seen.iter().filter_map(|seen| match seen {
            Seen::Part { bytes, end_of_message: true, .. } => Some(bytes.to_vec()),
            _ => None,
        }).collect();
        prop_assert_eq!(&heard, &case.up);

        let answer = Answer { metadata: metadata(&case.early), ..Answer::default() };
        server.answer(open.exchange, &answer);
        for message in &case.down {
            server.send_message(open.exchange, message, false);
        }
        let status = Status::new(case.code, if case.code == Code::Ok { "" } else { &case.message });
        server.finish(open.exchange, Outcome { trailers: metadata(&case.late), ..failed(status) });
        let seen = carry(&mut server, &mut client, case.piece);
        let Seen::Answer { metadata, .. } = &seen[0] else { panic!("{seen:?}") };
        prop_assert_eq!(metadata, &owned(&case.early));
        let heard: Vec<_> = seen.iter().filter_map(|seen| match seen {
            Seen::Part { bytes, .. } => Some(bytes.to_vec()),
            _ => None,
        }).collect();
        prop_assert_eq!(&heard, &case.down);
        let (_, outcome) = seen.into_iter().find(|seen| matches!(seen, Seen::Finish { .. })).unwrap().expect_finish();
        prop_assert_eq!(outcome.status.code(), case.code);
        prop_assert_eq!(outcome.status.message(), if case.code == Code::Ok { "" } else { &case.message });
        prop_assert_eq!(outcome.trailers, owned(&case.late));
    }

    #[test]
    fn a_unary_call_arrives_as_it_was_sent(case in case()) {
        let (protocol, parameter, _) = KINDS[case.kind];
        let (mut client, mut server) = (client(protocol, parameter), server());
        let body = case.up.concat();
        let exchange = client.call(&Call::new("pkg.S", "M").body(&body));
        pass(&mut client, &mut server);
        let open = server.poll().expect_open();
        prop_assert_eq!(&open.body, &body);
        let reply = case.down.concat();
        let ok = case.code == Code::Ok;
        let outcome = Outcome {
            status: Status::new(case.code, if ok { "" } else { &case.message }),
            body: IoBuf::copy_from_slice(if ok { &reply } else { b"" }),
            reply: ok,
            headers: metadata(&case.early),
            trailers: metadata(&case.late),
            ..Outcome::default()
        };
        server.finish(open.exchange, outcome);
        pass(&mut server, &mut client);
        let (finished, outcome) = client.poll().expect_finish();
        prop_assert_eq!(finished, exchange);
        prop_assert_eq!(outcome.status.code(), case.code);
        prop_assert_eq!(outcome.status.message(), if ok { "" } else { &case.message });
        prop_assert_eq!(&outcome.body[..], if ok { &reply[..] } else { b"" });
        prop_assert_eq!((outcome.headers, outcome.trailers), (owned(&case.early), owned(&case.late)));
    }
}

#[test]
fn a_long_message_passes_in_both_directions() {
    for (protocol, parameter, content_type) in KINDS {
        let (mut client, mut server) = (client(protocol, parameter).with_room(100_000), server());
        let long = vec![7; 400_000];
        client.call(&Call::new("pkg.S", "M").body(&long));
        let open = ferry(&mut client, &mut server, |seen| matches!(seen, Seen::Open(_))).expect_open();
        assert!(open.body == long, "{content_type}");
        server
            .finish(open.exchange, Outcome { body: long.clone().into(), reply: true, ..Outcome::default() });
        let (_, outcome) =
            ferry(&mut server, &mut client, |seen| matches!(seen, Seen::Finish { .. })).expect_finish();
        assert!(outcome.body == long, "{content_type}");
    }
}

/// Carries what `from` writes, as it gets room, until `to` sees the wanted event.
fn ferry(from: &mut Side, to: &mut Side, wanted: impl Fn(&Seen) -> bool) -> Seen {
    for _ in 0..100 {
        pass(from, to);
        from.resume(polywire_wire::Wake::Room).unwrap();
        if let Some(seen) = to.events().into_iter().find(|seen| wanted(seen)) {
            return seen;
        }
    }
    panic!(
        "it never comes: from held {} to held {} to.input {} last {:?}",
        from.held(),
        to.held(),
        to.input.len(),
        to.poll()
    );
}
