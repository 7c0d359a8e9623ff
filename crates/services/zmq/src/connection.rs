//! One connection of a socket: passes messages between its machine and its seat in the hub.

use crate::{core::Core, monitor::Event as News};
use bytes::Bytes;
use polywire_base::Output;
use polywire_call::Status;
use polywire_engine::{Dispatcher, Next, Peer, Turn, Wires};
use polywire_hub::{PeerId, Seat};
use polywire_protocols::zmtp;
use polywire_wire::{Event, Exchange, Head, Host, Notice, Open, Outcome, Protocol, Route};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    task::Waker,
    time::Instant,
};

/// Passes messages in both directions between the machine and the hub.
pub(crate) struct Dispatch {
    core: Arc<Core>,
    peer: Peer,
    /// The peer in the hub that this connection belongs to, if we opened it.
    expected: Option<PeerId>,
    seat: Option<Seat>,
    /// The reason that the peer gave when it refused us.
    refused: Option<Status>,
    /// Set once the handshake is complete: reconnecting starts again with short intervals.
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
            Some(id) => Seat::of(hub, id, identity, limits).map(|mut seat| {
                // Subscriptions are sent again on every connection.
                if !self.core.kind.subscribes() {
                    seat.keep_unsent();
                }
                seat
            }),
            None => Seat::new(hub, identity, limits),
        };
        if self.seat.is_none() {
            self.refused = Some(Status::resource_exhausted(
                "the peer's name is taken, or the limit of peers is reached",
            ));
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

/// Properties that have no meaning for the protocol.
fn said_beside(properties: &[u8]) -> Vec<(String, Bytes)> {
    let ours = |name: &str| ["Socket-Type", "Identity"].iter().any(|known| name.eq_ignore_ascii_case(known));
    let all = zmtp::properties(properties)
        .map(|(name, value)| (String::from_utf8_lossy(name).into_owned(), Bytes::copy_from_slice(value)));
    all.filter(|(name, _)| !ours(name)).collect()
}

impl Dispatcher for Dispatch {
    type Host = NoCalls;

    fn request(&mut self, _: Open<'_>, _: &mut Turn) -> Next {
        Next::Continue // sockets are not called
    }

    fn outcome(&mut self, _: Exchange, _: Outcome) -> Next {
        Next::Continue
    }

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
                let accepted = self.seat.as_mut().is_none_or(|seat| seat.topic(on, topic));
                if accepted { Next::Continue } else { Next::Close }
            }
            Event::Authenticate(claim) => {
                let mut verifiers = self.core.options.verifiers();
                Next::Verdict(verifiers.try_for_each(|verify| verify(&claim, &self.peer)))
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

    #[inline]
    fn flushed(&mut self, out: &Output) {
        if let Some(seat) = &mut self.seat {
            seat.flushed(out.flushed());
        }
    }

    fn takes_back(&mut self, out: &Output) -> Option<u64> {
        let seat = self.seat.as_mut()?;
        let sealed = self.core.options.security.seals();
        let flushed = out.flushed();
        seat.take_back(flushed, |run, left| zmtp::unsent(run, left, sealed)).then_some(flushed)
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

/// Sockets carry messages only; they have no calls.
pub(crate) struct NoCalls;

impl Host for NoCalls {
    fn admit(&mut self, _head: &Head<'_>, _announced: Option<usize>) -> Result<Route, Status> {
        Err(Status::unimplemented("this socket carries no calls"))
    }
    fn admit_reply(&mut self, _exchange: Exchange, _announced: usize) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Message, Options};
    use bytes::BytesMut;
    use polywire_base::IoBuf;
    use polywire_engine::{Pump, Pumped};
    use polywire_wire::ClientSetup;
    use std::io::IoSlice;

    const MESSAGES: u32 = 5000;

    /// A connection without a socket, and its output.
    struct Wire {
        pump: Pump<Dispatch>,
        now: Instant,
        written: Vec<u8>,
    }

    impl Wire {
        /// A connection to a PULL whose handshake is complete.
        fn to_pull(core: &Arc<Core>, id: PeerId) -> Wire {
            let dispatch = Dispatch::new(core, Peer::Memory("test".into()), Some(id), Arc::default());
            let extensions = Some(&core.config.extensions);
            let setup = ClientSetup { limits: core.config.limits, extensions, ..ClientSetup::default() };
            let pump = Pump::client(core.config.clone(), &zmtp::PROTOCOL, &setup, dispatch, NoCalls);
            let mut wire =
                Wire { pump: pump.expect("it has a machine"), now: Instant::now(), written: Vec::new() };
            let mut hello = b"\xff\0\0\0\0\0\0\0\x01\x7f\x03\x01NULL".to_vec();
            hello.resize(64, 0);
            hello.extend(b"\x04\x1a\x05READY\x0bSocket-Type\0\0\0\x04PULL");
            let mut spare = BytesMut::with_capacity(1 << 16);
            let mut space = wire.pump.lend(&mut spare);
            space.parts().0.extend_from_slice(&hello);
            wire.pump.take_back(space, &mut spare);
            wire.turn();
            wire
        }

        fn turn(&mut self) {
            self.pump.begin(self.now);
            while !matches!(self.pump.pump(&mut self.now), Pumped::Over | Pumped::Spent) {
                if !self.pump.has_to_pump() {
                    break;
                }
            }
        }

        /// Writes at most `most` bytes to the socket.
        fn write(&mut self, most: usize) {
            loop {
                let mut slices = [IoSlice::new(&[]); 16];
                let n = self.pump.unsent().io_slices(&mut slices);
                let front: Vec<u8> = slices[..n].iter().flat_map(|slice| slice.to_vec()).collect();
                let taken = front.len().min(most - self.written.len()).min(70_000);
                self.written.extend_from_slice(&front[..taken]);
                if taken > 0 {
                    self.pump.wrote(taken);
                }
                self.pump.flushed(self.now);
                self.turn();
                if taken == 0 {
                    return;
                }
            }
        }

        /// Messages that were written completely.
        fn messages(&self, hello: usize) -> Vec<u32> {
            let mut wire = IoBuf::copy_from_slice(&self.written[hello..]);
            let numbers = std::iter::from_fn(|| Message::cut(&mut wire));
            numbers.map(|message| u32::from_be_bytes(message[0][..].try_into().unwrap())).collect()
        }
    }

    #[tokio::test]
    async fn what_was_handed_to_a_connection_and_has_not_left_is_sent_by_the_next_one() {
        let options = Options::new().send_high_water(0);
        let hello = 64 + 28; // greeting and READY
        for cut in [hello, hello + 1, hello + 70_000, hello + 70_001, hello + 300_000, 600_000] {
            let core = Core::new(Kind::Push, &options);
            let id = core.hub.expect(true);
            for n in 0..MESSAGES {
                let frames = [n.to_be_bytes().to_vec(), vec![7; n as usize % 300]];
                core.hub.send_next(|out| Message::of(frames).write(out)).unwrap();
            }
            let mut first = Wire::to_pull(&core, id);
            first.write(cut);
            let handed = MESSAGES as u64 - core.hub.unsent();
            assert!(handed > first.messages(hello).len() as u64, "some wait in the connection");
            first.pump.end_of_input(first.now);
            first.turn();
            assert!(first.pump.unsent().is_empty(), "nothing more leaves by the connection that ended");

            let mut second = Wire::to_pull(&core, id);
            second.write(usize::MAX);
            let mut all = first.messages(hello);
            all.extend(second.messages(hello));
            assert_eq!(all, (0..MESSAGES).collect::<Vec<_>>(), "cut at {cut}");
            assert_eq!((core.hub.unsent(), core.hub.lost(), core.hub.dropped()), (0, 0, 0));
        }
    }
}
