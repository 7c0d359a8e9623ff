//! Calls both servers: `nshead-example-client [ADDRESS] [ADDRESS OF THE PROTOCOL OF ONE'S OWN]`.

use polywire::{Channel, nshead};
use polywire_example_nshead::search::{Query, SearchClient};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let own = std::env::args().nth(2).unwrap_or("127.0.0.1:8001".into());

    // Old clients and new ones: the same stub, the same service, only the protocol of the channel differs.
    for protocol in ["ubrpc_mcpack2", "ubrpc_compack", "nova_pbrpc", "baidu_std", "grpc"] {
        let client = SearchClient::new(Channel::builder(&address).protocol(protocol).build()?);
        let query = Query { keyword: "rust".into(), pages: vec![1] };
        println!("{}", client.find(query).await?.titles.join(", "));
    }

    // Errors arrive with code and text if the protocol has fields for them.
    let client = SearchClient::new(Channel::builder(&address).protocol("ubrpc_mcpack2").build()?);
    let status = client.find(Query::default()).await.expect_err("the service refuses it");
    println!("error: {}", status.message());

    // Plain nshead frames.
    let client = nshead::Client::new(Channel::builder(&own).protocol("nshead").build()?);
    let head = nshead::Head { id: 1, log_id: 7, ..Default::default() };
    let reply = client.call(&nshead::Frame { head, body: "shout".into() }).await?;
    println!("frame: {} (log id {})", String::from_utf8_lossy(&reply.body.to_vec()), reply.head.log_id);
    Ok(())
}
