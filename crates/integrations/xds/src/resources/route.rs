//! `envoy.config.route.v3.RouteConfiguration`. Source: gRFC A28, A31 (timeouts), A42 (hashes), A44 (retries).

use super::{
    duration,
    faults::{Override, overrides},
    matching::{Match, compiled},
    shortened,
};
use crate::{
    bootstrap::canonical,
    messages::envoy::config::route::v3::{
        self as wire,
        route::Action as WireAction,
        route_action::{ClusterSpecifier, hash_policy::PolicySpecifier},
    },
};
use polywire_call::Code;
use polywire_routing::Rewrite;
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// Regular expressions of a resource: each may take 256 KiB, and a table has no more.
const MOST_PATTERNS: usize = 1000;

/// The routes of a listener, by the domain that a call is addressed to.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Routes {
    pub hosts: Vec<Arc<VirtualHost>>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct VirtualHost {
    pub domains: Vec<String>,
    /// The first that matches counts.
    pub routes: Vec<Route>,
    pub overrides: BTreeMap<String, Override>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Route {
    pub matches: Match,
    pub action: Action,
    pub overrides: BTreeMap<String, Override>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Action {
    Forward(Forward),
    /// Calls of the route fail; the text names the unsupported feature.
    Unusable(&'static str),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Forward {
    pub to: To,
    /// `Some(ZERO)`: no limit. `None`: the listener's.
    pub timeout: Option<Duration>,
    pub retry: Option<Retry>,
    pub hashes: Vec<Hash>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum To {
    Cluster(String),
    /// Clusters with weights, each above 0, and at most `u32::MAX` together.
    Weighted(Vec<Weight>),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Weight {
    pub cluster: String,
    pub weight: u32,
    pub overrides: BTreeMap<String, Override>,
}

/// gRPC's `retryPolicy`, its pauses doubled each time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Retry {
    /// gRPC's codes; empty: calls are not retried.
    pub codes: Vec<Code>,
    /// The first one included, at least 2.
    pub attempts: u32,
    pub initial: Duration,
    pub most: Duration,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Hash {
    pub by: HashBy,
    pub terminal: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum HashBy {
    /// A header, lower case, and an optional rewrite of its value.
    Header(String, Option<Rewrite>),
    Channel,
}

impl Routes {
    pub fn check(wire: &wire::RouteConfiguration) -> Result<Routes, String> {
        let mut plugins = BTreeMap::new();
        for plugin in &wire.cluster_specifier_plugins {
            let name = plugin.extension.as_option().map_or("", |extension| &extension.name);
            if !plugin.is_optional {
                return Err(format!("the cluster specifier plugin {:?} is not supported", shortened(name)));
            }
            plugins.insert(name, ());
        }
        if patterns(wire) > MOST_PATTERNS {
            return Err(format!("there are more than {MOST_PATTERNS} regular expressions"));
        }
        let host = |wire: &wire::VirtualHost| {
            let checked = VirtualHost::check(wire, |plugin| plugins.contains_key(plugin));
            checked
                .map(Arc::new)
                .map_err(|why| format!("the virtual host {:?}: {why}", shortened(&wire.name)))
        };
        Ok(Routes { hosts: wire.virtual_hosts.iter().map(host).collect::<Result<_, _>>()? })
    }

    /// The virtual host of a domain: the one with the same name, else the longest `*suffix`, the longest
    /// `prefix*`, or `*`.
    pub fn host(&self, domain: &str) -> Option<&Arc<VirtualHost>> {
        let domain = domain.to_ascii_lowercase();
        let mut best: Option<((u8, usize), &Arc<VirtualHost>)> = None;
        for host in &self.hosts {
            for pattern in &host.domains {
                let rank = rank(&pattern.to_ascii_lowercase(), &domain);
                if let Some(rank) = rank.filter(|rank| best.is_none_or(|(other, _)| *rank > other)) {
                    best = Some((rank, host));
                }
            }
        }
        best.map(|(_, host)| host)
    }
}

/// The number of regular expressions, counted before they are compiled.
fn patterns(wire: &wire::RouteConfiguration) -> usize {
    use crate::messages::envoy::r#type::matcher::v3::string_matcher::MatchPattern;
    use wire::{header_matcher::HeaderMatchSpecifier, route_match::PathSpecifier};
    let of_header = |header: &&wire::HeaderMatcher| match &header.header_match_specifier {
        Some(HeaderMatchSpecifier::SafeRegexMatch(_)) => true,
        Some(HeaderMatchSpecifier::StringMatch(text)) => {
            matches!(text.match_pattern, Some(MatchPattern::SafeRegex(_)))
        }
        _ => false,
    };
    let of_match = |one: &wire::RouteMatch| {
        let path = usize::from(matches!(one.path_specifier, Some(PathSpecifier::SafeRegex(_))));
        path + one.headers.iter().filter(of_header).count()
    };
    let of_hash = |hash: &&wire::route_action::HashPolicy| matches!(&hash.policy_specifier, Some(PolicySpecifier::Header(header)) if header.regex_rewrite.is_set());
    let of_action = |action: &WireAction| match action {
        WireAction::Route(action) => action.hash_policy.iter().filter(of_hash).count(),
        _ => 0,
    };
    let of_route = |route: &wire::Route| {
        route.r#match.as_option().map_or(0, of_match) + route.action.as_ref().map_or(0, of_action)
    };
    wire.virtual_hosts.iter().flat_map(|host| &host.routes).map(of_route).sum()
}

/// How exactly a pattern matches; `None`: it does not match. A star stands for at least one character.
fn rank(pattern: &str, domain: &str) -> Option<(u8, usize)> {
    let (fits, kind) = if pattern == "*" {
        (true, 0)
    } else if let Some(suffix) = pattern.strip_prefix('*') {
        (domain.len() > suffix.len() && domain.ends_with(suffix), 2)
    } else if let Some(prefix) = pattern.strip_suffix('*') {
        (domain.len() > prefix.len() && domain.starts_with(prefix), 1)
    } else {
        (pattern == domain, 3)
    };
    fits.then_some((kind, pattern.len()))
}

impl VirtualHost {
    /// `plugin`: whether a plugin of this name was declared, and is left out.
    fn check(wire: &wire::VirtualHost, plugin: impl Fn(&str) -> bool) -> Result<VirtualHost, String> {
        for domain in &wire.domains {
            let inner = domain.get(1..domain.len().saturating_sub(1)).unwrap_or("");
            if domain.is_empty()
                || inner.contains('*')
                || (domain.len() > 1 && domain.starts_with('*') && domain.ends_with('*'))
            {
                return Err(format!(
                    "the domain {:?} is not a valid pattern: write a name with at most one *, at its beginning or end",
                    shortened(domain)
                ));
            }
        }
        let retry = wire.retry_policy.as_option().map(Retry::check).transpose()?;
        let mut routes = Vec::new();
        for (n, route) in wire.routes.iter().enumerate() {
            let checked = Route::check(route, retry.as_ref(), &plugin);
            routes.extend(checked.map_err(|why| format!("route {n} {:?}: {why}", shortened(&route.name)))?);
        }
        Ok(VirtualHost {
            domains: wire.domains.clone(),
            routes,
            overrides: overrides(&wire.typed_per_filter_config)?,
        })
    }
}

impl Route {
    /// `None`: the route is left out, so that the next one is tried.
    fn check(
        wire: &wire::Route,
        retry: Option<&Retry>,
        plugin: &impl Fn(&str) -> bool,
    ) -> Result<Option<Route>, String> {
        let matches = wire.r#match.as_option().ok_or("it has no match")?;
        let Some(matches) = Match::check(matches)? else { return Ok(None) };
        let action = match &wire.action {
            Some(WireAction::Route(action)) => match Forward::check(action, retry, plugin)? {
                Some(forward) => Action::Forward(forward),
                None => return Ok(None),
            },
            Some(WireAction::Redirect(_)) => Action::Unusable("redirect"),
            Some(WireAction::DirectResponse(_)) => Action::Unusable("direct_response"),
            Some(WireAction::FilterAction(_)) => Action::Unusable("filter_action"),
            Some(WireAction::NonForwardingAction(_)) => Action::Unusable("non_forwarding_action"),
            None => Action::Unusable("no action"),
        };
        Ok(Some(Route { matches, action, overrides: overrides(&wire.typed_per_filter_config)? }))
    }

    /// The clusters that the route may send calls to.
    pub fn clusters(&self) -> impl Iterator<Item = &str> {
        let (one, many): (Option<&str>, &[Weight]) = match &self.action {
            Action::Forward(Forward { to: To::Cluster(name), .. }) => (Some(name), &[]),
            Action::Forward(Forward { to: To::Weighted(weights), .. }) => (None, weights),
            Action::Unusable(_) => (None, &[]),
        };
        one.into_iter().chain(many.iter().map(|weight| weight.cluster.as_str()))
    }
}

impl Forward {
    fn check(
        wire: &wire::RouteAction,
        inherited: Option<&Retry>,
        plugin: &impl Fn(&str) -> bool,
    ) -> Result<Option<Forward>, String> {
        let to = match &wire.cluster_specifier {
            Some(ClusterSpecifier::Cluster(name)) if name.is_empty() => {
                return Err("cluster is empty".to_owned());
            }
            Some(ClusterSpecifier::Cluster(name)) => To::Cluster(canonical(name)),
            Some(ClusterSpecifier::WeightedClusters(weighted)) => To::Weighted(weights(weighted)?),
            Some(ClusterSpecifier::ClusterSpecifierPlugin(name)) if plugin(name) => return Ok(None),
            Some(ClusterSpecifier::ClusterSpecifierPlugin(name)) => {
                return Err(format!("the cluster specifier plugin {:?} is not declared", shortened(name)));
            }
            Some(ClusterSpecifier::ClusterHeader(_)) | None => return Ok(None),
        };
        let timeout = match wire.max_stream_duration.as_option() {
            None => None,
            Some(limits) => {
                let header = duration("grpc_timeout_header_max", limits.grpc_timeout_header_max.as_option())?;
                let stream = duration("max_stream_duration", limits.max_stream_duration.as_option())?;
                header.or(stream)
            }
        };
        let retry = match wire.retry_policy.as_option() {
            Some(policy) => Some(Retry::check(policy)?),
            None => inherited.cloned(),
        };
        let mut hashes = Vec::new();
        for policy in &wire.hash_policy {
            hashes.extend(Hash::check(policy)?);
        }
        Ok(Some(Forward { to, timeout, retry: retry.filter(|retry| !retry.codes.is_empty()), hashes }))
    }
}

fn weights(wire: &wire::WeightedCluster) -> Result<Vec<Weight>, String> {
    let mut weights = Vec::new();
    let mut sum = 0u64;
    for one in &wire.clusters {
        let weight = one.weight.as_option().map_or(0, |weight| weight.value);
        let overrides = overrides(&one.typed_per_filter_config)?;
        if weight == 0 {
            continue;
        }
        if one.name.is_empty() {
            return Err("a weighted cluster has no name".to_owned());
        }
        sum += u64::from(weight);
        weights.push(Weight { cluster: canonical(&one.name), weight, overrides });
    }
    match sum {
        0 => Err("weighted_clusters has no cluster with a weight above 0".to_owned()),
        1..=0xffff_ffff => Ok(weights),
        _ => Err(format!("the weights of weighted_clusters come to {sum}, above 4294967295")),
    }
}

impl Retry {
    fn check(wire: &wire::RetryPolicy) -> Result<Retry, String> {
        let code = |word: &str| {
            let word = word.trim().to_ascii_lowercase();
            match word.as_str() {
                "cancelled" => Some(Code::Cancelled),
                "deadline-exceeded" => Some(Code::DeadlineExceeded),
                "resource-exhausted" => Some(Code::ResourceExhausted),
                "internal" => Some(Code::Internal),
                "unavailable" => Some(Code::Unavailable),
                _ => None,
            }
        };
        let mut codes: Vec<Code> = wire.retry_on.split(',').filter_map(code).collect();
        codes.sort_unstable_by_key(|code| *code as u32);
        codes.dedup();
        let retries = wire.num_retries.as_option().map_or(1, |retries| retries.value);
        if retries == 0 {
            return Err("retry_policy.num_retries is 0".to_owned());
        }
        let (mut initial, mut most) = (Duration::from_millis(25), Duration::from_millis(250));
        if let Some(pauses) = wire.retry_back_off.as_option() {
            initial = duration("retry_back_off.base_interval", pauses.base_interval.as_option())?
                .filter(|base| !base.is_zero())
                .ok_or("retry_back_off.base_interval is not above 0")?;
            most = match duration("retry_back_off.max_interval", pauses.max_interval.as_option())? {
                None => initial.saturating_mul(10),
                Some(most) if most.is_zero() => {
                    return Err("retry_back_off.max_interval is not above 0".to_owned());
                }
                Some(most) if most < initial => {
                    return Err("retry_back_off.max_interval is below base_interval".to_owned());
                }
                Some(most) => most,
            };
        }
        let millisecond = Duration::from_millis(1);
        let attempts = retries.saturating_add(1).min(5);
        Ok(Retry { codes, attempts, initial: initial.max(millisecond), most: most.max(millisecond) })
    }
}

impl Hash {
    /// `None`: a policy that only other clients support.
    fn check(wire: &wire::route_action::HashPolicy) -> Result<Option<Hash>, String> {
        let by = match &wire.policy_specifier {
            Some(PolicySpecifier::Header(header)) => {
                let name = header.header_name.to_ascii_lowercase();
                if name.is_empty() {
                    return Err("a hash policy has no header_name".to_owned());
                }
                let rewrite = header.regex_rewrite.as_option().map(|rewrite| {
                    let regex = rewrite.pattern.as_option().map_or("", |pattern| &pattern.regex);
                    let made = Rewrite::new(compiled(regex)?, &rewrite.substitution);
                    made.map_err(|error| shortened(&error.to_string()))
                });
                let rewrite = rewrite.transpose()?;
                if name.ends_with("-bin") {
                    return Ok(None);
                }
                HashBy::Header(name, rewrite)
            }
            Some(PolicySpecifier::FilterState(state)) if state.key == "io.grpc.channel_id" => HashBy::Channel,
            _ => return Ok(None),
        };
        Ok(Some(Hash { by, terminal: wire.terminal }))
    }
}
