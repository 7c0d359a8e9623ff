//! A SUB receives the topics that it subscribed to.

use polywire::zmq::{Sub, XPub};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    // A PUB sends to connected peers only; an XPUB also receives subscriptions, and so knows when to begin.
    let news = XPub::new();
    let sub = Sub::new();
    sub.connect(&news.bind("tcp://127.0.0.1:*")?)?;
    sub.subscribe("weather.");
    news.recv().await?;

    news.send(["sports", "1:0"]).await?;
    news.send(["weather.de", "rain"]).await?;
    news.send(["weather.fr", "sun"]).await?;
    for _ in 0..2 {
        let message = sub.recv().await?;
        println!("{}: {}", message.text(), String::from_utf8_lossy(&message[1]));
    }
    Ok(())
}
