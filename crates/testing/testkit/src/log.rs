//! The log of a network: its events, in order.

use std::{collections::VecDeque, fmt, sync::Arc, time::Duration};

/// The maximum number of events that a network keeps; older ones are dropped.
const MOST: usize = 1 << 16;

/// Something that happened on a network.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Event {
    /// Time since the network was created.
    pub at: Duration,
    /// The name of the client; empty for events of a server or of all its clients.
    pub from: Arc<str>,
    /// The name of the server.
    pub to: Arc<str>,
    /// The number of the connection on this network, from 1; 0 for events that are not of one connection.
    pub connection: u64,
    /// The kind of the event.
    pub what: EventKind,
}

/// The kind of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EventKind {
    /// A server began to accept connections under its name.
    Served,
    /// A server began to stop: it accepts no further connections.
    Stopped,
    /// A server crashed, as [`Served::crash`](crate::Served::crash) makes it.
    Crashed,
    /// A connection was made.
    Connected,
    /// A connection was refused: no server has this name, or the link refuses connections.
    Refused,
    /// A client or a server wrote bytes.
    Sent {
        /// Whether the client wrote the bytes; otherwise the server did.
        to_server: bool,
        /// The number of bytes that are sent. The others of the same write are lost.
        bytes: usize,
    },
    /// From now on nothing arrives in one direction any more.
    Silent {
        /// Whether the direction is that from the client to the server; otherwise it is the other one.
        to_server: bool,
    },
    /// The connection was reset.
    Reset,
    /// The client or the server closed the connection.
    Closed {
        /// Whether the client closed it; otherwise the server did.
        by_client: bool,
    },
    /// The link was interrupted.
    Partitioned,
    /// The link works again.
    Healed,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ", self.at)?;
        if !self.from.is_empty() {
            write!(f, "{} -> ", self.from)?;
        }
        write!(f, "{}", self.to)?;
        if self.connection > 0 {
            write!(f, " #{}", self.connection)?;
        }
        write!(f, ": {}", self.what)
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = |to_server: bool| if to_server { "server" } else { "client" };
        match *self {
            EventKind::Served => f.write_str("served"),
            EventKind::Stopped => f.write_str("stopped"),
            EventKind::Crashed => f.write_str("crashed"),
            EventKind::Connected => f.write_str("connected"),
            EventKind::Refused => f.write_str("refused"),
            EventKind::Sent { to_server, bytes } => write!(f, "{bytes} bytes to the {}", to(to_server)),
            EventKind::Silent { to_server } => write!(f, "nothing reaches the {} any more", to(to_server)),
            EventKind::Reset => f.write_str("reset"),
            EventKind::Closed { by_client } => write!(f, "closed by the {}", to(!by_client)),
            EventKind::Partitioned => f.write_str("interrupted"),
            EventKind::Healed => f.write_str("works again"),
        }
    }
}

/// The latest events, the oldest of which make room for new ones.
#[derive(Default)]
pub(crate) struct Log(VecDeque<Event>);

impl Log {
    pub fn add(&mut self, event: Event) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(event);
    }

    pub fn all(&self) -> Vec<Event> {
        self.0.iter().cloned().collect()
    }
}
