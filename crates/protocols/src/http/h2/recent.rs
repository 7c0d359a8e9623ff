//! The few things of one kind that a connection saw last, each good for one version of a table.

/// Things that are kept.
const KEPT: usize = 4;

/// At most [`KEPT`] things, replaced in turn, those first that are good no more.
pub(super) struct Recent<T> {
    kept: Vec<(u64, T)>,
    /// The next one to be replaced.
    oldest: usize,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Recent { kept: Vec::new(), oldest: 0 }
    }
}

impl<T> Recent<T> {
    /// `version`: of the table, now.
    #[inline]
    pub fn find(&self, version: u64, is: impl Fn(&T) -> bool) -> Option<&T> {
        self.kept.iter().find(|(good, thing)| *good == version && is(thing)).map(|(_, thing)| thing)
    }

    pub fn keep(&mut self, version: u64, thing: T) {
        match self.kept.iter().position(|(good, _)| *good != version) {
            Some(stale) => self.kept[stale] = (version, thing),
            None if self.kept.len() < KEPT => self.kept.push((version, thing)),
            None => {
                self.kept[self.oldest] = (version, thing);
                self.oldest = (self.oldest + 1) % KEPT;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_four_are_found_and_stale_ones_go_first() {
        let mut recent = Recent::default();
        (0..6).for_each(|thing| recent.keep(1, thing));
        let there = |recent: &Recent<i32>, version| {
            (0..10).filter(|n| recent.find(version, |thing| thing == n).is_some()).collect::<Vec<_>>()
        };
        assert_eq!(there(&recent, 1), [2, 3, 4, 5]);
        (6..9).for_each(|thing| recent.keep(2, thing));
        assert_eq!((there(&recent, 1).len(), there(&recent, 2)), (1, vec![6, 7, 8]));
    }
}
