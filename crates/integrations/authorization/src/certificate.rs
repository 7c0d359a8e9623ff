//! The names in a client's certificate that rules call principals.
//!
//! A41: "If there is no client certificate (thus no SAN nor Subject), check if "" (empty string) matches."
//! With one, URIs are compared if it has any, or else its DNS names, or else its subject.
//!
//! Source: RFC 5280, 4.1 and 4.2.1.6; the subject as text: RFC 2253.
//! Limits: any bytes are read, none twice; what cannot be read has no names, and is [`Unreadable`].

use polywire_engine::transport::{
    Security,
    der::{DNS, OBJECT, SEQUENCE, SET, URI, alternative_names, element, expect, signed_fields},
};
use std::fmt::Write;

/// The principals of a connection over TLS; at least one.
#[derive(Debug, PartialEq)]
pub(crate) struct Principals(Box<[Box<str>]>);

/// A verified certificate whose names cannot be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unreadable;

impl Principals {
    pub fn of(security: &Security) -> Result<Self, Unreadable> {
        match security.peer_certificates.first() {
            Some(certificate) => names(certificate).map(|names| Principals(names.into())).ok_or(Unreadable),
            None => Ok(Principals::anonymous()),
        }
    }

    fn anonymous() -> Self {
        Principals(["".into()].into())
    }

    #[cfg(test)]
    pub fn named(names: &[&str]) -> Self {
        Principals(names.iter().map(|name| Box::from(*name)).collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|name| &**name)
    }

    /// The one that records show.
    pub fn first(&self) -> &str {
        self.0.first().map_or("", |name| name)
    }
}

/// The names of a certificate. `None`: it cannot be read.
fn names(certificate: &[u8]) -> Option<Vec<Box<str>>> {
    let (_algorithm, rest) = expect(SEQUENCE, signed_fields(certificate)?)?;
    let (_issuer, rest) = expect(SEQUENCE, rest)?;
    let (_validity, rest) = expect(SEQUENCE, rest)?;
    let (subject, rest) = expect(SEQUENCE, rest)?;
    let (mut uris, mut hosts) = (Vec::new(), Vec::new());
    let mut alternative = alternative_names(rest)?;
    while !alternative.is_empty() {
        let (tag, value, rest) = element(alternative)?;
        alternative = rest;
        match tag {
            URI => uris.push(ascii(value)?.into()),
            DNS => hosts.push(ascii(value)?.into()),
            _ => {}
        }
    }
    if !uris.is_empty() {
        return Some(uris);
    }
    if !hosts.is_empty() {
        return Some(hosts);
    }
    Some(vec![subject_text(subject)?.into()])
}

/// RFC 5280, 4.2.1.6: both kinds are an IA5String.
fn ascii(value: &[u8]) -> Option<&str> {
    std::str::from_utf8(value).ok().filter(|text| text.is_ascii())
}

/// RFC 2253, 2.3: the types that have a name; others are written as numbers with dots.
const TYPES: [(&[u8], &str); 9] = [
    (&[0x55, 4, 3], "CN"),
    (&[0x55, 4, 7], "L"),
    (&[0x55, 4, 8], "ST"),
    (&[0x55, 4, 10], "O"),
    (&[0x55, 4, 11], "OU"),
    (&[0x55, 4, 6], "C"),
    (&[0x55, 4, 9], "STREET"),
    (&[0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 25], "DC"),
    (&[0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 1], "UID"),
];

/// UTF8String, NumericString, PrintableString, IA5String.
const STRINGS: [u8; 4] = [0x0c, 0x12, 0x13, 0x16];

/// A name in the form of RFC 2253: "starting with the last element of the sequence and moving backwards
/// toward the first", elements of one set joined by `+`.
fn subject_text(mut sequence: &[u8]) -> Option<String> {
    let mut sets = Vec::new();
    while !sequence.is_empty() {
        let (set, rest) = expect(SET, sequence)?;
        sets.push(set);
        sequence = rest;
    }
    let mut text = String::new();
    for (k, mut set) in sets.into_iter().rev().enumerate() {
        let mut separator = if k == 0 { "" } else { "," };
        while !set.is_empty() {
            let (pair, rest) = expect(SEQUENCE, set)?;
            set = rest;
            let (id, value) = expect(OBJECT, pair)?;
            text.push_str(separator);
            separator = "+";
            put_pair(&mut text, id, value)?;
        }
    }
    Some(text)
}

/// `TYPE=value`; `#` and the bytes of its encoding for a value that is no text, or whose type has no name.
fn put_pair(text: &mut String, id: &[u8], value: &[u8]) -> Option<()> {
    let (tag, content, _) = element(value)?;
    let name = TYPES.iter().find(|(known, _)| *known == id).map(|(_, name)| *name);
    match name {
        Some(name) => text.push_str(name),
        None => put_numbers(text, id)?,
    }
    text.push('=');
    if name.is_some() && STRINGS.contains(&tag) {
        put_escaped(text, std::str::from_utf8(content).ok()?);
    } else {
        text.push('#');
        value.iter().for_each(|byte| write!(text, "{byte:02x}").expect("a string takes everything"));
    }
    Some(())
}

/// 2.4: "a space or `#` character occurring at the beginning", "a space at the end", and `,+"\<>;` anywhere.
fn put_escaped(text: &mut String, value: &str) {
    let last = value.len().saturating_sub(1);
    for (at, character) in value.char_indices() {
        let escaped = match character {
            ',' | '+' | '"' | '\\' | '<' | '>' | ';' => true,
            '#' => at == 0,
            ' ' => at == 0 || at == last,
            _ => false,
        };
        if escaped {
            text.push('\\');
        }
        text.push(character);
    }
}

/// X.690, 8.19: seven bits a byte, the first two numbers in one.
fn put_numbers(text: &mut String, id: &[u8]) -> Option<()> {
    let (mut number, mut first) = (0u64, true);
    for byte in id {
        number = number.checked_mul(128)? | u64::from(byte & 0x7f);
        if byte & 0x80 != 0 {
            continue;
        }
        if first {
            let top = (number / 40).min(2);
            write!(text, "{top}.{}", number - 40 * top).expect("a string takes everything");
        } else {
            write!(text, ".{number}").expect("a string takes everything");
        }
        (number, first) = (0, false);
    }
    (!first && number == 0).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_engine::transport::der::INTEGER;
    use polywire_engine::transport::der::OCTETS;
    use rcgen::{CertificateParams, DnType, DnValue, KeyPair, SanType};

    fn principals(parameters: CertificateParams) -> Vec<String> {
        let key = KeyPair::generate().unwrap();
        let certificate = parameters.self_signed(&key).unwrap();
        let names = names(certificate.der()).unwrap();
        names.iter().map(|name| name.to_string()).collect()
    }

    fn with(alternative: Vec<SanType>, subject: &[(DnType, DnValue)]) -> CertificateParams {
        let mut parameters = CertificateParams::default();
        parameters.subject_alt_names = alternative;
        parameters.distinguished_name = rcgen::DistinguishedName::new();
        subject
            .iter()
            .for_each(|(kind, value)| parameters.distinguished_name.push(kind.clone(), value.clone()));
        parameters
    }

    fn text(text: &str) -> DnValue {
        DnValue::Utf8String(text.to_owned())
    }

    /// Expectations: internal/xds/rbac/matchers.go of grpc-go, `authenticatedMatcher.match`.
    #[test]
    fn uris_come_before_host_names_and_those_before_the_subject() {
        let uri = |uri: &str| SanType::URI(uri.try_into().unwrap());
        let host = |host: &str| SanType::DnsName(host.try_into().unwrap());
        let mail = SanType::Rfc822Name("a@b.c".try_into().unwrap());
        let subject = [(DnType::CommonName, text("billing"))];
        let of = |names: Vec<SanType>| principals(with(names, &subject));
        assert_eq!(
            of(vec![host("h"), uri("spiffe://a/b"), uri("spiffe://c")]),
            ["spiffe://a/b", "spiffe://c"]
        );
        assert_eq!(of(vec![mail.clone(), host("h"), host("*.i")]), ["h", "*.i"]);
        assert_eq!(of(vec![mail]), ["CN=billing"]);
        assert_eq!(of(vec![]), ["CN=billing"]);
        assert_eq!(principals(with(vec![], &[])), [""]);
    }

    /// The examples of RFC 2253, section 5, with types that a certificate can have.
    #[test]
    fn a_subject_is_written_from_its_end_and_escaped() {
        let of = |subject: &[(DnType, DnValue)]| principals(with(vec![], subject)).remove(0);
        assert_eq!(
            of(&[
                (DnType::CountryName, DnValue::PrintableString("GB".try_into().unwrap())),
                (DnType::OrganizationName, text("Isode Limited")),
                (DnType::CommonName, text("Steve Kille")),
            ]),
            "CN=Steve Kille,O=Isode Limited,C=GB"
        );
        assert_eq!(
            of(&[(DnType::OrganizationName, text("Sue, Grabbit and Runn"))]),
            r"O=Sue\, Grabbit and Runn"
        );
        assert_eq!(of(&[(DnType::CommonName, text(" #+;<>\"\\ "))]), r#"CN=\ #\+\;\<\>\"\\\ "#);
        assert_eq!(of(&[(DnType::CommonName, text("#ü#"))]), r"CN=\#ü#");
        let own = DnType::CustomDnType(vec![1, 3, 6, 1, 4, 1, 1466, 0]);
        assert_eq!(of(&[(own, text("Hi"))]), "1.3.6.1.4.1.1466.0=#0c024869");
    }

    #[test]
    fn a_forger_needs_a_comma_and_does_not_get_one() {
        let subject = [(DnType::CommonName, text("x,O=admins"))];
        assert_eq!(principals(with(vec![], &subject)), [r"CN=x\,O=admins"]);
    }

    /// An element of DER shorter than 64 KiB.
    fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
        let content = parts.concat();
        let [high, low] = u16::try_from(content.len()).unwrap().to_be_bytes();
        [&[tag, 0x82, high, low][..], &content].concat()
    }

    /// A certificate with this subject and these alternative names, whose lengths fit whatever they are.
    fn certificate(subject: &[u8], alternative: &[u8]) -> Vec<u8> {
        let extension = der(SEQUENCE, &[&der(OBJECT, &[&[0x55, 0x1d, 0x11]]), &der(OCTETS, &[alternative])]);
        let extensions = der(0xa3, &[&der(SEQUENCE, &[&extension])]);
        let empty = der(SEQUENCE, &[]);
        let (serial, key) = (der(INTEGER, &[&[1]]), &empty);
        let signed = [&serial, &empty, &empty, &empty, subject, key, &extensions];
        der(SEQUENCE, &[&der(SEQUENCE, &signed), &empty])
    }

    fn read(subject: &[u8], alternative: &[u8]) -> Option<Vec<String>> {
        let names = names(&certificate(subject, alternative))?;
        Some(names.iter().map(|name| name.to_string()).collect())
    }

    /// Names that are cut off are not those of somebody else: what is left of `spiffe://prod/admin2` would be
    /// another caller.
    #[test]
    fn alternative_names_that_are_cut_off_are_unreadable() {
        let nobody = der(SEQUENCE, &[]);
        let (first, second) = (der(URI, &[b"spiffe://prod/a"]), der(URI, &[b"spiffe://prod/b"]));
        let both = [&*first, &second].concat();
        for end in 0..=both.len() {
            let whole = match end {
                0 => Some(vec![""]),
                end if end == first.len() => Some(vec!["spiffe://prod/a"]),
                end if end == both.len() => Some(vec!["spiffe://prod/a", "spiffe://prod/b"]),
                _ => None,
            };
            let whole = whole.map(|names| names.into_iter().map(str::to_owned).collect());
            assert_eq!(read(&nobody, &der(SEQUENCE, &[&both[..end]])), whole, "{end}");
        }
        // And so where the extension itself is cut off.
        let extension = der(SEQUENCE, &[&both]);
        for end in 0..extension.len() {
            assert_eq!(read(&nobody, &extension[..end]), None, "{end}");
        }
        assert_eq!(read(&nobody, &der(SEQUENCE, &[&der(URI, &["spiffe://prod/ä".as_bytes()])])), None);
    }

    #[test]
    fn a_subject_that_is_cut_off_is_unreadable() {
        let pair = der(SEQUENCE, &[&der(OBJECT, &[&[0x55, 4, 3]]), &der(0x0c, &[b"admin"])]);
        let (set, none) = (der(SET, &[&pair]), der(SEQUENCE, &[]));
        for end in 0..=pair.len() {
            let found = read(&der(SEQUENCE, &[&der(SET, &[&pair[..end]])]), &none);
            let whole = match end {
                0 => Some(vec![String::new()]),
                end if end == pair.len() => Some(vec!["CN=admin".to_owned()]),
                _ => None,
            };
            assert_eq!(found, whole, "{end}");
        }
        for end in 1..set.len() {
            assert_eq!(read(&der(SEQUENCE, &[&set[..end]]), &none), None, "{end}");
        }
    }

    /// Whatever byte of a certificate is another one, nothing panics, and no further name appears.
    #[test]
    fn a_changed_byte_adds_no_name() {
        let uri = SanType::URI("spiffe://a/b".try_into().unwrap());
        let key = KeyPair::generate().unwrap();
        let subject = [(DnType::CommonName, text("billing"))];
        let whole = with(vec![uri], &subject).self_signed(&key).unwrap().der().to_vec();
        assert_eq!(names(&whole).unwrap().len(), 1);
        for at in 0..whole.len() {
            for value in 0..=255 {
                let mut changed = whole.clone();
                changed[at] = value;
                assert!(names(&changed).is_none_or(|names| names.len() == 1), "{at} {value}");
            }
        }
    }
}
