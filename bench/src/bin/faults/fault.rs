//! What happens to the servers.

use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::Failure;
use crate::dead::{Dead, Manner};
use crate::processes::Fleet;
use crate::run::Naming;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Each call at one server takes a second.
    Slow,
    /// One server is killed, and nothing listens at its address.
    Refuses,
    /// One server is stopped (SIGSTOP): its connections stay open, and new ones are taken by the system.
    BlackHole,
    /// One server fails all calls at once, with UNAVAILABLE.
    FailsFast,
    /// Half of the servers are restarted in turn, by SIGTERM.
    Restarts,
    /// All servers are killed, and are back two seconds later.
    AllGone,
    /// Five servers become ten, then five, which are the others, and at the end the first five again.
    Joining,
    /// Half of the servers are replaced by addresses that refuse connections.
    Vanished,
    /// The same by addresses that answer no attempt to connect.
    Swallowing,
    /// The same by addresses that accept connections and say nothing.
    Silent,
}

impl Fault {
    pub const ALL: [Fault; 10] = [
        Fault::Slow,
        Fault::Refuses,
        Fault::BlackHole,
        Fault::FailsFast,
        Fault::Restarts,
        Fault::AllGone,
        Fault::Joining,
        Fault::Vanished,
        Fault::Swallowing,
        Fault::Silent,
    ];

    /// For `--fault`, and in the table.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Fault::Slow => ("slow", "one server slow: 1 s"),
            Fault::Refuses => ("refuses", "one refusing connections"),
            Fault::BlackHole => ("blackhole", "one cut off without a word"),
            Fault::FailsFast => ("fails", "one failing at once"),
            Fault::Restarts => ("restarts", "half restarted in turn"),
            Fault::AllGone => ("gone", "all gone for 2 s, and back"),
            Fault::Joining => ("joining", "doubled, halved to those that joined, moved back"),
            Fault::Vanished => ("vanished", "half replaced by addresses that refuse"),
            Fault::Swallowing => ("swallowing", "half replaced by addresses that swallow SYNs"),
            Fault::Silent => ("silent", "half replaced by addresses that say nothing"),
        }
    }

    /// The servers that the client is told of at first.
    pub fn first(self, fleet: &Fleet) -> Vec<String> {
        match self {
            Fault::Joining => fleet.halves().0.to_vec(),
            _ => fleet.addresses.clone(),
        }
    }

    /// Makes it happen from `begins` on and mends it at `ends`; returns when it was mended.
    pub fn run(
        self,
        fleet: &mut Fleet,
        naming: &mut Naming,
        begins: Instant,
        ends: Instant,
    ) -> Result<Instant, Failure> {
        let third = ends - begins;
        let mut dead = Vec::new();
        let mut replace_half = |fleet: &Fleet, manner| {
            for _ in fleet.halves().1 {
                dead.push(Dead::new(manner)?);
            }
            let dead = dead.iter().map(|one| one.address.clone());
            Ok::<_, Failure>(fleet.halves().0.iter().cloned().chain(dead).collect::<Vec<_>>())
        };
        let named = match self {
            Fault::Joining => fleet.addresses.clone(),
            Fault::Vanished => replace_half(fleet, Manner::Refuses)?,
            Fault::Swallowing => replace_half(fleet, Manner::Swallows)?,
            Fault::Silent => replace_half(fleet, Manner::SaysNothing)?,
            _ => Vec::new(),
        };
        until(begins);
        match self {
            Fault::Slow => fleet.tell(0, "delay 1000")?,
            Fault::Refuses => fleet.kill(0),
            Fault::BlackHole => fleet.signal(0, Signal::STOP)?,
            Fault::FailsFast => fleet.tell(0, "fail 1")?,
            Fault::Joining => {
                naming.say(&named)?;
                until(begins + third / 2);
                naming.say(fleet.halves().1)?;
            }
            Fault::Vanished | Fault::Swallowing | Fault::Silent => naming.say(&named)?,
            Fault::Restarts => {
                let many = fleet.addresses.len() / 2;
                let part = third / (2 * u32::try_from(many)?);
                for server in 0..many {
                    let turn = begins + 2 * part * u32::try_from(server)?;
                    until(turn);
                    fleet.stop(server)?;
                    until(turn + part);
                    fleet.start_one(server)?;
                }
                return Ok(Instant::now());
            }
            Fault::AllGone => {
                fleet.kill_all();
                until(begins + Duration::from_secs(2));
                fleet.start_all()?;
                return Ok(Instant::now());
            }
        }
        until(ends);
        match self {
            Fault::Slow => fleet.tell(0, "delay 2")?,
            Fault::Refuses => fleet.start_one(0)?,
            Fault::BlackHole => fleet.signal(0, Signal::CONT)?,
            Fault::FailsFast => fleet.tell(0, "fail 0")?,
            Fault::Joining | Fault::Vanished | Fault::Swallowing | Fault::Silent => {
                naming.say(&self.first(fleet))?;
            }
            Fault::Restarts | Fault::AllGone => {}
        }
        Ok(Instant::now())
    }
}

fn until(then: Instant) {
    sleep(then.saturating_duration_since(Instant::now()));
}
