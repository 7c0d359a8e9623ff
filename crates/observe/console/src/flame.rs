//! A flame graph as data.

use crate::Value;
use std::borrow::Cow;

/// Functions with what they use, each below the one that calls it: drawn as boxes, as wide as their share.
#[derive(Clone, Debug, Default)]
pub struct Flame {
    pub name: Cow<'static, str>,
    /// In any order. At most [`MOST_BOXES`](Flame::MOST_BOXES) are drawn.
    pub boxes: Vec<FlameBox>,
}

/// A function in a flame graph, where it was called from one place.
#[derive(Clone, Debug)]
pub struct FlameBox {
    /// Calls between the outermost function and this one.
    pub depth: u16,
    /// Where it begins, and how wide it is; 1 is the whole graph.
    pub start: f64,
    pub share: f64,
    pub name: String,
    pub value: Value,
    pub whose: Whose,
}

/// Whose code a function is: its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whose {
    /// The program's.
    #[default]
    Own,
    /// The framework's.
    Framework,
    /// Of the language and its libraries, or of the system.
    Runtime,
    /// Nobody's: what is left out.
    Rest,
}

impl Flame {
    /// Boxes that are drawn; a browser stays quick with them.
    pub const MOST_BOXES: usize = 2000;
    /// Rows that are drawn.
    pub const MOST_ROWS: u16 = 200;
}
