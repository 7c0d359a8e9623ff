//! The events of the demo: what happens to which server, and when.

use super::{Event, fleet::Fleet};
use crate::failure::Failure;
use std::{
    sync::{
        atomic::{AtomicBool, Ordering::*},
        mpsc::Sender,
    },
    thread,
    time::{Duration, Instant},
};

/// The duration of a call at a slow server.
const SLOW_MS: u64 = 100;

#[derive(Clone, Copy)]
enum Act {
    Kill,
    Stop,
    Slow,
    Quicken,
    Revive,
}

/// Percent of the time, the action, and its server. Numbers beyond the last server begin again with the
/// first.
const SCRIPT: &[(u32, Act, usize)] = &[
    (10, Act::Kill, 0),
    (25, Act::Revive, 0),
    (30, Act::Slow, 1),
    (50, Act::Quicken, 1),
    (55, Act::Stop, 2),
    (65, Act::Revive, 2),
    (70, Act::Kill, 3),
    (72, Act::Stop, 4),
    (85, Act::Revive, 3),
    (86, Act::Revive, 4),
];

/// Runs the script, until its end or until `stop` is set, and prints each action.
pub fn run(
    mut fleet: Fleet,
    begun: Instant,
    time: Duration,
    stop: &AtomicBool,
    tell: &Sender<Event>,
) -> Result<Fleet, Failure> {
    let servers = fleet.size();
    for &(percent, act, server) in SCRIPT {
        if !wait(begun + time * percent / 100, stop) {
            return Ok(fleet);
        }
        let server = server % servers;
        let done = match act {
            Act::Kill => fleet.kill(server)?,
            Act::Stop => fleet.stop(server)?,
            Act::Slow => fleet.slow(server, SLOW_MS)?,
            Act::Quicken => fleet.slow(server, 0)?,
            Act::Revive => fleet.revive(server)?,
        };
        if done {
            let _ = tell.send(Event { at: begun.elapsed(), server, what: act.name() }); // unless nobody listens
        }
    }
    wait(begun + time, stop);
    Ok(fleet)
}

impl Act {
    fn name(self) -> &'static str {
        match self {
            Act::Kill => "killed",
            Act::Stop => "stopped",
            Act::Slow => "slow",
            Act::Quicken => "fast again",
            Act::Revive => "started again",
        }
    }
}

/// Waits until then; false if `stop` was set.
fn wait(until: Instant, stop: &AtomicBool) -> bool {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if stop.load(Relaxed) {
            return false;
        }
        if left.is_zero() {
            return true;
        }
        thread::sleep(left.min(STEP));
    }
}

const STEP: Duration = Duration::from_millis(20);
