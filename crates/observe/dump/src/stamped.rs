//! Files of a folder that are named by the time of their creation, so that the order of names is the order of
//! files.
//!
//! ```text
//! requests.20261123_120000_000000         prefix, UTC, microseconds, suffix
//! spans.20261123_120000_000000.jsonl
//! ```

use polywire_base::Sort;
use polywire_wire::Date;
use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// The names of one kind of file.
pub(crate) struct Stamped {
    prefix: &'static str,
    suffix: &'static str,
    /// Time of the latest name in microseconds since 1970.
    latest: u64,
}

impl Stamped {
    pub fn new(prefix: &'static str, suffix: &'static str) -> Stamped {
        Stamped { prefix, suffix, latest: 0 }
    }

    /// The files that the folder has, oldest first.
    pub fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let is_ours = name
                .to_str()
                .is_some_and(|name| name.starts_with(self.prefix) && name.ends_with(self.suffix));
            if is_ours && entry.file_type()?.is_file() {
                paths.push(entry.path());
            }
        }
        paths.order();
        Ok(paths)
    }

    /// Creates a file with a unique name, which sorts after the last one.
    pub fn create(&mut self, folder: &Path, time: SystemTime) -> io::Result<(PathBuf, File)> {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        self.latest = (since.as_micros() as u64).max(self.latest + 1);
        let second = SystemTime::UNIX_EPOCH + Duration::from_micros(self.latest);
        let (stamp, micros) = (Date::stamp(second), self.latest % 1_000_000);
        let path = folder.join(format!("{}{stamp}_{micros:06}{}", self.prefix, self.suffix));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // What was called by whom is not for everybody who can log in here.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        Ok((path, file))
    }
}

/// Removes a file; it is no error if the file is gone already.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
