//! Our port with an axum router as its fallback: `axum-mounted [ADDRESS]`.

use polywire::Server;
use polywire_example_axum::{Board, notes::Notes};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    println!("listening on {address}; stop with Ctrl-C");
    let board = Board::default();
    let server = Server::new()
        .service(board.clone().into_service()) // every protocol
        .fallback(board.page()); // for requests that no service here answers
    server.listen(address).run().await
}
