//! Chooses the route of a call.

use super::{Newest, Routed, cluster::Cluster};
use crate::{
    connection::backoff::Patience,
    servers::{
        attempt::{
            decision::{Decision, Delayed, RouteChoice},
            post_error::PostError,
            search::Search,
        },
        pick::query,
    },
    service_config::{Backoff, Codes, Method, Retry},
};
use polywire_call::{Code, Metadata, Status};
use polywire_exchange::Request;
use polywire_routing::{Fault, Found, Head, RetryPolicy};
use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

/// The longest path that is kept between calls, in bytes.
const KEPT: usize = 1024;

thread_local! {
    /// A buffer for the path of a call.
    static PATH: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Chooses the route of a call, as [`PostError::decision`]; or returns why the call has no target.
pub(super) fn way(
    routed: &Routed,
    newest: &Newest,
    request: &Request,
    patience: Patience,
    search: &mut Search,
) -> PostError {
    let nowhere =
        |why: &dyn std::fmt::Display| Status::unavailable(format!("{}: {why}", routed.name())).unprocessed();
    let Some(table) = &newest.table else {
        let waits = patience == Patience::Pause || newest.error.is_none();
        return PostError { waits, ..PostError::failed(nowhere(&newest.why_none())) };
    };
    let way = PATH.with_borrow_mut(|path| {
        path.clear();
        path.shrink_to(KEPT);
        path.push('/');
        if !request.service.is_empty() {
            path.push_str(&request.service);
            path.push('/');
        }
        path.push_str(&request.method);
        let head = Head { path, metadata: &request.metadata };
        query::random(|random| {
            let found = table.find(&head, random).map_err(|why| nowhere(&why))?;
            // A checked table names clusters only that it has.
            let cluster =
                newest.clusters.get(&*found.target.cluster).ok_or_else(|| nowhere(&"no cluster"))?;
            let made = || polywire_routing::key(&found.route.hashes, &head, routed.number);
            search.key = search.key.or_else(made);
            if cluster.needs_key() {
                search.key.get_or_insert_with(|| random.u64(..));
            }
            Ok(go(routed, newest, found, cluster, request, random, search))
        })
    });
    match way {
        Ok(way) => PostError::chosen(way),
        Err(status) => PostError::refused(status),
    }
}

fn go(
    routed: &Routed,
    newest: &Newest,
    found: Found<'_>,
    cluster: &Arc<Cluster>,
    request: &Request,
    random: &mut fastrand::Rng,
    search: &mut Search,
) -> Decision {
    let faults = found.target.faults.as_ref().unwrap_or(&found.route.faults);
    let (delay, abort) = inject(faults, &request.metadata, &routed.delayed, random);
    let delayed = delay.map(|_| Delayed::new(&routed.delayed));
    let (name, route_name) = (cluster.name.clone(), found.name.clone());
    let chosen = RouteChoice { name, cluster: cluster.clone(), route: route_name, abort, delayed };
    search.chosen = Some(Box::new(chosen));
    let retry = newest.retries.get(found.number).cloned().flatten();
    Decision { max_duration: found.route.max_duration, retry, delay }
}

/// The delays of all faults together, up to the first that makes the call fail.
fn inject(
    faults: &[Fault],
    metadata: &Metadata,
    active: &AtomicU32,
    random: &mut fastrand::Rng,
) -> (Option<Duration>, Option<Code>) {
    let mut delay: Option<Duration> = None;
    for fault in faults {
        let injected = fault.inject(metadata, active.load(Relaxed), random);
        if let Some(more) = injected.delay {
            delay = Some(delay.unwrap_or_default().saturating_add(more));
        }
        if injected.abort.is_some() {
            return (delay, injected.abort);
        }
    }
    (delay, None)
}

/// A route's retry policy, in the form in which calls use it.
pub(super) fn method(policy: &RetryPolicy) -> Arc<Method> {
    /// The maximum number of attempts, the same as in a service config.
    const MOST_ATTEMPTS: u32 = 5;
    let mut codes = Codes::default();
    policy.codes.iter().for_each(|code| codes.insert(*code));
    let backoff =
        Backoff { initial: policy.first_pause, most: policy.longest_pause, multiplier: policy.multiplier };
    let retry = Retry { attempts: policy.attempts.min(MOST_ATTEMPTS), backoff, codes };
    Arc::new(Method { retry: Some(retry), ..Method::default() })
}
