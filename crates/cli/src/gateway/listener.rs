//! Addresses where the gateway takes calls, and what is spoken there.

use super::{
    bounds::Bounded,
    callers::Callers,
    document::{Document, Place, Placed, Table},
    policy, rate,
    record::Record,
};
use crate::failure;
use polywire::{
    Bounds, Engine, Group, Networks, Origins, Server, ServerTls,
    gateway::{Relay, are_plain_names},
    overload::Rates,
    websocket,
};
use polywire_base::nearest;
use polywire_wire::{Addressing, CONNECT, Content, GRPC, Protocol};
use std::{net::IpAddr, path::PathBuf};

/// The protocols whose callers send messages that a relay knows to a method that they name, by its name or
/// its number, or that a listener names for them: a relay passes on their calls.
pub const CALLERS: [&str; 15] = [
    "baidu_std",
    "sofa_pbrpc",
    "hulu_pbrpc",
    "public_pbrpc",
    "nova_pbrpc",
    "grpc",
    "grpc-web",
    "connect",
    WEBSOCKET,
    "ubrpc_mcpack2",
    "ubrpc_compack",
    "nshead_mcpack",
    "thrift",
    "rest_rpc",
    ZMTP,
];
/// ZeroMQ, whose requests are calls by a convention of polywire.
pub const ZMTP: &str = "zmtp";
/// What lets pages call over WebSocket: HTTP, and a setting of the server.
pub const WEBSOCKET: &str = "websocket";
/// Those without a place for a token.
const WITHOUT_TOKENS: [&str; 9] = [
    "sofa_pbrpc",
    "public_pbrpc",
    "nova_pbrpc",
    "ubrpc_mcpack2",
    "ubrpc_compack",
    "nshead_mcpack",
    "thrift",
    "rest_rpc",
    ZMTP,
];
/// The default of `protocols`.
pub const PROTOCOLS: [&str; 4] = ["baidu_std", "grpc", "grpc-web", "connect"];

#[derive(Clone)]
pub struct Listener {
    pub name: String,
    pub place: Place,
    pub settings: Settings,
}

#[derive(Clone, PartialEq, Default)]
pub struct Settings {
    pub listen: Vec<String>,
    pub protocols: Vec<String>,
    /// The method of calls that name none.
    pub method: Option<(String, String)>,
    /// The service of calls that say a method's number alone.
    pub service: Option<String>,
    /// Whose peers may connect; `None`: everybody.
    from: Option<Networks>,
    /// Whose pages in browsers may call.
    origins: Vec<String>,
    /// The file that says who may call which method.
    pub policy: Option<policy::Settings>,
    /// Whose tokens are asked for.
    pub callers: Callers,
    /// How often each may call.
    pub rate: Option<Rates>,
    /// What its callers may take of it together.
    bounded: Bounded,
    /// Which of its requests are written to files.
    pub record: Option<Record>,
    tls: Option<Tls>,
}

#[derive(Clone, PartialEq)]
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    client_ca: Option<PathBuf>,
}

impl Settings {
    /// Addresses that speak plain text with these protocols, for everybody but pages in browsers.
    pub fn plain(listen: Vec<String>, protocols: Vec<String>) -> Settings {
        Settings { listen, protocols, ..Settings::default() }
    }

    /// A server that answers there. It has no pages and no services of its own: callers get health and
    /// reflection of the servers behind, if a route leads there.
    pub fn server(&self, engine: &Engine, bounds: &Bounds, group: &Group, relay: &Relay) -> Server {
        let protocols = self.protocols.iter().flat_map(|name| match &**name {
            WEBSOCKET => seen_as(WEBSOCKET),
            name => vec![name],
        });
        let bounds = self.bounded.of_server(bounds);
        let server = Server::new().engine(engine).bounds(bounds).group(group).pages(None);
        let server = server.timeouts(self.bounded.timeouts());
        let own = self.method.iter().fold(relay.clone(), |relay, (service, method)| {
            relay.nameless(service, method).expect("`names` has checked them")
        });
        let own = self
            .service
            .iter()
            .fold(own, |relay, service| relay.unnamed_service(service).expect("`service` has checked it"));
        let server = server.protocols(protocols).catch_all(self.bounded.of_relay(own));
        let origins = self.origins.iter().fold(Origins::default(), |all, origin| all.allow(origin));
        let server = self.listen.iter().fold(server.origins(origins), Server::listen);
        let server = self.from.iter().cloned().fold(server, Server::peers);
        let server = self.rate.iter().fold(server, |server, rate| rate::limit(server, rate, relay));
        let is_called = self.protocols.iter().any(|name| name == WEBSOCKET);
        let server = if is_called { server.service(websocket::Calls) } else { server };
        match &self.tls {
            Some(tls) => server.tls(tls.options()),
            None => server,
        }
    }

    /// Whether it knows the names of those who call.
    pub fn knows_callers(&self) -> bool {
        self.callers.are_asked() || self.tls.as_ref().is_some_and(Tls::knows_callers)
    }

    /// Warns of rules of its policy that match none of its callers.
    #[cfg(feature = "full")]
    fn warn_of_idle_rules(&self, table: &Table<'_>) {
        let certificates = self.tls.as_ref().is_some_and(Tls::knows_callers);
        let callers = polywire::authorization::KnownCallers {
            tls: self.tls.is_some(),
            certificates,
            names: self.knows_callers(),
            roles: self.callers.have_roles(),
        };
        self.policy.iter().for_each(|policy| policy.warn_of_idle(table, callers));
    }

    /// Whether both write requests to one folder.
    pub fn records_beside(&self, other: &Settings) -> bool {
        let folder = |settings: &Settings| settings.record.as_ref().map(|record| record.folder.clone());
        folder(self).is_some_and(|own| folder(other) == Some(own))
    }
}

impl Listener {
    /// Reads a listener. `taken`: the addresses of all listeners before, and where they are. `before`: the
    /// listeners in use, whose certificates were looked at.
    pub fn read(
        name: &str,
        table: &Table<'_>,
        document: &Document<'_>,
        taken: &mut Vec<Placed<String>>,
        before: &[Listener],
    ) -> Listener {
        let listen = table.texts("listen").unwrap_or_default();
        let protocols = table.texts("protocols");
        let open = table.flag("open");
        let from = networks(table);
        let origins = table.texts("origins").unwrap_or_default();
        let policy = policy::Settings::read(table);
        let (method, service) = (names(table), service(table));
        if service.as_deref() == Some("") {
            table.wrong(table.at_key("service"), "service", "is empty: write shop.Stock");
        }
        let of = |how| protocols.iter().flatten().find(|protocol| addressing(&protocol.value) == Some(how));
        let (unnamed, numbered) = (of(Addressing::Nothing), of(Addressing::PositionAlone));
        let tokenless =
            protocols.iter().flatten().find(|protocol| WITHOUT_TOKENS.contains(&&*protocol.value));
        let callers = Callers::read(table, tokenless, before.iter().map(|old| &old.settings.callers));
        // One that is the same goes on counting.
        let mut in_use = before.iter().filter_map(|old| old.settings.rate.as_ref());
        let rate = rate::read(table).map(|rate| in_use.find(|old| **old == rate).cloned().unwrap_or(rate));
        let (bounded, record) = (Bounded::read(table), Record::read(table));
        let tls = table.table("tls").and_then(|tls| Tls::read(&tls));
        table.finish();
        if listen.is_empty() && table.is_well() {
            table.missing("listen", "an address such as \"127.0.0.1:8080\", or a list of them");
        }
        let knows_callers = table.has("jwt")
            || table.has("tokens")
            || tls.as_ref().is_some_and(|tls| tls.client_ca.is_some());
        let advice = "`tls.client_ca` lets in those with a certificate, `jwt` or `tokens` those with a token, \
                      `from` those of some networks, `open = true` everybody";
        check_addresses(
            &listen,
            taken,
            (!open && !knows_callers && !table.has("from")).then_some(advice),
            (table, document),
        );
        if protocols.as_ref().is_some_and(Vec::is_empty) && table.is_well() {
            table.wrong(table.at_key("protocols"), "protocols", "an empty list answers nobody");
        }
        for protocol in protocols.iter().flatten() {
            if let Err(wrong) = caller(&protocol.value) {
                table.wrong(protocol.at, "protocols", wrong);
            }
        }
        match unnamed {
            Some(Placed { value, .. }) if !table.has("method") => {
                let text =
                    format!("calls over {value} name no method, so it is said here: \"shop.Stock/Reserve\"");
                table.missing("method", &text);
            }
            None if table.has("method") => {
                let text = "no protocol here needs it: all calls name their method";
                table.warn(table.at_key("method"), "method", text);
            }
            _ => {}
        }
        match numbered {
            Some(Placed { value, .. }) if !table.has("service") => {
                let text = format!("calls over {value} name no service, so it is said here: \"shop.Stock\"");
                table.missing("service", &text);
            }
            Some(Placed { value, at }) if unnamed.is_some() => {
                let text =
                    format!("{value} needs a listener of its own: other calls here name no service, too");
                table.wrong(*at, "protocols", text);
            }
            None if table.has("service") => {
                let text = "no protocol here needs it: all calls name their service";
                table.warn(table.at_key("service"), "service", text);
            }
            _ => {}
        }
        for origin in &origins {
            if let Err(wrong) = Origins::default().allow(&origin.value).check() {
                table.wrong(origin.at, "origins", wrong);
            }
        }
        let texts = |list: Vec<Placed<String>>| list.into_iter().map(|text| text.value).collect();
        let protocols = protocols.map_or_else(|| PROTOCOLS.map(str::to_owned).to_vec(), texts);
        let (listen, origins) = (texts(listen), texts(origins));
        let settings = Settings {
            listen,
            protocols,
            method,
            service,
            from,
            origins,
            policy,
            callers,
            rate,
            bounded,
            record,
            tls,
        };
        if let Some(tls) = settings.tls.as_ref().filter(|_| before.iter().all(|old| old.settings != settings))
            && let Err(wrong) = tls.options().check()
        {
            table.wrong(table.at_key("tls"), "tls", failure::of_options(wrong.to_string()));
        }
        #[cfg(feature = "full")]
        settings.warn_of_idle_rules(table);
        Listener { name: name.to_owned(), place: document.place(table.at()), settings }
    }

    /// Whether it listens where another one does that it takes the place of.
    pub fn takes_over(&self, other: &Listener) -> bool {
        let mut same = self.settings.listen.iter().filter(|address| other.settings.listen.contains(address));
        same.any(|address| self.name == other.name || !takes_any_port(address))
    }

    /// A failure of this listener, with its place; without a file there is none.
    pub fn wrong(&self, failure: impl std::fmt::Display) -> String {
        match self.place.file.is_empty() {
            true => failure.to_string(),
            false => format!("{}: listeners.{}: {failure}", self.place, self.name),
        }
    }
}

impl Tls {
    pub fn read(table: &Table<'_>) -> Option<Tls> {
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

    /// Whether callers must show a certificate.
    pub fn knows_callers(&self) -> bool {
        self.client_ca.is_some()
    }

    pub fn options(&self) -> ServerTls {
        let tls = ServerTls::files(&self.certificate, &self.key);
        match &self.client_ca {
            Some(issuers) => tls.client_ca_file(issuers),
            None => tls,
        }
    }
}

/// The name of a protocol of callers.
///
/// # Errors
/// Its calls do not reach a relay; or, as `http` and `h2`, it is not one but what several are carried by.
pub fn caller(name: &str) -> Result<String, String> {
    if CALLERS.contains(&name) {
        return Ok(name.to_owned());
    }
    let known = CALLERS.join(", ");
    Err(match nearest(name, CALLERS) {
        Some(near) => format!("no calls over {name:?} are passed on; did you mean {near:?}?"),
        None => format!("no calls over {name:?} are passed on, only those over {known}"),
    })
}

/// How calls of a protocol say which method they are for.
pub fn addressing(protocol: &str) -> Option<Addressing> {
    polywire_protocols::builtin().find(protocol).map(|protocol| protocol.addressing)
}

/// The names under which a listener sees the calls of a protocol: it tells them by their first bytes.
pub fn seen_as(name: &str) -> Vec<&'static str> {
    match polywire_protocols::builtin().find(name) {
        _ if name == WEBSOCKET => vec!["h2", "http"],
        Some(protocol) if !protocol.detected_as.is_empty() => protocol.detected_as.to_vec(),
        protocol => protocol.map(|protocol| protocol.name).into_iter().collect(),
    }
}

/// What is known of a protocol, and what its callers send.
pub fn sent(name: &str) -> Option<(&'static Protocol, Content)> {
    let protocols = polywire_protocols::builtin();
    if name == WEBSOCKET {
        return protocols.find("connect").map(|protocol| (protocol, Content::PROTO_JSON));
    }
    let protocol = protocols.find(name)?;
    (protocol.content)("").map(|content| (protocol, content))
}

/// Whether it takes a schema to know of a call whether it streams: its callers do not say, or its servers
/// have to be told more than that.
pub fn is_unclear(name: &str, to: &str) -> bool {
    let of_brpc = |system: &str| ["baidu_std", "streaming_rpc"].contains(&system);
    let system = polywire_protocols::builtin().find(name).map_or("", Protocol::system);
    name == WEBSOCKET || of_brpc(system) || of_brpc(to) || to == CONNECT && system == GRPC
}

/// The key `service`: the name of one; empty: none.
pub fn service(table: &Table<'_>) -> Option<String> {
    let Placed { value, at } = table.text("service")?;
    if !value.is_empty() && !are_plain_names(&value, "_") {
        table.wrong(at, "service", format_args!("{value:?} is no service: write shop.Stock"));
        return None;
    }
    Some(value)
}

/// The key `from`: the networks whose peers may connect.
fn networks(table: &Table<'_>) -> Option<Networks> {
    let named = table.texts("from")?;
    if named.is_empty() && table.is_well() {
        table.wrong(table.at_key("from"), "from", "an empty list lets nobody in");
    }
    for network in &named {
        if let Err(wrong) = Networks::default().allow(&network.value).check() {
            table.wrong(network.at, "from", wrong);
        }
    }
    Some(named.iter().fold(Networks::default(), |all, network| all.allow(&network.value)))
}

/// The key `method`: names of a service and a method.
pub fn names(table: &Table<'_>) -> Option<(String, String)> {
    let Placed { value, at } = table.text("method")?;
    let names = value.split_once('/').filter(|(service, method)| are_plain_names(service, method));
    if names.is_none() {
        table.wrong(at, "method", format_args!("{value:?} is no method: write shop.Stock/Reserve"));
    }
    names.map(|(service, method)| (service.to_owned(), method.to_owned()))
}

/// Checks addresses, and adds them to those that are taken. `advice`: how those from other machines are let
/// in; `None`: it is settled who is.
pub fn check_addresses(
    listen: &[Placed<String>],
    taken: &mut Vec<Placed<String>>,
    advice: Option<&str>,
    (table, document): (&Table<'_>, &Document<'_>),
) {
    for Placed { value: address, at } in listen {
        if let Err(wrong) = Server::check_address(address) {
            table.wrong(*at, "listen", wrong);
        } else if let Some(before) = taken.iter().find(|before| before.value == *address) {
            let line = document.place(before.at).line;
            table.wrong(*at, "listen", format_args!("{address:?} is in line {line} already"));
        } else if let (Some(advice), false) = (advice, is_local(address)) {
            let text = format!("{address:?} can be reached from other machines: {advice}");
            table.wrong(*at, "listen", text);
        }
        if !takes_any_port(address) {
            taken.push(Placed { value: address.clone(), at: *at });
        }
    }
}

/// Whether the system chooses the port, so that several listeners may have the same text.
fn takes_any_port(address: &str) -> bool {
    !address.starts_with("unix:") && address.ends_with(":0")
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
