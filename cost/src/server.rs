//! The server that is measured: `polywire serve` with one shard, or as many as are asked for, told by its
//! standard input when a phase ends.

use crate::marks;
use polywire::Engine;
use polywire_cli::services::{self, ServiceArguments};
use std::{error::Error, io};

/// Serves until the end of the standard input. Prints the address, then answers each line: `mark` ends a
/// phase, `bytes` asks for the bytes that are allocated.
pub fn run(shards: usize, bytes: impl Fn() -> isize) -> Result<(), Box<dyn Error>> {
    let engine = Engine::builder().shards(shards).workers(1).build()?;
    let shard = engine.shards()[0].clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let _inside = runtime.enter();
    let server =
        services::server(&ServiceArguments::default()).engine(&engine).listen("127.0.0.1:0").start()?;
    println!("{}", server.addresses()[0]);
    for line in io::stdin().lines() {
        match &*line? {
            "mark" => {
                runtime.block_on(shard.spawn(async { marks::phase_ends_on_shard() }))?;
                runtime.block_on(shard.work().spawn(async { marks::phase_ends_on_pool() }))?;
                println!("marked");
            }
            "bytes" => println!("{}", bytes()),
            other => return Err(format!("`{other}` is no command").into()),
        }
    }
    Ok(())
}
