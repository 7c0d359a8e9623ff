//! HttpArena's tests, on one server for each of its ports.

mod http;
mod sums;

use arena::Arena;
use benchmark::BenchmarkService;
use http::Pages;
use polywire::{
    Context, Server, ServerTls,
    websocket::{self, WebSocket},
};
use std::{env, path::Path};
use sums::Sums;

polywire::include!();

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let pages = Pages::read(&env::var("DATASET").unwrap_or("/data/dataset.json".into()))?;
    let server = || {
        let echo = websocket::route("/ws", |_: Context, mut socket: WebSocket| async move {
            while let Some(message) = socket.next().await {
                socket.send(message?).await?;
            }
            Ok(())
        });
        Server::new().service(pages.clone().into_service()).service(Sums.into_service()).service(echo)
    };
    let mut running = vec![
        server().listen("0.0.0.0:8080").start()?,
        // No HTTP/1 here.
        server().listen("0.0.0.0:8082").protocols(["h2"]).start()?,
    ];
    // Not all of its runs mount certificates.
    let certs = env::var("CERTS").unwrap_or("/certs".into());
    let (cert, key) = (format!("{certs}/server.crt"), format!("{certs}/server.key"));
    if Path::new(&cert).exists() {
        let tls = || server().tls(ServerTls::files(&cert, &key));
        running.push(tls().listen("0.0.0.0:8443").start()?);
        // No HTTP/2 here.
        running.push(tls().listen("0.0.0.0:8081").protocols(["http"]).start()?);
    }
    polywire::stop_signal()?.await;
    for server in running {
        server.stop().await;
    }
    Ok(())
}
