//! The client's end of a connection.

use crate::{CALL, frame::Lines};
use polywire::{
    Code, Content, Origin, Status,
    wire::{
        ClientSetup, Credit, Cx, Event, Exchange, Goodbye, IoBuf, Machine, Outcome, Outgoing, Refusal, Step,
        WireError,
    },
};

/// ```text
///   .---- a reply ----.
///   v                 |
/// Idle -- open --> Waiting -- given up --> Closed
/// ```
enum State {
    Idle,
    Waiting(Exchange),
    /// No further call is possible: the connection ends.
    Closed,
}

pub struct Line {
    state: State,
    draining: bool,
    /// Whether the channel has a credential, for which the protocol has no field.
    has_credential: bool,
    longest: usize,
    lines: Lines,
}

impl Line {
    pub fn new(setup: &ClientSetup<'_>) -> Self {
        Line {
            state: State::Idle,
            draining: false,
            has_credential: setup.credential.is_some(),
            longest: setup.limits.max_message as usize,
            lines: Lines::default(),
        }
    }
}

/// The outcome of a call, from its reply.
fn outcome(mut line: IoBuf) -> Result<Outcome, WireError> {
    let text = line.contiguous();
    match text.first() {
        Some(b'+') => {
            line.advance(1);
            Ok(Outcome { body: line, content: Content::JSON, reply: true, ..Outcome::default() })
        }
        Some(b'-') => {
            let text = String::from_utf8_lossy(&text[1..]);
            let (name, message) = text.split_once(' ').unwrap_or((&text, ""));
            let code = Code::ALL.into_iter().find(|code| code.to_string() == name);
            let code = code.filter(|code| *code != Code::Ok).unwrap_or(Code::Unknown);
            Ok(Status::new(code, message).with_origin(Origin::Remote).into())
        }
        _ => Err(WireError::Malformed("a reply begins with + or -")),
    }
}

impl Machine for Line {
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        match self.state {
            State::Closed => Ok(Step::Closed),
            State::Idle if cx.input.is_empty() => Ok(Step::Need(1)),
            State::Idle => Err(WireError::Malformed("a reply that nobody asked for")),
            State::Waiting(exchange) => {
                let Some(line) = self.lines.next(cx.input, self.longest)? else { return Ok(Step::Need(1)) };
                self.state = State::Idle;
                Ok(Step::Event(Event::Finish { exchange, outcome: outcome(line)? }))
            }
        }
    }

    fn open(&mut self, cx: &mut Cx<'_>, exchange: Exchange, call: &Outgoing<'_>) -> Result<Credit, Refusal> {
        match self.state {
            State::Idle if self.draining => return Err(Refusal::Draining),
            State::Idle => {}
            State::Waiting(_) => return Err(Refusal::Full),
            State::Closed => return Err(Refusal::Draining),
        }
        if self.has_credential {
            return Err(Refusal::Credential);
        }
        let has_line_end = call.body.segments().any(|segment| segment.contains(&b'\n'));
        if !call.finished || call.streamed || !call.streams.is_empty() || has_line_end {
            return Err(Refusal::Unsupported);
        }
        cx.out.put(CALL);
        cx.out.put(format!("{}/{} ", call.service, call.method).as_bytes());
        cx.out.share(call.body);
        cx.out.put(b"\n");
        self.state = State::Waiting(exchange);
        Ok(Credit::CLOSED)
    }

    /// A client's calls end by [`Event::Finish`] or [`Machine::reset`].
    fn finish(&mut self, _: &mut Cx<'_>, _: Exchange, _: Outcome) {}

    /// The caller has cancelled. Its reply could not be distinguished from the next one, so the connection
    /// ends.
    fn reset(&mut self, _: &mut Cx<'_>, exchange: Exchange, _: Status) {
        if matches!(self.state, State::Waiting(waiting) if waiting == exchange) {
            self.state = State::Closed;
        }
    }

    fn goodbye(&mut self, _: &mut Cx<'_>, phase: Goodbye) {
        self.draining = true;
        if phase == Goodbye::Close {
            self.state = State::Closed;
        }
    }

    fn vacancies(&self) -> u32 {
        u32::from(matches!(self.state, State::Idle) && !self.draining)
    }
}
