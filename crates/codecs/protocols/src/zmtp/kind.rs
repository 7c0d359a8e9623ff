//! Kinds of sockets, and the pairs of kinds that may talk to each other.

/// A kind of ZeroMQ socket, as `Socket-Type` names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Pair,
    Pub,
    Sub,
    Req,
    Rep,
    Dealer,
    Router,
    Pull,
    Push,
    XPub,
    XSub,
}

impl Kind {
    pub const ALL: [Kind; 11] = [
        Kind::Pair,
        Kind::Pub,
        Kind::Sub,
        Kind::Req,
        Kind::Rep,
        Kind::Dealer,
        Kind::Router,
        Kind::Pull,
        Kind::Push,
        Kind::XPub,
        Kind::XSub,
    ];

    /// The value of `Socket-Type`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Pair => "PAIR",
            Kind::Pub => "PUB",
            Kind::Sub => "SUB",
            Kind::Req => "REQ",
            Kind::Rep => "REP",
            Kind::Dealer => "DEALER",
            Kind::Router => "ROUTER",
            Kind::Pull => "PULL",
            Kind::Push => "PUSH",
            Kind::XPub => "XPUB",
            Kind::XSub => "XSUB",
        }
    }

    /// The kind with this name; case matters.
    pub fn of(name: &[u8]) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name().as_bytes() == name)
    }

    /// Whether sockets of these two kinds may be connected: "Peers allowed" (docs/wire/zmtp.md, section 2).
    pub const fn talks_to(self, peer: Kind) -> bool {
        use Kind::*;
        matches!(
            (self, peer),
            (Req, Rep | Router)
                | (Rep, Req | Dealer)
                | (Dealer, Rep | Dealer | Router)
                | (Router, Req | Dealer | Router)
                | (Pub | XPub, Sub | XSub)
                | (Sub | XSub, Pub | XPub)
                | (Push, Pull)
                | (Pull, Push)
                | (Pair, Pair)
        )
    }

    /// The kind that a server chooses for a peer of this kind: "REQ/DEALER go to our REP/ROUTER service, SUB
    /// to PUB, PUSH to PULL" (docs/wire/zmtp.md, section 7).
    pub(super) const fn partner(self) -> Kind {
        match self {
            Kind::Req => Kind::Rep,
            Kind::Rep => Kind::Req,
            Kind::Dealer => Kind::Router,
            Kind::Router => Kind::Dealer,
            Kind::Pub | Kind::XPub => Kind::Sub,
            Kind::Sub | Kind::XSub => Kind::Pub,
            Kind::Push => Kind::Pull,
            Kind::Pull => Kind::Push,
            Kind::Pair => Kind::Pair,
        }
    }

    /// Whether a socket of this kind sends its identity: "`Identity` sent by libzmq for REQ, DEALER and
    /// ROUTER only".
    pub(super) const fn has_identity(self) -> bool {
        matches!(self, Kind::Req | Kind::Dealer | Kind::Router)
    }

    /// Whether the socket receives subscriptions from its peers.
    pub const fn publishes(self) -> bool {
        matches!(self, Kind::Pub | Kind::XPub)
    }

    /// Whether the socket sends subscriptions to its peers.
    pub const fn subscribes(self) -> bool {
        matches!(self, Kind::Sub | Kind::XSub)
    }

    /// Whether the socket passes messages of its peers to the application; other sockets drop them.
    pub(super) const fn receives(self) -> bool {
        !matches!(self, Kind::Pub | Kind::Push)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_talks_is_symmetric_and_names_are_found() {
        for a in Kind::ALL {
            assert_eq!(Kind::of(a.name().as_bytes()), Some(a));
            assert!(Kind::ALL.into_iter().any(|b| a.talks_to(b)), "{a:?} talks to nobody");
            for b in Kind::ALL {
                assert_eq!(a.talks_to(b), b.talks_to(a), "{a:?} and {b:?}");
            }
        }
        assert_eq!(Kind::of(b"req"), None);
    }
}
