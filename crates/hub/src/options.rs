//! Marks and bounds of a hub.

use polywire_base::IoBuf;

/// What one hub holds for each of its peers.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Messages that wait for a peer (SNDHWM); 0: no mark. Default 1000.
    pub send_high_water: u32,
    /// Bytes that wait for a peer, whatever the mark; one message may overshoot. Default 64 MiB.
    pub send_bytes: usize,
    /// Topics of one peer, each counted once; with one more its connection is closed. Default 10 000.
    pub topics: u32,
    /// Bytes of these topics together; with one more its connection is closed. Default 1 MiB.
    pub topic_bytes: usize,
    /// Bytes of memory for the topics of all peers: their bytes, once for all who share a topic, about 200 bytes for each
    /// topic and 50 for each subscription. The connection of a peer whose subscription finds no room is closed. Default
    /// 64 MiB.
    pub topic_memory: usize,
    /// Bytes that peers sent whose connections have ended, and that the application has not taken, of all of them, with
    /// about 128 for each message or run of messages and 512 for each peer. Beyond it the oldest are discarded and counted;
    /// the last one stays, however long. Default 64 MiB.
    pub left_bytes: usize,
    /// Peers that may be connected at once; more are sent away. Default no bound; a PAIR has one.
    pub peers: u32,
    /// A peer that has a name which is already taken replaces the one before (ROUTER_HANDOVER); else it is refused.
    /// Default false.
    pub handover: bool,
    /// Makes a message for the application of each topic that is the first of all peers, or no longer wanted by any (XPUB).
    /// Default none.
    pub tell: Option<fn(bool, &[u8]) -> IoBuf>,
    /// And of those that are not the first (XPUB_VERBOSER). Default false.
    pub tell_all: bool,
}

impl Options {
    /// As [`Options::default`].
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

impl Default for Options {
    fn default() -> Self {
        Options::DEFAULT
    }
}
