//! The machine: one call at a time.
//!
//! ```text
//!        .------------ reply ------------.
//!        v                               |
//!  Idle -- open --> Head --> Body --> Finish
//!
//!  a call that is given up, a reply that may not be kept, goodbye(Close): any state --> Closed
//! ```

use super::frame::Head;
use bytes::Bytes;
use polywire_base::IoBuf;
use polywire_call::{Status, brpc};
use polywire_wire::{
    ClientSetup, Compression, Content, Credit, Cx, Event, Exchange, Goodbye, Limits, Machine, Outcome,
    Outgoing, Refusal, Step, WireError,
};

/// "00 45 53 50 01 02 + u16 local port (always 0), sent once, immediately before the first request of each
/// connection"
const PROLOGUE: [u8; 8] = *b"\0ESP\x01\x02\0\0";

/// The client's end of a connection.
pub(super) struct Client {
    limits: Limits,
    /// The bytes before the first request: the prologue or a credential. Empty once they were sent.
    prologue: Bytes,
    state: State,
    /// The call of all states but `Idle` and `Closed`.
    exchange: Exchange,
    /// A client that leaves opens no further call.
    draining: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// No call is under way.
    Idle,
    /// The head of the reply comes next.
    Head,
    /// A frame of this many bytes is arriving, and its head has been read.
    Body(usize),
    Closed,
}

impl Client {
    pub(super) fn new(setup: &ClientSetup<'_>) -> Self {
        let prologue = match setup.credential {
            // "channels of this protocol get an implicit authenticator unless the user sets another (then
            // that one's credential bytes are sent raw instead)"
            Some(credential) => Bytes::copy_from_slice(credential),
            None => Bytes::from_static(&PROLOGUE),
        };
        Client {
            limits: setup.limits,
            prologue,
            state: State::Idle,
            exchange: Exchange { token: 0, slot: Exchange::UNTRACKED },
            draining: false,
        }
    }

    fn finished(&self, outcome: Outcome) -> Step<'static> {
        Step::Event(Event::Finish { exchange: self.exchange, outcome })
    }

    /// Looks at the head of a reply. `Some`: the call ends here.
    fn head(
        &mut self,
        cx: &mut Cx<'_>,
        head: &[u8; Head::BYTES],
    ) -> Result<Option<Step<'static>>, WireError> {
        let (_, body_len) = Head::read(head);
        if body_len > self.limits.max_message {
            return Err(WireError::TooLarge);
        }
        let bytes = Head::BYTES + body_len as usize;
        if cx.host.admit_reply(self.exchange, bytes) {
            self.state = State::Body(bytes);
            return Ok(None);
        }
        // A new connection costs less than reading the body before the next call.
        self.state = State::Closed;
        let text = format!("the reply of {bytes} bytes is too large");
        Ok(Some(self.finished(Status::resource_exhausted(text).into())))
    }
}

/// The outcome of a call that has this whole frame for a reply.
fn outcome(mut frame: IoBuf) -> Outcome {
    let msg =
        frame.peek(Head::BYTES).and_then(|bytes| bytes.first_chunk()).map(|bytes| Head::read(bytes).0.msg);
    // "Response head.msg != 0: the call fails with ENOENT (2); head and body are still handed to the user."
    let status = match msg {
        Some(0) => Status::OK,
        msg => {
            let msg = msg.unwrap_or_default();
            brpc::received(brpc::ENOENT, format!("the reply says {msg} in place of success"))
        }
    };
    Outcome { status, body: frame, content: Content::RAW, reply: true, ..Outcome::default() }
}

impl Machine for Client {
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        loop {
            match self.state {
                State::Idle if self.draining => self.state = State::Closed,
                State::Idle if cx.input.is_empty() => return Ok(Step::Need(1)),
                State::Idle => return Err(WireError::Malformed("a reply without a call")),
                State::Head => {
                    let head = cx.input.peek(Head::BYTES).and_then(|bytes| bytes.first_chunk().copied());
                    let Some(head) = head else { return Ok(Step::Need(Head::BYTES - cx.input.len())) };
                    if let Some(end) = self.head(cx, &head)? {
                        return Ok(end);
                    }
                }
                State::Body(bytes) => {
                    if cx.input.len() < bytes {
                        return Ok(Step::Need(bytes - cx.input.len()));
                    }
                    let frame = cx.input.cut(bytes);
                    self.state = State::Idle;
                    return Ok(self.finished(outcome(frame)));
                }
                State::Closed => return Ok(Step::Closed),
            }
        }
    }

    fn finish(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _outcome: Outcome) {}

    /// "Client sets body_len; all other head fields come from the user."
    fn open(&mut self, cx: &mut Cx<'_>, exchange: Exchange, call: &Outgoing<'_>) -> Result<Credit, Refusal> {
        if self.draining || self.state == State::Closed {
            return Err(Refusal::Draining);
        }
        if self.state != State::Idle {
            return Err(Refusal::Full);
        }
        if !call.finished || call.streamed || !call.streams.is_empty() {
            return Err(Refusal::Unsupported);
        }
        if call.content != Content::RAW || call.compression != Compression::NONE || call.attachment > 0 {
            return Err(Refusal::Unsupported);
        }
        let mut body = call.body.clone();
        let head = body.peek(Head::BYTES).and_then(|bytes| bytes.first_chunk());
        let (head, _) = Head::read(head.ok_or(Refusal::Unsupported)?);
        body.advance(Head::BYTES);
        // The field is signed: brpc's `int body_len`.
        let body_len = i32::try_from(body.len()).map_err(|_| Refusal::TooLarge)?;
        cx.out.put(&std::mem::take(&mut self.prologue));
        cx.out.put(&head.write(body_len as u32));
        cx.out.share(&body);
        (self.exchange, self.state) = (exchange, State::Head);
        Ok(Credit::CLOSED)
    }

    /// The reply to the call could not be distinguished from that of the next call, so the connection ends.
    fn reset(&mut self, _cx: &mut Cx<'_>, exchange: Exchange, _why: Status) {
        if self.exchange == exchange && self.state != State::Idle {
            self.state = State::Closed;
        }
    }

    /// The protocol has no message that announces the end: a call under way gets its reply, then the
    /// connection closes.
    fn goodbye(&mut self, _cx: &mut Cx<'_>, phase: Goodbye) {
        self.draining = true;
        if phase == Goodbye::Close {
            self.state = State::Closed;
        }
    }

    fn vacancies(&self) -> u32 {
        u32::from(!self.draining && self.state == State::Idle)
    }
}
