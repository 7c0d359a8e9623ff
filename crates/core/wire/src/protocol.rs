//! A protocol as seen by code that does not speak it: one entry of a [`ProtocolSet`], which is data only.
//!
//! Engine, server, client and program read entries and never compare names, so a new protocol changes none of
//! them. Every fact that they need about a protocol is a field here; a test of `xtask` fails if one of them
//! contains a protocol's name.

use crate::{Dumped, Head, Machine, Setup};
use polywire_call::{Compressions, Content};
use polywire_trace::Carrier;

/// One entry of a [`ProtocolSet`]: data and functions, no state.
///
/// [`Protocol::DEFAULT`] has the values of most protocols, so that an entry only contains the differences:
///
/// ```
/// use polywire_wire::{Protocol, Sniff};
///
/// static PROTOCOL: Protocol = Protocol {
///     name: "mine",
///     sniff: |bytes| match bytes {
///         [] => Sniff::NeedMore(1),
///         [0x01, ..] => Sniff::Mine,
///         _ => Sniff::NotMine,
///     },
///     machine: None, // Some(|setup| Box::new(MyMachine::new(setup)))
///     ..Protocol::DEFAULT
/// };
/// # assert_eq!(PROTOCOL.name, "mine");
/// ```
pub struct Protocol {
    /// The name by which users choose the protocol, and to which guards and bound services refer.
    pub name: &'static str,

    /// Other common names of the protocol, for the text of an error about an unknown name. Default: none.
    pub also_called: &'static [&'static str],

    /// The protocol's name in metrics and spans (OpenTelemetry's `rpc.system.name`). Default: its name.
    pub system: &'static str,

    // How a server distinguishes its connections from those of other protocols.
    /// Detects the protocol from the first bytes. Returns `NotMine` at the first byte that excludes the
    /// protocol, and does not change that with further bytes. Called again after `Foreign`.
    pub sniff: fn(&[u8]) -> Sniff,
    /// Names of the protocols under which a server sees connections of this protocol, because its first bytes
    /// are the same as theirs. Empty: it is seen under its own name. A guard or a list of names that contains
    /// this protocol then means those.
    pub detected_as: &'static [&'static str],
    /// Names of the protocols that claim the first bytes of this one while a server answers any of them. The
    /// server then refuses a guard of this protocol, which would never be called. Default: none.
    pub shadowed_by: &'static [&'static str],
    /// Whether only the client side exists here: no server recognises the protocol, has a service for it, or
    /// takes a guard of it. Default: no.
    pub client_only: bool,
    /// Whether only servers speak it here: its machine opens no call, and a channel refuses its name.
    /// Default: no.
    pub server_only: bool,
    /// Whether only complete frames are sent, so that other framed protocols may share the connection (brpc's
    /// switching). Default: no.
    pub framed: bool,
    /// The protocol's ALPN identifiers (RFC 7301), depending on the parameter after the colon in its name: a
    /// client offers all of them, best first; without a parameter they also select the protocol at a server
    /// before any byte is read. Default: none is registered, and its client offers none.
    pub alpn: fn(parameter: &str) -> &'static [&'static str],

    // What its server has to know.
    /// The version of HTTP, if its requests are HTTP. Then [`Protocol::fields`] includes `:method` and
    /// `:path`; pages, the fallback and methods that stream JSON can be reached; and the request tells which
    /// page of a browser sends it ([`Head::sender`](crate::Head::sender)). `None`, the default: they are not
    /// HTTP, whatever fields they have.
    pub http: Option<HttpVersion>,
    /// Whether a server answers the protocol only if a service is bound to it by its name, because its
    /// requests do not name methods of other services (Redis commands). Without such a service its first
    /// bytes are not recognised. Default: no.
    pub needs_service: bool,
    /// Whether a catch-all answers it without such a service, because its requests say the names of their
    /// methods. Default: no.
    pub names_methods: bool,
    /// How often clients send a credential. Default: once per connection.
    pub credential: CredentialPer,
    /// How a stopping server treats requests that still arrive. Default: it refuses each of them.
    pub stopping: Stopping,

    // What its client has to know.
    /// How calls share connections; the first is the default.
    pub connections: &'static [Connections],
    /// Whether the peer limits the calls on a connection and announces the limit (`Notice::PeerLimit`), so
    /// that a channel whose calls share a connection opens another one when it is full. Default: no.
    pub peer_limits_calls: bool,
    /// The metadata field in which a client sends the number of failed attempts of the call before this one.
    /// Default: none, and the number is not sent.
    pub attempts_field: Option<&'static str>,
    /// Where requests carry their trace context. A server reads it from [`Protocol::fields`] by the names of
    /// the fields, regardless of this value. Default: nowhere.
    pub trace: Carrier,
    /// Whether the protocol carries calls of any service by name with protobuf messages, so that a channel
    /// can call services that all servers may have (load probes). Default: yes.
    pub any_service: bool,
    /// How requests say which method they are for. Default: by names.
    pub addressing: Addressing,
    /// Where requests say a hash of these names in place of them: the hash. Default: they do not.
    pub hash: Option<HashOfNames>,
    /// Whether a request without fields of any name still says how many relays it has passed: the field
    /// [`RELAYS`]. Default: no.
    pub counts_relays: bool,
    /// The compressions that requests have a name for. Default: none.
    pub compressions: Compressions,
    /// Whether requests and replies have attachments, bytes beside the message. Default: no.
    pub attachments: bool,
    /// Encoding of request bodies where a call does not choose one, depending on the parameter after the
    /// colon in the protocol's name; `None`: the protocol has no such parameter. Default: protobuf, and no
    /// parameter.
    pub content: fn(parameter: &str) -> Option<Content>,

    // What both have to know.
    /// Whether the protocol carries more than one message per direction, or streams. Default: no.
    pub streams: Streams,
    /// Makes the machine of one end of a connection. `None`: the protocol is recognised but not implemented.
    pub machine: Option<fn(&Setup<'_>) -> Box<dyn Machine>>,
    /// Parses [`Head::raw`](crate::Head::raw): visits each metadata field by name and value. HTTP reports the
    /// request line as `:method` and `:path` (with the query), then its fields in order. Default: there are
    /// no fields.
    pub fields: fn(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])),
    /// How a request is recorded in a dump file. Default: in the form common to all protocols.
    pub dumped: fn(&Head<'_>) -> Dumped,
    /// The number under which brpc's dump files contain its requests, if such requests can be replayed over
    /// this protocol. Default: none.
    pub dump_number: Option<u32>,
}

impl Protocol {
    /// The default values; see the fields. The default has no name, recognises nothing and has no machine.
    pub const DEFAULT: Protocol = Protocol {
        name: "",
        also_called: &[],
        system: "",
        sniff: |_| Sniff::NotMine,
        detected_as: &[],
        shadowed_by: &[],
        client_only: false,
        server_only: false,
        framed: false,
        alpn: |_| &[],
        http: None,
        needs_service: false,
        names_methods: false,
        credential: CredentialPer::Connection,
        stopping: Stopping::Refuses,
        connections: Connections::ALL,
        peer_limits_calls: false,
        attempts_field: None,
        trace: Carrier::NONE,
        any_service: true,
        addressing: Addressing::Names,
        hash: None,
        counts_relays: false,
        compressions: Compressions::NONE,
        attachments: false,
        content: |parameter| parameter.is_empty().then_some(Content::PROTOBUF),
        streams: Streams::None,
        machine: None,
        fields: |_, _| {},
        dumped: Dumped::own,
        dump_number: None,
    };

    /// The name in metrics and spans: `grpc`, `connectrpc`, `http`, `baidu_std`.
    #[inline]
    pub fn system(&self) -> &'static str {
        if self.system.is_empty() { self.name } else { self.system }
    }

    /// Whether its calls can offer streams, which go on after them. Methods that stream are called in this
    /// way, too, so that a call has to say it.
    #[inline]
    pub fn offers_streams(&self) -> bool {
        self.streams == Streams::Messages && self.http.is_none()
    }
}

/// The number that requests say in place of the names of a service and a method.
pub type HashOfNames = fn(service: &str, method: &str) -> u32;

/// How requests say which method they are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Addressing {
    /// By the names of service and method, or by what follows from them.
    Names,
    /// By the name of the service, and the method's position in its definition.
    Position,
    /// By the position alone: the service is a server's first.
    PositionAlone,
    /// Not at all: they are for the first method of a server's first service.
    Nothing,
}

impl Addressing {
    /// Whether requests have a method's position in place of its name.
    pub fn is_by_position(self) -> bool {
        matches!(self, Addressing::Position | Addressing::PositionAlone)
    }
}

/// The RPC system of a request, where a server sees several systems as one protocol: those over HTTP.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// The protocol's own system.
    #[default]
    Own,
    /// Frames of gRPC, also as grpc-web has them.
    Grpc,
    /// Calls of one message each way.
    Connect,
    ConnectStream,
    WebSocket,
}

impl Dialect {
    /// [`Protocol::system`] of a request that a server has received by this protocol.
    #[inline]
    pub fn system(self, protocol: &Protocol) -> &'static str {
        match self {
            Dialect::Own => protocol.system(),
            Dialect::Grpc => GRPC,
            Dialect::Connect | Dialect::ConnectStream => CONNECT,
            Dialect::WebSocket => "websocket",
        }
    }
}

/// The field with the number of relays that a request has passed, from 1 to 9, of a protocol that
/// [has a place](Protocol::counts_relays) for nothing else.
pub const RELAYS: &str = "polywire-relays";

/// The field of a request that has no reply, where a protocol has such requests: set for a catch-all, and
/// read from its calls. No field of a peer is taken for it.
pub const ONEWAY: &str = "polywire-oneway";

/// [`Protocol::system`] of gRPC and grpc-web, as OpenTelemetry has it.
pub const GRPC: &str = "grpc";
/// The system name of Connect.
pub const CONNECT: &str = "connectrpc";

/// A version of HTTP, as far as code outside its machine needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HttpVersion {
    /// 1.0 or 1.1: text, one request after the other.
    One,
    Two,
}

/// How a stopping server treats requests that arrive on connections that are still open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopping {
    /// Each request is refused with ELOGOFF. Its client knows from this that the request was not executed and
    /// may be sent to another server.
    Refuses,
    /// Requests up to the announced last one are served (GOAWAY of HTTP/2, `Connection: close` of HTTP/1),
    /// and the client knows that those after it were not executed.
    AnnouncesLast,
    /// The protocol has no such announcement, and a refusal looks to its client like the failure of a
    /// handler. Requests that the server has read are served, and the connection closes as soon as it can: a
    /// request that was on its way is lost with it.
    Serves,
}

/// How often clients send a credential, and therefore which requests a server's decision about it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CredentialPer {
    /// In the first frame of a connection, or in a handshake. All requests on the connection have the same
    /// caller.
    Connection,
    /// In every request, so that callers behind a proxy may share a connection. See
    /// [`Validity`](crate::Validity).
    Request,
}

/// Whether a call may have more than one message in a direction, or streams inside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Streams {
    /// Neither: a server refuses a streaming method when it is called.
    None,
    /// A body is bytes without boundaries between messages (HTTP by itself). Replies of many messages are
    /// lines of text, if the content type allows that; requests of many messages are refused.
    Bytes,
    /// Messages have boundaries in both directions.
    Messages,
}

/// How calls share connections (brpc's `connection_type`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Connections {
    /// One connection for all callers. Needs an id in every frame, or replies in order.
    Single,
    /// A call has a connection to itself and returns it to a pool.
    Pooled,
    /// A connection per call.
    Short,
}

impl Connections {
    /// For protocols that match replies to calls by an id, or by order.
    pub const ALL: &'static [Connections] = &[Connections::Single, Connections::Pooled, Connections::Short];
    /// For protocols with one call at a time on a connection.
    pub const EXCLUSIVE: &'static [Connections] = &[Connections::Pooled, Connections::Short];
    /// For protocols whose connections are opened once and kept.
    pub const SINGLE: &'static [Connections] = &[Connections::Single];
}

/// Result of detecting a protocol by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sniff {
    Mine,
    NotMine,
    /// This many more bytes may decide; the function is then called again.
    NeedMore(usize),
}

/// The protocols that a program contains, in the order in which they are tried on first bytes.
#[derive(Clone)]
pub struct ProtocolSet {
    protocols: &'static [&'static Protocol],
    /// Protocols that were added, in that order.
    added: Vec<&'static Protocol>,
    default: Option<&'static Protocol>,
    /// Names of protocols that this build is without, and the feature that each needs.
    left_out: &'static [(&'static str, &'static str)],
}

impl ProtocolSet {
    pub const fn new(protocols: &'static [&'static Protocol]) -> Self {
        ProtocolSet { protocols, added: Vec::new(), default: None, left_out: &[] }
    }

    /// Sets the default protocol of clients.
    pub const fn with_default(mut self, protocol: &'static Protocol) -> Self {
        self.default = Some(protocol);
        self
    }

    /// Names of protocols that this build leaves out, each with the feature that includes it; the error for
    /// such a name mentions the feature.
    pub const fn with_left_out(mut self, left_out: &'static [(&'static str, &'static str)]) -> Self {
        self.left_out = left_out;
        self
    }

    /// Adds a protocol. It is tried on first bytes before all others, because its place in their order is not
    /// known; it replaces a protocol of the same name.
    #[must_use]
    pub fn with(mut self, protocol: &'static Protocol) -> Self {
        self.added.push(protocol);
        self
    }

    /// The default protocol of clients.
    pub fn default_protocol(&self) -> Option<&'static Protocol> {
        self.default
    }

    pub fn iter(&self) -> impl Iterator<Item = &'static Protocol> {
        self.added.iter().rev().chain(self.protocols).copied()
    }

    /// The protocol with this name (the part before a colon: `http` of `http:proto`).
    pub fn find(&self, name: &str) -> Option<&'static Protocol> {
        let name = name.split(':').next().unwrap_or(name);
        self.iter().find(|p| p.name == name)
    }

    /// The error text for a protocol that this build leaves out, which names the feature to enable; `None`:
    /// no protocol of this name is left out.
    pub fn left_out(&self, name: &str) -> Option<String> {
        let name = name.split(':').next().unwrap_or(name);
        let (_, feature) = self.left_out.iter().find(|(left_out, _)| *left_out == name)?;
        Some(format!(
            "protocol {name:?} is left out of this build: turn on the feature `{feature}` of `polywire`"
        ))
    }

    /// The error text for a name that no client protocol has: the feature that it needs, or the names that
    /// exist.
    #[cold]
    pub fn not_found(&self, name: &str) -> String {
        if let Some(left_out) = self.left_out(name) {
            return left_out;
        }
        let spoken = self.iter().filter(|protocol| protocol.machine.is_some() && !protocol.server_only);
        let known = spoken.map(|protocol| protocol.name).collect::<Vec<_>>().join(", ");
        let has_client = |meant: &&str| self.find(meant).is_some_and(|protocol| !protocol.server_only);
        let hint = self.meant(name).filter(has_client).map(|meant| format!(": write {meant:?}"));
        let hint = hint.unwrap_or_default();
        format!("unknown protocol {name:?}{hint}; known are {known}")
    }

    /// The protocol that was probably meant by an unknown name: one with that name elsewhere, or one of
    /// similar spelling.
    #[cold]
    pub fn meant(&self, name: &str) -> Option<&'static str> {
        let name = name.split(':').next().unwrap_or(name).to_ascii_lowercase();
        let spoken = || self.iter().filter(|protocol| protocol.machine.is_some());
        let named = spoken().find(|p| p.name == name || p.also_called.contains(&&*name));
        let alike = || spoken().find(|p| name.len() > 2 && is_almost(p.name.as_bytes(), name.as_bytes()));
        named.or_else(alike).map(|protocol| protocol.name)
    }

    /// The ALPN identifiers of the protocols that are `allowed` and spoken, each once, in order.
    pub fn alpn(&self, allowed: impl Fn(&Protocol) -> bool) -> Vec<&'static str> {
        let mut ids = Vec::new();
        for protocol in self.iter().filter(|p| p.machine.is_some() && allowed(p)) {
            for id in (protocol.alpn)("") {
                if !ids.contains(id) {
                    ids.push(*id);
                }
            }
        }
        ids
    }

    /// Tries the protocols in order on these first bytes. `allowed` leaves protocols out.
    pub fn sniff(&self, bytes: &[u8], mut allowed: impl FnMut(&Protocol) -> bool) -> Sniffed {
        for protocol in self.iter() {
            match (protocol.sniff)(bytes) {
                Sniff::NotMine => {}
                Sniff::Mine if allowed(protocol) => return Sniffed::Owner(protocol),
                Sniff::NeedMore(n) if allowed(protocol) => return Sniffed::NeedMore(n),
                Sniff::Mine | Sniff::NeedMore(_) => {}
            }
        }
        Sniffed::Unknown
    }
}

/// Whether two names differ by one letter: another one, one more, one less, or two that are exchanged.
fn is_almost(one: &[u8], other: &[u8]) -> bool {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    match (one, other) {
        ([a, b, one @ ..], [c, d, other @ ..]) if (a, b) == (d, c) && one == other => true,
        ([_, one @ ..], [_, other @ ..]) if one == other => true,
        ([_, rest @ ..], other) | (other, [_, rest @ ..]) if rest == other => true,
        _ => false,
    }
}

/// The result of [`ProtocolSet::sniff`].
pub enum Sniffed {
    Owner(&'static Protocol),
    NeedMore(usize),
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_other_letter_are_almost_alike() {
        for other in ["htpp", "htt", "ttp", "https", "htttp", "hhtp", "xttp"] {
            assert!(is_almost(b"http", other.as_bytes()) && is_almost(other.as_bytes(), b"http"), "{other}");
        }
        for other in ["ht", "http2x", "pttx", "", "thhp", "httpss"] {
            assert!(!is_almost(b"http", other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn an_added_protocol_is_asked_before_the_others() {
        const fn claims_all(name: &'static str) -> Protocol {
            Protocol { name, sniff: |_| Sniff::Mine, ..Protocol::DEFAULT }
        }
        static BUILT_IN: [&Protocol; 1] = [&claims_all("built in")];
        static FIRST: Protocol = claims_all("first");
        static SECOND: Protocol = claims_all("second");
        let protocols = ProtocolSet::new(&BUILT_IN).with(&FIRST).with(&SECOND);
        assert!(protocols.iter().map(|protocol| protocol.name).eq(["second", "first", "built in"]));
        let Sniffed::Owner(owner) = protocols.sniff(b"x", |_| true) else { panic!("all of them claim it") };
        assert_eq!(owner.name, "second");
        assert_eq!(protocols.find("first:parameter").map(|protocol| protocol.name), Some("first"));
    }
}
