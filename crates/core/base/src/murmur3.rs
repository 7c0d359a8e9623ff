//! MurmurHash3, the 32-bit variant for x86: a hash of names that peers compute alike. It does not protect
//! against names that are chosen to collide.

/// The hash of `bytes`.
pub const fn murmur3_32(bytes: &[u8], seed: u32) -> u32 {
    let mut hash = seed;
    let (mut words, tail) = bytes.as_chunks::<4>();
    while let Some((word, rest)) = words.split_first() {
        hash ^= scrambled(u32::from_le_bytes(*word));
        hash = hash.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
        words = rest;
    }
    let (mut last, mut at) = (0, 0);
    while at < tail.len() {
        last |= (tail[at] as u32) << (8 * at);
        at += 1;
    }
    avalanche(hash ^ scrambled(last) ^ bytes.len() as u32)
}

const fn scrambled(word: u32) -> u32 {
    word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
}

const fn avalanche(mut hash: u32) -> u32 {
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

#[cfg(test)]
mod tests {
    use super::murmur3_32;

    /// docs/wire/flatbuffers_rpc.md, "Service and method identification".
    #[test]
    fn hashes_are_those_of_the_sheet() {
        assert_eq!(murmur3_32(b"test.BenchmarkService", 1), 0x3533_7ad9);
        assert_eq!(murmur3_32(b"example.api.Echo", 1), 0xc4d1_3611);
        assert_eq!(murmur3_32(b"Echo", 1), 0x9953_d8f1);
        assert_eq!(murmur3_32(b"test..BenchmarkService", 1), 0x4b9f_138f);
    }

    #[test]
    fn nothing_with_seed_0_is_0() {
        assert_eq!(murmur3_32(b"", 0), 0);
    }
}
