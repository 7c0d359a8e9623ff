//! The lines of a variable in brpc's `/vars`.

use crate::variables::{Labels, Reading};
use std::time::Duration;

/// The percentiles that are shown, and brpc's names for them.
const PERCENTILES: [(f64, &str); 5] =
    [(0.8, "80"), (0.9, "90"), (0.99, "99"), (0.999, "999"), (0.9999, "9999")];

/// Names, with labels, and values.
pub(super) fn lines(name: &str, of: &Labels, reading: &Reading) -> Vec<(String, String)> {
    let one = |value: String| vec![(format!("{name}{}", labels(of)), value)];
    match reading {
        Reading::Count(n) => one(n.to_string()),
        Reading::Level(n) => one(n.to_string()),
        Reading::Real(x) | Reading::Seconds(x) => one(rounded(*x)),
        Reading::Text(text) => one(quoted(text)),
        Reading::Average { count: 0, .. } => one("0".into()),
        Reading::Average { sum, count } => one(rounded(*sum as f64 / *count as f64)),
        Reading::Latency { window, total, .. } => {
            let (labels, micros) = (labels(of), |d: Duration| ((d.as_nanos() + 500) / 1000).to_string());
            let mut lines = vec![
                (format!("{name}_latency{labels}"), micros(window.mean())),
                (format!("{name}_max_latency{labels}"), micros(window.max())),
                (format!("{name}_qps{labels}"), format!("{:.0}", window.per_second())),
                (format!("{name}_count{labels}"), total.count().to_string()),
            ];
            lines.extend(PERCENTILES.map(|(ratio, suffix)| {
                (format!("{name}_latency_{suffix}{labels}"), micros(window.percentile(ratio)))
            }));
            lines
        }
        Reading::Histogram { .. } => Vec::new(), // for Prometheus alone
        Reading::Labelled(series) => {
            let line = |(more, reading): &(Labels, Reading)| lines(name, &[&of[..], more].concat(), reading);
            series.iter().flat_map(line).collect()
        }
    }
}

/// The values of [`lines`] as numbers, in the same order, and whether each is a maximum. None for texts and
/// labelled variables.
pub(super) fn figures(reading: &Reading) -> Vec<(f64, bool)> {
    let micros = |d: Duration| d.as_nanos() as f64 / 1000.0;
    match reading {
        Reading::Count(n) => vec![(*n as f64, false)],
        Reading::Level(n) => vec![(*n as f64, false)],
        Reading::Real(x) | Reading::Seconds(x) => vec![(*x, false)],
        Reading::Average { sum, count } => vec![(*sum as f64 / (*count).max(1) as f64, false)],
        Reading::Latency { window, total, .. } => {
            let mut figures = vec![
                (micros(window.mean()), false),
                (micros(window.max()), true),
                (window.per_second(), false),
                (total.count() as f64, false),
            ];
            figures.extend(PERCENTILES.map(|(ratio, _)| (micros(window.percentile(ratio)), false)));
            figures
        }
        Reading::Text(_) | Reading::Labelled(_) | Reading::Histogram { .. } => Vec::new(),
    }
}

/// Three digits are enough to read.
fn rounded(x: f64) -> String {
    ((x * 1000.0).round() / 1000.0).to_string()
}

/// `{key="value",...}`, escaped as Prometheus does, and with `_` for the dots of OpenTelemetry's keys; empty
/// if there are none.
pub(crate) fn labels(labels: &Labels) -> String {
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let pairs: Vec<_> = labels
        .iter()
        .map(|(key, value)| format!("{}=\"{}\"", key.replace('.', "_"), escaped(value)))
        .collect();
    if pairs.is_empty() { String::new() } else { format!("{{{}}}", pairs.join(",")) }
}

/// The text in double quotes, on one line, with any contents.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.extend(c.escape_default()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
