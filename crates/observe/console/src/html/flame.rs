//! Flame graphs as SVG: the outermost function on top, complete without the script; `flame.js` searches and
//! zooms.
//!
//! Each box is an `svg` within the graph, which cuts a name that is too long, and whose position is in per
//! cent: the browser need not compute anything when the window changes its size.

use super::{
    number::{formatted, ratio},
    writer::Writer,
};
use crate::{Flame, Whose};

/// Pixels of a row.
const ROW: u32 = 18;
/// Boxes narrower than this share show their name only in the title.
const NAMED: f64 = 0.008;

pub(super) fn flame(out: &mut Writer, flame: &Flame) {
    let boxes = || flame.boxes.iter().filter(|one| one.depth < Flame::MOST_ROWS).take(Flame::MOST_BOXES);
    let rows = boxes().map(|one| u32::from(one.depth) + 1).max().unwrap_or(0);
    out.raw("<figure class=fl><figcaption>").text(&flame.name).raw(
        " <input type=search placeholder='find a function' aria-label='find a function' hidden> <button class=c type=button hidden>\
         whole</button> <span class=m role=status></span></figcaption><svg width=100% role=group",
    );
    out.attribute("height", &(rows * ROW).to_string())
        .attribute("aria-label", &format!("{}, {} functions", flame.name, boxes().count()))
        .raw(">");
    for one in boxes() {
        out.raw(match one.whose {
            Whose::Own => "<svg class=k1",
            Whose::Framework => "<svg class=k2",
            Whose::Runtime => "<svg class=k3",
            Whose::Rest => "<svg class=k4",
        });
        // Per cent with four digits behind the point: a share of a millionth has a place.
        let place = |share: f64| format!("{:.4}%", share.clamp(0.0, 1.0) * 100.0);
        out.attribute("x", &place(one.start)).attribute("width", &place(one.share));
        out.attribute("y", &(u32::from(one.depth) * ROW).to_string()).raw(" height=18><title>");
        out.text(&one.name).raw("\n").text(&ratio(one.share)).raw(", ").text(&formatted(&one.value));
        out.raw("</title><rect width=100% height=17 />");
        if one.share >= NAMED {
            out.raw("<text x=3 y=13>").text(short(&one.name)).raw("</text>");
        }
        out.raw("</svg>");
    }
    out.raw("</svg></figure>");
}

/// The end of a long path, which is the most specific part: `Orders::place` of `shop::orders::Orders::place`.
/// Names with types in `<>` stay.
fn short(name: &str) -> &str {
    if name.contains('<') {
        return name;
    }
    match name.rmatch_indices("::").nth(1) {
        Some((at, _)) => &name[at + 2..],
        None => name,
    }
}

pub(super) const CSS: &str = include_str!("flame.css");
pub(super) const SCRIPT: &str = include_str!("flame.js");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FlameBox, Value};

    #[test]
    fn names_are_cut_at_the_path_and_never_within_types() {
        assert_eq!(short("shop::orders::Orders::place"), "Orders::place");
        assert_eq!(short("main"), "main");
        assert_eq!(short("<shop::A as shop::B>::c"), "<shop::A as shop::B>::c");
    }

    #[test]
    fn boxes_are_bounded_and_places_stay_within_the_graph() {
        let one = |depth, start| FlameBox {
            depth,
            start,
            share: 2.0,
            name: "f".into(),
            value: Value::Count(1),
            whose: Whose::Own,
        };
        let mut boxes: Vec<_> = (0..5000).map(|_| one(0, f64::NAN)).collect();
        boxes.insert(0, one(60_000, 0.5));
        let mut out = Writer::default();
        flame(&mut out, &Flame { name: "cpu".into(), boxes });
        let out = out.finish();
        assert_eq!(out.matches("<rect").count(), Flame::MOST_BOXES);
        assert!(out.contains(" height=\"18\"") && !out.contains("200.0000%"), "{}", &out[..500]);
    }

    #[test]
    fn the_script_is_small() {
        assert!(SCRIPT.len() + CSS.len() < 6000, "{}", SCRIPT.len() + CSS.len());
    }
}
