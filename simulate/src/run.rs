//! A run: clients, servers, and the events between them.
//!
//! ```text
//!  Begin ─► pick ─► Arrive ─► service ─► Progress ─► Answer ─► the call has ended, or is tried again
//!             └───► Probe ──► report ─────────────► Report ─► the client's picker
//!  Connect ─► service ─► Progress ─► Connected
//! ```

mod connect;
mod fleet;

use crate::{
    client::{Client, number},
    draw::Distribution,
    events::Events,
    measure::{CallEnd, Measured},
    retry::Hedge,
    server::Service,
    setup::{Health, Setup},
    slab::{Id, Slab},
};
use fastrand::Rng;
use polywire_balance::{
    Begun, End, Endpoint, Failed, Hedged, Meter, NoEndpoint, Outcome, Query, Report, Time,
};
use std::{collections::VecDeque, sync::Arc, time::Duration};

/// Runs it to its end.
pub fn run(setup: &Setup) -> Measured {
    let mut run = Run::new(setup);
    run.begin();
    // Calls that began before the end of the run are to end, too.
    let end = Time(0) + setup.length + setup.deadline;
    while let Some((at, event)) = run.events.next() {
        if at >= end {
            break;
        }
        run.now = at;
        run.handle(event);
    }
    run.measured
}

struct Run<'a> {
    setup: &'a Setup,
    now: Time,
    events: Events<Event>,
    clients: Vec<Client>,
    servers: Vec<Server>,
    calls: Slab<Call>,
    tries: Slab<Try>,
    jobs: Slab<Job>,
    /// Generators of their own, so that runs which differ in their balancer have the same calls and the same antagonists.
    load: Rng,
    choice: Rng,
    fleet: Rng,
    network: Rng,
    measured: Measured,
}

#[derive(Debug)]
enum Event {
    /// A call begins, and the next one is drawn.
    Begin,
    /// The load changes: the next call is drawn anew.
    LoadChanges,
    Arrive {
        try_: Id,
        client: u32,
        server: u32,
        work: f64,
    },
    /// The next job of a server ends, unless its jobs have changed since.
    Progress {
        server: u32,
        changes: u64,
    },
    Answer {
        try_: Id,
        answer: Answer,
    },
    TryTimeout(Id),
    Cancel {
        server: u32,
        job: Id,
    },
    Deadline(Id),
    Again(Id),
    /// A call has taken as long as it may before it is sent a second time.
    Hedge(Id),
    Probe {
        client: u32,
        endpoint: Arc<Endpoint>,
    },
    Report {
        client: u32,
        endpoint: Arc<Endpoint>,
        report: Report,
    },
    Connect {
        client: u32,
        server: u32,
    },
    Connected {
        client: u32,
        server: u32,
    },
    Lost {
        client: u32,
        server: u32,
        draining: bool,
    },
    Sweep {
        client: u32,
    },
    Set {
        client: u32,
        change: usize,
    },
    Change(usize),
    Antagonist {
        server: u32,
    },
    Reports,
    Sample,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Answer {
    Good,
    Failed,
    Overloaded,
    Refused,
}

struct Server {
    service: Service<Id>,
    meter: Meter,
    health: Health,
    /// Since when.
    health_since: Time,
    cores: f64,
    speed: f64,
    zone: u32,
    /// How often its jobs changed.
    changes: u64,
    /// Connections that it works on, and clients that wait for theirs.
    connecting: usize,
    wait_for_connection: VecDeque<u32>,
    answers: u64,
    /// Answers and busy seconds up to its last report.
    reported: (u64, f64),
}

struct Call {
    client: u32,
    began: Time,
    work: f64,
    tries: u32,
    open: Vec<Id>,
    tried: Vec<Arc<Endpoint>>,
    /// The second request, if it was sent while the first one was open.
    hedge: Option<Id>,
}

struct Try {
    call: Id,
    endpoint: Arc<Endpoint>,
    server: u32,
    picked: Time,
    /// At the server, once it has arrived.
    job: Option<Id>,
}

/// What a server works on.
enum Job {
    Call { try_: Id, client: u32, begun: Begun, came: Time },
    Connection { client: u32 },
}

impl<'a> Run<'a> {
    fn new(setup: &'a Setup) -> Self {
        let mut random = Rng::with_seed(setup.seed);
        let [load, mut choice, fleet, network] = [(); 4].map(|()| random.fork());
        let spec = setup.balancer.spec.parse().expect("scenarios name balancers that exist");
        let clients = (0..setup.clients).map(|i| Client::new(setup, spec, i, &mut choice)).collect();
        let servers: Vec<Server> = setup.servers.iter().map(Server::new).collect();
        let measured = Measured { tries: vec![0; servers.len()], ..Measured::default() };
        Run {
            setup,
            now: Time(0),
            events: Events::default(),
            clients,
            servers,
            calls: Slab::default(),
            tries: Slab::default(),
            jobs: Slab::default(),
            load,
            choice,
            fleet,
            network,
            measured,
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Begin => {
                self.call();
                self.draw_next_call();
            }
            Event::LoadChanges => self.draw_next_call(),
            Event::Arrive { try_, client, server, work } => self.arrive(try_, client, server, work),
            Event::Progress { server, changes } => self.progress(server, changes),
            Event::Answer { try_, answer } => self.answer(try_, answer),
            Event::TryTimeout(try_) => self.try_timeout(try_),
            Event::Cancel { server, job } => self.cancel(server, job),
            Event::Deadline(call) => self.deadline(call),
            Event::Again(call) => drop(self.make_try(call)),
            Event::Hedge(call) => self.hedge(call),
            Event::Probe { client, endpoint } => self.probe(client, endpoint),
            Event::Report { client, endpoint, report } => self.report(client, &endpoint, report),
            Event::Connect { client, server } => self.connect(client, server),
            Event::Connected { client, server } => self.connected(client, server),
            Event::Lost { client, server, draining } => self.lost(client, server, draining),
            Event::Sweep { client } => self.sweep(client),
            Event::Set { client, change } => self.take_set(client, change),
            Event::Change(change) => self.change(change),
            Event::Antagonist { server } => self.antagonist(server),
            Event::Reports => self.reports(),
            Event::Sample => self.sample(),
        }
    }

    fn after(&mut self, wait: Duration, event: Event) {
        self.events.add(self.now + wait, event);
    }

    /// The way from a client to a server or back.
    fn way(&mut self, client: u32, server: u32) -> Duration {
        let way = self.setup.one_way.seconds(&mut self.network);
        let same = self.clients[client as usize].zone == self.servers[server as usize].zone;
        if same { way } else { way + self.setup.between_zones }
    }

    fn is_measured(&self, began: Time) -> bool {
        (Time(0) + self.setup.warm_up..Time(0) + self.setup.length).contains(&began)
    }

    fn draw_next_call(&mut self) {
        let (mut rate, mut until) = (0.0, None);
        for (from, next) in &self.setup.load {
            if Time(0) + *from <= self.now {
                rate = *next;
            } else {
                until = Some(Time(0) + *from);
                break;
            }
        }
        let next = (rate > 0.0).then(|| {
            let wait = Distribution::Exponential { mean: 1.0 / rate }.seconds(&mut self.load);
            self.now + wait
        });
        match (next, until) {
            (Some(next), until) if until.is_none_or(|until| next < until) => {
                self.events.add(next, Event::Begin)
            }
            (_, Some(until)) => self.events.add(until, Event::LoadChanges),
            _ => {}
        }
    }

    fn call(&mut self) {
        let client = self.load.u32(..self.clients.len() as u32);
        let work = self.setup.work.draw(&mut self.load);
        let (open, tried) = (Vec::new(), Vec::new());
        let call =
            self.calls.insert(Call { client, began: self.now, work, tries: 0, open, tried, hedge: None });
        let tries = &self.clients[client as usize].tries;
        tries.call(self.now);
        let hedge_after = match (self.setup.hedge, &tries.hedger) {
            (Hedge::Fixed(delay), _) => Some(delay),
            (_, Some(hedger)) => hedger.begin(self.now, 0),
            _ => None,
        };
        self.after(self.setup.deadline, Event::Deadline(call));
        self.make_try(call);
        if let Some(delay) = hedge_after {
            self.after(delay, Event::Hedge(call));
        }
    }

    fn hedge(&mut self, id: Id) {
        let Some(call) = self.calls.get_mut(id) else { return };
        let hedger = &self.clients[call.client as usize].tries.hedger;
        if hedger.as_ref().is_none_or(|hedger| hedger.may_hedge(self.now)) && !call.open.is_empty() {
            let hedge = self.make_try(id);
            if let Some(call) = self.calls.get_mut(id) {
                call.hedge = hedge;
            }
        }
    }

    fn make_try(&mut self, id: Id) -> Option<Id> {
        let call = self.calls.get_mut(id)?;
        let client = &mut self.clients[call.client as usize];
        let (now, random) = (self.now, &mut self.choice);
        let mut query = Query { now, random, key: None, tried: &call.tried, thread: 0 };
        let endpoint = match client.picker.pick(&mut query) {
            Ok(endpoint) => endpoint,
            Err(NoEndpoint::Recovering) => {
                self.end_call(id, false, End::GivenUp);
                return None;
            }
            Err(_) => {
                client.waiting.push(id);
                return None;
            }
        };
        let endpoint = endpoint.clone();
        let probes = client.picker.probes(&mut query);
        let server = number(&endpoint) as u32;
        let try_ =
            self.tries.insert(Try { call: id, endpoint: endpoint.clone(), server, picked: now, job: None });
        call.tries += 1;
        call.open.push(try_);
        call.tried.push(endpoint);
        let (client, work, began) = (call.client, call.work, call.began);
        let way = self.way(client, server);
        self.after(way, Event::Arrive { try_, client, server, work });
        if let Some(timeout) = self.setup.try_timeout {
            self.after(timeout, Event::TryTimeout(try_));
        }
        for endpoint in probes {
            self.measured.probes += 1;
            let way = self.way(client, number(&endpoint) as u32);
            self.after(way, Event::Probe { client, endpoint });
        }
        if self.is_measured(began) {
            self.measured.tries[server as usize] += 1;
            self.measured.tries_at.push((now, server));
            let same = self.clients[client as usize].zone == self.servers[server as usize].zone;
            self.measured.across += u64::from(!same);
        }
        Some(try_)
    }

    fn try_timeout(&mut self, id: Id) {
        let Some(try_) = self.tries.get_mut(id) else { return };
        let (call, server, job) = (try_.call, try_.server, try_.job);
        if let Some(client) = self.calls.get_mut(call).map(|call| call.client) {
            self.cancel_later(client, server, job);
        }
        self.answer(id, Answer::Failed);
    }

    /// Tells the server that an answer is no longer wanted.
    fn cancel_later(&mut self, client: u32, server: u32, job: Option<Id>) {
        if let Some(job) = job.filter(|_| self.setup.cancels) {
            let way = self.way(client, server);
            self.after(way, Event::Cancel { server, job });
        }
    }

    fn answer(&mut self, id: Id, answer: Answer) {
        let Some(try_) = self.tries.remove(id) else { return };
        let call = self.calls.get_mut(try_.call).expect("a call outlives its tries");
        call.open.retain(|open| *open != id);
        let client = call.client;
        if answer == Answer::Good {
            let hedged =
                call.hedge.map_or(Hedged::No, |hedge| if hedge == id { Hedged::Won } else { Hedged::Lost });
            self.end_try(client, &try_, End::Answered);
            self.note_latency(try_.call, hedged);
            self.end_call(try_.call, true, End::GivenUp);
            return;
        }
        if answer == Answer::Refused {
            self.lost(client, try_.server, false);
        }
        let failed = self.failure(try_.call);
        let end = if answer == Answer::Overloaded { End::Overloaded(failed) } else { End::Failed(failed) };
        self.end_try(client, &try_, end);
        let Some(call) = self.calls.get_mut(try_.call) else { return };
        if !call.open.is_empty() {
            return;
        }
        let made = call.tries;
        match self.clients[client as usize].tries.again(made, self.now, &mut self.choice) {
            Some(wait) => self.after(wait, Event::Again(try_.call)),
            None => self.end_call(try_.call, false, End::GivenUp),
        }
    }

    /// A call has ended by an answer or by its time limit.
    fn note_latency(&mut self, id: Id, hedged: Hedged) {
        let Some(call) = self.calls.get_mut(id) else { return };
        if let Some(hedger) = &self.clients[call.client as usize].tries.hedger {
            hedger.ended(self.now, self.now.since(call.began), hedged);
        }
    }

    fn failure(&mut self, call: Id) -> Failed {
        let made = self.calls.get_mut(call).map_or(1, |call| call.tries);
        let tries_left = self.setup.retry.most_tries().saturating_sub(made);
        Failed { timeout: self.setup.deadline, tries_before: made.saturating_sub(1), tries_left }
    }

    /// Tells the picker how a try has ended.
    fn end_try(&mut self, client: u32, try_: &Try, end: End) {
        let outcome = Outcome { picked: try_.picked, now: self.now, end };
        let client = &self.clients[client as usize];
        client.picker.ended(&try_.endpoint, &outcome);
        if let Some(breaker) = client.breakers.get(try_.server as usize)
            && let Some(isolation) = breaker.ended(&outcome)
        {
            try_.endpoint.state().isolate(isolation.until);
        }
    }

    fn deadline(&mut self, call: Id) {
        let Some(ended) = self.calls.get_mut(call) else { return };
        let hedged = ended.hedge.map_or(Hedged::No, |_| Hedged::Lost);
        self.note_latency(call, hedged);
        let end = End::Failed(self.failure(call));
        self.end_call(call, false, end);
    }

    /// Ends a call. Tries that are still open end as said.
    fn end_call(&mut self, id: Id, answered: bool, open: End) {
        let Some(call) = self.calls.remove(id) else { return };
        for id in call.open {
            let Some(try_) = self.tries.remove(id) else { continue };
            self.end_try(call.client, &try_, open);
            self.cancel_later(call.client, try_.server, try_.job);
        }
        if self.is_measured(call.began) {
            let latency = self.now.since(call.began);
            self.measured.calls.push(CallEnd { began: call.began, latency, answered });
        }
    }

    fn probe(&mut self, client: u32, endpoint: Arc<Endpoint>) {
        let server = number(&endpoint) as u32;
        let asked = &self.servers[server as usize];
        if matches!(asked.health, Health::Down | Health::Silent) {
            return;
        }
        let report = asked.meter.report(self.now);
        let way = self.way(client, server);
        self.after(way, Event::Report { client, endpoint, report });
    }

    fn report(&mut self, client: u32, endpoint: &Endpoint, report: Report) {
        let (now, random) = (self.now, &mut self.choice);
        let mut query = Query { now, random, key: None, tried: &[], thread: 0 };
        self.clients[client as usize].picker.probed(endpoint, report, &mut query);
    }
}
