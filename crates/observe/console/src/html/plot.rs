//! Plots as SVG: small ones beside a figure, and large ones on a page.

use super::{number::formatted, writer::Writer};
use crate::{Plot, Value};

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 120.0;

/// Draws a line of 60 by 16 pixels. Its scale reaches from zero to the largest value, or to twice the median
/// if that is more, so that a steady figure is a line at half height.
pub(super) fn spark(out: &mut Writer, points: &[f64]) {
    let mut sorted: Vec<f64> = points.iter().copied().filter(|point| point.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let (Some(&most), Some(&middle)) = (sorted.last(), sorted.get(sorted.len() / 2)) else {
        return;
    };
    let top = most.max(2.0 * middle);
    out.raw("<svg class=k width=60 height=16 viewBox='0 0 60 16' aria-hidden=true><path");
    out.attribute("d", &path(points, top, 60.0, 16.0)).raw("/></svg>");
}

/// Moves and lines through points; nothing where one is missing.
fn path(points: &[f64], top: f64, width: f64, height: f64) -> String {
    let step = width / (points.len().max(2) - 1) as f64;
    let top = if top > 0.0 { top } else { 1.0 };
    let (mut path, mut pen) = (String::new(), 'M');
    for (at, point) in points.iter().enumerate() {
        if !point.is_finite() {
            pen = 'M';
            continue;
        }
        let y = height - 1.0 - (point / top).clamp(0.0, 1.0) * (height - 2.0);
        path.push_str(&format!("{pen}{:.1} {y:.1}", at as f64 * step));
        pen = 'L';
    }
    path
}

/// Draws a plot with its lines, each named at its end, and their range in words.
pub(super) fn plot(out: &mut Writer, plot: &Plot) {
    let all = plot.lines.iter().flat_map(|(_, points)| points).copied().filter(|point| point.is_finite());
    let top = all.fold(0.0, f64::max);
    let longest = plot.lines.iter().map(|(_, points)| points.len()).max().unwrap_or(0);
    let seconds = longest.saturating_sub(1) as f64 * f64::from(plot.step);
    out.raw("<figure class=p")
        .attribute("data-p", &plot.name)
        .raw("><figcaption>")
        .text(&plot.name)
        .raw("</figcaption><svg");
    out.attribute("viewBox", &format!("0 0 {WIDTH} {HEIGHT}")).raw(" preserveAspectRatio=none role=img");
    let words: Vec<String> = plot.lines.iter().map(|(name, points)| in_words(name, points)).collect();
    out.attribute("aria-label", &words.join("; ")).raw(">");
    for (at, (_, points)) in plot.lines.iter().take(4).enumerate() {
        out.raw("<path").attribute("class", &format!("l{}", at + 1));
        out.attribute("d", &path(points, top, WIDTH, HEIGHT)).raw("/>");
    }
    out.raw("</svg><p class=m>");
    out.text(&format!(
        "{} ago to now; 0 to {}. ",
        formatted(&Value::Seconds(seconds)),
        formatted(&Value::Number(top))
    ));
    for (at, words) in words.iter().take(4).enumerate() {
        out.raw("<span").attribute("class", &format!("l{}", at + 1)).raw(">").text(words).raw("</span> ");
    }
    out.raw("</p></figure>");
}

fn in_words(name: &str, points: &[f64]) -> String {
    let known = || points.iter().copied().filter(|point| point.is_finite());
    let of = |number: f64| formatted(&Value::Number(number));
    match points.last() {
        Some(now) if known().next().is_some() => {
            let (least, most) = (known().fold(f64::MAX, f64::min), known().fold(f64::MIN, f64::max));
            format!("{name}: now {}, least {}, most {}", of(*now), of(least), of(most))
        }
        _ => format!("{name}: nothing measured yet"),
    }
}
