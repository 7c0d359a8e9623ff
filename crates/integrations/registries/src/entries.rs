//! Collects the entries of a registry's answer: the valid entries are the set.

use polywire_naming::{Server, SourceError, Updates};

/// The entries of an answer. Invalid ones are left out with a warning.
#[derive(Default)]
pub(crate) struct Entries {
    servers: Vec<Server>,
    bad: usize,
    /// The error of the first invalid entry.
    why: Option<String>,
}

impl Entries {
    /// `entry`: a server; `Ok(None)`: an entry that does not serve now; or why the entry is invalid.
    pub fn add(&mut self, entry: Result<Option<Server>, String>) {
        match entry {
            Ok(server) => self.servers.extend(server),
            Err(why) => {
                self.bad += 1;
                self.why.get_or_insert(why);
            }
        }
    }

    /// The set.
    ///
    /// # Errors
    /// There were entries, and none could be read: that is not an empty set.
    pub fn finish(self, updates: &Updates) -> Result<Vec<Server>, SourceError> {
        let Entries { servers, bad, why } = self;
        let why = why.unwrap_or_default();
        if bad > 0 && servers.is_empty() {
            return Err(SourceError::new(format!("no entry can be read; {bad} were bad, the first: {why}")));
        }
        if bad > 0 {
            updates.warn(format_args!("{bad} entries are left out, the first: {why}"));
        }
        Ok(servers)
    }
}

/// The front of a text that a registry has sent, enough for a message.
pub(crate) fn clipped(text: &str) -> &str {
    let end = text.char_indices().nth(80).map_or(text.len(), |(at, _)| at);
    &text[..end]
}
