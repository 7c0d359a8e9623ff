//! The servers of a route: the channel to them, what is known of their messages, and what is said when they
//! cannot be reached.

use crate::{
    calls::Calls,
    failure,
    figures::Way,
    idl::{self, Idl},
    order::{Lists, Order},
    schemas::Schemas,
};
use polywire_base::LineGate;
use polywire_call::{ConfigError, Status};
use polywire_client::{Channel, NoProtocols, Target};
use polywire_formats::foreign::is_thrift;
use polywire_server::{Limiter, are_plain_names};
use polywire_wire::Addressing;
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
    /// Its schemas, and lists of methods.
    order: Order,
    /// The one method, or the one service, of servers whose calls name none.
    only: Option<Arc<Calls>>,
    /// What servers of Thrift are told as the service.
    thrift_service: Option<Arc<str>>,
    /// The names of parameters and return values in mcpack, where the other side has none.
    idl: Option<Arc<Idl>>,
    /// One that fails does not hide another. There are no more of them than entries of routes, whatever
    /// callers do.
    gate: Arc<LineGate>,
    /// What counts its calls.
    way: Option<Way>,
    /// How many may be under way.
    pub(crate) limit: Option<Arc<Limiter>>,
}

/// The longest text of a mistake in names, in bytes.
const LONGEST_WRONG: usize = 1024;

impl Cluster {
    /// The most bytes of a name in mcpack.
    pub const LONGEST_NAME: usize = idl::LONGEST_NAME;

    /// The servers of this channel, without schemas.
    pub fn new<P>(channel: &Channel<P>) -> Cluster {
        Cluster {
            channel: channel.clone().retyped(),
            order: Order::default(),
            only: None,
            thrift_service: None,
            idl: None,
            gate: Arc::new(LineGate::one_in(60)),
            way: None,
            limit: None,
        }
    }

    /// Messages of callers that send another form than the servers read are translated by these schemas.
    /// Servers read what the [channel sends](Channel::content). Messages in that form are passed on unread.
    #[must_use]
    pub fn schemas(mut self, schemas: &Schemas) -> Cluster {
        self.order.schemas = Some(schemas.clone());
        self
    }

    /// The methods of a service in the order of its definition, for protocols that say a method's
    /// [position](Addressing::is_by_position) in place of its name. They come before schemas. May be called
    /// several times.
    ///
    /// Where a protocol says a [hash](polywire_wire::Protocol::hash) of the names, in any order: only listed
    /// methods are called, by their names. Without a list all are, and each is called as the service of the
    /// protocol's name and the method of its number in decimal: `rest_rpc/887912700`.
    ///
    /// # Errors
    /// These are not the names of a service and its methods, one is there twice, or two have the same hash.
    pub fn methods(mut self, service: &str, methods: &[impl AsRef<str>]) -> Result<Cluster, ConfigError> {
        let wrong = |text: String| ConfigError::new("methods", polywire_call::bounded(&text, LONGEST_WRONG));
        let mut listed: Vec<Box<str>> = Vec::new();
        for method in methods.iter().map(AsRef::as_ref) {
            if !are_plain_names(service, method) {
                return Err(wrong(format!(
                    "{service:?} and {method:?} are not the names of a service and a method"
                )));
            }
            if listed.iter().any(|before| **before == *method) {
                return Err(wrong(format!("{method} of {service} is there twice")));
            }
            listed.push(method.into());
        }
        if listed.is_empty() {
            return Err(wrong(format!("the list of {service} is empty")));
        }
        let none = Lists::default();
        let lists = self.order.lists.as_deref().unwrap_or(&none);
        let lists = lists.with(service, listed, self.channel.hash()).map_err(wrong)?;
        self.order.lists = Some(Arc::new(lists));
        Ok(self)
    }

    /// The service of servers whose protocol [names none](Addressing::PositionAlone), but a method's
    /// position: calls of others do not go there.
    ///
    /// # Errors
    /// This is not the name of a service.
    pub fn only_service(mut self, service: &str) -> Result<Cluster, ConfigError> {
        self.only = Some(Arc::new(Calls::of_service(service)?));
        Ok(self)
    }

    /// The method of servers whose protocol [names none](Addressing::Nothing): calls of others do not go
    /// there.
    ///
    /// # Errors
    /// These are not the names of a service and a method.
    pub fn only(mut self, service: &str, method: &str) -> Result<Cluster, ConfigError> {
        self.only = Some(Arc::new(Calls::of_method(service, method)?));
        Ok(self)
    }

    /// What servers of Thrift are told as the service of all calls: those with several services
    /// (TMultiplexedProcessor) get it before the name of the method, those over TTHeader in a field. Empty:
    /// none, whatever callers say. Default: what the caller says. Other protocols do not use it.
    ///
    /// # Errors
    /// This is not the name of a service.
    pub fn thrift_service(mut self, service: &str) -> Result<Cluster, ConfigError> {
        if !service.is_empty() {
            Calls::of_service(service)?;
        }
        self.thrift_service = Some(service.into());
        Ok(self)
    }

    /// What its methods call their parameter and their return value in an old IDL, instead of `req` and
    /// `res`: for calls between ubrpc and protocols without such names. Empty: the message is all parameters.
    ///
    /// # Errors
    /// A name is longer than [`Cluster::LONGEST_NAME`].
    pub fn idl_names(mut self, request: &str, response: &str) -> Result<Cluster, ConfigError> {
        Arc::make_mut(self.idl.get_or_insert_default()).of_all(request, response)?;
        Ok(self)
    }

    /// The same for one method, of whichever service, in place of what is said for all. May be called several
    /// times.
    ///
    /// # Errors
    /// A name is longer than [`Cluster::LONGEST_NAME`], or this is not the name of a method.
    pub fn idl_names_of(
        mut self,
        method: &str,
        request: &str,
        response: &str,
    ) -> Result<Cluster, ConfigError> {
        Arc::make_mut(self.idl.get_or_insert_default()).of_method(method, request, response)?;
        Ok(self)
    }

    pub(crate) fn idl(&self, (_, method): (&str, &str)) -> Option<(&str, &str)> {
        self.idl.as_ref()?.names(method)
    }

    /// Why calls of a method do not go there, whatever their message; `None`: they do.
    pub fn refusal(&self, called: (&str, &str)) -> Option<String> {
        let what = match self.channel.addressing() {
            Addressing::Names => return self.lacks_listed(called),
            Addressing::Position => return self.lacks_position(called, true),
            Addressing::PositionAlone => "service",
            Addressing::Nothing => "method",
        };
        let protocol = self.channel.protocol();
        match &self.only {
            Some(only) if !only.have(called.0, called.1) => {
                Some(format!("servers of {protocol} have one {what}, and that is {only}"))
            }
            Some(_) if what == "service" => self.lacks_position(called, false),
            Some(_) => None,
            None => Some(format!(
                "calls over {protocol} name no {what}, and the relay is not told of which it is"
            )),
        }
    }

    fn lacks_listed(&self, called: (&str, &str)) -> Option<String> {
        let lists = self.order.lists.as_ref().filter(|_| self.channel.hash().is_some())?;
        (!lists.have(called))
            .then(|| format!("the lists of its methods do not have {}/{}", called.0, called.1))
    }

    /// The method with this hash in calls over a protocol that says one, by its lists. `None`: it is not
    /// there, or its servers speak something else.
    pub(crate) fn by_hash(&self, protocol: &str, hash: u32) -> Option<(&str, &str)> {
        let lists = self.order.lists.as_ref().filter(|_| self.channel.protocol() == protocol)?;
        lists.hashed(hash)
    }

    /// Whether its servers are called by hashes whose names are not known.
    pub(crate) fn takes_any_hash(&self, protocol: &str) -> bool {
        self.order.lists.is_none() && self.channel.hash().is_some() && self.channel.protocol() == protocol
    }

    fn lacks_position(&self, called: (&str, &str), is_short: bool) -> Option<String> {
        let why = self.order.position(called, is_short).err()?;
        let protocol = self.channel.protocol();
        Some(format!("calls over {protocol} say a method's number, which is not known: {why}"))
    }

    /// The position of a method in its service, counted from 0, by the [lists](Cluster::methods) or the
    /// schemas of the cluster.
    pub fn position(&self, called: (&str, &str)) -> Option<u32> {
        self.order.position(called, false).ok()
    }

    /// A method as its servers are told which it is.
    pub(crate) fn target(&self, called: (&str, &str)) -> Target {
        let service = match &self.thrift_service {
            _ if !is_thrift(self.channel.content()) => called.0,
            Some(service) => service,
            None if called.0 == self.channel.protocol() => "", // its caller has named none
            None => called.0,
        };
        let target = Target::named(service, called.1);
        match self.channel.addressing().is_by_position() {
            false => target,
            // `refusal` has found it. If that was a moment ago, the client fails the call.
            true => self.position(called).into_iter().fold(target, Target::at),
        }
    }

    /// Refuses a call with RESOURCE_EXHAUSTED while as many are under way as the limit allows, and sends
    /// nothing of it. Clusters with clones of a limit count together. Default: as many as come.
    #[must_use]
    pub fn limited(mut self, limit: &Arc<Limiter>) -> Cluster {
        self.limit = Some(limit.clone());
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
        self.order.schemas.as_ref()
    }

    /// Whether calls of a method may be executed twice by what its schemas say.
    pub(crate) fn may_run_twice(&self, called: (&str, &str)) -> bool {
        self.known().is_some_and(|known| known.may_run_twice(called))
    }

    pub(crate) fn order(&self) -> &Order {
        &self.order
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
