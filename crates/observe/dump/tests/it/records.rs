//! Records: the sheet's bytes, every split and truncation, hostile lengths.

use bytes::Bytes;
use polywire_dump::{MAX_RECORD, Meta, Own, Problem, Reader, Record};
use polywire_machine_testing::{Random, hex};
use std::io::Read;

/// docs/wire/rpc_dump.md, "Worked examples", example 1: baidu_std with an attachment.
const BAIDU_STD: &str = "
    50 52 50 43 00 00 00 30 00 00 00 23 0a 13 65 78
    61 6d 70 6c 65 2e 45 63 68 6f 53 65 72 76 69 63
    65 12 04 45 63 68 6f 20 00 28 02 30 06 3a 00 0a
    05 68 65 6c 6c 6f 41 54 54 41 43 48";
/// Example 2: nshead.
const NSHEAD: &str = "
    50 52 50 43 00 00 00 2d 00 00 00 28 28 0d 4a 24
    01 00 02 00 05 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
    05 00 00 00 68 65 6c 6c 6f";
/// Example 3: hulu_pbrpc with an attachment.
const HULU: &str = "
    50 52 50 43 00 00 00 24 00 00 00 17 0a 0b 45 63
    68 6f 53 65 72 76 69 63 65 18 00 20 00 28 04 30
    06 42 00 0a 05 68 65 6c 6c 6f 41 54 54 41 43 48";

fn examples() -> [(Vec<u8>, Record); 3] {
    let payload = Bytes::from_static(b"\x0a\x05helloATTACH");
    let baidu_std = Meta {
        service: Some("example.EchoService".into()),
        method: Some("Echo".into()),
        compress_type: Some(0),
        protocol_type: Some(2),
        attachment_size: Some(6),
        authentication: Some(Bytes::new()),
        ..Meta::default()
    };
    let head = hex("01 00 02 00 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        94 93 70 fb 00 00 00 00 05 00 00 00");
    let nshead = Meta { protocol_type: Some(13), nshead: Some(head.into()), ..Meta::default() };
    let hulu = Meta {
        service: Some("EchoService".into()),
        method_index: Some(0),
        compress_type: Some(0),
        protocol_type: Some(4),
        attachment_size: Some(6),
        user_data: Some(Bytes::new()),
        ..Meta::default()
    };
    [
        (hex(BAIDU_STD), Record { meta: baidu_std, payload: payload.clone() }),
        (hex(NSHEAD), Record { meta: nshead, payload: Bytes::from_static(b"hello") }),
        (hex(HULU), Record { meta: hulu, payload }),
    ]
}

fn file() -> (Vec<u8>, Vec<Record>) {
    let examples = examples();
    (
        examples.iter().flat_map(|(bytes, _)| bytes.clone()).collect(),
        examples.map(|(_, record)| record).into(),
    )
}

/// Gives its bytes in pieces of these lengths, again and again.
struct Pieces<'b>(&'b [u8], Vec<usize>, usize);

impl Read for Pieces<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let most = self.1[self.2 % self.1.len()].min(to.len()).min(self.0.len());
        self.2 += 1;
        to[..most].copy_from_slice(&self.0[..most]);
        self.0 = &self.0[most..];
        Ok(most)
    }
}

#[test]
fn the_worked_examples_are_read_and_written_byte_for_byte() {
    for (bytes, record) in examples() {
        assert_eq!(Record::parse(&bytes, MAX_RECORD), Ok(Some((record.clone(), bytes.len()))));
        assert_eq!(record.encode(), bytes);
    }
    let (message, attachment) = examples()[0].1.split();
    assert_eq!((&*message, &*attachment), (&b"\x0a\x05hello"[..], &b"ATTACH"[..]));
}

#[test]
fn a_file_is_read_whatever_the_reads_return() {
    let (bytes, records) = file();
    for split in 1..bytes.len() {
        let mut reader = Reader::new(Pieces(&bytes, vec![split, bytes.len()], 0));
        let read: Vec<_> = reader.by_ref().collect::<Result<_, _>>().unwrap();
        assert_eq!(read, records, "split at {split}");
        assert_eq!((reader.position(), reader.is_truncated()), (bytes.len() as u64, false));
    }
    let read: Vec<_> = Reader::new(Pieces(&bytes, vec![1], 0)).collect::<Result<_, _>>().unwrap();
    assert_eq!(read, records);
}

#[test]
fn a_tail_that_is_cut_off_ends_the_file_without_an_error() {
    let (bytes, records) = file();
    let ends = [0, 60, 117, bytes.len()];
    for cut in 0..bytes.len() {
        let mut reader = Reader::new(&bytes[..cut]);
        let read: Vec<_> = reader.by_ref().collect::<Result<_, _>>().unwrap();
        let whole = ends.iter().filter(|&&end| end > 0 && end <= cut).count();
        assert_eq!(read, records[..whole], "cut at {cut}");
        assert_eq!(reader.is_truncated(), !ends.contains(&cut), "cut at {cut}");
        let rest = &bytes[ends[whole]..cut];
        assert_eq!(Record::parse(rest, MAX_RECORD), Ok(None), "cut at {cut}");
    }
}

#[test]
fn wrong_lengths_and_metas_end_the_file_after_what_was_good() {
    let good = hex(NSHEAD);
    let mut header = hex("50 52 50 43 00 00 00 02 00 00 00 01 ff 00");
    let cases: [(Vec<u8>, Problem); 5] = [
        (b"HTTP/1.1 200".to_vec(), Problem::Magic),
        (hex("50 52 50 43 04 00 00 01 00 00 00 00"), Problem::TooLong(MAX_RECORD + 1)),
        (hex("50 52 50 43 ff ff ff ff ff ff ff ff"), Problem::TooLong(u32::MAX)),
        (hex("50 52 50 43 00 00 00 02 00 00 00 03 00 00"), Problem::MetaSize),
        (std::mem::take(&mut header), Problem::Meta("a field ends behind the end")),
    ];
    for (bad, problem) in cases {
        assert_eq!(Record::parse(&bad, MAX_RECORD), Err(problem));
        let bytes = [good.clone(), bad, good.clone()].concat();
        let mut reader = Reader::new(&bytes[..]);
        assert!(reader.next().unwrap().is_ok());
        let error = reader.next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), format!("at byte {}: {problem}", good.len()));
        assert!(reader.next().is_none(), "the rest is abandoned");
    }
    let long = examples()[0].1.encode();
    assert_eq!(Record::parse(&long, 48).unwrap().unwrap().1, 60, "exactly the limit");
    assert_eq!(Record::parse(&long, 47), Err(Problem::TooLong(48)), "one more");
}

/// A length that is announced reserves nothing: 64 MiB for each of a thousand headers would be seen.
#[test]
fn a_length_without_bytes_reserves_little() {
    let header = hex("50 52 50 43 04 00 00 00 00 00 00 00");
    for _ in 0..1000 {
        let mut reader = Reader::new(&header[..]);
        assert!(reader.next().is_none() && reader.is_truncated());
    }
}

#[test]
fn every_field_survives_a_round_trip() {
    let meta = Meta {
        service: Some("s".into()),
        method: Some("m".into()),
        method_index: Some(-1),
        compress_type: Some(3),
        protocol_type: Some(0),
        attachment_size: Some(i32::MAX),
        authentication: Some(Bytes::from_static(b"a")),
        user_data: Some(Bytes::from_static(b"u")),
        nshead: Some(Bytes::from_static(b"n")),
        own: Own {
            protocol: Some("grpc".into()),
            content: Some(2),
            compression: Some(5),
            fields: vec![("x".into(), Bytes::from_static(b"\xff")), ("x".into(), Bytes::new())],
            number: Some(u32::MAX),
            time_us: Some(1 << 60),
            messages: vec![0, 1, 300, u32::MAX],
            unfinished: true,
            streams: true,
        },
        as_read: None,
    };
    let mut bytes = Vec::new();
    meta.encode(&mut bytes);
    assert_eq!(Meta::parse(&bytes), Ok(meta));
    // brpc's reader skips what it does not know, and so do we
    bytes.extend(hex("a0 9c 01 07 a2 9c 01 02 68 69"));
    let parsed = Meta::parse(&bytes).unwrap();
    let mut again = Vec::new();
    parsed.encode(&mut again);
    assert_eq!(again, bytes, "and they are kept");
}

#[test]
fn noise_never_panics_and_what_is_read_is_written_alike() {
    let mut random = Random::new(11);
    let (bytes, _) = file();
    for _ in 0..20_000 {
        let mut noisy = bytes.clone();
        for _ in 0..1 + random.below(6) {
            let at = random.below(noisy.len());
            noisy[at] = random.below(256) as u8;
        }
        let mut rest = &noisy[..];
        while let Ok(Some((record, length))) = Record::parse(rest, MAX_RECORD) {
            assert_eq!(record.encode(), rest[..length]);
            rest = &rest[length..];
        }
        assert!(Reader::new(&noisy[..]).map_while(Result::ok).count() <= 3);
    }
}
