//! Operations as they are typed, and replies as text: for programs with a command line.

use crate::{
    answer::Answer,
    error::Error,
    form::Form,
    key,
    request::{Request, Verb, expiry},
};
use bytes::{Bytes, BytesMut};
use std::{fmt::Write, time::Duration};

/// An operation that was typed: `get KEY`, `set KEY VALUE [SECONDS]`, `add`, `replace`, `append` and
/// `prepend` likewise, `incr KEY [BY]`, `decr KEY [BY]`, `touch KEY SECONDS`, `delete KEY`, `flush`,
/// `version`.
#[derive(Clone, Debug)]
pub struct CommandLine(Request);

impl CommandLine {
    /// Reads words divided by spaces.
    ///
    /// # Errors
    /// The error in the words.
    pub fn parse(line: &str) -> Result<CommandLine, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let seconds = |word: &str| {
            let seconds = word.parse().map_err(|_| format!("{word:?} is no number of seconds"))?;
            Ok::<_, String>(Some(expiry(Duration::from_secs(seconds))))
        };
        let number = |word: &str| word.parse::<u64>().map_err(|_| format!("{word:?} is no number"));
        let request = match words[..] {
            ["get", key] => Request::new(Verb::Get, key),
            [write @ ("set" | "add" | "replace" | "append" | "prepend"), key, value, ref rest @ ..]
                if rest.len() < 2 =>
            {
                let verb = match write {
                    "set" => Verb::Set,
                    "add" => Verb::Add,
                    "replace" => Verb::Replace,
                    "append" => Verb::Append,
                    _ => Verb::Prepend,
                };
                let expiry = rest.first().map_or(Ok(None), |word| seconds(word))?;
                Request { value: Bytes::copy_from_slice(value.as_bytes()), expiry, ..Request::new(verb, key) }
            }
            [count @ ("incr" | "decr"), key, ref rest @ ..] if rest.len() < 2 => {
                let verb = if count == "incr" { Verb::Incr } else { Verb::Decr };
                let delta = rest.first().map_or(Ok(1), |word| number(word))?;
                Request { delta, ..Request::new(verb, key) }
            }
            ["touch", key, time] => Request { expiry: seconds(time)?, ..Request::new(Verb::Touch, key) },
            ["delete", key] => Request::new(Verb::Delete, key),
            ["flush"] => Request::new(Verb::Flush, ""),
            ["version"] => Request::new(Verb::Version, ""),
            _ => {
                return Err(format!(
                    "{line:?} is no operation: get KEY, set|add|replace|append|prepend KEY VALUE [SECONDS], incr|decr KEY [BY], \
                     touch KEY SECONDS, delete KEY, flush, version"
                ));
            }
        };
        if request.has_key() {
            key::check(&request.key, false).map_err(|why| why.to_string())?;
        }
        Ok(CommandLine(request))
    }

    /// The body of its call, for a channel with this protocol.
    ///
    /// # Errors
    /// The protocol is not one of memcached's, or cannot express the operation.
    pub fn body(&self, protocol: &str) -> Result<Bytes, Error> {
        let mut body = BytesMut::new();
        Form::of(protocol).write(&self.0, 0, false, &mut body)?;
        Ok(body.freeze())
    }

    /// The hash by which a balancer chooses the server, the same as in [`Client`](crate::Client): for
    /// [`Call::key`](polywire_client::Call::key).
    pub fn place(&self) -> u64 {
        self.0.place()
    }

    /// The body of a reply as text: a value unchanged, a number, `done` or `missing`.
    ///
    /// # Errors
    /// Why the server did not do it; or it is no such reply.
    pub fn print(&self, protocol: &str, mut reply: Bytes) -> Result<String, String> {
        let form = Form::of(protocol);
        let reply = form.cut(&mut reply).map_err(|error| error.to_string())?;
        let mut text = String::new();
        let _ = match form.read(&self.0, &reply) {
            Answer::Value(item) => write!(text, "{}", String::from_utf8_lossy(&item.value)),
            Answer::Number(number) => write!(text, "{number}"),
            Answer::Text(version) => write!(text, "{version}"),
            Answer::Missing => write!(text, "missing"),
            Answer::Done { .. } => write!(text, "done"),
            Answer::Failed(Error::NotStored) if self.0.verb == Verb::Add => {
                return Err("the key exists".into());
            }
            Answer::Failed(Error::NotStored) => return Err("there is no such key".into()),
            Answer::Failed(error) => return Err(error.to_string()),
        };
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_the_bytes_of_the_sheets() {
        let body = |line: &str, protocol| CommandLine::parse(line).expect(line).body(protocol).expect(line);
        // docs/wire/memcache.md, section 7; the opaque is 0.
        assert_eq!(
            body("get Hello", "memcache")[..],
            *b"\x80\0\0\x05\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\0\0\0\0\0Hello"
        );
        assert_eq!(
            body("touch k 60", "memcache")[..],
            *b"\x80\x1c\0\x01\x04\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x3ck"
        );
        assert_eq!(body("set k v 60", "memcache_meta")[..], *b"ms k 1 c T60 O0\r\nv\r\n");
        assert_eq!(body("incr k", "memcache_meta")[..], *b"ma k v D1 O0\r\n");
        for wrong in ["", "get", "get a b", "set k", "incr k x", "touch k", "set k v x", "fetch k"] {
            assert!(CommandLine::parse(wrong).is_err(), "{wrong}");
        }
        assert!(CommandLine::parse("get k").expect("a read").body("redis").is_err());
    }

    #[test]
    fn replies_are_printed_by_what_was_asked() {
        let print = |line: &str, reply: &'static [u8]| {
            CommandLine::parse(line).expect(line).print("memcache_meta", Bytes::from_static(reply))
        };
        assert_eq!(print("get k", b"VA 5 f0 c1 O0\r\nhello\r\n"), Ok("hello".into()));
        assert_eq!(print("get k", b"EN O0\r\n"), Ok("missing".into()));
        assert_eq!(print("incr k", b"VA 1 O0\r\n7\r\n"), Ok("7".into()));
        assert_eq!(print("set k v", b"HD c1 O0\r\n"), Ok("done".into()));
        assert_eq!(print("add k v", b"NS O0\r\n"), Err("the key exists".into()));
        assert_eq!(print("append k v", b"NS O0\r\n"), Err("there is no such key".into()));
        let number = b"CLIENT_ERROR cannot increment or decrement non-numeric value\r\n";
        assert_eq!(print("incr k", number), Err("the value is not a decimal number".into()));
        assert_eq!(print("version", b"VERSION 1.6.18\r\n"), Ok("1.6.18".into()));
    }
}
