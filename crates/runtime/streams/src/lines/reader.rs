//! The client's side: bytes as they arrive, complete messages out.

use super::{
    BASE64, DETAILS, Lines, MOST_FAILURE,
    values::{Place, Values},
};
use base64::Engine;
use polywire_base::IoBuf;
use polywire_call::{Code, Origin, Status};
use polywire_formats::{FormatError, rest};
use serde_json::Value;
use std::mem;

/// Divides a body into messages.
///
/// ```text
///  push(bytes) -> read(), until None -> push(bytes) … -> end()
/// ```
///
/// It holds the bytes of one piece, the incomplete line, and the data of one event, each at most as long as a
/// message may be.
pub struct Reader {
    lines: Lines,
    /// Longest message in bytes.
    most: usize,
    /// Bytes that were not read yet.
    unread: IoBuf,
    /// The front of a line whose end has not arrived.
    line: Vec<u8>,
    event: Event,
    /// For a gateway: finds the ends of the values.
    values: Values,
    /// A line that has the form of a failure. It is a failure if the body is cut off after it; otherwise it
    /// is a message.
    failure: Option<(IoBuf, Status)>,
    /// The message that follows one that was returned.
    ready: Option<IoBuf>,
    /// Whether nothing was read yet, so that a byte order mark may follow.
    at_start: bool,
}

/// A server-sent event whose end has not arrived.
#[derive(Default)]
struct Event {
    is_error: bool,
    data: Option<Vec<u8>>,
}

/// An item of a body.
#[derive(Debug, PartialEq)]
pub enum Item {
    Message(IoBuf),
    /// The server reports that the stream has failed; what follows is ignored. Only events and the objects of
    /// grpc-gateway have a name that distinguishes failures from messages.
    Failure(Status),
}

/// The rest at the end of the body.
#[derive(Debug, Default, PartialEq)]
pub struct Rest {
    /// The last messages, at most two.
    pub messages: Vec<IoBuf>,
    /// The reason for the failure that the server gave.
    pub failure: Option<Status>,
}

impl Reader {
    pub fn new(lines: Lines, most: usize) -> Reader {
        Reader {
            lines,
            most,
            unread: IoBuf::new(),
            line: Vec::new(),
            event: Event::default(),
            values: Values::default(),
            failure: None,
            ready: None,
            at_start: true,
        }
    }

    /// Adds bytes of the body.
    pub fn push(&mut self, bytes: IoBuf) {
        self.unread.append(bytes);
    }

    /// The next complete message.
    ///
    /// # Errors
    /// The line is too long.
    pub fn read(&mut self) -> Result<Option<Item>, FormatError> {
        if let Some(message) = self.ready.take() {
            return Ok(Some(Item::Message(message)));
        }
        if self.lines == Lines::Gateway {
            return Ok(self.next_value()?.map(|value| self.take_value(value)));
        }
        while let Some(line) = self.next_line()? {
            if let Some(item) = self.take(line)? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    /// Ends the body, which may be complete or cut off. Returns the items that have to be delivered before
    /// that end.
    pub fn end(&mut self, in_order: bool) -> Rest {
        if self.lines == Lines::Gateway {
            return self.end_values(in_order);
        }
        let last = IoBuf::from(mem::take(&mut self.line));
        let mut last = self.without_ends(last);
        // A last line counts without a line end; an event is complete only with its empty line.
        let something = self.lines != Lines::Events && !last.contiguous().trim_ascii().is_empty();
        match self.failure.take() {
            Some((_, status)) if !in_order && !something => Rest { failure: Some(status), ..Rest::default() },
            held => {
                let messages = held.map(|(message, _)| message).into_iter();
                let last = (in_order && something).then_some(last);
                Rest { messages: messages.chain(last).collect(), failure: None }
            }
        }
    }

    /// The next line, without its end.
    fn next_line(&mut self) -> Result<Option<IoBuf>, FormatError> {
        let most = match self.lines {
            Lines::Json | Lines::NdJson | Lines::Gateway => self.most,
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

    /// The next value of a gateway.
    fn next_value(&mut self) -> Result<Option<Vec<u8>>, FormatError> {
        let most = self.most.saturating_add(AROUND_VALUE);
        loop {
            let front = self.unread.front();
            if front.is_empty() {
                return Ok(None);
            }
            let (mut taken, mut has_ended) = (0, false);
            for &byte in front {
                taken += 1;
                let place = self.values.take(byte);
                if matches!(place, Place::Within | Place::Last) {
                    if self.line.len() == most {
                        return Err(FormatError::TooLarge { limit: self.most });
                    }
                    self.line.push(byte);
                }
                has_ended = matches!(place, Place::Last | Place::Behind);
                if has_ended {
                    break;
                }
            }
            self.unread.advance(taken);
            if has_ended {
                return Ok(Some(mem::take(&mut self.line)));
            }
        }
    }

    /// Takes a value of a gateway out of the object around it, if there is one.
    fn take_value(&self, value: Vec<u8>) -> Item {
        if self.values.are_items() {
            return Item::Message(value.into());
        }
        if let Some(result) = rest::only_member(&value, "result") {
            return Item::Message(IoBuf::copy_from_slice(result));
        }
        match rest::only_member(&value, "error") {
            Some(error) => Item::Failure(rest::read_failure(error).unwrap_or_else(|| unknown(error))),
            None => Item::Message(value.into()),
        }
    }

    fn end_values(&mut self, in_order: bool) -> Rest {
        let last = mem::take(&mut self.line);
        if !in_order {
            return Rest::default();
        }
        if self.values.is_open() {
            let text = "the reply ends before the array of its messages does";
            let failure = Status::internal(text).with_origin(Origin::Remote);
            return Rest { failure: Some(failure), ..Rest::default() };
        }
        // A number or a word ends with the body.
        let last = (!last.is_empty()).then(|| last.into());
        Rest { messages: last.into_iter().collect(), failure: None }
    }

    fn take(&mut self, line: IoBuf) -> Result<Option<Item>, FormatError> {
        let line = self.without_ends(line);
        match self.lines {
            Lines::Events => self.take_field(line),
            Lines::Json | Lines::NdJson | Lines::Gateway => Ok(self.take_json(line).map(Item::Message)),
        }
    }

    /// Removes a byte order mark at the start of the body, and a carriage return at the line's end.
    fn without_ends(&mut self, mut line: IoBuf) -> IoBuf {
        let text = line.contiguous();
        let mark = usize::from(mem::take(&mut self.at_start) && text.starts_with(BYTE_ORDER_MARK));
        line.advance(mark * BYTE_ORDER_MARK.len());
        let behind = line.contiguous().iter().rev().take_while(|&&b| b == b'\r').count();
        line.truncate(line.len() - behind);
        line
    }

    fn take_json(&mut self, mut line: IoBuf) -> Option<IoBuf> {
        let text = line.contiguous();
        if text.trim_ascii().is_empty() {
            return None;
        }
        let failure = if text.starts_with(br#"{"error":"#) { failure_of_line(text) } else { None };
        self.complete(line, failure)
    }

    /// Takes a message, or a line that may be a failure and is then kept until more follows. Returns the next
    /// message.
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

    /// Takes a line of an event; an empty one ends it.
    fn take_field(&mut self, mut line: IoBuf) -> Result<Option<Item>, FormatError> {
        let text = line.contiguous();
        if text.is_empty() {
            let Event { is_error, data } = mem::take(&mut self.event);
            let Some(data) = data else { return Ok(None) };
            return Ok(Some(match is_error {
                true => Item::Failure(failure_of(&data).unwrap_or_else(|| unknown(&data))),
                false => Item::Message(data.into()),
            }));
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

/// Bytes that a line of an event may have in addition to its data: `data: `.
const MARGIN: usize = 16;

/// Bytes that a value of a gateway may have in addition to its message: `{"result":}`.
const AROUND_VALUE: usize = 16;

/// Bytes of an unknown failure that are quoted in its message.
const MOST_SHOWN: usize = 1 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Parses `{"error":{"code":"NOT_FOUND","message":"…"}}`; `None`: the line is a message.
fn failure_of_line(line: &[u8]) -> Option<Status> {
    let Value::Object(mut line) = parsed(line)? else { return None };
    let error = line.remove("error").filter(|_| line.is_empty())?;
    of_value(&error)
}

fn failure_of(error: &[u8]) -> Option<Status> {
    of_value(&parsed(error)?)
}

/// Parses a short text. A tree of values takes many times the memory of its text, so long texts are not
/// parsed.
fn parsed(text: &[u8]) -> Option<Value> {
    // By `FromStr`, which serde_json compiles itself; `from_slice` would be compiled here.
    if text.len() <= MOST_FAILURE { str::from_utf8(text).ok()?.parse().ok() } else { None }
}

/// A failure in an unknown form.
fn unknown(error: &[u8]) -> Status {
    let text = String::from_utf8_lossy(&error[..error.len().min(MOST_SHOWN)]);
    Status::unknown(format!("the stream failed: {text}")).with_origin(Origin::Remote)
}

fn of_value(error: &Value) -> Option<Status> {
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

    /// All messages and failures, and the result of the end.
    fn read(lines: Lines, pieces: &[&[u8]], in_order: bool) -> (Vec<String>, Option<Status>) {
        let mut reader = Reader::new(lines, 1 << 20);
        let mut messages = Vec::new();
        for piece in pieces {
            reader.push(IoBuf::copy_from_slice(piece));
            while let Some(item) = reader.read().unwrap() {
                match item {
                    Item::Message(message) => messages.push(message),
                    Item::Failure(status) => return (texts(messages), Some(status)),
                }
            }
        }
        let Rest { messages: last, failure } = reader.end(in_order);
        (texts(messages.into_iter().chain(last)), failure)
    }

    fn texts(messages: impl IntoIterator<Item = IoBuf>) -> Vec<String> {
        messages.into_iter().map(|message| String::from_utf8(message.to_vec()).unwrap()).collect()
    }

    /// Reads the same bytes split in two at every position, and one by one.
    fn at_every_split(lines: Lines, body: &str, in_order: bool, messages: &[&str], failure: Option<Status>) {
        let body = body.as_bytes();
        let splits = (0..=body.len()).map(|at| vec![&body[..at], &body[at..]]);
        for pieces in splits.chain([body.chunks(1).collect()]) {
            let (found, end) = read(lines, &pieces, in_order);
            assert_eq!((&found.iter().map(|m| &**m).collect::<Vec<_>>()[..], &end), (messages, &failure));
        }
    }

    fn not_found() -> Status {
        let status = Status::not_found("no \"more\"\n").with_details(b"\x08\x05".to_vec());
        status.with_origin(Origin::Remote)
    }

    #[test]
    fn a_line_is_a_message() {
        let body = "\u{feff}{\"n\":1}\r\n\n  \n{\"n\":2}\n{\"n\":3}";
        at_every_split(Lines::Json, body, true, &["{\"n\":1}", "{\"n\":2}", "{\"n\":3}"], None);
        // A line that is cut off is not a message.
        at_every_split(Lines::NdJson, body, false, &["{\"n\":1}", "{\"n\":2}"], None);
        at_every_split(Lines::Json, "\u{feff}{}\r", true, &["{}"], None);
        at_every_split(Lines::Json, "", true, &[], None);
    }

    #[test]
    fn an_event_is_a_message() {
        let body = ": hello\r\nid: 7\r\ndata: {\"n\":\r\ndata:1}\r\n\r\nevent: more\ndata: {}\n\nretry: 10\n\ndata: {\"n\":2}\n";
        at_every_split(Lines::Events, body, true, &["{\"n\":\n1}", "{}"], None);
    }

    #[test]
    fn the_last_line_of_a_body_that_breaks_off_says_why() {
        for lines in [Lines::Json, Lines::Events] {
            let mut body = lines.message("{\"n\":1}".into()).to_vec();
            body.extend(lines.failure(&not_found()).to_vec());
            let body = String::from_utf8(body).unwrap();
            at_every_split(lines, &body, false, &["{\"n\":1}"], Some(not_found()));
        }
    }

    #[test]
    fn what_a_failure_says_is_read_however_long_it_is() {
        for lines in [Lines::Json, Lines::Events] {
            let long = Status::internal("\u{1}".repeat(1 << 20)).with_details(vec![7; 1 << 20]);
            let (_, failure) = read(lines, &[&lines.failure(&long).to_vec()], false);
            let failure = failure.expect("a failure");
            assert_eq!((failure.code(), failure.message().len()), (Code::Internal, super::super::MOST_TEXT));
            assert_eq!(failure.details(), b"", "too long to be sent");
        }
    }

    #[test]
    fn an_event_that_is_an_error_ends_the_stream_however_the_body_ends() {
        let told = "event: error\ndata: {\"code\":\"ABORTED\",\"message\":\"no\"}\n\ndata: {}\n\n";
        let aborted = Status::aborted("no").with_origin(Origin::Remote);
        at_every_split(Lines::Events, told, true, &[], Some(aborted));
        let other = "event: error\ndata: overloaded\n\n";
        let unknown = Status::unknown("the stream failed: overloaded").with_origin(Origin::Remote);
        at_every_split(Lines::Events, other, true, &[], Some(unknown));
    }

    #[test]
    fn a_line_that_looks_like_a_failure_is_a_message_if_more_follows_or_the_body_ends_in_order() {
        let alike = "{\"error\":{\"code\":\"NOT_FOUND\",\"message\":\"\"}}";
        let twice = format!("{alike}\n{alike}\n{{}}\n{alike}\n");
        at_every_split(Lines::Json, &twice, true, &[alike, alike, "{}", alike], None);
        at_every_split(Lines::Json, &format!("{alike}\n{{}}"), true, &[alike, "{}"], None);
        at_every_split(Lines::Json, &format!("{alike}\n{{\"n\":"), false, &[alike], None);
        for other in [
            "{\"error\":{\"code\":5}}",
            "{\"error\":{\"code\":\"OK\"}}",
            "{\"error\":{\"code\":\"NOT_FOUND\"},\"n\":1}",
        ] {
            at_every_split(Lines::Json, &format!("{other}\n"), false, &[other], None);
        }
    }

    #[test]
    fn a_long_line_is_no_failure_whatever_it_begins_with() {
        // A tree of these values would take some hundred times the memory.
        let long = format!("{{\"error\":[{}0]}}", "{\"\":0},".repeat(MOST_FAILURE / 7));
        let (messages, failure) = read(Lines::Json, &[long.as_bytes(), b"\n"], false);
        assert_eq!((messages.len(), failure), (1, None));
        let long = format!("event: error\ndata: {}\n\n", "1".repeat(MOST_FAILURE + 1));
        let (_, failure) = read(Lines::Events, &[long.as_bytes()], false);
        assert!(failure.expect("a failure").message().len() <= MOST_SHOWN + 30);
    }

    #[test]
    fn a_gateway_sends_objects_or_an_array() {
        let body = "{\"result\":{\"n\":1}}\n{ \"result\" : [2] }\n\n{\"n\":3}";
        at_every_split(Lines::Gateway, body, true, &["{\"n\":1}", "[2]", "{\"n\":3}"], None);
        at_every_split(Lines::Gateway, "{\"result\":{\"n\":1}}\n{\"resu", false, &["{\"n\":1}"], None);
        let array = " [{\"result\":1},\n{\"n\":2},3]\n";
        at_every_split(Lines::Gateway, array, true, &["{\"result\":1}", "{\"n\":2}", "3"], None);
        at_every_split(Lines::Gateway, "[]", true, &[], None);
        let open = Status::internal("the reply ends before the array of its messages does");
        at_every_split(Lines::Gateway, "[{}", true, &["{}"], Some(open.with_origin(Origin::Remote)));
    }

    #[test]
    fn the_error_of_a_gateway_ends_the_stream() {
        let body = "{\"result\":{}}\n{\"error\":{\"code\":5,\"message\":\"no more\",\"details\":[]}}\n{}";
        let failure = Status::not_found("no more").with_origin(Origin::Remote);
        at_every_split(Lines::Gateway, body, true, &["{}"], Some(failure));
        let other = Status::unknown("the stream failed: \"full\"").with_origin(Origin::Remote);
        at_every_split(Lines::Gateway, "{\"error\":\"full\"}", true, &[], Some(other));
    }

    #[test]
    fn nothing_grows_beyond_the_longest_message() {
        let long = [b'1'; 101];
        let mut fields = b"data: ".to_vec();
        fields.extend([b'1'; 60]);
        let value = [b"{\"a\":", &[b'1'; 120][..]].concat();
        let bodies: [(Lines, Vec<&[u8]>); 4] = [
            (Lines::Gateway, vec![&value[..60], &value[60..]]),
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
