//! The first bytes of a connection: nobody panics, and who has denied them does not come back.
#![no_main]

use polywire_wire::Sniff;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let bytes = &bytes[..bytes.len().min(256)];
    for protocol in polywire_protocols::builtin().iter() {
        let mut last = Sniff::NeedMore(1);
        for length in 0..=bytes.len() {
            let verdict = (protocol.sniff)(&bytes[..length]);
            let stays = verdict == last || matches!(last, Sniff::NeedMore(1));
            assert!(stays, "{}: {last:?}", protocol.name);
            last = verdict;
        }
    }
});
