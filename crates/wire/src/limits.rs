//! What a machine may hold, allow and wait for. Plain numbers with defaults; builders of servers and channels pass them on.

use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest message where no route says otherwise. Default 64 MiB, brpc's `max_body_size`.
    pub max_message: u32,
    /// Exchanges a peer may have open, or requests parsed ahead of their replies, where order or a table without an end
    /// bounds them. Default 16.
    pub exchanges: u32,
    /// Bytes of one exchange received and not yet granted. Default 256 KiB, as brpc's `h2_client_stream_window_size`: a
    /// message longer than this waits for the window to be opened for it, one round trip.
    pub window: u32,
    /// Messages of one exchange delivered and not yet granted; the dispatcher's ring holds one more (the end).
    pub ahead: u32,
    /// Bytes of one exchange queued in the machine before its credit closes.
    pub backlog: u32,
    /// Messages queued for one peer of a hub (ZeroMQ's HWM).
    pub high_water: u32,
    /// Exchanges open at once where each is a stream with windows of its own (HTTP/2's MAX_CONCURRENT_STREAMS, at least
    /// 100 in public use). Default 1000: fewer make clients of many calls wait, more let a peer hold `window` bytes more
    /// often.
    pub streams: u32,
    /// Bytes by which all windows of a connection together may grow beyond `window` each, as far as the measured product of
    /// bandwidth and delay asks for it. Default 4 MiB; less slows single streams over long distances.
    pub window_growth: u32,
    /// Bytes of one head: names, values and 32 for each field (HTTP/2's MAX_HEADER_LIST_SIZE). Default 16 KiB, at most
    /// 48 KiB.
    pub head: u32,
    pub patience: Patience,
    pub keepalive: Keepalive,
}

impl Limits {
    /// See the fields.
    pub const DEFAULT: Limits = Limits {
        max_message: 64 << 20,
        exchanges: 16,
        window: 256 << 10,
        ahead: 32,
        backlog: 2 << 20,
        high_water: 1000,
        streams: 1000,
        window_growth: 4 << 20,
        head: 16 << 10,
        patience: Patience::DEFAULT,
        keepalive: Keepalive::DEFAULT,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}

/// So many at once, and so many each second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    pub burst: u32,
    pub per_second: u32,
}

/// What a peer may do on one connection that costs us work and brings nothing forward. Beyond it the connection ends, and
/// the engine counts why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// Exchanges given up by the peer before their reply has begun: "rapid reset". Default 1000, then 100 a second.
    pub resets: Rate,
    /// Exchanges that we had to break off because the peer broke the rules in them. Default 100, then 10 a second.
    pub mistakes: Rate,
    /// Frames that ask for nothing: PING, SETTINGS, PRIORITY, empty DATA, unknown ones; windows opened by crumbs. What
    /// moves a message forward gives one back. Default 1000, then 100 a second.
    pub controls: Rate,
    /// Answers (PING, SETTINGS, RST_STREAM) that lie unsent because the peer does not read. Default 1000.
    pub unread: u32,
    /// From our SETTINGS to their acknowledgement. Default 10 s.
    pub settings: Duration,
    /// Server: a reply that is complete and that the peer lets not move (windows shut) is given up after this, at most twice
    /// as late. Default 60 s.
    pub stall: Duration,
    /// Bytes of replies that one peer may leave queued behind shut windows before its new requests are refused. Default
    /// 64 MiB, brpc's `socket_max_unwritten_bytes`.
    pub queued: u32,
}

impl Patience {
    /// See the fields.
    pub const DEFAULT: Patience = Patience {
        resets: Rate { burst: 1000, per_second: 100 },
        mistakes: Rate { burst: 100, per_second: 10 },
        controls: Rate { burst: 1000, per_second: 100 },
        unread: 1000,
        settings: Duration::from_secs(10),
        stall: Duration::from_secs(60),
        queued: 64 << 20,
    };
}

impl Default for Patience {
    fn default() -> Self {
        Patience::DEFAULT
    }
}

/// How long connections live whose protocol can say so (HTTP/2: PING and GOAWAY).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keepalive {
    /// Asks the peer whether it is there after so long without a byte from it. Default: never. Servers of gRPC commonly
    /// refuse to be asked more often than every five minutes.
    pub every: Option<Duration>,
    /// Within this it must answer. Default 20 s.
    pub within: Duration,
    /// Ask also while no exchange is open. Default false.
    pub idle: bool,
    /// Server: a PING sooner than this behind the one before, with no reply of ours between, is a strike. Default 10 s;
    /// grpc-go's is five minutes, which clients that do not know gRPC break.
    pub least: Duration,
    /// Server: so many strikes are forgiven, the next ends the connection ("too_many_pings"). Default 2.
    pub strikes: u32,
    /// Server: a connection without an exchange for so long is asked to go. Default: never; the engine's idle time closes
    /// without a word.
    pub max_idle: Option<Duration>,
    /// Server: a connection this old is asked to go; its exchanges end. Default: never.
    pub max_age: Option<Duration>,
}

impl Keepalive {
    /// See the fields.
    pub const DEFAULT: Keepalive = Keepalive {
        every: None,
        within: Duration::from_secs(20),
        idle: false,
        least: Duration::from_secs(10),
        strikes: 2,
        max_idle: None,
        max_age: None,
    };
}

impl Default for Keepalive {
    fn default() -> Self {
        Keepalive::DEFAULT
    }
}

/// Too much of what is allowed, see [`Patience`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flood {
    /// `Patience::resets`.
    Resets,
    /// `Patience::mistakes`.
    Mistakes,
    /// `Patience::controls`.
    Controls,
    /// `Patience::unread`.
    Unread,
    /// A head that does not end within `Limits::head`.
    Heads,
    /// `Keepalive::strikes`.
    Pings,
}
