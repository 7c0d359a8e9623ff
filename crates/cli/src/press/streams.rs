//! A call of a method that streams, as load.
//!
//! | the method | a call |
//! | --- | --- |
//! | answers with a stream | one request, then all answers |
//! | takes a stream | `--messages` requests, then the reply |
//! | both | `--messages` requests, each answered before the next: ping-pong |
//!
//! The latency is that of the whole call; messages of each direction are counted separately.

use super::{caller::Caller, recorder};
use polywire::{Duplex, Raw, Reply, Status, Streaming, StreamingCall, Upload};
use polywire_formats::schema::MethodSchema;
use std::time::Instant;

/// The streaming kind of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    takes: bool,
    answers: bool,
    /// Requests per call, if the method takes a stream.
    messages: u32,
}

impl Kind {
    pub fn of(method: MethodSchema<'_>, messages: u32) -> Kind {
        Kind { takes: method.client_streaming, answers: method.server_streaming, messages }
    }
}

/// The messages of one call.
#[derive(Default)]
struct Passed {
    messages: u64,
    bytes: usize,
    /// The last reply, which counts as the reply of the call.
    last: Raw,
}

impl Passed {
    fn count(&mut self, bytes: usize) {
        self.messages += 1;
        self.bytes += bytes;
    }

    fn answer(&mut self, answer: Raw) {
        self.count(answer.body.len());
        self.last = answer;
    }
}

impl Caller {
    /// Makes one call. Returns the bytes of all messages except the last reply, and that reply.
    pub async fn stream(&mut self, kind: Kind, now: Instant) -> (usize, Result<Reply<Raw>, Status>) {
        let mut passed = Passed::default();
        let ended = match (kind.takes, kind.answers) {
            (false, _) => self.listen(now, &mut passed).await,
            (true, false) => self.upload(kind, now, &mut passed).await,
            (true, true) => self.talk(kind, now, &mut passed).await,
        };
        recorder::passed(passed.messages);
        let last = std::mem::take(&mut passed.last);
        (passed.bytes - last.body.len(), ended.map(|()| Reply::new(last)))
    }

    fn opening<S>(&mut self, now: Instant, request: Option<&'static [u8]>) -> StreamingCall<S> {
        let call = self.channel.typed_stream(self.target.clone(), request.map(|body| Ok(body.into())));
        let call = call.deadline(self.timeout.map(|timeout| now + timeout));
        match &self.extras {
            Some(extras) => extras.add_to_stream(call),
            None => call,
        }
    }

    async fn listen(&mut self, now: Instant, passed: &mut Passed) -> Result<(), Status> {
        let body = self.body();
        passed.count(body.len());
        let mut answers = self.opening::<Streaming<Raw>>(now, Some(body)).await?;
        while let Some(answer) = answers.next().await.transpose()? {
            passed.answer(answer);
        }
        Ok(())
    }

    async fn upload(&mut self, kind: Kind, now: Instant, passed: &mut Passed) -> Result<(), Status> {
        let mut upload = self.opening::<Upload<Raw, Raw>>(now, None).await?;
        for _ in 0..kind.messages {
            let body = self.body();
            if upload.send(Raw::new(body)).await.is_err() {
                break; // `finish` returns the reason
            }
            passed.count(body.len());
        }
        passed.answer(upload.finish().await?.into_message());
        Ok(())
    }

    async fn talk(&mut self, kind: Kind, now: Instant, passed: &mut Passed) -> Result<(), Status> {
        let mut talk = self.opening::<Duplex<Raw, Raw>>(now, None).await?;
        for _ in 0..kind.messages {
            let body = self.body();
            talk.send(Raw::new(body)).await?;
            passed.count(body.len());
            match talk.next().await.transpose()? {
                Some(answer) => passed.answer(answer),
                None => return Ok(()), // the server reads no more
            }
        }
        talk.finish();
        while let Some(answer) = talk.next().await.transpose()? {
            passed.answer(answer);
        }
        Ok(())
    }
}
