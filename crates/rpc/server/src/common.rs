//! What the calls of a server read of it: its paths, its mapping of JSON, its budgets, and whether it stops.

use crate::paths::Paths;
use polywire_engine::{Faults, memory::Memory};
use polywire_formats::json::Json;
use polywire_wire::{Inflated, Origins};
use std::sync::Arc;
use tokio::sync::watch;

/// What contexts of calls know of their server.
pub(crate) struct Common {
    pub paths: Paths,
    /// The origins whose pages may call, and the server's own host names.
    pub origins: Arc<Origins>,
    /// The mapping of `application/json`.
    pub json: Json,
    /// The JSON mapping for requests that matched a rule of `google.api.http`.
    pub rule_json: Json,
    /// The budget of memory of its connections.
    pub memory: Option<Arc<Memory>>,
    /// The maximum size of decompressed messages.
    pub inflated: Inflated,
    pub faults: Arc<Faults>,
    /// Becomes true when the server begins to stop.
    pub stop: watch::Sender<bool>,
}

impl Default for Common {
    /// That of a server without paths, whose options are all at their default.
    fn default() -> Self {
        Common {
            paths: Paths::default(),
            origins: Arc::default(),
            json: Json::DEFAULT,
            rule_json: Json::CANONICAL,
            memory: None,
            inflated: Inflated::DEFAULT,
            faults: Arc::default(),
            stop: watch::Sender::new(false),
        }
    }
}

impl Common {
    /// The JSON mapping for a request that matched this path pattern or rule.
    #[inline]
    pub fn json_of(&self, way: u32) -> Json {
        if way == 0 { self.json } else { self.json_of_rule(way) }
    }

    #[cold]
    fn json_of_rule(&self, way: u32) -> Json {
        let rule = self.paths.rule(way).filter(|rule| !rule.is_of_path());
        if rule.is_some() { self.rule_json } else { self.json }
    }
}
