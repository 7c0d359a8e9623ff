//! The client's side: bytes as they come, whole messages out.

use super::{BASE64, DETAILS, Lines};
use base64::Engine;
use polywire_base::IoBuf;
use polywire_call::{Code, Origin, Status};
use polywire_formats::FormatError;
use std::mem;

/// Divides a body into messages.
///
/// ```text
///  push(bytes) -> read(), until None -> push(bytes) … -> end()
/// ```
///
/// Holds the bytes of one piece, the line that is not complete, and the data of one event, each at most as long as a message
/// may be.
pub struct Reader {
    lines: Lines,
    /// Longest message, bytes.
    most: usize,
    /// Bytes that have not been looked at.
    unread: IoBuf,
    /// The front of a line whose end has not come.
    line: Vec<u8>,
    event: Event,
    /// A line that reads as a failure. It is one if the body breaks off behind it, and otherwise a message.
    failure: Option<(IoBuf, Status)>,
    /// A message behind one that was returned.
    ready: Option<IoBuf>,
    /// Nothing has been read yet: a byte order mark may come.
    at_start: bool,
}

/// A server-sent event whose end has not come.
#[derive(Default)]
struct Event {
    is_error: bool,
    data: Option<Vec<u8>>,
}

/// What was left when the body had ended.
#[derive(Debug, PartialEq)]
pub enum Ended {
    /// The last message.
    Message(IoBuf),
    /// The server said why the stream broke off.
    Failure(Status),
}

impl Reader {
    pub fn new(lines: Lines, most: usize) -> Reader {
        Reader {
            lines,
            most,
            unread: IoBuf::new(),
            line: Vec::new(),
            event: Event::default(),
            failure: None,
            ready: None,
            at_start: true,
        }
    }

    /// More of the body.
    pub fn push(&mut self, bytes: IoBuf) {
        self.unread.append(bytes);
    }

    /// The next message that is complete.
    ///
    /// # Errors
    /// It is too long.
    pub fn read(&mut self) -> Result<Option<IoBuf>, FormatError> {
        if let Some(message) = self.ready.take() {
            return Ok(Some(message));
        }
        while let Some(line) = self.next_line()? {
            if let Some(message) = self.take(line)? {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// The body has ended, in order or not: what is still to be said, before that end is.
    pub fn end(&mut self, in_order: bool) -> Option<Ended> {
        let failure = self.failure.take();
        if !in_order {
            return failure.map(|(_, status)| Ended::Failure(status));
        }
        if let Some((message, _)) = failure {
            return Some(Ended::Message(message));
        }
        // A last line without its end is one nevertheless; an event is complete with its empty line alone.
        let last = mem::take(&mut self.line).trim_ascii().to_vec();
        (self.lines != Lines::Events && !last.is_empty()).then(|| Ended::Message(last.into()))
    }

    /// A line without its end.
    fn next_line(&mut self) -> Result<Option<IoBuf>, FormatError> {
        let most = match self.lines {
            Lines::Json | Lines::NdJson => self.most,
            Lines::Events => self.most.saturating_add(MARGIN),
        };
        loop {
            let front = self.unread.front();
            if front.is_empty() {
                return Ok(None);
            }
            let end = front.iter().position(|&b| b == b'\n');
            let n = end.unwrap_or(front.len());
            if self.line.len() + n > most {
                return Err(FormatError::TooLarge { limit: self.most });
            }
            if end.is_some() && self.line.is_empty() {
                let line = self.unread.cut(n);
                self.unread.advance(1);
                return Ok(Some(line));
            }
            self.line.extend_from_slice(&front[..n]);
            self.unread.advance(n + usize::from(end.is_some()));
            if end.is_some() {
                return Ok(Some(mem::take(&mut self.line).into()));
            }
        }
    }

    fn take(&mut self, mut line: IoBuf) -> Result<Option<IoBuf>, FormatError> {
        let text = line.contiguous();
        let mark = usize::from(mem::take(&mut self.at_start) && text.starts_with(BYTE_ORDER_MARK));
        line.advance(mark * BYTE_ORDER_MARK.len());
        let behind = line.contiguous().iter().rev().take_while(|&&b| b == b'\r').count();
        line.truncate(line.len() - behind);
        match self.lines {
            Lines::Events => self.take_field(line),
            Lines::Json | Lines::NdJson => Ok(self.take_json(line)),
        }
    }

    fn take_json(&mut self, mut line: IoBuf) -> Option<IoBuf> {
        let text = line.contiguous();
        if text.trim_ascii().is_empty() {
            return None;
        }
        let failure = if text.starts_with(br#"{"error":"#) { failure_of_line(text) } else { None };
        self.complete(line, failure)
    }

    /// A message, or what may be a failure: then it waits until more follows. Returns the message that is next.
    fn complete(&mut self, message: IoBuf, failure: Option<Status>) -> Option<IoBuf> {
        let held = self.failure.take().map(|(held, _)| held);
        match failure {
            Some(status) => {
                self.failure = Some((message, status));
                held
            }
            None if held.is_some() => {
                self.ready = Some(message);
                held
            }
            None => Some(message),
        }
    }

    /// A line of an event; an empty one ends it.
    fn take_field(&mut self, mut line: IoBuf) -> Result<Option<IoBuf>, FormatError> {
        let text = line.contiguous();
        if text.is_empty() {
            let Event { is_error, data } = mem::take(&mut self.event);
            let Some(data) = data else { return Ok(None) };
            let failure = if is_error { failure_of(&data) } else { None };
            return Ok(self.complete(data.into(), failure));
        }
        let (name, value) = match text.iter().position(|&b| b == b':') {
            Some(colon) => (&text[..colon], &text[colon + 1..]),
            None => (text, &b""[..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"event" => self.event.is_error = value == b"error",
            b"data" => {
                let held = self.event.data.as_ref().map_or(0, Vec::len);
                if held + value.len() > self.most {
                    return Err(FormatError::TooLarge { limit: self.most });
                }
                match &mut self.event.data {
                    None => self.event.data = Some(value.to_vec()),
                    Some(data) => {
                        data.push(b'\n');
                        data.extend_from_slice(value);
                    }
                }
            }
            _ => {} // comments, `id` and `retry`
        }
        Ok(None)
    }
}

/// What may stand beside the data in a line of an event: `data: `.
const MARGIN: usize = 16;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// `{"error":{"code":"NOT_FOUND","message":"…"}}`; `None`: it is a message.
fn failure_of_line(line: &[u8]) -> Option<Status> {
    let mut line: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(line).ok()?;
    let error = line.remove("error").filter(|_| line.is_empty())?;
    of_value(&error)
}

fn failure_of(error: &[u8]) -> Option<Status> {
    of_value(&serde_json::from_slice(error).ok()?)
}

fn of_value(error: &serde_json::Value) -> Option<Status> {
    let name = error.get("code")?.as_str()?;
    let code = Code::by_name(name).filter(|code| *code != Code::Ok)?;
    let message = error.get("message").and_then(|message| message.as_str()).unwrap_or_default();
    let status = Status::new(code, message.to_owned()).with_origin(Origin::Remote);
    let details = error.get(DETAILS).and_then(|details| BASE64.decode(details.as_str()?).ok());
    Some(match details {
        Some(details) => status.with_details(details),
        None => status,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All messages, and what the end says.
    fn read(lines: Lines, pieces: &[&[u8]], in_order: bool) -> (Vec<String>, Option<Ended>) {
        let mut reader = Reader::new(lines, 100);
        let mut messages = Vec::new();
        for piece in pieces {
            reader.push(IoBuf::copy_from_slice(piece));
            while let Some(message) = reader.read().unwrap() {
                messages.push(String::from_utf8(message.to_vec()).unwrap());
            }
        }
        (messages, reader.end(in_order))
    }

    fn message(text: &str) -> Option<Ended> {
        Some(Ended::Message(IoBuf::copy_from_slice(text.as_bytes())))
    }

    /// The same bytes cut in two at every place, and one by one.
    fn at_every_split(lines: Lines, body: &str, in_order: bool, expected: (&[&str], Option<Ended>)) {
        let body = body.as_bytes();
        let splits = (0..=body.len()).map(|at| vec![&body[..at], &body[at..]]);
        for pieces in splits.chain([body.chunks(1).collect()]) {
            let (messages, end) = read(lines, &pieces, in_order);
            assert_eq!(
                (&messages.iter().map(|m| &**m).collect::<Vec<_>>()[..], &end),
                (expected.0, &expected.1),
                "{pieces:?}"
            );
        }
    }

    #[test]
    fn a_line_is_a_message() {
        let body = "\u{feff}{\"n\":1}\r\n\n  \n{\"n\":2}\n{\"n\":3}";
        at_every_split(Lines::Json, body, true, (&["{\"n\":1}", "{\"n\":2}"], message("{\"n\":3}")));
        // What broke off in the middle of a line is no message.
        at_every_split(Lines::NdJson, body, false, (&["{\"n\":1}", "{\"n\":2}"], None));
    }

    #[test]
    fn an_event_is_a_message() {
        let body = ": hello\r\nid: 7\r\ndata: {\"n\":\r\ndata:1}\r\n\r\nevent: more\ndata: {}\n\nretry: 10\n\ndata: {\"n\":2}\n";
        at_every_split(Lines::Events, body, true, (&["{\"n\":\n1}", "{}"], None));
    }

    #[test]
    fn the_last_line_of_a_body_that_breaks_off_says_why() {
        let status = || {
            let status = Status::not_found("no \"more\"\n").with_details(b"\x08\x05".to_vec());
            status.with_origin(Origin::Remote)
        };
        for lines in [Lines::Json, Lines::Events] {
            let mut body = lines.message("{\"n\":1}".into()).to_vec();
            body.extend(lines.failure(&status()).to_vec());
            let body = String::from_utf8(body).unwrap();
            at_every_split(lines, &body, false, (&["{\"n\":1}"], Some(Ended::Failure(status()))));
        }
    }

    #[test]
    fn a_message_that_looks_like_a_failure_is_one_if_more_follows() {
        let alike = "{\"error\":{\"code\":\"NOT_FOUND\",\"message\":\"\"}}";
        let twice = format!("{alike}\n{alike}\n{{}}\n{alike}\n");
        at_every_split(Lines::Json, &twice, true, (&[alike, alike, "{}"], message(alike)));
        for other in [
            "{\"error\":{\"code\":5}}",
            "{\"error\":{\"code\":\"OK\"}}",
            "{\"error\":{\"code\":\"NOT_FOUND\"},\"n\":1}",
        ] {
            at_every_split(Lines::Json, &format!("{other}\n"), false, (&[other], None));
        }
    }

    #[test]
    fn nothing_grows_beyond_the_longest_message() {
        let long = [b'1'; 101];
        let mut fields = b"data: ".to_vec();
        fields.extend([b'1'; 60]);
        let bodies: [(Lines, Vec<&[u8]>); 3] = [
            (Lines::Json, vec![&long]),
            (Lines::Json, vec![&long[..60], &long[60..]]),
            (Lines::Events, vec![&fields, b"\n", &fields, b"\n"]),
        ];
        for (lines, pieces) in bodies {
            let mut reader = Reader::new(lines, 100);
            let refused = pieces.iter().find_map(|piece| {
                reader.push(IoBuf::copy_from_slice(piece));
                reader.read().err()
            });
            assert_eq!(refused, Some(FormatError::TooLarge { limit: 100 }), "{lines:?}");
        }
    }
}
