//! The link between a client and a server, as a test configures it.

use crate::{
    log::EventKind,
    rules::{Budget, Direction, Ending, Key, Rule},
    state::Shared,
};
use std::{sync::Arc, time::Duration};

/// The link between a server and its clients ([`Net::link`](crate::Net::link)), or one of them
/// ([`Net::link_between`](crate::Net::link_between)); settings for one client take precedence over those for
/// all.
///
/// At first it has no delay and no faults. Changes apply from now on, to open and new connections; bytes in
/// transit are not affected. It may be configured before the server exists.
///
/// ```
/// # use polywire::testkit::Net;
/// # use std::time::Duration;
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let net = Net::seeded(7);
/// net.link("echo:1").delay(Duration::from_millis(30)).jitter(Duration::from_millis(5));
/// net.link("echo:1").to_client().bandwidth(1 << 20);
/// # }
/// ```
pub struct Link {
    shared: Arc<Shared>,
    key: Key,
    /// Whether the settings apply to one direction only.
    direction: Option<Direction>,
}

impl Link {
    pub(crate) fn new(shared: &Arc<Shared>, from: Option<&str>, to: &str) -> Link {
        let key = Key { from: from.map(Arc::from), to: to.into() };
        Link { shared: shared.clone(), key, direction: None }
    }

    /// The direction from clients to the server alone.
    pub fn to_server(&self) -> Link {
        self.only(Direction::ToServer)
    }

    /// The direction from the server to clients alone.
    pub fn to_client(&self) -> Link {
        self.only(Direction::ToClient)
    }

    fn only(&self, direction: Direction) -> Link {
        Link { shared: self.shared.clone(), key: self.key.clone(), direction: Some(direction) }
    }

    fn directions(&self) -> &'static [Direction] {
        match self.direction {
            None => Direction::BOTH,
            Some(Direction::ToServer) => &[Direction::ToServer],
            Some(Direction::ToClient) => &[Direction::ToClient],
        }
    }

    fn rule(&self, change: impl Fn(&mut Rule)) -> &Self {
        let mut state = self.shared.lock();
        let rules = state.rules.entry(&self.key);
        self.directions().iter().for_each(|direction| change(rules.direction_mut(*direction)));
        drop(state);
        self
    }

    /// Delays everything by this time in each direction, so that a call takes twice as long, and so does
    /// connecting. Timers have steps of a millisecond. Default: zero.
    pub fn delay(&self, delay: Duration) -> &Self {
        self.rule(|rule| rule.delay = Some(delay))
    }

    /// Adds a random delay of up to `most`; order is kept. Default: zero.
    pub fn jitter(&self, most: Duration) -> &Self {
        self.rule(|rule| rule.jitter = Some(most))
    }

    /// Limits the bytes per second in each direction, over all connections of a client together. Default: no
    /// limit.
    ///
    /// # Panics
    /// If it is zero: for a link that carries nothing, see [`Link::partition`].
    pub fn bandwidth(&self, bytes_per_second: u64) -> &Self {
        assert!(bytes_per_second > 0, "a bandwidth of zero: use partition()");
        self.rule(|rule| rule.bandwidth = Some(bytes_per_second))
    }

    /// After this many bytes a connection falls silent, as if a cable was pulled: further bytes are lost, and
    /// neither end gets an error. Each connection has its own count, of both directions together unless the
    /// link was narrowed to one; for open connections it starts now.
    pub fn drop_after(&self, bytes: u64) -> &Self {
        self.budget(Budget { bytes, fate: Ending::Silence })
    }

    /// After this many bytes a connection is reset, counted as for [`Link::drop_after`].
    pub fn reset_after(&self, bytes: u64) -> &Self {
        self.budget(Budget { bytes, fate: Ending::Reset })
    }

    fn budget(&self, budget: Budget) -> &Self {
        let mut state = self.shared.lock();
        let rules = state.rules.entry(&self.key);
        match self.direction {
            Some(direction) => rules.direction_mut(direction).budget = Some(budget),
            None => rules.budget = Some(budget),
        }
        state.set_budget(&self.key, self.direction, Some(budget));
        drop(state);
        self
    }

    /// Resets the connections that are open now; bytes in transit on them are lost.
    pub fn reset(&self) -> &Self {
        self.shared.change(|state, wakers| {
            let ids = state.between(&self.key);
            ids.into_iter().for_each(|id| state.reset(id, wakers));
        });
        self
    }

    /// Refuses new connections until [`Link::accept`]; open ones continue.
    pub fn refuse(&self) -> &Self {
        self.shared.lock().rules.entry(&self.key).refuses = Some(true);
        self
    }

    /// Accepts new connections again.
    pub fn accept(&self) -> &Self {
        self.shared.lock().rules.entry(&self.key).refuses = Some(false);
        self
    }

    /// Interrupts the link until [`Link::heal`]: nothing arrives, and neither end gets an error. Bytes that
    /// were sent meanwhile, or had not arrived, arrive afterwards, since TCP retransmits them; connecting
    /// takes until the interruption ends.
    pub fn partition(&self) -> &Self {
        self.interrupt(true)
    }

    /// Ends a [`Link::partition`] of the same link.
    pub fn heal(&self) -> &Self {
        self.interrupt(false)
    }

    fn interrupt(&self, on: bool) -> &Self {
        self.shared.change(|state, wakers| {
            state.note(&self.key, 0, if on { EventKind::Partitioned } else { EventKind::Healed });
            self.directions().iter().for_each(|direction| state.partition(&self.key, *direction, on, wakers));
        });
        self.shared.healed.notify_waiters();
        self
    }

    /// Removes all settings of this link, which also heals it. Connections that have fallen silent stay so.
    pub fn clear(&self) -> &Self {
        self.heal();
        let mut state = self.shared.lock();
        let rules = state.rules.entry(&self.key);
        self.directions().iter().for_each(|direction| *rules.direction_mut(*direction) = Rule::default());
        if self.direction.is_none() {
            (rules.budget, rules.refuses) = (None, None);
            state.set_budget(&self.key, None, None);
        }
        self.directions().iter().for_each(|direction| state.set_budget(&self.key, Some(*direction), None));
        drop(state);
        self
    }

    /// The number of connections that neither end has closed.
    pub fn connections(&self) -> usize {
        self.shared.lock().connections(&self.key)
    }
}
