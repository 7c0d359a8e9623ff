//! What the rivals' programs share: their command lines, closed-loop load, measuring, and the report they print.
//!
//! Every rival is one program with `serve` (prints `listening on ADDR`, runs until killed) and `press` (prints one JSON
//! object, see [`Report`]), just as ours has them, so that all are driven alike, client and server in separate processes.

pub mod args;
pub mod cpu;
pub mod report;

pub use args::{Args, Kind, Load};
pub use report::{Recorder, Report};
