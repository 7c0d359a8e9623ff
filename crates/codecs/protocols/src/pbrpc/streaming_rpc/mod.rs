//! streaming_rpc: message streams on the connection of a baidu_std call.
//!
//! ```text
//!  0        4                 8                 12                12+meta_size        12+body_size
//!  +--------+-----------------+-----------------+-----------------+-------- - - -------+
//!  | "STRM" | body_size u32BE | meta_size u32BE | StreamFrameMeta | data               |
//!  +--------+-----------------+-----------------+-----------------+-------- - - -------+
//! ```
//!
//! [`Streams`] is an [`Extension`](crate::pbrpc::Extension) of baidu_std's machine, not a machine of its own.
//! It costs a connection without streams one pointer.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `frame.rs` | header and StreamFrameMeta |
//! | `settings.rs` | StreamSettings, field 8 of RpcMeta |
//! | `stream.rs` | one stream: which frames may be sent, and what it is for |
//! | `receiver.rs`, `sender.rs` | its two directions: assembly, windows, what waits |
//! | `budget.rs` | what all streams hold together |
//! | `unread.rs` | a client's streams that nobody reads, for which others wait |
//! | `table.rs` | ids and slots to streams and calls |
//! | `connection.rs` | what a connection does with its streams: tell, send, close |
//! | `poll.rs` | frames that come |
//! | `server.rs`, `client.rs` | calls that offer streams, and their replies |
//!
//! Source:     docs/wire/streaming_rpc.md; how methods that stream are mapped: docs/streaming_rpc.md
//! Invariants: a message is passed by reference; of a stream at most `Limits::ahead` messages are delivered
//!             and not granted.
//! Limits:     `Limits::max_message` bounds a frame (a longer one closes the connection), a message in
//!             segments (a longer one ends its stream), and, twice over, all messages that are being
//!             assembled. Received bytes that wait in the machine or at the reader are bounded by 2 MiB plus
//!             a window for one stream, and by a window for each stream plus `max_message` for all streams;
//!             beyond that the connection is not read. One message may exceed these bounds. A client ends
//!             streams that nobody reads for that (`unread.rs`). `Limits::streams`
//!             bounds the number of streams, and `Limits::backlog` is the window for what this side sends.
//! Errors:     see the table "Frame handling" of docs/wire/streaming_rpc.md.
//! Deviations: segments of long messages of several streams are sent in turns. A meta_size above body_size
//!             closes the connection, as in baidu_std. FEEDBACK counts what the application may have taken,
//!             see `receiver.rs`. While the connection is not read, senders continue without FEEDBACK.
//! Not here:   the idle timeout. It is not part of the wire format; crate `streams` has it.

mod budget;
mod client;
mod connection;
mod frame;
mod poll;
mod receiver;
mod sender;
mod server;
mod settings;
mod stream;
mod table;
mod unread;

#[cfg(test)]
mod tests;

pub(crate) use frame::MAGIC;
pub(crate) use settings::Settings;

use crate::pbrpc::baidu_std::{self, Prpc};
use crate::pbrpc::{Extension, Pbrpc};
use connection::Connection;
use polywire_call::Status;
use polywire_wire::{
    Answer, Connections, Credit, Cx, Exchange, Goodbye, Limits, Outcome, Outgoing, Part, Protocol, Refusal,
    Role, Sniff, Step, Wake, WireError,
};
use std::time::Instant;

/// The protocol for clients: baidu_std on persistent connections. A server treats such a connection as one of
/// baidu_std, even if a frame of a stream comes first: one machine reads both kinds of frames, and every rule
/// for baidu_std applies.
pub static PROTOCOL: Protocol = Protocol {
    name: "streaming_rpc",
    sniff: |_| Sniff::NotMine,
    detected_as: &[baidu_std::PROTOCOL.name],
    connections: Connections::SINGLE,
    ..baidu_std::PROTOCOL
};

/// The streams of a connection.
#[derive(Default)]
pub(crate) struct Streams {
    live: Option<Box<Connection>>,
}

impl Streams {
    /// The state of streams, which is made for the first one.
    fn live(&mut self, limits: Limits, role: Role) -> &mut Connection {
        self.live.get_or_insert_with(|| Box::new(Connection::new(limits, role)))
    }
}

impl Extension<Prpc> for Streams {
    #[inline]
    fn is_live(&self) -> bool {
        self.live.is_some()
    }

    #[cold]
    fn poll<'a>(machine: &'a mut Pbrpc<Prpc>, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        poll::poll(machine, cx)
    }

    #[cold]
    fn offered(&mut self, raw: &[u8], limits: Limits) -> Result<(), WireError> {
        // "meta does not parse: close, no reply"
        let offer = Settings::find(raw).map_err(|()| WireError::Malformed("StreamSettings"))?;
        if offer.is_some() {
            self.live(limits, Role::Server).offer = offer;
        }
        Ok(())
    }

    #[cold]
    fn refuse(&mut self, cx: &mut Cx<'_>, id: u64, status: &Status) -> bool {
        self.live.as_mut().is_some_and(|live| server::refuse(live, cx.out, id, status))
    }

    #[cold]
    fn open(
        machine: &mut Pbrpc<Prpc>,
        cx: &mut Cx<'_>,
        exchange: Exchange,
        call: &Outgoing<'_>,
    ) -> Result<Credit, Refusal> {
        client::open(machine, cx, exchange, call)
    }

    fn answer(&mut self, cx: &mut Cx<'_>, exchange: Exchange, answer: &Answer) -> Credit {
        self.live.as_mut().map_or(Credit::CLOSED, |live| server::answer(live, cx.out, exchange, answer))
    }

    fn send(&mut self, cx: &mut Cx<'_>, exchange: Exchange, part: &Part) -> Credit {
        self.live.as_mut().map_or(Credit::CLOSED, |live| live.send(cx.out, exchange, part))
    }

    fn grant(&mut self, exchange: Exchange, bytes: usize, messages: u32) {
        if let Some(live) = &mut self.live {
            live.granted(exchange, bytes, messages);
        }
    }

    #[cold]
    fn finish(machine: &mut Pbrpc<Prpc>, cx: &mut Cx<'_>, exchange: Exchange, outcome: Outcome) {
        server::finish(machine, cx, exchange, outcome);
    }

    #[cold]
    fn reset(&mut self, cx: &mut Cx<'_>, exchange: Exchange, why: &Status) -> bool {
        let Some(live) = &mut self.live else { return false };
        let Some(key) = live.table.find(exchange) else { return false };
        match (live.table.stream(key).is_some(), live.role) {
            (true, Role::Client) => live.break_off(cx.out, key, why),
            (false, Role::Client) => live.give_up(key, why),
            (_, Role::Server) => server::end(live, cx.out, key, why.clone().into()),
        }
        true
    }

    fn resume(&mut self, cx: &mut Cx<'_>, why: Wake) {
        match (&mut self.live, why) {
            (Some(live), Wake::Room) => live.write_all(cx.out),
            (Some(live), Wake::Deadline) => live.give_up_unread(cx),
            _ => {}
        }
    }

    fn deadline(&self) -> Option<Instant> {
        Some(self.live.as_ref()?.unread?.since + unread::PATIENCE)
    }

    fn goodbye(&mut self, cx: &mut Cx<'_>, phase: Goodbye) {
        if let (Some(live), Goodbye::Close) = (&mut self.live, phase) {
            live.reset_all(cx.out);
        }
    }

    fn held(&self) -> usize {
        self.live.as_ref().map_or(0, |live| live.table.held())
    }
}
