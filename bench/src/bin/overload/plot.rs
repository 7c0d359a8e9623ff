//! Curves over the load.

use polywire_simulate::chart::{Axis, Chart, Line, Scale};

use crate::run::Point;

/// Goodput and 99th percentile for handlers of this many microseconds.
pub fn charts(points: &[Point], handler_us: u64) -> [Chart; 2] {
    let lines = |of: fn(&Point) -> Option<f64>| -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for point in points.iter().filter(|point| point.handler_us == handler_us) {
            if lines.last().is_none_or(|line| line.name != point.server) {
                lines.push(Line { name: point.server.to_owned(), points: Vec::new() });
            }
            let line = lines.last_mut().expect("pushed above");
            line.points.extend(of(point).map(|value| (point.load, value)));
        }
        lines
    };
    let load = || Axis::new("offered load, capacities", Scale::FromZero).ticks([0.5, 0.9, 2.0, 3.0, 5.0]);
    let title = |what: &str| format!("{what}, handlers of {handler_us} µs on one processor");
    let [goodput, p99] = match handler_us {
        100 => ["goodput_100us", "p99_100us"],
        1000 => ["goodput_1ms", "p99_1ms"],
        _ => ["goodput", "p99"],
    };
    let share = Axis::new("answered before the deadline of 100 ms, % of capacity", Scale::FromZero);
    let late = Axis::new("p99 of the answered (ms)", Scale::Log);
    [
        Chart::new(
            goodput,
            &title("Goodput"),
            load(),
            share,
            lines(|point| Some(100.0 * point.figures.good / point.capacity.max(1.0))),
        ),
        // Where none was answered in time there is no latency.
        Chart::new(
            p99,
            &title("Latency"),
            load(),
            late,
            lines(|point| (point.figures.good > 0.0).then_some(point.figures.p99_us as f64 / 1e3)),
        ),
    ]
}
