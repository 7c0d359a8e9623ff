//! Values for which Rust has no type of its own.

use std::{cmp::Ordering, fmt, hash, str::FromStr};

/// A `double` that has an order, so that it can be in sets and in keys of maps. Its order is that of
/// [`f64::total_cmp`]: NaN equals itself, and -0 is less than 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Double(pub f64);

impl PartialEq for Double {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Double {}

impl PartialOrd for Double {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Double {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl hash::Hash for Double {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl From<f64> for Double {
    fn from(value: f64) -> Self {
        Double(value)
    }
}

impl From<Double> for f64 {
    fn from(value: Double) -> Self {
        value.0
    }
}

impl fmt::Display for Double {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A `uuid`: 16 bytes in network order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Uuid(pub [u8; 16]);

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, byte) in self.0.iter().enumerate() {
            let dash = if matches!(k, 4 | 6 | 8 | 10) { "-" } else { "" };
            write!(f, "{dash}{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a UUID of 32 hexadecimal digits, with dashes or without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotUuid;

impl fmt::Display for NotUuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a UUID has 32 hexadecimal digits, in groups of 8, 4, 4, 4 and 12")
    }
}

impl std::error::Error for NotUuid {}

impl FromStr for Uuid {
    type Err = NotUuid;

    fn from_str(text: &str) -> Result<Self, NotUuid> {
        let dashed = text.len() == 36 && [8, 13, 18, 23].iter().all(|&at| text.as_bytes()[at] == b'-');
        if !dashed && text.len() != 32 {
            return Err(NotUuid);
        }
        let mut digits = text.chars().filter(|&c| !(dashed && c == '-')).map(|c| c.to_digit(16));
        let mut uuid = [0; 16];
        for byte in &mut uuid {
            let (Some(Some(high)), Some(Some(low))) = (digits.next(), digits.next()) else {
                return Err(NotUuid);
            };
            *byte = (high << 4 | low) as u8;
        }
        if digits.next().is_some() { Err(NotUuid) } else { Ok(Uuid(uuid)) }
    }
}
