//! Which channel a call goes to: that of the first route that is for it.

use crate::{below::Below, calls::Calls, split::Split};
use polywire_call::{ConfigError, Metadata};
use polywire_client::{Channel, NoProtocols};

/// Channels, and the calls that go to each. The first route that is for a call takes it; a call that no route
/// is for is refused.
#[derive(Clone, Default)]
#[must_use]
pub struct Routes {
    routes: Vec<(Calls, Split)>,
}

impl Routes {
    /// The number of routes. They are looked at one after the other, for each call.
    pub const MOST: usize = 1000;

    /// None: every call is refused.
    pub fn new() -> Routes {
        Routes::default()
    }

    /// Adds a route to a channel behind those that are there.
    ///
    /// # Errors
    /// There are 1000 already.
    pub fn to<P>(self, calls: Calls, channel: &Channel<P>) -> Result<Routes, ConfigError> {
        self.split(calls, Split::whole(channel))
    }

    /// Adds a route whose calls several channels share.
    ///
    /// # Errors
    /// There are 1000 already; or no channel would get a call.
    pub fn split(mut self, calls: Calls, split: Split) -> Result<Routes, ConfigError> {
        if self.routes.len() == Self::MOST {
            let text = format!("at most {} routes: they are looked at one after the other", Self::MOST);
            return Err(ConfigError::new("routes", text));
        }
        if split.sum() == 0 {
            return Err(ConfigError::new("split", "no channel has a weight above 0".to_owned()));
        }
        self.routes.push((calls, split));
        Ok(self)
    }

    /// All calls to one channel.
    pub(crate) fn all_to(channel: Channel<NoProtocols>) -> Routes {
        Routes { routes: vec![(Calls::all(), Split::whole(&channel))] }
    }

    /// The channel for a call.
    pub(crate) fn channel(&self, called: (&str, &str), fields: &Metadata) -> Option<&Below> {
        let takes = |calls: &Calls| calls.mismatch(called, fields).is_none();
        let (_, split) = self.routes.iter().find(|(calls, _)| takes(calls))?;
        split.channel(fields)
    }
}
