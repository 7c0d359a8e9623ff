//! A channel that calls go on to, and what is said of it when its servers cannot be reached.

use crate::failure;
use polywire_base::LineGate;
use polywire_call::Status;
use polywire_client::{Channel, NoProtocols};
use std::{ops::Deref, sync::Arc};

/// A channel of a route.
#[derive(Clone)]
pub struct Below {
    channel: Channel<NoProtocols>,
    /// Of this channel in this route: one that fails does not hide another. There are no more of them than
    /// entries of routes, whatever callers do.
    gate: Arc<LineGate>,
}

impl Below {
    pub fn new<P>(channel: &Channel<P>) -> Below {
        Below { channel: channel.clone().retyped(), gate: Arc::new(LineGate::one_in(60)) }
    }

    /// The failure of a call, as its caller sees it. The channel's own words, which callers do not get, go
    /// into the log if no call can succeed.
    #[cold]
    pub fn failed(&self, status: Status) -> Status {
        if failure::is_of_all_calls(&status)
            && let Some(left_out) = self.gate.pass()
        {
            // Parameters of a url may be secrets.
            let servers = self.channel.address().split('?').next().unwrap_or_default();
            tracing::warn!(servers, error = %status, left_out, "calls cannot be passed on");
        }
        failure::of_call_below(status)
    }
}

impl Deref for Below {
    type Target = Channel<NoProtocols>;

    fn deref(&self) -> &Self::Target {
        &self.channel
    }
}
