//! Requests the list of instances at intervals, as brpc does.

use super::Nacos;
use crate::{entries::Entries, hosts::address, http::text};
use polywire_naming::{Server, Source, SourceError, Updates, Watching};
use serde_json::{Value, value::RawValue};
use std::{collections::BTreeMap, time::Duration};

const LIST: &str = "/nacos/v1/ns/instance/list";
/// The time between two lists, unless `cacheMillis` of the answer sets another: brpc's `ns_access_interval`.
const EVERY: Duration = Duration::from_secs(5);
const SHORTEST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(60);

impl Source for Nacos {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            loop {
                let (servers, every) = self.list(updates).await?;
                updates.set(servers);
                updates.wanted_or(every).await;
            }
        })
    }
}

impl Nacos {
    async fn list(&self, updates: &Updates) -> Result<(Vec<Server>, Duration), SourceError> {
        let answer = self.client.send("GET", LIST, &self.query).await?;
        let wrong = |what: &str| SourceError::new(format!("the answer is not a list of instances: {what}"));
        let members: BTreeMap<String, &RawValue> =
            serde_json::from_slice(&answer.body).map_err(|error| wrong(&error.to_string()))?;
        let hosts = members.get("hosts").ok_or_else(|| wrong("it has no hosts"))?;
        let hosts: Vec<&RawValue> =
            serde_json::from_str(hosts.get()).map_err(|error| wrong(&error.to_string()))?;
        let every = members.get("cacheMillis").and_then(|millis| millis.get().parse().ok());
        let every =
            every.filter(|millis| *millis > 0).map_or(EVERY, Duration::from_millis).clamp(SHORTEST, LONGEST);
        let mut entries = Entries::default();
        hosts.into_iter().for_each(|host| entries.add(instance(host)));
        Ok((entries.finish(updates)?, every))
    }
}

/// The server of one element; none if it is disabled or not healthy.
fn instance(element: &RawValue) -> Result<Option<Server>, String> {
    let value: Value = serde_json::from_str(element.get()).map_err(|error| error.to_string())?;
    let (Some(ip), Some(port)) = (text(&value, &["ip"]), value.get("port").and_then(Value::as_u64)) else {
        return Err("an instance has no ip or no port".to_owned());
    };
    let is = |name| {
        value
            .get(name)
            .and_then(Value::as_bool)
            .ok_or_else(|| format!("an instance does not say whether it is {name}"))
    };
    if !is("enabled")? || !is("healthy")? {
        return Ok(None);
    }
    let mut server = Server::new(address(ip, port)?);
    // brpc: the whole part of the weight is the tag.
    if let Some(weight) = value.get("weight").and_then(Value::as_f64) {
        let weight = weight.clamp(0.0, f64::from(u32::MAX)) as u32;
        server = server.tag(weight.to_string());
        if weight > 0 {
            server = server.weight(weight);
        }
    }
    for (name, value) in value.get("metadata").and_then(Value::as_object).into_iter().flatten() {
        match (name.as_str(), value.as_str()) {
            ("zone", Some(zone)) => server = server.zone(zone),
            (_, Some(value)) => server = server.metadata(name, value),
            (_, None) => {}
        }
    }
    Ok(Some(server))
}
