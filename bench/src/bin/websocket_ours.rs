//! Our WebSockets under the loads of others (`websocket_echo` of `rivals`): an echo of a handler, and clients
//! of it, on the runtime that `#[tokio::main]` makes.

use std::time::Instant;

use bytes::Bytes;
use polywire::websocket::{self, Connect, Options, WebSocket};
use polywire::{Channel, Context, Server, Status};
use polywire_bench::turns::{Socket, turns};
use polywire_bench::{Args, Load, Recorder, args::wrong_use, report::Began};

const USAGE: &str = "usage: websocket_ours serve
       websocket_ours press --server ADDR [--protocol http|h2] [--callers N] [--ahead A] [--bytes B] [--duration S]";

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let args = Args::from_env(USAGE);
    match &*args.verb {
        "serve" => serve().await,
        "press" => {
            press(Load::from_args(&args), args.get("ahead", 1), &args.get("protocol", "http".to_owned()))
                .await
        }
        other => wrong_use(&format!("`{other}` is no verb"), USAGE),
    }
}

/// As the rivals admit.
fn long() -> Options {
    Options::default().max_message(64 << 20).max_frame(16 << 20)
}

async fn echo(_: Context, mut socket: WebSocket) -> Result<(), Status> {
    while let Some(message) = socket.next().await {
        socket.send(message?).await?;
    }
    Ok(())
}

/// Serves until killed.
async fn serve() -> polywire::Result<()> {
    let server = Server::new().service(websocket::route("/echo", echo).options(long()));
    let running = server.listen("127.0.0.1:0").start()?;
    println!("listening on {}", running.addresses()[0]);
    std::future::pending().await
}

/// A socket for each caller.
async fn press(load: Load, ahead: usize, protocol: &str) -> polywire::Result<()> {
    let mut sockets = Vec::new();
    for _ in 0..load.callers {
        let channel = Channel::builder(&*load.server).protocol(protocol).build()?;
        sockets.push(Ours(Connect::new(&channel, "/echo").options(long()).open().await?));
    }
    let began = Began::now();
    let end = Instant::now() + load.duration;
    let callers: Vec<_> =
        sockets.into_iter().map(|socket| tokio::spawn(turns(socket, load.bytes, ahead, end))).collect();
    let mut all = Recorder::default();
    for caller in callers {
        all.add(&caller.await?);
    }
    began.report(&all, load.bytes).print();
    Ok(())
}

struct Ours(WebSocket);

impl Socket for Ours {
    async fn send(&mut self, bytes: usize) -> bool {
        self.0.send(Bytes::from(vec![0; bytes])).await.is_ok()
    }

    async fn receive(&mut self) -> Option<usize> {
        Some(self.0.next().await?.ok()?.as_bytes().len())
    }
}
