//! A ventilator distributes tasks, workers square numbers, and a sink adds them up.

use polywire::zmq::{Pull, Push};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let (ventilator, sink) = (Push::new(), Pull::new());
    let (tasks, results) = (ventilator.bind("tcp://127.0.0.1:*")?, sink.bind("tcp://127.0.0.1:*")?);
    for _ in 0..3 {
        let (pull, push) = (Pull::new(), Push::new());
        pull.connect(&tasks)?;
        push.connect(&results)?;
        tokio::spawn(async move {
            while let Ok(task) = pull.recv().await {
                let n: u64 = task.text().parse().unwrap_or(0);
                if push.send((n * n).to_string()).await.is_err() {
                    break;
                }
            }
        });
    }
    for n in 1..=100 {
        ventilator.send(n.to_string()).await?; // waits while no worker has room
    }
    let mut sum = 0;
    for _ in 1..=100 {
        sum += sink.recv().await?.text().parse::<u64>()?;
    }
    println!("squares of 1 to 100 sum up to {sum}");
    Ok(())
}
