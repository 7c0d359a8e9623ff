//! A client's streams that nobody reads.
//!
//! No field of the wire closes a peer's window, so the connection is not read while too much of its streams
//! waits here. That stops the replies of all calls on it; and a program that passes streams on does not
//! choose who reads them. So the streams whose readers have taken nothing for the longest time end.

use super::connection::Connection;
use super::receiver::most_of_all;
use polywire_call::brpc;
use polywire_wire::{Cx, Event, Role};
use std::time::{Duration, Instant};

/// How long the connection is not read at a stretch.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The reason for which the connection is not read.
#[derive(Clone, Copy)]
pub(super) struct Unread {
    /// The stream that the next frame is for.
    id: u64,
    pub since: Instant,
}

impl Connection {
    /// The connection is not read on account of this stream, or of all.
    pub fn blocks(&mut self, id: u64, now: Instant) {
        if self.role == Role::Client {
            self.unread.get_or_insert(Unread { id, since: now });
        }
    }

    /// Breaks off the streams that are not read, until half of what all may hold is free.
    #[cold]
    pub fn give_up_unread(&mut self, cx: &mut Cx<'_>) {
        let Some(unread) = self.unread.take_if(|unread| unread.since + PATIENCE <= cx.now) else { return };
        if self.excess.of_all() <= most_of_all(&self.limits) {
            let key = self.table.find_id(unread.id);
            return key.into_iter().for_each(|key| self.give_up_stream(cx, key));
        }
        let mut held: Vec<_> = self.table.holders().collect();
        held.sort_unstable();
        for (_, key) in held {
            if self.excess.of_all() <= most_of_all(&self.limits) / 2 {
                return;
            }
            self.give_up_stream(cx, key);
        }
    }

    fn give_up_stream(&mut self, cx: &mut Cx<'_>, key: u32) {
        let Some(stream) = self.table.stream(key) else { return };
        let exchange = stream.exchange;
        let text = "nothing of the stream was taken, and the connection waited for it";
        let why = brpc::status(brpc::EOVERCROWDED, text);
        self.break_off(cx.out, key, &why);
        self.events.push_back(Event::Reset { exchange, why });
    }
}
