//! Latencies as bars.

use super::tally::Tally;
use crate::units;
use std::fmt::Write;

/// A bar of the histogram: calls that took `from..to` microseconds.
pub struct Row {
    pub from: u64,
    pub to: u64,
    pub calls: u64,
}

/// Ten bars per decade: bounds are rounded powers of 10^(1/10).
pub fn rows(tally: &Tally) -> Vec<Row> {
    let latency = &tally.latency;
    if latency.is_empty() {
        return Vec::new();
    }
    let (min, max) = (latency.min(), latency.max());
    let mut bounds: Vec<u64> = (0..=80).map(|k| 10f64.powf(f64::from(k) / 10.0).round() as u64).collect();
    bounds.dedup();
    let mut rows = Vec::new();
    for pair in bounds.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        if to > min && from <= max {
            rows.push(Row { from, to, calls: 0 });
        }
    }
    for value in latency.iter_recorded() {
        let at = value.value_iterated_to().clamp(min, max);
        let row = rows.partition_point(|row| row.to <= at).min(rows.len() - 1);
        rows[row].calls += value.count_since_last_iteration();
    }
    rows
}

/// Columns of the longest bar.
const WIDTH: f64 = 40.0;

/// A line per bar.
pub fn text(tally: &Tally) -> String {
    let rows = rows(tally);
    let most = rows.iter().map(|row| row.calls).max().unwrap_or(1).max(1);
    let mut text = String::new();
    for row in rows {
        // A bar that is not empty has at least one column.
        let bar = (row.calls as f64 * WIDTH / most as f64).ceil() as usize;
        let (to, calls) = (units::micros(row.to as f64), units::count(row.calls));
        let line = format!("  < {to:>7} {calls:>13}  {}", "#".repeat(bar));
        let _ = writeln!(text, "{}", line.trim_end()); // writing to a String does not fail
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_call_is_in_one_bar_and_no_outer_bar_is_empty() {
        let mut tally = Tally::new();
        for us in [1, 7, 7, 80, 99, 100, 12_345, 59_999_999, 80_000_000] {
            tally.succeeded(Duration::from_micros(us), 0);
        }
        let rows = rows(&tally);
        assert_eq!(rows.iter().map(|row| row.calls).sum::<u64>(), 9);
        assert!(rows.first().unwrap().calls > 0 && rows.last().unwrap().calls > 0);
        assert!(rows.windows(2).all(|pair| pair[0].to == pair[1].from && pair[0].from < pair[0].to));
        let hundred = rows.iter().find(|row| row.from == 100).unwrap();
        assert_eq!(hundred.calls, 1);
    }

    #[test]
    fn without_calls_there_are_no_bars() {
        assert_eq!(text(&Tally::new()), "");
    }
}
