//! The first bytes of a connection: no protocol's detection panics, and one that has returned `NotMine` does
//! not change its answer.

use polywire_wire::Sniff;

pub fn run(bytes: &[u8]) {
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
}
