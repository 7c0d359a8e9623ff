//! Parses the part of a registry's url after the scheme: `[ADDRESS[,ADDRESS..]/]PATH[?NAME=VALUE&..]`.

use polywire_call::ConfigError;
use std::fmt::Write;

/// The parts of a url. The parameters stay encoded, since some registries receive them unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Url {
    /// Addresses of the registry, `https://` included. Never empty.
    pub addresses: Vec<String>,
    /// Without a slash at its front.
    pub path: String,
    pub parameters: Vec<(String, Option<String>)>,
}

impl Url {
    /// `rest`: the text after `scheme://`. `port` is for addresses without one. `default` is the address if
    /// none is written, where that is allowed: the part before the first slash is then an address only if it
    /// looks like one.
    pub fn parse(scheme: &str, rest: &str, port: u16, default: Option<&str>) -> Result<Url, ConfigError> {
        let wrong = |why: &str| {
            let place = if default.is_some() { "[HOST:PORT/]" } else { "HOST:PORT[,HOST:PORT..]/" };
            let text = format!("{scheme}://{}: {why}: write {scheme}://{place}NAME", without_secrets(rest));
            ConfigError::new("address", text).with_value(scheme)
        };
        if let Some(bad) = rest.chars().find(|c| c.is_whitespace() || c.is_control()) {
            return Err(wrong(&format!("it holds {bad:?}")));
        }
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (tls, written, place) = if let Some(place) = place.strip_prefix("https://") {
            (true, true, place)
        } else {
            let plain = place.strip_prefix("http://");
            (false, plain.is_some(), plain.unwrap_or(place))
        };
        if place.contains("://") {
            return Err(wrong("only http:// and https:// may stand before the address"));
        }
        let (hosts, path) = match place.split_once('/') {
            Some((hosts, path))
                if default.is_none() || written || hosts.contains(':') || hosts.contains('.') =>
            {
                (hosts, path)
            }
            None if written => (place, ""),
            Some(("", path)) => ("", path),
            _ if default.is_some() => ("", place),
            _ => (place, ""),
        };
        let mut addresses = Vec::new();
        for host in hosts.split(',').filter(|host| !host.is_empty()) {
            let has_port = host
                .rsplit_once(':')
                .is_some_and(|(_, port)| !port.ends_with(']') && port.parse::<u16>().is_ok());
            let bare = !host.contains(':') || host.ends_with(']');
            if host.contains('@') || !(has_port || bare) {
                return Err(wrong(&format!("{host:?} is not an address")));
            }
            let address = if has_port { host.to_owned() } else { format!("{host}:{port}") };
            addresses.push(if tls { format!("https://{address}") } else { address });
        }
        if addresses.is_empty() {
            let default =
                default.filter(|_| hosts.is_empty()).ok_or_else(|| wrong("the address is missing"))?;
            addresses.push(default.to_owned());
        }
        let parameters = query.split('&').filter(|parameter| !parameter.is_empty()).map(|parameter| {
            match parameter.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (parameter.to_owned(), None),
            }
        });
        Ok(Url { addresses, path: path.to_owned(), parameters: parameters.collect() })
    }

    /// Removes a parameter, and decodes its value.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.parameters.iter().position(|(given, _)| given == name)?;
        let (_, value) = self.parameters.remove(at);
        Some(decoded(&value.unwrap_or_default()))
    }

    /// Removes `username` and `password`.
    ///
    /// # Errors
    /// One of them is missing: the registry would be called without a user.
    pub fn take_user(&mut self) -> Result<Option<(String, String)>, ConfigError> {
        match (self.take("username"), self.take("password")) {
            (Some(name), Some(password)) => Ok(Some((name, password))),
            (None, None) => Ok(None),
            (name, _) => {
                let (given, missing) =
                    if name.is_some() { ("username", "password") } else { ("password", "username") };
                let text = format!("{}: {given} without {missing}", self.addresses.join(","));
                Err(ConfigError::new("address", text))
            }
        }
    }

    /// The parameters, still encoded.
    pub fn query(&self) -> String {
        let parameter = |(name, value): &(String, Option<String>)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.clone(),
        };
        self.parameters.iter().map(parameter).collect::<Vec<_>>().join("&")
    }
}

/// Parameters that are never shown.
const SECRETS: [&str; 3] = ["token", "password", "accessToken"];

/// A url without the values of its secrets, for messages.
pub(crate) fn without_secrets(rest: &str) -> String {
    let Some((place, query)) = rest.split_once('?') else { return rest.to_owned() };
    let parameters = query.split('&').map(|parameter| match parameter.split_once('=') {
        Some((name, _)) if SECRETS.contains(&name) => format!("{name}=***"),
        _ => parameter.to_owned(),
    });
    format!("{place}?{}", parameters.collect::<Vec<_>>().join("&"))
}

/// Text as part of a path or query: all but letters, digits and `-._~` as `%XX`.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte.into()),
            _ => write!(out, "%{byte:02X}").expect("memory grows"),
        }
    }
    out
}

/// Decodes `%XX` to bytes; invalid escapes stay.
pub(crate) fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let pair = tail.get(..2).filter(|_| *first == b'%').and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                rest = &tail[2..];
            }
            None => {
                out.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(rest: &str, default: Option<&str>) -> (Vec<String>, String) {
        let url = Url::parse("reg", rest, 9, default).expect(rest);
        (url.addresses, url.path)
    }

    #[test]
    fn addresses_and_path_are_told_apart() {
        let local = Some("127.0.0.1:9");
        for (rest, default, addresses, path) in [
            ("echo", local, &["127.0.0.1:9"][..], "echo"),
            ("host:1/echo", local, &["host:1"], "echo"),
            ("10.0.0.1/echo", local, &["10.0.0.1:9"], "echo"),
            ("https://host/echo", local, &["https://host:9"], "echo"),
            ("team/echo", local, &["127.0.0.1:9"], "team/echo"),
            ("a,b:1,[::1]:2/svc/echo", None, &["a:9", "b:1", "[::1]:2"], "svc/echo"),
            ("a", None, &["a:9"], ""),
            ("http://a", local, &["a:9"], ""),
        ] {
            let expected = (addresses.iter().map(|a| (*a).to_owned()).collect(), path.to_owned());
            assert_eq!(parsed(rest, default), expected, "{rest}");
        }
    }

    #[test]
    fn a_bad_url_is_refused_with_the_form_that_it_should_have() {
        for rest in
            ["", "/echo", "a:b/echo", "u@host/echo", "ftp://host/echo", "host/e cho", "host:99999/echo"]
        {
            let why = Url::parse("reg", rest, 9, None).expect_err(rest).to_string();
            assert!(why.contains("write reg://HOST:PORT"), "{why}");
        }
    }

    #[test]
    fn parameters_are_taken_decoded_and_the_others_stay() {
        let mut url = Url::parse("reg", "h/p?stale&token=a%2Fb&tag=x", 9, None).unwrap();
        assert_eq!(url.take("token").as_deref(), Some("a/b"));
        assert_eq!(url.take("stale").as_deref(), Some(""));
        assert_eq!((url.take("none"), url.query()), (None, "tag=x".to_owned()));
        assert_eq!(encoded("a/b c"), "a%2Fb%20c");
        assert_eq!(decoded("%zz%4"), "%zz%4");
    }

    #[test]
    fn secrets_are_not_shown() {
        assert_eq!(without_secrets("h/p?token=abc&tag=x"), "h/p?token=***&tag=x");
        let why = Url::parse("reg", "?password=hush", 9, None).unwrap_err().to_string();
        assert!(!why.contains("hush"), "{why}");
    }
}
