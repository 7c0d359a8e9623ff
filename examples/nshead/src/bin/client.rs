//! Calls the servers:
//! `nshead-example-client [ADDRESS] [ADDRESS OF THE PROTOCOL OF ONE'S OWN] [ADDRESS OF THE DIALECT]`.

use polywire::{Channel, IoBuf, Message, nshead};
use polywire_example_nshead::search::{Found, Query, SearchClient};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let own = std::env::args().nth(2).unwrap_or("127.0.0.1:8001".into());
    let dialect = std::env::args().nth(3).unwrap_or("127.0.0.1:8002".into());

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

    // A dialect: what a client of before sends, answered by the service of today.
    let client = nshead::Client::new(Channel::builder(&dialect).protocol("nshead").build()?);
    for keyword in ["rust", ""] {
        let query = Query { keyword: keyword.into(), pages: vec![1] };
        let mut body = IoBuf::copy_from_slice(b"Find\0\0\0\0\0\0\0\0\0\0\0\0");
        body.append(query.to_wire()?.into());
        let mut reply = client.call(&nshead::Frame { body, ..Default::default() }).await?.body;
        let number = reply.cut(4).to_vec();
        match number[..] {
            [0, 0, 0, 0] => println!("dialect: {}", Found::from_wire(reply.contiguous())?.titles.join(", ")),
            _ => println!("dialect: error {}, {}", number[0], String::from_utf8_lossy(reply.contiguous())),
        }
    }
    Ok(())
}
