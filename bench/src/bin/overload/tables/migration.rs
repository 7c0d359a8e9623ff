//! A module on its way from ubrpc to baidu_std: one service with redis-server behind it, which old and new
//! clients call at once. Server and redis-server share a processor; the clients have the other one.

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use polywire_bench::cpu;

use crate::Failure;
use crate::process::{Figures, Server, Stops};

/// What the callers speak, a third of the calls each.
const PROTOCOLS: [&str; 3] = ["ubrpc_mcpack2", "baidu_std", "sofa_pbrpc"];
/// Of capacity.
const STEPS: [f64; 6] = [0.3, 0.5, 0.8, 1.0, 1.5, 2.0];
/// The step that is measured once more, with both processors for the servers.
const CALM: f64 = 0.3;
const CALLERS: f64 = 16.0;
const SAMPLE: Duration = Duration::from_millis(100);

pub fn table(seconds: f64) -> Result<(), Failure> {
    println!(
        "| load | processors | calls | offered/s | answered/s | refused/s | late/s | failed/s | unsent/s | p50 | p99 | idle: p10 / p50 / p90 |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let capacity: f64 = {
        let (_store, server) = start(Some(0))?;
        let found = press_all(&server, &[("callers", CALLERS), ("duration", seconds)])?;
        let capacity: f64 = found.iter().map(|(_, figures)| figures.good).sum();
        for load in STEPS {
            step(&server, &load.to_string(), capacity * load, seconds, Some(0))?;
        }
        capacity
    };
    let (_store, server) = start(None)?;
    step(&server, &CALM.to_string(), capacity * CALM, seconds, None)
}

/// redis-server, and a server that asks it in each call.
fn start(processor: Option<usize>) -> Result<(Stops, Server), Failure> {
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut command = Command::new("redis-server");
    command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port"]);
    command.arg(address.port().to_string()).stdout(Stdio::null());
    let store = cpu::pinned(processor, || command.spawn())?;
    let store = Stops(store.map_err(|error| format!("redis-server: {error}"))?);
    await_listening(address)?;
    let server = Server::start("overload", &["serve", "--redis", &address.to_string()], 0, processor)?;
    press_all(&server, &[("rate", 300.0), ("duration", 1.0)])?; // warm
    Ok((store, server))
}

fn await_listening(address: SocketAddr) -> Result<(), Failure> {
    let end = Instant::now() + Duration::from_secs(10);
    while TcpStream::connect(address).is_err() {
        if Instant::now() > end {
            return Err("redis-server does not listen".into());
        }
        sleep(Duration::from_millis(10));
    }
    Ok(())
}

/// All clients at once, each a process.
fn press_all(server: &Server, words: &[(&str, f64)]) -> Result<Vec<(&'static str, Figures)>, Failure> {
    let clients = PROTOCOLS.map(|protocol| server.begin(protocol, words).map(|client| (protocol, client)));
    let clients: Vec<_> = clients.into_iter().collect::<Result<_, _>>()?;
    clients.into_iter().map(|(protocol, client)| Ok((protocol, client.figures()?))).collect()
}

fn step(
    server: &Server,
    load: &str,
    rate: f64,
    seconds: f64,
    processor: Option<usize>,
) -> Result<(), Failure> {
    let each = rate / PROTOCOLS.len() as f64;
    let watch = std::thread::spawn(move || idle(processor, Duration::from_secs_f64(seconds)));
    let found = press_all(server, &[("rate", each), ("duration", seconds)])?;
    let idle = watch.join().expect("it does not panic")?;
    let processors = if processor.is_some() { 1 } else { cpu::processors() };
    for (protocol, figures) in found {
        let Figures { offered, good, refused, late, failed, unsent, p50_us, p99_us } = figures;
        println!(
            "| {load} | {processors} | {protocol} | {offered:.0} | {good:.0} | {refused:.0} | {late:.0} | {failed:.0} | {unsent:.0} | {p50_us} µs | {p99_us} µs | {idle} |",
        );
    }
    Ok(())
}

/// The part of a processor's time, or of all of them, in which it did nothing, in percent over pieces of
/// 100 ms.
fn idle(processor: Option<usize>, time: Duration) -> Result<String, std::io::Error> {
    let end = Instant::now() + time;
    let mut parts = Vec::new();
    let mut before = jiffies(processor)?;
    while Instant::now() < end {
        sleep(SAMPLE);
        let now = jiffies(processor)?;
        let (idle, all) = (now.0 - before.0, now.1 - before.1);
        parts.extend((all > 0).then(|| 100 * idle / all));
        before = now;
    }
    parts.sort_unstable();
    let at = |share: usize| parts.get(parts.len() * share / 100).copied().unwrap_or(0);
    Ok(format!("{} / {} / {} %", at(10), at(50), at(90)))
}

/// Ticks that were idle, and all of them. Source: proc(5), /proc/stat.
fn jiffies(processor: Option<usize>) -> Result<(u64, u64), std::io::Error> {
    let stat = fs::read_to_string("/proc/stat")?;
    let name = processor.map_or_else(|| "cpu".to_owned(), |number| format!("cpu{number}"));
    let line = stat.lines().find(|line| line.split(' ').next() == Some(&name)).unwrap_or_default();
    let ticks: Vec<u64> = line.split_whitespace().skip(1).take(8).filter_map(|n| n.parse().ok()).collect();
    let idle = ticks.iter().skip(3).take(2).sum(); // idle, and waiting for a disk
    Ok((idle, ticks.iter().sum()))
}
