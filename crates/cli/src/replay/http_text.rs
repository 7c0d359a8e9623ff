//! A request of HTTP that was recorded as text.

use bytes::Bytes;

/// The parts of a request.
#[derive(Debug, PartialEq, Eq)]
pub struct HttpText {
    pub verb: String,
    pub path: String,
    /// The fields in order, without those that describe the body's length and the host.
    pub fields: Vec<(String, String)>,
    pub body: Bytes,
}

/// Fields that the client writes itself.
const OWN: [&str; 7] =
    ["host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer"];

impl HttpText {
    /// Reads a request; the body is all that follows the empty line.
    ///
    /// # Errors
    /// The error in the text.
    pub fn parse(text: &Bytes) -> Result<HttpText, &'static str> {
        let end = text.windows(4).position(|four| four == b"\r\n\r\n").ok_or("its head has no end")?;
        let head = std::str::from_utf8(&text[..end]).map_err(|_| "its head is not UTF-8")?;
        let mut lines = head.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (Some(verb), Some(path), Some(_version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err("its first line is not VERB PATH VERSION");
        };
        let fields = lines.map(|line| line.split_once(':').ok_or("a line of its head has no colon"));
        let fields = fields.collect::<Result<Vec<_>, _>>()?;
        let is_sent = |name: &str| !OWN.iter().any(|own| own.eq_ignore_ascii_case(name));
        let sent = fields.into_iter().filter(|(name, _)| is_sent(name));
        Ok(HttpText {
            verb: verb.to_owned(),
            path: path.to_owned(),
            fields: sent.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect(),
            body: text.slice(end + 4..),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_its_line_its_fields_and_its_body() {
        let text = Bytes::from_static(
            b"POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Type: application/json\r\n\r\n{\r\n}",
        );
        let parsed = HttpText::parse(&text).unwrap();
        assert_eq!((&*parsed.verb, &*parsed.path, &*parsed.body), ("POST", "/a?b=c", &b"{\r\n}"[..]));
        assert_eq!(parsed.fields, [("Content-Type".to_owned(), "application/json".to_owned())]);
        for wrong in
            ["", "GET / HTTP/1.1\r\n", "GET /\r\n\r\n", "GET / a b\r\n\r\n", "GET / HTTP/1.1\r\nx\r\n\r\n"]
        {
            assert!(HttpText::parse(&Bytes::from_static(wrong.as_bytes())).is_err(), "{wrong:?}");
        }
    }
}
