//! The Thrift machine: a server of all forms, a client of each; and the bytes as a struct in both encodings.

use polywire_formats::thrift::{Encoding, Scan, decode, recode};
use polywire_protocols::thrift::ApplicationException;

const FORMS: [&str; 8] =
    ["", "old", "compact", "unframed", "unframed+old", "unframed+compact", "ttheader", "ttheader+framed"];

/// Bytes that a struct may have in the other protocol.
const LONGEST: usize = 1 << 16;

pub fn run(input: &[u8]) {
    let form = FORMS[usize::from(input.first().unwrap_or(&0) >> 2) % FORMS.len()];
    crate::play_as(&polywire_protocols::thrift::PROTOCOL, form, input);
    for encoding in [Encoding::Binary, Encoding::Compact] {
        let read = decode::<ApplicationException>(encoding, input.to_vec().into());
        let scanned = Scan::of_struct(encoding).advance(input);
        // What can be read ends where the scan says.
        assert!(read.is_err() || scanned == Ok(Some(input.len())), "{encoding:?}: {scanned:?}");
        recode_and_back(encoding, input);
    }
}

/// A struct in the other protocol is the same struct, of a bounded length.
fn recode_and_back(encoding: Encoding, input: &[u8]) {
    let other = if encoding == Encoding::Binary { Encoding::Compact } else { Encoding::Binary };
    let Ok(recoded) = recode(encoding, input.to_vec().into(), LONGEST) else { return };
    assert!(recoded.len() <= LONGEST + LONGEST / 2, "{encoding:?}: {}", recoded.len());
    let Ok(back) = recode(other, recoded.clone(), 2 * LONGEST) else { panic!("{encoding:?}: no way back") };
    assert_eq!(recode(encoding, back, 2 * LONGEST).ok(), Some(recoded), "{encoding:?}");
}
