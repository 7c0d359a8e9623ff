//! `/rpcz`: spans of calls, and the switches of what records them.

use super::{Request, ServerFacts, Text};
use polywire_call::{Metadata, Native, Status, brpc};
use polywire_engine::{clock, keep_calendar};
use polywire_trace::page::{self, Answer, Asked, Refused};

pub(super) fn text(facts: &ServerFacts, request: &Request<'_>) -> Result<Text, Status> {
    let now = clock::now();
    keep_calendar(&facts.tracer, now);
    let query = request.target.split_once('?').map_or("", |(_, query)| query);
    let query = query.split('#').next().unwrap_or("");
    let asked = Asked { rest: request.rest, query, is_change: request.is_post, now };
    match page::page(&facts.tracer, &asked) {
        Ok(Answer { is_json: true, text }) => Ok(Text { content_type: "application/json", text }),
        Ok(Answer { is_json: false, text }) => Ok(text.into()),
        Err(Refused::Unknown(text)) => Err(brpc::status(brpc::ENOMETHOD, text)),
        Err(Refused::Wrong(text)) => Err(Status::invalid_argument(text)),
        Err(Refused::NeedsPost) => {
            let status = Status::invalid_argument("a switch is turned by POST");
            let allowed: Metadata = [("allow", "POST")].into_iter().collect();
            Err(status.with_native(Native::Http(405)).with_trailers(allowed))
        }
    }
}
