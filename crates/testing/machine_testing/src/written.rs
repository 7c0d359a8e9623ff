//! Output that is kept in memory.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

/// A writer that keeps what is written, as text. Clones write to the same text.
#[derive(Clone, Default)]
pub struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    /// What has been written so far.
    ///
    /// # Panics
    /// It is not UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).expect("text is written")
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
