//! `/vlog`: what is logged.
//!
//! Not brpc's list of places in the code with their levels, which it can change: what becomes of events is
//! decided by the subscriber that the application has given to `tracing`.

use crate::{asked::Asked, facts::ServerFacts};
use polywire_call::Status;
use polywire_console::View;
use tracing::level_filters::LevelFilter;

pub(crate) fn view(_: &ServerFacts, _: &Asked) -> Result<View, Status> {
    let level = LevelFilter::current();
    let note = match level {
        LevelFilter::OFF => "No subscriber of tracing takes events: nothing is logged.",
        _ => {
            "The most detailed level that some subscriber of tracing takes; it may take less of some modules."
        }
    };
    Ok(View::new("Log").note(note).fact("level", level.to_string().to_ascii_lowercase()))
}
