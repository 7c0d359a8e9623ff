//! The servers of a route: the channel to them, what is known of their messages, and what is said when they
//! cannot be reached.

use crate::{failure, figures::Way, schemas::Schemas};
use polywire_base::LineGate;
use polywire_call::Status;
use polywire_client::{Channel, NoProtocols};
use std::sync::Arc;

/// Servers that calls are passed on to: a channel, and the schemas of their methods if messages are to be
/// translated. Where only a channel is needed, it stands for one without schemas.
///
/// ```
/// # mod polywire { pub use polywire_client::*; pub mod gateway { pub use polywire_gateway::*; } }
/// use polywire::gateway::{Cluster, Schemas};
///
/// # fn f(channel: polywire::Channel) -> Result<(), Box<dyn std::error::Error>> {
/// let schemas = Schemas::from_descriptor_set(&std::fs::read("shop.binpb")?)?;
/// let cluster = Cluster::new(&channel).schemas(&schemas);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Cluster {
    pub(crate) channel: Channel<NoProtocols>,
    schemas: Option<Schemas>,
    /// One that fails does not hide another. There are no more of them than entries of routes, whatever
    /// callers do.
    gate: Arc<LineGate>,
    /// What counts its calls.
    way: Option<Way>,
}

impl Cluster {
    /// The servers of this channel, without schemas.
    pub fn new<P>(channel: &Channel<P>) -> Cluster {
        Cluster {
            channel: channel.clone().retyped(),
            schemas: None,
            gate: Arc::new(LineGate::one_in(60)),
            way: None,
        }
    }

    /// Messages of callers that send another form than the servers read are translated by these schemas.
    /// Servers read what the [channel sends](Channel::content). Messages in that form are passed on unread.
    #[must_use]
    pub fn schemas(mut self, schemas: &Schemas) -> Cluster {
        self.schemas = Some(schemas.clone());
        self
    }

    /// Counts the calls that go there, as those of one route.
    #[must_use]
    pub fn counted(mut self, way: &Way) -> Cluster {
        self.way = Some(way.clone());
        self
    }

    pub(crate) fn way(&self) -> Option<&Way> {
        self.way.as_ref()
    }

    pub(crate) fn known(&self) -> Option<&Schemas> {
        self.schemas.as_ref()
    }

    /// The failure of a call, as its caller sees it. The channel's own words, which callers do not get, go
    /// into the log if no call can succeed.
    #[cold]
    pub(crate) fn failed(&self, status: Status) -> Status {
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

impl<P> From<Channel<P>> for Cluster {
    fn from(channel: Channel<P>) -> Cluster {
        Cluster::new(&channel)
    }
}

impl<P> From<&Channel<P>> for Cluster {
    fn from(channel: &Channel<P>) -> Cluster {
        Cluster::new(channel)
    }
}

impl From<&Cluster> for Cluster {
    fn from(cluster: &Cluster) -> Cluster {
        cluster.clone()
    }
}
