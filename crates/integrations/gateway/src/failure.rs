//! Who has failed: a relay, or the server behind it.
//!
//! A failure of a relay has the field [`FIELD`] with its reason. The channel's own words stay here: they name
//! the addresses of servers, which are not for every caller. Spans of the channel have them, and the log.

use crate::fields;
use polywire_call::{Code, Native, Origin, Status, brpc};
use polywire_wire::Outcome;

/// The field of a failure that is a relay's own. It does not pass as a field: a relay writes it anew.
const FIELD: &str = "polywire-gateway";

/// Why a relay has failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// No route is for the call.
    NoRoute,
    /// No server is there to be called.
    NoServer,
    /// There is no connection to a server.
    Unconnected,
    /// The connection broke before the reply had come, or what came is no reply.
    Reset,
    Deadline,
    /// The channel makes no further calls, or not this one.
    Limit,
    /// The call has no form in the protocol of the other side.
    Translate,
    TooLarge,
    /// The call has come back, or has passed too many relays.
    Loop,
    /// A route injects it on purpose.
    Fault,
    /// The policy in front of the relay does not let its caller call this. It is no mark of a failure: the
    /// caller sees the policy's.
    Policy,
}

impl Reason {
    pub const ALL: [Reason; 11] = [
        Reason::NoRoute,
        Reason::NoServer,
        Reason::Unconnected,
        Reason::Reset,
        Reason::Deadline,
        Reason::Limit,
        Reason::Translate,
        Reason::TooLarge,
        Reason::Loop,
        Reason::Fault,
        Reason::Policy,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Reason::NoRoute => "no_route",
            Reason::NoServer => "no_server",
            Reason::Unconnected => "unconnected",
            Reason::Reset => "reset",
            Reason::Deadline => "deadline",
            Reason::Limit => "limit",
            Reason::Translate => "translate",
            Reason::TooLarge => "too_large",
            Reason::Loop => "loop",
            Reason::Fault => "fault",
            Reason::Policy => "policy",
        }
    }

    fn of_mark(mark: &[u8]) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| *reason != Reason::Policy && reason.name().as_bytes() == mark)
    }

    /// Why a call that no server has answered failed.
    fn of(status: &Status) -> Reason {
        match (status.code(), status.native()) {
            (Code::DeadlineExceeded, _) => Reason::Deadline,
            (Code::ResourceExhausted, _) if status.is_unprocessed() => Reason::Limit,
            (Code::ResourceExhausted, _) => Reason::TooLarge,
            (Code::Unimplemented | Code::InvalidArgument, _) => Reason::Translate,
            (_, Native::Brpc(brpc::EHOSTDOWN | brpc::EREJECT)) => Reason::NoServer,
            (_, Native::Brpc(brpc::ECONNREFUSED | brpc::ETIMEDOUT | brpc::ESSL)) => Reason::Unconnected,
            (_, Native::Brpc(brpc::ERESPONSE)) | (Code::Internal | Code::DataLoss | Code::Unknown, _) => {
                Reason::Reset
            }
            _ if status.origin() != Origin::Transport => Reason::Limit,
            _ if status.is_unprocessed() => Reason::Unconnected,
            _ => Reason::Reset,
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Reason::NoRoute => "the relay has no route for this method",
            Reason::NoServer => "the relay knows no server that is ready",
            Reason::Unconnected => "the relay has no connection to a server",
            Reason::Reset => "the relay got no whole reply of the server, the call may have been executed",
            Reason::Deadline => "the server did not answer the relay in time",
            Reason::Limit => "the relay does not pass this call on",
            Reason::Translate => "the call has no form in the protocol of the server",
            Reason::TooLarge => "a message is longer than the relay lets it be, or has room for",
            Reason::Loop => "the call has come back to a relay that it has passed",
            Reason::Fault => "the relay fails this call on purpose, as its route says",
            Reason::Policy => "the caller may not call this",
        }
    }
}

/// Why a relay, this one or one behind, has failed; `None`: it has not.
#[cold]
pub fn reason(outcome: &Outcome) -> Option<Reason> {
    Reason::of_mark(outcome.trailers.as_ref()?.get(FIELD)?)
}

/// A failure of this relay.
#[cold]
pub fn own(reason: Reason, status: Status) -> Status {
    status.with_metadata(FIELD, reason.name())
}

/// No route is for the call. brpc's callers get the number that they get for a method that is nowhere.
#[cold]
pub fn no_route() -> Status {
    own(Reason::NoRoute, brpc::status(brpc::ENOMETHOD, Reason::NoRoute.text()))
}

/// As many calls are under way as may be.
#[cold]
pub fn too_many(text: &str) -> Status {
    own(Reason::Limit, Status::resource_exhausted(text))
}

/// A call of one message came without any.
#[cold]
pub fn no_message() -> Status {
    own(Reason::Translate, Status::unimplemented("the call has no message"))
}

/// A message cannot be decompressed for the other side, or there is no memory for it.
#[cold]
pub fn unreadable(status: Status) -> Status {
    let reason = match (status.code(), status.native()) {
        (_, Native::Brpc(brpc::ELIMIT)) => Reason::Limit,
        (Code::ResourceExhausted, _) => Reason::TooLarge,
        _ => Reason::Translate,
    };
    own(reason, status)
}

/// Whether a failure is one that other calls have, too: no server is there, or it speaks something else.
pub fn is_of_all_calls(status: &Status) -> bool {
    let is_no_reply = status.native() == Native::Brpc(brpc::ERESPONSE);
    let reason = Reason::of(status);
    status.origin() != Origin::Remote
        && (matches!(reason, Reason::NoServer | Reason::Unconnected) || is_no_reply)
}

/// The failure of a call below, as the caller sees it: that of the server as it is, or one of the channel.
#[cold]
pub fn of_call_below(mut status: Status) -> Status {
    if status.origin() != Origin::Remote {
        let reason = Reason::of(&status);
        return own(reason, Status::new(status.code(), reason.text()));
    }
    let sent = status.take_metadata();
    // A server behind that is itself a relay says so; other values are nobody's.
    let marked = sent.get(FIELD).and_then(Reason::of_mark);
    let status = status.with_trailers(fields::of_reply(&sent).map(|fields| *fields).unwrap_or_default());
    marked.into_iter().fold(status, |status, reason| own(reason, status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_channel_stay_here_and_those_of_the_server_go_on() {
        let of = |status: Status| {
            let seen = of_call_below(status);
            assert!(!seen.is_retryable() && !seen.message().contains("10.0.0.1"), "{seen}");
            (seen.code(), seen.metadata().get_str(FIELD).map(str::to_owned))
        };
        let lost = |number: i32| brpc::status(number, "10.0.0.1:8000: lost").with_origin(Origin::Transport);
        for (number, reason) in [
            (brpc::EHOSTDOWN, "no_server"),
            (brpc::EREJECT, "no_server"),
            (brpc::ECONNREFUSED, "unconnected"),
            (brpc::ESSL, "unconnected"),
            (brpc::EEOF, "reset"),
            (brpc::EFAILEDSOCKET, "reset"),
        ] {
            assert_eq!(of(lost(number)), (lost(number).code(), Some(reason.to_owned())));
        }
        let paused = Status::unavailable("10.0.0.1:8000: next try in 1 s").with_origin(Origin::Transport);
        assert_eq!(of(paused.unprocessed()), (Code::Unavailable, Some("unconnected".to_owned())));
        let late = brpc::status(brpc::ERPCTIMEDOUT, "10.0.0.1:8000 (a reply)").with_origin(Origin::Local);
        assert_eq!(of(late), (Code::DeadlineExceeded, Some("deadline".to_owned())));
        for broken in [brpc::status(brpc::ERESPONSE, "10.0.0.1:8000: no reply"), Status::internal("flags")] {
            for origin in [Origin::Local, Origin::Transport] {
                let code = broken.code();
                assert_eq!(of(broken.clone().with_origin(origin)), (code, Some("reset".to_owned())));
            }
        }
        let sent = Status::unavailable("busy").with_metadata("via", "x").with_metadata("x-shelf", "7");
        let seen = of_call_below(sent.with_origin(Origin::Remote));
        assert_eq!((seen.message(), seen.metadata().iter().count()), ("busy", 1), "{seen:?}");
    }

    #[test]
    fn a_mark_of_the_server_is_one_of_the_reasons_or_none() {
        for (value, kept) in [("loop", Some("loop")), ("Loop", None), ("10.0.0.1 is down", None), ("", None)]
        {
            let sent = Status::internal("x").with_metadata(FIELD, value).with_origin(Origin::Remote);
            assert_eq!(of_call_below(sent).metadata().get_str(FIELD), kept, "{value}");
        }
    }
}
