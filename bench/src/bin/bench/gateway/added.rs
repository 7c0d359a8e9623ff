//! What a proxy adds and costs, compared within each round: the machine is not the same in the next one.

use std::fmt::Write;

use super::proxies::{DIRECT, OURS, RAW};
use crate::figures::{Figure, Sample, median};
use crate::tables::{in_order, short};

/// A row for each load and proxy; empty without such figures.
pub fn table(figures: &[Figure]) -> String {
    let mut rows = String::new();
    for group in ["gateway", "gateway-foreign"] {
        let of_group: Vec<&Figure> = figures.iter().filter(|figure| figure.group == group).collect();
        for load in in_order(of_group.iter().map(|figure| figure.load.as_str())) {
            let find = |peer: &str| of_group.iter().copied().find(|f| f.load == load && f.peer == peer);
            for figure in of_group.iter().filter(|figure| figure.load == load && figure.peer != DIRECT) {
                let cells = [
                    added(figure, find(DIRECT), |sample| sample.p50_us).map(|us| format!("{us:.1}")),
                    added(figure, find(DIRECT), |sample| sample.p99_us).map(|us| format!("{us:.1}")),
                    figure.median.server_cpu_us.map(|us| format!("{us:.2}")),
                    ratio(figure, find(OURS), |sample| sample.server_cpu_us).map(|x| format!("{x:.2}")),
                    ratio(figure, find(RAW), |sample| sample.server_cpu_us).map(|x| format!("{x:.2}")),
                ];
                let name =
                    if group == "gateway" { load.to_owned() } else { format!("h2load, grpc-go: {load}") };
                let cells = cells.map(Option::unwrap_or_default).join(" | ");
                let _ =
                    writeln!(rows, "| {name} | {} | {} | {cells} |", figure.peer, short(figure.median.value));
            }
        }
    }
    if rows.is_empty() {
        return rows;
    }
    format!(
        "## What a proxy adds to a call, and its CPU per call\n\n\
         | load | proxy | calls/s | added p50 us | added p99 us | CPU us | CPU, x polywire's | CPU, x raw relay's |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n{rows}\n"
    )
}

/// The median over the rounds of what this figure has more than that.
fn added(figure: &Figure, than: Option<&Figure>, of: fn(&Sample) -> Option<f64>) -> Option<f64> {
    by_round([figure, than?], of, |[one, other]| one - other)
}

/// The median over the rounds of this figure's part of that.
pub fn ratio(figure: &Figure, to: Option<&Figure>, of: fn(&Sample) -> Option<f64>) -> Option<f64> {
    by_round([figure, to?], of, |[one, other]| one / other)
}

/// The same of what both have more than `direct`.
pub fn added_ratio(
    figure: &Figure,
    to: &Figure,
    direct: &Figure,
    of: fn(&Sample) -> Option<f64>,
) -> Option<f64> {
    by_round([figure, to, direct], of, |[one, other, direct]| (one - direct) / (other - direct))
}

/// Compares figures in each round in which all of them were measured; the median.
fn by_round<const N: usize>(
    figures: [&Figure; N],
    of: fn(&Sample) -> Option<f64>,
    compare: fn([f64; N]) -> f64,
) -> Option<f64> {
    let in_round = |figure: &Figure, round: usize| {
        figure.samples.iter().find(|(number, _)| *number == round).and_then(|(_, sample)| of(sample))
    };
    let compared = |round: usize| {
        let found = figures.map(|figure| in_round(figure, round));
        found.iter().all(Option::is_some).then(|| compare(found.map(Option::unwrap_or_default)))
    };
    let rounds = figures[0].samples.iter().map(|(round, _)| *round);
    let found: Vec<f64> = rounds.filter_map(compared).filter(|value| value.is_finite()).collect();
    (!found.is_empty()).then(|| median(&found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(peer: &str, rounds: &[(usize, f64)]) -> Figure {
        let sample = |us| Sample { p50_us: Some(us), server_cpu_us: Some(us), ..Sample::of(1.0) };
        let samples: Vec<(usize, Sample)> = rounds.iter().map(|(round, us)| (*round, sample(*us))).collect();
        Figure {
            group: "gateway".into(),
            load: "1 caller".into(),
            peer: peer.into(),
            median: sample(rounds[0].1),
            least: 1.0,
            most: 1.0,
            rounds: samples.len(),
            samples,
        }
    }

    #[test]
    fn rounds_are_compared_with_themselves_and_not_by_their_medians() {
        // Each round is ten times as slow as the one before; the second has no direct figure.
        let direct = figure(DIRECT, &[(1, 1.0), (3, 100.0), (4, 1000.0)]);
        let ours = figure(OURS, &[(1, 3.0), (2, 50.0), (3, 200.0), (4, 1500.0)]);
        assert_eq!(ratio(&ours, Some(&direct), |sample| sample.p50_us), Some(2.0));
        assert_eq!(added(&ours, Some(&direct), |sample| sample.p50_us), Some(100.0));
        let relay = figure(RAW, &[(1, 2.0), (3, 150.0), (4, 1100.0)]);
        assert_eq!(added_ratio(&ours, &relay, &direct, |sample| sample.p50_us), Some(2.0));
    }

    #[test]
    fn a_proxy_has_a_row_and_the_direct_connection_has_none() {
        let text =
            table(&[figure(DIRECT, &[(1, 10.0)]), figure(RAW, &[(1, 15.0)]), figure(OURS, &[(1, 30.0)])]);
        assert!(text.ends_with(
            "| 1 caller | raw relay | 1.0 | 5.0 |  | 15.00 | 0.50 | 1.00 |\n| 1 caller | polywire | 1.0 | 20.0 |  | 30.00 | 1.00 | 2.00 |\n\n"
        ), "{text}");
    }
}
