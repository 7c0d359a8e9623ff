//! Curves over the load, as SVG drawn by hand.

use std::fmt::Write;

use crate::run::Point;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 240.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const COLOURS: [&str; 10] = [
    "#1b6ca8", "#0b3954", "#5aa9e6", "#7b2d8b", "#4a148c", "#ba68c8", "#2e7d32", "#81c784", "#c8553d",
    "#f28f3b",
];

/// Good calls as a share of capacity.
pub fn goodput(points: &[Point], handler_us: u64) -> String {
    curves(points, handler_us, "goodput, % of capacity", 110.0, 20.0, |point| {
        100.0 * point.figures.good / point.capacity.max(1.0)
    })
}

/// The 99th percentile of good calls.
pub fn p99(points: &[Point], handler_us: u64) -> String {
    curves(points, handler_us, "p99 of answered calls, ms", 105.0, 20.0, |point| {
        point.figures.p99_us as f64 / 1e3
    })
}

fn curves(
    points: &[Point],
    handler_us: u64,
    what: &str,
    most: f64,
    step: f64,
    of: impl Fn(&Point) -> f64,
) -> String {
    let (x, y) = (
        |load: f64| LEFT + (WIDTH - LEFT - RIGHT) * load / 5.0,
        |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value / most).clamp(0.0, 1.0),
    );
    let mut body = String::new();
    let mut line = |text: String| {
        let _ = writeln!(body, "{text}"); // a string takes it
    };
    let mut value = 0.0;
    while value <= most {
        line(format!(
            r##"<line x1="{LEFT}" x2="{:.0}" y1="{1:.1}" y2="{1:.1}" stroke="#ddd"/><text x="{2}" y="{3:.1}" text-anchor="end">{value}</text>"##,
            WIDTH - RIGHT,
            y(value),
            LEFT - 6.0,
            y(value) + 4.0
        ));
        value += step;
    }
    for load in 0..=5 {
        let at = x(f64::from(load));
        line(format!(
            r#"<text x="{at:.1}" y="{:.1}" text-anchor="middle">{load}</text>"#,
            HEIGHT - BOTTOM + 18.0
        ));
    }
    let mut names: Vec<&str> = Vec::new();
    for point in points.iter().filter(|p| p.handler_us == handler_us) {
        if !names.contains(&point.server) {
            names.push(point.server);
        }
    }
    for (k, name) in names.iter().enumerate() {
        let own = points.iter().filter(|p| p.handler_us == handler_us && p.server == *name);
        let places: Vec<_> = own.map(|p| format!("{:.1},{:.1}", x(p.load), y(of(p)))).collect();
        let (colour, row) = (COLOURS[k % COLOURS.len()], TOP + 18.0 * k as f64);
        line(format!(
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2"/>"#,
            places.join(" ")
        ));
        line(format!(
            r#"<line x1="{0:.0}" x2="{1:.0}" y1="{row}" y2="{row}" stroke="{colour}" stroke-width="3"/><text x="{2:.0}" y="{3}">{name}</text>"#,
            WIDTH - RIGHT + 14.0,
            WIDTH - RIGHT + 34.0,
            WIDTH - RIGHT + 40.0,
            row + 4.0
        ));
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\" font-weight=\"bold\">{what}; handlers of {handler_us} µs</text>\n{body}\
         <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">offered load, capacities</text>\n</svg>\n",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 10.0
    )
}
