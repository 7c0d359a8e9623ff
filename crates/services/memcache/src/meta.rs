//! Requests and replies in the meta commands.
//!
//! Source: docs/wire/memcache_meta.md.

use crate::{
    answer::{Answer, Item, Recache, value},
    error::{Error, KeyError},
    form::Reply,
    key::is_text,
    request::{Request, Verb},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::{Bytes, BytesMut};
use polywire_protocols::memcache::{MAX_BODY, MAX_KEY};

/// Whether a key fits as it is sent: a key that is not plain text is sent in base64.
pub(crate) fn can_key(key: &[u8]) -> bool {
    is_text(key) || key.len().div_ceil(3) * 4 <= MAX_KEY
}

/// Writes words and flags of a line.
struct Line<'o>(&'o mut BytesMut);

impl Line<'_> {
    fn words(&mut self, words: &[u8]) -> &mut Self {
        self.0.extend_from_slice(words);
        self
    }

    /// A flag with a number, and the space before it.
    fn number(&mut self, flag: &[u8], number: u64) -> &mut Self {
        self.0.extend_from_slice(flag);
        self.0.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        self
    }
}

pub(crate) fn write(request: &Request, opaque: u32, quiet: bool, out: &mut BytesMut) -> Result<(), Error> {
    if request.value.len() > MAX_BODY {
        return Err(Error::TooLarge);
    }
    if !can_key(&request.key) {
        return Err(Error::Key(KeyError::TooLong));
    }
    out.reserve(request.key.len() + request.value.len() + 96);
    let mut line = Line(out);
    let command: &[u8] = match request.verb {
        Verb::Get | Verb::Touch => b"mg ",
        Verb::Set | Verb::Add | Verb::Replace | Verb::Append | Verb::Prepend => b"ms ",
        Verb::Delete | Verb::Invalidate => b"md ",
        Verb::Incr | Verb::Decr => b"ma ",
        Verb::Version => b"version",
        Verb::Flush => b"flush_all",
        Verb::Fence => b"mn",
    };
    line.words(command);
    if !request.has_key() {
        if let Some(delay) = request.expiry {
            line.number(b" ", delay.into());
        }
        line.words(b"\r\n");
        return Ok(());
    }
    let is_binary = !is_text(&request.key);
    if is_binary {
        line.words(STANDARD.encode(&request.key).as_bytes());
    } else {
        line.words(&request.key);
    }
    let is_write = command == b"ms ";
    if is_write {
        line.number(b" ", request.value.len() as u64);
    }
    if is_binary {
        line.words(b" b");
    }
    match request.verb {
        Verb::Get => {
            line.words(b" v f c");
        }
        Verb::Set => {
            line.words(b" c");
        }
        Verb::Add => {
            line.words(b" c ME");
        }
        Verb::Replace => {
            line.words(b" c MR");
        }
        Verb::Append => {
            line.words(b" c MA");
        }
        Verb::Prepend => {
            line.words(b" c MP");
        }
        Verb::Invalidate => {
            line.words(b" I");
        }
        Verb::Incr => {
            line.number(b" v D", request.delta);
        }
        Verb::Decr => {
            line.number(b" v MD D", request.delta);
        }
        _ => {}
    }
    if matches!(request.verb, Verb::Set | Verb::Add | Verb::Replace) && request.flags != 0 {
        line.number(b" F", request.flags.into());
    }
    if let Some(initial) = request.initial {
        line.number(b" J", initial).number(b" N", request.expiry.unwrap_or(0).into());
    } else if let Some(expiry) = request.expiry.or((request.verb == Verb::Touch).then_some(0)) {
        line.number(b" T", expiry.into());
    }
    if request.cas != 0 {
        line.number(b" C", request.cas);
    }
    if let Some(vivify) = request.vivify {
        line.number(b" N", vivify.into());
    }
    if let Some(recache) = request.recache {
        line.number(b" R", recache.into());
    }
    if quiet {
        line.words(b" q");
    }
    line.number(b" O", opaque.into()).words(b"\r\n");
    if is_write {
        line.words(&request.value).words(b"\r\n");
    }
    Ok(())
}

/// Cuts the next reply off a body.
#[inline]
pub(crate) fn cut(body: &mut Bytes) -> Option<Reply> {
    let line_end = body.iter().position(|&byte| byte == b'\n')? + 1;
    let line = body.get(..line_end)?;
    let mut words = words(line);
    let mut end = line_end;
    let first = words.next()?;
    if first == b"VA" {
        end = end.checked_add(number(words.next()?)? as usize)?.checked_add(2)?;
    }
    let has_flags = first.len() == 2;
    let opaque = words.filter(|_| has_flags).find_map(|flag| number(flag.strip_prefix(b"O")?));
    (body.len() >= end)
        .then(|| Reply { opaque: opaque.and_then(|n| n.try_into().ok()), bytes: body.split_to(end) })
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.trim_ascii_end().split(|&byte| byte == b' ').filter(|word| !word.is_empty())
}

#[inline]
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |number, byte| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// The answer in a reply. `None`: the reply does not fit the request.
#[inline]
pub(crate) fn read(request: &Request, reply: &Bytes) -> Option<Answer> {
    let line_end = reply.iter().position(|&byte| byte == b'\n')? + 1;
    let line = &reply[..line_end];
    let mut words = words(line);
    Some(match words.next()? {
        b"VA" => {
            let length = number(words.next()?)? as usize;
            let data = reply.get(line_end..line_end.checked_add(length)?)?;
            if matches!(request.verb, Verb::Incr | Verb::Decr) {
                return Some(Answer::Number(number(data.trim_ascii_end())?));
            }
            let mut item = Item { value: value(reply, data), ..Item::default() };
            read_flags(words, &mut item)?;
            Answer::Value(item)
        }
        b"HD" | b"OK" | b"MN" => {
            let mut item = Item::default();
            read_flags(words, &mut item)?;
            Answer::Done { cas: item.cas }
        }
        b"EN" | b"NF" => match request.verb {
            Verb::Replace | Verb::Append | Verb::Prepend if request.cas == 0 => {
                Answer::Failed(Error::NotStored)
            }
            _ => Answer::Missing,
        },
        b"NS" => Answer::Failed(Error::NotStored),
        b"EX" => Answer::Failed(Error::Exists),
        b"VERSION" => Answer::Text(String::from_utf8_lossy(&line[8..]).trim().to_owned()),
        _ => Answer::Failed(refused(line.trim_ascii())),
    })
}

/// Reads the flags of a reply that matter here.
fn read_flags<'l>(flags: impl Iterator<Item = &'l [u8]>, item: &mut Item) -> Option<()> {
    let (mut won, mut lost, mut stale) = (false, false, false);
    for flag in flags {
        let (letter, rest) = flag.split_first()?;
        match letter {
            b'f' => item.flags = number(rest)?.try_into().ok()?,
            b'c' => item.cas = number(rest)?,
            b'W' => won = true,
            b'Z' => lost = true,
            b'X' => stale = true,
            _ => {}
        }
    }
    item.recache = match (won, lost) {
        (true, _) => Recache::Won { stale },
        (false, true) => Recache::Lost { stale },
        (false, false) => Recache::No,
    };
    Some(())
}

/// The error of an error line.
pub(crate) fn error(reply: &Bytes) -> Option<Error> {
    let is_error = words(reply).next()?.trim_ascii_end().ends_with(b"ERROR");
    is_error.then(|| refused(reply.trim_ascii()))
}

/// The error in an error line, whose words are the only distinction between errors.
#[cold]
fn refused(line: &[u8]) -> Error {
    let text = String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned();
    match &*text {
        "SERVER_ERROR object too large for cache" => Error::TooLarge,
        "CLIENT_ERROR cannot increment or decrement non-numeric value" => Error::NonNumeric,
        _ => Error::Server { status: 0, text },
    }
}
