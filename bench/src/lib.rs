//! Code that the rivals' programs share: command lines, closed-loop load, measuring, and the report that they
//! print.
//!
//! Every rival is one program with `serve` (prints `listening on ADDR`, runs until killed) and `press`
//! (prints one JSON object, see [`Report`]), like ours, so that all are driven alike, with client and server
//! in separate processes.

pub mod args;
pub mod cpu;
pub mod report;
pub mod turns;

pub use args::{Args, Kind, Load};
pub use report::{Recorder, Report};
