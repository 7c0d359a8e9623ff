//! Watches a service by blocking queries: Consul answers when the index of the service has grown, or after a
//! minute.
//!
//! "Blocking Queries", "Implementation Details": the index must be reset to 0 when it goes backwards, which
//! happens when the agent or its servers have lost their state; an index of 0 is a bug and is read as 1; the
//! rate of queries has to be limited.

use super::Consul;
use crate::{
    entries::Entries,
    hosts::address,
    http::{at, elements, text},
};
use polywire_naming::{Server, Source, SourceError, Updates, Watching};
use serde_json::{Value, value::RawValue};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// How long Consul may hold a query: brpc's `consul_blocking_query_wait_secs`.
const WAIT: Duration = Duration::from_secs(60);
/// The additional time for an answer: Consul adds up to a sixteenth of the wait, and the network takes time.
const GRACE: Duration = Duration::from_secs(10);
/// The least time between two queries, for a service that changes all the time.
const BETWEEN: Duration = Duration::from_millis(100);

impl Source for Consul {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            let mut index = 0; // of the last answer; 0: ask for an answer at once
            loop {
                let begun = Instant::now();
                let (newer, servers) = self.query(index, updates).await?;
                if let Some(servers) = servers {
                    updates.set(servers);
                }
                // Reset when it goes backwards.
                index = if newer < index { 0 } else { newer };
                sleep_until(begun + BETWEEN).await;
            }
        })
    }
}

impl Consul {
    /// The index of the answer, and the servers if it has grown.
    async fn query(&self, index: u64, updates: &Updates) -> Result<(u64, Option<Vec<Server>>), SourceError> {
        let mut path = format!("/v1/health/service/{}?{}", self.service, self.query);
        if index > 0 {
            path.push_str(&format!("&index={index}&wait={}s", WAIT.as_secs()));
        }
        let answer = self.http.get(&path, &self.fields(), WAIT + GRACE).await?;
        let newer = answer.fields.get_str("x-consul-index").and_then(|text| text.parse::<u64>().ok());
        let newer = newer
            .ok_or_else(|| SourceError::new("the answer has no X-Consul-Index: is this Consul?"))?
            .max(1);
        if newer == index {
            return Ok((newer, None));
        }
        let mut entries = Entries::default();
        elements(&answer.body)?.into_iter().for_each(|element| entries.add(entry(element).map(Some)));
        Ok((newer, Some(entries.finish(updates)?)))
    }
}

/// The server of one element. brpc reads `Service.Address`, `Service.Port` and the first of `Service.Tags`.
fn entry(element: &RawValue) -> Result<Server, String> {
    let value: Value = serde_json::from_str(element.get()).map_err(|error| error.to_string())?;
    // "Address": "If this is empty, then the node's address is used".
    let host = text(&value, &["Service", "Address"]).or_else(|| text(&value, &["Node", "Address"]));
    let port = at(&value, &["Service", "Port"]).and_then(Value::as_u64);
    let (Some(host), Some(port)) = (host, port) else {
        return Err("an entry has no Service.Address or no Service.Port".to_owned());
    };
    let mut server = Server::new(address(host, port)?);
    if let Some(tag) = at(&value, &["Service", "Tags"]).and_then(|tags| tags.get(0)?.as_str()) {
        server = server.tag(tag);
    }
    // 1 is what Consul says of a service that was given no weight: then the tag may say it.
    let weight = at(&value, &["Service", "Weights", "Passing"]).and_then(Value::as_u64);
    if let Some(weight) = weight.and_then(|weight| u32::try_from(weight).ok()).filter(|weight| *weight != 1) {
        server = server.weight(weight);
    }
    let zone = [
        &["Service", "Meta", "zone"][..],
        &["Node", "Meta", "zone"],
        &["Service", "Locality", "Zone"],
        &["Node", "Datacenter"],
    ];
    if let Some(zone) = zone.iter().find_map(|path| text(&value, path)) {
        server = server.zone(zone);
    }
    for (name, value) in at(&value, &["Service", "Meta"]).and_then(Value::as_object).into_iter().flatten() {
        if let Some(value) = value.as_str().filter(|_| name != "zone") {
            server = server.metadata(name, value);
        }
    }
    Ok(server)
}
