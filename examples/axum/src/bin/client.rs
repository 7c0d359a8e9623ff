//! Adds notes in two ways and reads the page: `axum-client [ADDRESS]`.

use polywire::{Channel, IoBuf, Target};
use polywire_example_axum::notes::{Note, NotesClient};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    for protocol in ["grpc", "http"] {
        let notes = NotesClient::new(Channel::builder(&address).protocol(protocol).build()?);
        let count = notes.add(Note { text: format!("by {protocol}") }).await?;
        println!("{protocol}: note {}", count.notes);
    }
    let http = Channel::builder(&address).protocol("http").build()?;
    let page = http.call(Target::named("", "/"), IoBuf::new()).metadata(":method", "GET").await?;
    println!("the page: {:?}", String::from_utf8_lossy(&page.body.to_vec()));
    Ok(())
}
