//! First bytes are attributed to their protocol: the first message of every sheet, at every prefix.

use super::builtin;
use polywire_base::IoBuf;
use polywire_call::Code;
use polywire_machine_testing::{Call, Seen, Side, hex, pass};
use polywire_wire::{
    ClientSetup, CredentialPer, Denied, Exchange, Limits, Outcome, Patience, Protocol, Refusal, ServerSetup,
    Sniff, Sniffed, Wake,
};
use proptest::prelude::*;

/// Protocol and first bytes, as a peer of each protocol sends them.
fn first_messages() -> Vec<(&'static str, Vec<u8>)> {
    let text = |owner, text: &str| (owner, text.as_bytes().to_vec());
    let bytes = |owner, sheet| (owner, hex(sheet));
    vec![
        // A ClientHello of TLS 1.3 begins with the record version 3.1, others with 3.3.
        bytes("tls", "16 03 01 02 00 01 00 01 fc 03 03"),
        bytes("tls", "16 03 03 00 f4 01 00 00 f0 03 03"),
        // docs/wire/zmtp.md: what libzmq sends before it waits
        bytes("zmtp", "ff 00 00 00 00 00 00 00 01 7f"),
        bytes("zmtp", "ff 00 00 00 00 00 00 00 04 7f"),
        // docs/wire/baidu_std.md, example 1
        bytes(
            "baidu_std",
            "50 52 50 43 00 00 00 3c 00 00 00 2f 0a 1d 0a 13 65 78 61 6d 70 6c 65 2e 45 63 68 6f 53 65 72 76
             69 63 65 12 04 45 63 68 6f 18 7b 18 00 20 82 80 80 80 10 28 06 50 00 58 00 62 00 0a 05 68 65 6c
             6c 6f 41 54 54 41 43 48",
        ),
        // docs/wire/rdma_hello.md, examples 1 and 2, and the hello of UBRing
        bytes(
            "rdma_handshake",
            "52 44 4d 41 00 28 00 02 00 01 00 00 1f e0 00 80 00 80 00 00 00 00 00 00 00 00 00 00 00 00 ff ff",
        ),
        bytes("rdma_handshake", "52 44 4d 33 00 00 00 20 08 e0 3f 10 80 01 18 80 01 20 00 2a 10"),
        bytes("rdma_handshake", "55 42 00 40 00 02 00 01 00 00 00 00 00 40 00 00"),
        // docs/wire/streaming_rpc.md, example 6, which baidu_std's machine reads
        bytes("baidu_std", "53 54 52 4d 00 00 00 04 00 00 00 04 08 09 18 01"),
        // docs/wire/flatbuffers_rpc.md
        bytes(
            "fb_rpc",
            "46 52 50 43 00 00 00 14 00 00 00 14 ea 03 00 00 00 00 00 00 00 00 00 00 08 07 06 05 04 03 02 01",
        ),
        bytes(
            "fb_rpc_v0",
            "42 52 50 43 00 00 00 14 00 00 00 14 ea 03 00 00 00 00 00 00 00 00 00 00 08 07 06 05 04 03 02 01",
        ),
        // docs/wire/hulu_pbrpc.md, example 1
        bytes(
            "hulu_pbrpc",
            "48 55 4c 55 28 00 00 00 1b 00 00 00 0a 0b 45 63 68 6f 53 65 72 76 69 63 65 10 00 18 00 20 82 80
             80 80 10 28 7b 60 07 0a 05 68 65 6c 6c 6f 41 54 54 41 43 48",
        ),
        // docs/wire/sofa_pbrpc.md, example 1
        bytes(
            "sofa_pbrpc",
            "53 4f 46 41 26 00 00 00 09 00 00 00 00 00 00 00 2f 00 00 00 00 00 00 00 08 00 10 82 80 80 80 10
             a2 06 18 65 78 61 6d 70 6c 65 2e 45 63 68 6f 53 65 72 76 69 63 65 2e 45 63 68 6f e0 12 03 07 18
             0a 05 68 65 6c 6c 6f",
        ),
        // docs/wire/grpc.md: preface, empty SETTINGS
        bytes(
            "h2",
            "50 52 49 20 2a 20 48 54 54 50 2f 32 2e 30 0d 0a 0d 0a 53 4d 0d 0a 0d 0a 00 00 00 04 00 00 00 00 00",
        ),
        // docs/wire/http.md, section 8
        text(
            "http",
            "POST /example.EchoService/Echo HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nContent-Type: application/json\r\n\
             Content-Length: 17\r\n\r\n{\"message\":\"hi!\"}",
        ),
        text("http", "GET / HTTP/1.1\r\n\r\n"),
        text("http", "GET /status HTTP/1.0\r\n\r\n"),
        text("http", "PUT /x HTTP/1.1\r\n"),
        text("http", "PATCH /x HTTP/1.1\r\n"),
        text("http", "PROPFIND /x HTTP/1.1\r\n"),
        text("http", "OPTIONS * HTTP/1.1\r\n"),
        text("http", "SUBSCRIBE /events HTTP/1.1\r\n"),
        // docs/wire/thrift.md, "As brpc has it", example 1
        bytes(
            "thrift",
            "00 00 00 21 80 01 00 01 00 00 00 04 45 63 68 6f 00 00 00 00 0c 00 01 0b 00 01 00 00 00 05 68 65
             6c 6c 6f 00 00",
        ),
        // docs/wire/thrift.md: the same call as Apache's library for Python writes it in all forms, and calls
        // without reply
        bytes(
            "thrift",
            "80 01 00 01 00 00 00 04 45 63 68 6f 00 00 00 07 0c 00 01 0b 00 01 00 00 00 05 68 65 6c 6c 6f 00 00",
        ),
        bytes(
            "thrift",
            "00 00 00 04 45 63 68 6f 01 00 00 00 07 0c 00 01 0b 00 01 00 00 00 05 68 65 6c 6c 6f 00 00",
        ),
        bytes(
            "thrift",
            "00 00 00 1e 00 00 00 04 45 63 68 6f 01 00 00 00 07 0c 00 01 0b 00 01 00 00 00 05 68 65 6c 6c 6f 00 00",
        ),
        bytes("thrift", "82 21 07 04 45 63 68 6f 1c 18 05 68 65 6c 6c 6f 00 00"),
        bytes("thrift", "00 00 00 12 82 21 07 04 45 63 68 6f 1c 18 05 68 65 6c 6c 6f 00 00"),
        bytes("thrift", "80 01 00 04 00 00 00 07 53 76 63 3a 7a 69 70 00 00 01 2c 00"),
        bytes("thrift", "00 00 00 07 53 76 63 3a 7a 69 70 04 00 00 01 2c 00"),
        bytes("thrift", "82 81 ac 02 07 53 76 63 3a 7a 69 70 00"),
        // docs/wire/ttheader.md
        bytes(
            "thrift",
            "00 00 00 98 10 00 00 00 00 00 00 01 00 1b 00 00 01 00 02 00 10 52 50 43 5f 54 52 41 4e 53 49 54
             5f 75 73 65 72 00 03 61 6e 6e 00 03 69 73 6e 00 0a 43 61 6c 63 75 6c 61 74 6f 72 10 00 08 00 09
             00 03 61 64 64 00 16 00 01 31 00 01 00 06 66 72 61 6d 65 64 00 0c 00 04 31 35 30 30 00 11 00 03
             37 30 30 00 03 00 00 00 14 00 00 00 06 00 0a 43 61 6c 63 75 6c 61 74 6f 72 00 00 00 00 1e 80 01
             00 01 00 00 00 03 61 64 64 00 00 00 01 08 00 01 00 00 00 28 08 00 02 00 00 00 02 00",
        ),
        // docs/wire/rest_rpc.md, section 5: A call, one with a callback, subscribe, heartbeat; B call, one of
        // a debug build, one in cross ending, without arguments, echo, subscribe
        bytes("rest_rpc", "27 00 00 00 03 00 00 00 01 00 00 00 00 00 00 80 fc 78 ec 34 92 01 02"),
        bytes(
            "rest_rpc",
            "27 00 00 00 fc 78 ec 34 00 00 00 00 00 00 00 00 12 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
             8d 90 45 40 04 fd 01 01 ff 00 01 00 00 00 02 00 00 00",
        ),
        bytes(
            "rest_rpc",
            "27 00 00 00 34 ec 78 fc 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 0c 00 00 00 00 00 00 00 00
             8c 90 45 40 01 00 00 00 02 00 00 00",
        ),
        bytes(
            "rest_rpc",
            "27 00 00 00 fc 78 ec 34 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
        ),
        bytes("rest_rpc", "27 00 00 00 03 00 00 00 01 00 00 00 00 00 00 00 fc 78 ec 34 92 01 02"),
        bytes("rest_rpc", "27 01 00 00 06 00 00 00 00 00 00 00 00 00 00 00 8a 0b 6e 3c 92 a3 6b 65 79 a0"),
        bytes("rest_rpc", "27 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
        bytes(
            "rest_rpc",
            "27 00 00 00 fc 78 ec 34 00 00 00 00 00 00 00 00 0c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
             8c 90 45 40 01 00 00 00 02 00 00 00",
        ),
        bytes(
            "rest_rpc",
            "27 00 00 00 d8 1e b1 cb 00 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
             74 65 73 74",
        ),
        bytes(
            "rest_rpc",
            "27 00 00 01 ee d7 ad 4d 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
        ),
        // docs/wire/redis.md, section 6 and "What real clients send first"
        text("redis", "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n"),
        text("redis", "*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n"),
        text("redis", "PING\r\n"),
        text("redis", "PING\n"),
        text("redis", "ping\r\n"),
        text("redis", "GET x\r\n"),
        text("redis", "PRPX\r\n"),
        text("redis", "SOFT\r\n"),
        text("redis", "P\r\n"),
        text("redis", "MOVE k 1\r\n"),
        text("redis", "SUBSCRIBE topic\r\n"),
        text("redis", "SET k \"a HTTP/1.1 b\"\r\n"),
        // docs/wire/mongo.md, example 1
        bytes("mongo", "18 00 00 00 07 00 00 00 00 00 00 00 d4 07 00 00 00 00 00 00 00 00 00 00"),
        // docs/wire/mongo.md: the first messages of PyMongo 4.8.0, and of PyMongo 4.20.0
        bytes(
            "mongo",
            "44 00 00 00 67 45 8b 6b 00 00 00 00 d4 07 00 00 04 00 00 00 61 64 6d 69 6e 2e 24 63 6d 64 00 00 00 00 00
             ff ff ff ff 1d 00 00 00 10 69 73 6d 61 73 74 65 72 00 01 00 00 00 08 68 65 6c 6c 6f 4f 6b 00 01 00",
        ),
        bytes("mongo", PING_OF_MONGO),
        // docs/wire/nova_pbrpc.md, examples 1 and 3
        bytes(
            "nova_pbrpc",
            "00 00 00 00 7b 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
             07 00 00 00 0a 05 68 65 6c 6c 6f",
        ),
        bytes(
            "nova_pbrpc",
            "00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
             0a 00 00 00 08 1c 0a 06 73 6e 61 70 70 79",
        ),
        // docs/wire/public_pbrpc.md, example 1
        bytes(
            "public_pbrpc",
            "00 00 e8 03 7b 00 00 00 5f 5f 70 62 72 70 63 5f 5f 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
             5c 00 00 00",
        ),
        // docs/wire/nshead_mcpack.md, example 1
        bytes(
            "nshead_mcpack",
            "00 00 00 00 7b 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
             33 00 00 00 10 00 2d 00 00 00 02 00 00 00 d0 08 03 6d 65 73 73 61 67 65 00 68 69 00",
        ),
        // the same from `user-1` with the log id 16, which begins like a TTHeader
        bytes(
            "nshead_mcpack",
            "01 00 01 00 10 00 00 00 75 73 65 72 2d 31 00 00 00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
             33 00 00 00 10 00 2d 00 00 00 02 00 00 00 d0 08 03 6d 65 73 73 61 67 65 00 68 69 00",
        ),
        // docs/wire/ubrpc.md, examples 1 and 2 (whose first member is the other one)
        bytes(
            "ubrpc_mcpack2",
            "00 00 e8 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
             c1 00 00 00 10 00 bb 00 00 00 02 00 00 00 10 07 12 00 00 00 68 65 61 64 65 72 00 01 00 00 00",
        ),
        bytes(
            "ubrpc_mcpack2",
            "00 00 e8 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
             75 00 00 00 10 00 6f 00 00 00 01 00 00 00 20 08 5d 00 00 00 63 6f 6e 74 65 6e 74 00 01 00 00 00",
        ),
    ]
}

/// A command that PyMongo sends, since this library has no client that could make one.
const PING_OF_MONGO: &str =
    "33 00 00 00 67 45 8b 6b 00 00 00 00 dd 07 00 00 00 00 00 00 00 1e 00 00 00 10 70 69 6e 67 00 01 00 00 00 02 24
     64 62 00 06 00 00 00 61 64 6d 69 6e 00 00";

/// The hello that comes before another protocol.
const CARRIES_NONE: &str = "rdma_handshake";

/// The protocols in which servers are called.
fn served() -> impl Iterator<Item = &'static Protocol> {
    let protocols = builtin();
    let served: Vec<_> = protocols
        .iter()
        .filter(|p| p.machine.is_some() && !p.client_only && p.name != CARRIES_NONE)
        .collect();
    served.into_iter()
}

fn all() -> Vec<&'static Protocol> {
    builtin().iter().filter(|protocol| usual(protocol)).collect()
}

/// Whether a server without a service for raw frames knows this protocol; `nshead` would take the requests of
/// its whole family.
fn usual(protocol: &Protocol) -> bool {
    protocol.name != "nshead"
}

fn owner(bytes: &[u8]) -> Option<&'static str> {
    match builtin().sniff(bytes, usual) {
        Sniffed::Owner(protocol) => Some(protocol.name),
        Sniffed::NeedMore(_) => Some("undecided"),
        Sniffed::Unknown => None,
    }
}

#[test]
fn every_first_message_finds_its_owner() {
    for (name, message) in first_messages() {
        assert_eq!(owner(&message), Some(name), "{}", message.escape_ascii());
    }
}

#[test]
fn nobody_earlier_takes_or_keeps_what_its_owner_claims() {
    for (name, message) in first_messages() {
        let position = all().iter().position(|p| p.name == name).expect("built in");
        let (earlier, owner) = (&all()[..position], all()[position]);
        for length in 0..=message.len() {
            let prefix = &message[..length];
            let claimed = (owner.sniff)(prefix) == Sniff::Mine;
            assert_ne!(
                (owner.sniff)(prefix),
                Sniff::NotMine,
                "{name} denies its own {}",
                prefix.escape_ascii()
            );
            for other in earlier {
                let verdict = (other.sniff)(prefix);
                assert_ne!(verdict, Sniff::Mine, "{} takes {name}'s {}", other.name, prefix.escape_ascii());
                let keeps = claimed && verdict != Sniff::NotMine;
                assert!(!keeps, "{} keeps {name}'s {} undecided", other.name, prefix.escape_ascii());
            }
        }
    }
}

#[test]
fn nobody_waits_for_more_than_the_message_has() {
    for (name, message) in first_messages() {
        let mut length = 0;
        loop {
            match builtin().sniff(&message[..length], usual) {
                Sniffed::Owner(owner) => break assert_eq!(owner.name, name),
                Sniffed::Unknown => panic!("nobody wants {name}'s {}", message[..length].escape_ascii()),
                Sniffed::NeedMore(more) => length += more,
            }
            assert!(
                length <= message.len(),
                "waits for {length} bytes of {name}'s {}",
                message.escape_ascii()
            );
        }
    }
}

#[test]
fn a_verdict_is_kept_whatever_follows() {
    for (_, message) in first_messages() {
        for protocol in all() {
            let mut last = Sniff::NeedMore(1);
            for length in 0..=message.len() {
                let verdict = (protocol.sniff)(&message[..length]);
                let kept = matches!(last, Sniff::NeedMore(_)) || verdict == last;
                assert!(kept, "{}: {last:?}, then {verdict:?} at {length} bytes", protocol.name);
                last = verdict;
            }
        }
    }
}

#[test]
fn ping_of_six_bytes_is_decided_with_its_last() {
    assert_eq!(owner(b"PING\r"), Some("undecided"));
    assert_eq!(owner(b"*1\r\n$4\r\nPING\r\n"), Some("redis"));
}

#[test]
fn a_single_p_may_still_be_anything() {
    for undecided in ["P", "PR", "PRP", "PRI", "PU", "H", "HU", "S", "SOF", "F", "GET", "GET x"] {
        assert_eq!(owner(undecided.as_bytes()), Some("undecided"), "{undecided}");
    }
}

#[test]
fn get_is_http_or_redis_by_the_end_of_its_line() {
    assert_eq!(owner(b"GET x HTTP/1.1\r"), Some("undecided"));
    assert_eq!(owner(b"GET x HTTP/1.1\r\n"), Some("http"));
    assert_eq!(owner(b"GET x\r\n"), Some("redis"));
}

#[test]
fn the_preface_of_http_2_is_neither_http_1_nor_redis() {
    assert_eq!(owner(b"PRI * HTTP/2.0\r\n"), Some("undecided"));
    assert_eq!(owner(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Some("h2"));
    assert_ne!(owner(b"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n"), Some("redis"));
}

#[test]
fn garbage_belongs_to_nobody_once_the_last_magic_is_excluded() {
    assert_eq!(owner(&[0x80; 24]), Some("undecided"));
    assert_eq!(owner(&[0x80; 25]), None);
    assert_eq!(owner("ü".repeat(14).as_bytes()), None);
}

#[test]
fn a_line_that_never_ends_belongs_to_nobody() {
    // The engine shows at most this many of the first bytes.
    let shown = (64 << 10) + 1;
    for letter in *b"aGP" {
        let line = vec![letter; shown];
        assert_eq!(owner(&line), None, "{}", line[..8].escape_ascii());
    }
}

#[test]
fn what_is_not_allowed_is_passed_over() {
    let without_magics = builtin().sniff(b"PRPC\r\n", |protocol| protocol.name != "baidu_std");
    assert!(matches!(without_magics, Sniffed::Owner(owner) if owner.name == "redis"));
}

/// An nshead frame: docs/wire/nshead.md, example 1.
const NSHEAD: &str =
    "01 00 02 00 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
                      05 00 00 00 68 65 6c 6c 6f";

#[test]
fn nshead_takes_all_of_its_family_where_it_is_allowed() {
    let family = ["nova_pbrpc", "public_pbrpc", "nshead_mcpack", "ubrpc_mcpack2"];
    let mut messages: Vec<_> =
        first_messages().into_iter().filter(|(name, _)| family.contains(name)).collect();
    assert_eq!(owner(&hex(NSHEAD)), None);
    messages.push(("nshead", hex(NSHEAD)));
    for (name, message) in messages {
        let found = builtin().sniff(&message, |_| true);
        assert!(matches!(found, Sniffed::Owner(owner) if owner.name == "nshead"), "{name}");
    }
}

#[test]
fn compack_is_found_where_mcpack2_is_not_allowed() {
    for (_, message) in first_messages().into_iter().filter(|(name, _)| *name == "ubrpc_mcpack2") {
        let found = builtin().sniff(&message, |protocol| usual(protocol) && protocol.name != "ubrpc_mcpack2");
        assert!(matches!(found, Sniffed::Owner(owner) if owner.name == "ubrpc_compack"));
    }
}

#[test]
fn names_are_unique_and_every_protocol_has_a_kind_of_connection() {
    let mut names: Vec<_> = all().iter().map(|p| p.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all().len());
    assert!(all().iter().all(|p| !p.connections.is_empty()));
}

/// Otherwise a guard under one of two names would not be asked about connections that are known by the other.
#[test]
fn a_protocol_that_servers_know_by_another_name_is_never_recognised() {
    for protocol in builtin().iter().filter(|protocol| !protocol.detected_as.is_empty()) {
        for name in protocol.detected_as {
            let heard = builtin().find(name).expect("it is there");
            assert!(heard.detected_as.is_empty() && heard.machine.is_some(), "{name}");
        }
        for (_, message) in first_messages() {
            assert_eq!((protocol.sniff)(&message), Sniff::NotMine, "{}", protocol.name);
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_panic_or_change_a_denial(
        at in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
        noise in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let messages = first_messages();
        let (_, message) = at.get(&messages);
        let mut bytes = message[..cut.index(message.len() + 1)].to_vec();
        bytes.extend(noise);
        for protocol in all() {
            let mut denied = false;
            for length in 0..=bytes.len() {
                let verdict = (protocol.sniff)(&bytes[..length]);
                // A protocol that needs more may ask for one byte only, because the next byte may decide for
                // another protocol.
                prop_assert!(!matches!(verdict, Sniff::NeedMore(n) if n != 1));
                prop_assert!(!denied || verdict == Sniff::NotMine, "{} comes back at {}", protocol.name, length);
                denied = verdict == Sniff::NotMine;
            }
        }
    }
}

/// A server checks the names of guards against this list: a guard under a missing name would never be asked.
#[test]
fn an_entry_names_all_that_claim_its_first_bytes() {
    for (name, message) in first_messages() {
        let protocol = builtin().find(name).expect("it is there");
        let mut off: Vec<&str> = Vec::new();
        loop {
            let found = builtin().sniff(&message, |protocol| !off.contains(&protocol.name));
            let Sniffed::Owner(owner) = found else {
                panic!("nobody wants {name}'s {}", message.escape_ascii())
            };
            if owner.name == name {
                break;
            }
            off.push(owner.name);
        }
        off.sort();
        let mut said = protocol.shadowed_by.to_vec();
        said.sort();
        assert_eq!(off, said, "{name}");
    }
}

/// A server knows by this entry whether a request is one of HTTP, so the entry has to agree with the
/// request's head.
#[test]
fn an_entry_says_of_http_what_its_requests_show() {
    for protocol in served() {
        let mut client = Side::new(protocol, ClientSetup { authority: "a", ..ClientSetup::default() });
        let mut server = Side::server(at_server(protocol));
        let (mut shown, mut opened, mut limit) = (None, false, false);
        for _ in 0..6 {
            let exchange = Exchange { token: 1 << 32, slot: 0 };
            opened =
                opened || make_call(&mut client, &mut server, protocol, exchange, &call_over(protocol, ""));
            limit |= client.events().iter().any(|seen| matches!(seen, Seen::PeerLimit(_)));
            pass(&mut client, &mut server);
            shown = shown.or(server.events().into_iter().find_map(|seen| match seen {
                Seen::Open(open) => Some(open.head.fields.iter().any(|(name, _)| name == ":method")),
                _ => None,
            }));
            pass(&mut server, &mut client);
        }
        let Protocol { name, peer_limits_calls, .. } = *protocol;
        let Protocol { http, credential, .. } = *at_server(protocol);
        assert_eq!(shown.unwrap_or(false), http.is_some(), "{name}"); // Redis answers PING without a service
        assert_eq!(credential == CredentialPer::Request, http.is_some(), "{name}");
        assert_eq!(limit, peer_limits_calls, "{name}");
    }
}

/// Makes this call, or sends the bytes of one where the protocol has no client. Whether it was made.
fn make_call(
    client: &mut Side,
    server: &mut Side,
    protocol: &Protocol,
    exchange: Exchange,
    call: &Call,
) -> bool {
    if protocol.server_only {
        server.feed(hex(PING_OF_MONGO));
        return true;
    }
    client.open(exchange, call).is_ok()
}

/// The protocol under which a server knows these connections.
fn at_server(protocol: &'static Protocol) -> &'static Protocol {
    protocol.detected_as.last().map_or(protocol, |name| builtin().find(name).expect("it is there"))
}

/// A call that the protocol can carry.
fn call_over(protocol: &Protocol, parameter: &str) -> Call {
    let call = match protocol.name {
        "rest_rpc" => Call::new(crate::rest_rpc::SERVICE, "add").body([0x92, 1, 2]),
        "redis" => Call::new("", "").body(*b"PING\r\n"),
        "memcache" => Call::new("", "").body(hex("80 0a 0000 00 00 0000 00000000 00000000 0000000000000000")),
        "memcache_meta" => Call::new("", "").body(*b"mn\r\n"),
        "esp" => Call::new("", "").body([0; 32]),
        "nshead" => Call::new("", "").body(hex(NSHEAD)),
        _ => Call::new("example.EchoService", "Echo").index(0).body([0; 12]),
    };
    call.content((protocol.content)(parameter).unwrap_or(polywire_call::Content::RAW))
}

/// A configured authenticator is asked, whatever protocol the peer speaks.
#[test]
fn every_server_asks_who_its_peer_is_before_anything_is_opened() {
    for protocol in served() {
        let mut client = Side::new(protocol, ClientSetup { authority: "a", ..ClientSetup::default() });
        let setup = ServerSetup { authenticate: true, ..ServerSetup::default() };
        let mut server = Side::new(at_server(protocol), setup);
        let (mut claims, mut opened) = (0, false);
        for _ in 0..6 {
            let exchange = Exchange { token: 1 << 32, slot: 0 };
            opened =
                opened || make_call(&mut client, &mut server, protocol, exchange, &call_over(protocol, ""));
            client.events();
            pass(&mut client, &mut server);
            for seen in server.events() {
                claims += u32::from(matches!(seen, Seen::Authenticate(_)));
                assert!(!matches!(seen, Seen::Open(_)), "{} opens before the verdict", protocol.name);
            }
            pass(&mut server, &mut client);
        }
        match protocol.name {
            "redis" => {
                assert!(server.host.asked.is_empty(), "without AUTH nothing is asked for");
                server.feed("AUTH me\r\n").poll().expect_claim();
            }
            name => assert_eq!(claims, 1, "{name} asks once"),
        }
    }
}

/// Otherwise the server would see a peer without a credential, and the user who configured one would not know
/// why.
#[test]
fn a_credential_is_sent_or_refused_and_never_left_out() {
    const CREDENTIAL: &[u8] = b"{{{{{{{{"; // longer in HPACK's Huffman code than in plain bytes
    const CANNOT: [&str; 12] = [
        "thrift",
        "zmtp",
        "fb_rpc",
        "fb_rpc_v0",
        "sofa_pbrpc",
        "rest_rpc",
        "nshead",
        "public_pbrpc",
        "ubrpc_mcpack2",
        "ubrpc_compack",
        "nshead_mcpack",
        "nova_pbrpc",
    ];
    for protocol in builtin().iter().filter(|protocol| protocol.machine.is_some() && !protocol.server_only) {
        let name = protocol.name;
        let setup = |credential| ClientSetup {
            authority: "a",
            credential: Some(credential),
            ..ClientSetup::default()
        };
        let mut client = Side::new(protocol, setup(CREDENTIAL));
        let mut sent = Vec::new();
        let opened = client.open(Exchange { token: 1 << 32, slot: 0 }, &call_over(protocol, ""));
        client.events();
        sent.extend(client.written());
        if CANNOT.contains(&name) {
            assert_eq!(opened, Err(Refusal::Credential), "{name}");
        } else {
            let is_sent = sent.windows(CREDENTIAL.len()).any(|bytes| bytes == CREDENTIAL);
            assert!(is_sent, "{name}: {opened:?}, {}", sent.escape_ascii());
        }
        if ["http", "h2", "grpc", "grpc-web", "connect"].contains(&name) {
            let mut client = Side::new(protocol, setup(b"a\r\nb: c"));
            client.events();
            let opened = client.open(Exchange { token: 1 << 32, slot: 0 }, &call_over(protocol, ""));
            assert_eq!(opened, Err(Refusal::Credential), "{name}: two lines are no value of a field");
        }
    }
}

/// A server starts a bounded number of requests before one of them is answered, whatever a client sends.
#[test]
fn calls_under_way_on_a_connection_are_bounded_in_every_protocol() {
    let mut tried = Vec::new();
    for protocol in served() {
        let limits = Limits::DEFAULT.calls(3).exchanges(3).streams(3);
        // Format A of rest_rpc, in which a client can have several calls in flight.
        let parameter = if protocol.name == "rest_rpc" { "a" } else { "" };
        let mut client =
            Side::new(protocol, ClientSetup { parameter, authority: "a", ..ClientSetup::default() });
        let mut server = Side::new(at_server(protocol), ServerSetup { limits, ..ServerSetup::default() });
        let call = call_over(protocol, parameter);
        let mut next = 0;
        let mut more = |server: &mut Side| {
            let mut opens = Vec::new();
            for _ in 0..10 {
                let exchange = Exchange { token: 1 << 32 | next, slot: next as u32 };
                if protocol.name == "redis" {
                    server.feed("PING\r\n"); // a client of Redis waits for the reply to its handshake
                } else {
                    next += u64::from(make_call(&mut client, server, protocol, exchange, &call));
                    pass(&mut client, server);
                }
                opens.extend(server.events().into_iter().filter_map(|seen| match seen {
                    Seen::Open(open) => Some(open),
                    _ => None,
                }));
                pass(server, &mut client);
                client.events();
            }
            opens
        };
        let opens = more(&mut server);
        if opens.len() == 3 {
            server.reply(&opens[0], "");
            assert_eq!(more(&mut server).len(), 1, "{}, when one has ended", protocol.name);
            server.reset(opens[1].exchange, polywire_call::Status::cancelled(""));
            assert_eq!(more(&mut server).len(), 1, "{}, when one was given up", protocol.name);
        }
        tried.push((protocol.name, opens.len()));
    }
    let three = [
        "thrift",
        "zmtp",
        "baidu_std",
        "streaming_rpc",
        "fb_rpc",
        "fb_rpc_v0",
        "hulu_pbrpc",
        "sofa_pbrpc",
        "h2",
        "grpc",
        "rest_rpc",
    ];
    for (name, opens) in tried {
        // The other protocols answer in order, and start the next request when one has been answered.
        assert_eq!(opens, if three.contains(&name) { 3 } else { 1 }, "{name}");
    }
}

/// Concurrent calls are answered while their peer reads nothing: beyond a limit each gets a short failure
/// instead of its reply.
#[test]
fn replies_of_calls_under_way_are_bounded_in_every_protocol() {
    const LONG: usize = 100_000;
    const CALLS: usize = 50;
    let mut side_by_side = Vec::new();
    for protocol in served() {
        let name = protocol.name;
        let patience = Patience::DEFAULT.queued(LONG as u32);
        let limits = Limits::DEFAULT.patience(patience).exchanges(1);
        let parameter = if name == "rest_rpc" { "a" } else { "" };
        let mut client =
            Side::new(protocol, ClientSetup { parameter, authority: "a", ..ClientSetup::default() });
        let setup = ServerSetup { limits, ..ServerSetup::default() };
        let mut server = Side::new(at_server(protocol), setup).with_room(LONG);
        let mut opens = Vec::new();
        for n in 0..CALLS as u32 {
            let mut call = call_over(protocol, parameter);
            if name == "streaming_rpc" {
                let slot = 1000 + n;
                call.streams = vec![Exchange { token: 1 << 32 | u64::from(slot), slot }];
            }
            let exchange = Exchange { token: 1 << 32 | u64::from(n), slot: n };
            make_call(&mut client, &mut server, protocol, exchange, &call);
            pass(&mut client, &mut server);
            opens.extend(server.events().into_iter().filter_map(|seen| match seen {
                Seen::Open(open) => Some(open),
                _ => None,
            }));
            pass(&mut server, &mut client);
            client.events();
        }
        if opens.len() < CALLS {
            continue; // they answer in order, and start no further request before
        }
        side_by_side.push(name);
        let has_windows = ["h2", "grpc"].contains(&name);
        // Four times the limit, the reply that exceeds it, and short failures; what windows allow comes on
        // top.
        let most = 5 * LONG + CALLS * 256 + if has_windows { 2 * LONG } else { 0 };
        for open in &opens {
            let body = IoBuf::from(vec![7; LONG]);
            let content = open.head.content;
            let outcome = Outcome { body, content, reply: true, accept: true, ..Outcome::default() };
            server.finish(open.exchange, outcome);
            let owed = server.out.len() + server.held();
            assert!(owed <= most, "{name}: {owed} bytes are owed");
        }
        let denied = server.host.denied.len();
        assert_eq!(server.host.denied, vec![Denied::Reply; denied], "{name}");
        // When the peer reads at last, it finds a reply to each of its calls.
        let (mut good, mut failed) = (0, 0);
        while pass(&mut server, &mut client) > 0 {
            for seen in client.events() {
                match seen {
                    Seen::Finish { outcome, .. } if outcome.status.is_ok() => good += 1,
                    Seen::Finish { outcome, .. } => {
                        // rest_rpc's failures have a text and no code, those of thrift a type.
                        let code = match name {
                            "rest_rpc" => Code::Unknown,
                            "thrift" => Code::Internal,
                            _ => Code::ResourceExhausted,
                        };
                        assert_eq!(outcome.status.code(), code, "{name}");
                        // V0 of fb_rpc has a number and no text.
                        let told = outcome.status.message().contains("not taken");
                        assert_eq!(told, name != "fb_rpc_v0", "{name}");
                        assert!(!outcome.status.is_unprocessed(), "{name}: the handler has run");
                        failed += 1;
                    }
                    Seen::Reset { exchange, .. } if exchange.slot < CALLS as u32 => failed += 1,
                    _ => {}
                }
            }
            pass(&mut client, &mut server);
            server.events();
            let _ = server.resume(Wake::Room);
        }
        assert_eq!((good + failed, failed), (CALLS, denied), "{name}");
        assert!((4..=7).contains(&good), "{name}: {good}");
        // There is room again, and a reply may have any length.
        if !has_windows {
            let call = call_over(protocol, parameter);
            assert!(client.open(Exchange { token: 1 << 34, slot: 0 }, &call).is_ok(), "{name}");
            pass(&mut client, &mut server);
            let open = server.poll().expect_open();
            server.reply(&open, [7; 10 * LONG]);
            assert!(server.out.len() > 10 * LONG, "{name}");
        }
    }
    let expected = [
        "baidu_std",
        "fb_rpc",
        "fb_rpc_v0",
        "hulu_pbrpc",
        "sofa_pbrpc",
        "h2",
        "grpc",
        "streaming_rpc",
        "thrift",
        "rest_rpc",
    ];
    assert_eq!(side_by_side, expected);
}
