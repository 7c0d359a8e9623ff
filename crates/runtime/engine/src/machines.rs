//! The protocol machines of a connection, and how the right one is found.
//!
//! ```text
//!  Unknown --sniff--> one machine --Foreign--> sniff again, a further machine beside it --...--> switch among them
//!                          `--Become--> replaced in place
//! ```
//!
//! Framed protocols may share a connection (brpc's switching). All their machines stay, over one input and
//! one output, and the list is at most as long as the protocol set.

use crate::config::Authenticate;
use polywire_base::IoBuf;
use polywire_wire::{ClientSetup, Machine, Protocol, ProtocolSet, ServerSetup, Setup, Sniffed};
use std::time::Instant;

/// The machines of one connection; usually one.
pub struct Machines {
    list: Vec<(&'static Protocol, Box<dyn Machine>)>,
    active: u8,
}

/// The protocol of a connection, as far as its first bytes show it.
pub(crate) enum Recognised {
    Owner(&'static Protocol),
    NeedMore(usize),
    Unknown,
}

impl Machines {
    pub(crate) fn unknown() -> Self {
        Machines { list: Vec::new(), active: 0 }
    }

    pub(crate) fn client(protocol: &'static Protocol, setup: &ClientSetup<'_>) -> Option<Self> {
        Some(Machines { list: vec![(protocol, protocol.machine?(&Setup::Client(*setup)))], active: 0 })
    }

    pub(crate) fn is_unknown(&self) -> bool {
        self.list.is_empty()
    }

    #[inline]
    pub(crate) fn get(&mut self, index: u8) -> Option<&mut dyn Machine> {
        match self.list.get_mut(index as usize) {
            Some((_, machine)) => Some(&mut **machine),
            None => None,
        }
    }

    pub(crate) fn protocol(&self, index: u8) -> Option<&'static str> {
        self.list.get(index as usize).map(|(protocol, _)| protocol.name)
    }

    #[inline]
    pub(crate) fn active(&mut self) -> (&'static Protocol, u8, &mut dyn Machine) {
        let (protocol, machine) = &mut self.list[self.active as usize];
        (protocol, self.active, &mut **machine)
    }

    pub(crate) fn each(&mut self, mut visit: impl FnMut(&mut dyn Machine)) {
        self.list.iter_mut().for_each(|(_, machine)| visit(&mut **machine));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn Machine> {
        self.list.iter().map(|(_, machine)| &**machine)
    }

    pub(crate) fn replace_active(&mut self, machine: Box<dyn Machine>) {
        self.list[self.active as usize].1 = machine;
    }

    /// See [`Machine::is_patient`].
    pub(crate) fn is_patient(&self) -> bool {
        self.iter().all(|machine| !machine.is_receiving() || machine.is_patient())
    }

    /// The oldest of [`Machine::oldest`] over all machines; usually there is one.
    pub(crate) fn oldest(&self) -> Option<Instant> {
        self.iter().filter_map(|machine| machine.oldest()).min()
    }

    /// Whether some machine has taken part of a message out of the input.
    pub(crate) fn is_receiving(&self) -> bool {
        self.iter().any(|machine| machine.is_receiving())
    }

    /// Asks the set which protocol the front of `input` belongs to and makes its machine active. After
    /// ALPN negotiated an `alpn`, only protocols with that name are considered: a peer that sends other bytes
    /// than it announced is not trusted. After `Foreign` only framed protocols may follow, except the one
    /// that reported it.
    pub(crate) fn recognise(
        &mut self,
        input: &mut IoBuf,
        protocols: &ProtocolSet,
        alpn: Option<&[u8]>,
        allowed: &dyn Fn(&Protocol) -> bool,
        authenticate: &Authenticate,
        setup: &ServerSetup<'_>,
    ) -> Recognised {
        let follows = !self.list.is_empty();
        // Detection looks at a bounded front: a Redis inline command may have 64 KiB, and one more byte
        // excludes it.
        let front = input.len().min((64 << 10) + 1);
        let bytes = input.peek(front).expect("asked for what is here");
        let speaker = self.list.get(self.active as usize).map(|(protocol, _)| *protocol);
        let wanted = |p: &Protocol| {
            let other = speaker.is_none_or(|speaker| !std::ptr::eq(speaker, p));
            let agreed = alpn.is_none_or(|alpn| (p.alpn)("").iter().any(|id| id.as_bytes() == alpn));
            p.machine.is_some() && agreed && allowed(p) && (!follows || (p.framed && other))
        };
        match protocols.sniff(bytes, wanted) {
            Sniffed::NeedMore(n) => Recognised::NeedMore(n),
            Sniffed::Unknown => Recognised::Unknown,
            Sniffed::Owner(protocol) => {
                let known = self.list.iter().position(|(p, _)| std::ptr::eq(*p, protocol));
                let index = known.unwrap_or_else(|| {
                    let machine = protocol.machine.expect("filtered above");
                    let setup =
                        ServerSetup { authenticate: authenticate.is_required_over(protocol), ..*setup };
                    self.list.push((protocol, machine(&setup.into())));
                    self.list.len() - 1
                });
                self.active = index as u8;
                Recognised::Owner(protocol)
            }
        }
    }
}
