//! The parsed url of a DNS source.

use crate::address::{check_host, check_port};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The parsed url of a DNS source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// The DNS servers to ask; if empty, those of the system.
    pub servers: Vec<SocketAddr>,
    pub records: Records,
    pub family: Family,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Records {
    /// An address, which needs no query.
    Literal(SocketAddr),
    /// A host, found by A and AAAA records.
    Host { name: String, port: u16 },
    /// A service, found by SRV records.
    Service { name: String },
}

/// The address families that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// IPv4, and IPv6 where there is no IPv4: a host that has both is one server, not two.
    Either,
    V4,
    V6,
    Both,
}

const DNS_PORT: u16 = 53;
const MAX_SERVERS: usize = 8;

impl Target {
    /// `rest`: the text after `dns://`.
    ///
    /// # Errors
    /// The error, as the end of a sentence.
    pub fn parse(rest: &str) -> Result<Self, String> {
        let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
        let family = match query {
            None => Family::Either,
            Some("family=4") => Family::V4,
            Some("family=6") => Family::V6,
            Some("family=both") => Family::Both,
            Some(other) => {
                return Err(format!("has {other:?} after its question mark: write family=4, 6 or both"));
            }
        };
        let (authority, name) =
            rest.split_once('/').map_or(("", rest), |(authority, name)| (authority, name));
        let servers = authority.split(',').filter(|server| !server.is_empty()).map(dns_server);
        let servers: Vec<_> = servers.collect::<Result<_, _>>()?;
        if servers.len() > MAX_SERVERS {
            return Err("has more than 8 DNS servers".to_owned());
        }
        Ok(Target { servers, records: Records::parse(name)?, family })
    }
}

impl Records {
    fn parse(name: &str) -> Result<Self, String> {
        if let Ok(address) = name.parse::<SocketAddr>() {
            check_port(&address.port().to_string())?;
            return Ok(Records::Literal(address));
        }
        if name.starts_with('_') {
            if name.contains(':') {
                return Err("has a port, which SRV records bring".to_owned());
            }
            check_host(name)?;
            if name.split('.').filter(|label| !label.is_empty()).count() < 3 {
                return Err("has no _service._proto.name".to_owned());
            }
            return Ok(Records::Service { name: name.to_owned() });
        }
        let Some((host, port)) = name.rsplit_once(':') else {
            return Err("has no port: write dns://host:port, or dns://_service._proto.name for SRV records"
                .to_owned());
        };
        check_host(host)?;
        Ok(Records::Host { name: host.to_owned(), port: check_port(port)? })
    }
}

fn dns_server(text: &str) -> Result<SocketAddr, String> {
    let v6 = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let alone = match v6 {
        Some(v6) => v6.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
        None => text.parse().ok(),
    };
    let address = alone.map(|ip| SocketAddr::new(ip, DNS_PORT)).or_else(|| text.parse().ok());
    address
        .filter(|address| address.port() != 0)
        .ok_or_else(|| format!("has {text:?} where DNS servers are named by their addresses"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_read_as_grpc_writes_them() {
        let host = |name: &str, port| Records::Host { name: name.into(), port };
        for (rest, servers, records) in [
            ("echo.prod:8000", vec![], host("echo.prod", 8000)),
            ("/echo:80", vec![], host("echo", 80)),
            ("127.0.0.1:5301/echo.prod.:8000", vec!["127.0.0.1:5301"], host("echo.prod.", 8000)),
            ("10.0.0.1,[::1],[::2]:54/echo:1", vec!["10.0.0.1:53", "[::1]:53", "[::2]:54"], host("echo", 1)),
            ("_grpc._tcp.echo.prod", vec![], Records::Service { name: "_grpc._tcp.echo.prod".into() }),
            ("10.0.0.1:80", vec![], Records::Literal("10.0.0.1:80".parse().unwrap())),
            ("[::1]:80", vec![], Records::Literal("[::1]:80".parse().unwrap())),
        ] {
            let servers: Vec<_> = servers.iter().map(|server| server.parse().unwrap()).collect();
            assert_eq!(
                Target::parse(rest),
                Ok(Target { servers, records, family: Family::Either }),
                "{rest}"
            );
        }
        for (query, family) in [("4", Family::V4), ("6", Family::V6), ("both", Family::Both)] {
            assert_eq!(Target::parse(&format!("a:1?family={query}")).unwrap().family, family);
        }
    }

    #[test]
    fn what_is_wrong_with_a_url_is_said() {
        for (rest, wrong) in [
            ("", "no port"),
            ("echo", "no port: write dns://host:port"),
            ("echo:0", "port 0"),
            ("10.0.0.1:0", "port 0"),
            (":80", "no host"),
            ("echo:80/", "where DNS servers are named"),
            ("ns.prod/echo:80", "\"ns.prod\" where DNS servers are named by their addresses"),
            ("10.0.0.1:0/echo:80", "where DNS servers are named"),
            ("1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1/a:1", "more than 8"),
            ("_grpc._tcp.echo:80", "which SRV records bring"),
            ("_grpc._tcp", "no _service._proto.name"),
            ("_grpc..tcp.echo", "not a valid DNS name"),
            ("echo:80?family=5", "family=4, 6 or both"),
            ("a b:80", "not a valid DNS name"),
        ] {
            let said = Target::parse(rest).expect_err(rest);
            assert!(said.contains(wrong), "{rest:?}: {said}");
        }
    }
}
