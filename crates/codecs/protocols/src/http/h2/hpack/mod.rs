//! HPACK: compression of header fields by tables that both sides keep equal.
//!
//! | file | what it is |
//! | --- | --- |
//! | `integer.rs` | integers with a prefix (RFC 7541 5.1) |
//! | `huffman.rs` | the static code of strings (5.2, appendix B) |
//! | `statics.rs` | the static table (appendix A) |
//! | `table.rs` | a dynamic table (2.3.2, 4) |
//! | `decode.rs` | blocks to fields |
//! | `places.rs` | where in a table a field is |
//! | `encode.rs` | fields to blocks, and which of them are worth a place in the table |
//!
//! Source:     RFC 7541
//! Invariants: a block is decoded to its end even if its fields are not used; otherwise the tables of both
//!             sides would differ.
//! Limits:     dynamic tables of [`TABLE_BYTES`] on both sides, whatever the peer allows; integers of 5
//!             further bytes.
//! Errors:     see [`Error`]; all of them end the connection with COMPRESSION_ERROR (RFC 7541 2.2, RFC 9113
//!             4.3).
//! Not here:   what fields mean (`field.rs`), how large a head may be (`head.rs`).

mod decode;
mod encode;
mod huffman;
mod integer;
mod places;
mod statics;
mod table;

pub(super) use decode::{Decoder, Judge};
#[cfg(test)]
impl Judge for () {
    type Note = ();
    fn field(_: &[u8], _: &[u8]) {}
}
pub(super) use encode::{Encoder, Indexing};

/// SETTINGS_HEADER_TABLE_SIZE: bytes of a dynamic table as RFC 7541 4.1 counts them. It is the RFC's default,
/// and the maximum that this encoder uses of the size that a peer allows.
pub(super) const TABLE_BYTES: usize = 4096;

/// The size of an entry of a dynamic table beyond its strings (RFC 7541 4.1).
pub(super) const ENTRY_BYTES: usize = 32;

/// The reason why a block cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Error {
    /// An integer or a string exceeds the end of the block.
    Cut,
    /// An integer above 32 bits, or with more than 5 further bytes.
    Integer,
    /// The index is 0, or beyond both tables.
    Index,
    /// EOS inside a string, more than 7 bits of padding, or padding that is not all ones.
    Huffman,
    /// A table size above the announced one, or not at the beginning of a block.
    TableSize,
}

impl Error {
    pub fn text(self) -> &'static str {
        match self {
            Error::Cut => "header block ends inside a field",
            Error::Integer => "integer of a header block is too large",
            Error::Index => "index outside both header tables",
            Error::Huffman => "bad Huffman code",
            Error::TableSize => "bad table size update",
        }
    }
}
