//! Durations as the user types them, and figures as they are printed.

use std::time::Duration;

/// A duration: `10`, `1.5` seconds; `500ms`, `20us`, `2s`, `5m`. For command-line options.
///
/// # Errors
/// Anything else, and durations longer than a year.
pub fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "us" => 1e-6,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("{unit:?} is not a unit; there are us, ms, s, m and h")),
    };
    let seconds = number.parse::<f64>().map_err(|_| "not a number of seconds".to_owned())? * scale;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if duration <= LONGEST => Ok(duration),
        _ => Err("longer than a year".into()),
    }
}

const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// A number of bytes with its unit: `512KiB`, `64MiB`, `2GiB`.
///
/// # Errors
/// Anything else.
pub fn bytes(text: &str) -> Result<u64, String> {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)];
    let read = |(unit, shift): (&str, u32)| {
        let number: u64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
        number.checked_mul(1 << shift)
    };
    units.into_iter().find_map(read).ok_or_else(|| "not a number of KiB, MiB or GiB".to_owned())
}

/// A count with a thin gap between groups of three digits: `1 234 567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Microseconds in a suitable unit: `870 us`, `12.3 ms`, `4.56 s`.
pub fn micros(us: f64) -> String {
    let (value, unit) = match us {
        ..1e3 => (us, "us"),
        ..1e6 => (us / 1e3, "ms"),
        _ => (us / 1e6, "s"),
    };
    // Only three digits were measured.
    let decimals = if unit == "us" || value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.decimals$} {unit}")
}

/// A rate of bytes: `13.9 MB/s`.
pub fn bytes_per_second(rate: f64) -> String {
    let (value, unit) = match rate {
        ..1e3 => (rate, "B/s"),
        ..1e6 => (rate / 1e3, "KB/s"),
        ..1e9 => (rate / 1e6, "MB/s"),
        _ => (rate / 1e9, "GB/s"),
    };
    format!("{value:.1} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units_and_seconds_are_the_default() {
        for (text, millis) in
            [("2", 2000), ("1.5", 1500), ("500ms", 500), ("3s", 3000), ("2m", 120_000), ("0", 0)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for wrong in ["", "x", "-1", "1e3", "5 s", "1.2.3", "10d", "99999999h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn figures_are_short() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1 234 567");
        assert_eq!(
            [870.0, 1230.0, 12_340.0, 4_560_000.0].map(micros),
            ["870 us", "1.23 ms", "12.3 ms", "4.56 s"]
        );
        assert_eq!(bytes_per_second(13_900_000.0), "13.9 MB/s");
    }
}
