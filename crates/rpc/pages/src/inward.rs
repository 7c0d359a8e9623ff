//! A request to the server's own methods, by a connection in memory: everything decides about it that decides
//! about requests from elsewhere.
//!
//! ```text
//!  page --> bytes of HTTP/1.1 --> duplex --> connection --> guard, authenticator, limits, middleware --> handler
//! ```
//!
//! Invariants: what the request is made of has no line breaks ([`Request::bytes`] refuses them), so that
//!             nobody adds a field or a second request.
//! Limits:     [`MOST_HEAD`] bytes of a head, [`MOST_BODY`] of a body; more is not read, and the connection
//!             is closed.
//!
//! Not here: a client. It reads what this server writes: a length or chunks, no trailers, no interim answers.

use polywire_engine::transport::{Memory, Transport};
use std::{future::poll_fn, io::IoSlice, task::Poll};

/// Bytes that each direction of the connection holds.
pub(crate) const CAPACITY: usize = 64 << 10;
/// Bytes of an answer's head that are read.
const MOST_HEAD: usize = 64 << 10;
/// Bytes of an answer's body that are read.
pub(crate) const MOST_BODY: usize = 64 << 10;

/// A request that a page makes to its own server.
pub(crate) struct Request<'r> {
    pub path: &'r str,
    /// Without those that frame the body.
    pub fields: Vec<(String, String)>,
    pub body: &'r [u8],
}

/// What the server has answered so far.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Answer {
    pub status: u16,
    pub fields: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Whether the body is whole.
    pub whole: bool,
}

impl Answer {
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| &**value)
    }
}

impl Request<'_> {
    /// # Errors
    /// A name or value that would not stay one.
    fn bytes(&self) -> Result<Vec<u8>, String> {
        let mut head = format!("POST {} HTTP/1.1\r\nHost: localhost\r\n", self.path);
        for (name, value) in &self.fields {
            let is_name = !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
            let is_value = value.bytes().all(|byte| byte == b'\t' || byte >= b' ' && byte != 0x7f);
            let frames = [
                "host",
                "connection",
                "content-length",
                "transfer-encoding",
                "upgrade",
                "expect",
                "te",
                "trailer",
            ]
            .contains(&&*name.to_ascii_lowercase());
            if !is_name || !is_value || frames {
                return Err(format!("a call cannot have the field {name:?} with this value"));
            }
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Connection: close\r\nContent-Length: {}\r\n\r\n", self.body.len());
        Ok([head.as_bytes(), self.body].concat())
    }
}

/// Sends a request and reads its answer, until it is whole or `enough` says so of what has come of its body.
///
/// # Errors
/// A request that cannot be sent as it is; a connection that ends before the head of an answer.
pub(crate) async fn exchange(
    mut stream: Memory,
    request: &Request<'_>,
    enough: impl Fn(&[u8]) -> bool,
) -> Result<Answer, String> {
    let bytes = request.bytes()?;
    let mut rest = &bytes[..];
    let mut came = bytes::BytesMut::new();
    loop {
        // Reads while it writes: a server may answer before it has read all, and then reads no more.
        let ended = poll_fn(|cx| {
            while !rest.is_empty() {
                match stream.poll_write(cx, &[IoSlice::new(rest)]) {
                    Poll::Ready(Ok(n)) => rest = &rest[n..],
                    Poll::Ready(Err(_)) => rest = &[],
                    Poll::Pending => break,
                }
            }
            came.reserve(CAPACITY);
            match stream.poll_read(cx, &mut came, CAPACITY) {
                Poll::Ready(read) => Poll::Ready(read.map_or(true, |n| n == 0)),
                Poll::Pending => Poll::Pending,
            }
        })
        .await;
        let answer = read(&came, ended);
        match answer {
            Some(answer)
                if ended || answer.whole || answer.body.len() >= MOST_BODY || enough(&answer.body) =>
            {
                return Ok(answer);
            }
            None if ended || came.len() > MOST_HEAD => {
                return Err("the server has closed the connection without an answer".to_owned());
            }
            _ => {}
        }
    }
}

/// The answer in these bytes; `None` while its head is not there. `ended`: no more will come.
fn read(bytes: &[u8], ended: bool) -> Option<Answer> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]);
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let fields = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let mut answer = Answer { status, fields, ..Answer::default() };
    let body = &bytes[end + 4..];
    let is_chunked =
        answer.field("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"));
    let length = answer.field("content-length").and_then(|length| length.parse::<usize>().ok());
    (answer.body, answer.whole) = match (is_chunked, length) {
        (true, _) => unchunked(body),
        (false, Some(length)) => (body[..length.min(body.len())].to_vec(), body.len() >= length),
        (false, None) => (body.to_vec(), ended),
    };
    answer.body.truncate(MOST_BODY);
    Some(answer)
}

/// What chunks contain, as far as they have come, and whether the last one has.
fn unchunked(mut bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&bytes[..end]).ok();
        let size = size.and_then(|line| usize::from_str_radix(line.split(';').next()?.trim(), 16).ok());
        let rest = &bytes[end + 2..];
        match size {
            None => return (body, false),
            Some(0) => return (body, true),
            Some(size) if size <= MOST_BODY && rest.len() >= size + 2 => {
                body.extend_from_slice(&rest[..size]);
                bytes = &rest[size + 2..];
            }
            Some(size) => {
                body.extend_from_slice(&rest[..size.min(rest.len())]);
                return (body, false);
            }
        }
        if body.len() >= MOST_BODY {
            break;
        }
    }
    (body, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, value: &str) -> Result<Vec<u8>, String> {
        let fields = vec![(name.to_owned(), value.to_owned())];
        Request { path: "/a.B/C", fields, body: b"{}" }.bytes()
    }

    #[test]
    fn a_field_stays_one_field() {
        let text = String::from_utf8(with("x-shop", "ä b").unwrap()).unwrap();
        assert_eq!(
            text,
            "POST /a.B/C HTTP/1.1\r\nHost: localhost\r\nx-shop: ä b\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
        );
        for (name, value) in [
            ("", "1"),
            ("a b", "1"),
            ("a:", "1"),
            ("a\r\nb", "1"),
            ("x", "1\r\nauthorization: 2"),
            ("x", "1\n"),
            ("x", "1\0"),
            ("Host", "evil.example"),
            ("Content-Length", "99"),
            ("transfer-encoding", "chunked"),
        ] {
            assert!(with(name, value).is_err(), "{name:?} {value:?}");
        }
    }

    #[test]
    fn answers_are_read_at_every_length() {
        let chunked: &[u8] =
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=1\r\nde\r\n0\r\n\r\n";
        let sized: &[u8] = b"HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\nX-A:  b \r\n\r\nabcde";
        for (bytes, status) in [(chunked, 200), (sized, 404)] {
            let head = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
            for end in 0..bytes.len() {
                let answer = read(&bytes[..end], false);
                assert_eq!(answer.is_some(), end >= head, "{end}");
                if let Some(answer) = answer {
                    assert!(
                        b"abcde".starts_with(&answer.body) && answer.status == status,
                        "{end}: {answer:?}"
                    );
                    assert!(!answer.whole || answer.body == b"abcde", "{end}: {answer:?}");
                }
            }
            assert!(read(bytes, false).is_some_and(|answer| answer.whole && answer.body == b"abcde"));
        }
        assert_eq!(read(sized, false).unwrap().field("x-a"), Some("b"));
        let wrong = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc";
        assert!(read(wrong, true).is_some_and(|answer| answer.body.is_empty() && !answer.whole));
    }
}
