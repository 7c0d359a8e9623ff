//! What a machine may hold, allow and wait for. Plain numbers with defaults; builders of servers and channels pass them on.

use crate::Role;
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest message where no route says otherwise. Default 64 MiB, brpc's `max_body_size`.
    pub max_message: u32,
    /// Exchanges a peer may have open, or requests parsed ahead of their replies, where order or a table without an end
    /// bounds them. Default 16.
    pub exchanges: u32,
    /// Server: calls under way on one connection, where each request has an id and nothing else bounds them (baidu_std,
    /// sofa_pbrpc, hulu_pbrpc, fb_rpc, rest_rpc's format A). Default 10 000; while so many are open the connection is read no
    /// further. Less makes clients wait that have many slow calls, more lets a peer make us hold a request and its
    /// handler's state more often.
    pub calls: u32,
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
        calls: 10_000,
        window: 256 << 10,
        ahead: 64,
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
    /// Exchanges that we had to break off because the peer broke the rules in them, and credentials that were refused. Default 100, then 10 a second.
    pub mistakes: Rate,
    /// Frames that ask for nothing: PING, SETTINGS, PRIORITY, empty DATA, unknown ones; windows opened by crumbs. What
    /// moves a message forward gives one back. Default 1000, then 100 a second.
    pub controls: Rate,
    /// Answers (PING, SETTINGS, RST_STREAM) that lie unsent because the peer does not read. Default 1000.
    pub unread: u32,
    /// From our SETTINGS to their acknowledgement. Default 10 s; zero: no limit.
    pub settings: Duration,
    /// Server: a reply that is complete and that the peer lets not move (windows shut) is given up after this, at most twice
    /// as late. It costs its own exchange, whatever the number of them. Behind a window that all share, replies wait for their
    /// turns, and none is given up while that window opens. Default 60 s; zero: never.
    pub stall: Duration,
    /// Bytes of replies that one peer may leave queued behind shut windows. Beyond it new requests are refused, those that are
    /// open wait, and streams are sent no more. Replies of calls that were under way by then still wait; beyond four times as
    /// much, further ones are given up. So four calls at once may each be answered with [`Limits::max_message`] by default, and
    /// a connection holds five such replies at most. Where a protocol has no windows, and calls run side by side, the same four
    /// times as much bounds what the connection owes: further replies become short failures. Default 64 MiB, brpc's
    /// `socket_max_unwritten_bytes`.
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

/// How long connections live whose protocol can say so (HTTP/2: PING and GOAWAY). A time of zero is none: what would happen
/// then does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keepalive {
    /// Asks the peer whether it is there after so long without a byte from it. Default: a server of HTTP/2 every two hours, as
    /// gRPC's do, everybody else never. Servers of gRPC commonly refuse to be asked more often than every five minutes; a
    /// channel that is told so ("too_many_pings") asks half as often from then on.
    pub every: Option<Duration>,
    /// Within this it must answer. Default 20 s.
    pub within: Duration,
    /// Client: asks also while no exchange is open; a server always does. Default false.
    pub idle: bool,
    /// Server: a PING sooner than this behind the one before, with no reply of ours between, is a strike. Default five
    /// minutes, as gRPC's servers. Less lets clients find out sooner that we are gone.
    pub least: Duration,
    /// The same while no exchange is open. Default two hours, as gRPC's servers.
    pub least_idle: Duration,
    /// Server: so many strikes are forgiven, the next ends the connection ("too_many_pings"). Default 2.
    pub strikes: u32,
    /// Server: a connection without an exchange for so long is asked to go. Default: never; the engine's idle time closes
    /// without a word.
    pub max_idle: Option<Duration>,
    /// Server: a connection this old, a tenth more or less so that not all go at once, is asked to go; its exchanges end.
    /// Default: never.
    pub max_age: Option<Duration>,
    /// Server: so long after that it is closed, whatever is under way. Default: never.
    pub max_age_grace: Option<Duration>,
}

/// Of gRPC's servers.
const SERVER_EVERY: Duration = Duration::from_secs(2 * 60 * 60);
/// Longer is for ever, and could not be added to an instant everywhere.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

impl Keepalive {
    /// See the fields.
    pub const DEFAULT: Keepalive = Keepalive {
        every: None,
        within: Duration::from_secs(20),
        idle: false,
        least: Duration::from_secs(5 * 60),
        least_idle: Duration::from_secs(2 * 60 * 60),
        strikes: 2,
        max_idle: None,
        max_age: None,
        max_age_grace: None,
    };

    /// As it holds for one connection of HTTP/2: defaults filled in, zeros gone, the age spread by `random`.
    pub fn settled(self, role: Role, random: i64) -> Keepalive {
        let server = role == Role::Server;
        let spread = |age: Duration| age.min(LONGEST).mul_f64(1.0 + 0.1 * (random as f64 / i64::MAX as f64));
        Keepalive {
            every: some(self.every.or(server.then_some(SERVER_EVERY))),
            within: self.within.clamp(SHORTEST, LONGEST),
            idle: self.idle || server,
            max_idle: some(self.max_idle).filter(|_| server),
            max_age: some(self.max_age).filter(|_| server).map(spread),
            max_age_grace: some(self.max_age_grace).filter(|_| server),
            ..self
        }
    }
}

/// A shorter time would be up before anybody could do anything.
const SHORTEST: Duration = Duration::from_millis(1);

/// Zero is none, and what is longer than anybody lives is less.
fn some(time: Option<Duration>) -> Option<Duration> {
    time.filter(|time| !time.is_zero()).map(|time| time.clamp(SHORTEST, LONGEST))
}

impl Patience {
    /// `settings` and `stall`, unless they are off.
    pub fn times(&self) -> (Option<Duration>, Option<Duration>) {
        (some(Some(self.settings)), some(Some(self.stall)))
    }
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
