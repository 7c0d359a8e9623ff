//! Elements of DER (X.690), as far as this library reads certificates.
//!
//! Limits: any bytes are read, none twice; what cannot be read is `None`.

pub const BOOLEAN: u8 = 0x01;
pub const INTEGER: u8 = 0x02;
pub const OCTETS: u8 = 0x04;
pub const OBJECT: u8 = 0x06;
pub const SEQUENCE: u8 = 0x30;
pub const SET: u8 = 0x31;
/// The tag `[0] EXPLICIT`.
pub const VERSION: u8 = 0xa0;
/// The tag `[3] EXPLICIT`.
const EXTENSIONS: u8 = 0xa3;

/// Context tags of a name among `subjectAltName` (`GeneralName`): `rfc822Name`, `dNSName`,
/// `uniformResourceIdentifier`, `iPAddress`.
pub const EMAIL: u8 = 0x81;
pub const DNS: u8 = 0x82;
pub const URI: u8 = 0x86;
pub const IP: u8 = 0x87;
/// The object identifier 2.5.29.17, `subjectAltName`.
const ALTERNATIVE_NAMES: [u8; 3] = [0x55, 0x1d, 0x11];

/// The contents of an element with this tag, and the bytes after it.
pub fn expect(tag: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    element(bytes).filter(|(found, ..)| *found == tag).map(|(_, value, rest)| (value, rest))
}

/// Tag, contents, and the following bytes. 8.1: the length has one byte, or a number of bytes and that many;
/// no certificate needs more than four.
pub fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&[tag, length], rest) = bytes.split_first_chunk()?;
    let (length, rest) = match length {
        0..=0x7f => (usize::from(length), rest),
        0x81..=0x84 => {
            let (length, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
            (length.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    let (value, rest) = rest.split_at_checked(length)?;
    Some((tag, value, rest))
}

/// The fields of a certificate from its signature algorithm on, after version and serial number (RFC 5280,
/// 4.1).
pub fn signed_fields(certificate: &[u8]) -> Option<&[u8]> {
    let (certificate, _) = expect(SEQUENCE, certificate)?;
    let (fields, _) = expect(SEQUENCE, certificate)?;
    let fields = expect(VERSION, fields).map_or(fields, |(_, rest)| rest);
    expect(INTEGER, fields).map(|(_serial, rest)| rest)
}

/// The encoded alternative names (RFC 5280, 4.2.1.6), from all or the last of [`signed_fields`]; empty: the
/// certificate has none.
pub fn alternative_names(mut fields: &[u8]) -> Option<&[u8]> {
    let mut extensions = loop {
        if fields.is_empty() {
            return Some(&[]);
        }
        let (tag, value, rest) = element(fields)?;
        if tag == EXTENSIONS {
            break expect(SEQUENCE, value)?.0;
        }
        fields = rest;
    };
    while !extensions.is_empty() {
        let (extension, rest) = expect(SEQUENCE, extensions)?;
        extensions = rest;
        let (id, mut value) = expect(OBJECT, extension)?;
        if id != ALTERNATIVE_NAMES {
            continue;
        }
        if let Some((_critical, rest)) = expect(BOOLEAN, value) {
            value = rest;
        }
        return Some(expect(SEQUENCE, expect(OCTETS, value)?.0)?.0);
    }
    Some(&[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_one_byte_or_up_to_four_more() {
        assert_eq!(element(&[OCTETS, 1, 7, 8]), Some((OCTETS, &[7][..], &[8][..])));
        assert_eq!(element(&[OCTETS, 0x82, 0, 1, 7]), Some((OCTETS, &[7][..], &[][..])));
        assert_eq!(expect(INTEGER, &[OCTETS, 1, 7]), None);
        for length in [0x80, 0x81, 0x84, 0x85, 0xff] {
            assert_eq!(element(&[SEQUENCE, length, 0xff, 0xff, 0xff, 0xff]), None);
        }
    }
}
