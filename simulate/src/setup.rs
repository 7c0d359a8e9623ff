//! What is simulated: servers, clients, the load, and what goes wrong when.

use crate::{
    draw::Distribution,
    retry::{Hedge, Retry},
    server::Discipline,
};
use polywire_balance::{BreakerSettings, Outliers, SlowStart, Spill, Subset};
use std::time::Duration;

/// One run. Everything that is random in it follows from `seed`.
#[derive(Clone, Debug)]
pub struct Setup {
    pub servers: Vec<ServerSetup>,
    pub clients: usize,
    pub balancer: Balancer,
    /// Seconds of a core's work that a call takes. It is the same for all tries of a call.
    pub work: Distribution,
    /// Calls per second of all clients together, from a time on, until the next one. They come at random
    /// (Poisson).
    pub load: Vec<(Duration, f64)>,
    /// A call ends unanswered after this.
    pub deadline: Duration,
    /// From a client to a server, and back again.
    pub one_way: Distribution,
    /// In addition, if they are not in the same zone.
    pub between_zones: Duration,
    /// Zones of the clients, in turn.
    pub client_zones: u32,
    /// A try ends unanswered after this, and the call may be tried again.
    pub try_timeout: Option<Duration>,
    pub retry: Retry,
    pub hedge: Hedge,
    pub antagonist: Option<Antagonist>,
    /// A share of the tries is answered later than it could be, by so many seconds.
    pub stall: Option<(f64, f64)>,
    /// The server learns that its answer is no longer wanted.
    pub cancels: bool,
    /// A server refuses further calls when it has so many.
    pub server_limit: Option<usize>,
    pub connecting: Connecting,
    pub checks: Option<Checks>,
    pub changes: Vec<(Duration, Change)>,
    /// Calls that begin before this are not measured.
    pub warm_up: Duration,
    pub length: Duration,
    pub seed: u64,
}

#[derive(Clone, Debug)]
pub struct ServerSetup {
    pub cores: f64,
    /// Seconds of work that a core does in a second.
    pub speed: f64,
    pub zone: u32,
    pub discipline: Discipline,
}

impl ServerSetup {
    pub fn new(cores: f64) -> Self {
        ServerSetup { cores, speed: 1.0, zone: 0, discipline: Discipline::Sharing }
    }
}

/// How clients choose: what they build from `polywire_balance`.
#[derive(Clone, Debug)]
pub struct Balancer {
    /// As [`Spec`](polywire_balance::Spec) reads it.
    pub spec: &'static str,
    pub slow_start: Option<SlowStart>,
    pub outliers: Option<Outliers>,
    pub breaker: Option<BreakerSettings>,
    pub subset: Option<SubsetOf>,
    /// Servers of the client's own zone are preferred.
    pub zones: Option<Spill>,
    /// Servers report every second how many calls they answer and how much of the processor that they are
    /// guaranteed is in use.
    pub reports: bool,
    pub name: &'static str,
}

/// A [`Subset`] whose seed or number is the client's.
#[derive(Clone, Copy, Debug)]
pub enum SubsetOf {
    Random(usize),
    Slices(usize),
}

impl SubsetOf {
    pub fn of_client(self, client: usize) -> Subset {
        match self {
            SubsetOf::Random(size) => Subset::Random { size, seed: client as u64 },
            SubsetOf::Slices(size) => Subset::Slices { size, client: client as u64 },
        }
    }
}

impl Balancer {
    /// Without anything beside the policy.
    pub fn new(spec: &'static str) -> Self {
        Balancer {
            name: spec,
            spec,
            slow_start: None,
            outliers: None,
            breaker: None,
            subset: None,
            zones: None,
            reports: spec.starts_with("weighted_round_robin"),
        }
    }
}

/// Other programs on the servers' machines: they leave a server more or fewer cores, at least those that it
/// is guaranteed.
#[derive(Clone, Copy, Debug)]
pub struct Antagonist {
    /// Cores of a server, as a multiple of those that it is guaranteed. Less than 1 is taken as 1.
    pub cores: Distribution,
    /// Seconds for which that stays.
    pub changes_after: Distribution,
}

/// How clients connect to servers.
#[derive(Clone, Copy, Debug)]
pub struct Connecting {
    /// Clients are connected to all their servers when the run begins.
    pub at_begin: bool,
    /// Seconds of a core's work that a connection takes the server: TLS, credentials.
    pub work: f64,
    /// Connections that a server works on at once; others wait.
    pub at_once: usize,
    pub wait: ReconnectWait,
}

/// How long a client waits before it connects to a server again.
#[derive(Clone, Copy, Debug)]
pub enum ReconnectWait {
    Fixed(Duration),
    /// At random up to a bound, which is doubled with each attempt from `first` to `most` ("full jitter").
    Jitter {
        first: Duration,
        most: Duration,
    },
    /// As channels wait: from `first`, doubled with each attempt up to `most`, longer or shorter by up to a
    /// part at random.
    Spread {
        first: Duration,
        most: Duration,
        part: f64,
    },
}

/// Active health checks, as channels make them: each client asks each of its servers at intervals.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// From the end of a check to the next one.
    pub interval: Duration,
    /// The interval is longer or shorter by up to this part at random.
    pub jitter: f64,
    pub timeout: Duration,
    /// Checks in a row that bring a server back, and that take it out.
    pub healthy: u32,
    pub unhealthy: u32,
    /// Seconds of a core's work that a check takes the server.
    pub work: f64,
}

/// Something that happens to the fleet.
#[derive(Clone, Debug)]
pub enum Change {
    /// The server's cores do so many seconds of work in a second.
    Speed {
        server: usize,
        speed: f64,
    },
    Health {
        server: usize,
        health: Health,
    },
    /// The server says that it takes no further calls, and its clients learn it.
    Drain {
        server: usize,
    },
    /// Naming says that these are the servers. Each client learns it up to so many seconds later.
    Set {
        servers: Vec<usize>,
        spread: f64,
    },
}

/// What a server does with calls.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Health {
    Up,
    /// Its process is gone: calls and connections are refused.
    Down,
    /// Nothing comes back.
    Silent,
    /// This share of the calls fails at once, without any work.
    FailsFast(f64),
    /// Up, but its first calls take so many times the work, for so many seconds: caches are empty.
    Cold {
        times: f64,
        seconds: f64,
    },
}

impl Setup {
    /// Equal servers, equal clients, all in one place, nothing goes wrong.
    pub fn new(servers: usize, clients: usize, balancer: Balancer) -> Self {
        Setup {
            servers: vec![ServerSetup::new(4.0); servers],
            clients,
            balancer,
            work: Distribution::Exponential { mean: 0.010 },
            load: vec![(Duration::ZERO, 1000.0)],
            deadline: Duration::from_secs(1),
            one_way: Distribution::Constant(0.000_1),
            between_zones: Duration::ZERO,
            client_zones: 1,
            try_timeout: None,
            retry: Retry::Never,
            hedge: Hedge::Never,
            antagonist: None,
            stall: None,
            cancels: true,
            server_limit: None,
            connecting: Connecting {
                at_begin: true,
                work: 0.001,
                at_once: usize::MAX,
                wait: ReconnectWait::Jitter {
                    first: Duration::from_millis(200),
                    most: Duration::from_secs(5),
                },
            },
            checks: None,
            changes: Vec::new(),
            warm_up: Duration::from_secs(5),
            length: Duration::from_secs(25),
            seed: 1,
        }
    }

    /// Calls per second that keep all cores busy, as long as no antagonist gives or takes any. `mean_work` in
    /// seconds.
    pub fn capacity(&self, mean_work: f64) -> f64 {
        self.servers.iter().map(|server| server.cores * server.speed).sum::<f64>() / mean_work
    }

    /// The load from the begin to the end.
    pub fn constant_load(mut self, calls_per_second: f64) -> Self {
        self.load = vec![(Duration::ZERO, calls_per_second)];
        self
    }
}
