//! Reads the input: frames of streams, and frames of calls between them.
//!
//! "Frames are handled in arrival order; different streams may interleave between segments of a message, and
//! so may PRPC frames."

use super::client;
use super::connection::Connection;
use super::frame::{Kind, MAGIC, Meta, NO_STREAM, rst};
use super::server;
use super::stream::{End, Stream, Wire};
use crate::pbrpc::baidu_std::Prpc;
use crate::pbrpc::{Found, Frame, Front, Inward, Pbrpc};
use polywire_base::IoBuf;
use polywire_call::{Origin, Status, brpc};
use polywire_wire::{Answer, Cx, Denied, Event, Exchange, Role, Step, WireError};

/// The result of looking at the front of the input.
enum Read {
    /// A frame, or the received part of an unwanted one.
    Taken,
    /// The frame belongs to no stream.
    Other,
    Need(usize),
    /// The frame's stream has too much data waiting.
    Blocked,
}

/// The kind of request that a server has found.
enum Opened {
    Plain,
    Streams(Exchange),
    Unauthenticated,
}

/// Takes the next event of a connection that has streams, or returns what is missing.
pub(super) fn poll<'a>(machine: &'a mut Pbrpc<Prpc>, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
    let (limits, role) = (machine.limits, machine.role());
    machine.extension.live(limits, role);
    let opened = loop {
        if let Some(event) = before_reading(machine, cx) {
            return Ok(Step::Event(event));
        }
        if machine.inward == Inward::Frame {
            match read(machine, cx)? {
                Read::Taken => {
                    forget_unread(machine);
                    continue;
                }
                Read::Other => {}
                Read::Need(n) => return Ok(at_rest(machine, cx, Step::Need(n))),
                Read::Blocked => {
                    if let Some(event) = grant_without_feedback(machine, cx) {
                        return Ok(Step::Event(event));
                    }
                    return Ok(at_rest(machine, cx, Step::Blocked));
                }
            }
        }
        if role == Role::Client {
            match machine.poll_client(cx)? {
                Step::Foreign if is_stream_frame(cx.input) => continue,
                Step::Foreign => return Err(WireError::BadMagic),
                step => return Ok(at_rest(machine, cx, step)),
            }
        }
        match machine.next_request(cx)? {
            Found::Request => match admitted(machine, cx) {
                Some(opened) => break opened,
                None => continue,
            },
            Found::Unauthenticated => break Opened::Unauthenticated,
            Found::Extension if machine.inward == Inward::Payload || is_stream_frame(cx.input) => {}
            Found::Extension => return Ok(at_rest(machine, cx, Step::Foreign)),
            Found::Need(n) => return Ok(at_rest(machine, cx, Step::Need(n))),
            Found::Blocked => return Ok(at_rest(machine, cx, Step::Blocked)),
            Found::Closed => return Ok(Step::Closed),
        }
    };
    Ok(Step::Event(match opened {
        Opened::Plain => Event::Open(machine.open_request(cx)),
        Opened::Streams(exchange) => Event::Open(server::open(machine, cx, exchange)),
        Opened::Unauthenticated => machine.claim(),
    }))
}

/// Whether a stream's frame begins here, by the bytes that have arrived.
fn is_stream_frame(input: &mut IoBuf) -> bool {
    let seen = input.len().min(MAGIC.len());
    input.peek(seen).is_some_and(|front| *front == MAGIC[..seen])
}

/// Writes the reply that a method's client waits for, and reports waiting events.
fn before_reading(machine: &mut Pbrpc<Prpc>, cx: &mut Cx<'_>) -> Option<Event<'static>> {
    let live = machine.extension.live.as_mut()?;
    if let Some(key) = live.owed.take() {
        live.reply(cx.out, key, &Answer::default());
    }
    live.next_event()
}

/// The connection is read again.
fn forget_unread(machine: &mut Pbrpc<Prpc>) {
    machine.extension.live.iter_mut().for_each(|live| live.unread = None);
}

/// The credit of senders that wait for FEEDBACK while nothing is read.
fn grant_without_feedback(machine: &mut Pbrpc<Prpc>, cx: &mut Cx<'_>) -> Option<Event<'static>> {
    let live = machine.extension.live.as_mut().filter(|_| cx.out.room() > 0)?;
    live.go_on_without_feedback();
    live.next_event()
}

/// Before the connection rests, sends FEEDBACK for the messages that were taken.
fn at_rest<'a>(machine: &mut Pbrpc<Prpc>, cx: &mut Cx<'_>, step: Step<'a>) -> Step<'a> {
    if let (Some(live), Step::Need(_) | Step::Blocked) = (machine.extension.live.as_mut(), &step) {
        live.report(cx.out);
    }
    step
}

/// The request that was found may go to the dispatcher; `None`: it was answered.
fn admitted(machine: &mut Pbrpc<Prpc>, cx: &mut Cx<'_>) -> Option<Opened> {
    let (route, payload) = (machine.message.route, machine.message.payload_bytes);
    let token = machine.message.correlation_id;
    let live = machine.extension.live.as_mut().filter(|live| live.offer.is_some());
    let Some(live) = live else { return Some(Opened::Plain) };
    match live.admit(token, route, payload) {
        Ok(exchange) => Some(Opened::Streams(exchange)),
        Err(status) => {
            if brpc::number(&status) == brpc::ELIMIT {
                cx.host.denied(Denied::Request);
            }
            cx.host.withdraw(route, Some(payload));
            machine.inward = Inward::Skip(payload);
            machine.refuse(cx, token, status);
            None
        }
    }
}

fn read(machine: &mut Pbrpc<Prpc>, cx: &mut Cx<'_>) -> Result<Read, WireError> {
    if machine.role() == Role::Server && cx.out.room() == 0 {
        return Ok(Read::Blocked); // a peer that does not read what we say is heard no further
    }
    let frame = match Frame::peek_as::<Prpc>(cx.input, MAGIC, machine.limits.max_message)? {
        Front::Frame(frame) => frame,
        Front::Need(missing) => return Ok(Read::Need(missing)),
        Front::Foreign => return Ok(Read::Other),
    };
    let Some(live) = machine.extension.live.as_mut() else { return Ok(Read::Other) };
    // "Meta that fails to parse: frame ignored, connection stays."
    let meta = Meta::parse(frame.meta::<Prpc>(cx.input));
    let (to, more) = meta.as_ref().map_or((NO_STREAM, false), |meta| (meta.to, meta.has_continuation));
    let wanted = match meta {
        None => Destination::No,
        Some(meta) if meta.kind == Kind::Data => live.destination(cx, &meta),
        Some(meta) => live.control(cx, meta),
    };
    match wanted {
        Destination::No => {
            machine.skip_frame(cx, &frame);
            return Ok(Read::Taken);
        }
        Destination::Later => {
            live.blocks(to, cx.now);
            return Ok(Read::Blocked);
        }
        Destination::Late | Destination::By(_) => {}
    }
    let missing = (frame.head_bytes::<Prpc>() + frame.payload_bytes).saturating_sub(cx.input.len());
    if missing > 0 {
        return Ok(Read::Need(missing));
    }
    cx.input.advance(frame.head_bytes::<Prpc>());
    let data = cx.input.cut(frame.payload_bytes);
    match wanted {
        Destination::By(key) => segment(machine, cx, key, data, more),
        Destination::Late => {
            live.late.retain(|&late| late != to);
            client::came_late(cx, data);
        }
        Destination::No | Destination::Later => {}
    }
    Ok(Read::Taken)
}

/// The call or stream that takes the data of a frame.
#[derive(Clone, Copy)]
enum Destination {
    No,
    /// None, before something has been delivered.
    Later,
    By(u32),
    /// A call that was cancelled.
    Late,
}

impl Connection {
    /// Whether the data of a frame is buffered. Data without a stream is answered with an RST.
    fn destination(&mut self, cx: &mut Cx<'_>, meta: &Meta) -> Destination {
        if self.late.contains(&meta.to) {
            return Destination::Late;
        }
        let (role, limits) = (self.role, self.limits);
        match self.known(meta.to) {
            Some((key, stream)) if stream.wire != Wire::Offered || role == Role::Client => {
                if stream.inward.is_full(&limits) { Destination::Later } else { Destination::By(key) }
            }
            Some(_) | None => {
                unknown(cx, meta);
                Destination::No
            }
        }
    }

    /// The stream of this id, unless it has ended.
    fn known(&mut self, id: u64) -> Option<(u32, &mut Stream)> {
        let key = self.table.find_id(id)?;
        let stream = self.table.stream(key)?;
        (stream.wire != Wire::Over && !stream.forgotten).then_some((key, stream))
    }

    /// Handles a frame without data; a payload is skipped nevertheless.
    fn control(&mut self, cx: &mut Cx<'_>, meta: Meta) -> Destination {
        let Some((key, stream)) = self.known(meta.to) else {
            // "FEEDBACK: ignored, never answered. RST: ignored."
            if !matches!(meta.kind, Kind::Feedback | Kind::Rst) {
                unknown(cx, &meta);
            }
            return Destination::No;
        };
        let Some(ends) = stream.ends() else { return Destination::No }; // "Ignored before connect"
        match meta.kind {
            Kind::Feedback => {
                stream.outward.feedback(meta.consumed);
                self.reopen(key);
            }
            Kind::Half if stream.typed && stream.end.is_none() => {
                stream.end = Some(End::Half);
                self.list(key);
            }
            // "The peer closes its side and sends its own CLOSE back." "RST: that side also emits CLOSE."
            Kind::Close | Kind::Rst => {
                ends.close(cx.out);
                let end =
                    if meta.kind == Kind::Close { End::Closed } else { End::Broken(reset_by_peer(meta)) };
                self.over(key, end);
            }
            Kind::Data | Kind::Half | Kind::Other => {}
        }
        Destination::No
    }

    /// The stream writes nothing more; its end is reported to the application after the last message. Who
    /// sends and does not read is told at once.
    fn over(&mut self, key: u32, end: End) {
        let Some(stream) = self.table.stream(key) else { return };
        if !stream.inward.is_empty() {
            self.events.push_back(Event::Stopped { exchange: stream.exchange });
        }
        stream.wire = Wire::Over;
        stream.outward.clear();
        stream.inward.drop_assembly();
        stream.end = Some(end);
        self.list(key);
    }

    /// Number of bytes in messages whose last segment has not come.
    fn assembling(&mut self) -> usize {
        self.table.streams().map(|stream| stream.inward.assembling()).sum()
    }
}

/// "RST to source_stream_id if present". Nothing is written if the output has no room.
fn unknown(cx: &mut Cx<'_>, meta: &Meta) {
    if let Some(from) = meta.from.filter(|&from| from != NO_STREAM && cx.out.room() > 0) {
        rst(cx.out, from, None);
    }
}

fn reset_by_peer(meta: Meta) -> Status {
    let reset = || brpc::status(brpc::ECONNRESET, "The peer reset the stream").with_origin(Origin::Remote);
    meta.why.unwrap_or_else(reset)
}

/// Handles a segment of a message or of a reply.
fn segment(machine: &mut Pbrpc<Prpc>, cx: &mut Cx<'_>, key: u32, data: IoBuf, more: bool) {
    let Some(live) = machine.extension.live.as_mut() else { return };
    let limits = live.limits;
    let most = limits.max_message as usize;
    let others = if more { live.assembling() } else { 0 };
    let Some(stream) = live.table.stream(key) else { return };
    let awaits = stream.awaits.is_some();
    let length = data.len();
    match stream.inward.arrive(data, more, most) {
        Ok(None) if others + length <= 2 * most => {}
        Ok(Some(reply)) if awaits => client::replied(machine, cx, key, reply),
        Ok(Some(message)) => {
            stream.inward.wait(message, &limits);
            live.list(key);
        }
        Ok(None) | Err(()) => {
            let why =
                brpc::status(brpc::EREQUEST, format!("A message of the stream exceeds the limit of {most}"));
            if let Some(ends) = stream.ends() {
                rst(cx.out, ends.to, stream.typed.then_some(&why));
            }
            live.over(key, End::Broken(why));
        }
    }
}
