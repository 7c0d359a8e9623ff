//! A ring of points, on which the next point is found in constant time.

/// Points of servers on a ring of 2^64.
#[derive(Debug)]
pub(super) struct Ring {
    /// The hashes of the points in ascending order.
    points: Box<[u64]>,
    /// The owner of each point, by its index among the members.
    owners: Box<[u32]>,
    /// For each part of the ring, the first point at or after its start. Hashes are spread evenly, so the
    /// search from there takes a step or two.
    first: Box<[u32]>,
    /// A point shifted right by this many bits is the number of its part.
    shift: u32,
}

impl Ring {
    /// A ring with these points. Of points with equal hashes the one of the lower owner comes first.
    pub fn new(mut points: Vec<(u64, u32)>) -> Self {
        points.sort_unstable();
        let parts = points.len().next_power_of_two().clamp(2, 1 << 31);
        let shift = 64 - parts.trailing_zeros();
        let mut first = Vec::with_capacity(parts);
        let mut i = 0;
        for part in 0..parts as u64 {
            while i < points.len() && points[i].0 >> shift < part {
                i += 1;
            }
            first.push(i as u32);
        }
        let (points, owners): (Vec<_>, Vec<_>) = points.into_iter().unzip();
        Ring { points: points.into(), owners: owners.into(), first: first.into(), shift }
    }

    /// The owners of all points, from the first one at or after `point` on, once round.
    #[inline]
    pub fn from(&self, point: u64) -> impl Iterator<Item = usize> {
        let mut start = self.first[(point >> self.shift) as usize] as usize;
        while self.points.get(start).is_some_and(|other| *other < point) {
            start += 1;
        }
        let (before, after) = self.owners.split_at(start);
        after.iter().chain(before).map(|owner| *owner as usize)
    }

    /// The owners of the points, each with the part of the ring from the previous point up to its own.
    pub fn arcs(&self) -> impl Iterator<Item = (usize, f64)> {
        let before = self.points.last().into_iter().chain(&self.points);
        let whole = if self.points.len() == 1 { 1.0 } else { 0.0 };
        self.points.iter().zip(before).zip(&self.owners).map(move |((point, before), owner)| {
            (*owner as usize, whole + point.wrapping_sub(*before) as f64 / 2.0_f64.powi(64))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_belongs_to_the_next_one_and_the_last_ones_to_the_first() {
        let mut random = fastrand::Rng::with_seed(9);
        for n in [1, 2, 3, 100, 1000] {
            let points: Vec<(u64, u32)> = (0..n).map(|i| (random.u64(..), i)).collect();
            let ring = Ring::new(points.clone());
            let mut asked: Vec<u64> = (0..1000).map(|_| random.u64(..)).chain([0, u64::MAX]).collect();
            asked.extend(points.iter().flat_map(|(p, _)| [*p, p.wrapping_add(1), p.wrapping_sub(1)]));
            for point in asked {
                let next = points.iter().min_by_key(|(other, _)| other.wrapping_sub(point)).unwrap();
                assert_eq!(ring.from(point).next(), Some(next.1 as usize), "{point:x} of {n}");
                assert_eq!(ring.from(point).count(), n as usize);
            }
        }
    }

    #[test]
    fn the_arcs_are_the_whole_ring() {
        let mut random = fastrand::Rng::with_seed(2);
        for n in [1, 2, 50] {
            let ring = Ring::new((0..n).map(|i| (random.u64(..), i)).collect());
            let sum: f64 = ring.arcs().map(|(_, arc)| arc).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{n}: {sum}");
        }
    }
}
