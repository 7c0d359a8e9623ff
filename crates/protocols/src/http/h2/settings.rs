//! SETTINGS of both sides: the peer's values, this side's, and which of them the peer has acknowledged.
//!
//! Source: docs/wire/grpc.md section 1 (SETTINGS); RFC 9113 6.5

use super::{LONG_FRAME, frame::settings};

/// The settings of one connection.
pub(super) struct Settings {
    pub ours: Ours,
    pub peer: Peer,
}

/// The settings that this side has sent.
pub(super) struct Ours {
    /// SETTINGS_MAX_FRAME_SIZE that we announced.
    frame: u32,
    /// The one to announce next; larger than `frame` once a long message is expected.
    wanted: u32,
    /// Frames of SETTINGS that we sent, and how many of them the peer has acknowledged.
    said: u32,
    acknowledged: u32,
}

/// What the peer's SETTINGS say; until they come, what RFC 9113 6.5.2 says for it.
pub(super) struct Peer {
    /// Windows of streams: SETTINGS_INITIAL_WINDOW_SIZE.
    pub window: u32,
    /// Length of the longest frame: SETTINGS_MAX_FRAME_SIZE.
    pub frame: u32,
    /// SETTINGS_MAX_CONCURRENT_STREAMS, without a limit `u32::MAX`. `None`: its first SETTINGS have not come.
    pub streams: Option<u32>,
    /// Length of the longest head: SETTINGS_MAX_HEADER_LIST_SIZE.
    pub head: u32,
}

/// Streams that a server is taken to allow before it has said so. RFC 9113 6.5.2: "recommended that this value be no smaller
/// than 100".
const STREAMS: u32 = 100;

impl Settings {
    /// `window`: of a stream of ours.
    pub fn new(window: u32) -> Self {
        let frame = window.clamp(settings::DEFAULT_FRAME, LONG_FRAME);
        Settings {
            ours: Ours { frame, wanted: frame, said: 0, acknowledged: 0 },
            peer: Peer {
                window: settings::DEFAULT_WINDOW,
                frame: settings::DEFAULT_FRAME,
                streams: None,
                head: u32::MAX,
            },
        }
    }
}

impl Ours {
    /// Longest frame that the peer may send.
    #[inline]
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// So much of a message is still to come: frames that hold it are wanted, if there are such.
    pub fn expect(&mut self, bytes: usize) {
        if bytes > self.frame as usize {
            self.wanted = LONG_FRAME;
        }
    }

    /// Longer frames are wanted, and not announced.
    #[inline]
    pub fn is_short(&self) -> bool {
        self.wanted > self.frame
    }

    /// Takes what is wanted for what is announced, and returns it.
    pub fn lengthen(&mut self) -> u32 {
        self.frame = self.wanted;
        self.frame
    }

    /// A frame of SETTINGS has been written.
    pub fn say(&mut self) {
        self.said += 1;
    }

    /// The peer has acknowledged one more; true: it has all of them.
    pub fn acknowledge(&mut self) -> bool {
        self.acknowledged = self.said.min(self.acknowledged + 1);
        self.acknowledged == self.said
    }

    /// The peer knows the first of them, so that what it sends is held to them.
    #[inline]
    pub fn is_known(&self) -> bool {
        self.acknowledged > 0
    }
}

impl Peer {
    /// The first frame has come: it was SETTINGS.
    #[inline]
    pub fn has_greeted(&self) -> bool {
        self.streams.is_some()
    }

    /// Streams that it allows us.
    pub fn allowed(&self) -> u32 {
        self.streams.unwrap_or(STREAMS)
    }
}
