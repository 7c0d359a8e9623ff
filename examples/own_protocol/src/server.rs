//! The server's end of a connection.

use crate::{CALL, frame::Lines};
use polywire::{
    Content, Status,
    wire::{
        Claim, Cx, Event, Exchange, Goodbye, Head, IoBuf, Machine, Open, Outcome, Route, ServerSetup, Step,
        Target, Validity, WireError,
    },
};

/// ```text
///   .------------------- finish -------------------.
///   v                                              |
/// Request -- a line, admitted --------------> Answering
///   |  ^                                           |
///   |  `-- accepted -- Verdict -- refused --.      | a reset, goodbye(Close)
///   `-- the first, and callers are asked ---^      v
///                                        `----> Closed
/// ```
enum State {
    Request,
    /// The server decides whether the peer may call.
    Verdict,
    /// A handler is running.
    Answering,
    Closed,
}

pub struct Line {
    state: State,
    /// Whether the caller has to be authenticated, and was not yet.
    authenticate: bool,
    longest: usize,
    lines: Lines,
    /// Number of requests so far, which gives each its own number.
    requests: u64,
    /// `service/method` of the current request.
    name: String,
}

impl Line {
    pub fn new(setup: &ServerSetup<'_>) -> Self {
        Line {
            state: State::Request,
            authenticate: setup.authenticate,
            longest: setup.limits.max_message as usize,
            lines: Lines::default(),
            requests: 0,
            name: String::new(),
        }
    }

    /// The head of the current request: what is known before its body.
    fn head(&self) -> Head<'_> {
        let (service, method) = self.name.split_once('/').unwrap_or((&self.name, ""));
        Head::new(Target::Method { service, method }, Content::JSON)
    }

    /// Parses a line and asks the host to admit the request. `None`: it was answered with a failure.
    fn admit(&mut self, cx: &mut Cx<'_>, mut line: IoBuf) -> Result<Option<(Route, IoBuf)>, WireError> {
        let text = line.contiguous();
        let Some(rest) = text.strip_prefix(CALL) else {
            return Err(WireError::Malformed("a request begins with CALL"));
        };
        let named = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
        let Ok(name) = std::str::from_utf8(&rest[..named]) else {
            return Err(WireError::Malformed("a method's name is UTF-8"));
        };
        self.name = name.to_owned();
        line.advance((CALL.len() + named + 1).min(line.len()));
        let bytes = line.len();
        let status = match cx.host.admit(&self.head(), Some(bytes)) {
            Ok(route) if bytes <= route.max_message as usize => return Ok(Some((route, line))),
            Ok(route) => {
                cx.host.withdraw(route, Some(bytes));
                Status::resource_exhausted(format!("{bytes} bytes are more than the method takes"))
            }
            Err(status) => status,
        };
        fail(cx, &status);
        Ok(None)
    }

    fn exchange(&self) -> Exchange {
        Exchange { token: self.requests, slot: Exchange::UNTRACKED }
    }
}

/// `-CODE text`
fn fail(cx: &mut Cx<'_>, status: &Status) {
    let text = status.message().replace(char::is_control, " ");
    cx.out.put(format!("-{} {text}\n", status.code()).as_bytes());
}

impl Machine for Line {
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        let (route, body) = loop {
            match self.state {
                State::Closed => return Ok(Step::Closed),
                State::Verdict | State::Answering => return Ok(Step::Blocked),
                // If a peer does not read its replies, no more is read from it.
                State::Request if cx.out.room() == 0 => return Ok(Step::Blocked),
                State::Request if self.authenticate => {
                    self.authenticate = false;
                    self.state = State::Verdict;
                    return Ok(Step::Event(Event::Authenticate(Claim::new("line", None))));
                }
                State::Request => {}
            }
            let Some(line) = self.lines.next(cx.input, self.longest)? else { return Ok(Step::Need(1)) };
            if let Some(admitted) = self.admit(cx, line)? {
                break admitted;
            }
        };
        self.state = State::Answering;
        self.requests += 1;
        let exchange = self.exchange();
        let head = self.head();
        Ok(Step::Event(Event::Open(Open { exchange, route, head, body, finished: true, streams: &[] })))
    }

    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, outcome: Outcome) {
        if !matches!(self.state, State::Answering) || exchange != self.exchange() {
            return;
        }
        self.state = State::Request;
        let Outcome { status, mut body, .. } = outcome;
        if !status.is_ok() {
            return fail(cx, &status);
        }
        if body.contiguous().contains(&b'\n') {
            return fail(cx, &Status::internal("the reply has more than one line"));
        }
        cx.out.put(b"+");
        cx.out.share(&body);
        cx.out.put(b"\n");
    }

    /// The server has cancelled a call.
    fn reset(&mut self, cx: &mut Cx<'_>, exchange: Exchange, why: Status) {
        self.finish(cx, exchange, why.into());
    }

    fn authenticated(&mut self, cx: &mut Cx<'_>, verdict: Result<Validity, Status>) {
        if matches!(self.state, State::Verdict) {
            self.state = State::Request;
            if let Err(status) = verdict {
                fail(cx, &status);
                self.state = State::Closed;
            }
        }
    }

    /// The protocol has no message for the end of a connection. While the server drains, it refuses new
    /// requests.
    fn goodbye(&mut self, _: &mut Cx<'_>, phase: Goodbye) {
        if phase == Goodbye::Close {
            self.state = State::Closed;
        }
    }
}
