//! The path at which the gateway hands its listening sockets to the next process.

use super::document::{Placed, Table};
use std::path::PathBuf;

/// Bytes of the path of a Unix socket that has the number of a process at its end.
const LONGEST: usize = 99;

/// Reads the key `hand_over` of a file.
pub fn read(file: &Table<'_>) -> Option<PathBuf> {
    let Placed { value, at } = file.text("hand_over")?;
    if value.is_empty() || value.len() > LONGEST {
        let text = format_args!("write the path of a socket, with at most {LONGEST} bytes");
        file.wrong(at, "hand_over", text);
    }
    Some(value.into())
}
