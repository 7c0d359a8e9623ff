//! The log with a line for each call, as the file of settings has it.

use super::document::{Placed, Table};
use crate::failure::Failure;
use polywire::{AccessLog, LogFormat};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

#[derive(Clone, PartialEq)]
pub struct Settings {
    /// `-` is standard error.
    file: PathBuf,
    format: LogFormat,
}

impl Settings {
    pub fn new(file: PathBuf, format: LogFormat) -> Settings {
        Settings { file, format }
    }

    /// Reads `[access_log]`. `None`: a mistake was found.
    pub fn read(table: &Table<'_>) -> Option<Settings> {
        let (file, format) = (table.text("file"), table.text("format"));
        table.finish();
        if !table.has("file") {
            table.missing("file", "the path of a file, or \"-\" for standard error");
        }
        if let Some(Placed { value, at }) = &file
            && value != "-"
            && let Err(wrong) = has_folder(Path::new(value))
        {
            table.wrong(*at, "file", wrong);
        }
        let format = match format {
            None => Ok(LogFormat::Json),
            Some(format) => crate::serve::log_format(&format.value).map_err(|known| {
                table.wrong(format.at, "format", format_args!("{:?} is none of {known}", format.value));
            }),
        };
        Some(Settings { file: PathBuf::from(file?.value), format: format.ok()? })
    }

    /// # Errors
    /// The file cannot be opened.
    pub fn open(&self) -> Result<AccessLog, Failure> {
        let log = AccessLog::builder(self.format);
        if self.file.as_os_str() == "-" {
            return Ok(log.writer(std::io::stderr())?);
        }
        log.file(&self.file).map_err(|wrong| Failure::failed(format!("{}: {wrong}", self.file.display())))
    }
}

/// # Errors
/// The file is none, or could not be made where it is to be.
fn has_folder(file: &Path) -> Result<(), String> {
    let wrong = |path: &Path, wrong: &dyn std::fmt::Display| Err(format!("{}: {wrong}", path.display()));
    if file.is_dir() {
        return wrong(file, &io::Error::from(io::ErrorKind::IsADirectory));
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.map(|folder| (folder, fs::metadata(folder))) {
        Some((folder, Err(error))) => wrong(folder, &error),
        Some((folder, Ok(found))) if !found.is_dir() => wrong(folder, &"not a folder"),
        _ => Ok(()),
    }
}
