//! Charts of lines as SVG, for light and dark pages.

mod scale;

pub use scale::Scale;

use std::fmt::Write;

/// Lines over one axis. Units stand in the titles of the axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Of the file.
    pub name: &'static str,
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub lines: Vec<Line>,
    /// Moments, with what happens there.
    pub marks: Vec<(f64, String)>,
    /// A height that no line can pass, with its name.
    pub limit: Option<(f64, String)>,
}

#[derive(Clone, Debug)]
pub struct Axis {
    pub title: String,
    pub scale: Scale,
    /// Where the axis has numbers; empty: where they are round.
    pub ticks: Vec<f64>,
}

#[derive(Clone, Debug)]
pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
/// The area of the lines: left, top, right, bottom.
const AREA: [f64; 4] = [68.0, 52.0, 630.0, 362.0];
/// With more points, a line is drawn without a sign at each.
const MOST_SIGNS: usize = 20;

/// Colours after Okabe and Ito, which also those see apart who see few colours; brighter ones on dark pages.
const STYLE: &str = "\
text{font:12px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#24292f}\
.title{font-size:15px;font-weight:600}.small{fill:#57606a}\
.back{fill:#fff}.grid{stroke:#e1e4e8}.axis{stroke:#8c959f}.mark{stroke:#8c959f;stroke-dasharray:3 3}\
.line{fill:none;stroke-width:2;stroke-linejoin:round}\
.c0{stroke:#0072b2}.c1{stroke:#d55e00}.c2{stroke:#009e73}.c3{stroke:#b0539a}.c4{stroke:#8a6d00}.c5{stroke:#3a9bdc}.c6{stroke:#444c56}.c7{stroke:#e6399b}\
.d0{fill:#0072b2}.d1{fill:#d55e00}.d2{fill:#009e73}.d3{fill:#b0539a}.d4{fill:#8a6d00}.d5{fill:#3a9bdc}.d6{fill:#444c56}.d7{fill:#e6399b}\
@media(prefers-color-scheme:dark){\
text{fill:#d1d7e0}.small{fill:#9198a1}\
.back{fill:#161b22}.grid{stroke:#30363d}.axis{stroke:#6e7681}.mark{stroke:#6e7681}\
.c0{stroke:#4aa8e0}.c1{stroke:#f08a4b}.c2{stroke:#2fc79b}.c3{stroke:#d68bc4}.c4{stroke:#d9b52e}.c5{stroke:#8ccbf5}.c6{stroke:#b1bac4}.c7{stroke:#ff7fc1}\
.d0{fill:#4aa8e0}.d1{fill:#f08a4b}.d2{fill:#2fc79b}.d3{fill:#d68bc4}.d4{fill:#d9b52e}.d5{fill:#8ccbf5}.d6{fill:#b1bac4}.d7{fill:#ff7fc1}}";

impl Axis {
    pub fn new(title: &str, scale: Scale) -> Self {
        Axis { title: title.to_owned(), scale, ticks: Vec::new() }
    }

    pub fn ticks(self, ticks: impl IntoIterator<Item = f64>) -> Self {
        Axis { ticks: ticks.into_iter().collect(), ..self }
    }
}

impl Chart {
    pub fn new(name: &'static str, title: &str, x: Axis, y: Axis, lines: Vec<Line>) -> Self {
        Chart { name, title: title.to_owned(), x, y, lines, marks: Vec::new(), limit: None }
    }

    pub fn svg(&self) -> String {
        let [left, top, right, bottom] = AREA;
        let limit = self.limit.as_ref().map(|(height, _)| *height);
        let all = || self.lines.iter().flat_map(|line| &line.points);
        let x = self.x.scale.over(all().map(|(x, _)| *x), left, right);
        let y = self.y.scale.over(all().map(|(_, y)| *y).chain(limit), bottom, top);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n\
             <style>{STYLE}</style>\n<rect class=\"back\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\"/>\n",
            escaped(&self.title)
        );
        text(&mut svg, left, 26.0, "title", "start", &self.title);
        for (tick, label) in y.ticks(&self.y.ticks) {
            let at = y.at(tick);
            segment(&mut svg, "grid", (left, at), (right, at));
            text(&mut svg, left - 8.0, at + 4.0, "", "end", &label);
        }
        for (tick, label) in x.ticks(&self.x.ticks) {
            let at = x.at(tick);
            segment(&mut svg, "axis", (at, bottom), (at, bottom + 5.0));
            text(&mut svg, at, bottom + 20.0, "", "middle", &label);
        }
        segment(&mut svg, "axis", (left, bottom), (right, bottom));
        text(&mut svg, (left + right) / 2.0, HEIGHT - 14.0, "small", "middle", &self.x.title);
        text(&mut svg, left, top - 8.0, "small", "start", &self.y.title);
        for (moment, what) in &self.marks {
            let at = x.at(*moment);
            segment(&mut svg, "mark", (at, top), (at, bottom));
            text(&mut svg, at + 4.0, top + 12.0, "small", "start", what);
        }
        if let Some((height, what)) = &self.limit {
            let at = y.at(*height);
            segment(&mut svg, "mark", (left, at), (right, at));
            text(&mut svg, right - 4.0, at - 5.0, "small", "end", what);
        }
        for (i, line) in self.lines.iter().enumerate() {
            let points: Vec<(f64, f64)> = line.points.iter().map(|(a, b)| (x.at(*a), y.at(*b))).collect();
            let path: Vec<String> = points.iter().map(|(a, b)| format!("{a:.1} {b:.1}")).collect();
            writeln!(svg, "<polyline class=\"line c{}\" points=\"{}\"/>", i % 8, path.join(","))
                .expect("text grows");
            if points.len() <= MOST_SIGNS {
                points.iter().for_each(|point| sign(&mut svg, i, *point));
            }
        }
        self.legend(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    /// The names of the lines beside them, the one that ends highest first.
    fn legend(&self, svg: &mut String) {
        let last = |line: &Line| line.points.last().map_or(0.0, |(_, y)| *y);
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by(|a, b| last(&self.lines[*b]).total_cmp(&last(&self.lines[*a])));
        for (row, i) in order.into_iter().enumerate() {
            let (left, at) = (AREA[2] + 20.0, AREA[1] + 14.0 + 22.0 * row as f64);
            writeln!(svg, "<path class=\"line c{}\" d=\"M{left} {at}h24\"/>", i % 8).expect("text grows");
            if self.lines[i].points.len() <= MOST_SIGNS {
                sign(svg, i, (left + 12.0, at));
            }
            text(svg, left + 32.0, at + 4.0, "", "start", &self.lines[i].name);
        }
    }
}

/// A sign at a point, of another shape for each line.
fn sign(svg: &mut String, line: usize, (x, y): (f64, f64)) {
    let path = match line % 4 {
        0 => format!("M{:.1} {y:.1}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z", x - 3.5),
        1 => format!("M{:.1} {:.1}h6.4v6.4h-6.4z", x - 3.2, y - 3.2),
        2 => format!("M{x:.1} {:.1}l4.2 7.4h-8.4z", y - 4.6),
        _ => format!("M{x:.1} {:.1}l4.4 4.4l-4.4 4.4l-4.4 -4.4z", y - 4.4),
    };
    writeln!(svg, "<path class=\"d{}\" d=\"{path}\"/>", line % 8).expect("text grows");
}

fn segment(svg: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    writeln!(
        svg,
        "<path class=\"{class}\" fill=\"none\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
        from.0, from.1, to.0, to.1
    )
    .expect("text grows");
}

fn text(svg: &mut String, x: f64, y: f64, class: &str, anchor: &str, text: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\"{class} text-anchor=\"{anchor}\">{}</text>", escaped(text))
        .expect("text grows");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_its_titles_its_lines_and_nothing_outside() {
        let lines = vec![
            Line { name: "a<b".into(), points: vec![(1.0, 10.0), (2.0, 1000.0)] },
            Line { name: "low".into(), points: vec![(1.0, 20.0), (2.0, 30.0)] },
        ];
        let x = Axis::new("load", Scale::Linear).ticks([1.0, 2.0]);
        let svg = Chart::new("c", "Title & more", x, Axis::new("p99 (ms)", Scale::Log), lines).svg();
        for part in ["Title &amp; more", "a&lt;b", ">p99 (ms)<", ">load<", ">1000<", "68.0 362.0,630.0 52.0"]
        {
            assert!(svg.contains(part), "{part} is missing in {svg}");
        }
        assert!(
            svg.find("a&lt;b").unwrap() < svg.find(">low<").unwrap(),
            "the line that ends highest is named first"
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
