//! WebSocket: connections of HTTP/1 that are taken over, calls of services, and frames by themselves in both
//! roles, with and without permessage-deflate; offers of extensions.

use polywire_base::IoBuf;
use polywire_protocols::http::{
    PROTOCOL,
    websocket::{
        self, Calls, Item, Limits, Reader,
        deflate::{Agreed, Deflater, accept, read_answer},
        opcode,
    },
};
use polywire_wire::{Extensions, Role, Upgrades};
use std::sync::Arc;

pub fn run(input: &[u8]) {
    let mut extensions = Extensions::default();
    extensions.insert(Arc::new(Upgrades));
    extensions.insert(Arc::new(Calls));
    crate::play_upgrades(&PROTOCOL, &extensions, input);

    let Some((&plan, bytes)) = input.split_first() else { return };
    let role = if plan & 1 == 1 { Role::Client } else { Role::Server };
    let limits = Limits { message: 1000, frame: 900 };
    let piece = usize::from(plan >> 1) + 1;
    found_at_any_split(role, limits, piece, bytes);

    // What a message is inflated to does not depend on the splits, nor on whether it is wrong.
    let takeover = plan & 2 == 2;
    let agreed =
        Agreed { sends_takeover: takeover, receives_takeover: takeover, window_bits: 9 + (plan >> 2) % 7 };
    let inflating = || Reader::new(role, limits).inflating(agreed);
    let run = |piece: usize| {
        let (mut reader, mut input, mut items) = (inflating(), IoBuf::new(), Vec::new());
        for piece in bytes.chunks(piece) {
            input.append(IoBuf::copy_from_slice(piece));
            loop {
                let read = reader.next(&mut input);
                assert!(reader.held() <= limits.message);
                match read {
                    Ok(None) => break,
                    Ok(Some(item)) => items.push(item),
                    Err(_) => return (items, true),
                }
            }
        }
        (items, false)
    };
    assert_eq!(run(piece), run(bytes.len().max(1)));

    // What this side compresses, twice, it reads.
    let (mut deflater, mut reader) =
        (Deflater::new(agreed), Reader::new(Role::Client, limits).inflating(agreed));
    let message = &bytes[..bytes.len().min(limits.message)];
    for _ in 0..2 {
        let Some(payload) = deflater.deflate(message).filter(|payload| payload.len() <= limits.frame) else {
            break;
        };
        let mut frame = websocket::compressed(opcode::BINARY, payload.into(), None);
        let read = reader.next(&mut frame).expect("it is valid").expect("it is whole");
        assert!(matches!(read, Item::Message { text: false, bytes } if bytes == message));
    }

    let _ = (accept([bytes].into_iter(), takeover), read_answer(bytes, takeover));
}

/// What is found without an agreement, and which fault.
fn found_at_any_split(role: Role, limits: Limits, piece: usize, bytes: &[u8]) {
    let (mut reader, mut whole) = (Reader::new(role, limits), Reader::new(role, limits));
    let (mut input, mut rest) = (IoBuf::new(), IoBuf::copy_from_slice(bytes));
    for piece in bytes.chunks(piece) {
        input.append(IoBuf::copy_from_slice(piece));
        loop {
            let read = reader.next(&mut input);
            assert!(reader.held() <= limits.message);
            match read {
                Ok(None) => break,
                // What is found does not depend on the splits.
                Ok(Some(item)) => assert_eq!(whole.next(&mut rest), Ok(Some(item))),
                Err(fault) => {
                    // Text is refused as soon as it is wrong, which in one piece is before a frame ends, too.
                    assert_eq!(whole.next(&mut rest), Err(fault));
                    return;
                }
            }
        }
    }
}
