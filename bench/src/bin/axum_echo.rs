//! axum as it comes: the demo's JSON echo at the same path, for the same foreign load tool.

use axum::routing::{get, post};
use axum::{Json, Router};
use polywire_bench::{Args, args::wrong_use};
use serde::{Deserialize, Serialize};

const USAGE: &str = "usage: axum_echo serve";

#[derive(Serialize, Deserialize)]
struct Echo {
    message: String,
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let args = Args::from_env(USAGE);
    if args.verb != "serve" {
        wrong_use(&format!("`{}` is no verb", args.verb), USAGE);
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on {}", listener.local_addr()?);
    let router = Router::new()
        .route("/example.EchoService/Echo", post(|Json(echo): Json<Echo>| async move { Json(echo) }))
        .route("/health", get(|| async { "OK" }));
    // `axum::serve` leaves Nagle's algorithm on unless told otherwise; ours is off, so turn it off here too.
    use axum::serve::ListenerExt;
    let listener = listener.tap_io(|socket| {
        let _ = socket.set_nodelay(true);
    });
    axum::serve(listener, router).await
}
