//! Addresses as users write them.
//!
//! | written | means |
//! | --- | --- |
//! | `host:port`, `[v6]:port` | TCP |
//! | `unix:path` | a Unix socket |
//! | `http://host:port`, `http://host` | TCP; port 80 where none is given |
//! | `https://host:port`, `https://host` | TCP and TLS; port 443 where none is given |
//! | `grpc://host:port`, `redis://host:port`, … | TCP, and that protocol: `builder.rs` takes the scheme away |
//!
//! `http://` and `https://` do not choose the protocol; [`crate::Builder::protocol`] does.

use polywire_call::ConfigError;
use polywire_naming::Schemes;

/// The parts of a channel's address.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Address {
    /// `host:port`, `[v6]:port` or `unix:path`.
    pub plain: String,
    /// Whether the address asks for TLS.
    pub secure: bool,
}

impl Address {
    /// `schemes`: the url schemes of names with several servers. Errors list them.
    ///
    /// # Errors
    /// The text is not an address; the error names the fault and the valid forms.
    pub fn parse(text: &str, schemes: &Schemes) -> Result<Address, ConfigError> {
        let wrong = |why: &str| {
            let forms = "host:port, unix:path, http://host:port or https://host:port";
            ConfigError::new("address", format!("address {text:?} {why}: write {forms}")).with_value(text)
        };
        if text.starts_with("unix:") {
            return Ok(Address { plain: text.to_owned(), secure: false });
        }
        let (rest, secure, default) = if let Some(rest) = text.strip_prefix("http://") {
            (rest, false, Some(80))
        } else if let Some(rest) = text.strip_prefix("https://") {
            (rest, true, Some(443))
        } else if text.contains("://") {
            return Err(wrong(&format!("has an unknown scheme ({})", schemes.advice(text))));
        } else {
            (text, false, None)
        };
        let rest = if default.is_some() { rest.strip_suffix('/').unwrap_or(rest) } else { rest };
        if rest.contains(['/', '?', '#', '@']) {
            return Err(wrong("has more than a host and a port"));
        }
        let port = rest.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')); // else it is within [v6]
        let plain = match (port, default) {
            (Some((host, port)), _) if !host.is_empty() && port.parse::<u16>().is_ok() => rest.to_owned(),
            (None, Some(port)) if !rest.is_empty() => format!("{rest}:{port}"),
            (Some((host, port)), _) if !host.is_empty() && is_number(port) => {
                return Err(wrong("has a port above 65535"));
            }
            _ => return Err(wrong("has no host and port")),
        };
        Ok(Address { plain, secure })
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_as_in_other_clients() {
        for (text, plain, secure) in [
            ("host:1", "host:1", false),
            ("[::1]:8000", "[::1]:8000", false),
            ("unix:/run/a://b", "unix:/run/a://b", false),
            ("http://host:8000", "host:8000", false),
            ("http://host:8000/", "host:8000", false),
            ("http://host", "host:80", false),
            ("https://host", "host:443", true),
            ("https://[::1]", "[::1]:443", true),
            ("https://[::1]:8443/", "[::1]:8443", true),
        ] {
            assert_eq!(
                Address::parse(text, &Schemes::builtin()).unwrap(),
                Address { plain: plain.into(), secure },
                "{text}"
            );
        }
        for text in [
            "",
            "host",
            ":1",
            "host:99999",
            "host:1/",
            "http://",
            "http://host:1/path",
            "grpc://host:1",
            "a@b:1",
        ] {
            let why = Address::parse(text, &Schemes::builtin()).expect_err(text).to_string();
            assert!(why.contains(&format!("{text:?}")) && why.contains("write host:port"), "{why}");
        }
    }

    #[test]
    fn an_unknown_scheme_is_answered_with_those_of_naming_urls_and_a_hint() {
        let why = Address::parse("flie:///etc/echo", &Schemes::builtin()).expect_err("no scheme").to_string();
        assert!(
            why.starts_with(
                "address \"flie:///etc/echo\" has an unknown scheme (known are list://, dlist://"
            ),
            "{why}"
        );
        assert!(why.contains("; did you mean file://?): write host:port"), "{why}");
    }
}
