//! A socket of a handler over HTTP/1 and HTTP/2, and the room of the page: `websocket-client [ADDRESS]`.

use polywire::{
    Channel,
    websocket::{Connect, JSON, Message, code},
};
use polywire_example_websocket::room::{Line, RoomClient};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    for protocol in ["http", "h2"] {
        let channel = Channel::builder(&address).protocol(protocol).build()?;
        let mut socket = Connect::new(&channel, "/backwards").open().await?;
        socket.send("hello").await?;
        if let Some(Message::Text(text)) = socket.next().await.transpose()? {
            println!("{protocol}: {text}");
        }
        socket.close(code::NORMAL, "").await?;
    }

    // Programs call the service as any other, over gRPC here, and meet the browsers.
    let room = RoomClient::new(Channel::builder(&address).protocol("grpc").build()?);
    let mut grpc = room.talk().await?;
    show("grpc", grpc.next().await.transpose()?);

    // What a page does: the same call over WebSocket, whose messages are JSON.
    let channel = Channel::builder(&address).protocol("http").build()?;
    let mut page = Connect::new(&channel, "/room.Room/Talk").subprotocol(JSON).open().await?;
    println!("page: {}", text(page.next().await.transpose()?)?);
    page.send(r#"{"who":"page","text":"is anybody here?"}"#).await?;
    println!("page: {}", text(page.next().await.transpose()?)?);
    show("grpc", grpc.next().await.transpose()?);
    grpc.send(Line { who: "grpc".into(), text: "yes".into() }).await?;
    println!("page: {}", text(page.next().await.transpose()?)?);
    page.send("#end").await?;
    println!("page: {}", text(page.next().await.transpose()?)?);
    Ok(())
}

fn show(who: &str, line: Option<Line>) {
    let Line { who: from, text } = line.unwrap_or_default();
    println!("{who}: {from} says {text:?}");
}

fn text(message: Option<Message>) -> polywire::Result<String> {
    Ok(message.ok_or("the server has closed")?.into_text()?)
}
