//! The client, in both formats: `rest-rpc-example-client [ADDRESS]`.

use polywire::{Channel, rest_rpc::Client};
use polywire_example_rest_rpc::Person;

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:9000".into());
    // `a` is v0.12 and v0.20 (msgpack), `b` is v0.21 (struct_pack).
    for protocol in ["rest_rpc:a", "rest_rpc:b"] {
        println!("{protocol}");
        let channel = Channel::builder(&address).protocol(protocol).build()?;
        let client = Client::new(channel.clone());

        // Arguments are a tuple; the result is read as the type that you choose.
        let sum: i32 = client.call("add", (1, 2)).await?;
        let text: String = client.call("echo", ("test",)).await?;
        let tom = Person { id: 1, name: "tom".into(), age: 20 };
        let jack: Person = client.call("get_person", (tom,)).await?;
        println!("  {sum}, {text}, {jack:?}");

        // A function that is called often: its name and types are analysed only once.
        let add = client.function::<(i32, i32), i32>("add");
        let (one, other) = tokio::join!(add.call((20, 22)), add.call((-1, 1)));
        println!("  {}, {}", one?, other?);

        let failed = client.call::<_, i32>("divide", (1, 0)).await.expect_err("by zero");
        println!("  {}", failed.message());

        // Topics. Once the call after the subscription is answered, the server has registered it.
        let mut news = client.subscribe::<String>("example").await?;
        let _: i32 = add.call((0, 0)).await?;
        client.publish("example", &"breaking").await?;
        println!("  published: {:?}", news.next().await.transpose()?);
    }
    Ok(())
}
