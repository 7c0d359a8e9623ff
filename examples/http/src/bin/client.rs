//! The same stub over HTTP, and raw requests: `http-client [ADDRESS]`.

use polywire::{Channel, IoBuf, Target};
use polywire_example_http::shop::{Item, ItemsClient, NewPrice, Query};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());

    // A stub uses the protocol of its channel: JSON here; `http:proto` sends protobuf bodies.
    let items = ItemsClient::new(Channel::builder(&address).protocol("http").build()?);
    let tea = Item { name: "tea".into(), price_cents: 450, tags: vec!["green".into()] };
    let stored = items.put(tea).await?;
    println!("stored: {} for {} cents", stored.name, stored.price_cents);

    // The method has a rule in the .proto file: this is POST /v1/items/tea:reprice.
    let cheaper = items.reprice(NewPrice { name: "tea".into(), price_cents: 400 }).await?;
    println!("by its rule: {} for {} cents", cheaper.name, cheaper.price_cents);

    let items = ItemsClient::new(Channel::builder(&address).protocol("http:proto").build()?);
    let found = items.get(Query { name: "tea".into() }).await?;
    println!("found, as protobuf: {} {:?}", found.name, found.tags);

    let status = items.get(Query { name: "gold".into() }).await.expect_err("there is none");
    println!("not found: {}", status.code());

    // Any path, without a stub: an empty service name and the path; `:method` is the verb.
    let channel = Channel::builder(&address).protocol("http").build()?;
    let path = Target::named("", "/v1/items/tea");
    let page = channel.call(path, IoBuf::new()).metadata(":method", "GET").await?;
    println!("by its path: {}", String::from_utf8_lossy(&page.body.to_vec()));

    // The same service on the same port over another protocol.
    let items = ItemsClient::new(Channel::builder(&address).build()?);
    let found = items.get(Query { name: "tea".into() }).await?;
    println!("found, over baidu_std: {}", found.name);
    Ok(())
}
