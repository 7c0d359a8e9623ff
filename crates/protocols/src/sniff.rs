//! Recognition of a protocol by first bytes: what the `sniff` functions of several protocols have in common.
//!
//! Rules for such a function: it says `NotMine` at the first byte that excludes its protocol and keeps to that, whatever
//! follows; and undecided it asks for one byte more, since that may decide for another protocol (`P` then `\r\n` is
//! Redis's).

use polywire_wire::Sniff;

/// "With fewer than 4 bytes buffered, compare what is there; equal prefix means not enough data, any mismatch means try
/// others." (docs/wire/common.md, "Detection on a shared server port")
pub(crate) fn magic(magic: &[u8], bytes: &[u8]) -> Sniff {
    let compared = bytes.len().min(magic.len());
    if bytes[..compared] != magic[..compared] {
        Sniff::NotMine
    } else if compared == magic.len() {
        Sniff::Mine
    } else {
        Sniff::NeedMore(1)
    }
}
