//! The service `example.StreamService`.

use crate::example::{Heard, Line, RepeatRequest, StreamService};
use polywire::{Context, Reply, Status, Stream, Streaming};
use std::{
    pin::Pin,
    task::{Context as Task, Poll, ready},
    time::Duration,
};
use tokio::time::{Sleep, sleep};

/// A method of each kind that streams.
pub struct Streams;

impl StreamService for Streams {
    async fn repeat(
        &self,
        _: &Context,
        request: RepeatRequest,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(Repeats { request, said: 0, pause: None })
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

/// Sends a message as often as requested. It implements `Stream` by hand, without a task or a queue between
/// it and the connection, so that a press measures those.
struct Repeats {
    request: RepeatRequest,
    said: u32,
    /// The pause before the next message.
    pause: Option<Pin<Box<Sleep>>>,
}

impl Stream for Repeats {
    type Item = Result<Line, Status>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if this.said == this.request.count {
            return Poll::Ready(None);
        }
        if let Some(pause) = &mut this.pause {
            ready!(pause.as_mut().poll(task));
        }
        this.said += 1;
        let interval = Duration::from_millis(this.request.interval_ms.into());
        this.pause = (!interval.is_zero()).then(|| Box::pin(sleep(interval)));
        Poll::Ready(Some(Ok(Line { message: this.request.message.clone() })))
    }
}
