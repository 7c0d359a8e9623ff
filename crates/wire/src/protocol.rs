//! What a protocol is to code that does not speak it: one entry of a registry, all data.
//!
//! Engine, server, client and program read entries and never compare names, so a protocol that comes later changes none
//! of them. What they have to know about a protocol is a field here; `cargo xtask check-deps` fails where one of them
//! contains a protocol's name.

use crate::{Machine, Setup};
use polywire_call::Content;

/// One registry entry: data and functions, no state.
///
/// [`Protocol::DEFAULT`] holds what most protocols say, so that an entry names what is particular to its protocol:
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
    /// By this name users choose it, and guards and bound services refer to it.
    pub name: &'static str,

    // How a server tells its connections from those of other protocols.
    /// Says `NotMine` at the first byte that excludes the protocol, and keeps to that; asked again after `Foreign`.
    pub sniff: fn(&[u8]) -> Sniff,
    /// Names of the protocols that a server knows its connections by, where these are others: no first bytes tell what its
    /// clients send from what theirs do. Empty: it is known by its own name. A guard or a list of names means these then.
    pub heard_as: &'static [&'static str],
    /// Names of the protocols that claim the first bytes of this one for as long as a server answers any of them. The
    /// server then refuses a guard of this protocol, which would never be asked. Default: none.
    pub taken_for: &'static [&'static str],
    /// Only whole frames leave, so other framed protocols may share the connection (brpc's switching). Default: no.
    pub framed: bool,
    /// What TLS calls it (RFC 7301), by what followed the colon in its name: the identifiers a client offers, best first,
    /// and, without a parameter, those that at a server decide for it before any byte is looked at. Default: none is
    /// registered, and its client offers none.
    pub alpn: fn(parameter: &str) -> &'static [&'static str],

    // What its server has to know.
    /// Its requests are HTTP, in this version. Then [`Protocol::fields`] gives `:method` and `:path`; pages, the fallback
    /// and methods that stream JSON can be reached; and the request says which page of a browser sends it
    /// ([`Head::sender`](crate::Head::sender)). `None`, the default: they are not, whatever fields they have.
    pub http: Option<HttpVersion>,
    /// A server answers it only if a service is bound to it by its name: what it carries names no method of other
    /// services (Redis commands). Without one its first bytes belong to no protocol. Default: no.
    pub needs_service: bool,
    /// How often its clients show who they are. Default: once per connection.
    pub credential: CredentialPer,
    /// A server that stops tells the peer which request is the last one it serves (GOAWAY of HTTP/2), and serves those
    /// before. Default: it cannot tell, and a stopping server refuses each request.
    pub announces_last: bool,

    // What its client has to know.
    /// How calls share connections; the first is the default.
    pub connections: &'static [Connections],
    /// The peer limits the calls on a connection and tells by how much (`Notice::PeerLimit`), so that a channel whose calls
    /// share a connection opens a further one when it is full. Default: no.
    pub peer_limits_calls: bool,
    /// Form of request bodies where a call does not say, by what followed the colon in the protocol's name; `None`: the
    /// protocol has no such parameter. Default: protobuf, and no parameter.
    pub content: fn(parameter: &str) -> Option<Content>,

    // What both have to know.
    /// What it carries beyond one message in each direction. Default: nothing.
    pub streams: Streams,
    /// Makes the machine of one end of a connection. `None`: the protocol is only recognised so far.
    pub machine: Option<fn(&Setup<'_>) -> Box<dyn Machine>>,
    /// Reads [`Head::raw`](crate::Head::raw): visits each metadata field by name and value. HTTP gives the request line as
    /// `:method` and `:path` (with the query), then its fields in order. Default: there are no fields.
    pub fields: fn(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])),
}

impl Protocol {
    /// What holds where an entry says nothing; see the fields. It has no name, recognises nothing and has no machine.
    pub const DEFAULT: Protocol = Protocol {
        name: "",
        sniff: |_| Sniff::NotMine,
        heard_as: &[],
        taken_for: &[],
        framed: false,
        alpn: |_| &[],
        http: None,
        needs_service: false,
        credential: CredentialPer::Connection,
        announces_last: false,
        connections: Connections::ALL,
        peer_limits_calls: false,
        content: |parameter| parameter.is_empty().then_some(Content::PROTOBUF),
        streams: Streams::None,
        machine: None,
        fields: |_, _| {},
    };
}

/// A version of HTTP, as far as others than its machine have to know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HttpVersion {
    /// 1.0 or 1.1: text, one request after the other.
    One,
    Two,
}

/// What a credential is shown with, and therefore what a server's decision about it is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CredentialPer {
    /// The first frame of a connection, or a handshake. Everything that follows is the same caller's.
    Connection,
    /// Every request, so that callers behind a proxy may share a connection. See [`Validity`](crate::Validity).
    Request,
}

/// Whether a call may have more than one message in a direction, or streams inside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Streams {
    /// It may not: a server refuses a streaming method when it is asked for.
    None,
    /// A body is bytes in which nothing tells one message from the next (HTTP by itself). Answers of many messages are lines of
    /// text there, if the content type says so; requests of many messages are refused.
    Bytes,
    /// Messages stay apart, in both directions.
    Messages,
}

/// How calls share connections (brpc's `connection_type`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Connections {
    /// One connection for all callers; needs an id in every frame, or order.
    Single,
    /// A call has a connection to itself and gives it back.
    Pooled,
    /// A connection per call.
    Short,
}

impl Connections {
    /// Of protocols that answer calls by an id, or in order.
    pub const ALL: &'static [Connections] = &[Connections::Single, Connections::Pooled, Connections::Short];
    /// Of protocols that have one call at a time on a connection.
    pub const EXCLUSIVE: &'static [Connections] = &[Connections::Pooled, Connections::Short];
    /// Of protocols whose connections are opened once and kept.
    pub const SINGLE: &'static [Connections] = &[Connections::Single];
}

/// Whose first bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sniff {
    Mine,
    NotMine,
    /// So many more bytes decide, or let it ask again.
    NeedMore(usize),
}

/// The protocols a program contains, in the order in which they are asked about first bytes.
#[derive(Clone)]
pub struct Registry {
    protocols: &'static [&'static Protocol],
    /// Those that were added, in that order.
    added: Vec<&'static Protocol>,
    default: Option<&'static Protocol>,
}

impl Registry {
    pub const fn new(protocols: &'static [&'static Protocol]) -> Self {
        Registry { protocols, added: Vec::new(), default: None }
    }

    /// Clients speak this protocol where their user names none.
    pub const fn with_default(mut self, protocol: &'static Protocol) -> Self {
        self.default = Some(protocol);
        self
    }

    /// The same with one more protocol. It is asked about first bytes before all others, since nobody could put it into
    /// their order; a protocol of the same name gives way to it.
    #[must_use]
    pub fn with(mut self, protocol: &'static Protocol) -> Self {
        self.added.push(protocol);
        self
    }

    /// The protocol of clients whose user names none.
    pub fn default_protocol(&self) -> Option<&'static Protocol> {
        self.default
    }

    pub fn iter(&self) -> impl Iterator<Item = &'static Protocol> {
        self.added.iter().rev().chain(self.protocols).copied()
    }

    /// The protocol of this name (what stands before a colon: `http` of `http:proto`).
    pub fn find(&self, name: &str) -> Option<&'static Protocol> {
        let name = name.split(':').next().unwrap_or(name);
        self.iter().find(|p| p.name == name)
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

    /// Asks in order who owns these first bytes. `allowed` leaves protocols out.
    pub fn sniff(&self, bytes: &[u8], mut allowed: impl FnMut(&Protocol) -> bool) -> Sniffed {
        for protocol in self.iter() {
            match (protocol.sniff)(bytes) {
                Sniff::NotMine => {}
                Sniff::Mine if allowed(protocol) => return Sniffed::Owner(protocol),
                Sniff::NeedMore(n) if allowed(protocol) => return Sniffed::NeedMore(n),
                Sniff::Mine | Sniff::NeedMore(_) => {}
            }
        }
        Sniffed::Nobody
    }
}

/// What [`Registry::sniff`] found.
pub enum Sniffed {
    Owner(&'static Protocol),
    NeedMore(usize),
    Nobody,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_added_protocol_is_asked_before_the_others() {
        const fn claims_all(name: &'static str) -> Protocol {
            Protocol { name, sniff: |_| Sniff::Mine, ..Protocol::DEFAULT }
        }
        static BUILT_IN: [&Protocol; 1] = [&claims_all("built in")];
        static FIRST: Protocol = claims_all("first");
        static SECOND: Protocol = claims_all("second");
        let registry = Registry::new(&BUILT_IN).with(&FIRST).with(&SECOND);
        assert!(registry.iter().map(|protocol| protocol.name).eq(["second", "first", "built in"]));
        let Sniffed::Owner(owner) = registry.sniff(b"x", |_| true) else { panic!("all of them claim it") };
        assert_eq!(owner.name, "second");
        assert_eq!(registry.find("first:parameter").map(|protocol| protocol.name), Some("first"));
    }
}
