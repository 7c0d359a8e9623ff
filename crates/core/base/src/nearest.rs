//! The known word that was probably meant by a misspelt one.

/// The known word that was probably meant, if one [is near](is_near): the one with the fewest mistakes.
pub fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let near = known.into_iter().filter_map(|known| Some((mistakes(word, known)?, known)));
    near.min().map(|(_, known)| known)
}

/// Whether a word is a known one but for at most two bytes that are changed, removed, added or swapped with
/// the next; one in a known word of two to four bytes, since most of them would be another word after two.
/// Capital letters are as good as small ones.
#[inline]
pub fn is_near(word: &str, known: &str) -> bool {
    mistakes(word, known).is_some()
}

/// The longest word with which another is compared: that takes the product of their lengths.
const LONGEST: usize = 128;

/// How many mistakes are in a word; `None`: it is not near.
#[inline] // compiled where words are compared, and nowhere else
fn mistakes(word: &str, known: &str) -> Option<usize> {
    let most = match known.len() {
        0 | 1 => 0,
        2..5 => 1,
        _ => 2,
    };
    if word.len().abs_diff(known.len()) > most || word.len().max(known.len()) > LONGEST {
        return None;
    }
    let lower = |word: &str| word.to_ascii_lowercase();
    let distance = edit_distance(lower(word).as_bytes(), lower(known).as_bytes());
    (distance <= most).then_some(distance)
}

/// How many bytes have to be changed, removed, added or swapped with the next to make one word the other.
#[inline]
fn edit_distance(one: &[u8], other: &[u8]) -> usize {
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
    use super::*;

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

    #[test]
    fn a_word_with_few_mistakes_is_found() {
        let known = ["balancer", "servers", "tls", "timeout", "Get", "x"];
        let near = |word| nearest(word, known);
        for (word, meant) in [
            ("balencer", "balancer"),
            ("balncers", "balancer"),
            ("server", "servers"),
            ("tsl", "tls"),
            ("timoeut", "timeout"),
            ("TIMEOUT", "timeout"),
            ("get", "Get"),
            ("X", "x"),
            ("ts", "tls"),
        ] {
            assert_eq!(near(word), Some(meant), "{word}");
        }
        for word in ["weights", "y", "", "xx", "dns", "timers out"] {
            assert_eq!(near(word), None, "{word}");
        }
    }

    #[test]
    fn of_several_that_are_near_the_one_with_the_fewest_mistakes_is_meant() {
        assert_eq!(nearest("listen", ["listed", "lists", "listens"]), Some("listed"));
        assert_eq!(nearest("lists", ["listed", "list", "dlist"]), Some("list"));
    }

    #[test]
    fn long_words_are_not_compared() {
        let long = "a".repeat(LONGEST);
        assert!(is_near(&long[1..], &long));
        assert!(!is_near(&long, &(long.clone() + "a")) && !is_near(&(long.clone() + "a"), &long));
    }
}
