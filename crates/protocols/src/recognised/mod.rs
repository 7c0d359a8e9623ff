//! Protocols that are told apart but not spoken yet: one small file each, with what decides.
//!
//! They stand in the registry from the start, so that no protocol that joins later takes bytes from one that is here.

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
        Sniff::NeedMore(magic.len() - compared)
    }
}
