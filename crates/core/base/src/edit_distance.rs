//! How far a misspelt word is from one that is known.

/// How many bytes have to be changed, removed, added or swapped with the next to make one word the other. It
/// takes the product of their lengths: what a peer or a file says is bounded before.
#[inline] // compiled where words are compared, and nowhere else
pub fn edit_distance(one: &[u8], other: &[u8]) -> usize {
    // Rows of the table of distances between beginnings of the two: this one, and the two before.
    let mut rows = [Vec::new(), Vec::new(), (0..=other.len()).collect::<Vec<_>>()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let changed = rows[2][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = changed.min(rows[2][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[1][j - 2] + 1);
            }
            row.push(least);
        }
        rows.rotate_left(1);
        rows[2] = row;
    }
    rows[2][other.len()]
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    #[test]
    fn a_change_a_removal_an_addition_and_a_swap_are_one_each() {
        for (one, other, distance) in [
            ("", "", 0),
            ("list", "list", 0),
            ("", "list", 4),
            ("list", "lost", 1),
            ("list", "lst", 1),
            ("list", "lists", 1),
            ("list", "lsit", 1),
            ("list", "ilts", 2),
            ("kitten", "sitting", 3),
        ] {
            let both = [(one, other), (other, one)].map(|(a, b)| edit_distance(a.as_bytes(), b.as_bytes()));
            assert_eq!(both, [distance; 2], "{one} {other}");
        }
    }
}
