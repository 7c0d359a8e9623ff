//! Limits the length of error texts that are sent.

/// The front of a text, at most `most` bytes, cut between characters.
pub fn bounded(text: &str, most: usize) -> &str {
    let end = (0..=text.len().min(most)).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        for (most, front) in [(0, ""), (1, "a"), (2, "a"), (3, "aß"), (4, "aßc"), (9, "aßc")] {
            assert_eq!(bounded("aßc", most), front);
        }
    }
}
