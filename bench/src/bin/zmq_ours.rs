//! Our ZeroMQ sockets under load, set against libzmq's (`zmq/libzmq.c`), which has the same command line. One
//! thread, one runtime: sockets and their connections.

use std::{
    cell::{Cell, RefCell},
    error::Error,
    rc::Rc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use polywire::zmq::{Kind, Options, Rep, Req, Socket};
use polywire_bench::{Recorder, report::Began};
use tokio::task::{LocalSet, spawn_local, yield_now};

const USAGE: &str = "usage: zmq_ours serve [KIND BYTES] | zmq_ours press ADDR SOCKETS BYTES SECONDS [KIND]";
const ANYWHERE: &str = "tcp://127.0.0.1:*";
/// Messages after which a PUB, which never waits, lets the connections of its thread have their turn: half of
/// its mark.
const BURST: u64 = 500;
/// Beyond its time: a load that hangs ends.
const PATIENCE: Duration = Duration::from_secs(10);

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, run())
}

async fn run() -> Result {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["serve"] | ["serve", "rep", _] => echo().await,
        ["serve", "push", bytes] => flood(Kind::Push, bytes.parse()?).await,
        ["serve", "pub", bytes] => flood(Kind::Pub, bytes.parse()?).await,
        ["press", address, sockets, bytes, seconds, ref kind @ ..] => {
            let load = Load {
                address: format!("tcp://{address}"),
                sockets: sockets.parse()?,
                bytes: bytes.parse()?,
                time: Duration::from_secs_f64(seconds.parse()?),
            };
            tokio::time::timeout(load.time + PATIENCE, press(load, kind)).await?
        }
        _ => Err(USAGE.into()),
    }
}

async fn press(load: Load, kind: &[&str]) -> Result {
    match kind {
        [] | ["req"] => ask(load).await,
        ["pull"] => count(Kind::Pull, load).await,
        ["sub"] => count(Kind::Sub, load).await,
        _ => Err(USAGE.into()),
    }
}

/// What a client is to do.
struct Load {
    address: String,
    sockets: usize,
    bytes: usize,
    time: Duration,
}

fn listening(address: &str) {
    println!("listening on {}", address.trim_start_matches("tcp://"));
}

async fn echo() -> Result {
    let rep = Rep::new();
    listening(&rep.bind(ANYWHERE)?);
    loop {
        let message = rep.recv().await?;
        rep.send(message).await?;
    }
}

async fn flood(kind: Kind, bytes: usize) -> Result {
    let socket = Socket::with(kind, &Options::new());
    listening(&socket.bind(ANYWHERE)?);
    let body = Bytes::from(vec![b'x'; bytes]);
    for n in 1u64.. {
        socket.send(body.clone()).await?;
        if kind == Kind::Pub && n % BURST == 0 {
            yield_now().await;
        }
    }
    Ok(())
}

async fn ask(load: Load) -> Result {
    let recorder = Rc::new(RefCell::new(Recorder::default()));
    let body = Bytes::from(vec![b'x'; load.bytes]);
    let (began, end, mut tasks) = (Began::now(), Instant::now() + load.time, Vec::new());
    for _ in 0..load.sockets {
        let req = Req::new();
        req.connect(&load.address)?;
        let (recorder, body) = (recorder.clone(), body.clone());
        tasks.push(spawn_local(async move {
            loop {
                let sent = Instant::now();
                if sent >= end {
                    return;
                }
                req.send(body.clone()).await.expect("it lives");
                assert_eq!(req.recv().await.expect("it lives")[0].len(), body.len());
                recorder.borrow_mut().answered(sent.elapsed());
            }
        }));
    }
    for task in tasks {
        task.await?;
    }
    began.report(&recorder.borrow(), load.bytes).print();
    Ok(())
}

/// From the first message on.
async fn count(kind: Kind, load: Load) -> Result {
    let arrived = Rc::new(Cell::new(0u64));
    for _ in 0..load.sockets {
        let socket = Socket::new(kind);
        if kind == Kind::Sub {
            socket.subscribe("")?;
        }
        socket.connect(&load.address)?;
        let arrived = arrived.clone();
        spawn_local(async move {
            loop {
                let message = socket.recv().await.expect("it lives");
                assert_eq!(message[0].len(), load.bytes);
                arrived.set(arrived.get() + 1);
            }
        });
    }
    while arrived.get() == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let (began, before) = (Began::now(), arrived.get());
    tokio::time::sleep(load.time).await;
    began.report_count(arrived.get() - before, load.bytes).print();
    Ok(())
}
