//! Two machines, a network between them, and virtual time.

use crate::{Arrival, FaultPlan, Pipe, Seen, Side};
use polywire_wire::Wake;
use std::{
    io::IoSlice,
    time::{Duration, Instant},
};

/// Limit of arrivals and deadlines in one [`MachinePair::run`].
const STEPS: usize = 1_000_000;

/// An end of a [`MachinePair`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Client,
    Server,
}

/// A client's and a server's machine on a simulated network, in virtual time: the engine's work without
/// sockets, threads and waiting. Time moves only within [`MachinePair::run`], from one arrival or deadline to
/// the next.
///
/// ```no_run
/// # use polywire_machine_testing::{Call, End, FaultPlan, MachinePair, Seen, Side};
/// # use std::time::Duration;
/// # fn test(PROTOCOL: &'static polywire_wire::Protocol) {
/// let slow = FaultPlan::new(1).pieces(3).delay(Duration::from_millis(1)..Duration::from_millis(40));
/// let mut net = MachinePair::new(Side::client(PROTOCOL), Side::server(PROTOCOL), slow.clone(), slow);
/// let call = net.client.call(&Call::new("S", "M").body(b"hi"));
/// let seen = net.run(Duration::from_secs(9), |side, _, seen| {
///     if let Seen::Open(open) = seen {
///         side.reply(open, b"ho");
///     }
/// });
/// assert_eq!(seen.last().map(|(end, seen)| (*end, seen.exchange())), Some((End::Client, Some(call))));
/// # }
/// ```
pub struct MachinePair {
    pub client: Side,
    pub server: Side,
    there: Pipe,
    back: Pipe,
    lost: [bool; 2],
    ended: [bool; 2],
}

impl MachinePair {
    /// `there`: faults of the client's bytes; `back`: of the server's.
    pub fn new(client: Side, server: Side, there: FaultPlan, back: FaultPlan) -> Self {
        assert_eq!(client.now(), server.now(), "both sides begin at the same time");
        let (there, back) = (Pipe::new(there), Pipe::new(back));
        MachinePair { client, server, there, back, lost: [false; 2], ended: [false; 2] }
    }

    /// A pair without any fault.
    pub fn perfect(client: Side, server: Side) -> Self {
        MachinePair::new(client, server, FaultPlan::new(0), FaultPlan::new(0))
    }

    pub fn now(&self) -> Instant {
        self.client.now()
    }

    /// Whether this end has seen that the connection was reset; a dispatcher would fail its calls.
    pub fn is_lost(&self, end: End) -> bool {
        self.lost[end as usize]
    }

    /// Moves bytes and time until nothing is in transit and neither machine waits for a deadline, or until
    /// `limit` has passed (the clock then stops there). `react` gets each event and may answer it. Returns
    /// all events in their order.
    ///
    /// # Panics
    /// If the machines do not come to rest.
    #[track_caller]
    pub fn run(&mut self, limit: Duration, mut react: impl FnMut(&mut Side, End, &Seen)) -> Vec<(End, Seen)> {
        let until = self.now() + limit;
        let mut seen = Vec::new();
        for _ in 0..STEPS {
            self.settle(&mut seen, &mut react);
            let now = self.now();
            let deadline = |side: &Side, lost: bool| {
                side.until_deadline().filter(|_| !lost && !side.has_ended()).map(|wait| now + wait)
            };
            let times = [
                deadline(&self.client, self.lost[0]),
                deadline(&self.server, self.lost[1]),
                self.there.next(),
                self.back.next(),
            ];
            let next = times.into_iter().flatten().min();
            match next {
                Some(at) if at <= until => self.advance(at, &mut seen),
                _ => {
                    if next.is_some() {
                        self.advance(until, &mut seen);
                    }
                    return seen;
                }
            }
        }
        panic!("no rest after {STEPS} steps; a deadline that has passed and stays?");
    }

    fn side(&mut self, end: End) -> &mut Side {
        match end {
            End::Client => &mut self.client,
            End::Server => &mut self.server,
        }
    }

    /// Lets both sides write and the pipes take bytes, until nothing changes any more.
    fn settle(&mut self, seen: &mut Vec<(End, Seen)>, react: &mut impl FnMut(&mut Side, End, &Seen)) {
        loop {
            let mut moved = false;
            for end in [End::Client, End::Server] {
                if self.lost[end as usize] {
                    continue;
                }
                let events = self.side(end).events_reacting(&mut |side, event| react(side, end, event));
                let events = events.into_iter().filter(|event| *event != Seen::Blocked);
                seen.extend(events.map(|event| (end, event)));
                moved |= self.carry(end);
            }
            if !moved {
                return;
            }
        }
    }

    /// Moves bytes that a side has written into its pipe, as far as there is room.
    fn carry(&mut self, end: End) -> bool {
        let now = self.now();
        let (side, pipe) = match end {
            End::Client => (&mut self.client, &mut self.there),
            End::Server => (&mut self.server, &mut self.back),
        };
        let (mut taken, mut full) = (0, false);
        let was_full = side.out.room() == 0;
        while !side.out.is_empty() && !full {
            let mut slices = [IoSlice::new(&[]); 8];
            let n = side.out.io_slices(&mut slices);
            let bytes: Vec<u8> = slices[..n].iter().flat_map(|s| s.to_vec()).collect();
            let n = pipe.write(now, &bytes);
            side.out.advance(n);
            (taken, full) = (taken + n, n < bytes.len());
        }
        if side.has_ended() && side.out.is_empty() && !std::mem::replace(&mut self.ended[end as usize], true)
        {
            pipe.end(now);
        }
        if taken > 0 && was_full && !side.has_ended() {
            let _ = side.resume(Wake::Room); // an error ends the side, which its next poll shows
        }
        taken > 0
    }

    /// Advances time: fires deadlines, and feeds bytes that have arrived.
    fn advance(&mut self, to: Instant, seen: &mut Vec<(End, Seen)>) {
        for end in [End::Client, End::Server] {
            let lost = self.lost[end as usize];
            let side = self.side(end);
            let wait = to.saturating_duration_since(side.now());
            if let Err(error) = side.wait(wait)
                && !lost
            {
                seen.push((end, Seen::Error(error)));
            }
        }
        for end in [End::Client, End::Server] {
            let (side, pipe) = match end {
                End::Client => (&mut self.client, &mut self.back),
                End::Server => (&mut self.server, &mut self.there),
            };
            while let Some(arrival) = pipe.read(to) {
                match arrival {
                    _ if side.has_ended() => {}
                    Arrival::Bytes(bytes) => {
                        side.feed(bytes);
                    }
                    Arrival::End => {
                        if let Err(error) = side.resume(Wake::Eof) {
                            seen.push((end, Seen::Error(error)));
                        }
                    }
                    Arrival::Reset => self.lost[end as usize] = true,
                }
            }
        }
    }
}
