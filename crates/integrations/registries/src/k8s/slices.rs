//! The known EndpointSlices of a service.

use crate::{
    bounds::{LONGEST_ANSWER, MOST_VALUES},
    entries::Entries,
    hosts::address,
    http::text,
};
use polywire_naming::Server;
use serde_json::Value;
use std::collections::BTreeMap;

/// The slices by their names. An address may be in several of them briefly, when endpoints move.
#[derive(Default)]
pub(super) struct Slices {
    /// The slices by name, with their sizes.
    by_name: BTreeMap<String, (Value, Size)>,
    /// The sums of the sizes.
    bytes: usize,
    values: usize,
}

/// The length of a received slice, and its number of values.
type Size = (usize, usize);

impl Slices {
    /// A slice was added or has changed.
    pub fn put(&mut self, slice: Value, size: Size) -> Result<(), String> {
        let name = text(&slice, &["metadata", "name"]).ok_or("an EndpointSlice has no name")?.to_owned();
        (self.bytes, self.values) = (self.bytes + size.0, self.values + size.1);
        if let Some((_, before)) = self.by_name.insert(name, (slice, size)) {
            (self.bytes, self.values) = (self.bytes - before.0, self.values - before.1);
        }
        // One answer has a bound; many events have this one.
        match self.bytes > LONGEST_ANSWER as usize || self.values > MOST_VALUES {
            true => Err("the EndpointSlices are too long".to_owned()),
            false => Ok(()),
        }
    }

    pub fn remove(&mut self, slice: &Value) {
        if let Some(name) = text(slice, &["metadata", "name"]) {
            let (bytes, values) = self.by_name.remove(name).map_or((0, 0), |(_, size)| size);
            (self.bytes, self.values) = (self.bytes - bytes, self.values - values);
        }
    }

    /// Adds the servers of all slices. `port`: the name or the number of the port.
    pub fn servers(&self, port: Option<&str>, entries: &mut Entries) {
        for (slice, _) in self.by_name.values() {
            let Some(endpoints) = slice.get("endpoints").and_then(Value::as_array) else { continue };
            let Some(number) = port_of(slice, port) else {
                if !endpoints.is_empty() {
                    entries.add(Err(match port {
                        Some(port) => format!("an EndpointSlice has no port {port:?}"),
                        None => "an EndpointSlice has no port".to_owned(),
                    }));
                }
                continue;
            };
            endpoints.iter().for_each(|endpoint| entries.add(server(endpoint, number)));
        }
    }
}

fn port_of(slice: &Value, wanted: Option<&str>) -> Option<u64> {
    let ports = slice.get("ports")?.as_array()?;
    let port = match wanted {
        None => ports.first(),
        Some(wanted) => ports.iter().find(|port| {
            let number = port.get("port").and_then(Value::as_u64);
            port.get("name").and_then(Value::as_str) == Some(wanted)
                || number.is_some_and(|n| n.to_string() == wanted)
        }),
    };
    port?.get("port")?.as_u64()
}

/// The server of an endpoint; none if it is not ready.
fn server(endpoint: &Value, port: u64) -> Result<Option<Server>, String> {
    // "ready": "a nil value should be interpreted as true".
    let ready =
        endpoint.get("conditions").and_then(|conditions| conditions.get("ready")).and_then(Value::as_bool);
    if ready == Some(false) {
        return Ok(None);
    }
    // "addresses": "consumers must handle … the first only".
    let host = endpoint.get("addresses").and_then(|addresses| addresses.get(0)?.as_str());
    let mut server = Server::new(address(host.ok_or("an endpoint has no address")?, port)?);
    if let Some(zone) = text(endpoint, &["zone"]) {
        server = server.zone(zone);
    }
    if let Some(node) = text(endpoint, &["nodeName"]) {
        server = server.metadata("node", node);
    }
    Ok(Some(server))
}
