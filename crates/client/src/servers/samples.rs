//! How long calls to a server took: the last ones of those that [`Trace`](super::trace::Trace) follows, one in 64, so that other calls
//! cost nothing.

use polywire_base::lock;
use std::{collections::VecDeque, sync::Mutex, time::Duration};

/// Calls that are kept.
const MOST: usize = 256;

/// How long the last followed calls took.
#[derive(Default)]
pub(super) struct Samples(Mutex<VecDeque<Duration>>);

impl Samples {
    #[cold]
    pub fn add(&self, took: Duration) {
        let mut samples = lock(&self.0);
        if samples.len() == MOST {
            samples.pop_front();
        }
        samples.push_back(took);
    }

    /// The time within which this share of the calls ended; `None` if none was followed.
    pub fn percentile(&self, share: f64) -> Option<Duration> {
        let mut all: Vec<Duration> = lock(&self.0).iter().copied().collect();
        all.sort_unstable();
        let rank = (all.len() as f64 * share).ceil() as usize;
        all.get(rank.max(1) - 1).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_last_calls() {
        let samples = Samples::default();
        assert_eq!(samples.percentile(0.5), None);
        let ms = Duration::from_millis;
        samples.add(ms(7));
        assert_eq!([0.0, 0.5, 0.99, 1.0].map(|share| samples.percentile(share)), [Some(ms(7)); 4]);
        (1..=1000).for_each(|n| samples.add(ms(n)));
        assert_eq!(samples.percentile(0.5), Some(ms(872)), "of 745 to 1000");
        assert_eq!(samples.percentile(0.99), Some(ms(998)));
        assert_eq!(samples.percentile(1.0), Some(ms(1000)));
    }
}
