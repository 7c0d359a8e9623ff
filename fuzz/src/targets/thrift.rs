//! The Thrift machine: a server of all forms, a client of each; and the bytes as a struct in both encodings.

use polywire_formats::thrift::{Encoding, Scan, decode};
use polywire_protocols::thrift::ApplicationException;

const FORMS: [&str; 8] =
    ["", "old", "compact", "unframed", "unframed+old", "unframed+compact", "ttheader", "ttheader+framed"];

pub fn run(input: &[u8]) {
    let form = FORMS[usize::from(input.first().unwrap_or(&0) >> 2) % FORMS.len()];
    crate::play_as(&polywire_protocols::thrift::PROTOCOL, form, input);
    for encoding in [Encoding::Binary, Encoding::Compact] {
        let read = decode::<ApplicationException>(encoding, input.to_vec().into());
        let scanned = Scan::of_struct(encoding).advance(input);
        // What can be read ends where the scan says.
        assert!(read.is_err() || scanned == Ok(Some(input.len())), "{encoding:?}: {scanned:?}");
    }
}
