//! Reads replies and ends the calls they belong to.

use super::dialect::Dialect;
use super::machine::{Expected, Serial, State};
use polywire_call::{Code, Native, Origin, Status, brpc};
use polywire_wire::{Cx, Event, Outcome, Step, WireError};

impl<D: Dialect> Serial<D> {
    pub(super) fn poll_client(&mut self, cx: &mut Cx<'_>) -> Result<Step<'static>, WireError> {
        loop {
            match self.state {
                State::Head => {
                    let (head, body_len) = match self.front(cx.input)? {
                        Ok(front) => front,
                        Err(_) if D::FAILS_BY_CLOSING && self.eof => {
                            self.state = State::Closed;
                            return Ok(self.finished(failed_by_closing().into()));
                        }
                        Err(missing) => return Ok(Step::Need(missing)),
                    };
                    let bytes = body_len as usize;
                    if !cx.host.admit_reply(self.exchange, bytes) {
                        // A new connection costs less than reading the body before the next call.
                        self.state = State::Closed;
                        let text = format!("the reply of {bytes} bytes is too large");
                        return Ok(self.finished(Status::resource_exhausted(text).into()));
                    }
                    cx.input.advance(super::Head::BYTES);
                    self.head = head;
                    self.state = State::Body(Expected { bytes, route: None });
                }
                State::Body(Expected { bytes, .. }) => {
                    if cx.input.len() < bytes {
                        return Ok(Step::Need(bytes - cx.input.len()));
                    }
                    let body = cx.input.cut(bytes);
                    let Some(outcome) = self.dialect.read_reply(&self.head, body) else {
                        self.state = State::Head;
                        continue;
                    };
                    self.state = State::Rest;
                    return Ok(self.finished(outcome));
                }
                State::Rest if cx.input.is_empty() => return Ok(Step::Need(1)),
                State::Rest => return Err(WireError::Malformed("a reply without a call")),
                State::Verdict | State::Closed => return Ok(Step::Closed),
            }
        }
    }

    fn finished(&self, outcome: Outcome) -> Step<'static> {
        Step::Event(Event::Finish { exchange: self.exchange, outcome })
    }
}

/// Does not use `brpc::status`, which would allow a retry: a handler that failed has run.
#[cold]
fn failed_by_closing() -> Status {
    Status::new(Code::Unknown, "the server closed the connection in place of a reply")
        .with_native(Native::Brpc(brpc::EEOF))
        .with_origin(Origin::Remote)
}
