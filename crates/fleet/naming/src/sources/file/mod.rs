//! `file:///etc/echo/servers`, `file://servers`: one server per line of a file, read again when the file
//! changes.
//!
//! ```text
//!  places.rs: which folders, and which names in them, decide what is found at the path
//!     │
//!     ▼
//!  changes.rs: the kernel's word (inotify) that one of them has changed; a look every 30 s (without inotify: every second)
//!     │ 50 ms of quiet, 1 s at most
//!     ▼
//!  read.rs: up to 16 MiB of a regular file ──► lines.rs ──► Updates
//! ```
//!
//! A path is relative to the current folder of the program when the source was opened. The text after
//! `file://` is the path unchanged, as in brpc: nothing in it is decoded.
//!
//! - A file that is replaced (by `rename`, as editors do it), written in place, deleted and made again, or
//!   reached through links that change, such as the `..data` of a Kubernetes ConfigMap, is read again.
//! - After a file was written in place, it is read when 50 ms have passed without a further change; a file
//!   that changes while it is read is read again. Replacing it by `rename` is better.
//! - A file that is missing, or cannot be read, is an error: the servers from its last reading stay in use,
//!   and it is read as soon as it exists.
//! - Invalid lines are left out with a warning; a file without a valid line is an error.

mod changes;
mod places;
mod read;

use crate::{Scheme, Source, SourceError, Updates, Watching, lines};
use changes::{Changes, Notices};
use polywire_call::ConfigError;
use std::{io, path::PathBuf};

/// `file://PATH`: servers from a file, one a line.
pub const SCHEME: Scheme = Scheme { name: "file", open };

struct File {
    text: String,
    path: PathBuf,
    notices: fn() -> io::Result<Notices>,
}

fn open(rest: &str) -> Result<Box<dyn Source>, ConfigError> {
    let url = || format!("file://{rest}");
    let wrong = |why: &str| ConfigError::new("address", format!("{:?} {why}", url())).with_value(url());
    if rest.is_empty() || rest.contains('\0') {
        return Err(wrong("has no path: write file:///path/of/a/file"));
    }
    let path = std::path::absolute(rest)
        .map_err(|error| wrong("has a path that cannot be made absolute").with_source(error))?;
    Ok(Box::new(File { text: rest.to_owned(), path, notices: Notices::new }))
}

impl Source for File {
    fn name(&self) -> String {
        format!("file://{}", self.text)
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            let mut changes = Changes::of(&self.path, self.notices, updates);
            loop {
                // The folders are watched before the file is read: no change falls in between.
                changes.follow().await;
                match read::read(self.path.clone()).await {
                    Ok((text, stamp)) => {
                        changes.has_read(stamp);
                        report(updates, &text);
                    }
                    Err(error) => {
                        changes.has_read(None);
                        updates.failed(SourceError::new(format!(
                            "cannot read {}: {error}",
                            self.path.display()
                        )));
                    }
                }
                changes.next().await;
            }
        })
    }
}

/// Hands on the servers of a text.
fn report(updates: &Updates, text: &[u8]) {
    let lines = lines::parse_all(text);
    match lines.bad {
        Some(bad) if lines.servers.is_empty() => {
            return updates.failed(SourceError::new(format!("no line has a server: {bad}")));
        }
        Some(bad) => updates.warn(bad),
        None => {}
    }
    updates.set(lines.servers);
}

#[cfg(test)]
mod tests;
