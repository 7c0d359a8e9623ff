//! Reads the file at intervals.

use super::RemoteFile;
use crate::{bounds::TIMEOUT, entries::Entries};
use polywire_naming::{Source, SourceError, Updates, Watching, lines};

impl Source for RemoteFile {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            loop {
                let answer = self.http.get(&self.path, &[], TIMEOUT).await?;
                let text = std::str::from_utf8(&answer.body)
                    .map_err(|_| SourceError::new("the file is no UTF-8"))?;
                let mut entries = Entries::default();
                for line in text.lines() {
                    entries.add(lines::parse(line));
                }
                updates.set(entries.finish(updates)?);
                updates.wanted_or(self.every).await;
            }
        })
    }
}
