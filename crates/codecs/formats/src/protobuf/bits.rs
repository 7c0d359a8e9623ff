//! A small set of numbers, for the fields that were present.

/// A set of numbers below a limit; up to 64 of them without an allocation.
pub(crate) struct Bits {
    low: u64,
    high: Vec<u64>,
}

impl Bits {
    /// An empty set for numbers below `bound`.
    #[inline]
    pub fn new(bound: usize) -> Self {
        Bits { low: 0, high: vec![0; bound.saturating_sub(1) / 64] }
    }

    /// Adds a number below the bound; returns whether it is new.
    #[inline]
    pub fn insert(&mut self, number: usize) -> bool {
        let word = match number {
            0..64 => &mut self.low,
            _ => &mut self.high[number / 64 - 1],
        };
        let bit = 1 << (number % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// The least number below `bound` that is not in the set.
    #[inline]
    pub fn first_missing(&self, bound: usize) -> Option<usize> {
        let words = std::iter::once(&self.low).chain(&self.high).enumerate();
        words
            .map(|(i, word)| (i, (!word).trailing_zeros() as usize))
            .find(|(_, bit)| *bit < 64)
            .map(|(i, bit)| i * 64 + bit)
            .filter(|number| *number < bound)
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn the_first_missing_number_is_found_on_every_side_of_a_word() {
        for bound in [0, 1, 63, 64, 65, 128, 129, 200] {
            let mut bits = Bits::new(bound);
            for number in 0..bound {
                assert_eq!(bits.first_missing(bound), Some(number));
                assert!(bits.insert(number));
                assert!(!bits.insert(number));
            }
            assert_eq!(bits.first_missing(bound), None);
        }
    }
}
