//! `/`: the list of pages.

use super::{PAGES, Request, ServerFacts};
use polywire_call::Status;

pub(super) fn text(_: &ServerFacts, _: &Request<'_>) -> Result<String, Status> {
    Ok(PAGES.iter().map(|page| format!("/{:<10} {}\n", page.path, page.help)).collect())
}
