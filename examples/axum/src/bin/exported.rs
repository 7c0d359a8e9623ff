//! axum's port with our service in its router: `axum-exported [ADDRESS]`.

use polywire::Server;
use polywire_example_axum::{Board, notes::Notes};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let listener = tokio::net::TcpListener::bind(&address).await?;
    println!("listening on {address}; stop with Ctrl-C");
    let board = Board::default();
    let exported = Server::new().service(board.clone().into_service()).into_tower()?;
    Ok(axum::serve(listener, board.page().fallback_service(exported)).await?)
}
