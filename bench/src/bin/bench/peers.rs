//! The peers: which programs can be client and server, and their command lines.

use polywire_bench::Kind;

use crate::figures::{Entry, Sample};
use crate::fleet::Fleet;
use crate::words;

/// The message of most loads, in bytes.
pub const SMALL: usize = 100;

/// A closed loop: who calls how often at once, over how many connections, and what.
#[derive(Clone, Copy)]
pub struct Shape {
    pub callers: usize,
    pub connections: usize,
    /// Of a message.
    pub bytes: usize,
    /// Each side has a processor of its own.
    pub pinned: bool,
    pub kind: Kind,
    /// Of a call that streams, in each direction that does.
    pub messages: u32,
}

impl Shape {
    /// Unary calls, on any processor.
    pub fn echo(callers: usize, connections: usize, bytes: usize) -> Shape {
        Shape { callers, connections, bytes, pinned: false, kind: Kind::Unary, messages: 1 }
    }

    /// Calls that stream small messages over one connection.
    pub fn streams(callers: usize, kind: Kind, messages: u32) -> Shape {
        Shape { kind, messages, ..Shape::echo(callers, 1, SMALL) }
    }
}

/// Where our callers run, as `typed_echo` spells it.
#[derive(Clone, Copy, PartialEq)]
pub enum On {
    /// The runtime that `#[tokio::main]` makes: what users have.
    Multi,
    /// A runtime with one thread.
    Current,
    /// A shard of an engine.
    Shard,
}

impl On {
    fn name(self) -> &'static str {
        match self {
            On::Multi => "multi",
            On::Current => "current",
            On::Shard => "shard",
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Peer {
    /// baidu_std.
    Polywire(On),
    /// The bytes travel as the attachment, beside the message.
    Attachment,
    /// A thread that blocks in each call, on no runtime.
    Blocking,
    Http,
    Grpc(On),
    /// Framed, strict binary.
    Thrift(On),
    /// streaming_rpc, on connections of baidu_std.
    Streaming,
    /// rest_rpc's formats: msgpack, and text or struct_pack.
    RestA,
    RestB,
    Tonic,
    /// gRPC's own C++.
    Cpp,
    Go,
    Zmq,
    /// Thrift; a connection for each call under way.
    Volo,
    /// The same with all calls of a client on one connection.
    VoloMultiplex,
    /// No framing, no work.
    Epoll,
    /// One of our protocols by its name, where all of them are compared.
    Speaking(&'static str),
}

impl Peer {
    pub fn name(self) -> &'static str {
        match self {
            Peer::Polywire(On::Multi) => "polywire",
            Peer::Polywire(On::Current) => "polywire, one thread",
            Peer::Polywire(On::Shard) => "polywire, shard",
            Peer::Attachment => "polywire, attachment",
            Peer::Blocking => "polywire, blocking",
            Peer::Http => "polywire, HTTP JSON",
            Peer::Grpc(On::Multi) => "polywire, gRPC",
            Peer::Grpc(On::Current) => "polywire, gRPC, one thread",
            Peer::Grpc(On::Shard) => "polywire, gRPC, shard",
            Peer::Thrift(On::Multi) => "polywire, Thrift",
            Peer::Thrift(On::Current) => "polywire, Thrift, one thread",
            Peer::Thrift(On::Shard) => "polywire, Thrift, shard",
            Peer::Streaming => "polywire, streaming_rpc",
            Peer::RestA => "polywire, rest_rpc A",
            Peer::RestB => "polywire, rest_rpc B",
            Peer::Tonic => "tonic",
            Peer::Cpp => "grpc C++",
            Peer::Go => "grpc-go",
            Peer::Zmq => "libzmq",
            Peer::Volo => "volo",
            Peer::VoloMultiplex => "volo, multiplex",
            Peer::Epoll => "raw epoll",
            Peer::Speaking(protocol) => protocol,
        }
    }

    /// The rival's program; ours has none here.
    fn rival(self) -> Option<&'static str> {
        match self {
            Peer::Polywire(_) | Peer::Attachment | Peer::Blocking | Peer::Http | Peer::Grpc(_) => None,
            Peer::Thrift(_) | Peer::Streaming | Peer::RestA | Peer::RestB | Peer::Speaking(_) => None,
            Peer::Tonic => Some("tonic_echo"),
            Peer::Cpp => Some("grpc_cpp_echo"),
            Peer::Go => Some("grpc_go_echo"),
            Peer::Zmq => Some("zmq_theirs"),
            Peer::Volo | Peer::VoloMultiplex => Some("volo_echo"),
            Peer::Epoll => Some("raw_echo"),
        }
    }

    /// The first word of a command line; `None` if the program could not be built.
    fn program(self, fleet: &Fleet) -> Option<String> {
        self.rival().map_or_else(|| Some(fleet.ours()), |name| fleet.rival(name))
    }

    /// Whether this peer can do that at all: libzmq's REQ and the bare loop have one call per connection.
    fn can(self, shape: &Shape) -> bool {
        match self {
            Peer::Zmq | Peer::Epoll | Peer::Http => shape.connections == shape.callers,
            Peer::Volo => shape.connections == shape.callers && shape.kind == Kind::Unary,
            Peer::Streaming => shape.kind != Kind::Unary,
            Peer::Cpp | Peer::RestA | Peer::RestB | Peer::Thrift(_) | Peer::VoloMultiplex => {
                shape.kind == Kind::Unary
            }
            Peer::Blocking | Peer::Speaking(_) => shape.kind == Kind::Unary,
            Peer::Polywire(_) | Peer::Grpc(_) | Peer::Attachment | Peer::Tonic | Peer::Go => true,
        }
    }

    /// How its server is started; `None` if there is none.
    pub fn serve(self, fleet: &Fleet) -> Option<Vec<String>> {
        match self.rival() {
            None => Some(fleet.our_server()),
            Some(name) => Some([words![fleet.rival(name)?, "serve"], self.mode()].concat()),
        }
    }

    /// What the rival's program has to be told beside the load.
    fn mode(self) -> Vec<String> {
        if self == Peer::VoloMultiplex { words!["--multiplex", true] } else { Vec::new() }
    }

    /// How its client is started against `server`.
    pub fn press(self, shape: &Shape, fleet: &Fleet, server: &str) -> Result<Vec<String>, String> {
        let Shape { callers, connections, bytes, messages, .. } = *shape;
        let seconds = fleet.time.as_secs_f64();
        if self.rival().is_none() {
            return self.our_press(shape, fleet, server);
        }
        let program = self.program(fleet).ok_or("it is not built")?;
        if self == Peer::Zmq {
            return Ok(words![program, "press", server, callers, bytes, seconds]);
        }
        let mut command = words![
            program,
            "press",
            "--server",
            server,
            "--callers",
            callers,
            "--connections",
            connections,
            "--bytes",
            bytes,
            "--duration",
            seconds
        ];
        if shape.kind != Kind::Unary {
            command.extend(words!["--kind", shape.kind.name(), "--messages", messages]);
        }
        command.extend(self.mode());
        Ok(command)
    }

    /// Beside a rival ours does what a user's program does: generated stubs, so that every call encodes and
    /// decodes. What has no stubs in the benchmarks is pressed: requests are encoded once there, and replies
    /// not decoded.
    fn our_press(self, shape: &Shape, fleet: &Fleet, server: &str) -> Result<Vec<String>, String> {
        match self {
            Peer::RestA | Peer::RestB => self.rest_rpc_press(shape, fleet, server),
            _ => self.our_typed_press(shape, fleet, server),
        }
    }

    fn our_typed_press(self, shape: &Shape, fleet: &Fleet, server: &str) -> Result<Vec<String>, String> {
        let (message, attachment) =
            if self == Peer::Attachment { (1, shape.bytes) } else { (shape.bytes, 0) };
        let runtime = match self {
            Peer::Polywire(on) | Peer::Grpc(on) | Peer::Thrift(on) => on.name(),
            Peer::Blocking => "blocking",
            _ => On::Multi.name(),
        };
        Ok(words![
            fleet.rival("typed_echo").ok_or("typed_echo is not built")?,
            "press",
            "--server",
            server,
            "--protocol",
            self.protocol(),
            "--runtime",
            runtime,
            "--callers",
            shape.callers,
            "--connections",
            shape.connections,
            "--bytes",
            message,
            "--attachment",
            attachment,
            "--kind",
            shape.kind.name(),
            "--messages",
            shape.messages,
            "--duration",
            fleet.time.as_secs_f64()
        ])
    }

    fn protocol(self) -> &'static str {
        match self {
            Peer::Http => "http",
            Peer::Grpc(_) => "grpc",
            Peer::Thrift(_) => "thrift",
            Peer::Streaming => "streaming_rpc",
            Peer::RestA => "rest_rpc:a",
            Peer::RestB => "rest_rpc:b",
            Peer::Speaking(protocol) => protocol,
            _ => "baidu_std",
        }
    }

    fn rest_rpc_press(self, shape: &Shape, fleet: &Fleet, server: &str) -> Result<Vec<String>, String> {
        let request = format!("[\"{}\"]", "x".repeat(shape.bytes));
        Ok(words![
            fleet.ours(),
            "press",
            "--json",
            "--server",
            server,
            "--protocol",
            self.protocol(),
            "--method",
            "echo",
            "--input",
            fleet.file(&format!("echo-{}.json", shape.bytes), &request)?,
            "--concurrency",
            shape.callers,
            "--connections",
            shape.connections,
            "--duration",
            fleet.time.as_secs_f64()
        ])
    }

    /// This peer as client and as server; `None` if it cannot do that, or is not there.
    pub fn entry(self, group: &'static str, load: &str, shape: Shape, fleet: &Fleet) -> Option<Entry> {
        self.calls(self, group, load, shape, fleet)
    }

    /// This peer as client of `server`.
    pub fn calls(
        self,
        server: Peer,
        group: &'static str,
        load: &str,
        shape: Shape,
        fleet: &Fleet,
    ) -> Option<Entry> {
        if !self.can(&shape) || !server.can(&shape) {
            return None;
        }
        self.program(fleet)?;
        let serve = server.serve(fleet)?;
        let name =
            if self == server { self.name().into() } else { format!("{} -> {}", self.name(), server.name()) };
        Some(Entry::new(group, load, name, move |fleet| self.measure(&serve, &shape, fleet)))
    }

    fn measure(self, serve: &[String], shape: &Shape, fleet: &Fleet) -> Result<Sample, String> {
        let (serving, calling) = if shape.pinned { (Some(1), Some(0)) } else { (None, None) };
        let server = fleet.server(serve, serving)?;
        fleet.press(&server, &self.press(shape, fleet, &server.address)?, calling)
    }
}
