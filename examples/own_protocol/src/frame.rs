//! The frame of this protocol: a line, read from bytes that arrive in pieces of any length.

use polywire::wire::{IoBuf, WireError};

/// Searches for the end of a line; reads each byte once.
#[derive(Default)]
pub struct Lines {
    /// Number of bytes at the front of the input without a line end.
    looked: usize,
}

impl Lines {
    /// The next line without its end; `None` if it is not complete yet.
    ///
    /// # Errors
    /// A line that is longer than `limit` bytes.
    pub fn next(&mut self, input: &mut IoBuf, limit: usize) -> Result<Option<IoBuf>, WireError> {
        let mut before = 0;
        let mut end = None;
        for segment in input.segments() {
            let from = self.looked.saturating_sub(before).min(segment.len());
            if let Some(at) = segment[from..].iter().position(|byte| *byte == b'\n') {
                end = Some(before + from + at);
                break;
            }
            before += segment.len();
        }
        self.looked = if end.is_some() { 0 } else { input.len() };
        if end.unwrap_or(input.len()) > limit {
            return Err(WireError::TooLarge);
        }
        Ok(end.map(|end| {
            let line = input.cut(end);
            input.advance(1);
            line
        }))
    }
}
