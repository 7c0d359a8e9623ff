//! Recognition of a protocol by first bytes: the parts that the `sniff` functions of several protocols share.
//!
//! Rules for such a function: it returns `NotMine` at the first byte that excludes its protocol, and for all
//! longer inputs. While it is undecided it requests one further byte, because that byte may decide for
//! another protocol (`P` then `\r\n` is Redis).
//! Redis's).

use polywire_wire::Sniff;

/// "With fewer than 4 bytes buffered, compare what is there; equal prefix means not enough data, any mismatch
/// means try others." (docs/wire/common.md, "Detection on a shared server port")
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
