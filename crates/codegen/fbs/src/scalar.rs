//! Number types, and parsing of numbers.

use crate::Value;

/// Names in schemas, name in Rust, and size in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scalar {
    pub rust: &'static str,
    pub size: usize,
}

impl Scalar {
    pub(crate) fn named(name: &str) -> Option<Scalar> {
        let (rust, size) = match name {
            "bool" => ("bool", 1),
            "byte" | "int8" => ("i8", 1),
            "ubyte" | "uint8" => ("u8", 1),
            "short" | "int16" => ("i16", 2),
            "ushort" | "uint16" => ("u16", 2),
            "int" | "int32" => ("i32", 4),
            "uint" | "uint32" => ("u32", 4),
            "float" | "float32" => ("f32", 4),
            "long" | "int64" => ("i64", 8),
            "ulong" | "uint64" => ("u64", 8),
            "double" | "float64" => ("f64", 8),
            _ => return None,
        };
        Some(Scalar { rust, size })
    }

    pub fn is_float(self) -> bool {
        self.rust.starts_with('f')
    }

    pub(crate) fn holds(self, value: i128) -> bool {
        let bits = 8 * self.size as u32;
        match self.rust.as_bytes()[0] {
            b'u' => (0..1 << bits).contains(&value),
            _ => (-(1 << (bits - 1))..1 << (bits - 1)).contains(&value),
        }
    }

    /// Parses a number of this type: decimal or hexadecimal, as `0x1.8p3` for fractions; `inf`, `nan`; for
    /// `bool` also `true` and `false`.
    pub fn parse(self, text: &str) -> Option<Value> {
        match (self.rust, text) {
            ("bool", "true" | "1") => Some(Value::Bool(true)),
            ("bool", "false" | "0") => Some(Value::Bool(false)),
            ("bool", _) => None,
            _ if self.is_float() => self.float(text).map(Value::Float),
            _ => integer(text).filter(|&value| self.holds(value)).map(Value::Integer),
        }
    }

    fn float(self, text: &str) -> Option<f64> {
        match text.trim_start_matches('+').to_ascii_lowercase().as_str() {
            "inf" | "infinity" => Some(f64::INFINITY),
            "-inf" | "-infinity" => Some(f64::NEG_INFINITY),
            "nan" | "-nan" => Some(f64::NAN),
            number if is_hexadecimal(number) => hexadecimal(number, self.size),
            // Rounded once: via f64, some would become a neighbour of the number that is written.
            number if self.rust == "f32" => {
                number.parse::<f32>().ok().filter(|value| value.is_finite()).map(f64::from)
            }
            number => number.parse().ok().filter(|value: &f64| value.is_finite()),
        }
    }
}

fn is_hexadecimal(text: &str) -> bool {
    text.trim_start_matches('-').starts_with("0x")
}

/// A hexadecimal fraction, `0x1.8p-3`, for a number of this many bytes. Its exponent is mandatory.
fn hexadecimal(text: &str, size: usize) -> Option<f64> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (digits, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() || exponent.len() > LONGEST_EXPONENT {
        return None;
    }
    let mut exponent: i64 = exponent.parse().ok()?;
    let mut number: u64 = 0;
    for (index, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(digit.to_digit(16)?);
        let behind = index >= whole.len();
        if number >> 60 == 0 {
            number = number << 4 | digit;
            exponent -= if behind { 4 } else { 0 };
        } else {
            // There is no room for it; that it is not zero decides how the number is rounded.
            number |= u64::from(digit > 0);
            exponent += if behind { 0 } else { 4 };
        }
    }
    // Rounded once, to the bits that the number has.
    let mut value = if size == 4 { f64::from(number as f32) } else { number as f64 };
    let factor = if exponent < 0 { 0.5 } else { 2.0 };
    for _ in 0..exponent.unsigned_abs().min(LARGEST_EXPONENT) {
        value *= factor;
    }
    let value = if size == 4 { f64::from(value as f32) } else { value };
    value.is_finite().then_some(if negative { -value } else { value })
}

/// Digits and sign of the exponent of a hexadecimal fraction.
const LONGEST_EXPONENT: usize = 9;
/// The largest exponent of a number: beyond it, with 64 bits in front, the value can only be zero or
/// infinity.
const LARGEST_EXPONENT: u64 = 1200;

pub(crate) fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => i128::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    value.ok().filter(|value| *value >= 0 && *value <= i128::from(u64::MAX)).map(|value| sign * value)
}
