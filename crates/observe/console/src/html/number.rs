//! Figures for people: three digits and a unit.

use crate::Value;

/// The value as people read it. `console.js` has the same rules, tested with the same examples.
pub fn formatted(value: &Value) -> String {
    if let Value::Digits(digits) = value {
        return digits.to_string();
    }
    let Some(number) = value.number() else {
        return match value {
            Value::Blank => String::new(),
            value => value.as_text().map_or("–".into(), str::to_owned),
        };
    };
    match value {
        Value::Bytes(_) => scaled(number, 1024.0, &[" B", " KiB", " MiB", " GiB", " TiB"]),
        Value::BytesPerSecond(_) => scaled(number, 1024.0, &[" B/s", " KiB/s", " MiB/s", " GiB/s", " TiB/s"]),
        Value::PerSecond(_) => scaled(number, 1000.0, &["/s", " k/s", " M/s", " G/s"]),
        Value::Micros(_) if number < 1e6 => scaled(number, 1000.0, &[" µs", " ms"]),
        Value::Micros(_) => time(number / 1e6),
        Value::Seconds(_) => time(number),
        Value::Ratio(_) => ratio(number),
        _ => scaled(number, 1000.0, &["", " k", " M", " G", " T"]),
    }
}

fn scaled(number: f64, step: f64, units: &[&str]) -> String {
    let (mut number, mut at) = (number, 0);
    while number.abs() >= step * 0.9995 && at + 1 < units.len() {
        number /= step;
        at += 1;
    }
    digits(number, at > 0) + units[at]
}

/// Three digits. Whole numbers without a unit have no decimal point.
fn digits(number: f64, scaled: bool) -> String {
    let size = number.abs();
    match () {
        () if size == 0.0 => "0".into(),
        () if !scaled && number.fract() == 0.0 => format!("{number:.0}"),
        () if size >= 99.95 => format!("{number:.0}"),
        () if size >= 9.995 => format!("{number:.1}"),
        () if size >= 0.01 => format!("{number:.2}"),
        () => "<0.01".into(),
    }
}

fn time(seconds: f64) -> String {
    let whole = seconds as u64;
    match whole {
        0..60 => digits(seconds, true) + " s",
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        3600..86400 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} d {} h", whole / 86400, whole % 86400 / 3600),
    }
}

pub(super) fn ratio(ratio: f64) -> String {
    let percent = ratio * 100.0;
    match () {
        () if percent == 0.0 => "0 %".into(),
        () if percent < 0.01 => "<0.01 %".into(),
        () if percent < 0.995 => format!("{percent:.2} %"),
        () if percent < 99.95 => format!("{percent:.1} %"),
        () => format!("{percent:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stay_as_they_are() {
        for digits in ["13412", "0", "18446744073709551615", "0.333"] {
            let value = Value::Digits(digits.into());
            assert_eq!((formatted(&value), value.kind()), (digits.into(), ""));
            assert_eq!(value.number(), digits.parse().ok(), "by which it is sorted");
        }
    }

    /// The examples that the script is tested with, too: kind, raw number, text.
    #[test]
    fn figures_as_people_read_them() {
        for line in include_str!("figures.txt").lines() {
            let [kind, raw, text] = line.split('\t').collect::<Vec<_>>().try_into().expect("three columns");
            let number: f64 = raw.parse().expect("a number");
            let value = match kind {
                "b" => Value::Bytes(number as u64),
                "bs" => Value::BytesPerSecond(number),
                "ps" => Value::PerSecond(number),
                "us" => Value::Micros(number),
                "s" => Value::Seconds(number),
                "r" => Value::Ratio(number),
                _ => Value::Number(number),
            };
            assert_eq!((formatted(&value), value.kind()), (text.into(), kind), "{line}");
        }
    }
}
