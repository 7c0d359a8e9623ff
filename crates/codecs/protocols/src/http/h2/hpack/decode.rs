//! Decodes blocks to fields.
//!
//! ```text
//!  1xxxxxxx  indexed field                                6.1
//!  01xxxxxx  literal, joins the table                     6.2.1
//!  001xxxxx  table size update, only before all fields    6.3
//!  0001xxxx  literal, never indexed                       6.2.3
//!  0000xxxx  literal                                      6.2.2
//! ```
//!
//! Source: RFC 7541 3, 6

use super::{Error, TABLE_BYTES, huffman, integer, statics, table::FIRST, table::Table};

/// Examines fields. The result is stored with entries of the table, so that a repeated field is examined
/// once.
pub(in crate::http::h2) trait Judge {
    type Note: Copy;
    fn field(name: &[u8], value: &[u8]) -> Self::Note;
    /// The note of an entry of the static table, by its index.
    fn entry(_index: usize, name: &[u8], value: &[u8]) -> Self::Note {
        Self::field(name, value)
    }
}

/// The receiving end of a connection's header compression.
pub(in crate::http::h2) struct Decoder<J: Judge> {
    table: Table<J::Note>,
    /// Literals in Huffman code, decoded.
    scratch: Vec<u8>,
}

impl<J: Judge> Decoder<J> {
    /// Bytes of memory for literals that are kept from block to block.
    const KEPT: usize = 1 << 10;

    pub fn new() -> Self {
        Decoder { table: Table::new(), scratch: Vec::new() }
    }

    /// Indexes keep their meaning as long as this number does not change.
    #[inline]
    pub fn version(&self) -> u64 {
        self.table.version()
    }

    /// Reads a whole block and shows each field to `visit`.
    #[inline]
    pub fn decode(
        &mut self,
        mut block: &[u8],
        visit: impl FnMut(&[u8], &[u8], J::Note),
    ) -> Result<(), Error> {
        while let Some(&first) = block.first().filter(|&first| first >> 5 == 1) {
            debug_assert_eq!(first & 0xe0, 0x20);
            let most = integer::read(&mut block, 5)?;
            if most > TABLE_BYTES {
                return Err(Error::TableSize); // 6.3: "MUST be lower than or equal to the limit"
            }
            self.table.limit(most);
        }
        self.decode_rest(block, visit)
    }

    /// Decodes the fields after the first one of a block.
    pub fn decode_rest(
        &mut self,
        mut block: &[u8],
        mut visit: impl FnMut(&[u8], &[u8], J::Note),
    ) -> Result<(), Error> {
        while let Some(&first) = block.first() {
            if first & 0x80 != 0 {
                let index = integer::read(&mut block, 7)?;
                self.indexed(index, &mut visit)?;
            } else if first & 0x40 != 0 {
                self.literal(&mut block, 6, true, &mut visit)?;
            } else if first & 0x20 == 0 {
                self.literal(&mut block, 4, false, &mut visit)?;
            } else {
                return Err(Error::TableSize); // 4.2: "MUST occur at the beginning of the first header block"
            }
        }
        if self.scratch.capacity() > Self::KEPT {
            self.scratch = Vec::new();
        }
        Ok(())
    }

    #[inline]
    fn indexed(&mut self, index: usize, visit: &mut impl FnMut(&[u8], &[u8], J::Note)) -> Result<(), Error> {
        if index >= FIRST {
            let (name, value, note) = self.table.get(index).ok_or(Error::Index)?;
            visit(name, value, note);
        } else {
            let (name, value) = index.checked_sub(1).map(|n| statics::ENTRIES[n]).ok_or(Error::Index)?;
            let (name, value) = (name.as_bytes(), value.as_bytes());
            visit(name, value, J::entry(index, name, value));
        }
        Ok(())
    }

    fn literal(
        &mut self,
        block: &mut &[u8],
        prefix: u32,
        joins: bool,
        visit: &mut impl FnMut(&[u8], &[u8], J::Note),
    ) -> Result<(), Error> {
        self.scratch.clear();
        let index = integer::read(block, prefix)?;
        let name = match index {
            0 => string(block, &mut self.scratch)?,
            1..FIRST => Text::Plain(statics::ENTRIES[index - 1].0.as_bytes()),
            _ => {
                // Copied, because adding the new entry may evict this one.
                let (name, _, _) = self.table.get(index).ok_or(Error::Index)?;
                self.scratch.extend_from_slice(name);
                Text::Scratch(0, name.len())
            }
        };
        let value = string(block, &mut self.scratch)?;
        let (name, value) = (name.of(&self.scratch), value.of(&self.scratch));
        let note = J::field(name, value);
        visit(name, value, note);
        if joins {
            self.table.insert(name, value, note);
        }
        Ok(())
    }
}

/// Where the bytes of a string are stored.
enum Text<'b> {
    Plain(&'b [u8]),
    /// In the scratch buffer: the first index and the end of the range.
    Scratch(usize, usize),
}

impl Text<'_> {
    #[inline]
    fn of<'s>(&'s self, scratch: &'s [u8]) -> &'s [u8] {
        match *self {
            Text::Plain(text) => text,
            Text::Scratch(from, to) => &scratch[from..to],
        }
    }
}

/// RFC 7541 5.2: the `H` bit and the length, then that many bytes.
#[inline]
fn string<'b>(block: &mut &'b [u8], scratch: &mut Vec<u8>) -> Result<Text<'b>, Error> {
    let huffman = block.first().ok_or(Error::Cut)? & 0x80 != 0;
    let length = integer::read(block, 7)?;
    let (text, rest) = block.split_at_checked(length).ok_or(Error::Cut)?;
    *block = rest;
    if !huffman {
        return Ok(Text::Plain(text));
    }
    let from = scratch.len();
    huffman::decode(text, scratch)?;
    Ok(Text::Scratch(from, scratch.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_machine_testing::hex;

    type Fields = Vec<(String, String)>;

    fn decode(decoder: &mut Decoder<()>, block: &[u8]) -> Result<Fields, Error> {
        let mut fields = Vec::new();
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        decoder.decode(block, |name, value, ()| fields.push((text(name), text(value))))?;
        Ok(fields)
    }

    fn table(decoder: &Decoder<()>) -> Fields {
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        (FIRST..).map_while(|i| decoder.table.get(i)).map(|(n, v, ())| (text(n), text(v))).collect()
    }

    fn fields(lines: &str) -> Fields {
        let pair = |line: &str| {
            let at = 1 + line[1..].find(": ").expect("name and value");
            (line[..at].to_owned(), line[at + 2..].to_owned())
        };
        lines.lines().map(str::trim).filter(|l| !l.is_empty()).map(pair).collect()
    }

    /// Blocks of one connection: bytes, fields, table and its size afterwards.
    fn sequence(most: usize, blocks: &[(&str, &str, &str, usize)]) {
        let mut decoder = Decoder::new();
        decoder.table.limit(most);
        for (block, expected, entries, size) in blocks {
            assert_eq!(decode(&mut decoder, &hex(block)), Ok(fields(expected)));
            assert_eq!(table(&decoder), fields(entries));
            assert_eq!(decoder.table.size(), *size);
        }
    }

    #[test]
    fn representations_of_the_rfc() {
        // RFC 7541 C.2.1 to C.2.4, each on a new table
        sequence(
            4096,
            &[(
                "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572",
                "custom-key: custom-header",
                "custom-key: custom-header",
                55,
            )],
        );
        sequence(4096, &[("040c 2f73 616d 706c 652f 7061 7468", ":path: /sample/path", "", 0)]);
        sequence(4096, &[("1008 7061 7373 776f 7264 0673 6563 7265 74", "password: secret", "", 0)]);
        sequence(4096, &[("82", ":method: GET", "", 0)]);
    }

    const REQUESTS: [(&str, &str, usize); 3] = [
        (
            ":method: GET\n:scheme: http\n:path: /\n:authority: www.example.com",
            ":authority: www.example.com",
            57,
        ),
        (
            ":method: GET\n:scheme: http\n:path: /\n:authority: www.example.com\ncache-control: no-cache",
            "cache-control: no-cache\n:authority: www.example.com",
            110,
        ),
        (
            ":method: GET\n:scheme: https\n:path: /index.html\n:authority: www.example.com\ncustom-key: custom-value",
            "custom-key: custom-value\ncache-control: no-cache\n:authority: www.example.com",
            164,
        ),
    ];

    #[test]
    fn requests_of_the_rfc() {
        // RFC 7541 C.3, C.4
        let plain = [
            "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
            "8286 84be 5808 6e6f 2d63 6163 6865",
            "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
        ];
        let huffman = [
            "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
            "8286 84be 5886 a8eb 1064 9cbf",
            "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
        ];
        for blocks in [plain, huffman] {
            let of = |n: usize| (blocks[n], REQUESTS[n].0, REQUESTS[n].1, REQUESTS[n].2);
            sequence(4096, &[of(0), of(1), of(2)]);
        }
    }

    #[test]
    fn replies_of_the_rfc_evict() {
        // RFC 7541 C.5, C.6
        let first = ":status: 302\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:21 GMT
                     location: https://www.example.com";
        let table1 = "location: https://www.example.com\ndate: Mon, 21 Oct 2013 20:13:21 GMT
                      cache-control: private\n:status: 302";
        let second = first.replace("302", "307");
        let table2 = ":status: 307\nlocation: https://www.example.com\ndate: Mon, 21 Oct 2013 20:13:21 GMT
                      cache-control: private";
        let cookie = "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1";
        let third = format!(
            ":status: 200\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:22 GMT
             location: https://www.example.com\ncontent-encoding: gzip\n{cookie}"
        );
        let table3 = format!("{cookie}\ncontent-encoding: gzip\ndate: Mon, 21 Oct 2013 20:13:22 GMT");
        let plain = [
            "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133
             3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
            "4803 3330 37c1 c0bf",
            "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a
             6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d
             6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31",
        ];
        let huffman = [
            "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d
             29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
            "4883 640e ffc1 c0bf",
            "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d
             d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106
             3d50 07",
        ];
        for blocks in [plain, huffman] {
            sequence(
                256,
                &[
                    (blocks[0], first, table1, 222),
                    (blocks[1], &second, table2, 222),
                    (blocks[2], &third, &table3, 215),
                ],
            );
        }
    }

    #[test]
    fn blocks_against_the_rules_are_refused() {
        for (block, error) in [
            ("80", Error::Index),                     // index 0
            ("be", Error::Index),                     // 62, the table is empty
            ("7f 00 01 61", Error::Index),            // name 63
            ("ff ff ff ff ff ff 7f", Error::Integer), //
            ("3f e2 1f", Error::TableSize),           // 4097
            ("82 20", Error::TableSize),              // after a field
            ("40", Error::Cut),                       // no name
            ("40 01", Error::Cut),                    // a name of one byte, none here
            ("40 01 61", Error::Cut),                 // no value
            ("40 01 61 02 62", Error::Cut),           // half a value
            ("00 81 ff 01 61", Error::Huffman),       // padding alone
        ] {
            let mut decoder = Decoder::new();
            assert_eq!(decode(&mut decoder, &hex(block)), Err(error), "{block}");
        }
        // 4096 is what we announced, and a second update may follow (4.2)
        assert_eq!(decode(&mut Decoder::new(), &hex("20 3f e1 1f 82")), Ok(fields(":method: GET")));
    }

    #[test]
    fn an_entry_may_name_itself_after_one_that_it_evicts() {
        let mut decoder = Decoder::new();
        decoder.table.limit(40);
        assert!(decode(&mut decoder, &hex("40 01 61 01 62")).is_ok());
        assert_eq!(decode(&mut decoder, &hex("7e 02 63 63")), Ok(fields("a: cc")));
        assert_eq!(table(&decoder), fields("a: cc"));
    }

    #[test]
    fn every_truncation_of_a_block_is_seen() {
        let block = hex("8287 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf");
        let whole = [1, 2, block.len()];
        for length in 1..=block.len() {
            let result = decode(&mut Decoder::new(), &block[..length]);
            assert_eq!(result.is_ok(), whole.contains(&length), "{length}");
        }
    }
}
