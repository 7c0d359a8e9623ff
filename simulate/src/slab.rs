//! Calls and tries by number. A number that is used again has another generation, so that an event for what
//! has ended meanwhile finds nothing.

#[derive(Debug)]
pub struct Slab<T> {
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Id {
    index: u32,
    generation: u32,
}

impl<T> Slab<T> {
    pub fn insert(&mut self, item: T) -> Id {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push((0, None));
            self.slots.len() as u32 - 1
        });
        let (generation, slot) = &mut self.slots[index as usize];
        *slot = Some(item);
        Id { index, generation: *generation }
    }

    pub fn get_mut(&mut self, id: Id) -> Option<&mut T> {
        let (generation, slot) = &mut self.slots[id.index as usize];
        slot.as_mut().filter(|_| *generation == id.generation)
    }

    pub fn remove(&mut self, id: Id) -> Option<T> {
        let (generation, slot) = &mut self.slots[id.index as usize];
        if *generation != id.generation {
            return None;
        }
        let item = slot.take()?;
        *generation = generation.wrapping_add(1);
        self.free.push(id.index);
        Some(item)
    }
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab { slots: Vec::new(), free: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_removed_is_not_found_under_the_number_of_its_successor() {
        let mut slab = Slab::default();
        let first = slab.insert('a');
        assert_eq!(slab.remove(first), Some('a'));
        let second = slab.insert('b');
        assert_eq!(slab.get_mut(first), None);
        assert_eq!(slab.remove(first), None);
        assert_eq!(slab.get_mut(second), Some(&mut 'b'));
    }
}
