//! `room-server`: the server of the example `websocket`, whose page is at `/room`.

#[tokio::main]
pub async fn main() -> polywire::Result<()> {
    let running = polywire_example_websocket::server().listen("127.0.0.1:0").start()?;
    println!("listening on {}", running.addresses()[0]);
    polywire::stop_signal()?.await;
    running.stop().await;
    Ok(())
}
