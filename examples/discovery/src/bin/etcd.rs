//! Servers that announce themselves to etcd, and a channel that finds them there.
//! `discovery-etcd etcd://127.0.0.1:2379/colour`

#![forbid(unsafe_code)]

use polywire::{Channel, Lifecycle, Resilience, registries};
use polywire_example_discovery::{answered_by, server};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).unwrap_or_else(|| "etcd://127.0.0.1:2379/colour".to_owned());
    let announced =
        |name| server(name).lifecycle(Lifecycle::default().register(registries::registration(&url)?)).start();

    let red = announced("red")?;
    let channel = Channel::builder(&*url).resilience(Resilience::default().balancer("rr")).build()?;
    answered_by(&channel, &["red"]).await?;

    let blue = announced("blue")?;
    answered_by(&channel, &["blue", "red"]).await?;

    // It is withdrawn first, and ends the calls that it has begun: none fails.
    red.stop().await;
    answered_by(&channel, &["blue"]).await?;
    blue.stop().await;
    Ok(())
}
