//! The routes of a channel and the clusters that they lead to.

mod index;

use crate::{Action, Cluster, Head, Matcher, PathMatch, Route, Target};
use index::Index;
use polywire_balance::Spec;
use polywire_base::SortedMap;
use polywire_call::ConfigError;
use std::{collections::HashMap, fmt, sync::Arc};

/// The most routes, clusters, regular expressions and bytes of text that a table may have.
const MAX_ROUTES: usize = 100_000;
const MAX_CLUSTERS: usize = 10_000;
const MAX_PATTERNS: usize = 1000;
const MAX_BYTES: usize = 64 << 20;

/// The routes of a name: which call goes to which cluster. It never changes: a router makes a new one. Clones
/// are the same table.
///
/// A call takes the first route that it matches. A call that matches none fails as UNAVAILABLE.
///
/// ```
/// use polywire_naming::Server;
/// use polywire_routing::{Cluster, PathMatch, Route, RouteTable};
///
/// let routes = [
///     Route::new(PathMatch::service("shop.Cart"), "carts"),
///     Route::new(PathMatch::any(), "others"),
/// ];
/// let clusters = [
///     ("carts", Cluster::of([Server::new("10.0.0.1:8000"), Server::new("10.0.0.2:8000")])),
///     ("others", Cluster::of([Server::new("10.0.0.3:8000")])),
/// ];
/// let table = RouteTable::new(routes, clusters)?;
/// # Ok::<(), polywire_call::ConfigError>(())
/// ```
///
/// Limits: 100 000 routes, 10 000 clusters, 1000 regular expressions in routes and tests of names, 64 MiB of
///         text.
#[derive(Clone)]
pub struct RouteTable(Arc<Inner>);

struct Inner {
    routes: Vec<Placed>,
    index: Index,
    clusters: HashMap<Arc<str>, Cluster>,
}

/// A route of a table that was checked, with what choosing its target needs.
struct Placed {
    route: Route,
    /// The route's name in messages.
    name: Arc<str>,
    /// The end of each target's share; the last one is the sum of the weights.
    ends: Vec<u32>,
}

/// The route and the target of a call.
#[derive(Clone, Copy, Debug)]
pub struct Found<'t> {
    pub route: &'t Route,
    /// The route's number in the table, from 0.
    pub number: usize,
    /// The route's name in messages.
    pub name: &'t Arc<str>,
    pub target: &'t Target,
}

/// The reason why a call has no target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NotFound<'t> {
    /// The call matches no route.
    NoRoute,
    /// Calls of its route fail for this reason.
    Fails(&'t str),
}

impl RouteTable {
    /// # Errors
    /// A route names a cluster that is not there, or has no weight at all, or too much; a balancer is wrong;
    /// the table is too large.
    pub fn new<N: Into<String>>(
        routes: impl IntoIterator<Item = Route>,
        clusters: impl IntoIterator<Item = (N, Cluster)>,
    ) -> Result<Self, ConfigError> {
        let mut known = HashMap::new();
        for (name, cluster) in clusters {
            let name: Arc<str> = name.into().into();
            check_cluster(&name, &cluster)?;
            if known.insert(name.clone(), cluster).is_some() {
                return Err(ConfigError::new("clusters", format!("cluster {name:?} is there twice"))
                    .with_value(&*name));
            }
        }
        let routes = routes.into_iter().take(MAX_ROUTES + 1).enumerate();
        let placed = |(number, route)| Placed::new(number, route, &known);
        let routes = routes.map(placed).collect::<Result<Vec<_>, _>>()?;
        check_sizes(&routes, &known)?;
        let index = Index::new(routes.iter().map(|placed| &placed.route.matcher.path));
        Ok(RouteTable(Arc::new(Inner { routes, index, clusters: known })))
    }

    /// A table without clusters: every call fails as UNAVAILABLE for this reason.
    pub fn failing(why: impl Into<String>) -> Self {
        let route = Route::new(PathMatch::any(), Action::Fail(why.into()));
        RouteTable::new([route], [] as [(&str, Cluster); 0]).expect("it names no cluster")
    }

    /// Whether both are the same table, not only equal ones.
    pub fn is_same(&self, other: &RouteTable) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The routes, in the order in which they are looked at.
    pub fn routes(&self) -> impl ExactSizeIterator<Item = &Route> {
        self.0.routes.iter().map(|placed| &placed.route)
    }

    /// The clusters by their names, in no order.
    pub fn clusters(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Cluster)> {
        self.0.clusters.iter()
    }

    /// The target of a call: the first route that it matches, and one of that route's targets at random.
    ///
    /// # Errors
    /// Nowhere.
    pub fn find(&self, head: &Head<'_>, random: &mut fastrand::Rng) -> Result<Found<'_>, NotFound<'_>> {
        let table = &*self.0;
        let matches = |number: &usize| table.routes[*number].route.matcher.matches(head, random);
        let number = table.index.candidates(head.path).find(matches).ok_or(NotFound::NoRoute)?;
        let Placed { route, name, ends } = &table.routes[number];
        match &route.action {
            Action::Fail(why) => Err(NotFound::Fails(why)),
            Action::To(targets) => {
                let point = match ends.last() {
                    Some(sum) if targets.len() > 1 => random.u32(..*sum),
                    _ => 0,
                };
                let chosen = ends.partition_point(|end| *end <= point);
                let target = targets.get(chosen).ok_or(NotFound::NoRoute)?;
                Ok(Found { route, number, name, target })
            }
        }
    }
}

impl Placed {
    fn new(number: usize, route: Route, clusters: &HashMap<Arc<str>, Cluster>) -> Result<Self, ConfigError> {
        let name: Arc<str> =
            if route.name.is_empty() { format!("{number}").into() } else { (&*route.name).into() };
        let wrong =
            |why: String| Err(ConfigError::new("routes", format!("route {name}: {why}")).with_value(&*name));
        let mut ends = Vec::new();
        if let Action::To(targets) = &route.action {
            let mut sum = 0_u32;
            for target in targets {
                if !clusters.contains_key(&*target.cluster) {
                    return wrong(format!("there is no cluster {:?}", target.cluster));
                }
                let Some(next) = sum.checked_add(target.weight) else {
                    return wrong("its weights are above 4294967295 together".to_owned());
                };
                sum = next;
                ends.push(sum);
            }
            if sum == 0 {
                return wrong("no cluster of it has a weight above 0".to_owned());
            }
        }
        if let Some(retry) = &route.retry {
            if retry.attempts == 0 {
                return wrong("a call has one attempt at least".to_owned());
            }
            let is_usable = retry.multiplier.is_finite() && retry.multiplier > 0.0;
            if retry.first_pause.is_zero() || retry.longest_pause.is_zero() || !is_usable {
                return wrong("the pauses between attempts and their multiplier are above 0".to_owned());
            }
        }
        Ok(Placed { route, name, ends })
    }
}

fn check_cluster(name: &str, cluster: &Cluster) -> Result<(), ConfigError> {
    let Some(balancer) = &cluster.balancer else { return Ok(()) };
    balancer.parse::<Spec>().map(|_| ()).map_err(|wrong| {
        ConfigError::new("balancer", format!("cluster {name:?}: {wrong}")).with_value(balancer)
    })
}

fn check_sizes(routes: &[Placed], clusters: &HashMap<Arc<str>, Cluster>) -> Result<(), ConfigError> {
    let wrong = |what: &str, most: usize| {
        Err(ConfigError::new("routes", format!("a table has at most {most} {what}")).with_value(what))
    };
    if routes.len() > MAX_ROUTES {
        return wrong("routes", MAX_ROUTES);
    }
    if clusters.len() > MAX_CLUSTERS {
        return wrong("clusters", MAX_CLUSTERS);
    }
    let matchers = || routes.iter().map(|placed| &placed.route.matcher);
    let of_names = clusters.values().map(Cluster::patterns).sum::<usize>();
    if matchers().map(Matcher::patterns).sum::<usize>() + of_names > MAX_PATTERNS {
        return wrong("regular expressions", MAX_PATTERNS);
    }
    if matchers().map(Matcher::text_len).sum::<usize>() > MAX_BYTES {
        return wrong("bytes of text", MAX_BYTES);
    }
    Ok(())
}

impl fmt::Debug for RouteTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clusters: SortedMap<_, _> = self.0.clusters.iter().collect();
        f.debug_struct("RouteTable")
            .field("routes", &self.routes().collect::<Vec<_>>())
            .field("clusters", &clusters)
            .finish()
    }
}

impl fmt::Display for NotFound<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotFound::NoRoute => f.write_str("no route is for this call"),
            NotFound::Fails(why) => f.write_str(why),
        }
    }
}

#[cfg(test)]
mod tests;
