//! What a server is given as its catch-all.

use crate::{
    calls::Calls,
    cluster::Cluster,
    failure::{self, Reason},
    fields,
    figures::Figures,
    hops,
    limit::UnderWay,
    passage::Passage,
    passing::{self, Passing},
    routes::Routes,
    streams,
    translation::Form,
    unary,
};
use arc_swap::ArcSwap;
use polywire_base::LineGate;
use polywire_call::{ConfigError, Status};
use polywire_server::{ByPath, Call, CatchAll, Context, Directions, Handler, Started};
use polywire_wire::{CONNECT, GRPC, Outcome};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Sends the calls that a server has no method for to a channel, and its answers back:
/// `Server::new().catch_all(Relay::to(channel))`.
///
/// Messages are passed on as they came: caller and channel may speak different protocols as long as messages
/// are in protobuf in both. Between JSON, mcpack and protobuf they are translated, by the schemas of a
/// [`Cluster`].
/// Clones are the same relay: one of them goes to the server, another one is kept to
/// [`replace`](Relay::replace) its routes.
#[derive(Clone)]
pub struct Relay {
    routes: Arc<ArcSwap<Routes>>,
    id: hops::Id,
    figures: Option<Figures>,
    /// The method or the service of calls that name none.
    unnamed: Option<Unnamed>,
    max_message: Option<u32>,
    /// A number of the shard, for what it counts.
    lane: usize,
}

/// What calls are for that do not name it.
#[derive(Clone)]
enum Unnamed {
    Method(Arc<(String, String)>),
    Service(Arc<str>),
}

impl Relay {
    /// A relay of all calls to the servers of this channel, or of a [`Cluster`]. The options of the channel
    /// apply to each call: retries, balancer, time limit.
    pub fn to(cluster: impl Into<Cluster>) -> Relay {
        Relay::by(Routes::all_to(cluster.into()))
    }

    /// A relay to the channels of these routes; calls that none of them is for are refused.
    pub fn by(routes: Routes) -> Relay {
        let routes = Arc::new(ArcSwap::from_pointee(routes));
        Relay { routes, id: hops::Id::new(), figures: None, unnamed: None, max_message: None, lane: 0 }
    }

    /// Counts calls that no route takes. What a route takes is counted by the ways of its
    /// [clusters](Cluster::counted).
    #[must_use]
    pub fn counted(mut self, figures: &Figures) -> Relay {
        self.figures = Some(figures.clone());
        self
    }

    /// Takes calls whose protocol names no method, which would be for the first method of the first service
    /// of a server, as calls of this one.
    ///
    /// # Errors
    /// These are not the names of a service and a method.
    pub fn nameless(mut self, service: &str, method: &str) -> Result<Relay, ConfigError> {
        Calls::of_method(service, method)?;
        self.unnamed = Some(Unnamed::Method(Arc::new((service.to_owned(), method.to_owned()))));
        Ok(self)
    }

    /// Takes calls whose protocol says a method's position and no service, which would be for the first
    /// service of a server, as calls of this one; in place of [`Relay::nameless`].
    ///
    /// # Errors
    /// This is not the name of a service.
    pub fn unnamed_service(mut self, service: &str) -> Result<Relay, ConfigError> {
        Calls::of_service(service)?;
        self.unnamed = Some(Unnamed::Service(service.into()));
        Ok(self)
    }

    /// Refuses calls with a longer message, in bytes; the limit of the server holds, too. To be said before
    /// the server has it.
    #[must_use]
    pub fn max_message(mut self, bytes: u32) -> Relay {
        self.max_message = Some(bytes);
        self
    }

    /// Counts a call that a policy in front of the relay refuses as one of its route, and notes for the
    /// access log where it would have gone.
    #[cold]
    pub fn refused_by_policy(&self, cx: &Context, status: &Status) {
        match self.routes.load().route(cx) {
            Some(led) => Passing::begin(cx, led, self.lane).refused(status, Reason::Policy),
            None => passing::has_no_route(cx, Reason::Policy),
        }
    }

    /// Counts a call that a policy in front of the relay would refuse if it were no dry run, and says so, at
    /// most once a minute for all relays.
    #[cold]
    pub fn passed_by_dry_run(&self, cx: &Context) {
        static GATE: LineGate = LineGate::one_in(60);
        if let Some(left_out) = GATE.pass() {
            let ((service, method), peer) = (cx.called(), cx.peer());
            let caller = cx.identity().map_or("", |identity| &*identity.name);
            tracing::warn!(%peer, caller, service, method, dry_run = true, left_out, "a policy refuses a call");
        }
        self.counts_dry_run(cx, Reason::Policy);
    }

    /// Counts a call that [`Rates`](polywire_server::Rates) in front of the relay [would
    /// refuse](polywire_server::Rates::exceeded) if they were no dry run, which they have said themselves.
    #[cold]
    pub fn passed_by_dry_rate(&self, cx: &Context) {
        self.counts_dry_run(cx, Reason::Limit);
    }

    fn counts_dry_run(&self, cx: &Context, reason: Reason) {
        let routes = self.routes.load();
        let way = routes.route(cx).and_then(|(_, cluster)| cluster.way());
        way.into_iter().for_each(|way| way.passed_by_dry_run(reason));
    }

    /// Uses these routes from the next call on. Calls that have begun end with the channel that they began
    /// with.
    pub fn replace(&self, routes: Routes) {
        self.routes.store(Arc::new(routes));
    }
}

impl CatchAll for Relay {
    fn handler(&self) -> Box<dyn Handler> {
        static LANES: AtomicUsize = AtomicUsize::new(0);
        Box::new(Relay { lane: LANES.fetch_add(1, Relaxed), ..self.clone() })
    }

    fn by_position(&self, service: &str, position: u32) -> Option<(String, String)> {
        let service = match (service, &self.unnamed) {
            ("", None) => return None,
            ("", Some(Unnamed::Method(only))) => return (position == 0).then(|| (**only).clone()),
            ("", Some(Unnamed::Service(service))) => service,
            (named, _) => named,
        };
        self.routes.load().by_position(service, position)
    }

    fn by_hash(&self, protocol: &str, hash: u32) -> Option<(String, String)> {
        self.routes.load().by_hash(protocol, hash)
    }

    fn max_message(&self) -> Option<u32> {
        self.max_message
    }

    fn by_path(&self, service: &str, method: &str) -> ByPath {
        self.routes.load().by_path((service, method))
    }

    fn by_rule(&self, verb: &str, path: &str) -> Option<(String, String)> {
        self.routes.load().by_rule(verb, path)
    }

    fn verbs(&self, path: &str) -> Vec<String> {
        self.routes.load().verbs(path)
    }

    fn streams(&self, service: &str, method: &str) -> Directions {
        self.routes.load().streams((service, method))
    }

    fn no_side_effects(&self, service: &str, method: &str) -> bool {
        self.routes.load().reads((service, method))
    }

    fn not_taken(&self) {
        self.figures.iter().for_each(Figures::has_no_route);
    }
}

/// Each shard has one.
impl Handler for Relay {
    fn start(&self, call: Call) -> Started {
        // A copy of the cluster, which outlives its route: until it is dropped, its connections stay open.
        let routes = self.routes.load();
        let Some((route, cluster)) = routes.route(&call.cx) else {
            self.figures.iter().for_each(Figures::has_no_route);
            passing::has_no_route(&call.cx, Reason::NoRoute);
            return Started::Ready(Outcome::from(failure::no_route()));
        };
        let mut passing = Passing::begin(&call.cx, (route, cluster), self.lane);
        match route.check_rate(&call.cx, cluster).and_then(|()| UnderWay::begin(&call.cx, route, cluster)) {
            Ok(under_way) => passing.under_way = under_way,
            Err(refused) => {
                let outcome = Outcome::from(refused);
                passing.end(&outcome);
                return Started::Ready(outcome);
            }
        };
        if let Some(faults) = &route.faults {
            passing.inject(faults, &call.cx);
        }
        let (cluster, id) = (cluster.clone(), self.id);
        Started::Future(Box::pin(async move {
            let mut outcome = relay(call, &cluster, id, &mut passing).await.unwrap_or_else(Outcome::from);
            passing.changes.iter().for_each(|changes| changes.change_outcome(&mut outcome));
            passing.end(&outcome);
            outcome
        }))
    }
}

/// Answers one call. A caller that gives up drops this, and with it the call below.
async fn relay(
    mut call: Call,
    cluster: &Cluster,
    id: hops::Id,
    passing: &mut Passing,
) -> Result<Outcome, Status> {
    if let Some(injected) = passing.injected.take() {
        injected.happen().await?;
    }
    if let Some(text) = Passage::refusal(&cluster.channel) {
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    if let Some(text) = cluster.refusal(call.cx.called()) {
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    if cluster.channel.is_over_http() && !call.cx.is_over_http() {
        fields::check_for_http(&call.cx, passing.changes.as_deref(), cluster.channel.system())?;
    }
    let form = Form::of(&mut call, cluster)?;
    let hops = id.after(&call.cx)?;
    match call.stream.take() {
        None => unary::relay(call, cluster, form, &hops, passing).await,
        // A call that may be executed twice has one message each way, whatever gRPC does not say of it.
        Some(stream) if stays_stream(&call, cluster) && !passing.may_run_twice(call.cx.called(), cluster) => {
            streams::relay(&call, stream, cluster, &form, &hops, passing).await
        }
        Some(stream) => unary::relay_only_message(call, stream, cluster, form, &hops, passing).await,
    }
}

/// Whether a call that may stream goes on as one that may. gRPC is the one system whose wire does not tell a
/// call with one message from a stream, and towards it nor need the relay: elsewhere streams have another
/// form.
fn stays_stream(call: &Call, cluster: &Cluster) -> bool {
    let (service, method) = call.cx.called();
    let is_known = || cluster.known().is_some_and(|known| known.streams(service, method).any());
    match cluster.channel.system() {
        GRPC => true,
        CONNECT => streams::is_of_connect(call) || is_known(),
        _ => cluster.channel.offers_streams() && is_known(),
    }
}
