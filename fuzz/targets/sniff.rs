//! The first bytes of a connection: nobody panics, and who has denied them does not come back.
#![no_main]

use polywire_wire::Sniff;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let bytes = &bytes[..bytes.len().min(256)];
    for protocol in polywire_protocols::builtin().iter() {
        let mut last = Sniff::NeedMore(1);
        for length in 0..=bytes.len() {
            let verdict = (protocol.sniff)(&bytes[..length]);
            // A method that is not in HTTP's list is nobody's word until its target has begun.
            let unlisted = protocol.name == "http" && last == Sniff::NotMine;
            let stays = verdict == last || matches!(last, Sniff::NeedMore(1)) || unlisted;
            assert!(stays, "{}: {last:?}", protocol.name);
            last = verdict;
        }
    }
});
