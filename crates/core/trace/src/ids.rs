//! Ids of traces and spans.

use std::fmt;

/// The id of a trace. W3C has 128 bits, brpc 64: the low half is the id of a trace that begins here or
/// arrives from brpc, and the high half is then zero. Zero is no id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TraceId(pub u128);

impl TraceId {
    /// The low half of the id, which travels in protocols whose ids have 64 bits, and by which spans of a
    /// trace are found.
    pub fn low(self) -> u64 {
        self.0 as u64
    }

    /// Whether the id fits protocols whose ids have 64 bits.
    pub fn is_short(self) -> bool {
        self.0 >> 64 == 0
    }

    /// Reads hexadecimal digits, at most 32, with or without `0x`.
    pub fn parse(text: &str) -> Option<TraceId> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        hex(digits, 32).filter(|id| *id != 0).map(TraceId)
    }
}

/// The id of a span within its trace. Zero is no id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SpanId(pub u64);

impl SpanId {
    /// Reads hexadecimal digits, at most 16, with or without `0x`.
    pub fn parse(text: &str) -> Option<SpanId> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        hex(digits, 16).filter(|id| *id != 0).map(|id| SpanId(id as u64))
    }
}

fn hex(digits: &str, most: usize) -> Option<u128> {
    let fits = (1..=most).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    fits.then(|| u128::from_str_radix(digits, 16).ok()).flatten()
}

/// Writes the id in hexadecimal without leading zeros, as brpc does.
impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}
impl fmt::Display for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}
impl fmt::Debug for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TraceId({self})")
    }
}
impl fmt::Debug for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SpanId({self})")
    }
}

/// Makes ids that differ from each other and look random: a counter, mixed (SplitMix64).
pub(crate) struct Maker {
    next: std::sync::atomic::AtomicU64,
}

impl Maker {
    pub fn new(seed: u64) -> Self {
        Maker { next: seed.into() }
    }

    pub fn id(&self) -> u64 {
        loop {
            let n = self.next.fetch_add(0x9e37_79b9_7f4a_7c15, std::sync::atomic::Ordering::Relaxed);
            let id = mix(n);
            if id != 0 {
                return id; // zero comes once in 2^64
            }
        }
    }
}

/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
pub(crate) fn mix(n: u64) -> u64 {
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_and_shown() {
        assert_eq!(TraceId::parse("4bf92f3577b34da6a3ce929d0e0e4736").unwrap().low(), 0xa3ce929d0e0e4736);
        assert_eq!(TraceId::parse("0x1F").unwrap().to_string(), "1f");
        assert_eq!(SpanId::parse("00f067aa0ba902b7").unwrap().to_string(), "f067aa0ba902b7");
        let none =
            ["", "0", "0000000000000000", "+1", "-1", "g", "0x", "1 ", "4bf92f3577b34da6a3ce929d0e0e47361"];
        none.iter().for_each(|text| assert_eq!(TraceId::parse(text), None, "{text:?}"));
        assert_eq!(SpanId::parse("10000000000000000"), None);
    }

    #[test]
    fn ids_that_are_made_differ() {
        let maker = Maker::new(7);
        let ids: std::collections::HashSet<_> = (0..10_000).map(|_| maker.id()).collect();
        assert_eq!(ids.len(), 10_000);
        assert!(!ids.contains(&0));
    }
}
