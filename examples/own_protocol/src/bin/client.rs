//! Calls the server over the protocol of this example and over a built-in one: `own-protocol-client
//! [ADDRESS]`.

use polywire::Channel;
use polywire_example_own_protocol::{
    PROTOCOL,
    echo::{EchoClient, EchoRequest},
};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let ours = EchoClient::new(Channel::builder(&address).protocol(&PROTOCOL).build()?);
    let baidu_std = EchoClient::new(Channel::builder(&address).protocol("baidu_std").build()?);
    for client in [&ours, &baidu_std] {
        let reply = client.echo(EchoRequest { message: "answered".into() }).await?;
        println!("{}", reply.message);
    }
    let status = ours.echo(EchoRequest::default()).await.expect_err("the service refuses empty messages");
    println!("{}: {}", status.code(), status.message());
    Ok(())
}
