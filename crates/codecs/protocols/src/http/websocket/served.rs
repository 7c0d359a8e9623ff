//! The requests for WebSocket that a server serves, by its settings.

use super::Calls;
use polywire_wire::{Setup, Upgrades};

/// The requests for WebSocket that are served.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Served {
    /// Requests to methods that take over connections ([`Upgrades`]).
    upgrades: bool,
    /// Requests that call methods ([`Calls`]).
    pub calls: bool,
}

impl Served {
    pub fn of(setup: &Setup<'_>) -> Self {
        let Some(extensions) = setup.extensions() else { return Served::default() };
        let (upgrades, calls) = (extensions.get_ref::<Upgrades>(), extensions.get_ref::<Calls>());
        Served { upgrades: upgrades.is_some(), calls: calls.is_some() }
    }

    pub fn any(self) -> bool {
        self.upgrades || self.calls
    }
}

/// Whether any request is served, so that HTTP/2 announces it.
pub(crate) fn is_served(setup: &Setup<'_>) -> bool {
    Served::of(setup).any()
}
