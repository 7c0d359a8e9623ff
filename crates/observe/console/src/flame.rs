//! A flame graph as data.

use crate::Value;
use std::borrow::Cow;

/// A flame graph: functions, each below its caller, drawn as boxes that are as wide as their share.
#[derive(Clone, Debug, Default)]
pub struct Flame {
    pub name: Cow<'static, str>,
    /// The boxes in any order. At most [`MOST_BOXES`](Flame::MOST_BOXES) are drawn.
    pub boxes: Vec<FlameBox>,
}

/// A function in a flame graph, where it was called from one place.
#[derive(Clone, Debug)]
pub struct FlameBox {
    /// Calls between the outermost function and this one.
    pub depth: u16,
    /// The left end and the width of the box; 1 is the whole graph.
    pub start: f64,
    pub share: f64,
    pub name: String,
    pub value: Value,
    pub whose: Whose,
}

/// The owner of a function's code, which decides its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whose {
    /// The code of the program itself.
    #[default]
    Own,
    /// The framework: functions of the crates of polywire.
    Framework,
    /// The language and its libraries, or the system.
    Runtime,
    /// No owner: functions that are left out of the graph.
    Rest,
}

impl Flame {
    /// The maximum number of boxes that are drawn; with this many a browser stays fast.
    pub const MOST_BOXES: usize = 2000;
    /// Rows that are drawn.
    pub const MOST_ROWS: u16 = 200;
}
