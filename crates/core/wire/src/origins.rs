//! The origins whose pages may call a server from a browser, and the host names under which they may reach
//! it. This is a setting of HTTP alone: it reaches its machines in the [`Extensions`](crate::Extensions) of
//! their setup.
//!
//! A browser runs pages of any origin, also next to servers behind a firewall. It tells the server the origin
//! of the page, and the host name to which the request was sent; both are compared with these settings.
//!
//! Source: RFC 6454; fetch.spec.whatwg.org; w3c.github.io/webappsec-fetch-metadata

use polywire_call::ConfigError;
use std::net::Ipv4Addr;

/// The origins whose pages may call, and the host names of the server itself.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// Origins whose pages may call (`https://app.example.com`); `*` stands for all origins.
    pub allowed: Vec<String>,
    /// Names of the server, with or without a port. Addresses and `localhost` need not be named.
    pub hosts: Vec<String>,
    /// Whether all requests under other names are refused, including those that no browser makes.
    pub only_hosts: bool,
}

/// The sender of a request, as far as a browser reveals it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sender {
    /// Not a browser, or a page that may call.
    #[default]
    Allowed,
    /// A page of another origin, which is not among [`Origins::allowed`].
    ForeignPage,
    /// A request for a host name that is not known to be the server's: the name's owner may have pointed it
    /// here ("DNS rebinding").
    UnknownHost,
}

impl Origins {
    /// Allows pages of this origin (`https://app.example.com`) to call over HTTP. May be called several
    /// times, or with several origins between commas; `*` allows all. Default: only pages that this server
    /// itself served, since otherwise any page in a browser could call a server that the browser can reach.
    /// With a text that no browser sends a server does not start ([`Origins::check`]).
    #[must_use]
    pub fn allow(mut self, origin: &str) -> Self {
        self.allowed.extend(origin.split(',').map(|one| one.trim().to_owned()));
        self
    }

    /// A host name of this server for HTTP (`tool.corp`, with or without a port); addresses and `localhost`
    /// need not be named. May be called several times. Once a name is set, HTTP requests under other names
    /// are refused.
    ///
    /// Default: any name is accepted, with three exceptions: a page in a browser that came over plain HTTP
    /// from the same name, browsers that reach a loopback address over plain HTTP, and pages that only answer
    /// their own machine. The reason is DNS rebinding: the owner of a name may point it to this server after
    /// the browser has loaded a page, whose calls would then look like same-origin calls. At other addresses,
    /// a GET of such a page looks like any other: a server that relies on being reachable only from trusted
    /// networks should set its names.
    #[must_use]
    pub fn host(mut self, name: impl Into<String>) -> Self {
        self.hosts.push(name.into());
        self.only_hosts = true;
        self
    }

    /// Checks the allowed origins, as a server does before it starts.
    ///
    /// # Errors
    /// One is not what browsers send as the origin of a page, so that no page would be allowed by it.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Some(wrong) = self.allowed.iter().find(|one| !is_origin(one)) else { return Ok(()) };
        let text = format!(
            "{wrong:?} is no origin: SCHEME://HOST in small letters, such as https://app.example.com, \
             with :PORT if need be, or \"*\""
        );
        Err(ConfigError::new("origins", text).with_value(wrong))
    }

    /// Whether pages of this origin may call.
    pub fn allows(&self, origin: &[u8]) -> bool {
        self.allowed.iter().any(|one| one == "*" || one.as_bytes() == origin)
    }

    /// Whether pages of all origins may call.
    pub fn allows_all(&self) -> bool {
        self.allowed.iter().any(|one| one == "*")
    }

    /// Whether `host` (a `Host` field, with or without a port) is one of the server's: an IP address, which
    /// nobody else can redirect, `localhost`, one of [`Origins::hosts`], or empty.
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

/// RFC 6454 6.2: the scheme, which may be one of a browser's extensions or of an application around it, the
/// host, and the port if it is not the scheme's own. Not `null`, which pages of many origins have.
fn is_origin(text: &str) -> bool {
    let Some((scheme, host)) = text.split_once("://") else { return text == "*" };
    let is_small = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let in_scheme = |byte: u8| is_small(byte) || b"+-.".contains(&byte);
    let in_host = |byte: u8| is_small(byte) || b"-._:[]".contains(&byte);
    !scheme.is_empty() && scheme.bytes().all(in_scheme) && !host.is_empty() && host.bytes().all(in_host)
}

/// RFC 6761 6.3: browsers never resolve these names by DNS.
fn is_localhost(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    last.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_that_no_browser_sends_is_a_mistake() {
        let check = |origin: &str| Origins::default().allow("https://a.example, *").allow(origin).check();
        for origin in
            ["http://a.example:8080", "https://[::1]:80", "http://localhost", "moz-extension://0a-1b", "*"]
        {
            assert!(check(origin).is_ok(), "{origin}");
        }
        for origin in [
            "",
            "a.example",
            "null",
            "https://",
            "://a",
            "https://A.example",
            "https://a.example/",
            "https://a, b",
        ] {
            let wrong = check(origin).expect_err(origin);
            let last = origin.rsplit(", ").next();
            assert_eq!((wrong.option(), wrong.value()), ("origins", last), "{wrong}");
        }
    }

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
