//! What 2000 quick calls a second feel of neighbours that behave badly.

use std::io::Write;
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};

use super::{SERVERS, start};
use crate::Failure;
use crate::process::{Server, Stops};

const CONNECTIONS: usize = 10_000;
/// Files that a process needs beside its connections.
const SPARE_FILES: u64 = 200;
/// What a client of HTTP/2 says first: the preface, and SETTINGS without a setting. RFC 9113, 3.4.
const SPOKEN: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// Who else uses the server.
enum Beside {
    Nobody,
    /// Ten calls a second, of the same method, whose handler sleeps for 20 ms with its thread.
    Blocks,
    /// A client with 64 calls of 256 KiB under way that was stopped, so that it reads nothing.
    NeverReads,
    /// So many connections, each of which has sent this.
    Idle(&'static [u8]),
}

/// Held as long as the quick calls are measured.
#[expect(dead_code, reason = "they are held, not read")]
enum Held {
    Process(Stops),
    Connections(Vec<TcpStream>),
}

pub fn table(seconds: f64) -> Result<(), Failure> {
    let connections = raise_limit()?;
    let rows = [
        ("nobody", Beside::Nobody),
        ("a handler that blocks its thread for 20 ms, ten times a second", Beside::Blocks),
        ("a client that never reads", Beside::NeverReads),
        ("connections that sent one byte", Beside::Idle(&SPOKEN[..1])),
        ("connections that spoke once", Beside::Idle(SPOKEN)),
    ];
    println!("{connections} connections where there are many\n");
    println!("| beside | server | answered/s of 2000 | p50 | p99 | MB |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (what, beside) in &rows {
        for (name, words) in SERVERS {
            let server = start(words, 0, None)?;
            server.press("grpc", &[("rate", 2000.0), ("duration", 1.0)])?; // warm
            let held = beside.begin(&server, connections, seconds)?;
            let found = server.press("grpc", &[("rate", 2000.0), ("duration", seconds)])?;
            println!(
                "| {what} | {name} | {:.0} | {} µs | {} µs | {:.0} |",
                found.good,
                found.p50_us,
                found.p99_us,
                server.resident_mb()
            );
            drop(held);
        }
    }
    Ok(())
}

impl Beside {
    fn begin(&self, server: &Server, connections: usize, seconds: f64) -> Result<Option<Held>, Failure> {
        match self {
            Beside::Nobody => Ok(None),
            Beside::Blocks => {
                let words = [("rate", 10.0), ("duration", seconds + 2.0), ("block", 1.0)];
                let beside = server.press_beside("grpc", &words)?;
                sleep(Duration::from_millis(500));
                Ok(Some(Held::Process(beside)))
            }
            Beside::NeverReads => {
                let words =
                    [("callers", 64.0), ("bytes", 262_144.0), ("timeout", 60_000.0), ("duration", 60.0)];
                let beside = server.press_beside("grpc", &words)?;
                sleep(Duration::from_millis(700));
                let pid = Pid::from_child(&beside.0);
                kill_process(pid, Signal::STOP)?;
                sleep(Duration::from_millis(300));
                Ok(Some(Held::Process(beside)))
            }
            Beside::Idle(said) => {
                let mut sockets = Vec::new();
                for k in 0..connections {
                    let mut socket = TcpStream::connect(&server.address)?;
                    socket.write_all(said)?;
                    sockets.push(socket);
                    if k % 100 == 99 {
                        sleep(Duration::from_millis(5)); // the queue of those that are not accepted yet is short
                    }
                }
                sleep(Duration::from_millis(500));
                Ok(Some(Held::Connections(sockets)))
            }
        }
    }
}

/// Lets this process and its children open as many files as they may. Returns how many connections fit.
fn raise_limit() -> Result<usize, Failure> {
    let limit = getrlimit(Resource::Nofile);
    let wanted = CONNECTIONS as u64 + SPARE_FILES;
    let most = limit.maximum.map_or(wanted, |most| most.min(wanted));
    if limit.current.is_some_and(|now| now < most) {
        setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum: limit.maximum })?;
    }
    Ok(most.saturating_sub(SPARE_FILES) as usize)
}
