//! Servers behind the gateway, and the channel to them.

use super::{
    asking::{Asked, Asking, Ways},
    document::{Place, Table},
    failing::Failing,
    idl::Idl,
    listener::{names, service},
    numbers::{self, Numbers},
    schemas::{Named, Said, Source},
};
use crate::protobufs::{self, HTTP};
use polywire::{
    Bounds, Channel, ChannelBuilder, ChannelError, ClientTls, HealthCheck, Resilience, Standard,
    gateway::{self, Passage},
    overload::{Concurrency, Limiter},
};
use polywire_formats::foreign::{is_apart, is_mcpack, is_thrift};
use polywire_wire::{Addressing, Connections, Content};
use std::{path::PathBuf, sync::Arc, time::Duration};

/// Tries beyond this only multiply an outage.
pub const MOST_RETRIES: u32 = 10;
/// The age at which certificates are read again before a new connection, as listeners do.
pub const RELOAD: Duration = Duration::from_secs(1);

pub struct Cluster {
    pub name: String,
    pub place: Place,
    settings: Settings,
    pub channel: Channel,
    /// The one method of its servers, if calls name none.
    only: Option<(String, String)>,
    /// Their one service, if calls name none; or what servers of Thrift are told as the service.
    service: Option<String>,
    /// The order of its methods.
    pub numbers: Numbers,
    /// What its methods call their parameter and their return value.
    idl: Option<Idl>,
    /// How many calls its servers get at a time. One of the same number goes on counting in the next plan.
    limit: Option<Arc<Limiter>>,
    /// Where the schemas of its messages come from, if there are any.
    pub source: Option<Source>,
    /// Where its servers are asked for them.
    asked: Asked,
}

pub const GRPC: &str = "grpc";
/// Urls of channels that are told their clusters.
const XDS: &str = "xds:";

/// What the file says of a cluster. Equal settings make equal channels.
#[derive(Clone, Default, PartialEq)]
struct Settings {
    protocol: String,
    servers: String,
    balancer: Option<String>,
    retries: Option<u32>,
    /// The time limit of a relayed call; zero: none beside the caller's.
    timeout: Option<Duration>,
    connect_timeout: Option<Duration>,
    health: Option<Health>,
    failing: Failing,
    tls: Option<Tls>,
}

#[derive(Clone, PartialEq)]
enum Health {
    Connect,
    Grpc(String),
    Http(String),
}

#[derive(Clone, PartialEq)]
struct Tls {
    ca: Option<PathBuf>,
    name: Option<String>,
    pair: Option<(PathBuf, PathBuf)>,
}

/// See [`Cluster::online`].
pub enum Online {
    /// It connects to one server.
    One(Channel),
    /// It checks each server.
    Several(Channel),
}

/// What becomes of the messages of a call.
#[derive(Clone, Copy, PartialEq)]
pub enum Messages {
    Unread,
    Translated,
    /// No schema of them is known.
    Refused,
    /// As they are, but those of one format of rest_rpc have none in the other.
    OfOneFormat,
    /// They have no form there.
    Foreign,
}

impl Messages {
    pub fn words(self) -> &'static str {
        match self {
            Messages::Unread => "unread",
            Messages::Translated => "translated",
            Messages::Refused => "refused: no schema",
            Messages::OfOneFormat => "unread, of callers in the same format",
            Messages::Foreign => "refused: no form there",
        }
    }
}

impl Cluster {
    /// Whether calls of a method may be executed twice by what its schemas say now.
    pub fn may_run_twice(&self, called: (&str, &str)) -> bool {
        self.source.as_ref().is_some_and(|source| source.schemas().may_run_twice(called))
    }

    /// Whether its schemas say so of some method, or its servers may when they are asked.
    pub fn may_know_idempotent(&self) -> bool {
        match &self.source {
            None => false,
            Some(Source::Files(known)) => known.may_any_run_twice(),
            Some(Source::Servers(_)) => true,
        }
    }

    /// A cluster of one channel, without a file.
    pub fn of(channel: Channel, source: Option<Source>, asked: Asked) -> Cluster {
        let settings = Settings {
            protocol: channel.protocol().to_owned(),
            servers: channel.address().to_owned(),
            ..Settings::default()
        };
        let (name, place) = ("to".to_owned(), Place::default());
        let limit = is_one_at_a_time(channel.protocol()).then(|| Limiter::new(MOST_ONE_AT_A_TIME));
        let (only, service, idl, numbers) = (None, None, None, Numbers::default());
        Cluster { name, place, settings, channel, only, service, numbers, idl, limit, source, asked }
    }

    /// Reads a cluster. `before`: the one of this name in the plan in use. `None`: a mistake was found.
    pub fn read(
        name: &str,
        table: &Table<'_>,
        place: Place,
        before: Option<&Cluster>,
        bounds: &Bounds,
    ) -> Option<Cluster> {
        let protocol = table.text("protocol");
        let servers = servers(table);
        let settings = Settings {
            balancer: table.text("balancer").map(|balancer| balancer.value),
            retries: table.number("retries", MOST_RETRIES),
            timeout: table.duration("timeout"),
            connect_timeout: table.duration("connect_timeout"),
            health: table.table("health").and_then(|health| Health::read(&health, table)),
            failing: Failing::read(table),
            tls: table.table("tls").map(|tls| Tls::read(&tls)),
            protocol: protocol.map(|protocol| protocol.value).unwrap_or_default(),
            servers: servers.unwrap_or_default(),
        };
        let named = Named::read(table);
        let (only, service, numbers) = (names(table), service(table), Numbers::read(table));
        let idl = Idl::read(table);
        let limit = limit(table, &settings.protocol, before);
        for (key, value, meant) in [
            ("protocol", &settings.protocol, "what its servers speak: \"grpc\", \"baidu_std\""),
            ("servers", &settings.servers, "an address, or the url of a naming source"),
        ] {
            if !table.has(key) {
                table.missing(key, meant);
            } else if value.is_empty() && table.is_well() {
                table.wrong(table.at_key(key), key, format_args!("is empty: write {meant}"));
            }
        }
        table.finish();
        if !table.is_well() {
            return None;
        }
        // The same servers say the same, whatever calls to them are like.
        let same = before.filter(|before| before.settings.servers == settings.servers);
        let same = same.and_then(|before| before.source.as_ref()?.asking().cloned());
        let before = before.filter(|before| before.settings == settings);
        let said = named.load(table);
        let channel = match before {
            Some(before) => Some(before.channel.clone()),
            None => settings.channel(bounds).map_err(|wrong| blame(table, &wrong)).ok(),
        };
        let (said, channel) = (said?, channel?);
        let (source, asked) = match said {
            Said::Nothing => (None, Asked::default()),
            Said::Files(schemas) => (Some(Source::Files(schemas)), Asked::default()),
            Said::Servers(ways) => {
                let unchanged = before.and_then(|before| {
                    let asking = before.source.as_ref()?.asking().filter(|asking| asking.ways() == ways)?;
                    Some((asking.clone(), before.asked.clone()))
                });
                let (asking, asked) = match unchanged {
                    Some(unchanged) => unchanged,
                    None => {
                        let asked = settings.asked(ways, &channel, bounds);
                        let asked = asked.map_err(|wrong| blame(table, &wrong)).ok()?;
                        let asking = same.map(|same| Asking::after(&same, ways));
                        (asking.unwrap_or_else(|| Asking::new(ways)), asked)
                    }
                };
                (Some(Source::Servers(asking)), asked)
            }
        };
        if let Some(why) = Passage::refusal(&channel) {
            table.wrong(table.at_key("protocol"), "protocol", why);
            return None;
        }
        numbers.check(table, source.as_ref(), &channel);
        idl.iter().for_each(|idl| idl.check(table, source.as_ref()));
        numbers::check_service(table, service.as_deref(), &channel);
        if !table.is_well() {
            return None;
        }
        if (channel.addressing() == Addressing::Nothing) != only.is_some() {
            if only.is_none() {
                let text = format!(
                    "calls over {} name no method, so the one of its servers is said here: \"shop.Stock/Reserve\"",
                    channel.protocol()
                );
                table.missing("method", &text);
                return None;
            }
            let text = "it changes nothing: calls to these servers name their method";
            table.warn(table.at_key("method"), "method", text);
        }
        let name = name.to_owned();
        Some(Cluster { name, place, settings, channel, only, service, numbers, idl, limit, source, asked })
    }

    /// What a relay is given.
    pub fn behind(&self) -> gateway::Cluster {
        let mut cluster = gateway::Cluster::new(&self.channel);
        if let Some((service, method)) = &self.only {
            cluster = cluster.only(service, method).expect("`names` has checked them");
        }
        if let Some(service) = &self.service {
            let told = match is_thrift(self.channel.content()) {
                true => cluster.thrift_service(service),
                false => cluster.only_service(service),
            };
            cluster = told.expect("`service` has checked it");
        }
        cluster = self.numbers.add_to(cluster);
        cluster = self.idl.iter().fold(cluster, |cluster, idl| idl.add_to(cluster));
        if let Some(limit) = &self.limit {
            cluster = cluster.limited(limit);
        }
        match &self.source {
            Some(source) => cluster.schemas(source.schemas()),
            None => cluster,
        }
    }

    /// What becomes of messages that callers send in this form, of a method that is called so.
    pub fn messages(&self, sent: Content, (service, method): (&str, &str)) -> Messages {
        let read = self.channel.content();
        let needs_schema = is_mcpack(sent) != is_mcpack(read);
        match &self.source {
            _ if is_apart(sent) != is_apart(read) || is_thrift(sent) != is_thrift(read) => Messages::Foreign,
            _ if is_apart(read) && !is_thrift(read) => Messages::OfOneFormat,
            // Callers of each of Thrift's protocols reach servers of both.
            _ if Passage::is_unread(sent, read) || is_thrift(read) => Messages::Unread,
            Some(Source::Files(known)) if !known.knows_short(service, method) => Messages::Refused,
            Some(Source::Servers(asking)) if needs_schema && !asking.names_mcpack() => Messages::Refused,
            Some(_) => Messages::Translated,
            None if needs_schema => Messages::Refused,
            None => Messages::Unread,
        }
    }

    /// What it does about servers that fail or are slow.
    pub fn failing(&self) -> &Failing {
        &self.settings.failing
    }

    /// Begins to ask its servers, if they are to be asked. See [`Asking::begin`].
    pub fn begin(&self, is_loud: bool) {
        let asking = self.source.as_ref().and_then(Source::asking);
        if let Some(asking) = asking {
            asking.begin(&self.name, &self.asked, is_loud);
        }
    }

    /// What connects to each of its servers, or to the one that it has, to see whether they answer.
    pub fn online(&self) -> Online {
        if self.settings.health.is_some() {
            return Online::Several(self.channel.clone());
        }
        let checked = Settings { health: Some(Health::Connect), ..self.settings.clone() };
        match checked.channel(&Bounds::default().memory(None)) {
            Ok(channel) if !self.settings.servers.starts_with(XDS) => Online::Several(channel),
            // One address has no checks, and clusters within have those that they are told.
            _ => Online::One(self.channel.clone()),
        }
    }

    /// How many calls its servers get at a time.
    pub fn limit(&self) -> Option<&Arc<Limiter>> {
        self.limit.as_ref()
    }

    /// Its servers as they were written, for readers.
    pub fn servers(&self) -> &str {
        without_parameters(&self.settings.servers)
    }
}

/// A channel to these servers. Those of Thrift and rest_rpc work on one call of a connection at a time, as a
/// rule: each call has one to itself. Replies count in the budget of `bounds`.
pub fn channel_of(servers: &str, protocol: &str, bounds: &Bounds) -> ChannelBuilder<Standard> {
    let builder = Channel::builder(servers).protocol(protocol).memory(bounds.budget());
    match is_one_at_a_time(protocol) {
        true => builder.kind(Connections::Pooled),
        false => builder,
    }
}

/// Whether each call over a protocol, with its parameter, has a connection to itself.
fn is_one_at_a_time(protocol: &str) -> bool {
    let (name, parameter) = protocol.split_once(':').unwrap_or((protocol, ""));
    polywire_protocols::builtin().find(name).is_some_and(|known| {
        known.connections.first() != Some(&Connections::Single)
            || (known.content)(parameter).is_some_and(is_apart)
    })
}

/// A url without its parameters: some of them are secrets, such as the token of a registry.
pub fn without_parameters(url: &str) -> &str {
    url.split('?').next().unwrap_or(url)
}

/// Calls that servers get at a time where each has a connection to itself, unless the file says otherwise:
/// one caller must not have all connections that the process may open.
const MOST_ONE_AT_A_TIME: u32 = 512;

/// The key `max_requests`.
fn limit(table: &Table<'_>, protocol: &str, before: Option<&Cluster>) -> Option<Arc<Limiter>> {
    let default = is_one_at_a_time(protocol).then_some(MOST_ONE_AT_A_TIME);
    let most = table.number("max_requests", u32::MAX).or(default)?;
    if most == 0 {
        table.wrong(
            table.at_key("max_requests"),
            "max_requests",
            "no call would go there: leave it out for no limit",
        );
    }
    let before = before.and_then(|before| before.limit.clone());
    let same = before.filter(|before| before.setting() == Concurrency::Constant(most));
    Some(same.unwrap_or_else(|| Limiter::new(most)))
}

/// The key `servers`.
fn servers(table: &Table<'_>) -> Option<String> {
    let list = |all: &[&str]| format!("write \"list://{}\"", all.join(","));
    let is_list = table.is_list("servers");
    let named = table.texts("servers")?;
    let at = table.at_key("servers");
    if is_list {
        let all: Vec<_> = named.iter().map(|one| &*one.value).collect();
        table.wrong(at, "servers", format_args!("several servers are one text: {}", list(&all)));
        return None;
    }
    let servers = named.into_iter().next()?.value;
    match servers.split_once("://") {
        None if servers.contains(',') && !servers.starts_with("unix:") => {
            let all: Vec<_> = servers.split(',').map(str::trim).collect();
            table.wrong(at, "servers", format_args!("{servers:?} is no address: {}", list(&all)));
        }
        Some(("grpcs", rest)) => {
            let text =
                format!("there is no grpcs://: write \"https://{rest}\", which is TLS, and `protocol`");
            table.wrong(at, "servers", text);
        }
        _ => {}
    }
    Some(servers)
}

/// Notes the error of a channel at the key that it is about.
fn blame(table: &Table<'_>, wrong: &ChannelError) {
    let option = match wrong {
        ChannelError::Config(wrong) => wrong.option(),
        _ => "",
    };
    let key = match option {
        "protocol" => "protocol",
        "resilience.balancer" => "balancer",
        "resilience.health_check" | "health_check" => "health",
        "resilience.retries" => "retries",
        "resilience.outliers" => "outliers",
        "resilience.breaker" => "breaker",
        "timeout" => "timeout",
        "connect_timeout" => "connect_timeout",
        option if option.contains("tls") || option.contains("ca_file") || option.contains("certificate") => {
            "tls"
        }
        _ => "servers",
    };
    let mut text = crate::failure::of_options(wrong.to_string());
    for (option, key) in OPTIONS {
        text = text.replace(option, key);
    }
    if key == "protocol" && text.contains("\"grpcs\"") {
        text = "there is no \"grpcs\": write \"grpc\" and `tls = {}`".to_owned();
    }
    table.wrong(table.at_key(key), key, text);
}

/// Options of a channel, by their names in the file.
const OPTIONS: [(&str, &str); 5] = [
    ("resilience.outliers", "outliers"),
    ("resilience.breaker", "breaker"),
    ("resilience.health_check", "health"),
    ("resilience.balancer", "balancer"),
    ("resilience.retries", "retries"),
];

impl Settings {
    /// Where these servers are asked. `channel`: the one of their calls.
    fn asked(&self, ways: Ways, channel: &Channel, bounds: &Bounds) -> Result<Asked, ChannelError> {
        let by = |protocol: &str| Settings { protocol: protocol.to_owned(), ..self.clone() };
        let reflection = ways.reflection.then(|| match self.protocol == GRPC {
            true => Ok(channel.clone()),
            false => by(GRPC).channel(bounds),
        });
        let protobufs = ways.protobufs.then(|| by(HTTP).builder(bounds).limits(protobufs::limits()).build());
        Ok(Asked { reflection: reflection.transpose()?, protobufs: protobufs.transpose()? })
    }

    fn channel(&self, bounds: &Bounds) -> Result<Channel, ChannelError> {
        self.builder(bounds).build()
    }

    fn builder(&self, bounds: &Bounds) -> ChannelBuilder<Standard> {
        let mut resilience = self.failing.on(Resilience::default());
        if let Some(balancer) = &self.balancer {
            resilience = resilience.balancer(balancer);
        }
        if let Some(retries) = self.retries {
            resilience = resilience.retries(retries);
        }
        if let Some(health) = &self.health {
            resilience = resilience.health_check(match health {
                Health::Connect => HealthCheck::connect(),
                Health::Grpc(service) => HealthCheck::grpc(service),
                Health::Http(path) => HealthCheck::http(path),
            });
        }
        let mut builder = channel_of(&self.servers, &self.protocol, bounds).resilience(resilience);
        if let Some(timeout) = self.timeout {
            builder = builder.timeout(Some(timeout).filter(|timeout| !timeout.is_zero()));
        }
        if let Some(timeout) = self.connect_timeout {
            builder = builder.connect_timeout(timeout);
        }
        if let Some(Tls { ca, name, pair }) = &self.tls {
            let mut tls = ClientTls::new().reload_every(RELOAD);
            if let Some(ca) = ca {
                tls = tls.ca_file(ca);
            }
            if let Some(name) = name {
                tls = tls.server_name(name);
            }
            if let Some((certificate, key)) = pair {
                tls = tls.certificate_files(certificate, key);
            }
            builder = builder.tls(tls);
        }
        builder
    }
}

impl Health {
    fn read(table: &Table<'_>, cluster: &Table<'_>) -> Option<Health> {
        let (grpc, http, connect) = (table.text("grpc"), table.text("http"), table.flag("connect"));
        table.finish();
        match (grpc, http, connect) {
            (Some(service), None, false) => Some(Health::Grpc(service.value)),
            (None, Some(path), false) => Some(Health::Http(path.value)),
            (None, None, true) => Some(Health::Connect),
            _ if !table.is_well() => None,
            _ => {
                let text = "say one of grpc = \"SERVICE\", http = \"/PATH\" and connect = true";
                cluster.wrong(table.at(), "health", text);
                None
            }
        }
    }
}

impl Tls {
    fn read(table: &Table<'_>) -> Tls {
        let path = |key| table.text(key).map(|path| PathBuf::from(path.value));
        let (ca, certificate, key) = (path("ca"), path("cert"), path("key"));
        let name = table.text("name").map(|name| name.value);
        table.finish();
        if certificate.is_some() != key.is_some() {
            table.missing(if key.is_some() { "cert" } else { "key" }, "a certificate has its key");
        }
        Tls { ca, name, pair: certificate.zip(key) }
    }
}
