//! Cells of tables on the pages: they hold a few words. A sentence or two stand below the table.

use std::path::Path;

use super::{markdown, pages_below};
use crate::Complaints;
use crate::files::{read, shown};

/// A cell with more words is prose, which nobody reads in a narrow column.
const MOST_WORDS: usize = 25;

/// Cells below `docs/` that have more than [`MOST_WORDS`] words.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let mut complaints = Vec::new();
    for page in
        pages_below(&root.join("docs"))?.iter().filter(|page| page.extension().is_some_and(|e| e == "md"))
    {
        for table in markdown::tables(&read(page)?) {
            for cell in table.header.iter().chain(table.rows.iter().flatten()) {
                let count = words(cell);
                if count > MOST_WORDS {
                    let begin: String = cell.chars().take(60).collect();
                    complaints.push(format!(
                        "{}: a cell of {count} words, where {MOST_WORDS} are the most; move some below the table: {begin}",
                        shown(root, page)
                    ));
                }
            }
        }
    }
    Ok(complaints)
}

/// The words of a cell. Code is one word, and the target of a link is none.
fn words(cell: &str) -> usize {
    let mut text = String::new();
    for (index, piece) in cell.split('`').enumerate() {
        text.push_str(if index % 2 == 0 { piece } else { " code " });
    }
    let mut pieces = text.split("](");
    let mut prose = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        prose.push_str(piece.split_once(')').map_or(piece, |(_, after)| after));
    }
    prose.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

    #[test]
    fn a_cell_of_prose_is_found_and_one_of_names_is_not() {
        let page = |words: usize| format!("| a | b |\n|---|---|\n| x | {} |\n", "word ".repeat(words));
        let tree = Tree::new("cells").with("docs/a.md", &page(25)).with("docs/wire/b.md", &page(26));
        assert_eq!(
            complaints(tree.root()).unwrap(),
            [format!(
                "docs/wire/b.md: a cell of 26 words, where 25 are the most; move some below the table: {}",
                "word ".repeat(12)
            )]
        );
    }

    #[test]
    fn code_is_one_word_and_targets_of_links_are_none() {
        assert_eq!(words("`a b c`, [two words](a.md#b c) + 1 °"), 4);
        assert_eq!(words(""), 0);
    }
}
