//! Heads of HTTP/1.1: read with limits, changed and written.

use std::net::IpAddr;
use tokio::io::AsyncReadExt;

/// Longest head in bytes.
const LONGEST: usize = 64 << 10;

/// A first line and its fields, in order.
#[derive(Debug, PartialEq, Eq)]
pub struct Head {
    line: String,
    fields: Vec<(String, String)>,
}

/// Fields of one connection, or about the end of a body, which are written again.
const HOP: [&str; 9] = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "proxy-authenticate",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

impl Head {
    /// Reads a head; returns it with the first bytes of its body. `None`: the peer closed without sending
    /// one.
    ///
    /// # Errors
    /// The fault of the head.
    pub async fn read(
        from: &mut (impl AsyncReadExt + Unpin),
    ) -> Result<Option<(Head, Vec<u8>)>, &'static str> {
        let mut bytes = Vec::new();
        let mut piece = [0; 4096];
        loop {
            let n = from.read(&mut piece).await.map_err(|_| "the connection broke")?;
            if n == 0 {
                return if bytes.is_empty() { Ok(None) } else { Err("the connection ended within a head") };
            }
            let searched = bytes.len().saturating_sub(3);
            bytes.extend_from_slice(&piece[..n]);
            if let Some(end) = bytes[searched..].windows(4).position(|four| four == b"\r\n\r\n") {
                let end = searched + end;
                let body = bytes.split_off(end + 4);
                bytes.truncate(end);
                return Head::parse(&bytes).map(|head| Some((head, body)));
            }
            if bytes.len() > LONGEST {
                return Err("the head is longer than 64 KiB");
            }
        }
    }

    fn parse(bytes: &[u8]) -> Result<Head, &'static str> {
        let text = std::str::from_utf8(bytes).map_err(|_| "the head is not UTF-8")?;
        let mut lines = text.split("\r\n");
        let line = lines.next().unwrap_or_default().to_owned();
        let is_plain = |text: &str| !text.contains(|c: char| c.is_control() && c != '\t');
        if !is_plain(&line) || line.split(' ').count() < 2 {
            return Err("the first line is not one of HTTP");
        }
        let mut fields = Vec::new();
        for field in lines {
            let (name, value) = field.split_once(':').ok_or("a field has no colon")?;
            let is_token = |c: u8| c.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&c);
            if name.is_empty() || !name.bytes().all(is_token) || !is_plain(value) {
                return Err("a field has letters that it may not have");
            }
            fields.push((name.to_owned(), value.trim().to_owned()));
        }
        Ok(Head { line, fields })
    }

    /// The bytes of the head, with the empty line.
    pub fn write(&self) -> Vec<u8> {
        let mut text = format!("{}\r\n", self.line);
        self.fields.iter().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
        text += "\r\n";
        text.into_bytes()
    }

    /// The first field of this name, in any case.
    pub fn first(&self, name: &str) -> Option<&str> {
        let field = self.fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(&field.1)
    }

    fn remove(&mut self, names: &[&str]) {
        self.fields.retain(|(known, _)| !names.iter().any(|name| name.eq_ignore_ascii_case(known)));
    }

    /// The length of the body.
    ///
    /// # Errors
    /// The length is not a number, or occurs several times.
    pub fn content_length(&self) -> Result<u64, &'static str> {
        let is_length = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("content-length");
        let mut lengths = self.fields.iter().filter(is_length);
        match (lengths.next(), lengths.next()) {
            (None, _) => Ok(0),
            (Some((_, length)), None) if length.bytes().all(|byte| byte.is_ascii_digit()) => {
                length.parse().map_err(|_| "content-length is no length")
            }
            _ => Err("content-length is no length"),
        }
    }

    /// Whether the request names this machine as its host: `localhost` or an address. The owner of any other
    /// name could let it lead here after the browser has loaded his page (DNS rebinding).
    pub fn is_for_this_machine(&self) -> bool {
        let is_host = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("host");
        let mut hosts = self.fields.iter().filter(is_host);
        let (Some((_, host)), None) = (hosts.next(), hosts.next()) else { return false };
        let host = match host.strip_prefix('[') {
            Some(v6) => v6.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let host = host.to_ascii_lowercase();
        host == "localhost" || host.ends_with(".localhost") || host.parse::<IpAddr>().is_ok()
    }

    /// Whether a page of another origin sends it, other than by a link to a page without a query: brpc's
    /// pages change something by GET.
    pub fn is_of_another_page(&self) -> bool {
        let value = |field: &str| self.first(field).unwrap_or_default().to_ascii_lowercase();
        let foreign = matches!(&*value("sec-fetch-site"), "cross-site" | "same-site");
        let follows_link = self.line.starts_with("GET ")
            && value("sec-fetch-mode") == "navigate"
            && !self.line.contains('?');
        let origin = value("origin");
        let host = value("host");
        let own = origin.is_empty() || origin.strip_prefix("http://").is_some_and(|name| name == host);
        foreign && !follows_link || !own
    }

    /// The seconds that a profile takes: `seconds=` of the query.
    pub fn seconds(&self) -> u64 {
        let path = self.line.split(' ').nth(1).unwrap_or_default();
        let query = path.split_once('?').map_or("", |(_, query)| query);
        let seconds = query.split('&').find_map(|pair| pair.strip_prefix("seconds="));
        seconds.and_then(|seconds| seconds.parse().ok()).unwrap_or(0)
    }

    /// Rewrites a browser's request for the target. `Accept-Encoding` is left out so that the answer is
    /// readable, and `Referer` because its host is this one. `credential`: replaces the browser's own
    /// credential.
    pub fn address_target(&mut self, target: &str, credential: Option<&str>) {
        let own = self.first("host").map(|host| format!("http://{host}"));
        self.remove(&HOP);
        self.remove(&["host", "accept-encoding", "referer", "expect"]);
        for (name, value) in &mut self.fields {
            if name.eq_ignore_ascii_case("origin") && Some(&*value) == own.as_ref() {
                *value = format!("http://{target}");
            }
        }
        let mut words = self.line.split(' ');
        let (verb, path) = (words.next().unwrap_or_default(), words.next().unwrap_or("/"));
        self.line = format!("{verb} {path} HTTP/1.0");
        self.fields.insert(0, ("Host".into(), target.to_owned()));
        if let Some(credential) = credential {
            self.remove(&["authorization"]);
            self.fields.push(("Authorization".into(), credential.to_owned()));
        }
    }

    /// Whether the answer is a page that can be changed.
    pub fn is_html(&self) -> bool {
        let content_type = self.first("content-type").unwrap_or_default();
        content_type.to_ascii_lowercase().starts_with("text/html") && self.first("content-encoding").is_none()
    }

    /// Rewrites the target's answer for the browser; the body is longer if it gets a badge.
    pub fn address_browser(&mut self, target: &str, with_badge: bool) {
        self.remove(&HOP);
        if with_badge {
            self.remove(&["content-length", "etag", "content-md5"]);
        }
        let origin = format!("http://{target}/");
        for (name, value) in &mut self.fields {
            if name.eq_ignore_ascii_case("location")
                && let Some(path) = value.strip_prefix(&origin)
            {
                *value = format!("/{path}");
            }
        }
        let status = self.line.split_once(' ').map_or("502", |(_, status)| status);
        self.line = format!("HTTP/1.1 {status}");
        self.fields.push(("Connection".into(), "close".into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Head {
        Head::parse(text.replace('\n', "\r\n").as_bytes()).unwrap()
    }

    #[test]
    fn a_request_is_for_the_target_and_tells_what_it_came_through() {
        let mut request = head(
            "POST /flags?seconds=7 HTTP/1.1\nHost: 127.0.0.1:8888\nAccept-Encoding: gzip\nOrigin: http://127.0.0.1:8888\n\
             X-Forwarded-For: 9.9.9.9\nConnection: keep-alive\nContent-Length: 3",
        );
        assert_eq!((request.seconds(), request.content_length()), (7, Ok(3)));
        request.address_target("10.0.0.7:80", None);
        let wanted = "POST /flags?seconds=7 HTTP/1.0\r\nHost: 10.0.0.7:80\r\nOrigin: http://10.0.0.7:80\r\n\
                      X-Forwarded-For: 9.9.9.9\r\nContent-Length: 3\r\n\r\n";
        assert_eq!(String::from_utf8(request.write()).unwrap(), wanted);
        let mut foreign = head("POST / HTTP/1.1\nHost: localhost\nOrigin: http://evil");
        foreign.address_target("t:1", Some("Bearer T"));
        assert_eq!(foreign.first("origin"), Some("http://evil"));
        assert_eq!(foreign.first("authorization"), Some("Bearer T"));
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
        for host in ["localhost", "localhost:8888", "a.localhost", "127.0.0.1:1", "[::1]:8888", "10.1.2.3"] {
            assert!(head(&format!("GET / HTTP/1.1\nHost: {host}")).is_for_this_machine(), "{host}");
        }
        for hosts in
            ["", "\nHost: evil.example", "\nHost: localhost.evil", "\nHost: localhost\nHost: evil", "\nHost:"]
        {
            assert!(!head(&format!("GET / HTTP/1.1{hosts}")).is_for_this_machine(), "{hosts}");
        }
    }

    #[test]
    fn pages_of_other_origins_may_follow_a_link_and_nothing_else() {
        let foreign = |line: &str, fields: &str| {
            head(&format!("{line} HTTP/1.1\nHost: localhost:8888\n{fields}")).is_of_another_page()
        };
        for fields in
            ["X: y", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none", "Origin: http://localhost:8888"]
        {
            assert!(!foreign("GET /flags/x?setvalue=1", fields), "{fields}");
        }
        let link = "Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate";
        assert!(!foreign("GET /flags", link));
        assert!(foreign("GET /flags/x?setvalue=1", link) && foreign("POST /flags", link));
        for fields in
            ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: http://evil", "Origin: null"]
        {
            assert!(foreign("GET /status", fields), "{fields}");
        }
    }

    #[test]
    fn heads_that_could_be_read_in_two_ways_are_refused() {
        for wrong in
            ["", "GET", "GET / HTTP/1.1\r\nno colon", "GET / HTTP/1.1\r\n x: y", "GET / HTTP/1.1\r\na b: c"]
        {
            assert!(Head::parse(wrong.as_bytes()).is_err(), "{wrong:?}");
        }
        assert!(Head::parse(b"GET / HTTP/1.1\nX: y").is_err(), "a bare line end");
        for lengths in [
            "Content-Length: 1\nContent-Length: 1",
            "Content-Length: +1",
            "Content-Length: 99999999999999999999",
        ] {
            assert!(head(&format!("POST / HTTP/1.1\n{lengths}")).content_length().is_err(), "{lengths}");
        }
    }

    #[test]
    fn an_answer_leads_back_here() {
        let mut answer =
            head("HTTP/1.0 302 Found\nLocation: http://t:1/a\nTransfer-Encoding: x\nContent-Length: 9");
        answer.address_browser("t:1", false);
        let wanted = "HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 9\r\nConnection: close\r\n\r\n";
        assert_eq!(String::from_utf8(answer.write()).unwrap(), wanted);
    }
}
