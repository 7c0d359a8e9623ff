//! The error text of a call whose deadline has passed: the time, the number of tries, the address, and what
//! the call was waiting for.
//!
//! ```text
//!  deadline exceeded after 200 ms: 2 tries, 10.0.0.7:8000 (cannot connect: Connection refused)
//! ```
//!
//! The connection provides the address and what the call was waiting for; the call adds the rest when it
//! ends.

use crate::connection::error::{CANNOT_CONNECT, DEADLINE_EXCEEDED};
use polywire_call::{Origin, Status, brpc};
use std::time::Duration;
use tokio::runtime::{Handle, RuntimeFlavor};

/// Completes the status of a call that ended because its deadline has passed; leaves others unchanged.
/// `failed`: attempts that failed before the last one, unless the text has them already. `timeout`: the time
/// limit of the call.
#[cold]
pub(crate) fn explain(status: &mut Status, failed: Option<u32>, timeout: Option<Duration>) {
    if !is_ours(status) {
        return;
    }
    let Some(rest) =
        status.message().strip_prefix(DEADLINE_EXCEEDED).and_then(|rest| rest.strip_prefix(": "))
    else {
        return;
    };
    let after = timeout.map_or_else(String::new, |timeout| format!(" after {} ms", timeout.as_millis()));
    let Some(failed) = failed else { return say(status, format!("{DEADLINE_EXCEEDED}{after}: {rest}")) };
    let reached = !rest.contains(CANNOT_CONNECT);
    let made = (failed + u32::from(reached)).max(1); // else it was waiting for the next try
    let tries = if made == 1 { "1 try".to_owned() } else { format!("{made} tries") };
    say(status, format!("{DEADLINE_EXCEEDED}{after}: {tries}, {rest}"));
}

/// Adds a hint if the deadline of a blocking call has passed that may itself have prevented its own server
/// from running.
#[cold]
pub(crate) fn hint_of_blocking(status: &mut Status) {
    let alone = |handle: Handle| handle.runtime_flavor() == RuntimeFlavor::CurrentThread;
    if is_ours(status) && Handle::try_current().is_ok_and(alone) {
        let text = format!(
            "{}; blocking() was called within a runtime of one thread: if the server runs there, await the call instead",
            status.message()
        );
        say(status, text);
    }
}

/// Whether this side has ended the call, since its deadline had passed.
fn is_ours(status: &Status) -> bool {
    status.origin() == Origin::Local && brpc::number(status) == brpc::ERPCTIMEDOUT
}

fn say(status: &mut Status, text: String) {
    *status = std::mem::replace(status, Status::OK).with_message(text);
}
