//! Raw limits of loopback TCP on this machine: two pinned threads, no work per message.
//!
//! - *floor*: one message in flight, blocking, client on CPU 0, server on CPU 1; nearly all of it is
//!   wake-ups;
//! - *pipe*: a window of messages in flight on one connection; each side reads what is there and writes in
//!   batches of [`BATCH`], since a reply that waits for the whole window would let both sides take turns
//!   sleeping.
//!
//! ```text
//! limit floor --seconds 2 --bytes 100                  ->   10234.5      (messages per second)
//! limit pipe  --seconds 2 --bytes 100 --window 100     ->   1123456.7
//! ```

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use polywire_bench::{Args, args::wrong_use, cpu};

const USAGE: &str = "usage: limit floor|pipe [--seconds S] [--bytes B] [--window W]";
/// Messages per write.
const BATCH: usize = 32;
const BUFFER: usize = 64 * 1024;

fn main() -> io::Result<()> {
    let args = Args::from_env(USAGE);
    let time = Duration::from_secs_f64(args.get("seconds", 2.0));
    let bytes = args.get("bytes", 100_usize);
    let window = args.get("window", 100_usize);
    cpu::pin(0)?;
    let measured = match args.verb.as_str() {
        "floor" => with_server(bytes, |socket| floor(socket, time, bytes))?,
        "pipe" => with_server(bytes, |socket| pipe(socket, time, bytes, window))?,
        other => wrong_use(&format!("`{other}` is no verb"), USAGE),
    };
    println!("{measured:.1}");
    Ok(())
}

/// Runs `client` on a connection whose other end is echoed by a thread on CPU 1.
fn with_server(bytes: usize, client: impl FnOnce(&mut TcpStream) -> io::Result<f64>) -> io::Result<f64> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let mut socket = TcpStream::connect(listener.local_addr()?)?;
    let (peer, _) = listener.accept()?;
    socket.set_nodelay(true)?;
    peer.set_nodelay(true)?;
    let server = thread::spawn(move || echo(peer, bytes));
    let measured = client(&mut socket);
    drop(socket);
    server.join().expect("the echo does not panic")?;
    measured
}

fn echo(mut socket: TcpStream, bytes: usize) -> io::Result<()> {
    cpu::pin(1)?;
    let mut buffer = vec![0; BUFFER];
    loop {
        match socket.read(&mut buffer) {
            Ok(0) => return Ok(()),
            // The client leaves with its last replies unread: that is the end, not a failure.
            Ok(read)
                if buffer[..read].chunks(BATCH * bytes).any(|batch| socket.write_all(batch).is_err()) =>
            {
                return Ok(());
            }
            Ok(_) => {}
            Err(_) => return Ok(()),
        }
    }
}

fn floor(socket: &mut TcpStream, time: Duration, bytes: usize) -> io::Result<f64> {
    let mut message = vec![0; bytes];
    let began = Instant::now();
    let mut calls = 0_u64;
    while began.elapsed() < time {
        socket.write_all(&message)?;
        socket.read_exact(&mut message)?;
        calls += 1;
    }
    Ok(calls as f64 / began.elapsed().as_secs_f64())
}

fn pipe(socket: &mut TcpStream, time: Duration, bytes: usize, window: usize) -> io::Result<f64> {
    let messages = vec![0; window.max(BATCH) * bytes];
    let mut buffer = vec![0; BUFFER];
    let began = Instant::now();
    let (mut received, mut answered) = (0, 0);
    socket.write_all(&messages[..window * bytes])?;
    while began.elapsed() < time {
        let read = socket.read(&mut buffer)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        received += read;
        let mut fresh = received / bytes - answered;
        answered += fresh;
        while fresh > 0 {
            let batch = fresh.min(BATCH);
            socket.write_all(&messages[..batch * bytes])?;
            fresh -= batch;
        }
    }
    Ok(answered as f64 / began.elapsed().as_secs_f64())
}
