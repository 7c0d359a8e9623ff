//! What is charged to a budget for as long as something lives.

use super::Memory;
use std::sync::Arc;

/// Bytes that are charged to a budget until this is dropped.
#[derive(Debug)]
pub struct Charge {
    memory: Arc<Memory>,
    bytes: usize,
}

impl Charge {
    /// A charge of nothing.
    pub fn new(memory: &Arc<Memory>) -> Charge {
        Charge { memory: memory.clone(), bytes: 0 }
    }

    /// The charge.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Charges `bytes` in all, if the further ones fit. A charge that is as large already stays.
    pub fn grow(&mut self, bytes: usize) -> bool {
        let fits = bytes <= self.bytes || self.memory.take(bytes - self.bytes);
        if fits {
            self.bytes = self.bytes.max(bytes);
        }
        fits
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.memory.recharge(self.bytes, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charge_grows_within_the_budget_and_ends_when_it_is_dropped() {
        let memory = Arc::new(Memory::new(1000, usize::MAX));
        let (mut one, mut other) = (Charge::new(&memory), Charge::new(&memory));
        assert!(one.grow(600) && one.grow(500) && one.bytes() == 600);
        assert!(!other.grow(401) && other.bytes() == 0 && memory.report().refused == 1);
        assert!(other.grow(400) && memory.report().used == 1000);
        drop((one, other));
        assert_eq!((memory.report().used, memory.report().highest), (0, 1000));
    }
}
