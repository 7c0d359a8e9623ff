//! What happens to the servers.

use super::bed::{ENDS, Fleet, SERVERS};
use std::{sync::atomic::Ordering::Relaxed, time::Duration};
use tokio::time::{Instant, sleep, sleep_until};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    None,
    /// Each call at one server takes a second.
    Slow,
    /// One server is killed: it refuses connections.
    Refuses,
    /// Nothing arrives at one server, and nothing from it, while its connections stay open.
    BlackHole,
    /// One server fails all calls at once.
    FailsFast,
    /// Five servers, one after the other, are stopped and started anew a second later.
    Restarts,
    /// The same with servers that are killed.
    Kills,
    /// All servers, one after the other, are stopped and started anew a second later.
    #[allow(dead_code)] // by the example, which shares this file with the tests
    RestartsAll,
    /// The same with servers that are killed.
    #[allow(dead_code)]
    KillsAll,
    /// The source of the servers' names fails.
    SourceGone,
    /// All servers are killed, and are back two seconds later.
    AllGone,
}

impl Fault {
    /// Those of the table.
    #[allow(dead_code)] // by the tests, which share this file with the example
    pub const ALL: [Fault; 9] = [
        Fault::None,
        Fault::Slow,
        Fault::Refuses,
        Fault::BlackHole,
        Fault::FailsFast,
        Fault::Restarts,
        Fault::Kills,
        Fault::SourceGone,
        Fault::AllGone,
    ];

    #[allow(dead_code)]
    pub fn name(self) -> &'static str {
        match self {
            Fault::None => "none",
            Fault::Slow => "one server slow: 1 s",
            Fault::Refuses => "one refusing connections",
            Fault::BlackHole => "one cut off without a word",
            Fault::FailsFast => "one failing at once",
            Fault::Restarts => "half restarted in turn, stopped",
            Fault::Kills => "half restarted in turn, killed",
            Fault::RestartsAll => "all restarted in turn, stopped",
            Fault::KillsAll => "all restarted in turn, killed",
            Fault::SourceGone => "naming source gone",
            Fault::AllGone => "all gone for 2 s, and back",
        }
    }

    /// Makes it happen from now on, and mends it when it is time.
    pub async fn run(self, fleet: &Fleet, begun: Instant) {
        match self {
            Fault::None => {}
            Fault::Slow => fleet.manner(0).slow.store(1000, Relaxed),
            Fault::Refuses => fleet.kill(0),
            Fault::BlackHole => fleet.cut_off(0),
            Fault::FailsFast => fleet.manner(0).fails.store(true, Relaxed),
            Fault::Restarts => restart(fleet, SERVERS / 2, false).await,
            Fault::RestartsAll => restart(fleet, SERVERS, false).await,
            Fault::Kills => restart(fleet, SERVERS / 2, true).await,
            Fault::KillsAll => restart(fleet, SERVERS, true).await,
            Fault::SourceGone => fleet.source_answers(false),
            Fault::AllGone => {
                (0..SERVERS).for_each(|server| fleet.kill(server));
                sleep(2 * SECOND).await;
                (0..SERVERS).for_each(|server| fleet.start(server));
            }
        }
        sleep_until(begun + ENDS).await;
        match self {
            Fault::Slow => fleet.manner(0).slow.store(0, Relaxed),
            Fault::Refuses => fleet.start(0),
            Fault::BlackHole => fleet.connect_again(0),
            Fault::FailsFast => fleet.manner(0).fails.store(false, Relaxed),
            Fault::SourceGone => fleet.source_answers(true),
            Fault::None | Fault::AllGone => {}
            Fault::Restarts | Fault::Kills | Fault::RestartsAll | Fault::KillsAll => {}
        }
    }
}

/// Restarts so many servers, one after the other.
async fn restart(fleet: &Fleet, servers: usize, kill: bool) {
    for server in 0..servers {
        match kill {
            true => fleet.kill(server),
            false => fleet.stop(server).await,
        }
        sleep(SECOND).await;
        fleet.start(server);
        sleep(PAUSE).await;
    }
}

/// Between the start of a server and the end of the next one.
const PAUSE: Duration = Duration::from_millis(900);
const SECOND: Duration = Duration::from_secs(1);
