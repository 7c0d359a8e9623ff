//! High-water marks and limits of a hub.

use polywire_base::IoBuf;

/// The limits that a hub applies to each of its peers.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Messages that may wait for a peer (SNDHWM); 0: no limit. Default 1000.
    pub send_high_water: u32,
    /// Bytes that may wait for a peer, whatever the number of messages; the last message may exceed it.
    /// Default 64 MiB.
    pub send_bytes: usize,
    /// Topics of one peer, each counted once. A peer that subscribes to one more is disconnected. Default 10
    /// 000.
    pub topics: u32,
    /// Bytes of these topics together. A peer that exceeds them is disconnected. Default 1 MiB.
    pub topic_bytes: usize,
    /// Bytes of memory for the topics of all peers: the bytes of each topic, once for all its subscribers,
    /// about 200 bytes for each topic and 50 for each subscription. A peer whose subscription exceeds it is
    /// disconnected. Default 64 MiB.
    pub topic_memory: usize,
    /// Bytes of messages that the application has not taken from peers whose connections have ended, over all
    /// such peers. About 128 bytes are added for each message or run of messages, and 512 for each peer.
    /// Beyond it the oldest messages are discarded and counted; the last one stays, whatever its length.
    /// Default 64 MiB.
    pub left_bytes: usize,
    /// Peers that may be connected at once; further ones are refused. Default: no limit. A PAIR has a limit
    /// of one.
    pub peers: u32,
    /// Whether a peer with a name that is taken replaces the earlier peer (ROUTER_HANDOVER); otherwise it is
    /// refused. Default false.
    pub handover: bool,
    /// Makes a message for the application when a topic gets its first subscriber or loses its last one
    /// (XPUB). Default none.
    pub tell: Option<fn(bool, &[u8]) -> IoBuf>,
    /// Also for the other subscriptions to a topic (XPUB_VERBOSER). Default false.
    pub tell_all: bool,
}

impl Options {
    /// The values of [`Options::default`].
    pub const DEFAULT: Options = Options {
        send_high_water: 1000,
        send_bytes: 64 << 20,
        topics: 10_000,
        topic_bytes: 1 << 20,
        topic_memory: 64 << 20,
        left_bytes: 64 << 20,
        peers: u32::MAX,
        handover: false,
        tell: None,
        tell_all: false,
    };
}

polywire_base::setters! {
    Options {
        send_high_water: u32,
        send_bytes: usize,
        topics: u32,
        topic_bytes: usize,
        topic_memory: usize,
        left_bytes: usize,
        peers: u32,
        handover: bool,
        tell_all: bool,
    }
    optional { tell: fn(bool, &[u8]) -> IoBuf }
}

impl Default for Options {
    fn default() -> Self {
        Options::DEFAULT
    }
}
