//! The files of a folder: when one follows the other, and which go.
//!
//! Limits: so many files of so many bytes, those of earlier runs and of other processes in the same folder
//!         included.

use crate::stamped::{Stamped, remove};
use std::{
    fs::{self, File},
    io::{self, Write},
    path::PathBuf,
    time::SystemTime,
};

pub(super) struct Folder {
    path: PathBuf,
    file_bytes: u64,
    files: usize,
    file: Option<File>,
    /// The number of bytes in `file`.
    written: u64,
    stamped: Stamped,
}

impl Folder {
    /// # Errors
    /// The folder cannot be made or read.
    pub fn new(path: PathBuf, file_bytes: u64, files: u32) -> io::Result<Folder> {
        fs::create_dir_all(&path)?;
        let stamped = Stamped::new("spans.", ".jsonl");
        stamped.list(&path)?;
        Ok(Folder { path, file_bytes, files: files.max(1) as usize, file: None, written: 0, stamped })
    }

    /// Writes whole lines, to the next file if this one has enough.
    ///
    /// # Errors
    /// The records are lost, a part of them may be written, and the next ones go to another file.
    pub fn write(&mut self, lines: &[u8], time: SystemTime) -> io::Result<()> {
        if self.written >= self.file_bytes {
            self.file = None;
        }
        let mut file = match self.file.take() {
            Some(file) => file,
            None => self.create(time)?,
        };
        file.write_all(lines)?;
        self.file = Some(file);
        self.written += lines.len() as u64;
        Ok(())
    }

    fn create(&mut self, time: SystemTime) -> io::Result<File> {
        let names = self.stamped.list(&self.path)?;
        let surplus = (names.len() + 1).saturating_sub(self.files);
        for oldest in names.iter().take(surplus) {
            remove(oldest)?;
        }
        self.written = 0;
        let (_, file) = self.stamped.create(&self.path, time)?;
        Ok(file)
    }
}
