//! A record: a folder of `bench/results`, named after the day of the run.
//!
//! `tables.md` is what the program that measured has printed: facts about the machine, then a table below
//! each heading. `notes.md` is written by hand: a title, the command that repeats the run, and what has to be
//! known to read the tables.

use std::path::{Path, PathBuf};

use crate::check_docs::markdown::{self, Table};
use crate::files::{children, name, read};

/// One run.
#[derive(Debug)]
pub struct Record {
    /// The folder's name.
    pub folder: String,
    pub title: String,
    /// What is known about the run and its machine, such as `tonic: 0.14.9`.
    pub facts: Vec<String>,
    /// Markdown, with links from `docs/`.
    pub notes: String,
    pub sections: Vec<Section>,
}

/// A table with its heading.
#[derive(Debug)]
pub struct Section {
    pub heading: String,
    pub table: Table,
}

/// Where a run lies that is no record: Git does not keep it.
const NOT_KEPT: &str = "quick";

/// All records, the oldest first.
pub fn all(results: &Path) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    let is_record = |folder: &PathBuf| folder.join("tables.md").is_file() && name(folder) != NOT_KEPT;
    for folder in children(results)?.into_iter().filter(is_record) {
        let tables = read(&folder.join("tables.md"))?;
        let notes = read(&folder.join("notes.md"))?;
        records.push(Record::new(name(&folder), &tables, &notes)?);
    }
    Ok(records)
}

impl Record {
    pub fn new(folder: &str, tables: &str, notes: &str) -> Result<Record, String> {
        let title = notes.lines().next().and_then(|line| line.strip_prefix("# "));
        let title = title.ok_or(format!("{folder}/notes.md does not begin with a title"))?;
        let (head, body) = tables.split_once("\n## ").ok_or(format!("{folder}/tables.md has no table"))?;
        let facts = head.lines().filter_map(|line| line.strip_prefix("- ")).map(str::to_owned).collect();
        let mut sections = Vec::new();
        for section in body.split("\n## ") {
            let heading = section.lines().next().unwrap_or_default().to_owned();
            let table = markdown::tables(section).pop();
            let table = table.ok_or(format!("{folder}/tables.md has no table below {heading}"))?;
            sections.push(Section { heading, table });
        }
        let notes = notes.split_once('\n').map(|(_, rest)| rest.trim()).unwrap_or_default().to_owned();
        Ok(Record { folder: folder.to_owned(), title: title.to_owned(), facts, notes, sections })
    }

    /// The day of the run: `2026-11-22`.
    pub fn date(&self) -> &str {
        self.folder.get(..10).unwrap_or(&self.folder)
    }

    pub fn fact(&self, key: &str) -> Option<&str> {
        self.facts.iter().find_map(|fact| fact.strip_prefix(key)?.strip_prefix(": "))
    }

    /// The commit that was measured in few words, as a chart says it.
    pub fn commit(&self) -> String {
        match self.fact("commit") {
            Some(fact) if fact.starts_with(|c: char| c.is_ascii_hexdigit()) => {
                format!("commit {}", fact.split([' ', ';']).next().unwrap_or(fact))
            }
            Some(fact) => format!("commit {fact}"),
            None => "commit not recorded".to_owned(),
        }
    }

    /// The table whose heading begins with `heading`.
    pub fn table(&self, heading: &str) -> Option<&Table> {
        self.sections
            .iter()
            .find(|section| section.heading.starts_with(heading))
            .map(|section| &section.table)
    }
}

/// The number with which a cell begins: `**1.23 M** (…)` is 1 230 000.
pub fn number(cell: &str) -> Option<f64> {
    let cell = cell.trim_start_matches('*');
    let end = cell.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(cell.len());
    let number: f64 = cell[..end].parse().ok()?;
    let unit = match cell[end..].trim_start().chars().next() {
        Some('k') => 1e3,
        Some('M') => 1e6,
        _ => 1.0,
    };
    Some(number * unit)
}

/// What a cell says before its spread and latencies: `1.23 M`.
pub fn short(cell: &str) -> &str {
    cell.trim_start_matches('*').split(['*', ';', '(']).next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_begins_with_its_number() {
        let cells = ["**1.23 M** (1.1 M–1.3 M); 4 us", "388.5 k", "9036; 57.2 + 55.3 us", "124 %", "96.5"];
        assert_eq!(cells.map(number), [1.23e6, 388.5e3, 9036.0, 124.0, 96.5].map(Some));
        assert_eq!(cells.map(short), ["1.23 M", "388.5 k", "9036", "124 %", "96.5"]);
        assert_eq!(["", "all fail", "**no**"].map(number), [None; 3]);
    }

    #[test]
    fn a_record_has_facts_notes_and_tables() {
        let tables = "# Results\n\n- commit: 12ab; 34cd (added)\n- one run\n\n## A (x)\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n## B\n\n| c |\n| --- |\n| 3 |\n";
        let record = Record::new("2026-01-02-x", tables, "# Title\n\nNotes.\n").unwrap();
        assert_eq!(
            (record.date(), record.title.as_str(), record.notes.as_str()),
            ("2026-01-02", "Title", "Notes.")
        );
        assert_eq!(
            (record.fact("commit"), record.commit().as_str()),
            (Some("12ab; 34cd (added)"), "commit 12ab")
        );
        assert_eq!(record.table("A").unwrap().rows, [["1", "2"]]);
        assert_eq!(record.sections.len(), 2);
        assert!(Record::new("x", tables, "no title").is_err());
        assert!(Record::new("x", "# Results\n", "# Title").is_err());
    }
}
