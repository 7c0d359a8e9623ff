//! The store as a service.

use super::{Now, Session, Store};
use crate::redis::{RedisService, Version};
use bytes::BytesMut;
use polywire_server::Context;
use std::{
    cell::Cell,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// A connection's session. Commands of a connection come one at a time: nobody ever waits for this lock.
#[derive(Default)]
struct Connection(Mutex<Session>);

impl RedisService for Store {
    #[inline]
    fn execute(&self, cx: &Context, command: &[u8], out: &mut BytesMut, version: Version) -> bool {
        let connection = cx.session(Connection::default);
        let mut session = connection.0.lock().unwrap_or_else(PoisonError::into_inner);
        Store::execute(self, now(cx.received()), &mut session, command, version, out);
        true
    }
}

/// How long a thread trusts the difference between its two clocks.
const TRUSTED: Duration = Duration::from_millis(100);

/// The calendar's time of a reading of the other clock: the calendar is read ten times a second, not once per command.
#[inline]
fn now(received: Instant) -> Now {
    thread_local! {
        static READ: Cell<Option<(Instant, Now)>> = const { Cell::new(None) };
    }
    if let Some((at, then)) = READ.get() {
        let since = received.saturating_duration_since(at);
        if since < TRUSTED {
            return Now { unix_ms: then.unix_ms + since.as_millis() as u64 };
        }
    }
    let then = Now::system();
    READ.set(Some((received, then)));
    then
}
