//! One end of a connection in a test.

use crate::{Call, ScriptedHost, Seen, SeenOpen};
use bytes::Bytes;
use polywire_base::{IoBuf, Output};
use polywire_call::Status;
use polywire_wire::{
    Answer, ClientSetup, Credit, Cx, Exchange, Goodbye, Machine, Outcome, Part, Protocol, Refusal,
    ServerSetup, Setup, Step, Validity, Wake, WireError,
};
use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

/// The instant at which every [`Side`] starts; the same for the whole process.
pub fn epoch() -> Instant {
    static EPOCH: OnceLock<Instant> = OnceLock::new();
    *EPOCH.get_or_init(Instant::now)
}

/// A machine with everything that the engine lends it. Time stands still unless [`Side::wait`] advances it.
///
/// ```no_run
/// # use polywire_machine_testing::{Side, hex};
/// # use polywire_wire::ServerSetup;
/// # #[allow(non_snake_case)]
/// # fn test(PROTOCOL: &'static polywire_wire::Protocol) {
/// let mut server = Side::new(PROTOCOL, ServerSetup::default());
/// server.feed(&hex("50 52 50 43 00 00 00 0a"));
/// let open = server.poll().expect_open();
/// server.reply(&open, b"hello");
/// assert_eq!(server.written(), hex("..."));
/// # }
/// ```
pub struct Side {
    protocol: &'static Protocol,
    machine: Box<dyn Machine>,
    /// Bytes fed and not yet taken by the machine.
    pub input: IoBuf,
    /// Bytes written and not yet drained by [`Side::written`].
    pub out: Output,
    pub host: ScriptedHost,
    now: Instant,
    ended: bool,
    next_slot: u32,
}

impl Side {
    /// Bytes of bulk data that a side accepts before `out.room()` is 0, unless [`Side::with_room`] sets
    /// another number.
    pub const ROOM: usize = 1 << 20;

    /// A side that speaks this protocol.
    ///
    /// # Panics
    /// If the protocol has no machine yet.
    pub fn new<'s>(protocol: &'static Protocol, setup: impl Into<Setup<'s>>) -> Self {
        let make = protocol.machine.unwrap_or_else(|| panic!("{} has no machine", protocol.name));
        Side {
            protocol,
            machine: make(&setup.into()),
            input: IoBuf::new(),
            out: Output::new(Self::ROOM),
            host: ScriptedHost::new(protocol),
            now: epoch(),
            ended: false,
            next_slot: 0,
        }
    }

    /// A server with default limits and no authentication.
    pub fn server(protocol: &'static Protocol) -> Self {
        Side::new(protocol, ServerSetup::default())
    }

    /// A client with default limits, to the authority `test`.
    pub fn client(protocol: &'static Protocol) -> Self {
        Side::new(protocol, ClientSetup { authority: "test", ..ClientSetup::default() })
    }

    /// Sets the room for bulk data in `out`, in bytes.
    pub fn with_room(mut self, bytes: usize) -> Self {
        self.out = Output::new(bytes);
        self
    }

    /// Changes the script of the host: `Side::server(&P).hosted(|h| h.deliver(Delivery::Pieces))`.
    pub fn hosted(mut self, script: impl FnOnce(&mut ScriptedHost)) -> Self {
        script(&mut self.host);
        self
    }

    /// Feeds bytes from the peer as a separate segment, however short, so that data of two calls spans two
    /// segments (the engine's input would join short ones).
    pub fn feed(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        self.host.fed += bytes.as_ref().len();
        let segment = Bytes::copy_from_slice(bytes.as_ref());
        self.input = self.input.segments().cloned().chain([segment]).collect();
        self
    }

    /// Feeds pieces of these sizes, repeated until everything is fed, polling after each. Returns the same as
    /// [`Side::events`].
    ///
    /// # Panics
    /// If all sizes are 0.
    pub fn feed_split(&mut self, bytes: impl AsRef<[u8]>, sizes: &[usize]) -> Vec<Seen> {
        assert!(sizes.iter().any(|&s| s > 0), "no piece has a byte");
        let (mut rest, mut seen) = (bytes.as_ref(), Vec::new());
        for &size in sizes.iter().cycle() {
            let (piece, tail) = rest.split_at(size.min(rest.len()));
            seen.extend(self.feed(piece).events());
            rest = tail;
            if rest.is_empty() {
                break;
            }
        }
        seen
    }

    /// Polls the machine once. After the end of the connection it is not polled any more: always `Closed`.
    pub fn poll(&mut self) -> Seen {
        if self.ended {
            return Seen::Closed;
        }
        let mut cx = Cx { now: self.now, input: &mut self.input, out: &mut self.out, host: &mut self.host };
        let mut replacement = None;
        let seen = match self.machine.poll(&mut cx) {
            Ok(Step::Event(event)) => Seen::event(event, self.protocol.fields),
            Ok(Step::Need(n)) => Seen::Need(n),
            Ok(Step::Blocked) => Seen::Blocked,
            Ok(Step::Foreign) => Seen::Foreign,
            Ok(Step::Become(machine)) => {
                replacement = Some(machine);
                Seen::Become
            }
            Ok(Step::Closed) => Seen::Closed,
            Err(error) => Seen::Error(error),
        };
        if let Some(machine) = replacement {
            self.machine = machine;
        }
        self.ended = seen.is_end();
        seen
    }

    /// Polls until the machine rests. The last item is the reason of the rest (`Blocked`, `Foreign`,
    /// `Closed`, `Error`), except that `Need` is left out, and that there are no items once the connection
    /// has ended.
    ///
    /// # Panics
    /// If the machine does not rest: it reports more events than any protocol could find in the bytes fed so
    /// far.
    #[track_caller]
    pub fn events(&mut self) -> Vec<Seen> {
        self.events_reacting(&mut |_, _| {})
    }

    /// Like [`Side::events`]. `react` gets each event and may answer it, as a dispatcher does between two
    /// polls; it is not called for the rest.
    #[track_caller]
    pub fn events_reacting(&mut self, react: &mut dyn FnMut(&mut Side, &Seen)) -> Vec<Seen> {
        let mut seen = Vec::new();
        let bound = 1024 + 4 * self.host.fed;
        for _ in 0..bound {
            if self.ended {
                return seen;
            }
            match self.poll() {
                Seen::Need(_) => return seen,
                rest if rest.is_rest() => {
                    seen.push(rest);
                    return seen;
                }
                event => {
                    react(self, &event);
                    seen.push(event);
                }
            }
        }
        panic!("still not at rest after {bound} polls; last: {:?}", seen.last());
    }

    /// Runs a command of the machine with the engine's resources.
    pub fn command<R>(&mut self, command: impl FnOnce(&mut dyn Machine, &mut Cx<'_>) -> R) -> R {
        let mut cx = Cx { now: self.now, input: &mut self.input, out: &mut self.out, host: &mut self.host };
        command(&mut *self.machine, &mut cx)
    }

    /// Client: opens the call under a new exchange.
    ///
    /// # Panics
    /// If the machine refuses; see [`Side::open`].
    #[track_caller]
    pub fn call(&mut self, call: &Call) -> Exchange {
        let slot = self.next_slot;
        self.next_slot += 1;
        let exchange = Exchange { token: 1 << 32 | u64::from(slot), slot };
        let opened = self.open(exchange, call);
        assert!(opened.is_ok(), "{}/{} was refused: {opened:?}", call.service, call.method);
        exchange
    }

    pub fn open(&mut self, exchange: Exchange, call: &Call) -> Result<Credit, Refusal> {
        self.command(|m, cx| m.open(cx, exchange, &call.outgoing()))
    }

    /// Server: ends an exchange.
    pub fn finish(&mut self, exchange: Exchange, outcome: Outcome) {
        self.command(|m, cx| m.finish(cx, exchange, outcome));
    }

    /// Server: ends a request with a reply in its own encoding, without compression.
    pub fn reply(&mut self, open: &SeenOpen, body: impl AsRef<[u8]>) {
        let body = IoBuf::copy_from_slice(body.as_ref());
        let outcome = Outcome { body, content: open.head.content, reply: true, ..Outcome::default() };
        self.finish(open.exchange, outcome);
    }

    /// Server: ends a request with an error.
    pub fn fail(&mut self, exchange: Exchange, status: Status) {
        self.finish(exchange, Outcome { status, ..Outcome::default() });
    }

    pub fn answer(&mut self, exchange: Exchange, answer: &Answer) -> Credit {
        self.command(|m, cx| m.answer(cx, exchange, answer))
    }

    pub fn send(&mut self, exchange: Exchange, part: &Part) -> Credit {
        self.command(|m, cx| m.send(cx, exchange, part))
    }

    /// Sends one whole message; `finished` closes our half.
    pub fn send_message(&mut self, exchange: Exchange, bytes: impl AsRef<[u8]>, finished: bool) -> Credit {
        let bytes = IoBuf::copy_from_slice(bytes.as_ref());
        self.send(exchange, &Part { bytes, end_of_message: true, finished, ..Part::default() })
    }

    pub fn grant(&mut self, exchange: Exchange, bytes: usize, messages: u32) {
        self.command(|m, cx| m.grant(cx, exchange, bytes, messages));
    }

    pub fn reset(&mut self, exchange: Exchange, why: Status) {
        self.command(|m, cx| m.reset(cx, exchange, why));
    }

    pub fn authenticated(&mut self, verdict: Result<(), Status>) {
        self.decided(verdict.map(|()| Validity::Credential));
    }

    /// Passes a verdict to the machine, with the requests that it covers.
    pub fn decided(&mut self, verdict: Result<Validity, Status>) {
        self.command(|m, cx| m.authenticated(cx, verdict));
    }

    /// Resumes the machine. An error ends the connection.
    pub fn resume(&mut self, why: Wake) -> Result<(), WireError> {
        let resumed = self.command(|m, cx| m.resume(cx, why));
        self.ended |= resumed.is_err();
        resumed
    }

    pub fn goodbye(&mut self, phase: Goodbye) {
        self.command(|m, cx| m.goodbye(cx, phase));
    }

    pub fn now(&self) -> Instant {
        self.now
    }

    /// Lets time pass; the machine is resumed only if its deadline has passed.
    pub fn wait(&mut self, time: Duration) -> Result<(), WireError> {
        self.now += time;
        match self.machine.deadline() {
            Some(at) if at <= self.now && !self.ended => self.resume(Wake::Deadline),
            _ => Ok(()),
        }
    }

    /// Time until the machine's deadline; `None` if it has none.
    pub fn until_deadline(&self) -> Option<Duration> {
        self.machine.deadline().map(|at| at.saturating_duration_since(self.now))
    }

    pub fn vacancies(&self) -> u32 {
        self.machine.vacancies()
    }

    /// The number of waiting bytes: unread input, and bytes held by the machine.
    pub fn held(&self) -> usize {
        self.input.len() + self.machine.held()
    }

    /// Whether the machine has returned `Closed` or an error.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Drains the bytes that the machine has written.
    pub fn written(&mut self) -> Vec<u8> {
        self.out.take().to_vec()
    }
}

/// Passes the bytes that `from` has written to `to`; returns their number. Neither is polled.
///
/// ```no_run
/// # use polywire_machine_testing::{Call, Side, pass};
/// # fn example(mut client: Side, mut server: Side) {
/// let call = client.call(&Call::new("S", "M").body(b"hi"));
/// pass(&mut client, &mut server);
/// let open = server.poll().expect_open();
/// server.reply(&open, b"ho");
/// pass(&mut server, &mut client);
/// assert_eq!(client.poll().expect_finish().0, call);
/// # }
/// ```
pub fn pass(from: &mut Side, to: &mut Side) -> usize {
    let bytes = from.out.take();
    bytes.segments().for_each(|segment| {
        to.feed(segment);
    });
    bytes.len()
}
