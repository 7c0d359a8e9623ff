//! Each kind of call: `grpc-client [ADDRESS]`.

use polywire::{Channel, Compression};
use polywire_example_grpc::echo::{EchoClient, Line};

fn line(text: &str) -> Line {
    Line { text: text.into(), ..Line::default() }
}

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let echo = EchoClient::new(Channel::builder(address).protocol("grpc").build()?);

    // One message in each direction.
    println!("said: {}", echo.say(line("hello")).await?.text);

    // A stream of replies. Awaiting the call waits for its head, so a call that is refused fails here.
    let mut lines = echo.repeat(Line { text: "again".into(), times: 3 }).await?;
    println!("it will come {} times", lines.metadata().get_str("x-times").unwrap_or("?"));
    while let Some(line) = lines.next().await.transpose()? {
        println!("repeated: {}", line.text);
    }
    let refused = echo.repeat(Line { text: "again".into(), times: 5000 }).await.err().expect("too often");
    println!("refused: {refused}");

    // A stream of requests, compressed; `finish` waits for the reply.
    let mut join = echo.join().compress(Compression::GZIP).await?;
    for word in ["one", "port", "every", "protocol"] {
        join.send(line(word)).await?;
    }
    println!("joined: {}", join.finish().await?.text);

    // A stream in each direction, alternating.
    let mut talk = echo.talk().await?;
    for word in ["ping", "pong"] {
        talk.send(line(word)).await?;
        println!("heard: {}", talk.next().await.expect("an answer")?.text);
    }
    talk.finish();
    assert!(talk.next().await.is_none());

    // The same, with each half in its own task. An error is returned after the messages that arrived before
    // it.
    let (mut outgoing, mut answers) = echo.talk().await?.split();
    let sending = tokio::spawn(async move {
        for word in ["first", "second", ""] {
            outgoing.send(line(word)).await?;
        }
        Ok::<(), polywire::Status>(())
    });
    while let Some(answer) = answers.next().await {
        match answer {
            Ok(line) => println!("heard: {}", line.text),
            Err(status) => println!("ended: {status}"),
        }
    }
    sending.await??;
    Ok(())
}
