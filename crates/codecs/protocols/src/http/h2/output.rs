//! Writes this side's frames: heads at once, bodies in fair turns.
//!
//! ```text
//!  data ──► queue empty, fits both windows and a frame ──────────────────────► out
//!    └────► queue ──► ready ──► one frame each in turn, while out has room ──► out
//!                      │  stream's window shut: off the list until it opens
//!                      └─ connection's window shut: all streams wait
//! ```
//!
//! Header blocks are encoded when they are written, never when they are queued: trailers after a queue wait
//! as records.
//!
//! Source: docs/wire/grpc.md section 1; RFC 9113 5.2, 6.9

use super::{
    Code, H2, Move, News, Timer, encode,
    encode::Preamble,
    frame,
    hpack::Encoder,
    streams::{Listed, Stream, Tail},
};
use crate::backlog;
use crate::http::framing::{Broken, Framing};
use bytes::BytesMut;
use polywire_base::{IoBuf, Sort};
use polywire_wire::{Cx, Denied, Role};
use std::{cmp::Reverse, collections::VecDeque};

/// Longest frame while several streams have something to send.
const TURN: usize = 64 << 10;
/// A frame shorter than this, because the peer opens its window by a few bytes at a time, is counted.
const SMALL_FRAME: usize = 256;

/// The number of checks of streams within the time of `Patience::stall`.
const LOOKS: u32 = 10;

/// The reason for resetting a stream whose reply the peer does not read.
const UNTAKEN: &str = "reply not taken";

/// The DATA frame that was written last.
#[derive(Default)]
pub(super) struct Newest {
    stream: u32,
    /// Length of the frame's payload.
    length: usize,
    /// Position in the output after it.
    end: u64,
}

/// The queues of all streams together.
#[derive(Default)]
pub(super) struct Sending {
    /// Streams that have something to send and room in their own windows.
    pub ready: VecDeque<Listed>,
    /// Number of bytes in all queues.
    pub queued: usize,
    /// Whether senders wait although their own queues are short, because all queues together are too long.
    pub starved: bool,
    /// Whether queued bytes have been sent since the last check for stalled streams.
    pub moved: bool,
    /// Number of short frames that the peer's windows required.
    pub crumbs: u32,
    pub newest: Newest,
}

impl H2 {
    /// Writes a header block of this stream.
    #[inline]
    pub(super) fn write_head(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        end: bool,
        block: impl FnOnce(&mut Encoder, &mut BytesMut, &mut Preamble),
    ) {
        let (id, most) = (self.streams.get(slot).id, self.settings.peer.frame as usize);
        let (encoder, preamble) = (&mut self.encoder, &mut self.preamble);
        frame::headers::write(cx.out.tail(), id, end, most, |out| block(encoder, out, preamble));
        self.pings.on_headers_or_data();
        self.guard.sent();
        if end {
            self.end_half(cx, slot);
        }
    }

    /// Queues a piece of a body; returns the length of the queue.
    #[inline]
    pub(super) fn send(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        prefix: &[u8],
        bytes: &IoBuf,
        end: bool,
    ) -> usize {
        let n = prefix.len() + bytes.len();
        let Stream { id, state, outbound, .. } = self.streams.at(slot);
        if !state.can_send() || outbound.has_end() || n == 0 && !end {
            return outbound.queue.len();
        }
        let window = outbound.window.min(self.windows.outward);
        let direct = outbound.queue.is_empty()
            && n <= (self.settings.peer.frame as usize).min(TURN)
            && (n as i64 <= window || n == 0)
            && cx.out.room() > 0;
        if !direct {
            return self.queue(cx, slot, prefix, bytes, end);
        }
        outbound.window -= n as i64;
        self.windows.outward -= n as i64;
        let id = *id;
        let length = if end { None } else { self.join(cx, id, n) };
        if length.is_none() {
            frame::data::write(cx.out.tail(), id, n, end);
        }
        cx.out.put(prefix);
        cx.out.share(bytes);
        self.sending.newest = Newest { stream: id, length: length.unwrap_or(n), end: cx.out.position() };
        self.pings.on_headers_or_data();
        self.guard.sent();
        if end {
            self.end_half(cx, slot);
        }
        0
    }

    /// Messages that are ready together share a frame. If the last frame in the output belongs to this stream
    /// and no byte of it was sent, makes room in it for `n` bytes and returns its new length.
    #[inline]
    fn join(&mut self, cx: &mut Cx<'_>, stream: u32, n: usize) -> Option<usize> {
        let newest = &self.sending.newest;
        let length = newest.length + n;
        let same = newest.stream == stream && newest.end == cx.out.position();
        if !same || length > (self.settings.peer.frame as usize).min(TURN) {
            return None;
        }
        frame::data::lengthen(cx.out.end_mut(frame::HEADER_BYTES + newest.length)?, length);
        Some(length)
    }

    fn queue(&mut self, cx: &mut Cx<'_>, slot: u32, prefix: &[u8], bytes: &IoBuf, end: bool) -> usize {
        if self.role == Role::Server && self.sending.queued > backlog::most(&self.limits.patience) {
            self.give_up(cx, slot, Code::ENHANCE_YOUR_CALM);
            return 0;
        }
        let outbound = &mut self.streams.at(slot).outbound;
        if !prefix.is_empty() {
            outbound.queue.append(IoBuf::copy_from_slice(prefix));
        }
        outbound.queue.append(bytes.clone());
        if end {
            outbound.tail = Tail::End;
        }
        self.sending.queued += prefix.len() + bytes.len();
        self.make_ready(slot);
        self.pump(cx);
        if self.role == Role::Server && self.sending.queued > 0 && !self.clock.is_set(Timer::Stall) {
            let (_, stall) = self.limits.patience.times();
            self.clock.set(Timer::Stall, stall.map(|stall| cx.now + stall / LOOKS));
        }
        self.streams.get(slot).outbound.queue.len()
    }

    /// Ends the stream of a reply that the peer does not read; its queued bytes are lost. This does not count
    /// as a mistake of the peer, whose streams may have independent readers.
    #[cold]
    fn give_up(&mut self, cx: &mut Cx<'_>, slot: u32, code: Code) {
        cx.host.denied(Denied::Reply);
        let released = self.streams.get(slot).is_released();
        self.break_off(cx, slot, code);
        if !released {
            self.report_broken(cx, slot, Broken::Rules(UNTAKEN));
        }
    }

    pub(super) fn make_ready(&mut self, slot: u32) {
        let stream = self.streams.at(slot);
        if !stream.outbound.is_ready && stream.has_turn() {
            stream.outbound.is_ready = true;
            if self.sending.ready.len() > 2 * self.streams.live() as usize {
                // Removes streams that ended while they waited, which would otherwise pile up behind one that
                // cannot send.
                let streams = &self.streams;
                self.sending.ready.retain(|listed| streams.slot_of(*listed).is_some());
            }
            self.sending.ready.push_back(self.streams.listed(slot));
        }
    }

    /// Writes one frame of each stream in turn, while there is room.
    pub(super) fn pump(&mut self, cx: &mut Cx<'_>) {
        while cx.out.room() > 0 {
            let Some(listed) = self.sending.ready.pop_front() else { return };
            let Some(slot) = self.streams.slot_of(listed) else { continue };
            let stream = self.streams.at(slot);
            stream.outbound.is_ready = false;
            if !stream.state.can_send() || !stream.has_turn() {
                continue;
            }
            if self.windows.outward <= 0 && !stream.outbound.queue.is_empty() {
                stream.outbound.is_ready = true;
                self.sending.ready.push_front(listed);
                return;
            }
            self.turn(cx, slot);
        }
    }

    /// Writes the next frame of this stream.
    fn turn(&mut self, cx: &mut Cx<'_>, slot: u32) {
        let alone = self.sending.ready.is_empty();
        let most = if alone {
            self.settings.peer.frame as usize
        } else {
            TURN.min(self.settings.peer.frame as usize)
        };
        let stream = self.streams.at(slot);
        let window = stream.outbound.window.min(self.windows.outward).max(0) as usize;
        let n = stream.outbound.queue.len().min(most).min(window);
        let piece = stream.outbound.queue.cut(n);
        let over = stream.outbound.has_end() && stream.outbound.queue.is_empty();
        let tail = if over { std::mem::replace(&mut stream.outbound.tail, Tail::End) } else { Tail::Open };
        let end = matches!(tail, Tail::End);
        if n > 0 || end {
            frame::data::write(cx.out.tail(), stream.id, n, end);
            cx.out.share(&piece);
        }
        stream.outbound.window -= n as i64;
        self.windows.outward -= n as i64;
        self.sending.queued -= n;
        self.sending.moved |= n > 0;
        stream.outbound.resting = None;
        self.pings.on_headers_or_data();
        if n < SMALL_FRAME && !over && n == window {
            self.sending.crumbs += 1;
        } else {
            self.guard.sent();
        }
        match tail {
            Tail::Trailers(raw) => {
                self.write_head(cx, slot, true, |encoder, out, _| encode::kept_trailers(encoder, out, &raw));
            }
            Tail::End => self.end_half(cx, slot),
            Tail::Open => {
                self.make_ready(slot);
                self.wake_sender(slot);
            }
        }
    }

    /// Ends this side's half of the stream.
    #[inline]
    fn end_half(&mut self, cx: &mut Cx<'_>, slot: u32) {
        self.streams.at(slot).outbound.tail = Tail::End;
        self.advance(slot, Move::SendEnd);
        self.free_if_over(cx, slot);
    }

    pub(super) fn wake_sender(&mut self, slot: u32) {
        let enough = self.limits.backlog as usize / 2;
        let shared = self.backlog();
        let stream = self.streams.at(slot);
        if !stream.outbound.is_stalled || stream.outbound.queue.len() > enough {
            return;
        }
        if shared == 0 {
            self.sending.starved = true; // woken by `relieve`
            return;
        }
        stream.outbound.is_stalled = false;
        self.news.push_back(News::Writable(self.streams.listed(slot)));
    }

    /// Wakes the senders that wait for room in the sum of all queues, if there is enough.
    #[cold]
    pub(super) fn relieve(&mut self) {
        if self.has_room() {
            self.sending.starved = false;
            self.streams.slots().for_each(|slot| self.wake_sender(slot));
        }
    }

    /// Whether senders that wait for the shared limit may go on.
    fn has_room(&self) -> bool {
        let most = self.limits.patience.queued as usize;
        let worth_it = (self.limits.backlog as usize).min(most) / 2; // else all would be woken for a few bytes
        self.sending.queued + worth_it <= most
    }

    /// Server: checks the streams that make no progress. Complete replies are given up after
    /// `Patience::stall`, or a tenth of it while memory is scarce. A stream whose answer continues may wait
    /// as long as its reader likes, unless too much is queued or others wait for the room that it takes; then
    /// the longest queues are given up after a tenth of that time, until there is room.
    pub(super) fn look_for_stalled(&mut self, cx: &mut Cx<'_>) {
        let starves = |stream: &Stream| {
            stream.outbound.is_stalled && stream.state.can_send() && stream.outbound.queue.is_empty()
        };
        let starved =
            self.sending.starved && self.streams.slots().any(|slot| starves(self.streams.get(slot)));
        let crowded = self.is_crowded() || starved;
        // While the connection's window is closed, streams send one after the other: as long as it opens,
        // none of them stalls.
        let moved = std::mem::take(&mut self.sending.moved);
        let shut = self.windows.outward <= 0 && !moved;
        let (_, Some(stall)) = self.limits.patience.times() else { return };
        let soon = crowded || cx.host.is_tight();
        let most = if soon { stall / LOOKS } else { stall };
        let mut resting = Vec::new();
        for slot in self.streams.slots() {
            let stream = self.streams.at(slot);
            let rests = stream.is_sending() && (stream.outbound.window <= 0 || shut);
            if !rests {
                stream.outbound.resting = None;
            } else if cx.now - *stream.outbound.resting.get_or_insert(cx.now) >= most {
                resting.push(slot);
            }
        }
        resting.order_by_key(|&slot| {
            let stream = self.streams.get(slot);
            (!stream.outbound.has_end(), Reverse(stream.outbound.queue.len()))
        });
        for slot in resting {
            if self.streams.get(slot).outbound.has_end() || crowded && !self.has_room() {
                self.give_up(cx, slot, Code::CANCEL);
            }
        }
        self.clock.set(Timer::Stall, (self.sending.queued > 0).then(|| cx.now + stall / LOOKS));
    }
}
