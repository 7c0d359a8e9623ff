//! One server of a set: its description from naming, whether it can be chosen, and the statistics of its
//! calls.

mod ejection;
mod load;
mod locality;
mod orca;
mod state;

pub(crate) use ejection::Ejection;
pub use load::Load;
pub(crate) use locality::{LEAST_WEIGHT, Locality, SCALE};
pub(crate) use orca::Counted;
use orca::Orca;
pub use orca::OrcaLoad;
pub(crate) use orca::{take, varint};
pub use state::{Reason, State};

use crate::Time;
use polywire_base::lock;
use std::{
    any::Any,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

/// A server. Sets and pickers share it, so that its load and state are kept in a new set.
///
/// Servers with the same address and different tags are different servers.
#[derive(Debug)]
pub struct Endpoint {
    address: Box<str>,
    tag: Box<str>,
    zone: Box<str>,
    /// The weight from naming; 0 if there is none.
    weight: AtomicU32,
    /// Looked at when a ring is made, and not by calls.
    hash_key: Mutex<Option<Arc<str>>>,
    state: State,
    load: Load,
    ejection: Ejection,
    /// The endpoint's index among the members of the newest picker.
    position: AtomicU32,
    /// The statistics of the policy `la` about the endpoint.
    locality: OnceLock<Box<Locality>>,
    /// The last load that it reported by ORCA.
    orca: OnceLock<Box<Orca>>,
    attachment: Attachment,
}

/// Data of the endpoint's user.
#[derive(Default)]
struct Attachment(Option<Box<dyn Any + Send + Sync>>);

impl std::fmt::Debug for Attachment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { ".." } else { "None" })
    }
}

impl Endpoint {
    /// `address` as naming has it, for example `10.0.0.7:8000`; `tag`: its free text, which is its weight if
    /// it is a number above 0.
    pub fn new(address: &str, tag: &str) -> Self {
        let weight = Endpoint::weight_in(tag);
        Endpoint {
            address: address.into(),
            tag: tag.into(),
            zone: "".into(),
            weight: AtomicU32::new(weight.unwrap_or(0)),
            hash_key: Mutex::default(),
            state: State::default(),
            load: Load::default(),
            ejection: Ejection::default(),
            position: AtomicU32::new(0),
            locality: OnceLock::new(),
            orca: OnceLock::new(),
            attachment: Attachment::default(),
        }
    }

    /// The weight in a tag: the tag as a number, if it is above 0.
    pub fn weight_in(tag: &str) -> Option<u32> {
        tag.trim().parse().ok().filter(|weight| *weight > 0)
    }

    /// Sets the weight, whatever the tag says. 0 counts as 1.
    pub fn weighted(self, weight: u32) -> Self {
        self.set_weight(Some(weight));
        self
    }

    /// Changes the weight from naming. 0 counts as 1. It takes effect with the next picker.
    pub fn set_weight(&self, weight: Option<u32>) {
        self.weight.store(weight.map_or(0, |weight| weight.max(1)), Relaxed);
    }

    /// Sets the text by which `ring_hash` places the endpoint, instead of its address: a server that returns
    /// at another address with the same key gets the same calls. Keys should differ; of servers with equal
    /// keys only the first gets calls while it is ready. Takes effect with the next picker.
    pub fn set_hash_key(&self, key: Option<&str>) {
        *lock(&self.hash_key) = key.filter(|key| !key.is_empty()).map(Arc::from);
    }

    /// Sets the endpoint's zone, for clients that prefer servers nearby. The zone does not identify a server.
    pub fn zoned(mut self, zone: &str) -> Self {
        self.zone = zone.into();
        self
    }

    /// Attaches a value of the user, such as the connections to the server.
    pub fn attach(mut self, attachment: impl Any + Send + Sync) -> Self {
        self.attachment = Attachment(Some(Box::new(attachment)));
        self
    }

    /// The attached value, if it has this type.
    pub fn attachment<T: Any>(&self) -> Option<&T> {
        self.attachment.0.as_ref()?.downcast_ref()
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// The zone; empty if it is unknown.
    pub fn zone(&self) -> &str {
        &self.zone
    }

    /// The text by which `ring_hash` places the endpoint, if it is not its address.
    pub fn hash_key(&self) -> Option<Arc<str>> {
        lock(&self.hash_key).clone()
    }

    /// Servers with equal identities are the same server. Sets are sorted by it.
    pub(crate) fn identity(&self) -> (&str, &str) {
        (&self.address, &self.tag)
    }

    /// The weight from naming; `None` if there is none.
    pub fn weight(&self) -> Option<u32> {
        Some(self.weight.load(Relaxed)).filter(|weight| *weight > 0)
    }

    /// The state that decides whether the endpoint can be chosen.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Calls in flight and latencies.
    pub fn load(&self) -> &Load {
        &self.load
    }

    /// Stores the load that it reported, in the trailers of a call or out of band, for
    /// `weighted_round_robin`.
    pub fn reported(&self, load: &OrcaLoad, now: Time) {
        self.orca.get_or_init(Box::default).report(load, now);
    }

    /// The latest reported queries per second, errors per second and utilization, and the time of the report.
    pub fn last_reported(&self) -> Option<([f64; 3], Time)> {
        self.orca.get()?.last()
    }

    pub(crate) fn orca_weight(&self, counted: &Counted, now: Time) -> Option<f64> {
        self.orca.get()?.weight(counted, self.state.ready_since(), now)
    }

    pub(crate) fn ejection(&self) -> &Ejection {
        &self.ejection
    }

    pub(crate) fn is_ready(&self, now: Time) -> bool {
        self.state.is_ready(now)
    }

    pub(crate) fn position(&self) -> usize {
        self.position.load(Relaxed) as usize
    }

    pub(crate) fn set_position(&self, position: usize) {
        self.position.store(position as u32, Relaxed);
    }

    pub(crate) fn locality(&self) -> Option<&Locality> {
        self.locality.get().map(|locality| &**locality)
    }

    pub(crate) fn locality_or(&self, new: impl FnOnce() -> Locality) -> &Locality {
        self.locality.get_or_init(|| Box::new(new()))
    }
}
