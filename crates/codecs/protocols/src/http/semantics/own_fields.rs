//! Fields that this implementation adds to one head: a few, on the stack.

use crate::http::framing::Own;

pub(super) struct OwnFields<'a> {
    fields: [(&'static str, &'a [u8]); 8],
    len: usize,
}

impl<'a> OwnFields<'a> {
    pub fn new() -> Self {
        OwnFields { fields: [("", b""); 8], len: 0 }
    }

    /// # Panics
    /// If it is the ninth field: no head of this library has so many.
    pub fn add(&mut self, name: &'static str, value: &'a [u8]) {
        self.fields[self.len] = (name, value);
        self.len += 1;
    }

    pub fn add_all(&mut self, fields: Own<'a>) {
        fields.iter().for_each(|(name, value)| self.add(name, value));
    }

    pub fn get(&self) -> Own<'_> {
        &self.fields[..self.len]
    }
}
