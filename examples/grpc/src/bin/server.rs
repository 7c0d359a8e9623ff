//! Serves until Ctrl-C: `grpc-server [ADDRESS]`.

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    println!("listening on {address}; stop with Ctrl-C");
    polywire_example_grpc::server(&address)?.listen(address).run().await
}
