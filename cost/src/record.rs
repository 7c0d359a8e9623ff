//! The record: tables in Markdown, which a person reads and this program compares with.

use std::fmt::Write as _;

/// The file as a whole.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct Record {
    /// What it was measured with: names and values, such as the compiler's version.
    pub facts: Vec<(String, String)>,
    pub tables: Vec<Table>,
}

#[derive(Clone, Default, Debug, PartialEq)]
pub struct Table {
    pub title: String,
    /// What the rows are, then what their values are.
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

#[derive(Clone, Default, Debug, PartialEq)]
pub struct Row {
    pub name: String,
    pub values: Vec<f64>,
}

const INTRODUCTION: &str = "\
# What a call costs

Written by `cost/run`, which fails if anything is more than 1 % above what is here: [README](README.md). Instructions, allocations and
atomic operations are those of one call, or one message of a stream and its answer, at that side.
";

impl Record {
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    pub fn table(&self, title: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.title == title)
    }

    /// As [`parse`](Self::parse) reads it.
    pub fn text(&self) -> String {
        let mut text = INTRODUCTION.to_owned();
        text.push('\n');
        for (name, value) in &self.facts {
            let _ = writeln!(text, "- {name}: {value}");
        }
        for table in &self.tables {
            let _ = write!(text, "\n## {}\n\n", table.title);
            line(&mut text, table.columns.iter().cloned());
            line(&mut text, table.columns.iter().map(|_| "---".to_owned()));
            for row in &table.rows {
                line(
                    &mut text,
                    std::iter::once(row.name.clone()).chain(row.values.iter().map(|&v| number(v))),
                );
            }
        }
        text
    }

    /// # Errors
    /// The line that is none of a record.
    pub fn parse(text: &str) -> Result<Record, String> {
        let mut record = Record::default();
        for line in text.lines() {
            if let Some((name, value)) = line.strip_prefix("- ").and_then(|fact| fact.split_once(": ")) {
                record.facts.push((name.to_owned(), value.to_owned()));
            } else if let Some(title) = line.strip_prefix("## ") {
                record.tables.push(Table { title: title.to_owned(), ..Table::default() });
            } else if let Some(cells) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) {
                let mut cells = cells.split(" | ").map(str::to_owned);
                let table = record.tables.last_mut().ok_or(line)?;
                if table.columns.is_empty() {
                    table.columns = cells.collect();
                    continue;
                }
                let name = cells.next().ok_or(line)?;
                if name != "---" {
                    let values =
                        cells.map(|cell| cell.parse().map_err(|_| line)).collect::<Result<_, _>>()?;
                    table.rows.push(Row { name, values });
                }
            }
        }
        Ok(record)
    }
}

impl Table {
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }
}

fn line(text: &mut String, cells: impl Iterator<Item = String>) {
    let _ = writeln!(text, "| {} |", cells.collect::<Vec<_>>().join(" | "));
}

/// With as many places as can matter: the values are exact, but a tenth of an instruction is of no interest.
fn number(value: f64) -> String {
    match value {
        _ if value >= 100.0 => format!("{value:.0}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let row = |name: &str, values: &[f64]| Row { name: name.into(), values: values.into() };
        let calls = Table {
            title: "Calls".into(),
            columns: ["load", "client, instructions", "client, allocations"].map(str::to_owned).into(),
            rows: vec![row("grpc, 1 caller", &[9321.0, 6.0]), row("grpc, 100 callers", &[4321.0, 6.25])],
        };
        let bytes = Table {
            title: "Bytes of a connection".into(),
            columns: vec!["protocol".into(), "silent".into()],
            rows: vec![row("h2", &[4096.0])],
        };
        Record { facts: vec![("compiler".into(), "rustc 1.95.0: (x)".into())], tables: vec![calls, bytes] }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Record::parse(&record().text()), Ok(record()));
    }

    #[test]
    fn a_value_that_is_no_number_is_an_error() {
        let text = record().text().replace("9321", "many");
        assert_eq!(Record::parse(&text), Err("| grpc, 1 caller | many | 6.00 |".into()));
    }

    #[test]
    fn a_row_before_any_table_is_an_error() {
        assert_eq!(Record::parse("| a | 1 |"), Err("| a | 1 |".into()));
    }
}
