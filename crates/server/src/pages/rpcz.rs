//! `/rpcz`: spans of calls, and the switches of what records them.

use super::{Asked, ServerFacts};
use polywire_call::{Metadata, Native, Status, brpc};
use polywire_console::View;
use polywire_engine::{clock, keep_calendar};
use polywire_trace::page::{self, Answer, Refused};

pub(super) fn view(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    answered(facts, asked, false)
}

pub(super) fn change(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    answered(facts, asked, true)
}

fn answered(facts: &ServerFacts, asked: &Asked, is_change: bool) -> Result<View, Status> {
    let now = clock::now();
    keep_calendar(&facts.tracer, now);
    let asked = page::Asked { rest: &asked.rest, query: &asked.query_text, is_change, now };
    match page::page(&facts.tracer, &asked) {
        Ok(Answer { is_json: true, text }) => {
            Ok(View { plain: Some(("application/json", text)), ..View::new("Traces") })
        }
        Ok(Answer { is_json: false, text }) => Ok(View::new("Traces").plain(text)),
        Err(Refused::Unknown(text)) => Err(brpc::status(brpc::ENOMETHOD, text)),
        Err(Refused::Wrong(text)) => Err(Status::invalid_argument(text)),
        Err(Refused::NeedsPost) => {
            let status = Status::invalid_argument("a switch is turned by POST");
            let allowed: Metadata = [("allow", "POST")].into_iter().collect();
            Err(status.with_native(Native::Http(405)).with_trailers(allowed))
        }
    }
}
