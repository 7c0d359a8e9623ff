//! Golden bytes of RFC 7692 7.2.3, negotiation, every split, every truncation, noise; bombs and streams that
//! are cut.

use super::{Agreed, Deflater, accept, offer, read_answer};
use crate::http::websocket::{Fault, Header, Item, Limits, Reader, apply_mask, compressed, opcode};
use polywire_base::IoBuf;
use polywire_machine_testing::{Random, hex};
use polywire_wire::Role;

const LIMITS: Limits = Limits { message: 1 << 17, frame: 1 << 17 };
const TAKEOVER: Agreed = Agreed { sends_takeover: true, receives_takeover: true, window_bits: 15 };
const ALONE: Agreed = Agreed { sends_takeover: false, receives_takeover: false, window_bits: 15 };

fn client(agreed: Agreed) -> Reader {
    Reader::new(Role::Client, LIMITS).inflating(agreed)
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

/// A frame of a server with the bit set in the first one.
fn frame(fin: bool, compressed: bool, opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    Header { fin, compressed, opcode, mask: None, length: payload.len() as u64 }.write(&mut out);
    out.extend_from_slice(payload);
    out
}

#[test]
fn the_examples_of_the_rfc() {
    let hello = text("Hello");
    for (example, bytes) in [
        ("7.2.3.1", "c1 07 f2 48 cd c9 c9 07 00"),
        ("7.2.3.1, fragmented", "41 03 f2 48 cd 80 04 c9 c9 07 00"),
        ("7.2.3.3", "c1 0b 00 05 00 fa ff 48 65 6c 6c 6f 00"),
        ("7.2.3.4", "c1 08 f3 48 cd c9 c9 07 00 00"),
        ("7.2.3.5", "c1 0d f2 48 05 00 00 00 ff ff ca c9 c9 07 00"),
        ("7.2.3.6: an empty one before it", "c1 01 00 c1 07 f2 48 cd c9 c9 07 00"),
    ] {
        for agreed in [TAKEOVER, ALONE] {
            let (found, fault) = read(client(agreed), &hex(bytes), usize::MAX);
            assert_eq!((found.last(), fault), (Some(&hello), None), "{example}");
        }
    }
    // 7.2.3.2: the second refers to the first.
    let twice = hex("c1 07 f2 48 cd c9 c9 07 00 c1 05 f2 00 11 00 00");
    assert_eq!(read(client(TAKEOVER), &twice, 3), (vec![hello.clone(), hello.clone()], None));
    assert_eq!(read(client(ALONE), &twice, 3), (vec![hello], Some(Fault::Deflate)));

    let mut deflater = Deflater::new(TAKEOVER);
    for example in ["f2 48 cd c9 c9 07 00", "f2 00 11 00 00"] {
        assert_eq!(deflater.deflate(b"Hello"), Some(hex(example)), "what zlib makes of it");
    }
}

#[test]
fn a_reserved_bit_means_something_in_the_first_frame_of_a_message_alone() {
    let unagreed = Some(Fault::Protocol("a reserved bit is set, and no extension was agreed on"));
    let hello = hex("f2 48 cd c9 c9 07 00");
    let whole = frame(true, true, opcode::TEXT, &hello);
    assert_eq!(read(Reader::new(Role::Client, LIMITS), &whole, 99).1, unagreed, "without an agreement");
    assert_eq!(read(client(ALONE), &frame(true, true, opcode::PING, b""), 99).1, unagreed);
    let continued = [frame(false, true, opcode::TEXT, &hello), frame(true, true, 0, b"")].concat();
    assert_eq!(read(client(ALONE), &continued, 99).1, unagreed);
    assert_eq!(read(client(ALONE), &hex("a1 00"), 99).1, unagreed, "RSV2");
    let plain = frame(true, false, opcode::TEXT, b"as it is");
    let between = [
        frame(false, true, opcode::TEXT, &hello[..3]),
        frame(true, false, opcode::PING, b"p"),
        frame(true, false, 0, &hello[3..]),
    ];
    let (found, fault) = read(client(ALONE), &[plain, between.concat()].concat(), 2);
    assert_eq!((found, fault), (vec![text("as it is"), Item::Ping("p".into()), text("Hello")], None));
}

/// Messages of all lengths, compressed by this side.
fn conversation(agreed: Agreed, mask: Option<[u8; 4]>) -> (Vec<u8>, Vec<Item>) {
    let mut random = Random::new(3);
    let noise: Vec<u8> = (0..20_000).map(|_| random.number() as u8).collect();
    let (mut deflater, mut bytes, mut items) = (Deflater::new(agreed), Vec::new(), Vec::new());
    let long = "κόσμε ".repeat(3000);
    for (k, message) in
        [b"a".as_slice(), b"Hello", long.as_bytes(), &noise, b"Hello", &[7; 100_000]].into_iter().enumerate()
    {
        let text = std::str::from_utf8(message).is_ok() && k != 5;
        let kind = if text { opcode::TEXT } else { opcode::BINARY };
        let mask = mask.map(|key| key.map(|byte| byte ^ k as u8));
        let frame = match deflater.deflate(message) {
            Some(shorter) => compressed(kind, shorter.into(), mask),
            None => crate::http::websocket::frame(kind, message.to_vec().into(), mask),
        };
        bytes.extend_from_slice(&frame.to_vec());
        items.push(Item::Message { text, bytes: message.to_vec().into() });
    }
    (bytes, items)
}

#[test]
fn what_one_side_compresses_the_other_reads_at_every_split() {
    for window_bits in [9, 10, 15] {
        for agreed in [TAKEOVER, ALONE] {
            let agreed = Agreed { window_bits, ..agreed };
            for (role, mask) in [(Role::Server, Some([1, 2, 3, 4])), (Role::Client, None)] {
                let (bytes, items) = conversation(agreed, mask);
                assert!(bytes.len() < 25_000, "{} bytes of 138 thousand", bytes.len());
                for piece in (1..40).chain([4095, 4096, 4097, usize::MAX]) {
                    let reader = Reader::new(role, LIMITS).inflating(agreed);
                    let (found, fault) = read(reader, &bytes, piece);
                    assert!(found == items && fault.is_none(), "pieces of {piece}: {fault:?}");
                }
            }
        }
    }
}

#[test]
fn a_message_that_is_cut_is_no_message() {
    let mut deflater = Deflater::new(ALONE);
    let message = "to be or not to be, ".repeat(40) + "that is the question";
    let whole = deflater.deflate(message.as_bytes()).expect("it is shorter");
    assert_eq!(
        read(client(ALONE), &frame(true, true, opcode::TEXT, &whole), 99),
        (vec![text(&message)], None)
    );
    for cut in 0..whole.len() {
        // The frame ends early, and the message with it.
        let found = read(client(ALONE), &frame(true, true, opcode::TEXT, &whole[..cut]), 99);
        assert_eq!(found, (vec![], Some(Fault::Deflate)), "cut at {cut}");
        // The connection ends inside of the frame.
        let bytes = frame(true, true, opcode::TEXT, &whole);
        assert_eq!(read(client(ALONE), &bytes[..cut + 2], 99), (vec![], None), "cut at {cut}");
    }
}

/// A message of zeros, about a thousandth of their number in bytes.
fn bomb(zeros: usize) -> Vec<u8> {
    Deflater::new(ALONE).deflate(&vec![0; zeros]).expect("it is shorter")
}

#[test]
fn a_bomb_ends_at_the_limit() {
    let limits = Limits { message: 100_000, frame: 100_000 };
    let bomb = bomb(32 << 20);
    assert!(bomb.len() < 50_000);
    for piece in [1, 100, usize::MAX] {
        for agreed in [ALONE, TAKEOVER] {
            let mut reader = Reader::new(Role::Client, limits).inflating(agreed);
            let first = frame(false, true, opcode::BINARY, &bomb);
            let mut input = IoBuf::new();
            let mut fault = None;
            for piece in first.chunks(piece) {
                input.append(IoBuf::copy_from_slice(piece));
                match reader.next(&mut input) {
                    Err(found) => fault = Some(found),
                    found => assert_eq!(found, Ok(None)),
                }
                assert!(reader.held() <= limits.message, "{} bytes are held", reader.held());
            }
            assert_eq!(fault, Some(Fault::TooLong));
        }
    }
    // To the byte.
    let reader = || Reader::new(Role::Client, Limits { message: 5000, frame: 5000 }).inflating(ALONE);
    let found = |zeros| read(reader(), &frame(true, true, opcode::BINARY, &self::bomb(zeros)), 7).1;
    assert_eq!((found(5000), found(5001)), (None, Some(Fault::TooLong)));
    // Its header alone.
    assert_eq!(read(reader(), &hex("c2 7f 00 00 00 00 00 01 00 00"), 99).1, Some(Fault::TooLong));
}

#[test]
fn bytes_that_cannot_be_compressed_fit_into_the_limit_as_they_would_plain() {
    let mut random = Random::new(5);
    let noise: Vec<u8> = (0..LIMITS.message).map(|_| random.number() as u8).collect();
    let longer = Deflater::new(TAKEOVER).deflate(&noise).expect("with takeover it is always sent");
    assert!(longer.len() > noise.len());
    let (found, fault) = read(client(TAKEOVER), &frame(true, true, opcode::BINARY, &longer), usize::MAX);
    assert_eq!((found.len(), fault), (1, None));
    assert_eq!(Deflater::new(ALONE).deflate(&noise), None);
}

#[test]
fn data_that_end_again_and_again_are_a_fault() {
    // Final blocks without content, two bytes each.
    let ends = |count: usize| [hex("03 00").repeat(count), hex("00")].concat();
    let found = |count| read(client(ALONE), &frame(true, true, opcode::BINARY, &ends(count)), 99).1;
    assert_eq!((found(3), found(100)), (None, Some(Fault::Deflate)));
}

#[test]
fn text_is_checked_after_it_was_inflated() {
    let mut deflater = Deflater::new(ALONE);
    let payload = deflater.deflate(&[b"ok ".repeat(100), b"\xed\xa0\x80".repeat(10)].concat()).unwrap();
    assert_eq!(read(client(ALONE), &frame(true, true, opcode::TEXT, &payload), 5).1, Some(Fault::Text));
    assert_eq!(read(client(ALONE), &frame(true, true, opcode::BINARY, &payload), 5).1, None);
    let cut = deflater.deflate(&[b"ok ".repeat(100), b"\xce".to_vec()].concat()).unwrap();
    assert_eq!(read(client(ALONE), &frame(true, true, opcode::TEXT, &cut), 5).1, Some(Fault::Text));
}

#[test]
fn readers_stand_noise() {
    let mut random = Random::new(11);
    for round in 0..6_000 {
        let agreed = if round % 2 == 0 { ALONE } else { TAKEOVER };
        let mut deflater = Deflater::new(agreed);
        let mut bytes = Vec::new();
        for message in ["Hello, Hello, Hello", "κόσμε κόσμε κόσμε", "Hello, κόσμε"] {
            let payload = deflater.deflate(message.as_bytes()).unwrap_or_default();
            bytes.extend(frame(true, true, opcode::TEXT, &payload));
        }
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = random.number() as u8;
        }
        let limits = Limits { message: 3000, frame: 3000 };
        let mut reader = Reader::new(Role::Client, limits).inflating(agreed);
        let mut input = IoBuf::from(bytes);
        let mut found = 0;
        while let Ok(Some(_)) = reader.next(&mut input) {
            found += 1;
            assert!(found < 100 && reader.held() <= limits.message);
        }
    }
}

#[test]
fn servers_accept_the_first_offer_that_they_can_meet() {
    let answer = |offer: &str, takeover| accept([offer.as_bytes()].into_iter(), takeover).map(|(_, a)| a);
    let plain = "permessage-deflate";
    let alone = "permessage-deflate; server_no_context_takeover; client_no_context_takeover";
    for (offer, with, without) in [
        (plain, Some(plain), Some(alone)),
        ("permessage-deflate; client_max_window_bits", Some(plain), Some(alone)), // Chromium
        ("Permessage-Deflate;client_max_window_bits=\"10\"", Some(plain), Some(alone)),
        (alone, Some(alone), Some(alone)),
        (
            "permessage-deflate; server_no_context_takeover",
            Some("permessage-deflate; server_no_context_takeover"),
            Some(alone),
        ),
        (
            "permessage-deflate; server_max_window_bits=10",
            Some("permessage-deflate; server_max_window_bits=10"),
            Some(
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10",
            ),
        ),
        ("x-webkit-deflate-frame, permessage-deflate", Some(plain), Some(alone)),
        ("permessage-deflate; server_max_window_bits=8, permessage-deflate", Some(plain), Some(alone)),
        ("permessage-deflate; server_max_window_bits=8", None, None),
        ("permessage-deflate; server_max_window_bits=16", None, None),
        ("permessage-deflate; server_max_window_bits=010", None, None),
        ("permessage-deflate; server_max_window_bits", None, None),
        ("permessage-deflate; server_no_context_takeover=1", None, None),
        ("permessage-deflate; server_no_context_takeover; server_no_context_takeover", None, None),
        ("permessage-deflate; unknown", None, None),
        ("permessage-deflate;", None, None),
        ("permessage-bzip2", None, None),
        ("", None, None),
        ("\u{0}", None, None),
    ] {
        assert_eq!(answer(offer, true).as_deref(), with, "{offer}");
        assert_eq!(answer(offer, false).as_deref(), without, "{offer}");
    }
    let (agreed, _) =
        accept([&b"x"[..], b"permessage-deflate; server_max_window_bits=9"].into_iter(), true).unwrap();
    assert_eq!(agreed, Agreed { window_bits: 9, ..TAKEOVER });
    assert!(accept([&b"\xff"[..]].into_iter(), true).is_none());
}

#[test]
fn clients_take_answers_to_their_offer_alone() {
    let read = |answer: &str, takeover| read_answer(answer.as_bytes(), takeover);
    assert_eq!(offer(true), "permessage-deflate; client_max_window_bits");
    let alone = "permessage-deflate; server_no_context_takeover; client_no_context_takeover";
    assert_eq!(offer(false), format!("{alone}; client_max_window_bits"));
    assert_eq!(read("permessage-deflate", true), Some(TAKEOVER));
    assert_eq!(read(alone, true), Some(ALONE));
    for window_bits in 8..=15 {
        let answer = format!("permessage-deflate; client_max_window_bits={window_bits}");
        assert_eq!(read(&answer, true), Some(Agreed { window_bits, ..TAKEOVER }));
    }
    assert_eq!(read("permessage-deflate; server_no_context_takeover", false), Some(ALONE));
    assert_eq!(read("permessage-deflate; server_max_window_bits=8", true), Some(TAKEOVER));
    let resets = read("permessage-deflate; client_no_context_takeover", true).unwrap();
    assert_eq!(resets, Agreed { sends_takeover: false, ..TAKEOVER });
    for answer in [
        "permessage-deflate, permessage-deflate",
        "permessage-deflate; client_max_window_bits=7",
        "permessage-deflate; client_max_window_bits=16",
        "permessage-deflate; client_max_window_bits",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=7",
        "permessage-deflate; x=1",
        "permessage-bzip2",
        "",
    ] {
        assert_eq!(read(answer, true), None, "{answer}");
    }
    assert_eq!(read("permessage-deflate", false), None, "it was asked to forget its window");
}

#[test]
fn empty_messages_one_after_the_other_are_sent_as_they_are() {
    for agreed in [TAKEOVER, ALONE] {
        let mut deflater = Deflater::new(agreed);
        assert_eq!([b"".as_slice(), b""].map(|message| deflater.deflate(message)), [None, None]);
        assert!(deflater.deflate(&[b'x'; 600]).is_some());
        assert_eq!(deflater.deflate(b""), None);
    }
}

#[test]
fn with_a_window_that_zlib_does_not_have_messages_are_sent_as_they_are() {
    for agreed in [TAKEOVER, ALONE] {
        assert_eq!(Deflater::new(Agreed { window_bits: 8, ..agreed }).deflate(&[b'x'; 600]), None);
    }
}

#[test]
fn frames_of_a_client_are_masked_after_they_were_compressed() {
    let payload = Deflater::new(ALONE).deflate(&[b'x'; 600]).unwrap();
    let key = [9, 8, 7, 6];
    let mut masked = payload.clone();
    apply_mask(&mut masked, key, 0);
    let frame = compressed(opcode::TEXT, payload.clone().into(), Some(key)).to_vec();
    assert_eq!(frame[..6], [0xc1, 0x80 | payload.len() as u8, 9, 8, 7, 6]);
    assert_eq!(frame[6..], masked);
}
