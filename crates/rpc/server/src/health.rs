//! The health of a server and of its services, for load balancers.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
};
use tokio::sync::watch;

/// The status of a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Serving {
    /// No status was set.
    Unknown,
    #[default]
    Yes,
    No,
}

/// The health of a server and its services, published by `grpc.health.v1.Health` and the page `/health`. This
/// is a handle: all clones refer to the same health.
///
/// A service is named by its full name; the empty name stands for the server as a whole. When a server
/// starts, it sets itself and every service without a status to `Serving`; when it begins to stop, it sets
/// all to `NotServing`, unless another process has taken over.
#[derive(Clone)]
pub struct Health {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// The number of changes of `state` so far; watchers wait for the next.
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    services: BTreeMap<String, Serving>,
    stopped: bool,
}

impl Default for Health {
    fn default() -> Self {
        Health { shared: Arc::new(Shared { state: Mutex::default(), changes: watch::Sender::new(0) }) }
    }
}

impl Health {
    fn lock(&self) -> MutexGuard<'_, State> {
        polywire_base::lock(&self.shared.state)
    }

    /// Sets the status of a service, or with the empty name of the server, and notifies watchers. Has no
    /// effect once the server stops.
    pub fn set(&self, service: &str, serving: Serving) {
        let mut state = self.lock();
        if state.stopped || state.services.get(service) == Some(&serving) {
            return;
        }
        state.services.insert(service.to_owned(), serving);
        drop(state);
        self.changed();
    }

    /// The status of a service. `None`: there is no such service.
    pub fn get(&self, service: &str) -> Option<Serving> {
        self.lock().services.get(service).copied()
    }

    /// All statuses by name.
    pub fn all(&self) -> BTreeMap<String, Serving> {
        self.lock().services.clone()
    }

    /// The current status of a service, and then each change.
    pub fn watch(&self, service: &str) -> HealthWatch {
        let changes = self.shared.changes.subscribe();
        HealthWatch { health: self.clone(), service: service.to_owned(), changes, told: None, over: false }
    }

    /// Called at the start of a server: services without a status become `Serving`.
    pub(crate) fn begin<'s>(&self, services: impl Iterator<Item = &'s str>) {
        let mut state = self.lock();
        for service in services.chain([""]) {
            state.services.entry(service.to_owned()).or_default();
        }
    }

    /// Called when the server stops: every status becomes `NotServing` and can no longer be changed.
    pub(crate) fn stop(&self) {
        self.lock().services.values_mut().for_each(|serving| *serving = Serving::No);
        self.end();
    }

    /// Called when the server stops and another process serves in its place: the statuses stay as they are,
    /// and watchers come to their end.
    pub(crate) fn end(&self) {
        self.lock().stopped = true;
        self.changed();
    }

    fn changed(&self) {
        self.shared.changes.send_modify(|changes| *changes = changes.wrapping_add(1));
    }
}

/// The status of one service as it changes.
pub struct HealthWatch {
    health: Health,
    service: String,
    changes: watch::Receiver<u64>,
    told: Option<Option<Serving>>,
    over: bool,
}

impl HealthWatch {
    /// Returns the current status first, then the next different one each time; the inner `None` means that
    /// there is no such service. Changes in quick succession may be merged. The outer `None` follows the last
    /// status, when the server stops.
    pub async fn next(&mut self) -> Option<Option<Serving>> {
        while !self.over {
            self.changes.borrow_and_update(); // before reading the status, so that no later change is missed
            let now = self.look();
            if self.told != Some(now) {
                self.told = Some(now);
                return Some(now);
            }
            if !self.over && self.changes.changed().await.is_err() {
                break; // so that the loop does not keep the health alive
            }
        }
        None
    }

    fn look(&mut self) -> Option<Serving> {
        let state = self.health.lock();
        self.over = state.stopped;
        state.services.get(&self.service).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_watch_tells_changes_and_ends_with_the_server() {
        let health = Health::default();
        let mut watch = health.watch("a");
        assert_eq!(watch.next().await, Some(None));
        health.set("a", Serving::Unknown);
        health.set("b", Serving::No);
        assert_eq!(watch.next().await, Some(Some(Serving::Unknown)));
        health.begin(["a", "c"].into_iter());
        assert_eq!((health.get("a"), health.get("c")), (Some(Serving::Unknown), Some(Serving::Yes)));
        let mut other = health.watch("c");
        assert_eq!(other.next().await, Some(Some(Serving::Yes)));
        health.stop();
        health.set("a", Serving::Yes);
        assert_eq!((watch.next().await, watch.next().await), (Some(Some(Serving::No)), None));
        assert_eq!((other.next().await, other.next().await), (Some(Some(Serving::No)), None));
        assert!(health.all().values().all(|serving| *serving == Serving::No));
    }

    #[tokio::test]
    async fn a_watch_ends_without_a_change_when_another_process_serves() {
        let health = Health::default();
        health.begin(["a"].into_iter());
        let mut watch = health.watch("a");
        assert_eq!(watch.next().await, Some(Some(Serving::Yes)));
        health.end();
        assert_eq!((watch.next().await, health.get("a")), (None, Some(Serving::Yes)));
    }

    #[tokio::test]
    async fn a_watch_is_quiet_while_its_service_does_not_change() {
        let health = Health::default();
        health.begin(["a"].into_iter());
        let mut watch = health.watch("a");
        assert_eq!(watch.next().await, Some(Some(Serving::Yes)));
        health.set("a", Serving::Yes);
        health.set("b", Serving::No);
        let changed = async {
            tokio::task::yield_now().await;
            health.set("a", Serving::No);
        };
        let (told, ()) = tokio::join!(watch.next(), changed);
        assert_eq!(told, Some(Some(Serving::No)));
    }
}
