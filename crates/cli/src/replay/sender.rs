//! Sends recorded requests, one after another.

use super::recorded::{Recorded, Request};
use crate::{press::caller::Calls, redis};
use polywire::{Channel, Code, Raw, Reply, Status, Streaming};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// The number of the next request, which all callers share.
#[derive(Default)]
pub struct Turn(AtomicU64);

/// A caller of recorded requests.
#[derive(Clone)]
pub struct Sender {
    recorded: Arc<Recorded>,
    /// The channels by [`Request::protocol`].
    channels: Vec<Channel>,
    turn: Arc<Turn>,
    timeout: Option<Duration>,
}

impl Sender {
    pub fn new(
        recorded: Arc<Recorded>,
        channels: Vec<Channel>,
        turn: Arc<Turn>,
        timeout: Option<Duration>,
    ) -> Self {
        Sender { recorded, channels, turn, timeout }
    }
}

impl Calls for Sender {
    async fn one(&mut self, now: Instant) -> (usize, Result<Reply<Raw>, Status>) {
        let turn = self.turn.0.fetch_add(1, Relaxed) as usize;
        let request = &self.recorded.requests[turn % self.recorded.requests.len()];
        let bytes = request.body.len() + request.attachment.len();
        let deadline = self.timeout.map(|timeout| now + timeout);
        let reply = request.send(&self.channels[request.protocol], deadline).await;
        (bytes, reply)
    }
}

impl Request {
    /// Sends the request over a channel of its protocol. An error of Redis is a failure; of a stream the
    /// answers are joined.
    ///
    /// # Errors
    /// The call failed.
    pub async fn send(&self, channel: &Channel, deadline: Option<Instant>) -> Result<Reply<Raw>, Status> {
        if self.streams {
            return self.stream(channel, deadline).await;
        }
        let mut call = channel.call(self.target.clone(), self.body.clone()).deadline(deadline);
        if let Some(content) = self.content {
            call = call.content(content);
        }
        if !self.attachment.is_empty() {
            call = call.attachment(self.attachment.clone());
        }
        for (name, value) in &self.fields {
            call = call.metadata(name, value);
        }
        let reply = call.compressed(self.compression).await?;
        if self.is_redis && redis::is_error(&reply) {
            let line = String::from_utf8_lossy(&reply.body.front()[1..]).into_owned();
            let line = line.lines().next().unwrap_or_default();
            return Err(Status::new(Code::Unknown, line));
        }
        Ok(reply)
    }

    async fn stream(&self, channel: &Channel, deadline: Option<Instant>) -> Result<Reply<Raw>, Status> {
        let body = Some(Ok(self.body.clone().into()));
        let mut call = channel.typed_stream::<Streaming<Raw>>(self.target.clone(), body).deadline(deadline);
        if let Some(content) = self.content {
            call = call.content(content);
        }
        for (name, value) in &self.fields {
            call = call.metadata(name, value);
        }
        let mut answers = call.await?;
        let mut all = Raw::default();
        while let Some(answer) = answers.next().await.transpose()? {
            all.content = answer.content;
            if all.body.len() < LONGEST {
                all.body.append(answer.body);
            }
        }
        Ok(Reply::new(all))
    }
}

/// Bytes of a streamed answer that are kept, and one message more.
const LONGEST: usize = 64 << 20;
