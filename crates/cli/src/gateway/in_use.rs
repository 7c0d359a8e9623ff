//! What routes of the plan in use go on counting with in the next one: rates and limits.

/// What each route has of a kind. It goes on for one route with the same names: two that are alike have one
/// each.
pub struct InUse<'p, T>(Vec<(&'p str, &'p T)>);

impl<'p, T: Clone> InUse<'p, T> {
    /// `routes`: their names, and what they have.
    pub fn of(routes: impl Iterator<Item = (&'p str, &'p T)>) -> InUse<'p, T> {
        InUse(routes.collect())
    }

    /// The one for a route with these names.
    pub fn take(&mut self, names: Option<&String>, is_same: impl Fn(&T) -> bool) -> Option<T> {
        let is_it = |(old, has): &(&str, &T)| names.is_some_and(|names| names == old) && is_same(has);
        let found = self.0.iter().position(is_it)?;
        Some(self.0.remove(found).1.clone())
    }
}
