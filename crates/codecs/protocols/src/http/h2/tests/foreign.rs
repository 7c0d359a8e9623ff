//! Header blocks compared with another implementation of HPACK.

use super::super::hpack::{Decoder, Encoder, Indexing};
use bytes::BytesMut;
use polywire_machine_testing::Random;

type Fields = Vec<(Vec<u8>, Vec<u8>)>;

/// Heads as they occur on connections: few names, with values that repeat and values that do not.
fn head(random: &mut Random) -> Fields {
    const NAMES: [&[u8]; 10] = [
        b":method",
        b":path",
        b":status",
        b"content-type",
        b"user-agent",
        b"x-request-id",
        b"grpc-status",
        b"cookie",
        b"accept-encoding",
        b"x-\xff",
    ];
    let value = |random: &mut Random| match random.below(4) {
        0 => random.pick(&[&b"POST"[..], b"/", b"200", b"application/grpc", b"gzip, deflate", b""]).to_vec(),
        1 => random.below(10).to_string().into_bytes(),
        2 => {
            let length = random.below(60);
            random.bytes(length)
        }
        _ => vec![b'v'; random.below(1500)],
    };
    (0..1 + random.below(12)).map(|_| (random.pick(&NAMES).to_vec(), value(random))).collect()
}

#[test]
fn a_foreign_decoder_reads_what_we_encode() {
    let mut random = Random::new(1);
    for _ in 0..8 {
        let (mut ours, mut theirs) = (Encoder::new(), fluke_hpack::Decoder::new());
        for _ in 0..40 {
            if random.one_in(10) {
                ours.limit(random.below(5000));
            }
            let (fields, mut out) = (head(&mut random), BytesMut::new());
            ours.begin(&mut out);
            for (name, value) in &fields {
                let worth = [Indexing::Always, Indexing::Name, Indexing::Twice, Indexing::Secret];
                ours.field(&mut out, name, value, *random.pick(&worth));
            }
            assert_eq!(theirs.decode(&out).expect("a good block"), fields);
        }
    }
}

#[test]
fn we_read_what_a_foreign_encoder_writes() {
    let mut random = Random::new(2);
    for _ in 0..8 {
        let (mut theirs, mut ours) = (fluke_hpack::Encoder::new(), Decoder::<()>::new());
        for _ in 0..40 {
            let fields = head(&mut random);
            let block = theirs.encode(fields.iter().map(|(name, value)| (&name[..], &value[..])));
            let mut seen = Fields::new();
            let visit = |name: &[u8], value: &[u8], ()| seen.push((name.to_vec(), value.to_vec()));
            assert_eq!(ours.decode(&block, visit), Ok(()));
            assert_eq!(seen, fields);
        }
    }
}

/// Both implementations read the same fields from altered blocks, or both refuse them. (The other one accepts
/// larger integers and table sizes than we announce; blocks with those are left out.)
#[test]
fn both_read_the_same_in_altered_blocks() {
    let (mut random, mut read) = (Random::new(3), 0);
    for _ in 0..4000 {
        let (fields, mut out) = (head(&mut random), BytesMut::new());
        let mut ours = Encoder::new();
        for (name, value) in &fields {
            ours.field(&mut out, name, value, Indexing::Always);
        }
        let mut block = out.to_vec();
        if !block.is_empty() {
            let at = random.below(block.len());
            block[at] ^= 1 << random.below(8);
        }
        let mut seen = Fields::new();
        let visit = |name: &[u8], value: &[u8], ()| seen.push((name.to_vec(), value.to_vec()));
        let result = Decoder::<()>::new().decode(&block, visit);
        if result.is_ok() {
            read += 1;
            assert_eq!(fluke_hpack::Decoder::new().decode(&block).expect("we read it"), seen, "{block:02x?}");
        }
    }
    assert!(read > 1000, "{read}");
}
