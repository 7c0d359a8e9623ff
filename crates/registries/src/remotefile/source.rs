//! Reads the file again and again.

use super::RemoteFile;
use crate::{entries::Entries, http::TIMEOUT};
use polywire_naming::{Source, SourceError, Updates, Watching, lines};
use std::time::Duration;
use tokio::time::sleep;

/// How long a channel that reaches none of its servers waits until the file is read again.
const SOON: Duration = Duration::from_millis(500);

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
                tokio::select! {
                    () = sleep(self.every.mul_f64(0.9 + 0.2 * fastrand::f64())) => {}
                    () = async { updates.wanted().await; sleep(SOON).await } => {}
                }
            }
        })
    }
}
