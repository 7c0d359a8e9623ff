//! Deadlines and cancellation: `grpc-patience [ADDRESS]`.

use polywire::Channel;
use polywire_example_grpc::echo::{Nothing, PatienceClient};
use std::time::Duration;

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let patience = PatienceClient::new(Channel::builder(address).protocol("grpc").timeout(None).build()?);
    let given_up = async |most: u32| {
        // The server notices the cancellation a moment later.
        loop {
            let number = patience.given_up(Nothing {}).await?.number;
            if number >= most {
                return Ok::<u32, polywire::Status>(number);
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let before = given_up(0).await?;

    // The deadline is sent with the call: the server drops the handler itself.
    let late = patience.wait(Nothing {}).timeout(Duration::from_millis(50)).await.expect_err("it waits");
    println!("timeout: {}; handlers given up: {}", late.code(), given_up(before + 1).await? - before);

    // It also applies to the calls that a handler makes within its call.
    let late = patience.relay(Nothing {}).timeout(Duration::from_millis(50)).await.expect_err("it waits");
    println!("relayed: {}; handlers given up: {}", late.code(), given_up(before + 2).await? - before);

    // A dropped call is cancelled at the server, and so are the calls that the server made to another one.
    let under_way = tokio::spawn(patience.relay(Nothing {}).into_future());
    tokio::time::sleep(Duration::from_millis(50)).await;
    under_way.abort();
    println!("dropped; handlers given up: {}", given_up(before + 3).await? - before);
    Ok(())
}
