//! Reads a file, up to a limit and without waiting for a writer.

use std::{
    fs::{File, Metadata, OpenOptions},
    io::{self, Read},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The longest file in bytes: 100 000 lines of 160 bytes.
pub(super) const MAX_BYTES: u64 = 16 << 20;
/// How often a file is read again that changed while it was read.
const ATTEMPTS: u32 = 3;

/// Distinguishes one version of a file from another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stamp {
    length: u64,
    written: Option<SystemTime>,
    /// Numbers of the device and of the inode.
    file: (u64, u64),
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let file = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let file = (0, 0);
        Stamp { length: metadata.len(), written: metadata.modified().ok(), file }
    }

    /// The identity of the file at the path now; `None`: there is none, or it cannot be read.
    pub async fn at(path: PathBuf) -> Option<Self> {
        let look = move || std::fs::metadata(path).ok().map(|metadata| Stamp::of(&metadata));
        tokio::task::spawn_blocking(look).await.ok().flatten()
    }
}

/// Reads a file on a thread for blocking work, because a file may be on a network that does not answer.
pub(super) async fn read(path: PathBuf) -> io::Result<(Vec<u8>, Option<Stamp>)> {
    tokio::task::spawn_blocking(move || {
        let mut read = read_once(&path)?;
        for _ in 1..ATTEMPTS {
            let now = std::fs::metadata(&path).ok().map(|metadata| Stamp::of(&metadata));
            if now == read.1 {
                break;
            }
            read = read_once(&path)?;
        }
        Ok(read)
    })
    .await
    .unwrap_or_else(|_| Err(io::Error::other("the runtime is shutting down")))
}

fn read_once(path: &Path) -> io::Result<(Vec<u8>, Option<Stamp>)> {
    let file = open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "it is a folder" } else { "it is not a regular file" };
        return Err(io::Error::other(what));
    }
    let mut text = Vec::new();
    let length = file.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    if length as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("it has more than {MAX_BYTES} bytes")));
    }
    Ok((text, Some(Stamp::of(&metadata))))
}

/// Opens a file; does not wait for the writer of a named pipe.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    options.read(true).open(path)
}
