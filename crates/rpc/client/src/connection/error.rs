//! The statuses with which a connection ends calls, and how a caller distinguishes them.
//!
//! | status | when | sent? |
//! | --- | --- | --- |
//! | [`connect_failed`] | the connection could not be made | no |
//! | [`ended`] | the connections that a call was posted to ended just then | no |
//! | [`moved`] | the connection has no room for the call, another one has | no |
//! | [`refused`] | the protocol, the peer or a limit does not allow the call | no |
//! | [`deadline_exceeded`] | the deadline of the call has passed | perhaps |

use polywire_call::{Origin, Status, brpc};
use polywire_engine::{Fault, transport::Broken};
use polywire_wire::Refusal;
use std::io;

/// The beginning of the text of [`deadline_exceeded`]; the call adds its duration and its number of tries.
pub(crate) const DEADLINE_EXCEEDED: &str = "deadline exceeded";
/// The beginning of the error of a call for which no connection could be made.
pub(crate) const CANNOT_CONNECT: &str = "cannot connect: ";

/// The deadline of a call to `address` has passed while it waited for `awaited`.
#[cold]
pub(crate) fn deadline_exceeded(address: &str, awaited: &str) -> Status {
    brpc::status(brpc::ERPCTIMEDOUT, format!("{DEADLINE_EXCEEDED}: {address} ({awaited})"))
}

/// The connection to `address` could not be made; see also [`is_connect_failure`].
pub(crate) fn connect_failed(address: &str, error: &io::Error) -> Status {
    let text = format!("cannot connect to {address}: {error}");
    if Broken::fault_of(error) != Fault::Reset {
        return brpc::status(brpc::ESSL, text).with_origin(Origin::Transport).unprocessed();
    }
    let number = match error.kind() {
        io::ErrorKind::ConnectionRefused => brpc::ECONNREFUSED,
        io::ErrorKind::TimedOut => brpc::ETIMEDOUT,
        _ => brpc::EHOSTDOWN,
    };
    let status = brpc::status(number, text);
    let status = match number {
        brpc::ETIMEDOUT => Status::unavailable(status.message()).with_native(status.native()).retryable(),
        _ => status,
    };
    status.with_origin(Origin::Transport).unprocessed()
}

/// Whether the call failed because no connection could be made: it has not left this process.
pub(crate) fn is_connect_failure(status: &Status) -> bool {
    status.origin() == Origin::Transport
        && status.is_unprocessed()
        && matches!(brpc::number(status), brpc::ECONNREFUSED | brpc::ETIMEDOUT | brpc::EHOSTDOWN)
}

/// Status of a call that leaves the connection on which it waited for room, since another one has room; see
/// also [`is_moved`].
pub(crate) fn moved() -> Status {
    let status = brpc::status(brpc::EH2RUNOUTSTREAMS, "the connection has no room for the call");
    status.with_origin(Origin::Transport).unprocessed()
}

/// Whether the call has not been sent, and another connection has room for it.
pub(crate) fn is_moved(status: &Status) -> bool {
    status.origin() == Origin::Transport
        && status.is_unprocessed()
        && brpc::number(status) == brpc::EH2RUNOUTSTREAMS
}

/// The status of a call when every connection that it was posted to ended before it took the call, or sent a
/// byte of it.
#[cold]
pub(crate) fn ended() -> Status {
    brpc::status(brpc::EEOF, "the connection ended").with_origin(Origin::Transport).unprocessed()
}

/// The connection's machine did not take the call.
#[cold]
pub(crate) fn refused(refusal: Refusal) -> Status {
    match refusal {
        Refusal::WrongRole => Status::unimplemented("the protocol has no client"),
        Refusal::Full => Status::resource_exhausted("the connection takes no further calls").unprocessed(),
        Refusal::Streams => {
            Status::resource_exhausted("the connection has as many streams as it may").unprocessed()
        }
        Refusal::Draining => Status::unavailable("the peer is going away").unprocessed(),
        Refusal::Unsupported => Status::unimplemented("the protocol cannot carry a call of this kind"),
        Refusal::Unnumbered => Status::unimplemented(
            "the protocol names methods by number: call through a stub, or give the target its place with at(..)",
        ),
        Refusal::Compression => {
            brpc::status(brpc::EREQUEST, "the protocol has no number for this compression")
        }
        Refusal::Credential => Status::unimplemented(
            "the protocol has no field for this credential: the server would take the caller for one without any",
        ),
        Refusal::TooLarge => brpc::status(brpc::EREQUEST, "the request is larger than the limit"),
    }
}
