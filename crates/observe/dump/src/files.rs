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
    time::{Duration, Instant, SystemTime},
};

/// Begins the names of all files.
const PREFIX: &str = "requests.";

/// The files of one run.
pub struct Files {
    options: DumpOptions,
    stamped: Stamped,
    /// The files of this run that exist, oldest first.
    written: VecDeque<Written>,
    file: Option<File>,
    /// The number of records in the current file, including those in `waiting`.
    records: u32,
    /// Records that are not written yet, and their number.
    waiting: Vec<u8>,
    waiting_records: u64,
    settled: Settled,
    /// When the oldest record in `waiting` arrived.
    since: Option<Instant>,
    /// When it is looked for files that are too old.
    look: Option<Instant>,
}

/// A file that exists.
struct Written {
    path: PathBuf,
    bytes: u64,
    begun: SystemTime,
}

/// Records that have left the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settled {
    pub written: u64,
    pub lost: u64,
}

/// Files that the bytes, or the time, of all of them are divided into.
const PARTS: u32 = 8;

impl Files {
    /// Prepares the folder.
    ///
    /// # Errors
    /// The folder cannot be created, read or emptied.
    pub fn new(mut options: DumpOptions) -> io::Result<Files> {
        if let Some(most) = options.most_bytes() {
            options.flush_bytes = options.flush_bytes.min((most / u64::from(PARTS)) as usize);
        }
        fs::create_dir_all(&options.folder)?;
        let stamped = Stamped::new(PREFIX, "");
        for path in stamped.list(&options.folder)? {
            fs::remove_file(path)?;
        }
        Ok(Files {
            options,
            stamped,
            written: VecDeque::new(),
            file: None,
            records: 0,
            waiting: Vec::new(),
            waiting_records: 0,
            settled: Settled::default(),
            since: None,
            look: None,
        })
    }

    /// Adds a record. `now` and `time` are the same instant by two clocks.
    ///
    /// # Errors
    /// A file cannot be made or written; the records that waited are lost then.
    pub fn add(&mut self, meta: &Meta, payload: &IoBuf, now: Instant, time: SystemTime) -> io::Result<()> {
        if self.records >= self.options.requests_in_file.max(1) || self.is_full(time) {
            self.flush(now, time).inspect_err(|_| self.settled.lost += 1)?;
            (self.file, self.records) = (None, 0);
        }
        self.waiting_records += 1;
        self.waiting.extend_from_slice(&record::head(meta, payload.len()));
        payload.segments().for_each(|segment| self.waiting.extend_from_slice(segment));
        self.records += 1;
        self.since.get_or_insert(now);
        let is_full = self.records >= self.options.requests_in_file.max(1);
        if is_full || self.waiting.len() >= self.options.flush_bytes || self.is_due(now) {
            self.flush(now, time)?;
        }
        Ok(())
    }

    /// When [`Files::flush`] has something to do: records wait, or files may be too old. `None`: nothing.
    pub fn due(&self) -> Option<Instant> {
        let waiting = self.since.map(|since| polywire_base::later(since, self.options.flush_after));
        waiting.into_iter().chain(self.look).min()
    }

    fn is_due(&self, now: Instant) -> bool {
        self.due().is_some_and(|due| now >= due)
    }

    /// Whether the current file has its part of the bytes, or of the time, that all have.
    fn is_full(&self, time: SystemTime) -> bool {
        let Some(current) = self.written.back().filter(|_| self.file.is_some()) else { return false };
        let waiting = self.waiting.len() as u64;
        let is_large = |bytes: u64| current.bytes + waiting >= bytes / u64::from(PARTS);
        self.options.most_bytes().is_some_and(is_large)
            || self.options.longest_age().is_some_and(|age| current.age(time) >= age / PARTS)
    }

    /// Writes the waiting records.
    ///
    /// # Errors
    /// A file cannot be created or written; the records are lost then, and the next ones go to another file.
    pub fn flush(&mut self, now: Instant, time: SystemTime) -> io::Result<()> {
        self.since = None;
        self.remove_old(time)?;
        let age =
            self.options.longest_age().filter(|_| !(self.written.is_empty() && self.waiting.is_empty()));
        self.look = age.map(|age| polywire_base::later(now, age / PARTS));
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        let records = std::mem::take(&mut self.waiting_records);
        let written = self.write(waiting, time);
        *(if written.is_ok() { &mut self.settled.written } else { &mut self.settled.lost }) += records;
        written
    }

    fn write(&mut self, waiting: Vec<u8>, time: SystemTime) -> io::Result<()> {
        while let Some(most) = self.options.most_bytes()
            && self.written.iter().map(|file| file.bytes).sum::<u64>() + waiting.len() as u64 > most
            && self.remove_oldest()?
        {}
        if self.file.is_none() {
            self.file = Some(self.create(time)?);
        }
        let written = self.file.as_mut().map_or(Ok(()), |file| file.write_all(&waiting));
        if written.is_err() {
            // It may end within a record, after which nothing can be read.
            (self.file, self.records) = (None, 0);
        }
        written?;
        if let Some(current) = self.written.back_mut() {
            current.bytes += waiting.len() as u64;
        }
        self.waiting = waiting;
        self.waiting.clear();
        self.waiting.shrink_to(2 * self.options.flush_bytes.max(4096));
        Ok(())
    }

    /// What has become of records since the last time that this was asked.
    pub fn settled(&mut self) -> Settled {
        std::mem::take(&mut self.settled)
    }

    /// Makes the next file, after removing the oldest if there are as many as there may be.
    fn create(&mut self, time: SystemTime) -> io::Result<File> {
        while self.written.len() >= self.options.files.max(1) as usize && self.remove_oldest()? {}
        let (path, file) = self.stamped.create(&self.options.folder, time)?;
        self.written.push_back(Written { path, bytes: 0, begun: time });
        Ok(file)
    }

    /// Removes the files whose first record is too old.
    fn remove_old(&mut self, time: SystemTime) -> io::Result<()> {
        let Some(age) = self.options.longest_age() else { return Ok(()) };
        while self.written.front().is_some_and(|oldest| oldest.age(time) >= age) && self.remove_oldest()? {}
        Ok(())
    }

    /// Removes the oldest file, which may be the current one. Returns whether there was one.
    fn remove_oldest(&mut self) -> io::Result<bool> {
        let Some(oldest) = self.written.pop_front() else { return Ok(false) };
        if self.written.is_empty() {
            (self.file, self.records) = (None, 0);
        }
        remove(&oldest.path)?;
        Ok(true)
    }
}

impl Written {
    fn age(&self, time: SystemTime) -> Duration {
        time.duration_since(self.begun).unwrap_or_default()
    }
}
