//! Bodies as messages: finds the messages in `Body::bytes`.
//!
//! ```text
//!  bytes:   | 5 bytes | message | 5 bytes | mess…        enveloped: one message after another
//!           begun ───►          next()
//!  bytes:   | body of a plain or Connect call |          the whole, or pieces as they come
//! ```
//!
//! Invariants: of an envelope that has begun (`Body::begun`) the five bytes are taken off and granted; the
//!             window is open for all of its message (rule 5).
//! Limits:     a message's length is compared with the limit before any of it is kept.

use super::{BodyEnd, Found, Semantics};
use crate::http::{
    dialects::{Kind, connect, envelope, envelope::Envelope, grpc_web},
    framing::{Abort, Framing},
};
use polywire_base::IoBuf;
use polywire_call::{Code, Native, Origin, Status, brpc};
use polywire_wire::{Compression, Cx, Role};
use std::time::Instant;

/// A piece that was read from a body.
pub(super) enum Cut {
    /// A message, which is in `Body::message`.
    Message,
    /// The end of the call, which is in `ClientCall::ended`.
    End,
}

/// The fault of an enveloped body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bad {
    Flags(u8),
    /// Longer than this many bytes.
    Long(usize),
    /// The body ended inside a message.
    Short,
    /// A message is compressed, but the head named no compression.
    Uncoded,
    /// The text form is not valid base64.
    Text,
    /// There is a second message where only one is allowed.
    Surplus,
    /// There is no message where one is required.
    Missing,
}

impl Bad {
    #[cold]
    pub fn status(self, role: Role) -> Status {
        let status = match self {
            Bad::Flags(flags) => Status::internal(format!("message with flags {flags:#04x}")),
            Bad::Long(limit) => Status::resource_exhausted(format!("message longer than {limit} bytes"))
                .with_native(Native::Brpc(brpc::EREQUEST)),
            Bad::Short => Status::internal("the body ended inside a message"),
            Bad::Uncoded => Status::internal("message is compressed, but the head names no compression"),
            Bad::Text => Status::internal("body is not base64"),
            Bad::Surplus => Status::unimplemented("more than one message where one was due"),
            Bad::Missing => Status::unimplemented("no message where one was due"),
        };
        match role {
            Role::Server => status,
            Role::Client => status.with_native(Native::None).with_origin(Origin::Local),
        }
    }
}

/// Shorter messages of streams are received without a question, in bytes: no host would refuse them.
const ASKED: usize = 4 << 10;

impl<F: Framing> Semantics<F> {
    /// Stores a piece of a body.
    #[inline]
    pub(super) fn keep(&mut self, slot: u32, bytes: IoBuf, end: bool) -> Result<(), Bad> {
        let call = &mut self.calls[slot as usize];
        if end {
            call.body.end = BodyEnd::Here;
        }
        let bytes = if call.form.kind == Kind::GrpcWebText {
            let begun = call.body.carry.len();
            let decoded = call.body.carry.decode(&bytes).map_err(|()| Bad::Text)?;
            // The application grants bytes of messages; the bytes that base64 adds are granted here, those of
            // a group together with its last digit.
            let groups = begun + bytes.len() - call.body.carry.len();
            self.give_back(slot, groups - decoded.len());
            IoBuf::from(decoded)
        } else {
            bytes
        };
        let call = &mut self.calls[slot as usize];
        if call.body.bytes.is_empty() {
            call.body.bytes = bytes;
        } else {
            call.body.bytes.append(bytes);
        }
        Ok(())
    }

    /// The next message of an enveloped body, if it has arrived completely.
    #[inline]
    pub(super) fn next(&mut self, cx: &mut Cx<'_>, slot: u32) -> Result<Option<Cut>, Bad> {
        let call = &self.calls[slot as usize];
        let begun = match call.body.begun {
            Some(begun) => begun,
            None => match self.begin_message(cx, slot)? {
                Some(begun) => begun,
                None => return Ok(None),
            },
        };
        let call = &mut self.calls[slot as usize];
        let len = begun.len as usize;
        if call.body.bytes.len() < len {
            if call.form.kind == Kind::GrpcWebText {
                self.open_window_for_message(cx.now, slot); // padding inside the message may have used up what was open for it
            }
            return Ok(None);
        }
        call.body.begun = None;
        let bytes = if call.body.bytes.len() == len {
            std::mem::take(&mut call.body.bytes)
        } else {
            call.body.bytes.cut(len)
        };
        let compression = if begun.compressed { call.form.compression } else { Compression::NONE };
        if begun.last {
            self.last_envelope(slot, bytes, compression);
            return Ok(Some(Cut::End));
        }
        (call.body.message, call.body.compression, call.body.has_message) = (bytes, compression, true);
        self.leave(slot);
        let call = &self.calls[slot as usize];
        if call.is_unary(self.role) {
            self.give_back(slot, len); // the caller does not, and the last envelope may still come
        }
        Ok(Some(Cut::Message))
    }

    /// Reads the five-byte prefix of a message.
    #[inline]
    fn begin_message(&mut self, cx: &mut Cx<'_>, slot: u32) -> Result<Option<Envelope>, Bad> {
        let longest = self.longest(slot);
        let role = self.role;
        let call = &mut self.calls[slot as usize];
        let taken = Envelope::take(call.form.kind, role, &mut call.body.bytes).map_err(Bad::Flags)?;
        let Some(envelope) = taken else { return Ok(None) };
        let len = envelope.len as usize;
        let longest = if envelope.last { grpc_web::MAX_END } else { longest };
        if len > longest {
            return Err(Bad::Long(longest));
        }
        if envelope.compressed && call.form.compression == Compression::NONE {
            return Err(Bad::Uncoded);
        }
        if call.body.has_message && !envelope.last && call.is_unary(role) {
            return Err(Bad::Surplus);
        }
        call.body.begun = Some(envelope);
        let asks = role == Role::Client && !envelope.last && (len >= ASKED || !call.client.streamed);
        let exchange = call.exchange;
        self.give_back(slot, envelope::BYTES);
        if asks && !exchange.is_some_and(|exchange| cx.host.admit_reply(exchange, len)) {
            return Err(Bad::Long(len.saturating_sub(1)));
        }
        self.open_window_for_message(cx.now, slot);
        Ok(Some(envelope))
    }

    /// Opens the window for the rest of the current message.
    #[inline]
    fn open_window_for_message(&mut self, now: Instant, slot: u32) {
        let call = &self.calls[slot as usize];
        let len = call.body.begun.map_or(0, |begun| begun.len as usize);
        if len > call.body.bytes.len() {
            self.open_window_for(now, slot, len);
        }
    }

    /// Client: reads the envelope that ends the call.
    #[cold]
    fn last_envelope(&mut self, slot: u32, bytes: IoBuf, compression: Compression) {
        let call = &mut self.calls[slot as usize];
        let inflated = polywire_formats::compression::decompress(compression, bytes, grpc_web::MAX_END);
        let text = match inflated {
            Ok(text) => text.to_vec(),
            Err(error) => {
                call.client.ended = Some(Box::new((error.reply(), Default::default())));
                return;
            }
        };
        let ended = if call.form.kind == Kind::ConnectStream {
            connect::error::read_end(&text)
        } else {
            grpc_web::ended(&text)
        };
        call.client.ended = Some(Box::new(ended));
    }

    /// Whether a part of an enveloped message, or of a group of base64, has arrived.
    pub(super) fn is_inside(&self, slot: u32) -> bool {
        let call = &self.calls[slot as usize];
        call.body.begun.is_some() || !call.body.bytes.is_empty() || call.body.carry.is_open()
    }

    /// The next message of a streamed body, or its end, if the application has asked for it.
    pub(super) fn message(&mut self, cx: &mut Cx<'_>, slot: u32) -> Option<Found> {
        if self.calls[slot as usize].form.kind == Kind::WebSocket {
            return self.frames(cx, slot);
        }
        let role = self.role;
        loop {
            let inside = self.is_inside(slot);
            let call = &mut self.calls[slot as usize];
            call.exchange?;
            if call.body.end == BodyEnd::Delivered || call.is_waiting() {
                return None;
            }
            // The end may overtake the demand, a message may not.
            if inside && call.flow.demand == 0 {
                return None;
            }
            match self.next(cx, slot) {
                Ok(Some(Cut::Message)) => {
                    let inside = self.is_inside(slot);
                    let call = &mut self.calls[slot as usize];
                    call.flow.demand -= 1;
                    let finished = role == Role::Server && call.body.end.is_complete() && !inside;
                    if finished {
                        call.body.end = BodyEnd::Delivered;
                    }
                    if inside || call.body.end.is_complete() && !finished {
                        self.deliver.push_back(slot);
                    }
                    return Some(Found::Message { slot, finished });
                }
                Ok(Some(Cut::End)) => {}
                Ok(None) => {
                    let (ended, short) =
                        (self.calls[slot as usize].body.end.is_complete(), self.is_inside(slot));
                    if !ended {
                        return None;
                    }
                    if short {
                        return self.bad(cx, slot, Bad::Short);
                    }
                    self.calls[slot as usize].body.end = BodyEnd::Delivered;
                    return Some(match role {
                        Role::Server => Found::Part { slot, end_of_message: false, finished: true },
                        Role::Client => Found::Finish { slot },
                    });
                }
                Err(bad) => return self.bad(cx, slot, bad),
            }
        }
    }

    /// Fails the call because its enveloped body is invalid.
    #[cold]
    pub(super) fn bad(&mut self, cx: &mut Cx<'_>, slot: u32, bad: Bad) -> Option<Found> {
        let why = bad.status(self.role);
        match self.role {
            Role::Client => self.fail_call(cx, slot, why),
            Role::Server => {
                self.withdraw(cx, slot);
                let call = &self.calls[slot as usize];
                let told = call.opened_exchange();
                self.fail(cx, slot, &why, None);
                let exchange = told?;
                let why = Status::new(Code::Cancelled, why.message()).with_origin(Origin::Remote);
                Some(Found::Reset { exchange, why: why.into() })
            }
        }
    }

    /// Client: fails the call before its reply has ended.
    #[cold]
    pub(super) fn fail_call(&mut self, cx: &mut Cx<'_>, slot: u32, why: Status) -> Option<Found> {
        self.framing.reset(cx, slot, Abort::Cancel);
        let begun = self.calls[slot as usize].reply.has_begun();
        let exchange = self.end(slot)?;
        let why = if begun { why.begun() } else { why };
        Some(Found::Fail { exchange, status: why.into() })
    }
}
