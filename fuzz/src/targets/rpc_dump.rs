//! Dump files: records read in one piece and in small ones; what is read is written, and read again.

use polywire_dump::{MAX_RECORD, Reader, Record};
use std::io::Read;

pub fn run(input: &[u8]) {
    let mut rest = input;
    let mut records = Vec::new();
    while let Ok(Some((record, bytes))) = Record::parse(rest, MAX_RECORD) {
        assert_eq!(record.encode(), rest[..bytes]);
        rest = &rest[bytes..];
        let (message, attachment) = record.split();
        assert_eq!(message.len() + attachment.len(), record.payload.len());
        records.push(record);
    }
    let mut reader = Reader::new(OneByOne(input));
    for record in records {
        assert_eq!(reader.next().expect("the same records").expect("the same records"), record);
    }
    assert_eq!(reader.position(), (input.len() - rest.len()) as u64);
    assert!(!matches!(reader.next(), Some(Ok(_))), "the same records");
}

struct OneByOne<'b>(&'b [u8]);

impl Read for OneByOne<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let most = to.len().min(1);
        (&mut self.0).take(most as u64).read(to)
    }
}
