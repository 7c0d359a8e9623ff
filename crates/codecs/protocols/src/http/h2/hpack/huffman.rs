//! The static Huffman code of strings.
//!
//! The code is canonical: codes of one length follow each other in the order of their symbols, and longer
//! codes follow shorter ones. Therefore the lengths of RFC 7541 appendix B determine the code; the tables are
//! computed from them at build time.
//!
//! Decoding looks up eight bits at a time, which covers every code of up to eight bits (letters, digits,
//! common signs). The length of a longer code is found by comparison with the first code of each length.
//!
//! Source: RFC 7541 5.2, appendix B

use super::Error;
use bytes::{BufMut, BytesMut};

/// End of string; never sent, its beginning pads the last byte.
const EOS: u16 = 256;
const SYMBOLS: usize = 257;
const LONGEST: usize = 30;
/// Number of bits that are looked up at once.
const QUICK: usize = 8;

/// Length of each symbol's code in bits.
#[rustfmt::skip]
const LENGTHS: [u8; SYMBOLS] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
    13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    30,
];

struct Tables {
    /// The code of each symbol, right-aligned.
    codes: [u32; SYMBOLS],
    /// The codes by the next eight bits: length above, symbol below; 0 where the code is longer.
    quick: [u16; 1 << QUICK],
    /// For each length: the first 32 bits from which on a code is longer.
    ends: [u32; LONGEST + 1],
    /// For each length: the index of its first code in `order`, minus the code itself.
    firsts: [i32; LONGEST + 1],
    /// Symbols in the order of their codes.
    order: [u16; SYMBOLS],
}

static TABLES: Tables = tables();

const fn tables() -> Tables {
    let mut t = Tables {
        codes: [0; SYMBOLS],
        quick: [0; 1 << QUICK],
        ends: [0; LONGEST + 1],
        firsts: [0; LONGEST + 1],
        order: [0; SYMBOLS],
    };
    let (mut code, mut place, mut length) = (0u32, 0, 1);
    while length <= LONGEST {
        code <<= 1;
        t.firsts[length] = place as i32 - code as i32;
        let mut symbol = 0;
        while symbol < SYMBOLS {
            if LENGTHS[symbol] as usize == length {
                t.codes[symbol] = code;
                t.order[place] = symbol as u16;
                if length <= QUICK {
                    let (from, count) = ((code as usize) << (QUICK - length), 1 << (QUICK - length));
                    let mut n = 0;
                    while n < count {
                        t.quick[from + n] = (length as u16) << 8 | symbol as u16;
                        n += 1;
                    }
                }
                code += 1;
                place += 1;
            }
            symbol += 1;
        }
        // Of the longest, the last code is all ones: nothing is above it.
        t.ends[length] = if length == LONGEST { u32::MAX } else { code << (32 - length) };
        length += 1;
    }
    t
}

/// Length of `bytes` when encoded.
#[inline]
pub(super) fn encoded_len(bytes: &[u8]) -> usize {
    let bits: usize = bytes.iter().map(|&b| LENGTHS[b as usize] as usize).sum();
    bits.div_ceil(8)
}

/// Appends the code of `bytes`.
pub(super) fn encode(out: &mut BytesMut, bytes: &[u8]) {
    let (mut bits, mut have) = (0u64, 0); // `have` bits at the low end are to be written
    for &byte in bytes {
        let length = u32::from(LENGTHS[byte as usize]);
        bits = bits << length | u64::from(TABLES.codes[byte as usize]);
        have += length;
        if have >= 32 {
            have -= 32;
            out.put_u32((bits >> have) as u32);
        }
    }
    while have >= 8 {
        have -= 8;
        out.put_u8((bits >> have) as u8);
    }
    if have > 0 {
        // "padding [...] the most significant bits of the code for the EOS symbol": ones
        out.put_u8((bits << (8 - have)) as u8 | 0xff >> have);
    }
}

/// Appends the text of `code` to `out`: at most 8/5 of its length.
pub(super) fn decode(code: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    out.reserve(code.len() * 8 / 5 + 1);
    let (mut bits, mut have, mut rest) = (0u64, 0u32, code); // `have` bits at the high end are valid
    loop {
        if let Some(eight) = rest.first_chunk::<8>() {
            bits |= u64::from_be_bytes(*eight) >> have;
            rest = &rest[((63 - have) / 8) as usize..];
            have |= 56;
        } else {
            while have <= 56 && !rest.is_empty() {
                bits |= u64::from(rest[0]) << (56 - have);
                rest = &rest[1..];
                have += 8;
            }
        }
        while have >= LONGEST as u32 {
            let (symbol, length) = symbol(bits);
            if symbol == EOS {
                return Err(Error::Huffman); // 5.2: "MUST be treated as a decoding error"
            }
            out.push(symbol as u8);
            bits <<= length;
            have -= length;
        }
        if rest.is_empty() {
            return decode_end(bits, have, out);
        }
    }
}

/// Decodes the last bits: whole codes, then at most seven ones.
fn decode_end(mut bits: u64, mut have: u32, out: &mut Vec<u8>) -> Result<(), Error> {
    while have > 0 {
        let ones = u64::MAX << (64 - have);
        if have < 8 && bits == ones {
            return Ok(());
        }
        let (symbol, length) = symbol(bits | ones >> have);
        if length > have || symbol == EOS {
            return Err(Error::Huffman);
        }
        out.push(symbol as u8);
        bits <<= length;
        have -= length;
    }
    Ok(())
}

/// The symbol at the high end and the length of its code.
#[inline]
fn symbol(bits: u64) -> (u16, u32) {
    let quick = TABLES.quick[(bits >> (64 - QUICK)) as usize];
    if quick != 0 { (quick & 0xff, u32::from(quick >> 8)) } else { long_symbol(bits) }
}

fn long_symbol(bits: u64) -> (u16, u32) {
    let front = (bits >> 32) as u32;
    let mut length = QUICK + 1;
    while length < LONGEST && front >= TABLES.ends[length] {
        length += 1;
    }
    let code = (bits >> (64 - length)) as i32;
    (TABLES.order[(code + TABLES.firsts[length]) as usize], length as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_machine_testing::hex;
    use proptest::prelude::*;

    fn encoded(text: &[u8]) -> Vec<u8> {
        let mut out = BytesMut::new();
        encode(&mut out, text);
        assert_eq!(out.len(), encoded_len(text));
        out.to_vec()
    }

    fn decoded(code: &[u8]) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        decode(code, &mut out).map(|()| out)
    }

    #[test]
    fn strings_of_the_rfc() {
        // RFC 7541 C.4 and C.6
        for (text, code) in [
            ("www.example.com", "f1e3 c2e5 f23a 6ba0 ab90 f4ff"),
            ("no-cache", "a8eb 1064 9cbf"),
            ("custom-key", "25a8 49e9 5ba9 7d7f"),
            ("custom-value", "25a8 49e9 5bb8 e8b4 bf"),
            ("302", "6402"),
            ("Mon, 21 Oct 2013 20:13:21 GMT", "d07a be94 1054 d444 a820 0595 040b 8166 e082 a62d 1bff"),
            ("https://www.example.com", "9d29 ad17 1863 c78f 0b97 c8e9 ae82 ae43 d3"),
            (
                "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
                "94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed
                 4ee5 b106 3d50 07",
            ),
        ] {
            assert_eq!(encoded(text.as_bytes()), hex(code), "{text}");
            assert_eq!(decoded(&hex(code)).as_deref(), Ok(text.as_bytes()));
        }
    }

    #[test]
    fn codes_of_the_rfc_at_the_ends_of_each_length() {
        // RFC 7541 appendix B: symbol, code, bits
        for (symbol, code, bits) in [
            (b'0', 0x0, 5),
            (b't', 0x9, 5),
            (b' ', 0x14, 6),
            (b'u', 0x2d, 6),
            (b':', 0x5c, 7),
            (b'z', 0x7b, 7),
            (b'&', 0xf8, 8),
            (b'Z', 0xfd, 8),
            (b'!', 0x3f8, 10),
            (b'?', 0x3fc, 10),
            (b'\'', 0x7fa, 11),
            (b'|', 0x7fc, 11),
            (b'#', 0xffa, 12),
            (0, 0x1ff8, 13),
            (b'~', 0x1ffd, 13),
            (b'^', 0x3ffc, 14),
            (b'<', 0x7ffc, 15),
            (b'\\', 0x7fff0, 19),
            (0xc3, 0x7fff1, 19),
            (0xff, 0x3ffffee, 26),
            (2, 0xfffffe2, 28),
            (b'\n', 0x3ffffffc, 30),
            (22, 0x3ffffffe, 30),
        ] {
            let found = (TABLES.codes[symbol as usize], LENGTHS[symbol as usize]);
            assert_eq!(found, (code, bits), "symbol {symbol}");
        }
        assert_eq!(TABLES.codes[EOS as usize], 0x3fff_ffff);
    }

    #[test]
    fn bad_ends_are_refused() {
        assert_eq!(decoded(&hex("ff ff ff fc")), Err(Error::Huffman)); // EOS, then zeros
        assert_eq!(decoded(&hex("ff ff ff ff")), Err(Error::Huffman)); // EOS, then ones
        assert_eq!(decoded(&hex("1f ff ff ff ff 00")), Err(Error::Huffman)); // EOS after a symbol
        assert_eq!(decoded(&hex("ff")), Err(Error::Huffman)); // eight bits of padding
        assert_eq!(decoded(&hex("07 ff")), Err(Error::Huffman)); // "0", eleven bits of padding
        assert_eq!(decoded(&hex("00")), Err(Error::Huffman)); // "0", padding of zeros
        assert_eq!(decoded(&hex("07")).as_deref(), Ok(&b"0"[..])); // three ones
        assert_eq!(decoded(&[]).as_deref(), Ok(&b""[..]));
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(text in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(decoded(&encoded(&text)), Ok(text));
        }

        /// Decoding accepts a text only in its one canonical code.
        #[test]
        fn a_text_has_one_code(code in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(text) = decoded(&code) {
                prop_assert!(text.len() <= code.len() * 8 / 5);
                prop_assert_eq!(encoded(&text), code);
            }
        }
    }
}
