use super::*;
use polywire_wire::Inflated;
use proptest::prelude::*;

const ALL: [Compression; 5] = [
    Compression::GZIP,
    Compression::ZLIB,
    Compression::SNAPPY,
    Compression::SNAPPY_FRAMED,
    Compression::ZSTD,
];

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

/// Made by Python 3.11: `gzip.compress(b"hello hello hello", mtime=0)`, `zlib.compress(..)`. Snappy by hand
/// from google/snappy: format_description.txt: length 17, literal of 6, copy of 11 from 6 back; its stream
/// form by github.com/golang/snappy v1.0.0, zstd by the program `zstd` 1.5.4.
fn golden(compression: Compression) -> Vec<u8> {
    match compression {
        Compression::GZIP => {
            hex("1f 8b 08 00 00 00 00 00 02 03 cb 48 cd c9 c9 57 c8 40 90 00 80 88 f9 e5 11 00 00 00")
        }
        Compression::ZLIB => hex("78 9c cb 48 cd c9 c9 57 c8 40 90 00 3a 2e 06 7d"),
        Compression::SNAPPY_FRAMED => hex(
            "ff 06 00 00 73 4e 61 50 70 59 01 15 00 00 ab 04 b5 1d 68 65 6c 6c 6f 20 68 65 6c 6c 6f 20 68 65 6c 6c 6f",
        ),
        Compression::ZSTD => {
            hex("28 b5 2f fd 04 58 65 00 00 30 68 65 6c 6c 6f 20 01 00 31 4a 11 a2 ed 1e 0c")
        }
        _ => hex("11 14 68 65 6c 6c 6f 20 1d 06"),
    }
}

#[test]
fn bytes_of_other_software_inflate() {
    for compression in ALL {
        let body = decompress(compression, golden(compression).into(), 17).unwrap();
        assert_eq!(body, b"hello hello hello"[..], "{compression:?}");
    }
}

#[test]
fn every_truncation_is_refused() {
    for compression in ALL {
        let whole = golden(compression);
        for cut in 0..whole.len() {
            if compression == Compression::SNAPPY_FRAMED && [0, 10].contains(&cut) {
                continue; // a stream may end between two chunks
            }
            let refused = decompress(compression, whole[..cut].to_vec().into(), 1000);
            assert!(
                matches!(refused, Err(FormatError::Compressed(_))),
                "{compression:?} cut at {cut}: {refused:?}"
            );
        }
    }
}

#[test]
fn bytes_behind_the_end_are_refused() {
    for compression in ALL {
        let mut longer = golden(compression);
        longer.push(0);
        assert!(decompress(compression, longer.into(), 1000).is_err(), "{compression:?}");
    }
}

#[test]
fn a_body_of_exactly_the_limit_passes_and_one_more_byte_does_not() {
    for compression in ALL {
        let body = golden(compression);
        assert!(decompress(compression, body.clone().into(), 17).is_ok());
        let refused = decompress(compression, body.into(), 16).unwrap_err();
        assert_eq!(refused, FormatError::TooLarge { limit: 16 }, "{compression:?}");
    }
}

#[test]
fn a_bomb_ends_at_the_limit() {
    for compression in ALL {
        let bomb = compress(compression, vec![0; 32 << 20].into()).unwrap();
        let refused = decompress(compression, bomb, 1 << 20).unwrap_err();
        assert_eq!(refused, FormatError::TooLarge { limit: 1 << 20 }, "{compression:?}");
    }
}

#[test]
fn inflating_never_reserves_more_than_the_limit_and_one_byte() {
    let bomb = gzip::compress(&vec![0; 3 << 20]);
    let inflated = gzip::decompress(&bomb, Room { most: 3 << 20, takes: &mut |_| true }).unwrap();
    assert!(inflated.capacity() <= (3 << 20) + 1, "{}", inflated.capacity());
}

/// `Limits::inflated` sets a maximum size, and above 1 MiB a maximum ratio. Memory is requested before it is
/// reserved.
#[test]
fn a_message_is_inflated_as_far_as_its_limits_and_its_memory_allow() {
    let inflated = Inflated::DEFAULT.most(8 << 20).ratio(20);
    let longest = Longest { message: 64 << 20, inflated };
    for compression in ALL {
        let bomb = compress(compression, vec![0; 16 << 20].into()).unwrap();
        let limit = (bomb.len() * 20).clamp(1 << 20, 8 << 20);
        for (longest, refused) in [
            (longest, FormatError::Inflated { limit }),
            (Longest { message: 1000, ..longest }, FormatError::TooLarge { limit: 1000 }),
            (Longest { inflated: inflated.most(5000), ..longest }, FormatError::Inflated { limit: 5000 }),
        ] {
            let mut asked = 0;
            let found = inflate(compression, bomb.clone(), longest, &mut |bytes| {
                asked = bytes;
                true
            });
            assert_eq!(found, Err(refused), "{compression:?}");
            assert!(asked <= longest.inflated(bomb.len()) + 1, "{compression:?}: {asked}");
        }
        let mut asked = Vec::new();
        let found = inflate(compression, bomb, Longest::from(64 << 20), &mut |bytes| {
            asked.push(bytes);
            bytes < 1 << 20
        });
        assert_eq!(found, Err(FormatError::NoMemory), "{compression:?}");
        assert!(asked.iter().rev().skip(1).all(|bytes| *bytes < 1 << 20), "nothing after a refusal");
        let small = compress(compression, vec![0; 1 << 20].into()).unwrap();
        assert!(decompress(compression, small, longest).is_ok(), "{compression:?}: 1 MiB has no ratio");
    }
}

#[test]
fn a_changed_byte_is_found_by_the_checksum() {
    for compression in [Compression::GZIP, Compression::ZLIB, Compression::SNAPPY_FRAMED, Compression::ZSTD] {
        let mut altered = golden(compression);
        let last = altered.len() - 1;
        altered[last] ^= 1;
        assert!(decompress(compression, altered.into(), 1000).is_err(), "{compression:?}");
    }
}

#[test]
fn zstd_may_not_ask_for_more_window_than_is_usual() {
    // magic, no content size, window descriptor 0x88: exponent 17, 2^27 = 128 MiB; then a last raw block of
    // no bytes
    let wide = hex("28 b5 2f fd 00 88 01 00 00");
    assert!(decompress(Compression::ZSTD, wide.into(), 1 << 30).is_err());
    let usual = hex("28 b5 2f fd 00 68 01 00 00"); // 2^23 = 8 MiB
    assert_eq!(decompress(Compression::ZSTD, usual.into(), 1 << 30).unwrap(), b""[..]);
}

#[test]
fn snappy_that_announces_more_than_it_can_hold_allocates_nothing() {
    // length 2 097 151, then nothing
    let refused = decompress(Compression::SNAPPY, hex("ff ff 7f").into(), 1 << 30).unwrap_err();
    assert!(matches!(refused, FormatError::Compressed(_)));
}

#[test]
fn unknown_compressions_are_refused_both_ways() {
    for unknown in [Compression(7), Compression::UNKNOWN] {
        let body = IoBuf::from("x");
        assert_eq!(decompress(unknown, body.clone(), 9), Err(FormatError::UnknownCompression(unknown)));
        assert_eq!(compress(unknown, body), Err(FormatError::UnknownCompression(unknown)));
    }
}

proptest! {
    #[test]
    fn what_is_compressed_comes_back(body: Vec<u8>, copies in 1usize..40) {
        let body = body.repeat(copies);
        for compression in ALL {
            let there = compress(compression, body.clone().into()).unwrap();
            prop_assert_eq!(decompress(compression, there, body.len()).unwrap().to_vec(), body.clone());
        }
    }

    #[test]
    fn garbage_never_panics(body: Vec<u8>) {
        for compression in ALL {
            let _ = decompress(compression, body.clone().into(), 1 << 16);
        }
    }
}
