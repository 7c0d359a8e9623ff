//! The results as bars: one SVG per group, drawn by hand, since bars need no plotting library.

use std::fmt::Write;

use crate::figures::Figure;
use crate::tables::{groups, in_order, short, title};

const WIDTH: f64 = 900.0;
const LABELS: f64 = 230.0;
const BAR: f64 = 16.0;
const GAP: f64 = 12.0;
const TOP: f64 = 56.0;
/// Room for the figure at the end of the longest bar.
const FIGURES: f64 = 90.0;
const COLOURS: &[&str] = &["#1b6ca8", "#5aa9e6", "#0b3954", "#c8553d", "#f28f3b", "#588157", "#8d99ae"];

/// Group name and drawing.
pub fn all(figures: &[Figure]) -> Vec<(&str, String)> {
    groups(figures).into_iter().map(|group| (group, bars(group, figures))).collect()
}

/// Horizontal bars, grouped by load, one colour per peer, all on one scale that begins at zero.
fn bars(group: &str, figures: &[Figure]) -> String {
    let rows: Vec<&Figure> = figures.iter().filter(|f| f.group == group).collect();
    let peers = in_order(rows.iter().map(|f| f.peer.as_str()));
    let loads = in_order(rows.iter().map(|f| f.load.as_str()));
    let most = rows.iter().map(|f| f.median.value).fold(1e-9, f64::max);
    let scale = (WIDTH - LABELS - FIGURES) / most;
    let mut body = String::new();
    let mut y = TOP;
    for load in loads {
        let of_load: Vec<&&Figure> = rows.iter().filter(|f| f.load == load).collect();
        let middle = y + BAR * of_load.len() as f64 / 2.0 + 4.0;
        let _ = writeln!(
            body,
            r#"<text x="{}" y="{middle:.1}" text-anchor="end">{}</text>"#,
            LABELS - 8.0,
            escaped(load)
        );
        for figure in of_load {
            let colour = COLOURS[peers.iter().position(|p| *p == figure.peer).unwrap_or(0) % COLOURS.len()];
            let width = (figure.median.value * scale).max(1.0);
            let _ = writeln!(
                body,
                r#"<rect x="{LABELS}" y="{y:.1}" width="{width:.1}" height="{:.1}" fill="{colour}"/><text x="{:.1}" y="{:.1}">{}</text>"#,
                BAR - 2.0,
                LABELS + width + 5.0,
                y + BAR - 5.0,
                short(figure.median.value),
            );
            y += BAR;
        }
        y += GAP;
    }
    let mut legend = String::new();
    let mut x = LABELS;
    for (number, peer) in peers.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let _ = writeln!(
            legend,
            r#"<rect x="{x:.1}" y="32" width="10" height="10" fill="{colour}"/><text x="{:.1}" y="41">{}</text>"#,
            x + 14.0,
            escaped(peer)
        );
        x += 34.0 + 6.5 * peer.len() as f64;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{y:.0}\" viewBox=\"0 0 {WIDTH} {y:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LABELS}\" y=\"20\" font-size=\"15\" font-weight=\"bold\">{}</text>\n{legend}{body}</svg>\n",
        escaped(title(group))
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
