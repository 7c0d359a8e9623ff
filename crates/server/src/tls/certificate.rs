//! What a certificate says of itself: its names, who issued it, and from when until when it holds.
//!
//! A reader of the few fields of X.509 that operators ask for; whether a certificate is valid is decided by others. RFC 5280, 4.1:
//!
//! ```text
//! Certificate: SEQUENCE { tbs: SEQUENCE { [0] version?, serial, algorithm, issuer, validity { from, until }, subject, .. }, .. }
//! ```
//!
//! Limits: any bytes are read, in time that grows with their number; what cannot be read is `None`.

use rustls::pki_types::CertificateDer;
use webpki::EndEntityCert;

/// What is known of a certificate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Certificate {
    /// Its DNS names, or its subject's common name if it has none. At most [`MOST_NAMES`].
    pub names: Vec<String>,
    /// The common name of its issuer, or its organisation.
    pub issuer: String,
    /// Seconds since 1970.
    pub from: i64,
    pub until: i64,
}

/// Names of a certificate that are shown.
const MOST_NAMES: usize = 16;

impl Certificate {
    /// Reads a certificate in DER.
    pub fn read(der: &[u8]) -> Option<Certificate> {
        let (certificate, _) = part(der, SEQUENCE)?;
        let (mut tbs, _) = part(certificate, SEQUENCE)?;
        if let Some((_, rest)) = part(tbs, VERSION) {
            tbs = rest;
        }
        let (_serial, rest) = part(tbs, INTEGER)?;
        let (_algorithm, rest) = part(rest, SEQUENCE)?;
        let (issuer, rest) = part(rest, SEQUENCE)?;
        let (validity, rest) = part(rest, SEQUENCE)?;
        let (subject, _) = part(rest, SEQUENCE)?;
        let (from, validity) = time(validity)?;
        let (until, _) = time(validity)?;
        let der = CertificateDer::from(der);
        let parsed = EndEntityCert::try_from(&der).ok();
        let mut names: Vec<String> = parsed
            .iter()
            .flat_map(|parsed| parsed.valid_dns_names())
            .take(MOST_NAMES)
            .map(str::to_owned)
            .collect();
        if names.is_empty() {
            names.extend(name(subject));
        }
        Some(Certificate { names, issuer: name(issuer).unwrap_or_default(), from, until })
    }
}

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const INTEGER: u8 = 0x02;
const OBJECT_ID: u8 = 0x06;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
/// UTF8String, PrintableString, IA5String.
const STRINGS: [u8; 3] = [0x0c, 0x13, 0x16];
/// id-at-commonName, id-at-organizationName.
const NAMES: [&[u8]; 2] = [&[0x55, 4, 3], &[0x55, 4, 10]];

/// The contents of a value with this tag, and what follows it. X.690, 8.1: the length has one byte, or a number of bytes and
/// that many.
fn part(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (found, rest) = any(bytes)?;
    (found == tag).then_some(rest)
}

/// A tag, with its contents and what follows them.
fn any(bytes: &[u8]) -> Option<(u8, (&[u8], &[u8]))> {
    let (&[tag, length], rest) = bytes.split_first_chunk::<2>()?;
    let (length, rest) = match length {
        0..=0x7f => (usize::from(length), rest),
        0x81..=0x84 => {
            let (long, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
            (long.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    Some((tag, rest.split_at_checked(length)?))
}

/// The common name of a sequence of names, or the organisation.
fn name(names: &[u8]) -> Option<String> {
    NAMES.iter().find_map(|wanted| {
        let mut rest = names;
        while let Some((set, behind)) = part(rest, SET) {
            rest = behind;
            let (pair, _) = part(set, SEQUENCE)?;
            let (id, value) = part(pair, OBJECT_ID)?;
            let (tag, (text, _)) = any(value)?;
            if id == *wanted && STRINGS.contains(&tag) {
                return std::str::from_utf8(text).ok().map(str::to_owned);
            }
        }
        None
    })
}

/// A time in seconds since 1970, and what follows it. RFC 5280, 4.1.2.5: `YYMMDDHHMMSSZ` up to 2049, then `YYYYMMDDHHMMSSZ`.
fn time(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let (tag, (text, rest)) = any(bytes)?;
    let years = match tag {
        UTC_TIME => 2,
        GENERALIZED_TIME => 4,
        _ => return None,
    };
    let digits = text.strip_suffix(b"Z")?;
    if digits.len() != years + 10 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = |digits: &[u8]| digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
    let year = match (years, number(&digits[..years])) {
        (2, year @ 0..50) => 2000 + year,
        (2, year) => 1900 + year,
        (_, year) => year,
    };
    let two = |at: usize| number(&digits[years + at..years + at + 2]);
    let (month, day) = (two(0), two(2));
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    Some((days(year, month, day) * 86_400 + two(4) * 3600 + two(6) * 60 + two(8), rest))
}

/// Days from 1970 to a day of the Gregorian calendar. The year is counted from March, so that a leap day is its last one.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month < 3 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let before = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    before + (month * 306 + 5) / 10 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `date -u -d 2000-02-29 +%s` and so on.
    #[test]
    fn days_are_those_of_the_calendar() {
        for (year, month, day, seconds) in [
            (1970, 1, 1, 0),
            (2000, 2, 29, 951_782_400),
            (2000, 3, 1, 951_868_800),
            (2026, 11, 23, 1_795_392_000),
            (2050, 1, 1, 2_524_608_000),
            (2100, 3, 1, 4_107_542_400),
        ] {
            assert_eq!(days(year, month, day) * 86_400, seconds, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn times_are_read_in_both_forms_and_in_no_other() {
        let of = |tag: u8, text: &str| {
            let mut bytes = vec![tag, text.len() as u8];
            bytes.extend(text.bytes());
            time(&bytes).map(|(seconds, _)| seconds)
        };
        assert_eq!(of(UTC_TIME, "000229000001Z"), Some(951_782_401));
        assert_eq!(of(UTC_TIME, "700101000000Z"), Some(0));
        assert_eq!(of(GENERALIZED_TIME, "20500101010203Z"), Some(2_524_608_000 + 3723));
        for wrong in
            ["", "Z", "0002290000Z", "000229000001", "00+229000001Z", "001329000001Z", "000200000001Z"]
        {
            assert_eq!(of(UTC_TIME, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn no_bytes_are_too_much() {
        assert_eq!(Certificate::read(&[]), None);
        for length in [0x80, 0x81, 0x84, 0x85, 0xff] {
            assert_eq!(Certificate::read(&[SEQUENCE, length, 0xff, 0xff, 0xff, 0xff]), None);
        }
        // nothing follows
        assert_eq!(Certificate::read(&[SEQUENCE, 2, SEQUENCE, 0]), None);
    }
}
