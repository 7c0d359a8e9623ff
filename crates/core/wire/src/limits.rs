//! The limits of a machine: how much it may hold and allow, and how long it waits. They are plain numbers
//! with defaults, which the builders of servers and channels pass on.

use crate::{Compression, Role};
use polywire_base::setters;
use std::time::Duration;

/// The limits of one connection.
///
/// ```
/// use polywire_wire::{Keepalive, Limits};
/// use std::time::Duration;
///
/// let keepalive = Keepalive::default().every(Duration::from_secs(30));
/// let limits = Limits::default().max_message(4 << 20).streams(100).keepalive(keepalive);
/// # assert_eq!((limits.max_message, limits.keepalive.every), (4 << 20, Some(Duration::from_secs(30))));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Longest message in bytes where no route has another limit. Default 64 MiB, brpc's `max_body_size`.
    pub max_message: u32,
    /// Exchanges that a peer may have open, or requests that are parsed before earlier replies were sent, in
    /// protocols that answer in order or keep a table of exchanges. Default 16.
    pub exchanges: u32,
    /// Server: calls in flight on one connection, in protocols in which each request has an id and nothing
    /// else limits them (baidu_std, sofa_pbrpc, hulu_pbrpc, fb_rpc, rest_rpc's format A). Default 10 000; at
    /// that number the connection is no longer read. With less, clients with many slow calls wait; with more,
    /// a peer can make us hold more requests and handlers.
    pub calls: u32,
    /// Bytes of one exchange that were received and not granted yet. Default 256 KiB, like brpc's
    /// `h2_client_stream_window_size`: a longer message waits one round trip until the window is opened for
    /// it.
    pub window: u32,
    /// Messages of one exchange that were delivered and not granted yet; the dispatcher's queue holds one
    /// more (the end). Default 1024, so that a reader on another thread takes many at once.
    pub ahead: u32,
    /// Bytes of one exchange queued in the machine before its credit closes. Default 2 MiB.
    pub backlog: u32,
    /// Messages queued for one peer of a hub (ZeroMQ's high-water mark). Default 1000.
    pub high_water: u32,
    /// Exchanges open at once in protocols in which each is a stream with its own window (HTTP/2's
    /// MAX_CONCURRENT_STREAMS, which should be at least 100). Default 1000. With fewer, clients with many
    /// calls wait; with more, a peer can use up `window` bytes more often.
    pub streams: u32,
    /// Bytes by which all windows of a connection together may grow beyond `window` each, as far as the
    /// measured bandwidth-delay product requires it. Default 4 MiB. With less, single streams over long
    /// distances are slower.
    pub window_growth: u32,
    /// Bytes of one header block: names, values and 32 for each field (HTTP/2's MAX_HEADER_LIST_SIZE).
    /// Default 16 KiB, at most 48 KiB.
    pub head: u32,
    /// The maximum size of decompressed messages.
    pub inflated: Inflated,
    /// How often a peer may cause work without progress.
    pub patience: Patience,
    /// Pings, and how long connections live.
    pub keepalive: Keepalive,
}

impl Limits {
    /// The defaults; see the fields.
    pub const DEFAULT: Limits = Limits {
        max_message: 64 << 20,
        exchanges: 16,
        calls: 10_000,
        window: 256 << 10,
        ahead: 1024,
        backlog: 2 << 20,
        high_water: 1000,
        streams: 1000,
        window_growth: 4 << 20,
        head: 16 << 10,
        inflated: Inflated::DEFAULT,
        patience: Patience::DEFAULT,
        keepalive: Keepalive::DEFAULT,
    };
}

setters! {
    Limits {
        max_message: u32,
        exchanges: u32,
        calls: u32,
        window: u32,
        ahead: u32,
        backlog: u32,
        high_water: u32,
        streams: u32,
        window_growth: u32,
        head: u32,
        inflated: Inflated,
        patience: Patience,
        keepalive: Keepalive,
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}

/// The maximum size of decompressed messages. A message that exceeds it fails its call with
/// RESOURCE_EXHAUSTED (413 over HTTP), before memory is reserved for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Inflated {
    /// Maximum length in bytes of a decompressed message, where [`Limits::max_message`] allows as much.
    /// Default 16 MiB. The requests that were decompressed for handlers of one connection take at most about
    /// four times as much; further ones wait, still compressed. With less, long compressed messages are
    /// refused; with more, a peer can make us use more memory with a few KB.
    pub most: u32,
    /// Maximum ratio of decompressed to compressed bytes for a message of more than [`Inflated::FREE`] bytes.
    /// Default 200: texts and records reach 3 to 50, gzip's maximum is 1032, zstd's 30 000. Messages of
    /// zeros, or of one record over and over, need more.
    pub ratio: u32,
}

impl Inflated {
    /// The defaults; see the fields.
    pub const DEFAULT: Inflated = Inflated { most: 16 << 20, ratio: 200 };
    /// Decompressed messages up to this many bytes may have any ratio.
    pub const FREE: usize = 1 << 20;
}

setters! {
    Inflated {
        most: u32,
        ratio: u32,
    }
}

impl Default for Inflated {
    fn default() -> Self {
        Inflated::DEFAULT
    }
}

/// The maximum length of a message, uncompressed or compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Longest {
    /// The maximum length of an uncompressed message in bytes.
    pub message: usize,
    /// The limits for a message that arrives compressed.
    pub inflated: Inflated,
}

impl Longest {
    /// The maximum decompressed length in bytes of a message that has `compressed` bytes.
    pub fn inflated(self, compressed: usize) -> usize {
        let by_ratio = compressed.saturating_mul(self.inflated.ratio as usize).max(Inflated::FREE);
        self.message.min(self.inflated.most as usize).min(by_ratio)
    }

    /// The maximum length in bytes of a message that arrives with this compression in `bytes` bytes.
    #[inline]
    pub fn of(self, compression: Compression, bytes: usize) -> usize {
        if compression == Compression::NONE { self.message } else { self.inflated(bytes) }
    }
}

/// A limit of `message` bytes, compressed or not.
impl From<usize> for Longest {
    fn from(message: usize) -> Self {
        Longest { message, inflated: Inflated { most: u32::MAX, ratio: u32::MAX } }
    }
}

impl Default for Longest {
    fn default() -> Self {
        Longest::from(&Limits::DEFAULT)
    }
}

impl From<&Limits> for Longest {
    fn from(limits: &Limits) -> Self {
        Longest { message: limits.max_message as usize, inflated: limits.inflated }
    }
}

/// The minimum rate of an incomplete message, in bytes per second. A peer that keeps this rate gets more
/// time; uploads over the slowest of links are many times as fast, and peers that trickle bytes are far
/// below.
pub const LEAST_RATE: u64 = 1 << 10;

/// Whether a message of which `bytes` arrived in `time` is fast enough to continue.
pub fn goes_on(bytes: u64, time: Duration) -> bool {
    u128::from(bytes) * 1000 >= time.as_millis().max(1) * u128::from(LEAST_RATE)
}

/// A burst, and a rate per second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// The number that may arrive at once.
    pub burst: u32,
    /// The number that may follow each second.
    pub per_second: u32,
}

/// How often a peer may do things on one connection that cost us work and make no progress. Beyond these
/// limits the connection ends, and the engine counts the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Patience {
    /// Exchanges that the peer cancels before their reply has begun ("rapid reset"). Each reply that begins
    /// gives one back. Beyond the rate new exchanges are refused, which clients try again; the connection
    /// ends when 400 times as many are refused. Default 1000, then 1000 a second.
    pub resets: Rate,
    /// Exchanges that we had to reset because the peer broke the protocol in them, and credentials that were
    /// refused. Default 100, then 10 a second.
    pub mistakes: Rate,
    /// Frames without effect on a message: PING, SETTINGS, PRIORITY, empty DATA, unknown frames, and tiny
    /// window updates. Each frame that advances a message gives one back. Default 1000, then 1000 a second.
    pub controls: Rate,
    /// Answers (PING, SETTINGS, RST_STREAM) that are unsent because the peer does not read. Default 1000.
    pub unread: u32,
    /// Time from our SETTINGS to their acknowledgement. Default 10 s; `None`: no limit.
    pub settings: Option<Duration>,
    /// Server: how long a complete reply may make no progress because the peer keeps its window closed. After
    /// that it is dropped, at most a tenth late; if the memory budget is half used, after a tenth or two of
    /// this time. Only the reply's own exchange is affected. Where all streams share a window, replies wait
    /// for their turns, and none is dropped while that window opens. Default 10 minutes, since readers pause;
    /// `None`: no limit.
    pub stall: Option<Duration>,
    /// Bytes of replies that one peer may leave queued because its windows are closed. Beyond it, new
    /// requests are refused, open requests wait, and streams are sent nothing more. Replies of calls that
    /// were already in flight still wait; beyond four times this value, further ones are dropped. So by
    /// default four calls at once may each be answered with [`Limits::max_message`], and a connection holds
    /// at most five such replies. In protocols without windows in which calls run concurrently, four times
    /// this value limits the unsent bytes of the connection: further replies become short failures. Default
    /// 64 MiB, brpc's `socket_max_unwritten_bytes`.
    pub queued: u32,
}

impl Patience {
    /// The defaults; see the fields.
    pub const DEFAULT: Patience = Patience {
        resets: Rate { burst: 1000, per_second: 1000 },
        mistakes: Rate { burst: 100, per_second: 10 },
        controls: Rate { burst: 1000, per_second: 1000 },
        unread: 1000,
        settings: Some(Duration::from_secs(10)),
        stall: Some(Duration::from_secs(600)),
        queued: 64 << 20,
    };
}

setters! {
    Patience {
        resets: Rate,
        mistakes: Rate,
        controls: Rate,
        unread: u32,
        queued: u32,
    }
    optional {
        settings: Duration,
        stall: Duration,
    }
}

impl Default for Patience {
    fn default() -> Self {
        Patience::DEFAULT
    }
}

/// Pings and the lifetime of connections, for protocols that support them (HTTP/2: PING and GOAWAY; HTTP/1:
/// the age). `None` is off: the event does not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Keepalive {
    /// Sends a ping after this long without a byte from the peer. Default: two hours at a server of HTTP/2,
    /// as in gRPC; otherwise never. Servers of gRPC commonly refuse pings more often than every five minutes;
    /// a channel that receives such a refusal ("too_many_pings") doubles its interval. The field is `None`
    /// for that default; the setter makes zero of `None`, which is never.
    pub every: Option<Duration>,
    /// The time in which the peer must answer. Default 20 s.
    pub within: Duration,
    /// Client: sends pings also while no exchange is open; a server always does. Default false.
    pub idle: bool,
    /// Server: a PING sooner than this after the previous one, without a reply of ours in between, is a
    /// strike. Default `None`, so that there are no strikes, because clients commonly send a PING every 10 s
    /// or more often; floods of PINGs end at [`Patience::controls`]. gRPC's servers use five minutes.
    pub least: Option<Duration>,
    /// The interval while no exchange is open. Default `None`; gRPC's servers have two hours.
    pub least_idle: Option<Duration>,
    /// Server: this many strikes are tolerated, the next ends the connection ("too_many_pings"). Default 2.
    pub strikes: u32,
    /// Server: a connection without an exchange for this long is closed with GOAWAY. Default: never. The
    /// engine's idle time closes without notice.
    pub max_idle: Option<Duration>,
    /// Server: a connection of this age is closed with GOAWAY; its exchanges may end. Over HTTP/1 it is
    /// closed with the reply to the next request (`Connection: close`), and the age counts from the first
    /// one. The age varies by a tenth, so that not all connections end at once. Default: never.
    pub max_age: Option<Duration>,
    /// Server: the time after `max_age` at which the connection is closed, even with calls in flight.
    /// Default: never.
    pub max_age_grace: Option<Duration>,
}

/// Interval of gRPC's servers.
const SERVER_EVERY: Duration = Duration::from_secs(2 * 60 * 60);
/// Longer times are treated as infinite, because they cannot be added to an instant on every system.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

impl Keepalive {
    /// Sets [`Keepalive::every`]; `None`: never, at a server neither.
    #[must_use]
    pub fn every(mut self, every: impl Into<Option<Duration>>) -> Self {
        self.every = Some(every.into().unwrap_or(Duration::ZERO));
        self
    }

    /// The defaults; see the fields.
    pub const DEFAULT: Keepalive = Keepalive {
        every: None,
        within: Duration::from_secs(20),
        idle: false,
        least: None,
        least_idle: None,
        strikes: 2,
        max_idle: None,
        max_age: None,
        max_age_grace: None,
    };

    /// The effective values for one connection of HTTP: defaults filled in, zeros removed, the age varied
    /// by `random`.
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

/// Shortest time: a shorter one would pass before anything could be done.
const SHORTEST: Duration = Duration::from_millis(1);

/// Removes zero, and limits very long times.
fn some(time: Option<Duration>) -> Option<Duration> {
    time.filter(|time| !time.is_zero()).map(|time| time.clamp(SHORTEST, LONGEST))
}

impl Patience {
    /// `settings` and `stall`, unless they are off.
    pub fn times(&self) -> (Option<Duration>, Option<Duration>) {
        (some(self.settings), some(self.stall))
    }
}

setters! {
    Keepalive {
        within: Duration,
        idle: bool,
        strikes: u32,
    }
    optional {
        least: Duration,
        least_idle: Duration,
        max_idle: Duration,
        max_age: Duration,
        max_age_grace: Duration,
    }
}

impl Default for Keepalive {
    fn default() -> Self {
        Keepalive::DEFAULT
    }
}

/// Too much of something that is allowed, see [`Patience`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flood {
    /// More resets than [`Patience::resets`] allows.
    Resets,
    /// More mistakes than [`Patience::mistakes`] allows.
    Mistakes,
    /// More control frames than [`Patience::controls`] allows.
    Controls,
    /// More unread answers than [`Patience::unread`] allows.
    Unread,
    /// A header block that does not end within `Limits::head`.
    Heads,
    /// More strikes than [`Keepalive::strikes`] allows.
    Pings,
}
