//! Load balancers: they choose the server of a set to which a call goes.
//!
//! ```text
//!  naming: sets ──► Spec::picker ──► Picker: members, in the order of their addresses
//!                                      │      policy: what it has built from them (a ring, a schedule, a tree)
//!             Query: time, random,     ▼
//!  a call ──► key, servers tried ──► pick ──► Endpoint ──► the call is made
//!                                                │                │
//!                     in flight, latency, state ◄┴── ended: Outcome ◄┘
//! ```
//!
//! A [`Picker`] never changes: a new set makes a new one, in which remaining endpoints keep their load and
//! their state, since both sets share the [`Endpoint`]. Many threads use one picker at the same time, without
//! a shared lock, except under `la`, which has one per server.
//!
//! Time and random numbers come with each [`Query`], so the same queries get the same answers: tests,
//! benchmarks and the simulator run the code that production runs.
//!
//! | name | policy | what it needs |
//! | --- | --- | --- |
//! | `rr` | [round robin](policies::RoundRobin) | |
//! | `random` | [a random server](policies::Random) | |
//! | `wrr`, `wr` | [shares by weight](policies::Weighted), in turns or at random | weights |
//! | `weighted_round_robin` | [shares by reported load](policies::WeightedRoundRobin) | servers that report ORCA loads |
//! | `p2c` | [the better of two](policies::PowerOfChoices) by latency and calls in flight | |
//! | `least_request` | [the better of two](policies::PowerOfChoices) by calls in flight | |
//! | `prequal` | [the best of those that say how loaded they are](policies::Prequal) | servers that answer probes |
//! | `la` | [locality aware](policies::LocalityAware): shares by throughput and latency | |
//! | `c_murmurhash`, `c_md5`, `c_ketama` | [consistent hashing](policies::ConsistentHash) with brpc's rings | a key |
//! | `ring_hash` | [consistent hashing](policies::ConsistentHash) with gRPC's ring | a key |
//!
//! The other modules:
//!
//! | what | for |
//! | --- | --- |
//! | [`Breaker`] | a server whose calls fail too often is out for a while: judged by itself |
//! | [`Outliers`] | the same, judged beside the other servers |
//! | [`Budget`] | how many retries or hedges there may be, as a part of the calls |
//! | [`Hedger`] | when a call is sent a second time, to another server |
//! | [`Partitionings`] | which way of parting the data a call takes: brpc's `_dynpart` |
//! | [`Recovery`], [`Panic`] | what happens when few servers are ready |
//! | [`SlowStart`] | the share of a new server grows |
//! | [`Subset`] | what one client uses of very many servers |
//! | [`Tiers`] | servers nearby are preferred while they can take the calls |
//!
//! Sources: docs/design/balance.md; the names and numbers of brpc's policies are Apache brpc's, those of
//!          `ring_hash` gRFC A42's, those of `least_request` gRFC A48's, those of `weighted_round_robin` gRFC
//!          A58's.
//!
//! Not here: the sources of sets, connections, retries.

#![forbid(unsafe_code)]

mod breaker;
mod budget;
mod endpoint;
mod few_ready;
mod hedger;
mod members;
mod outcome;
mod outliers;
mod partitions;
mod parts;
mod picker;
pub mod policies;
mod query;
mod report;
mod slow_start;
mod spec;
mod subset;
mod tiers;
mod time;

pub use breaker::{Breaker, BreakerSettings, Isolation};
pub use budget::Budget;
pub use endpoint::{Endpoint, Load, OrcaLoad, Reason, State};
pub use few_ready::{Panic, Recovery};
pub use hedger::{HedgeSettings, Hedged, Hedger};
pub use members::Members;
pub use outcome::{End, Failed, Outcome};
pub use outliers::{Ejections, FailurePercentage, Outliers, SuccessRate, Swept};
pub use partitions::{Capacity, Partition, Partitioning, Partitionings};
pub use picker::Picker;
pub use query::{NoEndpoint, Query};
pub use report::{Begun, Meter, Report, SharedMeter};
pub use slow_start::SlowStart;
pub use spec::{Spec, SpecError};
pub use subset::{Subset, mark_joined};
pub use tiers::{Locality, Spill, Tiers, by_zone};
pub use time::Time;
