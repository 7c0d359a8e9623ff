//! Admission: the checks in their order and one look-up of the method, while the machine still parses.

use crate::access_log::Unhandled;
use crate::admission::Arrival;
use crate::auth::{Identities, Identity};
use crate::call_metrics::Way;
use crate::catch_all::Rows;
use crate::context::Connection;
use crate::limits::client_of;
use crate::paths::DEFAULT_METHOD;
use crate::table::{SharedMethod, Table};
use crate::verbs;
use polywire_base::IoBuf;
use polywire_call::{Native, Status, brpc};
use polywire_engine::{Fault, backlog::Rank, clock, inline::Place};
use polywire_wire::{
    Date, Denied, Exchange, Head, Host, Protocol, Route, Sender, Stopping, Streams, Target, WireError,
};
use std::{
    sync::{Arc, atomic::Ordering::*},
    time::Instant,
};

/// What the access log has as the reason of a call whose caller is not let in.
const NOT_LET_IN: &str = "credential";

/// The `Host` of one connection.
pub(crate) struct Router {
    pub table: Arc<Table>,
    connection: Arc<Connection>,
    /// A number that identifies the host of the peer.
    client: u64,
    /// The method of the last request: most connections call the same one again.
    last: u32,
    /// The number of the path pattern or rule of the latest request; 0 if it matched none.
    way: u32,
    /// The protocol that the connection currently speaks; `None` before its first bytes.
    protocol: Option<&'static Protocol>,
    /// Whether the connection's first bytes arrived while the server was stopping.
    late: bool,
    /// Number of the latest caller over this protocol; 0 is the connection's first.
    caller: u32,
    /// The latest callers over the other protocols of the connection, by protocol name: each protocol
    /// authenticates separately.
    callers: Vec<(&'static str, u32)>,
    /// Set from the second caller on.
    identities: Option<Arc<Identities>>,
}

impl Router {
    pub fn new(table: Arc<Table>, connection: &Arc<Connection>) -> Self {
        Router {
            table,
            connection: connection.clone(),
            client: client_of(&connection.peer),
            last: 0,
            way: 0,
            protocol: None,
            late: false,
            caller: 0,
            callers: Vec::new(),
            identities: None,
        }
    }

    /// Sets the caller of requests that are admitted from now on.
    #[cold]
    pub fn set_caller(&mut self, identities: &Arc<Identities>, identity: Identity) {
        let before = std::mem::replace(&mut self.caller, identities.add(identity));
        if before != 0 {
            identities.release(before);
        }
        self.identities = Some(identities.clone());
    }

    /// Whether a caller of this method has an identity. See [`Context::identity`](crate::Context::identity).
    #[cold]
    fn knows_caller(&self, method: &SharedMethod) -> bool {
        let unknown = method.method.open_to_all && self.table.shared.authenticator.is_some();
        !unknown && (self.caller != 0 || self.connection.identity.get().is_some())
    }

    /// Counts an admitted request of the latest caller.
    #[cold]
    fn hold_caller(&self) {
        if let Some(identities) = &self.identities {
            identities.hold(self.caller);
        }
    }

    /// Switches to this protocol; its latest caller is the same as when the protocol was last used.
    pub fn speak(&mut self, protocol: &'static Protocol) {
        let Some(before) = self.protocol.replace(protocol) else {
            self.late = self.table.shared.stopping.load(Relaxed);
            return;
        };
        if self.caller != 0 {
            self.callers.push((before.name, self.caller));
        }
        let known = self.callers.iter().position(|(name, _)| *name == protocol.name);
        self.caller = known.map_or(0, |known| self.callers.swap_remove(known).1);
    }

    /// Whether a stopping server refuses requests of this protocol with a status. Requests of the other
    /// protocols are served: a client could not tell from a status that they had not been begun. A new
    /// connection is served, too: a client that has just connected knows no other server, or would have to
    /// connect to this one again.
    #[cold]
    fn refuses_when_stopping(&self) -> bool {
        !self.late && self.protocol.is_none_or(|protocol| protocol.stopping == Stopping::Refuses)
    }

    /// Refuses a streaming method over a protocol without streams: it would wait for credit until its
    /// deadline.
    #[cold]
    fn check_streams(&self, method: &SharedMethod) -> Result<(), Status> {
        match self.protocol {
            Some(protocol) if protocol.streams == Streams::None => Err(Status::unimplemented(format!(
                "{} cannot carry the streaming method {}",
                protocol.name, method.watched
            ))),
            _ => Ok(()),
        }
    }

    #[inline]
    fn by_name(&mut self, service: &str, method: &str) -> Option<u32> {
        if self.table.is(self.last, service, method) {
            return Some(self.last);
        }
        let full = self.table.full_name(service);
        let found = self.table.find(full, method)?;
        self.last = found;
        Some(found)
    }

    #[inline]
    fn by_index(&mut self, service: &str, index: u32) -> Option<u32> {
        if self.table.is_at(self.last, service, index) {
            return Some(self.last);
        }
        let found = self.table.find_at(service, index)?;
        self.last = found;
        Some(found)
    }

    #[inline]
    fn by_id(&mut self, id: u64) -> Result<u32, Status> {
        if self.table.is_id(self.last, id) {
            return Ok(self.last);
        }
        let found = self.table.find_id(id).ok_or_else(|| {
            let (service, method) = (id >> 32, id as u32 as i32);
            brpc::status(brpc::ENOMETHOD, format!("Fail to find method={method} of service={service:#x}"))
        })?;
        self.last = found;
        Ok(found)
    }

    #[inline]
    fn bound(&self, head: &Head<'_>, protocol: &str, number: u64) -> Result<u32, Status> {
        let found = self.table.find_bound(protocol, number);
        found.or_else(|| self.elsewhere(head)).ok_or_else(|| {
            let text = format!("Fail to find method={number} of what is bound to {protocol}");
            brpc::status(brpc::ENOMETHOD, text)
        })
    }

    /// The method that a request calls.
    #[inline]
    pub fn locate(&mut self, head: &Head<'_>) -> Result<u32, Status> {
        match head.target {
            Target::Method { service, method } => match self.by_name(service, method) {
                Some(found) => Ok(found),
                None => self.elsewhere(head).ok_or_else(|| self.unknown(service, method)),
            },
            Target::Index { service, method } => match self.by_index(service, method) {
                Some(found) => Ok(found),
                None => self.elsewhere(head).ok_or_else(|| no_index(service, method)),
            },
            Target::Path { verb, path } => self.by_path(verb, path),
            Target::Id(id) => self.by_id(id),
            Target::Bound { protocol, number } => self.bound(head, protocol, number),
            Target::Command { protocol, .. } => self.bound(head, protocol, 0),
        }
    }

    /// The method for calls of unknown names; or the fallback, for a call over HTTP (also gRPC and Connect).
    #[cold]
    fn elsewhere(&self, head: &Head<'_>) -> Option<u32> {
        let streams = self.protocol.map_or(Streams::None, |protocol| protocol.streams);
        if let Some(found) = self.table.catch_all.as_ref().and_then(|rows| rows.of_call(head, streams)) {
            return Some(found);
        }
        self.table.fallback.filter(|_| self.protocol.is_some_and(|protocol| protocol.http.is_some()))
    }

    /// The status for an unknown method. brpc answers an unknown short service name with ENOSERVICE,
    /// everything else with ENOMETHOD.
    #[cold]
    fn unknown(&self, service: &str, method: &str) -> Status {
        let full = self.table.full_name(service);
        if !full.contains('.') && !self.table.has_service(full) {
            return brpc::status(brpc::ENOSERVICE, format!("Fail to find service={}", shown(service)));
        }
        brpc::status(brpc::ENOMETHOD, format!("Fail to find method={}/{}", shown(service), shown(method)))
    }

    /// Finds a method by its path. Source: docs/wire/http.md section 1, "First match wins".
    fn by_path(&mut self, verb: &str, path: &str) -> Result<u32, Status> {
        self.way = 0;
        let (shared, paths) = (&self.table.shared, &self.connection.common.paths);
        // Templates and patterns come before names, whatever the connection has called before.
        if !paths.may_take_names()
            && self.table.is_at_path(self.last, path)
            && shared.by_default_url(self.last, verb)
        {
            return Ok(self.last);
        }
        let mut parts = path.strip_prefix('/').unwrap_or(path).split('/');
        let (service, method) = match (parts.next(), parts.next(), self.table.fallback) {
            // with a fallback, the root path belongs to it
            (Some("") | None, None, Some(fallback)) => return Ok(fallback),
            (Some("") | None, None, None) => ("index", ""),
            // An empty part matches nothing: a proxy with rules for `/status` has not checked `//status`.
            (service, method, _) => (service.unwrap_or(""), method.unwrap_or("")),
        };
        let shared = self.table.shared.clone();
        if let Some(found) = paths.find(verb, path) {
            self.way = found.way;
            return Ok(found.method);
        }
        let full = self.table.full_name(service).to_owned();
        let named = self.table.find(&full, method).filter(|&found| shared.has_default_url(found));
        let found = named.or_else(|| self.table.find(&full, DEFAULT_METHOD));
        if let Some(found) = found.filter(|&found| shared.by_default_url(found, verb)) {
            self.last = found;
            return Ok(found);
        }
        let page = self.table.find_page(service);
        let usable = page.filter(|&page| shared.by_default_url(page, verb));
        let caught = |verb| if found.or(page).is_none() { self.caught(verb, path) } else { None };
        if let Some(found) = usable.or_else(|| caught(verb)).or(self.table.fallback) {
            return Ok(found);
        }
        let allowed = match found.or(page) {
            Some(found) => vec![shared.default_verbs(found)],
            None => {
                let caught = self.table.catch_all.iter().flat_map(|rows| rows.verbs(path));
                self.connection.common.paths.verbs(path).into_iter().chain(caught).collect()
            }
        };
        if let Some(allowed) = verbs::allow(&allowed) {
            return Err(wrong_verb(verb, &allowed));
        }
        let methods: Vec<_> =
            shared.methods.open().iter().filter(|m| m.service == full).map(|m| m.method.name).collect();
        let hint = match &methods[..] {
            [] => String::new(),
            names => format!("; {full} has {}", names.join(", ")),
        };
        Err(brpc::status(brpc::ENOMETHOD, format!("Fail to find method on {}{hint}", shown(path))))
    }

    /// The method for calls by path that no other method answers.
    #[cold]
    fn caught(&self, verb: &str, path: &str) -> Option<u32> {
        let rows = self.table.catch_all.as_ref()?;
        rows.of_path(verb, path, self.table.fallback.is_some())
    }

    /// Whether the method of this request needs no credential.
    #[cold]
    pub fn is_open(&mut self, head: &Head<'_>) -> bool {
        let found = match head.target {
            Target::Method { service, method } => self.by_name(service, method),
            Target::Path { verb, path } => self.by_path(verb, path).ok(),
            Target::Index { .. } | Target::Id(_) | Target::Bound { .. } | Target::Command { .. } => {
                return false;
            }
        };
        found.is_some_and(|k| self.table.shared.methods[k as usize].method.open_to_all)
    }

    /// Writes a line to the access logs for a request that no handler gets.
    #[cold]
    fn log_refusal(&self, head: &Head<'_>, status: &Status) {
        let logs = &self.table.shared.access_logs;
        if let (Some(protocol), false) = (self.protocol, logs.is_empty()) {
            let refused = Unhandled::of(&self.connection.peer, protocol, head);
            refused.into_iter().for_each(|refused| refused.log(logs, status));
        }
    }

    /// What the access logs have of a request whose caller is not let in. `None`: nothing, as of pages and
    /// standard services.
    #[cold]
    pub fn not_let_in(&mut self, head: &Head<'_>) -> Option<Unhandled> {
        if self.table.shared.access_logs.is_empty() {
            return None;
        }
        let refused = Unhandled::of(&self.connection.peer, self.protocol?, head)?;
        let Ok(found) = self.locate(head) else { return Some(refused) };
        let method = &self.table.shared.methods[found as usize];
        if method.exempt || method.is_page() {
            return None;
        }
        if !method.is_catch_all() {
            return Some(refused);
        }
        let (service, name) = self.table.called(method, head);
        Some(refused.not_passed_on((&service, &name), NOT_LET_IN))
    }

    /// Decides whether a request is admitted, and by which path pattern or rule.
    #[inline]
    fn decide(&mut self, head: &Head<'_>, announced: Option<usize>) -> Result<Route, Status> {
        let shared = &*self.table.shared;
        if shared.stopping.load(Relaxed) && self.refuses_when_stopping() {
            return Err(self.refuse(brpc::ELOGOFF, "Server is stopping").unprocessed());
        }
        let found = self.locate(head);
        if head.sender != Sender::Allowed
            && (found.is_err() || found.as_ref().ok() != self.table.fallback.as_ref())
        {
            return Err(self.refuse_page(head.sender));
        }
        let found = match found {
            Ok(found) => found,
            Err(status) => {
                self.table.shared.stats.refused.add(1);
                self.table.catch_all.iter().for_each(Rows::not_taken);
                self.log_refusal(head, &status);
                return Err(status);
            }
        };
        let shared = &*self.table.shared;
        let method = &shared.methods[found as usize];
        if shared.limiter.counts() && !method.exempt && !shared.limiter.has_room(method.time(head.timeout)) {
            return Err(self.limited(found, "Reached server's max_concurrency"));
        }
        if method.limiter.counts() && !method.limiter.has_room(method.time(head.timeout)) {
            return Err(self.limited(found, "Reached method's max_concurrency"));
        }
        if shared.memory.as_ref().is_some_and(|memory| !method.exempt && !memory.admits()) {
            return Err(self.limited(found, "The server's memory is nearly used up"));
        }
        if method.bounded {
            self.check_bounds(found, head, announced)?;
        }
        let backlog = &shared.backlog;
        if backlog.is_used() && method.gauge.place() == Place::Pool && !method.exempt {
            let waits = backlog.admit(
                method.gauge.cost(),
                self.client,
                self.protocol
                    .map_or(Rank::default(), |protocol| rank_of(head, protocol, self.knows_caller(method))),
                method.time(head.timeout),
                clock::now(),
            );
            waits.map_err(|status| {
                shared.stats.refused.add(1);
                shared.stats.trouble(found).refused.add(1);
                self.later(status)
            })?;
        }
        if method.streaming {
            self.check_streams(method)?;
        }
        let way = if matches!(head.target, Target::Path { .. }) { self.way } else { 0 };
        let route = Route { caller: self.caller, way, ..method.route };
        if self.caller != 0 {
            self.hold_caller();
        }
        Ok(route)
    }

    /// Asks those who may refuse calls of some methods: a budget of memory, and
    /// [`Admission`](crate::Admission).
    #[cold]
    fn check_bounds(&self, found: u32, head: &Head<'_>, announced: Option<usize>) -> Result<(), Status> {
        let method = &self.table.shared.methods[found as usize];
        if method.memory.as_ref().is_some_and(|memory| !memory.fits(announced.unwrap_or(0))) {
            return Err(self.limited(found, "The method's memory is used up"));
        }
        let Some(protocol) = self.protocol else { return Ok(()) };
        let (service, name) = self.table.called(method, head);
        let (peer, called) = (&self.connection.peer, (&*service, &*name));
        let arrival = Arrival { peer, identity: self.identity(method), protocol, called, head };
        let mut asked = method.method.admissions.iter();
        asked.try_for_each(|admission| admission.admit(&arrival)).inspect_err(|status| {
            self.table.shared.stats.refused.add(1);
            self.table.shared.stats.trouble(found).refused.add(1);
            self.log_refusal(head, status);
        })
    }

    /// The identity of a caller of this method.
    fn identity(&self, method: &SharedMethod) -> Option<Identity> {
        match (self.knows_caller(method), self.caller) {
            (false, _) => None,
            (true, 0) => self.connection.identity.get().cloned(),
            (true, number) => self.identities.as_ref()?.get(number),
        }
    }

    /// Counts a request that was refused as a call of its method. One by HTTP for a path that has none is no
    /// call.
    #[cold]
    fn count_refusal(&mut self, head: &Head<'_>, refused: &Status) {
        let found = self.locate(head).ok();
        if let Some(protocol) = self.protocol
            && (found.is_some() || !matches!(head.target, Target::Path { .. }))
        {
            let way = Way::new(head.dialect.system(protocol), refused);
            self.table.shared.stats.turned_away(found, way);
        }
    }

    /// The status for a page in a browser that may not make this request. A mounted service decides for
    /// itself.
    #[cold]
    fn refuse_page(&self, sender: Sender) -> Status {
        let (fault, text) = match sender {
            Sender::UnknownHost => {
                (Fault::UnknownHost, "pages under this host name may not call: say Origins::host(..)")
            }
            _ => (Fault::ForeignPage, "pages of this origin may not call: say Origins::allow(..)"),
        };
        self.table.shared.faults.add(fault);
        self.refuse(brpc::EPERM, text)
    }

    /// The status for a call of this method beyond a limit, which was not begun.
    #[cold]
    fn limited(&self, method: u32, text: &str) -> Status {
        self.table.shared.stats.trouble(method).refused.add(1);
        self.later(self.refuse(brpc::ELIMIT, text).unprocessed())
    }

    /// Adds the time after which an HTTP client may try again. RFC 9110 10.2.3, in seconds.
    #[cold]
    fn later(&self, status: Status) -> Status {
        match self.protocol {
            Some(protocol) if protocol.http.is_some() => status.with_metadata("retry-after", "1"),
            _ => status,
        }
    }

    #[cold]
    fn refuse(&self, number: i32, text: &str) -> Status {
        self.table.shared.stats.refused.add(1);
        brpc::status(number, text)
    }
}

/// The importance of a request, as its caller states it. Only a caller with an identity may claim more than
/// the default.
#[cold]
pub(crate) fn rank_of(head: &Head<'_>, protocol: &Protocol, has_identity: bool) -> Rank {
    let mut rank = Rank::default();
    if !head.raw.is_empty() {
        (protocol.fields)(head.raw, &mut |name, value| {
            if name.eq_ignore_ascii_case(Rank::FIELD) {
                rank = Rank::by_name(value);
            }
        });
    }
    if has_identity { rank } else { rank.max(Rank::default()) }
}

/// Verbs that the server knows; RFC 9110 9.1: another one is "unrecognized or not implemented", 501.
const VERBS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// 405 or 501, with the verbs that reach the path.
#[cold]
fn no_index(service: &str, index: u32) -> Status {
    let service = shown(service);
    brpc::status(brpc::ENOMETHOD, format!("Fail to find method={index} of service={service}"))
}

#[cold]
fn wrong_verb(verb: &str, allowed: &str) -> Status {
    let number = if VERBS.contains(&verb) { 405 } else { 501 };
    let them = match allowed.rsplit_once(", ") {
        Some((others, last)) => format!("{others} or {last}"),
        None => allowed.to_owned(),
    };
    let status = Status::invalid_argument(format!("{} does not reach this path: send {them}", shown(verb)));
    status.with_native(Native::Http(number)).with_metadata("allow", allowed)
}

/// A name sent by the peer, made safe for an error text: bounded, printable.
fn shown(name: &str) -> String {
    let mut shown: String = name.chars().take(128).flat_map(char::escape_debug).collect();
    if shown.len() < name.len() && name.chars().count() > 128 {
        shown.push('…');
    }
    shown
}

impl Host for Router {
    fn is_tight(&self) -> bool {
        self.table.shared.memory.as_ref().is_some_and(|memory| memory.is_tight())
    }

    #[inline]
    fn admit(&mut self, head: &Head<'_>, announced: Option<usize>) -> Result<Route, Status> {
        let admitted = self.decide(head, announced);
        if let Err(refused) = &admitted {
            self.count_refusal(head, refused);
        }
        admitted
    }

    fn is_bound(&self, protocol: &str, number: u64) -> bool {
        self.table.is_bound(protocol, number)
    }

    fn has_catch_all(&self) -> bool {
        self.table.catch_all.is_some()
    }

    #[cold]
    fn is_open_to_all(&mut self, head: &Head<'_>) -> bool {
        let is_guarded =
            self.protocol.is_some_and(|protocol| self.table.shared.guards_of(protocol).next().is_some());
        !is_guarded && self.is_open(head)
    }

    #[cold]
    fn fails_in_json(&mut self, head: &Head<'_>) -> bool {
        let Target::Path { verb, path } = head.target else { return false };
        let paths = &self.connection.common.paths;
        match paths.find(verb, path) {
            Some(found) => paths.rule(found.way).is_some_and(|rule| !rule.is_of_path()),
            None if self.table.catch_all.is_none() => false,
            None => {
                let found = self.by_path(verb, path).ok();
                found.is_some_and(|found| self.table.shared.methods[found as usize].is_catch_all())
            }
        }
    }

    fn withdraw(&mut self, route: Route, announced: Option<usize>) {
        if let (Some(identities), 1..) = (&self.identities, route.caller) {
            identities.release(route.caller);
        }
        if announced.is_some_and(|bytes| bytes > route.max_message as usize) {
            self.table.shared.faults.add(Fault::LongRequest);
        }
    }

    #[inline]
    fn records(&mut self) -> bool {
        self.table.shared.dump.as_ref().is_some_and(|dump| dump.wants(clock::now()))
    }

    #[cold]
    fn received(&mut self, head: &[u8], rest: &IoBuf) {
        if let (Some(dump), Some(protocol)) = (&self.table.shared.dump, self.protocol) {
            dump.take_received(protocol, head, rest);
        }
    }

    fn denied(&mut self, what: Denied) {
        self.table.shared.faults.add(what.into());
    }

    fn wrong(&mut self, what: &WireError) {
        self.table.shared.faults.add(what.into());
    }

    #[inline]
    fn date(&mut self, now: Instant) -> Option<Date> {
        Some(clock::date(now))
    }

    fn admit_reply(&mut self, _exchange: Exchange, _announced: usize) -> bool {
        false // a server's machines receive no replies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_call::Content;

    #[test]
    fn only_callers_with_an_identity_are_more_important_than_others() {
        let protocol = Protocol { fields: |raw, visit| visit("X-Criticality", raw), ..Protocol::DEFAULT };
        let head = |raw| Head { raw, ..Head::new(Target::Id(0), Content::RAW) };
        for (text, known, unknown) in [
            ("critical_plus", Rank::CriticalPlus, Rank::Critical),
            ("critical", Rank::Critical, Rank::Critical),
            ("sheddable_plus", Rank::SheddablePlus, Rank::SheddablePlus),
            ("sheddable", Rank::Sheddable, Rank::Sheddable),
        ] {
            let head = head(text.as_bytes());
            assert_eq!((rank_of(&head, &protocol, true), rank_of(&head, &protocol, false)), (known, unknown));
        }
    }
}
