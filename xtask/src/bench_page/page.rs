//! `docs/benchmarks.md`: every table of every record, and first the rows in which somebody else is ahead.

use std::fmt::Write;

use super::record::{Record, Section, number, short};
use crate::check_docs::markdown::Table;

const HEAD: &str = "\
# Benchmarks

<!-- Made by `cargo xtask bench --page` from bench/results; what is changed here by hand is lost. -->

Every figure that we have recorded, beside others, with the rows in which others are ahead. Each record is one run on one machine, named after its
day; its figures are those of its commit, and the code has changed since. Ratios carry to other machines, absolute figures do not: the
machine is a virtual one with two processors, on which waking a thread costs 25 µs. Client and server are separate processes that share
them, and rivals take turns with us. [bench](../bench/README.md) says how it is measured, what runs as a rival, and how to repeat it.

A cell has the median, in parentheses the least and the most of the rounds; below that p50 / p99, and the CPU time of a call at the client +
at the server.

![100 callers on one connection](pictures/callers-light.svg)

![p99.9 with one slow server of ten](pictures/slow-server-light.svg)

![Goodput at five times capacity](pictures/overload-light.svg)

## Where others are ahead
";

/// The page.
pub fn page(records: &[Record]) -> String {
    let mut page = HEAD.to_owned();
    page.push_str(&missed(records));
    page.push_str(&behind(records));
    for record in records {
        let Record { folder, title, facts, notes, sections } = record;
        let facts = facts.join("; ");
        let _ = write!(
            page,
            "\n## {title}\n\n{}, [record](../bench/results/{folder}). {facts}.\n",
            record.date()
        );
        if !notes.is_empty() {
            let _ = write!(page, "\n{notes}\n");
        }
        for Section { heading, table } in sections {
            let _ = write!(page, "\n### {heading}\n\n{}", shown(table));
        }
    }
    page
}

/// The goals that were not met.
fn missed(records: &[Record]) -> String {
    let mut text =
        "\nGoals that were missed; `x` is the ratio to what follows.\n\n| goal | found | wanted | run |\n| --- | --- | --- | --- |\n"
            .to_owned();
    for record in records {
        for row in record.table("Goals").map(|table| table.rows.as_slice()).unwrap_or_default() {
            if let [goal, found, wanted, met] = row.as_slice()
                && met != "yes"
            {
                let _ = writeln!(text, "| {goal} | {found} | {wanted} | {} |", record.folder);
            }
        }
    }
    text
}

/// Rows in which a column of somebody else has more than one of ours. Where both sides are not by the same
/// hand (`A -> B`), nobody is ahead.
fn behind(records: &[Record]) -> String {
    let mut text = "\nRows in which a column of ours, whatever its protocol or runtime, is below the best column of others. A raw epoll loop and a\n\
                    relay of bytes do no work and libzmq decodes nothing; they are listed all the same.\n\n\
                    | load | ahead | ours, as a part of that | run |\n| --- | --- | --- | --- |\n"
        .to_owned();
    for record in records {
        for section in record.sections.iter().filter(|section| section.heading.contains("per second")) {
            let what = section.heading.split([',', ';', '(']).next().unwrap_or_default().trim();
            for row in &section.table.rows {
                if let Some((best, ours)) = lost(&section.table.header, row) {
                    let _ = writeln!(text, "| {what}: {} | {best} | {ours} | {} |", row[0], record.folder);
                }
            }
        }
    }
    text
}

/// The best of the others and those of ours that are below it.
fn lost(header: &[String], row: &[String]) -> Option<(String, String)> {
    let is_ours = |name: &str| name.starts_with("polywire");
    let columns = || header.iter().zip(row).skip(1).filter(|(name, _)| !name.contains("->"));
    let figures = || columns().filter_map(|(name, cell)| Some((name, cell, number(cell)?)));
    let others = figures().filter(|(name, ..)| !is_ours(name));
    let (name, cell, best) = others.max_by(|one, other| one.2.total_cmp(&other.2))?;
    let below: Vec<String> = figures()
        .filter(|(name, _, value)| is_ours(name) && *value < best)
        .map(|(name, _, value)| format!("{} {:.2}", name.trim_start_matches("polywire, "), value / best))
        .collect();
    (!below.is_empty()).then(|| (format!("{name}, {}", short(cell)), below.join("; ")))
}

/// A table with the parts of its cells one below the other, since it has up to twelve columns.
fn shown(table: &Table) -> String {
    let mut text = format!("| {} |\n|{}\n", table.header.join(" | "), " --- |".repeat(table.header.len()));
    for row in &table.rows {
        let cells = row
            .iter()
            .enumerate()
            .map(|(column, cell)| if column == 0 { cell.clone() } else { stacked(cell) });
        let _ = writeln!(text, "| {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    text
}

fn stacked(cell: &str) -> String {
    let parts = cell.split("; ").map(|part| match part.strip_suffix(" us") {
        Some(number) => format!("{number} µs"),
        None => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("<br>").replace("** (", "**<br>(")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let tables = "# Results\n\n- commit: 12ab\n\n## HTTP, echo (calls per second)\n\n\
                      | load | polywire | polywire, shard | a -> polywire | other |\n| --- | --- | --- | --- | --- |\n\
                      | 1 caller | **900** (800–950); 1 / 2 us | **1.2 k** | 5 k | **1.0 k**; 3 us |\n| 2 callers | **2.0 k** | | | **1.9 k** |\n\n\
                      ## Memory (bytes)\n\n| load | polywire | other |\n| --- | --- | --- |\n| idle | 1 | 2 |\n\n\
                      ## Goals\n\n| goal | found | wanted | met |\n| --- | --- | --- | --- |\n| one | 0.5 | >= 1 | **no** |\n| two | 2 | >= 1 | yes |\n";
        Record::new("2026-01-02", tables, "# Title\n\nNotes.\n").unwrap()
    }

    #[test]
    fn rows_are_listed_in_which_a_column_of_ours_is_behind_and_no_others() {
        let text = behind(&[record()]);
        let rows: Vec<&str> =
            text.lines().filter(|line| line.starts_with("| HTTP") || line.starts_with("| Mem")).collect();
        assert_eq!(rows, ["| HTTP: 1 caller | other, 1.0 k | polywire 0.90 | 2026-01-02 |"]);
    }

    #[test]
    fn goals_that_were_met_are_not_among_those_missed() {
        let text = missed(&[record()]);
        assert!(text.ends_with("| --- |\n| one | 0.5 | >= 1 | 2026-01-02 |\n"), "{text}");
    }

    #[test]
    fn a_page_has_every_row_of_every_table() {
        let text = page(&[record()]);
        assert!(
            text.contains(
                "## Title\n\n2026-01-02, [record](../bench/results/2026-01-02). commit: 12ab.\n\nNotes.\n"
            ),
            "{text}"
        );
        assert!(
            text.contains(
                "| 1 caller | **900**<br>(800–950)<br>1 / 2 µs | **1.2 k** | 5 k | **1.0 k**<br>3 µs |"
            ),
            "{text}"
        );
        assert!(text.contains("### Memory (bytes)\n"), "{text}");
    }
}
