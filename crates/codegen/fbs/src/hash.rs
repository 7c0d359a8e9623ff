//! Hashes of texts, which tools write in place of the text: FNV-1 and FNV-1a as flatc implements them. The
//! 64-bit hashes begin with another number than FNV's own, 0xcbf29ce484222325.
//!
//! Source: <https://datatracker.ietf.org/doc/html/draft-eastlake-fnv>

/// The `hash` attribute of a field, which lets tools accept a text in place of its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hash {
    Fnv1,
    Fnv1a,
}

impl Hash {
    /// The hash of a text, for a number of this many bytes: 4 or 8.
    pub fn of(self, text: &str, size: usize) -> u64 {
        let (basis, prime) = match size {
            4 => (0x811c_9dc5, 0x0100_0193),
            _ => (0xcbf2_9ce4_8422_2645, 0x0100_0000_01b3),
        };
        let narrow = |hash: u64| if size == 4 { hash & u64::from(u32::MAX) } else { hash };
        text.bytes().fold(basis, |hash, byte| match self {
            Hash::Fnv1 => narrow(hash.wrapping_mul(prime)) ^ u64::from(byte),
            Hash::Fnv1a => narrow((hash ^ u64::from(byte)).wrapping_mul(prime)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of the source, appendix C.
    #[test]
    fn texts_have_the_hashes_of_the_source() {
        for (text, fnv1, fnv1a) in [
            ("", 0x811c_9dc5, 0x811c_9dc5),
            ("a", 0x050c_5d7e, 0xe40c_292c),
            ("foobar", 0x31f0_b262, 0xbf9c_f968),
        ] {
            assert_eq!([Hash::Fnv1, Hash::Fnv1a].map(|hash| hash.of(text, 4)), [fnv1, fnv1a], "{text}");
        }
    }
}
