//! Functions in defaults: `sin(0.5)`, `rad(180)`.

use std::f64::consts::PI;

/// Whether this is a function of the schema language.
pub(crate) fn is_known(name: &str) -> bool {
    ["deg", "rad", "sin", "cos", "tan", "asin", "acos", "atan"].contains(&name)
}

/// The value of a function as flatc writes it: with at most twelve digits after the point.
pub(crate) fn value(name: &str, of: f64) -> Option<String> {
    let value = match name {
        "deg" => of / PI * 180.0,
        "rad" => of * PI / 180.0,
        "sin" => of.sin(),
        "cos" => of.cos(),
        "tan" => of.tan(),
        "asin" => of.asin(),
        "acos" => of.acos(),
        "atan" => of.atan(),
        _ => return None,
    };
    Some(format!("{value:.12}"))
}
