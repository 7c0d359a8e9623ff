//! One connection of a socket: between its machine and its seat in the hub.

use crate::{core::Core, monitor::Event as News};
use bytes::Bytes;
use polywire_call::Status;
use polywire_engine::{Dispatcher, Next, Peer, Turn, Wires};
use polywire_hub::{PeerId, Seat};
use polywire_protocols::zmtp;
use polywire_wire::{Event, Exchange, Head, Host, Notice, Protocol, Route};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    task::Waker,
    time::Instant,
};

/// Passes on what the machine and the hub have for each other.
pub(crate) struct Dispatch {
    core: Arc<Core>,
    peer: Peer,
    /// The peer that was expected, where we connected.
    expected: Option<PeerId>,
    seat: Option<Seat>,
    /// The peer's words, if it sent us away.
    refused: Option<Status>,
    /// Set once the handshake is over: reconnecting begins anew with short intervals.
    met: Arc<AtomicBool>,
}

impl Dispatch {
    pub fn new(core: &Arc<Core>, peer: Peer, expected: Option<PeerId>, met: Arc<AtomicBool>) -> Self {
        Dispatch { core: core.clone(), peer, expected, seat: None, refused: None, met }
    }

    fn name(&self) -> Arc<str> {
        self.peer.to_string().into()
    }

    #[cold]
    fn meet(&mut self, kind: &str, identity: &[u8], properties: &[u8]) -> Next {
        let (hub, limits) = (&self.core.hub, &self.core.config.limits);
        self.seat = match self.expected {
            Some(id) => Seat::of(hub, id, identity, limits),
            None => Seat::new(hub, identity, limits),
        };
        if self.seat.is_none() {
            self.refused =
                Some(Status::resource_exhausted("the peer's name is taken, or there is no place for it"));
            return Next::Close;
        }
        self.met.store(true, Relaxed);
        self.core.events.tell(|| News::HandshakeSucceeded {
            peer: self.name(),
            kind: kind.into(),
            identity: Bytes::copy_from_slice(identity),
            properties: said_beside(properties),
        });
        Next::Commands
    }
}

/// Properties that are nothing to us.
fn said_beside(properties: &[u8]) -> Vec<(String, Bytes)> {
    let ours = |name: &str| ["Socket-Type", "Identity"].iter().any(|known| name.eq_ignore_ascii_case(known));
    let all = zmtp::properties(properties)
        .map(|(name, value)| (String::from_utf8_lossy(name).into_owned(), Bytes::copy_from_slice(value)));
    all.filter(|(name, _)| !ours(name)).collect()
}

impl Dispatcher for Dispatch {
    type Host = NoCalls;

    #[inline]
    fn event(&mut self, event: Event<'_>, _turn: &mut Turn) -> Next {
        match event {
            Event::Part { part, .. } => {
                if let Some(seat) = &mut self.seat {
                    seat.part(part);
                }
                Next::Continue
            }
            Event::Credit { credit, .. } => {
                if let Some(seat) = &mut self.seat {
                    seat.credit(credit);
                }
                Next::Commands
            }
            Event::Notice(Notice::Peer { kind, identity, properties }) => {
                self.meet(kind, identity, properties)
            }
            Event::Notice(Notice::Topic { on, topic }) => {
                let welcome = self.seat.as_mut().is_none_or(|seat| seat.topic(on, topic));
                if welcome { Next::Continue } else { Next::Close }
            }
            Event::Authenticate { scheme, credential } => {
                Next::Verdict(match &self.core.options.authenticate {
                    Some(verify) => verify(scheme, credential, &self.peer),
                    None => Ok(()),
                })
            }
            Event::Reset { exchange: Exchange::CONNECTION, why } => {
                self.refused = Some(why);
                Next::Continue
            }
            Event::Open(_)
            | Event::Answer { .. }
            | Event::Finish { .. }
            | Event::Reset { .. }
            | Event::Stopped { .. }
            | Event::Notice(Notice::Draining | Notice::Calm | Notice::PeerLimit { .. } | Notice::Rtt(_)) => {
                Next::Continue
            }
        }
    }

    fn commands(&mut self, wires: &mut Wires<'_, NoCalls>, most: usize) -> usize {
        match (&mut self.seat, wires.machine(0)) {
            (Some(seat), Some((machine, mut cx))) => seat.serve(machine, &mut cx, most),
            _ => 0,
        }
    }

    fn sleep(&mut self, waker: &Waker) -> bool {
        self.seat.as_mut().is_none_or(|seat| seat.sleep(waker))
    }

    fn expire(&mut self, _wires: &mut Wires<'_, NoCalls>) -> Option<Instant> {
        None
    }

    fn next_deadline(&self) -> Option<Instant> {
        None
    }

    fn recognised(&mut self, _host: &mut NoCalls, _protocol: &'static Protocol) {}

    fn pending(&self) -> usize {
        self.seat.is_some().into()
    }

    fn is_over(&self) -> bool {
        self.seat.as_ref().is_some_and(Seat::is_over)
    }

    fn closed(&mut self, _host: &mut NoCalls, why: Status) {
        let why = self.refused.take().unwrap_or(why);
        let reason = || Arc::<str>::from(why.message());
        match self.seat.take() {
            Some(_) => self.core.events.tell(|| News::Disconnected { peer: self.name(), reason: reason() }),
            None => self.core.events.tell(|| News::HandshakeFailed { peer: self.name(), error: reason() }),
        }
    }
}

/// Sockets carry messages; nobody calls.
pub(crate) struct NoCalls;

impl Host for NoCalls {
    fn admit(&mut self, _head: &Head<'_>, _announced: Option<usize>) -> Result<Route, Status> {
        Err(Status::unimplemented("this socket carries no calls"))
    }
    fn admit_reply(&mut self, _exchange: Exchange, _announced: usize) -> bool {
        false
    }
}
