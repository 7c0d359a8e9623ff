//! The client that is measured: callers with generated stubs on a shard, told by the standard input how many
//! make how many calls.

use crate::{load::Load, marks};
use polywire::{Channel, Engine, Status, redis};
use polywire_cli::example::{EchoClient, EchoRequest, Line, StreamClient};
use std::{error::Error, io};

/// What is sent, and comes back.
const TEXT: &str = match str::from_utf8(&[b'x'; 100]) {
    Ok(text) => text,
    Err(_) => unreachable!(),
};

/// Where Redis has it.
const KEY: &str = "key";

/// Makes calls to this address until the end of the standard input. Each line is a phase: the number of
/// callers, and how many calls each of them makes, one after the other. When all are answered and the phase
/// has ended, it prints `done`.
pub fn run(load: Load, address: &str) -> Result<(), Box<dyn Error>> {
    let engine = Engine::builder().shards(1).workers(1).build()?;
    let shard = engine.shards()[0].clone();
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let channel = Channel::builder(address).protocol(load.protocol()).build()?;
    if load == Load::Redis {
        let redis = redis::Client::new(channel.clone());
        runtime.block_on(shard.spawn(async move { redis.set(KEY, TEXT).await }))??;
    }
    for line in io::stdin().lines() {
        let line = line?;
        let (callers, calls) = line.split_once(' ').ok_or("a line is CALLERS CALLS")?;
        let (callers, calls): (u32, u32) = (callers.parse()?, calls.parse()?);
        let tasks: Vec<_> = (0..callers).map(|_| shard.spawn(caller(load, channel.clone(), calls))).collect();
        for task in tasks {
            runtime.block_on(task)??;
        }
        runtime.block_on(shard.spawn(async { marks::phase_ends_on_shard() }))?;
        runtime.block_on(shard.work().spawn(async { marks::phase_ends_on_pool() }))?;
        println!("done");
    }
    Ok(())
}

async fn caller(load: Load, channel: Channel, calls: u32) -> Result<(), Status> {
    match load {
        Load::BaiduStd | Load::Grpc | Load::Http1 => {
            let echo = EchoClient::new(channel);
            for _ in 0..calls {
                same(&echo.echo(EchoRequest { message: TEXT.to_owned() }).await?.message)?;
            }
        }
        Load::Redis => {
            let redis = redis::Client::new(channel);
            for _ in 0..calls {
                same(&redis.get::<String>(KEY).await?)?;
            }
        }
        Load::GrpcStream => {
            let mut chat = StreamClient::new(channel).chat().await?;
            for _ in 0..calls {
                chat.send(Line { message: TEXT.to_owned() }).await?;
                same(&chat.next().await.transpose()?.unwrap_or_default().message)?;
            }
        }
    }
    Ok(())
}

fn same(answer: &str) -> Result<(), Status> {
    if answer == TEXT { Ok(()) } else { Err(Status::internal("the answer is not what was sent")) }
}
