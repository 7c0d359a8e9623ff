//! From where pages in browsers may call a server, and under which names they may reach it. A setting of HTTP alone: it
//! reaches its machines by the [`Extensions`](crate::Extensions) of their setup.
//!
//! A browser runs pages of anybody beside what lies behind a firewall. It tells the server which origin a page has, and
//! under which name the request was sent; this is what both are compared with.
//!
//! Source: RFC 6454; fetch.spec.whatwg.org; w3c.github.io/webappsec-fetch-metadata

use std::net::Ipv4Addr;

/// Which pages may call, and the names of the server itself.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// Origins whose pages may call (`https://app.example.com`); `*` stands for all.
    pub allowed: Vec<String>,
    /// Names of the server, with or without a port. Addresses and `localhost` need not be named.
    pub hosts: Vec<String>,
    /// Requests under other names are refused, whoever makes them.
    pub only_hosts: bool,
}

/// Who made a request, as far as a browser says so in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sender {
    /// No browser, or a page that may call.
    #[default]
    Allowed,
    /// A page of another origin, which is not among [`Origins::allowed`].
    ForeignPage,
    /// A request under a name that is not known to be the server's: whoever owns that name may have pointed it here ("DNS
    /// rebinding").
    UnknownHost,
}

impl Origins {
    /// Pages of this origin may call.
    pub fn allows(&self, origin: &[u8]) -> bool {
        self.allowed.iter().any(|one| one == "*" || one.as_bytes() == origin)
    }

    /// Pages of all origins may call.
    pub fn allows_all(&self) -> bool {
        self.allowed.iter().any(|one| one == "*")
    }

    /// `host` (a `Host` field, with or without a port) is one of the server's: an address, which nobody can point elsewhere,
    /// `localhost`, one of [`Origins::hosts`], or nothing.
    pub fn is_known(&self, host: &[u8]) -> bool {
        let Ok(host) = std::str::from_utf8(host) else { return false };
        if host.is_empty() || host.starts_with('[') {
            return true;
        }
        let name = host.split(':').next().unwrap_or(host);
        let name = name.strip_suffix('.').unwrap_or(name);
        name.parse::<Ipv4Addr>().is_ok()
            || is_localhost(name)
            || self
                .hosts
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name) || known.eq_ignore_ascii_case(host))
    }
}

/// RFC 6761 6.3: browsers never ask anybody for the address of these.
fn is_localhost(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    last.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_localhost_are_known_and_other_names_are_not() {
        let origins =
            Origins { hosts: vec!["tool.corp".into(), "other.corp:81".into()], ..Origins::default() };
        for known in [
            "",
            "127.0.0.1",
            "10.0.0.5:8000",
            "[::1]:8000",
            "localhost",
            "LOCALHOST:1",
            "app.localhost",
            "tool.corp",
            "Tool.Corp:8000",
            "tool.corp.:8000",
            "other.corp:81",
        ] {
            assert!(origins.is_known(known.as_bytes()), "{known}");
        }
        for unknown in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:80",
            "notlocalhost",
            "x",
            "other.corp",
            "tool.corp.evil",
        ] {
            assert!(!origins.is_known(unknown.as_bytes()), "{unknown}");
        }
    }
}
