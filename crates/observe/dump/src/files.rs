//! Writes records to files of a folder: their names, when one follows the other, and when bytes are written.
//!
//! Source:     docs/wire/rpc_dump.md, "Files"
//! Deviations: brpc deletes the folder; we remove the files in it whose names begin with `requests.`, since
//!             an option that is set to the wrong folder must not delete it. The time in a name is UTC;
//!             brpc's is local.

use crate::{
    DumpOptions, Meta, record,
    stamped::{Stamped, remove},
};
use polywire_base::IoBuf;
use std::{
    collections::VecDeque,
    fs::{self, File},
    io::{self, Write},
    path::PathBuf,
    time::{Instant, SystemTime},
};

/// Begins the names of all files.
const PREFIX: &str = "requests.";

/// The files of one run.
pub struct Files {
    options: DumpOptions,
    stamped: Stamped,
    /// The files of this run that exist, oldest first.
    names: VecDeque<PathBuf>,
    file: Option<File>,
    /// The number of records in the current file, including those in `waiting`.
    records: u32,
    /// Records that are not written yet.
    waiting: Vec<u8>,
    /// When the oldest record in `waiting` arrived.
    since: Option<Instant>,
}

impl Files {
    /// Prepares the folder.
    ///
    /// # Errors
    /// The folder cannot be created, read or emptied.
    pub fn new(options: DumpOptions) -> io::Result<Files> {
        fs::create_dir_all(&options.folder)?;
        let stamped = Stamped::new(PREFIX, "");
        for path in stamped.list(&options.folder)? {
            fs::remove_file(path)?;
        }
        Ok(Files {
            options,
            stamped,
            names: VecDeque::new(),
            file: None,
            records: 0,
            waiting: Vec::new(),
            since: None,
        })
    }

    /// Adds a record. `now` and `time` are the same instant by two clocks.
    ///
    /// # Errors
    /// A file cannot be made or written; the records that waited are lost then.
    pub fn add(&mut self, meta: &Meta, payload: &IoBuf, now: Instant, time: SystemTime) -> io::Result<()> {
        if self.records >= self.options.requests_in_file.max(1) {
            self.flush(time)?;
            (self.file, self.records) = (None, 0);
        }
        self.waiting.extend_from_slice(&record::head(meta, payload.len()));
        payload.segments().for_each(|segment| self.waiting.extend_from_slice(segment));
        self.records += 1;
        self.since.get_or_insert(now);
        let is_full = self.records >= self.options.requests_in_file.max(1);
        if is_full || self.waiting.len() >= self.options.flush_bytes || self.is_due(now) {
            self.flush(time)?;
        }
        Ok(())
    }

    /// When the waiting records have to be written; `None`: there are none.
    pub fn due(&self) -> Option<Instant> {
        self.since.map(|since| polywire_base::later(since, self.options.flush_after))
    }

    fn is_due(&self, now: Instant) -> bool {
        self.due().is_some_and(|due| now >= due)
    }

    /// Writes the waiting records.
    ///
    /// # Errors
    /// A file cannot be created or written; the records are lost then, and the next ones go to another file.
    pub fn flush(&mut self, time: SystemTime) -> io::Result<()> {
        self.since = None;
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        if self.file.is_none() {
            self.file = Some(self.create(time)?);
        }
        let written = self.file.as_mut().map_or(Ok(()), |file| file.write_all(&waiting));
        if written.is_err() {
            // It may end within a record, after which nothing can be read.
            (self.file, self.records) = (None, 0);
        }
        written?;
        self.waiting = waiting;
        self.waiting.clear();
        self.waiting.shrink_to(2 * self.options.flush_bytes.max(4096));
        Ok(())
    }

    /// Makes the next file, after removing the oldest if there are as many as there may be.
    fn create(&mut self, time: SystemTime) -> io::Result<File> {
        while self.names.len() >= self.options.files.max(1) as usize {
            let Some(oldest) = self.names.pop_front() else { break };
            remove(&oldest)?;
        }
        let (path, file) = self.stamped.create(&self.options.folder, time)?;
        self.names.push_back(path);
        Ok(file)
    }
}
