//! A channel to `xds:///echo`, whose servers change.

use polywire::{
    Channel,
    xds::{Bootstrap, Xds},
};
use polywire_example_xds::{
    colour::{ColourClient, Question},
    plane::Plane,
    serve,
};
use std::collections::BTreeMap;

/// Who has answered 100 calls.
async fn answered(client: &ColourClient) -> polywire::Result<BTreeMap<String, u32>> {
    let mut found = BTreeMap::new();
    for _ in 0..100 {
        let answer = client.ask(Question::default()).wait_for_ready(true).await?;
        *found.entry(answer.colour.to_string()).or_default() += 1;
    }
    Ok(found)
}

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let ((_blue, blue), (_red, red)) = (serve("blue")?, serve("red")?);
    let (plane, running) = Plane::start(&[("blue", blue, 1), ("red", red, 0)])?;

    // A program names the file in GRPC_XDS_BOOTSTRAP and says Channel::builder("xds:///echo"); here it is
    // written by ourselves.
    let bootstrap = format!(
        r#"{{"xds_servers": [{{"server_uri": "{}", "channel_creds": [{{"type": "insecure"}}]}}], "node": {{"id": "example"}}}}"#,
        running.addresses()[0]
    );
    let echo = Xds::open(Bootstrap::parse(&bootstrap)?, "/echo")?;
    let channel = Channel::builder("xds:///echo").router(echo).build()?;
    let client = ColourClient::new(channel.clone());

    println!("one cluster: {:?}", answered(&client).await?);

    plane.tell(&[("blue", blue, 1), ("red", red, 1)])?;
    while answered(&client).await?.len() < 2 {} // until the client has heard of it
    println!("two clusters, equal weights: blue and red");

    plane.tell(&[("blue", blue, 0), ("red", red, 1)])?;
    while answered(&client).await?.contains_key("blue") {}
    println!("the other one: {:?}", answered(&client).await?);

    drop((plane, running)); // what was said last stays in use
    println!("without a control plane: {:?}", answered(&client).await?);
    Ok(())
}
