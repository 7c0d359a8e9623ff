//! The differences of two answers: their status; the fields of their messages if a schema or JSON describes
//! them, else their bytes.
//!
//! `places.rs` counts them. Not here: what a message is in JSON, which depends on its schema.

mod places;

pub use places::{OTHER, Places, general};

use polywire_call::{Native, Reply, Status};
use polywire_client::Raw;
use serde_json::Value;

/// A place where two answers differ, with both values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// `status`, `header:NAME`, `attachment`, `body`, or a field with its path: `user.roles[2].name`.
    pub place: String,
    pub left: String,
    pub right: String,
}

/// The differences that are ignored.
pub struct Ignored {
    /// Names of fields, or paths without indices.
    fields: Vec<String>,
    headers: Vec<String>,
}

/// Headers that differ from answer to answer at every server.
const CHANGING: [&str; 5] = ["date", "server", "content-length", "x-request-id", "traceparent"];
/// The maximum length of a shown value, in characters.
const SHOWN: usize = 120;
/// The maximum number of differences of one pair of answers.
const MOST: usize = 100;

impl Ignored {
    /// `NAME` and `a.b.NAME` are fields, `header:NAME` is a header.
    pub fn new(given: &[String]) -> Ignored {
        let (mut fields, mut headers) = (Vec::new(), CHANGING.map(str::to_owned).to_vec());
        for one in given {
            match one.strip_prefix("header:") {
                Some(name) => headers.push(name.to_owned()),
                None => fields.push(one.clone()),
            }
        }
        Ignored { fields, headers }
    }

    fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|one| one.eq_ignore_ascii_case(name))
    }

    /// Whether a field is left out: `path` has no indices, and ends in the field's name.
    fn has_field(&self, path: &str) -> bool {
        let name = path.rsplit('.').next().unwrap_or(path);
        self.fields.iter().any(|one| one == name || one == path)
    }
}

/// What a server has answered.
pub type Answer = Result<Reply<Raw>, Status>;

/// All differences of two answers, at most [`MOST`]. `json`: a message in JSON; `None`: its bytes are
/// compared.
pub fn find(
    left: &Answer,
    right: &Answer,
    ignored: &Ignored,
    json: impl Fn(&Raw) -> Option<Vec<u8>>,
) -> Vec<Difference> {
    let mut found = Vec::new();
    match (left, right) {
        (Err(left), Err(right)) if is_alike(left, right) => {}
        (Ok(left), Ok(right)) => {
            headers(left, right, ignored, &mut found);
            let attachments = [left, right].map(|reply| reply.attachment().to_vec());
            if attachments[0] != attachments[1] {
                put(&mut found, "attachment", attachments.map(|bytes| bytes_of(&bytes)));
            }
            bodies(left, right, ignored, json, &mut found);
        }
        _ => {
            let status = |answer: &Answer| match answer {
                Ok(_) => "OK".to_owned(),
                Err(status) => status.to_string(),
            };
            put(&mut found, "status", [status(left), status(right)]);
        }
    }
    found
}

/// Whether a caller sees the same failure. A brpc number decides, since a brpc server sends no code beside
/// it.
fn is_alike(left: &Status, right: &Status) -> bool {
    let is_number = |status: &Status| matches!(status.native(), Native::Brpc(_));
    left.native() == right.native() && (is_number(left) || left.code() == right.code())
}

fn put(found: &mut Vec<Difference>, place: &str, [left, right]: [String; 2]) {
    if found.len() < MOST {
        found.push(Difference { place: place.to_owned(), left: short(&left), right: short(&right) });
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn bytes_of(bytes: &[u8]) -> String {
    format!("{} bytes: {}", bytes.len(), bytes[..bytes.len().min(SHOWN)].escape_ascii())
}

fn headers(left: &Reply<Raw>, right: &Reply<Raw>, ignored: &Ignored, found: &mut Vec<Difference>) {
    let mut names: Vec<String> = Vec::new();
    for reply in [left, right] {
        for (name, _) in reply.metadata().iter() {
            let name = name.to_ascii_lowercase();
            if !names.contains(&name) && !ignored.has_header(&name) {
                names.push(name);
            }
        }
    }
    for name in names {
        let value = |reply: &Reply<Raw>| {
            let all = reply.metadata().iter().filter(|(known, _)| known.eq_ignore_ascii_case(&name));
            let all: Vec<_> = all.map(|(_, value)| value.escape_ascii().to_string()).collect();
            if all.is_empty() { "absent".to_owned() } else { all.join(", ") }
        };
        let values = [value(left), value(right)];
        if values[0] != values[1] {
            put(found, &format!("header:{name}"), values);
        }
    }
}

fn bodies(
    left: &Reply<Raw>,
    right: &Reply<Raw>,
    ignored: &Ignored,
    json: impl Fn(&Raw) -> Option<Vec<u8>>,
    found: &mut Vec<Difference>,
) {
    let bytes = [left, right].map(|reply| reply.body.to_vec());
    if bytes[0] == bytes[1] && left.compression == right.compression {
        return;
    }
    let read = |reply: &Raw| -> Option<Value> { serde_json::from_slice(&json(reply)?).ok() };
    match (read(left), read(right)) {
        (Some(left), Some(right)) => values(&mut Path::default(), &left, &right, ignored, found),
        _ => put(found, "body", bytes.map(|bytes| bytes_of(&bytes))),
    }
}

/// The path of a value in its message.
#[derive(Default)]
struct Path {
    shown: String,
    without_indices: String,
}

impl Path {
    fn within<T>(&mut self, shown: &str, plain: &str, f: impl FnOnce(&mut Path) -> T) -> T {
        let lengths = (self.shown.len(), self.without_indices.len());
        self.shown.push_str(shown);
        self.without_indices.push_str(plain);
        let result = f(self);
        self.shown.truncate(lengths.0);
        self.without_indices.truncate(lengths.1);
        result
    }
}

/// The JSON was parsed with a depth limit, which limits the recursion.
fn values(path: &mut Path, left: &Value, right: &Value, ignored: &Ignored, found: &mut Vec<Difference>) {
    match (left, right) {
        _ if left == right => {}
        (Value::Object(one), Value::Object(other)) => {
            let more = other.keys().filter(|name| !one.contains_key(*name));
            for name in one.keys().chain(more) {
                let dot = if path.shown.is_empty() { "" } else { "." };
                let step = format!("{dot}{name}");
                path.within(&step, &step, |path| {
                    if !ignored.has_field(&path.without_indices) {
                        let null = Value::Null;
                        let [left, right] = [one, other].map(|object| object.get(name).unwrap_or(&null));
                        values(path, left, right, ignored, found);
                    }
                });
            }
        }
        (Value::Array(one), Value::Array(other)) => {
            for index in 0..one.len().max(other.len()) {
                let null = Value::Null;
                let [left, right] = [one, other].map(|array| array.get(index).unwrap_or(&null));
                path.within(&format!("[{index}]"), "", |path| values(path, left, right, ignored, found));
            }
        }
        _ => {
            let place = if path.shown.is_empty() { "body" } else { &path.shown };
            put(
                found,
                place,
                [left, right].map(|value| match value {
                    Value::Null => "absent".to_owned(),
                    value => value.to_string(),
                }),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_call::Code;

    fn answer(body: &'static str) -> Answer {
        Ok(Reply::new(Raw::new(body)))
    }

    fn places(left: &Answer, right: &Answer, ignored: &[&str]) -> Vec<String> {
        let ignored: Vec<_> = ignored.iter().map(|one| (*one).to_owned()).collect();
        let found = find(left, right, &Ignored::new(&ignored), |raw| Some(raw.body.to_vec()));
        found.into_iter().map(|difference| difference.place).collect()
    }

    #[test]
    fn fields_are_compared_one_by_one_and_some_are_left_out() {
        let left = answer(r#"{"id":1,"user":{"name":"a","roles":["x",{"id":2}]},"only":true}"#);
        let right = answer(r#"{"id":3,"user":{"name":"a","roles":["y",{"id":4},"z"]}}"#);
        let all = ["id", "only", "user.roles[0]", "user.roles[1].id", "user.roles[2]"];
        assert_eq!(places(&left, &right, &[]), all);
        assert_eq!(places(&left, &right, &["user.roles.id", "only"]), [all[0], all[2], all[4]]);
        assert_eq!(places(&left, &right, &["id", "roles", "only"]), [""; 0]);
        assert_eq!(places(&left, &left, &[]), [""; 0]);
    }

    #[test]
    fn a_status_that_differs_is_told_and_what_is_no_json_is_bytes() {
        let (not_found, lost) = (Err(Status::not_found("x")), Err(Status::new(Code::Unavailable, "y")));
        assert_eq!(places(&not_found, &Err(Status::not_found("another text")), &[]), [""; 0]);
        assert_eq!(places(&not_found, &lost, &[]), ["status"]);
        // An old server says 4001 alone, the new one a code beside it.
        let number = |status: Status, number| Err(status.with_native(Native::Brpc(number)));
        let old = number(Status::new(Code::Unknown, "x"), 4001);
        assert_eq!(places(&old, &number(Status::not_found("x"), 4001), &[]), [""; 0]);
        assert_eq!(places(&old, &number(Status::not_found("x"), 4002), &[]), ["status"]);
        assert_eq!(places(&answer("a"), &lost, &[]), ["status"]);
        assert_eq!(places(&answer("a"), &answer("b"), &[]), ["body"]);
        let with = |name: &str, value: &str| Ok(Reply::new(Raw::new("a")).with(name, value));
        assert_eq!(places(&with("x-a", "1"), &with("X-A", "2"), &[]), ["header:x-a"]);
        assert_eq!(places(&with("x-a", "1"), &with("x-a", "2"), &["header:X-A"]), [""; 0]);
        assert_eq!(places(&with("date", "1"), &with("date", "2"), &[]), [""; 0]);
    }
}
