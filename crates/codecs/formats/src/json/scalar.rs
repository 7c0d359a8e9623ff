//! Converts scalar values of JSON to values of fields.

use super::lexer::number_len;
use crate::{protobuf::wire::zigzag, schema::Kind};

/// Digits of the greatest integer of 64 bits.
const MOST_DIGITS: usize = 20;

/// The bits of an integer on the wire as `kind`; `None` if the number is not an integer or out of range.
///
/// `lenient`: `1.0` and `1e2` are integers too, as in canonical JSON. brpc accepts digits only.
#[inline]
pub(crate) fn integer(kind: Kind, text: &str, lenient: bool) -> Option<u64> {
    if let Some(bits) = digits(kind, text) {
        return Some(bits);
    }
    if !lenient || !text.contains(['.', 'e', 'E']) {
        return None;
    }
    digits(kind, &without_exponent(text)?)
}

/// The digits of a whole number with a point or an exponent. A double is no way to them: it has 53 bits.
#[cold]
fn without_exponent(text: &str) -> Option<String> {
    let (sign, rest) = text.split_at(usize::from(text.starts_with('-')));
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    if whole.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let all = all.trim_start_matches('0');
    let significant = all.trim_end_matches('0');
    if significant.is_empty() {
        return Some("0".to_owned());
    }
    let zeros = exponent.saturating_add((all.len() - significant.len()) as i64 - fraction.len() as i64);
    let zeros = usize::try_from(zeros).ok().filter(|zeros| *zeros <= MOST_DIGITS)?;
    Some(format!("{sign}{significant}{}", "0".repeat(zeros)))
}

#[inline]
fn digits(kind: Kind, text: &str) -> Option<u64> {
    let negative = text.starts_with('-');
    let digits = &text.as_bytes()[usize::from(negative)..];
    let mut value: u64 = 0;
    for digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    if digits.is_empty() {
        return None;
    }
    let signed = |limit: u64| match negative {
        false if value < limit => Some(value as i64),
        true if value <= limit => Some((value as i64).wrapping_neg()),
        _ => None,
    };
    let unsigned = |most: u64| (value <= most && (!negative || value == 0)).then_some(value);
    match kind {
        Kind::Int32 | Kind::Sfixed32 | Kind::Enum(_) => signed(1 << 31).map(|v| v as u64),
        Kind::Sint32 => signed(1 << 31).map(zigzag),
        Kind::Int64 | Kind::Sfixed64 => signed(1 << 63).map(|v| v as u64),
        Kind::Sint64 => signed(1 << 63).map(zigzag),
        Kind::Uint32 | Kind::Fixed32 => unsigned(u64::from(u32::MAX)),
        Kind::Uint64 | Kind::Fixed64 => unsigned(u64::MAX),
        _ => None,
    }
}

/// A number of JSON as a double; `None` if out of range.
pub(crate) fn double(text: &str) -> Option<f64> {
    text.parse().ok().filter(|v: &f64| v.is_finite())
}

/// A number of JSON as a float. Canonical JSON refuses numbers that round to infinity; brpc casts them.
pub(crate) fn float(text: &str, canonical: bool) -> Option<f32> {
    let value = double(text)? as f32;
    (value.is_finite() || !canonical).then_some(value)
}

/// Infinities and NaN by their names; brpc's JSON ignores case.
pub(crate) fn not_finite(text: &str, any_case: bool) -> Option<f64> {
    let is = |name: &str| if any_case { text.eq_ignore_ascii_case(name) } else { text == name };
    match () {
        () if is("NaN") => Some(f64::NAN),
        () if is("Infinity") => Some(f64::INFINITY),
        () if is("-Infinity") => Some(f64::NEG_INFINITY),
        () => None,
    }
}

/// The text, if it is a number of JSON and nothing else.
pub(super) fn whole_number(text: &str) -> Option<&str> {
    (number_len(text.as_bytes()) == Some(text.len())).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_end_at_the_bounds_of_their_types() {
        for (kind, inside, outside) in [
            (Kind::Int32, ["2147483647", "-2147483648"], ["2147483648", "-2147483649"]),
            (Kind::Sint32, ["2147483647", "-2147483648"], ["2147483648", "-2147483649"]),
            (Kind::Uint32, ["4294967295", "0"], ["4294967296", "-1"]),
            (
                Kind::Int64,
                ["9223372036854775807", "-9223372036854775808"],
                ["9223372036854775808", "-9223372036854775809"],
            ),
            (Kind::Uint64, ["18446744073709551615", "-0"], ["18446744073709551616", "-1"]),
        ] {
            for text in inside {
                assert!(integer(kind, text, false).is_some(), "{kind:?} {text}");
            }
            for text in outside {
                assert_eq!(integer(kind, text, true), None, "{kind:?} {text}");
            }
        }
        assert_eq!(integer(Kind::Int64, "-9223372036854775808", false), Some(1 << 63));
        assert_eq!(integer(Kind::Int32, "-1", false), Some(u64::MAX));
    }

    #[test]
    fn whole_numbers_with_a_point_are_whole_in_canonical_json_alone() {
        for (text, value) in
            [("1.0", Some(1)), ("1e2", Some(100)), ("1.5", None), ("1e-1", None), ("1e30", None)]
        {
            assert_eq!(integer(Kind::Int64, text, false), None);
            assert_eq!(integer(Kind::Int64, text, true), value, "{text}");
        }
        assert_eq!(integer(Kind::Uint64, "1.8446744073709552e19", true), None);
        for (text, value) in [
            ("9007199254740993.0", Some(9_007_199_254_740_993)),
            ("1234567890123456789e0", Some(1_234_567_890_123_456_789)),
            ("12345678901234567890E-1", Some(1_234_567_890_123_456_789)),
            ("0.0001234567890123456789e22", Some(1_234_567_890_123_456_789)),
            ("18446744073709551615.0", Some(u64::MAX)),
            ("0.000e99", Some(0)),
            ("-0.0", Some(0)),
            ("-1.0", None),
            ("18446744073709551615.5", None),
            ("1e99999999999999999999", None),
            ("1e-99999999999999999999", None),
            ("e5", None),
            (".0", None),
            ("1e5x", None),
        ] {
            assert_eq!(integer(Kind::Uint64, text, true), value, "{text}");
        }
    }
}
