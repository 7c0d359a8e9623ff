//! One message out, a stream back.

use crate::{
    call::streaming::opening::{Opening, Shape, on_end},
    interceptor::Watch,
};
use polywire_call::{Origin, Status};
use polywire_exchange::Request;
use polywire_streams::{Item, Lines, Streaming};
use polywire_wire::{Outcome, Streams};

/// One message out, a stream back. Opening it waits for the head of the answer, so a call that fails at once fails
/// here. It is tried again, as often as the channel says, if the peer did nothing with it, and otherwise as a service
/// config says.
impl<O: Item> Shape for Streaming<O> {
    const STREAMED: bool = true;
    const READS_LINES: bool = true;

    async fn open(mut opening: Opening) -> Result<Self, Status> {
        let reads_lines = opening.core.protocol().streams == Streams::Bytes;
        if reads_lines && opening.request.metadata.get("accept").is_none() {
            opening.request.metadata.append("accept", Lines::ACCEPT);
        }
        let mut posted = opening.post_first().await?;
        loop {
            let (source, sink, exclusive) = posted;
            let mut answers = Streaming::new(source, opening.form).on_end(on_end(exclusive));
            let failed = match answers.opened().await {
                Ok(_) => {
                    opening.succeeded();
                    return if reads_lines { divided(answers, &opening.request) } else { Ok(answers) };
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

/// An answer whose messages are lines of text.
///
/// # Errors
/// UNIMPLEMENTED: it is something else.
fn divided<O: Item>(answers: Streaming<O>, request: &Request) -> Result<Streaming<O>, Status> {
    let field = |name| answers.metadata().get(name);
    let coding = field("content-encoding").filter(|coding| *coding != b"identity");
    let lines = field("content-type").and_then(Lines::by_type).filter(|_| coding.is_none());
    if let Some(lines) = lines {
        return Ok(answers.divided(lines));
    }
    let given = coding.or(field("content-type")).map_or("no content type".into(), String::from_utf8_lossy);
    let Request { service, method, .. } = request;
    Err(Status::unimplemented(format!(
        "{}/{} was answered with {given}, in which one message cannot be told from the next; these can be read: {}",
        &**service,
        &**method,
        Lines::ACCEPT
    ))
    .with_origin(Origin::Remote))
}
