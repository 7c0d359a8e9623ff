//! What a file says, checked: listeners, clusters with their channels, routes.
//!
//! A plan does not change. Reloading makes a new one beside it, which takes over the channels of clusters
//! whose settings are the same, and what rates and limits have counted and measured.

use super::{
    access_log,
    admin::Admin,
    bounds,
    cluster::Cluster,
    document::{Document, Place, Placed, Table},
    fault::Fault,
    hand_over, headers,
    in_use::InUse,
    listener::Listener,
    numbers, own, rate, reach,
    record::Record,
    schemas::Source,
    shadow::Shadow,
    tries::Tries,
    when::When,
};
use polywire::{
    Bounds, ConfigError, DumpRecorder, Metadata,
    gateway::{self, Calls, FieldChanges, Figures, Mismatch, Routes, Split},
    overload::{Concurrency, Limiter, Rates},
};
use polywire_base::{murmur3_32, nearest};
use std::{collections::HashMap, path::PathBuf, sync::Arc};

pub struct Plan {
    /// Of each listener; the memory is that of all together, and of the replies of the clusters. Plans that
    /// follow each other have the same.
    pub bounds: Bounds,
    pub listeners: Vec<Listener>,
    pub clusters: Vec<Cluster>,
    pub routes: Vec<Route>,
    pub admin: Option<Admin>,
    pub access_log: Option<access_log::Settings>,
    /// Where the next process takes the listening sockets over.
    pub hand_over: Option<PathBuf>,
    /// What is right in the file, but perhaps not meant, a line each.
    pub warnings: Vec<String>,
    /// Of the text of the file; empty without one.
    pub hash: String,
}

pub struct Route {
    pub place: Place,
    /// Their names as they were written. What is printed has these alone: the value of a field may be a
    /// secret.
    pub names: String,
    pub calls: Calls,
    /// The names of those whose calls it takes; `None`: of all.
    pub listeners: Option<Vec<String>>,
    pub to: To,
    /// How often each caller may call by it.
    pub rate: Option<Rates>,
    /// How many calls by it may be under way.
    pub limit: Option<Arc<Limiter>>,
    /// How long they may take, and how often they are tried.
    pub tries: Tries,
    /// What it changes of their fields.
    pub changes: Option<FieldChanges>,
    /// What it does to some of them, to see what callers do about it.
    pub fault: Option<Fault>,
    /// Who gets copies of its calls.
    pub shadow: Option<Shadow>,
}

impl Route {
    /// Whether it takes calls of a listener.
    pub fn is_of(&self, listener: &str) -> bool {
        self.listeners.as_ref().is_none_or(|names| names.iter().any(|name| name == listener))
    }
}

/// The clusters of a route, which share its calls.
#[derive(Clone, Default)]
pub struct To {
    /// Indices of clusters, with their weights.
    pub clusters: Vec<(usize, u32)>,
    /// The field whose value decides which of them a call goes to.
    pub by: Option<String>,
}

impl To {
    pub fn one(cluster: usize) -> To {
        To { clusters: vec![(cluster, 1)], by: None }
    }

    pub fn sum(&self) -> u64 {
        self.clusters.iter().map(|(_, weight)| u64::from(*weight)).sum()
    }

    /// # Errors
    /// There are too many; no cluster would get a call.
    fn split(
        &self,
        clusters: &[(&Cluster, gateway::Cluster)],
        (route, figures): (&str, &Figures),
    ) -> Result<Split, ConfigError> {
        let part = |split: Split, (k, weight): &(usize, u32)| {
            let (cluster, behind) = &clusters[*k];
            let way = figures.way(route, &cluster.name, cluster.channel.protocol());
            split.part(*weight, behind.clone().counted(&way))
        };
        let split = self.clusters.iter().try_fold(Split::new(), part)?;
        self.by.iter().try_fold(split, |split, by| split.by(by))
    }
}

impl Plan {
    /// Reads a file. `before`: the plan that is in use.
    ///
    /// # Errors
    /// All mistakes in it, each a line with its place.
    pub fn read(name: &str, text: &str, before: Option<&Plan>) -> Result<Plan, Vec<String>> {
        let document = Document::new(name, text);
        let entries = document.parse()?;
        let file = Table::whole(&document, &entries);
        let of_listeners = file.named("listeners");
        if of_listeners.is_empty() && file.is_well() {
            file.missing("listeners", "write [listeners.NAME] with an address in `listen`");
        }
        let (mut taken, old) = (Vec::new(), before.map_or(&[][..], |before| &before.listeners));
        let mut folders = Vec::new();
        let read = |(name, table): &(String, Table<'_>)| {
            let listener = Listener::read(name, table, &document, &mut taken, old);
            check_folder(listener.settings.record.as_ref(), &mut folders, (table, "record"));
            listener
        };
        let listeners: Vec<_> = of_listeners.iter().map(read).collect();
        let admin = file.table("admin").map(|table| Admin::read(&table, &document, &mut taken));
        let hand_over = hand_over::read(&file);
        let access_log = file.table("access_log").and_then(|table| access_log::Settings::read(&table));
        let bounds = before.map_or_else(|| Bounds::default().shared_memory(), |plan| plan.bounds.clone());
        let clusters: Vec<_> = file
            .named("clusters")
            .iter()
            .map(|(name, table)| {
                let before =
                    before.and_then(|plan| plan.clusters.iter().find(|cluster| cluster.name == *name));
                let cluster = Cluster::read(name, table, document.place(table.at()), before, &bounds);
                let servers = cluster.iter().map(Cluster::servers);
                servers.for_each(|servers| own::check(table, servers, &taken, &document));
                (name.clone(), table.at(), cluster)
            })
            .collect();
        let mut routes: Vec<Route> = Vec::new();
        let old = || before.into_iter().flat_map(|plan| &plan.routes);
        let mut rates = InUse::of(old().filter_map(|route| Some((&*route.names, route.rate.as_ref()?))));
        let mut limits = InUse::of(old().filter_map(|route| Some((&*route.names, route.limit.as_ref()?))));
        let mut tables = file.tables("routes");
        if tables.is_empty() && file.is_well() {
            let text = "without routes every call is refused; write [[routes]] with `match` and `to`";
            file.missing("routes", text);
        }
        if let Some(further) = tables.get(Routes::MOST) {
            file.wrong(further.at(), "routes", format_args!("at most {} of them", Routes::MOST));
            tables.truncate(Routes::MOST);
        }
        for table in &tables {
            let shares = table.shares("to");
            let by = table.text("by");
            let named = own_listeners(table, &listeners);
            let calls = calls(table);
            let names = calls.as_ref().map(|(names, _)| names);
            let rate = rate::read(table).map(|rate| rates.take(names, |old| *old == rate).unwrap_or(rate));
            let limit = bounds::concurrency(table).filter(|most| *most != Concurrency::Unlimited);
            let limit = limit.map(|most| {
                let old = limits.take(names, |old: &Arc<Limiter>| old.setting() == most);
                old.unwrap_or_else(|| Limiter::new(most))
            });
            let find = |table: &Table<'_>, key, name: &Placed<String>| {
                cluster_named(name, &clusters, key, table, &document)
            };
            let names = names.map(|names| &**names);
            let (tries, changes, fault) =
                (Tries::read(table, names), headers::read(table), Fault::read(table));
            let shadow = Shadow::read(table, names, find);
            let record = shadow.as_ref().and_then(|shadow| shadow.record.as_ref());
            check_folder(record, &mut folders, (table, "shadow"));
            table.finish();
            if !table.has("to") {
                table.missing("to", "the name of a cluster, or { NAME = WEIGHT, ... }");
            }
            if shares.len() > Split::MOST {
                table.wrong(table.at_key("to"), "to", format_args!("at most {} clusters", Split::MOST));
            } else if table.has("to") && table.is_well() && shares.iter().all(|(_, weight)| *weight == 0) {
                table.wrong(table.at_key("to"), "to", "no cluster has a weight above 0");
            }
            if let Some(by) = &by {
                if let Err(wrong) = Split::new().by(&by.value) {
                    table.wrong(by.at, "by", wrong);
                } else if shares.len() < 2 && table.is_well() {
                    table.wrong(by.at, "by", "only several clusters in `to` share calls");
                }
            }
            let find = |(name, weight): &(Placed<String>, u32)| Some((find(table, "to", name)?, *weight));
            // With a mistake in it the route may still hide others.
            let to = To { clusters: shares.iter().filter_map(find).collect(), by: by.map(|by| by.value) };
            let Some((names, calls)) = calls else { continue };
            let place = document.place(table.at());
            let route = Route {
                place,
                names,
                calls,
                listeners: named,
                to,
                rate,
                limit,
                tries,
                changes,
                fault,
                shadow,
            };
            let own: Vec<_> = listeners.iter().filter(|listener| route.is_of(&listener.name)).collect();
            let led_to = || route.to.clusters.iter().filter_map(|(k, _)| clusters[*k].2.as_ref());
            for (cluster, protocol) in reach::untranslated(&own, led_to()) {
                let text = format!(
                    "{} has no `schemas`: calls over {protocol} are refused, whose messages would be translated",
                    cluster.name
                );
                table.warn(table.at_key("to"), "to", text);
            }
            for cluster in reach::unreached(&own, led_to()) {
                let text = format!(
                    "{} speaks {}: no caller of these listeners reaches it, as their messages have no form there",
                    cluster.name,
                    cluster.channel.protocol()
                );
                table.warn(table.at_key("to"), "to", text);
            }
            for cluster in led_to().filter(|cluster| !has_some(&route, cluster)) {
                let text = format!(
                    "no file of `schemas` of {} has {}: calls to it go on unread, or are refused where they would be translated",
                    cluster.name, route.names
                );
                table.warn(table.at_key("match"), "match", text);
            }
            if route.tries.lacks_idempotent() && !led_to().any(Cluster::may_know_idempotent) {
                let text = "only methods in `idempotent`, and those whose schema says `idempotency_level`, are tried again after an answer, and none is there";
                table.wrong(table.at_key("retry_on"), "retry_on", text);
            }
            for (cluster, protocol) in numbers::unknown(&own, led_to()) {
                let text = format!(
                    "{} has neither `schemas` nor `methods`: calls over {protocol}, which say a method's number, do not go there",
                    cluster.name
                );
                table.warn(table.at_key("to"), "to", text);
            }
            if route.calls.asks_for_callers() && !own.iter().any(|listener| listener.settings.knows_callers())
            {
                let text = "no listener of this route knows its callers: it takes no call";
                table.warn(table.at_key("when"), "when.caller", text);
            }
            let hides = |earlier: &&Route| {
                earlier.calls.covers(&route.calls) && own.iter().all(|listener| earlier.is_of(&listener.name))
            };
            let names = &route.names;
            if let Some(earlier) = routes.iter().find(hides) {
                let text = format!("{names} is never reached: line {} takes its calls", earlier.place.line);
                table.wrong(table.at_key("match"), "match", text);
            }
            if let Some(method) = method_named(&route, &clusters) {
                let text = format!("{names} is a method and no service: write {method}");
                table.wrong(table.at_key("match"), "match", text);
            }
            routes.push(route);
        }
        for (name, table) in of_listeners.iter().filter(|_| !routes.is_empty()) {
            if routes.iter().all(|route| !route.is_of(name)) {
                table.warn(table.at(), "listen", "no route is of this listener: every call is refused");
            }
        }
        file.finish();
        document.finish()?;
        for (k, (name, at, cluster)) in clusters.iter().enumerate() {
            let leads_here = |route: &&Route| route.to.clusters.iter().any(|(to, _)| *to == k);
            let hedged = |route: &Route| route.tries.may_any_run_twice();
            let hedges = cluster
                .as_ref()
                .is_some_and(|cluster| cluster.failing().hedges() && !cluster.may_know_idempotent());
            if hedges && !routes.iter().filter(leads_here).any(hedged) {
                let text = "nothing is sent a second time: no route that leads here has `idempotent`";
                file.warn(*at, &format!("clusters.{name}.hedge"), text);
            }
        }
        let clusters = clusters.into_iter().map(|(.., cluster)| cluster.expect("no mistake was found"));
        let hash = format!("{:08x}", murmur3_32(text.as_bytes(), 0));
        let (clusters, warnings) = (clusters.collect(), document.warnings());
        Ok(Plan { bounds, listeners, clusters, routes, admin, access_log, hand_over, warnings, hash })
    }

    /// The routes for a relay. Their calls are counted there, and recorded if that has begun.
    ///
    /// # Errors
    /// There are too many, of them or of clusters of one.
    pub fn table(&self, figures: &Figures) -> Result<Routes, ConfigError> {
        // Each made once: routes know by that which of them lead to the same servers.
        let behind: Vec<_> = self.clusters.iter().map(|cluster| (cluster, cluster.behind())).collect();
        self.labelled().try_fold(Routes::new(), |routes, (name, route)| {
            let split = route.to.split(&behind, (&name, figures))?;
            let routes = routes.split(route.calls.clone(), split)?;
            let routes = route.rate.iter().cloned().fold(routes, Routes::rate);
            let routes = route.limit.iter().fold(routes, Routes::limited);
            let routes = route.tries.add_to(routes)?;
            let routes = route.changes.iter().cloned().fold(routes, Routes::fields);
            let routes = route.fault.iter().fold(routes, |routes, fault| fault.add_to(routes));
            route.shadow.iter().try_fold(routes, |routes, shadow| {
                routes.shadow(shadow.copies(&self.clusters, (&name, figures))?)
            })
        })
    }

    /// Those of the routes that a listener has.
    pub fn routes_of(&self, listener: &str, routes: &Routes) -> Routes {
        routes.only(|number| self.routes[number].is_of(listener))
    }

    fn shadows(&self) -> impl Iterator<Item = &Shadow> {
        self.routes.iter().filter_map(|route| route.shadow.as_ref())
    }

    /// Begins to write requests of shadows; those of the plan before go on.
    ///
    /// # Errors
    /// A folder cannot be used.
    pub fn begin_records(&self, before: Option<&Plan>) -> Result<(), String> {
        let old = || before.into_iter().flat_map(Plan::shadows);
        self.shadows().try_for_each(|shadow| shadow.begin_record(old()))
    }

    /// What writes requests of shadows, each with a name of its own.
    pub fn records(&self) -> impl Iterator<Item = (String, Arc<DumpRecorder>)> {
        self.labelled().filter_map(|(name, route)| {
            let recorder = route.shadow.as_ref()?.recorder()?;
            Some((format!("shadow of {name}"), recorder.clone()))
        })
    }

    /// Writes what is to be written of them, at the end of the program.
    pub fn flush_records(&self) {
        self.shadows().for_each(Shadow::flush_record);
    }

    /// The routes, each with a name of its own: that of its calls, and a number if an earlier one has that.
    pub fn labelled(&self) -> impl Iterator<Item = (String, &Route)> {
        let mut known = HashMap::new();
        self.routes.iter().map(move |route| {
            let number = known.entry(&*route.names).and_modify(|number| *number += 1).or_insert(1);
            let name = if *number == 1 { route.names.clone() } else { format!("{} #{number}", route.names) };
            (name, route)
        })
    }

    /// Whether a policy or a rate refuses nobody.
    pub fn has_dry_runs(&self) -> bool {
        let is_dry = |rate: &Option<Rates>| rate.as_ref().is_some_and(Rates::is_dry_run);
        let mut listeners = self.listeners.iter().map(|listener| &listener.settings);
        listeners.any(|one| one.policy.as_ref().is_some_and(|policy| policy.dry_run) || is_dry(&one.rate))
            || self.routes.iter().any(|route| is_dry(&route.rate))
    }

    /// The numbers of listeners, clusters and routes, in one line.
    pub fn summary(&self) -> String {
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let (routes, clusters) = (self.routes.len(), self.clusters.len());
        format!(
            "{}, {}, {}",
            count(self.listeners.len(), "listener"),
            count(clusters, "cluster"),
            count(routes, "route")
        )
    }
}

/// Notes that two write records to the same folder, whose files the second would remove.
fn check_folder(record: Option<&Record>, folders: &mut Vec<PathBuf>, (table, key): (&Table<'_>, &str)) {
    let Some(Record { folder, .. }) = record else { return };
    if folders.contains(folder) {
        let text = "the folder is that of another `record`, whose files would be removed";
        table.wrong(table.at_key(key), key, text);
    }
    folders.push(folder.clone());
}

/// The cluster that is named at a key. `None`: there is none, which is a mistake.
fn cluster_named(
    name: &Placed<String>,
    clusters: &[(String, usize, Option<Cluster>)],
    key: &str,
    table: &Table<'_>,
    document: &Document<'_>,
) -> Option<usize> {
    let found = clusters.iter().position(|(known, ..)| *known == name.value);
    if found.is_none() {
        let near = nearest(&name.value, clusters.iter().map(|(name, ..)| &**name));
        let advice = near.map(|near| {
            let (_, at, _) = clusters.iter().find(|(name, ..)| name == near).expect("one of them");
            format!("; did you mean {near:?} (line {})?", document.place(*at).line)
        });
        let text = format!("no cluster {:?}{}", name.value, advice.unwrap_or_default());
        table.wrong(name.at, key, text);
    }
    found
}

/// The listeners whose calls a route takes; `None`: all.
fn own_listeners(table: &Table<'_>, known: &[Listener]) -> Option<Vec<String>> {
    let named = table.texts("listeners")?;
    if named.is_empty() && table.is_well() {
        table.wrong(table.at_key("listeners"), "listeners", "an empty list takes no call");
    }
    for name in named.iter().filter(|name| known.iter().all(|listener| listener.name != name.value)) {
        let near = nearest(&name.value, known.iter().map(|listener| &*listener.name));
        let advice = near.map(|near| format!("; did you mean {near:?}?"));
        let text = format!("no listener {:?}{}", name.value, advice.unwrap_or_default());
        table.wrong(name.at, "listeners", text);
    }
    Some(named.into_iter().map(|name| name.value).collect())
}

/// A method that is written with a dot, with a slash, if files of a cluster of the route have it.
fn method_named(route: &Route, clusters: &[(String, usize, Option<Cluster>)]) -> Option<String> {
    let names = &route.names;
    let (service, method) = names.rsplit_once('.').filter(|_| !names.contains(['/', '*']))?;
    let of = route.to.clusters.iter().filter_map(|(k, _)| clusters[*k].2.as_ref()?.source.as_ref());
    let mut files = of.filter(|source| matches!(source, Source::Files(_))).map(Source::schemas);
    files.any(|known| known.knows(service, method)).then(|| format!("{service}/{method}"))
}

/// Whether files of a cluster have some method of a route; true if they are not all that is known of it. What
/// servers of gRPC have beside their services is in nobody's files.
fn has_some(route: &Route, cluster: &Cluster) -> bool {
    let Some(Source::Files(schemas)) = &cluster.source else { return true };
    let is_meant =
        |called: (&str, &str)| route.calls.mismatch(called, &Metadata::new(), None) != Some(Mismatch::Names);
    let mut has = route.names.starts_with("grpc.");
    schemas.visit(|method| {
        let short = method.service.rsplit('.').next().unwrap_or_default();
        has = has || is_meant((method.service, method.method)) || is_meant((short, method.method));
    });
    has
}

/// Which calls a route is for: their names, and what they are.
fn calls(table: &Table<'_>) -> Option<(String, Calls)> {
    let names = table.text("match");
    let when = When::read(table);
    let Some(names) = names else {
        if !table.has("match") {
            table.missing("match", "a method, a service, the beginning of a name with a star, or \"*\"");
        }
        return None;
    };
    let calls = names.value.parse::<Calls>().map_err(|wrong| table.wrong(names.at, "match", wrong)).ok()?;
    let calls = when?.add_to(calls, table)?;
    Some((names.value, calls))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_cluster_with_the_same_settings_keeps_its_channel() {
        let plan = |routes: &str, timeout: &str, before| {
            let text = format!(
                "[listeners.main]\nlisten = \"127.0.0.1:0\"\n\
                 [clusters.a]\nprotocol = \"grpc\"\nservers = \"127.0.0.1:1\"\n\
                 [clusters.b]\nprotocol = \"grpc\"\nservers = \"127.0.0.1:1\"\n{timeout}\n\
                 [[routes]]\nmatch = \"{routes}\"\nto = \"b\"\n"
            );
            Plan::read("f", &text, before).unwrap_or_else(|wrong| panic!("{wrong:?}"))
        };
        let first = plan("a.*", "", None);
        let then = plan("*", "timeout = \"3s\"", Some(&first));
        // The address lies in what the clones of a channel share.
        let address = |plan: &Plan, k: usize| plan.clusters[k].channel.address().as_ptr();
        assert_eq!(address(&first, 0), address(&then, 0));
        assert_ne!(address(&first, 1), address(&then, 1));
    }
}
