//! Timestamps and durations: seconds and nanoseconds, both of them fields 1 (int64) and 2 (int32).
//!
//! Days are counted by the proleptic Gregorian calendar, by the usual arithmetic on years that begin in March
//! (Howard Hinnant, "chrono-compatible low-level date algorithms").

use crate::{
    FormatError,
    json::{read::Reader, write::Writer},
    protobuf::wire::{Reader as WireReader, put_varint},
    schema::MessageSchema,
    wkt::{Duration, Timestamp},
};
use polywire_base::calendar::Date;
use std::io::Write;

const DAY: i64 = 86_400;

type Parse = fn(&str) -> Option<(i64, i32)>;
type Format = fn(&mut Vec<u8>, i64, i32) -> Option<()>;

pub(super) fn read(
    reader: &mut Reader<'_>,
    schema: MessageSchema<'_>,
    parse: Parse,
) -> Result<(), FormatError> {
    let text = reader.lexer.string()?;
    let text = text.text(&mut reader.scratch).map_err(|what| reader.lexer.error(what))?;
    let Some((seconds, nanos)) = parse(text) else {
        return Err(reader.lexer.error(format!("not a {}: {text}", schema.full_name())));
    };
    for (number, value) in [(1, seconds), (2, i64::from(nanos))] {
        if value != 0 {
            put_varint(&mut reader.out, number << 3);
            put_varint(&mut reader.out, value as u64);
        }
    }
    Ok(())
}

pub(super) fn write(writer: &mut Writer, wire: &[u8], format: Format) -> Result<(), FormatError> {
    let (mut seconds, mut nanos) = (0, 0);
    let mut fields = WireReader::new(wire);
    while let Some(raw) = fields.field()? {
        match raw.number {
            1 => seconds = raw.bits as i64,
            2 => nanos = raw.bits as i32,
            _ => {}
        }
    }
    writer.out.push(b'"');
    format(&mut writer.out, seconds, nanos).ok_or_else(|| writer.error("a time out of range"))?;
    writer.out.push(b'"');
    Ok(())
}

pub(super) fn format_timestamp(out: &mut Vec<u8>, seconds: i64, nanos: i32) -> Option<()> {
    Timestamp { seconds, nanos }.checked_nanos().ok()?;
    let Date { year, month, day } = Date::of_day(seconds.div_euclid(DAY));
    let second = seconds.rem_euclid(DAY);
    let (h, m, s) = (second / 3600, second / 60 % 60, second % 60);
    write!(out, "{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}").ok()?;
    put_fraction(out, nanos);
    out.push(b'Z');
    Some(())
}

pub(super) fn format_duration(out: &mut Vec<u8>, seconds: i64, nanos: i32) -> Option<()> {
    Duration { seconds, nanos }.checked().ok()?;
    let sign = if seconds < 0 || nanos < 0 { "-" } else { "" };
    write!(out, "{sign}{}", seconds.unsigned_abs()).ok()?;
    put_fraction(out, nanos.abs());
    out.push(b's');
    Some(())
}

/// Writes the fraction: nothing, or a point and 3, 6 or 9 digits.
fn put_fraction(out: &mut Vec<u8>, nanos: i32) {
    let (digits, value) = match nanos {
        0 => return,
        n if n % 1_000_000 == 0 => (3, n / 1_000_000),
        n if n % 1_000 == 0 => (6, n / 1_000),
        n => (9, n),
    };
    write!(out, ".{value:0digits$}").expect("writing to a Vec does not fail");
}

/// Parses `1972-01-01T10:00:20.021Z`, or with an offset in place of `Z`, with up to nine digits of fraction.
pub(super) fn parse_timestamp(text: &str) -> Option<(i64, i32)> {
    let (date, rest) = text.split_at_checked(10)?;
    let [year, month, day] = numbers(date, b"....-..-..")?;
    let (clock, rest) = rest.split_at_checked(9)?;
    let [hour, minute, second] = numbers(clock, b"T..:..:..")?;
    let month_days = [31, 28 + i64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let days = *month_days.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
    if year == 0 || !(1..=days).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (nanos, rest) = match rest.strip_prefix('.') {
        Some(rest) => fraction(rest)?,
        None => (0, rest),
    };
    let offset = match rest.split_at_checked(1)? {
        ("Z", "") => 0,
        (sign @ ("+" | "-"), zone) => {
            let [hours, minutes] = numbers(zone, b"..:..")?;
            let seconds = hours * 3600 + minutes * 60;
            if sign == "-" { -seconds } else { seconds }
        }
        _ => return None,
    };
    let day = Date { year, month: month as u32, day: day as u32 }.to_day();
    let seconds = day * DAY + hour * 3600 + minute * 60 + second - offset;
    Timestamp { seconds, nanos }.checked_nanos().ok().map(|_| (seconds, nanos))
}

/// Parses `1.212s`.
pub(super) fn parse_duration(text: &str) -> Option<(i64, i32)> {
    let text = text.strip_suffix('s')?;
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (whole, nanos) = match text.split_once('.') {
        Some((whole, rest)) => {
            let (nanos, rest) = fraction(rest)?;
            (rest.is_empty().then_some(whole)?, nanos)
        }
        None => (text, 0),
    };
    let digits = !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit());
    let seconds: i64 = digits.then(|| whole.parse().ok()).flatten()?;
    let (seconds, nanos) = if negative { (-seconds, -nanos) } else { (seconds, nanos) };
    Duration { seconds, nanos }.checked().ok().map(|_| (seconds, nanos))
}

/// One to nine digits as nanoseconds, and the rest of the text.
fn fraction(text: &str) -> Option<(i32, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=9).contains(&len) {
        return None;
    }
    let value: i32 = text[..len].parse().ok()?;
    Some((value * 10_i32.pow(9 - len as u32), &text[len..]))
}

/// The numbers in a text of this shape: runs of points stand for digits, all other characters for themselves.
fn numbers<const N: usize>(text: &str, shape: &[u8]) -> Option<[i64; N]> {
    if text.len() != shape.len() {
        return None;
    }
    let (mut found, mut at, mut inside) = ([0; N], 0, false);
    for (byte, wanted) in text.bytes().zip(shape) {
        match wanted {
            b'.' if byte.is_ascii_digit() => {
                found[at] = found[at] * 10 + i64::from(byte - b'0');
                inside = true;
            }
            b'.' => return None,
            wanted if byte == *wanted => {
                at += usize::from(inside);
                inside = false;
            }
            _ => return None,
        }
    }
    Some(found)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timestamp(seconds: i64, nanos: i32) -> Option<String> {
        let mut out = Vec::new();
        format_timestamp(&mut out, seconds, nanos).map(|()| String::from_utf8(out).unwrap())
    }

    #[test]
    fn timestamps_are_written_as_the_mapping_says() {
        for (seconds, nanos, text) in [
            (0, 0, "1970-01-01T00:00:00Z"),
            (63_108_020, 21_000_000, "1972-01-01T10:00:20.021Z"),
            (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
            (253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
            (951_782_400, 1_000, "2000-02-29T00:00:00.000001Z"),
        ] {
            assert_eq!(timestamp(seconds, nanos).as_deref(), Some(text));
            assert_eq!(parse_timestamp(text), Some((seconds, nanos)));
        }
        for (seconds, nanos) in [(-62_135_596_801, 0), (253_402_300_800, 0), (0, -1), (0, 1_000_000_000)] {
            assert_eq!(timestamp(seconds, nanos), None);
        }
    }

    #[test]
    fn offsets_and_short_fractions_are_read_and_nonsense_is_not() {
        assert_eq!(parse_timestamp("1970-01-01T01:00:00.5+01:00"), Some((0, 500_000_000)));
        assert_eq!(parse_timestamp("1969-12-31T16:00:00-08:00"), Some((0, 0)));
        for text in [
            "",
            "1970-01-01",
            "1970-01-01T00:00:00",
            "1970-01-01 00:00:00Z",
            "1970-02-29T00:00:00Z",
            "1970-13-01T00:00:00Z",
            "1970-00-01T00:00:00Z",
            "1970-01-00T00:00:00Z",
            "1970-01-01T24:00:00Z",
            "1970-01-01T00:60:00Z",
            "1970-01-01T00:00:60Z",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00:00.1234567890Z",
            "1970-01-01T00:00:00z",
            "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+00:01",
            "1970-01-01T00:00:00Zé",
            "1970-01-0é",
            "+970-01-01T00:00:00Z",
            "20.0-01-02T03:04:05Z",
            "1970-.1-01T00:00:00Z",
            "1970-01-01T00:00:.0Z",
            "1970-01-01T00:00:00+.0:00",
        ] {
            assert_eq!(parse_timestamp(text), None, "{text}");
        }
    }

    #[test]
    fn durations_go_both_ways() {
        for (seconds, nanos, text) in [
            (1, 212_000_000, "1.212s"),
            (0, 0, "0s"),
            (-1, -500_000_000, "-1.500s"),
            (0, -1, "-0.000000001s"),
            (315_576_000_000, 0, "315576000000s"),
        ] {
            let mut out = Vec::new();
            format_duration(&mut out, seconds, nanos).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), text);
            assert_eq!(parse_duration(text), Some((seconds, nanos)));
        }
        for text in
            ["", "s", "1", "1.s", ".5s", "1.1234567890s", "--1s", "+1s", "1 s", "315576000001s", "1e3s"]
        {
            assert_eq!(parse_duration(text), None, "{text}");
        }
        for (seconds, nanos) in
            [(1, -1), (-1, 1), (315_576_000_001, 0), (0, 1_000_000_000), (i64::MAX, 0), (i64::MIN, 0)]
        {
            assert_eq!(format_duration(&mut Vec::new(), seconds, nanos), None);
        }
    }
}
