//! The source `host:port` with all addresses of the host, the meaning of `http://host` in brpc.
//!
//! The system's own resolver is used (`getaddrinfo`, on a thread for blocking work). It uses `/etc/hosts` and
//! other settings of the system, and reports no time to live, so it is called every few seconds. Sources with
//! `dns://` have more information (`sources/dns`).

use crate::{Server, Source, SourceError, Updates, Watching, address};
use polywire_call::ConfigError;
use std::{future::Future, net::SocketAddr, pin::Pin, time::Duration};

/// The time between two look-ups: brpc's.
const INTERVAL: Duration = Duration::from_secs(5);

/// Looks up `host:port`. Tests have another one than the system's.
pub(super) type LookUp = fn(String) -> Pin<Box<dyn Future<Output = std::io::Result<Vec<SocketAddr>>> + Send>>;

struct Host {
    name: String,
    address: String,
    look_up: LookUp,
}

/// All addresses of a host, looked up by the system every 5 s, 20 % more or less. It belongs to no scheme.
///
/// `rest`: `host`, `host:port` or `[v6]:port`, and a path that is ignored. `url`: its name in messages.
///
/// Only addresses of one family are used, that of the first: a host with addresses of both families is one
/// server, not two.
///
/// # Errors
/// The text is not valid for this source.
pub fn open(url: &str, rest: &str, default_port: u16) -> Result<Box<dyn Source>, ConfigError> {
    let rest = rest.split('/').next().unwrap_or_default();
    let has_port = rest.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
    let address = if has_port { rest.to_owned() } else { format!("{rest}:{default_port}") };
    let wrong = |why| ConfigError::new("address", format!("{url:?}: {address:?} {why}")).with_value(url);
    match address::check(&address) {
        Err(why) => Err(wrong(why)),
        Ok(()) if address.starts_with("unix:") => Err(wrong("has no host")),
        Ok(()) => Ok(Box::new(Host { name: url.to_owned(), address, look_up: system })),
    }
}

/// Looks up a name by the system.
pub(super) fn system(
    address: String,
) -> Pin<Box<dyn Future<Output = std::io::Result<Vec<SocketAddr>>> + Send>> {
    Box::pin(async move { Ok(tokio::net::lookup_host(address).await?.collect()) })
}

/// The addresses of the family of the first one.
pub(super) fn one_family(mut found: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let is_v4 = found.first().is_some_and(SocketAddr::is_ipv4);
    found.retain(|at| at.is_ipv4() == is_v4);
    found
}

impl Source for Host {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            loop {
                let found = (self.look_up)(self.address.clone()).await;
                let found = one_family(found.map_err(|error| cannot_look_up(&self.address, &error))?);
                updates.set(found.iter().map(|at| Server::new(at.to_string())).collect());
                updates.wanted_or(INTERVAL).await;
            }
        })
    }
}

pub(super) fn cannot_look_up(address: &str, error: &std::io::Error) -> SourceError {
    SourceError::new(format!("cannot look up {address}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch;
    use std::io;

    #[tokio::test(start_paused = true)]
    async fn a_host_stands_for_its_addresses_of_one_family() {
        let look_up: LookUp = |_| {
            Box::pin(async {
                Ok(["10.0.0.2:80", "[::1]:80", "10.0.0.1:80"].map(|at| at.parse().unwrap()).to_vec())
            })
        };
        let (mut watched, work) =
            watch(Box::new(Host { name: "test".into(), address: "a:80".into(), look_up }));
        tokio::spawn(work);
        let set = watched.first(Duration::from_secs(1)).await.unwrap();
        let found: Vec<_> = set.iter().map(|server| &*server.address).collect();
        assert_eq!(found, ["10.0.0.1:80", "10.0.0.2:80"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_cannot_be_looked_up_is_named() {
        let look_up: LookUp = |_| Box::pin(async { Err(io::Error::other("no such name")) });
        let (mut watched, work) =
            watch(Box::new(Host { name: "http://a".into(), address: "a:80".into(), look_up }));
        tokio::spawn(work);
        let said = watched.first(Duration::from_secs(1)).await.unwrap_err().to_string();
        assert_eq!(said, "http://a: no servers within 1s: cannot look up a:80: no such name");
    }

    #[tokio::test]
    async fn the_system_knows_addresses_without_looking_them_up() {
        let (mut watched, work) = watch(open("http://127.0.0.1", "127.0.0.1", 80).unwrap());
        tokio::spawn(work);
        assert_eq!(&watched.first(Duration::from_secs(10)).await.unwrap()[0].address, "127.0.0.1:80");
    }

    #[test]
    fn ports_have_a_default_paths_are_ignored_and_the_rest_is_refused() {
        for (rest, name) in [
            ("a", "x://a"),
            ("a:8000/path?query", "x://a:8000/path?query"),
            ("[::1]", "x://[::1]"),
            ("[::1]:80", "x://[::1]:80"),
        ] {
            assert_eq!(open(&format!("x://{rest}"), rest, 443).unwrap().name(), name);
        }
        for rest in ["", "/path", ":80", "a:", "a:b", "user@a", "unix:a", "::1"] {
            assert!(open("x://", rest, 443).is_err(), "{rest}");
        }
    }
}
