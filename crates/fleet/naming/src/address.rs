//! The form of a server's address: `host:port`, `[v6]:port` or `unix:path`.

use std::net::{Ipv4Addr, Ipv6Addr};

/// The longest path of a Unix socket in bytes: `sun_path` of Linux without its last zero.
const MAX_PATH: usize = 107;
/// The longest name of a host in characters, and the longest of its parts (RFC 1035, section 2.3.4).
const MAX_HOST: usize = 253;
const MAX_LABEL: usize = 63;
/// The longest name of a zone: `IFNAMSIZ` of Linux without its last zero.
const MAX_ZONE: usize = 15;

/// Whether this has the form of an address to which a channel can connect.
///
/// Host names are not looked up. Names with characters beyond ASCII have to be written in their DNS form
/// (`xn--…`).
///
/// # Errors
/// The defect, as the end of a sentence that begins with the address.
pub fn check(address: &str) -> Result<(), &'static str> {
    if let Some(path) = address.strip_prefix("unix:") {
        return match path.len() {
            0 => Err("has no path"),
            1..=MAX_PATH if !path.contains('\0') => Ok(()),
            1..=MAX_PATH => Err("has a zero byte in its path"),
            _ => Err("has a path of more than 107 bytes"),
        };
    }
    let Some((host, port)) = address.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')) else {
        return Err("has no port");
    };
    check_port(port)?;
    if host.starts_with('[') {
        return match inside(host).is_some_and(is_v6) {
            true => Ok(()),
            false => Err("has no IPv6 address between its brackets"),
        };
    }
    check_host(host)
}

fn inside(brackets: &str) -> Option<&str> {
    brackets.strip_prefix('[')?.strip_suffix(']')
}

/// Whether the text is an IPv6 address, perhaps with a zone: `fe80::1%eth0` (RFC 4007 11).
fn is_v6(text: &str) -> bool {
    let of_a_zone = |byte: u8| byte.is_ascii_graphic() && !b"%[]/".contains(&byte);
    let (address, zone) = text.split_once('%').unwrap_or((text, "0"));
    let is_zone = (1..=MAX_ZONE).contains(&zone.len()) && zone.bytes().all(of_a_zone);
    is_zone && address.parse::<Ipv6Addr>().is_ok()
}

/// Checks a port that clients connect to.
pub(crate) fn check_port(port: &str) -> Result<u16, &'static str> {
    let digits = (1..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    match port.parse() {
        Ok(0) => Err("has port 0"),
        Ok(port) if digits => Ok(port),
        _ => Err("has a port that is not a number from 1 to 65535"),
    }
}

/// Checks that the text is the name of a host, or an IPv4 address.
pub(crate) fn check_host(host: &str) -> Result<(), &'static str> {
    if host.is_empty() {
        return Err("has no host");
    }
    if host.contains(':') {
        return Err("has an IPv6 address without brackets");
    }
    if host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return host
            .parse::<Ipv4Addr>()
            .map(drop)
            .map_err(|_| "has numbers for a host that are no IPv4 address");
    }
    if host.len() > MAX_HOST + 1 {
        return Err("has a host of more than 253 characters");
    }
    let of_a_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let labels = host.strip_suffix('.').unwrap_or(host).split('.');
    for label in labels {
        if label.is_empty() || label.len() > MAX_LABEL || !label.bytes().all(of_a_name) {
            return Err("has a host that is not a valid DNS name");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn addresses_of_the_three_forms_are_taken() {
        let long = format!("{0}.{0}.{0}.{1}:1", "a".repeat(63), "b".repeat(61));
        let path = format!("unix:{}", "p".repeat(107));
        for address in [
            "host:1",
            "a-b.c_d.e:65535",
            "host.:80",
            "10.0.0.1:8000",
            "[::1]:80",
            "[fe80::1%eth0]:80",
            "[fe80::1%3]:80",
            "unix:/run/a#b c",
            &long,
            &path,
        ] {
            assert_eq!(check(address), Ok(()), "{address}");
        }
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said() {
        let (long_path, long_host) = (format!("unix:{}", "p".repeat(108)), format!("{}:1", "a.".repeat(128)));
        for (address, wrong) in [
            ("", "no port"),
            ("host", "no port"),
            ("[::1]", "no port"),
            (":1", "no host"),
            ("host:", "a number from 1 to 65535"),
            ("host:0", "port 0"),
            ("host:65536", "a number from 1 to 65535"),
            ("host:+80", "a number from 1 to 65535"),
            ("host:000080", "a number from 1 to 65535"),
            ("host:80#old", "a number from 1 to 65535"),
            ("::1:80", "without brackets"),
            ("[::x]:80", "between its brackets"),
            ("[1.2.3.4]:80", "between its brackets"),
            ("[fe80::1%]:80", "between its brackets"),
            ("[fe80::1%a%b]:80", "between its brackets"),
            ("[fe80::1%a b]:80", "between its brackets"),
            ("[fe80::1%abcdefghijklmnop]:80", "between its brackets"),
            ("[]:80", "between its brackets"),
            ("1.2.3:80", "no IPv4 address"),
            ("300.1.1.1:80", "no IPv4 address"),
            ("a..b:80", "not a valid DNS name"),
            ("a b:80", "not a valid DNS name"),
            ("café:80", "not a valid DNS name"),
            ("http://host:80", "without brackets"),
            ("user@host:80", "not a valid DNS name"),
            ("unix:", "no path"),
            ("unix:/a\0b", "zero byte"),
            (&long_path, "more than 107"),
            (&long_host, "more than 253"),
        ] {
            let said = check(address).expect_err(address);
            assert!(said.contains(wrong), "{address:?}: {said}");
        }
    }
}
