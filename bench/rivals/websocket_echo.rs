//! WebSocket by others, with their defaults: tokio-tungstenite and fastwebsockets as server and as client,
//! axum as server.

use std::time::Instant;

use axum::{
    Router,
    extract::ws::{Message as AxumMessage, WebSocketUpgrade},
    routing::any,
    serve::ListenerExt,
};
use bytes::Bytes;
use fastwebsockets::{FragmentCollector, Frame, OpCode, Payload, WebSocketError, handshake, upgrade};
use futures_util::{SinkExt, StreamExt};
use http_body_util::Empty;
use hyper::{
    Request, Response,
    body::Incoming,
    header::{CONNECTION, HOST, UPGRADE},
    server::conn::http1,
    service::service_fn,
    upgrade::Upgraded,
};
use hyper_util::rt::TokioIo;
use polywire_bench::{
    Args, Load, Recorder,
    args::wrong_use,
    report::Began,
    turns::{Socket, turns},
};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::{WebSocketStream, accept_async, client_async, tungstenite::Message};

const USAGE: &str = "usage: websocket_echo serve --peer tungstenite|fastwebsockets|axum
       websocket_echo press --peer tungstenite|fastwebsockets --server ADDR [--callers N] [--ahead A] [--bytes B] [--duration S]";

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let args = Args::from_env(USAGE);
    let peer = args.get("peer", String::new());
    match (&*args.verb, &*peer) {
        ("serve", "tungstenite") => serve(tungstenite).await,
        ("serve", "fastwebsockets") => serve(fast).await,
        ("serve", "axum") => axum().await,
        ("press", "tungstenite" | "fastwebsockets") => {
            press(Load::from_args(&args), args.get("ahead", 1), &peer).await
        }
        _ => wrong_use(&format!("`{} --peer {peer}` is neither", args.verb), USAGE),
    }
}

async fn listen() -> Result<TcpListener, Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on {}", listener.local_addr()?);
    Ok(listener)
}

/// Serves until killed, each connection in a task.
async fn serve<F>(echo: impl Fn(TcpStream) -> F) -> Result<(), Failure>
where
    F: Future<Output = Result<(), Failure>> + Send + 'static,
{
    let listener = listen().await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(echo(stream));
    }
}

async fn tungstenite(stream: TcpStream) -> Result<(), Failure> {
    let mut socket = accept_async(stream).await?;
    while let Some(message) = socket.next().await.transpose()? {
        if message.is_text() || message.is_binary() {
            socket.send(message).await?;
        }
    }
    Ok(())
}

/// As its own example has it.
async fn fast(stream: TcpStream) -> Result<(), Failure> {
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(upgraded));
    Ok(connection.with_upgrades().await?)
}

async fn upgraded(mut request: Request<Incoming>) -> Result<Response<Empty<Bytes>>, WebSocketError> {
    let (response, upgrade) = upgrade::upgrade(&mut request)?;
    tokio::spawn(async move {
        let mut socket = FragmentCollector::new(upgrade.await?);
        loop {
            let frame = socket.read_frame().await?;
            match frame.opcode {
                OpCode::Close => return Ok::<_, WebSocketError>(()),
                OpCode::Text | OpCode::Binary => socket.write_frame(frame).await?,
                _ => {}
            }
        }
    });
    Ok(response)
}

async fn axum() -> Result<(), Failure> {
    let echo = |upgrade: WebSocketUpgrade| async {
        upgrade.on_upgrade(|mut socket| async move {
            while let Some(Ok(message)) = socket.recv().await {
                if matches!(message, AxumMessage::Text(_) | AxumMessage::Binary(_))
                    && socket.send(message).await.is_err()
                {
                    return;
                }
            }
        })
    };
    let listener = listen().await?.tap_io(|socket| {
        let _ = socket.set_nodelay(true);
    });
    Ok(axum::serve(listener, Router::new().route("/echo", any(echo))).await?)
}

/// A socket for each caller.
async fn press(load: Load, ahead: usize, peer: &str) -> Result<(), Failure> {
    let (mut plain, mut quick) = (Vec::new(), Vec::new());
    for _ in 0..load.callers {
        let stream = TcpStream::connect(&load.server).await?;
        stream.set_nodelay(true)?;
        match peer {
            "tungstenite" => {
                plain.push(Tungstenite(client_async(format!("ws://{}/echo", load.server), stream).await?.0));
            }
            _ => quick.push(Fast(connect(&load.server, stream).await?)),
        }
    }
    let began = Began::now();
    let end = Instant::now() + load.duration;
    let mut callers = Vec::new();
    callers.extend(plain.into_iter().map(|socket| tokio::spawn(turns(socket, load.bytes, ahead, end))));
    callers.extend(quick.into_iter().map(|socket| tokio::spawn(turns(socket, load.bytes, ahead, end))));
    let mut all = Recorder::default();
    for caller in callers {
        all.add(&caller.await?);
    }
    began.report(&all, load.bytes).print();
    Ok(())
}

async fn connect(server: &str, stream: TcpStream) -> Result<FragmentCollector<TokioIo<Upgraded>>, Failure> {
    let request = Request::get(format!("http://{server}/echo"))
        .header(HOST, server)
        .header(UPGRADE, "websocket")
        .header(CONNECTION, "upgrade")
        .header("sec-websocket-key", handshake::generate_key())
        .header("sec-websocket-version", "13")
        .body(Empty::<Bytes>::new())?;
    let (socket, _) = handshake::client(&Spawn, request, stream).await?;
    Ok(FragmentCollector::new(socket))
}

struct Spawn;

impl<F: Future<Output: Send> + Send + 'static> hyper::rt::Executor<F> for Spawn {
    fn execute(&self, future: F) {
        tokio::spawn(future);
    }
}

struct Tungstenite(WebSocketStream<TcpStream>);

impl Socket for Tungstenite {
    async fn send(&mut self, bytes: usize) -> bool {
        self.0.send(Message::Binary(vec![0; bytes].into())).await.is_ok()
    }

    async fn receive(&mut self) -> Option<usize> {
        Some(self.0.next().await?.ok()?.len())
    }
}

struct Fast(FragmentCollector<TokioIo<Upgraded>>);

impl Socket for Fast {
    async fn send(&mut self, bytes: usize) -> bool {
        self.0.write_frame(Frame::binary(Payload::Owned(vec![0; bytes]))).await.is_ok()
    }

    async fn receive(&mut self) -> Option<usize> {
        Some(self.0.read_frame().await.ok()?.payload.len())
    }
}
