//! Turns DNS records into servers.

use super::{
    records::{Answer, Failure, Resolver, Service},
    target::{Family, Records, Target},
};
use crate::{Server, SourceError, Updates};
use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};
use tokio::task::JoinSet;

/// The greatest number of targets of SRV records that are looked up, in all and at the same time. An answer
/// of 64 KiB has some 1500 records.
const MAX_TARGETS: usize = 1000;
const AT_ONCE: usize = 16;

/// The addresses of each target of SRV records at the previous look-up.
pub(super) type Last = HashMap<String, Vec<IpAddr>>;

/// Queries DNS for a target. `last` is kept from look-up to look-up.
///
/// # Errors
/// The failure, with the name that was looked up.
pub(super) async fn look(
    resolver: &Arc<dyn Resolver>,
    target: &Target,
    last: &mut Last,
    updates: &Updates,
) -> Result<Answer<Server>, SourceError> {
    match &target.records {
        Records::Literal(address) => {
            Ok(Answer { records: vec![Server::new(address.to_string())], ttl: Duration::MAX })
        }
        Records::Host { name, port } => {
            let found = addresses(&**resolver, name, target.family).await.map_err(|why| error(name, &why))?;
            let records = found.records.iter().map(|ip| Server::new(SocketAddr::new(*ip, *port).to_string()));
            Ok(Answer { records: records.collect(), ttl: found.ttl })
        }
        Records::Service { name } => services(resolver, name, target.family, last, updates).await,
    }
}

fn error(name: &str, why: &Failure) -> SourceError {
    SourceError::new(format!("{name}: {why}"))
}

/// Takes the result of resolving a name: its addresses, or an error.
async fn addresses(resolver: &dyn Resolver, name: &str, family: Family) -> Result<Answer<IpAddr>, Failure> {
    match family {
        Family::V4 => return resolver.v4(name).await,
        Family::V6 => return resolver.v6(name).await,
        Family::Either | Family::Both => {}
    }
    // If one address family cannot be looked up, that is an error, even if the other one was: otherwise the
    // set would change its family for a while.
    match tokio::join!(resolver.v4(name), resolver.v6(name)) {
        (Ok(v4), Ok(v6)) if family == Family::Both => {
            let ttl = v4.ttl.min(v6.ttl);
            Ok(Answer { records: [v4.records, v6.records].concat(), ttl })
        }
        (Ok(v4), v6) if family == Family::Either || v6.as_ref().is_err_and(Failure::is_certain) => Ok(v4),
        (Err(why), Ok(v6)) if why.is_certain() => Ok(v6),
        (Err(why), Err(other)) if why.is_certain() => Err(other),
        (Err(why), _) | (Ok(_), Err(why)) => Err(why),
        (Ok(v4), Ok(_)) => Ok(v4), // Either, above
    }
}

/// The servers of SRV records: of those with the lowest priority, since RFC 2782 wants the others only when
/// these cannot be reached, and a set has no order of preference.
async fn services(
    resolver: &Arc<dyn Resolver>,
    name: &str,
    family: Family,
    last: &mut Last,
    updates: &Updates,
) -> Result<Answer<Server>, SourceError> {
    let mut found = resolver.services(name).await.map_err(|why| error(name, &why))?;
    let lowest = found.records.iter().map(|service| service.priority).min();
    found.records.retain(|service| Some(service.priority) == lowest);
    // "A Target of "." means that the service is decidedly not available at this domain."
    found.records.retain(|service| service.target != ".");
    found.records.sort_by(|a, b| (&a.target, a.port).cmp(&(&b.target, b.port)));
    if found.records.len() > MAX_TARGETS {
        updates.warn(format_args!("{} SRV records: the first {MAX_TARGETS} are used", found.records.len()));
        found.records.truncate(MAX_TARGETS);
    }
    let mut ttl = found.ttl;
    let (mut now, mut failed) = targets(resolver, &found.records, family, &mut ttl).await;
    for (target, why) in &failed {
        // A target whose query failed keeps its addresses; a target that does not exist loses them.
        if let (false, Some(addresses)) = (why.is_certain(), last.remove(target)) {
            now.insert(target.clone(), addresses);
        }
    }
    failed.sort_by(|a, b| a.0.cmp(&b.0));
    let first = failed.first().map(|(target, why)| error(target, why));
    match first {
        Some(first) if now.is_empty() => return Err(first),
        Some(first) => updates.warn(format_args!("{} targets of SRV records: {first}", failed.len())),
        None => {}
    }
    // Only the proportions of weights matter; the weight 0 is "a very small chance of being selected".
    let weighted = found.records.iter().any(|service| service.weight > 0);
    let mut servers = Vec::new();
    for service in &found.records {
        for ip in now.get(&service.target).into_iter().flatten() {
            let server = Server::new(SocketAddr::new(*ip, service.port).to_string());
            let server = server.metadata("host", service.target.trim_end_matches('.'));
            servers.push(if weighted { server.weight(service.weight.max(1).into()) } else { server });
        }
    }
    *last = now;
    Ok(Answer { records: servers, ttl })
}

/// The addresses of all targets, each asked for once, and those that have none. `ttl` becomes the shortest.
async fn targets(
    resolver: &Arc<dyn Resolver>,
    services: &[Service],
    family: Family,
    ttl: &mut Duration,
) -> (Last, Vec<(String, Failure)>) {
    let (mut found, mut failed) = (Last::new(), Vec::new());
    let mut open: Vec<String> = Vec::new();
    for service in services {
        match came_along(&service.addresses, family) {
            Some(addresses) => drop(found.insert(service.target.clone(), addresses)),
            None => open.push(service.target.clone()),
        }
    }
    open.dedup(); // the records are in the order of their targets
    let mut asked = JoinSet::new();
    loop {
        while asked.len() < AT_ONCE
            && let Some(target) = open.pop()
        {
            let resolver = resolver.clone();
            asked.spawn(async move {
                let found = addresses(&*resolver, &target, family).await;
                (target, found)
            });
        }
        match asked.join_next().await {
            None => return (found, failed),
            Some(Ok((target, Ok(answer)))) => {
                *ttl = (*ttl).min(answer.ttl);
                found.insert(target, answer.records);
            }
            Some(Ok((target, Err(why)))) => failed.push((target, why)),
            Some(Err(_)) => {} // it was not cancelled, and does not panic
        }
    }
}

/// The addresses that were in the same answer as an SRV record, if they suffice.
fn came_along(addresses: &[IpAddr], family: Family) -> Option<Vec<IpAddr>> {
    let of = |v4: bool| addresses.iter().copied().filter(|ip| ip.is_ipv4() == v4).collect::<Vec<_>>();
    let chosen = match family {
        Family::Either | Family::V4 => of(true),
        Family::V6 => of(false),
        Family::Both => Vec::new(), // one family may have been left out for lack of room
    };
    (!chosen.is_empty()).then_some(chosen)
}
