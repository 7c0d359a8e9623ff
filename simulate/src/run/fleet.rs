//! Servers of a run: what arrives, what they work on, and what happens to them.

use super::{Answer, Event, Job, Run, Server};
use crate::{
    client::number,
    server::Service,
    setup::{Change, Health, ServerSetup},
    slab::Id,
};
use polywire_balance::{Meter, OrcaLoad, Time};
use std::{collections::VecDeque, time::Duration};

/// Between two samples of the calls in flight.
const SAMPLED: Duration = Duration::from_millis(100);
/// Between two reports of a server.
const REPORTED: Duration = Duration::from_secs(1);

impl Server {
    pub fn new(setup: &ServerSetup) -> Self {
        Server {
            service: Service::new(setup.cores, setup.speed, setup.discipline),
            meter: Meter::default(),
            health: Health::Up,
            health_since: Time(0),
            cores: setup.cores,
            speed: setup.speed,
            zone: setup.zone,
            changes: 0,
            connecting: 0,
            wait_for_connection: VecDeque::new(),
            answers: 0,
            reported: (0, 0.0),
        }
    }

    /// By what the work of a call is multiplied now.
    fn cold(&self, now: Time) -> f64 {
        match self.health {
            Health::Cold { times, seconds } if now.since(self.health_since).as_secs_f64() < seconds => times,
            _ => 1.0,
        }
    }
}

impl Run<'_> {
    /// Everything that happens by itself.
    pub fn begin(&mut self) {
        self.draw_next_call();
        self.events.add(Time(0), Event::Sample);
        for (i, (at, _)) in self.setup.changes.iter().enumerate() {
            self.events.add(Time(0) + *at, Event::Change(i));
        }
        if self.setup.antagonist.is_some() {
            (0..self.servers.len() as u32).for_each(|server| self.antagonist(server));
        }
        if self.setup.balancer.reports {
            self.after(REPORTED, Event::Reports);
        }
        if let Some(outliers) = &self.setup.balancer.outliers {
            for client in 0..self.clients.len() as u32 {
                let phase = outliers.interval.mul_f64(self.fleet.f64());
                self.events.add(Time(0) + phase, Event::Sweep { client });
            }
        }
        self.connect_all();
        self.begin_checks();
    }

    pub fn arrive(&mut self, try_: Id, client: u32, server: u32, work: f64) {
        let is_wanted = self.tries.get_mut(try_).is_some();
        if !is_wanted && self.setup.cancels {
            return;
        }
        let asked = &mut self.servers[server as usize];
        let is_full = self.setup.server_limit.is_some_and(|limit| asked.service.len() >= limit);
        let refusal = match asked.health {
            Health::Silent => return,
            Health::Down => Some(Answer::Refused),
            Health::FailsFast(share) if self.fleet.f64() < share => Some(Answer::Failed),
            _ => is_full.then_some(Answer::Overloaded),
        };
        if let Some(answer) = refusal {
            let way = self.way(client, server);
            self.after(way, Event::Answer { try_, answer });
            return;
        }
        let begun = asked.meter.began();
        let job = self.jobs.insert(Job::Call { try_, client, begun, came: self.now });
        asked.service.add(self.now, job, work * asked.cold(self.now));
        if let Some(try_) = self.tries.get_mut(try_) {
            try_.job = Some(job);
        }
        self.schedule(server);
    }

    /// The jobs of a server have changed.
    pub fn schedule(&mut self, server: u32) {
        let it = &mut self.servers[server as usize];
        it.changes += 1;
        if let Some(at) = it.service.next_end() {
            self.events.add(at.max(self.now), Event::Progress { server, changes: it.changes });
        }
    }

    pub fn progress(&mut self, server: u32, changes: u64) {
        if self.servers[server as usize].changes != changes {
            return;
        }
        while let Some(job) = self.servers[server as usize].service.take_ended(self.now) {
            match self.jobs.remove(job).expect("a server has jobs that exist") {
                Job::Connection { client } => {
                    self.servers[server as usize].connecting -= 1;
                    self.begin_connections(server);
                    let way = self.way(client, server);
                    self.after(way, Event::Connected { client, server });
                }
                Job::Check { client, number } => {
                    let way = self.way(client, server);
                    self.after(way, Event::CheckEnds { client, server, number, good: true });
                }
                Job::Call { try_, client, begun, came } => {
                    let it = &mut self.servers[server as usize];
                    it.meter.ended(begun, self.now.since(came), self.now);
                    it.answers += 1;
                    let stall = match self.setup.stall {
                        Some((share, seconds)) if self.fleet.f64() < share => {
                            Duration::from_secs_f64(seconds)
                        }
                        _ => Duration::ZERO,
                    };
                    let way = self.way(client, server);
                    self.after(stall + way, Event::Answer { try_, answer: Answer::Good });
                }
            }
        }
        self.schedule(server);
    }

    pub fn cancel(&mut self, server: u32, job: Id) {
        // Its work may have been done meanwhile.
        let Some(Job::Call { begun, .. }) = self.jobs.remove(job) else { return };
        let it = &mut self.servers[server as usize];
        it.meter.given_up(begun);
        it.service.cancel(self.now, job);
        self.schedule(server);
    }

    pub fn change(&mut self, change: usize) {
        match &self.setup.changes[change].1 {
            Change::Speed { server, speed } => {
                let it = &mut self.servers[*server];
                it.speed = *speed;
                it.service.set(self.now, it.cores, it.speed);
                self.schedule(*server as u32);
            }
            Change::Health { server, health } => self.set_health(*server as u32, *health),
            Change::Drain { server } => self.lose(*server as u32, true),
            Change::Set { spread, .. } => {
                for client in 0..self.clients.len() as u32 {
                    let wait = Duration::from_secs_f64(spread * self.fleet.f64());
                    self.after(wait, Event::Set { client, change });
                }
            }
        }
    }

    fn set_health(&mut self, server: u32, health: Health) {
        let it = &mut self.servers[server as usize];
        (it.health, it.health_since) = (health, self.now);
        if health != Health::Down {
            return;
        }
        for client in std::mem::take(&mut it.wait_for_connection) {
            self.reconnect_later(client, server, Duration::ZERO);
        }
        let it = &mut self.servers[server as usize];
        // The process is gone: the kernel closes its connections, and callers see it.
        for job in it.service.clear(self.now) {
            match self.jobs.remove(job).expect("a server has jobs that exist") {
                Job::Connection { client } => {
                    self.servers[server as usize].connecting -= 1;
                    self.reconnect_later(client, server, Duration::ZERO);
                }
                // The client has lost its connection, and checks anew once it has another one.
                Job::Check { .. } => {}
                Job::Call { try_, client, begun, .. } => {
                    self.servers[server as usize].meter.given_up(begun);
                    let way = self.way(client, server);
                    self.after(way, Event::Answer { try_, answer: Answer::Refused });
                }
            }
        }
        self.schedule(server);
        self.lose(server, false);
    }

    /// Other programs on its machine take other cores than before.
    pub fn antagonist(&mut self, server: u32) {
        let Some(antagonist) = self.setup.antagonist else { return };
        let guaranteed = self.setup.servers[server as usize].cores;
        let it = &mut self.servers[server as usize];
        it.cores = guaranteed * antagonist.cores.draw(&mut self.fleet).max(1.0);
        it.service.set(self.now, it.cores, it.speed);
        self.schedule(server);
        let wait = antagonist.changes_after.seconds(&mut self.fleet);
        self.after(wait, Event::Antagonist { server });
    }

    /// Servers report answers and use of the processor, relative to the cores that they are guaranteed.
    pub fn reports(&mut self) {
        let seconds = REPORTED.as_secs_f64();
        let mut loads = Vec::new();
        for (it, setup) in self.servers.iter_mut().zip(&self.setup.servers) {
            let busy = it.service.busy(self.now);
            let qps = (it.answers - it.reported.0) as f64 / seconds;
            let cpu_utilization = (busy - it.reported.1) / (setup.cores * seconds);
            it.reported = (it.answers, busy);
            loads.push(OrcaLoad { qps, cpu_utilization, ..OrcaLoad::default() });
        }
        for endpoint in self.clients.iter().flat_map(|client| client.picker.members()) {
            endpoint.reported(&loads[number(endpoint)], self.now);
        }
        self.after(REPORTED, Event::Reports);
    }

    pub fn sample(&mut self) {
        if self.is_measured(self.now) {
            self.measured.in_flight.extend(self.servers.iter().map(|it| it.service.len() as u32));
        }
        self.after(SAMPLED, Event::Sample);
    }
}
