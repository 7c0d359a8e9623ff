//! Takes the place of `websocket/` where that feature is off: requests for WebSocket are not recognised.

use polywire_wire::Setup;

/// The requests for WebSocket that are served: none.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Served {
    pub calls: bool,
}

impl Served {
    pub fn of(_: &Setup<'_>) -> Self {
        Served::default()
    }

    pub fn any(self) -> bool {
        false
    }
}

pub(crate) fn is_served(_: &Setup<'_>) -> bool {
    false
}

pub(crate) mod calls {
    use crate::http::{dialects::Form, framing::HeadBlock};

    pub(crate) fn form(_: &HeadBlock, _: fn(&[u8], &mut dyn FnMut(&str, &[u8]))) -> Option<Form> {
        None
    }
}

pub(crate) mod handshake {
    pub(crate) const TOKEN: &str = "websocket";

    /// Whether `upgrade` has a known value: never.
    pub(crate) fn has_token(_: &[u8], _: &str) -> bool {
        false
    }
}
