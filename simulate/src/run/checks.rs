//! Active health checks of a run, by the rules of `crates/rpc/client/src/servers/health`.

use super::{Event, Job, Run};
use crate::{client::Client, setup::Health};
use polywire_balance::{Reason, Time};
use std::time::Duration;

/// While many servers wait for their first check, so many begin in a second.
const FIRST_PER_SECOND: f64 = 1000.0;

/// What the checks of a server have found so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked {
    /// Checks with another number are of no interest any more.
    number: u32,
    standing: Standing,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Standing {
    /// The first check decides.
    #[default]
    Unknown,
    /// Failures in a row.
    Well(u32),
    /// Good checks in a row.
    Ill(u32),
}

impl Client {
    /// No server can be chosen: those can be from now on that no check has found ill. Returns whether there
    /// are any.
    pub fn use_unchecked(&self, now: Time) -> bool {
        let mut found = false;
        for state in self.picker.members().iter().map(|member| member.state()) {
            if state.holds(Reason::Unchecked) && !state.holds(Reason::Unconnected) {
                state.release(Reason::Unchecked, now);
                found = true;
            }
        }
        found
    }
}

impl Run<'_> {
    /// Every client begins to check its servers, all at once as programs do that are started together.
    pub fn begin_checks(&mut self) {
        let Some(checks) = self.setup.checks else { return };
        for client in 0..self.clients.len() as u32 {
            let servers: Vec<u32> = self.clients[client as usize].servers().collect();
            let first = (servers.len() as f64 / FIRST_PER_SECOND).min(checks.interval.as_secs_f64());
            for server in servers {
                self.clients[client as usize].checked.insert(server, Checked::default());
                let pause = Duration::from_secs_f64(first * self.network.f64());
                self.after(pause, Event::Check { client, server, number: 0 });
            }
        }
    }

    /// The connection to a server is lost: nothing is known of it until a check.
    pub fn check_lost(&mut self, client: u32, server: u32) {
        let it = &mut self.clients[client as usize];
        let Some(checked) = it.checked.get_mut(&server) else { return };
        *checked = Checked { number: checked.number + 1, standing: Standing::Unknown };
        if let Some(endpoint) = it.endpoint(server as usize) {
            endpoint.state().hold(Reason::Unchecked);
            endpoint.state().release(Reason::Unhealthy, self.now);
        }
    }

    /// There is a connection again: it is checked at once.
    pub fn check_is_back(&mut self, client: u32, server: u32) {
        if let Some(checked) = self.clients[client as usize].checked.get(&server) {
            let number = checked.number;
            self.after(Duration::ZERO, Event::Check { client, server, number });
        }
    }

    fn is_current(&self, client: u32, server: u32, number: u32) -> bool {
        self.clients[client as usize].checked.get(&server).is_some_and(|checked| checked.number == number)
    }

    pub fn check(&mut self, client: u32, server: u32, number: u32) {
        let Some(checks) = self.setup.checks.filter(|_| self.is_current(client, server, number)) else {
            return;
        };
        self.measured.checks_at.push((self.now, server));
        // Of its two ends the one counts that comes first.
        self.after(checks.timeout, Event::CheckEnds { client, server, number, good: false });
        let asked = &mut self.servers[server as usize];
        if !matches!(asked.health, Health::Down | Health::Silent) {
            let job = self.jobs.insert(Job::Check { client, number });
            asked.service.add(self.now, job, checks.work);
            self.schedule(server);
        }
    }

    pub fn check_ends(&mut self, client: u32, server: u32, number: u32, good: bool) {
        let Some(checks) = self.setup.checks.filter(|_| self.is_current(client, server, number)) else {
            return;
        };
        let it = &mut self.clients[client as usize];
        let Some(checked) = it.checked.get_mut(&server) else { return };
        checked.number += 1;
        let number = checked.number;
        let standing = match (checked.standing, good) {
            (Standing::Unknown | Standing::Well(_), true) => Standing::Well(0),
            (Standing::Ill(good), true) if good + 1 < checks.healthy => Standing::Ill(good + 1),
            (Standing::Ill(_), true) => Standing::Well(0),
            (Standing::Well(failed), false) if failed + 1 < checks.unhealthy => Standing::Well(failed + 1),
            (_, false) => Standing::Ill(0),
        };
        checked.standing = standing;
        let Some(endpoint) = it.endpoint(server as usize) else { return };
        let state = endpoint.state();
        match standing {
            Standing::Ill(_) => state.hold(Reason::Unhealthy),
            _ => state.release(Reason::Unhealthy, self.now),
        }
        state.release(Reason::Unchecked, self.now);
        if state.is_ready(self.now) {
            for call in std::mem::take(&mut self.clients[client as usize].waiting) {
                self.make_try(call);
            }
        }
        let spread = 1.0 - checks.jitter + 2.0 * checks.jitter * self.network.f64();
        self.after(checks.interval.mul_f64(spread), Event::Check { client, server, number });
    }
}
