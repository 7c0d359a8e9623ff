//! `grpc-testing-server [HOST:PORT]`: answers gRPC's interop cases until it is told to stop.

use polywire::Server;
use polywire_interop::{grpc::testing::TestService, testing::Testing};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:0".into());
    let running = Server::new().service(Testing.into_service()).listen(address).start()?;
    for address in running.addresses() {
        println!("listening on {address}");
    }
    polywire::stop_signal()?.await;
    running.stop().await;
    Ok(())
}
