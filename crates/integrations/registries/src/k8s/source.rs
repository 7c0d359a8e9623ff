//! Lists the EndpointSlices of a service, and watches them from that version on.
//!
//! | what happens | what follows |
//! | --- | --- |
//! | the watch ends, as it does every few minutes, or breaks | another one, from the last version that was heard of, bookmarks included |
//! | 410 Gone, as the answer or as an event | all slices are listed again |
//! | another failure | the watch begins anew after a pause, with a list |

use super::{Kubernetes, slices::Slices};
use crate::{
    bounds::{LONGEST_ANSWER, MOST_VALUES, TIMEOUT},
    entries::Entries,
    http::{Failed, text, values},
    url::encoded,
};
use polywire_naming::{Source, SourceError, Updates, Watching};
use serde_json::Value;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// How long the server keeps a watch open (`timeoutSeconds`), and the additional time that it may take.
const WATCH: Duration = Duration::from_secs(240);
const GRACE: Duration = Duration::from_secs(15);
/// The least time between two lists, and two watches.
const BETWEEN: Duration = Duration::from_secs(1);
/// The least time between two sets, so that slices which change all the time cost little.
const BETWEEN_SETS: Duration = Duration::from_millis(100);
/// Slices in one answer to a list.
const PAGE: u32 = 500;
/// Maximum number of pages of one list.
const PAGES: u32 = 200;
const BETWEEN_PAGES: Duration = Duration::from_millis(10);
const GONE: u16 = 410;

impl Source for Kubernetes {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            loop {
                let begun = Instant::now();
                // Ends without an error when all has to be listed again.
                self.list_and_watch(updates).await?;
                sleep_until(begun + BETWEEN).await;
            }
        })
    }
}

impl Kubernetes {
    async fn list_and_watch(&self, updates: &Updates) -> Result<(), SourceError> {
        let account = self.of_account("namespace").await;
        let namespace = self.namespace.as_deref().or(account.as_deref()).unwrap_or("default");
        let selector = encoded(&format!("kubernetes.io/service-name={}", self.service));
        let base = format!(
            "/apis/discovery.k8s.io/v1/namespaces/{}/endpointslices?labelSelector={selector}",
            encoded(namespace)
        );
        let Some((mut slices, mut version)) = self.list(&base).await? else { return Ok(()) };
        self.publish(&slices, updates)?;
        loop {
            let begun = Instant::now();
            if self.follow(&base, &mut slices, &mut version, updates).await? {
                return Ok(());
            }
            sleep_until(begun + BETWEEN).await;
        }
    }

    /// All slices, and their version; none if the pages of the list have expired.
    async fn list(&self, base: &str) -> Result<Option<(Slices, String)>, SourceError> {
        let (mut slices, mut page, mut bytes) = (Slices::default(), String::new(), 0);
        for _ in 0..PAGES {
            let path = format!("{base}&limit={PAGE}{page}");
            let fields = self.fields().await;
            let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let answer = match self.http.get(&path, &fields, TIMEOUT).await {
                Err(Failed::Answered(GONE, _)) => return Ok(None),
                answer => answer?,
            };
            bytes += answer.body.len();
            if bytes > LONGEST_ANSWER as usize {
                return Err(SourceError::new("the list of EndpointSlices is too long"));
            }
            let wrong =
                |what: &str| SourceError::new(format!("the answer is not a list of EndpointSlices: {what}"));
            let values = values(&answer.body);
            if values > MOST_VALUES {
                return Err(wrong("it has too many values"));
            }
            let mut list: Value =
                serde_json::from_slice(&answer.body).map_err(|error| wrong(&error.to_string()))?;
            let version = text(&list, &["metadata", "resourceVersion"])
                .ok_or_else(|| wrong("it has no version"))?
                .to_owned();
            let next = text(&list, &["metadata", "continue"]).map(encoded);
            match list.get_mut("items").map(Value::take) {
                Some(Value::Array(items)) => {
                    let each = (answer.body.len() / items.len().max(1), values / items.len().max(1));
                    let mut items = items.into_iter();
                    items.try_for_each(|slice| slices.put(slice, each)).map_err(|why| wrong(&why))?;
                }
                Some(Value::Null) => {} // an empty list, as Go writes it
                _ => return Err(wrong("it has no items")),
            }
            match next {
                Some(next) => page = format!("&continue={next}"),
                None => return Ok(Some((slices, version))),
            }
            sleep(BETWEEN_PAGES).await;
        }
        Err(SourceError::new("the list of EndpointSlices has too many pages"))
    }

    /// Follows one watch to its end. Returns true if all slices have to be listed again.
    async fn follow(
        &self,
        base: &str,
        slices: &mut Slices,
        version: &mut String,
        updates: &Updates,
    ) -> Result<bool, SourceError> {
        let seconds = WATCH.as_secs();
        let path = format!(
            "{base}&watch=1&allowWatchBookmarks=true&timeoutSeconds={seconds}&resourceVersion={}",
            encoded(version)
        );
        let fields = self.fields().await;
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let end = Instant::now() + WATCH + GRACE;
        let mut stream = self.http.stream(&path, &fields).await?;
        // What came of lines that have not ended, of which the first bytes have been looked through.
        let (mut buffer, mut looked) = (Vec::new(), 0);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let part = match timeout(left, stream.next()).await {
                Err(_) => return Err(SourceError::new("the API server does not end its watch")),
                Ok(None) if buffer.iter().all(u8::is_ascii_whitespace) => return Ok(false),
                Ok(None) => return Err(SourceError::new("the watch ends within an event")),
                Ok(Some(Err(Failed::Answered(GONE, _)))) => return Ok(true),
                Ok(Some(part)) => part?,
            };
            buffer.extend_from_slice(&part);
            let mut changed = false;
            let mut from = 0;
            while let Some(at) = buffer[looked..].iter().position(|byte| *byte == b'\n') {
                let line = &buffer[from..looked + at];
                from = looked + at + 1;
                looked = from;
                if line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                match event(line, slices, version)? {
                    Heard::Change => changed = true,
                    Heard::Version => {}
                    Heard::Gone => return Ok(true),
                }
            }
            buffer.drain(..from);
            looked = buffer.len();
            if buffer.len() > LONGEST_ANSWER as usize {
                return Err(SourceError::new("an event is too long"));
            }
            if changed {
                let begun = Instant::now();
                self.publish(slices, updates)?;
                sleep_until(begun + BETWEEN_SETS).await;
            }
        }
    }

    fn publish(&self, slices: &Slices, updates: &Updates) -> Result<(), SourceError> {
        let mut entries = Entries::default();
        slices.servers(self.port.as_deref(), &mut entries);
        updates.set(entries.finish(updates)?);
        Ok(())
    }

    /// The fields of each request. The token is read again, since it is replaced from time to time.
    async fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields = vec![("accept", "application/json".to_owned())];
        if let Some(token) = self.of_account("token").await {
            fields.push(("authorization", format!("Bearer {token}")));
        }
        fields
    }
}

enum Heard {
    Change,
    /// A bookmark, which has only a version.
    Version,
    Gone,
}

/// Takes one event of a watch.
fn event(line: &[u8], slices: &mut Slices, version: &mut String) -> Result<Heard, SourceError> {
    let wrong = |what: &str| SourceError::new(format!("an event of the watch cannot be read: {what}"));
    let values = values(line);
    if values > MOST_VALUES {
        return Err(wrong("it has too many values"));
    }
    let mut event: Value = serde_json::from_slice(line).map_err(|error| wrong(&error.to_string()))?;
    let object = event.get_mut("object").map(Value::take).ok_or_else(|| wrong("it has no object"))?;
    let kind = text(&event, &["type"]).ok_or_else(|| wrong("it has no type"))?;
    if kind == "ERROR" {
        if object.get("code").and_then(Value::as_u64) == Some(GONE.into()) {
            return Ok(Heard::Gone);
        }
        let said = text(&object, &["message"]).unwrap_or("it does not say why");
        return Err(SourceError::new(format!("the API server ends the watch: {said}")));
    }
    let newer = text(&object, &["metadata", "resourceVersion"]).map(str::to_owned);
    match kind {
        "ADDED" | "MODIFIED" => slices.put(object, (line.len(), values)).map_err(|why| wrong(&why))?,
        "DELETED" => slices.remove(&object),
        "BOOKMARK" => {
            *version = newer.ok_or_else(|| wrong("a bookmark has no version"))?;
            return Ok(Heard::Version);
        }
        other => return Err(wrong(&format!("its type is {:?}", crate::entries::clipped(other)))),
    }
    if let Some(newer) = newer {
        *version = newer;
    }
    Ok(Heard::Change)
}
