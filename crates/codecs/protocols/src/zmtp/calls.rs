//! Requests as calls: REP at the server, DEALER at the client.
//!
//! ```text
//! request   envelope ... | empty | service/method | body | [words]
//! reply     envelope ... | empty | code           | body, or the text of the failure
//! ```
//!
//! The envelope is everything before the first empty frame; the reply repeats it unchanged. This client puts
//! the id of its call there, so that many calls share a connection and replies may come in any order. `code`
//! is gRPC's number in decimal; `0` is success. Words are separated by blanks. `json` or `protobuf` (the
//! default) is the form of both bodies; `timeout=N` is the number of milliseconds that the caller still
//! waits; `relays=N` is how many relays the call has passed, from 1 to 9; `fields` asks for the fields of the
//! reply, if it has any, in a further frame (see [`reply_fields`]). Unknown words are ignored.
//!
//! The method that is bound to this protocol ([`super::HANDLER`]) receives the frames after the envelope
//! unchanged, and answers with frames. The reply for a failure is an empty frame, the code and the text.

use super::frame::{self, Frames, Head, MORE};
use crate::{relays, reply_fields};
use bytes::{BufMut, Bytes, BytesMut};
use polywire_base::{IoBuf, Key, Output, Slab};
use polywire_call::{Code, Content, Metadata, Origin, Status};
use polywire_wire::{Exchange, Outcome, Outgoing};
use std::{fmt::Write, time::Duration};

/// Requests at a server that wait for their replies.
#[derive(Default)]
pub(super) struct Pending {
    asked: Slab<Asked>,
    /// Number of bytes of all envelopes.
    held: usize,
}

struct Asked {
    envelope: IoBuf,
    wants: Wants,
}

impl Pending {
    pub fn len(&self) -> usize {
        self.asked.len()
    }

    pub fn held(&self) -> usize {
        self.held
    }

    /// Stores an envelope until its reply.
    pub fn insert(&mut self, envelope: IoBuf, wants: Wants) -> Exchange {
        self.held += envelope.len();
        let key = self.asked.insert(Asked { envelope, wants });
        Exchange { token: key.bits(), slot: key.index }
    }

    /// Writes the reply, unless the request has ended.
    pub fn reply(&mut self, exchange: Exchange, outcome: &Outcome, out: &mut Output) {
        let Some(asked) = self.asked.remove(Key::from_bits(exchange.token)) else { return };
        self.held -= asked.envelope.len();
        out.share(&asked.envelope);
        let plain = asked.wants == Wants::Frames;
        let fields = if asked.wants == Wants::Fields { fields_of(outcome) } else { None };
        let more = if fields.is_some() { MORE } else { 0 };
        match (outcome.status.is_ok(), plain) {
            (true, true) if !outcome.body.is_empty() => out.share(&outcome.body),
            (true, true) => frame::put(out.tail(), 0, b""),
            (false, true) => {
                frame::put(out.tail(), MORE, b"");
                put_failure(out.tail(), &outcome.status, 0);
            }
            (true, false) => {
                frame::put(out.tail(), MORE, b"0");
                frame::put_head(out.tail(), more, outcome.body.len());
                out.share(&outcome.body);
            }
            (false, false) => put_failure(out.tail(), &outcome.status, more),
        }
        if let Some(fields) = fields {
            frame::put(out.tail(), 0, &reply_fields::written(&fields));
        }
    }
}

fn put_failure(out: &mut BytesMut, status: &Status, more: u8) {
    let mut code = itoa::Buffer::new();
    frame::put(out, MORE, code.format(status.code() as u8).as_bytes());
    frame::put(out, more, status.message().as_bytes());
}

/// The fields of a reply; the code has a frame of its own.
fn fields_of(outcome: &Outcome) -> Option<Metadata> {
    let status = &outcome.status;
    if status.is_ok() && outcome.trailers.is_none() {
        return None;
    }
    let mut fields = Metadata::new();
    if status.is_unprocessed() || !status.details().is_empty() {
        fields.append(reply_fields::STATUS, reply_fields::status_value(status));
    }
    if let Some(details) = reply_fields::details(status) {
        fields.append(reply_fields::DETAILS, details);
    }
    let theirs = outcome.trailers.iter().flat_map(|trailers| trailers.iter());
    theirs
        .filter(|(name, _)| !reply_fields::is_status(name))
        .for_each(|(name, value)| fields.append(name, value));
    (!fields.is_empty()).then_some(fields)
}

/// Takes the envelope off the front of a message, its empty frame included. `None`: there is no empty frame.
pub(super) fn take_envelope(message: &mut IoBuf) -> Option<IoBuf> {
    let mut rest = message.clone();
    let mut at = 0;
    loop {
        let here = rest.len();
        let head = match Head::read(rest.front(), here) {
            Ok(Some(head)) => head,
            Ok(None) => super::assembly::read_head(&mut rest, here).ok()??,
            Err(_) => return None,
        };
        at += head.total();
        if head.body == 0 {
            return head.has_more().then(|| message.cut(at));
        }
        if head.total() > here {
            return None;
        }
        rest.advance(head.total());
    }
}

/// The form of reply that a caller understands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wants {
    /// Frames, which are the reply's body.
    Frames,
    /// A code and a body.
    Body,
    /// A code, a body, and fields if there are any.
    Fields,
}

/// A request after its envelope.
pub(super) struct Request {
    pub target: Bytes,
    pub body: Bytes,
    pub content: Content,
    pub timeout: Option<Duration>,
    /// 0: it says nothing of relays.
    pub relays: u8,
    pub wants: Wants,
}

impl Request {
    /// `None` if it does not have polywire's form.
    pub fn read(frames: IoBuf) -> Option<Self> {
        let mut frames = Frames::of(frames);
        let (target, _) = frames.next()?;
        let (body, _) = frames.next()?;
        let words = frames.next().map(|(words, _)| words).unwrap_or_default();
        if frames.next().is_some() {
            return None;
        }
        let (mut content, mut timeout, mut relays, mut wants) = (Content::PROTOBUF, None, 0, Wants::Body);
        for word in std::str::from_utf8(&words).ok()?.split_ascii_whitespace() {
            match (word, word.split_once('=')) {
                ("json", _) => content = Content::PROTO_JSON,
                ("fields", _) => wants = Wants::Fields,
                (_, Some(("timeout", ms))) => {
                    timeout = Some(Duration::from_millis(ms.parse::<u32>().ok()?.into()))
                }
                (_, Some(("relays", number))) => {
                    relays = number.parse().ok().filter(|number| *number <= 9)?
                }
                _ => {}
            }
        }
        Some(Request { target, body, content, timeout, relays, wants })
    }
}

/// The service and the method in a target.
pub(super) fn names(target: &[u8]) -> Option<(&str, &str)> {
    std::str::from_utf8(target).ok()?.trim_start_matches('/').rsplit_once('/')
}

/// Length of an id of polywire: token, slot, and the form of the reply.
const ID: usize = 13;

/// Writes a call as a request under its own id.
pub(super) fn put_call(out: &mut Output, exchange: Exchange, call: &Outgoing<'_>) {
    let plain = call.service.is_empty();
    let mut id = [0; ID];
    id[0] = b'!' + u8::from(plain); // not zero: such ids are the peer's to give
    id[1..9].copy_from_slice(&exchange.token.to_be_bytes());
    id[9..].copy_from_slice(&exchange.slot.to_be_bytes());
    frame::put(out.tail(), MORE, &id);
    frame::put(out.tail(), MORE, b"");
    if plain {
        out.share(call.body);
        return;
    }
    let mut words = String::from("fields ");
    if call.content.is_json() {
        words.push_str("json ");
    }
    if let Some(timeout) = call.timeout {
        let _ = write!(words, "timeout={} ", timeout.as_millis().min(u128::from(u32::MAX)));
    }
    let relays = relays::count(call.metadata);
    if relays > 0 {
        let _ = write!(words, "relays={relays}");
    }
    frame::put_head(out.tail(), MORE, call.service.len() + 1 + call.method.len());
    out.tail().put_slice(call.service.as_bytes());
    out.tail().put_u8(b'/');
    out.tail().put_slice(call.method.as_bytes());
    frame::put_head(out.tail(), MORE, call.body.len());
    out.share(call.body);
    frame::put(out.tail(), 0, words.trim_end().as_bytes());
}

/// The call that a reply belongs to; `None` if there is none.
pub(super) fn read_reply(mut message: IoBuf) -> Option<(Exchange, Outcome)> {
    let mut envelope = Frames::of(take_envelope(&mut message)?);
    let (id, _) = envelope.next()?;
    let id: [u8; ID] = id[..].try_into().ok()?;
    let token = u64::from_be_bytes(id[1..9].try_into().expect("eight bytes"));
    let slot = u32::from_be_bytes(id[9..].try_into().expect("four bytes"));
    let mut outcome = Outcome::default();
    if id[0] == b'!' {
        let mut frames = Frames::of(message);
        let code = frames.next().and_then(|(code, _)| std::str::from_utf8(&code).ok()?.parse::<usize>().ok());
        let body = frames.next().map(|(body, _)| body);
        outcome.trailers = frames.next().and_then(|(fields, _)| reply_fields::read(&fields));
        match (code, body) {
            (Some(0), Some(body)) => (outcome.body, outcome.reply) = (body.into(), true),
            (Some(code), Some(text)) => {
                let code = Code::ALL.get(code).copied().unwrap_or(Code::Unknown);
                let make =
                    |code| Status::new(code, String::from_utf8_lossy(&text)).with_origin(Origin::Remote);
                let said = reply_fields::take(&mut outcome.trailers);
                let status = said.and_then(|said| reply_fields::read_status(&said, make));
                outcome.status = status.unwrap_or_else(|| make(code));
            }
            _ => {
                let status = Status::internal("the reply is not of the form of a call");
                outcome.status = status.with_origin(Origin::Remote);
            }
        }
    } else {
        (outcome.body, outcome.reply, outcome.content) = (message, true, Content::RAW);
    }
    Some((Exchange { token, slot }, outcome))
}
