//! Connections of a run: made, lost, made again; sets of servers; sweeps of outliers.

use super::{Event, Job, Run};
use crate::setup::{Change, Health, ReconnectWait};
use polywire_balance::Reason;
use std::time::Duration;

/// How long a client waits for a connection to a server that does not answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

impl Run<'_> {
    /// Clients that begin without connections begin to connect.
    pub fn connect_all(&mut self) {
        if self.setup.connecting.at_begin {
            return;
        }
        for client in 0..self.clients.len() as u32 {
            let servers: Vec<u32> = self.clients[client as usize].servers().collect();
            for server in servers {
                self.after(Duration::ZERO, Event::Connect { client, server });
            }
        }
    }

    pub fn connect(&mut self, client: u32, server: u32) {
        self.measured.connects.push(self.now);
        if self.setup.checks.is_some() {
            self.measured.connects_at.push((self.now, server));
        }
        let asked = &mut self.servers[server as usize];
        match asked.health {
            Health::Down => self.reconnect_later(client, server, Duration::ZERO),
            Health::Silent => self.reconnect_later(client, server, CONNECT_TIMEOUT),
            _ => {
                asked.wait_for_connection.push_back(client);
                self.begin_connections(server);
            }
        }
    }

    /// A server works on as many connections as it may.
    pub fn begin_connections(&mut self, server: u32) {
        let it = &mut self.servers[server as usize];
        while it.connecting < self.setup.connecting.at_once {
            let Some(client) = it.wait_for_connection.pop_front() else { break };
            it.connecting += 1;
            let job = self.jobs.insert(Job::Connection { client });
            it.service.add(self.now, job, self.setup.connecting.work);
        }
        self.schedule(server);
    }

    pub fn connected(&mut self, client: u32, server: u32) {
        let it = &mut self.clients[client as usize];
        it.attempts[server as usize] = 0;
        let Some(endpoint) = it.endpoint(server as usize) else { return };
        endpoint.state().release(Reason::Draining, self.now);
        endpoint.state().release(Reason::Unconnected, self.now);
        self.check_is_back(client, server);
        for call in std::mem::take(&mut self.clients[client as usize].waiting) {
            self.make_try(call);
        }
    }

    /// All clients of a server lose their connections to it, or are told to use them no more.
    pub fn lose(&mut self, server: u32, draining: bool) {
        for client in 0..self.clients.len() as u32 {
            if self.clients[client as usize].endpoint(server as usize).is_some() {
                let way = self.way(client, server);
                self.after(way, Event::Lost { client, server, draining });
            }
        }
    }

    pub fn lost(&mut self, client: u32, server: u32, draining: bool) {
        let Some(endpoint) = self.clients[client as usize].endpoint(server as usize) else { return };
        if draining {
            endpoint.state().hold(Reason::Draining);
        } else if !endpoint.state().holds(Reason::Unconnected) {
            endpoint.state().hold(Reason::Unconnected);
            self.check_lost(client, server);
            self.reconnect_later(client, server, Duration::ZERO);
        }
    }

    pub fn reconnect_later(&mut self, client: u32, server: u32, after: Duration) {
        let attempts = &mut self.clients[client as usize].attempts[server as usize];
        let wait = match self.setup.connecting.wait {
            ReconnectWait::Fixed(wait) => wait,
            ReconnectWait::Jitter { first, most } => {
                first.saturating_mul(1 << (*attempts).min(16)).min(most).mul_f64(self.network.f64())
            }
            ReconnectWait::Spread { first, most, part } => {
                let wait = first.saturating_mul(1 << (*attempts).min(16)).min(most);
                wait.mul_f64(1.0 - part + 2.0 * part * self.network.f64())
            }
        };
        *attempts = attempts.saturating_add(1);
        self.after(after + wait, Event::Connect { client, server });
    }

    pub fn take_set(&mut self, client: u32, change: usize) {
        let Change::Set { servers, .. } = &self.setup.changes[change].1 else { return };
        let it = &mut self.clients[client as usize];
        for server in it.take_set(self.setup, servers, self.now, &mut self.choice) {
            self.after(Duration::ZERO, Event::Connect { client, server: server as u32 });
        }
    }

    pub fn sweep(&mut self, client: u32) {
        let Some(outliers) = &self.setup.balancer.outliers else { return };
        outliers.sweep(self.clients[client as usize].picker.members(), self.now, &mut self.choice);
        self.after(outliers.interval, Event::Sweep { client });
    }
}
