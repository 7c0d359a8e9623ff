//! The order of the methods of a cluster, for protocols that say a method's number.

use super::{
    cluster::Cluster,
    document::Table,
    listener::{Listener, addressing},
    schemas::Source,
};
use polywire::{
    Channel,
    gateway::{self, are_plain_names},
};
use polywire_formats::foreign::is_thrift;
use polywire_wire::{Addressing, HashOfNames};
use std::collections::HashMap;

/// The key `methods`: services, and their methods in the order of their definitions.
#[derive(Default)]
pub struct Numbers(Vec<(String, Vec<String>)>);

impl Numbers {
    pub fn read(table: &Table<'_>) -> Numbers {
        let mut lists = Vec::new();
        for (service, methods) in table.lists("methods") {
            let mut listed: Vec<String> = Vec::new();
            if !are_plain_names(&service.value, "_") {
                let text = format!("{:?} is no service: write {EXAMPLE}", service.value);
                table.wrong(service.at, "methods", text);
            } else if methods.is_empty() {
                table.wrong(service.at, "methods", format_args!("the list of {} is empty", service.value));
            }
            for method in methods {
                if !are_plain_names("_", &method.value) {
                    let text = format!("{:?} is no method: write {EXAMPLE}", method.value);
                    table.wrong(method.at, "methods", text);
                } else if listed.contains(&method.value) {
                    table.wrong(method.at, "methods", format_args!("{} is there twice", method.value));
                }
                listed.push(method.value);
            }
            lists.push((service.value, listed));
        }
        if lists.is_empty() && table.has("methods") && table.is_well() {
            let text = format!("no service is here: write {EXAMPLE}");
            table.wrong(table.at_key("methods"), "methods", text);
        }
        Numbers(lists)
    }

    /// Checks that schemas in files do not say something else, and that there is either for servers that need
    /// it.
    pub fn check(&self, table: &Table<'_>, source: Option<&Source>, channel: &Channel) {
        if let Some(Source::Files(known)) = source {
            let listed = self.0.iter().flat_map(|(service, methods)| {
                (0..).zip(methods).map(move |(number, method)| (&**service, &**method, number))
            });
            for (service, method, number) in listed {
                let other = known.position((service, method)).ok().filter(|other| *other != number);
                if let Some(other) = other {
                    let text =
                        format!("{service}/{method} is number {number} here, and {other} in `schemas`");
                    table.wrong(table.at_key("methods"), "methods", text);
                }
            }
        }
        if let Some(hash) = channel.hash() {
            return self.check_hashes(table, hash, channel);
        }
        if channel.addressing().is_by_position() && source.is_none() && self.is_empty() && table.is_well() {
            let text = format!(
                "calls over {} say a method's number: write `schemas`, or the methods in the order of the .proto \
                 file, {EXAMPLE}",
                channel.protocol()
            );
            table.missing("methods", &text);
        }
    }

    /// Checks that the functions are there whose hashes requests say, and that these tell them apart.
    fn check_hashes(&self, table: &Table<'_>, hash: HashOfNames, channel: &Channel) {
        let (protocol, mut known) = (channel.protocol(), HashMap::new());
        for (service, methods) in &self.0 {
            for method in methods {
                let number = hash(service, method);
                if let Some((other, its)) = known.insert(number, (service, method)) {
                    let text = format!("{other}/{its} and {service}/{method} have the same number, {number}");
                    table.wrong(table.at_key("methods"), "methods", text);
                }
            }
        }
        if self.is_empty() && table.is_well() {
            let text = format!(
                "calls over {protocol} say a hash of a function's name: write the functions that are called, methods = {{ \"{protocol}\" = [\"add\"], \"space\" = [\"mul\"] }} for add and space::mul"
            );
            table.missing("methods", &text);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn add_to(&self, cluster: gateway::Cluster) -> gateway::Cluster {
        self.0.iter().fold(cluster, |cluster, (service, methods)| {
            cluster.methods(service, methods).expect("`read` has checked them")
        })
    }
}

/// Checks that the service of servers is said where calls name none, and only there and for Thrift, which may
/// have none.
pub fn check_service(table: &Table<'_>, said: Option<&str>, channel: &Channel) {
    if is_thrift(channel.content()) {
        return;
    }
    if said == Some("") {
        table.wrong(table.at_key("service"), "service", "is empty: write shop.Stock");
    }
    match channel.addressing() == Addressing::PositionAlone {
        true if said.is_none() && table.is_well() => {
            let text = format!(
                "calls over {} name no service, so the one of its servers is said here: \"shop.Stock\"",
                channel.protocol()
            );
            table.missing("service", &text);
        }
        false if said.is_some() => {
            let text = "it changes nothing: calls to these servers name their service";
            table.warn(table.at_key("service"), "service", text);
        }
        _ => {}
    }
}

/// Clusters of a route that callers of a listener do not reach, since these say a method's number and it is
/// not known which method that is; each with a protocol of such callers.
pub fn unknown<'c>(
    listeners: &[&'c Listener],
    to: impl Iterator<Item = &'c Cluster>,
) -> Vec<(&'c Cluster, &'c str)> {
    let mut spoken = listeners.iter().flat_map(|listener| &listener.settings.protocols);
    let Some(protocol) = spoken.find(|name| is_by_number(name)) else { return Vec::new() };
    let lacking = to.filter(|cluster| cluster.source.is_none() && cluster.numbers.is_empty());
    lacking.map(|cluster| (cluster, &**protocol)).collect()
}

/// Whether calls of a protocol say a method's number in place of its name.
pub fn is_by_number(protocol: &str) -> bool {
    addressing(protocol).is_some_and(Addressing::is_by_position)
}

const EXAMPLE: &str = "methods = { \"shop.Stock\" = [\"Get\", \"List\"] }";
