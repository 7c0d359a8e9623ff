//! Computes the share of the calls that each locality gets.

/// The state of a locality.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub tier: usize,
    pub weight: f64,
    pub capacity: f64,
    /// The capacity of the ready servers, in the unit of `capacity`.
    pub ready: f64,
}

/// The health of a tier or a part, from 0 to 1: 1 if its ready servers, with `factor`, can take all of its
/// calls.
fn wholeness(ready: f64, capacity: f64, factor: f64) -> f64 {
    if ready <= 0.0 { 0.0 } else { (factor * ready / capacity).min(1.0) }
}

/// The share of each part, together 1, and whether the tiers together can take all calls. Parts are in the
/// order of their tiers.
///
/// ```text
///  h = min(1, factor x ready / capacity)               of a tier
///  load of a tier = min(h / min(1, sum of h), what the tiers before have left)
///  share of a part = load of its tier x weight x h of the part / sum of these in its tier
/// ```
pub(super) fn shares(parts: &[Part], factor: f64, callers_here: f64) -> (Vec<f64>, bool) {
    let tiers = parts.iter().map(|part| part.tier + 1).max().unwrap_or(0);
    // For each tier. In one pass, since a source may name as many tiers as servers.
    let sums = |of: &dyn Fn(&Part) -> f64| {
        let mut sums = vec![0.0; tiers];
        parts.iter().for_each(|part| sums[part.tier] += of(part));
        sums
    };
    let (ready, capacity) = (sums(&|part| part.ready), sums(&|part| part.capacity));
    let whole: Vec<f64> =
        ready.iter().zip(&capacity).map(|(ready, all)| wholeness(*ready, *all, factor)).collect();
    let total: f64 = whole.iter().sum();
    if total <= 0.0 {
        // No server is ready: the first tier gets all calls by its weights, until a server comes back.
        let first = parts.first().map_or(0, |part| part.tier);
        let weights = sums(&|part| part.weight)[first];
        let share = |part: &Part| if part.tier == first { part.weight / weights } else { 0.0 };
        return (parts.iter().map(share).collect(), false);
    }
    // Where callers of the first tier are many and its servers few, all servers are to have the same load.
    let all_ready: f64 = ready.iter().sum();
    let most_of_first = match parts.first().map(|part| part.tier) {
        Some(first) if callers_here > 0.0 && ready[first] < all_ready => {
            (first, ready[first] / all_ready / callers_here)
        }
        _ => (0, 1.0),
    };
    let mut left = 1.0;
    let mut loads = vec![0.0; tiers];
    for tier in 0..tiers {
        let mut load = (whole[tier] / total.min(1.0)).min(left);
        if tier == most_of_first.0 {
            load = load.min(most_of_first.1);
        }
        loads[tier] = load;
        left -= load;
    }
    // The next tiers may be too small for what the first one leaves to make loads even.
    let given: f64 = loads.iter().sum();
    let here = |part: &Part| part.weight * wholeness(part.ready, part.capacity, factor);
    let sums = sums(&here);
    let share = |part: &Part| match sums[part.tier] {
        0.0 => 0.0,
        sum => loads[part.tier] / given * here(part) / sum,
    };
    (parts.iter().map(share).collect(), total >= 1.0 - 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(tier: usize, weight: f64, percent: f64) -> Part {
        Part { tier, weight, capacity: 100.0, ready: percent }
    }

    #[track_caller]
    fn assert_shares(parts: &[Part], factor: f64, callers_here: f64, expected: &[f64]) {
        let (found, _) = shares(parts, factor, callers_here);
        let percent: Vec<f64> = found.iter().map(|share| (share * 100.0).round()).collect();
        assert_eq!(percent, expected, "{parts:?}");
    }

    /// The table of Envoy's page on priority levels.
    #[test]
    fn tiers_spill_over_as_envoy_says() {
        for (ready, expected) in [
            ([100.0, 100.0, 100.0], [100.0, 0.0, 0.0]),
            ([72.0, 72.0, 100.0], [100.0, 0.0, 0.0]),
            ([71.0, 71.0, 100.0], [99.0, 1.0, 0.0]),
            ([50.0, 50.0, 100.0], [70.0, 30.0, 0.0]),
            ([25.0, 100.0, 100.0], [35.0, 65.0, 0.0]),
            ([25.0, 25.0, 100.0], [35.0, 35.0, 30.0]),
            ([25.0, 25.0, 20.0], [36.0, 36.0, 29.0]),
            ([0.0, 5.0, 0.0], [0.0, 100.0, 0.0]),
            ([0.0, 0.0, 0.0], [100.0, 0.0, 0.0]),
        ] {
            let parts: Vec<Part> = (0..3).map(|tier| part(tier, 1.0, ready[tier])).collect();
            assert_shares(&parts, 1.4, 0.0, &expected);
        }
    }

    #[test]
    fn with_an_infinite_factor_a_tier_takes_all_while_it_has_a_server() {
        for (ready, expected) in [([1.0, 100.0], [100.0, 0.0]), ([0.0, 1.0], [0.0, 100.0])] {
            let parts: Vec<Part> = (0..2).map(|tier| part(tier, 1.0, ready[tier])).collect();
            assert_shares(&parts, f64::INFINITY, 0.0, &expected);
        }
    }

    /// The table of Envoy's page on locality weighted load balancing: X of weight 1, Y of weight 2.
    #[test]
    fn localities_share_by_weight_and_by_what_is_ready() {
        for (ready, expected) in [
            (100.0, [33.0, 67.0]),
            (72.0, [33.0, 67.0]),
            (50.0, [42.0, 58.0]),
            (25.0, [59.0, 41.0]),
            (0.0, [100.0, 0.0]),
        ] {
            assert_shares(&[part(0, 1.0, 100.0), part(0, 2.0, ready)], 1.4, 0.0, &expected);
        }
    }

    #[test]
    fn callers_that_are_more_than_their_servers_send_some_elsewhere() {
        let parts = [part(0, 1.0, 100.0), part(1, 1.0, 100.0), part(1, 1.0, 100.0)];
        assert_shares(&parts, 1.4, 0.0, &[100.0, 0.0, 0.0]);
        assert_shares(&parts, 1.4, 1.0 / 3.0, &[100.0, 0.0, 0.0]);
        assert_shares(&parts, 1.4, 0.2, &[100.0, 0.0, 0.0]);
        assert_shares(&parts, 1.4, 2.0 / 3.0, &[50.0, 25.0, 25.0]);
        let alone = [part(0, 1.0, 100.0), part(1, 1.0, 0.0)];
        assert_shares(&alone, 1.4, 1.0, &[100.0, 0.0]);
    }

    #[test]
    fn shares_are_none_below_zero_and_together_one() {
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..5000 {
            let mut tier = 0;
            let parts: Vec<Part> = (0..random.usize(1..7))
                .map(|_| {
                    tier += random.usize(0..2);
                    let capacity = f64::from(random.u32(1..50));
                    let ready = (capacity * random.f64() * 2.0 - capacity / 2.0).clamp(0.0, capacity);
                    Part { tier, weight: f64::from(random.u32(1..9)), capacity, ready }
                })
                .collect();
            let factor = [1.0, 1.4, f64::INFINITY][random.usize(..3)];
            let (found, _) = shares(&parts, factor, random.f64());
            let sum: f64 = found.iter().sum();
            assert!(
                (sum - 1.0).abs() < 1e-9 && found.iter().all(|share| *share >= 0.0),
                "{parts:?}: {found:?}"
            );
            let is_one_ready = parts.iter().any(|part| part.ready > 0.0);
            for (share, part) in found.iter().zip(&parts) {
                assert!(*share == 0.0 || part.ready > 0.0 || !is_one_ready, "{parts:?}: {found:?}");
            }
        }
    }
}
