//! What a registry's answer comes to: the entries that can be read are the set.

use polywire_naming::{Server, SourceError, Updates};

/// Reads the entries of an answer. Those that cannot be read are left out with a warning.
#[derive(Default)]
pub(crate) struct Entries {
    servers: Vec<Server>,
    bad: usize,
    /// Why the first of the bad ones could not be read.
    why: Option<String>,
}

impl Entries {
    /// `entry`: a server; `Ok(None)`: one that does not serve now; or why it cannot be read.
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
