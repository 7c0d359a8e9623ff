//! Serves until Ctrl-C: `websocket-server [ADDRESS]`.

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let running = polywire_example_websocket::server().listen(&address).start()?;
    let address = running.addresses()[0].to_string();
    println!("listening on {address}: open http://{address}/room in two windows; stop with Ctrl-C");
    polywire::stop_signal()?.await;
    running.stop().await;
    Ok(())
}
