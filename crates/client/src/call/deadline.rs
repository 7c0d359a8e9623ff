//! What a caller is told whose deadline has passed: after how long, how often it was tried, whom, and what was missing.
//!
//! ```text
//!  deadline exceeded after 200 ms: 2 tries, 10.0.0.7:8000 (cannot connect: Connection refused)
//! ```
//!
//! The connection knows the address and what was missing; the call knows the rest and adds it when it ends.

use crate::{call::attempt::Tries, core::Shared};
use polywire_call::{Origin, Status, brpc};
use tokio::runtime::{Handle, RuntimeFlavor};

const BEGINNING: &str = "deadline exceeded";
const NOBODY: &str = "cannot connect: ";

/// For a call to this address that waited for `what`.
#[cold]
pub(crate) fn overdue(address: &str, what: &str) -> Status {
    brpc::status(brpc::ERPCTIMEDOUT, format!("{BEGINNING}: {address} ({what})"))
}

/// Why nobody can be reached: the last failure to connect, if there is one.
#[cold]
pub(crate) fn not_connected(shared: &Shared) -> String {
    match shared.backoff.why() {
        Some(why) => format!("{NOBODY}{why}"),
        None => "not connected yet".into(),
    }
}

/// Adds what the call knows, if this is why it ended.
#[cold]
pub(crate) fn explain(status: &mut Status, tries: &Tries) {
    if status.origin() != Origin::Local || brpc::number(status) != brpc::ERPCTIMEDOUT {
        return;
    }
    let Some(rest) = status.message().strip_prefix(BEGINNING).and_then(|rest| rest.strip_prefix(": ")) else {
        return;
    };
    let after = tries.limit.map_or_else(String::new, |limit| format!(" after {} ms", limit.as_millis()));
    let reached = !rest.contains(NOBODY);
    let made = (tries.made + u32::from(reached)).max(1); // else it was waiting for the next try
    let tries = if made == 1 { "1 try".to_owned() } else { format!("{made} tries") };
    let text = format!("{BEGINNING}{after}: {tries}, {rest}");
    *status = std::mem::replace(status, Status::OK).with_message(text);
}

/// Where a deadline has passed in a blocking call that may have kept its own server from running: says so.
#[cold]
pub(crate) fn hint_of_blocking(status: &mut Status) {
    let is_ours = status.origin() == Origin::Local && brpc::number(status) == brpc::ERPCTIMEDOUT;
    let alone = |handle: Handle| handle.runtime_flavor() == RuntimeFlavor::CurrentThread;
    if is_ours && Handle::try_current().is_ok_and(alone) {
        let text = format!(
            "{}; blocking() was called within a runtime of one thread: if the server runs there, await the call instead",
            status.message()
        );
        *status = std::mem::replace(status, Status::OK).with_message(text);
    }
}
