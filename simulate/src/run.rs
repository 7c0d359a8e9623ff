//! A run: clients, servers, and the events between them.
//!
//! ```text
//!  Begin ─► pick ─► Arrive ─► service ─► Progress ─► Answer ─► the call has ended, or is tried again
//!             └───► Probe ──► report ─────────────► Report ─► the client's picker
//!  Connect ─► service ─► Progress ─► Connected
//! ```

mod calls;
mod checks;
mod connect;
mod fleet;

pub use checks::Checked;

use crate::{
    client::Client,
    events::Events,
    measure::Measured,
    server::Service,
    setup::{Health, Setup},
    slab::{Id, Slab},
};
use fastrand::Rng;
use polywire_balance::{Begun, Endpoint, Meter, Report, Time};
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
    /// Generators of their own, so that runs which differ in their balancer have the same calls and the same
    /// antagonists.
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
    Check {
        client: u32,
        server: u32,
        number: u32,
    },
    CheckEnds {
        client: u32,
        server: u32,
        number: u32,
        good: bool,
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
    Check { client: u32, number: u32 },
}

impl<'a> Run<'a> {
    fn new(setup: &'a Setup) -> Self {
        let mut random = Rng::with_seed(setup.seed);
        let [load, mut choice, fleet, network] = [(); 4].map(|()| random.fork());
        let spec: polywire_balance::Spec =
            setup.balancer.spec.parse().expect("scenarios name balancers that exist");
        let clients = (0..setup.clients).map(|i| Client::new(setup, spec.clone(), i, &mut choice)).collect();
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
            Event::Check { client, server, number } => self.check(client, server, number),
            Event::CheckEnds { client, server, number, good } => {
                self.check_ends(client, server, number, good)
            }
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
}
