//! How far a run is, and when it will end.

use std::time::Instant;

use crate::options::Options;

pub struct Progress {
    began: Instant,
    loads: usize,
    rounds: usize,
    end: Option<Instant>,
    /// Measurements, the one under way included.
    pub begun: usize,
}

impl Progress {
    pub fn new(loads: usize, options: &Options) -> Progress {
        let began = Instant::now();
        let end = options.budget.map(|budget| options.began + budget);
        Progress { began, loads, rounds: options.rounds, end, begun: 0 }
    }

    /// Whether another round ends before the budget does, if it takes as long as those before. The first one
    /// is always measured.
    pub fn has_time_for(&self, round: usize) -> bool {
        let Some(end) = self.end.filter(|_| round > 1) else { return true };
        let now = Instant::now();
        let of_one = (now - self.began) / (round as u32 - 1);
        now + of_one <= end
    }

    /// What is printed before the next measurement: `round 1/3, 17/762, 27 min left`.
    pub fn next(&mut self) -> String {
        let left = match self.begun {
            0 => String::new(),
            begun => {
                let of_one = self.began.elapsed() / begun as u32;
                let left = of_one * (self.rounds * self.loads - begun) as u32;
                format!(", {} min left", left.as_secs().div_ceil(60))
            }
        };
        let (round, number) = (self.begun / self.loads + 1, self.begun % self.loads + 1);
        self.begun += 1;
        format!("round {round}/{}, {number}/{}{left}", self.rounds, self.loads)
    }
}
