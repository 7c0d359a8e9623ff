//! Serves until Ctrl-C: `mongo-example-server [ADDRESS]`.

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:27017".into());
    polywire_example_mongo::server().listen(&address).run().await?;
    Ok(())
}
