//! Random numbers by their distributions.

use fastrand::Rng;
use std::{f64::consts::TAU, time::Duration};

/// How long something takes, or how much of something there is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Distribution {
    Constant(f64),
    Exponential {
        mean: f64,
    },
    /// A value below zero is taken as zero.
    Normal {
        mean: f64,
        deviation: f64,
    },
    /// `sigma`: the standard deviation of the logarithm.
    Lognormal {
        median: f64,
        sigma: f64,
    },
}

impl Distribution {
    pub fn draw(self, random: &mut Rng) -> f64 {
        match self {
            Distribution::Constant(value) => value,
            Distribution::Exponential { mean } => mean * exponential(random),
            Distribution::Normal { mean, deviation } => (mean + deviation * normal(random)).max(0.0),
            Distribution::Lognormal { median, sigma } => median * (sigma * normal(random)).exp(),
        }
    }

    /// What is drawn, as seconds.
    pub fn seconds(self, random: &mut Rng) -> Duration {
        Duration::from_secs_f64(self.draw(random))
    }
}

/// With mean 1.
fn exponential(random: &mut Rng) -> f64 {
    -(1.0 - random.f64()).ln() // f64() is below 1
}

/// With mean 0 and deviation 1, by Box and Muller.
fn normal(random: &mut Rng) -> f64 {
    let radius = (2.0 * exponential(random)).sqrt();
    radius * (TAU * random.f64()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and quantiles 0.5 and 0.9 of many draws.
    fn observed(distribution: Distribution) -> [f64; 3] {
        let mut random = Rng::with_seed(1);
        let mut drawn: Vec<f64> = (0..200_000).map(|_| distribution.draw(&mut random)).collect();
        drawn.sort_by(f64::total_cmp);
        [drawn.iter().sum::<f64>() / drawn.len() as f64, drawn[100_000], drawn[180_000]]
    }

    #[test]
    fn draws_have_the_mean_and_the_quantiles_of_their_distribution() {
        for (distribution, expected) in [
            (Distribution::Constant(7.0), [7.0, 7.0, 7.0]),
            (Distribution::Exponential { mean: 10.0 }, [10.0, 6.93, 23.03]),
            (Distribution::Normal { mean: 10.0, deviation: 1.0 }, [10.0, 10.0, 11.28]),
            // Half of the normal's mass below -1 deviation is cut: the mean is 1.0833 times that of the
            // whole.
            (Distribution::Normal { mean: 10.0, deviation: 10.0 }, [10.83, 10.0, 22.82]),
            (Distribution::Lognormal { median: 10.0, sigma: 0.5 }, [11.33, 10.0, 18.98]),
        ] {
            for (found, expected) in observed(distribution).into_iter().zip(expected) {
                assert!((found / expected - 1.0).abs() < 0.015, "{distribution:?}: {found}, not {expected}");
            }
        }
    }
}
