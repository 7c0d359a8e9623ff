//! A share of calls.

/// A share of calls, chosen at random: `numerator` out of a denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fraction {
    numerator: u32,
    denominator: u32,
}

impl Fraction {
    /// `numerator` of `denominator`: none at 0, and all at `denominator` and above. A denominator of 0 is
    /// taken as 1.
    pub const fn new(numerator: u32, denominator: u32) -> Self {
        Fraction { numerator, denominator: if denominator == 0 { 1 } else { denominator } }
    }

    pub const fn percent(percent: u32) -> Self {
        Fraction::new(percent, 100)
    }

    pub const fn per_million(millionths: u32) -> Self {
        Fraction::new(millionths, 1_000_000)
    }

    /// The share with this numerator, but at most the present one.
    pub fn at_most(self, numerator: u32) -> Self {
        Fraction { numerator: numerator.min(self.numerator), ..self }
    }

    /// Whether a call is in the share, at random.
    pub fn hits(self, random: &mut fastrand::Rng) -> bool {
        self.numerator > 0 && random.u32(..self.denominator) < self.numerator
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_all_and_the_share_between() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut hits = |fraction: Fraction| (0..10_000).filter(|_| fraction.hits(&mut random)).count();
        assert_eq!(hits(Fraction::percent(0)), 0);
        assert_eq!(hits(Fraction::percent(100)), 10_000);
        assert_eq!(hits(Fraction::new(7, 5)), 10_000);
        assert_eq!(hits(Fraction::new(0, 0)), 0);
        assert!((2800..3200).contains(&hits(Fraction::per_million(300_000))));
        assert!((800..1200).contains(&hits(Fraction::percent(30).at_most(10))));
        assert!((2800..3200).contains(&hits(Fraction::percent(30).at_most(100))));
    }
}
