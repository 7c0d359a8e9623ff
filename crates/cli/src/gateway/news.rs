//! What the operator is told while a gateway runs.

use crate::terminal;
use std::io::{self, Write};

/// Writes a line for those who read the output, if anybody still does.
pub fn say(line: std::fmt::Arguments<'_>) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Writes what went well to the output, and what did not to standard error.
pub fn tell(news: &Result<String, String>) {
    match news {
        Ok(text) => say(format_args!("{}", terminal::line(text))),
        Err(text) => eprintln!("polywire: {}", terminal::line(text)),
    }
}

/// Writes what is perhaps not meant in a file to standard error.
pub fn warn(lines: &[String]) {
    for line in lines {
        eprintln!("polywire: warning: {}", terminal::line(line));
    }
}
