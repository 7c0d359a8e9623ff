//! Weights laid end to end on a line.

/// Intervals of the lengths of `weights`, in order: which one holds a point takes constant time on average.
///
/// ```text
///  weights 2 1 3      ends 2 3 6      point 0..2 -> 0, 2 -> 1, 3..6 -> 2
///  first: for each n-th part of the line, the interval that holds its start; the search goes up from there
/// ```
#[derive(Debug)]
pub(crate) struct Scale {
    /// The end of each interval.
    ends: Box<[u64]>,
    first: Box<[u32]>,
    /// Length of a part, at least 1.
    part: u64,
}

impl Scale {
    /// `weights` are at least 1, and there is at least one.
    pub fn new(weights: impl Iterator<Item = u32>) -> Self {
        let mut sum = 0;
        let ends: Box<[u64]> = weights
            .map(|weight| {
                sum += u64::from(weight);
                sum
            })
            .collect();
        let part = sum.div_ceil(ends.len() as u64).max(1);
        let mut first = Vec::with_capacity(ends.len() + 1);
        let mut i = 0;
        for begin in (0..sum).step_by(part as usize) {
            while ends[i] <= begin {
                i += 1;
            }
            first.push(i as u32);
        }
        Scale { ends, first: first.into(), part }
    }

    /// The length of the line, i.e. the sum of the weights.
    pub fn sum(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The interval that holds `point`, which is below the sum.
    #[inline]
    pub fn at(&self, point: u64) -> usize {
        let mut i = self.first[(point / self.part) as usize] as usize;
        while self.ends[i] <= point {
            i += 1;
        }
        i
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_belongs_to_the_interval_that_a_search_finds() {
        let mut random = fastrand::Rng::with_seed(3);
        let sets = [vec![2, 1, 3], vec![1], vec![1; 10], vec![1, 5000], vec![5000, 1, 1, 1]];
        let random_set = (0..100).map(|_| random.u32(1..60)).collect();
        for weights in sets.into_iter().chain([random_set]) {
            let scale = Scale::new(weights.iter().copied());
            assert_eq!(scale.sum(), weights.iter().map(|weight| u64::from(*weight)).sum());
            let owners = weights.iter().enumerate().flat_map(|(i, weight)| (0..*weight).map(move |_| i));
            for (point, owner) in owners.enumerate() {
                assert_eq!(scale.at(point as u64), owner, "point {point} of {weights:?}");
            }
        }
    }

    #[test]
    fn the_largest_weights_do_not_overflow() {
        let scale = Scale::new([u32::MAX; 3].into_iter());
        assert_eq!(scale.at(scale.sum() - 1), 2);
        assert_eq!(scale.at(0), 0);
    }
}
