//! Requests of a listener, or those of a shadow whose answers differ, that are written to files, for
//! `polywire replay`.

use super::document::{Placed, Table};
use crate::units;
use polywire::DumpOptions;
use std::{
    fs::{self, OpenOptions},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// The defaults: whoever does not say otherwise has files that end.
const PER_SECOND: u32 = 100;
const MAX_BYTES: u64 = 256 << 20;
const MAX_AGE: Duration = Duration::from_secs(24 * 3600);

#[derive(Clone, PartialEq)]
pub struct Record {
    pub folder: PathBuf,
    per_second: u32,
    max_bytes: u64,
    max_age: Duration,
}

impl Record {
    /// Reads the key `record` of a table.
    pub fn read(table: &Table<'_>) -> Option<Record> {
        let table = table.table("record")?;
        let folder = table.text("folder");
        let per_second = table.number("per_second", 1_000_000);
        let (max_bytes, max_age) = (table.text("max_bytes"), table.duration("max_age"));
        table.finish();
        if folder.as_ref().is_none_or(|folder| folder.value.is_empty()) && table.is_well() {
            table.missing("folder", "the path of a directory; files named requests.* in it are removed");
        }
        if let Some(Placed { value, at }) = folder.as_ref().filter(|folder| !folder.value.is_empty())
            && let Err(wrong) = can_be_written(Path::new(value))
        {
            table.wrong(*at, "folder", wrong);
        }
        let max_bytes = max_bytes.and_then(|text| match units::bytes(&text.value) {
            Ok(bytes) if bytes >= DumpOptions::LEAST_BYTES => Some(bytes),
            read => {
                let wrong = read.map_or_else(|wrong| wrong, |_| "at least 4MiB".to_owned());
                table.wrong(text.at, "max_bytes", format_args!("{:?}: {wrong}", text.value));
                None
            }
        });
        if max_age.is_some_and(|age| age < Duration::from_secs(1)) {
            table.wrong(table.at_key("max_age"), "max_age", "at least 1s");
        }
        Some(Record {
            folder: PathBuf::from(folder?.value),
            per_second: per_second.unwrap_or(PER_SECOND),
            max_bytes: max_bytes.unwrap_or(MAX_BYTES),
            max_age: max_age.unwrap_or(MAX_AGE),
        })
    }

    pub fn options(&self) -> DumpOptions {
        let options = DumpOptions::new(&self.folder).per_second(self.per_second);
        options
            .max_bytes(Some(self.max_bytes))
            .max_age(Some(self.max_age))
            .requests_in_file(u32::MAX)
            .files(u32::MAX)
    }
}

/// Whether files can be made in a folder, or it can be made itself: a file that is removed at once tells.
///
/// # Errors
/// Why they cannot, with the path where.
fn can_be_written(folder: &Path) -> Result<(), String> {
    let named = |path: &Path| if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_owned() };
    let is_there = |path: &PathBuf| match fs::metadata(path) {
        Err(error) => error.kind() != io::ErrorKind::NotFound && error.kind() != io::ErrorKind::NotADirectory,
        Ok(_) => true,
    };
    let Some(there) = folder.ancestors().map(named).find(is_there) else { return Ok(()) };
    let probe = there.join(format!(".polywire-{}", std::process::id()));
    let made = match fs::metadata(&there) {
        Ok(found) if !found.is_dir() => Err(io::ErrorKind::NotADirectory.into()),
        Ok(_) => OpenOptions::new().write(true).create_new(true).open(&probe).map(drop),
        Err(error) => Err(error),
    };
    match made {
        Ok(()) => drop(fs::remove_file(&probe)), // it has just been made
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(format!("{}: {error}", there.display())),
    }
    Ok(())
}
