//! Addresses where the gateway takes calls, and what is spoken there.

use super::document::{Document, Place, Placed, Table};
use crate::failure::Failure;
use polywire::{Engine, Server, ServerTls, gateway::Relay};
use std::{net::IpAddr, path::PathBuf};

/// The protocols of callers whose calls a relay passes on.
pub const PROTOCOLS: [&str; 4] = ["baidu_std", "grpc", "grpc-web", "connect"];

#[derive(Clone)]
pub struct Listener {
    pub name: String,
    pub place: Place,
    pub settings: Settings,
}

#[derive(Clone, PartialEq)]
pub struct Settings {
    pub listen: Vec<String>,
    pub protocols: Vec<String>,
    tls: Option<Tls>,
}

#[derive(Clone, PartialEq)]
struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    client_ca: Option<PathBuf>,
}

impl Settings {
    /// Without TLS.
    pub fn plain(listen: Vec<String>, protocols: Vec<String>) -> Settings {
        Settings { listen, protocols, tls: None }
    }

    /// A server that answers there.
    pub fn server(&self, engine: &Engine, relay: &Relay) -> Server {
        self.listen.iter().fold(self.server_anywhere(engine, relay), Server::listen)
    }

    /// The same without its addresses. It has no pages and no services of its own: callers get health and
    /// reflection of the servers behind, if a route leads there.
    fn server_anywhere(&self, engine: &Engine, relay: &Relay) -> Server {
        let protocols = self.protocols.iter().map(String::as_str);
        let server = Server::new().engine(engine).pages(None).protocols(protocols).catch_all(relay.clone());
        let Some(Tls { certificate, key, client_ca }) = &self.tls else { return server };
        let tls = ServerTls::files(certificate, key);
        server.tls(match client_ca {
            Some(issuers) => tls.client_ca_file(issuers),
            None => tls,
        })
    }
}

impl Listener {
    /// Reads a listener. Its protocols and certificates are looked at by [`Listener::check`].
    /// `taken`: the addresses of all listeners before, and where they are.
    pub fn read(
        name: &str,
        table: &Table<'_>,
        document: &Document<'_>,
        taken: &mut Vec<Placed<String>>,
    ) -> Listener {
        let listen = table.texts("listen").unwrap_or_default();
        let protocols = table.texts("protocols");
        let open = table.flag("open");
        let tls = table.table("tls").and_then(|tls| Tls::read(&tls));
        table.finish();
        if listen.is_empty() && table.is_well() {
            table.missing("listen", "an address such as \"127.0.0.1:8080\", or a list of them");
        }
        for address in listen.iter().filter(|address| !is_address(&address.value)) {
            let text = format!("{:?} is no address: write host:port, [v6]:port or unix:path", address.value);
            table.wrong(address.at, "listen", text);
        }
        for address in &listen {
            if let Some(before) = taken.iter().find(|before| before.value == address.value) {
                let line = document.place(before.at).line;
                table.wrong(
                    address.at,
                    "listen",
                    format_args!("{:?} is taken by line {line}", address.value),
                );
            } else if !address.value.ends_with(":0") {
                taken.push(address.clone());
            }
        }
        let knows_callers = tls.as_ref().is_some_and(|tls| tls.client_ca.is_some());
        for address in listen.iter().filter(|address| !open && !knows_callers && !is_local(&address.value)) {
            let text = format!(
                "{:?} can be reached from other machines: `tls.client_ca` lets in those with a certificate, `open = true` everybody",
                address.value
            );
            table.wrong(address.at, "listen", text);
        }
        if protocols.as_ref().is_some_and(Vec::is_empty) && table.is_well() {
            table.wrong(table.at_key("protocols"), "protocols", "an empty list answers nobody");
        }
        let texts = |list: Vec<Placed<String>>| list.into_iter().map(|text| text.value).collect();
        let protocols = protocols.map_or_else(|| PROTOCOLS.map(str::to_owned).to_vec(), texts);
        let settings = Settings { listen: texts(listen), protocols, tls };
        Listener { name: name.to_owned(), place: document.place(table.at()), settings }
    }

    /// Checks what only a server can: names of protocols, files of certificates.
    pub fn check(&self, engine: &Engine, relay: &Relay) -> Result<(), String> {
        let started = self.settings.server_anywhere(engine, relay).start_without_listener();
        started.map(drop).map_err(|wrong| self.wrong(Failure::from(wrong)))
    }

    /// A failure of this listener, with its place.
    pub fn wrong(&self, failure: impl std::fmt::Display) -> String {
        format!("{}: listeners.{}: {failure}", self.place, self.name)
    }
}

impl Tls {
    fn read(table: &Table<'_>) -> Option<Tls> {
        let path = |key| table.text(key).map(|path| PathBuf::from(path.value));
        let (certificate, key, client_ca) = (path("cert"), path("key"), path("client_ca"));
        table.finish();
        for (name, value) in [("cert", &certificate), ("key", &key)] {
            if value.is_none() && !table.has(name) {
                table.missing(name, "the path of a PEM file");
            }
        }
        Some(Tls { certificate: certificate?, key: key?, client_ca })
    }
}

/// Whether a text has the form of an address to listen on.
fn is_address(text: &str) -> bool {
    match text.strip_prefix("unix:") {
        Some(path) => !path.is_empty(),
        None => {
            text.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
        }
    }
}

/// Whether only this machine reaches an address.
pub fn is_local(address: &str) -> bool {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let host = host.trim_start_matches('[').trim_end_matches(']');
    address.starts_with("unix:")
        || host == "localhost"
        || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_a_port_or_a_path() {
        for address in ["localhost:80", "[::1]:0", "unix:x"] {
            assert!(is_address(address), "{address}");
        }
        for text in ["", "localhost", ":80", "a:", "a:65536", "a:http", "unix:"] {
            assert!(!is_address(text), "{text}");
        }
    }

    #[test]
    fn addresses_of_this_machine_are_told_from_others() {
        for address in ["127.0.0.1:80", "127.9.9.9:80", "[::1]:80", "localhost:80", "unix:/run/x.sock"] {
            assert!(is_local(address), "{address}");
        }
        for address in
            ["0.0.0.0:80", "[::]:80", "10.0.0.1:80", "localhost.example:80", "127.0.0.1.example:80", ":80"]
        {
            assert!(!is_local(address), "{address}");
        }
    }
}
