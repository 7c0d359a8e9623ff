//! Look-up of fields by number and by name.

use polywire_base::Sort;

/// Field numbers to indices: small ones in a table, the rest by binary search.
pub(crate) struct Numbers {
    dense: Box<[u16]>,
    sparse: Box<[(u32, u16)]>,
}

const NONE: u16 = u16::MAX;
const DENSE: u32 = 128;

impl Numbers {
    /// `numbers[i]` is the number of field `i`. Of duplicates, any one is used.
    pub fn new(numbers: impl Iterator<Item = u32>) -> Self {
        let (mut dense, mut sparse) = (Vec::new(), Vec::new());
        for (index, number) in (0..).zip(numbers) {
            if number < DENSE {
                let at = number as usize;
                dense.resize(dense.len().max(at + 1), NONE);
                dense[at] = index;
            } else {
                sparse.push((number, index));
            }
        }
        sparse.order();
        Numbers { dense: dense.into(), sparse: sparse.into() }
    }

    #[inline]
    pub fn get(&self, number: u32) -> Option<usize> {
        if number < DENSE {
            let index = *self.dense.get(number as usize)?;
            return (index != NONE).then_some(usize::from(index));
        }
        let at = self.sparse.binary_search_by_key(&number, |(n, _)| *n).ok()?;
        Some(usize::from(self.sparse[at].1))
    }
}

/// Member names to field indices, sorted by length and then by bytes: the length decides most look-ups.
pub(crate) struct Names {
    sorted: Box<[(Box<[u8]>, u16)]>,
}

impl Names {
    /// For a duplicate name, the first index is used.
    pub fn new(names: impl Iterator<Item = (String, u16)>) -> Self {
        let mut sorted: Vec<_> =
            names.map(|(name, index)| (name.into_bytes().into_boxed_slice(), index)).collect();
        sorted.order_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)));
        sorted.dedup_by(|(later, _), (first, _)| later == first);
        Names { sorted: sorted.into() }
    }

    #[inline]
    pub fn get(&self, name: &[u8]) -> Option<usize> {
        let at = self.sorted.binary_search_by(|(n, _)| (n.len(), &**n).cmp(&(name.len(), name))).ok()?;
        Some(usize::from(self.sorted[at].1))
    }
}

/// The name of a field in brpc's JSON: `_ZNNN_` becomes the character with the decimal code NNN
/// (docs/wire/http.md, section 2: "`a_Z045_b` is `a-b`").
pub(crate) fn brpc_name(name: &str) -> String {
    let mut decoded = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let [first, tail @ ..] = rest {
        if let [b'_', b'Z', a @ b'0'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', b'_', tail @ ..] = rest {
            let code = [a, b, c].iter().fold(0, |code, digit| code * 10 + u32::from(**digit - b'0'));
            if let Ok(byte) = u8::try_from(code) {
                decoded.push(byte);
                rest = tail;
                continue;
            }
        }
        decoded.push(*first);
        rest = tail;
    }
    // A code above 127 produces bytes that are not UTF-8 by themselves; such a name is kept as written.
    String::from_utf8(decoded).unwrap_or_else(|_| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_escapes_become_characters() {
        for (written, json) in [
            ("a_Z045_b", "a-b"),
            ("_Z036_ref", "$ref"),
            ("a_Z045__Z046_b", "a-.b"),
            ("plain_name", "plain_name"),
            ("a_Z04_b", "a_Z04_b"),
            ("a_Z999_b", "a_Z999_b"),
            ("a_Z045", "a_Z045"),
            ("_Z200_", "_Z200_"),
            ("", ""),
        ] {
            assert_eq!(brpc_name(written), json);
        }
    }

    #[test]
    fn numbers_are_found_on_both_sides_of_the_table() {
        let given = [1, 127, 128, 5, 1 << 28, 536_870_911];
        let numbers = Numbers::new(given.into_iter());
        for (index, number) in given.into_iter().enumerate() {
            assert_eq!(numbers.get(number), Some(index));
            assert!(numbers.get(number + 1).is_none_or(|i| given[i] == number + 1));
        }
        assert_eq!(numbers.get(0), None);
        assert_eq!(Numbers::new([].into_iter()).get(1), None);
    }

    #[test]
    fn names_are_found_and_prefixes_are_not() {
        let names =
            Names::new(["a", "b", "message", "massage"].iter().zip(0..).map(|(n, i)| (n.to_string(), i)));
        assert_eq!(names.get(b"message"), Some(2));
        assert_eq!(names.get(b"massage"), Some(3));
        for absent in ["", "c", "messag", "messages"] {
            assert_eq!(names.get(absent.as_bytes()), None);
        }
    }
}
