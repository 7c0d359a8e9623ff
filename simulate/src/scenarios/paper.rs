//! The testbed of the Prequal paper: 100 clients, 100 servers, antagonists on every machine.
//!
//! Work is max(0, Normal(79.5 ms, 79.5 ms)), which gives exactly the paper's latencies at low load: there,
//! calls do not wait. Its loads give 6.43 cores per server. What the antagonists of the paper do is not
//! published: here each machine leaves its server more cores than are guaranteed, by a factor that is
//! lognormal with median 1.85 and changes about every 30 s, which puts the loads at which weighted round
//! robin fails where the paper has them.

use crate::{
    draw::Distribution,
    setup::{Antagonist, Balancer, ServerSetup, Setup},
};
use std::time::Duration;

/// Seconds of work of a call on average: the normal's mean, and what cutting it at zero adds.
pub const MEAN_WORK: f64 = 0.0861;
const CORES: f64 = 6.43;
/// Servers, and clients unless a scenario has others.
pub const SERVERS: usize = 100;

/// `load`: as a multiple of what the servers are guaranteed.
pub fn testbed(balancer: Balancer, clients: usize, load: f64) -> Setup {
    let mut setup = Setup::new(SERVERS, clients, balancer);
    setup.servers = vec![ServerSetup::new(CORES); SERVERS];
    setup.work = Distribution::Normal { mean: 0.0795, deviation: 0.0795 };
    setup.deadline = Duration::from_secs(5);
    setup.one_way = Distribution::Constant(0.0);
    setup.antagonist = Some(Antagonist {
        cores: Distribution::Lognormal { median: 1.85, sigma: 0.23 },
        changes_after: Distribution::Exponential { mean: 30.0 },
    });
    setup.warm_up = Duration::from_secs(20);
    setup.length = Duration::from_secs(45);
    let rate = load * setup.capacity(MEAN_WORK);
    setup.constant_load(rate)
}
