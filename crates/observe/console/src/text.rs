//! A page as text: raw numbers in fixed columns, units in the names, no colours.

use crate::{Action, Field, Mark, Query, Section, Table, Value, View, escape};
use std::fmt::Write;

/// Rows of a table, unless the query has a number.
const ROWS: usize = 100;

/// The page as text. `# ` precedes remarks about figures.
pub fn text(view: &View, query: &Query) -> String {
    if let Some((_, text)) = &view.plain {
        return text.clone();
    }
    let mut out = String::new();
    line(&mut out, &["# ", &escape::shown(&view.title)]);
    for section in &view.sections {
        match section {
            Section::Note(sentence) => line(&mut out, &["# ", &escape::whole(sentence)]),
            Section::Findings(findings) => {
                if findings.is_empty() {
                    line(&mut out, &["# Nothing needs you."]);
                }
                for finding in findings {
                    line(&mut out, &["# ", mark(finding.mark), " ", &escape::whole(&finding.text)]);
                }
            }
            Section::Facts(_, facts) => {
                for fact in facts {
                    let note = if fact.note.is_empty() {
                        String::new()
                    } else {
                        format!("  # {}", escape::shown(&fact.note))
                    };
                    line(
                        &mut out,
                        &[&escape::shown(&fact.name), fact.value.suffix(), ": ", &raw(&fact.value), &note],
                    );
                }
            }
            Section::Table(table) => of_table(&mut out, table, query),
            Section::Plot(plot) => {
                for (name, points) in &plot.lines {
                    let last = points.last().copied().unwrap_or(f64::NAN);
                    let (plot, name) = (escape::shown(&plot.name), escape::shown(name));
                    line(&mut out, &["# plot ", &plot, ", ", &name, ": now ", &raw(&Value::Number(last))]);
                }
            }
            Section::Flame(_) => {}
            Section::Lines(heading, lines) => {
                line(&mut out, &["", "# ", &escape::shown(heading)]);
                for one in lines.lines() {
                    line(&mut out, &[&escape::whole(one)]);
                }
            }
            Section::Action(action) if action.get => {}
            Section::Action(action) => {
                let to = escape::shown(&action.to);
                let fields = command_fields(action);
                let token = "-H \"x-polywire-token: $(curl -s HOST/token)\"";
                line(
                    &mut out,
                    &["# ", &escape::shown(&action.button), ": curl ", token, &fields, " HOST/", &to],
                );
            }
        }
    }
    out
}

/// The fields of a form as arguments of curl, which sends them in a POST: hidden fields with their values,
/// the others to be filled in.
fn command_fields(action: &Action) -> String {
    let field = |field: &Field| {
        let name = escape::shown(&field.name);
        let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_./:".contains(char);
        match field.lines == 0 && field.value.chars().all(is_plain) {
            true => format!(" -d {name}={}", field.value),
            false => format!(" -d {name}=.."),
        }
    };
    let fields: String = action.fields.iter().map(field).collect();
    if fields.is_empty() { " -d ''".to_owned() } else { fields }
}

fn line(out: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| out.push_str(part));
    out.push('\n');
}

fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Fine => " ",
        Mark::Warn => "▲",
        Mark::Bad => "■",
    }
}

/// A value without its unit.
pub(crate) fn raw(value: &Value) -> String {
    match value {
        Value::Unknown => "-".into(),
        Value::Blank => String::new(),
        Value::Text(text) | Value::Digits(text) => escape::shown(text).into_owned(),
        Value::Long(text) => escape::whole(text).into_owned(),
        Value::Count(n) | Value::Bytes(n) => n.to_string(),
        Value::Trend(points) => points.last().map_or("-".into(), |last| number(*last)),
        other => other.number().map_or("-".into(), number),
    }
}

/// A number with at most four digits after the point.
fn number(number: f64) -> String {
    if !number.is_finite() {
        return "-".into();
    }
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn of_table(out: &mut String, table: &Table, query: &Query) {
    let shown = table.shown(query, ROWS);
    let _ = writeln!(out, "# {}: {} of {} shown", table.name, shown.rows.len(), shown.total);
    if shown.rows.is_empty() {
        return line(out, &["# ", &escape::whole(&table.empty)]);
    }
    let names = table.columns.iter().enumerate().map(|(at, column)| {
        let cells = shown.rows.iter().map(|row| row.cells[at].suffix());
        format!("{}{}", column.name, cells.max_by_key(|suffix| suffix.len()).unwrap_or(""))
    });
    let mut rows: Vec<Vec<String>> = vec![names.collect()];
    rows.extend(shown.rows.iter().map(|row| row.cells.iter().map(raw).collect()));
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let is_text: Vec<bool> = (0..table.columns.len())
        .map(|at| shown.rows.iter().any(|row| row.cells[at].as_text().is_some()))
        .collect();
    let marks = std::iter::once(" ").chain(shown.rows.iter().map(|row| mark(row.mark)));
    for (row, mark) in rows.iter().zip(marks) {
        let mut written = mark.to_owned();
        for ((cell, width), is_text) in row.iter().zip(&widths).zip(&is_text) {
            let _ = match is_text {
                true => write!(written, " {cell:<width$}"),
                false => write!(written, " {cell:>width$}"),
            };
        }
        line(out, &[written.trim_end()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Finding};

    #[test]
    fn a_table_has_units_in_its_heading_and_raw_numbers() {
        let table = Table::new("methods", [Column::new("method"), Column::new("p99")])
            .row("a", ["shop.Orders/Place\x1b[2J".into(), Value::Micros(184_000.5)])
            .row("b", ["x".into(), Value::Unknown]);
        let finding = Finding { rule: "r", mark: Mark::Bad, text: "it\nfails".into(), links: Vec::new() };
        let view = View::new("Methods")
            .section(Section::Findings(vec![finding]))
            .fact("calls", Value::PerSecond(4.0))
            .table(table)
            .action(Action::new("tasks/1-0-1", "Cancel"))
            .action(Action::new("flags", "Set").hidden("name", "batch").field("value", "7"));
        let expected = "# Methods\n# ■ it\\u{a}fails\ncalls_per_s: 4\n# methods: 2 of 2 shown\n  \
                        method                       p99_us\n  shop.Orders/Place\\u{1b}[2J 184000.5\n  \
                        x                                 -\n\
                        # Cancel: curl -H \"x-polywire-token: $(curl -s HOST/token)\" -d '' HOST/tasks/1-0-1\n\
                        # Set: curl -H \"x-polywire-token: $(curl -s HOST/token)\" -d name=batch -d value=.. HOST/flags\n";
        assert_eq!(text(&view, &Query::default()), expected);
    }
}
