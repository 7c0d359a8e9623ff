//! Streams of both kinds: `streaming-client [ADDRESS]`.

use polywire::Channel;
use polywire_example_streaming::chat::{Line, RoomClient, TalkClient};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());

    // A stream inside a call: bytes in both directions, after the reply.
    let room = RoomClient::new(Channel::builder(&address).protocol("streaming_rpc").build()?);
    let (reply, mut stream) = room.join(Line { text: "Ada".into() }).with_stream().await?;
    println!("{}", reply.text);
    for message in ["one", "two"] {
        stream.send(message).await?;
        let echoed = stream.next().await.transpose()?.expect("the server echoes");
        println!("stream: {}", String::from_utf8_lossy(&echoed.to_vec()));
    }
    drop(stream); // closes it

    // Several at once, distinguished by their order.
    let (_, mut streams) = room.join(Line { text: "Bob".into() }).with_streams(2).await?;
    streams[1].send("the server takes the first only").await.ok();
    println!("second stream: {:?}", streams[1].next().await);

    // A method that streams is the same over both protocols.
    for protocol in ["streaming_rpc", "grpc"] {
        let talk = TalkClient::new(Channel::builder(&address).protocol(protocol).build()?);
        let mut chat = talk.chat().await?;
        chat.send(Line { text: "hello".into() }).await?;
        let echoed = chat.next().await.transpose()?.expect("the server echoes");
        println!("{protocol}: {}", echoed.text);
        chat.finish();
        assert!(chat.next().await.is_none());
    }

    // A call without a stream is refused by the handler.
    let refused = room.join(Line::default()).await.expect_err("no stream is offered");
    println!("error: {}", refused.message());
    Ok(())
}
