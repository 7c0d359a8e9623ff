//! Results as tables: for people in Markdown, for programs in JSON.

use serde_json::{Map, Value};
use std::fmt::Write;

#[derive(Clone, Debug)]
pub struct Table {
    /// Under which the page has it.
    pub name: &'static str,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    Text(String),
    /// With so many digits after the point.
    Number(f64, usize),
    /// A latency that is no shorter than the deadline.
    Timeout,
}

impl Table {
    pub fn new<const N: usize>(name: &'static str, columns: [&str; N]) -> Self {
        for (i, column) in columns.iter().enumerate() {
            assert!(
                !columns[..i].contains(column),
                "{name}: {column} is there twice, and JSON has one of a name"
            );
        }
        Table { name, columns: columns.map(str::to_owned).into(), rows: Vec::new() }
    }

    pub fn row(&mut self, cells: Vec<Cell>) {
        assert_eq!(cells.len(), self.columns.len(), "{}: a cell for each column", self.name);
        self.rows.push(cells);
    }

    pub fn markdown(&self) -> String {
        let mut text = format!("| {} |\n|", self.columns.join(" | "));
        for i in 0..self.columns.len() {
            let is_number = self.rows.iter().all(|row| !matches!(row[i], Cell::Text(_)));
            text.push_str(if is_number { " ---: |" } else { " --- |" });
        }
        text.push('\n');
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(Cell::text).collect();
            writeln!(text, "| {} |", cells.join(" | ")).expect("text grows");
        }
        text
    }

    /// A list of rows, each an object by column.
    pub fn json(&self) -> Value {
        let row = |row: &Vec<Cell>| {
            let pairs = self.columns.iter().cloned().zip(row.iter().map(Cell::json));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        self.rows.iter().map(row).collect()
    }
}

impl Cell {
    /// Milliseconds, with about three digits.
    pub fn ms(ms: f64, deadline: std::time::Duration) -> Self {
        if ms >= deadline.as_secs_f64() * 1e3 {
            return Cell::Timeout;
        }
        Cell::Number(
            ms,
            if ms < 10.0 {
                2
            } else if ms < 100.0 {
                1
            } else {
                0
            },
        )
    }

    fn text(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number(value, digits) => format!("{value:.digits$}"),
            Cell::Timeout => "timeout".into(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Number(..) => self.text().parse::<f64>().map_or(Value::Null, Value::from),
            Cell::Text(_) | Cell::Timeout => self.text().into(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_table_is_the_same_in_markdown_and_in_json() {
        let mut table = Table::new("one", ["balancer", "p99 (ms)"]);
        let second = Duration::from_secs(1);
        table.row(vec!["rr".into(), Cell::ms(1000.0, second)]);
        table.row(vec!["p2c".into(), Cell::ms(12.345, second)]);
        assert_eq!(
            table.markdown(),
            "| balancer | p99 (ms) |\n| --- | ---: |\n| rr | timeout |\n| p2c | 12.3 |\n"
        );
        assert_eq!(
            table.json().to_string(),
            r#"[{"balancer":"rr","p99 (ms)":"timeout"},{"balancer":"p2c","p99 (ms)":12.3}]"#
        );
    }
}
