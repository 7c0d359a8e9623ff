//! Server-streaming calls: one request, a stream of replies.

use crate::{
    call::streaming::opening::{Opening, Shape, on_end},
    interceptor::Watch,
};
use polywire_call::{Origin, Status};
use polywire_formats::rest::Rule;
use polywire_streams::{Item, Lines, Streaming};
use polywire_wire::{Outcome, Streams};

/// A server-streaming call: one request, a stream of replies. Opening it waits for the head of the answer, so
/// a call that fails at once fails here. It is retried, up to the channel's number of retries, if the peer
/// did not process it, and otherwise as a service config defines.
impl<O: Item> Shape for Streaming<O> {
    const STREAMED: bool = true;
    const READS_LINES: bool = true;

    async fn open(mut opening: Opening) -> Result<Self, Status> {
        let reads_lines = opening.core.protocol().streams == Streams::Bytes;
        if reads_lines && opening.request.metadata.get("accept").is_none() {
            opening.request.metadata.append("accept", accepted(opening.rule));
        }
        let mut posted = opening.post_first().await?;
        loop {
            let ((source, sink), lease) = posted;
            let mut answers = Streaming::new(source, opening.form).on_end(on_end(lease));
            if let Some(rule) = opening.rule {
                answers = answers.by_rule(rule);
            }
            let failed = match answers.opened().await {
                Ok(_) => {
                    opening.succeeded();
                    return if reads_lines { divided(answers, &opening) } else { Ok(answers) };
                }
                Err(status) => status,
            };
            drop((answers, sink)); // gives the connection back before another attempt looks for one
            let mut ended = Outcome::from(failed);
            match opening.post_again(&mut ended).await {
                Some(again) => posted = again,
                None => return Err(ended.into_status()),
            }
        }
    }

    fn watched(self, watch: Box<Watch>) -> Self {
        self.on_end(Some(watch.on_end()))
    }
}

/// The `accept` header of a call over plain HTTP.
fn accepted(rule: Option<&Rule<'_>>) -> &'static str {
    match rule {
        None => Lines::ACCEPT,
        Some(rule) if rule.answers_bytes() => "*/*",
        Some(_) => Lines::ACCEPT_BY_RULE,
    }
}

/// Divides an answer whose messages are lines of text, or, by a rule, the values of a gateway.
///
/// # Errors
/// UNIMPLEMENTED: it is something else.
fn divided<O: Item>(answers: Streaming<O>, opening: &Opening) -> Result<Streaming<O>, Status> {
    let Opening { request, rule, .. } = opening;
    let field = |name| answers.metadata().get(name);
    let coding = field("content-encoding").filter(|coding| *coding != b"identity");
    let content_type = field("content-type").filter(|_| coding.is_none());
    if coding.is_none() && rule.is_some_and(Rule::answers_bytes) {
        let content_type = content_type.map(String::from_utf8_lossy).unwrap_or_default().into_owned();
        return Ok(answers.of_bytes(content_type));
    }
    let kind = if rule.is_some() { Lines::of_gateway } else { Lines::by_type };
    if let Some(lines) = content_type.and_then(kind) {
        return Ok(answers.divided(lines));
    }
    let given = coding.or(field("content-type")).map_or("no content type".into(), String::from_utf8_lossy);
    let called = match rule {
        Some(rule) => format!("{} {}", rule.verb(), &*request.method),
        None => format!("{}/{}", &*request.service, &*request.method),
    };
    Err(Status::unimplemented(format!(
        "{called} was answered with {given}, in which one message cannot be told from the next; these can be read: {}",
        accepted(*rule)
    ))
    .with_origin(Origin::Remote))
}
