//! Reports of a machine: owned, comparable and printable.

use polywire_base::IoBuf;
use polywire_call::{Metadata, Status};
use polywire_wire::{
    Claim, Compression, Compressions, Content, Credit, Event, Exchange, Head, Notice, Open, Outcome, Route,
    Sender, Target, WireError,
};
use std::{fmt, ops::Deref, time::Duration};

/// Bytes that are printed as text if they are text.
#[derive(Clone, Default, Eq)]
pub struct Octets(pub Vec<u8>);

impl Deref for Octets {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}
impl AsRef<[u8]> for Octets {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
impl fmt::Debug for Octets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}
impl<T: AsRef<[u8]>> PartialEq<T> for Octets {
    fn eq(&self, other: &T) -> bool {
        self.0 == other.as_ref()
    }
}
impl From<&[u8]> for Octets {
    fn from(bytes: &[u8]) -> Self {
        Octets(bytes.to_vec())
    }
}
impl From<&IoBuf> for Octets {
    fn from(bytes: &IoBuf) -> Self {
        Octets(bytes.to_vec())
    }
}

/// Fields in order, as `Protocol::fields` or `Metadata` give them.
pub type SeenFields = Vec<(String, Octets)>;

/// A [`Target`] that owns its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeenTarget {
    Method { service: String, method: String },
    Index { service: String, method: u32 },
    Path { verb: String, path: String },
    Id(u64),
    Bound { protocol: &'static str, number: u64 },
    Command(Octets),
}

/// Owned [`Head`]; `fields` is what `Protocol::fields` reads from `Head::raw`.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenHead {
    pub target: SeenTarget,
    pub timeout: Option<Duration>,
    pub attachment: u32,
    pub content: Content,
    pub compression: Compression,
    pub accepts: Compressions,
    pub sender: Sender,
    pub fields: SeenFields,
}

impl SeenHead {
    pub(crate) fn of(head: &Head<'_>, read: fn(&[u8], &mut dyn FnMut(&str, &[u8]))) -> Self {
        let mut fields = SeenFields::new();
        read(head.raw, &mut |name, value| fields.push((name.into(), value.into())));
        SeenHead {
            target: match head.target {
                Target::Method { service, method } => {
                    SeenTarget::Method { service: service.into(), method: method.into() }
                }
                Target::Index { service, method } => SeenTarget::Index { service: service.into(), method },
                Target::Path { verb, path } => SeenTarget::Path { verb: verb.into(), path: path.into() },
                Target::Id(id) => SeenTarget::Id(id),
                Target::Bound { protocol, number } => SeenTarget::Bound { protocol, number },
                Target::Command { name, .. } => SeenTarget::Command(name.into()),
            },
            timeout: head.timeout,
            attachment: head.attachment,
            content: head.content,
            compression: head.compression,
            accepts: head.accepts,
            sender: head.sender,
            fields,
        }
    }

    /// First value of this field, whatever its ASCII case.
    pub fn field(&self, name: &str) -> Option<&[u8]> {
        self.fields.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| &v[..])
    }
}

/// An [`Open`] that owns its data.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenOpen {
    pub exchange: Exchange,
    pub route: Route,
    pub head: SeenHead,
    pub body: Octets,
    pub finished: bool,
    pub streams: Vec<Exchange>,
}

impl SeenOpen {
    fn of(open: &Open<'_>, read: fn(&[u8], &mut dyn FnMut(&str, &[u8]))) -> Self {
        SeenOpen {
            exchange: open.exchange,
            route: open.route,
            head: SeenHead::of(&open.head, read),
            body: (&open.body).into(),
            finished: open.finished,
            streams: open.streams.to_vec(),
        }
    }

    /// The body without its attachment.
    ///
    /// # Panics
    /// If the head announces a longer attachment than the body is.
    pub fn message(&self) -> &[u8] {
        &self.body[..self.body.len() - self.head.attachment as usize]
    }

    /// The attachment alone.
    ///
    /// # Panics
    /// Like [`SeenOpen::message`].
    pub fn attachment(&self) -> &[u8] {
        &self.body[self.body.len() - self.head.attachment as usize..]
    }
}

/// An [`Outcome`] that owns its data.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SeenOutcome {
    pub status: Status,
    pub body: Octets,
    pub attachment: u32,
    pub content: Content,
    pub compression: Compression,
    pub reply: bool,
    pub accept: bool,
    pub headers: SeenFields,
    pub trailers: SeenFields,
}

impl From<&Outcome> for SeenOutcome {
    fn from(outcome: &Outcome) -> Self {
        SeenOutcome {
            status: outcome.status.clone(),
            body: (&outcome.body).into(),
            attachment: outcome.attachment,
            content: outcome.content,
            compression: outcome.compression,
            reply: outcome.reply,
            accept: outcome.accept,
            headers: fields_of(outcome.headers.as_deref()),
            trailers: fields_of(outcome.trailers.as_deref()),
        }
    }
}

fn fields_of(metadata: Option<&Metadata>) -> SeenFields {
    metadata.into_iter().flat_map(Metadata::iter).map(|(n, v)| (n.to_owned(), v.into())).collect()
}

/// A [`Claim`] that owns its data.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenClaim {
    pub scheme: &'static str,
    pub user: Option<Octets>,
    pub credential: Option<Octets>,
    pub head: Option<SeenHead>,
}

impl SeenClaim {
    fn of(claim: &Claim<'_>, read: fn(&[u8], &mut dyn FnMut(&str, &[u8]))) -> Self {
        SeenClaim {
            scheme: claim.scheme,
            user: claim.user.map(Octets::from),
            credential: claim.credential.map(Octets::from),
            head: claim.head.map(|head| SeenHead::of(&head, read)),
        }
    }

    /// Scheme and credential as text; `-` if there is no credential.
    pub fn shown(&self) -> String {
        let credential = self.credential.as_ref().map(|c| String::from_utf8_lossy(c).into_owned());
        let user = self.user.as_ref().map(|user| format!("{} ", String::from_utf8_lossy(user)));
        format!("{} {}{}", self.scheme, user.unwrap_or_default(), credential.as_deref().unwrap_or("-"))
    }

    /// The target of the request that shows the credential.
    pub fn target(&self) -> Option<&SeenTarget> {
        self.head.as_ref().map(|head| &head.target)
    }
}

/// One result of `Machine::poll`, owned: `Step`, `Event` and `WireError` in one enum.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    Open(SeenOpen),
    Answer { exchange: Exchange, status: u16, metadata: SeenFields },
    Part { exchange: Exchange, bytes: Octets, end_of_message: bool, finished: bool, compression: Compression },
    Finish { exchange: Exchange, outcome: SeenOutcome },
    Reset { exchange: Exchange, why: Status },
    Credit { exchange: Exchange, credit: Credit },
    Stopped { exchange: Exchange },
    Authenticate(SeenClaim),
    Draining,
    Calm,
    PeerLimit(u32),
    Peer { kind: String, identity: Octets },
    Topic { on: bool, topic: Octets },
    Rtt(Duration),
    Need(usize),
    Blocked,
    Foreign,
    Become,
    Closed,
    Error(WireError),
}

impl Seen {
    pub(crate) fn event(event: Event<'_>, read: fn(&[u8], &mut dyn FnMut(&str, &[u8]))) -> Self {
        match event {
            Event::Open(open) => Seen::Open(SeenOpen::of(&open, read)),
            Event::Answer { exchange, answer } => {
                let metadata = fields_of(answer.metadata.as_deref());
                Seen::Answer { exchange, status: answer.status, metadata }
            }
            Event::Part { exchange, part } => Seen::Part {
                exchange,
                bytes: (&part.bytes).into(),
                end_of_message: part.end_of_message,
                finished: part.finished,
                compression: part.compression,
            },
            Event::Finish { exchange, outcome } => Seen::Finish { exchange, outcome: (&outcome).into() },
            Event::Reset { exchange, why } => Seen::Reset { exchange, why },
            Event::Credit { exchange, credit } => Seen::Credit { exchange, credit },
            Event::Stopped { exchange } => Seen::Stopped { exchange },
            Event::Authenticate(claim) => Seen::Authenticate(SeenClaim::of(&claim, read)),
            Event::Notice(Notice::Draining) => Seen::Draining,
            Event::Notice(Notice::Calm) => Seen::Calm,
            Event::Notice(Notice::PeerLimit { exchanges }) => Seen::PeerLimit(exchanges),
            Event::Notice(Notice::Peer { kind, identity, .. }) => {
                Seen::Peer { kind: kind.into(), identity: identity.into() }
            }
            Event::Notice(Notice::Topic { on, topic }) => Seen::Topic { on, topic: topic.into() },
            Event::Notice(Notice::Rtt(rtt)) => Seen::Rtt(rtt),
        }
    }

    /// Whether the machine has nothing more to report for now, or at all.
    pub fn is_rest(&self) -> bool {
        matches!(self, Seen::Need(_) | Seen::Blocked | Seen::Foreign | Seen::Closed | Seen::Error(_))
    }

    /// Whether the connection is over.
    pub fn is_end(&self) -> bool {
        matches!(self, Seen::Closed | Seen::Error(_))
    }

    /// The request.
    ///
    /// # Panics
    /// If this is something else; prints it.
    #[track_caller]
    pub fn expect_open(self) -> SeenOpen {
        match self {
            Seen::Open(open) => open,
            other => panic!("expected Open, saw {other:?}"),
        }
    }

    /// The credential that the peer shows.
    ///
    /// # Panics
    /// If this is something else; prints it.
    #[track_caller]
    pub fn expect_claim(self) -> SeenClaim {
        match self {
            Seen::Authenticate(claim) => claim,
            other => panic!("expected Authenticate, saw {other:?}"),
        }
    }

    /// The end of an exchange.
    ///
    /// # Panics
    /// If this is something else; prints it.
    #[track_caller]
    pub fn expect_finish(self) -> (Exchange, SeenOutcome) {
        match self {
            Seen::Finish { exchange, outcome } => (exchange, outcome),
            other => panic!("expected Finish, saw {other:?}"),
        }
    }

    /// The error that ended the connection.
    ///
    /// # Panics
    /// If this is something else; prints it.
    #[track_caller]
    pub fn expect_error(self) -> WireError {
        match self {
            Seen::Error(error) => error,
            other => panic!("expected an error, saw {other:?}"),
        }
    }

    /// The exchange that this report concerns, if any.
    pub fn exchange(&self) -> Option<Exchange> {
        match self {
            Seen::Open(open) => Some(open.exchange),
            Seen::Answer { exchange, .. }
            | Seen::Part { exchange, .. }
            | Seen::Finish { exchange, .. }
            | Seen::Reset { exchange, .. }
            | Seen::Credit { exchange, .. }
            | Seen::Stopped { exchange } => Some(*exchange),
            Seen::Authenticate(_)
            | Seen::Draining
            | Seen::Calm
            | Seen::PeerLimit(_)
            | Seen::Peer { .. }
            | Seen::Topic { .. }
            | Seen::Rtt(_)
            | Seen::Need(_)
            | Seen::Blocked
            | Seen::Foreign
            | Seen::Become
            | Seen::Closed
            | Seen::Error(_) => None,
        }
    }
}
