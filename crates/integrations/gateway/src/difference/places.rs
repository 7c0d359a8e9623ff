//! How often answers differ, by place.

use std::collections::BTreeMap;

/// The name under which places are counted for which there is no room.
pub const OTHER: &str = "(other places)";
/// The maximum length of a place's name, in characters.
const LONGEST: usize = 200;

/// A place without its indices: `roles[2].name` counts as `roles[].name`.
pub fn general(place: &str) -> String {
    let mut general = String::new();
    let mut within = false;
    for letter in place.chars().take(LONGEST) {
        within = within && letter != ']';
        if !within {
            general.push(letter);
        }
        within |= letter == '[';
    }
    general
}

/// Something by place, of a bounded number of them: the names of a map's members are places, too, and each
/// answer may have new ones.
#[derive(Clone, Debug)]
pub struct Places<T> {
    most: usize,
    places: BTreeMap<String, T>,
}

impl<T: Default> Places<T> {
    /// At most this many, and one for all others.
    pub fn at_most(most: usize) -> Places<T> {
        Places { most, places: BTreeMap::new() }
    }

    /// Changes what is there for each of these places, once for each.
    pub fn each(&mut self, mut places: Vec<String>, mut change: impl FnMut(&mut T)) {
        for place in &mut places {
            if !self.places.contains_key(place) && self.places.len() >= self.most {
                OTHER.clone_into(place);
            }
        }
        places.sort();
        places.dedup();
        places.into_iter().for_each(|place| change(self.places.entry(place).or_default()));
    }

    pub fn get(&self, place: &str) -> Option<&T> {
        self.places.get(place)
    }

    /// In the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &T)> {
        self.places.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_without_indices() {
        assert_eq!(general("a[12].b[3]"), "a[].b[]");
        assert_eq!(general("header:x"), "header:x");
    }

    #[test]
    fn places_of_which_each_answer_has_new_ones_are_counted_together() {
        const MOST: usize = 1000;
        let mut places: Places<u64> = Places::at_most(MOST);
        for request in 0..MOST + 10 {
            let long = "x".repeat(LONGEST);
            let found = vec![general(&format!("users.{request}.{long}")), "name".to_owned()];
            places.each(found, |count| *count += 1);
        }
        assert_eq!(places.get("name"), Some(&(MOST as u64 + 10)));
        assert_eq!(places.get(OTHER), Some(&11));
        assert_eq!(places.iter().count(), MOST + 1);
        assert!(places.iter().all(|(place, _)| place.chars().count() <= LONGEST));
    }
}
