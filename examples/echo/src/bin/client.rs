//! Calls the server in every way there is: `echo-client [ADDRESS]`.

use polywire::Channel;
use polywire_example_echo::echo::{EchoClient, EchoRequest};
use std::time::Duration;

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let client = EchoClient::new(Channel::connect(address).await?);
    let say = |message: &str| EchoRequest { message: message.into() };

    // A call is sent when it is awaited. Its reply derefs to the message.
    let reply = client.echo(say("hello")).await?;
    println!("reply: {}", reply.message);

    // An attachment is sent next to the message, unchanged: not encoded, not compressed, not copied.
    let reply = client.echo(say("with bytes")).attachment("raw bytes").await?;
    println!("attachment: {}", String::from_utf8_lossy(&reply.attachment().to_vec()));

    // Metadata are fields sent with the message, in request and reply.
    let reply = client.echo(say("who am I?")).metadata("user", "Ada").await?;
    println!("metadata: greeted={}", reply.metadata().get_str("greeted").unwrap_or("nobody"));

    // The handler's error arrives unchanged.
    let status = client.echo(say("")).await.expect_err("the service refuses empty messages");
    println!("error: {} ({})", status.message(), status.code());

    // A deadline applies on both sides: the server drops the handler when the caller no longer waits.
    let status = client.hang(say("?")).timeout(Duration::from_millis(50)).await.expect_err("it hangs");
    println!("deadline: {}", status.code());

    // A plain thread calls without a runtime.
    let thread = std::thread::spawn(move || client.echo(say("from a thread")).blocking());
    println!("blocking: {}", thread.join().expect("it does not panic")?.message);
    Ok(())
}
