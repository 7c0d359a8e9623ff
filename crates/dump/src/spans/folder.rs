//! The files of a folder: their names, when one follows the other, and which go.
//!
//! ```text
//! spans.20261123_120000_000000.jsonl      UTC, microseconds: names in order are files in order
//! ```
//!
//! Limits: so many files of so many bytes, those of earlier runs and of other processes in the same folder included.

use polywire_wire::Date;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::PathBuf,
    time::{Duration, SystemTime},
};

const PREFIX: &str = "spans.";
const SUFFIX: &str = ".jsonl";

pub(super) struct Folder {
    path: PathBuf,
    file_bytes: u64,
    files: usize,
    file: Option<File>,
    /// Bytes in `file`.
    written: u64,
    /// Time of the latest name in microseconds since 1970.
    stamp: u64,
}

impl Folder {
    /// # Errors
    /// The folder cannot be made or read.
    pub fn new(path: PathBuf, file_bytes: u64, files: u32) -> io::Result<Folder> {
        fs::create_dir_all(&path)?;
        let folder =
            Folder { path, file_bytes, files: files.max(1) as usize, file: None, written: 0, stamp: 0 };
        folder.names()?;
        Ok(folder)
    }

    /// Writes whole lines, to the next file if this one has enough.
    ///
    /// # Errors
    /// They are lost, a part of them may be written, and what comes next goes to another file.
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
        let names = self.names()?;
        let surplus = (names.len() + 1).saturating_sub(self.files);
        for oldest in names.into_iter().take(surplus) {
            match fs::remove_file(oldest) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        self.stamp = (since.as_micros() as u64).max(self.stamp + 1);
        let second = SystemTime::UNIX_EPOCH + Duration::from_micros(self.stamp);
        let name = format!("{PREFIX}{}_{:06}{SUFFIX}", Date::stamp(second), self.stamp % 1_000_000);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // What was called by whom is not for everybody who can log in here.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        self.written = 0;
        options.open(self.path.join(name))
    }

    /// The files of spans in the folder, oldest first.
    fn names(&self) -> io::Result<Vec<PathBuf>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let is_ours =
                name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
            if is_ours && entry.file_type()?.is_file() {
                names.push(entry.path());
            }
        }
        names.sort();
        Ok(names)
    }
}
