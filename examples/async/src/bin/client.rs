//! Many calls at once: `async-client [ADDRESS]`.

use polywire::Channel;
use polywire_example_async::work::{Nothing, Number, WorkerClient};
use std::time::Duration;
use tokio::task::JoinSet;

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    // Clones share connections: all calls below use one connection.
    let channel = Channel::connect(address).await?;
    let worker = WorkerClient::new(channel.clone());
    let square = |value| worker.square(Number { value });

    // A few at once: both are sent before the first is answered.
    let (three, four) = tokio::try_join!(square(3), square(4))?;
    println!("joined: {} and {}", three.value, four.value);

    // Many at once. No call waits for another; replies arrive in any order.
    let mut calls: JoinSet<_> = (0..100).map(|value| square(value).into_future()).collect();
    let mut sum = 0;
    while let Some(ended) = calls.join_next().await {
        sum += ended??.value;
    }
    println!("a hundred squares: their sum is {sum}");

    // Two calls: the first reply wins. The other call is dropped, which cancels it.
    let first = tokio::select! {
        square = square(5) => format!("{}", square?.value),
        _ = worker.hang(Nothing {}) => "what never comes".to_owned(),
    };
    println!("first answer: {first}");

    // A time limit for one call, in place of the channel's.
    let status = worker.hang(Nothing {}).timeout(Duration::from_millis(50)).await.expect_err("it hangs");
    println!("timeout: {}", status.code());

    // A time limit for several calls: dropping the future that awaits them cancels those in flight.
    let both = async { tokio::try_join!(square(6), async { worker.hang(Nothing {}).await.map(|_| ()) }) };
    let ended = tokio::time::timeout(Duration::from_millis(50), both).await;
    println!("given up after 50 ms: {}", ended.is_err());

    // A call that is not awaited is not sent.
    let before = worker.count(Nothing {}).await?.value;
    drop(square(7));
    let after = worker.count(Nothing {}).await?.value;
    println!("sent by a dropped call: {}", after - before);

    println!("connections: {}", channel.connections_made());
    Ok(())
}
