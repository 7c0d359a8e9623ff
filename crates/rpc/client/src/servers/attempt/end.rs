//! Judges a server by the end of a call.

use polywire_balance::{End, Failed};
use polywire_call::{Code, Origin, Status};
use std::time::Duration;

/// The result of a call, from the balancer's point of view.
///
/// | status | says |
/// | --- | --- |
/// | OK, or an error of the caller's making, by the server | it has answered |
/// | RESOURCE_EXHAUSTED by the server | it has too much to do: it gets fewer calls and is not taken out |
/// | UNAVAILABLE, INTERNAL, UNKNOWN, DATA_LOSS or DEADLINE_EXCEEDED by the server | it has failed |
/// | an error of the transport; the deadline has passed | it has failed |
/// | CANCELLED on this side, any other error of this side | nothing: the call was given up |
pub(crate) fn of(status: &Status, timeout: Duration) -> End {
    let failure = Failed { timeout, tries_before: 0, tries_left: 0 };
    let failed = End::Failed(failure);
    let speaks_against = matches!(
        status.code(),
        Code::Unavailable | Code::Internal | Code::Unknown | Code::DataLoss | Code::DeadlineExceeded
    );
    match (status.code(), status.origin()) {
        (Code::Ok, _) => End::Answered,
        (Code::ResourceExhausted, Origin::Remote) => End::Overloaded(failure),
        (_, Origin::Remote) if speaks_against => failed,
        (_, Origin::Remote) => End::Answered,
        (_, Origin::Transport) => failed,
        (Code::DeadlineExceeded, Origin::Local) => failed,
        _ => End::GivenUp,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_caller_say_nothing_against_the_server() {
        let of = |status: Status, origin| of(&status.with_origin(origin), Duration::from_secs(1));
        assert_eq!(of(Status::not_found("x"), Origin::Remote), End::Answered);
        assert_eq!(of(Status::invalid_argument("x"), Origin::Local), End::GivenUp);
        assert_eq!(of(Status::cancelled("x"), Origin::Local), End::GivenUp);
        assert!(matches!(of(Status::resource_exhausted("x"), Origin::Remote), End::Overloaded(_)));
        for (status, origin) in [
            (Status::unavailable("x"), Origin::Remote),
            (Status::unavailable("x"), Origin::Transport),
            (Status::deadline_exceeded("x"), Origin::Local),
        ] {
            assert!(matches!(of(status, origin), End::Failed(_)));
        }
    }
}
