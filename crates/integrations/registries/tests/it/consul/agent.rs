//! An agent of Consul as its documentation describes it.

use crate::common::http::{Reply, Request, Web};
use polywire_registries::consul::Consul;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{sync::Notify, time::timeout};

#[derive(Clone, Default)]
pub struct Agent(Arc<Inner>);

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
pub struct State {
    pub index: u64,
    pub entries: Value,
    /// Services that were registered, by their ids.
    pub services: BTreeMap<String, Value>,
    /// Checks that were passed, by their services' ids.
    pub passes: BTreeMap<String, usize>,
    pub token: Option<String>,
    /// What comes in place of the documented answers.
    pub instead: Option<fn() -> Reply>,
    /// Every answer has a new index.
    pub restless: bool,
    /// `verb path?query` of all requests.
    pub seen: Vec<String>,
}

impl Agent {
    pub fn with(entries: Value) -> Agent {
        let agent = Agent::default();
        agent.set(entries);
        agent
    }

    pub fn state<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        let result = change(&mut self.0.state.lock().unwrap());
        self.0.changed.notify_waiters();
        result
    }

    /// These are the entries now.
    pub fn set(&self, entries: Value) {
        self.state(|state| {
            state.index += 10;
            state.entries = entries;
        });
    }

    pub fn web(&self) -> Web {
        let agent = self.clone();
        Web::new(move |request| {
            let agent = agent.clone();
            async move { agent.answer(request).await }
        })
    }

    /// The service `echo` of this agent.
    pub fn consul(&self) -> Consul {
        self.at("echo")
    }

    pub fn at(&self, rest: &str) -> Consul {
        Consul::open(rest).unwrap().dial(&self.web().dial()).unwrap()
    }

    async fn answer(&self, request: Request) -> Reply {
        let seen: Vec<_> = request.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let line = format!("{} {}?{}", request.verb, request.path, seen.join("&"));
        let instead = self.state(|state| {
            state.seen.push(line);
            let allowed = state.token.as_deref() == request.fields.get("x-consul-token").map(String::as_str);
            match allowed {
                true => state.instead,
                false => Some(denied as fn() -> Reply),
            }
        });
        if let Some(instead) = instead {
            return instead();
        }
        let parts: Vec<_> = request.path.split('/').skip(1).collect();
        match (request.verb.as_str(), &parts[..]) {
            ("GET", ["v1", "health", "service", "echo"]) => self.health(&request).await,
            ("PUT", ["v1", "agent", "service", "register"]) => {
                let entry = request.json();
                let id = entry["ID"].as_str().expect("an id").to_owned();
                self.state(|state| state.services.insert(id, entry));
                Reply::Whole(200, Vec::new(), Vec::new())
            }
            ("PUT", ["v1", "agent", "check", "pass", check]) => {
                let check = check.replace("%3A", ":");
                let id = check.strip_prefix("service:").expect("the check of a service").to_owned();
                self.state(|state| match state.services.contains_key(&id) {
                    true => {
                        *state.passes.entry(id).or_default() += 1;
                        Reply::Whole(200, Vec::new(), Vec::new())
                    }
                    false => Reply::status(404, "Unknown check ID"),
                })
            }
            ("PUT", ["v1", "agent", "service", "deregister", id]) => {
                let id = id.replace("%3A", ":");
                match self.state(|state| state.services.remove(&id)) {
                    Some(_) => Reply::Whole(200, Vec::new(), Vec::new()),
                    None => Reply::status(404, "Unknown service ID"),
                }
            }
            _ => Reply::status(404, "no such page"),
        }
    }

    async fn health(&self, request: &Request) -> Reply {
        let index: u64 = request.query.get("index").map_or(0, |index| index.parse().expect("an index"));
        if index > 0 && !self.state(|state| state.restless) {
            let wait = request.query["wait"].strip_suffix('s').expect("seconds").parse().expect("a number");
            let _ = timeout(Duration::from_secs(wait), async {
                loop {
                    let changed = self.0.changed.notified();
                    if self.0.state.lock().unwrap().index != index {
                        return;
                    }
                    changed.await;
                }
            })
            .await;
        }
        self.state(|state| {
            state.index += u64::from(state.restless);
            Reply::json(&state.entries).with("X-Consul-Index", state.index)
        })
    }
}

fn denied() -> Reply {
    Reply::status(403, "Permission denied: token with AccessorID is missing")
}

/// An entry of Consul's health endpoint, as it answers for a service without further settings.
pub fn entry(host: &str, port: u16) -> Value {
    json!({
        "Node": { "Node": "n1", "Address": "10.9.9.9", "Datacenter": "dc1", "Meta": {} },
        "Service": {
            "ID": "echo-1", "Service": "echo", "Address": host, "Port": port, "Tags": [], "Meta": null,
            "Weights": { "Passing": 1, "Warning": 1 },
        },
        "Checks": [],
    })
}
