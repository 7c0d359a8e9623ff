//! A page as JSON: raw numbers in base units, rows as arrays.
//!
//! ```text
//! {"v":1,"at":1763778000.123,"boot":"5f3a","seq":27,"title":"Methods","need":0,
//!  "findings":[{"rule":"..","level":2,"text":"..","links":["status/a/b"]}],
//!  "val":{"facts":{"calls":4120.5}},"units":{"facts":{"calls":"ps"}},
//!  "tab":{"methods":{"cols":["method","p99"],"units":["","us"],"rows":[["key",mark,"shop.Orders/Place",184000]],"total":38,"shown":38}},
//!  "plot":{"calls":{"step":1,"lines":{"calls":[1,2,null]}}}}
//! ```
//!
//! `units`: how figures are formatted for people: `b`ytes, `bs` and `ps` for bytes and events per second,
//! `us`, `s`, `r`atio, `n`umber; null values have none. `seq` counts the seconds of this `boot`. Each row
//! begins with its key and its mark (0 fine, 1 warn, 2 bad).

use crate::{Moment, Query, Section, Table, Value, View, escape};
use std::fmt::Write;

/// Rows of a table, unless the query has a number.
const ROWS: usize = 50;

/// The page as JSON. `<` and line separators with a meaning in scripts are escaped, so that it is harmless
/// within a page.
pub fn json(view: &View, query: &Query, moment: &Moment) -> String {
    let need = view.findings().count();
    let (at, boot, seq) = (moment.at, moment.boot, moment.uptime as u64);
    let mut out = format!("{{\"v\":1,\"at\":{at:.3},\"boot\":\"{boot:x}\",\"seq\":{seq},\"title\":");
    string(&mut out, &escape::shown(&view.title));
    let _ = write!(out, ",\"need\":{need}"); // writing to a string does not fail
    if view.sections.iter().any(|section| matches!(section, Section::Findings(_))) {
        out.push_str(",\"findings\":");
        list(&mut out, view.findings(), |out, finding| {
            out.push_str("{\"rule\":");
            string(out, finding.rule);
            let _ = write!(out, ",\"level\":{},\"text\":", finding.mark as u8);
            string(out, &escape::whole(&finding.text));
            out.push_str(",\"links\":");
            list(out, finding.links.iter(), |out, link| string(out, &link.to));
            out.push('}');
        });
    }
    let mut groups: Vec<(&str, Vec<&crate::Fact>)> = Vec::new();
    for (name, facts) in view.sections.iter().filter_map(|section| match section {
        Section::Facts(name, facts) => Some((*name, facts)),
        _ => None,
    }) {
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => known.extend(facts),
            None => groups.push((name, facts.iter().collect())),
        }
    }
    object(&mut out, "val", groups.iter(), |out, (name, facts)| {
        string(out, name);
        out.push_str(":{");
        separated(out, facts.iter(), |out, fact| {
            string(out, &escape::shown(&fact.name));
            out.push(':');
            value(out, &fact.value);
        });
        out.push('}');
    });
    object(&mut out, "units", groups.iter(), |out, (name, facts)| {
        string(out, name);
        out.push_str(":{");
        separated(out, facts.iter().filter(|fact| !fact.value.kind().is_empty()), |out, fact| {
            string(out, &escape::shown(&fact.name));
            out.push(':');
            string(out, fact.value.kind());
        });
        out.push('}');
    });
    let tables = view.sections.iter().filter_map(|section| match section {
        Section::Table(table) => Some(table),
        _ => None,
    });
    object(&mut out, "tab", tables, |out, table| of_table(out, table, query));
    let plots = view.sections.iter().filter_map(|section| match section {
        Section::Plot(plot) => Some(plot),
        _ => None,
    });
    object(&mut out, "plot", plots, |out, plot| {
        string(out, &escape::shown(&plot.name));
        let _ = write!(out, ":{{\"step\":{},\"lines\":{{", plot.step);
        separated(out, plot.lines.iter(), |out, (name, points)| {
            string(out, &escape::shown(name));
            out.push(':');
            list(out, points.iter(), |out, point| number(out, *point));
        });
        out.push_str("}}");
    });
    let texts = view.sections.iter().filter_map(|section| match section {
        Section::Lines(heading, lines) => Some((heading, lines)),
        _ => None,
    });
    object(&mut out, "text", texts, |out, (heading, lines)| {
        string(out, &escape::shown(heading));
        out.push(':');
        string(out, lines);
    });
    out.push('}');
    out
}

fn of_table(out: &mut String, table: &Table, query: &Query) {
    let shown = table.shown(query, ROWS);
    string(out, table.name);
    out.push_str(":{\"cols\":");
    list(out, table.columns.iter(), |out, column| string(out, column.name));
    out.push_str(",\"units\":");
    list(out, 0..table.columns.len(), |out, at| {
        let kinds = shown.rows.iter().map(|row| row.cells[at].kind());
        string(out, kinds.max_by_key(|kind| kind.len()).unwrap_or(""));
    });
    out.push_str(",\"rows\":");
    list(out, shown.rows.iter(), |out, row| {
        out.push('[');
        // as the page has it, which is matched with this
        string(out, &escape::whole(&row.key));
        let _ = write!(out, ",{}", row.mark as u8);
        for cell in &row.cells {
            out.push(',');
            value(out, cell);
        }
        out.push(']');
    });
    let _ = write!(out, ",\"total\":{},\"shown\":{}}}", shown.total, shown.rows.len());
}

fn object<T>(
    out: &mut String,
    name: &str,
    items: impl Iterator<Item = T>,
    write: impl FnMut(&mut String, T),
) {
    let mut items = items.peekable();
    if items.peek().is_some() {
        let _ = write!(out, ",\"{name}\":{{");
        separated(out, items, write);
        out.push('}');
    }
}

fn list<T>(out: &mut String, items: impl Iterator<Item = T>, write: impl FnMut(&mut String, T)) {
    out.push('[');
    separated(out, items, write);
    out.push(']');
}

fn separated<T>(out: &mut String, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(out, item);
    }
}

fn value(out: &mut String, value: &Value) {
    match value {
        Value::Unknown | Value::Blank => out.push_str("null"),
        Value::Text(text) => string(out, &escape::shown(text)),
        Value::Long(text) => string(out, &escape::whole(text)),
        Value::Digits(digits) if is_exact(digits) => out.push_str(digits),
        Value::Digits(digits) => string(out, &escape::shown(digits)),
        Value::Count(n) | Value::Bytes(n) => {
            let _ = write!(out, "{n}");
        }
        Value::Trend(points) => list(out, points.iter(), |out, point| number(out, *point)),
        other => number(out, other.number().unwrap_or(f64::NAN)),
    }
}

/// Whether JSON readers, whose numbers have 53 bits, read this number exactly.
fn is_exact(digits: &str) -> bool {
    let number: f64 = digits.parse().unwrap_or(f64::NAN);
    number.abs() < 9e15 && number.to_string() == digits
}

fn number(out: &mut String, number: f64) {
    if number.is_finite() {
        let _ = write!(out, "{number}");
    } else {
        out.push_str("null");
    }
}

/// A text as JSON, in quotes.
pub fn quoted(text: &str) -> String {
    let mut out = String::new();
    string(&mut out, text);
    out
}

fn string(out: &mut String, text: &str) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '<' | '\u{2028}' | '\u{2029}' | '\u{7f}' | '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", char as u32);
            }
            char => out.push(char),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    #[test]
    fn digits_are_a_number_if_none_is_lost() {
        for (digits, expected) in [
            ("13412", "13412"),
            ("-0.25", "-0.25"),
            ("9007199254740993", "\"9007199254740993\""),
            ("007", "\"007\""),
            ("1e3", "\"1e3\""),
            ("NaN", "\"NaN\""),
            ("<", "\"\\u003c\""),
        ] {
            let mut out = String::new();
            value(&mut out, &Value::Digits(digits.into()));
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn a_page_as_json() {
        let table = Table::new("t", [Column::new("name"), Column::new("p99")])
            .row("</script>", ["\"\x07".into(), Value::Micros(1.5)]);
        let view = View::new("T").fact("rate", Value::PerSecond(f64::NAN)).fact("n", 3_u64).table(table);
        let moment = Moment { at: 1.5, uptime: 2.9, boot: 0x5f3a };
        assert_eq!(
            json(&view, &Query::default(), &moment),
            r#"{"v":1,"at":1.500,"boot":"5f3a","seq":2,"title":"T","need":0,"val":{"facts":{"rate":null,"n":3}},"units":{"facts":{"rate":"ps","n":"n"}},"tab":{"t":{"cols":["name","p99"],"units":["","us"],"rows":[["\u003c/script>",0,"\"\\u{7}",1.5]],"total":1,"shown":1}}}"#
        );
    }
}
