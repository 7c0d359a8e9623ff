//! Calls that offer streams, and their replies.
//!
//! "The client treats the first DATA message of its first stream as the PRPC response; it is not user data
//! and is not counted in flow control."

use super::connection::Connection;
use super::frame::rst;
use super::settings::Settings;
use super::stream::{Method, Purpose, Stream};
use super::table::{Call, Entry};
use crate::pbrpc::baidu_std::{Prpc, encode};
use crate::pbrpc::{Frame, Front, Inward, Leaving, Pbrpc};
use polywire_base::IoBuf;
use polywire_call::{Status, brpc};
use polywire_wire::{
    Answer, Compression, Credit, Cx, Event, Exchange, Outcome, Outgoing, Part, Refusal, Step,
};

/// "malformed wrapped stream reply"
const EPROTO: i32 = 71;
/// The number of cancelled calls that are remembered because their reply still brings ids that have to be
/// reset. Beyond it the oldest are forgotten.
const MOST_LATE: usize = 64;

/// Writes a request that streams, or offers streams.
pub(super) fn open(
    machine: &mut Pbrpc<Prpc>,
    cx: &mut Cx<'_>,
    exchange: Exchange,
    call: &Outgoing<'_>,
) -> Result<Credit, Refusal> {
    let is_method = !call.finished || call.streamed;
    if is_method && !call.streams.is_empty() {
        return Err(Refusal::Unsupported);
    }
    if !call.finished && call.compression != Compression::NONE {
        return Err(Refusal::Compression); // messages of a stream have no mark for it
    }
    let (limits, role) = (machine.limits, machine.role());
    let live = machine.extension.live(limits, role);
    match live.table.len() + call.streams.len() + 1 {
        _ if call.streams.len() >= limits.streams as usize => return Err(Refusal::TooLarge),
        all if all > limits.streams as usize => return Err(Refusal::Streams),
        _ => {}
    }
    let ids = if is_method { vec![exchange.token] } else { call.streams.iter().map(|s| s.token).collect() };
    let settings = Settings::ours(ids, is_method);
    encode::request(cx.out, exchange.token, &machine.credential, call, Some(&settings))?;
    let first = if is_method {
        let method =
            Method { streamed: call.streamed, whole: call.finished, owed: None, answer: None, half: false };
        live.enter(exchange, Purpose::Method(method))
    } else {
        let streams: Vec<_> = call.streams.iter().map(|&stream| live.enter(stream, Purpose::Bytes)).collect();
        let first = streams[0];
        live.table.insert(Entry::Call(Call { exchange, streams, offer: settings }));
        first
    };
    if let Some(stream) = live.table.stream(first) {
        stream.awaits = Some(exchange);
    }
    machine.forget_credential();
    Ok(Credit::CLOSED)
}

/// Takes the first message of a call's first stream, which is the call's reply. `key`: of that stream.
pub(super) fn replied(machine: &mut Pbrpc<Prpc>, cx: &mut Cx<'_>, key: u32, mut reply: IoBuf) {
    let Some(live) = machine.extension.live.as_mut() else { return };
    let Some(exchange) = live.table.stream(key).and_then(|stream| stream.awaits.take()) else { return };
    let settings = settings_of(&mut reply).unwrap_or_default();
    let outcome = read(machine, cx, exchange, reply);
    let Some(live) = machine.extension.live.as_mut() else { return };
    live.settle(cx, exchange, key, outcome, &settings);
}

/// The settings in a wrapped reply, if it is one.
fn settings_of(reply: &mut IoBuf) -> Option<Settings> {
    match Frame::peek::<Prpc>(reply, u32::MAX) {
        Ok(Front::Frame(frame)) => Settings::find(frame.meta::<Prpc>(reply)).ok().flatten(),
        Ok(Front::Need(_) | Front::Foreign) | Err(_) => None,
    }
}

/// Reads the reply as if it had come without a frame around it.
fn read(machine: &mut Pbrpc<Prpc>, cx: &mut Cx<'_>, exchange: Exchange, mut reply: IoBuf) -> Outcome {
    let unreported = machine.leaving == Leaving::Unreported;
    if unreported {
        machine.leaving = Leaving::Known; // so that the reply is read and not the notice
    }
    let mut inner = Cx { now: cx.now, input: &mut reply, out: &mut *cx.out, host: &mut *cx.host };
    let outcome = match machine.poll_client(&mut inner) {
        Ok(Step::Event(Event::Finish { exchange: named, outcome })) if named == exchange => outcome,
        _ => brpc::status(EPROTO, "The reply inside the stream is malformed").into(),
    };
    if machine.inward != Inward::Closed {
        machine.inward = Inward::Frame;
    }
    if unreported {
        machine.leaving = Leaving::Unreported;
    }
    outcome
}

/// Handles the reply of a cancelled call: "RST is sent for stream_id and each extra id".
pub(super) fn came_late(cx: &mut Cx<'_>, mut reply: IoBuf) {
    for id in settings_of(&mut reply).unwrap_or_default().ids {
        rst(cx.out, id, None);
    }
}

impl Connection {
    fn enter(&mut self, exchange: Exchange, purpose: Purpose) -> u32 {
        self.table.insert(Entry::Stream(Stream::new(exchange, exchange.token, purpose, &self.excess)))
    }

    /// Ends the call; its streams begin or end.
    fn settle(&mut self, cx: &mut Cx<'_>, exchange: Exchange, key: u32, outcome: Outcome, theirs: &Settings) {
        let call = self.table.find(exchange).and_then(|key| self.take_call(key));
        let streams = call.as_ref().map_or(vec![key], |call| call.streams.clone());
        let outcome = judged(outcome, streams.len(), theirs);
        let good = outcome.status.is_ok();
        if !good {
            theirs.ids.iter().for_each(|&id| rst(cx.out, id, None));
        }
        if call.is_some() {
            let why = outcome.status.clone();
            self.events.push_back(Event::Finish { exchange, outcome });
            if !good {
                return self.not_accepted(&streams, &why);
            }
        } else if good {
            let Outcome { body, trailers: metadata, .. } = outcome;
            self.answered(key, Answer { metadata, ..Answer::default() }, body);
        } else {
            self.table.remove(key);
            return self.events.push_back(Event::Finish { exchange, outcome });
        }
        for (&key, &to) in streams.iter().zip(&theirs.ids) {
            self.connected(cx.out, key, to, theirs);
            self.send_half(cx, key);
        }
    }

    fn take_call(&mut self, key: u32) -> Option<Call> {
        if self.table.stream(key).is_some() {
            return None;
        }
        match self.table.remove(key)? {
            Entry::Call(call) => Some(call),
            Entry::Stream(_) => None,
        }
    }

    /// Sends the end of this side's half, which came before the peer's stream was known.
    fn send_half(&mut self, cx: &mut Cx<'_>, key: u32) {
        let Some(stream) = self.table.stream(key) else { return };
        if stream.method().is_some_and(|method| std::mem::take(&mut method.half)) {
            let exchange = stream.exchange;
            self.send(cx.out, exchange, &Part::end());
        }
    }

    /// Cancels a call that offered streams: they end with it.
    pub fn give_up(&mut self, key: u32, why: &Status) {
        let Some(Call { streams, offer, .. }) = self.take_call(key) else { return };
        if streams.len() > 1 {
            self.late.truncate(MOST_LATE - 1);
            self.late.push_front(offer.first());
        }
        self.not_accepted(&streams, why);
    }
}

/// "Success without stream_settings: call fails with EREQUEST"
fn judged(outcome: Outcome, offered: usize, theirs: &Settings) -> Outcome {
    match theirs.ids.len() {
        _ if !outcome.status.is_ok() => outcome,
        0 => brpc::status(brpc::EREQUEST, "The server didn't accept the stream").into(),
        n if n == offered => Outcome { accept: true, ..outcome },
        n => {
            let text = format!("The server accepted {n} streams of {offered}");
            brpc::status(brpc::ERESPONSE, text).into()
        }
    }
}
