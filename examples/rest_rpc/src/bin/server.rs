//! Serves until Ctrl-C, and publishes to subscribers: `rest-rpc-example-server [ADDRESS]`.

use polywire::rest_rpc::Publisher;
use polywire_example_rest_rpc::{Person, server};
use std::time::Duration;

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:9000".into());
    let news = Publisher::new();
    let running = server(&news).listen(&address).start()?;
    println!("listening on {}; stop with Ctrl-C", running.addresses()[0]);
    let stop = polywire::stop_signal()?;
    let publish = async {
        let tom = Person { id: 1, name: "tom".into(), age: 20 };
        loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            news.publish("key", &"hello subscriber")?;
            news.publish("topic1", &"hello")?;
            news.publish_by_token("key", "sub_key", &tom)?;
        }
    };
    tokio::select! {
        () = stop => {}
        failed = publish => return failed,
    }
    running.stop().await;
    Ok(())
}
