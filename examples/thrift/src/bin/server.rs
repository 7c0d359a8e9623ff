//! Serves until Ctrl-C: `thrift-server [ADDRESS]`.

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:9090".into());
    polywire_example_thrift::server().listen(&address).run().await?;
    Ok(())
}
