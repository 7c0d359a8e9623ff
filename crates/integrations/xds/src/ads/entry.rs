//! A resource that was requested.

use crate::resources::Resource;
use polywire_call::bounded;
use polywire_formats::wkt::Any;
use std::time::Duration;

/// The maximum length of the reason of a refusal in the errors of calls, in bytes.
const LONGEST_REASON: usize = 1024;

/// The state of a resource.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(super) state: State,
    /// The last good one, and its version and time.
    pub(super) good: Option<Good>,
    /// The reason why the latest version of the resource was refused.
    pub(super) rejected: Option<Rejected>,
}

#[derive(Clone, Debug)]
pub(super) struct Good {
    pub resource: Resource,
    pub wire: Any,
    pub version: String,
    pub at: Duration,
}

/// A resource that was refused.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Rejected {
    pub wire: Any,
    pub version: String,
    pub at: Duration,
    pub why: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// No request with its name was written to this stream.
    Started,
    /// The resource was requested; it counts as missing from this time on.
    Requested {
        until: Duration,
    },
    Received,
    Missing,
}

/// The state of a resource, for its users.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Found<'a> {
    Waiting,
    Good(&'a Resource),
    /// The resource does not exist, with the reason.
    None(String),
}

/// The state of a resource, for reports about the client.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Shown<'a> {
    Requested,
    DoesNotExist,
    Acked {
        version: &'a str,
        wire: &'a Any,
        at: Duration,
    },
    /// The latest version was refused; with the last valid one, if there is one.
    Nacked {
        good: Option<(&'a str, &'a Any, Duration)>,
        rejected: &'a Rejected,
    },
}

impl Entry {
    pub(super) fn new() -> Entry {
        Entry { state: State::Started, good: None, rejected: None }
    }

    /// The state of the entry. `unreachable`: the reason why there is no stream.
    pub(super) fn found(&self, unreachable: Option<&str>) -> Found<'_> {
        match (&self.good, &self.rejected, self.state) {
            (Some(good), _, _) => Found::Good(&good.resource),
            (None, _, State::Missing) => Found::None("the control plane does not have it".to_owned()),
            (None, Some(rejected), _) => {
                Found::None(format!("it was refused: {}", bounded(&rejected.why, LONGEST_REASON)))
            }
            (None, None, _) => match unreachable {
                Some(why) => Found::None(why.to_owned()),
                None => Found::Waiting,
            },
        }
    }

    pub fn shown(&self) -> Shown<'_> {
        let good = self.good.as_ref().map(|good| (good.version.as_str(), &good.wire, good.at));
        match (&self.rejected, good, self.state) {
            (_, None, State::Missing) => Shown::DoesNotExist,
            (Some(rejected), good, _) => Shown::Nacked { good, rejected },
            (None, Some((version, wire, at)), _) => Shown::Acked { version, wire, at },
            (None, None, _) => Shown::Requested,
        }
    }
}
