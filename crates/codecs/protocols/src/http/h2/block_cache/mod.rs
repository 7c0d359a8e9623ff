//! A cache of header blocks. A block that is repeated on a connection is compared and copied instead of coded
//! by HPACK again.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `read.rs` | blocks of the peer |
//! | `written.rs` | blocks of this side |
//!
//! Both keep the few latest blocks. The meaning of a block depends on HPACK's dynamic table, so each entry is
//! valid for one version of the table.

mod read;
mod written;

pub(super) use read::ReadBlocks;
pub(super) use written::WrittenBlocks;

/// Number of blocks that are kept.
const KEPT: usize = 4;

/// A cache of at most [`KEPT`] values, each valid for one version of a table. Invalid values are replaced
/// first, then the others in turn.
struct Recent<T> {
    kept: Vec<(u64, T)>,
    /// Index of the block that is replaced next.
    oldest: usize,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Recent { kept: Vec::new(), oldest: 0 }
    }
}

impl<T> Recent<T> {
    /// The value that `is` accepts, if it is valid for this version.
    #[inline]
    fn find(&self, version: u64, is: impl Fn(&T) -> bool) -> Option<&T> {
        self.kept.iter().find(|(valid, thing)| *valid == version && is(thing)).map(|(_, thing)| thing)
    }

    fn keep(&mut self, version: u64, thing: T) {
        match self.kept.iter().position(|(valid, _)| *valid != version) {
            Some(invalid) => self.kept[invalid] = (version, thing),
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
    fn the_last_four_are_found_and_invalid_ones_go_first() {
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
