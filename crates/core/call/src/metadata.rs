//! Header and trailer fields.
//!
//! ```text
//! field: | name length u32 | value length u32 | name | value |   in arrival order, back to back
//! ```
//!
//! One allocation for all fields, none when there are none. Names compare without regard to ASCII case.

use std::fmt;

/// An ordered multimap of ASCII names and binary values.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    fields: Vec<u8>,
}

impl Metadata {
    pub const fn new() -> Self {
        Metadata { fields: Vec::new() }
    }

    /// No fields, with memory for this many bytes of them: of each its name, its value and eight more.
    pub fn with_capacity(bytes: usize) -> Self {
        Metadata { fields: Vec::with_capacity(bytes) }
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Memory of the fields in bytes.
    pub fn byte_len(&self) -> usize {
        self.fields.len()
    }

    /// Adds a field, and keeps those with the same name.
    pub fn append(&mut self, name: &str, value: impl AsRef<[u8]>) {
        let value = value.as_ref();
        self.fields.reserve(8 + name.len() + value.len());
        self.fields.extend_from_slice(&(name.len() as u32).to_le_bytes());
        self.fields.extend_from_slice(&(value.len() as u32).to_le_bytes());
        self.fields.extend_from_slice(name.as_bytes());
        self.fields.extend_from_slice(value);
    }

    /// Replaces all fields of this name by one.
    pub fn insert(&mut self, name: &str, value: impl AsRef<[u8]>) {
        if self.get(name).is_some() {
            let mut kept = Metadata::new();
            self.iter().filter(|(n, _)| !n.eq_ignore_ascii_case(name)).for_each(|(n, v)| kept.append(n, v));
            *self = kept;
        }
        self.append(name, value);
    }

    /// First value of this name.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.get_all(name).next()
    }

    /// The values of this name, in arrival order.
    pub fn get_all<'m>(&'m self, name: &str) -> impl Iterator<Item = &'m [u8]> {
        self.records().filter(|(n, _)| n.eq_ignore_ascii_case(name.as_bytes())).map(|(_, v)| v)
    }

    /// First value of this name, if it is text.
    pub fn get_str(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(|v| std::str::from_utf8(v).ok())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.records().map(|(name, value)| (std::str::from_utf8(name).expect("appended as text"), value))
    }

    /// Names and values, without a look at whether names are text.
    fn records(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let mut rest = &self.fields[..];
        std::iter::from_fn(move || {
            let (lengths, tail) = rest.split_at_checked(8)?;
            let name = u32::from_le_bytes(lengths[..4].try_into().expect("four bytes")) as usize;
            let value = u32::from_le_bytes(lengths[4..].try_into().expect("four bytes")) as usize;
            let (field, tail) = tail.split_at(name + value);
            rest = tail;
            Some(field.split_at(name))
        })
    }
}

impl fmt::Debug for Metadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(n, v)| (n, v.escape_ascii().to_string()))).finish()
    }
}

impl<N: AsRef<str>, V: AsRef<[u8]>> FromIterator<(N, V)> for Metadata {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(fields: I) -> Self {
        let mut metadata = Metadata::new();
        fields.into_iter().for_each(|(n, v)| metadata.append(n.as_ref(), v));
        metadata
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_name_come_in_their_order_whatever_its_case() {
        let mut metadata = Metadata::with_capacity(100);
        for (name, value) in [("a", "1"), ("b", "2"), ("A", "3"), ("aa", "4"), ("", "5")] {
            metadata.append(name, value);
        }
        let all = |name: &str| metadata.get_all(name).map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(all("A"), [b"1", b"3"]);
        assert_eq!(all(""), [b"5"]);
        assert_eq!(metadata.get("AA"), Some(&b"4"[..]));
        assert!(all("c").is_empty());
    }
}
