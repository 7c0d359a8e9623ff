//! Requests of a listener, or those of a shadow whose answers differ, that are written to files, for
//! `polywire replay`.

use super::document::Table;
use crate::units;
use polywire::DumpOptions;
use std::{path::PathBuf, time::Duration};

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
