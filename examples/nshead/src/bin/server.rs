//! Serves until Ctrl-C:
//! `nshead-example-server [ADDRESS] [ADDRESS OF THE PROTOCOL OF ONE'S OWN] [ADDRESS OF THE DIALECT]`.

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let own = std::env::args().nth(2).unwrap_or("127.0.0.1:8001".into());
    let dialect = std::env::args().nth(3).unwrap_or("127.0.0.1:8002".into());
    println!("listening on {address}, {own} and {dialect}; stop with Ctrl-C");
    let own = polywire_example_nshead::own().listen(own).start()?;
    let dialect = polywire_example_nshead::dialect().listen(dialect).start()?;
    polywire_example_nshead::server().listen(address).run().await?;
    own.stop().await;
    dialect.stop().await;
    Ok(())
}
