//! Golden bytes of RFC 6455 5.7 and 1.3, each rule of 5 and 7, every split, every truncation, noise.

use super::{
    Close, Fault, Header, Item, Limits, Reader, apply_mask, close, code, control, frame,
    handshake::{self, Asked, Wrong},
    opcode,
    utf8::Utf8,
};
use polywire_base::IoBuf;
use polywire_machine_testing::{Random, hex};
use polywire_wire::Role;

const LIMITS: Limits = Limits { message: 1 << 17, frame: 1 << 17 };

fn server() -> Reader {
    Reader::new(Role::Server, LIMITS)
}

fn client() -> Reader {
    Reader::new(Role::Client, LIMITS)
}

/// Everything that a reader finds in these bytes, fed in pieces of this length.
fn read(mut reader: Reader, bytes: &[u8], piece: usize) -> (Vec<Item>, Option<Fault>) {
    let (mut found, mut input) = (Vec::new(), IoBuf::new());
    for piece in bytes.chunks(piece) {
        input.append(IoBuf::copy_from_slice(piece));
        loop {
            match reader.next(&mut input) {
                Ok(Some(item)) => found.push(item),
                Ok(None) => break,
                Err(fault) => return (found, Some(fault)),
            }
        }
    }
    (found, None)
}

fn text(text: &str) -> Item {
    Item::Message { text: true, bytes: text.to_owned().into() }
}

fn binary(bytes: &[u8]) -> Item {
    Item::Message { text: false, bytes: bytes.to_vec().into() }
}

/// Frames of a server, one after the other.
fn frames(parts: &[(bool, u8, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for &(fin, opcode, payload) in parts {
        Header { fin, compressed: false, opcode, mask: None, length: payload.len() as u64 }.write(&mut out);
        out.extend_from_slice(payload);
    }
    out
}

/// The same frames as a client sends them, masked.
fn masked(parts: &[(bool, u8, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (k, &(fin, opcode, payload)) in parts.iter().enumerate() {
        let key = [k as u8 ^ 0x37, 0xfa, 0x21, 0x3d];
        Header { fin, compressed: false, opcode, mask: Some(key), length: payload.len() as u64 }
            .write(&mut out);
        let at = out.len();
        out.extend_from_slice(payload);
        apply_mask(&mut out[at..], key, 0);
    }
    out
}

/// The examples of RFC 6455 5.7.
#[test]
fn the_examples_of_the_rfc() {
    let whole = |reader: Reader, text: &str| read(reader, &hex(text), usize::MAX);
    assert_eq!(whole(client(), "81 05 48 65 6c 6c 6f"), (vec![text("Hello")], None));
    assert_eq!(whole(server(), "81 85 37 fa 21 3d 7f 9f 4d 51 58"), (vec![text("Hello")], None));
    assert_eq!(whole(client(), "01 03 48 65 6c 80 02 6c 6f"), (vec![text("Hello")], None));
    assert_eq!(whole(client(), "89 05 48 65 6c 6c 6f"), (vec![Item::Ping("Hello".into())], None));
    assert_eq!(whole(server(), "8a 85 37 fa 21 3d 7f 9f 4d 51 58"), (vec![Item::Pong("Hello".into())], None));
    let long = |front: &str, n: usize| read(client(), &[hex(front), vec![7; n]].concat(), usize::MAX);
    assert_eq!(long("82 7e 01 00", 256), (vec![binary(&[7; 256])], None));
    assert_eq!(long("82 7f 00 00 00 00 00 01 00 00", 65536), (vec![binary(&[7; 65536])], None));

    assert_eq!(frame(opcode::TEXT, "Hello".into(), None).to_vec(), hex("81 05 48 65 6c 6c 6f"));
    let key = [0x37, 0xfa, 0x21, 0x3d];
    let out = frame(opcode::TEXT, "Hello".into(), Some(key));
    assert_eq!(out.to_vec(), hex("81 85 37 fa 21 3d 7f 9f 4d 51 58"));
    assert_eq!(control(opcode::PONG, b"Hello", Some(key)).to_vec(), hex("8a 85 37 fa 21 3d 7f 9f 4d 51 58"));
    let long = frame(opcode::BINARY, vec![7; 256].into(), None);
    assert_eq!(long.to_vec(), [hex("82 7e 01 00"), vec![7; 256]].concat());
    let long = frame(opcode::BINARY, vec![7; 65536].into(), None);
    assert_eq!(long.to_vec(), [hex("82 7f 00 00 00 00 00 01 00 00"), vec![7; 65536]].concat());
}

/// The example of RFC 6455 1.3.
#[test]
fn the_handshake_of_the_rfc() {
    assert_eq!(handshake::accept(b"dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    let offered: Vec<_> = handshake::protocols(b"chat, superchat,, ,x").collect();
    assert_eq!(offered, ["chat", "superchat", "x"]);
    assert!(handshake::has_token(b"keep-alive, Upgrade", "upgrade"));
    assert!(!handshake::has_token(b"upgrades", "upgrade"));
    let asked = |fields: &[(&str, &str)], keyed| {
        let mut asked = Asked::default();
        fields.iter().for_each(|(name, value)| asked.field(name, value.as_bytes()));
        asked.wrong(keyed)
    };
    let key = ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
    let version = ("sec-websocket-version", "13");
    assert_eq!(asked(&[key, version], true), None);
    assert_eq!(asked(&[version], false), None, "HTTP/2 has no key");
    assert_eq!(asked(&[version], true), Some(Wrong::Key));
    assert_eq!(asked(&[key, key, version], true), Some(Wrong::Key));
    assert_eq!(asked(&[(key.0, "dGhlIHNhbXBsZSBub25jZQ"), version], true), Some(Wrong::Key));
    assert_eq!(asked(&[(key.0, "c2hvcnQ="), version], true), Some(Wrong::Key));
    assert_eq!(asked(&[key], true), Some(Wrong::Version));
    assert_eq!(asked(&[key, version, version], true), Some(Wrong::Version));
    assert_eq!(asked(&[key, (version.0, "8")], true), Some(Wrong::Version));
}

/// A conversation with everything in it.
fn conversation() -> Vec<(bool, u8, &'static [u8])> {
    vec![
        (true, opcode::TEXT, "κόσμε".as_bytes()),
        (false, opcode::TEXT, b"\xf0\x9f"),
        (true, opcode::PING, b"in between"),
        (false, opcode::CONTINUATION, b""),
        (true, opcode::CONTINUATION, b"\xa6\x80 crab"),
        (true, opcode::PONG, b""),
        (true, opcode::BINARY, &[0xff; 300]),
        (true, opcode::TEXT, b""),
        (true, opcode::CLOSE, b"\x03\xe8bye"),
        (true, opcode::TEXT, b"after the end"),
    ]
}

#[test]
fn messages_are_the_same_at_every_split() {
    let expected = vec![
        text("κόσμε"),
        Item::Ping("in between".into()),
        text("\u{1f980} crab"),
        Item::Pong("".into()),
        binary(&[0xff; 300]),
        text(""),
        Item::Close(Close { code: 1000, reason: "bye".into() }),
    ];
    for (bytes, make) in
        [(masked(&conversation()), server as fn() -> Reader), (frames(&conversation()), client)]
    {
        for piece in 1..bytes.len() {
            assert_eq!(read(make(), &bytes, piece), (expected.clone(), None), "pieces of {piece}");
        }
        for cut in 0..bytes.len() {
            let (found, fault) = read(make(), &bytes[..cut], usize::MAX);
            assert_eq!((&expected[..found.len()], fault), (&found[..], None), "cut at {cut}");
        }
    }
}

#[test]
fn what_the_rfc_forbids_is_a_fault() {
    use opcode::*;
    let parts = |parts: &[(bool, u8, &[u8])]| read(server(), &masked(parts), usize::MAX).1;
    let long = [b'x'; 126];
    for (fault, because) in [
        (parts(&[(true, PING, &long)]), "control frame longer than 125 bytes"),
        (parts(&[(false, PING, b"")]), "fragmented control frame"),
        (parts(&[(false, CLOSE, b"")]), "fragmented control frame"),
        (parts(&[(true, CONTINUATION, b"x")]), "continuation of no message"),
        (parts(&[(false, TEXT, b"x"), (true, TEXT, b"y")]), "a message inside another"),
        (parts(&[(true, TEXT, b"x"), (true, CONTINUATION, b"y")]), "continuation of no message"),
        (parts(&[(true, 3, b"")]), "unknown kind of frame"),
        (parts(&[(true, 11, b"")]), "unknown kind of frame"),
        (parts(&[(true, CLOSE, b"x")]), "Close frame of one byte"),
        (read(server(), &frames(&[(true, TEXT, b"x")]), 99).1, "frame of a client without a mask"),
        (read(client(), &masked(&[(true, TEXT, b"x")]), 99).1, "frame of a server with a mask"),
        (read(client(), &hex("c1 00"), 9).1, "a reserved bit is set, and no extension was agreed on"),
        (read(client(), &hex("a1 00"), 9).1, "a reserved bit is set, and no extension was agreed on"),
        (read(client(), &hex("91 00"), 9).1, "a reserved bit is set, and no extension was agreed on"),
        (read(client(), &hex("82 7e 00 7d"), 9).1, "length of a frame in a wrong form"),
        (read(client(), &hex("82 7f 00 00 00 00 00 00 ff ff"), 99).1, "length of a frame in a wrong form"),
        (read(client(), &hex("82 7f 80 00 00 00 00 00 00 00"), 99).1, "length of a frame in a wrong form"),
    ] {
        assert_eq!(fault, Some(Fault::Protocol(because)));
    }
    for code in [0u16, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535] {
        let fault = parts(&[(true, CLOSE, &code.to_be_bytes())]);
        assert_eq!(fault, Some(Fault::Protocol("Close frame with a code that is never sent")), "{code}");
    }
    for code in
        [1000u16, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999]
    {
        assert_eq!(parts(&[(true, CLOSE, &code.to_be_bytes())]), None, "{code}");
    }
    assert_eq!(parts(&[(true, CLOSE, b"\x03\xe8\xff")]), Some(Fault::Text));
    assert_eq!(Fault::Text.code(), code::INVALID);
}

#[test]
fn a_frame_or_message_beyond_its_limit_is_refused_by_its_header() {
    let limits = Limits { message: 10, frame: 8 };
    let run = |parts: &[(bool, u8, &[u8])]| read(Reader::new(Role::Client, limits), &frames(parts), 3);
    assert_eq!(run(&[(true, opcode::BINARY, &[1; 8])]), (vec![binary(&[1; 8])], None));
    assert_eq!(run(&[(true, opcode::BINARY, &[1; 9])]), (vec![], Some(Fault::TooLong)));
    let two = [(false, opcode::BINARY, &[1; 8][..]), (true, opcode::CONTINUATION, &[2; 2])];
    assert_eq!(run(&two).1, None);
    let two = [(false, opcode::BINARY, &[1; 8][..]), (true, opcode::CONTINUATION, &[2; 3])];
    assert_eq!(run(&two).1, Some(Fault::TooLong));
    // The header alone, of a payload that would fill all memory.
    let mut reader = Reader::new(Role::Client, limits);
    let mut input = IoBuf::from(hex("82 7f 7f ff ff ff ff ff ff ff"));
    assert_eq!(reader.next(&mut input), Err(Fault::TooLong));
    assert_eq!(
        reader.next_frame(&mut IoBuf::from(hex("82 7f 7f ff ff ff ff ff ff ff"))),
        Err(Fault::TooLong)
    );
    assert_eq!(reader.held(), 0);
}

#[test]
fn wrong_text_is_noticed_before_its_message_ends() {
    let broken = "κόσμε".as_bytes();
    let broken = [broken, b"\xed\xa0\x80"].concat();
    let mut bytes = Vec::new();
    Header { fin: true, compressed: false, opcode: opcode::TEXT, mask: None, length: 1000 }.write(&mut bytes);
    bytes.extend_from_slice(&broken);
    assert_eq!(read(client(), &bytes[..bytes.len() - 2], 1), (vec![], None));
    assert_eq!(read(client(), &bytes, 1), (vec![], Some(Fault::Text)), "989 bytes before its end");
    let cut = frames(&[(true, opcode::TEXT, b"\xce")]);
    assert_eq!(read(client(), &cut, 9).1, Some(Fault::Text), "it ends inside a character");
}

#[test]
fn pieces_of_text_are_judged_as_the_whole() {
    let mut random = Random::new(41);
    let seeds: [&[u8]; 6] = [
        b"a",
        "\u{7ff}".as_bytes(),
        "\u{d7ff}".as_bytes(),
        "\u{10ffff}".as_bytes(),
        b"\xf4\x8f",
        b"\xed\x9f",
    ];
    for _ in 0..20_000 {
        let mut bytes: Vec<u8> = (0..random.below(5)).flat_map(|_| random.pick(&seeds).to_vec()).collect();
        if random.one_in(2) && !bytes.is_empty() {
            let at = random.below(bytes.len());
            bytes[at] = random.number() as u8;
        }
        let mut state = Utf8::default();
        let mut rest = &bytes[..];
        let mut valid = true;
        while valid && !rest.is_empty() {
            let (piece, after) = rest.split_at(1 + random.below(rest.len().min(3)));
            (valid, rest) = (state.accepts(piece), after);
        }
        assert_eq!(valid && state.is_complete(), std::str::from_utf8(&bytes).is_ok(), "{bytes:x?}");
    }
}

#[test]
fn masks_apply_from_any_place() {
    let key = [1, 2, 3, 4];
    let mut whole: Vec<u8> = (0..100).collect();
    apply_mask(&mut whole, key, 0);
    assert!((0..100u8).all(|i| whole[i as usize] == i ^ key[i as usize % 4]));
    for at in 0..20 {
        let mut rest: Vec<u8> = (at..100).collect();
        apply_mask(&mut rest, key, at.into());
        assert_eq!(rest, whole[at as usize..]);
    }
}

#[test]
fn a_reason_is_cut_between_characters() {
    let long = "é".repeat(100);
    let cut = Close::new(code::INTERNAL, &long);
    assert_eq!(cut.reason.len(), 122);
    let bytes = close(&cut, None).to_vec();
    assert_eq!((bytes.len(), &bytes[..4]), (126, &[0x88, 124, 0x03, 0xf3][..]));
    assert_eq!(close(&Close::new(code::NONE, ""), None).to_vec(), hex("88 00"));
}

#[test]
fn readers_stand_noise() {
    let golden = masked(&conversation());
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        let mut bytes = golden.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = random.number() as u8;
        }
        let piece = 1 + random.below(bytes.len());
        let mut reader = server();
        let mut input = IoBuf::new();
        'fed: for piece in bytes.chunks(piece) {
            input.append(IoBuf::copy_from_slice(piece));
            loop {
                match reader.next(&mut input) {
                    Ok(Some(_)) => {}
                    Ok(None) => break,
                    Err(_) => break 'fed,
                }
            }
            assert!(reader.held() <= bytes.len(), "no more than has come");
        }
    }
}
