//! Sends every call to one address, in the protocol that its servers speak: `relay LISTEN PROTOCOL ADDRESS`.

#![forbid(unsafe_code)]

use polywire::{Channel, Server, gateway::Relay};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [listen, protocol, address] = &arguments[..] else {
        return Err("usage: relay LISTEN PROTOCOL ADDRESS".into());
    };
    let channel = Channel::builder(address).protocol(protocol).build()?;
    // Without pages it has no services of its own either, and callers get reflection from behind.
    let relay = Server::new().catch_all(Relay::to(channel)).pages(None).listen(listen).start()?;
    println!("{} to {address} by {protocol}", relay.addresses()[0]);
    polywire::stop_signal()?.await;
    relay.stop().await;
    Ok(())
}
