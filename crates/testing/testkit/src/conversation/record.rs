//! A proxy between a client and a server that records the bytes.

use super::{By, Conversation, Sent};
use polywire_base::lock;
use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Instant,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};

/// The maximum number of recorded bytes; further bytes pass unrecorded.
const MOST: usize = 64 << 20;

/// Records the conversations of clients that connect to its address with the server to which it forwards.
/// Dropping it ends them.
///
/// It uses real sockets and the real clock. For streams of another kind there is [`Recorder::relay`].
pub struct Recorder {
    address: SocketAddr,
    accepting: JoinHandle<()>,
    log: Arc<Log>,
}

struct Log {
    begun: Mutex<Option<Instant>>,
    written: Mutex<Written>,
}

#[derive(Default)]
struct Written {
    events: Vec<Sent>,
    bytes: usize,
    is_full: bool,
}

impl Recorder {
    /// Listens on a port of the loopback address, and forwards to `server` (`host:port`).
    ///
    /// # Errors
    /// No port is available.
    pub async fn start(server: impl Into<String>) -> io::Result<Recorder> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (server, log) = (server.into(), Arc::new(Log::new()));
        let writes = log.clone();
        let accepting = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            for number in 1.. {
                let Ok((client, _)) = listener.accept().await else { return };
                let (server, log) = (server.clone(), writes.clone());
                connections.spawn(async move {
                    log.begin();
                    let Ok(server) = TcpStream::connect(&server).await else { return };
                    let _ = (client.set_nodelay(true), server.set_nodelay(true)); // only slower without
                    pass(client, server, number, &log).await;
                });
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(Recorder { address, accepting, log })
    }

    /// The address to which clients connect.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The conversation so far.
    ///
    /// # Errors
    /// More than 64 MiB were sent, and the rest was not recorded.
    pub fn conversation(&self) -> io::Result<Conversation> {
        self.log.conversation()
    }

    /// Passes bytes between a client and a server until both have ended, and records them as connection 1.
    ///
    /// # Errors
    /// The errors of [`Recorder::conversation`].
    pub async fn relay(
        client: impl AsyncRead + AsyncWrite + Unpin,
        server: impl AsyncRead + AsyncWrite + Unpin,
    ) -> io::Result<Conversation> {
        let log = Log::new();
        log.begin();
        pass(client, server, 1, &log).await;
        log.conversation()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.accepting.abort(); // and with it the connections
    }
}

impl Log {
    fn new() -> Log {
        Log { begun: Mutex::new(None), written: Mutex::default() }
    }

    fn begin(&self) {
        lock(&self.begun).get_or_insert_with(Instant::now);
    }

    fn write(&self, connection: u32, by: By, bytes: Option<&[u8]>) {
        let at = lock(&self.begun).get_or_insert_with(Instant::now).elapsed();
        let mut written = lock(&self.written);
        let length = bytes.map_or(0, <[u8]>::len);
        if written.bytes + length > MOST {
            written.is_full = true;
        }
        if !written.is_full {
            written.bytes += length;
            written.events.push(Sent { at, connection, by, bytes: bytes.map(<[u8]>::to_vec) });
        }
    }

    fn conversation(&self) -> io::Result<Conversation> {
        let written = lock(&self.written);
        if written.is_full {
            return Err(io::Error::other(
                "more than 64 MiB were sent: the conversation was not recorded to its end",
            ));
        }
        Ok(Conversation { events: written.events.clone() })
    }
}

async fn pass(
    client: impl AsyncRead + AsyncWrite + Unpin,
    server: impl AsyncRead + AsyncWrite + Unpin,
    number: u32,
    log: &Log,
) {
    let (from_client, to_client) = tokio::io::split(client);
    let (from_server, to_server) = tokio::io::split(server);
    tokio::join!(
        copy(from_client, to_server, number, By::Client, log),
        copy(from_server, to_client, number, By::Server, log),
    );
}

async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    number: u32,
    by: By,
    log: &Log,
) {
    let mut piece = vec![0; 16 << 10];
    loop {
        let n = from.read(&mut piece).await.unwrap_or(0); // a reset is an end
        if n == 0 {
            break;
        }
        // Before it is passed on, so that an answer never stands before its question.
        log.write(number, by, Some(&piece[..n]));
        if to.write_all(&piece[..n]).await.is_err() {
            return;
        }
    }
    log.write(number, by, None);
    let _ = to.shutdown().await; // it may have gone
}
