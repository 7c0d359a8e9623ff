//! The life of a stream.
//!
//! Source: RFC 9113 5.1

/// The state of a stream. Push is disabled on both sides, so the two reserved states of the RFC cannot be
/// reached. A stream exists here from its first HEADERS on, so there is no idle state.
///
/// ```text
///                      idle (no slot)
///                        | send H / recv H
///                        v
///        send ES     +--------+     recv ES
///       +------------|  Open  |------------+
///       v            +--------+            v
///  +------------+        |         +-------------+
///  | HalfClosed |        |         | HalfClosed  |
///  |   Local    |        |         |   Remote    |
///  +------------+        |         +-------------+
///       | recv ES / R    | R             | send ES / R
///       |                v               |
///       |            +--------+          |
///       +----------->| Closed |<---------+
///                    +--------+
///
///  H: HEADERS   ES: END_STREAM   R: RST_STREAM, either way
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum State {
    Open,
    HalfClosedLocal,
    HalfClosedRemote,
    #[default]
    Closed,
}

/// An event that changes the state of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Move {
    SendEnd,
    RecvEnd,
    Reset,
}

impl State {
    /// The next state; `None` if the event is not allowed.
    pub fn after(self, step: Move) -> Option<State> {
        match (self, step) {
            (State::Open, Move::SendEnd) => Some(State::HalfClosedLocal),
            (State::Open, Move::RecvEnd) => Some(State::HalfClosedRemote),
            (State::HalfClosedLocal, Move::RecvEnd) => Some(State::Closed),
            (State::HalfClosedRemote, Move::SendEnd) => Some(State::Closed),
            (State::Open | State::HalfClosedLocal | State::HalfClosedRemote, Move::Reset) => {
                Some(State::Closed)
            }
            (State::HalfClosedLocal, Move::SendEnd) => None,
            (State::HalfClosedRemote, Move::RecvEnd) => None,
            (State::Closed, Move::SendEnd | Move::RecvEnd | Move::Reset) => None,
        }
    }

    /// Whether this side's half is open.
    pub fn can_send(self) -> bool {
        matches!(self, State::Open | State::HalfClosedRemote)
    }

    /// Whether the peer's half is open.
    pub fn can_recv(self) -> bool {
        matches!(self, State::Open | State::HalfClosedLocal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitions_are_those_of_the_rfc() {
        let states = [State::Open, State::HalfClosedLocal, State::HalfClosedRemote, State::Closed];
        let mut table = String::new();
        for state in states {
            for step in [Move::SendEnd, Move::RecvEnd, Move::Reset] {
                let next = state.after(step).map_or("-".into(), |next| format!("{next:?}"));
                table += &format!("{state:?} {step:?}: {next}\n");
            }
            table += &format!("{state:?} sends {} receives {}\n", state.can_send(), state.can_recv());
        }
        // RFC 9113 figure 2
        let expected = "\
            Open SendEnd: HalfClosedLocal\n\
            Open RecvEnd: HalfClosedRemote\n\
            Open Reset: Closed\n\
            Open sends true receives true\n\
            HalfClosedLocal SendEnd: -\n\
            HalfClosedLocal RecvEnd: Closed\n\
            HalfClosedLocal Reset: Closed\n\
            HalfClosedLocal sends false receives true\n\
            HalfClosedRemote SendEnd: Closed\n\
            HalfClosedRemote RecvEnd: -\n\
            HalfClosedRemote Reset: Closed\n\
            HalfClosedRemote sends true receives false\n\
            Closed SendEnd: -\n\
            Closed RecvEnd: -\n\
            Closed Reset: -\n\
            Closed sends false receives false\n";
        assert_eq!(table, expected);
    }
}
