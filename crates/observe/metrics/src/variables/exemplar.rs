//! Examples of the values that a histogram has counted, usually calls whose trace is recorded.

use crate::{exposition::scale::BOUNDS, variables::Labels};
use std::time::{Duration, SystemTime};

/// Characters in the names and values of an exemplar's labels. Source: OpenMetrics 1.0, "Exemplars".
const MOST_CHARACTERS: usize = 128;

/// One duration of a histogram, with labels that lead to details about it, such as `trace_id`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Exemplar {
    pub labels: Labels,
    pub duration: Duration,
    pub at: SystemTime,
}

/// The newest exemplar of each bucket of a histogram, made at the first one.
#[derive(Default)]
pub(super) struct Exemplars(Option<Box<[Option<Exemplar>; BOUNDS.len() + 1]>>);

impl Exemplars {
    /// Keeps an exemplar in place of the older one of its bucket. An exemplar with more characters than
    /// OpenMetrics allows is left out.
    pub fn keep(&mut self, exemplar: Exemplar) {
        let characters =
            exemplar.labels.iter().map(|(key, value)| key.chars().count() + value.chars().count());
        if characters.sum::<usize>() <= MOST_CHARACTERS {
            let bucket = BOUNDS.partition_point(|bound| u128::from(*bound) < exemplar.duration.as_nanos());
            self.0.get_or_insert_with(|| Box::new([const { None }; BOUNDS.len() + 1]))[bucket] =
                Some(exemplar);
        }
    }

    /// The exemplars, shortest first, each of a different bucket.
    pub fn all(&self) -> Vec<Exemplar> {
        self.0.iter().flat_map(|kept| kept.iter().flatten().cloned()).collect()
    }
}
