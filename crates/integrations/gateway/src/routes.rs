//! Which channel a call goes to: that of the first route that is for it.

use crate::{
    calls::Calls,
    changes::FieldChanges,
    cluster::Cluster,
    failure::{self, Reason},
    fault::Faults,
    order::{Named, Order},
    schemas::Schemas,
    shadow::Shadow,
    split::Split,
    tries::Tries,
};
use polywire_call::{Code, ConfigError, Status};
use polywire_formats::schema::MethodSchema;
use polywire_routing::Fault;
use polywire_server::{ByPath, Context, Directions, Limiter, Rates};
use std::{sync::Arc, time::Duration};

/// Channels, and the calls that go to each. The first route that is for a call takes it; a call that no route
/// is for is refused.
#[derive(Clone, Default)]
#[must_use]
pub struct Routes {
    routes: Vec<Route>,
    /// What is known of their clusters, each once: a request by a rule is looked for in all of them.
    known: Vec<Schemas>,
    /// The same with lists of methods: a method by its position is looked for in all of them.
    orders: Vec<Order>,
}

#[derive(Clone)]
pub(crate) struct Route {
    calls: Calls,
    split: Split,
    /// How often each caller may call by it.
    pub rate: Option<Rates>,
    /// How many calls by it may be under way.
    pub limit: Option<Arc<Limiter>>,
    /// Who gets copies of its calls.
    pub shadow: Option<Arc<Shadow>>,
    /// How long they may take, and how often they are tried, if it says so.
    pub tries: Option<Arc<Tries>>,
    /// The faults of some of its calls.
    pub faults: Option<Arc<Faults>>,
    /// What it changes of the fields of its calls.
    pub changes: Option<Arc<FieldChanges>>,
}

impl Route {
    fn new(calls: Calls, split: Split) -> Route {
        Route {
            calls,
            split,
            rate: None,
            limit: None,
            shadow: None,
            tries: None,
            faults: None,
            changes: None,
        }
    }

    /// Takes a call to this cluster by the rate of its caller. A dry run counts it.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED: there are more than may be.
    pub fn check_rate(&self, cx: &Context, cluster: &Cluster) -> Result<(), Status> {
        let Some(rate) = &self.rate else { return Ok(()) };
        match rate.exceeded(cx) {
            None => Ok(()),
            Some(_) if rate.is_dry_run() => {
                cluster.way().into_iter().for_each(|way| way.passed_by_dry_run(Reason::Limit));
                Ok(())
            }
            Some(refused) => Err(failure::own(Reason::Limit, refused)),
        }
    }
}

impl Routes {
    /// The number of routes. They are looked at one after the other, for each call.
    pub const MOST: usize = 1000;
    /// Texts of methods that may be executed twice, of one route.
    const MOST_IDEMPOTENT: usize = 100;

    /// None: every call is refused.
    pub fn new() -> Routes {
        Routes::default()
    }

    /// Adds a route to a channel, or a [`Cluster`], behind those that are there.
    ///
    /// # Errors
    /// There are 1000 already.
    pub fn to(self, calls: Calls, cluster: impl Into<Cluster>) -> Result<Routes, ConfigError> {
        self.split(calls, Split::whole(cluster.into()))
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
        self.push(Route::new(calls, split));
        Ok(self)
    }

    fn push(&mut self, route: Route) {
        for schemas in route.split.clusters().filter_map(Cluster::known) {
            if !self.known.iter().any(|known| known.is_same(schemas)) {
                self.known.push(schemas.clone());
            }
        }
        for order in route.split.clusters().map(Cluster::order).filter(|order| !order.is_empty()) {
            if !self.orders.iter().any(|known| known.is_same(order)) {
                self.orders.push(order.clone());
            }
        }
        self.routes.push(route);
    }

    /// Some of the routes, by their numbers in the order in which they were added, from 0: those that one of
    /// several relays has. Their rates, limits and shadows are the same for all relays.
    pub fn only(&self, is_taken: impl Fn(usize) -> bool) -> Routes {
        let taken = self.routes.iter().enumerate().filter(|(number, _)| is_taken(*number));
        taken.fold(Routes::new(), |mut routes, (_, route)| {
            routes.push(route.clone());
            routes
        })
    }

    /// The time that a call by the route that was added last may take, with all its tries; without a route
    /// nothing changes. A caller whose own deadline is earlier has that one. It takes the place of the
    /// channel's timeout, and holds for calls that stream as well, to the end of both streams.
    pub fn timeout(self, timeout: Duration) -> Routes {
        self.with_tries(|tries| tries.timeout = Some(timeout))
    }

    /// Further tries of a call by the route that was added last, in place of the channel's; without a route
    /// nothing changes. A call is tried again only if no server has executed it, or if it may run twice:
    /// [`Routes::idempotent`]. From gRPC to gRPC, where the protocol does not tell calls of one message from
    /// streams, it holds for methods that are named there, or that the schemas of the cluster know.
    pub fn retries(self, most: u32) -> Routes {
        self.with_tries(|tries| tries.retries = Some(most))
    }

    /// Calls of this method by the route that was added last may be executed twice: they are tried again as
    /// well when their connection broke before the reply, and sent a second time when they take long and the
    /// channel [hedges](polywire_client::Resilience::hedge), which no other call that is passed on is, but
    /// those of methods whose schema says so in the option `idempotency_level`.
    /// `shop.Stock/Get`, or all whose names begin so: `shop.Stock/Get*`; each has one message each way. May
    /// be called several times.
    ///
    /// # Errors
    /// The text names no method; there are 100 already.
    pub fn idempotent(self, method: &str) -> Result<Routes, ConfigError> {
        let calls = Routes::check_idempotent(method)?;
        let last = self.routes.last().and_then(|last| last.tries.as_ref());
        if last.is_some_and(|tries| tries.idempotent.len() == Self::MOST_IDEMPOTENT) {
            let text = format!("at most {} of them", Self::MOST_IDEMPOTENT);
            return Err(ConfigError::new("idempotent", text));
        }
        Ok(self.with_tries(|tries| tries.idempotent.push(calls)))
    }

    /// Calls by the route that was added last that may run twice ([`Routes::idempotent`]) are tried again,
    /// after a pause of 25 to 250 ms, when a server has answered them with this code. May be called several
    /// times.
    ///
    /// # Errors
    /// It is no failure.
    pub fn retry_on(self, code: Code) -> Result<Routes, ConfigError> {
        if code == Code::Ok {
            return Err(ConfigError::new("retry_on", "OK is no failure".to_owned()));
        }
        Ok(self.with_tries(|tries| tries.retry_on.push(code)))
    }

    /// The calls of a method as [`Routes::idempotent`] takes it.
    ///
    /// # Errors
    /// The text names no method.
    pub fn check_idempotent(method: &str) -> Result<Calls, ConfigError> {
        Calls::of_methods(method, "idempotent", "a call may run twice")
    }

    fn with_tries(mut self, change: impl FnOnce(&mut Tries)) -> Routes {
        if let Some(last) = self.routes.last_mut() {
            change(Arc::make_mut(last.tries.get_or_insert_default()));
        }
        self
    }

    /// Changes fields of calls by the route that was added last; without a route nothing changes.
    pub fn fields(mut self, changes: FieldChanges) -> Routes {
        if let Some(last) = self.routes.last_mut() {
            last.changes = Some(Arc::new(changes));
        }
        self
    }

    /// Injects a fault into some of the calls of the route that was added last, of which it takes these;
    /// without a route nothing changes. It comes before anything of a call is sent, once for all its tries,
    /// and its delay is no part of the [time](Routes::timeout) of the route. A call that it makes fail has
    /// the mark `fault`. Without `max_active` at most 100 calls are delayed at a time.
    ///
    /// ```
    /// # mod polywire { pub use polywire_client::*; pub use polywire_routing as routing; pub mod gateway { pub use polywire_gateway::*; } }
    /// use polywire::{gateway::Routes, routing::{Fault, Fraction}};
    ///
    /// # fn f(stock: polywire::Channel) -> Result<(), Box<dyn std::error::Error>> {
    /// let slow = Fault::new().delay(std::time::Duration::from_millis(50), Fraction::percent(1));
    /// let routes = Routes::new().to("shop.*".parse()?, stock)?.fault("shop.Stock".parse()?, slow);
    /// # Ok(())
    /// # }
    /// ```
    pub fn fault(mut self, calls: Calls, fault: Fault) -> Routes {
        if let Some(last) = self.routes.last_mut() {
            last.faults = Some(Arc::new(Faults::new(calls, fault)));
        }
        self
    }

    /// Limits how often each caller may call by the route that was added last; without a route nothing
    /// changes. A further call is refused with RESOURCE_EXHAUSTED, and nothing of it is sent. Its message has
    /// been read by then, unless it came over gRPC: limits of all calls of a server are a
    /// [`Server::admission`](polywire_server::Server::admission).
    pub fn rate(mut self, rates: Rates) -> Routes {
        if let Some(last) = self.routes.last_mut() {
            last.rate = Some(rates);
        }
        self
    }

    /// Limits how many calls by the route that was added last may be under way, with the streams that they
    /// offer; without a route nothing changes. A further call is refused with RESOURCE_EXHAUSTED, and nothing
    /// of it is sent. Routes with clones of a limit count together.
    ///
    /// ```
    /// # mod polywire { pub use polywire_client::*; pub use polywire_server as overload; pub mod gateway { pub use polywire_gateway::*; } }
    /// use polywire::{gateway::Routes, overload::{Auto, Limiter}};
    ///
    /// # fn f(stock: polywire::Channel) -> Result<(), Box<dyn std::error::Error>> {
    /// let limit = Limiter::new(Auto::default());
    /// let routes = Routes::new().to("shop.*".parse()?, stock)?.limited(&limit);
    /// # Ok(())
    /// # }
    /// ```
    pub fn limited(mut self, limit: &Arc<Limiter>) -> Routes {
        if let Some(last) = self.routes.last_mut() {
            last.limit = Some(limit.clone());
        }
        self
    }

    /// Copies calls of the route that was added last; without a route nothing changes. Callers do not notice:
    /// not how long a copy takes, nor whether its servers answer, or what.
    ///
    /// # Errors
    /// The shadow names no method, its servers speak a protocol that has no place for calls of a relay, or
    /// its share is not from 0 to 1.
    pub fn shadow(mut self, shadow: Shadow) -> Result<Routes, ConfigError> {
        let shadow = shadow.checked()?;
        if let Some(last) = self.routes.last_mut() {
            last.shadow = Some(shadow);
        }
        Ok(self)
    }

    /// All calls to one cluster.
    pub(crate) fn all_to(cluster: Cluster) -> Routes {
        let known = cluster.known().cloned().into_iter().collect();
        let orders = vec![cluster.order().clone()];
        Routes { routes: vec![Route::new(Calls::all(), Split::whole(cluster))], known, orders }
    }

    /// The route for a call, and its cluster.
    pub(crate) fn route(&self, cx: &Context) -> Option<(&Route, &Cluster)> {
        let (called, fields) = (cx.called(), cx.metadata());
        let caller = cx.identity().map(|identity| &*identity.name);
        let takes = |route: &&Route| route.calls.mismatch(called, fields, caller).is_none();
        let route = self.routes.iter().find(takes)?;
        Some((route, route.split.cluster(fields)?))
    }

    /// The clusters that calls of a method may go to, by their fields and by chance.
    fn clusters(&self, (service, method): (&str, &str)) -> impl Iterator<Item = &Cluster> {
        let routes = self.routes.iter().filter(move |route| route.calls.have(service, method));
        routes.flat_map(|route| route.split.clusters())
    }

    /// Whether calls of a method by path are for the relay. One that cannot translate them says so.
    pub(crate) fn by_path(&self, called: (&str, &str)) -> ByPath {
        let mut by_path = ByPath::Never;
        for cluster in self.clusters(called) {
            by_path = ByPath::WithoutFallback;
            if cluster.known().is_some_and(|schemas| schemas.knows(called.0, called.1)) {
                return ByPath::Always;
            }
        }
        if self.begins_rules(called.0) { ByPath::Never } else { by_path }
    }

    /// Whether this is the beginning of paths that rules have, as `v1`, rather than a service: one without a
    /// package, that neither a schema has nor a route names.
    fn begins_rules(&self, service: &str) -> bool {
        let is_named = || self.routes.iter().any(|route| route.calls.name(service));
        !service.contains('.') && self.known.iter().any(|known| known.begins_rules(service)) && !is_named()
    }

    /// The method that a rule binds a request of plain HTTP to: by the first schemas that have such a rule
    /// and belong to a cluster that gets calls of its method.
    pub(crate) fn by_rule(&self, verb: &str, path: &str) -> Option<(String, String)> {
        self.known.iter().find_map(|schemas| {
            let (found, _) = schemas.by_rule(verb, path)?;
            let method = found.method();
            let is_led_to = self.leads(method, schemas);
            is_led_to.then(|| (method.service.to_owned(), method.method.to_owned()))
        })
    }

    /// The method at a position of a service, whose name may lack the package, by what is known of clusters
    /// that get its calls. `None`: no one knows it, or not all of them mean the same.
    pub(crate) fn by_position(&self, service: &str, position: u32) -> Option<(String, String)> {
        let named = self.orders.iter().map(|order| match order.named(service) {
            Named::One(full) if !self.leads_some(&full, order) => Named::Nothing,
            named => named,
        });
        let full = match named.fold(Named::Nothing, Named::and) {
            Named::One(full) => full,
            Named::Several => return None,
            Named::Nothing => {
                self.orders.iter().for_each(Order::missed);
                return None;
            }
        };
        let mut found: Option<String> = None;
        for order in &self.orders {
            let Some(method) = order.at(&full, position) else { continue };
            let is_led_to = self.clusters((&full, &method)).any(|to| to.order().is_same(order));
            if found.as_ref() == Some(&method) || !is_led_to {
                continue;
            }
            if found.replace(method).is_some() {
                return None;
            }
        }
        Some((full, found?))
    }

    /// The method with this hash in calls over a protocol that says one: the name in the lists of a cluster
    /// that gets its calls; or, where one without lists gets them, the number. `None`: neither, or two names.
    pub(crate) fn by_hash(&self, protocol: &str, hash: u32) -> Option<(String, String)> {
        let mut found = None;
        for route in &self.routes {
            let listed = route.split.clusters().filter_map(|cluster| cluster.by_hash(protocol, hash));
            for called in listed.filter(|(service, method)| route.calls.have(service, method)) {
                if found.is_some_and(|other| other != called) {
                    return None;
                }
                found = Some(called);
            }
        }
        if let Some((service, method)) = found {
            return Some((service.to_owned(), method.to_owned()));
        }
        let number = hash.to_string();
        let is_taken = self.clusters((protocol, &number)).any(|cluster| cluster.takes_any_hash(protocol));
        is_taken.then(|| (protocol.to_owned(), number))
    }

    /// Whether a cluster with this order gets calls of some method of a service.
    fn leads_some(&self, service: &str, order: &Order) -> bool {
        let mut routes = self.routes.iter().filter(|route| route.calls.have_some(service));
        routes.any(|route| route.split.clusters().any(|to| to.order().is_same(order)))
    }

    /// The verbs of all rules whose path this is.
    pub(crate) fn verbs(&self, path: &str) -> Vec<String> {
        let verbs = |schemas: &Schemas| schemas.verbs(path, |method| self.leads(method, schemas));
        self.known.iter().flat_map(verbs).collect()
    }

    /// Whether a cluster with these schemas gets calls of a method.
    fn leads(&self, method: MethodSchema<'_>, schemas: &Schemas) -> bool {
        let mut clusters = self.clusters((method.service, method.method)).filter_map(Cluster::known);
        clusters.any(|known| known.is_same(schemas))
    }

    /// Whether a method is known as one whose calls only read, by all that know it.
    pub(crate) fn reads(&self, called: (&str, &str)) -> bool {
        let known = self.clusters(called).filter_map(Cluster::known);
        let mut said = known.filter_map(|schemas| schemas.reads(called.0, called.1)).peekable();
        said.peek().is_some() && said.all(|reads| reads)
    }

    /// The directions of a method that are known to stream.
    pub(crate) fn streams(&self, called: (&str, &str)) -> Directions {
        let known = self.clusters(called).filter_map(Cluster::known);
        let mut known = known.map(|schemas| schemas.streams(called.0, called.1));
        known.find(|directions| directions.any()).unwrap_or_default()
    }
}
