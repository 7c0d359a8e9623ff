//! Header fields of a request, as rules compare them.
//!
//! Names match in any case, values of one name are joined by commas without a space, and those of binary
//! fields are in base64 (A41, A43; docs/authorization.md).
//!
//! Limits: fields that no rule asks for are not copied.

use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use std::cmp::Ordering;

/// The names that a policy asks for, in lower case, sorted, each once.
#[derive(Debug, Default)]
pub(crate) struct FieldNames(Box<[Box<str>]>);

impl FieldNames {
    pub fn of(mut names: Vec<Box<str>>) -> Self {
        names.sort_unstable();
        names.dedup();
        FieldNames(names.into())
    }

    /// The index of a name in any case.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.0.binary_search_by(|known| compare(known, name)).ok()
    }
}

/// Compares a name in lower case with one in any case.
fn compare(lower: &str, any: &str) -> Ordering {
    lower.bytes().cmp(any.bytes().map(|byte| byte.to_ascii_lowercase()))
}

/// Whether values of this field are bytes. Its name is in lower case.
pub(crate) fn is_binary(name: &str) -> bool {
    name.ends_with("-bin")
}

/// What the fields of a call hold, by the index of their name. Empty: none of them is there.
#[derive(Default)]
pub(crate) struct FieldValues(Vec<Option<Vec<u8>>>);

impl FieldValues {
    pub fn add(&mut self, names: &FieldNames, name: &str, value: &[u8]) {
        let Some(index) = names.find(name) else { return };
        self.0.resize_with(names.0.len(), || None);
        let values = match &mut self.0[index] {
            Some(values) => {
                values.push(b',');
                values
            }
            none => none.insert(Vec::with_capacity(value.len())),
        };
        match is_binary(&names.0[index]) {
            true => values.extend(BASE64_STANDARD_NO_PAD.encode(value).bytes()),
            false => values.extend_from_slice(value),
        }
    }

    pub fn get(&self, index: usize) -> Option<&[u8]> {
        self.0.get(index)?.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_name_in_any_case_are_joined() {
        let names = FieldNames::of(["x-a", "b-bin", "x-a"].map(Box::from).into());
        let mut values = FieldValues::default();
        values.add(&names, "x-other", b"1");
        assert_eq!(values.0.capacity(), 0, "what is not asked for takes no memory");
        for (name, value) in [("X-A", "1"), ("x-b", "2"), ("x-a", ""), ("x-A", "3"), ("B-Bin", "\0\u{1}")] {
            values.add(&names, name, value.as_bytes());
        }
        let of = |name| names.find(name).and_then(|index| values.get(index));
        assert_eq!(of("x-a"), Some(&b"1,,3"[..]));
        assert_eq!(of("b-bin"), Some(&b"AAE"[..]));
        assert_eq!((of("x-b"), of(""), of("x-")), (None, None, None));
    }
}
