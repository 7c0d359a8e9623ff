//! What happens next: events in the order of their times.

use polywire_balance::Time;
use std::{cmp::Ordering, collections::BinaryHeap};

/// Events that are still to come. Those of one time come in the order in which they were added, so that a run
/// does not depend on how the heap is laid out.
#[derive(Debug)]
pub struct Events<E> {
    heap: BinaryHeap<Entry<E>>,
    added: u64,
}

#[derive(Debug)]
struct Entry<E> {
    at: Time,
    number: u64,
    event: E,
}

impl<E> Events<E> {
    pub fn add(&mut self, at: Time, event: E) {
        self.heap.push(Entry { at, number: self.added, event });
        self.added += 1;
    }

    /// Takes the earliest event and its time.
    pub fn next(&mut self) -> Option<(Time, E)> {
        self.heap.pop().map(|entry| (entry.at, entry.event))
    }
}

impl<E> Default for Events<E> {
    fn default() -> Self {
        Events { heap: BinaryHeap::new(), added: 0 }
    }
}

/// The heap gives the greatest first: that is the earliest.
impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<E> Eq for Entry<E> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_in_the_order_of_their_addition() {
        let mut events = Events::default();
        for (at, event) in [(5, 'c'), (1, 'a'), (5, 'd'), (1, 'b'), (5, 'e')] {
            events.add(Time(at), event);
        }
        let found: Vec<_> = std::iter::from_fn(|| events.next()).map(|(at, event)| (at.0, event)).collect();
        assert_eq!(found, [(1, 'a'), (1, 'b'), (5, 'c'), (5, 'd'), (5, 'e')]);
    }
}
