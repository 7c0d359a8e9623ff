//! The contents of a certificate: its names, its issuer, and its period of validity.
//!
//! A reader of the few fields of X.509 that operators ask for; whether a certificate is valid is decided by
//! others. RFC 5280, 4.1:
//!
//! ```text
//! Certificate: SEQUENCE { tbs: SEQUENCE { [0] version?, serial, algorithm, issuer, validity { from, until }, subject, .. }, .. }
//! ```
//!
//! Limits: any bytes are read, in time that grows with their number; what cannot be read is `None`.

use polywire_base::calendar::Date;
use polywire_engine::transport::der::{OBJECT, SEQUENCE, SET, element, expect, signed_fields};
use rustls::pki_types::CertificateDer;
use webpki::EndEntityCert;

/// The contents of a certificate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Certificate {
    /// The DNS names, or the subject's common name if there are none. At most [`MOST_NAMES`].
    pub names: Vec<String>,
    /// The common name of its issuer, or its organisation.
    pub issuer: String,
    /// The beginning of the validity, in seconds since 1970.
    pub from: i64,
    pub until: i64,
}

/// Names of a certificate that are shown.
const MOST_NAMES: usize = 16;

impl Certificate {
    /// Reads a certificate in DER.
    pub fn read(der: &[u8]) -> Option<Certificate> {
        let (_algorithm, rest) = expect(SEQUENCE, signed_fields(der)?)?;
        let (issuer, rest) = expect(SEQUENCE, rest)?;
        let (validity, rest) = expect(SEQUENCE, rest)?;
        let (subject, _) = expect(SEQUENCE, rest)?;
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

const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
/// The tags of UTF8String, PrintableString and IA5String.
const STRINGS: [u8; 3] = [0x0c, 0x13, 0x16];
/// The object identifiers of commonName and organizationName.
const NAMES: [&[u8]; 2] = [&[0x55, 4, 3], &[0x55, 4, 10]];

/// The common name of a sequence of names, or the organisation.
fn name(names: &[u8]) -> Option<String> {
    NAMES.iter().find_map(|wanted| {
        let mut rest = names;
        while let Some((set, behind)) = expect(SET, rest) {
            rest = behind;
            let (pair, _) = expect(SEQUENCE, set)?;
            let (id, value) = expect(OBJECT, pair)?;
            let (tag, text, _) = element(value)?;
            if id == *wanted && STRINGS.contains(&tag) {
                return std::str::from_utf8(text).ok().map(str::to_owned);
            }
        }
        None
    })
}

/// A time in seconds since 1970, and the bytes after it. RFC 5280, 4.1.2.5: `YYMMDDHHMMSSZ` up to 2049, then
/// `YYYYMMDDHHMMSSZ`.
fn time(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let (tag, text, rest) = element(bytes)?;
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
    let day = Date { year, month: month as u32, day: day as u32 }.to_day();
    Some((day * 86_400 + two(4) * 3600 + two(6) * 60 + two(8), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // nothing follows
        assert_eq!(Certificate::read(&[SEQUENCE, 2, SEQUENCE, 0]), None);
    }
}
