//! The protocols as this program shows them: one table for `demo`, `call` and `press`, and for their tests. A
//! test fails if a built-in protocol has no entry.

use crate::{
    esp,
    failure::Failure,
    flat::FLAT_ECHO,
    memcache,
    peer::PeerArguments,
    redis,
    request::{self, Asked, FormArguments, Subject},
    rest_rpc, thrift,
};
use polywire::Channel;
use std::sync::Arc;

/// A sample for a protocol: a method that `serve` has, a request for it, and its reply.
pub struct Sample {
    /// Its name in the set of built-in protocols.
    pub protocol: &'static str,
    /// The method that is called where the user names none.
    pub method: &'static str,
    /// The request as typed for `call --data`. If there are several, `reply` answers the first.
    pub request: &'static str,
    /// The reply as `call` prints it.
    pub reply: &'static str,
    /// Concurrent calls in `demo`; 0: not shown there, since it is another form of a protocol that is.
    pub callers: usize,
    /// Further commands to try, besides `polywire call`: `{address}`, `{host}`, `{port}` and `{program}` are
    /// replaced.
    pub commands: &'static [&'static str],
    /// Makes a [`Subject`] from a name; it converts the user's input to bodies.
    pub(crate) carries: fn(&Asked<'_>) -> Result<Arc<dyn Subject>, Failure>,
}

/// The sample for a protocol without an entry, such as one of an application.
pub const DEFAULT: Sample = Sample {
    protocol: "baidu_std",
    method: "example.EchoService/Echo",
    request: r#"{"message":"one service"}"#,
    reply: r#"{"message":"one service"}"#,
    callers: 100,
    commands: &[],
    carries: request::messages,
};

/// The usual call, over a protocol with one connection for all calls.
const fn shared(protocol: &'static str) -> Sample {
    Sample { protocol, ..DEFAULT }
}

/// The usual call, over a protocol with a connection for each call.
const fn pooled(protocol: &'static str) -> Sample {
    Sample { protocol, callers: 32, ..DEFAULT }
}

/// The usual call, over another form of HTTP.
const fn form_of_http(protocol: &'static str) -> Sample {
    Sample { protocol, callers: 0, ..DEFAULT }
}

/// All entries, in the order of the demo.
pub const SAMPLES: &[Sample] = &[
    DEFAULT,
    Sample { protocol: "streaming_rpc", method: "example.StreamService/Chat", ..DEFAULT },
    shared("sofa_pbrpc"),
    shared("hulu_pbrpc"),
    Sample { protocol: "fb_rpc", method: FLAT_ECHO, ..DEFAULT },
    Sample {
        protocol: "fb_rpc_v0",
        method: "test.BenchmarkService/Test",
        request: r#"{"opcode":1,"request_id":7,"message":"one service"}"#,
        reply: r#"{"opcode":1,"request_id":7,"message":"one service"}"#,
        callers: 0,
        ..DEFAULT
    },
    pooled("nova_pbrpc"),
    pooled("public_pbrpc"),
    pooled("nshead_mcpack"),
    pooled("ubrpc_mcpack2"),
    pooled("ubrpc_compack"),
    Sample {
        protocol: "grpc",
        commands: &[
            r#"grpcurl -plaintext -d '{"name":"world"}' {address} helloworld.Greeter.SayHello"#,
            r#"ghz --insecure --call helloworld.Greeter.SayHello -d '{"name":"world"}' -n 100000 -c 10 {address}"#,
            "{program} call --server {address} -p grpc example.StreamService/Chat -d -",
        ],
        ..DEFAULT
    },
    Sample {
        commands: &[
            r#"curl -d '{"message":"hi"}' http://{address}/example.EchoService/Echo"#,
            "curl http://{address}/status",
        ],
        carries: request::messages_or_paths,
        ..pooled("http")
    },
    form_of_http("h2"),
    form_of_http("grpc-web"),
    form_of_http("connect"),
    Sample {
        protocol: "zmtp",
        commands: &[
            "{program} press --server {address} -p zmtp -m SUB -i demo &",
            r#"{program} press --server {address} -p zmtp -m PUSH -i "demo of today""#,
        ],
        ..DEFAULT
    },
    Sample {
        protocol: "rest_rpc",
        method: "echo",
        request: r#"["one service"]"#,
        reply: r#""one service""#,
        commands: &["{program} call --server {address} -p rest_rpc add -d '[40, 2]'"],
        carries: rest_rpc::function,
        ..DEFAULT
    },
    Sample {
        protocol: "thrift",
        method: "Echo",
        request: r#"{"1":{"rec":{"1":{"str":"one service"}}}}"#,
        reply: r#"{"0":{"rec":{"1":{"str":"one service"}}}}"#,
        commands: &["{program} press --server {address} -p thrift:compact"],
        carries: thrift::method,
        ..DEFAULT
    },
    Sample {
        protocol: "redis",
        method: "PING",
        request: "SET demo:key value\nGET demo:key\nINCR demo:count",
        reply: "OK",
        commands: &["redis-cli -h {host} -p {port} SET key value"],
        carries: redis::command_line,
        ..DEFAULT
    },
];

/// Protocols with a client only: `call` and `press` support them, `serve` and `demo` cannot answer them.
pub const CLIENT_ONLY: &[Sample] = &[
    Sample {
        protocol: "memcache",
        method: "version",
        request: "set demo value",
        reply: "done",
        callers: 0,
        commands: &[],
        carries: memcache::command_line,
    },
    Sample {
        protocol: "memcache_meta",
        method: "version",
        request: "set demo value",
        reply: "done",
        callers: 0,
        commands: &[],
        carries: memcache::command_line,
    },
    Sample {
        protocol: "esp",
        method: "0",
        request: "one service",
        reply: "one service",
        callers: 0,
        commands: &[],
        carries: esp::frame,
    },
];

/// The entries that the demo shows.
pub fn shown() -> impl Iterator<Item = &'static Sample> {
    SAMPLES.iter().filter(|sample| sample.callers > 0)
}

/// The entry for this protocol.
pub fn find(protocol: &str) -> &'static Sample {
    SAMPLES.iter().chain(CLIENT_ONLY).find(|sample| sample.protocol == protocol).unwrap_or(&DEFAULT)
}

/// Finds what `name` means on this channel.
///
/// # Errors
/// An unknown method, with the known ones; a schema that cannot be read.
pub(crate) fn subject(
    name: Option<&str>,
    channel: &Channel,
    form: &FormArguments,
    peer: Option<&PeerArguments>,
) -> Result<Arc<dyn Subject>, Failure> {
    let &Sample { method, request, carries, .. } = find(channel.protocol());
    carries(&Asked { name, channel, form, peer, method, request })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A protocol for which `serve` has no service, since that would take the frames of the other protocols
    /// of the nshead family.
    const NOT_SERVED: &str = "nshead";

    /// Protocols with a server only: `call` and `press` have no client.
    const SERVER_ONLY: [&str; 2] = ["mongo", "rdma_handshake"];

    #[test]
    fn every_protocol_that_is_spoken_has_an_entry() {
        let protocols = polywire_protocols::builtin();
        let spoken = protocols.iter().filter(|protocol| protocol.machine.is_some());
        let spoken = spoken.filter(|protocol| protocol.name != NOT_SERVED && !protocol.server_only);
        let spoken: BTreeSet<_> = spoken.map(|protocol| protocol.name).collect();
        let entries: BTreeSet<_> = SAMPLES.iter().chain(CLIENT_ONLY).map(|sample| sample.protocol).collect();
        assert_eq!(entries, spoken);
        assert_eq!(entries.len(), SAMPLES.len() + CLIENT_ONLY.len(), "each once");
        for sample in CLIENT_ONLY {
            assert!(protocols.find(sample.protocol).is_some_and(|protocol| protocol.client_only));
        }
        let server_only = protocols.iter().filter(|protocol| protocol.server_only);
        let server_only: BTreeSet<_> = server_only.map(|protocol| protocol.name).collect();
        assert_eq!(server_only, BTreeSet::from(SERVER_ONLY));
    }
}
