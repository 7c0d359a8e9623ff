//! Watches a prefix: all keys are read once, and then every change follows from the next revision on.
//!
//! | what happens | what follows |
//! | --- | --- |
//! | the stream breaks | another one, from the revision behind the last that was heard of; if that fails, too, the watch begins anew after a pause |
//! | the revision is compacted | all keys are read again |
//! | etcd has another identity, or a lower revision | it has lost its state: all keys are read again |

use super::{
    Etcd,
    client::Session,
    messages::{
        RangeRequest, RangeResponse, ResponseHeader, WatchCreateRequest, WatchRequest, WatchResponse,
        event::EventType,
    },
};
use crate::{bounds::LONGEST_ANSWER, entries::Entries, value};
use polywire_call::Status;
use polywire_client::Duplex;
use polywire_naming::{Source, SourceError, Updates, Watching};
use std::{collections::BTreeMap, time::Duration};
use tokio::time::{Instant, sleep_until};

/// The least time between two sets, so that keys which change all the time cost little.
const BETWEEN: Duration = Duration::from_millis(100);

impl Source for Etcd {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            loop {
                // Ends without an error when all keys have to be read again.
                self.list_and_watch(updates).await?;
            }
        })
    }
}

/// The known keys and their values.
struct Keys {
    values: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The length of all keys and values. One answer has a bound; many have this one.
    bytes: usize,
    cluster: u64,
    /// The store's revision of `values`.
    revision: i64,
}

/// The way in which the stream of a watch ended.
enum End {
    Broken(Status),
    /// The events that would follow are not there any more, or never will be.
    ListAgain,
}

impl Etcd {
    async fn list_and_watch(&self, updates: &Updates) -> Result<(), SourceError> {
        let began = Instant::now();
        let session = self.client.session().await.map_err(|status| self.client.failed(&status))?;
        let mut keys = self.list(&session).await.map_err(|status| self.client.failed(&status))?;
        keys.publish(updates)?;
        let mut session = Some(session);
        loop {
            let heard = keys.revision;
            let ended = match session.take() {
                Some(session) => self.follow(&session, &mut keys, updates).await?,
                None => match self.client.session().await {
                    Ok(session) => self.follow(&session, &mut keys, updates).await?,
                    Err(status) => End::Broken(status),
                },
            };
            match ended {
                End::ListAgain => {
                    sleep_until(began + BETWEEN).await; // a store that is compacted all the time
                    return Ok(());
                }
                End::Broken(status) => {
                    let why = self.client.failed(&status);
                    // A stream that has told nothing before it broke is no better than none.
                    if heard == keys.revision {
                        return Err(why);
                    }
                    updates.warn(why);
                }
            }
        }
    }

    async fn list(&self, session: &Session) -> Result<Keys, Status> {
        let request = RangeRequest { key: self.prefix.clone().into(), range_end: end(&self.prefix) };
        let answer: RangeResponse = session.call(("etcdserverpb.KV", "Range"), request).await?;
        let (cluster, revision) = (answer.header.cluster_id, answer.header.revision);
        let mut keys = Keys { values: BTreeMap::new(), bytes: 0, cluster, revision };
        answer.kvs.into_iter().for_each(|kv| keys.put(kv.key, kv.value));
        Ok(keys)
    }

    /// Follows the changes after `keys.revision` until the stream ends.
    async fn follow(
        &self,
        session: &Session,
        keys: &mut Keys,
        updates: &Updates,
    ) -> Result<End, SourceError> {
        let stream = session.open(("etcdserverpb.Watch", "Watch")).await;
        let mut stream: Duplex<WatchRequest, WatchResponse> = match stream {
            Ok(stream) => stream,
            Err(status) => return Ok(End::Broken(status)),
        };
        let create = WatchCreateRequest {
            key: self.prefix.clone().into(),
            range_end: end(&self.prefix),
            start_revision: keys.revision + 1,
        };
        if let Err(status) = stream.send(WatchRequest { create_request: create.into() }).await {
            return Ok(End::Broken(status));
        }
        loop {
            let answer = match stream.next().await {
                Some(Ok(answer)) => answer,
                Some(Err(status)) => return Ok(End::Broken(status)),
                None => return Ok(End::Broken(Status::unavailable("etcd has ended the watch"))),
            };
            if answer.compact_revision > 0 || keys.are_of_another_store(&answer.header) {
                return Ok(End::ListAgain);
            }
            if answer.canceled {
                return Err(SourceError::new(format!(
                    "etcd has canceled the watch: {}",
                    answer.cancel_reason
                )));
            }
            if keys.apply(answer) {
                let begun = Instant::now();
                keys.publish(updates)?;
                sleep_until(begun + BETWEEN).await;
            }
        }
    }
}

impl Keys {
    fn are_of_another_store(&self, header: &ResponseHeader) -> bool {
        header.cluster_id != self.cluster || header.revision < self.revision
    }

    /// Whether something has changed.
    fn apply(&mut self, answer: WatchResponse) -> bool {
        // While events of a revision may follow, the header names a later one: what counts is what was heard.
        let heard = answer.events.iter().map(|event| event.kv.mod_revision).max();
        if !answer.created {
            self.revision = self.revision.max(heard.unwrap_or(answer.header.revision));
        }
        let has_events = !answer.events.is_empty();
        for event in answer.events {
            let kv = event.kv.into_option().unwrap_or_default();
            match event.r#type.as_known() {
                Some(EventType::PUT) => self.put(kv.key, kv.value),
                Some(EventType::DELETE) => self.remove(&kv.key),
                None => {}
            }
        }
        has_events
    }

    fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.remove(&key);
        self.bytes += key.len() + value.len();
        self.values.insert(key, value);
    }

    fn remove(&mut self, key: &[u8]) {
        if let Some(value) = self.values.remove(key) {
            self.bytes -= key.len() + value.len();
        }
    }

    fn publish(&self, updates: &Updates) -> Result<(), SourceError> {
        if self.bytes > LONGEST_ANSWER as usize {
            return Err(SourceError::new("the keys below the prefix and their values are too long"));
        }
        let mut entries = Entries::default();
        self.values.values().for_each(|text| entries.add(value::parse(text).map(Some)));
        updates.set(entries.finish(updates)?);
        Ok(())
    }
}

/// The first key after all that begin with `prefix`. A prefix ends with a slash, which has a successor byte.
fn end(prefix: &str) -> Vec<u8> {
    let mut end = prefix.as_bytes().to_vec();
    *end.last_mut().expect("a prefix ends with a slash") += 1;
    end
}
