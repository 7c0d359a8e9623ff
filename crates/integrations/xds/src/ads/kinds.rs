//! All resources of one type that are requested from a control plane, with the version and the nonce of that
//! type.

use super::{
    Changes, EXISTS_WITHIN, Entry, MOST_RESOURCES, REFUSALS, Wrong, detail,
    entry::{Good, Rejected, State},
};
use crate::{
    messages::envoy::service::discovery::v3::{DiscoveryRequest, DiscoveryResponse},
    resources::{Kind, Known, Received, shortened},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

#[derive(Debug)]
pub(super) struct Subscription {
    pub kind: Kind,
    pub entries: BTreeMap<String, Entry>,
    /// The version accepted last, on any stream.
    version: String,
    /// Heard last on this stream.
    nonce: String,
    /// The messages that have to be written.
    due: Due,
    /// Whether a request was written to this stream, so that an empty list means "nothing".
    asked: bool,
    /// The last refusal, and how long the next one of the same text is held back.
    refused: Option<(String, Duration)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Due {
    Nothing,
    /// The names have changed, or a response was accepted.
    Request,
    /// A response is to be refused, from this time on.
    Refusal(String, Duration),
}

impl Subscription {
    pub fn new(kind: Kind) -> Self {
        let (version, nonce) = (String::new(), String::new());
        Subscription {
            kind,
            entries: BTreeMap::new(),
            version,
            nonce,
            due: Due::Nothing,
            asked: false,
            refused: None,
        }
    }

    pub fn names(&mut self, names: &BTreeSet<String>) {
        let before = self.entries.len();
        self.entries.retain(|name, _| names.contains(name));
        let mut changed = self.entries.len() != before;
        for name in names {
            if !self.entries.contains_key(name) {
                self.entries.insert(name.clone(), Entry::new());
                changed = true;
            }
        }
        if changed {
            match &mut self.due {
                // A refusal says which names are wanted, too.
                Due::Refusal(_, at) => *at = Duration::ZERO,
                due => *due = Due::Request,
            }
        }
    }

    pub fn opened(&mut self) {
        self.nonce.clear();
        (self.asked, self.due) = (false, if self.entries.is_empty() { Due::Nothing } else { Due::Request });
    }

    pub fn ended(&mut self) {
        self.due = Due::Nothing;
        for entry in self.entries.values_mut() {
            if matches!(entry.state, State::Requested { .. }) {
                entry.state = State::Started;
            }
        }
    }

    pub fn request(&mut self, now: Duration) -> Option<DiscoveryRequest> {
        let error_detail = match &self.due {
            Due::Nothing => return None,
            // An empty first request would ask for everything.
            Due::Request if self.entries.is_empty() && !self.asked => {
                self.due = Due::Nothing;
                return None;
            }
            Due::Request => None,
            Due::Refusal(_, at) if now < *at => return None,
            Due::Refusal(text, _) => Some(detail(text)),
        };
        self.due = Due::Nothing;
        self.asked = true;
        for entry in self.entries.values_mut() {
            if entry.state == State::Started {
                let until = now + EXISTS_WITHIN;
                entry.state = if entry.good.is_none() { State::Requested { until } } else { State::Received };
            }
        }
        Some(DiscoveryRequest {
            version_info: self.version.clone(),
            resource_names: self.entries.keys().cloned().collect(),
            type_url: self.kind.type_url().to_owned(),
            response_nonce: self.nonce.clone(),
            error_detail: error_detail.into(),
            ..DiscoveryRequest::default()
        })
    }

    pub fn received(
        &mut self,
        response: DiscoveryResponse,
        known: &Known,
        ignores_deletion: bool,
        now: Duration,
    ) -> Changes {
        let DiscoveryResponse { version_info: version, resources, nonce, .. } = response;
        self.nonce = nonce;
        let mut changes = Changes::default();
        let mut wrong = Wrong::default();
        let mut there = BTreeSet::new();
        if resources.len() > MOST_RESOURCES {
            wrong.add(&format!(
                "{} resources are more than the {MOST_RESOURCES} that are taken",
                resources.len()
            ));
        }
        for any in resources.into_iter().take(MOST_RESOURCES) {
            match self.kind.named(any) {
                Err(why) => wrong.add(&why),
                Ok(resource) => {
                    let name = resource.name.clone();
                    match self.take(resource, &version, known, now) {
                        Ok(changed) => changes.changed |= changed,
                        Err((why, changed)) => {
                            changes.changed |= changed;
                            wrong.add(&format!("resource {:?}: {why}", shortened(&name)));
                        }
                    }
                    there.insert(name);
                }
            }
        }
        if self.kind.is_whole() {
            changes.changed |= self.others_are_gone(&there, ignores_deletion);
        }
        if let Some(text) = wrong.text(self.kind.title()) {
            let again = self.refused.take().filter(|(before, _)| *before == text);
            let held = again.as_ref().map_or(Duration::ZERO, |(_, held)| *held);
            if again.is_none() {
                changes.refused = Some(text.clone());
            }
            self.due = Due::Refusal(text.clone(), now + held);
            self.refused = Some((text, (held * 2).clamp(REFUSALS.0, REFUSALS.1)));
        } else {
            self.version = version;
            (self.due, self.refused) = (Due::Request, None);
        }
        changes
    }

    /// Whether something has changed; with the reason if it is refused.
    fn take(
        &mut self,
        resource: Received,
        version: &str,
        known: &Known,
        now: Duration,
    ) -> Result<bool, (String, bool)> {
        let entry = self.entries.get_mut(&resource.name);
        if let Some(good) = entry.as_ref().and_then(|entry| entry.good.as_ref())
            && good.wire == resource.wire
        {
            let entry = entry.expect("it has a good one");
            let good = entry.good.as_mut().expect("just seen");
            (good.version, good.at) = (version.to_owned(), now);
            (entry.state, entry.rejected) = (State::Received, None);
            return Ok(false);
        }
        // What was refused before is refused for the same reason.
        if let Some(rejected) = entry.as_ref().and_then(|entry| entry.rejected.as_ref())
            && rejected.wire == resource.wire
        {
            return Err((rejected.why.clone(), false));
        }
        let checked = self.kind.check(&resource.wire, known);
        let Some(entry) = entry else { return checked.map(|_| false).map_err(|why| (why, false)) };
        entry.state = State::Received;
        let wire = resource.wire;
        match checked {
            Ok(resource) => {
                entry.rejected = None;
                let same = entry.good.as_ref().is_some_and(|good| good.resource == resource);
                entry.good = Some(Good { resource, wire, version: version.to_owned(), at: now });
                Ok(!same)
            }
            Err(why) => {
                let rejected = Rejected { wire, version: version.to_owned(), at: now, why: why.clone() };
                entry.rejected = Some(rejected);
                Err((why, entry.good.is_none()))
            }
        }
    }

    /// Marks resources that had been received and are absent from a full response as deleted.
    fn others_are_gone(&mut self, there: &BTreeSet<String>, ignored: bool) -> bool {
        let mut changed = false;
        for (name, entry) in &mut self.entries {
            let had = entry.good.is_some() || entry.rejected.is_some();
            if had && !there.contains(name) && !(ignored && entry.good.is_some()) {
                (entry.good, entry.rejected, entry.state) = (None, None, State::Missing);
                changed = true;
            }
        }
        changed
    }

    pub fn tick(&mut self, now: Duration) -> bool {
        let mut changed = false;
        for entry in self.entries.values_mut() {
            if matches!(entry.state, State::Requested { until } if until <= now) {
                entry.state = State::Missing;
                changed = true;
            }
        }
        changed
    }

    pub fn deadline(&self) -> Option<Duration> {
        let refusal = match &self.due {
            Due::Refusal(_, at) if !self.nonce.is_empty() => Some(*at),
            _ => None,
        };
        let of = |entry: &Entry| match entry.state {
            State::Requested { until } => Some(until),
            _ => None,
        };
        self.entries.values().filter_map(of).chain(refusal).min()
    }
}
