//! WebSocket: connections of HTTP/1 that are taken over, calls of services, and frames by themselves in both roles.
#![no_main]

use polywire_base::IoBuf;
use polywire_protocols::http::{
    PROTOCOL,
    websocket::{Calls, Limits, Reader},
};
use polywire_wire::{Extensions, Role, Upgrades};
use std::sync::Arc;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut extensions = Extensions::default();
    extensions.insert(Arc::new(Upgrades));
    extensions.insert(Arc::new(Calls));
    polywire_fuzz::play_upgrades(&PROTOCOL, &extensions, input);

    let Some((&plan, bytes)) = input.split_first() else { return };
    let role = if plan & 1 == 1 { Role::Client } else { Role::Server };
    let limits = Limits { message: 1000, frame: 900 };
    let piece = usize::from(plan >> 1) + 1;
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
});
