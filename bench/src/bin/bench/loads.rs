//! Echo in closed loop: ours, tonic, libzmq, and an epoll loop without any RPC.

use crate::figures::{Entry, Sample};
use crate::fleet::{Fleet, output};
use crate::options::Options;
use crate::words;

/// The message of most loads, in bytes.
const SMALL: usize = 100;
const ECHO: &str = "example.EchoService/Echo";

/// A closed loop: callers, connections, bytes, and whether each side has a processor of its own.
#[derive(Clone, Copy)]
struct Shape {
    callers: usize,
    connections: usize,
    bytes: usize,
    pinned: bool,
}

/// Who can be asked to echo.
#[derive(Clone, Copy, PartialEq)]
enum Peer {
    Polywire,
    /// The bytes travel as the attachment, beside the message.
    Attachment,
    /// A thread that blocks in each call, on no runtime.
    Blocking,
    Http,
    Grpc,
    Tonic,
    Zmq,
    /// No framing, no work.
    Epoll,
}

impl Peer {
    fn name(self) -> &'static str {
        match self {
            Peer::Polywire => "polywire",
            Peer::Attachment => "polywire, attachment",
            Peer::Blocking => "polywire, blocking",
            Peer::Http => "polywire, HTTP JSON",
            Peer::Grpc => "polywire, gRPC",
            Peer::Tonic => "tonic",
            Peer::Zmq => "libzmq",
            Peer::Epoll => "raw epoll",
        }
    }

    /// Whether this peer can do that at all: libzmq's REQ and the bare loop have one call per connection.
    fn can(self, shape: &Shape) -> bool {
        match self {
            Peer::Zmq | Peer::Epoll | Peer::Http => shape.connections == shape.callers,
            Peer::Blocking => shape.callers == 1,
            Peer::Polywire | Peer::Attachment | Peer::Grpc | Peer::Tonic => true,
        }
    }

    fn measure(self, shape: &Shape, fleet: &Fleet) -> Result<Sample, String> {
        let (serving, calling) = if shape.pinned { (Some(1), Some(0)) } else { (None, None) };
        let server = fleet.server(&self.serve(fleet)?, serving)?;
        fleet.press(&server, &self.press(shape, fleet, &server.address)?, calling)
    }

    fn serve(self, fleet: &Fleet) -> Result<Vec<String>, String> {
        Ok(match self {
            Peer::Polywire | Peer::Attachment | Peer::Blocking | Peer::Http | Peer::Grpc => {
                words![fleet.ours(), "serve", "--listen", "127.0.0.1:0"]
            }
            Peer::Tonic | Peer::Zmq | Peer::Epoll => words![self.rival(fleet)?, "serve"],
        })
    }

    fn rival(self, fleet: &Fleet) -> Result<String, String> {
        let program = match self {
            Peer::Zmq => "zmq_echo",
            Peer::Epoll => "raw_echo",
            _ => "tonic_echo",
        };
        fleet.rival(program).ok_or(format!("{program} is not built"))
    }

    fn press(self, shape: &Shape, fleet: &Fleet, server: &str) -> Result<Vec<String>, String> {
        let Shape { callers, connections, bytes, .. } = *shape;
        let seconds = fleet.time.as_secs_f64();
        Ok(match self {
            Peer::Polywire | Peer::Attachment | Peer::Blocking | Peer::Http | Peer::Grpc => {
                let (message, attachment) = if self == Peer::Attachment { (1, bytes) } else { (bytes, 0) };
                let text = format!("{{\"message\":\"{}\"}}", "x".repeat(message));
                let protocol = match self {
                    Peer::Http => "http",
                    Peer::Grpc => "grpc",
                    _ => "baidu_std",
                };
                let mut command = words![
                    fleet.ours(),
                    "press",
                    "--json",
                    "--server",
                    server,
                    "--protocol",
                    protocol,
                    "--method",
                    ECHO,
                    "--input",
                    fleet.file(&format!("echo-{message}.json"), &text)?,
                    "--concurrency",
                    callers,
                    "--connections",
                    connections,
                    "--duration",
                    seconds,
                    "--attachment-size",
                    attachment
                ];
                if self == Peer::Blocking {
                    command.push("--blocking".into());
                }
                command
            }
            Peer::Zmq => words![self.rival(fleet)?, "press", server, callers, bytes, seconds],
            Peer::Tonic | Peer::Epoll => words![
                self.rival(fleet)?,
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
            ],
        })
    }

    fn entry(self, group: &'static str, load: &str, shape: Shape) -> Option<Entry> {
        self.can(&shape)
            .then(|| Entry::new(group, load, self.name(), move |fleet| self.measure(&shape, fleet)))
    }
}

/// The raw limits: floor and pipe.
pub fn limits(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let program = fleet.rival("limit").ok_or("the program `limit` is not built")?;
    let entry = |load: &str, name: &'static str| {
        let program = program.clone();
        Entry::new("limits", load, name, move |fleet| {
            let seconds = fleet.time.as_secs_f64();
            let printed = output(&words![program, name, "--seconds", seconds, "--bytes", SMALL], None)?;
            printed.trim().parse().map(Sample::of).map_err(|_| format!("limit printed {printed}"))
        })
    };
    Ok(vec![entry("one message in flight", "floor"), entry("100 messages in flight", "pipe")])
}

/// One call in flight, client and server on processors of their own: against the floor.
pub fn single(_: &Options, _: &Fleet) -> Result<Vec<Entry>, String> {
    let shape = Shape { callers: 1, connections: 1, bytes: SMALL, pinned: true };
    let peers = [Peer::Blocking, Peer::Polywire, Peer::Http, Peer::Grpc, Peer::Tonic, Peer::Zmq];
    Ok(peers.into_iter().filter_map(|peer| peer.entry("single", "1 caller, pinned", shape)).collect())
}

/// Callers over one connection, and over a connection each.
pub fn echo(options: &Options, _: &Fleet) -> Result<Vec<Entry>, String> {
    let callers: &[usize] = if options.quick { &[1, 10, 100] } else { &[1, 5, 10, 100] };
    let mut entries = Vec::new();
    for &callers in callers {
        for connections in [1, callers] {
            if callers == 1 && !entries.is_empty() {
                continue;
            }
            let load = match (callers, connections) {
                (1, _) => "1 caller".to_owned(),
                (n, 1) => format!("{n} callers, 1 connection"),
                (n, _) => format!("{n} callers, {n} connections"),
            };
            let shape = Shape { callers, connections, bytes: SMALL, pinned: false };
            let peers = [Peer::Polywire, Peer::Http, Peer::Grpc, Peer::Tonic, Peer::Zmq, Peer::Epoll];
            entries.extend(peers.into_iter().filter_map(|peer| peer.entry("echo", &load, shape)));
        }
    }
    Ok(entries)
}

/// One caller, messages of all sizes.
pub fn sizes(options: &Options, _: &Fleet) -> Result<Vec<Entry>, String> {
    let all: &[(&str, usize)] =
        &[("100 B", 100), ("1 KB", 1000), ("64 KB", 64 * 1024), ("1 MB", 1 << 20), ("10 MB", 10 << 20)];
    let sizes = if options.quick { &all[2..4] } else { all };
    let mut entries = Vec::new();
    for &(load, bytes) in sizes {
        let shape = Shape { callers: 1, connections: 1, bytes, pinned: false };
        let peers = [Peer::Polywire, Peer::Attachment, Peer::Grpc, Peer::Tonic, Peer::Zmq];
        entries.extend(peers.into_iter().filter_map(|peer| peer.entry("sizes", load, shape)));
    }
    Ok(entries)
}
