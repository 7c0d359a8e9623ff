//! The types that a flag can have.

use std::time::Duration;

/// A type that a flag can have: text for people, 64 bits for the atomic.
pub trait Value: Copy + PartialEq + PartialOrd + Send + Sync + 'static {
    /// The accepted texts, for error messages.
    const FORM: &'static str;

    fn to_bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
    /// The value as [`Value::parse`] reads it.
    fn text(self) -> String;
    /// `None`: the text is no value of this type.
    fn parse(text: &str) -> Option<Self>;
}

macro_rules! integers {
    ($($t:ty)*) => { $(
        impl Value for $t {
            const FORM: &'static str = concat!("a whole number (", stringify!($t), ")");
            #[inline]
            fn to_bits(self) -> u64 {
                self as u64
            }
            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as $t
            }
            fn text(self) -> String {
                self.to_string()
            }
            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )* };
}
integers!(u16 u32 u64 usize i32 i64);

impl Value for bool {
    const FORM: &'static str = "true or false";
    #[inline]
    fn to_bits(self) -> u64 {
        self.into()
    }
    #[inline]
    fn from_bits(bits: u64) -> Self {
        bits != 0
    }
    fn text(self) -> String {
        self.to_string()
    }
    /// Parses a bool as gflags does.
    fn parse(text: &str) -> Option<Self> {
        match &*text.to_ascii_lowercase() {
            "true" | "t" | "1" | "yes" | "y" | "on" => Some(true),
            "false" | "f" | "0" | "no" | "n" | "off" => Some(false),
            _ => None,
        }
    }
}

/// Finite numbers only: there is no order, and so no range, with NaN.
impl Value for f64 {
    const FORM: &'static str = "a number";
    #[inline]
    fn to_bits(self) -> u64 {
        self.to_bits()
    }
    #[inline]
    fn from_bits(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    fn text(self) -> String {
        self.to_string()
    }
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

/// `250us`, `20ms`, `1.5s`, `10min`, `2h`, `1d`; a number without a unit has none to guess and is refused,
/// except 0. Whole microseconds.
impl Value for Duration {
    const FORM: &'static str = "a time with its unit: us, ms, s, min, h or d";
    #[inline]
    fn to_bits(self) -> u64 {
        u64::try_from(self.as_micros()).unwrap_or(u64::MAX)
    }
    #[inline]
    fn from_bits(bits: u64) -> Self {
        Duration::from_micros(bits)
    }
    fn text(self) -> String {
        let us = Value::to_bits(self);
        let unit = UNITS.iter().rev().find(|(_, unit)| us >= *unit && us.is_multiple_of(*unit));
        match unit {
            Some((name, unit)) => format!("{}{name}", us / unit),
            None => "0s".to_owned(),
        }
    }
    fn parse(text: &str) -> Option<Self> {
        let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, name) = (&text[..split], text[split..].trim());
        if name.is_empty() {
            return (number == "0").then_some(Duration::ZERO);
        }
        let (_, unit) = UNITS.iter().find(|(unit, _)| *unit == name)?;
        let us = match number.parse::<u64>() {
            Ok(number) => number.checked_mul(*unit)?,
            Err(_) => {
                let us = number.parse::<f64>().ok()? * *unit as f64;
                if us < 9e18 { us.round() as u64 } else { return None }
            }
        };
        Some(Duration::from_micros(us))
    }
}

/// Units of time, each with its number of microseconds.
const UNITS: [(&str, u64); 6] = [
    ("us", 1),
    ("ms", 1_000),
    ("s", 1_000_000),
    ("min", 60_000_000),
    ("h", 3_600_000_000),
    ("d", 86_400_000_000),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn same<T: Value + std::fmt::Debug>(text: &str, value: T, back: &str) {
        assert_eq!(T::parse(text), Some(value), "{text}");
        assert_eq!(T::from_bits(value.to_bits()), value, "{text}");
        assert_eq!(value.text(), back);
        assert_eq!(T::parse(back), Some(value), "{back}");
    }

    #[test]
    fn values_survive_as_text_and_as_bits() {
        same("-7", -7i32, "-7");
        same("-9223372036854775808", i64::MIN, "-9223372036854775808");
        same("18446744073709551615", u64::MAX, "18446744073709551615");
        same("on", true, "true");
        same("0", false, "false");
        same("-0.25", -0.25f64, "-0.25");
        same("1.5s", Duration::from_millis(1500), "1500ms");
        same("90min", Duration::from_secs(5400), "90min");
        same("48h", Duration::from_secs(172_800), "2d");
        same("0", Duration::ZERO, "0s");
        same("250us", Duration::from_micros(250), "250us");
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in ["", " 1", "1 ", "0x10", "1e3", "-1", "4294967296"] {
            assert_eq!(u32::parse(text), None, "{text:?}");
        }
        for text in ["NaN", "inf", "", "1e999"] {
            assert_eq!(f64::parse(text), None, "{text:?}");
        }
        for text in ["10", "s", "1.2.3s", "1 fortnight", "-1s", "99999999999999999999d", "1e5s"] {
            assert_eq!(Duration::parse(text), None, "{text:?}");
        }
    }
}
