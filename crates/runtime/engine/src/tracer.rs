//! Recorders of calls, with this machine's time.

use crate::clock;
use polywire_trace::{Options, Tracer};
use std::{
    hash::{BuildHasher, RandomState},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// A recorder of calls, which is off until [`Tracer::set_on`].
pub fn tracer(options: Options) -> Tracer {
    // The keys of hash maps are random enough for ids.
    Tracer::new(options, clock::now(), since_1970(), RandomState::new().hash_one(std::process::id()))
}

/// Sets the calendar time of a tracer again, if it was last set long ago.
pub fn keep_calendar(tracer: &Tracer, now: Instant) {
    if tracer.is_calendar_old(now) {
        tracer.set_calendar(now, since_1970());
    }
}

fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
