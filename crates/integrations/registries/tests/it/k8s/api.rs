//! An API server in memory, as far as EndpointSlices are listed and watched. It answers as kube-apiserver
//! does, which `conversation` sees to.

use crate::common::http::{Reply, Request, Web};
use polywire_registries::k8s::Kubernetes;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::sleep,
};

/// Where the slices of these tests are.
pub const SLICES: &str = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices";
/// The last moment for a bookmark, before the end of a watch.
const BOOKMARK_BEFORE_END: Duration = Duration::from_secs(2);

#[derive(Clone, Default)]
pub struct Api(Arc<Mutex<Known>>);

#[derive(Default)]
pub struct Known {
    pub version: u64,
    /// As they are.
    slices: BTreeMap<String, Value>,
    /// All there ever were.
    changes: Vec<Change>,
    /// The history up to this version is gone.
    compacted: u64,
    watches: Vec<Watch>,
    /// The only token that is accepted; `None`: every one, and none.
    pub token: Option<&'static str>,
    /// Whether the history is compacted after the first page of a list, when there was another change.
    pub expire_pages: bool,
    /// Answers in place of the truth: of everything, and of watches.
    pub instead: Option<fn() -> Reply>,
    pub instead_of_watch: Option<fn() -> Reply>,
    /// How often slices were listed from the beginning.
    pub lists: usize,
    /// The versions from which watches began.
    pub begun: Vec<u64>,
}

/// An object before and after a change.
struct Change {
    version: u64,
    name: String,
    before: Option<Value>,
    after: Option<Value>,
}

struct Watch {
    service: String,
    events: UnboundedSender<Vec<u8>>,
    bookmarks: bool,
}

impl Api {
    pub fn with(slices: impl IntoIterator<Item = Value>) -> Api {
        let api = Api::default();
        api.known().version = 100;
        for slice in slices {
            api.put(slice);
        }
        api
    }

    pub fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap()
    }

    pub fn source(&self, rest: &str, account: &Path) -> Kubernetes {
        let api = self.clone();
        let web = Web::new(move |request| std::future::ready(api.answer(&request)));
        Kubernetes::open_with(rest, account, Some(&web.dial())).unwrap()
    }

    pub fn answer(&self, request: &Request) -> Reply {
        assert_eq!(request.path, SLICES);
        let selector = &request.query["labelSelector"];
        let service =
            selector.strip_prefix("kubernetes.io%2Fservice-name%3D").expect("a service is selected");
        let mut known = self.known();
        if let Some(instead) = known.instead {
            return instead();
        }
        let token = request.fields.get("authorization").and_then(|field| field.strip_prefix("Bearer "));
        if known.token.is_some() && known.token != token {
            return status(401, "Unauthorized");
        }
        match request.query.contains_key("watch") {
            true => known.watch(service, request, self),
            false => known.list(service, request),
        }
    }

    /// Adds a slice or changes it; its version.
    pub fn put(&self, slice: Value) -> u64 {
        let name = slice["metadata"]["name"].as_str().expect("a name").to_owned();
        self.known().change(name, Some(slice))
    }

    pub fn delete(&self, name: &str) -> u64 {
        self.known().change(name.to_owned(), None)
    }

    /// The slice as it is.
    pub fn get(&self, name: &str) -> Value {
        self.known().slices[name].clone()
    }

    /// How often slices were listed, and the versions from which watches began.
    pub fn asked(&self) -> (usize, Vec<u64>) {
        let known = self.known();
        (known.lists, known.begun.clone())
    }

    /// The history is gone, as after etcd's compaction.
    pub fn compact(&self) {
        let mut known = self.known();
        known.compacted = known.version;
    }

    /// Tells the version to those who want bookmarks.
    pub fn bookmark(&self) {
        self.known().bookmark();
    }

    /// All watches end, in order.
    pub fn end_watches(&self) {
        self.known().watches.clear();
    }
}

impl Known {
    fn change(&mut self, name: String, mut after: Option<Value>) -> u64 {
        self.version += 1;
        let before = self.slices.remove(&name);
        if let Some(after) = &mut after {
            after["metadata"]["resourceVersion"] = json!(self.version.to_string());
            self.slices.insert(name.clone(), after.clone());
        }
        let change = Change { version: self.version, name, before, after };
        self.watches.retain(|watch| match change.event(&watch.service) {
            Some(event) => send(&watch.events, &event),
            None => !watch.events.is_closed(),
        });
        self.changes.push(change);
        self.version
    }

    /// The objects as they were at a version.
    fn at(&self, version: u64) -> BTreeMap<String, Value> {
        let mut objects = BTreeMap::new();
        for change in self.changes.iter().take_while(|change| change.version <= version) {
            match &change.after {
                Some(after) => objects.insert(change.name.clone(), after.clone()),
                None => objects.remove(&change.name),
            };
        }
        objects
    }

    fn list(&mut self, service: &str, request: &Request) -> Reply {
        let limit: usize = request.query["limit"].parse().expect("a limit");
        let (version, after) = match request.query.get("continue") {
            None => {
                self.lists += 1;
                (self.version, String::new())
            }
            Some(place) => match place.split_once('.').map(|(version, name)| (version.parse(), name)) {
                Some((Ok(version), _)) if version < self.compacted => return status(410, "Expired"),
                Some((Ok(version), name)) => (version, name.to_owned()),
                _ => return status(400, "BadRequest"),
            },
        };
        let (mut items, mut place) = (Vec::new(), None);
        let objects = self.at(version);
        let last = objects.last_key_value().map(|(name, _)| name.clone());
        for (name, object) in objects {
            if name <= after && !after.is_empty() {
                continue;
            }
            if items.len() == limit {
                break; // there are more
            }
            place = Some(name);
            if is_of(&object, service) {
                items.push(object);
            }
        }
        // What follows the last item may be of other services: the list goes on all the same.
        let mut metadata = json!({ "resourceVersion": version.to_string() });
        if let Some(place) = place.filter(|place| items.len() == limit && Some(place) != last.as_ref()) {
            metadata["continue"] = json!(format!("{version}.{place}"));
            if std::mem::take(&mut self.expire_pages) {
                self.version += 1;
                self.compacted = self.version;
            }
        }
        Reply::json(json!({
            "kind": "EndpointSliceList", "apiVersion": "discovery.k8s.io/v1", "metadata": metadata, "items": items,
        }))
    }

    fn watch(&mut self, service: &str, request: &Request, api: &Api) -> Reply {
        let Ok(from) = request.query["resourceVersion"].parse() else { return status(500, "") };
        self.begun.push(from);
        if let Some(instead) = self.instead_of_watch.take() {
            return instead();
        }
        let (events, chunks) = unbounded_channel();
        if from < self.compacted {
            send(&events, &json!({ "type": "ERROR", "object": failure(410, "Expired") }));
            return Reply::Chunks(chunks);
        }
        for change in self.changes.iter().filter(|change| change.version > from) {
            if let Some(event) = change.event(service) {
                send(&events, &event);
            }
        }
        let bookmarks = request.query.get("allowWatchBookmarks").is_some_and(|wanted| wanted == "true");
        self.watches.push(Watch { service: service.to_owned(), events: events.clone(), bookmarks });
        let seconds = Duration::from_secs(request.query["timeoutSeconds"].parse().expect("seconds"));
        let (api, events, begun) = (api.clone(), events.downgrade(), self.version);
        tokio::spawn(async move {
            let before = seconds.saturating_sub(BOOKMARK_BEFORE_END);
            sleep(before).await;
            let newest = api.known().version;
            if let (Some(events), true, true) = (events.upgrade(), bookmarks, newest > begun) {
                send(&events, &bookmark(newest));
            }
            sleep(seconds - before).await;
            if let Some(events) = events.upgrade() {
                api.known().watches.retain(|watch| !watch.events.same_channel(&events));
            }
        });
        Reply::Chunks(chunks)
    }

    fn bookmark(&mut self) {
        let event = bookmark(self.version);
        self.watches.retain(|watch| !watch.bookmarks || send(&watch.events, &event));
    }
}

impl Change {
    /// As those see it who have selected a service: what begins to belong to it is added, what no longer does
    /// is deleted.
    fn event(&self, service: &str) -> Option<Value> {
        let is_of = |object: &&Value| is_of(object, service);
        let (kind, object) = match (self.before.as_ref().filter(is_of), self.after.as_ref().filter(is_of)) {
            (None, Some(after)) => ("ADDED", after.clone()),
            (Some(_), Some(after)) => ("MODIFIED", after.clone()),
            (Some(before), None) => {
                let mut before = before.clone();
                before["metadata"]["resourceVersion"] = json!(self.version.to_string());
                ("DELETED", before)
            }
            (None, None) => return None,
        };
        Some(json!({ "type": kind, "object": object }))
    }
}

fn is_of(object: &Value, service: &str) -> bool {
    object["metadata"]["labels"]["kubernetes.io/service-name"] == service
}

/// Sends an event in two pieces, as chunks need not end with it. False: nobody reads it any more.
fn send(events: &UnboundedSender<Vec<u8>>, event: &Value) -> bool {
    let line = format!("{event}\n").into_bytes();
    let (front, back) = line.split_at(line.len() / 2);
    events.send(front.to_vec()).and_then(|()| events.send(back.to_vec())).is_ok()
}

fn bookmark(version: u64) -> Value {
    let object = json!({
        "kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "metadata": { "resourceVersion": version.to_string() },
        "addressType": "", "endpoints": null, "ports": null,
    });
    json!({ "type": "BOOKMARK", "object": object })
}

fn failure(code: u16, reason: &str) -> Value {
    let mut failure = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": reason, "code": code,
    });
    if !reason.is_empty() {
        failure["reason"] = json!(reason);
    }
    failure
}

fn status(code: u16, reason: &str) -> Reply {
    let fields = vec![("content-type", "application/json".into())];
    Reply::Whole(code, fields, failure(code, reason).to_string().into_bytes())
}

/// A slice of the service `echo`.
pub fn slice(name: &str, hosts: &[&str]) -> Value {
    let endpoint = |host: &&str| json!({ "addresses": [host], "conditions": { "ready": true }, "zone": "z1", "nodeName": "n1" });
    let endpoints: Vec<_> = hosts.iter().map(endpoint).collect();
    json!({
        "kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1",
        "metadata": { "name": name, "labels": { "kubernetes.io/service-name": "echo" } },
        "addressType": "IPv4", "endpoints": endpoints,
        "ports": [{ "name": "http", "port": 80 }, { "name": "grpc", "port": 81 }],
    })
}

/// Everything that a watch sends until its end.
pub async fn events(mut chunks: UnboundedReceiver<Vec<u8>>) -> Vec<Value> {
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.recv().await {
        bytes.extend(chunk);
    }
    bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}
