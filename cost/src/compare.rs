//! Compares what was measured with the record.

use crate::record::{Record, Table};

/// A value may be so much above the record.
const ABOVE: f64 = 1.01;
/// A value that is so much below is written back.
const BELOW: f64 = 0.998;
/// A difference of so much is none: values of the record are rounded, and some of them are zero.
const NOTHING: f64 = 0.02;

/// A value that differs from the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub row: String,
    pub column: String,
    pub before: f64,
    pub now: f64,
}

#[derive(Default, Debug, PartialEq)]
pub struct Changes {
    /// More than is allowed.
    pub above: Vec<Change>,
    /// Less, so that the record has to be written.
    pub below: Vec<Change>,
    /// Rows that only one of the two has.
    pub strange: Vec<String>,
}

/// Parts of a whole are there to be read; only their sum, the last row of its table, is compared.
pub const WHOLE: &str = "all";

pub fn changes(before: &Record, now: &Record) -> Changes {
    let mut changes = Changes::default();
    for table in &now.tables {
        let known = before.table(&table.title);
        for (row, values) in compared(table) {
            let Some(old) =
                known.and_then(|table| table.row(row)).filter(|old| old.values.len() == values.len())
            else {
                changes.strange.push(format!("{row}: is not in the record"));
                continue;
            };
            for ((&now, &before), column) in values.iter().zip(&old.values).zip(&table.columns[1..]) {
                let change = Change { row: row.to_owned(), column: column.clone(), before, now };
                if now > before * ABOVE && now - before > NOTHING {
                    changes.above.push(change);
                } else if now < before * BELOW && before - now > NOTHING {
                    changes.below.push(change);
                }
            }
        }
    }
    for table in &before.tables {
        let known = now.table(&table.title);
        let gone = compared(table).filter(|(row, _)| known.is_none_or(|table| table.row(row).is_none()));
        changes.strange.extend(gone.map(|(row, _)| format!("{row}: is measured no more")));
    }
    changes
}

/// The rows of a table that are compared.
fn compared(table: &Table) -> impl Iterator<Item = (&str, &[f64])> {
    let whole = table.row(WHOLE).is_some();
    table.rows.iter().filter(move |row| !whole || row.name == WHOLE).map(|row| (&*row.name, &*row.values))
}

/// The record with the lower of both values: growth that is allowed does not become what later growth is
/// compared with.
pub fn lower(before: &Record, now: &Record) -> Record {
    let mut lower = now.clone();
    for table in &mut lower.tables {
        let known = before.table(&table.title);
        // Parts belong to their sum.
        let keep = table.row(WHOLE).is_none();
        for row in table.rows.iter_mut().filter(|_| keep) {
            let Some(old) = known.and_then(|table| table.row(&row.name)) else { continue };
            row.values.iter_mut().zip(&old.values).for_each(|(now, &before)| *now = now.min(before));
        }
    }
    lower
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;

    fn record(title: &str, rows: &[(&str, [f64; 2])]) -> Record {
        let columns = ["load", "instructions", "allocations"].map(str::to_owned).into();
        let rows = rows.iter().map(|(name, values)| Row { name: (*name).into(), values: values.to_vec() });
        Record { facts: vec![], tables: vec![Table { title: title.into(), columns, rows: rows.collect() }] }
    }

    fn rows(changes: &[Change]) -> Vec<(&str, &str)> {
        changes.iter().map(|change| (&*change.row, &*change.column)).collect()
    }

    #[test]
    fn one_percent_more_is_let_pass_and_more_is_not() {
        let before = record("Calls", &[("grpc", [10_000.0, 5.0]), ("redis", [10_000.0, 5.0])]);
        let now = record("Calls", &[("grpc", [10_100.0, 5.05]), ("redis", [10_101.0, 5.06])]);
        let found = changes(&before, &now);
        assert_eq!(rows(&found.above), [("redis", "instructions"), ("redis", "allocations")]);
        assert_eq!((found.below, found.strange), (vec![], vec![]));
    }

    #[test]
    fn what_fell_is_written_and_what_grew_a_little_keeps_its_old_value() {
        let before = record("Calls", &[("grpc", [10_000.0, 5.0])]);
        let now = record("Calls", &[("grpc", [9_900.0, 5.04])]);
        assert_eq!(rows(&changes(&before, &now).below), [("grpc", "instructions")]);
        assert_eq!(lower(&before, &now), record("Calls", &[("grpc", [9_900.0, 5.0])]));
        let hardly = record("Calls", &[("grpc", [9_985.0, 5.0])]);
        assert_eq!(changes(&before, &hardly), Changes::default());
    }

    #[test]
    fn an_allocation_where_there_was_none_is_more() {
        let before = record("Calls", &[("grpc", [10_000.0, 0.0])]);
        let found = changes(&before, &record("Calls", &[("grpc", [10_000.0, 1.0])]));
        assert_eq!(rows(&found.above), [("grpc", "allocations")]);
    }

    #[test]
    fn of_parts_only_the_sum_counts() {
        let before = record("Hello world", &[("client", [10.0, 1.0]), ("all", [1000.0, 1.0])]);
        let now = record("Hello world", &[("client", [20.0, 1.0]), ("all", [1010.0, 1.0])]);
        assert_eq!(changes(&before, &now), Changes::default());
        let more = record("Hello world", &[("client", [21.0, 1.0]), ("all", [1011.0, 1.0])]);
        assert_eq!(rows(&changes(&before, &more).above), [("all", "instructions")]);
    }

    #[test]
    fn rows_that_one_of_the_two_lacks_are_named() {
        let (before, now) = (record("Calls", &[("a", [1.0, 1.0])]), record("Calls", &[("b", [1.0, 1.0])]));
        assert_eq!(changes(&before, &now).strange, ["b: is not in the record", "a: is measured no more"]);
    }
}
