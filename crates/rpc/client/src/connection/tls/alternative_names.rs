//! The names in a certificate: its subject alternative names. RFC 5280, section 4.2.1.6.

use polywire_engine::transport::der::{
    DNS, EMAIL, IP, URI, alternative_names as encoded, element, signed_fields,
};
use polywire_routing::NameKind;
use std::net::{Ipv4Addr, Ipv6Addr};

/// The alternative names of a certificate, in their order: host names, URIs, mail addresses and IP addresses.
/// `None`: the certificate cannot be parsed. Names of other kinds, and those that are not ASCII, are left
/// out.
pub(super) fn alternative_names(certificate: &[u8]) -> Option<Vec<(NameKind, String)>> {
    let (mut names, mut found) = (encoded(signed_fields(certificate)?)?, Vec::new());
    while !names.is_empty() {
        let (tag, value, rest) = element(names)?;
        names = rest;
        let kind = match tag {
            DNS => NameKind::Dns,
            URI => NameKind::Uri,
            EMAIL => NameKind::Email,
            IP => NameKind::Ip,
            _ => continue,
        };
        if kind == NameKind::Ip {
            let address = match *value {
                [a, b, c, d] => Ipv4Addr::new(a, b, c, d).to_string(),
                _ => Ipv6Addr::from(<[u8; 16]>::try_from(value).ok()?).to_string(),
            };
            found.push((kind, address));
        } else if value.is_ascii()
            && let Ok(text) = std::str::from_utf8(value)
        {
            found.push((kind, text.to_owned()));
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_engine::transport::tls;
    use rcgen::{CertificateParams, KeyPair, SanType};

    fn certificate(names: Vec<SanType>) -> Vec<u8> {
        let mut parameters = CertificateParams::new(Vec::new()).unwrap();
        parameters.subject_alt_names = names;
        let pem = parameters.self_signed(&KeyPair::generate().unwrap()).unwrap().pem();
        tls::certificates(pem.as_bytes()).unwrap()[0].to_vec()
    }

    fn all() -> Vec<u8> {
        certificate(vec![
            SanType::DnsName("*.example.com".try_into().unwrap()),
            SanType::URI("spiffe://shop/carts".try_into().unwrap()),
            SanType::Rfc822Name("a@example.com".try_into().unwrap()),
            SanType::IpAddress([10, 0, 0, 1].into()),
            SanType::IpAddress("2001:db8::1".parse().unwrap()),
        ])
    }

    #[test]
    fn names_of_each_kind() {
        let names = alternative_names(&all()).unwrap();
        let names: Vec<_> = names.iter().map(|(kind, name)| (*kind, name.as_str())).collect();
        assert_eq!(
            names,
            [
                (NameKind::Dns, "*.example.com"),
                (NameKind::Uri, "spiffe://shop/carts"),
                (NameKind::Email, "a@example.com"),
                (NameKind::Ip, "10.0.0.1"),
                (NameKind::Ip, "2001:db8::1"),
            ]
        );
        assert_eq!(alternative_names(&certificate(Vec::new())), Some(Vec::new()));
    }

    #[test]
    fn what_is_cut_off_or_changed_is_not_a_name_that_was_not_there() {
        let whole = all();
        for end in 0..whole.len() {
            assert_eq!(alternative_names(&whole[..end]), None, "{end} bytes");
        }
        for at in 0..whole.len() {
            for value in [0, 0x30, 0x7f, 0x80, 0x84, 0xff] {
                let mut changed = whole.clone();
                changed[at] = value;
                let _ = alternative_names(&changed); // it ends, and reads nothing beyond
            }
        }
    }
}
