//! Calls the server over the protocols that carry FlatBuffers: `flatbuffers-client [ADDRESS]`.

use polywire::Channel;
use polywire_example_flatbuffers::{flat::EchoClient, message, proto};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let channel = |protocol: &str| Channel::builder(&address).protocol(protocol).build();

    // fb_rpc is brpc's protocol for FlatBuffers; gRPC and baidu_std carry them as well.
    for protocol in ["fb_rpc", "grpc:flatbuffers", "grpc", "baidu_std"] {
        let reply = EchoClient::new(channel(protocol)?).echo(message(1, "hello")).await?;
        println!("{protocol}: {}", reply.get().text().unwrap_or_default());
    }

    // An attachment is sent next to the message.
    let client = EchoClient::new(channel("fb_rpc")?);
    let reply = client.echo(message(2, "with bytes")).attachment("raw bytes").await?;
    println!("attachment: {}", String::from_utf8_lossy(&reply.attachment().to_vec()));

    // fb_rpc sends only the number of an error, not its text.
    let status = client.echo(message(3, "")).await.expect_err("the service refuses empty texts");
    println!("error: {} ({})", status.message(), status.code());

    // A stream needs a protocol that has streams.
    let mut stream = EchoClient::new(channel("grpc")?).repeat(message(3, "again")).await?;
    while let Some(message) = stream.next().await.transpose()? {
        let message = message.get();
        println!("stream: {} {}", message.sequence(), message.text().unwrap_or_default());
    }

    // Protobuf on the same port, called in the same way.
    let client = proto::EchoClient::new(channel("baidu_std")?);
    let reply = client.echo(proto::Message { text: "hello".into(), ..Default::default() }).await?;
    println!("protobuf: {}", reply.text);
    Ok(())
}
