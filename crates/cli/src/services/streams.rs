//! `example.StreamService`.

use crate::example::{Heard, Line, RepeatRequest, StreamService};
use polywire::{Context, Reply, Status, Stream, Streaming};
use std::time::Duration;

/// Messages that wait between a task and the stream it feeds.
const QUEUE: usize = 16;

/// A method of each kind that streams.
pub struct Streams;

impl StreamService for Streams {
    async fn repeat(
        &self,
        cx: &Context,
        request: RepeatRequest,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        let (sender, lines) = polywire::stream(QUEUE);
        cx.spawn(async move {
            for n in 0..request.count {
                if n > 0 && request.interval_ms > 0 {
                    tokio::time::sleep(Duration::from_millis(request.interval_ms.into())).await;
                }
                sender.send(Line { message: request.message.clone() }).await?;
            }
            Ok(())
        });
        Ok(lines)
    }

    async fn collect(&self, _: &Context, mut incoming: Streaming<Line>) -> Result<Reply<Heard>, Status> {
        let mut heard = Heard::default();
        while let Some(line) = incoming.next().await.transpose()? {
            heard.messages += 1;
            heard.bytes += line.message.len() as u64;
        }
        Ok(heard.into())
    }

    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}
