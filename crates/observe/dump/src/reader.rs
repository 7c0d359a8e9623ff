//! Reads files and folders of records.
//!
//! "Wrong magic, body_size > max_body_size, meta_size > body_size or unparsable meta: log, abandon the rest
//! of this file, continue with the next file." "A truncated tail is ignored silently"; this reader reports
//! it.

use crate::record::{HEADER_BYTES, Header, MAX_RECORD, Record};
use bytes::Bytes;
use polywire_base::Sort;
use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

/// Memory that is reserved for a record before its bytes have been read.
const FIRST: usize = 64 << 10;

/// The records of one file, in its order. After an error there are no more.
pub struct Reader<R> {
    input: R,
    max: u32,
    position: u64,
    ended: bool,
    is_truncated: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Reader::new(BufReader::new(File::open(path)?)))
    }
}

impl<R: Read> Reader<R> {
    /// Reads records of at most [`MAX_RECORD`] bytes. It makes small reads: pass a buffered reader.
    pub fn new(input: R) -> Self {
        Reader { input, max: MAX_RECORD, position: 0, ended: false, is_truncated: false }
    }

    /// Sets another limit for meta and payload together, in bytes.
    pub fn max_record(mut self, max: u32) -> Self {
        self.max = max;
        self
    }

    /// Bytes of the records that were read.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Whether the file ended within a record.
    pub fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    fn read(&mut self) -> io::Result<Option<Record>> {
        let mut header = Vec::with_capacity(HEADER_BYTES);
        (&mut self.input).take(HEADER_BYTES as u64).read_to_end(&mut header)?;
        let Some(header) = header.first_chunk::<HEADER_BYTES>() else {
            self.is_truncated = !header.is_empty();
            return Ok(None);
        };
        let header = Header::parse(header, self.max).map_err(|problem| self.wrong(problem))?;
        let mut body = Vec::with_capacity((header.body as usize).min(FIRST));
        (&mut self.input).take(header.body.into()).read_to_end(&mut body)?;
        if body.len() < header.body as usize {
            self.is_truncated = true;
            return Ok(None);
        }
        let record = Record::of(header, Bytes::from(body)).map_err(|problem| self.wrong(problem))?;
        self.position += HEADER_BYTES as u64 + u64::from(header.body);
        Ok(Some(record))
    }

    fn wrong(&self, problem: crate::Problem) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, format!("at byte {}: {problem}", self.position))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.read().transpose();
        self.ended = !matches!(read, Some(Ok(_)));
        read
    }
}

/// The files of a folder, by name, i.e. in the order in which they were written. "Directory scan is
/// non-recursive over regular files, any name."
pub struct Folder {
    files: std::vec::IntoIter<PathBuf>,
}

impl Folder {
    /// Lists a folder; a file stands for itself.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Folder> {
        let path = path.as_ref();
        let mut files = Vec::new();
        if path.is_dir() {
            for entry in std::fs::read_dir(path)? {
                let entry = entry?;
                if entry.file_type()?.is_file() {
                    files.push(entry.path());
                }
            }
            files.order();
        } else {
            File::open(path)?;
            files.push(path.to_owned());
        }
        Ok(Folder { files: files.into_iter() })
    }
}

impl Iterator for Folder {
    type Item = PathBuf;

    fn next(&mut self) -> Option<PathBuf> {
        self.files.next()
    }
}
