//! The streams of a connection, and how they end.

use super::budget::Budget;
use super::frame::{Ends, rst};
use super::sender::Last;
use super::settings::Settings;
use super::stream::{End, Purpose, Stream, Wire};
use super::table::{Entry, Table};
use super::unread::Unread;
use polywire_base::{IoBuf, Output};
use polywire_call::{Origin, Status, brpc};
use polywire_wire::{Answer, Credit, Event, Exchange, Limits, Outcome, Part, Role};
use std::collections::VecDeque;

pub(super) struct Connection {
    pub limits: Limits,
    pub role: Role,
    pub table: Table,
    /// The bytes of received messages beyond the windows, over all streams.
    pub excess: Budget,
    /// Events to report before anything is read.
    pub events: VecDeque<Event<'static>>,
    /// Keys of streams with messages to deliver, or an end.
    pub deliver: VecDeque<u32>,
    /// Keys of the streams that have something to write, in order.
    pub writers: VecDeque<u32>,
    /// Keys of the streams from which something was taken.
    pub taken: Vec<u32>,
    /// Server: the streams that the current request offers.
    pub offer: Option<Settings>,
    /// Server: the streams of the current request, as the dispatcher sees them.
    pub offered: Vec<Exchange>,
    /// Server: the call of a streaming method that was just opened: its client cannot send messages before
    /// the reply.
    pub owed: Option<u32>,
    /// Client: the first streams of cancelled calls; their replies name streams that have to be reset.
    pub late: VecDeque<u64>,
    /// Client: a stream for which the connection is not read.
    pub unread: Option<Unread>,
    /// How often applications have taken something.
    grants: u64,
}

impl Connection {
    pub fn new(limits: Limits, role: Role) -> Self {
        Connection {
            limits,
            role,
            table: Table::new(role),
            excess: Budget::default(),
            events: VecDeque::new(),
            deliver: VecDeque::new(),
            writers: VecDeque::new(),
            taken: Vec::new(),
            offer: None,
            offered: Vec::new(),
            owed: None,
            late: VecDeque::new(),
            unread: None,
            grants: 0,
        }
    }

    pub fn find_stream(&mut self, exchange: Exchange) -> Option<(u32, &mut Stream)> {
        let key = self.table.find(exchange)?;
        Some((key, self.table.stream(key)?))
    }

    /// Notes that this stream has something to deliver.
    pub fn list(&mut self, key: u32) {
        let Some(stream) = self.table.stream(key) else { return };
        if !std::mem::replace(&mut stream.listed, true) {
            self.deliver.push_back(key);
        }
    }

    /// The next event for the dispatcher.
    pub fn next_event(&mut self) -> Option<Event<'static>> {
        while self.events.is_empty() {
            let key = self.deliver.pop_front()?;
            self.deliver_of(key);
        }
        self.events.pop_front()
    }

    fn deliver_of(&mut self, key: u32) {
        let Some(stream) = self.table.stream(key) else { return };
        stream.listed = false;
        if let Some(message) = stream.inward.deliver(&self.limits) {
            self.taken.push(key);
            let more = !stream.inward.is_empty() || stream.end.is_some();
            if let Some(method) =
                stream.method().filter(|method| self.role == Role::Client && !method.streamed)
            {
                let bytes = message.len();
                method.answer.get_or_insert(message);
                self.grant(key, bytes);
            } else {
                let exchange = stream.exchange;
                self.events.push_back(Event::Part { exchange, part: Part::message(message) });
            }
            if more {
                self.list(key);
            }
        } else if stream.inward.is_empty()
            && let Some(end) = stream.end.take()
        {
            self.tell_end(key, end);
        }
    }

    /// An answer of one message is kept here. It does not count against `Limits::ahead`.
    fn grant(&mut self, key: u32, bytes: usize) {
        if let Some(stream) = self.table.stream(key) {
            stream.inward.grant(bytes, 1, &self.limits);
        }
    }

    /// Reports the end of a stream, when everything before it has been reported.
    fn tell_end(&mut self, key: u32, end: End) {
        let role = self.role;
        let Some(stream) = self.table.stream(key) else { return };
        let exchange = stream.exchange;
        let finished = Part::end();
        match (end, role, &mut stream.purpose) {
            (End::Half, Role::Client, _) => return, // nothing follows but its CLOSE
            (End::Half, Role::Server, _) => {
                return self.events.push_back(Event::Part { exchange, part: finished });
            }
            // The caller has ended its messages and reads no answer; the handler may finish its work.
            (End::Closed, Role::Server, Purpose::Method(method)) if !method.whole => {
                self.events.push_back(Event::Part { exchange, part: finished });
                return self.events.push_back(Event::Stopped { exchange });
            }
            (End::Closed, Role::Server, Purpose::Method(_)) => {
                let why = Status::cancelled("the caller closed the stream").with_origin(Origin::Remote);
                self.events.push_back(Event::Reset { exchange, why });
            }
            (End::Closed, Role::Client, Purpose::Method(method)) if !method.streamed => {
                let outcome = match method.answer.take() {
                    Some(body) => Outcome { body, reply: true, ..Outcome::default() },
                    None => brpc::status(brpc::ERESPONSE, "the stream was closed without an answer").into(),
                };
                self.events.push_back(Event::Finish { exchange, outcome });
            }
            (End::Closed, _, _) => {
                self.events.push_back(Event::Finish { exchange, outcome: Outcome::default() });
            }
            (End::Broken(why), _, _) => self.events.push_back(Event::Reset { exchange, why }),
        }
        self.table.remove(key);
    }

    /// The streams of a reply that was good: from now on both sides may send.
    pub fn connected(&mut self, out: &mut Output, key: u32, to: u64, settings: &Settings) {
        let Some(stream) = self.table.stream(key) else { return };
        stream.connect(to, settings);
        let exchange = stream.exchange;
        if stream.forgotten {
            return self.write(out, key); // it was ended before
        }
        if stream.writable {
            let credit = stream.outward.credit(&self.limits);
            self.events.push_back(Event::Credit { exchange, credit });
        } else {
            self.events.push_back(Event::Stopped { exchange });
        }
        self.taken.push(key); // what came before the reply
    }

    /// Ends streams that were not accepted, with their call.
    pub fn not_accepted(&mut self, streams: &[u32], why: &Status) {
        for &key in streams {
            if let Some(Entry::Stream(stream)) = self.table.remove(key)
                && !stream.forgotten
            {
                self.events.push_back(Event::Reset { exchange: stream.exchange, why: why.clone() });
            }
        }
    }

    /// Sends a message, or a part of one.
    pub fn send(&mut self, out: &mut Output, exchange: Exchange, part: &Part) -> Credit {
        let limits = self.limits;
        let Some((key, stream)) = self.find_stream(exchange) else { return Credit::CLOSED };
        let Some(ends) = stream.ends() else {
            return match (stream.wire, stream.method()) {
                (Wire::Offered, Some(method)) => {
                    method.half |= part.finished;
                    Credit::CLOSED
                }
                (Wire::Offered, None) => Credit::CLOSED,
                (Wire::Connected(_) | Wire::Over, _) => Credit::OPEN, // it is dropped
            };
        };
        let message = part.end_of_message || !part.bytes.is_empty();
        let written = !message || !stream.writable || stream.outward.send(out, ends, part);
        if part.finished {
            let last = if stream.typed { Last::Half } else { stream.last_of_half() };
            stream.outward.end(last);
        }
        if !written {
            self.writers.push_back(key);
            self.write_all(out);
        } else if part.finished {
            self.write(out, key);
        }
        match self.table.stream(key) {
            Some(stream) if stream.writable => stream.outward.credit(&limits),
            Some(_) | None => Credit::OPEN,
        }
    }

    /// The application has taken this much.
    pub fn granted(&mut self, exchange: Exchange, bytes: usize, messages: u32) {
        let limits = self.limits;
        self.grants += 1;
        let grants = self.grants;
        let Some((key, stream)) = self.find_stream(exchange) else { return };
        stream.inward.grant(bytes, messages, &limits);
        stream.inward.taken_at = grants;
        self.taken.push(key);
        self.list(key);
    }

    /// Ends a stream in order: CLOSE after the waiting data.
    pub fn close(&mut self, out: &mut Output, key: u32) {
        let Some(stream) = self.table.stream(key) else { return };
        stream.forgotten = true;
        match stream.wire {
            // Its id has been reserved, so it waits for the reply; at a client nothing else waits for one.
            Wire::Offered if self.role == Role::Server => stream.outward.end(Last::Close),
            Wire::Offered | Wire::Over => drop(self.table.remove(key)),
            Wire::Connected(_) => {
                stream.outward.end(Last::Close);
                stream.inward.clear();
                self.write(out, key);
            }
        }
    }

    /// Resets a stream, and drops everything that waits.
    pub fn break_off(&mut self, out: &mut Output, key: u32, why: &Status) {
        let Some(stream) = self.table.stream(key) else { return };
        if let Some(ends) = stream.ends() {
            stream.outward.abandon(out, ends, stream.typed.then_some(why));
        }
        if stream.wire == Wire::Offered && self.role == Role::Server {
            stream.forgotten = true;
            return stream.outward.end(Last::Close);
        }
        self.table.remove(key);
    }

    /// Writes a stream's queued bytes, as far as there is room. If this side has finished the stream, it ends
    /// when all is written.
    pub fn write(&mut self, out: &mut Output, key: u32) {
        let Some(stream) = self.table.stream(key) else { return };
        let Some(ends) = stream.ends() else { return };
        if out.room() == 0 && !stream.outward.is_empty() {
            return self.writers.push_back(key);
        }
        if stream.outward.turn(out, ends) {
            self.writers.push_back(key);
        } else if stream.forgotten {
            self.table.remove(key);
        }
    }

    /// Writes one segment of each stream in turn while there is room.
    pub fn write_all(&mut self, out: &mut Output) {
        while out.room() > 0
            && let Some(key) = self.writers.pop_front()
        {
            self.write(out, key);
            self.reopen(key);
        }
    }

    /// Lets a stopped sender continue.
    pub fn reopen(&mut self, key: u32) {
        let Some(stream) = self.table.stream(key).filter(|stream| !stream.forgotten) else { return };
        self.events.extend(stream.reopened(&self.limits));
    }

    /// Called when the connection is not read, because too much waits on a stream. The FEEDBACK for which
    /// that stream's handler may wait cannot be read then: a handler that answers what it reads and a peer
    /// with a larger window would wait for each other without end. Therefore senders continue without
    /// FEEDBACK, as long as the peer reads.
    pub fn go_on_without_feedback(&mut self) {
        for stream in self.table.streams().filter(|stream| !stream.forgotten) {
            stream.outward.presume_consumed();
            self.events.extend(stream.reopened(&self.limits));
        }
    }

    /// "Receiver sends FEEDBACK after each batch given to the handler, iff the peer's settings had
    /// need_feedback=true".
    pub fn report(&mut self, out: &mut Output) {
        for key in std::mem::take(&mut self.taken) {
            let Some(stream) = self.table.stream(key).filter(|stream| stream.feedback) else { continue };
            if let Some(ends) = stream.ends()
                && let Some(consumed) = stream.inward.news(&self.limits)
            {
                out.defer(|out| ends.feedback(out, consumed));
            }
        }
    }

    /// Begins the answer of a method's stream at a client: its head, and the message that arrived with it.
    pub fn answered(&mut self, key: u32, answer: Answer, body: IoBuf) {
        let limits = self.limits;
        let Some(stream) = self.table.stream(key) else { return };
        if stream.method().is_some_and(|method| method.streamed) {
            self.events.push_back(Event::Answer { exchange: stream.exchange, answer });
        }
        if !body.is_empty() {
            stream.inward.wait_uncounted(body, &limits);
            self.list(key);
        }
    }

    /// The connection ends: resets all open streams.
    pub fn reset_all(&mut self, out: &mut Output) {
        for stream in self.table.streams() {
            if let Some(Ends { to, .. }) = stream.ends() {
                rst(out, to, None);
                stream.wire = Wire::Over;
            }
        }
    }
}

impl Stream {
    /// Handles the end of the messages for a peer that does not support HALF. A method that is answered by
    /// one message sends nothing more; other streams stay open for reading.
    fn last_of_half(&mut self) -> Last {
        match self.method() {
            Some(method) if !method.streamed => Last::Close,
            Some(_) | None => Last::Nothing,
        }
    }
}
