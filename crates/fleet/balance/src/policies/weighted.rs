//! `wrr` and `wr`: calls in proportion to weights.

use super::Policy;
use crate::{
    Members, NoEndpoint, Query,
    parts::{Scale, Turns, take},
};

/// Servers laid end to end on a line, each as long as its weight; a call goes to the server that a point lies
/// on. A server without a weight has 1.
#[derive(Debug)]
pub struct Weighted {
    scale: Scale,
    order: Order,
}

/// The order in which points are visited.
#[derive(Debug)]
pub enum Order {
    /// `wr`: at a random place.
    Random,
    /// `wrr`: one stride after the last one.
    InTurns(InTurns),
}

/// A stride that is coprime with the sum of weights, so that as many turns as that sum visit each point once,
/// and shares are exact. It is close to the sum times the golden ratio, which spreads the turns of every
/// server, light or heavy, as evenly as possible.
#[derive(Debug)]
pub struct InTurns {
    turns: Turns,
    stride: u64,
}

impl Weighted {
    /// The policy `wr`: each pick at random, by weight.
    pub fn at_random(members: &Members) -> Self {
        Weighted { scale: scale(members), order: Order::Random }
    }

    /// The policy `wrr`: picks in turns that spread each server's share evenly.
    pub fn in_turns(members: &Members, random: &mut fastrand::Rng) -> Self {
        let scale = scale(members);
        let golden = (scale.sum() as f64 * 0.618_033_988_749_895) as u64;
        let stride = (golden.max(1)..).find(|stride| divisor(scale.sum(), *stride) == 1).unwrap_or(1);
        Weighted { scale, order: Order::InTurns(InTurns { turns: Turns::new(random), stride }) }
    }

    #[inline]
    fn next(&self, query: &mut Query<'_>) -> usize {
        let sum = self.scale.sum();
        let point = match &self.order {
            Order::Random => query.random.u64(..sum),
            Order::InTurns(InTurns { turns, stride }) => {
                let turn = turns.next(query.thread) % sum;
                match turn.checked_mul(*stride) {
                    Some(way) => way % sum,
                    None => (u128::from(turn) * u128::from(*stride) % u128::from(sum)) as u64,
                }
            }
        };
        self.scale.at(point)
    }
}

fn scale(members: &Members) -> Scale {
    Scale::new(members.iter().map(|member| member.weight().unwrap_or(1)))
}

/// The greatest common divisor.
fn divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Policy for Weighted {
    #[inline]
    fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        take(members, query, |query| self.next(query))
    }
}
