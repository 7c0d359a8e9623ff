//! SETTINGS of both sides: the peer's values, this side's, and which of them the peer has acknowledged.
//!
//! Source: docs/wire/grpc.md section 1 (SETTINGS); RFC 9113 6.5

use super::frame::settings;

/// SETTINGS_MAX_FRAME_SIZE that is announced once a long message is expected, so that it does not arrive as
/// many short frames. Before that the value is the window of a stream, since no more than that could arrive
/// anyway.
pub(super) const LONG_FRAME: u32 = 1 << 20;

/// The settings of one connection.
pub(super) struct Settings {
    pub local: Local,
    pub peer: Peer,
}

/// The settings that this side has sent.
pub(super) struct Local {
    /// SETTINGS_MAX_FRAME_SIZE that we announced.
    frame: u32,
    /// The value to announce next; larger than `frame` when a long message is expected.
    wanted: u32,
    /// Number of SETTINGS frames that were sent, and of those that the peer has acknowledged.
    sent: u32,
    acknowledged: u32,
}

/// The values of the peer's SETTINGS; until they come, the initial values of RFC 9113 6.5.2.
pub(super) struct Peer {
    /// Windows of streams: SETTINGS_INITIAL_WINDOW_SIZE.
    pub window: u32,
    /// Length of the longest frame: SETTINGS_MAX_FRAME_SIZE.
    pub frame: u32,
    /// SETTINGS_MAX_CONCURRENT_STREAMS; `u32::MAX` without a limit. `None`: the peer's first SETTINGS have
    /// not come.
    pub streams: Option<u32>,
    /// Length of the longest head: SETTINGS_MAX_HEADER_LIST_SIZE.
    pub head: u32,
    /// Whether the peer accepts CONNECT with `:protocol`: SETTINGS_ENABLE_CONNECT_PROTOCOL.
    pub connects: bool,
}

/// Number of streams that a client opens before the server's SETTINGS arrive, which may allow no more. So the
/// first call to an idle server need not wait for the SETTINGS; further calls wait for the round trip,
/// because a server with a lower limit would reset them.
const STREAMS: u32 = 1;

impl Settings {
    /// `window`: initial window of streams that this side announces.
    pub fn new(window: u32) -> Self {
        let frame = window.clamp(settings::DEFAULT_FRAME, LONG_FRAME);
        Settings {
            local: Local { frame, wanted: frame, sent: 0, acknowledged: 0 },
            peer: Peer {
                window: settings::DEFAULT_WINDOW,
                frame: settings::DEFAULT_FRAME,
                streams: None,
                head: u32::MAX,
                connects: false,
            },
        }
    }
}

impl Local {
    /// Longest frame that the peer may send.
    #[inline]
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// Notes that this many bytes of a message are still to come, for which longer frames may be announced.
    pub fn expect(&mut self, bytes: usize) {
        if bytes > self.frame as usize {
            self.wanted = LONG_FRAME;
        }
    }

    /// Whether this side wants longer frames than it has announced.
    #[inline]
    pub fn is_short(&self) -> bool {
        self.wanted > self.frame
    }

    /// Notes that the wanted length is announced, and returns it.
    pub fn lengthen(&mut self) -> u32 {
        self.frame = self.wanted;
        self.frame
    }

    /// Notes that a frame of SETTINGS has been written.
    pub fn on_sent(&mut self) {
        self.sent += 1;
    }

    /// The peer has acknowledged one more frame; returns whether it has acknowledged all.
    pub fn acknowledge(&mut self) -> bool {
        self.acknowledged = self.sent.min(self.acknowledged + 1);
        self.acknowledged == self.sent
    }

    /// Whether the peer has acknowledged the first frame, so that its frames must obey it.
    #[inline]
    pub fn is_known(&self) -> bool {
        self.acknowledged > 0
    }
}

impl Peer {
    /// Whether the first frame, which must be SETTINGS, has arrived.
    #[inline]
    pub fn has_sent_settings(&self) -> bool {
        self.streams.is_some()
    }

    /// Number of streams that the peer allows.
    pub fn allowed(&self) -> u32 {
        self.streams.unwrap_or(STREAMS)
    }
}
