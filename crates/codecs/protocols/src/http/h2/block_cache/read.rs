//! Cached blocks of the peer: most requests of a connection, and most replies, repeat the same bytes.
//!
//! ```text
//!  83 86 c4 c3 c2 c1 c0 | 0f 2f 07 39 39 39 39 39 37 75
//!  `------ run -------'   `-- grpc-timeout, literal --'
//! ```
//!
//! The *run* of a block is its leading indexed fields. Its meaning does not change as long as the table does
//! not. The decoded form of a run is kept when the run comes for the second time. From then on it is copied,
//! and only the rest of the block is decoded.
//!
//! Limits: few runs ([`Recent`]) of at most [`LONGEST`] fields for each connection.

use super::Recent;
use crate::http::framing::HeadBlock;
use crate::http::h2::{
    field::Field,
    head::{Progress, Reading},
    hpack::{Decoder, Error},
};

/// Most fields in a run. Each takes one byte: an index from 127 on ends the run.
const LONGEST: usize = 32;
/// Decoding a shorter run takes no longer than finding it.
const SHORTEST: usize = 2;

/// The blocks that a connection has received lately.
#[derive(Default)]
pub(in crate::http::h2) struct ReadBlocks {
    known: Recent<KnownRun>,
    /// The last run that was not known.
    candidate: Vec<u8>,
    /// Number of heads that were numbered, see [`HeadBlock::like`].
    numbers: u32,
}

struct KnownRun {
    run: Box<[u8]>,
    head: HeadBlock,
    progress: Progress,
}

/// The leading fields of a block that are whole entries of a table.
#[inline]
fn run(block: &[u8]) -> &[u8] {
    let length = block.iter().take(LONGEST).take_while(|&&byte| (0x81..0xff).contains(&byte)).count();
    if length < SHORTEST { &[] } else { &block[..length] }
}

impl ReadBlocks {
    /// Decodes a whole block into `head`; `most`: `Limits::head`.
    #[inline]
    pub fn read<'h>(
        &mut self,
        decoder: &mut Decoder<Field>,
        block: &[u8],
        head: &'h mut HeadBlock,
        most: u32,
    ) -> Result<Reading<'h>, Error> {
        let run = run(block);
        if run.is_empty() {
            let mut reading = Reading::new(head, most);
            decoder.decode(block, |name, value, field| reading.field(name, value, field))?;
            return Ok(reading);
        }
        let mut reading = match self.known.find(decoder.version(), |known| *known.run == *run) {
            Some(known) => Reading::resume(head, &known.head, known.progress),
            None => self.learn(decoder, run, head, most)?,
        };
        let rest = &block[run.len()..];
        decoder.decode_rest(rest, |name, value, field| reading.field(name, value, field))?;
        Ok(reading)
    }

    /// Decodes an unknown run, and keeps the result if it came twice in a row.
    #[cold]
    fn learn<'h>(
        &mut self,
        decoder: &mut Decoder<Field>,
        run: &[u8],
        head: &'h mut HeadBlock,
        most: u32,
    ) -> Result<Reading<'h>, Error> {
        let mut reading = Reading::new(head, most);
        decoder.decode(run, |name, value, field| reading.field(name, value, field))?;
        if self.candidate != run {
            self.candidate.clear();
            self.candidate.extend_from_slice(run);
            return Ok(reading);
        }
        let (head, progress) = reading.so_far();
        self.numbers = self.numbers.wrapping_add(1).max(1);
        let mut head = head.clone();
        head.like = self.numbers;
        self.known.keep(decoder.version(), KnownRun { run: run.into(), head, progress });
        Ok(reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::h2::hpack::{Encoder, Indexing};
    use bytes::BytesMut;
    use polywire_wire::Role;
    use proptest::prelude::*;

    const FIELDS: [(&str, &str); 12] = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", "/a.B/C"),
        (":path", "/a.B/D"),
        (":authority", "h:1"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
        ("user-agent", "x"),
        ("grpc-timeout", "1S"),
        ("grpc-encoding", "gzip"),
        ("x-own", "1"),
        ("content-length", "0"),
    ];

    /// The fields of a head, mostly the same ones.
    fn fields() -> impl Strategy<Value = Vec<usize>> {
        prop_oneof![
            4 => Just(vec![0, 1, 2, 4, 5, 6, 7]),
            4 => Just(vec![0, 1, 3, 4, 5, 6, 7, 8]),
            1 => prop::collection::vec(0..FIELDS.len(), 0..12),
        ]
    }

    proptest! {
        #[test]
        fn heads_that_come_again_are_read_as_those_that_come_once(
            heads in prop::collection::vec((fields(), any::<bool>(), prop::option::weighted(0.1, 0usize..600)), 1..40),
            most in prop_oneof![Just(9999u32), 100..400u32],
        ) {
            let mut encoder = Encoder::new();
            let (mut decoder, mut plain) = (Decoder::new(), Decoder::<Field>::new());
            let mut blocks = ReadBlocks::default();
            let mut alike = std::collections::BTreeMap::new();
            for (fields, odd, limit) in heads {
                let mut block = BytesMut::new();
                if let Some(limit) = limit {
                    encoder.limit(limit);
                }
                encoder.begin(&mut block);
                for field in fields {
                    let (name, value) = FIELDS[field];
                    let value = if odd && name == "grpc-timeout" { "9S" } else { value };
                    encoder.field(&mut block, name.as_bytes(), value.as_bytes(), Indexing::Always);
                }
                let (mut head, mut same) = (HeadBlock::default(), HeadBlock::default());
                let reading = blocks.read(&mut decoder, &block, &mut head, most).expect("our own block");
                let result = reading.finish(Role::Client);
                let mut reading = Reading::new(&mut same, most);
                let visit = |name: &[u8], value: &[u8], field| reading.field(name, value, field);
                plain.decode(&block, visit).expect("our own block");
                prop_assert_eq!(result, reading.finish(Role::Client));
                if head.like != 0 {
                    // Heads that are marked as alike differ only in the timeout.
                    let mut fields = Vec::new();
                    crate::http::h2::head::visit(&head.raw, &mut |name, value| {
                        if name != "grpc-timeout" {
                            fields.push((name.to_owned(), value.to_vec()));
                        }
                    });
                    prop_assert_eq!(alike.entry(head.like).or_insert(fields.clone()), &fields);
                }
                (head.like, same.like) = (0, 0);
                prop_assert_eq!(format!("{head:?}"), format!("{same:?}"));
            }
        }
    }

    #[test]
    fn a_table_size_update_behind_a_run_is_an_error() {
        let mut head = HeadBlock::default();
        let (mut blocks, mut decoder) = (ReadBlocks::default(), Decoder::new());
        for _ in 0..4 {
            let block = [0x83, 0x86, 0x84, 0x20];
            assert!(blocks.read(&mut decoder, &block, &mut head, 999).is_err());
        }
        assert!(blocks.read(&mut decoder, &[0x20, 0x83, 0x86, 0x84], &mut head, 999).is_ok());
    }

    #[test]
    fn what_came_twice_is_known() {
        let mut head = HeadBlock::default();
        let (mut blocks, mut decoder) = (ReadBlocks::default(), Decoder::new());
        for known in [false, false, true, true] {
            let reading = blocks.read(&mut decoder, &[0x83, 0x86, 0x84], &mut head, 999).expect("a head");
            assert_eq!(reading.finish(Role::Client), Ok(()));
            assert_eq!(head.like != 0, known);
        }
    }
}
