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
        self.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v)
    }

    /// First value of this name, if it is text.
    pub fn get_str(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(|v| std::str::from_utf8(v).ok())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let mut rest = &self.fields[..];
        std::iter::from_fn(move || {
            let (lengths, tail) = rest.split_at_checked(8)?;
            let name = u32::from_le_bytes(lengths[..4].try_into().expect("four bytes")) as usize;
            let value = u32::from_le_bytes(lengths[4..].try_into().expect("four bytes")) as usize;
            let (field, tail) = tail.split_at(name + value);
            rest = tail;
            let (name, value) = field.split_at(name);
            Some((std::str::from_utf8(name).expect("appended as text"), value))
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
