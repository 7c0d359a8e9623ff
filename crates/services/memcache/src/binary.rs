//! Requests and replies in the binary protocol.
//!
//! Source: docs/wire/memcache.md, sections 2 to 4.

use crate::{
    answer::{Answer, Item, Recache, value},
    error::Error,
    form::Reply,
    request::{Request, Verb},
};
use bytes::{BufMut, Bytes, BytesMut};
use polywire_protocols::memcache::{HEADER_BYTES, Header, MAX_BODY, opcode, status};

/// INCREMENT with this expiry makes no key that is not there.
const DO_NOT_CREATE: u32 = u32::MAX;

pub(crate) fn write(request: &Request, opaque: u32, quiet: bool, out: &mut BytesMut) -> Result<(), Error> {
    if request.vivify.is_some() || request.recache.is_some() || request.verb == Verb::Invalidate {
        return Err(Error::Unsupported("only `memcache_meta` can invalidate and renew values"));
    }
    let code = match request.verb {
        Verb::Get if request.expiry.is_some() => opcode::GAT,
        Verb::Get => opcode::GET,
        Verb::Set => opcode::SET,
        Verb::Add => opcode::ADD,
        Verb::Replace => opcode::REPLACE,
        Verb::Append => opcode::APPEND,
        Verb::Prepend => opcode::PREPEND,
        Verb::Delete | Verb::Invalidate => opcode::DELETE,
        Verb::Incr => opcode::INCREMENT,
        Verb::Decr => opcode::DECREMENT,
        Verb::Touch => opcode::TOUCH,
        Verb::Flush => opcode::FLUSH,
        Verb::Version => opcode::VERSION,
        Verb::Fence => opcode::NOOP,
    };
    let mut extras = [0; 20];
    let mut space = &mut extras[..];
    match request.verb {
        Verb::Set | Verb::Add | Verb::Replace => {
            space.put_u32(request.flags);
            space.put_u32(request.expiry.unwrap_or(0));
        }
        Verb::Incr | Verb::Decr => {
            space.put_u64(request.delta);
            space.put_u64(request.initial.unwrap_or(0));
            space.put_u32(match request.initial {
                Some(_) => request.expiry.unwrap_or(0),
                None => DO_NOT_CREATE,
            });
        }
        Verb::Get | Verb::Touch | Verb::Flush => {
            if let Some(expiry) = request.expiry {
                space.put_u32(expiry);
            } else if request.verb == Verb::Touch {
                space.put_u32(0);
            }
        }
        // "memcached answers status 4 to extras of APPEND and closes the connection."
        _ => {}
    }
    let left = space.len();
    let extras = &extras[..20 - left];
    let body = extras.len() + request.key.len() + request.value.len();
    if body > MAX_BODY {
        return Err(Error::TooLarge);
    }
    let quiet_code = quiet.then(|| opcode::quiet(code)).flatten();
    let header = Header {
        opcode: quiet_code.unwrap_or(code),
        key: request.key.len() as u16,
        extras: extras.len() as u8,
        body: body as u32,
        opaque,
        cas: request.cas,
        ..Header::default()
    };
    out.reserve(HEADER_BYTES + body);
    header.write(out);
    out.extend_from_slice(extras);
    out.extend_from_slice(&request.key);
    out.extend_from_slice(&request.value);
    Ok(())
}

/// Cuts the next packet off a body.
#[inline]
pub(crate) fn cut(body: &mut Bytes) -> Option<Reply> {
    let header = Header::read(body.first_chunk()?).ok()?;
    let end = HEADER_BYTES + header.body as usize;
    (body.len() >= end).then(|| Reply { opaque: Some(header.opaque), bytes: body.split_to(end) })
}

/// The answer in a packet. `None`: the packet does not fit the request.
#[inline]
pub(crate) fn read(request: &Request, packet: &Bytes) -> Option<Answer> {
    let header = Header::read(packet.first_chunk()?).ok()?;
    let body = packet.get(HEADER_BYTES..)?;
    if header.status != status::OK {
        return Some(refused(request, header.status, body));
    }
    let extras = body.get(..usize::from(header.extras))?;
    let rest = body.get(usize::from(header.extras) + usize::from(header.key)..)?;
    Some(match request.verb {
        Verb::Get => {
            let flags = u32::from_be_bytes(*extras.first_chunk()?);
            Answer::Value(Item { value: value(packet, rest), flags, cas: header.cas, recache: Recache::No })
        }
        Verb::Incr | Verb::Decr => Answer::Number(u64::from_be_bytes(rest.try_into().ok()?)),
        Verb::Version => Answer::Text(String::from_utf8_lossy(rest).into_owned()),
        _ => Answer::Done { cas: header.cas },
    })
}

#[cold]
fn refused(request: &Request, code: u16, text: &[u8]) -> Answer {
    let error = match (code, request.verb) {
        // A write on a condition says by another status that it does not hold.
        (status::KEY_EXISTS, Verb::Add) => Error::NotStored,
        (status::KEY_NOT_FOUND, Verb::Replace | Verb::Append | Verb::Prepend) if request.cas == 0 => {
            Error::NotStored
        }
        (status::KEY_NOT_FOUND, _) => return Answer::Missing,
        (status::KEY_EXISTS, _) => Error::Exists,
        (status::NOT_STORED, _) => Error::NotStored,
        (status::VALUE_TOO_LARGE, _) => Error::TooLarge,
        (status::NON_NUMERIC, _) => Error::NonNumeric,
        _ => {
            let text = String::from_utf8_lossy(&text[..text.len().min(200)]).into_owned();
            Error::Server { status: code, text }
        }
    };
    Answer::Failed(error)
}
