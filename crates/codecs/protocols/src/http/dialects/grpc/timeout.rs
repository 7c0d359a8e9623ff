//! `grpc-timeout`: one to eight digits and a unit.
//!
//! Source: docs/wire/grpc.md section 2.

use std::time::Duration;

/// Units from the finest, in nanoseconds.
const UNITS: [(u8, u64); 6] = [
    (b'n', 1),
    (b'u', 1_000),
    (b'm', 1_000_000),
    (b'S', 1_000_000_000),
    (b'M', 60_000_000_000),
    (b'H', 3_600_000_000_000),
];
/// The largest count: eight digits.
const MOST: u64 = 99_999_999;

/// `None` if the value is malformed.
pub(crate) fn parse(value: &[u8]) -> Option<Duration> {
    let (unit, digits) = value.split_last()?;
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    let mut count = 0;
    for digit in digits {
        count = count * 10 + u64::from(digit.checked_sub(b'0').filter(|digit| *digit < 10)?);
    }
    let nanoseconds = UNITS.iter().find(|(name, _)| name == unit)?.1;
    // Eight digits of hours in nanoseconds do not fit 64 bits.
    Some(match count.checked_mul(nanoseconds) {
        Some(total) => Duration::from_nanos(total),
        None => Duration::from_secs(count * (nanoseconds / 1_000_000_000)),
    })
}

/// A time as it is sent: in the finest unit whose count fits, rounded up, so that it is never shortened and
/// never 0.
pub(crate) struct Text {
    bytes: [u8; 9],
    len: usize,
}

impl Text {
    pub fn of(timeout: Duration) -> Text {
        let (name, count) = match u64::try_from(timeout.as_nanos()) {
            Ok(time) => {
                let counted = UNITS.iter().map(|&(name, unit)| (name, time.max(1).div_ceil(unit)));
                counted.into_iter().find(|&(_, count)| count <= MOST)
            }
            Err(_) => None, // above 584 years
        }
        .unwrap_or_else(|| (b'H', timeout.as_secs().div_ceil(3600).min(MOST)));
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(count).as_bytes();
        let mut bytes = [0; 9];
        bytes[..digits.len()].copy_from_slice(digits);
        bytes[digits.len()] = name;
        Text { bytes, len: digits.len() + 1 }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}
