//! `p2c` and `least_request`: the best of a few that are drawn at random.

use super::{Policy, observe};
use crate::{
    Endpoint, Members, NoEndpoint, Outcome, Query,
    parts::{Fit, fit, usable, walk},
};
use std::time::Duration;

/// Draws some different members and takes the one with the lowest cost. Load is nearly as even as if all were
/// compared, and callers do not all choose the one server that looks best.
#[derive(Debug)]
pub struct PowerOfChoices {
    choices: usize,
    cost: Cost,
}

/// The estimated cost of a call to a server. Both kinds are divided by the weight of the server, which is 1
/// if naming has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Cost {
    /// `p2c`: the average latency, which rises at once and decays with the time constant `tau`, times the
    /// calls in flight and the new one. A server that no call has ended on yet counts as quick.
    Latency { tau: Duration },
    /// `least_request`: the calls in flight and the new one.
    InFlight,
}

/// The maximum number of servers that are drawn for one pick.
pub(crate) const MOST_CHOICES: usize = 64;

/// The latency of a server without a sample, and the least that any latency counts as. In microseconds.
const LEAST: f32 = 1.0;

impl PowerOfChoices {
    /// `choices` is brought into 2 to 64.
    pub fn new(choices: usize, cost: Cost) -> Self {
        PowerOfChoices { choices: choices.clamp(2, MOST_CHOICES), cost }
    }

    #[inline]
    fn cost(&self, endpoint: &Endpoint, query: &Query<'_>) -> f32 {
        let load = endpoint.load();
        let calls = load.in_flight() as f32 + 1.0;
        let weight = endpoint.weight().unwrap_or(1) as f32;
        match self.cost {
            Cost::Latency { tau } => {
                load.decayed(query.now, tau).unwrap_or(LEAST).max(LEAST) * calls / weight
            }
            Cost::InFlight => calls / weight,
        }
    }

    /// The member with the lowest cost among the `drawn` ones that are ready and were not tried.
    #[inline]
    fn best(
        &self,
        members: &Members,
        query: &Query<'_>,
        drawn: impl IntoIterator<Item = usize>,
    ) -> Option<usize> {
        let mut best: Option<(usize, f32)> = None;
        for i in drawn {
            if fit(members, query, i) == Fit::Ready {
                let mut cost = self.cost(members.get(i), query);
                if let Some(share) = members.share(i, query.now) {
                    cost /= share;
                }
                if best.is_none_or(|(_, least)| cost < least) {
                    best = Some((i, cost));
                }
            }
        }
        best.map(|(i, _)| i)
    }
}

impl Policy for PowerOfChoices {
    #[inline]
    fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        let n = members.len();
        let found = if n <= self.choices {
            let start = query.random.usize(..n);
            self.best(members, query, (start..n).chain(0..start))
        } else if self.choices == 2 {
            let first = query.random.usize(..n);
            let second = query.random.usize(..n - 1);
            self.best(members, query, [first, second + usize::from(second >= first)])
        } else {
            let (drawn, count) = draw(n, self.choices, query.random);
            self.best(members, query, drawn[..count].iter().copied())
        };
        match found {
            Some(found) => Ok(found),
            None => {
                let start = query.random.usize(..n);
                let few = usable(members, query, start).into_iter().flatten();
                let found = self.best(members, query, few);
                match found.or_else(|| self.best(members, query, (start..n).chain(0..start))) {
                    Some(found) => Ok(found),
                    None => walk(members, query, start),
                }
            }
        }
    }

    fn ended(&self, endpoint: &Endpoint, _: Option<usize>, outcome: &Outcome) {
        match self.cost {
            Cost::Latency { tau } => observe(endpoint, outcome, tau),
            Cost::InFlight => observe(endpoint, outcome, super::TAU),
        }
    }
}

/// `count` different numbers below `n`, where `n` is larger than `count`. Every set of numbers is equally
/// likely.
fn draw(n: usize, count: usize, random: &mut fastrand::Rng) -> ([usize; MOST_CHOICES], usize) {
    // Floyd's algorithm: for each of the last `count` numbers draw one up to it; if that was drawn already,
    // take the number itself.
    let mut drawn = [0; MOST_CHOICES];
    for (have, last) in (n - count..n).enumerate() {
        let one = random.usize(..=last);
        drawn[have] = if drawn[..have].contains(&one) { last } else { one };
    }
    (drawn, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_differs_and_every_number_is_as_likely() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut times = [0; 10];
        for _ in 0..30_000 {
            let (drawn, count) = draw(10, 3, &mut random);
            let drawn = &drawn[..count];
            assert!(drawn[0] != drawn[1] && drawn[1] != drawn[2] && drawn[0] != drawn[2]);
            drawn.iter().for_each(|i| times[*i] += 1);
        }
        assert!(times.iter().all(|n| (8_700..9_300).contains(n)), "{times:?}");
    }
}
