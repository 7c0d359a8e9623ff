//! The host in a machine's test: admits requests by script, and records the machine's questions.

use crate::SeenHead;
use polywire_call::Status;
use polywire_wire::{Date, Delivery, Denied, Exchange, Head, Host, Protocol, Route, WireError};
use std::{
    collections::VecDeque,
    time::{Instant, SystemTime},
};

/// A request that the machine asked to admit.
#[derive(Debug, PartialEq)]
pub struct Asked {
    pub head: SeenHead,
    /// Length of the body, if the protocol gives it.
    pub announced: Option<usize>,
    /// The number of bytes fed to the side so far: shows whether it asked before the body had arrived.
    pub fed: usize,
}

/// A reply that the machine asked to buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedReply {
    pub exchange: Exchange,
    pub announced: usize,
}

/// Admits every request as one whole message for method 0, unless its script decides otherwise.
///
/// ```
/// # use polywire_machine_testing::ScriptedHost;
/// # use polywire_call::Status;
/// # fn told(host: &mut ScriptedHost) {
/// host.refuse_next(Status::resource_exhausted("max_concurrency is 1")); // once; then as before
/// # }
/// ```
pub struct ScriptedHost {
    fields: fn(&[u8], &mut dyn FnMut(&str, &[u8])),
    verdicts: VecDeque<Result<Route, Status>>,
    usual: Result<Route, Status>,
    reply_limit: usize,
    pub(crate) fed: usize,
    /// Every call of `admit`, in order.
    pub asked: Vec<Asked>,
    /// Every call of `admit_reply`, in order.
    pub asked_replies: Vec<AskedReply>,
    /// Admitted requests that ended without `Open`.
    pub withdrawn: u32,
    /// The time of day at an instant, from which others are computed. Default: there is no calendar.
    pub calendar: Option<(Instant, SystemTime)>,
    /// Whether memory is scarce.
    pub tight: bool,
    /// The numbers to which no method is bound. Default: there is a method for each.
    pub unbound: Vec<u64>,
    /// Whether something answers calls of names without a method. Default: nothing does.
    pub catches_all: bool,
    /// The refusals to the peer, in order.
    pub denied: Vec<Denied>,
    /// The rules that the peer has broken without an end of the connection, in order.
    pub wrong: Vec<WireError>,
}

impl ScriptedHost {
    pub(crate) fn new(protocol: &Protocol) -> Self {
        ScriptedHost {
            fields: protocol.fields,
            verdicts: VecDeque::new(),
            usual: Ok(Route { max_message: u32::MAX, no_side_effects: true, ..Route::default() }),
            reply_limit: usize::MAX,
            fed: 0,
            asked: Vec::new(),
            asked_replies: Vec::new(),
            withdrawn: 0,
            calendar: None,
            tight: false,
            unbound: Vec::new(),
            catches_all: false,
            denied: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Refuses the next request with this status; several queue up.
    pub fn refuse_next(&mut self, why: Status) {
        self.verdicts.push_back(Err(why));
    }

    /// Admits the next request with this route; several queue up.
    pub fn route_next(&mut self, route: Route) {
        self.verdicts.push_back(Ok(route));
    }

    /// Refuses every request for which no answer is queued.
    pub fn refuse(&mut self, why: Status) {
        self.usual = Err(why);
    }

    /// Admits every request for which no answer is queued, with this route.
    pub fn route(&mut self, route: Route) {
        self.usual = Ok(route);
    }

    /// Admits every request for which no answer is queued, with this delivery, for method 0.
    pub fn deliver(&mut self, delivery: Delivery) {
        self.usual = Ok(Route { max_message: u32::MAX, delivery, no_side_effects: true, ..Route::default() });
    }

    /// Replies announced as longer than this many bytes may not be buffered. Default: no limit.
    pub fn limit_replies(&mut self, bytes: usize) {
        self.reply_limit = bytes;
    }
}

impl Host for ScriptedHost {
    fn is_tight(&self) -> bool {
        self.tight
    }

    fn has_catch_all(&self) -> bool {
        self.catches_all
    }

    fn is_bound(&self, _: &str, number: u64) -> bool {
        !self.unbound.contains(&number)
    }

    fn admit(&mut self, head: &Head<'_>, announced: Option<usize>) -> Result<Route, Status> {
        self.asked.push(Asked { head: SeenHead::of(head, self.fields), announced, fed: self.fed });
        self.verdicts.pop_front().unwrap_or_else(|| self.usual.clone())
    }

    fn withdraw(&mut self, _: Route, _: Option<usize>) {
        self.withdrawn += 1;
    }

    fn denied(&mut self, what: Denied) {
        self.denied.push(what);
    }

    fn wrong(&mut self, what: &WireError) {
        self.wrong.push(*what);
    }

    fn date(&mut self, now: Instant) -> Option<Date> {
        let (instant, time) = self.calendar?;
        Some(Date::of(time + now.saturating_duration_since(instant)))
    }

    fn admit_reply(&mut self, exchange: Exchange, announced: usize) -> bool {
        self.asked_replies.push(AskedReply { exchange, announced });
        announced <= self.reply_limit
    }
}
