//! The servers of a route: the channel to them, what is known of their messages, and what is said when they
//! cannot be reached.

use crate::{calls::Calls, failure, figures::Way, schemas::Schemas};
use polywire_base::LineGate;
use polywire_call::{ConfigError, Status};
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
    /// The one method of servers whose calls name none.
    only: Option<Arc<Calls>>,
    /// The names of parameters and return values in mcpack, where the other side has none.
    idl: Option<Arc<(String, String)>>,
    /// One that fails does not hide another. There are no more of them than entries of routes, whatever
    /// callers do.
    gate: Arc<LineGate>,
    /// What counts its calls.
    way: Option<Way>,
}

impl Cluster {
    /// The most bytes of a name in mcpack.
    pub const LONGEST_NAME: usize = 254;

    /// The servers of this channel, without schemas.
    pub fn new<P>(channel: &Channel<P>) -> Cluster {
        Cluster {
            channel: channel.clone().retyped(),
            schemas: None,
            only: None,
            idl: None,
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

    /// The method of servers whose protocol [names none](Channel::is_nameless): calls of others do not go
    /// there.
    ///
    /// # Errors
    /// These are not the names of a service and a method.
    pub fn only(mut self, service: &str, method: &str) -> Result<Cluster, ConfigError> {
        self.only = Some(Arc::new(Calls::of_method(service, method)?));
        Ok(self)
    }

    /// What its methods call their parameter and their return value in an old IDL, instead of `req` and
    /// `res`: for calls between ubrpc and protocols without such names. Empty: the message is all parameters.
    ///
    /// # Errors
    /// A name is longer than [`Cluster::LONGEST_NAME`].
    pub fn idl_names(mut self, request: &str, response: &str) -> Result<Cluster, ConfigError> {
        if request.len().max(response.len()) > Self::LONGEST_NAME {
            let text = format!("a name has at most {} bytes", Self::LONGEST_NAME);
            return Err(ConfigError::new("idl", text));
        }
        self.idl = Some(Arc::new((request.to_owned(), response.to_owned())));
        Ok(self)
    }

    pub(crate) fn idl(&self) -> Option<(&str, &str)> {
        self.idl.as_deref().map(|(request, response)| (&**request, &**response))
    }

    /// Why calls of a method do not go there; `None`: they do.
    pub(crate) fn refusal(&self, (service, method): (&str, &str)) -> Option<String> {
        let protocol = self.channel.protocol();
        match &self.only {
            _ if !self.channel.is_nameless() => None,
            Some(only) if only.have(service, method) => None,
            Some(only) => Some(format!("servers of {protocol} have one method, and that is {only}")),
            None => Some(format!(
                "calls over {protocol} name no method, and the relay is not told of which it is"
            )),
        }
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
