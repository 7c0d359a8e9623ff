//! What an idle connection costs the server: its memory before and after many of them.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use polywire_bench::cpu;
use rustix::process::{Resource, getrlimit, setrlimit};

use crate::figures::{Entry, Sample};
use crate::fleet::{Fleet, Server};
use crate::options::Options;

const CONNECTIONS: usize = 10_000;
/// Files that a process needs beside its connections.
pub const SPARE_FILES: usize = 200;
/// How long the server may take to come to rest.
const REST: Duration = Duration::from_secs(1);

/// Bytes per connection that never spoke, and per connection that made one HTTP call.
pub fn group(options: &Options, _: &Fleet) -> Result<Vec<Entry>, String> {
    let wanted = CONNECTIONS + SPARE_FILES;
    match allow_files(wanted)? {
        allowed if allowed < wanted => {
            return Err(format!("{wanted} open files are needed, {allowed} are allowed"));
        }
        _ => {}
    }
    let connections = if options.quick { CONNECTIONS / 5 } else { CONNECTIONS };
    Ok(vec![
        Entry::new("idle", "bytes per silent connection", "polywire", move |fleet| {
            measure(fleet, connections, false)
        }),
        Entry::new("idle", "bytes per connection after one call", "polywire", move |fleet| {
            measure(fleet, connections, true)
        }),
    ])
}

/// Lets this process, and what it starts from now on, open so many files, or as many as it may; returns how
/// many.
pub fn allow_files(wanted: usize) -> Result<usize, String> {
    let limit = getrlimit(Resource::Nofile);
    let wanted = u64::try_from(wanted).expect("it is small");
    let allowed = limit.maximum.map_or(wanted, |most| most.min(wanted));
    if limit.current.is_some_and(|now| now < allowed) {
        let raised = rustix::process::Rlimit { current: Some(allowed), maximum: limit.maximum };
        setrlimit(Resource::Nofile, raised).map_err(|error| error.to_string())?;
    }
    Ok(usize::try_from(allowed).expect("it is small"))
}

fn measure(fleet: &Fleet, connections: usize, call: bool) -> Result<Sample, String> {
    // A server of its own: others have memory left from loads before.
    let server = Server::start(&fleet.our_server(), None)?;
    let memory = || cpu::resident(server.pid()).ok_or("the server is gone");
    let failed = |error: std::io::Error| error.to_string();
    // Everything that is made once is made before the count.
    let warm: Vec<TcpStream> =
        (0..50).map(|_| open(&server.address, true)).collect::<Result<_, _>>().map_err(failed)?;
    sleep(REST);
    let before = memory()?;
    let idle: Vec<TcpStream> =
        (0..connections).map(|_| open(&server.address, call)).collect::<Result<_, _>>().map_err(failed)?;
    sleep(REST);
    let grown = memory()?.saturating_sub(before);
    drop((warm, idle));
    Ok(Sample::of(grown as f64 / connections as f64))
}

fn open(address: &str, call: bool) -> std::io::Result<TcpStream> {
    let mut socket = TcpStream::connect(address)?;
    if call {
        socket.write_all(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")?;
        let mut buffer = [0; 1024];
        let mut reply = Vec::new();
        while !reply.ends_with(b"OK") && !reply.ends_with(b"OK\n") && !reply.ends_with(b"OK\r\n") {
            let read = socket.read(&mut buffer)?;
            if read == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            reply.extend_from_slice(&buffer[..read]);
        }
    }
    Ok(socket)
}
