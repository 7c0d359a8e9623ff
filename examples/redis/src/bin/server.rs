//! Serves both until Ctrl-C: `redis-example-server [STORE [OWN]]`.

use polywire_example_redis::{own, store};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let mut addresses = std::env::args().skip(1);
    let first = addresses.next().unwrap_or("127.0.0.1:6380".into());
    let second = addresses.next().unwrap_or("127.0.0.1:6381".into());
    println!("the store listens on {first}, our own commands on {second}; stop with Ctrl-C");
    tokio::try_join!(store().listen(first).run(), own().listen(second).run())?;
    Ok(())
}
