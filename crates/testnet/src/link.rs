//! What lies between a client and a server, as a test changes it.

use crate::{
    log::What,
    rules::{Budget, Fate, Key, Rule, Way},
    state::Shared,
};
use std::{sync::Arc, time::Duration};

/// What lies between a server and its clients ([`Net::link`](crate::Net::link)), or one of them
/// ([`Net::link_between`](crate::Net::link_between)); what is said of one client goes before what is said of all.
///
/// At first it carries everything at once. Changes hold from now on, for connections that are open as for new ones; bytes
/// that are under way arrive as they would have. It may be described before there is a server.
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
    /// Only this direction.
    way: Option<Way>,
}

impl Link {
    pub(crate) fn new(shared: &Arc<Shared>, from: Option<&str>, to: &str) -> Link {
        let key = Key { from: from.map(Arc::from), to: to.into() };
        Link { shared: shared.clone(), key, way: None }
    }

    /// The direction from clients to the server alone.
    pub fn to_server(&self) -> Link {
        self.only(Way::ToServer)
    }

    /// The direction from the server to clients alone.
    pub fn to_client(&self) -> Link {
        self.only(Way::ToClient)
    }

    fn only(&self, way: Way) -> Link {
        Link { shared: self.shared.clone(), key: self.key.clone(), way: Some(way) }
    }

    fn ways(&self) -> &'static [Way] {
        match self.way {
            None => Way::BOTH,
            Some(Way::ToServer) => &[Way::ToServer],
            Some(Way::ToClient) => &[Way::ToClient],
        }
    }

    fn rule(&self, change: impl Fn(&mut Rule)) -> &Self {
        let mut state = self.shared.lock();
        let rules = state.rules.entry(&self.key);
        self.ways().iter().for_each(|way| change(rules.way_mut(*way)));
        drop(state);
        self
    }

    /// Everything is under way for so long, in each direction: a call takes twice that. To connect takes as long as a call.
    /// Timers have steps of a millisecond. Default: zero.
    pub fn delay(&self, delay: Duration) -> &Self {
        self.rule(|rule| rule.delay = Some(delay))
    }

    /// Up to so much longer, by chance; what was sent first still arrives first. Default: zero.
    pub fn jitter(&self, most: Duration) -> &Self {
        self.rule(|rule| rule.jitter = Some(most))
    }

    /// So many bytes go in a second, in each direction, for all connections of a client together. Default: no bound.
    ///
    /// # Panics
    /// If it is zero: for a link that carries nothing, see [`Link::partition`].
    pub fn bandwidth(&self, bytes_per_second: u64) -> &Self {
        assert!(bytes_per_second > 0, "a bandwidth of zero: use partition()");
        self.rule(|rule| rule.bandwidth = Some(bytes_per_second))
    }

    /// After so many bytes a connection falls silent, as if a cable was pulled: what is sent is lost, and neither end is
    /// told. Each connection has its own count, of both directions together unless the link was narrowed to one; of open
    /// connections, the bytes from now on.
    pub fn drop_after(&self, bytes: u64) -> &Self {
        self.budget(Budget { bytes, fate: Fate::Silence })
    }

    /// After so many bytes a connection is reset, counted as for [`Link::drop_after`].
    pub fn reset_after(&self, bytes: u64) -> &Self {
        self.budget(Budget { bytes, fate: Fate::Reset })
    }

    fn budget(&self, budget: Budget) -> &Self {
        let mut state = self.shared.lock();
        let rules = state.rules.entry(&self.key);
        match self.way {
            Some(way) => rules.way_mut(way).budget = Some(budget),
            None => rules.budget = Some(budget),
        }
        state.set_budget(&self.key, self.way, Some(budget));
        drop(state);
        self
    }

    /// Resets the connections that are open now; what is under way on them is lost.
    pub fn reset(&self) -> &Self {
        self.shared.change(|state, wakers| {
            let ids = state.between(&self.key);
            ids.into_iter().for_each(|id| state.reset(id, wakers));
        });
        self
    }

    /// Refuses new connections until [`Link::accept`]; open ones go on.
    pub fn refuse(&self) -> &Self {
        self.shared.lock().rules.entry(&self.key).refuses = Some(true);
        self
    }

    /// Accepts new connections again.
    pub fn accept(&self) -> &Self {
        self.shared.lock().rules.entry(&self.key).refuses = Some(false);
        self
    }

    /// Interrupts the link until [`Link::heal`]: nothing arrives, and nobody is told. What was sent meanwhile, or had not
    /// arrived, arrives afterwards, since TCP sends it again; to connect takes as long as the interruption.
    pub fn partition(&self) -> &Self {
        self.interrupt(true)
    }

    /// Ends what [`Link::partition`] of the same link began.
    pub fn heal(&self) -> &Self {
        self.interrupt(false)
    }

    fn interrupt(&self, on: bool) -> &Self {
        self.shared.change(|state, wakers| {
            state.note(&self.key, 0, if on { What::Partitioned } else { What::Healed });
            self.ways().iter().for_each(|way| state.partition(&self.key, *way, on, wakers));
        });
        self.shared.healed.notify_waiters();
        self
    }

    /// Forgets all that was said of this link, and thereby heals it. Connections that have fallen silent stay so.
    pub fn clear(&self) -> &Self {
        self.heal();
        let mut state = self.shared.lock();
        let rules = state.rules.entry(&self.key);
        self.ways().iter().for_each(|way| *rules.way_mut(*way) = Rule::default());
        if self.way.is_none() {
            (rules.budget, rules.refuses) = (None, None);
            state.set_budget(&self.key, None, None);
        }
        self.ways().iter().for_each(|way| state.set_budget(&self.key, Some(*way), None));
        drop(state);
        self
    }

    /// The number of connections that neither end has closed.
    pub fn connections(&self) -> usize {
        self.shared.lock().connections(&self.key)
    }
}
