//! Calls the warehouse, in two forms: `thrift-client [ADDRESS]`.

use polywire::Channel;
use polywire_example_thrift::warehouse::{Item, Speed, WarehouseClient, warehouse::OrderError};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:9090".into());
    for protocol in ["thrift", "thrift:unframed+compact"] {
        println!("{protocol}");
        let channel = Channel::builder(&address).protocol(protocol).build()?;
        let client = WarehouseClient::new(channel);
        let nuts = |count| Item { name: "nuts".into(), count, weight_kg: Some(0.01) };
        println!("  stored: {:?}", client.store(vec![nuts(10)]).await?);

        // Many calls share one connection; each waits for its own answer.
        let (one, other) =
            tokio::join!(client.order(nuts(4), Speed::FAST), client.order(nuts(5), Speed::SLOW));
        println!("  {}, {}", one?, other?);

        match client.order(nuts(9), Speed::SLOW).await {
            Err(OrderError::Missing(missing)) => println!("  {} of {} left", missing.left, missing.name),
            other => println!("  {}", other?),
        }
        client.note("counted".into()).await?; // sent, not answered
        // Of the service that it extends.
        println!("  left: {}", client.count("nuts".into()).await?);
        let _ = client.order(nuts(1), Speed::SLOW).await?;
    }
    Ok(())
}
