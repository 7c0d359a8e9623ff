//! The parts of Markdown that the checks need: lines outside of code blocks, headings, links, tables.

/// The lines of a page outside of fenced blocks.
pub fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    page.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

/// The anchors of a page, as GitHub and mdBook name them: in lower case, spaces as hyphens, other punctuation
/// left out, with a number appended to duplicates.
pub fn anchors(page: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in prose(page) {
        let text = line.trim_start_matches('#');
        if text.len() == line.len() || !text.starts_with(' ') {
            continue;
        }
        let slug: String = text
            .trim()
            .to_lowercase()
            .chars()
            .filter_map(|c| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                _ => None,
            })
            .collect();
        let again = found.iter().filter(|anchor| **anchor == slug).count();
        found.push(if again == 0 { slug } else { format!("{slug}-{again}") });
    }
    found
}

/// Targets of links as written, without those in code; and pictures, which may be HTML.
pub fn links(page: &str) -> Vec<String> {
    const BEFORE_AND_AFTER: [(&str, char); 3] = [("](", ')'), (" src=\"", '"'), (" srcset=\"", '"')];
    let mut found = Vec::new();
    for line in prose(page) {
        let text = without_code(line);
        for (before, after) in BEFORE_AND_AFTER {
            let pieces = text.split(before).skip(1);
            found.extend(
                pieces.filter_map(|piece| piece.split_once(after)).map(|(target, _)| target.to_owned()),
            );
        }
    }
    found
}

/// A table: its header and its rows, each a list of cells.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The words in code of the column whose header is `title`.
    pub fn codes(&self, title: &str) -> Option<Vec<String>> {
        let column = self.header.iter().position(|cell| cell == title)?;
        Some(self.rows.iter().filter_map(|row| row.get(column)).flat_map(|cell| codes(cell)).collect())
    }
}

/// All tables of a page.
pub fn tables(page: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut lines = prose(page).peekable();
    while let Some(line) = lines.next() {
        if !line.starts_with('|') || !lines.peek().is_some_and(|next| is_rule(next)) {
            continue;
        }
        lines.next();
        let mut rows = Vec::new();
        while let Some(row) = lines.next_if(|next| next.starts_with('|')) {
            rows.push(cells(row));
        }
        tables.push(Table { header: cells(line), rows });
    }
    tables
}

/// Whether a line is the one between the header of a table and its rows.
fn is_rule(line: &str) -> bool {
    line.strip_prefix('|').is_some_and(|rest| rest.trim_start().trim_start_matches(':').starts_with("---"))
}

fn cells(row: &str) -> Vec<String> {
    row.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// The texts between backticks.
pub fn codes(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_named_as_by_the_programs_that_show_the_page() {
        let page = "# What `a_b` is, and why\n```sh\n# no heading\n```\n## Why\n## Why\n#hashtag\n";
        assert_eq!(anchors(page), ["what-a_b-is-and-why", "why", "why-1"]);
    }

    #[test]
    fn links_are_found_and_code_is_not_searched() {
        let page = "[a](x.md#part) [`b`](../y) `c[0](d)`\n```rust\nlist[1](2)\n```\n";
        assert_eq!(links(page), ["x.md#part", "../y"]);
    }

    #[test]
    fn pictures_are_links() {
        let page =
            "<picture><source srcset=\"a.svg\">\n<img src=\"b.svg\" alt=\"c\"></picture>\n![d](e.svg)\n";
        assert_eq!(links(page), ["a.svg", "b.svg", "e.svg"]);
    }

    #[test]
    fn tables_have_columns_by_name() {
        let page = "| file | what |\n| --- | --- |\n| `a.rs`, `b/` | `c` |\ntext\n";
        let tables = tables(page);
        assert_eq!(tables.len(), 1);
        assert_eq!(tables[0].codes("file").unwrap(), ["a.rs", "b/"]);
        assert_eq!(tables[0].codes("feature"), None);
    }
}
