//! Queries DNS with the crate hickory-resolver.

use super::records::{Answer, Asked, Failure, Resolver, Service};
use hickory_resolver::{
    TokioResolver,
    config::{ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts},
    net::{DnsError, NetError, runtime::TokioRuntimeProvider},
    proto::{
        op::ResponseCode,
        rr::{RData, Record, RecordType},
    },
};
use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

/// The time limit for an answer of a DNS server, and the number of attempts, where the system's own settings
/// do not apply.
const TIMEOUT: Duration = Duration::from_secs(2);

/// A resolver that uses these DNS servers, or those of the system: `/etc/resolv.conf` with its options and
/// search list, and `/etc/hosts`.
///
/// # Errors
/// The system's settings cannot be read.
pub(super) fn resolver(servers: &[SocketAddr]) -> Result<Arc<dyn Resolver>, Failure> {
    with_timeout(servers, TIMEOUT)
}

pub(super) fn with_timeout(servers: &[SocketAddr], timeout: Duration) -> Result<Arc<dyn Resolver>, Failure> {
    let mut builder = if servers.is_empty() {
        TokioResolver::builder_tokio().map_err(failure)?
    } else {
        let config = ResolverConfig::from_name_servers(servers.iter().map(name_server).collect());
        let mut options = ResolverOpts::default();
        (options.timeout, options.use_hosts_file) = (timeout, ResolveHosts::Never);
        TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()).with_options(options)
    };
    builder.options_mut().cache_size = 0; // the source decides when it asks
    Ok(Arc::new(Hickory(builder.build().map_err(failure)?)))
}

fn name_server(address: &SocketAddr) -> NameServerConfig {
    let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()].map(|mut connection| {
        connection.port = address.port();
        connection
    });
    NameServerConfig::new(address.ip(), true, connections.into())
}

struct Hickory(TokioResolver);

impl Hickory {
    fn ask<T: 'static>(
        &self,
        name: &str,
        kind: RecordType,
        take: fn(&Record, &[Record]) -> Option<T>,
    ) -> Asked<T> {
        let (resolver, name) = (self.0.clone(), name.to_owned());
        Box::pin(async move {
            let lookup = resolver.lookup(name, kind).await.map_err(failure)?;
            let records: Vec<T> =
                lookup.answers().iter().filter_map(|record| take(record, lookup.additionals())).collect();
            // A chain of names (CNAME) lives as long as its shortest part.
            let ttl = lookup.answers().iter().map(|record| record.ttl).min().unwrap_or(0);
            match records.is_empty() {
                true => Err(Failure::NoRecords),
                false => Ok(Answer { records, ttl: Duration::from_secs(ttl.into()) }),
            }
        })
    }
}

impl Resolver for Hickory {
    fn v4(&self, name: &str) -> Asked<IpAddr> {
        self.ask(name, RecordType::A, |record, _| match &record.data {
            RData::A(a) => Some(IpAddr::V4(a.0)),
            _ => None,
        })
    }

    fn v6(&self, name: &str) -> Asked<IpAddr> {
        self.ask(name, RecordType::AAAA, |record, _| match &record.data {
            RData::AAAA(a) => Some(IpAddr::V6(a.0)),
            _ => None,
        })
    }

    fn services(&self, name: &str) -> Asked<Service> {
        self.ask(name, RecordType::SRV, |record, besides| {
            let RData::SRV(srv) = &record.data else { return None };
            let of_target = besides.iter().filter(|record| record.name == srv.target);
            let addresses = of_target.filter_map(|record| match &record.data {
                RData::A(a) => Some(IpAddr::V4(a.0)),
                RData::AAAA(a) => Some(IpAddr::V6(a.0)),
                _ => None,
            });
            Some(Service {
                priority: srv.priority,
                weight: srv.weight,
                port: srv.port,
                target: srv.target.to_ascii(),
                addresses: addresses.collect(),
            })
        })
    }
}

fn failure(error: NetError) -> Failure {
    match error {
        NetError::Timeout => Failure::Timeout,
        NetError::Dns(DnsError::NoRecordsFound(none)) => match none.response_code {
            ResponseCode::NXDomain => Failure::NoSuchName,
            ResponseCode::NoError => Failure::NoRecords,
            code => Failure::Refused(code.to_string()),
        },
        NetError::Dns(DnsError::ResponseCode(code)) => Failure::Refused(code.to_string()),
        other => Failure::Other(other.to_string()),
    }
}

#[cfg(test)]
mod tests;
