//! `/`: the list of pages.

use super::{PAGES, Request, ServerFacts, Text};
use polywire_call::Status;

pub(super) fn text(_: &ServerFacts, _: &Request<'_>) -> Result<Text, Status> {
    let text: String = PAGES.iter().map(|page| format!("/{:<10} {}\n", page.path, page.help)).collect();
    Ok(text.into())
}
