//! Slots: which part of a cluster's keyspace a key belongs to.
//!
//! Source: docs/wire/redis.md, section 3; the Redis cluster specification, "Key distribution model", "Hash
//!         tags".

use std::fmt;

/// The number of slots of every cluster.
pub(crate) const SLOTS: u16 = 16_384;

/// One of the 16384 parts of a cluster's keyspace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(u16);

impl Slot {
    /// The slot of a key: CRC16 of the part between its first `{` and the next `}`, if that is not empty, and
    /// otherwise of the whole key.
    pub fn of(key: &[u8]) -> Slot {
        Slot(crc16(tag(key)) % SLOTS)
    }

    /// The slot of this number, which is below 16384.
    pub fn new(number: u64) -> Option<Slot> {
        u16::try_from(number).ok().filter(|number| *number < SLOTS).map(Slot)
    }

    pub fn number(self) -> u16 {
        self.0
    }

    pub(crate) fn index(self) -> usize {
        self.0.into()
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn tag(key: &[u8]) -> &[u8] {
    let inside = || {
        let open = memchr(b'{', key)?;
        let rest = &key[open + 1..];
        let close = memchr(b'}', rest)?;
        (close > 0).then(|| &rest[..close])
    };
    inside().unwrap_or(key)
}

fn memchr(byte: u8, bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|one| *one == byte)
}

/// CRC16-XMODEM: polynomial 0x1021, initially 0, not reflected.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| crc << 8 ^ TABLE[usize::from((crc >> 8) as u8 ^ byte)])
}

static TABLE: [u16; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let (mut crc, mut bit) = ((index as u16) << 8, 0);
        while bit < 8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 };
            bit += 1;
        }
        table[index] = crc;
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// docs/wire/redis.md, section 3, and CLUSTER KEYSLOT of redis-server 7.0.15.
    #[test]
    fn slots_are_those_of_redis_server() {
        assert_eq!(crc16(b"123456789"), 0x31c3);
        for (key, slot) in [
            (&b"foo"[..], 12_182),
            (b"{user1000}.following", 3443),
            (b"{user1000}.followers", 3443),
            (b"", 0),
            (b"foo{}{bar}", 8363),
            (b"foo{{bar}}zap", 4015),
            (b"foo{bar}{zap}", 5061),
            (b"bar", 5061),
            (b"{", 4092),
        ] {
            assert_eq!(Slot::of(key).number(), slot, "{}", key.escape_ascii());
        }
        assert!(Slot::new(16_383).is_some() && Slot::new(16_384).is_none());
    }
}
