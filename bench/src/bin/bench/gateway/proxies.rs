//! The proxies: how each is started in front of a server, with its file of `bench/proxies`.

use std::rc::Rc;

use super::MIDDLE;
use crate::fleet::{Fleet, Server, free_port};
use crate::foreign::installed;
use crate::peers::Peer;
use crate::words;

/// What lies between client and server.
#[derive(Clone, Copy, PartialEq)]
pub enum Proxy {
    /// Nothing.
    None,
    /// Bytes, moved by our own loop.
    Raw,
    /// Bytes, moved by haproxy.
    HaproxyTcp,
    /// Ours; the callers and the server speak the same.
    Ours,
    /// Ours, whose callers speak gRPC or baidu_std and whose server the other one.
    Translating,
    Envoy,
    Nginx,
    Haproxy,
    /// JSON to gRPC alone.
    GrpcGateway,
}

const ALL: [Proxy; 9] = [
    Proxy::None,
    Proxy::Raw,
    Proxy::HaproxyTcp,
    Proxy::Ours,
    Proxy::Translating,
    Proxy::Envoy,
    Proxy::Nginx,
    Proxy::Haproxy,
    Proxy::GrpcGateway,
];

pub const DIRECT: &str = "no proxy: client -> server";
pub const RAW: &str = "raw relay";
pub const OURS: &str = "polywire";
pub const TRANSLATING: &str = "polywire, gRPC <-> baidu_std";
pub const ENVOY: &str = "Envoy";
pub const NGINX: &str = "nginx";
pub const HAPROXY: &str = "haproxy";
pub const GRPC_GATEWAY: &str = "grpc-gateway";

impl Proxy {
    /// Those that are there.
    pub fn found(fleet: &Fleet) -> Result<Vec<Proxy>, String> {
        fleet.rival("raw_relay").ok_or("raw_relay is not built")?;
        let mut found = Vec::new();
        for proxy in ALL {
            match proxy.missing(fleet) {
                Ok(()) => found.push(proxy),
                Err(what) => eprintln!("bench: gateway: {} is left out: {what}", proxy.name()),
            }
        }
        Ok(found)
    }

    fn missing(self, fleet: &Fleet) -> Result<(), String> {
        let built = |name: &str| fleet.rival(name).map(drop).ok_or(format!("{name} is not there"));
        match self {
            Proxy::Envoy => built("envoy"),
            Proxy::GrpcGateway => built("grpc_go_echo"),
            Proxy::Nginx => installed("nginx", "-v"),
            Proxy::Haproxy | Proxy::HaproxyTcp => installed("haproxy", "-v"),
            Proxy::None | Proxy::Raw | Proxy::Ours | Proxy::Translating => Ok(()),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Proxy::None => DIRECT,
            Proxy::Raw => RAW,
            Proxy::HaproxyTcp => "haproxy, tcp",
            Proxy::Ours => OURS,
            Proxy::Translating => TRANSLATING,
            Proxy::Envoy => ENVOY,
            Proxy::Nginx => NGINX,
            Proxy::Haproxy => HAPROXY,
            Proxy::GrpcGateway => GRPC_GATEWAY,
        }
    }

    /// Whether it passes on what this client sends to the server of the loads: bytes, HTTP/2, or JSON.
    pub fn takes(self, client: Peer, streams: bool) -> bool {
        match self {
            Proxy::None | Proxy::Raw | Proxy::HaproxyTcp | Proxy::Ours => true,
            // The server of others speaks gRPC alone; baidu_std has no streams.
            Proxy::Translating => matches!(client, Peer::Polywire(_) | Peer::Grpc(_)) && !streams,
            Proxy::Nginx | Proxy::Haproxy => is_grpc(client),
            Proxy::Envoy => is_grpc(client) || matches!(client, Peer::Http | Peer::Thrift(_)),
            Proxy::GrpcGateway => client == Peer::Http,
        }
    }

    /// The proxy in front of this server, kept for all rounds; without one, the server itself.
    pub fn before(self, server: &Rc<Server>, client: Peer, fleet: &Fleet) -> Result<Rc<Server>, String> {
        if self == Proxy::None {
            return Ok(Rc::clone(server));
        }
        let key = words![self.name(), self.to(client), client == Peer::Http, server.address];
        fleet.kept(key, MIDDLE, || self.start(&server.address, client, fleet))
    }

    /// What the server is spoken to in.
    fn to(self, client: Peer) -> &'static str {
        if matches!(client, Peer::Thrift(_)) {
            return "thrift";
        }
        let is_baidu = matches!(client, Peer::Polywire(_));
        if is_baidu == (self == Proxy::Translating) { "grpc" } else { "baidu_std" }
    }

    /// Starts one in front of a server at this address.
    pub fn start(self, server: &str, client: Peer, fleet: &Fleet) -> Result<Server, String> {
        let rival = |name: &str| fleet.rival(name).ok_or(format!("{name} is not built"));
        match self {
            Proxy::None => Err("there is no proxy".to_owned()),
            Proxy::Raw => Server::start(&words![rival("raw_relay")?, "serve", "--to", server], MIDDLE),
            Proxy::Ours | Proxy::Translating => {
                let to = format!("{}://{server}", self.to(client));
                Server::start(&words![fleet.ours(), "gateway", "--listen", "127.0.0.1:0", "--to", to], MIDDLE)
            }
            Proxy::GrpcGateway => {
                Server::start(&words![rival("grpc_go_echo")?, "gateway", "--to", server], MIDDLE)
            }
            Proxy::Envoy => {
                let text = match client {
                    Peer::Thrift(_) => include_str!("../../../../proxies/envoy-thrift.yaml").to_owned(),
                    _ => {
                        let filters = if client == Peer::Http { transcoder(fleet)? } else { String::new() };
                        include_str!("../../../../proxies/envoy.yaml").replace("{filters}", &filters)
                    }
                };
                by_file("envoy.yaml", &text, server, fleet, |file| {
                    let quiet = ["--log-level", "error", "--disable-hot-restart", "--concurrency", "1"];
                    Ok([words![rival("envoy")?, "--config-path", file], quiet.map(String::from).to_vec()]
                        .concat())
                })
            }
            Proxy::Nginx => {
                by_file("nginx.conf", include_str!("../../../../proxies/nginx.conf"), server, fleet, |file| {
                    Ok(words!["nginx", "-e", "stderr", "-c", file])
                })
            }
            Proxy::Haproxy => by_file(
                "haproxy.cfg",
                include_str!("../../../../proxies/haproxy.cfg"),
                server,
                fleet,
                haproxy,
            ),
            Proxy::HaproxyTcp => by_file(
                "haproxy-tcp.cfg",
                include_str!("../../../../proxies/haproxy-tcp.cfg"),
                server,
                fleet,
                haproxy,
            ),
        }
    }
}

fn is_grpc(client: Peer) -> bool {
    matches!(client, Peer::Grpc(_) | Peer::Go)
}

/// What Envoy needs beside the router to take JSON for the echo service.
fn transcoder(fleet: &Fleet) -> Result<String, String> {
    let descriptors = fleet.file("echo.pb", include_bytes!(concat!(env!("OUT_DIR"), "/echo.pb")))?;
    let text = include_str!("../../../../proxies/envoy-json.yaml");
    Ok(text.trim_end().replace("{descriptors}", &descriptors))
}

fn haproxy(file: &str) -> Result<Vec<String>, String> {
    Ok(words!["haproxy", "-db", "-f", file])
}

/// Starts a program by a file that names its port and the server.
fn by_file(
    name: &str,
    text: &str,
    server: &str,
    fleet: &Fleet,
    command: impl FnOnce(&str) -> Result<Vec<String>, String>,
) -> Result<Server, String> {
    let own = free_port()?;
    let (host, port) = server.rsplit_once(':').ok_or("a server has a port")?;
    let folder = fleet.scratch.display().to_string();
    let own_port = own.port().to_string();
    let filled = [("{port}", &*own_port), ("{host}", host), ("{upstream}", port), ("{folder}", &*folder)];
    let text = filled.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value));
    let file = fleet.file(&format!("{own_port}-{name}"), &text)?;
    Server::start_at(&command(&file)?, own, MIDDLE)
}
