//! Tiers: servers in groups, of which the first ones are preferred; the next ones take the calls that those
//! cannot.
//!
//! ```text
//!  Picker ── members: all servers
//!     └── Tiers ── tier 0 ── locality "a", weight 1 ── members, policy        preferred
//!                │        └─ locality "b", weight 2 ── members, policy
//!                └ tier 1 ── locality "c", weight 1 ── members, policy        for what tier 0 cannot take
//! ```
//!
//! A tier counts as whole while its ready capacity times the overprovisioning factor (1.4) reaches its total
//! capacity: with up to 28 % of its servers out the others take their calls. The capacity that is missing
//! beyond that spills over to the next tiers in proportion, not all at once. In a tier, calls are shared by
//! the weights of localities, each multiplied by the same measure of its own capacity.
//!
//! Two uses: a client that prefers servers of its own zone ([`by_zone`]), and the priorities and localities
//! of xDS. gRPC fails over to the next priority only when a priority has no server at all: that is an
//! infinite factor.
//!
//! Source: Envoy, "Priority levels", "Locality weighted load balancing" and "Zone aware routing"; gRFC A56.

mod shares;

use crate::{
    Endpoint, Members, NoEndpoint, Outcome, Picker, Query, Report, Time,
    parts::{Fit, fit},
    policies::Policy,
};
use polywire_base::SortedMap;
use shares::{Part, shares};
use std::{
    sync::{
        Arc,
        atomic::{
            AtomicU32, AtomicU64,
            Ordering::{AcqRel, Relaxed},
        },
    },
    time::Duration,
};

/// How calls spill over from one tier to the next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spill {
    factor: f64,
    callers_here: f64,
}

/// Servers of a tier that calls are shared out to by weight.
#[derive(Debug)]
pub struct Locality {
    weight: u32,
    members: Members,
    policy: Box<dyn Policy>,
}

/// The policy of a picker over tiers: chooses a locality, whose own policy then chooses a server.
#[derive(Debug)]
pub struct Tiers {
    spill: Spill,
    localities: Box<[Placed]>,
    /// For each member of the picker, the number of its locality and its index there.
    homes: Box<[(u32, u32)]>,
    /// When the shares are computed next, in nanoseconds.
    next: AtomicU64,
    /// The end of each locality's share, as a part of [`WHOLE`].
    ends: Box<[AtomicU32]>,
}

/// A locality and its tier.
#[derive(Debug)]
struct Placed {
    tier: usize,
    locality: Locality,
    /// The index that each member has in the picker.
    numbers: Box<[u32]>,
    capacity: u64,
}

const WHOLE: u32 = 1 << 31;
const COMPUTED_EVERY: Duration = Duration::from_millis(10);

impl Default for Spill {
    fn default() -> Self {
        Spill { factor: 1.4, callers_here: 0.0 }
    }
}

impl Spill {
    /// The overprovisioning factor. Default: 1.4, at least 1. With a larger factor, the remaining servers of
    /// a tier get more calls each before any go to the next tier; with an infinite one, calls stay while one
    /// server is ready, as in gRPC.
    pub fn factor(mut self, factor: f64) -> Self {
        self.factor = if factor.is_nan() { 1.4 } else { factor.max(1.0) };
        self
    }

    /// The share of all callers that prefer the first tier, from 0 to 1. If it is larger than this tier's
    /// share of the capacity, a part of the calls goes to the next tiers, as the tier's servers would
    /// otherwise get more calls than others. Default: 0: nothing is known of the callers, and the first tier
    /// takes all that it can.
    pub fn callers_here(mut self, share: f64) -> Self {
        self.callers_here = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        self
    }
}

impl Spill {
    /// Whether calls leave a first tier that is whole.
    pub fn sends_surplus(&self) -> bool {
        self.callers_here > 0.0
    }
}

impl Locality {
    /// `weight`: relative to the other localities of its tier; 0 counts as 1. The policy must be made for
    /// these members: [`Spec::policy`](crate::Spec::policy).
    pub fn new(weight: u32, members: Members, policy: Box<dyn Policy>) -> Self {
        Locality { weight: weight.max(1), members, policy }
    }
}

impl Tiers {
    /// A picker over tiers, the most preferred first. A server is in one locality only.
    pub fn picker(tiers: Vec<Vec<Locality>>, spill: Spill) -> Picker {
        let all = tiers.iter().flatten().flat_map(|locality| locality.members.iter().cloned()).collect();
        let all = Members::new(all);
        let mut homes = vec![(0, 0); all.len()];
        let mut localities = Vec::new();
        for (tier, locality) in
            tiers.into_iter().enumerate().flat_map(|(t, l)| l.into_iter().map(move |l| (t, l)))
        {
            if locality.members.is_empty() {
                continue; // policies are asked about members only
            }
            let numbers: Box<[u32]> = locality.members.iter().map(|member| number(&all, member)).collect();
            for (own, number) in numbers.iter().enumerate() {
                homes[*number as usize] = (localities.len() as u32, own as u32);
            }
            let capacity = locality.members.iter().map(|member| capacity(member)).sum();
            localities.push(Placed { tier, locality, numbers, capacity });
        }
        let ends = localities.iter().map(|_| AtomicU32::new(WHOLE)).collect();
        let (localities, homes) = (localities.into(), homes.into());
        let tiers = Tiers { spill, localities, homes, next: AtomicU64::new(0), ends };
        Picker::new(all, Box::new(tiers))
    }

    /// The locality that a call goes to if one of its servers can be used. Calls with equal keys go to the
    /// same locality while shares stay the same.
    #[inline]
    fn draw(&self, query: &mut Query<'_>) -> usize {
        if query.now.0 >= self.next.load(Relaxed) {
            self.compute(query.now);
        }
        let random = query.key.map_or_else(|| query.random.u64(..), mix);
        let point = (random >> 33) as u32; // below WHOLE
        self.ends.iter().position(|end| point < end.load(Relaxed)).unwrap_or(0)
    }

    /// Computes the shares again, on one of the threads that find them out of date.
    #[cold]
    fn compute(&self, now: Time) {
        let next = self.next.load(Relaxed);
        if now.0 < next
            || self.next.compare_exchange(next, (now + COMPUTED_EVERY).0, AcqRel, Relaxed).is_err()
        {
            return;
        }
        let parts: Vec<Part> = self
            .localities
            .iter()
            .map(|placed| Part {
                tier: placed.tier,
                weight: placed.locality.weight.into(),
                capacity: placed.capacity as f64,
                ready: placed.ready(now) as f64,
            })
            .collect();
        let (shares, is_whole) = shares(&parts, self.spill.factor, self.spill.callers_here);
        let mut sum = 0.0;
        for ((share, end), placed) in shares.iter().zip(&self.ends).zip(&self.localities) {
            sum += share;
            end.store((sum * f64::from(WHOLE)).round() as u32, Relaxed);
            placed.locality.members.cover(is_whole);
        }
    }

    /// Chooses a member of a locality; returns its index in the picker.
    fn choose_in(&self, i: usize, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        let Placed { locality, numbers, .. } = &self.localities[i];
        Ok(numbers[locality.policy.choose(&locality.members, query)?] as usize)
    }

    /// Whether a locality has a server that this call has not tried.
    fn has_untried(&self, i: usize, query: &Query<'_>) -> bool {
        let members = &self.localities[i].locality.members;
        query.tried.is_empty() || (0..members.len()).any(|member| fit(members, query, member) == Fit::Ready)
    }

    fn home(&self, position: usize) -> Option<(&Locality, usize)> {
        let (locality, own) = *self.homes.get(position)?;
        Some((&self.localities[locality as usize].locality, own as usize))
    }
}

impl Placed {
    /// The capacity of the servers that are ready or are about to be: the calls of a tier do not go elsewhere
    /// because it grows.
    fn ready(&self, now: Time) -> u64 {
        let counts = |m: &&Arc<Endpoint>| m.is_ready(now) || m.state().is_connecting();
        self.locality.members.iter().filter(counts).map(|m| capacity(m)).sum()
    }
}

impl Policy for Tiers {
    #[inline]
    fn choose(&self, _: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        let drawn = self.draw(query);
        if self.has_untried(drawn, query) {
            match self.choose_in(drawn, query) {
                Err(NoEndpoint::NoneReady) => {}
                // The call waits for a server of this locality, or has no key.
                chosen_or_why => return chosen_or_why,
            }
        }
        // The shares are slightly outdated, or the call has tried all servers there.
        let others = || (0..self.localities.len()).filter(|i| *i != drawn);
        for i in others() {
            if self.has_untried(i, query)
                && let Ok(chosen) = self.choose_in(i, query)
            {
                return Ok(chosen);
            }
        }
        let mut why = match self.choose_in(drawn, query) {
            Ok(chosen) => return Ok(chosen),
            Err(why) => why,
        };
        for i in others() {
            match self.choose_in(i, query) {
                Ok(chosen) => return Ok(chosen),
                Err(other) => why = other,
            }
        }
        Err(why)
    }

    fn ended(&self, endpoint: &Endpoint, position: Option<usize>, outcome: &Outcome) {
        match position.and_then(|position| self.home(position)) {
            Some((locality, own)) => locality.policy.ended(endpoint, Some(own), outcome),
            None => {
                if let Some(placed) = self.localities.first() {
                    placed.locality.policy.ended(endpoint, None, outcome);
                }
            }
        }
    }

    fn probes(&self, _: &Members, query: &mut Query<'_>) -> Vec<usize> {
        let Placed { locality, numbers, .. } = &self.localities[self.draw(query)];
        let targets = locality.policy.probes(&locality.members, query);
        targets.into_iter().map(|own| numbers[own] as usize).collect()
    }

    fn probed(&self, thread: usize, position: usize, report: Report, now: Time, random: &mut fastrand::Rng) {
        if let Some((locality, own)) = self.home(position) {
            locality.policy.probed(thread, own, report, now, random);
        }
    }
}

/// The servers in the tiers of a client in the zone `own`: first the servers of this zone; then those of all
/// others, a locality for each zone. Each comes with its zone and its weight, which is its capacity.
pub fn by_zone(endpoints: Vec<Arc<Endpoint>>, own: &str) -> Vec<Vec<(String, u32, Vec<Arc<Endpoint>>)>> {
    let mut zones: SortedMap<String, Vec<Arc<Endpoint>>> = SortedMap::new();
    for endpoint in endpoints {
        zones.get_or_insert_with(endpoint.zone().to_owned(), Vec::new).push(endpoint);
    }
    let weighed = |(zone, endpoints): (String, Vec<Arc<Endpoint>>)| {
        let sum: u64 = endpoints.iter().map(|endpoint| capacity(endpoint)).sum();
        (zone, u32::try_from(sum).unwrap_or(u32::MAX), endpoints)
    };
    let here = zones.remove(own).map(weighed);
    let others: Vec<_> = zones.into_iter().map(weighed).collect();
    [here.into_iter().collect(), others].into_iter().filter(|tier: &Vec<_>| !tier.is_empty()).collect()
}

/// The capacity of a server in comparison with others.
fn capacity(endpoint: &Endpoint) -> u64 {
    endpoint.weight().unwrap_or(1).into()
}

/// The number of a server among `all` members, which must contain it.
fn number(all: &Members, endpoint: &Endpoint) -> u32 {
    all.find(endpoint).unwrap_or(0) as u32
}

/// Spreads keys, which may be small numbers, over all values.
fn mix(key: u64) -> u64 {
    let key = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ (key >> 31)
}

#[cfg(test)]
mod tests;
