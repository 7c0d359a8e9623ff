//! The query of an address, or the fields of a form; and the rows of a table that they select.
//!
//! | field | what it does |
//! | --- | --- |
//! | `q=TEXT` | rows of which some text has this part, whatever the case |
//! | `sort=COLUMN`, `sort=-COLUMN` | rising, falling; what is unknown comes last |
//! | `n=NUMBER` | so many rows, 1 to [`MOST_ROWS`] |
//! | `after=KEY` | rows behind this one |

use crate::{Row, Table, Value, escape};
use std::cmp::Ordering;

/// Fields of a query that are read.
pub const MOST_FIELDS: usize = 64;
/// Rows of a table that are shown at once.
pub const MOST_ROWS: usize = 500;
/// Bytes of a field's name and value that are read.
pub const MOST_BYTES: usize = 64 << 10;

/// The parameters of a query, names with values.
#[derive(Clone, Debug, Default)]
pub struct Query {
    fields: Vec<(String, String)>,
}

impl Query {
    /// Reads `a=1&b=2`, percent-encoded. A field without `=` has an empty value.
    pub fn parse(text: &str) -> Query {
        let parts = text.split('&').filter(|part| !part.is_empty()).take(MOST_FIELDS);
        let fields = parts.map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let read = |text: &str| escape::unpercent(text, true);
            (read(name), read(value))
        });
        Query { fields: fields.collect() }
    }

    /// The value of a field, the first of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A number in a field, if there is one.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.parse().ok()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (&**name, &**value))
    }

    pub fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        if self.fields.len() < MOST_FIELDS {
            self.fields.push((name.into(), value.into()));
        }
    }

    /// This query with another value for a field, or without it, in the form for an address.
    pub fn with(&self, name: &str, value: Option<&str>) -> String {
        let others = self.iter().filter(|(known, _)| *known != name && !matches!(*known, "json" | "console"));
        let mut parts: Vec<String> = others
            .map(|(name, value)| format!("{}={}", escape::percent(name), escape::percent(value)))
            .collect();
        parts.extend(value.map(|value| format!("{}={}", escape::percent(name), escape::percent(value))));
        parts.join("&")
    }
}

/// The rows of a table that a query asks for.
pub struct Shown<'t> {
    pub rows: Vec<&'t Row>,
    /// Rows that pass its filter.
    pub total: usize,
    /// Whether there are rows after the last one shown.
    pub more: bool,
    /// The column that the rows are sorted by, and whether they are in descending order.
    pub sorted: Option<(usize, bool)>,
}

impl Table {
    /// The rows that a query selects, `usual` of them unless it has a number.
    pub fn shown(&self, query: &Query, usual: usize) -> Shown<'_> {
        let wanted = query.get("q").unwrap_or("").trim().to_lowercase();
        let mut rows: Vec<&Row> =
            self.rows.iter().filter(|row| wanted.is_empty() || row.has(&wanted)).collect();
        let sort = query.get("sort").unwrap_or("");
        let (name, falls) = sort.strip_prefix('-').map_or((sort, false), |name| (name, true));
        let sorted = self.columns.iter().position(|column| column.name == name).map(|at| (at, falls));
        if let Some((at, falls)) = sorted {
            rows.sort_by(|one, other| order(one, other, at, falls));
        }
        let total = rows.len();
        if let Some(key) = query.get("after") {
            let behind = rows.iter().position(|row| row.key == key).map_or(0, |at| at + 1);
            rows.drain(..behind);
        }
        let most = query.number("n").map_or(usual, |n| n.clamp(1, MOST_ROWS as u64) as usize);
        let more = rows.len() > most;
        rows.truncate(most);
        let total = if wanted.is_empty() { self.total.unwrap_or(total).max(total) } else { total };
        Shown { rows, total, more, sorted }
    }
}

impl Row {
    fn has(&self, wanted: &str) -> bool {
        let mut texts = self.cells.iter().filter_map(|cell| cell.as_text());
        self.key.to_lowercase().contains(wanted) || texts.any(|text| text.to_lowercase().contains(wanted))
    }
}

/// Numbers come before texts, and other values come last in either order: a column may have all three.
fn order(one: &Row, other: &Row, at: usize, falls: bool) -> Ordering {
    let turn = |order: Ordering| if falls { order.reverse() } else { order };
    let (one, other) = (&one.cells[at], &other.cells[at]);
    let rank = |cell: &Value| match (cell.number(), cell.as_text()) {
        (Some(_), _) => 0,
        (None, Some(_)) => 1,
        (None, None) => 2,
    };
    rank(one).cmp(&rank(other)).then_with(|| match (one.number(), other.number()) {
        (Some(one), Some(other)) => turn(one.total_cmp(&other)),
        _ => turn(one.as_text().cmp(&other.as_text())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    fn table() -> Table {
        Table::new("t", [Column::new("name"), Column::new("size")])
            .row("a", ["Apple".into(), 3_u64.into()])
            .row("b", ["Banana".into(), Value::Unknown])
            .row("c", ["Cherry".into(), 20_u64.into()])
    }

    fn keys(query: &str) -> String {
        table().shown(&Query::parse(query), 50).rows.iter().map(|row| &*row.key).collect()
    }

    #[test]
    fn rows_are_filtered_sorted_and_paged() {
        assert_eq!(keys(""), "abc");
        assert_eq!(
            (keys("sort=size"), keys("sort=-size"), keys("sort=-name")),
            ("acb".into(), "cab".into(), "cba".into())
        );
        assert_eq!(
            (keys("q=AN"), keys("q=xyz"), keys("n=2"), keys("n=2&after=b")),
            ("b".into(), "".into(), "ab".into(), "c".into())
        );
        assert_eq!(
            (keys("n=0"), keys("n=-1"), keys("after=gone"), keys("sort=nonsense")),
            ("a".into(), "abc".into(), "abc".into(), "abc".into())
        );
    }

    #[test]
    fn a_column_of_numbers_texts_and_blanks_has_an_order() {
        let cell = |n: u64| match n % 3 {
            0 => Value::from(n * 7 % 11),
            1 => format!("{}", n * 5 % 13).into(),
            _ => Value::Unknown,
        };
        // As many as the standard library needs to notice that an order is none.
        let table = (0..90)
            .fold(Table::new("t", [Column::new("value")]), |table, n| table.row(n.to_string(), [cell(n)]));
        for (sort, falls) in [("sort=value", false), ("sort=-value", true)] {
            let query = Query::parse(sort);
            let cells: Vec<_> = table.shown(&query, 90).rows.into_iter().map(|row| &row.cells[0]).collect();
            let (numbers, rest) = cells.split_at(30);
            let (texts, blanks) = rest.split_at(30);
            assert!(
                numbers.is_sorted_by_key(|cell| cell.number().map(|n| if falls { -n } else { n })),
                "{numbers:?}"
            );
            assert!(numbers.iter().all(|cell| cell.number().is_some()));
            let texts: Vec<_> = texts.iter().map(|cell| cell.as_text().expect("a text")).collect();
            assert!(
                if falls { texts.is_sorted_by(|one, other| one >= other) } else { texts.is_sorted() },
                "{texts:?}"
            );
            assert!(blanks.iter().all(|cell| matches!(cell, Value::Unknown)));
        }
    }

    #[test]
    fn a_hostile_query_is_bounded() {
        let long: String = (0..10_000).map(|n| format!("a{n}=%41%zz&")).collect();
        let query = Query::parse(&long);
        assert_eq!((query.iter().count(), query.get("a0")), (MOST_FIELDS, Some("A%zz")));
        assert_eq!(
            Query::parse("q=%3Cscript%3E&sort=x").with("sort", Some("-\"x")),
            "q=%3Cscript%3E&sort=-%22x"
        );
    }
}
