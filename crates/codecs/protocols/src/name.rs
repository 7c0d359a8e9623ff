//! A name in the current request, such as that of a method.

use std::ops::Deref;

/// Consecutive requests mostly have the same service and method; these are then neither checked for UTF-8 nor
/// copied again.
#[derive(Default)]
pub(crate) struct Name(String);

impl Name {
    /// Longest name that is kept for the next request, in bytes.
    const KEEP: usize = 1 << 10;

    /// Takes the name of the next request; `None` if it is not UTF-8.
    #[inline]
    pub fn set(&mut self, name: &[u8]) -> Option<()> {
        if name == self.0.as_bytes() { Some(()) } else { self.replace(name) }
    }

    #[cold]
    fn replace(&mut self, name: &[u8]) -> Option<()> {
        let name = std::str::from_utf8(name).ok()?;
        self.0.clear();
        self.0.shrink_to(Name::KEEP);
        self.0.push_str(name);
        Some(())
    }
}

impl Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}
