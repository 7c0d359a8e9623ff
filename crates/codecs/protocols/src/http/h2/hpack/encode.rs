//! Encodes fields as blocks.
//!
//! A table entry is useful only if the field is repeated, and it evicts others. Therefore each field has an
//! [`Indexing`], which states how likely it is to be repeated. A field of the application is added to the
//! table when it is seen for the second time, so that request ids and similar values never evict `:path` or
//! `user-agent`.
//!
//! Encoding changes the table, so blocks must be encoded in the order in which they are sent: a block is
//! encoded when it goes to the output, not when it is queued.
//!
//! Source: RFC 7541 6, 7.1

use super::{
    TABLE_BYTES, huffman, integer,
    places::{Places, field_hash},
    statics,
    table::Table,
};
use bytes::BytesMut;

/// How a field is encoded with regard to the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::http::h2) enum Indexing {
    /// The field is frequent: it is added to the table at its first use.
    Always,
    /// The name is frequent, the value changes: it is added to the table once, for its name.
    Name,
    /// The field is not known: it is added to the table when it repeats.
    Twice,
    /// 7.1.3: "never indexed", neither here nor by proxies that pass it on.
    Secret,
}

/// The sending end of a connection's header compression.
pub(in crate::http::h2) struct Encoder {
    table: Table<()>,
    places: Places,
    /// Lowest and last size that have to be sent before the next field (4.2).
    resized: Option<(usize, usize)>,
}

impl Encoder {
    /// A field that is longer than a quarter of the table is never added to it.
    const LONGEST_INDEXED: usize = TABLE_BYTES / 4;

    pub fn new() -> Self {
        Encoder { table: Table::new(), places: Places::default(), resized: None }
    }

    /// The peer allows a table of this many bytes (SETTINGS_HEADER_TABLE_SIZE).
    pub fn limit(&mut self, most: usize) {
        let most = most.min(TABLE_BYTES);
        if most != self.table.most() {
            let lowest = self.resized.map_or(most, |(lowest, _)| lowest.min(most));
            self.resized = Some((lowest, most));
            self.table.limit(most);
        }
    }

    /// A block that was written before remains valid as long as this number does not change.
    #[inline]
    pub fn version(&self) -> u64 {
        self.table.version()
    }

    /// Begins a block: sends a new size of the table, if there is one.
    #[inline]
    pub fn begin(&mut self, out: &mut BytesMut) {
        if let Some((lowest, last)) = self.resized.take() {
            integer::write(out, 0x20, 5, lowest);
            if last != lowest {
                integer::write(out, 0x20, 5, last);
            }
        }
    }

    /// Writes an entry of the static table, by its index.
    #[inline]
    pub fn indexed(&mut self, out: &mut BytesMut, index: usize) {
        integer::write(out, 0x80, 7, index);
    }

    /// Writes a field; `name` is in lower case.
    pub fn field(&mut self, out: &mut BytesMut, name: &[u8], value: &[u8], worth: Indexing) {
        if worth == Indexing::Secret {
            let index = statics::find(name).unwrap_or(0);
            return literal(out, 0x10, 4, index, name, value);
        }
        let hash = field_hash(name, value);
        if let Some(index) = self.places.field(hash, name, value, &self.table) {
            return integer::write(out, 0x80, 7, index);
        }
        self.new_field(out, name, value, worth, hash);
    }

    /// Writes a field whose name is probably in the table and whose value is not repeated. It does not search
    /// for the value.
    #[inline]
    pub fn value(&mut self, out: &mut BytesMut, name: &[u8], value: &[u8]) {
        match self.places.name(name, &self.table) {
            Some(index) => {
                integer::write(out, 0, 4, index);
                integer::write(out, 0, 7, value.len());
                out.extend_from_slice(value);
            }
            None => self.field(out, name, value, Indexing::Name),
        }
    }

    /// Writes a field that is not in the table.
    fn new_field(&mut self, out: &mut BytesMut, name: &[u8], value: &[u8], worth: Indexing, hash: u32) {
        let dynamic = self.places.name(name, &self.table);
        let index = statics::find(name).or(dynamic).unwrap_or(0);
        let joins = match worth {
            Indexing::Always => true,
            Indexing::Name => dynamic.is_none() && !is_static(index),
            Indexing::Twice => self.places.seen(hash),
            Indexing::Secret => false,
        };
        if !joins || name.len() + value.len() > Self::LONGEST_INDEXED.min(self.table.most() / 4) {
            return literal(out, 0, 4, index, name, value);
        }
        literal(out, 0x40, 6, index, name, value);
        if let Some(number) = self.table.insert(name, value, ()) {
            self.places.put(hash, name, number, &self.table);
        }
    }
}

fn is_static(index: usize) -> bool {
    (1..super::table::FIRST).contains(&index)
}

fn literal(out: &mut BytesMut, first: u8, prefix: u32, index: usize, name: &[u8], value: &[u8]) {
    integer::write(out, first, prefix, index);
    if index == 0 {
        string(out, name);
    }
    string(out, value);
}

/// Writes a string, in Huffman code if that is shorter.
#[inline]
fn string(out: &mut BytesMut, text: &[u8]) {
    let coded = huffman::encoded_len(text);
    if coded < text.len() {
        integer::write(out, 0x80, 7, coded);
        huffman::encode(out, text);
    } else {
        integer::write(out, 0, 7, text.len());
        out.extend_from_slice(text);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Decoder;
    use super::*;
    use polywire_machine_testing::hex;
    use proptest::prelude::*;

    type Fields<'a> = [(&'a str, &'a str, Indexing)];

    fn block(encoder: &mut Encoder, fields: &Fields<'_>) -> Vec<u8> {
        let mut out = BytesMut::new();
        encoder.begin(&mut out);
        for (name, value, worth) in fields {
            encoder.field(&mut out, name.as_bytes(), value.as_bytes(), *worth);
        }
        out.to_vec()
    }

    #[test]
    fn fields_of_the_rfc() {
        // RFC 7541 C.4.1 and C.6.1, without the fields of the static table
        let mut encoder = Encoder::new();
        let host = [(":authority", "www.example.com", Indexing::Always)];
        assert_eq!(block(&mut encoder, &host), hex("41 8c f1e3 c2e5 f23a 6ba0 ab90 f4ff"));
        assert_eq!(block(&mut encoder, &host), hex("be"));
        let reply = [
            (":status", "302", Indexing::Always),
            ("cache-control", "private", Indexing::Always),
            ("date", "Mon, 21 Oct 2013 20:13:21 GMT", Indexing::Always),
            ("location", "https://www.example.com", Indexing::Always),
        ];
        let bytes = hex(
            "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d
             29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
        );
        assert_eq!(block(&mut Encoder::new(), &reply), bytes);
    }

    #[test]
    fn secrets_never_join_a_table() {
        let mut encoder = Encoder::new();
        let secret = [("authorization", "~~~", Indexing::Secret), ("x", "~~~", Indexing::Secret)];
        for _ in 0..3 {
            assert_eq!(block(&mut encoder, &secret), hex("1f 08 03 7e7e7e  10 01 78 03 7e7e7e"));
        }
    }

    #[test]
    fn what_changes_joins_for_its_name_and_what_is_unknown_at_its_second_time() {
        let mut encoder = Encoder::new();
        let timeout = |value| [("~t", value, Indexing::Name)];
        assert_eq!(block(&mut encoder, &timeout("~1")), hex("40 02 7e74 02 7e31"));
        assert_eq!(block(&mut encoder, &timeout("~2")), hex("0f 2f 02 7e32"));
        assert_eq!(block(&mut encoder, &timeout("~1")), hex("be"));
        let own = [("~x", "~y", Indexing::Twice)];
        assert_eq!(block(&mut encoder, &own), hex("00 02 7e78 02 7e79"));
        assert_eq!(block(&mut encoder, &own), hex("40 02 7e78 02 7e79"));
        assert_eq!(block(&mut encoder, &own), hex("be"));
        assert_eq!(block(&mut encoder, &timeout("~1")), hex("bf"));
    }

    #[test]
    fn a_smaller_table_is_announced_before_the_next_field() {
        let mut encoder = Encoder::new();
        let field = [("~a", "~b", Indexing::Always)];
        assert_eq!(block(&mut encoder, &field), hex("40 02 7e61 02 7e62"));
        encoder.limit(0);
        encoder.limit(200);
        assert_eq!(block(&mut encoder, &field), hex("20 3f a9 01 40 02 7e61 02 7e62"));
        assert_eq!(block(&mut encoder, &field), hex("be"));
        encoder.limit(1 << 30);
        assert_eq!(block(&mut encoder, &field), hex("3f e1 1f be"));
        encoder.limit(0);
        assert_eq!(block(&mut encoder, &field), hex("20 00 02 7e61 02 7e62"));
    }

    proptest! {
        /// Decoder and encoder keep their tables in step, whatever is sent and however the table shrinks and
        /// grows.
        #[test]
        fn what_is_encoded_is_decoded(
            blocks in prop::collection::vec(
                (
                    prop::option::weighted(0.2, 0usize..6000),
                    prop::collection::vec((0u8..12, 0u8..12, 0usize..300, 0u8..4), 0..12),
                ),
                0..40,
            ),
        ) {
            let (mut encoder, mut decoder) = (Encoder::new(), Decoder::<()>::new());
            for (limit, fields) in blocks {
                if let Some(limit) = limit {
                    encoder.limit(limit);
                }
                let mut out = BytesMut::new();
                encoder.begin(&mut out);
                let names: [&[u8]; 4] = [b":path", b"content-type", b"x-a", b"grpc-timeout"];
                let fields: Vec<_> = fields
                    .into_iter()
                    .map(|(name, seed, len, worth)| {
                        let worth = [Indexing::Always, Indexing::Name, Indexing::Twice, Indexing::Secret]
                            [worth as usize];
                        (names[name as usize % 4].to_vec(), vec![b'0' + seed; len / 10 * 10], worth)
                    })
                    .collect();
                for (name, value, worth) in &fields {
                    encoder.field(&mut out, name, value, *worth);
                }
                let mut seen = Vec::new();
                decoder
                    .decode(&out, |name, value, ()| seen.push((name.to_vec(), value.to_vec())))
                    .expect("our own block");
                let sent: Vec<_> = fields.into_iter().map(|(name, value, _)| (name, value)).collect();
                prop_assert_eq!(seen, sent);
            }
        }
    }
}
